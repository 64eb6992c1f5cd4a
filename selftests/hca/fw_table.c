// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The table of commands. It is the model's own: the module's table must not be
 * used here, or an error in it would be in both.
 */
#include "caps.h"
#include "fw_cq.h"
#include "fw_dct.h"
#include "fw_esw.h"
#include "fw_flow.h"
#include "fw_fte.h"
#include "fw_hca.h"
#include "fw_mem.h"
#include "fw_misc.h"
#include "fw_mr.h"
#include "fw_port.h"
#include "fw_qp.h"
#include "fw_rqsq.h"
#include "fw_srq.h"
#include "fw_table.h"
#include "fw_uar.h"
#include "fw_vport.h"

/*
 * Bits @at to @at + @w - 1 of the input mailbox, as struct fw_cmd::used has
 * them.
 */
#define W(w, at) (((1ULL << ((w) % 64)) - 1) << (128 - (at) - (w)))
#define U(t, f) W(PRM_WIDTH(t, f), PRM_BIT(t, f))
#define U_ALL (~0ULL)
/* other_vport, other_eswitch and vport_number of flow and vport commands */
#define U_VPORT (W(1, 64) | W(1, 65) | W(16, 80))
#define U_PORT (U_VPORT | W(4, 76))

#define OP(n) .opcode = MLX5_CMD_OP_##n, .name = #n
/* A command of format @t whose handler finds the object, if there is one. */
#define PLAIN(n, t, type, fl, u, f) { \
	OP(n), .in = PRM_SZ(t##_in), .out = PRM_SZ(t##_out), \
	.obj_type = type, .flags = fl, .used = u, .fn = f }
/* A create of format @t: the number is field @id of the output. */
#define CREATES(n, t, type, id, fl, u, f) { \
	OP(n), .in = PRM_SZ(t##_in), .out = PRM_SZ(t##_out), \
	.obj_type = type, .id_bit = PRM_BIT(t##_out, id), \
	.id_width = PRM_WIDTH(t##_out, id), .flags = CMD_CREATE | (fl), \
	.used = u, .fn = f }
/* A command of format @t: the object's number is field @id of the input. */
#define TARGETS(n, t, type, id, fl, u, f) { \
	OP(n), .in = PRM_SZ(t##_in), .out = PRM_SZ(t##_out), \
	.obj_type = type, .id_bit = PRM_BIT(t##_in, id), \
	.id_width = PRM_WIDTH(t##_in, id), .flags = fl, .used = u, .fn = f }
#define QP_TRANSITION(n, t) TARGETS(n, t, OBJ_QP, qpn, 0, 0, fw_change_qp)
/* A command whose format mlx5_ifc.h lacks, or has in part. */
#define CUSTOM(n, i, o, type, bit, width, fl, u, f) { \
	OP(n), .in = i, .out = o, .obj_type = type, .id_bit = bit, \
	.id_width = width, .flags = fl, .used = u, .fn = f }
#define GENERAL(n, fl, u, f) \
	CUSTOM(n, PRM_SZ(general_obj_in_cmd_hdr), \
	       PRM_SZ(general_obj_out_cmd_hdr), OBJ_GENERAL, 0, 0, \
	       CMD_NO_MOD | (fl), u, f)

static const struct fw_cmd cmds[] = {
	/* The function */
	PLAIN(QUERY_HCA_CAP, query_hca_cap, OBJ_NONE, CMD_EARLY | CMD_NO_MOD,
	      U_ALL, fw_query_hca_cap),
	PLAIN(QUERY_ADAPTER, query_adapter, OBJ_NONE, CMD_EARLY, 0,
	      fw_query_adapter),
	PLAIN(INIT_HCA, init_hca, OBJ_NONE, CMD_EARLY | CMD_KERNEL,
	      U(init_hca_in, sw_vhca_id), fw_init_hca),
	PLAIN(TEARDOWN_HCA, teardown_hca, OBJ_NONE, CMD_EARLY | CMD_KERNEL,
	      U(teardown_hca_in, profile), fw_teardown_hca),
	PLAIN(ENABLE_HCA, enable_hca, OBJ_NONE, CMD_EARLY | CMD_KERNEL,
	      W(1, 64) | W(16, 80), fw_enable_hca),
	PLAIN(DISABLE_HCA, disable_hca, OBJ_NONE, CMD_EARLY | CMD_KERNEL,
	      W(1, 64) | W(16, 80), fw_disable_hca),
	PLAIN(QUERY_PAGES, query_pages, OBJ_NONE,
	      CMD_EARLY | CMD_KERNEL | CMD_NO_MOD, W(1, 64) | W(16, 80),
	      fw_query_pages),
	PLAIN(MANAGE_PAGES, manage_pages, OBJ_NONE,
	      CMD_EARLY | CMD_KERNEL | CMD_NO_MOD, U_ALL, fw_manage_pages),
	PLAIN(SET_HCA_CAP, set_hca_cap, OBJ_NONE,
	      CMD_EARLY | CMD_KERNEL | CMD_NO_MOD, U_ALL, fw_set_hca_cap),
	PLAIN(QUERY_ISSI, query_issi, OBJ_NONE, CMD_EARLY, 0, fw_query_issi),
	PLAIN(SET_ISSI, set_issi, OBJ_NONE, CMD_EARLY | CMD_KERNEL,
	      U(set_issi_in, current_issi), fw_set_issi),
	PLAIN(SET_DRIVER_VERSION, set_driver_version, OBJ_NONE,
	      CMD_EARLY | CMD_KERNEL, 0, fw_ok),
	CUSTOM(QUERY_SPECIAL_CONTEXTS, 16, 16, OBJ_NONE, 0, 0, 0, 0,
	       fw_query_special),
	PLAIN(ACCESS_REG, access_register, OBJ_NONE,
	      CMD_EARLY | CMD_KERNEL | CMD_NO_MOD, U_ALL, fw_access_reg),
	PLAIN(GET_DROPPED_PACKET_LOG, get_dropped_packet_log, OBJ_NONE, 0, 0,
	      fw_ok),
	PLAIN(NOP, nop, OBJ_NONE, CMD_EARLY, 0, fw_ok),
	PLAIN(QUERY_LAG, query_lag, OBJ_NONE, 0, 0, fw_ok),

	/* User contexts and umems */
	CREATES(CREATE_UCTX, create_uctx, OBJ_UCTX, uid, CMD_KERNEL, 0,
		fw_create_uctx),
	PLAIN(DESTROY_UCTX, destroy_uctx, OBJ_UCTX, CMD_KERNEL,
	      U(destroy_uctx_in, uid), fw_destroy_uctx),
	CREATES(CREATE_UMEM, create_umem, OBJ_UMEM, umem_id, 0, 0,
		fw_create_umem),
	TARGETS(DESTROY_UMEM, destroy_umem, OBJ_UMEM, umem_id, 0, 0,
		fw_destroy),

	/* Memory keys */
	CREATES(CREATE_MKEY, create_mkey, OBJ_MKEY, mkey_index, 0, W(3, 96),
		fw_create_mkey),
	TARGETS(QUERY_MKEY, query_mkey, OBJ_MKEY, mkey_index, 0,
		U(query_mkey_in, pg_access), fw_query_mkey),
	TARGETS(DESTROY_MKEY, destroy_mkey, OBJ_MKEY, mkey_index, 0, 0,
		fw_destroy),
	PLAIN(CREATE_PSV, create_psv, OBJ_PSV, CMD_CREATE,
	      U(create_psv_in, num_psv) | U(create_psv_in, pd), fw_create_psv),
	TARGETS(DESTROY_PSV, destroy_psv, OBJ_PSV, psvn, 0, 0, fw_destroy),

	/* Event and completion queues */
	CREATES(CREATE_EQ, create_eq, OBJ_EQ, eq_number, CMD_KERNEL, 0,
		fw_create_eq),
	TARGETS(DESTROY_EQ, destroy_eq, OBJ_EQ, eq_number, CMD_KERNEL, 0,
		fw_destroy),
	TARGETS(QUERY_EQ, query_eq, OBJ_EQ, eq_number, 0, 0, fw_query_eq),
	CUSTOM(GEN_EQE, PRM_SZ(gen_eqe_in), 16, OBJ_EQ,
	       PRM_BIT(gen_eqe_in, eq_number), 8, CMD_KERNEL, 0, fw_gen_eqe),
	CREATES(CREATE_CQ, create_cq, OBJ_CQ, cqn, 0, 0, fw_create_cq),
	TARGETS(DESTROY_CQ, destroy_cq, OBJ_CQ, cqn, 0, 0, fw_destroy),
	TARGETS(QUERY_CQ, query_cq, OBJ_CQ, cqn, 0, 0, fw_query),
	TARGETS(MODIFY_CQ, modify_cq, OBJ_CQ, cqn, CMD_NO_MOD, W(32, 96),
		fw_modify_cq),

	/* Queue pairs */
	CREATES(CREATE_QP, create_qp, OBJ_QP, qpn, 0,
		W(1, 64) | U(create_qp_in, input_qpn), fw_create_qp),
	TARGETS(DESTROY_QP, destroy_qp, OBJ_QP, qpn, 0, 0, fw_destroy),
	QP_TRANSITION(RST2INIT_QP, rst2init_qp),
	QP_TRANSITION(INIT2RTR_QP, init2rtr_qp),
	QP_TRANSITION(RTR2RTS_QP, rtr2rts_qp),
	QP_TRANSITION(RTS2RTS_QP, rts2rts_qp),
	QP_TRANSITION(SQERR2RTS_QP, sqerr2rts_qp),
	QP_TRANSITION(2ERR_QP, qp_2err),
	QP_TRANSITION(2RST_QP, qp_2rst),
	/* The output without the part that newer headers append */
	CUSTOM(QUERY_QP, PRM_SZ(query_qp_in), 272, OBJ_QP,
	       PRM_BIT(query_qp_in, qpn), 24, 0, W(1, 64), fw_query),
	QP_TRANSITION(SQD_RTS_QP, sqd2rts_qp),
	QP_TRANSITION(INIT2INIT_QP, init2init_qp),
	CREATES(CREATE_DCT, create_dct, OBJ_DCT, dctn, 0, 0, fw_create_dct),
	TARGETS(DESTROY_DCT, destroy_dct, OBJ_DCT, dctn, 0, 0, fw_destroy_dct),
	TARGETS(DRAIN_DCT, drain_dct, OBJ_DCT, dctn, 0, 0, fw_drain_dct),
	TARGETS(QUERY_DCT, query_dct, OBJ_DCT, dctn, 0, 0, fw_query),
	TARGETS(ARM_DCT_FOR_KEY_VIOLATION, arm_dct, OBJ_DCT, dct_number, 0, 0,
		fw_ok),
	PLAIN(ATTACH_TO_MCG, attach_to_mcg, OBJ_MCG, CMD_CREATE,
	      U(attach_to_mcg_in, qpn), fw_attach_mcg),
	PLAIN(DETACH_FROM_MCG, detach_from_mcg, OBJ_MCG, 0,
	      U(detach_from_mcg_in, qpn), fw_detach_mcg),

	/* Shared receive queues */
	CREATES(CREATE_SRQ, create_srq, OBJ_SRQ, srqn, 0, 0, fw_create_srq),
	TARGETS(DESTROY_SRQ, destroy_srq, OBJ_SRQ, srqn, 0, 0, fw_destroy),
	TARGETS(QUERY_SRQ, query_srq, OBJ_SRQ, srqn, 0, 0, fw_query),
	PLAIN(ARM_RQ, arm_rq, OBJ_SRQ, CMD_NO_MOD,
	      U(arm_rq_in, srq_number) | U(arm_rq_in, lwm), fw_arm_rq),
	CREATES(CREATE_XRC_SRQ, create_xrc_srq, OBJ_XRC_SRQ, xrc_srqn, 0, 0,
		fw_create_xrc_srq),
	TARGETS(DESTROY_XRC_SRQ, destroy_xrc_srq, OBJ_XRC_SRQ, xrc_srqn, 0, 0,
		fw_destroy),
	TARGETS(QUERY_XRC_SRQ, query_xrc_srq, OBJ_XRC_SRQ, xrc_srqn, 0, 0,
		fw_query),
	TARGETS(ARM_XRC_SRQ, arm_xrc_srq, OBJ_XRC_SRQ, xrc_srqn, CMD_NO_MOD,
		U(arm_xrc_srq_in, lwm), fw_arm_xrc_srq),
	CREATES(CREATE_XRQ, create_xrq, OBJ_XRQ, xrqn, 0, 0, fw_create_xrq),
	TARGETS(DESTROY_XRQ, destroy_xrq, OBJ_XRQ, xrqn, 0, 0, fw_destroy),
	TARGETS(QUERY_XRQ, query_xrq, OBJ_XRQ, xrqn, 0, 0, fw_query),
	TARGETS(ARM_XRQ, arm_xrq, OBJ_XRQ, xrqn, CMD_NO_MOD, U(arm_xrq_in, lwm),
		fw_arm_xrq),
	CREATES(CREATE_RMP, create_rmp, OBJ_RMP, rmpn, 0, 0, fw_create_rmp),
	TARGETS(MODIFY_RMP, modify_rmp, OBJ_RMP, rmpn, 0,
		U(modify_rmp_in, rmp_state), fw_modify_rmp),
	TARGETS(DESTROY_RMP, destroy_rmp, OBJ_RMP, rmpn, 0, 0, fw_destroy),
	TARGETS(QUERY_RMP, query_rmp, OBJ_RMP, rmpn, 0, 0, fw_query),

	/* Raw queues, TIRs, TISs, RQTs */
	CREATES(CREATE_TIR, create_tir, OBJ_TIR, tirn, 0, 0, fw_create_tir),
	TARGETS(MODIFY_TIR, modify_tir, OBJ_TIR, tirn, 0, 0, fw_modify_tir),
	TARGETS(DESTROY_TIR, destroy_tir, OBJ_TIR, tirn, 0, 0, fw_destroy),
	TARGETS(QUERY_TIR, query_tir, OBJ_TIR, tirn, 0, 0, fw_query),
	CREATES(CREATE_SQ, create_sq, OBJ_SQ, sqn, 0, 0, fw_create_sq),
	TARGETS(MODIFY_SQ, modify_sq, OBJ_SQ, sqn, 0, U(modify_sq_in, sq_state),
		fw_modify_sq),
	TARGETS(DESTROY_SQ, destroy_sq, OBJ_SQ, sqn, 0, 0, fw_destroy),
	TARGETS(QUERY_SQ, query_sq, OBJ_SQ, sqn, 0, 0, fw_query),
	CREATES(CREATE_RQ, create_rq, OBJ_RQ, rqn, 0, 0, fw_create_rq),
	TARGETS(MODIFY_RQ, modify_rq, OBJ_RQ, rqn, 0, U(modify_rq_in, rq_state),
		fw_modify_rq),
	TARGETS(DESTROY_RQ, destroy_rq, OBJ_RQ, rqn, 0, 0, fw_destroy),
	TARGETS(QUERY_RQ, query_rq, OBJ_RQ, rqn, 0, 0, fw_query),
	CREATES(CREATE_TIS, create_tis, OBJ_TIS, tisn, 0, 0, fw_create_tis),
	TARGETS(MODIFY_TIS, modify_tis, OBJ_TIS, tisn, 0, 0, fw_modify_tis),
	TARGETS(DESTROY_TIS, destroy_tis, OBJ_TIS, tisn, 0, 0, fw_destroy),
	TARGETS(QUERY_TIS, query_tis, OBJ_TIS, tisn, 0, 0, fw_query),
	CREATES(CREATE_RQT, create_rqt, OBJ_RQT, rqtn, 0, 0, fw_create_rqt),
	TARGETS(MODIFY_RQT, modify_rqt, OBJ_RQT, rqtn, 0, 0, fw_modify_rqt),
	TARGETS(DESTROY_RQT, destroy_rqt, OBJ_RQT, rqtn, 0, 0, fw_destroy),
	TARGETS(QUERY_RQT, query_rqt, OBJ_RQT, rqtn, 0, 0, fw_query),

	/* Flow steering */
	PLAIN(SET_FLOW_TABLE_ROOT, set_flow_table_root, OBJ_FLOW_TABLE,
	      CMD_NO_MOD, U_VPORT | W(16, 112), fw_set_ft_root),
	CREATES(CREATE_FLOW_TABLE, create_flow_table, OBJ_FLOW_TABLE, table_id,
		0, U_VPORT, fw_create_ft),
	TARGETS(DESTROY_FLOW_TABLE, destroy_flow_table, OBJ_FLOW_TABLE,
		table_id, 0, U_VPORT, fw_destroy_ft),
	TARGETS(QUERY_FLOW_TABLE, query_flow_table, OBJ_FLOW_TABLE, table_id, 0,
		U_VPORT, fw_query_ft),
	CREATES(CREATE_FLOW_GROUP, create_flow_group, OBJ_FLOW_GROUP, group_id,
		0, U_VPORT, fw_create_fg),
	TARGETS(DESTROY_FLOW_GROUP, destroy_flow_group, OBJ_FLOW_GROUP,
		group_id, 0, U_VPORT, fw_destroy_fg),
	TARGETS(QUERY_FLOW_GROUP, query_flow_group, OBJ_FLOW_GROUP, group_id, 0,
		U_VPORT, fw_query_fg),
	CUSTOM(SET_FLOW_TABLE_ENTRY,
	       PRM_BYTE(set_fte_in, flow_context) +
	       PRM_BYTE(flow_context, destination),
	       PRM_SZ(set_fte_out), OBJ_FTE, 0, 0, CMD_NO_MOD | CMD_CREATE,
	       U_VPORT, fw_set_fte),
	CUSTOM(QUERY_FLOW_TABLE_ENTRY, PRM_SZ(query_fte_in),
	       PRM_BYTE(query_fte_out, flow_context) +
	       PRM_BYTE(flow_context, destination),
	       OBJ_FTE, 0, 0, 0, U_VPORT, fw_query_fte),
	PLAIN(DELETE_FLOW_TABLE_ENTRY, delete_fte, OBJ_FTE, 0, U_VPORT,
	      fw_delete_fte),
	CREATES(ALLOC_FLOW_COUNTER, alloc_flow_counter, OBJ_FLOW_COUNTER,
		flow_counter_id, 0, W(16, 112), fw_alloc_counter),
	TARGETS(DEALLOC_FLOW_COUNTER, dealloc_flow_counter, OBJ_FLOW_COUNTER,
		flow_counter_id, 0, 0, fw_destroy),
	PLAIN(QUERY_FLOW_COUNTER, query_flow_counter, OBJ_FLOW_COUNTER, 0, 0,
	      fw_query_counter),
	TARGETS(MODIFY_FLOW_TABLE, modify_flow_table, OBJ_FLOW_TABLE, table_id,
		0, U_VPORT | W(16, 112), fw_modify_ft),
	CREATES(ALLOC_PACKET_REFORMAT_CONTEXT, alloc_packet_reformat_context,
		OBJ_REFORMAT, packet_reformat_id, 0, 0, fw_alloc_reformat),
	TARGETS(DEALLOC_PACKET_REFORMAT_CONTEXT,
		dealloc_packet_reformat_context, OBJ_REFORMAT,
		packet_reformat_id, 0, 0, fw_destroy),
	CUSTOM(QUERY_PACKET_REFORMAT_CONTEXT, 16,
	       PRM_SZ(query_packet_reformat_context_out), OBJ_REFORMAT, 64, 32,
	       0, 0, fw_query_reformat),
	CREATES(ALLOC_MODIFY_HEADER_CONTEXT, alloc_modify_header_context,
		OBJ_MODIFY_HEADER, modify_header_id, 0,
		U(alloc_modify_header_context_in, table_type) |
		U(alloc_modify_header_context_in, num_of_actions),
		fw_alloc_modify_header),
	TARGETS(DEALLOC_MODIFY_HEADER_CONTEXT, dealloc_modify_header_context,
		OBJ_MODIFY_HEADER, modify_header_id, 0, 0, fw_destroy),
	CUSTOM(QUERY_MODIFY_HEADER_CONTEXT, 16, 16, OBJ_MODIFY_HEADER, 64, 32,
	       0, 0, fw_query_modify_header),

	/* Small objects */
	CREATES(ALLOC_Q_COUNTER, alloc_q_counter, OBJ_Q_COUNTER, counter_set_id,
		0, 0, fw_create),
	TARGETS(DEALLOC_Q_COUNTER, dealloc_q_counter, OBJ_Q_COUNTER,
		counter_set_id, 0, 0, fw_destroy),
	TARGETS(QUERY_Q_COUNTER, query_q_counter, OBJ_Q_COUNTER, counter_set_id,
		0, U_VPORT, fw_query_q_counter),
	PLAIN(SET_PP_RATE_LIMIT, set_pp_rate_limit, OBJ_NONE, 0,
	      U(set_pp_rate_limit_in, rate_limit_index), fw_set_pp_rate),
	CREATES(CREATE_SCHEDULING_ELEMENT, create_scheduling_element, OBJ_SCHED,
		scheduling_element_id, 0, W(8, 64), fw_create_sched),
	TARGETS(DESTROY_SCHEDULING_ELEMENT, destroy_scheduling_element,
		OBJ_SCHED, scheduling_element_id, 0, W(8, 64),
		fw_destroy_sched),
	TARGETS(QUERY_SCHEDULING_ELEMENT, query_scheduling_element, OBJ_SCHED,
		scheduling_element_id, 0, W(8, 64), fw_query_sched),
	CUSTOM(MODIFY_SCHEDULING_ELEMENT, PRM_SZ(modify_scheduling_element_in),
	       64, OBJ_SCHED,
	       PRM_BIT(modify_scheduling_element_in, scheduling_element_id), 32,
	       0, W(8, 64), fw_modify_sched),
	CREATES(ALLOC_PD, alloc_pd, OBJ_PD, pd, 0, 0, fw_create),
	TARGETS(DEALLOC_PD, dealloc_pd, OBJ_PD, pd, 0, 0, fw_destroy),
	CREATES(ALLOC_UAR, alloc_uar, OBJ_UAR, uar, 0, 0, fw_alloc_uar),
	TARGETS(DEALLOC_UAR, dealloc_uar, OBJ_UAR, uar, 0, 0, fw_destroy),
	CREATES(ALLOC_XRCD, alloc_xrcd, OBJ_XRCD, xrcd, 0, 0, fw_create),
	TARGETS(DEALLOC_XRCD, dealloc_xrcd, OBJ_XRCD, xrcd, 0, 0, fw_destroy),
	CREATES(ALLOC_TRANSPORT_DOMAIN, alloc_transport_domain, OBJ_TD,
		transport_domain, 0, 0, fw_create),
	TARGETS(DEALLOC_TRANSPORT_DOMAIN, dealloc_transport_domain, OBJ_TD,
		transport_domain, 0, 0, fw_destroy),
	PLAIN(ADD_VXLAN_UDP_DPORT, add_vxlan_udp_dport, OBJ_VXLAN, CMD_CREATE,
	      U(add_vxlan_udp_dport_in, vxlan_udp_port), fw_add_vxlan),
	TARGETS(DELETE_VXLAN_UDP_DPORT, delete_vxlan_udp_dport, OBJ_VXLAN,
		vxlan_udp_port, 0, 0, fw_destroy),
	PLAIN(SET_L2_TABLE_ENTRY, set_l2_table_entry, OBJ_L2, CMD_CREATE, 0,
	      fw_set_l2),
	PLAIN(QUERY_L2_TABLE_ENTRY, query_l2_table_entry, OBJ_L2, 0, 0,
	      fw_query_l2),
	PLAIN(DELETE_L2_TABLE_ENTRY, delete_l2_table_entry, OBJ_L2, 0, 0,
	      fw_delete_l2),
	CUSTOM(CREATE_GENERAL_OBJECT, PRM_SZ(general_obj_in_cmd_hdr),
	       PRM_SZ(general_obj_out_cmd_hdr), OBJ_GENERAL,
	       PRM_BIT(general_obj_out_cmd_hdr, obj_id), 32,
	       CMD_CREATE | CMD_NO_MOD, W(5, 99), fw_create_general),
	GENERAL(MODIFY_GENERAL_OBJECT, 0, U_ALL, fw_modify_general),
	GENERAL(QUERY_GENERAL_OBJECT, 0, U_ALL, fw_query_general),
	GENERAL(DESTROY_GENERAL_OBJECT, 0, U_ALL, fw_destroy_general),

	/* The port and the vport */
	CUSTOM(QUERY_ESW_FUNCTIONS, 16, 16, OBJ_NONE, 0, 0, 0, 0,
	       fw_query_esw_functions),
	PLAIN(QUERY_VPORT_STATE, query_vport_state, OBJ_NONE, CMD_NO_MOD,
	      U_VPORT, fw_query_vport_state),
	PLAIN(MODIFY_VPORT_STATE, modify_vport_state, OBJ_NONE,
	      CMD_KERNEL | CMD_NO_MOD, U_ALL, fw_modify_vport_state),
	PLAIN(QUERY_ESW_VPORT_CONTEXT, query_esw_vport_context, OBJ_NONE, 0,
	      U_VPORT, fw_query_esw_vport),
	PLAIN(MODIFY_ESW_VPORT_CONTEXT, modify_esw_vport_context, OBJ_NONE,
	      CMD_KERNEL, U_ALL, fw_modify_esw_vport),
	PLAIN(QUERY_NIC_VPORT_CONTEXT, query_nic_vport_context, OBJ_NONE, 0,
	      U_VPORT | W(3, 101), fw_query_nic_vport),
	PLAIN(MODIFY_NIC_VPORT_CONTEXT, modify_nic_vport_context, OBJ_NONE,
	      CMD_KERNEL, U_ALL, fw_modify_nic_vport),
	PLAIN(QUERY_ROCE_ADDRESS, query_roce_address, OBJ_NONE, 0,
	      W(16, 64) | W(4, 92), fw_query_roce_address),
	PLAIN(SET_ROCE_ADDRESS, set_roce_address, OBJ_NONE, CMD_KERNEL,
	      W(16, 64) | W(4, 92), fw_set_roce_address),
	PLAIN(QUERY_HCA_VPORT_CONTEXT, query_hca_vport_context, OBJ_NONE, 0,
	      U_PORT, fw_query_hca_vport),
	PLAIN(MODIFY_HCA_VPORT_CONTEXT, modify_hca_vport_context, OBJ_NONE,
	      CMD_KERNEL, U_PORT, fw_modify_hca_vport),
	PLAIN(QUERY_HCA_VPORT_GID, query_hca_vport_gid, OBJ_NONE, 0,
	      U_PORT | W(16, 112), fw_query_hca_gid),
	PLAIN(QUERY_HCA_VPORT_PKEY, query_hca_vport_pkey, OBJ_NONE, 0,
	      U_PORT | W(16, 112), fw_query_hca_pkey),
	PLAIN(QUERY_VNIC_ENV, query_vnic_env, OBJ_NONE, 0, U_VPORT,
	      fw_vport_zero),
	PLAIN(QUERY_VPORT_COUNTER, query_vport_counter, OBJ_NONE, 0, U_PORT,
	      fw_vport_zero),
	PLAIN(QUERY_CONG_STATUS, query_cong_status, OBJ_NONE, 0, U_ALL,
	      fw_query_cong_status),
	PLAIN(MODIFY_CONG_STATUS, modify_cong_status, OBJ_NONE, CMD_KERNEL,
	      U_ALL, fw_modify_cong_status),
	PLAIN(QUERY_CONG_PARAMS, query_cong_params, OBJ_NONE, 0, U_ALL,
	      fw_query_cong_params),
	PLAIN(MODIFY_CONG_PARAMS, modify_cong_params, OBJ_NONE, CMD_KERNEL,
	      U_ALL, fw_modify_cong_params),
	PLAIN(QUERY_CONG_STATISTICS, query_cong_statistics, OBJ_NONE, 0, U_ALL,
	      fw_ok),
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
