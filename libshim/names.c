// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Names of opcodes and statuses. The file depends on no other file of libmdx,
 * so that programs which do not link libmdx can build it in.
 */
#include "shim.h"

MDX_PUBLIC const char *mdx_opcode_name(uint16_t opcode)
{
	switch (opcode) {
#define OPCODE(number, name)						\
	case number: {							\
		return #name;						\
	}
#include "../opcodes/opcodes.def"
	default:
		return "UNKNOWN";
	}
}

static const char *const status_names[] = {
	[0x00] = "OK",
	[0x01] = "INTERNAL_ERR",
	[0x02] = "BAD_OP",
	[0x03] = "BAD_PARAM",
	[0x04] = "BAD_SYS_STATE",
	[0x05] = "BAD_RES",
	[0x06] = "RES_BUSY",
	[0x07] = "NOT_READY",
	[0x08] = "EXCEED_LIM",
	[0x09] = "BAD_RES_STATE",
	[0x0a] = "BAD_INDEX",
	[0x0f] = "NO_RESOURCES",
	[0x10] = "BAD_QP_STATE",
	[0x30] = "BAD_PKT",
	[0x40] = "BAD_SIZE",
	[0x50] = "BAD_INPUT_LEN",
	[0x51] = "BAD_OUTPUT_LEN",
};

MDX_PUBLIC const char *mdx_status_name(uint8_t status)
{
	if (status >= sizeof(status_names) / sizeof(status_names[0]) ||
	    !status_names[status])
		return "UNKNOWN";
	return status_names[status];
}
