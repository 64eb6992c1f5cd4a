// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Mailboxes of queues, of the objects they need, and of those that distribute
 * to them.
 */
#include "objtypes_fill.h"

/* Offsets in the umem: doorbell records first, then the buffers. */
enum {
	MEM_DBR_CQ = 0x000,
	MEM_DBR_QP = 0x040,
	MEM_DBR_RMP = 0x080,
	MEM_DBR_RQ = 0x0c0,
	MEM_DBR_SQ = 0x100,
	MEM_DBR_XRC_SRQ = 0x140,
	MEM_DBR_XRQ = 0x180,
	/* Up to 0x10000: objtypes_key.c */
	MEM_CQ = 0x10000,
	MEM_QP = 0x20000,
	MEM_RMP = 0x28000,
	MEM_RQ = 0x30000,
	MEM_SQ = 0x34000,
	MEM_XRC_SRQ = 0x38000,
	MEM_XRQ = 0x3c000,
};

enum {
	LOG_CQ_SIZE = 6,
	LOG_QP_SIZE = 4,
	LOG_WQ_SIZE = 5,
	LOG_RQ_STRIDE = 6,
	QP_PORT = 1,
	WQ_LINKED_LIST = 0,
	WQ_CYCLIC = 1,
	MTU_1024 = 3,
	PM_MIGRATED = 3,
};

bool xrcd_has(struct mdx_world *w)
{
	return DEVX_GET(cmd_hca_cap, world_cap(w, CAP_GENERAL), xrc);
}

void cq_fill(struct mdx_world *w, void *in)
{
	DEVX_SET(create_cq_in, in, cq_context.log_cq_size, LOG_CQ_SIZE);
	DEVX_SET(create_cq_in, in, cq_context.uar_page, w->uar->page_id);
	DEVX_SET(create_cq_in, in, cq_context.c_eqn_or_apu_element, w->eqn);
	DEVX_SET(create_cq_in, in, cq_context.dbr_umem_valid, 1);
	DEVX_SET64(create_cq_in, in, cq_context.dbr_addr, MEM_DBR_CQ);
	DEVX_SET(create_cq_in, in, cq_umem_valid, 1);
	mbox_set32(in, MBOX_CREATE_CQ_DBR_UMEM_ID, w->umem->umem_id);
	mbox_set32(in, MBOX_CREATE_CQ_UMEM_ID, w->umem->umem_id);
	mbox_set64(in, MBOX_CREATE_CQ_UMEM_OFFSET, MEM_CQ);
}

/* Moderation: at most 32 completions or 100 microseconds without an event. */
void cq_fill_modify(struct mdx_world *w, void *in)
{
	mbox_set32(in, DEVX_BYTE_OFF(modify_cq_in,
				    modify_field_select_resize_field_select),
		  3);
	DEVX_SET(modify_cq_in, in, cq_context.cq_period, 100);
	DEVX_SET(modify_cq_in, in, cq_context.cq_max_count, 32);
}

bool cq_check(struct mdx_world *w, const void *out)
{
	return DEVX_GET(query_cq_out, out, cq_context.log_cq_size) ==
			LOG_CQ_SIZE &&
	       DEVX_GET(query_cq_out, out, cq_context.uar_page) ==
			w->uar->page_id &&
	       DEVX_GET(query_cq_out, out, cq_context.c_eqn_or_apu_element) ==
			w->eqn;
}

bool cq_check_modify(struct mdx_world *w, const void *out)
{
	return DEVX_GET(query_cq_out, out, cq_context.cq_period) == 100 &&
	       DEVX_GET(query_cq_out, out, cq_context.cq_max_count) == 32 &&
	       cq_check(w, out);
}

void qp_fill(struct mdx_world *w, void *in)
{
	DEVX_SET(create_qp_in, in, qpc.pm_state, PM_MIGRATED);
	DEVX_SET(create_qp_in, in, qpc.pd, world_num(w, OBJTYPE_PD));
	DEVX_SET(create_qp_in, in, qpc.uar_page, w->uar->page_id);
	DEVX_SET(create_qp_in, in, qpc.cqn_snd, world_num(w, OBJTYPE_CQ));
	DEVX_SET(create_qp_in, in, qpc.cqn_rcv, world_num(w, OBJTYPE_CQ));
	DEVX_SET(create_qp_in, in, qpc.log_sq_size, LOG_QP_SIZE);
	DEVX_SET(create_qp_in, in, qpc.log_rq_size, LOG_QP_SIZE);
	DEVX_SET(create_qp_in, in, qpc.user_index, 0x123);
	DEVX_SET(create_qp_in, in, qpc.dbr_umem_valid, 1);
	DEVX_SET64(create_qp_in, in, qpc.dbr_addr, MEM_DBR_QP);
	mbox_set32(in, MBOX_CREATE_QP_DBR_UMEM_ID, w->umem->umem_id);
	DEVX_SET(create_qp_in, in, wq_umem_valid, 1);
	mbox_set32(in, MBOX_CREATE_QP_WQ_UMEM_ID, w->umem->umem_id);
	mbox_set64(in, MBOX_CREATE_QP_WQ_UMEM_OFFSET, MEM_QP);
}

void qp_fill_modify(struct mdx_world *w, void *in)
{
	DEVX_SET(rst2init_qp_in, in, qpc.pm_state, PM_MIGRATED);
	DEVX_SET(rst2init_qp_in, in, qpc.rre, 1);
	DEVX_SET(rst2init_qp_in, in, qpc.rwe, 1);
	DEVX_SET(rst2init_qp_in, in, qpc.primary_address_path.vhca_port_num,
		 QP_PORT);
}

bool qp_check(struct mdx_world *w, const void *out)
{
	return DEVX_GET(query_qp_out, out, qpc.state) == 0 &&
	       DEVX_GET(query_qp_out, out, qpc.log_sq_size) == LOG_QP_SIZE &&
	       DEVX_GET(query_qp_out, out, qpc.pd) ==
		       world_num(w, OBJTYPE_PD) &&
	       DEVX_GET(query_qp_out, out, qpc.cqn_snd) ==
		       world_num(w, OBJTYPE_CQ) &&
	       DEVX_GET(query_qp_out, out, qpc.user_index) == 0x123;
}

bool qp_check_modify(struct mdx_world *w, const void *out)
{
	return DEVX_GET(query_qp_out, out, qpc.state) == 1 &&
	       DEVX_GET(query_qp_out, out, qpc.rwe) == 1;
}

void mcg_fill(struct mdx_world *w, void *in)
{
	static const uint8_t gid[16] = { 0xff, 0x0e, [14] = 0x12, [15] = 0x34 };

	DEVX_SET(attach_to_mcg_in, in, qpn, world_num(w, OBJTYPE_QP));
	memcpy(DEVX_ADDR_OF(attach_to_mcg_in, in, multicast_gid), gid, 16);
}

bool mcg_has(struct mdx_world *w)
{
	return DEVX_GET(cmd_hca_cap, world_cap(w, CAP_GENERAL), log_max_mcg);
}

static void wq_fill(struct mdx_world *w, uint8_t *wq, uint8_t type,
		    uint8_t log_stride, uint64_t dbr, uint64_t buf)
{
	DEVX_SET(wq, wq, wq_type, type);
	DEVX_SET(wq, wq, pd, world_num(w, OBJTYPE_PD));
	DEVX_SET(wq, wq, uar_page, w->uar->page_id);
	DEVX_SET(wq, wq, log_wq_stride, log_stride);
	DEVX_SET(wq, wq, log_wq_sz, LOG_WQ_SIZE);
	DEVX_SET64(wq, wq, dbr_addr, dbr);
	DEVX_SET(wq, wq, dbr_umem_valid, 1);
	DEVX_SET(wq, wq, wq_umem_valid, 1);
	mbox_set32(wq, MBOX_WQ_DBR_UMEM_ID, w->umem->umem_id);
	mbox_set32(wq, MBOX_WQ_WQ_UMEM_ID, w->umem->umem_id);
	mbox_set64(wq, MBOX_WQ_WQ_UMEM_OFFSET, buf);
}

void rmp_fill(struct mdx_world *w, void *in)
{
	DEVX_SET(create_rmp_in, in, ctx.state, MLX5_RMPC_STATE_RDY);
	wq_fill(w, DEVX_ADDR_OF(create_rmp_in, in, ctx.wq), WQ_LINKED_LIST,
		LOG_RQ_STRIDE, MEM_DBR_RMP, MEM_RMP);
}

void rmp_fill_modify(struct mdx_world *w, void *in)
{
	DEVX_SET(modify_rmp_in, in, rmp_state, MLX5_RMPC_STATE_RDY);
	DEVX_SET(modify_rmp_in, in, ctx.state, MLX5_RMPC_STATE_RDY);
	DEVX_SET(modify_rmp_in, in, bitmask.lwm, 1);
	DEVX_SET(modify_rmp_in, in, ctx.wq.lwm, 8);
}

bool rmp_check(struct mdx_world *w, const void *out)
{
	return DEVX_GET(query_rmp_out, out, rmp_context.wq.pd) ==
			world_num(w, OBJTYPE_PD) &&
	       DEVX_GET(query_rmp_out, out, rmp_context.wq.log_wq_sz) ==
			LOG_WQ_SIZE;
}

bool rmp_check_modify(struct mdx_world *w, const void *out)
{
	return DEVX_GET(query_rmp_out, out, rmp_context.wq.lwm) == 8;
}

void rq_fill(struct mdx_world *w, void *in)
{
	DEVX_SET(create_rq_in, in, ctx.vsd, 1);
	DEVX_SET(create_rq_in, in, ctx.flush_in_error_en, 1);
	DEVX_SET(create_rq_in, in, ctx.cqn, world_num(w, OBJTYPE_CQ));
	DEVX_SET(create_rq_in, in, ctx.user_index, 0x321);
	wq_fill(w, DEVX_ADDR_OF(create_rq_in, in, ctx.wq), WQ_CYCLIC,
		LOG_RQ_STRIDE, MEM_DBR_RQ, MEM_RQ);
}

void rq_fill_modify(struct mdx_world *w, void *in)
{
	DEVX_SET(modify_rq_in, in, rq_state, MLX5_RQC_STATE_RST);
	DEVX_SET(modify_rq_in, in, ctx.state, MLX5_RQC_STATE_RDY);
}

bool rq_check(struct mdx_world *w, const void *out)
{
	return DEVX_GET(query_rq_out, out, rq_context.state) == 0 &&
	       DEVX_GET(query_rq_out, out, rq_context.cqn) ==
			world_num(w, OBJTYPE_CQ) &&
	       DEVX_GET(query_rq_out, out, rq_context.wq.log_wq_sz) ==
			LOG_WQ_SIZE;
}

bool rq_check_modify(struct mdx_world *w, const void *out)
{
	return DEVX_GET(query_rq_out, out, rq_context.state) ==
			MLX5_RQC_STATE_RDY;
}

void sq_fill(struct mdx_world *w, void *in)
{
	DEVX_SET(create_sq_in, in, ctx.cqn, world_num(w, OBJTYPE_CQ));
	DEVX_SET(create_sq_in, in, ctx.flush_in_error_en, 1);
	DEVX_SET(create_sq_in, in, ctx.tis_lst_sz, 1);
	DEVX_SET(create_sq_in, in, ctx.tis_num_0, world_num(w, OBJTYPE_TIS));
	wq_fill(w, DEVX_ADDR_OF(create_sq_in, in, ctx.wq), WQ_CYCLIC, 6,
		MEM_DBR_SQ, MEM_SQ);
}

void sq_fill_modify(struct mdx_world *w, void *in)
{
	DEVX_SET(modify_sq_in, in, sq_state, MLX5_SQC_STATE_RST);
	DEVX_SET(modify_sq_in, in, ctx.state, MLX5_SQC_STATE_RDY);
}

bool sq_check(struct mdx_world *w, const void *out)
{
	return DEVX_GET(query_sq_out, out, sq_context.state) == 0 &&
	       DEVX_GET(query_sq_out, out, sq_context.cqn) ==
			world_num(w, OBJTYPE_CQ) &&
	       DEVX_GET(query_sq_out, out, sq_context.tis_num_0) ==
			world_num(w, OBJTYPE_TIS);
}

bool sq_check_modify(struct mdx_world *w, const void *out)
{
	return DEVX_GET(query_sq_out, out, sq_context.state) ==
			MLX5_SQC_STATE_RDY;
}

void rqt_fill(struct mdx_world *w, void *in)
{
	DEVX_SET(create_rqt_in, in, rqt_context.rqt_max_size, 4);
	DEVX_SET(create_rqt_in, in, rqt_context.rqt_actual_size, 2);
	mbox_set32(in, SZ(create_rqt_in), world_num(w, OBJTYPE_RQ));
	mbox_set32(in, SZ(create_rqt_in) + 4, world_num(w, OBJTYPE_RQ));
}

void rqt_fill_modify(struct mdx_world *w, void *in)
{
	DEVX_SET(modify_rqt_in, in, bitmask.rqn_list, 1);
	DEVX_SET(modify_rqt_in, in, ctx.rqt_actual_size, 1);
	mbox_set32(in, SZ(modify_rqt_in), world_num(w, OBJTYPE_RQ));
}

bool rqt_check(struct mdx_world *w, const void *out)
{
	return DEVX_GET(query_rqt_out, out, rqt_context.rqt_max_size) == 4 &&
	       DEVX_GET(query_rqt_out, out, rqt_context.rqt_actual_size) == 2 &&
	       mbox_get32(out, SZ(query_rqt_out)) == world_num(w, OBJTYPE_RQ);
}

bool rqt_check_modify(struct mdx_world *w, const void *out)
{
	return DEVX_GET(query_rqt_out, out, rqt_context.rqt_actual_size) == 1;
}

void tir_fill(struct mdx_world *w, void *in)
{
	DEVX_SET(create_tir_in, in, ctx.disp_type,
		 MLX5_TIRC_DISP_TYPE_INDIRECT);
	DEVX_SET(create_tir_in, in, ctx.indirect_table,
		 world_num(w, OBJTYPE_RQT));
	DEVX_SET(create_tir_in, in, ctx.transport_domain,
		 world_num(w, OBJTYPE_TD));
	DEVX_SET(create_tir_in, in, ctx.rx_hash_fn,
		 MLX5_RX_HASH_FN_TOEPLITZ);
	DEVX_SET(create_tir_in, in,
		 ctx.rx_hash_field_selector_outer.selected_fields, 3);
}

void tir_fill_modify(struct mdx_world *w, void *in)
{
	DEVX_SET(modify_tir_in, in, bitmask.self_lb_en, 1);
	DEVX_SET(modify_tir_in, in, ctx.self_lb_block, 1);
}

bool tir_check(struct mdx_world *w, const void *out)
{
	return DEVX_GET(query_tir_out, out, tir_context.indirect_table) ==
			world_num(w, OBJTYPE_RQT) &&
	       DEVX_GET(query_tir_out, out, tir_context.transport_domain) ==
			world_num(w, OBJTYPE_TD);
}

bool tir_check_modify(struct mdx_world *w, const void *out)
{
	return DEVX_GET(query_tir_out, out, tir_context.self_lb_block) == 1;
}

void tis_fill(struct mdx_world *w, void *in)
{
	DEVX_SET(create_tis_in, in, ctx.transport_domain,
		 world_num(w, OBJTYPE_TD));
}

void tis_fill_modify(struct mdx_world *w, void *in)
{
	DEVX_SET(modify_tis_in, in, bitmask.prio, 1);
	DEVX_SET(modify_tis_in, in, ctx.prio, 6);
}

bool tis_check(struct mdx_world *w, const void *out)
{
	return DEVX_GET(query_tis_out, out, tis_context.transport_domain) ==
		world_num(w, OBJTYPE_TD);
}

bool tis_check_modify(struct mdx_world *w, const void *out)
{
	return DEVX_GET(query_tis_out, out, tis_context.prio) == 6 &&
	       tis_check(w, out);
}

/*
 * The SRQ of an interface without ISSI: it takes no umem, only pages. Current
 * devices refuse it.
 */
void srq_fill(struct mdx_world *w, void *in)
{
	DEVX_SET(create_srq_in, in, srq_context_entry.log_srq_size, 4);
	DEVX_SET(create_srq_in, in, srq_context_entry.pd,
		 world_num(w, OBJTYPE_PD));
	DEVX_SET(create_srq_in, in, srq_context_entry.cqn,
		 world_num(w, OBJTYPE_CQ));
	DEVX_SET(create_srq_in, in, srq_context_entry.xrcd,
		 world_num(w, OBJTYPE_XRCD));
}

bool srq_has(struct mdx_world *w)
{
	uint64_t in[MBOX_HDR_LEN / 8];
	uint64_t out[SZ(query_issi_out) / 8 + 1];
	struct mbox_pair m = {
		.in = in, .out = out,
		.in_len = sizeof(in), .out_len = SZ(query_issi_out),
	};

	mdx_hdr(in, MLX5_CMD_OP_QUERY_ISSI, 0, 0);
	return !_test_mdx_general(w->mdx.fd, &m) &&
	       !DEVX_GET(query_issi_out, out, current_issi);
}

bool srq_check(struct mdx_world *w, const void *out)
{
	return DEVX_GET(query_srq_out, out, srq_context_entry.pd) ==
		world_num(w, OBJTYPE_PD);
}

void xrc_srq_fill(struct mdx_world *w, void *in)
{
	DEVX_SET(create_xrc_srq_in, in,
		 xrc_srq_context_entry.log_xrc_srq_size, LOG_WQ_SIZE);
	DEVX_SET(create_xrc_srq_in, in, xrc_srq_context_entry.log_rq_stride, 2);
	DEVX_SET(create_xrc_srq_in, in, xrc_srq_context_entry.xrcd,
		 world_num(w, OBJTYPE_XRCD));
	DEVX_SET(create_xrc_srq_in, in, xrc_srq_context_entry.cqn,
		 world_num(w, OBJTYPE_CQ));
	DEVX_SET(create_xrc_srq_in, in, xrc_srq_context_entry.pd,
		 world_num(w, OBJTYPE_PD));
	DEVX_SET(create_xrc_srq_in, in, xrc_srq_context_entry.user_index, 7);
	DEVX_SET(create_xrc_srq_in, in, xrc_srq_context_entry.dbr_umem_valid,
		 1);
	DEVX_SET(create_xrc_srq_in, in,
		 xrc_srq_context_entry.db_record_addr_l, MEM_DBR_XRC_SRQ >> 2);
	DEVX_SET(create_xrc_srq_in, in, xrc_srq_umem_valid, 1);
	mbox_set32(in, MBOX_CREATE_XRC_SRQ_DBR_UMEM_ID, w->umem->umem_id);
	mbox_set32(in, MBOX_CREATE_XRC_SRQ_UMEM_ID, w->umem->umem_id);
	mbox_set64(in, MBOX_CREATE_XRC_SRQ_UMEM_OFFSET, MEM_XRC_SRQ);
}

void xrc_srq_fill_modify(struct mdx_world *w, void *in)
{
	DEVX_SET(arm_xrc_srq_in, in, op_mod, 1);
	DEVX_SET(arm_xrc_srq_in, in, lwm, 4);
}

bool xrc_srq_check(struct mdx_world *w, const void *out)
{
	return DEVX_GET(query_xrc_srq_out, out, xrc_srq_context_entry.xrcd) ==
			world_num(w, OBJTYPE_XRCD) &&
	       DEVX_GET(query_xrc_srq_out, out, xrc_srq_context_entry.pd) ==
			world_num(w, OBJTYPE_PD);
}

void xrq_fill(struct mdx_world *w, void *in)
{
	DEVX_SET(create_xrq_in, in, xrq_context.topology, 1);
	DEVX_SET(create_xrq_in, in, xrq_context.user_index, 9);
	DEVX_SET(create_xrq_in, in, xrq_context.cqn, world_num(w, OBJTYPE_CQ));
	DEVX_SET(create_xrq_in, in,
		 xrq_context.tag_matching_topology_context.log_matching_list_sz,
		 4);
	wq_fill(w, DEVX_ADDR_OF(create_xrq_in, in, xrq_context.wq),
		WQ_LINKED_LIST, LOG_RQ_STRIDE, MEM_DBR_XRQ, MEM_XRQ);
}

void xrq_fill_modify(struct mdx_world *w, void *in)
{
	DEVX_SET(arm_xrq_in, in, lwm, 4);
}

bool xrq_has(struct mdx_world *w)
{
	return DEVX_GET(cmd_hca_cap, world_cap(w, CAP_GENERAL), log_max_xrq);
}

bool xrq_check(struct mdx_world *w, const void *out)
{
	return DEVX_GET(query_xrq_out, out, xrq_context.cqn) ==
		world_num(w, OBJTYPE_CQ);
}

void dct_fill(struct mdx_world *w, void *in)
{
	DEVX_SET(create_dct_in, in, dct_context_entry.cqn,
		 world_num(w, OBJTYPE_CQ));
	DEVX_SET(create_dct_in, in, dct_context_entry.srqn_xrqn,
		 world_num(w, OBJTYPE_RMP));
	DEVX_SET(create_dct_in, in, dct_context_entry.pd,
		 world_num(w, OBJTYPE_PD));
	DEVX_SET(create_dct_in, in, dct_context_entry.rwe, 1);
	DEVX_SET(create_dct_in, in, dct_context_entry.mtu, MTU_1024);
	DEVX_SET(create_dct_in, in, dct_context_entry.port, QP_PORT);
	DEVX_SET(create_dct_in, in, dct_context_entry.hop_limit, 64);
	DEVX_SET(create_dct_in, in, dct_context_entry.min_rnr_nak, 12);
	DEVX_SET64(create_dct_in, in, dct_context_entry.dc_access_key,
		   0x1122334455667788ULL);
}

bool dct_has(struct mdx_world *w)
{
	return DEVX_GET(cmd_hca_cap, world_cap(w, CAP_GENERAL), dct);
}

bool dct_check(struct mdx_world *w, const void *out)
{
	return DEVX_GET(query_dct_out, out, dct_context_entry.pd) ==
			world_num(w, OBJTYPE_PD) &&
	       DEVX_GET(query_dct_out, out, dct_context_entry.srqn_xrqn) ==
			world_num(w, OBJTYPE_RMP);
}
