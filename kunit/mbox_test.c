// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Reading and writing mailboxes. It is also built in user space (user/).
 */
#include <kunit/test.h>

#include "../kmod/mbox.c"

#include "bits.h"
#include "layouts.h"
#include "ops.h"

#define LEN_MAX 2048

/* Every byte tells where it is and from where it was copied. */
static void fill(void *buf, size_t len, u8 seed)
{
	u8 *p = buf;

	while (len--)
		*p++ = seed = seed * 5 + 1;
}

static struct mdx_field field(unsigned int bit, unsigned int width)
{
	return (struct mdx_field){ bit, width };
}

static void fields_of_all_widths_are_read(struct kunit *test)
{
	unsigned int bit, width;
	u8 mbox[12];

	fill(mbox, sizeof(mbox), 7);
	for (width = 1; width <= 32; width++)
		for (bit = 0; bit + width <= sizeof(mbox) * 8; bit++) {
			if (bit % 32 + width > 32)
				continue;
			KUNIT_EXPECT_EQ_MSG(test,
				mdx_mbox_get(mbox, field(bit, width)),
				bits_at(mbox, bit, width),
				"%u bits at %u", width, bit);
		}
}

static void writing_a_field_leaves_the_others(struct kunit *test)
{
	unsigned int bit, width;
	u8 mbox[12], want[12];

	for (width = 1; width <= 32; width++)
		for (bit = 0; bit + width <= sizeof(mbox) * 8; bit++) {
			if (bit % 32 + width > 32)
				continue;
			fill(mbox, sizeof(mbox), bit);
			fill(want, sizeof(want), bit);
			bits_put(want, bit, width, 0x5a3c96e1 * width);
			mdx_mbox_set(mbox, field(bit, width),
				     0x5a3c96e1 * width);
			KUNIT_EXPECT_MEMEQ_MSG(test, mbox, want, sizeof(want),
					       "%u bits at %u", width, bit);
		}
}

static void bits_that_do_not_fit_are_dropped(struct kunit *test)
{
	u8 mbox[4] = {}, want[4] = { 0, 0xff };

	mdx_mbox_set(mbox, field(8, 8), 0xffffffff);
	KUNIT_EXPECT_MEMEQ(test, mbox, want, sizeof(want));
}

static void ids_have_8_16_24_or_32_bits(struct kunit *test)
{
	unsigned int i, seen = 0;

	for (i = 0; i < mdx_ops_n; i++) {
		if (!mdx_ops[i].undo)
			continue;
		KUNIT_EXPECT_EQ_MSG(test, mdx_ops[i].undo->id.width % 8, 0,
				    "%#x", mdx_ops[i].opcode);
		seen |= BIT(mdx_ops[i].undo->id.width / 8);
	}
	KUNIT_EXPECT_EQ(test, seen, 0x1e);
}

static void mailboxes_may_lie_anywhere(struct kunit *test)
{
	u8 buf[16];
	unsigned int off;

	for (off = 0; off < 4; off++) {
		fill(buf, sizeof(buf), off);
		KUNIT_EXPECT_EQ(test, mdx_mbox_get(buf + off, field(0x28, 24)),
				bits_at(buf + off, 0x28, 24));
		mdx_mbox_set(buf + off, field(0x28, 24), 0x123456);
		KUNIT_EXPECT_EQ(test, bits_at(buf + off, 0x28, 24), 0x123456);
	}
}

static void headers_are_read(struct kunit *test)
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

static void the_uid_replaces_what_is_there(struct kunit *test)
{
	u8 in[16], want[16];

	memset(in, 0xff, sizeof(in));
	memset(want, 0xff, sizeof(want));
	want[2] = 0;
	want[3] = 7;
	mdx_mbox_set_uid(in, 7);
	KUNIT_EXPECT_MEMEQ(test, in, want, sizeof(want));
}

static void created_ids_are_read_where_they_are(struct kunit *test)
{
	u8 *in = kunit_kzalloc(test, LEN_MAX, GFP_KERNEL);
	u8 *out = kunit_kzalloc(test, LEN_MAX, GFP_KERNEL);
	const struct mdx_op *op;
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, in);
	KUNIT_ASSERT_NOT_NULL(test, out);
	fill(in, LEN_MAX, 1);
	fill(out, LEN_MAX, 2);
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		op = creator(rows[i].opcode);
		if (rows[i].class != MDX_OP_CREATE || !op)
			continue;
		KUNIT_EXPECT_EQ_MSG(test, mdx_mbox_created_id(op, in, out),
				    bits_at(op->flags & MDX_OP_F_ID_IN ? in : out,
					    rows[i].bit, rows[i].width),
				    "%#x", op->opcode);
	}
}

/* The destroy mailbox of the documentation, bit by bit */
static void build_destroy(const struct destroy *d, const void *in, u32 id,
			  u16 uid, void *din)
{
	const struct field *f;
	unsigned int i;

	memset(din, 0, MDX_UNDO_LEN_MAX);
	bits_put(din, 0x00, 16, d->opcode);
	bits_put(din, 0x10, 16, uid);
	bits_put(din, d->id.bit, d->id.width, id);
	for (f = d->same; f->width; f++)
		for (i = f->bit; i < f->bit + f->width; i++)
			bit_put(din, i, bit_at(in, i));
}

/* Every field that addresses the object distinct and not zero */
static void destroy_mailboxes_address_what_was_created(struct kunit *test)
{
	u8 *in = kunit_kzalloc(test, LEN_MAX, GFP_KERNEL);
	u8 din[MDX_UNDO_LEN_MAX], want[MDX_UNDO_LEN_MAX];
	const struct destroy *d;
	unsigned int i, seed;
	const struct mdx_op *op;

	KUNIT_ASSERT_NOT_NULL(test, in);
	for (i = 0; i < ARRAY_SIZE(destroys); i++) {
		d = &destroys[i];
		op = creator(d->create);
		KUNIT_EXPECT_TRUE_MSG(test, op, "%#x", d->create);
		for (seed = 1; op && seed < 4; seed++) {
			fill(in, LEN_MAX, seed);
			memset(din, 0xff, sizeof(din));
			mdx_mbox_build_undo(op, in, 0x81828384, 0x1234, din);
			build_destroy(d, in, 0x81828384, 0x1234, want);
			KUNIT_EXPECT_MEMEQ_MSG(test, din, want, sizeof(want),
					       "%#x", d->opcode);
		}
	}
}

/* All ones, where a sign or a mask would go wrong */
static void destroy_mailboxes_take_the_largest_fields(struct kunit *test)
{
	u8 *in = kunit_kzalloc(test, LEN_MAX, GFP_KERNEL);
	u8 din[MDX_UNDO_LEN_MAX], want[MDX_UNDO_LEN_MAX];
	const struct mdx_op *op;
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, in);
	memset(in, 0xff, LEN_MAX);
	for (i = 0; i < ARRAY_SIZE(destroys); i++) {
		op = creator(destroys[i].create);
		if (!op)
			continue;
		mdx_mbox_build_undo(op, in, ~0u, 0xffff, din);
		build_destroy(&destroys[i], in, ~0u, 0xffff, want);
		KUNIT_EXPECT_MEMEQ_MSG(test, din, want, sizeof(want),
				       "%#x", destroys[i].opcode);
	}
}

static void a_flow_table_entry_is_destroyed_so(struct kunit *test)
{
	/* other_vport, vport, type, e-switch owner, table, index */
	static const u8 want[MDX_UNDO_LEN_MAX] = {
		0x09, 0x38, 0x00, 0x2a, 0, 0, 0, 0,
		0xc0, 0, 0x11, 0x22, 0, 0, 0, 0,
		0x33, 0, 0x44, 0x55, 0, 0x66, 0x77, 0x88,
		0, 0, 0, 0, 0, 0, 0, 0,
		0x99, 0xaa, 0xbb, 0xcc,
	};
	u8 *in = kunit_kzalloc(test, LEN_MAX, GFP_KERNEL);
	u8 din[MDX_UNDO_LEN_MAX];

	KUNIT_ASSERT_NOT_NULL(test, in);
	KUNIT_ASSERT_NOT_NULL(test, creator(0x936));
	memcpy(in, want, sizeof(want));
	bits_put(in, 0x00, 16, 0x936);
	bits_put(in, 0x10, 16, 0xffff);
	bits_put(in, 0x120, 32, 0xffffffff);
	mdx_mbox_build_undo(creator(0x936), in, 0x99aabbcc, 0x2a, din);
	KUNIT_EXPECT_MEMEQ(test, din, want, sizeof(want));
}

/* Forces the bits of a row; what it changed is returned as a mask in @in. */
static void changed_by_force(const struct mdx_op *op, u8 *in, u8 *copy)
{
	unsigned int i;

	memcpy(copy, in, LEN_MAX);
	mdx_mbox_force(op, copy);
	for (i = 0; i < LEN_MAX; i++)
		in[i] ^= copy[i];
}

static void memory_is_named_by_umem(struct kunit *test)
{
	static const struct {
		u16 opcode, bit;
	} umem[] = {
		{ 0x200, 0x61 }, { 0x400, 0x2e0 }, { 0x400, 0x86 },
		{ 0x403, 0x2e0 }, { 0x500, 0x860 }, { 0x500, 0x743 },
		{ 0x705, 0x2e0 }, { 0x705, 0xc7 }, { 0x717, 0x5a1 },
		{ 0x717, 0x5a0 }, { 0x904, 0x3a1 }, { 0x904, 0x3a0 },
		{ 0x908, 0x3a1 }, { 0x908, 0x3a0 }, { 0x90c, 0x3a1 },
		{ 0x90c, 0x3a0 },
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

static void only_mkeys_of_mkeys_name_no_memory(struct kunit *test)
{
	u8 *in = kunit_kzalloc(test, LEN_MAX, GFP_KERNEL);
	u8 *copy = kunit_kzalloc(test, LEN_MAX, GFP_KERNEL);
	const struct mdx_op *op = creator(0x200);
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

static void mkeys_have_no_cache_hints(struct kunit *test)
{
	u8 *in = kunit_kzalloc(test, LEN_MAX, GFP_KERNEL);
	u8 *copy = kunit_kzalloc(test, LEN_MAX, GFP_KERNEL);
	u8 *want = kunit_kzalloc(test, LEN_MAX, GFP_KERNEL);
	const struct mdx_op *op = creator(0x200);

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

static void counters_are_created_in_bulk(struct kunit *test)
{
	const struct mdx_op *op = creator(0x939);
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

static void everything_else_is_created_one_by_one(struct kunit *test)
{
	u8 *in = kunit_kzalloc(test, LEN_MAX, GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, in);
	memset(in, 0xff, LEN_MAX);
	for (i = 0; i < mdx_ops_n; i++) {
		if (mdx_ops[i].class != MDX_OP_CREATE ||
		    mdx_ops[i].opcode == 0x939)
			continue;
		KUNIT_EXPECT_EQ_MSG(test, mdx_mbox_count(&mdx_ops[i], in), 1,
				    "%#x", mdx_ops[i].opcode);
	}
}

static struct kunit_case mbox_cases[] = {
	KUNIT_CASE(fields_of_all_widths_are_read),
	KUNIT_CASE(writing_a_field_leaves_the_others),
	KUNIT_CASE(bits_that_do_not_fit_are_dropped),
	KUNIT_CASE(ids_have_8_16_24_or_32_bits),
	KUNIT_CASE(mailboxes_may_lie_anywhere),
	KUNIT_CASE(headers_are_read),
	KUNIT_CASE(the_uid_replaces_what_is_there),
	KUNIT_CASE(created_ids_are_read_where_they_are),
	KUNIT_CASE(destroy_mailboxes_address_what_was_created),
	KUNIT_CASE(destroy_mailboxes_take_the_largest_fields),
	KUNIT_CASE(a_flow_table_entry_is_destroyed_so),
	KUNIT_CASE(memory_is_named_by_umem),
	KUNIT_CASE(only_mkeys_of_mkeys_name_no_memory),
	KUNIT_CASE(mkeys_have_no_cache_hints),
	KUNIT_CASE(counters_are_created_in_bulk),
	KUNIT_CASE(everything_else_is_created_one_by_one),
	{}
};

static struct kunit_suite mbox_suite = {
	.name = "mdx_mbox",
	.test_cases = mbox_cases,
};

kunit_test_suite(mbox_suite);
