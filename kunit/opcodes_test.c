// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The command table and opcodes.def say the same of every opcode. Also built in
 * user space (user/).
 */
#include <kunit/test.h>
#include <linux/errno.h>
#include <linux/mlx5/device.h>

#include "../kmod/optab.h"
#include "optab_rows.h"

/* The opcode that creates objects of a type */
enum creates {
#define OPCODE(number, name)
#define OPCODE_CREATE(number, name, object, in, out, id)                       \
	CREATES_##object = number,
#define OPCODE_CREATE_AT OPCODE_CREATE
#include "../opcodes/opcodes.def"
};

/**
 * struct described - An opcode in one of its roles, as opcodes.def describes it
 * @number: the opcode
 * @header: the opcode of that name in mlx5_ifc.h
 * @create: opcode that creates such objects; 0: it concerns none
 * @class: of its row
 * @id_in: the caller chooses the id
 * @in_len: of the layout
 * @out_len: of the layout if it creates
 * @id: the field with the id
 */
struct described {
	u16 number;
	u16 header;
	u16 create;
	u8 class;
	bool id_in;
	u16 in_len;
	u16 out_len;
	struct mdx_field id;
};

#define ID(_layout, _field)                                                    \
	{                                                                      \
		__mlx5_bit_off(_layout, _field), __mlx5_bit_sz(_layout, _field) \
	}
#define DESCRIBED(_number, _name, _create, _class, _id_in, _in, _out_len, ...) \
	{                                                                      \
		_number, MLX5_CMD_OP_##_name, _create, _class, _id_in,         \
		MLX5_ST_SZ_BYTES(_in), _out_len, __VA_ARGS__                   \
	}

static const struct described described[] = {
#define OPCODE(number, name)
#define OPCODE_CREATE(number, name, object, in, out, id)                       \
	DESCRIBED(number, name, CREATES_##object, MDX_OP_CREATE, false, in,    \
		  MLX5_ST_SZ_BYTES(out), ID(out, id)),
#define OPCODE_CREATE_AT(number, name, object, in, out, id)                    \
	DESCRIBED(number, name, CREATES_##object, MDX_OP_CREATE, true, in,     \
		  MDX_HDR_LEN, ID(in, id)),
#define OPCODE_MODIFY(number, name, object, in, id)                            \
	DESCRIBED(number, name, CREATES_##object, MDX_OP_MODIFY, false, in,    \
		  MDX_HDR_LEN, ID(in, id)),
#define OPCODE_ALSO_MODIFY OPCODE_MODIFY
#define OPCODE_QUERY(number, name, object, in, id)                             \
	DESCRIBED(number, name, CREATES_##object, MDX_OP_QUERY, false, in,     \
		  MDX_HDR_LEN, ID(in, id)),
#define OPCODE_GENERAL(number, name, in)                                       \
	DESCRIBED(number, name, 0, MDX_OP_GENERAL, false, in, MDX_HDR_LEN, { }),
#include "../opcodes/opcodes.def"
};

static const struct described described_destroys[] = {
#define OPCODE(number, name)
#define OPCODE_DESTROY(number, name, object, in, id)                           \
	DESCRIBED(number, name, CREATES_##object, MDX_OP_NONE, true, in, 0,    \
		  ID(in, id)),
#include "../opcodes/opcodes.def"
};

static const u16 other_opcodes[] = {
#define OPCODE(number, name)
#define OPCODE_OTHER(number, name) number,
#include "../opcodes/opcodes.def"
};

static const u16 range_opcodes[] = {
#define OPCODE(number, name)
#define OPCODE_RANGE(number, name) number,
#include "../opcodes/opcodes.def"
};

/* All of opcodes.def in its order, without the second role of an opcode */
static const u16 all_opcodes[] = {
#define OPCODE(number, name) number,
#include "../opcodes/opcodes.def"
};

#define for_each_of(_p, _array)                                                \
	for ((_p) = (_array); (_p) < (_array) + ARRAY_SIZE(_array); (_p)++)

static const struct described *described_find(u16 opcode, int class)
{
	const struct described *d;

	for_each_of(d, described)
		if (d->number == opcode && d->class == class)
			return d;
	return NULL;
}

static void opcodes_ascend(struct kunit *test)
{
	unsigned int i;

	for (i = 1; i < ARRAY_SIZE(all_opcodes); i++)
		KUNIT_EXPECT_LE_MSG(test, all_opcodes[i - 1] + 1, all_opcodes[i],
				    "%#x", all_opcodes[i]);
}

static void numbers_match_header(struct kunit *test)
{
	const struct described *d;

	for_each_of(d, described)
		KUNIT_EXPECT_EQ(test, d->number, d->header);
	for_each_of(d, described_destroys)
		KUNIT_EXPECT_EQ(test, d->number, d->header);
}

static void roles_have_rows(struct kunit *test)
{
	const struct described *d;

	for_each_of(d, described)
		KUNIT_EXPECT_TRUE_MSG(test, op_row(d->number, d->class),
				      "%#x, class %u", d->number, d->class);
}

static void rows_are_described(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < mdx_ops_n; i++)
		KUNIT_EXPECT_TRUE_MSG(test,
			described_find(mdx_ops[i].opcode, mdx_ops[i].class),
			"%#x, class %u", mdx_ops[i].opcode, mdx_ops[i].class);
	KUNIT_EXPECT_EQ(test, mdx_ops_n, (unsigned int)ARRAY_SIZE(described));
}

static void create_opcodes_match(struct kunit *test)
{
	const struct described *d;
	const struct mdx_op *op;

	for_each_of(d, described) {
		op = op_row(d->number, d->class);
		if (!op)
			continue;
		KUNIT_EXPECT_EQ_MSG(test, op->create, d->create,
				    "%#x", d->number);
		KUNIT_EXPECT_EQ_MSG(test, !!(op->flags & MDX_OP_F_ID_IN),
				    d->id_in, "%#x", d->number);
	}
}

static void lengths_match(struct kunit *test)
{
	const struct described *d;
	const struct mdx_op *op;

	for_each_of(d, described) {
		op = op_row(d->number, d->class);
		if (!op)
			continue;
		KUNIT_EXPECT_EQ_MSG(test, op->min_in, d->in_len,
				    "input of %#x", d->number);
		KUNIT_EXPECT_EQ_MSG(test, op->min_out, d->out_len,
				    "answer of %#x", d->number);
	}
}

static void id_fields_match(struct kunit *test)
{
	const struct described *d;
	const struct mdx_op *op;

	for_each_of(d, described) {
		op = op_row(d->number, d->class);
		if (!op)
			continue;
		KUNIT_EXPECT_EQ_MSG(test, op->id.bit, d->id.bit,
				    "%#x", d->number);
		KUNIT_EXPECT_EQ_MSG(test, op->id.width, d->id.width,
				    "%#x", d->number);
	}
}

static void destroys_match(struct kunit *test)
{
	const struct mdx_destroy *destroy;
	const struct described *d;
	const struct mdx_op *op;
	unsigned int i, n = 0;

	for_each_of(d, described_destroys) {
		op = op_creator(d->create);
		KUNIT_EXPECT_TRUE_MSG(test, op, "%#x", d->number);
		if (!op)
			continue;
		destroy = op->destroy;
		KUNIT_EXPECT_EQ(test, destroy->opcode, d->number);
		KUNIT_EXPECT_EQ_MSG(test, destroy->len, d->in_len,
				    "%#x", d->number);
		KUNIT_EXPECT_EQ_MSG(test, destroy->id.bit, d->id.bit,
				    "%#x", d->number);
		KUNIT_EXPECT_EQ_MSG(test, destroy->id.width, d->id.width,
				    "%#x", d->number);
	}
	for (i = 0; i < mdx_ops_n; i++)
		n += mdx_ops[i].class == MDX_OP_CREATE;
	KUNIT_EXPECT_EQ(test, n, (unsigned int)ARRAY_SIZE(described_destroys));
}

static void others_eopnotsupp(struct kunit *test)
{
	unsigned int class;
	const u16 *opcode;

	for_each_of(opcode, other_opcodes)
		for (class = MDX_OP_CREATE; class <= MDX_OP_GENERAL; class++)
			KUNIT_EXPECT_EQ_MSG(test,
				op_find_opcode(*opcode, class), -EOPNOTSUPP,
				"%#x", *opcode);
}

static void range_is_general(struct kunit *test)
{
	const u16 *opcode;

	for_each_of(opcode, range_opcodes) {
		KUNIT_EXPECT_EQ_MSG(test,
			op_find_opcode(*opcode, MDX_OP_GENERAL), 0,
			"%#x", *opcode);
		KUNIT_EXPECT_EQ_MSG(test,
			op_find_opcode(*opcode, MDX_OP_CREATE), -EINVAL,
			"%#x", *opcode);
	}
}

static struct kunit_case opcodes_cases[] = {
	KUNIT_CASE(opcodes_ascend),
	KUNIT_CASE(numbers_match_header),
	KUNIT_CASE(roles_have_rows),
	KUNIT_CASE(rows_are_described),
	KUNIT_CASE(create_opcodes_match),
	KUNIT_CASE(lengths_match),
	KUNIT_CASE(id_fields_match),
	KUNIT_CASE(destroys_match),
	KUNIT_CASE(others_eopnotsupp),
	KUNIT_CASE(range_is_general),
	{}
};

static struct kunit_suite opcodes_suite = {
	.name = "mdx_opcodes",
	.test_cases = opcodes_cases,
};

kunit_test_suite(opcodes_suite);
