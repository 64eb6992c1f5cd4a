// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Reading and writing mailboxes. Also built in user space (user/).
 */
#include <kunit/test.h>

#include "../kmod/mbox.c"

#include "mbox_bits.h"
#include "layouts.h"
#include "optab_rows.h"

#define LEN_MAX 2048

/* Every byte depends on its place and on the seed. */
static void fill_pattern(void *buf, size_t len, u8 seed)
{
	u8 *p = buf;

	while (len--)
		*p++ = seed = seed * 5 + 1;
}

static struct mdx_field field_at(unsigned int bit, unsigned int width)
{
	return (struct mdx_field){ bit, width };
}

static void field_widths_read(struct kunit *test)
{
	unsigned int bit, width;
	u8 mbox[12];

	fill_pattern(mbox, sizeof(mbox), 7);
	for (width = 1; width <= 32; width++)
		for (bit = 0; bit + width <= sizeof(mbox) * 8; bit++) {
			if (bit % 32 + width > 32)
				continue;
			KUNIT_EXPECT_EQ_MSG(test,
				mdx_mbox_get(mbox, field_at(bit, width)),
				bits_at(mbox, bit, width),
				"%u bits at %u", width, bit);
		}
}

static void field_write_keeps_others(struct kunit *test)
{
	unsigned int bit, width;
	u8 mbox[12], want[12];

	for (width = 1; width <= 32; width++)
		for (bit = 0; bit + width <= sizeof(mbox) * 8; bit++) {
			if (bit % 32 + width > 32)
				continue;
			fill_pattern(mbox, sizeof(mbox), bit);
			fill_pattern(want, sizeof(want), bit);
			bits_put(want, bit, width, 0x5a3c96e1 * width);
			mdx_mbox_set(mbox, field_at(bit, width),
				     0x5a3c96e1 * width);
			KUNIT_EXPECT_MEMEQ_MSG(test, mbox, want, sizeof(want),
					       "%u bits at %u", width, bit);
		}
}

static void excess_bits_dropped(struct kunit *test)
{
	u8 mbox[4] = {}, want[4] = { 0, 0xff };

	mdx_mbox_set(mbox, field_at(8, 8), 0xffffffff);
	KUNIT_EXPECT_MEMEQ(test, mbox, want, sizeof(want));
}

static void id_widths_are_bytes(struct kunit *test)
{
	unsigned int i, seen = 0;

	for (i = 0; i < mdx_ops_n; i++) {
		if (!mdx_ops[i].destroy)
			continue;
		KUNIT_EXPECT_EQ_MSG(test, mdx_ops[i].destroy->id.width % 8, 0,
				    "%#x", mdx_ops[i].opcode);
		seen |= BIT(mdx_ops[i].destroy->id.width / 8);
	}
	KUNIT_EXPECT_EQ(test, seen, 0x1e);
}

static void mailbox_unaligned(struct kunit *test)
{
	u8 buf[16];
	unsigned int off;

	for (off = 0; off < 4; off++) {
		fill_pattern(buf, sizeof(buf), off);
		KUNIT_EXPECT_EQ(test,
				mdx_mbox_get(buf + off, field_at(0x28, 24)),
				bits_at(buf + off, 0x28, 24));
		mdx_mbox_set(buf + off, field_at(0x28, 24), 0x123456);
		KUNIT_EXPECT_EQ(test, bits_at(buf + off, 0x28, 24), 0x123456);
	}
}

static void header_fields_read(struct kunit *test)
{
	static const u8 in[16] = {
		0x0a, 0x01, 0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc,
	};
	static const u8 out[16] = {
		0x05, 0xff, 0xff, 0xff, 0xde, 0xad, 0xbe, 0xef,
	};

	KUNIT_EXPECT_EQ(test, mdx_mbox_opcode(in), 0x0a01);
	KUNIT_EXPECT_EQ(test, mdx_mbox_uid(in), 0x1234);
	KUNIT_EXPECT_EQ(test, mdx_mbox_tunnel(in), 0x5678);
	KUNIT_EXPECT_EQ(test, mdx_mbox_obj_type(in), 0x9abc);
	KUNIT_EXPECT_EQ(test, mdx_mbox_status(out), 0x05);
	KUNIT_EXPECT_EQ(test, mdx_mbox_syndrome(out), 0xdeadbeef);
}

static void uid_replaced(struct kunit *test)
{
	u8 in[16], want[16];

	memset(in, 0xff, sizeof(in));
	memset(want, 0xff, sizeof(want));
	want[2] = 0;
	want[3] = 7;
	mdx_mbox_set_uid(in, 7);
	KUNIT_EXPECT_MEMEQ(test, in, want, sizeof(want));
}

static void created_ids_match_layouts(struct kunit *test)
{
	u8 *in = kunit_kzalloc(test, LEN_MAX, GFP_KERNEL);
	u8 *out = kunit_kzalloc(test, LEN_MAX, GFP_KERNEL);
	const struct layout_row *row;
	const struct mdx_op *op;

	KUNIT_ASSERT_NOT_NULL(test, in);
	KUNIT_ASSERT_NOT_NULL(test, out);
	fill_pattern(in, LEN_MAX, 1);
	fill_pattern(out, LEN_MAX, 2);
	for (op = mdx_ops; op < mdx_ops + mdx_ops_n; op++) {
		if (op->class != MDX_OP_CREATE)
			continue;
		row = layout_find(op->opcode, op->class);
		KUNIT_ASSERT_NOT_NULL(test, row);
		KUNIT_EXPECT_EQ_MSG(test, mdx_mbox_created_id(op, in, out),
				    bits_at(op->flags & MDX_OP_F_ID_IN ? in : out,
					    row->bit, row->width),
				    "%#x", op->opcode);
	}
}

/* The destroy inbox of the documentation, bit by bit */
static void build_expected(const struct layout_destroy *d, const void *in,
			   u32 id, u16 uid, void *dinbox)
{
	const struct layout_field *f;
	unsigned int i;

	memset(dinbox, 0, MDX_DINBOX_LEN_MAX);
	bits_put(dinbox, 0x00, 16, d->opcode);
	bits_put(dinbox, 0x10, 16, uid);
	bits_put(dinbox, d->id.bit, d->id.width, id);
	for (f = d->same; f->width; f++)
		for (i = f->bit; i < f->bit + f->width; i++)
			bit_put(dinbox, i, bit_at(in, i));
}

/* Fields that address the object are distinct and not zero. */
static void dinbox_addresses_object(struct kunit *test)
{
	u8 *in = kunit_kzalloc(test, LEN_MAX, GFP_KERNEL);
	u8 dinbox[MDX_DINBOX_LEN_MAX], want[MDX_DINBOX_LEN_MAX];
	const struct layout_destroy *d;
	unsigned int i, seed;
	const struct mdx_op *op;

	KUNIT_ASSERT_NOT_NULL(test, in);
	for (i = 0; i < ARRAY_SIZE(layout_destroys); i++) {
		d = &layout_destroys[i];
		op = op_creator(d->create);
		KUNIT_EXPECT_TRUE_MSG(test, op, "%#x", d->create);
		for (seed = 1; op && seed < 4; seed++) {
			fill_pattern(in, LEN_MAX, seed);
			memset(dinbox, 0xff, sizeof(dinbox));
			mdx_mbox_build_dinbox(op, in, 0x81828384, 0x1234,
					      dinbox);
			build_expected(d, in, 0x81828384, 0x1234, want);
			KUNIT_EXPECT_MEMEQ_MSG(test, dinbox, want, sizeof(want),
					       "%#x", d->opcode);
		}
	}
}

/* All ones, which a wrong sign or mask would change */
static void dinbox_holds_largest_fields(struct kunit *test)
{
	u8 *in = kunit_kzalloc(test, LEN_MAX, GFP_KERNEL);
	u8 dinbox[MDX_DINBOX_LEN_MAX], want[MDX_DINBOX_LEN_MAX];
	const struct mdx_op *op;
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, in);
	memset(in, 0xff, LEN_MAX);
	for (i = 0; i < ARRAY_SIZE(layout_destroys); i++) {
		op = op_creator(layout_destroys[i].create);
		if (!op)
			continue;
		mdx_mbox_build_dinbox(op, in, ~0u, 0xffff, dinbox);
		build_expected(&layout_destroys[i], in, ~0u, 0xffff, want);
		KUNIT_EXPECT_MEMEQ_MSG(test, dinbox, want, sizeof(want),
				       "%#x", layout_destroys[i].opcode);
	}
}

static void flow_entry_dinbox(struct kunit *test)
{
	/* other_vport, vport, type, e-switch owner, table, index */
	static const u8 want[MDX_DINBOX_LEN_MAX] = {
		0x09, 0x38, 0x00, 0x2a, 0, 0, 0, 0,
		0xc0, 0, 0x11, 0x22, 0, 0, 0, 0,
		0x33, 0, 0x44, 0x55, 0, 0x66, 0x77, 0x88,
		0, 0, 0, 0, 0, 0, 0, 0,
		0x99, 0xaa, 0xbb, 0xcc,
	};
	const struct mdx_op *op = op_creator(OP(SET_FLOW_TABLE_ENTRY));
	u8 *in = kunit_kzalloc(test, LEN_MAX, GFP_KERNEL);
	u8 dinbox[MDX_DINBOX_LEN_MAX];

	KUNIT_ASSERT_NOT_NULL(test, in);
	KUNIT_ASSERT_NOT_NULL(test, op);
	memcpy(in, want, sizeof(want));
	bits_put(in, 0x00, 16, OP(SET_FLOW_TABLE_ENTRY));
	bits_put(in, 0x10, 16, 0xffff);
	bits_put(in, 0x120, 32, 0xffffffff);
	mdx_mbox_build_dinbox(op, in, 0x99aabbcc, 0x2a, dinbox);
	KUNIT_EXPECT_MEMEQ(test, dinbox, want, sizeof(want));
}

/* Forces the bits of a row; @in becomes a mask of the bits that changed. */
static void changed_by_force(const struct mdx_op *op, u8 *in, u8 *copy)
{
	unsigned int i;

	memcpy(copy, in, LEN_MAX);
	mdx_mbox_force(op, copy);
	for (i = 0; i < LEN_MAX; i++)
		in[i] ^= copy[i];
}

static void memory_forced_to_umem(struct kunit *test)
{
	static const struct {
		u16 opcode, bit;
	} umem[] = {
		{ OP(CREATE_MKEY), 0x61 },
		{ OP(CREATE_CQ), 0x2e0 }, { OP(CREATE_CQ), 0x86 },
		{ OP(MODIFY_CQ), 0x2e0 },
		{ OP(CREATE_QP), 0x860 }, { OP(CREATE_QP), 0x743 },
		{ OP(CREATE_XRC_SRQ), 0x2e0 }, { OP(CREATE_XRC_SRQ), 0xc7 },
		{ OP(CREATE_XRQ), 0x5a1 }, { OP(CREATE_XRQ), 0x5a0 },
		{ OP(CREATE_SQ), 0x3a1 }, { OP(CREATE_SQ), 0x3a0 },
		{ OP(CREATE_RQ), 0x3a1 }, { OP(CREATE_RQ), 0x3a0 },
		{ OP(CREATE_RMP), 0x3a1 }, { OP(CREATE_RMP), 0x3a0 },
	};
	u8 *in = kunit_kzalloc(test, LEN_MAX, GFP_KERNEL);
	u8 *copy = kunit_kzalloc(test, LEN_MAX, GFP_KERNEL);
	u8 *want = kunit_kzalloc(test, LEN_MAX, GFP_KERNEL);
	unsigned int i, j;

	KUNIT_ASSERT_NOT_NULL(test, in);
	KUNIT_ASSERT_NOT_NULL(test, copy);
	KUNIT_ASSERT_NOT_NULL(test, want);
	for (i = 0; i < mdx_ops_n; i++) {
		memset(in, 0, LEN_MAX);
		memset(want, 0, LEN_MAX);
		changed_by_force(&mdx_ops[i], in, copy);
		for (j = 0; j < ARRAY_SIZE(umem); j++)
			if (mdx_ops[i].opcode == umem[j].opcode)
				bit_put(want, umem[j].bit, 1);
		KUNIT_EXPECT_MEMEQ_MSG(test, in, want, LEN_MAX,
				       "%#x", mdx_ops[i].opcode);
	}
}

#define MKC 0x80

static void mkey_of_mode(u8 *in, unsigned int mode)
{
	memset(in, 0xff, LEN_MAX);
	/* access_mode_4_2, access_mode_1_0 */
	bits_put(in, MKC + 0x03, 3, mode >> 2);
	bits_put(in, MKC + 0x16, 2, mode);
	bit_put(in, 0x61, 0);
}

static void indirect_mkeys_without_memory(struct kunit *test)
{
	u8 *in = kunit_kzalloc(test, LEN_MAX, GFP_KERNEL);
	u8 *copy = kunit_kzalloc(test, LEN_MAX, GFP_KERNEL);
	const struct mdx_op *op = op_creator(OP(CREATE_MKEY));
	unsigned int mode;

	KUNIT_ASSERT_NOT_NULL(test, in);
	KUNIT_ASSERT_NOT_NULL(test, copy);
	KUNIT_ASSERT_NOT_NULL(test, op);
	for (mode = 0; mode < 32; mode++) {
		mkey_of_mode(in, mode);
		changed_by_force(op, in, copy);
		/* 2: KLMs, 3: KSM */
		KUNIT_EXPECT_EQ_MSG(test, bit_at(in, 0x61),
				    mode != 2 && mode != 3, "mode %u", mode);
	}
}

static void mkey_cache_hints_cleared(struct kunit *test)
{
	u8 *in = kunit_kzalloc(test, LEN_MAX, GFP_KERNEL);
	u8 *copy = kunit_kzalloc(test, LEN_MAX, GFP_KERNEL);
	u8 *want = kunit_kzalloc(test, LEN_MAX, GFP_KERNEL);
	const struct mdx_op *op = op_creator(OP(CREATE_MKEY));

	KUNIT_ASSERT_NOT_NULL(test, in);
	KUNIT_ASSERT_NOT_NULL(test, copy);
	KUNIT_ASSERT_NOT_NULL(test, want);
	KUNIT_ASSERT_NOT_NULL(test, op);
	bit_put(want, 0x61, 1);
	bits_put(want, MKC + 0x1e5, 1, 1);
	bits_put(want, MKC + 0x1e8, 8, 0xff);
	mkey_of_mode(in, 1);
	changed_by_force(op, in, copy);
	KUNIT_EXPECT_MEMEQ(test, in, want, LEN_MAX);
}

/* The list fits into as many bytes as it has, and not into one less. */
static void expect_list(struct kunit *test, u16 opcode, enum mdx_class class,
			const void *in, u32 len)
{
	const struct mdx_op *op = op_row(opcode, class);

	KUNIT_ASSERT_NOT_NULL(test, op);
	KUNIT_EXPECT_TRUE_MSG(test, mdx_mbox_lists_fit(op, in, len),
			      "%#x", opcode);
	KUNIT_EXPECT_TRUE_MSG(test, mdx_mbox_lists_fit(op, in, len + 1),
			      "%#x", opcode);
	KUNIT_EXPECT_TRUE_MSG(test, !mdx_mbox_lists_fit(op, in, len - 1),
			      "%#x", opcode);
}

static void lists_must_fit(struct kunit *test)
{
	static const struct {
		u16 opcode;
		u8 class;
		u16 bit, width, base, unit;
	} lists[] = {
		{ OP(CREATE_RQT), MDX_OP_CREATE, 0x1d0, 16, 272, 4 },
		{ OP(MODIFY_RQT), MDX_OP_MODIFY, 0x1d0, 16, 272, 4 },
		{ OP(ALLOC_MODIFY_HEADER_CONTEXT), MDX_OP_CREATE, 0x78, 8, 16, 8 },
	};
	u8 *in = kunit_kzalloc(test, LEN_MAX, GFP_KERNEL);
	unsigned int i, n;

	KUNIT_ASSERT_NOT_NULL(test, in);
	for (i = 0; i < ARRAY_SIZE(lists); i++) {
		for (n = 1; n < 1 << lists[i].width; n *= 2) {
			memset(in, 0, LEN_MAX);
			bits_put(in, lists[i].bit, lists[i].width, n);
			expect_list(test, lists[i].opcode, lists[i].class, in,
				    lists[i].base + n * lists[i].unit);
		}
	}
}

static void mkey_list_must_fit(struct kunit *test)
{
	const struct mdx_op *op = op_creator(OP(CREATE_MKEY));
	u8 *in = kunit_kzalloc(test, LEN_MAX, GFP_KERNEL);
	unsigned int n;

	KUNIT_ASSERT_NOT_NULL(test, in);
	KUNIT_ASSERT_NOT_NULL(test, op);
	/* 2: KLMs */
	bits_put(in, MKC + 0x16, 2, 2);
	for (n = 1; n < 1 << 27; n *= 2) {
		bits_put(in, 0x300, 32, n);
		expect_list(test, OP(CREATE_MKEY), MDX_OP_CREATE, in,
			    272 + n * 16);
	}
	/* A length of 64 bits. */
	bits_put(in, 0x300, 32, ~0u);
	KUNIT_EXPECT_FALSE(test, mdx_mbox_lists_fit(op, in, ~0u));
	/* Translations of a umem are not in the mailbox. */
	bit_put(in, 0x61, 1);
	KUNIT_EXPECT_TRUE(test, mdx_mbox_lists_fit(op, in, 272));
}

static void flow_rule_lists_must_fit(struct kunit *test)
{
	const struct mdx_op *op = op_creator(OP(SET_FLOW_TABLE_ENTRY));
	u8 *in = kunit_kzalloc(test, LEN_MAX, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, in);
	KUNIT_ASSERT_NOT_NULL(test, op);
	mdx_mbox_set(in, FLD(set_fte_in, flow_context.destination_list_size), 3);
	mdx_mbox_set(in, FLD(set_fte_in, flow_context.flow_counter_list_size), 2);
	/* No action: the device reads no list. */
	KUNIT_EXPECT_TRUE(test, mdx_mbox_lists_fit(op, in, op->min_in));
	mdx_mbox_set(in, FLD(set_fte_in, flow_context.action), 0x4);
	expect_list(test, OP(SET_FLOW_TABLE_ENTRY), MDX_OP_CREATE, in,
		    op->min_in + 3 * 8);
	mdx_mbox_set(in, FLD(set_fte_in, flow_context.action), 0x8);
	expect_list(test, OP(SET_FLOW_TABLE_ENTRY), MDX_OP_CREATE, in,
		    op->min_in + 2 * 8);
	mdx_mbox_set(in, FLD(set_fte_in, flow_context.action), 0xc);
	expect_list(test, OP(SET_FLOW_TABLE_ENTRY), MDX_OP_MODIFY, in,
		    op->min_in + 5 * 8);
}

static void counter_bulk_counted(struct kunit *test)
{
	const struct mdx_op *op = op_creator(OP(ALLOC_FLOW_COUNTER));
	u8 in[16] = {};
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, op);
	KUNIT_EXPECT_EQ(test, mdx_mbox_count(op, in), 1);
	for (i = 1; i < 0x100; i++) {
		bits_put(in, 0x78, 8, i);
		KUNIT_EXPECT_EQ(test, mdx_mbox_count(op, in), i * 128);
	}
	for (i = 1; i < 32; i++) {
		bits_put(in, 0x73, 5, i);
		KUNIT_EXPECT_EQ(test, mdx_mbox_count(op, in), 1u << i);
	}
}

static void other_objects_count_one(struct kunit *test)
{
	u8 *in = kunit_kzalloc(test, LEN_MAX, GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, in);
	memset(in, 0xff, LEN_MAX);
	for (i = 0; i < mdx_ops_n; i++) {
		if (mdx_ops[i].class != MDX_OP_CREATE ||
		    mdx_ops[i].opcode == OP(ALLOC_FLOW_COUNTER))
			continue;
		KUNIT_EXPECT_EQ_MSG(test, mdx_mbox_count(&mdx_ops[i], in), 1,
				    "%#x", mdx_ops[i].opcode);
	}
}

static struct kunit_case mbox_cases[] = {
	KUNIT_CASE(field_widths_read),
	KUNIT_CASE(field_write_keeps_others),
	KUNIT_CASE(excess_bits_dropped),
	KUNIT_CASE(id_widths_are_bytes),
	KUNIT_CASE(mailbox_unaligned),
	KUNIT_CASE(header_fields_read),
	KUNIT_CASE(uid_replaced),
	KUNIT_CASE(created_ids_match_layouts),
	KUNIT_CASE(dinbox_addresses_object),
	KUNIT_CASE(dinbox_holds_largest_fields),
	KUNIT_CASE(flow_entry_dinbox),
	KUNIT_CASE(memory_forced_to_umem),
	KUNIT_CASE(indirect_mkeys_without_memory),
	KUNIT_CASE(mkey_cache_hints_cleared),
	KUNIT_CASE(lists_must_fit),
	KUNIT_CASE(mkey_list_must_fit),
	KUNIT_CASE(flow_rule_lists_must_fit),
	KUNIT_CASE(counter_bulk_counted),
	KUNIT_CASE(other_objects_count_one),
	{}
};

static struct kunit_suite mbox_suite = {
	.name = "mdx_mbox",
	.test_cases = mbox_cases,
};

kunit_test_suite(mbox_suite);
