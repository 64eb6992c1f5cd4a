/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A set of objects of one owner, each created by its command. */
#ifndef HCA_TEST_FW_MAKE_H
#define HCA_TEST_FW_MAKE_H

#include "fw_env.h"

/* Numbers of the objects of one owner, which later creates refer to. */
struct fw_world {
	u16 uid;
	u32 id[OBJ_COUNT];
};

/* Umems are 4 pages. */
static inline void fill_umem(struct fw_world *w)
{
	unsigned int i;

	(void)w;
	PRM_SET(create_umem_in, in, umem.num_of_mtt, 4);
	for (i = 0; i < 4; i++)
		prm_set(in, (PRM_SZ(create_umem_in) + 8 * i) * 8, 64,
			(0x100000 + 0x1000 * i) | 3);
}

static inline void fill_eq(struct fw_world *w)
{
	PRM_SET(create_eq_in, in, eq_context_entry.log_eq_size, 6);
	PRM_SET(create_eq_in, in, eq_context_entry.uar_page, w->id[OBJ_UAR]);
	prm_set(in, 0x58 * 8, 64, 1);
	prm_set(in, 0x110 * 8, 64, 0x200000);
}

static inline void fill_mkey(struct fw_world *w)
{
	PRM_SET(create_mkey_in, in, memory_key_mkey_entry.pd, w->id[OBJ_PD]);
	PRM_SET(create_mkey_in, in, memory_key_mkey_entry.access_mode_1_0, 1);
	PRM_SET(create_mkey_in, in, memory_key_mkey_entry.len, 0x2000);
	PRM_SET(create_mkey_in, in, translations_octword_actual_size, 1);
	prm_set(in, 0x110 * 8, 64, 0x300003);
	prm_set(in, 0x118 * 8, 64, 0x301003);
}

/* 64 entries in the umem's first page, the doorbell record in the last. */
static inline void fill_cq(struct fw_world *w)
{
	PRM_SET(create_cq_in, in, cq_context.log_cq_size, 6);
	PRM_SET(create_cq_in, in, cq_context.c_eqn_or_apu_element,
		w->id[OBJ_EQ]);
	PRM_SET(create_cq_in, in, cq_context.uar_page, w->id[OBJ_UAR]);
	PRM_SET(create_cq_in, in, cq_umem_valid, 1);
	prm_set(in, PRM_CREATE_CQ_UMEM_ID, 32, w->id[OBJ_UMEM]);
	PRM_SET(create_cq_in, in, cq_context.dbr_umem_valid, 1);
	prm_set(in + 16, PRM_CQC_DBR_UMEM_ID, 32, w->id[OBJ_UMEM]);
	PRM_SET(create_cq_in, in, cq_context.dbr_addr, 0x3000);
}

static inline void fill_wq(struct fw_world *w, u8 *wq)
{
	PRM_SET(wq, wq, pd, w->id[OBJ_PD]);
	PRM_SET(wq, wq, log_wq_stride, 6);
	PRM_SET(wq, wq, log_wq_sz, 4);
	PRM_SET(wq, wq, wq_umem_valid, 1);
	prm_set(wq, PRM_WQ_UMEM_ID, 32, w->id[OBJ_UMEM]);
	prm_set(wq, PRM_WQ_UMEM_OFFSET, 64, 0x1000);
	PRM_SET(wq, wq, dbr_umem_valid, 1);
	prm_set(wq, PRM_WQ_DBR_UMEM_ID, 32, w->id[OBJ_UMEM]);
	PRM_SET(wq, wq, dbr_addr, 0x3010);
}

/*
 * 16 receives of 64 bytes, then a send queue of 32 blocks, from the second page
 * on.
 */
static inline void fill_qp(struct fw_world *w)
{
	PRM_SET(create_qp_in, in, qpc.pd, w->id[OBJ_PD]);
	PRM_SET(create_qp_in, in, qpc.cqn_snd, w->id[OBJ_CQ]);
	PRM_SET(create_qp_in, in, qpc.cqn_rcv, w->id[OBJ_CQ]);
	PRM_SET(create_qp_in, in, qpc.uar_page, w->id[OBJ_UAR]);
	PRM_SET(create_qp_in, in, qpc.log_rq_size, 4);
	PRM_SET(create_qp_in, in, qpc.log_rq_stride, 2);
	PRM_SET(create_qp_in, in, qpc.log_sq_size, 5);
	PRM_SET(create_qp_in, in, qpc.user_index, 0xabcdef);
	PRM_SET(create_qp_in, in, wq_umem_valid, 1);
	prm_set(in, PRM_CREATE_QP_UMEM_ID, 32, w->id[OBJ_UMEM]);
	prm_set(in, PRM_CREATE_QP_UMEM_OFFSET, 64, 0x1000);
	PRM_SET(create_qp_in, in, qpc.dbr_umem_valid, 1);
	prm_set(in + 0x18, PRM_QPC_DBR_UMEM_ID, 32, w->id[OBJ_UMEM]);
	PRM_SET(create_qp_in, in, qpc.dbr_addr, 0x3008);
}

static inline void fill_sq(struct fw_world *w)
{
	PRM_SET(create_sq_in, in, ctx.cqn, w->id[OBJ_CQ]);
	PRM_SET(create_sq_in, in, ctx.tis_lst_sz, 1);
	PRM_SET(create_sq_in, in, ctx.tis_num_0, w->id[OBJ_TIS]);
	fill_wq(w, in + PRM_BYTE(create_sq_in, ctx.wq));
}

static inline void fill_rq(struct fw_world *w)
{
	PRM_SET(create_rq_in, in, ctx.cqn, w->id[OBJ_CQ]);
	PRM_SET(create_rq_in, in, ctx.wq.wq_type, 1);
	fill_wq(w, in + PRM_BYTE(create_rq_in, ctx.wq));
}

static inline void fill_dct(struct fw_world *w)
{
	PRM_SET(create_dct_in, in, dct_context_entry.pd, w->id[OBJ_PD]);
	PRM_SET(create_dct_in, in, dct_context_entry.cqn, w->id[OBJ_CQ]);
	PRM_SET(create_dct_in, in, dct_context_entry.srqn_xrqn, w->id[OBJ_RMP]);
	PRM_SET(create_dct_in, in, dct_context_entry.dc_access_key, 0x1234);
}

static inline void fill_srq(struct fw_world *w)
{
	PRM_SET(create_srq_in, in, srq_context_entry.pd, w->id[OBJ_PD]);
	PRM_SET(create_srq_in, in, srq_context_entry.log_srq_size, 4);
	PRM_SET(create_srq_in, in, srq_context_entry.log_rq_stride, 1);
	PRM_SET(create_srq_in, in, srq_context_entry.dbr_addr, 0x400000);
	prm_set(in, 0x110 * 8, 64, 0x500000);
}

static inline void fill_xrc_srq(struct fw_world *w)
{
	u8 *c = in + PRM_BYTE(create_xrc_srq_in, xrc_srq_context_entry);

	PRM_SET(xrc_srqc, c, pd, w->id[OBJ_PD]);
	PRM_SET(xrc_srqc, c, xrcd, w->id[OBJ_XRCD]);
	PRM_SET(xrc_srqc, c, cqn, w->id[OBJ_CQ]);
	PRM_SET(xrc_srqc, c, log_xrc_srq_size, 4);
	PRM_SET(xrc_srqc, c, log_rq_stride, 1);
	PRM_SET(create_xrc_srq_in, in, xrc_srq_umem_valid, 1);
	prm_set(in, PRM_CREATE_CQ_UMEM_ID, 32, w->id[OBJ_UMEM]);
}

static inline void fill_rmp(struct fw_world *w)
{
	PRM_SET(create_rmp_in, in, ctx.state, 1);
	fill_wq(w, in + PRM_BYTE(create_rmp_in, ctx.wq));
}

static inline void fill_xrq(struct fw_world *w)
{
	PRM_SET(create_xrq_in, in, xrq_context.cqn, w->id[OBJ_CQ]);
	fill_wq(w, in + PRM_BYTE(create_xrq_in, xrq_context.wq));
}

static inline void fill_rqt(struct fw_world *w)
{
	PRM_SET(create_rqt_in, in, rqt_context.rqt_max_size, 4);
	PRM_SET(create_rqt_in, in, rqt_context.rqt_actual_size, 2);
	prm_set(in, 0x110 * 8, 32, w->id[OBJ_RQ]);
	prm_set(in, 0x114 * 8, 32, w->id[OBJ_RQ]);
}

static inline void fill_tir(struct fw_world *w)
{
	PRM_SET(create_tir_in, in, ctx.disp_type, 1);
	PRM_SET(create_tir_in, in, ctx.indirect_table, w->id[OBJ_RQT]);
	PRM_SET(create_tir_in, in, ctx.transport_domain, w->id[OBJ_TD]);
}

static inline void fill_tis(struct fw_world *w)
{
	PRM_SET(create_tis_in, in, ctx.transport_domain, w->id[OBJ_TD]);
	PRM_SET(create_tis_in, in, ctx.pd, w->id[OBJ_PD]);
}

static inline void fill_psv(struct fw_world *w)
{
	PRM_SET(create_psv_in, in, num_psv, 1);
	PRM_SET(create_psv_in, in, pd, w->id[OBJ_PD]);
}

static inline void fill_ft(struct fw_world *w)
{
	(void)w;
	PRM_SET(create_flow_table_in, in, flow_table_context.log_size, 4);
}

static inline void fill_fg(struct fw_world *w)
{
	PRM_SET(create_flow_group_in, in, table_id, w->id[OBJ_FLOW_TABLE]);
	PRM_SET(create_flow_group_in, in, end_flow_index, 7);
	PRM_SET(create_flow_group_in, in, match_criteria_enable, 1);
}

#define FTE_CTX (in + PRM_BYTE(set_fte_in, flow_context))
#define FTE_LIST (PRM_BYTE(set_fte_in, flow_context) + \
		  PRM_BYTE(flow_context, destination))

/* Forward to the TIR with a counter and two header changes. */
static inline void fill_fte(struct fw_world *w)
{
	PRM_SET(set_fte_in, in, table_id, w->id[OBJ_FLOW_TABLE]);
	PRM_SET(set_fte_in, in, flow_index, 3);
	PRM_SET(flow_context, FTE_CTX, group_id, w->id[OBJ_FLOW_GROUP]);
	PRM_SET(flow_context, FTE_CTX, action, 0x4 | 0x8 | 0x10 | 0x40);
	PRM_SET(flow_context, FTE_CTX, destination_list_size, 1);
	PRM_SET(flow_context, FTE_CTX, flow_counter_list_size, 1);
	PRM_SET(flow_context, FTE_CTX, packet_reformat_id, w->id[OBJ_REFORMAT]);
	PRM_SET(flow_context, FTE_CTX, modify_header_id,
		w->id[OBJ_MODIFY_HEADER]);
	prm_set(in, FTE_LIST * 8, 8, 2);
	prm_set(in, FTE_LIST * 8 + 8, 24, w->id[OBJ_TIR]);
	prm_set(in, FTE_LIST * 8 + 64, 32, w->id[OBJ_FLOW_COUNTER]);
}

static inline void fill_reformat(struct fw_world *w)
{
	u8 *c = in + PRM_BYTE(alloc_packet_reformat_context_in,
			      packet_reformat_context);

	(void)w;
	PRM_SET(packet_reformat_context_in, c, reformat_type, 2);
	PRM_SET(packet_reformat_context_in, c, reformat_data_size, 14);
	memset(c + 6, 0x5a, 14);
}

static inline void fill_modify_header(struct fw_world *w)
{
	u8 *set = in + PRM_SZ(alloc_modify_header_context_in);
	int i;

	(void)w;
	PRM_SET(alloc_modify_header_context_in, in, num_of_actions, 2);
	for (i = 0; i < 2; i++, set += 8) {
		PRM_SET(set_action_in, set, action_type,
			MLX5_ACTION_TYPE_SET);
		PRM_SET(set_action_in, set, field,
			MLX5_ACTION_IN_FIELD_OUT_SMAC_15_0);
		PRM_SET(set_action_in, set, length, 16);
		PRM_SET(set_action_in, set, data, 0xa5a5);
	}
}

static inline void fill_sched(struct fw_world *w)
{
	(void)w;
	PRM_SET(create_scheduling_element_in, in, scheduling_hierarchy, 3);
	PRM_SET(create_scheduling_element_in, in, scheduling_context.bw_share,
		7);
}

static inline void fill_mcg(struct fw_world *w)
{
	PRM_SET(attach_to_mcg_in, in, qpn, w->id[OBJ_QP]);
	in[16] = 0xff;
}

static inline void fill_vxlan(struct fw_world *w)
{
	(void)w;
	PRM_SET(add_vxlan_udp_dport_in, in, vxlan_udp_port, 4789);
}

static inline void fill_l2(struct fw_world *w)
{
	(void)w;
	PRM_SET(set_l2_table_entry_in, in, table_index, 5);
	PRM_SET(set_l2_table_entry_in, in, vlan, 9);
}

static inline void fill_general(struct fw_world *w)
{
	(void)w;
	PRM_SET(general_obj_in_cmd_hdr, in, obj_type, 0x18);
	memset(in + 16, 0x77, 128);
}

static inline void fill_none(struct fw_world *w)
{
	(void)w;
}

/*
 * Commands of each object type, in an order in which every object finds what it
 * refers to. @more is the number of bytes behind the format of the create;
 * query and destroy address the object by number, unless they are 0.
 */
struct maker {
	enum hca_obj_type type;
	u16 create;
	u16 query;
	u16 destroy;
	u16 more;
	void (*fill)(struct fw_world *w);
};

static const struct maker makers[] = {
	{ OBJ_PD, MLX5_CMD_OP_ALLOC_PD, 0, MLX5_CMD_OP_DEALLOC_PD, 0,
	  fill_none },
	{ OBJ_UAR, MLX5_CMD_OP_ALLOC_UAR, 0, MLX5_CMD_OP_DEALLOC_UAR, 0,
	  fill_none },
	{ OBJ_TD, MLX5_CMD_OP_ALLOC_TRANSPORT_DOMAIN, 0,
	  MLX5_CMD_OP_DEALLOC_TRANSPORT_DOMAIN, 0, fill_none },
	{ OBJ_XRCD, MLX5_CMD_OP_ALLOC_XRCD, 0, MLX5_CMD_OP_DEALLOC_XRCD, 0,
	  fill_none },
	{ OBJ_UMEM, MLX5_CMD_OP_CREATE_UMEM, 0, MLX5_CMD_OP_DESTROY_UMEM, 32,
	  fill_umem },
	{ OBJ_MKEY, MLX5_CMD_OP_CREATE_MKEY, MLX5_CMD_OP_QUERY_MKEY,
	  MLX5_CMD_OP_DESTROY_MKEY, 16, fill_mkey },
	{ OBJ_CQ, MLX5_CMD_OP_CREATE_CQ, MLX5_CMD_OP_QUERY_CQ,
	  MLX5_CMD_OP_DESTROY_CQ, 0, fill_cq },
	{ OBJ_RMP, MLX5_CMD_OP_CREATE_RMP, MLX5_CMD_OP_QUERY_RMP,
	  MLX5_CMD_OP_DESTROY_RMP, 0, fill_rmp },
	{ OBJ_SRQ, MLX5_CMD_OP_CREATE_SRQ, MLX5_CMD_OP_QUERY_SRQ,
	  MLX5_CMD_OP_DESTROY_SRQ, 8, fill_srq },
	{ OBJ_XRC_SRQ, MLX5_CMD_OP_CREATE_XRC_SRQ, MLX5_CMD_OP_QUERY_XRC_SRQ,
	  MLX5_CMD_OP_DESTROY_XRC_SRQ, 0, fill_xrc_srq },
	{ OBJ_XRQ, MLX5_CMD_OP_CREATE_XRQ, MLX5_CMD_OP_QUERY_XRQ,
	  MLX5_CMD_OP_DESTROY_XRQ, 0, fill_xrq },
	{ OBJ_QP, MLX5_CMD_OP_CREATE_QP, MLX5_CMD_OP_QUERY_QP,
	  MLX5_CMD_OP_DESTROY_QP, 0, fill_qp },
	{ OBJ_TIS, MLX5_CMD_OP_CREATE_TIS, MLX5_CMD_OP_QUERY_TIS,
	  MLX5_CMD_OP_DESTROY_TIS, 0, fill_tis },
	{ OBJ_SQ, MLX5_CMD_OP_CREATE_SQ, MLX5_CMD_OP_QUERY_SQ,
	  MLX5_CMD_OP_DESTROY_SQ, 0, fill_sq },
	{ OBJ_RQ, MLX5_CMD_OP_CREATE_RQ, MLX5_CMD_OP_QUERY_RQ,
	  MLX5_CMD_OP_DESTROY_RQ, 0, fill_rq },
	{ OBJ_RQT, MLX5_CMD_OP_CREATE_RQT, MLX5_CMD_OP_QUERY_RQT,
	  MLX5_CMD_OP_DESTROY_RQT, 8, fill_rqt },
	{ OBJ_TIR, MLX5_CMD_OP_CREATE_TIR, MLX5_CMD_OP_QUERY_TIR,
	  MLX5_CMD_OP_DESTROY_TIR, 0, fill_tir },
	{ OBJ_PSV, MLX5_CMD_OP_CREATE_PSV, 0, MLX5_CMD_OP_DESTROY_PSV, 0,
	  fill_psv },
	{ OBJ_Q_COUNTER, MLX5_CMD_OP_ALLOC_Q_COUNTER,
	  MLX5_CMD_OP_QUERY_Q_COUNTER, MLX5_CMD_OP_DEALLOC_Q_COUNTER, 0,
	  fill_none },
	{ OBJ_FLOW_TABLE, MLX5_CMD_OP_CREATE_FLOW_TABLE,
	  MLX5_CMD_OP_QUERY_FLOW_TABLE, MLX5_CMD_OP_DESTROY_FLOW_TABLE, 0,
	  fill_ft },
	{ OBJ_FLOW_GROUP, MLX5_CMD_OP_CREATE_FLOW_GROUP,
	  MLX5_CMD_OP_QUERY_FLOW_GROUP, MLX5_CMD_OP_DESTROY_FLOW_GROUP, 0,
	  fill_fg },
	{ OBJ_FLOW_COUNTER, MLX5_CMD_OP_ALLOC_FLOW_COUNTER, 0,
	  MLX5_CMD_OP_DEALLOC_FLOW_COUNTER, 0, fill_none },
	{ OBJ_REFORMAT, MLX5_CMD_OP_ALLOC_PACKET_REFORMAT_CONTEXT,
	  MLX5_CMD_OP_QUERY_PACKET_REFORMAT_CONTEXT,
	  MLX5_CMD_OP_DEALLOC_PACKET_REFORMAT_CONTEXT, 16, fill_reformat },
	{ OBJ_MODIFY_HEADER, MLX5_CMD_OP_ALLOC_MODIFY_HEADER_CONTEXT,
	  MLX5_CMD_OP_QUERY_MODIFY_HEADER_CONTEXT,
	  MLX5_CMD_OP_DEALLOC_MODIFY_HEADER_CONTEXT, 16, fill_modify_header },
	{ OBJ_FTE, MLX5_CMD_OP_SET_FLOW_TABLE_ENTRY, 0, 0, 16, fill_fte },
	{ OBJ_SCHED, MLX5_CMD_OP_CREATE_SCHEDULING_ELEMENT,
	  MLX5_CMD_OP_QUERY_SCHEDULING_ELEMENT,
	  MLX5_CMD_OP_DESTROY_SCHEDULING_ELEMENT, 0, fill_sched },
	{ OBJ_MCG, MLX5_CMD_OP_ATTACH_TO_MCG, 0, 0, 0, fill_mcg },
	{ OBJ_VXLAN, MLX5_CMD_OP_ADD_VXLAN_UDP_DPORT, 0, 0, 0, fill_vxlan },
	{ OBJ_L2, MLX5_CMD_OP_SET_L2_TABLE_ENTRY, 0, 0, 0, fill_l2 },
	{ OBJ_GENERAL, MLX5_CMD_OP_CREATE_GENERAL_OBJECT, 0, 0, 128,
	  fill_general },
	{ OBJ_DCT, MLX5_CMD_OP_CREATE_DCT, MLX5_CMD_OP_QUERY_DCT,
	  MLX5_CMD_OP_DESTROY_DCT, 0, fill_dct },
};

static inline const struct maker *maker_of(enum hca_obj_type type)
{
	const struct maker *m = makers;

	while (m->type != type)
		m++;
	return m;
}

static inline u32 new_id(u16 op)
{
	const struct fw_cmd *cmd = fw_cmd_find(op);

	if (op == MLX5_CMD_OP_CREATE_PSV)
		return PRM_GET(create_psv_out, out, psv0_index);
	return cmd->id_width ? prm_get(out, cmd->id_bit, cmd->id_width) : 0;
}

/* Fill in the create without sending it. */
static inline void fill_create(const struct maker *m, struct fw_world *w)
{
	clear_in();
	m->fill(w);
}

static inline int make_obj(enum hca_obj_type type, struct fw_world *w)
{
	const struct maker *m = maker_of(type);
	int ret;

	fill_create(m, w);
	ret = run_cmd(m->create, w->uid, m->more);
	if (!ret)
		w->id[type] = new_id(m->create);
	return ret;
}

/* An EQ of the shared uid, on a UAR of the kernel. */
static inline u32 shared_eq(void)
{
	struct fw_world kernel = { };

	if (make_obj(OBJ_UAR, &kernel))
		return 0;
	clear_in();
	fill_eq(&kernel);
	if (run_cmd(MLX5_CMD_OP_CREATE_EQ, FW_UID_SHARED, 8))
		return 0;
	return PRM_GET(create_eq_out, out, eq_number);
}

/* Create one object of each type. */
static inline void make_world(struct fw_world *w, u16 uid)
{
	size_t i;

	memset(w, 0, sizeof(*w));
	w->uid = uid;
	w->id[OBJ_EQ] = shared_eq();
	for (i = 0; i < ARRAY_SIZE(makers); i++)
		CHECK_EQ(make_obj(makers[i].type, w), FW_OK);
}

/* Address @w's object of @type in a query, modify or destroy. */
static inline void name_it(u16 op, enum hca_obj_type type, struct fw_world *w)
{
	const struct fw_cmd *cmd = fw_cmd_find(op);

	clear_in();
	if (cmd->id_width)
		prm_set(in, cmd->id_bit, cmd->id_width, w->id[type]);
	if (type == OBJ_FLOW_GROUP)
		PRM_SET(destroy_flow_group_in, in, table_id,
			w->id[OBJ_FLOW_TABLE]);
	if (type == OBJ_SCHED)
		PRM_SET(destroy_scheduling_element_in, in,
			scheduling_hierarchy, 3);
}

static inline int destroy_obj(enum hca_obj_type type, struct fw_world *w)
{
	const struct maker *m = maker_of(type);

	name_it(m->destroy, type, w);
	return run_cmd(m->destroy, w->uid, 0);
}

#endif /* HCA_TEST_FW_MAKE_H */
