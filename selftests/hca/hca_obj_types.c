// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The table of object types.
 */
#include "hca_obj.h"

#define NUM_24 0xffffff
/* Capability field with the log2 of the limit. */
#define CAP(f) \
	.cap_bit = PRM_BIT(cmd_hca_cap, f), \
	.cap_width = PRM_WIDTH(cmd_hca_cap, f)
/*
 * A context of format @t: field @fi of create input @i, @fo of query output @o.
 */
#define CTX(i, fi, o, fo, t) \
	.ctx_in = PRM_BIT(i, fi) / 8, .ctx_out = PRM_BIT(o, fo) / 8, \
	.ctx_len = PRM_SZ(t)

const struct hca_obj_desc hca_obj_descs[OBJ_COUNT] = {
	[OBJ_UCTX] = { "uctx", OBJ_UCTX, 1, 0xfffe, CAP(log_max_uctx) },
	[OBJ_PD] = { "pd", OBJ_PD, 1, NUM_24, CAP(log_max_pd) },
	/* Pages of the BAR behind the initialization segment and MSI-X */
	[OBJ_UAR] = { "uar", OBJ_UAR, 16, 4095 },
	[OBJ_TD] = { "td", OBJ_TD, 1, NUM_24, CAP(log_max_transport_domain) },
	[OBJ_XRCD] = { "xrcd", OBJ_XRCD, 1, NUM_24, CAP(log_max_xrcd) },
	[OBJ_EQ] = { "eq", OBJ_EQ, 1, 64,
		CTX(create_eq_in, eq_context_entry,
		    query_eq_out, eq_context_entry, eqc),
		.list = PRM_SZ(create_eq_in) },
	/* Keys below have a meaning of their own in lists of segments. */
	[OBJ_MKEY] = { "mkey", OBJ_MKEY, 8, NUM_24, CAP(log_max_mkey),
		CTX(create_mkey_in, memory_key_mkey_entry,
		    query_mkey_out, memory_key_mkey_entry, mkc) },
	[OBJ_CQ] = { "cq", OBJ_CQ, 0x400, NUM_24, CAP(log_max_cq),
		CTX(create_cq_in, cq_context, query_cq_out, cq_context, cqc),
		.list = PRM_SZ(create_cq_in) },
	/* QPs and raw queues: a doorbell has just the number */
	[OBJ_QP] = { "qp", OBJ_QP, 0x40, NUM_24, CAP(log_max_qp),
		CTX(create_qp_in, qpc, query_qp_out, qpc, qpc),
		.list = PRM_SZ(create_qp_in) },
	[OBJ_SQ] = { "sq", OBJ_QP, 0x40, NUM_24, CAP(log_max_sq),
		CTX(create_sq_in, ctx, query_sq_out, sq_context, sqc),
		.list = PRM_SZ(create_sq_in) },
	[OBJ_RQ] = { "rq", OBJ_QP, 0x40, NUM_24, CAP(log_max_rq),
		CTX(create_rq_in, ctx, query_rq_out, rq_context, rqc),
		.list = PRM_SZ(create_rq_in) },
	[OBJ_DCT] = { "dct", OBJ_QP, 0x40, NUM_24, CAP(log_max_qp),
		CTX(create_dct_in, dct_context_entry,
		    query_dct_out, dct_context_entry, dctc) },
	[OBJ_SRQ] = { "srq", OBJ_SRQ, 0x100, NUM_24, CAP(log_max_srq),
		CTX(create_srq_in, srq_context_entry,
		    query_srq_out, srq_context_entry, srqc),
		.list = PRM_SZ(create_srq_in) },
	[OBJ_XRC_SRQ] = { "xrc_srq", OBJ_SRQ, 0x100, NUM_24, CAP(log_max_srq),
		CTX(create_xrc_srq_in, xrc_srq_context_entry,
		    query_xrc_srq_out, xrc_srq_context_entry, xrc_srqc),
		.list = PRM_SZ(create_xrc_srq_in) },
	[OBJ_RMP] = { "rmp", OBJ_SRQ, 0x100, NUM_24, CAP(log_max_rmp),
		CTX(create_rmp_in, ctx, query_rmp_out, rmp_context, rmpc),
		.list = PRM_SZ(create_rmp_in) },
	[OBJ_XRQ] = { "xrq", OBJ_SRQ, 0x100, NUM_24, CAP(log_max_xrq),
		CTX(create_xrq_in, xrq_context, query_xrq_out, xrq_context,
		    xrqc), .list = PRM_SZ(create_xrq_in) },
	[OBJ_RQT] = { "rqt", OBJ_RQT, 1, NUM_24, CAP(log_max_rqt),
		CTX(create_rqt_in, rqt_context, query_rqt_out, rqt_context,
		    rqtc), .list = PRM_SZ(create_rqt_in) },
	[OBJ_TIR] = { "tir", OBJ_TIR, 1, NUM_24, CAP(log_max_tir),
		CTX(create_tir_in, ctx, query_tir_out, tir_context, tirc) },
	[OBJ_TIS] = { "tis", OBJ_TIS, 1, NUM_24, CAP(log_max_tis),
		CTX(create_tis_in, ctx, query_tis_out, tis_context, tisc) },
	[OBJ_PSV] = { "psv", OBJ_PSV, 1, NUM_24 },
	[OBJ_Q_COUNTER] = { "q_counter", OBJ_Q_COUNTER, 1, 255 },
	[OBJ_UMEM] = { "umem", OBJ_UMEM, 1, NUM_24, CAP(log_max_umem) },
	[OBJ_FLOW_TABLE] = { "flow_table", OBJ_FLOW_TABLE, 1, NUM_24,
		CTX(create_flow_table_in, flow_table_context,
		    query_flow_table_out, flow_table_context,
		    flow_table_context) },
	[OBJ_FLOW_GROUP] = { "flow_group", OBJ_FLOW_GROUP, 1, NUM_24 },
	[OBJ_FTE] = { "fte", OBJ_FTE, 1, NUM_24 },
	[OBJ_FLOW_COUNTER] = { "flow_counter", OBJ_FLOW_COUNTER, 1, NUM_24 },
	[OBJ_REFORMAT] = { "reformat", OBJ_REFORMAT, 1, NUM_24 },
	[OBJ_MODIFY_HEADER] = { "modify_header", OBJ_MODIFY_HEADER, 1, NUM_24 },
	[OBJ_SCHED] = { "sched", OBJ_SCHED, 1, NUM_24,
		CTX(create_scheduling_element_in, scheduling_context,
		    query_scheduling_element_out, scheduling_context,
		    scheduling_context) },
	[OBJ_MCG] = { "mcg", OBJ_MCG, 1, NUM_24, CAP(log_max_mcg) },
	[OBJ_VXLAN] = { "vxlan", OBJ_VXLAN, 1, 0xffff },
	[OBJ_L2] = { "l2_entry", OBJ_L2, 1, NUM_24 },
	[OBJ_GENERAL] = { "general", OBJ_GENERAL, 1, NUM_24 },
};
