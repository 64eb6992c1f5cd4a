/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Opcodes as constants, MDX_OPCODE_CREATE_CQ for example, for user space that
 * does not have mlx5_ifc.h.
 */
#ifndef MDX_OPCODES_H
#define MDX_OPCODES_H

#define OPCODE(number, name) MDX_OPCODE_##name = number,
enum mdx_opcode {
#include "opcodes.def"
};

/* First and last opcode of the range that is accepted as a whole. */
#define MDX_OPCODE_RANGE_FIRST 0xb00
#define MDX_OPCODE_RANGE_LAST 0xcff

#endif /* MDX_OPCODES_H */
