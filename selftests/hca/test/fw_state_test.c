// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * State machines: every transition from every state, and fields that modifies
 * write.
 */
#include "fw_make.h"

static struct fw_world w;

static void begin_test(void)
{
	start_fw();
	make_world(&w, ua);
}

enum { RST, INIT, RTR, RTS, SQER, SQD, ERR, STATES };

/* The state after each command; STATES (7) if it is refused. */
static const struct {
	u16 op;
	u8 to[STATES];
} qp_moves[] = {
	{ MLX5_CMD_OP_RST2INIT_QP, { INIT, 7, 7, 7, 7, 7, 7 } },
	{ MLX5_CMD_OP_INIT2INIT_QP, { 7, INIT, 7, 7, 7, 7, 7 } },
	{ MLX5_CMD_OP_INIT2RTR_QP, { 7, RTR, 7, 7, 7, 7, 7 } },
	{ MLX5_CMD_OP_RTR2RTS_QP, { 7, 7, RTS, 7, 7, 7, 7 } },
	{ MLX5_CMD_OP_RTS2RTS_QP, { 7, 7, 7, RTS, 7, 7, 7 } },
	{ MLX5_CMD_OP_SQERR2RTS_QP, { 7, 7, 7, 7, RTS, 7, 7 } },
	{ MLX5_CMD_OP_SQD_RTS_QP, { 7, 7, 7, 7, 7, RTS, 7 } },
	{ MLX5_CMD_OP_2ERR_QP, { ERR, ERR, ERR, ERR, ERR, ERR, ERR } },
	{ MLX5_CMD_OP_2RST_QP, { RST, RST, RST, RST, RST, RST, RST } },
};

static u8 qp_state(void)
{
	name_it(MLX5_CMD_OP_QUERY_QP, OBJ_QP, &w);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_QP, ua, 0), FW_OK);
	return PRM_GET(query_qp_out, out, qpc.state);
}

/* No command leads to SQER and SQD, so the state is set directly. */
static void qp_put(u8 state)
{
	struct hca_obj *qp = obj_find(&fw->store, OBJ_QP, w.id[OBJ_QP]);

	qp->state = state;
	PRM_SET(qpc, obj_ctx(qp), state, state);
}

static void qp_transitions_all(void)
{
	size_t i;
	u8 from, to;
	int ret;

	begin_test();
	for (i = 0; i < ARRAY_SIZE(qp_moves); i++) {
		for (from = RST; from < STATES; from++) {
			qp_put(from);
			to = qp_moves[i].to[from];
			name_it(qp_moves[i].op, OBJ_QP, &w);
			ret = run_cmd(qp_moves[i].op, ua, 0);
			if (to == STATES) {
				CHECK_EQ(ret, FW_BAD_QP_STATE);
				CHECK_EQ(out_synd(), SYND_STATE | OBJ_QP);
			} else {
				CHECK_EQ(ret, FW_OK);
			}
			CHECK_EQ(qp_state(), to == STATES ? from : to);
		}
	}
	stop_fw();
}

#define QPC PRM_BYTE(rst2init_qp_in, qpc)

static void change_qp(u16 op, u32 opt)
{
	const struct fw_cmd *cmd = fw_cmd_find(op);

	prm_set(in, cmd->id_bit, cmd->id_width, w.id[OBJ_QP]);
	PRM_SET(rst2init_qp_in, in, opt_param_mask, opt);
	CHECK_EQ(run_cmd(op, ua, 0), FW_OK);
}

static void qp_transitions_set_fields(void)
{
	struct fw_wq_view view;
	const u8 *q = out + PRM_BYTE(query_qp_out, qpc);

	begin_test();
	clear_in();
	PRM_SET(qpc, in + QPC, rwe, 1);
	PRM_SET(qpc, in + QPC, primary_address_path.vhca_port_num, 1);
	PRM_SET(qpc, in + QPC, log_rq_size, 9);
	PRM_SET(qpc, in + QPC, next_send_psn, 99);
	change_qp(MLX5_CMD_OP_RST2INIT_QP, 0);
	clear_in();
	PRM_SET(qpc, in + QPC, remote_qpn, 0x123);
	PRM_SET(qpc, in + QPC, mtu, 3);
	PRM_SET(qpc, in + QPC, rwe, 0);
	change_qp(MLX5_CMD_OP_INIT2RTR_QP, 0);
	clear_in();
	PRM_SET(qpc, in + QPC, next_send_psn, 5);
	PRM_SET(qpc, in + QPC, retry_count, 7);
	PRM_SET(qpc, in + QPC, mtu, 1);
	change_qp(MLX5_CMD_OP_RTR2RTS_QP, 0);
	CHECK_EQ(qp_state(), RTS);
	CHECK_EQ(PRM_GET(qpc, q, log_rq_size), 4);
	CHECK_EQ(PRM_GET(qpc, q, rwe), 1);
	CHECK_EQ(PRM_GET(qpc, q, remote_qpn), 0x123);
	CHECK_EQ(PRM_GET(qpc, q, mtu), 3);
	CHECK_EQ(PRM_GET(qpc, q, next_send_psn), 5);
	CHECK_EQ(PRM_GET(qpc, q, retry_count), 7);
	CHECK(fw_wq_view(fw, w.id[OBJ_QP], &view) && view.ready);
	/* Later transitions set the fields of the mask only. */
	clear_in();
	PRM_SET(qpc, in + QPC, min_rnr_nak, 12);
	PRM_SET(qpc, in + QPC, retry_count, 1);
	change_qp(MLX5_CMD_OP_RTS2RTS_QP, BIT(6));
	qp_state();
	CHECK_EQ(PRM_GET(qpc, q, min_rnr_nak), 12);
	CHECK_EQ(PRM_GET(qpc, q, retry_count), 7);
	CHECK_EQ(PRM_GET(qpc, q, rwe), 1);
	stop_fw();
}

static int wq_modify(u16 op, enum hca_obj_type type, u8 cur, u8 next)
{
	name_it(op, type, &w);
	/* State and context have the same offsets in all three. */
	PRM_SET(modify_rq_in, in, rq_state, cur);
	if (type == OBJ_RMP)
		PRM_SET(modify_rmp_in, in, ctx.state, next);
	else
		PRM_SET(modify_rq_in, in, ctx.state, next);
	return run_cmd(op, ua, 0);
}

static void wq_put(enum hca_obj_type type, u8 state)
{
	obj_find(&fw->store, type, w.id[type])->state = state;
}

static void rq_sq_transitions_all(void)
{
	static const u8 states[] = { 0, 1, 3 };
	static const struct {
		u16 op;
		enum hca_obj_type type;
	} types[] = { { MLX5_CMD_OP_MODIFY_RQ, OBJ_RQ },
		      { MLX5_CMD_OP_MODIFY_SQ, OBJ_SQ } };
	size_t k, i, j;

	begin_test();
	for (k = 0; k < ARRAY_SIZE(types); k++) {
		for (i = 0; i < 3; i++) {
			for (j = 0; j < 3; j++) {
				bool bad = states[i] == 3 && states[j] == 1;

				wq_put(types[k].type, states[i]);
				CHECK_EQ(wq_modify(types[k].op, types[k].type,
						   states[i], states[j]),
					 bad ? FW_BAD_QP_STATE : FW_OK);
			}
			/* An unknown state, and a wrong current state */
			wq_put(types[k].type, states[i]);
			CHECK_EQ(wq_modify(types[k].op, types[k].type,
					   states[i], 2),
				 FW_BAD_QP_STATE);
			CHECK_EQ(out_synd(), SYND_STATE | types[k].type);
			CHECK_EQ(wq_modify(types[k].op, types[k].type,
					   states[(i + 1) % 3], 0),
				 FW_BAD_QP_STATE);
			CHECK_EQ(out_synd(), SYND_CUR_STATE | types[k].type);
		}
	}
	stop_fw();
}

static void rmp_transitions_all(void)
{
	begin_test();
	CHECK_EQ(wq_modify(MLX5_CMD_OP_MODIFY_RMP, OBJ_RMP, 3, 1),
		 FW_BAD_QP_STATE);
	CHECK_EQ(wq_modify(MLX5_CMD_OP_MODIFY_RMP, OBJ_RMP, 1, 1), FW_OK);
	CHECK_EQ(wq_modify(MLX5_CMD_OP_MODIFY_RMP, OBJ_RMP, 1, 0),
		 FW_BAD_QP_STATE);
	CHECK_EQ(wq_modify(MLX5_CMD_OP_MODIFY_RMP, OBJ_RMP, 1, 3), FW_OK);
	CHECK_EQ(wq_modify(MLX5_CMD_OP_MODIFY_RMP, OBJ_RMP, 3, 1),
		 FW_BAD_QP_STATE);
	CHECK_EQ(wq_modify(MLX5_CMD_OP_MODIFY_RMP, OBJ_RMP, 3, 3), FW_OK);
	stop_fw();
}

static void raw_queue_masks(void)
{
	begin_test();
	name_it(MLX5_CMD_OP_MODIFY_RQ, OBJ_RQ, &w);
	PRM_SET(modify_rq_in, in, ctx.state, 1);
	PRM_SET(modify_rq_in, in, ctx.vsd, 1);
	PRM_SET(modify_rq_in, in, ctx.scatter_fcs, 1);
	PRM_SET(modify_rq_in, in, modify_bitmask, BIT(1));
	CHECK_EQ(run_cmd(MLX5_CMD_OP_MODIFY_RQ, ua, 0), FW_OK);
	name_it(MLX5_CMD_OP_QUERY_RQ, OBJ_RQ, &w);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_RQ, ua, 0), FW_OK);
	CHECK_EQ(PRM_GET(query_rq_out, out, rq_context.vsd), 1);
	CHECK_EQ(PRM_GET(query_rq_out, out, rq_context.scatter_fcs), 0);
	CHECK_EQ(PRM_GET(query_rq_out, out, rq_context.state), 1);
	name_it(MLX5_CMD_OP_MODIFY_RQ, OBJ_RQ, &w);
	PRM_SET(modify_rq_in, in, rq_state, 1);
	PRM_SET(modify_rq_in, in, ctx.state, 1);
	PRM_SET(modify_rq_in, in, ctx.counter_set_id, 200);
	PRM_SET(modify_rq_in, in, modify_bitmask, BIT(3));
	CHECK_EQ(run_cmd(MLX5_CMD_OP_MODIFY_RQ, ua, 0), FW_BAD_RES);
	name_it(MLX5_CMD_OP_MODIFY_SQ, OBJ_SQ, &w);
	PRM_SET(modify_sq_in, in, ctx.packet_pacing_rate_limit_index, 7);
	PRM_SET(modify_sq_in, in, modify_bitmask, BIT(0));
	CHECK_EQ(run_cmd(MLX5_CMD_OP_MODIFY_SQ, ua, 0), FW_OK);
	name_it(MLX5_CMD_OP_QUERY_SQ, OBJ_SQ, &w);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_SQ, ua, 0), FW_OK);
	CHECK_EQ(PRM_GET(query_sq_out, out,
			 sq_context.packet_pacing_rate_limit_index), 7);
	stop_fw();
}

static void shared_queue_limits(void)
{
	begin_test();
	name_it(MLX5_CMD_OP_MODIFY_RMP, OBJ_RMP, &w);
	PRM_SET(modify_rmp_in, in, rmp_state, 1);
	PRM_SET(modify_rmp_in, in, ctx.state, 1);
	PRM_SET(modify_rmp_in, in, ctx.wq.lwm, 5);
	PRM_SET(modify_rmp_in, in, bitmask.lwm, 1);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_MODIFY_RMP, ua, 0), FW_OK);
	name_it(MLX5_CMD_OP_QUERY_RMP, OBJ_RMP, &w);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_RMP, ua, 0), FW_OK);
	CHECK_EQ(PRM_GET(query_rmp_out, out, rmp_context.wq.lwm), 5);
	name_it(MLX5_CMD_OP_ARM_XRC_SRQ, OBJ_XRC_SRQ, &w);
	PRM_SET(arm_xrc_srq_in, in, lwm, 6);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_ARM_XRC_SRQ, ua, 0), FW_OK);
	name_it(MLX5_CMD_OP_QUERY_XRC_SRQ, OBJ_XRC_SRQ, &w);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_XRC_SRQ, ua, 0), FW_OK);
	CHECK_EQ(PRM_GET(query_xrc_srq_out, out, xrc_srq_context_entry.lwm), 6);
	clear_in();
	PRM_SET(arm_rq_in, in, srq_number, w.id[OBJ_SRQ]);
	PRM_SET(arm_rq_in, in, lwm, 7);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_ARM_RQ, ua, 0), FW_OK);
	name_it(MLX5_CMD_OP_QUERY_SRQ, OBJ_SRQ, &w);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_SRQ, ua, 0), FW_OK);
	CHECK_EQ(PRM_GET(query_srq_out, out, srq_context_entry.lwm), 7);
	clear_in();
	PRM_SET(arm_rq_in, in, srq_number, w.id[OBJ_XRQ]);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_ARM_RQ, ua, 0), FW_BAD_RES_STATE);
	stop_fw();
}

static void cq_moderate_resize(void)
{
	const u8 *q = out + PRM_BYTE(query_cq_out, cq_context);

	begin_test();
	name_it(MLX5_CMD_OP_MODIFY_CQ, OBJ_CQ, &w);
	prm_set(in, 12 * 8, 32, BIT(0) | BIT(1));
	PRM_SET(modify_cq_in, in, cq_context.cq_period, 16);
	PRM_SET(modify_cq_in, in, cq_context.cq_max_count, 8);
	PRM_SET(modify_cq_in, in, cq_context.oi, 1);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_MODIFY_CQ, ua, 0), FW_OK);
	name_it(MLX5_CMD_OP_QUERY_CQ, OBJ_CQ, &w);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_CQ, ua, 0), FW_OK);
	CHECK_EQ(PRM_GET(cqc, q, cq_period), 16);
	CHECK_EQ(PRM_GET(cqc, q, cq_max_count), 8);
	CHECK_EQ(PRM_GET(cqc, q, oi), 0);
	/* To 128 entries in two pages of the umem; then to more than fits. */
	name_it(MLX5_CMD_OP_MODIFY_CQ, OBJ_CQ, &w);
	PRM_SET(modify_cq_in, in, op_mod, 1);
	PRM_SET(modify_cq_in, in, cq_context.log_cq_size, 7);
	PRM_SET(modify_cq_in, in, cq_umem_valid, 1);
	prm_set(in, PRM_CREATE_CQ_UMEM_ID, 32, w.id[OBJ_UMEM]);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_MODIFY_CQ, ua, 0), FW_OK);
	PRM_SET(modify_cq_in, in, cq_context.log_cq_size, 9);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_MODIFY_CQ, ua, 0), FW_BAD_RES);
	CHECK_EQ(out_synd(), SYND_UMEM_RANGE | OBJ_UMEM);
	name_it(MLX5_CMD_OP_QUERY_CQ, OBJ_CQ, &w);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_CQ, ua, 0), FW_OK);
	CHECK_EQ(PRM_GET(cqc, q, log_cq_size), 7);
	CHECK_EQ(PRM_GET(cqc, q, cq_period), 16);
	CHECK_EQ(PRM_GET(cqc, q, c_eqn_or_apu_element), w.id[OBJ_EQ]);
	CHECK_EQ(refs_of(OBJ_EQ, w.id[OBJ_EQ]), 1);
	stop_fw();
}

static void rqt_modify_changes_refs(void)
{
	u32 old;

	begin_test();
	old = w.id[OBJ_RQ];
	CHECK_EQ(make_obj(OBJ_RQ, &w), FW_OK);
	CHECK_EQ(refs_of(OBJ_RQ, old), 2);
	name_it(MLX5_CMD_OP_MODIFY_RQT, OBJ_RQT, &w);
	PRM_SET(modify_rqt_in, in, bitmask.rqn_list, 1);
	PRM_SET(modify_rqt_in, in, ctx.rqt_actual_size, 3);
	prm_set(in, 0x110 * 8, 32, w.id[OBJ_RQ]);
	prm_set(in, 0x114 * 8, 32, w.id[OBJ_RQ]);
	prm_set(in, 0x118 * 8, 32, w.id[OBJ_RQ]);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_MODIFY_RQT, ua, 8), FW_BAD_IN_LEN);
	CHECK_EQ(refs_of(OBJ_RQ, old), 2);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_MODIFY_RQT, ua, 12), FW_OK);
	CHECK_EQ(refs_of(OBJ_RQ, old), 0);
	CHECK_EQ(refs_of(OBJ_RQ, w.id[OBJ_RQ]), 3);
	PRM_SET(modify_rqt_in, in, ctx.rqt_actual_size, 5);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_MODIFY_RQT, ua, 20), FW_BAD_PARAM);
	name_it(MLX5_CMD_OP_QUERY_RQT, OBJ_RQT, &w);
	CHECK_EQ(run_len(MLX5_CMD_OP_QUERY_RQT, ua, 16, 272 + 12), FW_OK);
	CHECK_EQ(PRM_GET(query_rqt_out, out, rqt_context.rqt_actual_size), 3);
	CHECK_EQ(prm_be32(out + 0x118), w.id[OBJ_RQ]);
	stop_fw();
}

static void tir_tis_masks(void)
{
	begin_test();
	name_it(MLX5_CMD_OP_MODIFY_TIR, OBJ_TIR, &w);
	PRM_SET(modify_tir_in, in, bitmask.hash, 1);
	PRM_SET(modify_tir_in, in, ctx.rx_hash_fn, 2);
	PRM_SET(modify_tir_in, in, ctx.self_lb_block, 3);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_MODIFY_TIR, ua, 0), FW_OK);
	name_it(MLX5_CMD_OP_QUERY_TIR, OBJ_TIR, &w);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_TIR, ua, 0), FW_OK);
	CHECK_EQ(PRM_GET(query_tir_out, out, tir_context.rx_hash_fn), 2);
	CHECK_EQ(PRM_GET(query_tir_out, out, tir_context.self_lb_block), 0);
	name_it(MLX5_CMD_OP_MODIFY_TIS, OBJ_TIS, &w);
	PRM_SET(modify_tis_in, in, bitmask.prio, 1);
	PRM_SET(modify_tis_in, in, ctx.prio, 4);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_MODIFY_TIS, ua, 0), FW_OK);
	name_it(MLX5_CMD_OP_QUERY_TIS, OBJ_TIS, &w);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_TIS, ua, 0), FW_OK);
	CHECK_EQ(PRM_GET(query_tis_out, out, tis_context.prio), 4);
	stop_fw();
}

static void flow_modify_changes_refs(void)
{
	u32 next;

	begin_test();
	next = w.id[OBJ_FLOW_TABLE];
	CHECK_EQ(make_obj(OBJ_FLOW_TABLE, &w), FW_OK);
	name_it(MLX5_CMD_OP_MODIFY_FLOW_TABLE, OBJ_FLOW_TABLE, &w);
	PRM_SET(modify_flow_table_in, in, modify_field_select, 1);
	PRM_SET(modify_flow_table_in, in, flow_table_context.table_miss_action,
		1);
	PRM_SET(modify_flow_table_in, in, flow_table_context.table_miss_id,
		next);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_MODIFY_FLOW_TABLE, ua, 0), FW_OK);
	/* A group, and this table */
	CHECK_EQ(refs_of(OBJ_FLOW_TABLE, next), 2);
	w.id[OBJ_FLOW_TABLE] = next;
	/* The entry drops packets, has another tag, and no references. */
	clear_in();
	fill_fte(&w);
	PRM_SET(set_fte_in, in, op_mod, 1);
	PRM_SET(set_fte_in, in, modify_enable_mask, 1 | 4);
	PRM_SET(flow_context, FTE_CTX, action, 2);
	PRM_SET(flow_context, FTE_CTX, flow_tag, 77);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_SET_FLOW_TABLE_ENTRY, ua, 0), FW_OK);
	CHECK_EQ(refs_of(OBJ_TIR, w.id[OBJ_TIR]), 0);
	CHECK_EQ(refs_of(OBJ_FLOW_COUNTER, w.id[OBJ_FLOW_COUNTER]), 0);
	clear_in();
	PRM_SET(query_fte_in, in, table_id, next);
	PRM_SET(query_fte_in, in, flow_index, 3);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_FLOW_TABLE_ENTRY, ua, 0), FW_OK);
	CHECK_EQ(PRM_GET(flow_context, out + 0x40, action), 2);
	CHECK_EQ(PRM_GET(flow_context, out + 0x40, flow_tag), 0);
	/* Then only the tag changes. */
	clear_in();
	fill_fte(&w);
	PRM_SET(set_fte_in, in, op_mod, 1);
	PRM_SET(set_fte_in, in, modify_enable_mask, 2);
	PRM_SET(flow_context, FTE_CTX, flow_tag, 78);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_SET_FLOW_TABLE_ENTRY, ua, 0), FW_OK);
	clear_in();
	PRM_SET(query_fte_in, in, table_id, next);
	PRM_SET(query_fte_in, in, flow_index, 3);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_FLOW_TABLE_ENTRY, ua, 0), FW_OK);
	CHECK_EQ(PRM_GET(flow_context, out + 0x40, action), 2);
	CHECK_EQ(PRM_GET(flow_context, out + 0x40, flow_tag), 78);
	stop_fw();
}

static void sched_general_modify(void)
{
	begin_test();
	name_it(MLX5_CMD_OP_MODIFY_SCHEDULING_ELEMENT, OBJ_SCHED, &w);
	PRM_SET(modify_scheduling_element_in, in, modify_bitmask, 2);
	PRM_SET(modify_scheduling_element_in, in,
		scheduling_context.max_average_bw, 11);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_MODIFY_SCHEDULING_ELEMENT, ua, 0), FW_OK);
	name_it(MLX5_CMD_OP_QUERY_SCHEDULING_ELEMENT, OBJ_SCHED, &w);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_SCHEDULING_ELEMENT, ua, 0), FW_OK);
	CHECK_EQ(PRM_GET(query_scheduling_element_out, out,
			 scheduling_context.max_average_bw), 11);
	CHECK_EQ(PRM_GET(query_scheduling_element_out, out,
			 scheduling_context.bw_share), 7);
	clear_in();
	fill_general(&w);
	PRM_SET(general_obj_in_cmd_hdr, in, obj_id, w.id[OBJ_GENERAL]);
	in[20] = 0x99;
	CHECK_EQ(run_cmd(MLX5_CMD_OP_MODIFY_GENERAL_OBJECT, ua, 128), FW_OK);
	CHECK_EQ(run_len(MLX5_CMD_OP_QUERY_GENERAL_OBJECT, ua, 16, 144), FW_OK);
	CHECK_EQ(out[20], 0x99);
	CHECK_EQ(PRM_GET(general_obj_out_cmd_hdr, out, obj_id),
		 w.id[OBJ_GENERAL]);
	stop_fw();
}

int main(void)
{
	static const struct hca_test tests[] = {
		TAP(qp_transitions_all),    TAP(qp_transitions_set_fields),
		TAP(rq_sq_transitions_all), TAP(rmp_transitions_all),
		TAP(raw_queue_masks),	    TAP(shared_queue_limits),
		TAP(cq_moderate_resize),    TAP(rqt_modify_changes_refs),
		TAP(tir_tis_masks),	    TAP(flow_modify_changes_refs),
		TAP(sched_general_modify),
	};

	return TAP_RUN(tests);
}
