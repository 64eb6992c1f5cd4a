/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Opcodes and layouts of opcodes.def as constants. By object type: CREATE_OF_CQ,
 * DESTROY_OF_CQ, and of the create CREATE_IN_LEN_CQ, CREATE_OUT_LEN_CQ and the
 * place of the number. By command: IN_LEN_QUERY_CQ and the place of the number in
 * the input. Lengths are without lists.
 */
#ifndef MDX_TEST_OPCODE_LAYOUT_H
#define MDX_TEST_OPCODE_LAYOUT_H

#include "mbox_layout.h"
#include "opcodes.h"

/* The place of an object's number, to initialize a struct mbox_field. */
#define CREATE_NUM(object)						\
	{ CREATE_NUM_BIT_##object, CREATE_NUM_WIDTH_##object }
#define INPUT_NUM(name) { NUM_BIT_##name, NUM_WIDTH_##name }

#define CREATE_CONSTANTS(number, object, in, out, place, num, chosen) \
	CREATE_OF_##object = number,					\
	CREATE_IN_LEN_##object = SZ(in),				\
	CREATE_OUT_LEN_##object = SZ(out),				\
	CREATE_NUM_BIT_##object = __devx_bit_off(place, num),	\
	CREATE_NUM_WIDTH_##object = __devx_bit_sz(place, num),	\
	CREATE_NUM_CHOSEN_##object = chosen,
#define INPUT_CONSTANTS(name, in, num)					\
	IN_LEN_##name = SZ(in),						\
	NUM_BIT_##name = __devx_bit_off(in, num),			\
	NUM_WIDTH_##name = __devx_bit_sz(in, num),

#define OPCODE(number, name)
#define OPCODE_CREATE(number, name, object, in, out, id)		\
	CREATE_CONSTANTS(number, object, in, out, out, id, 0)
#define OPCODE_CREATE_AT(number, name, object, in, out, id)		\
	CREATE_CONSTANTS(number, object, in, out, in, id, 1)
#define OPCODE_MODIFY(number, name, object, in, id)			\
	INPUT_CONSTANTS(name, in, id)
#define OPCODE_ALSO_MODIFY(number, name, object, in, id)		\
	INPUT_CONSTANTS(name, in, id)
#define OPCODE_QUERY(number, name, object, in, id)			\
	INPUT_CONSTANTS(name, in, id)
#define OPCODE_DESTROY(number, name, object, in, id)			\
	DESTROY_OF_##object = number,
enum {
#include "opcodes.def"
};

#endif /* MDX_TEST_OPCODE_LAYOUT_H */
