// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Refusals of the firmware: status and syndrome. */
#include "fw_make.h"

static struct fw_world w;

enum { NO_OPCODE = 0x106 }; /* a gap in the numbers */

static void begin_test(void)
{
	start_fw();
	make_world(&w, ua);
}

static void commands_short_length_refused(void)
{
	const struct fw_cmd *cmd;
	size_t i;

	start_fw();
	for (i = 0; (cmd = fw_cmd_row(i)); i++) {
		clear_in();
		CHECK(cmd->in >= 16 && cmd->out >= 8);
		CHECK(fw_cmd_find(cmd->opcode) == cmd);
		CHECK(!strcmp(fw_opcode_name(cmd->opcode), cmd->name));
		/* 16 and 8 are the least lengths of the command queue. */
		if (cmd->in > 16)
			REFUSED(run_len(cmd->opcode, 0, cmd->in - 1,
					cmd->out), FW_BAD_IN_LEN, SYND_IN_LEN);
		if (cmd->out > 8)
			REFUSED(run_len(cmd->opcode, 0, cmd->in,
					(cmd->out < 16 ? cmd->out : 16) - 1),
				FW_BAD_OUT_LEN, SYND_OUT_LEN);
	}
	CHECK(i > 100);
	stop_fw();
}

static void opcode_unknown_bad_op(void)
{
	start_fw();
	clear_in();
	REFUSED(run_len(0, 0, 16, 16), FW_BAD_OP, SYND_OPCODE);
	REFUSED(run_len(NO_OPCODE, 0, 16, 16), FW_BAD_OP, SYND_OPCODE);
	REFUSED(run_len(MLX5_CMD_OP_SYNC_STEERING, 0, 16, 16), FW_BAD_OP,
		SYND_OPCODE);
	REFUSED(run_len(0xffff, 0, 16, 16), FW_BAD_OP, SYND_OPCODE);
	CHECK(!fw_opcode_name(NO_OPCODE));
	stop_fw();
}

static void op_mod_unknown_refused(void)
{
	begin_test();
	name_it(MLX5_CMD_OP_QUERY_CQ, OBJ_CQ, &w);
	PRM_SET(query_cq_in, in, op_mod, 1);
	REFUSED(run_cmd(MLX5_CMD_OP_QUERY_CQ, ua, 0), FW_BAD_PARAM,
		SYND_OP_MOD);
	name_it(MLX5_CMD_OP_MODIFY_CQ, OBJ_CQ, &w);
	PRM_SET(modify_cq_in, in, op_mod, 2);
	REFUSED(run_cmd(MLX5_CMD_OP_MODIFY_CQ, ua, 0), FW_BAD_PARAM,
		SYND_OP_MOD);
	clear_in();
	REFUSED(run_cmd(MLX5_CMD_OP_QUERY_PAGES, 0, 0), FW_BAD_PARAM,
		SYND_OP_MOD);
	stop_fw();
}

static void object_unknown_bad_state(void)
{
	const struct fw_cmd *cmd;
	size_t i;

	start_fw();
	for (i = 0; (cmd = fw_cmd_row(i)); i++) {
		if (!cmd->id_width || cmd->flags & CMD_CREATE)
			continue;
		clear_in();
		prm_set(in, cmd->id_bit, cmd->id_width, 0xee);
		REFUSED(run_cmd(cmd->opcode, 0, 0), FW_BAD_RES_STATE,
			SYND_UNKNOWN | cmd->obj_type);
		clear_in();
		REFUSED(run_cmd(cmd->opcode, 0, 0), FW_BAD_RES_STATE,
			SYND_UNKNOWN | cmd->obj_type);
	}
	stop_fw();
}

static void umem_range_exceeded_refused(void)
{
	begin_test();
	fill_create(maker_of(OBJ_CQ), &w);
	prm_set(in, PRM_CREATE_CQ_UMEM_OFFSET, 64, 0x3000);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_CREATE_CQ, ua, 0), FW_OK);
	prm_set(in, PRM_CREATE_CQ_UMEM_OFFSET, 64, 0x3001);
	REFUSED(run_cmd(MLX5_CMD_OP_CREATE_CQ, ua, 0), FW_BAD_RES,
		SYND_UMEM_RANGE | OBJ_UMEM);
	prm_set(in, PRM_CREATE_CQ_UMEM_OFFSET, 64, ~0ULL);
	REFUSED(run_cmd(MLX5_CMD_OP_CREATE_CQ, ua, 0), FW_BAD_RES,
		SYND_UMEM_RANGE | OBJ_UMEM);
	fill_create(maker_of(OBJ_CQ), &w);
	PRM_SET(create_cq_in, in, cq_context.dbr_addr, 0x3ff8);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_CREATE_CQ, ua, 0), FW_OK);
	PRM_SET(create_cq_in, in, cq_context.dbr_addr, 0x3ffc);
	REFUSED(run_cmd(MLX5_CMD_OP_CREATE_CQ, ua, 0), FW_BAD_RES,
		SYND_UMEM_RANGE | OBJ_UMEM);
	fill_create(maker_of(OBJ_QP), &w);
	PRM_SET(create_qp_in, in, qpc.log_sq_size, 8);
	REFUSED(run_cmd(MLX5_CMD_OP_CREATE_QP, ua, 0), FW_BAD_RES,
		SYND_UMEM_RANGE | OBJ_UMEM);
	/* The page list of a umem */
	fill_create(maker_of(OBJ_UMEM), &w);
	PRM_SET(create_umem_in, in, umem.num_of_mtt, 5);
	REFUSED(run_cmd(MLX5_CMD_OP_CREATE_UMEM, ua, 32), FW_BAD_IN_LEN,
		SYND_LIST_LEN);
	PRM_SET(create_umem_in, in, umem.num_of_mtt, ~0ULL);
	REFUSED(run_cmd(MLX5_CMD_OP_CREATE_UMEM, ua, 32), FW_BAD_IN_LEN,
		SYND_LIST_LEN);
	PRM_SET(create_umem_in, in, umem.num_of_mtt, 0);
	REFUSED(run_cmd(MLX5_CMD_OP_CREATE_UMEM, ua, 32), FW_BAD_SIZE,
		SYND_SIZE | OBJ_UMEM);
	PRM_SET(create_umem_in, in, umem.num_of_mtt, 4);
	PRM_SET(create_umem_in, in, umem.page_offset, 4096);
	REFUSED(run_cmd(MLX5_CMD_OP_CREATE_UMEM, ua, 32), FW_BAD_PARAM,
		SYND_VALUE | OBJ_UMEM);
	stop_fw();
}

static void flow_table_mismatch_refused(void)
{
	begin_test();
	fill_create(maker_of(OBJ_FLOW_GROUP), &w);
	REFUSED(run_cmd(MLX5_CMD_OP_CREATE_FLOW_GROUP, ua, 0), FW_BAD_PARAM,
		SYND_OVERLAP | OBJ_FLOW_GROUP);
	PRM_SET(create_flow_group_in, in, start_flow_index, 8);
	PRM_SET(create_flow_group_in, in, end_flow_index, 16);
	REFUSED(run_cmd(MLX5_CMD_OP_CREATE_FLOW_GROUP, ua, 0), FW_BAD_PARAM,
		SYND_INDEX | OBJ_FLOW_GROUP);
	PRM_SET(create_flow_group_in, in, end_flow_index, 15);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_CREATE_FLOW_GROUP, ua, 0), FW_OK);
	fill_create(maker_of(OBJ_FTE), &w);
	REFUSED(run_cmd(MLX5_CMD_OP_SET_FLOW_TABLE_ENTRY, ua, 16),
		FW_BAD_RES_STATE, SYND_EXISTS | OBJ_FTE);
	REFUSED(run_cmd(MLX5_CMD_OP_SET_FLOW_TABLE_ENTRY, ua, 8), FW_BAD_IN_LEN,
		SYND_LIST_LEN);
	PRM_SET(set_fte_in, in, flow_index, 8);
	REFUSED(run_cmd(MLX5_CMD_OP_SET_FLOW_TABLE_ENTRY, ua, 16), FW_BAD_PARAM,
		SYND_GROUP_RANGE | OBJ_FTE);
	PRM_SET(set_fte_in, in, table_type, 1);
	REFUSED(run_cmd(MLX5_CMD_OP_SET_FLOW_TABLE_ENTRY, ua, 16), FW_BAD_PARAM,
		SYND_TABLE | OBJ_FTE);
	name_it(MLX5_CMD_OP_QUERY_FLOW_TABLE, OBJ_FLOW_TABLE, &w);
	PRM_SET(query_flow_table_in, in, table_type, 1);
	REFUSED(run_cmd(MLX5_CMD_OP_QUERY_FLOW_TABLE, ua, 0), FW_BAD_PARAM,
		SYND_TABLE | OBJ_FLOW_TABLE);
	/* There is no e-switch, so there is no other vport. */
	fill_create(maker_of(OBJ_FLOW_TABLE), &w);
	PRM_SET(create_flow_table_in, in, table_type, 4);
	REFUSED(run_cmd(MLX5_CMD_OP_CREATE_FLOW_TABLE, ua, 0), FW_BAD_PARAM,
		SYND_CAP | OBJ_FLOW_TABLE);
	PRM_SET(create_flow_table_in, in, table_type, 0);
	PRM_SET(create_flow_table_in, in, other_vport, 1);
	REFUSED(run_cmd(MLX5_CMD_OP_CREATE_FLOW_TABLE, ua, 0), FW_BAD_PARAM,
		SYND_VPORT);
	stop_fw();
}

static void root_table_destroyed(void)
{
	struct fw_world k = {};

	start_fw();
	CHECK_EQ(make_obj(OBJ_FLOW_TABLE, &k), FW_OK);
	clear_in();
	PRM_SET(set_flow_table_root_in, in, table_id, k.id[OBJ_FLOW_TABLE]);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_SET_FLOW_TABLE_ROOT, 0, 0), FW_OK);
	CHECK_EQ(destroy_obj(OBJ_FLOW_TABLE, &k), FW_OK);
	clear_in();
	PRM_SET(set_flow_table_root_in, in, table_id, k.id[OBJ_FLOW_TABLE]);
	REFUSED(run_cmd(MLX5_CMD_OP_SET_FLOW_TABLE_ROOT, 0, 0),
		FW_BAD_RES_STATE, SYND_UNKNOWN | OBJ_FLOW_TABLE);
	stop_fw();
}

static void general_type_unknown_refused(void)
{
	begin_test();
	fill_create(maker_of(OBJ_GENERAL), &w);
	PRM_SET(general_obj_in_cmd_hdr, in, obj_type, 0x0d);
	REFUSED(run_cmd(MLX5_CMD_OP_CREATE_GENERAL_OBJECT, ua, 128),
		FW_BAD_PARAM, SYND_OBJ_TYPE | OBJ_GENERAL);
	PRM_SET(general_obj_in_cmd_hdr, in, obj_type, 0xff15);
	REFUSED(run_cmd(MLX5_CMD_OP_CREATE_GENERAL_OBJECT, ua, 128),
		FW_BAD_PARAM, SYND_OBJ_TYPE | OBJ_GENERAL);
	PRM_SET(general_obj_in_cmd_hdr, in, obj_type, 0x18);
	REFUSED(run_cmd(MLX5_CMD_OP_CREATE_GENERAL_OBJECT, ua, 127),
		FW_BAD_IN_LEN, SYND_LIST_LEN);
	PRM_SET(general_obj_in_cmd_hdr, in, vhca_tunnel_id, 1);
	REFUSED(run_cmd(MLX5_CMD_OP_CREATE_GENERAL_OBJECT, ua, 128),
		FW_BAD_PARAM, SYND_TUNNEL | OBJ_GENERAL);
	/* A table of another type does not exist. */
	clear_in();
	PRM_SET(general_obj_in_cmd_hdr, in, obj_type, 0x20);
	PRM_SET(general_obj_in_cmd_hdr, in, obj_id, w.id[OBJ_GENERAL]);
	REFUSED(run_cmd(MLX5_CMD_OP_DESTROY_GENERAL_OBJECT, ua, 0),
		FW_BAD_RES_STATE, SYND_UNKNOWN | OBJ_GENERAL);
	stop_fw();
}

static void limit_exceeded_refused(void)
{
	static const struct fw_conf conf = { .max_objs = 2 };
	struct fw_world k = {};
	unsigned int i;

	start_conf(&conf);
	CHECK_EQ(make_obj(OBJ_PD, &k), FW_OK);
	CHECK_EQ(make_obj(OBJ_PD, &k), FW_OK);
	REFUSED(make_obj(OBJ_PD, &k), FW_EXCEED_LIM, SYND_LIMIT | OBJ_PD);
	CHECK_EQ(destroy_obj(OBJ_PD, &k), FW_OK);
	CHECK_EQ(make_obj(OBJ_PD, &k), FW_OK);
	/* User contexts are objects: two were created at the start. */
	clear_in();
	REFUSED(run_cmd(MLX5_CMD_OP_CREATE_UCTX, 0, 0), FW_EXCEED_LIM,
		SYND_LIMIT | OBJ_UCTX);
	stop_fw();
	/* Limits of the capabilities: 255 counter sets, and 64 EQs. */
	start_fw();
	for (i = 0; i < 255; i++)
		CHECK_EQ(make_obj(OBJ_Q_COUNTER, &k), FW_OK);
	REFUSED(make_obj(OBJ_Q_COUNTER, &k), FW_EXCEED_LIM,
		SYND_LIMIT | OBJ_Q_COUNTER);
	clear_in();
	PRM_SET(set_l2_table_entry_in, in, table_index, 128);
	REFUSED(run_cmd(MLX5_CMD_OP_SET_L2_TABLE_ENTRY, 0, 0), FW_BAD_INDEX,
		SYND_INDEX | OBJ_L2);
	stop_fw();
}

static void strict_reserved_refused(void)
{
	const struct fw_cmd *cmd;
	size_t i;

	begin_test();
	fw_set_strict(fw, true);
	for (i = 0; (cmd = fw_cmd_row(i)); i++) {
		/* The field of the tunnel number is used. */
		if (cmd->obj_type == OBJ_GENERAL || cmd->flags & CMD_KERNEL)
			continue;
		clear_in();
		in[5] = 1;
		REFUSED(run_cmd(cmd->opcode, ua, 0), FW_BAD_PARAM,
			SYND_RESERVED);
	}
	clear_in();
	in[8] = 1;
	REFUSED(run_cmd(MLX5_CMD_OP_ALLOC_PD, ua, 0), FW_BAD_PARAM,
		SYND_RESERVED);
	name_it(MLX5_CMD_OP_DEALLOC_PD, OBJ_PD, &w);
	in[15] = 1;
	REFUSED(run_cmd(MLX5_CMD_OP_DEALLOC_PD, ua, 0), FW_BAD_PARAM,
		SYND_RESERVED);
	fill_create(maker_of(OBJ_CQ), &w);
	in[16 + 3] = 0x80;
	REFUSED(run_cmd(MLX5_CMD_OP_CREATE_CQ, ua, 0), FW_BAD_PARAM,
		SYND_RESERVED | OBJ_CQ);
	fill_create(maker_of(OBJ_QP), &w);
	in[0x18 + 0x10] = 1;
	REFUSED(run_cmd(MLX5_CMD_OP_CREATE_QP, ua, 0), FW_BAD_PARAM,
		SYND_RESERVED | OBJ_QP);
	fill_create(maker_of(OBJ_MKEY), &w);
	in[16] = 0x80;
	REFUSED(run_cmd(MLX5_CMD_OP_CREATE_MKEY, ua, 16), FW_BAD_PARAM,
		SYND_RESERVED | OBJ_MKEY);
	fw_set_strict(fw, false);
	clear_in();
	in[8] = 1;
	CHECK_EQ(run_cmd(MLX5_CMD_OP_ALLOC_PD, ua, 0), FW_OK);
	stop_fw();
	/* No create of a world sets reserved bits. */
	start_fw();
	fw_set_strict(fw, true);
	make_world(&w, ua);
	stop_fw();
}

int main(void)
{
	static const struct hca_test tests[] = {
		TAP(commands_short_length_refused),
		TAP(opcode_unknown_bad_op),
		TAP(op_mod_unknown_refused),
		TAP(object_unknown_bad_state),
		TAP(umem_range_exceeded_refused),
		TAP(flow_table_mismatch_refused),
		TAP(root_table_destroyed),
		TAP(general_type_unknown_refused),
		TAP(limit_exceeded_refused),
		TAP(strict_reserved_refused),
	};

	return TAP_RUN(tests);
}
