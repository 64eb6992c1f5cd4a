// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Object types that functions of libmlx5 take: flow rules of verbs name them by the
 * uverbs handle, and direct rules read the fields of struct mlx5dv_devx_obj. Objects
 * of libmdx have neither, so libmlx5 creates these, with the same uid.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "../opcodes/opcodes.h"
#include "consumed.h"

enum {
	OBJ_TYPE_FLOW_METER_ASO = 0x24,
	OBJ_TYPE_FIRST_HIT_ASO = 0x25,
	OBJ_TYPE_CONN_TRACK_ASO = 0x31,
};

static const struct {
	uint16_t opcode;
	uint16_t obj_type;	/* of CREATE_GENERAL_OBJECT */
	const char *reason;
} consumed[] = {
	{ MDX_OPCODE_CREATE_TIR, 0,
	  "MLX5DV_FLOW_ACTION_DEST_DEVX and mlx5dv_dr_action_create_dest_devx_tir() take one" },
	{ MDX_OPCODE_CREATE_FLOW_TABLE, 0,
	  "MLX5DV_FLOW_ACTION_DEST_DEVX takes one" },
	{ MDX_OPCODE_ALLOC_FLOW_COUNTER, 0,
	  "MLX5DV_FLOW_ACTION_COUNTERS_DEVX and mlx5dv_dr_action_create_flow_counter() take one" },
	{ MDX_OPCODE_CREATE_GENERAL_OBJECT, OBJ_TYPE_FLOW_METER_ASO,
	  "mlx5dv_dr_action_create_aso() takes a flow meter" },
	{ MDX_OPCODE_CREATE_GENERAL_OBJECT, OBJ_TYPE_FIRST_HIT_ASO,
	  "mlx5dv_dr_action_create_aso() takes a first hit object" },
	{ MDX_OPCODE_CREATE_GENERAL_OBJECT, OBJ_TYPE_CONN_TRACK_ASO,
	  "mlx5dv_dr_action_create_aso() takes a connection tracking object" },
};

static bool all_served(void)
{
	const char *value = secure_getenv("MDX_SERVE");

	return value && !strcmp(value, "all");
}

const char *mdx_consumed_reason(const void *in, size_t inlen)
{
	const unsigned char *mbox = in;
	unsigned int opcode, obj_type = 0;
	size_t i;

	if (!in || inlen < 16)
		return NULL;
	opcode = mbox[0] << 8 | mbox[1];
	if (opcode == MDX_OPCODE_CREATE_GENERAL_OBJECT)
		obj_type = mbox[6] << 8 | mbox[7];
	for (i = 0; i < sizeof(consumed) / sizeof(consumed[0]); i++)
		if (consumed[i].opcode == opcode &&
		    consumed[i].obj_type == obj_type)
			return all_served() ? NULL : consumed[i].reason;
	return NULL;
}
