// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Numbers of created objects, which libmdx reads where the module does not execute the
 * batch. Most are 24 bits behind the header of the answer.
 */
#include "../opcodes/opcodes.h"
#include "shim_batch.h"

/* A field that ends with its dword. */
struct number_field {
	uint16_t opcode;
	bool in_input;		/* the caller has chosen the number */
	uint8_t offset;		/* of the dword, in bytes */
	uint8_t width;
};

static const struct number_field number_fields[] = {
	{ MDX_OPCODE_CREATE_PSV, false, 16, 24 },
	{ MDX_OPCODE_CREATE_SCHEDULING_ELEMENT, false, 16, 32 },
	{ MDX_OPCODE_ATTACH_TO_MCG, true, 8, 24 },
	{ MDX_OPCODE_ADD_VXLAN_UDP_DPORT, true, 12, 16 },
	{ MDX_OPCODE_SET_L2_TABLE_ENTRY, true, 20, 24 },
	{ MDX_OPCODE_SET_FLOW_TABLE_ENTRY, true, 32, 32 },
	{ MDX_OPCODE_ALLOC_FLOW_COUNTER, false, 8, 32 },
	{ MDX_OPCODE_ALLOC_PACKET_REFORMAT_CONTEXT, false, 8, 32 },
	{ MDX_OPCODE_ALLOC_MODIFY_HEADER_CONTEXT, false, 8, 32 },
	{ MDX_OPCODE_CREATE_GENERAL_OBJECT, false, 8, 32 },
};

static const struct number_field number_default = { 0, false, 8, 24 };

uint32_t mdx_batch_created_number(const struct mdx_batch_item *item,
				  const void *in)
{
	const struct number_field *field = &number_default;
	unsigned int opcode = mdx_be32_at(in, 0) >> 16;
	size_t i, length;

	for (i = 0; i < sizeof(number_fields) / sizeof(number_fields[0]); i++)
		if (number_fields[i].opcode == opcode)
			field = &number_fields[i];
	length = field->in_input ? item->inlen : item->outlen;
	if (length < field->offset + sizeof(uint32_t))
		return 0;
	return mdx_be32_at(field->in_input ? in : item->out, field->offset) &
	       UINT32_MAX >> (32 - field->width);
}
