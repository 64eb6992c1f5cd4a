// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Every kind of object: made, queried, modified, let go.
 */
#include "fw_make.h"

static struct world w;

static void begin(void)
{
	start();
	make_world(&w, ua);
}

/* The context of a query is the create's, but for the state. */
static void a_query_returns_what_the_create_wrote(void)
{
	const struct fw_kind_desc *desc;
	u8 made[BOX];
	size_t i;

	begin();
	for (i = 0; i < ARRAY_SIZE(makers); i++) {
		desc = &fw_kinds[makers[i].kind];
		if (!makers[i].query || !desc->ctx_len)
			continue;
		fill(&makers[i], &w);
		memcpy(made, in, sizeof(made));
		name_it(makers[i].query, makers[i].kind, &w);
		CHECK_EQ(run_len(makers[i].query, ua, 64, BOX), FW_OK);
		if (memcmp(out + desc->ctx_out, made + desc->ctx_in,
			   desc->ctx_len)) {
			printf("# a %s is not what it was made\n", desc->name);
			tap_failed = true;
		}
	}
	stop();
}

static void lists_come_back(void)
{
	begin();
	name_it(0x919, K_RQT, &w);
	CHECK_EQ(run_len(0x919, ua, 16, 272 + 8), FW_OK);
	CHECK_EQ(prm_be32(out + 0x110), w.id[K_RQ]);
	CHECK_EQ(prm_be32(out + 0x114), w.id[K_RQ]);
	name_it(0x702, K_SRQ, &w);
	CHECK_EQ(run_len(0x702, ua, 16, 272 + 8), FW_OK);
	CHECK_EQ(prm_be64(out + 0x110), 0x500000);
	name_it(0x201, K_MKEY, &w);
	PRM_SET(query_mkey_in, in, pg_access, 1);
	CHECK_EQ(run(0x201, ua, 0), FW_OK);
	CHECK_EQ(prm_be64(out + 0x110), 0x300003);
	name_it(0x93f, K_REFORMAT, &w);
	CHECK_EQ(run_len(0x93f, ua, 16, 64), FW_OK);
	CHECK_EQ(out[0x1c + 6], 0x5a);
	name_it(0x942, K_MODIFY_HEADER, &w);
	CHECK_EQ(run_len(0x942, ua, 16, 64), FW_OK);
	CHECK_EQ(out[16], 0xa5);
	stop();
}

static void flow_objects_come_back(void)
{
	begin();
	name_it(0x935, K_FLOW_GROUP, &w);
	CHECK_EQ(run(0x935, ua, 0), FW_OK);
	CHECK_EQ(PRM_GET(query_flow_group_out, out, end_flow_index), 7);
	CHECK_EQ(PRM_GET(query_flow_group_out, out, match_criteria_enable), 1);
	clear();
	PRM_SET(query_fte_in, in, table_id, w.id[K_FLOW_TABLE]);
	PRM_SET(query_fte_in, in, flow_index, 3);
	CHECK_EQ(run_len(0x937, ua, 64, BOX), FW_OK);
	CHECK_EQ(PRM_GET(flow_context, out + 0x40, group_id),
		 w.id[K_FLOW_GROUP]);
	CHECK_EQ(prm_get(out, FTE_LIST * 8 + 8, 24), w.id[K_TIR]);
	clear();
	prm_set(in, 0x40, 32, 0);
	PRM_SET(general_obj_in_cmd_hdr, in, obj_type, 0x18);
	PRM_SET(general_obj_in_cmd_hdr, in, obj_id, w.id[K_GENERAL]);
	CHECK_EQ(run_len(0xa02, ua, 16, 144), FW_OK);
	CHECK_EQ(out[16], 0x77);
	CHECK_EQ(out[143], 0x77);
	clear();
	PRM_SET(query_l2_table_entry_in, in, table_index, 5);
	CHECK_EQ(run(0x82a, ua, 0), FW_OK);
	CHECK_EQ(PRM_GET(query_l2_table_entry_out, out, vlan), 9);
	stop();
}

static void numbers_are_never_0_and_not_used_again_at_once(void)
{
	const struct maker *m;
	u32 first;
	size_t i;

	begin();
	for (i = 0; i < ARRAY_SIZE(makers); i++) {
		m = &makers[i];
		/* These have keys of their own. */
		if (m->kind >= K_FTE && !m->destroy)
			continue;
		/* A group of the same range would overlap. */
		if (m->kind == K_FLOW_GROUP)
			CHECK_EQ(make(K_FLOW_TABLE, &w), FW_OK);
		CHECK_EQ(make(m->kind, &w), FW_OK);
		first = w.id[m->kind];
		CHECK(first);
		if (m->kind == K_DCT) {
			name_it(0x712, K_DCT, &w);
			CHECK_EQ(run(0x712, ua, 0), FW_OK);
		}
		CHECK_EQ(destroy(m->kind, &w), FW_OK);
		CHECK_EQ(destroy(m->kind, &w), FW_BAD_RES_STATE);
		CHECK_EQ(synd(), SYND_UNKNOWN | m->kind);
		CHECK_EQ(make(m->kind, &w), FW_OK);
		CHECK(w.id[m->kind] != first);
	}
	stop();
}

static void shared_number_spaces(void)
{
	begin();
	CHECK(w.id[K_RMP] != w.id[K_SRQ] && w.id[K_SRQ] != w.id[K_XRC_SRQ]);
	CHECK(w.id[K_XRC_SRQ] != w.id[K_XRQ] && w.id[K_XRQ] != w.id[K_RMP]);
	CHECK(w.id[K_QP] != w.id[K_SQ] && w.id[K_QP] > 1);
	/* The number of one is not the number of another. */
	clear();
	PRM_SET(destroy_rmp_in, in, rmpn, w.id[K_SRQ]);
	CHECK_EQ(run(0x90e, ua, 0), FW_BAD_RES_STATE);
	CHECK_EQ(synd(), SYND_UNKNOWN | K_RMP);
	stop();
}

static void four_psvs_at_once(void)
{
	begin();
	fill(maker_of(K_PSV), &w);
	PRM_SET(create_psv_in, in, num_psv, 4);
	CHECK_EQ(run(0x600, ua, 0), FW_OK);
	CHECK_EQ(PRM_GET(create_psv_out, out, psv3_index),
		 PRM_GET(create_psv_out, out, psv0_index) + 3);
	CHECK_EQ(fw->store.live[K_PSV], 5);
	fill(maker_of(K_PSV), &w);
	PRM_SET(create_psv_in, in, num_psv, 5);
	CHECK_EQ(run(0x600, ua, 0), FW_BAD_PARAM);
	stop();
}

static void counters_come_in_bulks(void)
{
	u32 id, next;

	begin();
	clear();
	PRM_SET(alloc_flow_counter_in, in, flow_counter_bulk, 1);
	CHECK_EQ(run(0x939, ua, 0), FW_OK);
	id = PRM_GET(alloc_flow_counter_out, out, flow_counter_id);
	CHECK_EQ(make(K_FLOW_COUNTER, &w), FW_OK);
	next = w.id[K_FLOW_COUNTER];
	CHECK(next < id || next >= id + 128);

	clear();
	PRM_SET(query_flow_counter_in, in, flow_counter_id, id + 4);
	PRM_SET(query_flow_counter_in, in, num_of_counters, 124);
	CHECK_EQ(run_len(0x93b, ua, 32, 16 + 16 * 124), FW_OK);
	CHECK_EQ(run_len(0x93b, ua, 32, 16 + 16 * 123), FW_BAD_OUT_LEN);
	PRM_SET(query_flow_counter_in, in, num_of_counters, 125);
	CHECK_EQ(run_len(0x93b, ua, 32, BOX), FW_BAD_PARAM);
	/* Only the bulk as a whole goes. */
	w.id[K_FLOW_COUNTER] = id + 4;
	CHECK_EQ(destroy(K_FLOW_COUNTER, &w), FW_BAD_RES_STATE);
	w.id[K_FLOW_COUNTER] = id;
	CHECK_EQ(destroy(K_FLOW_COUNTER, &w), FW_OK);
	stop();
}

static void a_dct_is_drained_first(void)
{
	begin();
	CHECK_EQ(destroy(K_DCT, &w), FW_BAD_RES_STATE);
	CHECK_EQ(synd(), SYND_NOT_DRAINED | K_DCT);
	CHECK_EQ(events, 0);
	name_it(0x712, K_DCT, &w);
	CHECK_EQ(run(0x712, ua, 0), FW_OK);
	CHECK_EQ(events, 1);
	CHECK_EQ(event_type, 0x1c);
	CHECK_EQ(prm_be32(event_data + 0x18), w.id[K_DCT]);
	CHECK_EQ(run(0x712, ua, 0), FW_BAD_RES_STATE);
	CHECK_EQ(destroy(K_DCT, &w), FW_OK);
	stop();
}

static void views_of_queues(void)
{
	struct fw_wq_view wq;
	struct fw_cq_view cq;

	begin();
	CHECK(fw_cq_view(fw, w.id[K_CQ], &cq));
	CHECK_EQ(cq.eqn, w.id[K_EQ]);
	CHECK_EQ(cq.log_size, 6);
	CHECK_EQ(cq.cqe_sz, 64);
	CHECK_EQ(cq.dbr_addr, 0x103000);
	CHECK_EQ(cq.buf.pas[0], 0x100000);
	CHECK_EQ(cq.buf.offset, 0);
	CHECK(fw_wq_view(fw, w.id[K_QP], &wq));
	CHECK(!wq.is_sq && !wq.ready);
	CHECK_EQ(wq.user_index, 0xabcdef);
	CHECK_EQ(wq.sq_offset, 16 * 64);
	CHECK_EQ(wq.log_sq_size, 5);
	CHECK_EQ(wq.dbr_addr, 0x103008);
	CHECK_EQ(wq.buf.offset, 0x1000);
	CHECK(fw_wq_view(fw, w.id[K_SQ], &wq));
	CHECK(wq.is_sq && !wq.ready);
	CHECK(!fw_wq_view(fw, 1, &wq));
	CHECK(!fw_cq_view(fw, w.id[K_QP], &cq));
	stop();
}

/* In units of a 64th of a page. */
static void page_offsets(void)
{
	struct fw_cq_view cq;

	begin();
	fill(maker_of(K_CQ), &w);
	PRM_SET(create_cq_in, in, cq_umem_valid, 0);
	PRM_SET(create_cq_in, in, cq_context.log_page_size, 1);
	PRM_SET(create_cq_in, in, cq_context.page_offset, 60);
	/* 7.5 KiB on into a page of 8: 4 KiB need a second one. */
	prm_set(in, 0x110 * 8, 64, 0x600000);
	prm_set(in, 0x118 * 8, 64, 0x700000);
	CHECK_EQ(run(0x400, ua, 8), FW_BAD_IN_LEN);
	CHECK_EQ(synd(), SYND_LIST_LEN);
	CHECK_EQ(run(0x400, ua, 16), FW_OK);
	CHECK(fw_cq_view(fw, new_id(0x400), &cq));
	CHECK_EQ(cq.buf.offset, 60 * 128);
	CHECK_EQ(cq.buf.log_page_size, 13);
	CHECK_EQ(cq.buf.npas, 2);
	CHECK_EQ(cq.buf.pas[1], 0x700000);
	stop();
}

static int stop_at_3(void *arg, const struct fw_live *obj)
{
	unsigned int *n = arg;

	(void)obj;
	return ++*n == 3;
}

static int count(void *arg, const struct fw_live *obj)
{
	unsigned int *n = arg;

	CHECK(obj->type && *obj->type);
	++*n;
	return 0;
}

static void live_lists_what_there_is(void)
{
	unsigned int n = 0;

	begin();
	fw_live(fw, -1, count, &n);
	CHECK_EQ(n, live_all());
	n = 0;
	fw_live(fw, ua, count, &n);
	CHECK_EQ(n, ARRAY_SIZE(makers));
	n = 0;
	fw_live(fw, ub, count, &n);
	CHECK_EQ(n, 0);
	fw_live(fw, -1, stop_at_3, &n);
	CHECK_EQ(n, 3);
	stop();
}

static void a_reset_leaves_nothing(void)
{
	unsigned int n;

	begin();
	n = live_all();
	gone = 0;
	fw_reset(fw);
	CHECK_EQ(live_all(), 0);
	CHECK_EQ(gone, n);
	clear();
	CHECK_EQ(run(0x800, 0, 0), FW_BAD_SYS_STATE);
	CHECK_EQ(synd(), SYND_NOT_INIT);
	stop();
	begin();
	clear();
	CHECK_EQ(run(0x103, 0, 0), FW_OK);
	CHECK_EQ(live_all(), 0);
	stop();
}

int main(void)
{
	static const struct tap_test tests[] = {
		TAP(a_query_returns_what_the_create_wrote),
		TAP(lists_come_back),
		TAP(flow_objects_come_back),
		TAP(numbers_are_never_0_and_not_used_again_at_once),
		TAP(shared_number_spaces),
		TAP(four_psvs_at_once),
		TAP(counters_come_in_bulks),
		TAP(a_dct_is_drained_first),
		TAP(views_of_queues),
		TAP(page_offsets),
		TAP(live_lists_what_there_is),
		TAP(a_reset_leaves_nothing),
	};

	return TAP_RUN(tests);
}
