/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Rows of the command table, for tests.
 */
#ifndef MDX_KUNIT_OPS_H
#define MDX_KUNIT_OPS_H

#include "../kmod/optab.h"
#include "bits.h"

/* The row of a command that creates; NULL: it is none. */
static inline const struct mdx_op *creator(u16 opcode)
{
	unsigned int i;

	for (i = 0; i < mdx_ops_n; i++)
		if (mdx_ops[i].opcode == opcode &&
		    mdx_ops[i].class == MDX_OP_CREATE)
			return &mdx_ops[i];
	return NULL;
}

/* Puts into a header what finds the row. */
static inline void header_put(const struct mdx_op *op, void *hdr)
{
	bits_put(hdr, 0, 16, op->opcode);
	if (op->must.width)
		bits_put(hdr, op->must.bit, op->must.width, op->must_be);
}

#endif /* MDX_KUNIT_OPS_H */
