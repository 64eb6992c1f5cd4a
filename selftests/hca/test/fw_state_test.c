// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * State machines: every transition from every state, and what modifies write.
 */
#include "fw_make.h"

static struct world w;

static void begin(void)
{
	start();
	make_world(&w, ua);
}

enum { RST, INIT, RTR, RTS, SQER, SQD, ERR, STATES };

/* Where each command leads; STATES where it is refused. */
static const struct {
	u16 op;
	u8 to[STATES];
} qp_moves[] = {
	{ 0x502, { INIT, 7, 7, 7, 7, 7, 7 } },
	{ 0x50e, { 7, INIT, 7, 7, 7, 7, 7 } },
	{ 0x503, { 7, RTR, 7, 7, 7, 7, 7 } },
	{ 0x504, { 7, 7, RTS, 7, 7, 7, 7 } },
	{ 0x505, { 7, 7, 7, RTS, 7, 7, 7 } },
	{ 0x506, { 7, 7, 7, 7, RTS, 7, 7 } },
	{ 0x50c, { 7, 7, 7, 7, 7, RTS, 7 } },
	{ 0x507, { ERR, ERR, ERR, ERR, ERR, ERR, ERR } },
	{ 0x50a, { RST, RST, RST, RST, RST, RST, RST } },
};

static u8 qp_state(void)
{
	name_it(0x50b, K_QP, &w);
	CHECK_EQ(run(0x50b, ua, 0), FW_OK);
	return PRM_GET(query_qp_out, out, qpc.state);
}

/* No command leads to SQER and SQD: put it there. */
static void qp_put(u8 state)
{
	struct fw_obj *qp = obj_find(&fw->store, K_QP, w.id[K_QP]);

	qp->state = state;
	PRM_SET(qpc, obj_ctx(qp), state, state);
}

static void every_transition_of_a_qp(void)
{
	size_t i;
	u8 from, to;
	int ret;

	begin();
	for (i = 0; i < ARRAY_SIZE(qp_moves); i++) {
		for (from = RST; from < STATES; from++) {
			qp_put(from);
			to = qp_moves[i].to[from];
			name_it(qp_moves[i].op, K_QP, &w);
			ret = run(qp_moves[i].op, ua, 0);
			if (to == STATES) {
				CHECK_EQ(ret, FW_BAD_QP_STATE);
				CHECK_EQ(synd(), SYND_STATE | K_QP);
			} else {
				CHECK_EQ(ret, FW_OK);
			}
			CHECK_EQ(qp_state(), to == STATES ? from : to);
		}
	}
	stop();
}

#define QPC PRM_BYTE(rst2init_qp_in, qpc)

static void move(u16 op, u32 opt)
{
	const struct fw_cmd *cmd = fw_cmd_find(op);

	prm_set(in, cmd->id_bit, cmd->id_width, w.id[K_QP]);
	PRM_SET(rst2init_qp_in, in, opt_param_mask, opt);
	CHECK_EQ(run(op, ua, 0), FW_OK);
}

static void transitions_set_what_is_theirs(void)
{
	struct fw_wq_view view;
	const u8 *q = out + PRM_BYTE(query_qp_out, qpc);

	begin();
	clear();
	PRM_SET(qpc, in + QPC, rwe, 1);
	PRM_SET(qpc, in + QPC, primary_address_path.vhca_port_num, 1);
	PRM_SET(qpc, in + QPC, log_rq_size, 9);
	PRM_SET(qpc, in + QPC, next_send_psn, 99);
	move(0x502, 0);
	clear();
	PRM_SET(qpc, in + QPC, remote_qpn, 0x123);
	PRM_SET(qpc, in + QPC, mtu, 3);
	PRM_SET(qpc, in + QPC, rwe, 0);
	move(0x503, 0);
	clear();
	PRM_SET(qpc, in + QPC, next_send_psn, 5);
	PRM_SET(qpc, in + QPC, retry_count, 7);
	PRM_SET(qpc, in + QPC, mtu, 1);
	move(0x504, 0);
	CHECK_EQ(qp_state(), RTS);
	CHECK_EQ(PRM_GET(qpc, q, log_rq_size), 4);
	CHECK_EQ(PRM_GET(qpc, q, rwe), 1);
	CHECK_EQ(PRM_GET(qpc, q, remote_qpn), 0x123);
	CHECK_EQ(PRM_GET(qpc, q, mtu), 3);
	CHECK_EQ(PRM_GET(qpc, q, next_send_psn), 5);
	CHECK_EQ(PRM_GET(qpc, q, retry_count), 7);
	CHECK(fw_wq_view(fw, w.id[K_QP], &view) && view.ready);
	/* Further on only what the mask says. */
	clear();
	PRM_SET(qpc, in + QPC, min_rnr_nak, 12);
	PRM_SET(qpc, in + QPC, retry_count, 1);
	move(0x505, BIT(6));
	qp_state();
	CHECK_EQ(PRM_GET(qpc, q, min_rnr_nak), 12);
	CHECK_EQ(PRM_GET(qpc, q, retry_count), 7);
	CHECK_EQ(PRM_GET(qpc, q, rwe), 1);
	stop();
}

static int wq_modify(u16 op, enum fw_kind kind, u8 cur, u8 next)
{
	name_it(op, kind, &w);
	/* State and context are at the same places in all three. */
	PRM_SET(modify_rq_in, in, rq_state, cur);
	if (kind == K_RMP)
		PRM_SET(modify_rmp_in, in, ctx.state, next);
	else
		PRM_SET(modify_rq_in, in, ctx.state, next);
	return run(op, ua, 0);
}

static void wq_put(enum fw_kind kind, u8 state)
{
	obj_find(&fw->store, kind, w.id[kind])->state = state;
}

static void every_transition_of_rq_and_sq(void)
{
	static const u8 states[] = { 0, 1, 3 };
	static const struct {
		u16 op;
		enum fw_kind kind;
	} kinds[] = { { 0x909, K_RQ }, { 0x905, K_SQ } };
	size_t k, i, j;

	begin();
	for (k = 0; k < ARRAY_SIZE(kinds); k++) {
		for (i = 0; i < 3; i++) {
			for (j = 0; j < 3; j++) {
				bool bad = states[i] == 3 && states[j] == 1;

				wq_put(kinds[k].kind, states[i]);
				CHECK_EQ(wq_modify(kinds[k].op, kinds[k].kind,
						   states[i], states[j]),
					 bad ? FW_BAD_QP_STATE : FW_OK);
			}
			/* A state that there is not, and a wrong guess */
			wq_put(kinds[k].kind, states[i]);
			CHECK_EQ(wq_modify(kinds[k].op, kinds[k].kind,
					   states[i], 2), FW_BAD_QP_STATE);
			CHECK_EQ(synd(), SYND_STATE | kinds[k].kind);
			CHECK_EQ(wq_modify(kinds[k].op, kinds[k].kind,
					   states[(i + 1) % 3], 0),
				 FW_BAD_QP_STATE);
			CHECK_EQ(synd(), SYND_CUR_STATE | kinds[k].kind);
		}
	}
	stop();
}

static void every_transition_of_an_rmp(void)
{
	begin();
	CHECK_EQ(wq_modify(0x90d, K_RMP, 3, 1), FW_BAD_QP_STATE);
	CHECK_EQ(wq_modify(0x90d, K_RMP, 1, 1), FW_OK);
	CHECK_EQ(wq_modify(0x90d, K_RMP, 1, 0), FW_BAD_QP_STATE);
	CHECK_EQ(wq_modify(0x90d, K_RMP, 1, 3), FW_OK);
	CHECK_EQ(wq_modify(0x90d, K_RMP, 3, 1), FW_BAD_QP_STATE);
	CHECK_EQ(wq_modify(0x90d, K_RMP, 3, 3), FW_OK);
	stop();
}

static void masks_of_raw_queues(void)
{
	begin();
	name_it(0x909, K_RQ, &w);
	PRM_SET(modify_rq_in, in, ctx.state, 1);
	PRM_SET(modify_rq_in, in, ctx.vsd, 1);
	PRM_SET(modify_rq_in, in, ctx.scatter_fcs, 1);
	PRM_SET(modify_rq_in, in, modify_bitmask, BIT(1));
	CHECK_EQ(run(0x909, ua, 0), FW_OK);
	name_it(0x90b, K_RQ, &w);
	CHECK_EQ(run(0x90b, ua, 0), FW_OK);
	CHECK_EQ(PRM_GET(query_rq_out, out, rq_context.vsd), 1);
	CHECK_EQ(PRM_GET(query_rq_out, out, rq_context.scatter_fcs), 0);
	CHECK_EQ(PRM_GET(query_rq_out, out, rq_context.state), 1);
	name_it(0x909, K_RQ, &w);
	PRM_SET(modify_rq_in, in, rq_state, 1);
	PRM_SET(modify_rq_in, in, ctx.state, 1);
	PRM_SET(modify_rq_in, in, ctx.counter_set_id, 200);
	PRM_SET(modify_rq_in, in, modify_bitmask, BIT(3));
	CHECK_EQ(run(0x909, ua, 0), FW_BAD_RES);
	name_it(0x905, K_SQ, &w);
	PRM_SET(modify_sq_in, in, ctx.packet_pacing_rate_limit_index, 7);
	PRM_SET(modify_sq_in, in, modify_bitmask, BIT(0));
	CHECK_EQ(run(0x905, ua, 0), FW_OK);
	name_it(0x907, K_SQ, &w);
	CHECK_EQ(run(0x907, ua, 0), FW_OK);
	CHECK_EQ(PRM_GET(query_sq_out, out,
			 sq_context.packet_pacing_rate_limit_index), 7);
	stop();
}

static void limits_of_shared_queues(void)
{
	begin();
	name_it(0x90d, K_RMP, &w);
	PRM_SET(modify_rmp_in, in, rmp_state, 1);
	PRM_SET(modify_rmp_in, in, ctx.state, 1);
	PRM_SET(modify_rmp_in, in, ctx.wq.lwm, 5);
	PRM_SET(modify_rmp_in, in, bitmask.lwm, 1);
	CHECK_EQ(run(0x90d, ua, 0), FW_OK);
	name_it(0x90f, K_RMP, &w);
	CHECK_EQ(run(0x90f, ua, 0), FW_OK);
	CHECK_EQ(PRM_GET(query_rmp_out, out, rmp_context.wq.lwm), 5);
	name_it(0x708, K_XRC_SRQ, &w);
	PRM_SET(arm_xrc_srq_in, in, lwm, 6);
	CHECK_EQ(run(0x708, ua, 0), FW_OK);
	name_it(0x707, K_XRC_SRQ, &w);
	CHECK_EQ(run(0x707, ua, 0), FW_OK);
	CHECK_EQ(PRM_GET(query_xrc_srq_out, out, xrc_srq_context_entry.lwm), 6);
	clear();
	PRM_SET(arm_rq_in, in, srq_number, w.id[K_SRQ]);
	PRM_SET(arm_rq_in, in, lwm, 7);
	CHECK_EQ(run(0x703, ua, 0), FW_OK);
	name_it(0x702, K_SRQ, &w);
	CHECK_EQ(run(0x702, ua, 0), FW_OK);
	CHECK_EQ(PRM_GET(query_srq_out, out, srq_context_entry.lwm), 7);
	clear();
	PRM_SET(arm_rq_in, in, srq_number, w.id[K_XRQ]);
	CHECK_EQ(run(0x703, ua, 0), FW_BAD_RES_STATE);
	stop();
}

static void a_cq_is_moderated_and_resized(void)
{
	const u8 *q = out + PRM_BYTE(query_cq_out, cq_context);

	begin();
	name_it(0x403, K_CQ, &w);
	prm_set(in, 12 * 8, 32, BIT(0) | BIT(1));
	PRM_SET(modify_cq_in, in, cq_context.cq_period, 16);
	PRM_SET(modify_cq_in, in, cq_context.cq_max_count, 8);
	PRM_SET(modify_cq_in, in, cq_context.oi, 1);
	CHECK_EQ(run(0x403, ua, 0), FW_OK);
	name_it(0x402, K_CQ, &w);
	CHECK_EQ(run(0x402, ua, 0), FW_OK);
	CHECK_EQ(PRM_GET(cqc, q, cq_period), 16);
	CHECK_EQ(PRM_GET(cqc, q, cq_max_count), 8);
	CHECK_EQ(PRM_GET(cqc, q, oi), 0);
	/* To 128, in two pages of the umem; then to what does not fit. */
	name_it(0x403, K_CQ, &w);
	PRM_SET(modify_cq_in, in, op_mod, 1);
	PRM_SET(modify_cq_in, in, cq_context.log_cq_size, 7);
	PRM_SET(modify_cq_in, in, cq_umem_valid, 1);
	prm_set(in, PRM_CREATE_CQ_UMEM_ID, 32, w.id[K_UMEM]);
	CHECK_EQ(run(0x403, ua, 0), FW_OK);
	PRM_SET(modify_cq_in, in, cq_context.log_cq_size, 9);
	CHECK_EQ(run(0x403, ua, 0), FW_BAD_RES);
	CHECK_EQ(synd(), SYND_UMEM_RANGE | K_UMEM);
	name_it(0x402, K_CQ, &w);
	CHECK_EQ(run(0x402, ua, 0), FW_OK);
	CHECK_EQ(PRM_GET(cqc, q, log_cq_size), 7);
	CHECK_EQ(PRM_GET(cqc, q, cq_period), 16);
	CHECK_EQ(PRM_GET(cqc, q, c_eqn_or_apu_element), w.id[K_EQ]);
	CHECK_EQ(refs_of(K_EQ, w.id[K_EQ]), 1);
	stop();
}

static void an_rqt_names_other_rqs(void)
{
	u32 old;

	begin();
	old = w.id[K_RQ];
	CHECK_EQ(make(K_RQ, &w), FW_OK);
	CHECK_EQ(refs_of(K_RQ, old), 2);
	name_it(0x917, K_RQT, &w);
	PRM_SET(modify_rqt_in, in, bitmask.rqn_list, 1);
	PRM_SET(modify_rqt_in, in, ctx.rqt_actual_size, 3);
	prm_set(in, 0x110 * 8, 32, w.id[K_RQ]);
	prm_set(in, 0x114 * 8, 32, w.id[K_RQ]);
	prm_set(in, 0x118 * 8, 32, w.id[K_RQ]);
	CHECK_EQ(run(0x917, ua, 8), FW_BAD_IN_LEN);
	CHECK_EQ(refs_of(K_RQ, old), 2);
	CHECK_EQ(run(0x917, ua, 12), FW_OK);
	CHECK_EQ(refs_of(K_RQ, old), 0);
	CHECK_EQ(refs_of(K_RQ, w.id[K_RQ]), 3);
	PRM_SET(modify_rqt_in, in, ctx.rqt_actual_size, 5);
	CHECK_EQ(run(0x917, ua, 20), FW_BAD_PARAM);
	name_it(0x919, K_RQT, &w);
	CHECK_EQ(run_len(0x919, ua, 16, 272 + 12), FW_OK);
	CHECK_EQ(PRM_GET(query_rqt_out, out, rqt_context.rqt_actual_size), 3);
	CHECK_EQ(prm_be32(out + 0x118), w.id[K_RQ]);
	stop();
}

static void masks_of_tir_and_tis(void)
{
	begin();
	name_it(0x901, K_TIR, &w);
	PRM_SET(modify_tir_in, in, bitmask.hash, 1);
	PRM_SET(modify_tir_in, in, ctx.rx_hash_fn, 2);
	PRM_SET(modify_tir_in, in, ctx.self_lb_block, 3);
	CHECK_EQ(run(0x901, ua, 0), FW_OK);
	name_it(0x903, K_TIR, &w);
	CHECK_EQ(run(0x903, ua, 0), FW_OK);
	CHECK_EQ(PRM_GET(query_tir_out, out, tir_context.rx_hash_fn), 2);
	CHECK_EQ(PRM_GET(query_tir_out, out, tir_context.self_lb_block), 0);
	name_it(0x913, K_TIS, &w);
	PRM_SET(modify_tis_in, in, bitmask.prio, 1);
	PRM_SET(modify_tis_in, in, ctx.prio, 4);
	CHECK_EQ(run(0x913, ua, 0), FW_OK);
	name_it(0x915, K_TIS, &w);
	CHECK_EQ(run(0x915, ua, 0), FW_OK);
	CHECK_EQ(PRM_GET(query_tis_out, out, tis_context.prio), 4);
	stop();
}

static void tables_and_entries_change(void)
{
	u32 next;

	begin();
	next = w.id[K_FLOW_TABLE];
	CHECK_EQ(make(K_FLOW_TABLE, &w), FW_OK);
	name_it(0x93c, K_FLOW_TABLE, &w);
	PRM_SET(modify_flow_table_in, in, modify_field_select, 1);
	PRM_SET(modify_flow_table_in, in, flow_table_context.table_miss_action,
		1);
	PRM_SET(modify_flow_table_in, in, flow_table_context.table_miss_id,
		next);
	CHECK_EQ(run(0x93c, ua, 0), FW_OK);
	/* A group, and this table */
	CHECK_EQ(refs_of(K_FLOW_TABLE, next), 2);
	w.id[K_FLOW_TABLE] = next;
	/* The entry: dropped, with another tag; it lets go what it named. */
	clear();
	fill_fte(&w);
	PRM_SET(set_fte_in, in, op_mod, 1);
	PRM_SET(set_fte_in, in, modify_enable_mask, 1 | 4);
	PRM_SET(flow_context, FTE_CTX, action, 2);
	PRM_SET(flow_context, FTE_CTX, flow_tag, 77);
	CHECK_EQ(run(0x936, ua, 0), FW_OK);
	CHECK_EQ(refs_of(K_TIR, w.id[K_TIR]), 0);
	CHECK_EQ(refs_of(K_FLOW_COUNTER, w.id[K_FLOW_COUNTER]), 0);
	clear();
	PRM_SET(query_fte_in, in, table_id, next);
	PRM_SET(query_fte_in, in, flow_index, 3);
	CHECK_EQ(run(0x937, ua, 0), FW_OK);
	CHECK_EQ(PRM_GET(flow_context, out + 0x40, action), 2);
	CHECK_EQ(PRM_GET(flow_context, out + 0x40, flow_tag), 0);
	/* Then only the tag. */
	clear();
	fill_fte(&w);
	PRM_SET(set_fte_in, in, op_mod, 1);
	PRM_SET(set_fte_in, in, modify_enable_mask, 2);
	PRM_SET(flow_context, FTE_CTX, flow_tag, 78);
	CHECK_EQ(run(0x936, ua, 0), FW_OK);
	clear();
	PRM_SET(query_fte_in, in, table_id, next);
	PRM_SET(query_fte_in, in, flow_index, 3);
	CHECK_EQ(run(0x937, ua, 0), FW_OK);
	CHECK_EQ(PRM_GET(flow_context, out + 0x40, action), 2);
	CHECK_EQ(PRM_GET(flow_context, out + 0x40, flow_tag), 78);
	stop();
}

static void schedulers_and_general_objects_change(void)
{
	begin();
	name_it(0x785, K_SCHED, &w);
	PRM_SET(modify_scheduling_element_in, in, modify_bitmask, 2);
	PRM_SET(modify_scheduling_element_in, in,
		scheduling_context.max_average_bw, 11);
	CHECK_EQ(run(0x785, ua, 0), FW_OK);
	name_it(0x784, K_SCHED, &w);
	CHECK_EQ(run(0x784, ua, 0), FW_OK);
	CHECK_EQ(PRM_GET(query_scheduling_element_out, out,
			 scheduling_context.max_average_bw), 11);
	CHECK_EQ(PRM_GET(query_scheduling_element_out, out,
			 scheduling_context.bw_share), 7);
	clear();
	fill_general(&w);
	PRM_SET(general_obj_in_cmd_hdr, in, obj_id, w.id[K_GENERAL]);
	in[20] = 0x99;
	CHECK_EQ(run(0xa01, ua, 128), FW_OK);
	CHECK_EQ(run_len(0xa02, ua, 16, 144), FW_OK);
	CHECK_EQ(out[20], 0x99);
	CHECK_EQ(PRM_GET(general_obj_out_cmd_hdr, out, obj_id),
		 w.id[K_GENERAL]);
	stop();
}

int main(void)
{
	static const struct tap_test tests[] = {
		TAP(every_transition_of_a_qp),
		TAP(transitions_set_what_is_theirs),
		TAP(every_transition_of_rq_and_sq),
		TAP(every_transition_of_an_rmp),
		TAP(masks_of_raw_queues),
		TAP(limits_of_shared_queues),
		TAP(a_cq_is_moderated_and_resized),
		TAP(an_rqt_names_other_rqs),
		TAP(masks_of_tir_and_tis),
		TAP(tables_and_entries_change),
		TAP(schedulers_and_general_objects_change),
	};

	return TAP_RUN(tests);
}
