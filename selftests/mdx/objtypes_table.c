// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "objtypes.h"
#include "objtypes_fill.h"
#include "opcode_layout.h"

/* An object of opcodes.def; a query with the length of its answer; a modify. */
#define OBJECT(object)							\
	.create = CREATE_OF_##object,					\
	.destroy = DESTROY_OF_##object,					\
	.in_len = CREATE_IN_LEN_##object,				\
	.out_len = CREATE_OUT_LEN_##object,				\
	.num = CREATE_NUM(object),					\
	.num_chosen = CREATE_NUM_CHOSEN_##object
#define QUERY(command, len)						\
	.query = MDX_OPCODE_##command,					\
	.query_in = IN_LEN_##command,					\
	.query_out = len,						\
	.query_num = INPUT_NUM(command)
#define MODIFY(command, list)						\
	.modify = MDX_OPCODE_##command,					\
	.modify_in = IN_LEN_##command,					\
	.modify_list = list,						\
	.modify_num = INPUT_NUM(command)

const struct objtype objtypes[OBJTYPE_COUNT] = {
	[OBJTYPE_PD] = {
		.name = "pd", .live = "pd",
		OBJECT(PD),
	},
	[OBJTYPE_TD] = {
		.name = "td", .live = "td",
		OBJECT(TD),
	},
	[OBJTYPE_XRCD] = {
		.name = "xrcd", .live = "xrcd",
		OBJECT(XRCD),
		.has = xrcd_has,
	},
	[OBJTYPE_PSV] = {
		.name = "psv", .live = "psv",
		OBJECT(PSV),
		.needs = NEEDS(OBJTYPE_PD),
		.fill = psv_fill, .has = psv_has,
	},
	[OBJTYPE_MKEY] = {
		.name = "mkey", .live = "mkey",
		OBJECT(MKEY),
		QUERY(QUERY_MKEY, SZ(query_mkey_out)),
		.needs = NEEDS(OBJTYPE_PD),
		.fill = mkey_fill, .check = mkey_check,
	},
	[OBJTYPE_MKEY_KLM] = {
		.name = "mkey_klm", .live = "mkey",
		OBJECT(MKEY),
		.list_len = 64,
		QUERY(QUERY_MKEY, SZ(query_mkey_out)),
		.needs = NEEDS(OBJTYPE_PD),
		.fill = klm_fill, .check = mkey_check,
	},
	[OBJTYPE_CQ] = {
		.name = "cq", .live = "cq",
		OBJECT(CQ),
		QUERY(QUERY_CQ, SZ(query_cq_out)),
		MODIFY(MODIFY_CQ, 0),
		.fill = cq_fill, .fill_modify = cq_fill_modify,
		.check = cq_check, .check_modify = cq_check_modify,
	},
	[OBJTYPE_QP] = {
		.name = "qp", .live = "qp",
		OBJECT(QP),
		QUERY(QUERY_QP, 464),
		MODIFY(RST2INIT_QP, 0),
		.needs = NEEDS(OBJTYPE_PD) | NEEDS(OBJTYPE_CQ),
		.fill = qp_fill, .fill_modify = qp_fill_modify,
		.check = qp_check, .check_modify = qp_check_modify,
	},
	[OBJTYPE_MCG] = {
		.name = "mcg", .live = "mcg",
		OBJECT(MCG),
		.needs = NEEDS(OBJTYPE_QP),
		.fill = mcg_fill, .has = mcg_has,
	},
	[OBJTYPE_RMP] = {
		.name = "rmp", .live = "rmp",
		OBJECT(RMP),
		QUERY(QUERY_RMP, SZ(query_rmp_out)),
		MODIFY(MODIFY_RMP, 0),
		.needs = NEEDS(OBJTYPE_PD),
		.fill = rmp_fill, .fill_modify = rmp_fill_modify,
		.check = rmp_check, .check_modify = rmp_check_modify,
	},
	[OBJTYPE_RQ] = {
		.name = "rq", .live = "rq",
		OBJECT(RQ),
		QUERY(QUERY_RQ, SZ(query_rq_out)),
		MODIFY(MODIFY_RQ, 0),
		.needs = NEEDS(OBJTYPE_PD) | NEEDS(OBJTYPE_CQ),
		.fill = rq_fill, .fill_modify = rq_fill_modify,
		.check = rq_check, .check_modify = rq_check_modify,
	},
	[OBJTYPE_SQ] = {
		.name = "sq", .live = "sq",
		OBJECT(SQ),
		QUERY(QUERY_SQ, SZ(query_sq_out)),
		MODIFY(MODIFY_SQ, 0),
		.needs = NEEDS(OBJTYPE_PD) | NEEDS(OBJTYPE_CQ) |
			 NEEDS(OBJTYPE_TIS),
		.fill = sq_fill, .fill_modify = sq_fill_modify,
		.check = sq_check, .check_modify = sq_check_modify,
	},
	[OBJTYPE_RQT] = {
		.name = "rqt", .live = "rqt",
		OBJECT(RQT),
		.list_len = 8,
		QUERY(QUERY_RQT, SZ(query_rqt_out) + 8),
		MODIFY(MODIFY_RQT, 4),
		.needs = NEEDS(OBJTYPE_RQ),
		.fill = rqt_fill, .fill_modify = rqt_fill_modify,
		.check = rqt_check, .check_modify = rqt_check_modify,
	},
	[OBJTYPE_TIR] = {
		.name = "tir", .live = "tir",
		OBJECT(TIR),
		QUERY(QUERY_TIR, SZ(query_tir_out)),
		MODIFY(MODIFY_TIR, 0),
		.needs = NEEDS(OBJTYPE_RQT) | NEEDS(OBJTYPE_TD),
		.fill = tir_fill, .fill_modify = tir_fill_modify,
		.check = tir_check, .check_modify = tir_check_modify,
	},
	[OBJTYPE_TIS] = {
		.name = "tis", .live = "tis",
		OBJECT(TIS),
		QUERY(QUERY_TIS, SZ(query_tis_out)),
		MODIFY(MODIFY_TIS, 0),
		.needs = NEEDS(OBJTYPE_TD),
		.fill = tis_fill, .fill_modify = tis_fill_modify,
		.check = tis_check, .check_modify = tis_check_modify,
	},
	[OBJTYPE_SRQ] = {
		.name = "srq", .live = "srq",
		OBJECT(SRQ),
		.list_len = 8,
		QUERY(QUERY_SRQ, SZ(query_srq_out)),
		.needs = NEEDS(OBJTYPE_PD) | NEEDS(OBJTYPE_CQ) |
			 NEEDS(OBJTYPE_XRCD),
		.fill = srq_fill, .has = srq_has, .check = srq_check,
	},
	[OBJTYPE_XRC_SRQ] = {
		.name = "xrc_srq", .live = "xrc_srq",
		OBJECT(XRC_SRQ),
		QUERY(QUERY_XRC_SRQ, SZ(query_xrc_srq_out)),
		MODIFY(ARM_XRC_SRQ, 0),
		.needs = NEEDS(OBJTYPE_PD) | NEEDS(OBJTYPE_CQ) |
			 NEEDS(OBJTYPE_XRCD),
		.fill = xrc_srq_fill, .fill_modify = xrc_srq_fill_modify,
		.has = xrcd_has, .check = xrc_srq_check,
	},
	[OBJTYPE_XRQ] = {
		.name = "xrq", .live = "xrq",
		OBJECT(XRQ),
		QUERY(QUERY_XRQ, SZ(query_xrq_out)),
		MODIFY(ARM_XRQ, 0),
		.needs = NEEDS(OBJTYPE_PD) | NEEDS(OBJTYPE_CQ),
		.fill = xrq_fill, .fill_modify = xrq_fill_modify,
		.has = xrq_has, .check = xrq_check,
	},
	[OBJTYPE_DCT] = {
		.name = "dct", .live = "dct",
		OBJECT(DCT),
		QUERY(QUERY_DCT, SZ(query_dct_out)),
		MODIFY(ARM_DCT_FOR_KEY_VIOLATION, 0),
		.needs = NEEDS(OBJTYPE_PD) | NEEDS(OBJTYPE_CQ) |
			 NEEDS(OBJTYPE_RMP),
		.fill = dct_fill, .has = dct_has, .check = dct_check,
	},
	[OBJTYPE_Q_COUNTER] = {
		.name = "q_counter", .live = "q_counter",
		OBJECT(Q_COUNTER),
		QUERY(QUERY_Q_COUNTER, SZ(query_q_counter_out)),
		.has = q_counter_has,
	},
	[OBJTYPE_FLOW_TABLE] = {
		.name = "flow_table", .live = "flow_table",
		OBJECT(FLOW_TABLE),
		QUERY(QUERY_FLOW_TABLE, SZ(query_flow_table_out)),
		MODIFY(MODIFY_FLOW_TABLE, 0),
		.fill = flow_table_fill, .fill_modify = flow_table_fill_modify,
		.has = flow_table_has, .check = flow_table_check,
	},
	[OBJTYPE_FLOW_GROUP] = {
		.name = "flow_group", .live = "flow_group",
		OBJECT(FLOW_GROUP),
		QUERY(QUERY_FLOW_GROUP, SZ(query_flow_group_out)),
		.needs = NEEDS(OBJTYPE_FLOW_TABLE),
		.fill = flow_group_fill, .fill_query = flow_group_fill_query,
		.check = flow_group_check,
	},
	[OBJTYPE_FTE] = {
		.name = "fte", .live = "fte",
		OBJECT(FLOW_TABLE_ENTRY),
		.list_len = 16,
		QUERY(QUERY_FLOW_TABLE_ENTRY, SZ(query_fte_out) + 16),
		MODIFY(SET_FLOW_TABLE_ENTRY, 16),
		.needs = NEEDS(OBJTYPE_FLOW_GROUP) | NEEDS(OBJTYPE_FLOW_COUNTER) |
			 NEEDS(OBJTYPE_TIR),
		.fill = fte_fill, .fill_query = fte_fill_query,
		.fill_modify = fte_fill_modify, .check = fte_check,
		.check_modify = fte_check_modify,
	},
	[OBJTYPE_FLOW_COUNTER] = {
		.name = "flow_counter", .live = "flow_counter",
		OBJECT(FLOW_COUNTER),
		QUERY(QUERY_FLOW_COUNTER, SZ(query_flow_counter_out) + 16),
		.fill_query = flow_counter_fill_query, .has = flow_counter_has,
	},
	[OBJTYPE_FLOW_COUNTERS] = {
		.name = "flow_counters", .live = "flow_counter",
		OBJECT(FLOW_COUNTER),
		QUERY(QUERY_FLOW_COUNTER, SZ(query_flow_counter_out) + 16 * 128),
		.fill = flow_counters_fill,
		.fill_query = flow_counters_fill_query,
		.has = flow_counters_has,
	},
	[OBJTYPE_REFORMAT] = {
		.name = "reformat", .live = "reformat",
		OBJECT(PACKET_REFORMAT),
		.list_len = 48,
		QUERY(QUERY_PACKET_REFORMAT_CONTEXT, 128),
		.fill = reformat_fill, .has = reformat_has,
	},
	[OBJTYPE_MODIFY_HEADER] = {
		.name = "modify_header", .live = "modify_header",
		OBJECT(MODIFY_HEADER),
		.list_len = 8,
		QUERY(QUERY_MODIFY_HEADER_CONTEXT, 128),
		.fill = modify_header_fill, .has = modify_header_has,
	},
	[OBJTYPE_SCHED] = {
		.name = "sched", .live = "sched",
		OBJECT(SCHEDULING_ELEMENT),
		QUERY(QUERY_SCHEDULING_ELEMENT, SZ(query_scheduling_element_out)),
		MODIFY(MODIFY_SCHEDULING_ELEMENT, 0),
		.fill = sched_fill, .fill_query = sched_fill_query,
		.fill_modify = sched_fill_modify, .has = sched_has,
	},
	[OBJTYPE_VXLAN] = {
		.name = "vxlan", .live = "vxlan",
		OBJECT(VXLAN_UDP_DPORT),
		MODIFY(ADD_VXLAN_UDP_DPORT, 0),
		.fill = vxlan_fill, .fill_modify = vxlan_fill,
		.has = vxlan_has,
	},
	[OBJTYPE_L2] = {
		.name = "l2_entry", .live = "l2_entry",
		OBJECT(L2_TABLE_ENTRY),
		QUERY(QUERY_L2_TABLE_ENTRY, SZ(query_l2_table_entry_out)),
		MODIFY(SET_L2_TABLE_ENTRY, 0),
		.fill = l2_fill, .fill_modify = l2_fill_modify, .has = l2_has,
	},
	[OBJTYPE_GENERAL] = {
		.name = "general", .live = "general",
		OBJECT(GENERAL_OBJECT),
		.list_len = SZ(match_definer),
		QUERY(QUERY_GENERAL_OBJECT,
		      SZ(general_obj_out_cmd_hdr) + SZ(match_definer)),
		MODIFY(MODIFY_GENERAL_OBJECT, SZ(match_definer)),
		.fill = general_fill, .fill_query = general_fill_query,
		.fill_modify = general_fill_modify, .has = general_has,
		.check = general_check,
	},
};
