// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Every object type: create, query, modify, destroy. */
#include "fw_make.h"

static struct fw_world w;

static void begin_test(void)
{
	start_fw();
	make_world(&w, ua);
}

/* The context of a query is that of the create, except the state. */
static void query_returns_created_context(void)
{
	const struct hca_obj_desc *desc;
	u8 made[MAILBOX_SIZE];
	size_t i;

	begin_test();
	for (i = 0; i < ARRAY_SIZE(makers); i++) {
		desc = &hca_obj_descs[makers[i].type];
		if (!makers[i].query || !desc->ctx_len)
			continue;
		fill_create(&makers[i], &w);
		memcpy(made, in, sizeof(made));
		name_it(makers[i].query, makers[i].type, &w);
		CHECK_EQ(run_len(makers[i].query, ua, 64, MAILBOX_SIZE), FW_OK);
		if (memcmp(out + desc->ctx_out, made + desc->ctx_in,
			   desc->ctx_len)) {
			printf("# a %s is not what it was made\n", desc->name);
			tap_failed = true;
		}
	}
	stop_fw();
}

static void query_returns_lists(void)
{
	begin_test();
	name_it(MLX5_CMD_OP_QUERY_RQT, OBJ_RQT, &w);
	CHECK_EQ(run_len(MLX5_CMD_OP_QUERY_RQT, ua, 16, 272 + 8), FW_OK);
	CHECK_EQ(prm_be32(out + 0x110), w.id[OBJ_RQ]);
	CHECK_EQ(prm_be32(out + 0x114), w.id[OBJ_RQ]);
	name_it(MLX5_CMD_OP_QUERY_SRQ, OBJ_SRQ, &w);
	CHECK_EQ(run_len(MLX5_CMD_OP_QUERY_SRQ, ua, 16, 272 + 8), FW_OK);
	CHECK_EQ(prm_be64(out + 0x110), 0x500000);
	name_it(MLX5_CMD_OP_QUERY_MKEY, OBJ_MKEY, &w);
	PRM_SET(query_mkey_in, in, pg_access, 1);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_MKEY, ua, 0), FW_OK);
	CHECK_EQ(prm_be64(out + 0x110), 0x300003);
	name_it(MLX5_CMD_OP_QUERY_PACKET_REFORMAT_CONTEXT, OBJ_REFORMAT, &w);
	CHECK_EQ(run_len(MLX5_CMD_OP_QUERY_PACKET_REFORMAT_CONTEXT, ua, 16, 64),
		 FW_OK);
	CHECK_EQ(out[0x1c + 6], 0x5a);
	name_it(MLX5_CMD_OP_QUERY_MODIFY_HEADER_CONTEXT, OBJ_MODIFY_HEADER, &w);
	CHECK_EQ(run_len(MLX5_CMD_OP_QUERY_MODIFY_HEADER_CONTEXT, ua, 16, 64),
		 FW_OK);
	CHECK_EQ(out[16], 0x10);
	stop_fw();
}

static void query_returns_flow_objects(void)
{
	begin_test();
	name_it(MLX5_CMD_OP_QUERY_FLOW_GROUP, OBJ_FLOW_GROUP, &w);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_FLOW_GROUP, ua, 0), FW_OK);
	CHECK_EQ(PRM_GET(query_flow_group_out, out, end_flow_index), 7);
	CHECK_EQ(PRM_GET(query_flow_group_out, out, match_criteria_enable), 1);
	clear_in();
	PRM_SET(query_fte_in, in, table_id, w.id[OBJ_FLOW_TABLE]);
	PRM_SET(query_fte_in, in, flow_index, 3);
	CHECK_EQ(run_len(MLX5_CMD_OP_QUERY_FLOW_TABLE_ENTRY, ua, 64,
			 MAILBOX_SIZE),
		 FW_OK);
	CHECK_EQ(PRM_GET(flow_context, out + 0x40, group_id),
		 w.id[OBJ_FLOW_GROUP]);
	CHECK_EQ(prm_get(out, FTE_LIST * 8 + 8, 24), w.id[OBJ_TIR]);
	clear_in();
	prm_set(in, 0x40, 32, 0);
	PRM_SET(general_obj_in_cmd_hdr, in, obj_type, 0x18);
	PRM_SET(general_obj_in_cmd_hdr, in, obj_id, w.id[OBJ_GENERAL]);
	CHECK_EQ(run_len(MLX5_CMD_OP_QUERY_GENERAL_OBJECT, ua, 16, 144), FW_OK);
	CHECK_EQ(out[16], 0x77);
	CHECK_EQ(out[143], 0x77);
	clear_in();
	PRM_SET(query_l2_table_entry_in, in, table_index, 5);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_L2_TABLE_ENTRY, ua, 0), FW_OK);
	CHECK_EQ(PRM_GET(query_l2_table_entry_out, out, vlan), 9);
	stop_fw();
}

static void numbers_nonzero_reused_late(void)
{
	const struct maker *m;
	u32 first;
	size_t i;

	begin_test();
	for (i = 0; i < ARRAY_SIZE(makers); i++) {
		m = &makers[i];
		/* These have their own keys. */
		if (m->type >= OBJ_FTE && !m->destroy)
			continue;
		/* A group of the same range would overlap. */
		if (m->type == OBJ_FLOW_GROUP)
			CHECK_EQ(make_obj(OBJ_FLOW_TABLE, &w), FW_OK);
		CHECK_EQ(make_obj(m->type, &w), FW_OK);
		first = w.id[m->type];
		CHECK(first);
		if (m->type == OBJ_DCT) {
			name_it(MLX5_CMD_OP_DRAIN_DCT, OBJ_DCT, &w);
			CHECK_EQ(run_cmd(MLX5_CMD_OP_DRAIN_DCT, ua, 0), FW_OK);
		}
		CHECK_EQ(destroy_obj(m->type, &w), FW_OK);
		CHECK_EQ(destroy_obj(m->type, &w), FW_BAD_RES_STATE);
		CHECK_EQ(out_synd(), SYND_UNKNOWN | m->type);
		CHECK_EQ(make_obj(m->type, &w), FW_OK);
		CHECK(w.id[m->type] != first);
	}
	stop_fw();
}

static void numbers_shared_are_unique(void)
{
	begin_test();
	CHECK(w.id[OBJ_RMP] != w.id[OBJ_SRQ] &&
	      w.id[OBJ_SRQ] != w.id[OBJ_XRC_SRQ]);
	CHECK(w.id[OBJ_XRC_SRQ] != w.id[OBJ_XRQ] &&
	      w.id[OBJ_XRQ] != w.id[OBJ_RMP]);
	CHECK(w.id[OBJ_QP] != w.id[OBJ_SQ] && w.id[OBJ_QP] > 1);
	/* Objects that share a number space have different numbers. */
	clear_in();
	PRM_SET(destroy_rmp_in, in, rmpn, w.id[OBJ_SRQ]);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_DESTROY_RMP, ua, 0), FW_BAD_RES_STATE);
	CHECK_EQ(out_synd(), SYND_UNKNOWN | OBJ_RMP);
	stop_fw();
}

static void psv_four_created(void)
{
	begin_test();
	fill_create(maker_of(OBJ_PSV), &w);
	PRM_SET(create_psv_in, in, num_psv, 4);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_CREATE_PSV, ua, 0), FW_OK);
	CHECK_EQ(PRM_GET(create_psv_out, out, psv3_index),
		 PRM_GET(create_psv_out, out, psv0_index) + 3);
	CHECK_EQ(fw->store.live[OBJ_PSV], 5);
	fill_create(maker_of(OBJ_PSV), &w);
	PRM_SET(create_psv_in, in, num_psv, 5);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_CREATE_PSV, ua, 0), FW_BAD_PARAM);
	stop_fw();
}

static void counters_bulk_ranges(void)
{
	u32 id, next;

	begin_test();
	clear_in();
	PRM_SET(alloc_flow_counter_in, in, flow_counter_bulk, 1);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_ALLOC_FLOW_COUNTER, ua, 0), FW_OK);
	id = PRM_GET(alloc_flow_counter_out, out, flow_counter_id);
	CHECK_EQ(make_obj(OBJ_FLOW_COUNTER, &w), FW_OK);
	next = w.id[OBJ_FLOW_COUNTER];
	CHECK(next < id || next >= id + 128);

	clear_in();
	PRM_SET(query_flow_counter_in, in, flow_counter_id, id + 4);
	PRM_SET(query_flow_counter_in, in, num_of_counters, 124);
	CHECK_EQ(run_len(MLX5_CMD_OP_QUERY_FLOW_COUNTER, ua, 32, 16 + 16 * 124),
		 FW_OK);
	CHECK_EQ(run_len(MLX5_CMD_OP_QUERY_FLOW_COUNTER, ua, 32, 16 + 16 * 123),
		 FW_BAD_OUT_LEN);
	PRM_SET(query_flow_counter_in, in, num_of_counters, 125);
	CHECK_EQ(run_len(MLX5_CMD_OP_QUERY_FLOW_COUNTER, ua, 32, MAILBOX_SIZE),
		 FW_BAD_PARAM);
	/* A bulk is freed as a whole. */
	w.id[OBJ_FLOW_COUNTER] = id + 4;
	CHECK_EQ(destroy_obj(OBJ_FLOW_COUNTER, &w), FW_BAD_RES_STATE);
	w.id[OBJ_FLOW_COUNTER] = id;
	CHECK_EQ(destroy_obj(OBJ_FLOW_COUNTER, &w), FW_OK);
	stop_fw();
}

/* A bulk never exceeds the numbers of its space, whose end is not wrapped. */
static void numbers_bulk_keeps_range(void)
{
	struct hca_obj_store *store;
	u32 last = hca_obj_descs[OBJ_FLOW_COUNTER].last;

	begin_test();
	store = &fw->store;
	CHECK_EQ(obj_number(store, OBJ_Q_COUNTER, 256), 0);
	CHECK_EQ(obj_number(store, OBJ_Q_COUNTER, ~0U), 0);
	CHECK(obj_number(store, OBJ_Q_COUNTER, 255) <= 1);
	store->next[OBJ_FLOW_COUNTER] = last - 6;
	CHECK_EQ(obj_number(store, OBJ_FLOW_COUNTER, 7), last - 6);
	store->next[OBJ_FLOW_COUNTER] = last - 6;
	CHECK(obj_number(store, OBJ_FLOW_COUNTER, 8) < last - 6);
	stop_fw();
}

/* Ranges of a bulk at the end of 32 bits are compared without a wrap. */
static void counters_bulk_at_end(void)
{
	struct hca_obj *bulk;
	u32 id;

	start_fw();
	bulk = obj_add(&fw->store, OBJ_FLOW_COUNTER, 0xfffffff0, ua, in, 16);
	CHECK(bulk);
	if (!bulk)
		return;
	bulk->span = 32;
	fw->store.bulks++;
	for (id = 0; id < 16; id++) {
		clear_in();
		PRM_SET(query_flow_counter_in, in, flow_counter_id, id);
		CHECK_EQ(run_len(MLX5_CMD_OP_QUERY_FLOW_COUNTER, ua, 32, 64),
			 FW_BAD_RES_STATE);
	}
	clear_in();
	PRM_SET(query_flow_counter_in, in, flow_counter_id, 0xffffffff);
	CHECK_EQ(run_len(MLX5_CMD_OP_QUERY_FLOW_COUNTER, ua, 32, 64), FW_OK);
	stop_fw();
}

static void dct_undrained_destroy_refused(void)
{
	begin_test();
	CHECK_EQ(destroy_obj(OBJ_DCT, &w), FW_BAD_RES_STATE);
	CHECK_EQ(out_synd(), SYND_NOT_DRAINED | OBJ_DCT);
	CHECK_EQ(events, 0);
	name_it(MLX5_CMD_OP_DRAIN_DCT, OBJ_DCT, &w);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_DRAIN_DCT, ua, 0), FW_OK);
	CHECK_EQ(events, 1);
	CHECK_EQ(event_type, 0x1c);
	CHECK_EQ(prm_be32(event_data + 0x18), w.id[OBJ_DCT]);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_DRAIN_DCT, ua, 0), FW_BAD_RES_STATE);
	CHECK_EQ(destroy_obj(OBJ_DCT, &w), FW_OK);
	stop_fw();
}

static void views_match_contexts(void)
{
	struct fw_wq_view wq;
	struct fw_cq_view cq;

	begin_test();
	CHECK(fw_cq_view(fw, w.id[OBJ_CQ], &cq));
	CHECK_EQ(cq.eqn, w.id[OBJ_EQ]);
	CHECK_EQ(cq.log_size, 6);
	CHECK_EQ(cq.cqe_sz, 64);
	CHECK_EQ(cq.dbr_addr, 0x103000);
	CHECK_EQ(cq.buf.pas[0], 0x100000);
	CHECK_EQ(cq.buf.offset, 0);
	CHECK(fw_wq_view(fw, w.id[OBJ_QP], &wq));
	CHECK(!wq.is_sq && !wq.ready);
	CHECK_EQ(wq.user_index, 0xabcdef);
	CHECK_EQ(wq.sq_offset, 16 * 64);
	CHECK_EQ(wq.log_sq_size, 5);
	CHECK_EQ(wq.dbr_addr, 0x103008);
	CHECK_EQ(wq.buf.offset, 0x1000);
	CHECK(fw_wq_view(fw, w.id[OBJ_SQ], &wq));
	CHECK(wq.is_sq && !wq.ready);
	CHECK(!fw_wq_view(fw, 1, &wq));
	CHECK(!fw_cq_view(fw, w.id[OBJ_QP], &cq));
	stop_fw();
}

/* Offsets are in units of a 64th of a page. */
static void page_offset_needs_page(void)
{
	struct fw_cq_view cq;

	begin_test();
	fill_create(maker_of(OBJ_CQ), &w);
	PRM_SET(create_cq_in, in, cq_umem_valid, 0);
	PRM_SET(create_cq_in, in, cq_context.log_page_size, 1);
	PRM_SET(create_cq_in, in, cq_context.page_offset, 60);
	/* At 7.5 KiB in a page of 8 KiB, 4 KiB need a second page. */
	prm_set(in, 0x110 * 8, 64, 0x600000);
	prm_set(in, 0x118 * 8, 64, 0x700000);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_CREATE_CQ, ua, 8), FW_BAD_IN_LEN);
	CHECK_EQ(out_synd(), SYND_LIST_LEN);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_CREATE_CQ, ua, 16), FW_OK);
	CHECK(fw_cq_view(fw, new_id(MLX5_CMD_OP_CREATE_CQ), &cq));
	CHECK_EQ(cq.buf.offset, 60 * 128);
	CHECK_EQ(cq.buf.log_page_size, 13);
	CHECK_EQ(cq.buf.npas, 2);
	CHECK_EQ(cq.buf.pas[1], 0x700000);
	stop_fw();
}

static int stop_at_3(void *arg, const struct fw_live *obj)
{
	unsigned int *n = arg;

	(void)obj;
	return ++*n == 3;
}

static int count_live(void *arg, const struct fw_live *obj)
{
	unsigned int *n = arg;

	CHECK(obj->type && *obj->type);
	++*n;
	return 0;
}

static void live_lists_all_objects(void)
{
	unsigned int n = 0;

	begin_test();
	fw_live(fw, -1, count_live, &n);
	CHECK_EQ(n, live_all());
	n = 0;
	fw_live(fw, ua, count_live, &n);
	CHECK_EQ(n, ARRAY_SIZE(makers));
	n = 0;
	fw_live(fw, ub, count_live, &n);
	CHECK_EQ(n, 0);
	fw_live(fw, -1, stop_at_3, &n);
	CHECK_EQ(n, 3);
	stop_fw();
}

static void reset_destroys_all(void)
{
	unsigned int n;

	begin_test();
	n = live_all();
	destroyed = 0;
	fw_reset(fw);
	CHECK_EQ(live_all(), 0);
	CHECK_EQ(destroyed, n);
	clear_in();
	CHECK_EQ(run_cmd(MLX5_CMD_OP_ALLOC_PD, 0, 0), FW_BAD_SYS_STATE);
	CHECK_EQ(out_synd(), SYND_NOT_INIT);
	stop_fw();
	begin_test();
	clear_in();
	CHECK_EQ(run_cmd(MLX5_CMD_OP_TEARDOWN_HCA, 0, 0), FW_OK);
	CHECK_EQ(live_all(), 0);
	stop_fw();
}

int main(void)
{
	static const struct hca_test tests[] = {
		TAP(query_returns_created_context),
		TAP(query_returns_lists),
		TAP(query_returns_flow_objects),
		TAP(numbers_nonzero_reused_late),
		TAP(numbers_shared_are_unique),
		TAP(psv_four_created),
		TAP(counters_bulk_ranges),
		TAP(numbers_bulk_keeps_range),
		TAP(counters_bulk_at_end),
		TAP(dct_undrained_destroy_refused),
		TAP(views_match_contexts),
		TAP(page_offset_needs_page),
		TAP(live_lists_all_objects),
		TAP(reset_destroys_all),
	};

	return TAP_RUN(tests);
}
