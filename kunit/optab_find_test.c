// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Looking rows up: headers that find one, and headers that are refused. Also built
 * in user space (user/).
 */
#include <kunit/test.h>
#include <linux/errno.h>
#include <linux/string.h>

#include "../kmod/optab.h"

#include "mbox_bits.h"
#include "optab_rows.h"

/* The shortest header that finds a row. */
static void header_of(const struct mdx_op *op, void *hdr)
{
	memset(hdr, 0, MDX_HDR_LEN);
	op_header_put(op, hdr);
}

static int find_row(const void *hdr, enum mdx_class class)
{
	const struct mdx_op *op;

	return mdx_op_find(&op, hdr, class);
}

static void headers_find_rows(struct kunit *test)
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

#define RANGE_FIRST 0xb00
#define RANGE_LAST 0xcff

static bool has_row(u16 opcode, int class)
{
	unsigned int i;

	for (i = 0; i < mdx_ops_n; i++)
		if (mdx_ops[i].opcode == opcode &&
		    (class < 0 || mdx_ops[i].class == class))
			return true;
	return opcode >= RANGE_FIRST && opcode <= RANGE_LAST &&
	       (class < 0 || class == MDX_OP_GENERAL);
}

static void other_classes_refused(struct kunit *test)
{
	unsigned int opcode, class;
	int ret;

	for (opcode = 0; opcode <= 0xffff; opcode++)
		for (class = MDX_OP_CREATE; class <= MDX_OP_GENERAL; class++) {
			if (has_row(opcode, class))
				continue;
			ret = has_row(opcode, -1) ? -EINVAL : -EOPNOTSUPP;
			if (op_find_opcode(opcode, class) != ret)
				KUNIT_EXPECT_EQ_MSG(test, ret,
					op_find_opcode(opcode, class),
					"%#x, class %u", opcode, class);
		}
}

static void vendor_commands_are_general(struct kunit *test)
{
	const struct mdx_op *op = NULL;
	u8 hdr[MDX_HDR_LEN] = {};

	KUNIT_EXPECT_EQ(test, -EOPNOTSUPP,
			op_find_opcode(RANGE_FIRST - 1, MDX_OP_GENERAL));
	KUNIT_EXPECT_EQ(test, 0, op_find_opcode(RANGE_FIRST, MDX_OP_GENERAL));
	KUNIT_EXPECT_EQ(test, 0, op_find_opcode(RANGE_LAST, MDX_OP_GENERAL));
	KUNIT_EXPECT_EQ(test, -EOPNOTSUPP,
			op_find_opcode(RANGE_LAST + 1, MDX_OP_GENERAL));
	KUNIT_EXPECT_EQ(test, -EINVAL, op_find_opcode(RANGE_FIRST, MDX_OP_CREATE));
	KUNIT_EXPECT_EQ(test, -EINVAL, op_find_opcode(RANGE_LAST, MDX_OP_QUERY));

	bits_put(hdr, 0, 16, 0xc00);
	KUNIT_EXPECT_EQ(test, 0, mdx_op_find(&op, hdr, MDX_OP_GENERAL));
	KUNIT_ASSERT_NOT_NULL(test, op);
	KUNIT_EXPECT_EQ(test, op->min_in, MDX_HDR_LEN);
	KUNIT_EXPECT_EQ(test, op->min_out, MDX_HDR_LEN);
	KUNIT_EXPECT_EQ(test, op->force[0], 0);
	KUNIT_EXPECT_TRUE(test, !op->destroy);
}

static void tunnel_einval(struct kunit *test)
{
	u8 hdr[MDX_HDR_LEN];
	unsigned int i, bit;

	for (i = 0; i < mdx_ops_n; i++)
		for (bit = 0x20; bit < 0x30; bit++) {
			header_of(&mdx_ops[i], hdr);
			bit_put(hdr, bit, 1);
			KUNIT_EXPECT_EQ_MSG(test, -EINVAL,
					    find_row(hdr, mdx_ops[i].class),
					    "%#x", mdx_ops[i].opcode);
		}
	memset(hdr, 0, sizeof(hdr));
	bits_put(hdr, 0, 16, RANGE_FIRST);
	bits_put(hdr, 0x20, 16, 1);
	KUNIT_EXPECT_EQ(test, -EINVAL, find_row(hdr, MDX_OP_GENERAL));
}

static void header_conditions_checked(struct kunit *test)
{
	const struct mdx_op *op;
	u8 hdr[MDX_HDR_LEN];
	unsigned int i, val;

	for (i = 0; i < mdx_ops_n; i++) {
		op = &mdx_ops[i];
		for (val = 0; op->must.width && val < 16; val++) {
			header_of(op, hdr);
			bits_put(hdr, op->must.bit, op->must.width, val);
			KUNIT_EXPECT_EQ_MSG(test, find_row(hdr, op->class),
					    val == op->must_be ? 0 : -EINVAL,
					    "%#x with %u", op->opcode, val);
		}
	}
}

/* One PSV at a time; a new flow table entry, or one that is there. */
static void header_conditions_match_documentation(struct kunit *test)
{
	u8 hdr[MDX_HDR_LEN] = {};
	unsigned int val;

	for (val = 0; val < 16; val++) {
		bits_put(hdr, 0, 16, OP(CREATE_PSV));
		bits_put(hdr, 0x40, 4, val);
		KUNIT_EXPECT_EQ(test, find_row(hdr, MDX_OP_CREATE),
				val == 1 ? 0 : -EINVAL);
	}
	memset(hdr, 0, sizeof(hdr));
	for (val = 0; val < 4; val++) {
		bits_put(hdr, 0, 16, OP(SET_FLOW_TABLE_ENTRY));
		bits_put(hdr, 0x30, 16, val);
		KUNIT_EXPECT_EQ(test, find_row(hdr, MDX_OP_CREATE),
				val == 0 ? 0 : -EINVAL);
		KUNIT_EXPECT_EQ(test, find_row(hdr, MDX_OP_MODIFY),
				val == 1 ? 0 : -EINVAL);
	}
}

static void uctx_umem_create_einval(struct kunit *test)
{
	u8 hdr[MDX_HDR_LEN] = {};
	unsigned int type;

	for (type = 0; type < 0x100; type++) {
		bits_put(hdr, 0, 16, OP(CREATE_GENERAL_OBJECT));
		bits_put(hdr, 0x30, 16, type);
		KUNIT_EXPECT_EQ_MSG(test, find_row(hdr, MDX_OP_CREATE),
				    type == 4 || type == 5 ? -EINVAL : 0,
				    "type %u", type);
		bits_put(hdr, 0, 16, OP(QUERY_GENERAL_OBJECT));
		KUNIT_EXPECT_EQ_MSG(test, find_row(hdr, MDX_OP_QUERY), 0,
				    "type %u", type);
	}
}

static void obj_type_ignored_elsewhere(struct kunit *test)
{
	u8 hdr[MDX_HDR_LEN] = {};

	bits_put(hdr, 0, 16, OP(ALLOC_PD));
	bits_put(hdr, 0x30, 16, 4);
	KUNIT_EXPECT_EQ(test, 0, find_row(hdr, MDX_OP_CREATE));
}

static struct kunit_case optab_find_cases[] = {
	KUNIT_CASE(headers_find_rows),
	KUNIT_CASE(other_classes_refused),
	KUNIT_CASE(vendor_commands_are_general),
	KUNIT_CASE(tunnel_einval),
	KUNIT_CASE(header_conditions_checked),
	KUNIT_CASE(header_conditions_match_documentation),
	KUNIT_CASE(uctx_umem_create_einval),
	KUNIT_CASE(obj_type_ignored_elsewhere),
	{}
};

static struct kunit_suite optab_find_suite = {
	.name = "mdx_optab_find",
	.test_cases = optab_find_cases,
};

kunit_test_suite(optab_find_suite);
