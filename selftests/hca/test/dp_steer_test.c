// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Flow tables between SQs and RQs. */
#include "eth_env.h"

/* The first entry that matches counts; without a match a packet is lost. */
static void rules_in_order(void)
{
	u32 table, all;

	start_eth();
	table = make_rx(0x55, FWD, tir[0]);
	all = make_group(RX, table, 4, false);
	post_recv(&rq[0], 1000, lkey, dst);
	post_recv(&rq[1], 1000, lkey, dst);
	send_frame(&(struct frame){ .dmac = 0x66, .payload = 60 }, 0);
	expect_sent(0);
	CHECK(!poll_cq(&cq));
	fill_rule(RX, table, all, 4, FWD, 0);
	set_dest(2, tir[1]);
	CHECK_EQ(send_rule(), FW_OK);
	send_frame(&(struct frame){ .dmac = 0x66, .payload = 60 }, 0);
	expect_packet(&rq[1], 0, 74);
	expect_sent(1);
	send_frame(&udp, 0);
	expect_packet(&rq[0], 0, (u32)sent_len);
	expect_sent(2);
	stop_hca();
}

static void table_chain_followed(void)
{
	u32 root, next, group;

	start_eth();
	next = make_table(RX, 1);
	group = make_group(RX, next, 0, false);
	fill_rule(RX, next, group, 1, FWD, 0);
	CTX(flow_tag, 0x1234);
	set_dest(2, tir[1]);
	CHECK_EQ(send_rule(), FW_OK);
	root = make_table(RX, 0);
	set_root(RX, root);
	clear_in();
	PRM_SET(modify_flow_table_in, in, table_id, root);
	PRM_SET(modify_flow_table_in, in, modify_field_select, 1);
	PRM_SET(modify_flow_table_in, in, flow_table_context.table_miss_action,
		1);
	PRM_SET(modify_flow_table_in, in, flow_table_context.table_miss_id,
		next);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_MODIFY_FLOW_TABLE,
			  PRM_SZ(modify_flow_table_in)), FW_OK);
	post_recv(&rq[1], 1000, lkey, dst);
	send_frame(&udp, 0);
	CHECK_EQ(get_be32(expect_packet(&rq[1], 0, (u32)sent_len) + 0x38),
		 0x1234);
	expect_sent(0);
	stop_hca();
}

/* A chain that ends nowhere: the packet is lost, and nothing hangs. */
static void table_loop_ends(void)
{
	u32 root;

	start_eth();
	root = make_table(RX, 0);
	set_root(RX, root);
	fill_rule(RX, root, make_group(RX, root, 0, false), 0, FWD, 0);
	set_dest(1, root);
	CHECK_EQ(send_rule(), FW_OK);
	send_frame(&udp, 0);
	expect_sent(0);
	CHECK(!poll_cq(&cq));
	stop_hca();
}

static void two_destinations_both_receive(void)
{
	u32 table, group;

	start_eth();
	table = make_table(RX, 0);
	group = make_group(RX, table, 0, false);
	set_root(RX, table);
	fill_rule(RX, table, group, 0, FWD, 0);
	CTX(destination_list_size, 2);
	set_dest(2, tir[0]);
	prm_set(in, LIST_AT * 8 + 64, 8, 2);
	prm_set(in, LIST_AT * 8 + 72, 24, tir[1]);
	CHECK_EQ(send_rule(), FW_OK);
	post_recv(&rq[0], 1000, lkey, dst);
	post_recv(&rq[1], 1000, lkey, dst + PAGE);
	send_frame(&udp, 0);
	expect_packet(&rq[0], 0, (u32)sent_len);
	expect_packet(&rq[1], 0, (u32)sent_len);
	expect_sent(0);
	CHECK(!memcmp(ram_at(dst), ram_at(src), sent_len));
	CHECK(!memcmp(ram_at(dst + PAGE), ram_at(src), sent_len));
	stop_hca();
}

static void transmit_rule_drops(void)
{
	u32 table;

	start_eth();
	make_rx(0x55, FWD, tir[0]);
	table = make_table(TX, 0);
	set_root(TX, table);
	fill_rule(TX, table, make_group(TX, table, 0, true), 0, DROP | COUNT,
		  0x55);
	CHECK_EQ(send_rule(), FW_OK);
	post_recv(&rq[0], 1000, lkey, dst);
	send_frame(&udp, 0);
	expect_sent(0);
	CHECK(!poll_cq(&cq));
	CHECK_EQ(counted_packets(false), 1);
	stop_hca();
}

static void transmit_rule_changes_header(void)
{
	u8 *set = in + PRM_SZ(alloc_modify_header_context_in);
	u32 table, group, edits;

	start_eth();
	make_rx(0x77, FWD, tir[0]);
	clear_in();
	PRM_SET(alloc_modify_header_context_in, in, table_type, TX);
	PRM_SET(alloc_modify_header_context_in, in, num_of_actions, 1);
	PRM_SET(set_action_in, set, action_type, 1);
	PRM_SET(set_action_in, set, field,
		MLX5_ACTION_IN_FIELD_OUT_DMAC_15_0);
	PRM_SET(set_action_in, set, length, 16);
	PRM_SET(set_action_in, set, data, 0x4477);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_ALLOC_MODIFY_HEADER_CONTEXT,
			  PRM_SZ(alloc_modify_header_context_in) + 8), FW_OK);
	edits = PRM_GET(alloc_modify_header_context_out, out, modify_header_id);
	table = make_table(TX, 0);
	group = make_group(TX, table, 0, true);
	set_root(TX, table);
	fill_rule(TX, table, group, 0, ALLOW | EDIT, 0x55);
	CTX(modify_header_id, edits);
	CHECK_EQ(send_rule(), FW_OK);
	post_recv(&rq[0], 1000, lkey, dst);
	send_frame(&udp, 0);
	expect_packet(&rq[0], 0, (u32)sent_len);
	CHECK_EQ(ram_at(dst)[5], 0x77);
	CHECK(!memcmp(ram_at(dst) + 6, ram_at(src) + 6, sent_len - 6));
	/* Edits of the other direction's tables are refused. */
	fill_rule(RX, make_table(RX, 0), group, 0, DROP | EDIT, 0);
	CTX(modify_header_id, edits);
	CHECK_EQ(send_rule(), FW_BAD_PARAM);
	stop_hca();
}

static void hash_chooses_queue(void)
{
	unsigned int n[2] = { }, i;
	u32 hash = 0;

	start_eth();
	make_rx(0x55, FWD, make_rss_tir());
	for (i = 0; i < 7; i++) {
		post_recv(&rq[0], 1000, lkey, dst);
		post_recv(&rq[1], 1000, lkey, dst);
	}
	for (i = 0; i < 7; i++) {
		struct frame f = udp;
		const u8 *cqe;

		f.sport = (u16)(1000 + i * 37);
		send_frame(&f, 0);
		cqe = wait_cqe(&cq);
		CHECK(cqe);
		if (!cqe)
			break;
		hash = get_be32(cqe + 0x0c);
		CHECK_EQ(get_be32(cqe + 0x20), rq[hash % 2].user_index);
		CHECK_EQ(cqe[0x10], 2 << 6 | 1 << 2);
		n[hash % 2]++;
		expect_sent((u16)i);
	}
	CHECK(n[0] && n[1]);
	stop_hca();
}

/* The root may be destroyed while it is in use. */
static void table_destroyed_not_used(void)
{
	u32 table;

	start_eth();
	table = make_table(RX, 0);
	set_root(RX, table);
	clear_in();
	PRM_SET(destroy_flow_table_in, in, table_id, table);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_DESTROY_FLOW_TABLE,
			  PRM_SZ(destroy_flow_table_in)), FW_OK);
	send_frame(&udp, 0);
	expect_sent(0);
	CHECK(!poll_cq(&cq));
	stop_hca();
}

static void rule_not_executable_refused(void)
{
	static const struct {
		u8 type;
		u32 action;
		u8 dest;
	} bad[] = {
		{ RX, COUNT, 2 },		/* no end */
		{ RX, ALLOW, 2 },
		{ RX, DROP | FWD, 2 },
		{ RX, FWD | 0x20, 2 },		/* decapsulation */
		{ RX, FWD | 0x4000, 2 },
		{ RX, FWD, 3 },			/* to a QP, a sampler, a vport */
		{ RX, FWD, 6 },
		{ RX, FWD, 0 },
		{ TX, FWD, 2 },
		{ TX, ALLOW | DROP, 0 },
		{ TX, COUNT, 0 },
	};
	u32 table, group;
	size_t i;

	start_eth();
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		table = make_table(bad[i].type, 0);
		group = make_group(bad[i].type, table, 0, false);
		fill_rule(bad[i].type, table, group, 0, bad[i].action, 0);
		if (bad[i].action & FWD)
			set_dest(bad[i].dest, tir[0]);
		CHECK_EQ(send_rule(), FW_BAD_PARAM);
	}
	clear_in();
	PRM_SET(create_flow_group_in, in, table_id, make_table(RX, 0));
	PRM_SET(create_flow_group_in, in, match_criteria_enable, 4);
	PRM_SET(create_flow_group_in, in,
		match_criteria.inner_headers.ethertype, 0xffff);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_CREATE_FLOW_GROUP,
			  PRM_SZ(create_flow_group_in)), FW_BAD_PARAM);
	stop_hca();
}

int main(void)
{
	static const struct hca_test tests[] = {
		TAP(rules_in_order),
		TAP(table_chain_followed),
		TAP(table_loop_ends),
		TAP(two_destinations_both_receive),
		TAP(transmit_rule_drops),
		TAP(transmit_rule_changes_header),
		TAP(hash_chooses_queue),
		TAP(table_destroyed_not_used),
		TAP(rule_not_executable_refused),
	};

	return TAP_RUN(tests);
}
