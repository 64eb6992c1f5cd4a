// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The command table. It is also built in user space (user/).
 */
#include <kunit/test.h>

#include "../kmod/optab.c"

#include "bits.h"
#include "layouts.h"
#include "ops.h"

/* The shortest header that finds a row. */
static void header_of(const struct mdx_op *op, void *hdr)
{
	memset(hdr, 0, MDX_HDR_LEN);
	header_put(op, hdr);
}

static int find(const void *hdr, enum mdx_class class)
{
	const struct mdx_op *op;

	return mdx_op_find(&op, hdr, class);
}

static int find_opcode(u16 opcode, enum mdx_class class)
{
	u8 hdr[MDX_HDR_LEN] = {};

	bits_put(hdr, 0, 16, opcode);
	return find(hdr, class);
}

static void no_row_is_there_twice(struct kunit *test)
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

static void rows_are_the_documented_ones(struct kunit *test)
{
	const struct mdx_op *op;
	const struct row *row;
	unsigned int i;

	KUNIT_EXPECT_EQ(test, mdx_ops_n, (unsigned int)ARRAY_SIZE(rows));
	for (i = 0; i < ARRAY_SIZE(rows) && i < mdx_ops_n; i++) {
		op = &mdx_ops[i];
		row = &rows[i];
		KUNIT_EXPECT_EQ_MSG(test, op->opcode, row->opcode, "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, op->kind, row->kind,
				    "kind of %#x", op->opcode);
		KUNIT_EXPECT_EQ_MSG(test, op->class, row->class,
				    "class of %#x", op->opcode);
	}
}

static void lengths_are_those_of_the_layouts(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows) && i < mdx_ops_n; i++) {
		KUNIT_EXPECT_EQ_MSG(test, mdx_ops[i].min_in, rows[i].in_len,
				    "input of %#x", rows[i].opcode);
		KUNIT_EXPECT_EQ_MSG(test, mdx_ops[i].min_out, rows[i].out_len,
				    "answer of %#x", rows[i].opcode);
	}
}

static void ids_are_where_the_layouts_have_them(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows) && i < mdx_ops_n; i++) {
		KUNIT_EXPECT_EQ_MSG(test, mdx_ops[i].id.bit, rows[i].bit,
				    "id of %#x", rows[i].opcode);
		KUNIT_EXPECT_EQ_MSG(test, mdx_ops[i].id.width, rows[i].width,
				    "id of %#x", rows[i].opcode);
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

static void fields_lie_within_minimum_lengths(struct kunit *test)
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

static void only_creates_are_undone(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < mdx_ops_n; i++)
		KUNIT_EXPECT_EQ_MSG(test, !!mdx_ops[i].undo,
				    mdx_ops[i].class == MDX_OP_CREATE,
				    "%#x", mdx_ops[i].opcode);
}

static void destroys_are_the_documented_ones(struct kunit *test)
{
	const struct mdx_op *op;
	const struct destroy *d;
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(destroys); i++) {
		d = &destroys[i];
		op = creator(d->create);
		KUNIT_EXPECT_TRUE_MSG(test, op && op->undo, "%#x", d->create);
		if (!op || !op->undo)
			continue;
		KUNIT_EXPECT_EQ_MSG(test, op->undo->opcode, d->opcode,
				    "destroy of %#x", d->create);
		KUNIT_EXPECT_EQ_MSG(test, op->undo->len, d->len,
				    "length of %#x", d->opcode);
		KUNIT_EXPECT_EQ_MSG(test, op->undo->id.bit, d->id.bit,
				    "id of %#x", d->opcode);
		KUNIT_EXPECT_EQ_MSG(test, op->undo->id.width, d->id.width,
				    "id of %#x", d->opcode);
		for (j = 0; j < ARRAY_SIZE(d->same); j++) {
			KUNIT_EXPECT_EQ_MSG(test, op->undo->copy[j].bit,
					    d->same[j].bit, "copy %u of %#x",
					    j, d->opcode);
			KUNIT_EXPECT_EQ_MSG(test, op->undo->copy[j].width,
					    d->same[j].width, "copy %u of %#x",
					    j, d->opcode);
		}
	}
	for (i = j = 0; i < mdx_ops_n; i++)
		j += mdx_ops[i].class == MDX_OP_CREATE;
	KUNIT_EXPECT_EQ(test, j, (unsigned int)ARRAY_SIZE(destroys));
}

/* A destroy has room for all of the id that the create has. */
static void destroys_name_all_of_the_id(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < mdx_ops_n; i++)
		if (mdx_ops[i].undo)
			KUNIT_EXPECT_GE_MSG(test, mdx_ops[i].undo->id.width,
					    mdx_ops[i].id.width,
					    "%#x", mdx_ops[i].opcode);
}

/* What must go first when all go: whoever names it. */
static void objects_name_such_of_lower_levels(struct kunit *test)
{
	static const struct {
		u16 create, named[8];
	} names[] = {
		{ 0x200, { 0x600, 0x800 } },
		{ 0x500, { 0x400, 0x700, 0x705, 0x717, 0x771, 0x800, 0x80e,
			   0x90c } },
		{ 0x600, { 0x800 } },
		{ 0x700, { 0x800 } },
		{ 0x705, { 0x400, 0x800, 0x80e } },
		{ 0x710, { 0x400, 0x700, 0x717, 0x800, 0x90c } },
		{ 0x717, { 0x400, 0x800 } },
		{ 0x806, { 0x500 } },
		{ 0x900, { 0x816, 0x908, 0x916 } },
		{ 0x904, { 0x400, 0x800, 0x912 } },
		{ 0x908, { 0x400, 0x771, 0x800, 0x90c } },
		{ 0x90c, { 0x800 } },
		{ 0x912, { 0x800, 0x816 } },
		{ 0x916, { 0x908 } },
		{ 0x933, { 0x930 } },
		{ 0x936, { 0x900, 0x930, 0x933, 0x939, 0x93d, 0x940 } },
	};
	const struct mdx_op *op, *named;
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		op = creator(names[i].create);
		KUNIT_ASSERT_NOT_NULL(test, op);
		for (j = 0; j < 8 && names[i].named[j]; j++) {
			named = creator(names[i].named[j]);
			KUNIT_ASSERT_NOT_NULL(test, named);
			KUNIT_EXPECT_GE_MSG(test, op->level, named->level + 1,
					    "%#x names %#x", op->opcode,
					    named->opcode);
		}
	}
	for (i = 0; i < mdx_ops_n; i++)
		KUNIT_EXPECT_LT(test, mdx_ops[i].level, MDX_LEVELS);
}

/* Whether a field needs bits that are set in @used; then it has them. */
static bool field_takes(u8 *used, struct mdx_field f)
{
	unsigned int bit;
	bool free = true;

	for (bit = f.bit; bit < f.bit + f.width; bit++) {
		free &= !bit_at(used, bit);
		bit_put(used, bit, 1);
	}
	return free;
}

static void destroy_fields_are_apart(struct kunit *test)
{
	/* The opcode and the uid */
	u8 used[MDX_UNDO_LEN_MAX];
	const struct mdx_undo *undo;
	const struct mdx_field *f;
	unsigned int i;

	for (i = 0; i < mdx_ops_n; i++) {
		undo = mdx_ops[i].undo;
		if (!undo)
			continue;
		memset(used, 0, sizeof(used));
		memset(used, 0xff, 4);
		KUNIT_EXPECT_LE_MSG(test, undo->len, MDX_UNDO_LEN_MAX,
				    "%#x", undo->opcode);
		KUNIT_EXPECT_TRUE_MSG(test, field_fits(undo->id, undo->len) &&
				      field_takes(used, undo->id),
				      "id of %#x", undo->opcode);
		for (f = undo->copy; f->width; f++) {
			KUNIT_EXPECT_TRUE_MSG(test,
				field_fits(*f, undo->len) &&
				field_fits(*f, mdx_ops[i].min_in) &&
				field_takes(used, *f),
				"copy at %#x of %#x", f->bit, undo->opcode);
		}
	}
}

static void destroys_belong_to_no_class(struct kunit *test)
{
	unsigned int i, class;

	for (i = 0; i < ARRAY_SIZE(destroys); i++)
		for (class = MDX_OP_CREATE; class <= MDX_OP_GENERAL; class++)
			KUNIT_EXPECT_EQ_MSG(test, -EOPNOTSUPP,
					    find_opcode(destroys[i].opcode,
							class),
					    "%#x", destroys[i].opcode);
}

/* Identities, host memory, the function's own state, other functions. */
static void the_kernels_own_commands_belong_to_no_class(struct kunit *test)
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
					    find_opcode(opcodes[i], class),
					    "%#x", opcodes[i]);
}

static void commands_are_about_what_is_created(struct kunit *test)
{
	const struct mdx_op *op, *kind;
	unsigned int i;

	for (i = 0; i < mdx_ops_n; i++) {
		op = &mdx_ops[i];
		if (op->class == MDX_OP_GENERAL) {
			KUNIT_EXPECT_EQ_MSG(test, op->kind, 0, "%#x", op->opcode);
			KUNIT_EXPECT_EQ_MSG(test, op->id.width, 0,
					    "%#x", op->opcode);
			continue;
		}
		kind = creator(op->kind);
		KUNIT_EXPECT_TRUE_MSG(test, kind, "kind of %#x", op->opcode);
		if (kind)
			KUNIT_EXPECT_EQ_MSG(test,
				op->flags & MDX_OP_F_OBJ_TYPE,
				kind->flags & MDX_OP_F_OBJ_TYPE,
				"type of %#x", op->opcode);
	}
}

static void headers_find_their_rows(struct kunit *test)
{
	const struct mdx_op *op;
	u8 hdr[MDX_HDR_LEN];
	unsigned int i;

	for (i = 0; i < mdx_ops_n; i++) {
		header_of(&mdx_ops[i], hdr);
		op = NULL;
		KUNIT_EXPECT_EQ_MSG(test, 0,
				    mdx_op_find(&op, hdr, mdx_ops[i].class),
				    "%#x", mdx_ops[i].opcode);
		KUNIT_EXPECT_TRUE_MSG(test, op == &mdx_ops[i],
				      "%#x", mdx_ops[i].opcode);
	}
}

static bool has_row(u16 opcode, int class)
{
	unsigned int i;

	for (i = 0; i < mdx_ops_n; i++)
		if (mdx_ops[i].opcode == opcode &&
		    (class < 0 || mdx_ops[i].class == class))
			return true;
	return opcode >= 0xb00 && opcode <= 0xcff &&
	       (class < 0 || class == MDX_OP_GENERAL);
}

static void other_opcodes_and_classes_are_refused(struct kunit *test)
{
	unsigned int opcode, class;
	int ret;

	for (opcode = 0; opcode <= 0xffff; opcode++)
		for (class = MDX_OP_CREATE; class <= MDX_OP_GENERAL; class++) {
			if (has_row(opcode, class))
				continue;
			ret = has_row(opcode, -1) ? -EINVAL : -EOPNOTSUPP;
			if (find_opcode(opcode, class) != ret)
				KUNIT_EXPECT_EQ_MSG(test, ret,
					find_opcode(opcode, class),
					"%#x, class %u", opcode, class);
		}
}

static void vendor_commands_are_general(struct kunit *test)
{
	const struct mdx_op *op = NULL;
	u8 hdr[MDX_HDR_LEN] = {};

	KUNIT_EXPECT_EQ(test, -EOPNOTSUPP, find_opcode(0xaff, MDX_OP_GENERAL));
	KUNIT_EXPECT_EQ(test, 0, find_opcode(0xb00, MDX_OP_GENERAL));
	KUNIT_EXPECT_EQ(test, 0, find_opcode(0xcff, MDX_OP_GENERAL));
	KUNIT_EXPECT_EQ(test, -EOPNOTSUPP, find_opcode(0xd00, MDX_OP_GENERAL));
	KUNIT_EXPECT_EQ(test, -EINVAL, find_opcode(0xb00, MDX_OP_CREATE));
	KUNIT_EXPECT_EQ(test, -EINVAL, find_opcode(0xcff, MDX_OP_QUERY));

	bits_put(hdr, 0, 16, 0xc00);
	KUNIT_EXPECT_EQ(test, 0, mdx_op_find(&op, hdr, MDX_OP_GENERAL));
	KUNIT_ASSERT_NOT_NULL(test, op);
	KUNIT_EXPECT_EQ(test, op->min_in, MDX_HDR_LEN);
	KUNIT_EXPECT_EQ(test, op->min_out, MDX_HDR_LEN);
	KUNIT_EXPECT_EQ(test, op->force[0], 0);
	KUNIT_EXPECT_TRUE(test, !op->undo);
}

static void tunnels_are_refused(struct kunit *test)
{
	u8 hdr[MDX_HDR_LEN];
	unsigned int i, bit;

	for (i = 0; i < mdx_ops_n; i++)
		for (bit = 0x20; bit < 0x30; bit++) {
			header_of(&mdx_ops[i], hdr);
			bit_put(hdr, bit, 1);
			KUNIT_EXPECT_EQ_MSG(test, -EINVAL,
					    find(hdr, mdx_ops[i].class),
					    "%#x", mdx_ops[i].opcode);
		}
	memset(hdr, 0, sizeof(hdr));
	bits_put(hdr, 0, 16, 0xb00);
	bits_put(hdr, 0x20, 16, 1);
	KUNIT_EXPECT_EQ(test, -EINVAL, find(hdr, MDX_OP_GENERAL));
}

static void conditions_of_the_header_are_kept(struct kunit *test)
{
	const struct mdx_op *op;
	u8 hdr[MDX_HDR_LEN];
	unsigned int i, val;

	for (i = 0; i < mdx_ops_n; i++) {
		op = &mdx_ops[i];
		for (val = 0; op->must.width && val < 16; val++) {
			header_of(op, hdr);
			bits_put(hdr, op->must.bit, op->must.width, val);
			KUNIT_EXPECT_EQ_MSG(test, find(hdr, op->class),
					    val == op->must_be ? 0 : -EINVAL,
					    "%#x with %u", op->opcode, val);
		}
	}
}

/* One PSV at a time; a new flow table entry, or one that is there. */
static void conditions_are_the_documented_ones(struct kunit *test)
{
	u8 hdr[MDX_HDR_LEN] = {};
	unsigned int val;

	for (val = 0; val < 16; val++) {
		bits_put(hdr, 0, 16, 0x600);
		bits_put(hdr, 0x40, 4, val);
		KUNIT_EXPECT_EQ(test, find(hdr, MDX_OP_CREATE),
				val == 1 ? 0 : -EINVAL);
	}
	memset(hdr, 0, sizeof(hdr));
	for (val = 0; val < 4; val++) {
		bits_put(hdr, 0, 16, 0x936);
		bits_put(hdr, 0x30, 16, val);
		KUNIT_EXPECT_EQ(test, find(hdr, MDX_OP_CREATE),
				val == 0 ? 0 : -EINVAL);
		KUNIT_EXPECT_EQ(test, find(hdr, MDX_OP_MODIFY),
				val == 1 ? 0 : -EINVAL);
	}
}

static void contexts_and_umems_are_not_created(struct kunit *test)
{
	u8 hdr[MDX_HDR_LEN] = {};
	unsigned int type;

	for (type = 0; type < 0x100; type++) {
		bits_put(hdr, 0, 16, 0xa00);
		bits_put(hdr, 0x30, 16, type);
		KUNIT_EXPECT_EQ_MSG(test, find(hdr, MDX_OP_CREATE),
				    type == 4 || type == 5 ? -EINVAL : 0,
				    "type %u", type);
		bits_put(hdr, 0, 16, 0xa02);
		KUNIT_EXPECT_EQ_MSG(test, find(hdr, MDX_OP_QUERY), 0,
				    "type %u", type);
	}
}

static void other_headers_have_no_object_type(struct kunit *test)
{
	u8 hdr[MDX_HDR_LEN] = {};

	bits_put(hdr, 0, 16, 0x800);
	bits_put(hdr, 0x30, 16, 4);
	KUNIT_EXPECT_EQ(test, 0, find(hdr, MDX_OP_CREATE));
}

static struct kunit_case optab_cases[] = {
	KUNIT_CASE(no_row_is_there_twice),
	KUNIT_CASE(rows_are_sorted),
	KUNIT_CASE(rows_are_the_documented_ones),
	KUNIT_CASE(lengths_are_those_of_the_layouts),
	KUNIT_CASE(ids_are_where_the_layouts_have_them),
	KUNIT_CASE(fields_lie_within_minimum_lengths),
	KUNIT_CASE(only_creates_are_undone),
	KUNIT_CASE(destroys_are_the_documented_ones),
	KUNIT_CASE(destroys_name_all_of_the_id),
	KUNIT_CASE(objects_name_such_of_lower_levels),
	KUNIT_CASE(destroy_fields_are_apart),
	KUNIT_CASE(destroys_belong_to_no_class),
	KUNIT_CASE(the_kernels_own_commands_belong_to_no_class),
	KUNIT_CASE(commands_are_about_what_is_created),
	KUNIT_CASE(headers_find_their_rows),
	KUNIT_CASE(other_opcodes_and_classes_are_refused),
	KUNIT_CASE(vendor_commands_are_general),
	KUNIT_CASE(tunnels_are_refused),
	KUNIT_CASE(conditions_of_the_header_are_kept),
	KUNIT_CASE(conditions_are_the_documented_ones),
	KUNIT_CASE(contexts_and_umems_are_not_created),
	KUNIT_CASE(other_headers_have_no_object_type),
	{}
};

static struct kunit_suite optab_suite = {
	.name = "mdx_optab",
	.test_cases = optab_cases,
};

kunit_test_suite(optab_suite);
