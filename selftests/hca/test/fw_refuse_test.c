// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * What the firmware refuses, with which status, and for which reason.
 */
#include "fw_make.h"

static struct world w;

static void begin(void)
{
	start();
	make_world(&w, ua);
}

static void every_command_has_least_lengths(void)
{
	const struct fw_cmd *cmd;
	size_t i;

	start();
	for (i = 0; (cmd = fw_cmd_row(i)); i++) {
		clear();
		CHECK(cmd->in >= 16 && cmd->out >= 8);
		CHECK(fw_cmd_find(cmd->opcode) == cmd);
		CHECK(!strcmp(fw_opcode_name(cmd->opcode), cmd->name));
		/* 16 and 8 are what a command queue always has. */
		if (cmd->in > 16)
			REFUSED(run_len(cmd->opcode, 0, cmd->in - 1,
					cmd->out), FW_BAD_IN_LEN, SYND_IN_LEN);
		if (cmd->out > 8)
			REFUSED(run_len(cmd->opcode, 0, cmd->in,
					cmd->out - 1), FW_BAD_OUT_LEN,
				SYND_OUT_LEN);
	}
	CHECK(i > 100);
	stop();
}

static void unknown_commands(void)
{
	start();
	clear();
	REFUSED(run_len(0, 0, 16, 16), FW_BAD_OP, SYND_OPCODE);
	REFUSED(run_len(0x106, 0, 16, 16), FW_BAD_OP, SYND_OPCODE);
	REFUSED(run_len(0xb00, 0, 16, 16), FW_BAD_OP, SYND_OPCODE);
	REFUSED(run_len(0xffff, 0, 16, 16), FW_BAD_OP, SYND_OPCODE);
	CHECK(!fw_opcode_name(0x106));
	stop();
}

static void unknown_modifiers(void)
{
	begin();
	name_it(0x402, K_CQ, &w);
	PRM_SET(query_cq_in, in, op_mod, 1);
	REFUSED(run(0x402, ua, 0), FW_BAD_PARAM, SYND_OP_MOD);
	name_it(0x403, K_CQ, &w);
	PRM_SET(modify_cq_in, in, op_mod, 2);
	REFUSED(run(0x403, ua, 0), FW_BAD_PARAM, SYND_OP_MOD);
	clear();
	REFUSED(run(0x107, 0, 0), FW_BAD_PARAM, SYND_OP_MOD);
	stop();
}

static void unknown_objects(void)
{
	const struct fw_cmd *cmd;
	size_t i;

	start();
	for (i = 0; (cmd = fw_cmd_row(i)); i++) {
		if (!cmd->id_width || cmd->flags & CMD_CREATE)
			continue;
		clear();
		prm_set(in, cmd->id_bit, cmd->id_width, 0xee);
		REFUSED(run(cmd->opcode, 0, 0), FW_BAD_RES_STATE,
			SYND_UNKNOWN | cmd->kind);
		clear();
		REFUSED(run(cmd->opcode, 0, 0), FW_BAD_RES_STATE,
			SYND_UNKNOWN | cmd->kind);
	}
	stop();
}

static void umems_have_an_end(void)
{
	begin();
	fill(maker_of(K_CQ), &w);
	prm_set(in, PRM_CREATE_CQ_UMEM_OFFSET, 64, 0x3000);
	CHECK_EQ(run(0x400, ua, 0), FW_OK);
	prm_set(in, PRM_CREATE_CQ_UMEM_OFFSET, 64, 0x3001);
	REFUSED(run(0x400, ua, 0), FW_BAD_RES, SYND_UMEM_RANGE | K_UMEM);
	prm_set(in, PRM_CREATE_CQ_UMEM_OFFSET, 64, ~0ULL);
	REFUSED(run(0x400, ua, 0), FW_BAD_RES, SYND_UMEM_RANGE | K_UMEM);
	fill(maker_of(K_CQ), &w);
	PRM_SET(create_cq_in, in, cq_context.dbr_addr, 0x3ff8);
	CHECK_EQ(run(0x400, ua, 0), FW_OK);
	PRM_SET(create_cq_in, in, cq_context.dbr_addr, 0x3ffc);
	REFUSED(run(0x400, ua, 0), FW_BAD_RES, SYND_UMEM_RANGE | K_UMEM);
	fill(maker_of(K_QP), &w);
	PRM_SET(create_qp_in, in, qpc.log_sq_size, 8);
	REFUSED(run(0x500, ua, 0), FW_BAD_RES, SYND_UMEM_RANGE | K_UMEM);
	/* A umem's own list */
	fill(maker_of(K_UMEM), &w);
	PRM_SET(create_umem_in, in, umem.num_of_mtt, 5);
	REFUSED(run(0xa08, ua, 32), FW_BAD_IN_LEN, SYND_LIST_LEN);
	PRM_SET(create_umem_in, in, umem.num_of_mtt, ~0ULL);
	REFUSED(run(0xa08, ua, 32), FW_BAD_IN_LEN, SYND_LIST_LEN);
	PRM_SET(create_umem_in, in, umem.num_of_mtt, 0);
	REFUSED(run(0xa08, ua, 32), FW_BAD_SIZE, SYND_SIZE | K_UMEM);
	PRM_SET(create_umem_in, in, umem.num_of_mtt, 4);
	PRM_SET(create_umem_in, in, umem.page_offset, 4096);
	REFUSED(run(0xa08, ua, 32), FW_BAD_PARAM, SYND_VALUE | K_UMEM);
	stop();
}

static void flow_rules_keep_to_their_tables(void)
{
	begin();
	fill(maker_of(K_FLOW_GROUP), &w);
	REFUSED(run(0x933, ua, 0), FW_BAD_PARAM, SYND_OVERLAP | K_FLOW_GROUP);
	PRM_SET(create_flow_group_in, in, start_flow_index, 8);
	PRM_SET(create_flow_group_in, in, end_flow_index, 16);
	REFUSED(run(0x933, ua, 0), FW_BAD_PARAM, SYND_INDEX | K_FLOW_GROUP);
	PRM_SET(create_flow_group_in, in, end_flow_index, 15);
	CHECK_EQ(run(0x933, ua, 0), FW_OK);
	fill(maker_of(K_FTE), &w);
	REFUSED(run(0x936, ua, 16), FW_BAD_RES_STATE, SYND_EXISTS | K_FTE);
	REFUSED(run(0x936, ua, 8), FW_BAD_IN_LEN, SYND_LIST_LEN);
	PRM_SET(set_fte_in, in, flow_index, 8);
	REFUSED(run(0x936, ua, 16), FW_BAD_PARAM, SYND_GROUP_RANGE | K_FTE);
	PRM_SET(set_fte_in, in, table_type, 1);
	REFUSED(run(0x936, ua, 16), FW_BAD_PARAM, SYND_TABLE | K_FTE);
	name_it(0x932, K_FLOW_TABLE, &w);
	PRM_SET(query_flow_table_in, in, table_type, 1);
	REFUSED(run(0x932, ua, 0), FW_BAD_PARAM, SYND_TABLE | K_FLOW_TABLE);
	/* There is no e-switch here, nor another vport. */
	fill(maker_of(K_FLOW_TABLE), &w);
	PRM_SET(create_flow_table_in, in, table_type, 4);
	REFUSED(run(0x930, ua, 0), FW_BAD_PARAM, SYND_CAP | K_FLOW_TABLE);
	PRM_SET(create_flow_table_in, in, table_type, 0);
	PRM_SET(create_flow_table_in, in, other_vport, 1);
	REFUSED(run(0x930, ua, 0), FW_BAD_PARAM, SYND_VPORT);
	stop();
}

static void a_root_table_may_go(void)
{
	struct world k = { };

	start();
	CHECK_EQ(make(K_FLOW_TABLE, &k), FW_OK);
	clear();
	PRM_SET(set_flow_table_root_in, in, table_id, k.id[K_FLOW_TABLE]);
	CHECK_EQ(run(0x92f, 0, 0), FW_OK);
	CHECK_EQ(destroy(K_FLOW_TABLE, &k), FW_OK);
	clear();
	PRM_SET(set_flow_table_root_in, in, table_id, k.id[K_FLOW_TABLE]);
	REFUSED(run(0x92f, 0, 0), FW_BAD_RES_STATE,
		SYND_UNKNOWN | K_FLOW_TABLE);
	stop();
}

static void general_objects_there_are_not(void)
{
	begin();
	fill(maker_of(K_GENERAL), &w);
	PRM_SET(general_obj_in_cmd_hdr, in, obj_type, 0x0d);
	REFUSED(run(0xa00, ua, 128), FW_BAD_PARAM, SYND_OBJ_TYPE | K_GENERAL);
	PRM_SET(general_obj_in_cmd_hdr, in, obj_type, 0xff15);
	REFUSED(run(0xa00, ua, 128), FW_BAD_PARAM, SYND_OBJ_TYPE | K_GENERAL);
	PRM_SET(general_obj_in_cmd_hdr, in, obj_type, 0x18);
	REFUSED(run(0xa00, ua, 127), FW_BAD_IN_LEN, SYND_LIST_LEN);
	PRM_SET(general_obj_in_cmd_hdr, in, vhca_tunnel_id, 1);
	REFUSED(run(0xa00, ua, 128), FW_BAD_PARAM, SYND_TUNNEL | K_GENERAL);
	/* Of another type: there is no such one. */
	clear();
	PRM_SET(general_obj_in_cmd_hdr, in, obj_type, 0x20);
	PRM_SET(general_obj_in_cmd_hdr, in, obj_id, w.id[K_GENERAL]);
	REFUSED(run(0xa03, ua, 0), FW_BAD_RES_STATE, SYND_UNKNOWN | K_GENERAL);
	stop();
}

static void limits(void)
{
	static const struct fw_conf conf = { .max_objs = 2 };
	struct world k = { };
	unsigned int i;

	start_conf(&conf);
	CHECK_EQ(make(K_PD, &k), FW_OK);
	CHECK_EQ(make(K_PD, &k), FW_OK);
	REFUSED(make(K_PD, &k), FW_EXCEED_LIM, SYND_LIMIT | K_PD);
	CHECK_EQ(destroy(K_PD, &k), FW_OK);
	CHECK_EQ(make(K_PD, &k), FW_OK);
	/* Users are objects, too: two were made at the start. */
	clear();
	REFUSED(run(0xa04, 0, 0), FW_EXCEED_LIM, SYND_LIMIT | K_UCTX);
	stop();
	/* What the capabilities say: 255 counter sets, and 64 EQs. */
	start();
	for (i = 0; i < 255; i++)
		CHECK_EQ(make(K_Q_COUNTER, &k), FW_OK);
	REFUSED(make(K_Q_COUNTER, &k), FW_EXCEED_LIM, SYND_LIMIT | K_Q_COUNTER);
	clear();
	PRM_SET(set_l2_table_entry_in, in, table_index, 128);
	REFUSED(run(0x829, 0, 0), FW_BAD_INDEX, SYND_INDEX | K_L2);
	stop();
}

static void strict(void)
{
	const struct fw_cmd *cmd;
	size_t i;

	begin();
	fw_set_strict(fw, true);
	for (i = 0; (cmd = fw_cmd_row(i)); i++) {
		/* There, the tunnel's number is. */
		if (cmd->kind == K_GENERAL || cmd->flags & CMD_KERNEL)
			continue;
		clear();
		in[5] = 1;
		REFUSED(run(cmd->opcode, ua, 0), FW_BAD_PARAM, SYND_RESERVED);
	}
	clear();
	in[8] = 1;
	REFUSED(run(0x800, ua, 0), FW_BAD_PARAM, SYND_RESERVED);
	name_it(0x801, K_PD, &w);
	in[15] = 1;
	REFUSED(run(0x801, ua, 0), FW_BAD_PARAM, SYND_RESERVED);
	fill(maker_of(K_CQ), &w);
	in[16 + 3] = 0x80;
	REFUSED(run(0x400, ua, 0), FW_BAD_PARAM, SYND_RESERVED | K_CQ);
	fill(maker_of(K_QP), &w);
	in[0x18 + 0x10] = 1;
	REFUSED(run(0x500, ua, 0), FW_BAD_PARAM, SYND_RESERVED | K_QP);
	fill(maker_of(K_MKEY), &w);
	in[16] = 0x80;
	REFUSED(run(0x200, ua, 16), FW_BAD_PARAM, SYND_RESERVED | K_MKEY);
	fw_set_strict(fw, false);
	clear();
	in[8] = 1;
	CHECK_EQ(run(0x800, ua, 0), FW_OK);
	stop();
	/* A world has no reserved bits set. */
	start();
	fw_set_strict(fw, true);
	make_world(&w, ua);
	stop();
}

int main(void)
{
	static const struct tap_test tests[] = {
		TAP(every_command_has_least_lengths),
		TAP(unknown_commands),
		TAP(unknown_modifiers),
		TAP(unknown_objects),
		TAP(umems_have_an_end),
		TAP(flow_rules_keep_to_their_tables),
		TAP(a_root_table_may_go),
		TAP(general_objects_there_are_not),
		TAP(limits),
		TAP(strict),
	};

	return TAP_RUN(tests);
}
