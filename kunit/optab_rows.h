/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Rows of the command table, for tests.
 */
#ifndef MDX_KUNIT_OPTAB_ROWS_H
#define MDX_KUNIT_OPTAB_ROWS_H

#include <linux/mlx5/device.h>

#include "../kmod/optab.h"
#include "mbox_bits.h"

/* An opcode by its name in mlx5_ifc.h */
#define OP(_name) MLX5_CMD_OP_##_name

/* The row of an opcode in a class; NULL: there is none. */
static inline const struct mdx_op *op_row(u16 opcode, enum mdx_class class)
{
	unsigned int i;

	for (i = 0; i < mdx_ops_n; i++)
		if (mdx_ops[i].opcode == opcode && mdx_ops[i].class == class)
			return &mdx_ops[i];
	return NULL;
}

/* The row of a command that creates; NULL: the opcode creates nothing. */
static inline const struct mdx_op *op_creator(u16 opcode)
{
	return op_row(opcode, MDX_OP_CREATE);
}

/* Puts the fields into a header by which the row is found. */
static inline void op_header_put(const struct mdx_op *op, void *hdr)
{
	bits_put(hdr, 0, 16, op->opcode);
	if (op->must.width)
		bits_put(hdr, op->must.bit, op->must.width, op->must_be);
}

/* mdx_op_find() of a header that has nothing but an opcode */
static inline int op_find_opcode(u16 opcode, enum mdx_class class)
{
	u8 hdr[MDX_HDR_LEN] = {};
	const struct mdx_op *op;

	bits_put(hdr, 0, 16, opcode);
	return mdx_op_find(&op, hdr, class);
}

#endif /* MDX_KUNIT_OPTAB_ROWS_H */
