/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The opcodes of the device as constants: MDX_OPCODE_CREATE_CQ and so on. For
 * user space that does without mlx5_ifc.h.
 */
#ifndef MDX_OPCODES_H
#define MDX_OPCODES_H

#define OPCODE(number, name) MDX_OPCODE_##name = number,
enum mdx_opcode {
#include "opcodes.def"
};

/* The range of general commands without a layout. */
#define MDX_OPCODE_RANGE_FIRST 0xb00
#define MDX_OPCODE_RANGE_LAST 0xcff

#endif /* MDX_OPCODES_H */
