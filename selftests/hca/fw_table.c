// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The tables: what kinds of objects there are, and what commands.
 */
#include "fw_cmds.h"
#include "fw_uar.h"

#define NUM_24 0xffffff
/* Which capability has the log2 of how many there may be. */
#define CAP(f) \
	.cap_bit = PRM_BIT(cmd_hca_cap, f), \
	.cap_width = PRM_WIDTH(cmd_hca_cap, f)
/* A context of type @t, in a create's @in field and a query's @out field. */
#define CTX(i, fi, o, fo, t) \
	.ctx_in = PRM_BIT(i, fi) / 8, .ctx_out = PRM_BIT(o, fo) / 8, \
	.ctx_len = PRM_SZ(t)

const struct fw_kind_desc fw_kinds[K_COUNT] = {
	[K_UCTX] = { "uctx", K_UCTX, 1, 0xfffe, CAP(log_max_uctx) },
	[K_PD] = { "pd", K_PD, 1, NUM_24, CAP(log_max_pd) },
	/* Pages of the BAR, behind the initialization segment's and MSI-X's */
	[K_UAR] = { "uar", K_UAR, 16, 4095 },
	[K_TD] = { "td", K_TD, 1, NUM_24, CAP(log_max_transport_domain) },
	[K_XRCD] = { "xrcd", K_XRCD, 1, NUM_24, CAP(log_max_xrcd) },
	[K_EQ] = { "eq", K_EQ, 1, 64,
		CTX(create_eq_in, eq_context_entry,
		    query_eq_out, eq_context_entry, eqc), .list = 0x110 },
	[K_MKEY] = { "mkey", K_MKEY, 2, NUM_24, CAP(log_max_mkey),
		CTX(create_mkey_in, memory_key_mkey_entry,
		    query_mkey_out, memory_key_mkey_entry, mkc) },
	[K_CQ] = { "cq", K_CQ, 0x400, NUM_24, CAP(log_max_cq),
		CTX(create_cq_in, cq_context, query_cq_out, cq_context, cqc),
		.list = 0x110 },
	/* QPs and the raw queues, whose numbers doorbells do not tell apart */
	[K_QP] = { "qp", K_QP, 0x40, NUM_24, CAP(log_max_qp),
		CTX(create_qp_in, qpc, query_qp_out, qpc, qpc), .list = 0x110 },
	[K_SQ] = { "sq", K_QP, 0x40, NUM_24, CAP(log_max_sq),
		CTX(create_sq_in, ctx, query_sq_out, sq_context, sqc),
		.list = 0x110 },
	[K_RQ] = { "rq", K_QP, 0x40, NUM_24, CAP(log_max_rq),
		CTX(create_rq_in, ctx, query_rq_out, rq_context, rqc),
		.list = 0x110 },
	[K_DCT] = { "dct", K_QP, 0x40, NUM_24, CAP(log_max_qp),
		CTX(create_dct_in, dct_context_entry,
		    query_dct_out, dct_context_entry, dctc) },
	[K_SRQ] = { "srq", K_SRQ, 0x100, NUM_24, CAP(log_max_srq),
		CTX(create_srq_in, srq_context_entry,
		    query_srq_out, srq_context_entry, srqc), .list = 0x110 },
	[K_XRC_SRQ] = { "xrc_srq", K_SRQ, 0x100, NUM_24, CAP(log_max_srq),
		CTX(create_xrc_srq_in, xrc_srq_context_entry,
		    query_xrc_srq_out, xrc_srq_context_entry, xrc_srqc),
		.list = 0x110 },
	[K_RMP] = { "rmp", K_SRQ, 0x100, NUM_24, CAP(log_max_rmp),
		CTX(create_rmp_in, ctx, query_rmp_out, rmp_context, rmpc),
		.list = 0x110 },
	[K_XRQ] = { "xrq", K_SRQ, 0x100, NUM_24, CAP(log_max_xrq),
		CTX(create_xrq_in, xrq_context, query_xrq_out, xrq_context,
		    xrqc), .list = 0x150 },
	[K_RQT] = { "rqt", K_RQT, 1, NUM_24, CAP(log_max_rqt),
		CTX(create_rqt_in, rqt_context, query_rqt_out, rqt_context,
		    rqtc), .list = 0x110 },
	[K_TIR] = { "tir", K_TIR, 1, NUM_24, CAP(log_max_tir),
		CTX(create_tir_in, ctx, query_tir_out, tir_context, tirc) },
	[K_TIS] = { "tis", K_TIS, 1, NUM_24, CAP(log_max_tis),
		CTX(create_tis_in, ctx, query_tis_out, tis_context, tisc) },
	[K_PSV] = { "psv", K_PSV, 1, NUM_24 },
	[K_Q_COUNTER] = { "q_counter", K_Q_COUNTER, 1, 255 },
	[K_UMEM] = { "umem", K_UMEM, 1, NUM_24, CAP(log_max_umem) },
	[K_FLOW_TABLE] = { "flow_table", K_FLOW_TABLE, 1, NUM_24,
		CTX(create_flow_table_in, flow_table_context,
		    query_flow_table_out, flow_table_context,
		    flow_table_context) },
	[K_FLOW_GROUP] = { "flow_group", K_FLOW_GROUP, 1, NUM_24 },
	[K_FTE] = { "fte", K_FTE, 1, NUM_24 },
	[K_FLOW_COUNTER] = { "flow_counter", K_FLOW_COUNTER, 1, NUM_24 },
	[K_REFORMAT] = { "reformat", K_REFORMAT, 1, NUM_24 },
	[K_MODIFY_HEADER] = { "modify_header", K_MODIFY_HEADER, 1, NUM_24 },
	[K_SCHED] = { "sched", K_SCHED, 1, NUM_24,
		CTX(create_scheduling_element_in, scheduling_context,
		    query_scheduling_element_out, scheduling_context,
		    scheduling_context) },
	[K_MCG] = { "mcg", K_MCG, 1, NUM_24, CAP(log_max_mcg) },
	[K_VXLAN] = { "vxlan", K_VXLAN, 1, 0xffff },
	[K_L2] = { "l2_entry", K_L2, 1, NUM_24 },
	[K_GENERAL] = { "general", K_GENERAL, 1, NUM_24 },
};

/* Bits of the input's bytes 8 to 15. */
#define W(w, at) (((1ULL << ((w) % 64)) - 1) << (128 - (at) - (w)))
#define U(t, f) W(PRM_WIDTH(t, f), PRM_BIT(t, f))
#define U_ALL (~0ULL)
/* other_vport, other_eswitch and vport_number, as flow and vport commands */
#define U_VPORT (W(1, 64) | W(1, 65) | W(16, 80))
#define U_PORT (U_VPORT | W(4, 76))
/* A command of format @t: about no object, or one that the handler finds; */
#define PLAIN(op, n, t, k, fl, u, f) { \
	.opcode = op, .name = n, .in = PRM_SZ(t##_in), .out = PRM_SZ(t##_out), \
	.kind = k, .flags = fl, .used = u, .fn = f }
/* that makes one, whose number is field @id of the answer; */
#define MAKES(op, n, t, k, id, fl, u, f) { \
	.opcode = op, .name = n, .in = PRM_SZ(t##_in), .out = PRM_SZ(t##_out), \
	.kind = k, .id_bit = PRM_BIT(t##_out, id), \
	.id_width = PRM_WIDTH(t##_out, id), .flags = CMD_CREATE | (fl), \
	.used = u, .fn = f }
/* about the one with the number in field @id. */
#define ABOUT(op, n, t, k, id, fl, u, f) { \
	.opcode = op, .name = n, .in = PRM_SZ(t##_in), .out = PRM_SZ(t##_out), \
	.kind = k, .id_bit = PRM_BIT(t##_in, id), \
	.id_width = PRM_WIDTH(t##_in, id), .flags = fl, .used = u, .fn = f }
#define QP_MOVE(op, n, t) ABOUT(op, n, t, K_QP, qpn, 0, 0, fw_move_qp)
/* Commands of which the kernel's header has but a part. */
#define ODD(op, n, i, o, k, bit, width, fl, u, f) { \
	.opcode = op, .name = n, .in = i, .out = o, .kind = k, .id_bit = bit, \
	.id_width = width, .flags = fl, .used = u, .fn = f }
#define GENERAL(op, n, fl, u, f) \
	ODD(op, n, PRM_SZ(general_obj_in_cmd_hdr), \
	    PRM_SZ(general_obj_out_cmd_hdr), K_GENERAL, 0, 0, \
	    CMD_NO_MOD | (fl), u, f)

static const struct fw_cmd cmds[] = {
	/* The function */
	PLAIN(0x100, "QUERY_HCA_CAP", query_hca_cap, K_NONE,
	      CMD_EARLY | CMD_NO_MOD, U_ALL, fw_query_hca_cap),
	PLAIN(0x101, "QUERY_ADAPTER", query_adapter, K_NONE, CMD_EARLY, 0,
	      fw_query_adapter),
	PLAIN(0x102, "INIT_HCA", init_hca, K_NONE, CMD_EARLY | CMD_KERNEL,
	      U(init_hca_in, sw_vhca_id), fw_init_hca),
	PLAIN(0x103, "TEARDOWN_HCA", teardown_hca, K_NONE,
	      CMD_EARLY | CMD_KERNEL, U(teardown_hca_in, profile),
	      fw_teardown_hca),
	PLAIN(0x104, "ENABLE_HCA", enable_hca, K_NONE, CMD_EARLY | CMD_KERNEL,
	      W(1, 64) | W(16, 80), fw_enable_hca),
	PLAIN(0x105, "DISABLE_HCA", disable_hca, K_NONE, CMD_EARLY | CMD_KERNEL,
	      W(1, 64) | W(16, 80), fw_disable_hca),
	PLAIN(0x107, "QUERY_PAGES", query_pages, K_NONE,
	      CMD_EARLY | CMD_KERNEL | CMD_NO_MOD, W(1, 64) | W(16, 80),
	      fw_query_pages),
	PLAIN(0x108, "MANAGE_PAGES", manage_pages, K_NONE,
	      CMD_EARLY | CMD_KERNEL | CMD_NO_MOD, U_ALL, fw_manage_pages),
	PLAIN(0x109, "SET_HCA_CAP", set_hca_cap, K_NONE,
	      CMD_EARLY | CMD_KERNEL | CMD_NO_MOD, U_ALL, fw_set_hca_cap),
	PLAIN(0x10a, "QUERY_ISSI", query_issi, K_NONE, CMD_EARLY, 0,
	      fw_query_issi),
	PLAIN(0x10b, "SET_ISSI", set_issi, K_NONE, CMD_EARLY | CMD_KERNEL,
	      U(set_issi_in, current_issi), fw_set_issi),
	PLAIN(0x10d, "SET_DRIVER_VERSION", set_driver_version, K_NONE,
	      CMD_EARLY | CMD_KERNEL, 0, fw_ok),
	ODD(0x203, "QUERY_SPECIAL_CONTEXTS", 16, 16, K_NONE, 0, 0, 0, 0,
	    fw_query_special),
	PLAIN(0x805, "ACCESS_REGISTER", access_register, K_NONE,
	      CMD_EARLY | CMD_KERNEL | CMD_NO_MOD, U_ALL, fw_access_reg),
	PLAIN(0x80a, "GET_DROPPED_PACKET_LOG", get_dropped_packet_log, K_NONE,
	      0, 0, fw_ok),
	PLAIN(0x80d, "NOP", nop, K_NONE, CMD_EARLY, 0, fw_ok),
	PLAIN(0x842, "QUERY_LAG", query_lag, K_NONE, 0, 0, fw_ok),

	/* Users and their memory */
	MAKES(0xa04, "CREATE_UCTX", create_uctx, K_UCTX, uid, CMD_KERNEL, 0,
	      fw_create_uctx),
	PLAIN(0xa06, "DESTROY_UCTX", destroy_uctx, K_UCTX, CMD_KERNEL,
	      U(destroy_uctx_in, uid), fw_destroy_uctx),
	MAKES(0xa08, "CREATE_UMEM", create_umem, K_UMEM, umem_id, 0, 0,
	      fw_create_umem),
	ABOUT(0xa0a, "DESTROY_UMEM", destroy_umem, K_UMEM, umem_id, 0, 0,
	      fw_destroy),

	/* Memory keys */
	MAKES(0x200, "CREATE_MKEY", create_mkey, K_MKEY, mkey_index, 0,
	      W(3, 96), fw_create_mkey),
	ABOUT(0x201, "QUERY_MKEY", query_mkey, K_MKEY, mkey_index, 0,
	      U(query_mkey_in, pg_access), fw_query_mkey),
	ABOUT(0x202, "DESTROY_MKEY", destroy_mkey, K_MKEY, mkey_index, 0, 0,
	      fw_destroy),
	PLAIN(0x600, "CREATE_PSV", create_psv, K_PSV, CMD_CREATE,
	      U(create_psv_in, num_psv) | U(create_psv_in, pd), fw_create_psv),
	ABOUT(0x601, "DESTROY_PSV", destroy_psv, K_PSV, psvn, 0, 0, fw_destroy),

	/* Event and completion queues */
	MAKES(0x301, "CREATE_EQ", create_eq, K_EQ, eq_number, CMD_KERNEL, 0,
	      fw_create_eq),
	ABOUT(0x302, "DESTROY_EQ", destroy_eq, K_EQ, eq_number, CMD_KERNEL, 0,
	      fw_destroy),
	ABOUT(0x303, "QUERY_EQ", query_eq, K_EQ, eq_number, 0, 0, fw_query_eq),
	ODD(0x304, "GEN_EQE", PRM_SZ(gen_eqe_in), 16, K_EQ,
	    PRM_BIT(gen_eqe_in, eq_number), 8, CMD_KERNEL, 0, fw_gen_eqe),
	MAKES(0x400, "CREATE_CQ", create_cq, K_CQ, cqn, 0, 0, fw_create_cq),
	ABOUT(0x401, "DESTROY_CQ", destroy_cq, K_CQ, cqn, 0, 0, fw_destroy),
	ABOUT(0x402, "QUERY_CQ", query_cq, K_CQ, cqn, 0, 0, fw_query),
	ABOUT(0x403, "MODIFY_CQ", modify_cq, K_CQ, cqn, CMD_NO_MOD, W(32, 96),
	      fw_modify_cq),

	/* Queue pairs */
	MAKES(0x500, "CREATE_QP", create_qp, K_QP, qpn, 0,
	      W(1, 64) | U(create_qp_in, input_qpn), fw_create_qp),
	ABOUT(0x501, "DESTROY_QP", destroy_qp, K_QP, qpn, 0, 0, fw_destroy),
	QP_MOVE(0x502, "RST2INIT_QP", rst2init_qp),
	QP_MOVE(0x503, "INIT2RTR_QP", init2rtr_qp),
	QP_MOVE(0x504, "RTR2RTS_QP", rtr2rts_qp),
	QP_MOVE(0x505, "RTS2RTS_QP", rts2rts_qp),
	QP_MOVE(0x506, "SQERR2RTS_QP", sqerr2rts_qp),
	QP_MOVE(0x507, "2ERR_QP", qp_2err),
	QP_MOVE(0x50a, "2RST_QP", qp_2rst),
	/* Newer headers lengthen the answer by a part that nobody asks for */
	ODD(0x50b, "QUERY_QP", PRM_SZ(query_qp_in), 272, K_QP,
	    PRM_BIT(query_qp_in, qpn), 24, 0, W(1, 64), fw_query),
	QP_MOVE(0x50c, "SQD_RTS_QP", sqd2rts_qp),
	QP_MOVE(0x50e, "INIT2INIT_QP", init2init_qp),
	MAKES(0x710, "CREATE_DCT", create_dct, K_DCT, dctn, 0, 0,
	      fw_create_dct),
	ABOUT(0x711, "DESTROY_DCT", destroy_dct, K_DCT, dctn, 0, 0,
	      fw_destroy_dct),
	ABOUT(0x712, "DRAIN_DCT", drain_dct, K_DCT, dctn, 0, 0, fw_drain_dct),
	ABOUT(0x713, "QUERY_DCT", query_dct, K_DCT, dctn, 0, 0, fw_query),
	ABOUT(0x714, "ARM_DCT_FOR_KEY_VIOLATION", arm_dct, K_DCT, dct_number, 0,
	      0, fw_ok),
	PLAIN(0x806, "ATTACH_TO_MCG", attach_to_mcg, K_MCG, CMD_CREATE,
	      U(attach_to_mcg_in, qpn), fw_attach_mcg),
	PLAIN(0x807, "DETACH_FROM_MCG", detach_from_mcg, K_MCG, 0,
	      U(detach_from_mcg_in, qpn), fw_detach_mcg),

	/* Shared receive queues */
	MAKES(0x700, "CREATE_SRQ", create_srq, K_SRQ, srqn, 0, 0,
	      fw_create_srq),
	ABOUT(0x701, "DESTROY_SRQ", destroy_srq, K_SRQ, srqn, 0, 0, fw_destroy),
	ABOUT(0x702, "QUERY_SRQ", query_srq, K_SRQ, srqn, 0, 0, fw_query),
	PLAIN(0x703, "ARM_RQ", arm_rq, K_SRQ, CMD_NO_MOD,
	      U(arm_rq_in, srq_number) | U(arm_rq_in, lwm), fw_arm_rq),
	MAKES(0x705, "CREATE_XRC_SRQ", create_xrc_srq, K_XRC_SRQ, xrc_srqn, 0,
	      0, fw_create_xrc_srq),
	ABOUT(0x706, "DESTROY_XRC_SRQ", destroy_xrc_srq, K_XRC_SRQ, xrc_srqn, 0,
	      0, fw_destroy),
	ABOUT(0x707, "QUERY_XRC_SRQ", query_xrc_srq, K_XRC_SRQ, xrc_srqn, 0, 0,
	      fw_query),
	ABOUT(0x708, "ARM_XRC_SRQ", arm_xrc_srq, K_XRC_SRQ, xrc_srqn,
	      CMD_NO_MOD, U(arm_xrc_srq_in, lwm), fw_arm_xrc_srq),
	MAKES(0x717, "CREATE_XRQ", create_xrq, K_XRQ, xrqn, 0, 0,
	      fw_create_xrq),
	ABOUT(0x718, "DESTROY_XRQ", destroy_xrq, K_XRQ, xrqn, 0, 0, fw_destroy),
	ABOUT(0x719, "QUERY_XRQ", query_xrq, K_XRQ, xrqn, 0, 0, fw_query),
	ABOUT(0x71a, "ARM_XRQ", arm_xrq, K_XRQ, xrqn, CMD_NO_MOD,
	      U(arm_xrq_in, lwm), fw_arm_xrq),
	MAKES(0x90c, "CREATE_RMP", create_rmp, K_RMP, rmpn, 0, 0,
	      fw_create_rmp),
	ABOUT(0x90d, "MODIFY_RMP", modify_rmp, K_RMP, rmpn, 0,
	      U(modify_rmp_in, rmp_state), fw_modify_rmp),
	ABOUT(0x90e, "DESTROY_RMP", destroy_rmp, K_RMP, rmpn, 0, 0, fw_destroy),
	ABOUT(0x90f, "QUERY_RMP", query_rmp, K_RMP, rmpn, 0, 0, fw_query),

	/* Raw queues and steering's ends */
	MAKES(0x900, "CREATE_TIR", create_tir, K_TIR, tirn, 0, 0,
	      fw_create_tir),
	ABOUT(0x901, "MODIFY_TIR", modify_tir, K_TIR, tirn, 0, 0,
	      fw_modify_tir),
	ABOUT(0x902, "DESTROY_TIR", destroy_tir, K_TIR, tirn, 0, 0, fw_destroy),
	ABOUT(0x903, "QUERY_TIR", query_tir, K_TIR, tirn, 0, 0, fw_query),
	MAKES(0x904, "CREATE_SQ", create_sq, K_SQ, sqn, 0, 0, fw_create_sq),
	ABOUT(0x905, "MODIFY_SQ", modify_sq, K_SQ, sqn, 0,
	      U(modify_sq_in, sq_state), fw_modify_sq),
	ABOUT(0x906, "DESTROY_SQ", destroy_sq, K_SQ, sqn, 0, 0, fw_destroy),
	ABOUT(0x907, "QUERY_SQ", query_sq, K_SQ, sqn, 0, 0, fw_query),
	MAKES(0x908, "CREATE_RQ", create_rq, K_RQ, rqn, 0, 0, fw_create_rq),
	ABOUT(0x909, "MODIFY_RQ", modify_rq, K_RQ, rqn, 0,
	      U(modify_rq_in, rq_state), fw_modify_rq),
	ABOUT(0x90a, "DESTROY_RQ", destroy_rq, K_RQ, rqn, 0, 0, fw_destroy),
	ABOUT(0x90b, "QUERY_RQ", query_rq, K_RQ, rqn, 0, 0, fw_query),
	MAKES(0x912, "CREATE_TIS", create_tis, K_TIS, tisn, 0, 0,
	      fw_create_tis),
	ABOUT(0x913, "MODIFY_TIS", modify_tis, K_TIS, tisn, 0, 0,
	      fw_modify_tis),
	ABOUT(0x914, "DESTROY_TIS", destroy_tis, K_TIS, tisn, 0, 0, fw_destroy),
	ABOUT(0x915, "QUERY_TIS", query_tis, K_TIS, tisn, 0, 0, fw_query),
	MAKES(0x916, "CREATE_RQT", create_rqt, K_RQT, rqtn, 0, 0,
	      fw_create_rqt),
	ABOUT(0x917, "MODIFY_RQT", modify_rqt, K_RQT, rqtn, 0, 0,
	      fw_modify_rqt),
	ABOUT(0x918, "DESTROY_RQT", destroy_rqt, K_RQT, rqtn, 0, 0, fw_destroy),
	ABOUT(0x919, "QUERY_RQT", query_rqt, K_RQT, rqtn, 0, 0, fw_query),

	/* Flow steering */
	PLAIN(0x92f, "SET_FLOW_TABLE_ROOT", set_flow_table_root, K_FLOW_TABLE,
	      CMD_NO_MOD, U_VPORT | W(16, 112), fw_set_ft_root),
	MAKES(0x930, "CREATE_FLOW_TABLE", create_flow_table, K_FLOW_TABLE,
	      table_id, 0, U_VPORT, fw_create_ft),
	ABOUT(0x931, "DESTROY_FLOW_TABLE", destroy_flow_table, K_FLOW_TABLE,
	      table_id, 0, U_VPORT, fw_destroy_ft),
	ABOUT(0x932, "QUERY_FLOW_TABLE", query_flow_table, K_FLOW_TABLE,
	      table_id, 0, U_VPORT, fw_query_ft),
	MAKES(0x933, "CREATE_FLOW_GROUP", create_flow_group, K_FLOW_GROUP,
	      group_id, 0, U_VPORT, fw_create_fg),
	ABOUT(0x934, "DESTROY_FLOW_GROUP", destroy_flow_group, K_FLOW_GROUP,
	      group_id, 0, U_VPORT, fw_destroy_fg),
	ABOUT(0x935, "QUERY_FLOW_GROUP", query_flow_group, K_FLOW_GROUP,
	      group_id, 0, U_VPORT, fw_query_fg),
	ODD(0x936, "SET_FLOW_TABLE_ENTRY",
	    PRM_BYTE(set_fte_in, flow_context) +
	    PRM_BYTE(flow_context, destination), PRM_SZ(set_fte_out), K_FTE,
	    0, 0, CMD_NO_MOD | CMD_CREATE, U_VPORT, fw_set_fte),
	ODD(0x937, "QUERY_FLOW_TABLE_ENTRY", PRM_SZ(query_fte_in),
	    PRM_BYTE(query_fte_out, flow_context) +
	    PRM_BYTE(flow_context, destination), K_FTE, 0, 0, 0, U_VPORT,
	    fw_query_fte),
	PLAIN(0x938, "DELETE_FLOW_TABLE_ENTRY", delete_fte, K_FTE, 0, U_VPORT,
	      fw_delete_fte),
	MAKES(0x939, "ALLOC_FLOW_COUNTER", alloc_flow_counter, K_FLOW_COUNTER,
	      flow_counter_id, 0, W(16, 112), fw_alloc_counter),
	ABOUT(0x93a, "DEALLOC_FLOW_COUNTER", dealloc_flow_counter,
	      K_FLOW_COUNTER, flow_counter_id, 0, 0, fw_destroy),
	PLAIN(0x93b, "QUERY_FLOW_COUNTER", query_flow_counter, K_FLOW_COUNTER,
	      0, 0, fw_query_counter),
	ABOUT(0x93c, "MODIFY_FLOW_TABLE", modify_flow_table, K_FLOW_TABLE,
	      table_id, 0, U_VPORT | W(16, 112), fw_modify_ft),
	MAKES(0x93d, "ALLOC_PACKET_REFORMAT_CONTEXT",
	      alloc_packet_reformat_context, K_REFORMAT, packet_reformat_id, 0,
	      0, fw_alloc_reformat),
	ABOUT(0x93e, "DEALLOC_PACKET_REFORMAT_CONTEXT",
	      dealloc_packet_reformat_context, K_REFORMAT, packet_reformat_id,
	      0, 0, fw_destroy),
	ODD(0x93f, "QUERY_PACKET_REFORMAT_CONTEXT", 16,
	    PRM_SZ(query_packet_reformat_context_out), K_REFORMAT, 64, 32, 0,
	    0, fw_query_reformat),
	MAKES(0x940, "ALLOC_MODIFY_HEADER_CONTEXT", alloc_modify_header_context,
	      K_MODIFY_HEADER, modify_header_id, 0,
	      U(alloc_modify_header_context_in, table_type) |
	      U(alloc_modify_header_context_in, num_of_actions),
	      fw_alloc_modify_header),
	ABOUT(0x941, "DEALLOC_MODIFY_HEADER_CONTEXT",
	      dealloc_modify_header_context, K_MODIFY_HEADER, modify_header_id,
	      0, 0, fw_destroy),
	ODD(0x942, "QUERY_MODIFY_HEADER_CONTEXT", 16, 16, K_MODIFY_HEADER, 64,
	    32, 0, 0, fw_query_modify_header),

	/* Small objects */
	MAKES(0x771, "ALLOC_Q_COUNTER", alloc_q_counter, K_Q_COUNTER,
	      counter_set_id, 0, 0, fw_create),
	ABOUT(0x772, "DEALLOC_Q_COUNTER", dealloc_q_counter, K_Q_COUNTER,
	      counter_set_id, 0, 0, fw_destroy),
	ABOUT(0x773, "QUERY_Q_COUNTER", query_q_counter, K_Q_COUNTER,
	      counter_set_id, 0, U_VPORT, fw_query_q_counter),
	PLAIN(0x780, "SET_PP_RATE_LIMIT", set_pp_rate_limit, K_NONE, 0,
	      U(set_pp_rate_limit_in, rate_limit_index), fw_set_pp_rate),
	MAKES(0x782, "CREATE_SCHEDULING_ELEMENT", create_scheduling_element,
	      K_SCHED, scheduling_element_id, 0, W(8, 64), fw_create_sched),
	ABOUT(0x783, "DESTROY_SCHEDULING_ELEMENT", destroy_scheduling_element,
	      K_SCHED, scheduling_element_id, 0, W(8, 64), fw_destroy_sched),
	ABOUT(0x784, "QUERY_SCHEDULING_ELEMENT", query_scheduling_element,
	      K_SCHED, scheduling_element_id, 0, W(8, 64), fw_query_sched),
	ODD(0x785, "MODIFY_SCHEDULING_ELEMENT",
	    PRM_SZ(modify_scheduling_element_in), 64, K_SCHED,
	    PRM_BIT(modify_scheduling_element_in, scheduling_element_id), 32,
	    0, W(8, 64), fw_modify_sched),
	MAKES(0x800, "ALLOC_PD", alloc_pd, K_PD, pd, 0, 0, fw_create),
	ABOUT(0x801, "DEALLOC_PD", dealloc_pd, K_PD, pd, 0, 0, fw_destroy),
	MAKES(0x802, "ALLOC_UAR", alloc_uar, K_UAR, uar, 0, 0, fw_alloc_uar),
	ABOUT(0x803, "DEALLOC_UAR", dealloc_uar, K_UAR, uar, 0, 0, fw_destroy),
	MAKES(0x80e, "ALLOC_XRCD", alloc_xrcd, K_XRCD, xrcd, 0, 0, fw_create),
	ABOUT(0x80f, "DEALLOC_XRCD", dealloc_xrcd, K_XRCD, xrcd, 0, 0,
	      fw_destroy),
	MAKES(0x816, "ALLOC_TRANSPORT_DOMAIN", alloc_transport_domain, K_TD,
	      transport_domain, 0, 0, fw_create),
	ABOUT(0x817, "DEALLOC_TRANSPORT_DOMAIN", dealloc_transport_domain, K_TD,
	      transport_domain, 0, 0, fw_destroy),
	PLAIN(0x827, "ADD_VXLAN_UDP_DPORT", add_vxlan_udp_dport, K_VXLAN,
	      CMD_CREATE, U(add_vxlan_udp_dport_in, vxlan_udp_port),
	      fw_add_vxlan),
	ABOUT(0x828, "DELETE_VXLAN_UDP_DPORT", delete_vxlan_udp_dport, K_VXLAN,
	      vxlan_udp_port, 0, 0, fw_destroy),
	PLAIN(0x829, "SET_L2_TABLE_ENTRY", set_l2_table_entry, K_L2, CMD_CREATE,
	      0, fw_set_l2),
	PLAIN(0x82a, "QUERY_L2_TABLE_ENTRY", query_l2_table_entry, K_L2, 0, 0,
	      fw_query_l2),
	PLAIN(0x82b, "DELETE_L2_TABLE_ENTRY", delete_l2_table_entry, K_L2, 0, 0,
	      fw_delete_l2),
	ODD(0xa00, "CREATE_GENERAL_OBJECT", PRM_SZ(general_obj_in_cmd_hdr),
	    PRM_SZ(general_obj_out_cmd_hdr), K_GENERAL,
	    PRM_BIT(general_obj_out_cmd_hdr, obj_id), 32,
	    CMD_CREATE | CMD_NO_MOD, W(5, 99), fw_create_general),
	GENERAL(0xa01, "MODIFY_GENERAL_OBJECT", 0, U_ALL, fw_modify_general),
	GENERAL(0xa02, "QUERY_GENERAL_OBJECT", 0, U_ALL, fw_query_general),
	GENERAL(0xa03, "DESTROY_GENERAL_OBJECT", 0, U_ALL, fw_destroy_general),

	/* The port and the vport */
	ODD(0x740, "QUERY_ESW_FUNCTIONS", 16, 16, K_NONE, 0, 0, 0, 0,
	    fw_query_esw_functions),
	PLAIN(0x750, "QUERY_VPORT_STATE", query_vport_state, K_NONE, CMD_NO_MOD,
	      U_VPORT, fw_query_vport_state),
	PLAIN(0x751, "MODIFY_VPORT_STATE", modify_vport_state, K_NONE,
	      CMD_KERNEL | CMD_NO_MOD, U_ALL, fw_modify_vport_state),
	PLAIN(0x752, "QUERY_ESW_VPORT_CONTEXT", query_esw_vport_context, K_NONE,
	      0, U_VPORT, fw_query_esw_vport),
	PLAIN(0x753, "MODIFY_ESW_VPORT_CONTEXT", modify_esw_vport_context,
	      K_NONE, CMD_KERNEL, U_ALL, fw_modify_esw_vport),
	PLAIN(0x754, "QUERY_NIC_VPORT_CONTEXT", query_nic_vport_context, K_NONE,
	      0, U_VPORT | W(3, 101), fw_query_nic_vport),
	PLAIN(0x755, "MODIFY_NIC_VPORT_CONTEXT", modify_nic_vport_context,
	      K_NONE, CMD_KERNEL, U_ALL, fw_modify_nic_vport),
	PLAIN(0x760, "QUERY_ROCE_ADDRESS", query_roce_address, K_NONE, 0,
	      W(16, 64) | W(4, 92), fw_query_roce_address),
	PLAIN(0x761, "SET_ROCE_ADDRESS", set_roce_address, K_NONE, CMD_KERNEL,
	      W(16, 64) | W(4, 92), fw_set_roce_address),
	PLAIN(0x762, "QUERY_HCA_VPORT_CONTEXT", query_hca_vport_context, K_NONE,
	      0, U_PORT, fw_query_hca_vport),
	PLAIN(0x763, "MODIFY_HCA_VPORT_CONTEXT", modify_hca_vport_context,
	      K_NONE, CMD_KERNEL, U_PORT, fw_modify_hca_vport),
	PLAIN(0x764, "QUERY_HCA_VPORT_GID", query_hca_vport_gid, K_NONE, 0,
	      U_PORT | W(16, 112), fw_query_hca_gid),
	PLAIN(0x765, "QUERY_HCA_VPORT_PKEY", query_hca_vport_pkey, K_NONE, 0,
	      U_PORT | W(16, 112), fw_query_hca_pkey),
	PLAIN(0x76f, "QUERY_VNIC_ENV", query_vnic_env, K_NONE, 0, U_VPORT,
	      fw_vport_zero),
	PLAIN(0x770, "QUERY_VPORT_COUNTER", query_vport_counter, K_NONE, 0,
	      U_PORT, fw_vport_zero),
	PLAIN(0x822, "QUERY_CONG_STATUS", query_cong_status, K_NONE, 0, U_ALL,
	      fw_query_cong_status),
	PLAIN(0x823, "MODIFY_CONG_STATUS", modify_cong_status, K_NONE,
	      CMD_KERNEL, U_ALL, fw_modify_cong_status),
	PLAIN(0x824, "QUERY_CONG_PARAMS", query_cong_params, K_NONE, 0, U_ALL,
	      fw_query_cong_params),
	PLAIN(0x825, "MODIFY_CONG_PARAMS", modify_cong_params, K_NONE,
	      CMD_KERNEL, U_ALL, fw_modify_cong_params),
	PLAIN(0x826, "QUERY_CONG_STATISTICS", query_cong_statistics, K_NONE, 0,
	      U_ALL, fw_ok),

};

const struct fw_cmd *fw_cmd_row(size_t i)
{
	return i < ARRAY_SIZE(cmds) ? &cmds[i] : NULL;
}

const struct fw_cmd *fw_cmd_find(u16 opcode)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cmds); i++)
		if (cmds[i].opcode == opcode)
			return &cmds[i];
	return NULL;
}

const char *fw_opcode_name(uint16_t opcode)
{
	const struct fw_cmd *cmd = fw_cmd_find(opcode);

	return cmd ? cmd->name : NULL;
}
