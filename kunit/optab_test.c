// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The rows of the command table. Also built in user space (user/).
 */
#include <kunit/test.h>

#include "../kmod/optab.c"

#include "mbox_bits.h"
#include "layouts.h"
#include "optab_rows.h"

static void rows_are_unique(struct kunit *test)
{
	unsigned int i, j;

	for (i = 0; i < mdx_ops_n; i++)
		for (j = i + 1; j < mdx_ops_n; j++)
			KUNIT_EXPECT_TRUE_MSG(test,
				mdx_ops[i].opcode != mdx_ops[j].opcode ||
				mdx_ops[i].class != mdx_ops[j].class,
				"opcode %#x", mdx_ops[i].opcode);
}

static void rows_are_sorted(struct kunit *test)
{
	unsigned int i;

	for (i = 1; i < mdx_ops_n; i++)
		KUNIT_EXPECT_LE_MSG(test, mdx_ops[i - 1].opcode,
				    mdx_ops[i].opcode, "row %u", i);
}

static void rows_match_documentation(struct kunit *test)
{
	const struct layout_row *row;
	const struct mdx_op *op;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(layout_rows); i++) {
		row = &layout_rows[i];
		op = op_row(row->opcode, row->class);
		KUNIT_EXPECT_TRUE_MSG(test, op, "%#x, class %u", row->opcode,
				      row->class);
		if (op)
			KUNIT_EXPECT_EQ_MSG(test, op->create, row->create,
					    "create of %#x", row->opcode);
	}
	for (i = 0; i < mdx_ops_n; i++)
		KUNIT_EXPECT_TRUE_MSG(test,
			layout_find(mdx_ops[i].opcode, mdx_ops[i].class),
			"%#x, class %u", mdx_ops[i].opcode, mdx_ops[i].class);
	KUNIT_EXPECT_EQ(test, mdx_ops_n, (unsigned int)ARRAY_SIZE(layout_rows));
}

static void lengths_match_layouts(struct kunit *test)
{
	const struct layout_row *row;
	unsigned int i;

	for (i = 0; i < mdx_ops_n; i++) {
		row = layout_find(mdx_ops[i].opcode, mdx_ops[i].class);
		if (!row)
			continue;
		KUNIT_EXPECT_EQ_MSG(test, mdx_ops[i].min_in, row->in_len,
				    "input of %#x", row->opcode);
		KUNIT_EXPECT_EQ_MSG(test, mdx_ops[i].min_out, row->out_len,
				    "answer of %#x", row->opcode);
	}
}

static void ids_match_layouts(struct kunit *test)
{
	const struct layout_row *row;
	unsigned int i;

	for (i = 0; i < mdx_ops_n; i++) {
		row = layout_find(mdx_ops[i].opcode, mdx_ops[i].class);
		if (!row)
			continue;
		KUNIT_EXPECT_EQ_MSG(test, mdx_ops[i].id.bit, row->bit,
				    "id of %#x", row->opcode);
		KUNIT_EXPECT_EQ_MSG(test, mdx_ops[i].id.width, row->width,
				    "id of %#x", row->opcode);
	}
}

/* A field of at most 32 bits crosses no dword. */
static bool field_fits(struct mdx_field f, unsigned int len)
{
	if (f.width > 32)
		return f.bit % 32 == 0 && f.width % 32 == 0 &&
		       f.bit + f.width <= len * 8;
	return f.width && f.bit % 32 + f.width <= 32 &&
	       f.bit + f.width <= len * 8;
}

static void fields_within_min_lengths(struct kunit *test)
{
	const struct mdx_op *op;
	unsigned int i, len;
	const u16 *bit;

	for (i = 0; i < mdx_ops_n; i++) {
		op = &mdx_ops[i];
		KUNIT_EXPECT_GE_MSG(test, op->min_in, MDX_HDR_LEN,
				    "%#x", op->opcode);
		KUNIT_EXPECT_GE_MSG(test, op->min_out, MDX_HDR_LEN,
				    "%#x", op->opcode);
		if (op->must.width)
			KUNIT_EXPECT_TRUE_MSG(test,
				field_fits(op->must, MDX_HDR_LEN),
				"condition of %#x", op->opcode);
		for (bit = op->force; *bit; bit++)
			KUNIT_EXPECT_TRUE_MSG(test,
				*bit / 8 >= 8 && *bit / 8 < op->min_in,
				"forced bit %#x of %#x", *bit, op->opcode);
		if (op->class == MDX_OP_GENERAL)
			continue;
		len = op->min_in;
		if (op->class == MDX_OP_CREATE && !(op->flags & MDX_OP_F_ID_IN))
			len = op->min_out;
		KUNIT_EXPECT_TRUE_MSG(test, field_fits(op->id, len),
				      "id of %#x", op->opcode);
	}
}

static void only_creates_have_destroys(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < mdx_ops_n; i++)
		KUNIT_EXPECT_EQ_MSG(test, !!mdx_ops[i].destroy,
				    mdx_ops[i].class == MDX_OP_CREATE,
				    "%#x", mdx_ops[i].opcode);
}

static void destroys_match_documentation(struct kunit *test)
{
	const struct mdx_op *op;
	const struct layout_destroy *d;
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(layout_destroys); i++) {
		d = &layout_destroys[i];
		op = op_creator(d->create);
		KUNIT_EXPECT_TRUE_MSG(test, op && op->destroy,
				      "%#x", d->create);
		if (!op || !op->destroy)
			continue;
		KUNIT_EXPECT_EQ_MSG(test, op->destroy->opcode, d->opcode,
				    "destroy of %#x", d->create);
		KUNIT_EXPECT_EQ_MSG(test, op->destroy->len, d->len,
				    "length of %#x", d->opcode);
		KUNIT_EXPECT_EQ_MSG(test, op->destroy->id.bit, d->id.bit,
				    "id of %#x", d->opcode);
		KUNIT_EXPECT_EQ_MSG(test, op->destroy->id.width, d->id.width,
				    "id of %#x", d->opcode);
		for (j = 0; j < ARRAY_SIZE(d->same); j++) {
			KUNIT_EXPECT_EQ_MSG(test, op->destroy->copy[j].bit,
					    d->same[j].bit, "copy %u of %#x",
					    j, d->opcode);
			KUNIT_EXPECT_EQ_MSG(test, op->destroy->copy[j].width,
					    d->same[j].width, "copy %u of %#x",
					    j, d->opcode);
		}
	}
	for (i = j = 0; i < mdx_ops_n; i++)
		j += mdx_ops[i].class == MDX_OP_CREATE;
	KUNIT_EXPECT_EQ(test, j, (unsigned int)ARRAY_SIZE(layout_destroys));
}

/* A destroy has room for all of the id that the create has. */
static void destroys_hold_whole_id(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < mdx_ops_n; i++)
		if (mdx_ops[i].destroy)
			KUNIT_EXPECT_GE_MSG(test, mdx_ops[i].destroy->id.width,
					    mdx_ops[i].id.width,
					    "%#x", mdx_ops[i].opcode);
}

/* An object is of a higher level than the objects it refers to. */
static void references_have_lower_levels(struct kunit *test)
{
	static const struct {
		u16 create, named[8];
	} names[] = {
		{ OP(CREATE_MKEY), { OP(CREATE_PSV), OP(ALLOC_PD) } },
		{ OP(CREATE_QP),
		  { OP(CREATE_CQ), OP(CREATE_SRQ), OP(CREATE_XRC_SRQ),
		    OP(CREATE_XRQ), OP(ALLOC_Q_COUNTER), OP(ALLOC_PD),
		    OP(ALLOC_XRCD), OP(CREATE_RMP) } },
		{ OP(CREATE_PSV), { OP(ALLOC_PD) } },
		{ OP(CREATE_SRQ), { OP(ALLOC_PD) } },
		{ OP(CREATE_XRC_SRQ),
		  { OP(CREATE_CQ), OP(ALLOC_PD), OP(ALLOC_XRCD) } },
		{ OP(CREATE_DCT),
		  { OP(CREATE_CQ), OP(CREATE_SRQ), OP(CREATE_XRQ),
		    OP(ALLOC_PD), OP(CREATE_RMP) } },
		{ OP(CREATE_XRQ), { OP(CREATE_CQ), OP(ALLOC_PD) } },
		{ OP(ATTACH_TO_MCG), { OP(CREATE_QP) } },
		{ OP(CREATE_TIR),
		  { OP(ALLOC_TRANSPORT_DOMAIN), OP(CREATE_RQ),
		    OP(CREATE_RQT) } },
		{ OP(CREATE_SQ),
		  { OP(CREATE_CQ), OP(ALLOC_PD), OP(CREATE_TIS) } },
		{ OP(CREATE_RQ),
		  { OP(CREATE_CQ), OP(ALLOC_Q_COUNTER), OP(ALLOC_PD),
		    OP(CREATE_RMP) } },
		{ OP(CREATE_RMP), { OP(ALLOC_PD) } },
		{ OP(CREATE_TIS),
		  { OP(ALLOC_PD), OP(ALLOC_TRANSPORT_DOMAIN) } },
		{ OP(CREATE_RQT), { OP(CREATE_RQ) } },
		{ OP(CREATE_FLOW_GROUP), { OP(CREATE_FLOW_TABLE) } },
		{ OP(SET_FLOW_TABLE_ENTRY),
		  { OP(CREATE_TIR), OP(CREATE_FLOW_TABLE),
		    OP(CREATE_FLOW_GROUP), OP(ALLOC_FLOW_COUNTER),
		    OP(ALLOC_PACKET_REFORMAT_CONTEXT),
		    OP(ALLOC_MODIFY_HEADER_CONTEXT) } },
	};
	const struct mdx_op *op, *named;
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		op = op_creator(names[i].create);
		KUNIT_ASSERT_NOT_NULL(test, op);
		for (j = 0; j < 8 && names[i].named[j]; j++) {
			named = op_creator(names[i].named[j]);
			KUNIT_ASSERT_NOT_NULL(test, named);
			KUNIT_EXPECT_GE_MSG(test, op->level, named->level + 1,
					    "%#x refers to %#x", op->opcode,
					    named->opcode);
		}
	}
	for (i = 0; i < mdx_ops_n; i++)
		KUNIT_EXPECT_LT(test, mdx_ops[i].level, MDX_LEVELS);
}

/* Sets the bits of a field in @used; false: one of them was set already. */
static bool field_claims(u8 *used, struct mdx_field f)
{
	unsigned int bit;
	bool free = true;

	for (bit = f.bit; bit < f.bit + f.width; bit++) {
		free &= !bit_at(used, bit);
		bit_put(used, bit, 1);
	}
	return free;
}

static void destroy_fields_are_disjoint(struct kunit *test)
{
	u8 used[MDX_DINBOX_LEN_MAX];
	const struct mdx_destroy *destroy;
	const struct mdx_field *f;
	unsigned int i;

	for (i = 0; i < mdx_ops_n; i++) {
		destroy = mdx_ops[i].destroy;
		if (!destroy)
			continue;
		memset(used, 0, sizeof(used));
		/* The opcode and the uid */
		memset(used, 0xff, 4);
		KUNIT_EXPECT_LE_MSG(test, destroy->len, MDX_DINBOX_LEN_MAX,
				    "%#x", destroy->opcode);
		KUNIT_EXPECT_TRUE_MSG(test,
			field_fits(destroy->id, destroy->len) &&
			field_claims(used, destroy->id),
			"id of %#x", destroy->opcode);
		for (f = destroy->copy; f->width; f++) {
			KUNIT_EXPECT_TRUE_MSG(test,
				field_fits(*f, destroy->len) &&
				field_fits(*f, mdx_ops[i].min_in) &&
				field_claims(used, *f),
				"copy at %#x of %#x", f->bit, destroy->opcode);
		}
	}
}

static void destroys_eopnotsupp(struct kunit *test)
{
	unsigned int i, class;

	for (i = 0; i < ARRAY_SIZE(layout_destroys); i++)
		for (class = MDX_OP_CREATE; class <= MDX_OP_GENERAL; class++)
			KUNIT_EXPECT_EQ_MSG(test, -EOPNOTSUPP,
				op_find_opcode(layout_destroys[i].opcode, class),
				"%#x", layout_destroys[i].opcode);
}

/* Identities, host memory, the function's own state, other functions. */
static void kernel_commands_eopnotsupp(struct kunit *test)
{
	static const u16 opcodes[] = {
		0x000, 0x102, 0x103, 0x104, 0x105, 0x106, 0x107, 0x108, 0x109,
		0x10b, 0x10c, 0x111, 0x112, 0x113, 0x114, 0x115, 0x301, 0x302,
		0x50c, 0x50d, 0x712, 0x751, 0x753, 0x755, 0x761, 0x763, 0x780,
		0x802, 0x803, 0x805, 0x809, 0x80c, 0x823, 0x825, 0x840, 0x841,
		0x92f, 0xa04, 0xa06, 0xa08, 0xa0a, 0xa0b, 0xffff,
	};
	unsigned int i, class;

	for (i = 0; i < ARRAY_SIZE(opcodes); i++)
		for (class = MDX_OP_CREATE; class <= MDX_OP_GENERAL; class++)
			KUNIT_EXPECT_EQ_MSG(test, -EOPNOTSUPP,
					    op_find_opcode(opcodes[i], class),
					    "%#x", opcodes[i]);
}

static void targets_have_creators(struct kunit *test)
{
	const struct mdx_op *op, *creator;
	unsigned int i;

	for (i = 0; i < mdx_ops_n; i++) {
		op = &mdx_ops[i];
		if (op->class == MDX_OP_GENERAL) {
			KUNIT_EXPECT_EQ_MSG(test, op->create, 0,
					    "%#x", op->opcode);
			KUNIT_EXPECT_EQ_MSG(test, op->id.width, 0,
					    "%#x", op->opcode);
			continue;
		}
		creator = op_creator(op->create);
		KUNIT_EXPECT_TRUE_MSG(test, creator,
				      "create of %#x", op->opcode);
		if (creator)
			KUNIT_EXPECT_EQ_MSG(test,
				op->flags & MDX_OP_F_OBJ_TYPE,
				creator->flags & MDX_OP_F_OBJ_TYPE,
				"type of %#x", op->opcode);
	}
}

static struct kunit_case optab_cases[] = {
	KUNIT_CASE(rows_are_unique),
	KUNIT_CASE(rows_are_sorted),
	KUNIT_CASE(rows_match_documentation),
	KUNIT_CASE(lengths_match_layouts),
	KUNIT_CASE(ids_match_layouts),
	KUNIT_CASE(fields_within_min_lengths),
	KUNIT_CASE(only_creates_have_destroys),
	KUNIT_CASE(destroys_match_documentation),
	KUNIT_CASE(destroys_hold_whole_id),
	KUNIT_CASE(references_have_lower_levels),
	KUNIT_CASE(destroy_fields_are_disjoint),
	KUNIT_CASE(destroys_eopnotsupp),
	KUNIT_CASE(kernel_commands_eopnotsupp),
	KUNIT_CASE(targets_have_creators),
	{}
};

static struct kunit_suite optab_suite = {
	.name = "mdx_optab",
	.test_cases = optab_cases,
};

kunit_test_suite(optab_suite);
