/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A world of objects of one owner, each made by the command that makes it.
 */
#ifndef HCA_TEST_FW_MAKE_H
#define HCA_TEST_FW_MAKE_H

#include "fw_env.h"

/* Numbers of the objects of one owner that others are made of. */
struct world {
	u16 uid;
	u32 id[K_COUNT];
};

/* Umems are 4 pages. */
static inline void fill_umem(struct world *w)
{
	unsigned int i;

	(void)w;
	PRM_SET(create_umem_in, in, umem.num_of_mtt, 4);
	for (i = 0; i < 4; i++)
		prm_set(in, (PRM_SZ(create_umem_in) + 8 * i) * 8, 64,
			(0x100000 + 0x1000 * i) | 3);
}

static inline void fill_eq(struct world *w)
{
	PRM_SET(create_eq_in, in, eq_context_entry.log_eq_size, 6);
	PRM_SET(create_eq_in, in, eq_context_entry.uar_page, w->id[K_UAR]);
	prm_set(in, 0x58 * 8, 64, 1);
	prm_set(in, 0x110 * 8, 64, 0x200000);
}

static inline void fill_mkey(struct world *w)
{
	PRM_SET(create_mkey_in, in, memory_key_mkey_entry.pd, w->id[K_PD]);
	PRM_SET(create_mkey_in, in, memory_key_mkey_entry.access_mode_1_0, 1);
	PRM_SET(create_mkey_in, in, memory_key_mkey_entry.len, 0x2000);
	PRM_SET(create_mkey_in, in, translations_octword_actual_size, 1);
	prm_set(in, 0x110 * 8, 64, 0x300003);
	prm_set(in, 0x118 * 8, 64, 0x301003);
}

/* 64 entries in the umem's first page, its record in the last. */
static inline void fill_cq(struct world *w)
{
	PRM_SET(create_cq_in, in, cq_context.log_cq_size, 6);
	PRM_SET(create_cq_in, in, cq_context.c_eqn_or_apu_element, w->id[K_EQ]);
	PRM_SET(create_cq_in, in, cq_context.uar_page, w->id[K_UAR]);
	PRM_SET(create_cq_in, in, cq_umem_valid, 1);
	prm_set(in, PRM_CREATE_CQ_UMEM_ID, 32, w->id[K_UMEM]);
	PRM_SET(create_cq_in, in, cq_context.dbr_umem_valid, 1);
	prm_set(in + 16, PRM_CQC_DBR_UMEM_ID, 32, w->id[K_UMEM]);
	PRM_SET(create_cq_in, in, cq_context.dbr_addr, 0x3000);
}

static inline void fill_wq(struct world *w, u8 *wq)
{
	PRM_SET(wq, wq, pd, w->id[K_PD]);
	PRM_SET(wq, wq, log_wq_stride, 6);
	PRM_SET(wq, wq, log_wq_sz, 4);
	PRM_SET(wq, wq, wq_umem_valid, 1);
	prm_set(wq, PRM_WQ_UMEM_ID, 32, w->id[K_UMEM]);
	prm_set(wq, PRM_WQ_UMEM_OFFSET, 64, 0x1000);
	PRM_SET(wq, wq, dbr_umem_valid, 1);
	prm_set(wq, PRM_WQ_DBR_UMEM_ID, 32, w->id[K_UMEM]);
	PRM_SET(wq, wq, dbr_addr, 0x3010);
}

/* 16 receives of 64 bytes, then 32 blocks to send, from the second page on. */
static inline void fill_qp(struct world *w)
{
	PRM_SET(create_qp_in, in, qpc.pd, w->id[K_PD]);
	PRM_SET(create_qp_in, in, qpc.cqn_snd, w->id[K_CQ]);
	PRM_SET(create_qp_in, in, qpc.cqn_rcv, w->id[K_CQ]);
	PRM_SET(create_qp_in, in, qpc.uar_page, w->id[K_UAR]);
	PRM_SET(create_qp_in, in, qpc.log_rq_size, 4);
	PRM_SET(create_qp_in, in, qpc.log_rq_stride, 2);
	PRM_SET(create_qp_in, in, qpc.log_sq_size, 5);
	PRM_SET(create_qp_in, in, qpc.user_index, 0xabcdef);
	PRM_SET(create_qp_in, in, wq_umem_valid, 1);
	prm_set(in, PRM_CREATE_QP_UMEM_ID, 32, w->id[K_UMEM]);
	prm_set(in, PRM_CREATE_QP_UMEM_OFFSET, 64, 0x1000);
	PRM_SET(create_qp_in, in, qpc.dbr_umem_valid, 1);
	prm_set(in + 0x18, PRM_QPC_DBR_UMEM_ID, 32, w->id[K_UMEM]);
	PRM_SET(create_qp_in, in, qpc.dbr_addr, 0x3008);
}

static inline void fill_sq(struct world *w)
{
	PRM_SET(create_sq_in, in, ctx.cqn, w->id[K_CQ]);
	PRM_SET(create_sq_in, in, ctx.tis_lst_sz, 1);
	PRM_SET(create_sq_in, in, ctx.tis_num_0, w->id[K_TIS]);
	fill_wq(w, in + PRM_BYTE(create_sq_in, ctx.wq));
}

static inline void fill_rq(struct world *w)
{
	PRM_SET(create_rq_in, in, ctx.cqn, w->id[K_CQ]);
	fill_wq(w, in + PRM_BYTE(create_rq_in, ctx.wq));
}

static inline void fill_dct(struct world *w)
{
	PRM_SET(create_dct_in, in, dct_context_entry.pd, w->id[K_PD]);
	PRM_SET(create_dct_in, in, dct_context_entry.cqn, w->id[K_CQ]);
	PRM_SET(create_dct_in, in, dct_context_entry.srqn_xrqn, w->id[K_RMP]);
	PRM_SET(create_dct_in, in, dct_context_entry.dc_access_key, 0x1234);
}

static inline void fill_srq(struct world *w)
{
	PRM_SET(create_srq_in, in, srq_context_entry.pd, w->id[K_PD]);
	PRM_SET(create_srq_in, in, srq_context_entry.log_srq_size, 4);
	PRM_SET(create_srq_in, in, srq_context_entry.log_rq_stride, 1);
	PRM_SET(create_srq_in, in, srq_context_entry.dbr_addr, 0x400000);
	prm_set(in, 0x110 * 8, 64, 0x500000);
}

static inline void fill_xrc_srq(struct world *w)
{
	u8 *c = in + PRM_BYTE(create_xrc_srq_in, xrc_srq_context_entry);

	PRM_SET(xrc_srqc, c, pd, w->id[K_PD]);
	PRM_SET(xrc_srqc, c, xrcd, w->id[K_XRCD]);
	PRM_SET(xrc_srqc, c, cqn, w->id[K_CQ]);
	PRM_SET(xrc_srqc, c, log_xrc_srq_size, 4);
	PRM_SET(xrc_srqc, c, log_rq_stride, 1);
	PRM_SET(create_xrc_srq_in, in, xrc_srq_umem_valid, 1);
	prm_set(in, PRM_CREATE_CQ_UMEM_ID, 32, w->id[K_UMEM]);
}

static inline void fill_rmp(struct world *w)
{
	PRM_SET(create_rmp_in, in, ctx.state, 1);
	fill_wq(w, in + PRM_BYTE(create_rmp_in, ctx.wq));
}

static inline void fill_xrq(struct world *w)
{
	PRM_SET(create_xrq_in, in, xrq_context.cqn, w->id[K_CQ]);
	fill_wq(w, in + PRM_BYTE(create_xrq_in, xrq_context.wq));
}

static inline void fill_rqt(struct world *w)
{
	PRM_SET(create_rqt_in, in, rqt_context.rqt_max_size, 4);
	PRM_SET(create_rqt_in, in, rqt_context.rqt_actual_size, 2);
	prm_set(in, 0x110 * 8, 32, w->id[K_RQ]);
	prm_set(in, 0x114 * 8, 32, w->id[K_RQ]);
}

static inline void fill_tir(struct world *w)
{
	PRM_SET(create_tir_in, in, ctx.disp_type, 1);
	PRM_SET(create_tir_in, in, ctx.indirect_table, w->id[K_RQT]);
	PRM_SET(create_tir_in, in, ctx.transport_domain, w->id[K_TD]);
}

static inline void fill_tis(struct world *w)
{
	PRM_SET(create_tis_in, in, ctx.transport_domain, w->id[K_TD]);
	PRM_SET(create_tis_in, in, ctx.pd, w->id[K_PD]);
}

static inline void fill_psv(struct world *w)
{
	PRM_SET(create_psv_in, in, num_psv, 1);
	PRM_SET(create_psv_in, in, pd, w->id[K_PD]);
}

static inline void fill_ft(struct world *w)
{
	(void)w;
	PRM_SET(create_flow_table_in, in, flow_table_context.log_size, 4);
}

static inline void fill_fg(struct world *w)
{
	PRM_SET(create_flow_group_in, in, table_id, w->id[K_FLOW_TABLE]);
	PRM_SET(create_flow_group_in, in, end_flow_index, 7);
	PRM_SET(create_flow_group_in, in, match_criteria_enable, 1);
}

#define FTE_CTX (in + PRM_BYTE(set_fte_in, flow_context))
#define FTE_LIST (PRM_BYTE(set_fte_in, flow_context) + \
		  PRM_BYTE(flow_context, destination))

/* To the TIR, counted, rewritten twice. */
static inline void fill_fte(struct world *w)
{
	PRM_SET(set_fte_in, in, table_id, w->id[K_FLOW_TABLE]);
	PRM_SET(set_fte_in, in, flow_index, 3);
	PRM_SET(flow_context, FTE_CTX, group_id, w->id[K_FLOW_GROUP]);
	PRM_SET(flow_context, FTE_CTX, action, 0x4 | 0x8 | 0x10 | 0x40);
	PRM_SET(flow_context, FTE_CTX, destination_list_size, 1);
	PRM_SET(flow_context, FTE_CTX, flow_counter_list_size, 1);
	PRM_SET(flow_context, FTE_CTX, packet_reformat_id, w->id[K_REFORMAT]);
	PRM_SET(flow_context, FTE_CTX, modify_header_id,
		w->id[K_MODIFY_HEADER]);
	prm_set(in, FTE_LIST * 8, 8, 2);
	prm_set(in, FTE_LIST * 8 + 8, 24, w->id[K_TIR]);
	prm_set(in, FTE_LIST * 8 + 64, 32, w->id[K_FLOW_COUNTER]);
}

static inline void fill_reformat(struct world *w)
{
	u8 *c = in + PRM_BYTE(alloc_packet_reformat_context_in,
			      packet_reformat_context);

	(void)w;
	PRM_SET(packet_reformat_context_in, c, reformat_type, 2);
	PRM_SET(packet_reformat_context_in, c, reformat_data_size, 14);
	memset(c + 6, 0x5a, 14);
}

static inline void fill_modify_header(struct world *w)
{
	(void)w;
	PRM_SET(alloc_modify_header_context_in, in, num_of_actions, 2);
	memset(in + 16, 0xa5, 16);
}

static inline void fill_sched(struct world *w)
{
	(void)w;
	PRM_SET(create_scheduling_element_in, in, scheduling_hierarchy, 3);
	PRM_SET(create_scheduling_element_in, in, scheduling_context.bw_share,
		7);
}

static inline void fill_mcg(struct world *w)
{
	PRM_SET(attach_to_mcg_in, in, qpn, w->id[K_QP]);
	in[16] = 0xff;
}

static inline void fill_vxlan(struct world *w)
{
	(void)w;
	PRM_SET(add_vxlan_udp_dport_in, in, vxlan_udp_port, 4789);
}

static inline void fill_l2(struct world *w)
{
	(void)w;
	PRM_SET(set_l2_table_entry_in, in, table_index, 5);
	PRM_SET(set_l2_table_entry_in, in, vlan, 9);
}

static inline void fill_general(struct world *w)
{
	(void)w;
	PRM_SET(general_obj_in_cmd_hdr, in, obj_type, 0x18);
	memset(in + 16, 0x77, 128);
}

static inline void fill_none(struct world *w)
{
	(void)w;
}

/*
 * How each kind is made, in an order in which all that one needs is there, with
 * the bytes behind the command's own; query and destroy are by number, if not 0.
 */
struct maker {
	enum fw_kind kind;
	u16 create;
	u16 query;
	u16 destroy;
	u16 more;
	void (*fill)(struct world *w);
};

static const struct maker makers[] = {
	{ K_PD, 0x800, 0, 0x801, 0, fill_none },
	{ K_UAR, 0x802, 0, 0x803, 0, fill_none },
	{ K_TD, 0x816, 0, 0x817, 0, fill_none },
	{ K_XRCD, 0x80e, 0, 0x80f, 0, fill_none },
	{ K_UMEM, 0xa08, 0, 0xa0a, 32, fill_umem },
	{ K_MKEY, 0x200, 0x201, 0x202, 16, fill_mkey },
	{ K_CQ, 0x400, 0x402, 0x401, 0, fill_cq },
	{ K_RMP, 0x90c, 0x90f, 0x90e, 0, fill_rmp },
	{ K_SRQ, 0x700, 0x702, 0x701, 8, fill_srq },
	{ K_XRC_SRQ, 0x705, 0x707, 0x706, 0, fill_xrc_srq },
	{ K_XRQ, 0x717, 0x719, 0x718, 0, fill_xrq },
	{ K_QP, 0x500, 0x50b, 0x501, 0, fill_qp },
	{ K_TIS, 0x912, 0x915, 0x914, 0, fill_tis },
	{ K_SQ, 0x904, 0x907, 0x906, 0, fill_sq },
	{ K_RQ, 0x908, 0x90b, 0x90a, 0, fill_rq },
	{ K_RQT, 0x916, 0x919, 0x918, 8, fill_rqt },
	{ K_TIR, 0x900, 0x903, 0x902, 0, fill_tir },
	{ K_PSV, 0x600, 0, 0x601, 0, fill_psv },
	{ K_Q_COUNTER, 0x771, 0x773, 0x772, 0, fill_none },
	{ K_FLOW_TABLE, 0x930, 0x932, 0x931, 0, fill_ft },
	{ K_FLOW_GROUP, 0x933, 0x935, 0x934, 0, fill_fg },
	{ K_FLOW_COUNTER, 0x939, 0, 0x93a, 0, fill_none },
	{ K_REFORMAT, 0x93d, 0x93f, 0x93e, 16, fill_reformat },
	{ K_MODIFY_HEADER, 0x940, 0x942, 0x941, 16, fill_modify_header },
	{ K_FTE, 0x936, 0, 0, 16, fill_fte },
	{ K_SCHED, 0x782, 0x784, 0x783, 0, fill_sched },
	{ K_MCG, 0x806, 0, 0, 0, fill_mcg },
	{ K_VXLAN, 0x827, 0, 0, 0, fill_vxlan },
	{ K_L2, 0x829, 0, 0, 0, fill_l2 },
	{ K_GENERAL, 0xa00, 0, 0, 128, fill_general },
	{ K_DCT, 0x710, 0x713, 0x711, 0, fill_dct },
};

static inline const struct maker *maker_of(enum fw_kind kind)
{
	const struct maker *m = makers;

	while (m->kind != kind)
		m++;
	return m;
}

static inline u32 new_id(u16 op)
{
	const struct fw_cmd *cmd = fw_cmd_find(op);

	if (op == 0x600)
		return PRM_GET(create_psv_out, out, psv0_index);
	return cmd->id_width ? prm_get(out, cmd->id_bit, cmd->id_width) : 0;
}

/* The create, filled in but not sent. */
static inline void fill(const struct maker *m, struct world *w)
{
	clear();
	m->fill(w);
}

static inline int make(enum fw_kind kind, struct world *w)
{
	const struct maker *m = maker_of(kind);
	int ret;

	fill(m, w);
	ret = run(m->create, w->uid, m->more);
	if (!ret)
		w->id[kind] = new_id(m->create);
	return ret;
}

/* An EQ that everybody may name, on a UAR of the kernel. */
static inline u32 shared_eq(void)
{
	struct world kernel = { };

	if (make(K_UAR, &kernel))
		return 0;
	clear();
	fill_eq(&kernel);
	if (run(0x301, FW_UID_SHARED, 8))
		return 0;
	return PRM_GET(create_eq_out, out, eq_number);
}

/* One of each kind. */
static inline void make_world(struct world *w, u16 uid)
{
	size_t i;

	memset(w, 0, sizeof(*w));
	w->uid = uid;
	w->id[K_EQ] = shared_eq();
	for (i = 0; i < ARRAY_SIZE(makers); i++)
		CHECK_EQ(make(makers[i].kind, w), FW_OK);
}

/* What a query, modify or destroy says of @kind's object. */
static inline void name_it(u16 op, enum fw_kind kind, struct world *w)
{
	const struct fw_cmd *cmd = fw_cmd_find(op);

	clear();
	if (cmd->id_width)
		prm_set(in, cmd->id_bit, cmd->id_width, w->id[kind]);
	if (kind == K_FLOW_GROUP)
		PRM_SET(destroy_flow_group_in, in, table_id,
			w->id[K_FLOW_TABLE]);
	if (kind == K_SCHED)
		PRM_SET(destroy_scheduling_element_in, in,
			scheduling_hierarchy, 3);
}

static inline int destroy(enum fw_kind kind, struct world *w)
{
	const struct maker *m = maker_of(kind);

	name_it(m->destroy, kind, w);
	return run(m->destroy, w->uid, 0);
}

#endif /* HCA_TEST_FW_MAKE_H */
