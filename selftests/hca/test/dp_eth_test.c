// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Packets from SQs through flow tables to RQs. */
#include "dp_work.h"
#include "eth_frames.h"

enum { RX = 0, TX = 1, FWD = 4, COUNT = 8, DROP = 2, ALLOW = 1, EDIT = 0x40 };

/* Queues: an SQ, and RQs with a TIR each. */
static struct tq sq, rq[2];
static u32 tir[2], td, counter;
static u64 src, dst;
static size_t sent_len;

static u8 *fill_raw(struct tq *q, size_t wq_at, u8 log_size)
{
	u8 *wq = in + wq_at;
	static u32 user_index = 0x500;

	*q = (struct tq){
		.buf = alloc_pages(1),
		.dbr = alloc_pages(1),
		.user_index = user_index++,
	};
	PRM_SET(wq, wq, wq_type, 1);
	PRM_SET(wq, wq, pd, pd);
	PRM_SET(wq, wq, uar_page, uar);
	PRM_SET(wq, wq, dbr_addr, q->dbr);
	PRM_SET(wq, wq, log_wq_stride, 6);
	PRM_SET(wq, wq, log_wq_sz, log_size);
	return wq;
}

static void modify_raw(u16 op, u32 num, u8 from, u8 to)
{
	clear_in();
	PRM_SET(modify_rq_in, in, rqn, num);
	PRM_SET(modify_rq_in, in, rq_state, from);
	PRM_SET(modify_rq_in, in, ctx.state, to);
	CHECK_EQ(send_cmd(op, PRM_SZ(modify_rq_in)), FW_OK);
}

/* Its requests are behind RQ_BYTES of the buffer, as those of a QP. */
static void make_sq(void)
{
	size_t at = PRM_BYTE(create_sq_in, ctx.wq);

	clear_in();
	fill_raw(&sq, at, LOG_SQ);
	PRM_SET(create_sq_in, in, ctx.cqn, cq.num);
	PRM_SET(create_sq_in, in, ctx.user_index, sq.user_index);
	PRM_SET(create_sq_in, in, ctx.wq.page_offset, RQ_BYTES / 64);
	prm_set(in, PRM_SZ(create_sq_in) * 8, 64, sq.buf);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_CREATE_SQ, PRM_SZ(create_sq_in) + 8),
		 FW_OK);
	sq.num = PRM_GET(create_sq_out, out, sqn);
	modify_raw(MLX5_CMD_OP_MODIFY_SQ, sq.num, 0, 1);
}

static void make_rq(struct tq *q, bool keep_tag)
{
	clear_in();
	fill_raw(q, PRM_BYTE(create_rq_in, ctx.wq), LOG_RQ);
	PRM_SET(create_rq_in, in, ctx.cqn, cq.num);
	PRM_SET(create_rq_in, in, ctx.user_index, q->user_index);
	PRM_SET(create_rq_in, in, ctx.vsd, keep_tag);
	prm_set(in, PRM_SZ(create_rq_in) * 8, 64, q->buf);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_CREATE_RQ, PRM_SZ(create_rq_in) + 8),
		 FW_OK);
	q->num = PRM_GET(create_rq_out, out, rqn);
	modify_raw(MLX5_CMD_OP_MODIFY_RQ, q->num, 0, 1);
}

static u32 make_tir(u32 rqn)
{
	clear_in();
	PRM_SET(create_tir_in, in, ctx.inline_rqn, rqn);
	PRM_SET(create_tir_in, in, ctx.transport_domain, td);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_CREATE_TIR, PRM_SZ(create_tir_in)),
		 FW_OK);
	return PRM_GET(create_tir_out, out, tirn);
}

/* A TIR that hashes IPv4 addresses and UDP ports over both RQs. */
static u32 make_rss_tir(void)
{
	u32 rqt;
	int i;

	clear_in();
	PRM_SET(create_rqt_in, in, rqt_context.rqt_max_size, 2);
	PRM_SET(create_rqt_in, in, rqt_context.rqt_actual_size, 2);
	for (i = 0; i < 2; i++)
		prm_set(in, (PRM_SZ(create_rqt_in) + 4 * i) * 8, 32, rq[i].num);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_CREATE_RQT, PRM_SZ(create_rqt_in) + 8),
		 FW_OK);
	rqt = PRM_GET(create_rqt_out, out, rqtn);
	clear_in();
	PRM_SET(create_tir_in, in, ctx.disp_type, 1);
	PRM_SET(create_tir_in, in, ctx.indirect_table, rqt);
	PRM_SET(create_tir_in, in, ctx.transport_domain, td);
	PRM_SET(create_tir_in, in, ctx.rx_hash_fn, 2);
	for (i = 0; i < 10; i++)
		PRM_SET(create_tir_in, in, ctx.rx_hash_toeplitz_key[i],
			0x01030507 * (i + 1));
	PRM_SET(create_tir_in, in,
		ctx.rx_hash_field_selector_outer.l4_prot_type, 1);
	PRM_SET(create_tir_in, in,
		ctx.rx_hash_field_selector_outer.selected_fields, 15);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_CREATE_TIR, PRM_SZ(create_tir_in)),
		 FW_OK);
	return PRM_GET(create_tir_out, out, tirn);
}

static u32 make_table(u8 type, u8 level)
{
	clear_in();
	PRM_SET(create_flow_table_in, in, table_type, type);
	PRM_SET(create_flow_table_in, in, flow_table_context.log_size, 4);
	PRM_SET(create_flow_table_in, in, flow_table_context.level, level);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_CREATE_FLOW_TABLE,
			  PRM_SZ(create_flow_table_in)), FW_OK);
	return PRM_GET(create_flow_table_out, out, table_id);
}

static void set_root(u8 type, u32 id)
{
	clear_in();
	PRM_SET(set_flow_table_root_in, in, table_type, type);
	PRM_SET(set_flow_table_root_in, in, table_id, id);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_SET_FLOW_TABLE_ROOT,
			  PRM_SZ(set_flow_table_root_in)), FW_OK);
}

/* A group of 4 entries from @start on that compares the destination if @dmac. */
static u32 make_group(u8 type, u32 table, u32 start, bool dmac)
{
	clear_in();
	PRM_SET(create_flow_group_in, in, table_type, type);
	PRM_SET(create_flow_group_in, in, table_id, table);
	PRM_SET(create_flow_group_in, in, start_flow_index, start);
	PRM_SET(create_flow_group_in, in, end_flow_index, start + 3);
	if (dmac) {
		PRM_SET(create_flow_group_in, in, match_criteria_enable, 1);
		PRM_SET(create_flow_group_in, in,
			match_criteria.outer_headers.dmac_15_0, 0xffff);
	}
	CHECK_EQ(send_cmd(MLX5_CMD_OP_CREATE_FLOW_GROUP,
			  PRM_SZ(create_flow_group_in)), FW_OK);
	return PRM_GET(create_flow_group_out, out, group_id);
}

#define CTX(f, v) PRM_SET(set_fte_in, in, flow_context.f, v)
#define LIST_AT (PRM_BYTE(set_fte_in, flow_context) + \
		 PRM_BYTE(flow_context, destination))

/* An entry for destinations that end with 0x44 and @dmac. */
static void fill_rule(u8 type, u32 table, u32 group, u32 index, u32 action,
		      u8 dmac)
{
	clear_in();
	PRM_SET(set_fte_in, in, table_type, type);
	PRM_SET(set_fte_in, in, table_id, table);
	PRM_SET(set_fte_in, in, flow_index, index);
	CTX(group_id, group);
	CTX(action, action);
	CTX(match_value.outer_headers.dmac_15_0, 0x4400 | dmac);
	CTX(destination_list_size, !!(action & FWD));
	CTX(flow_counter_list_size, !!(action & COUNT));
	if (action & COUNT)
		prm_set(in, (LIST_AT + (action & FWD ? 8 : 0)) * 8, 32,
			counter);
}

static void set_dest(u8 type, u32 id)
{
	prm_set(in, LIST_AT * 8, 8, type);
	prm_set(in, LIST_AT * 8 + 8, 24, id);
}

static int send_rule(void)
{
	return send_cmd(MLX5_CMD_OP_SET_FLOW_TABLE_ENTRY, LIST_AT + 24);
}

/* A root table in which all packets with @dmac go to @dest, a TIR. */
static u32 make_rx(u8 dmac, u32 action, u32 dest)
{
	u32 table = make_table(RX, 0), group = make_group(RX, table, 0, true);

	set_root(RX, table);
	fill_rule(RX, table, group, 0, action, dmac);
	set_dest(2, dest);
	CHECK_EQ(send_rule(), FW_OK);
	return table;
}

static void set_link(u8 admin)
{
	u8 *paos = in + PRM_SZ(access_register_in);

	clear_in();
	PRM_SET(access_register_in, in, register_id, 0x5006);
	PRM_SET(paos_reg, paos, local_port, 1);
	PRM_SET(paos_reg, paos, ase, 1);
	PRM_SET(paos_reg, paos, admin_status, admin);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_ACCESS_REG,
			  PRM_SZ(access_register_in) + PRM_SZ(paos_reg)), FW_OK);
}

static void start_eth(void)
{
	int i;

	start_hca();
	set_link(1);
	td = simple_cmd(MLX5_CMD_OP_ALLOC_TRANSPORT_DOMAIN);
	counter = simple_cmd(MLX5_CMD_OP_ALLOC_FLOW_COUNTER);
	make_sq();
	for (i = 0; i < 2; i++) {
		make_rq(&rq[i], i);
		tir[i] = make_tir(rq[i].num);
	}
	src = alloc_pages(2);
	dst = alloc_pages(4);
	while (poll_eq())
		;
}

/* Post a send of the packet; @cs: checksums to write. */
static void send_frame(const struct frame *f, u8 cs)
{
	u8 *eseg;

	sent_len = frame_put(ram_at(src), f);
	wqe_begin(&sq, SEND, SIGNALED, 0);
	eseg = wqe_room(&sq, 16);
	eseg[4] = cs;
	wqe_data(&sq, (u32)sent_len, lkey, src);
	wqe_end(&sq);
	ring_sq(&sq);
}

static const struct frame udp = { .ip = 4, .proto = 17, .payload = 200 };

/* The completion of a receive; its number is that of the rule's tag. */
static const u8 *expect_packet(const struct tq *q, u16 index, u32 len)
{
	static const u8 none[64];
	const u8 *cqe = wait_cqe(&cq);

	CHECK(cqe);
	if (!cqe)
		return none;
	CHECK_EQ(cqe[0x3f] >> 4, 2);
	CHECK_EQ(get_be32(cqe + 0x20), q->user_index);
	CHECK_EQ(get_be16(cqe + 0x3c), index);
	CHECK_EQ(get_be32(cqe + 0x2c), len);
	return cqe;
}

static void expect_sent(u16 index)
{
	expect_cqe(&cq, &sq, 0, index, 0);
}

static u64 counted_packets(bool bytes)
{
	clear_in();
	PRM_SET(query_flow_counter_in, in, flow_counter_id, counter);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_QUERY_FLOW_COUNTER,
			  PRM_SZ(query_flow_counter_in)), FW_OK);
	return prm_be64(out + 16 + 8 * bytes);
}

static void packet_received(void)
{
	const u8 *cqe;

	start_eth();
	make_rx(0x55, FWD | COUNT, tir[0]);
	post_recv(&rq[0], 1000, lkey, dst);
	send_frame(&udp, 0xc0);
	cqe = expect_packet(&rq[0], 0, (u32)sent_len);
	expect_sent(0);
	/* What was sent, but for the checksums. */
	memset(ram_at(dst) + 24, 0, 2);
	memset(ram_at(dst) + 40, 0, 2);
	CHECK(!memcmp(ram_at(dst), ram_at(src), sent_len));
	CHECK_EQ(cqe[0x1c], 7);
	CHECK_EQ(cqe[0x1d], 2 << 4 | 2 << 2);
	CHECK_EQ(get_be32(cqe + 0x38), 0);
	CHECK_EQ(counted_packets(false), 1);
	CHECK_EQ(counted_packets(true), sent_len);
	stop_hca();
}

static void checksum_bad_reported(void)
{
	const u8 *cqe;

	start_eth();
	make_rx(0x55, FWD, tir[0]);
	post_recv(&rq[0], 1000, lkey, dst);
	send_frame(&udp, 0);
	cqe = expect_packet(&rq[0], 0, (u32)sent_len);
	/* A datagram without checksum is not wrong. */
	CHECK_EQ(cqe[0x1c], 1 | 4);
	CHECK(!memcmp(ram_at(dst), ram_at(src), sent_len));
	stop_hca();
}

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

/* RQ 0 strips tags, RQ 1 keeps them. */
static void tag_stripped_or_kept(void)
{
	const u8 *cqe;

	start_eth();
	make_rx(0x55, FWD, tir[0]);
	post_recv(&rq[0], 1000, lkey, dst);
	send_frame(&(struct frame){ .tags = 1, .payload = 80 }, 0);
	cqe = expect_packet(&rq[0], 0, (u32)sent_len - 4);
	expect_sent(0);
	CHECK_EQ(cqe[0x1d] & 1, 1);
	CHECK_EQ(get_be16(cqe + 0x1e), 0x6101);
	CHECK(!memcmp(ram_at(dst), ram_at(src), 12));
	CHECK(!memcmp(ram_at(dst) + 12, ram_at(src) + 16, sent_len - 16));
	make_rx(0x55, FWD, tir[1]);
	post_recv(&rq[1], 1000, lkey, dst);
	send_frame(&(struct frame){ .tags = 1, .payload = 80 }, 0);
	cqe = expect_packet(&rq[1], 0, (u32)sent_len);
	CHECK_EQ(cqe[0x1d] & 1, 0);
	CHECK(!memcmp(ram_at(dst), ram_at(src), sent_len));
	stop_hca();
}

static void tag_inserted_headers_inline(void)
{
	u8 *eseg;

	start_eth();
	make_rx(0x55, FWD, tir[1]);
	post_recv(&rq[1], 1000, lkey, dst);
	post_recv(&rq[1], 1000, lkey, dst + PAGE);
	sent_len = frame_put(ram_at(src), &udp);
	wqe_begin(&sq, SEND, SIGNALED, 0);
	eseg = wqe_room(&sq, 16);
	put_be32(eseg + 12, 0x80003021);
	wqe_data(&sq, (u32)sent_len, lkey, src);
	wqe_end(&sq);
	/* The same packet with the first 18 bytes in the request. */
	wqe_begin(&sq, SEND, SIGNALED, 0);
	eseg = wqe_room(&sq, 32);
	put_be16(eseg + 12, 18);
	memcpy(eseg + 14, ram_at(src), 18);
	wqe_data(&sq, (u32)sent_len - 18, lkey, src + 18);
	wqe_end(&sq);
	ring_sq(&sq);
	expect_packet(&rq[1], 0, (u32)sent_len + 4);
	expect_sent(0);
	CHECK_EQ(get_be32(ram_at(dst) + 12), 0x81003021);
	CHECK(!memcmp(ram_at(dst) + 16, ram_at(src) + 12, sent_len - 12));
	expect_packet(&rq[1], 1, (u32)sent_len);
	CHECK(!memcmp(ram_at(dst + PAGE), ram_at(src), sent_len));
	stop_hca();
}

static void receive_missing_lost(void)
{
	start_eth();
	make_rx(0x55, FWD, tir[0]);
	send_frame(&udp, 0);
	expect_sent(0);
	CHECK(!poll_cq(&cq));
	/* The next one arrives. */
	post_recv(&rq[0], 1000, lkey, dst);
	send_frame(&udp, 0);
	expect_packet(&rq[0], 0, (u32)sent_len);
	stop_hca();
}

static void receive_short_fails_queue(void)
{
	start_eth();
	make_rx(0x55, FWD, tir[0]);
	post_recv(&rq[0], 100, lkey, dst);
	post_recv(&rq[0], 1000, lkey, dst);
	send_frame(&udp, 0);
	expect_cqe(&cq, &rq[0], 0xe, 0, 1);
	expect_sent(0);
	/* The other receive is flushed, and the state is that of an error. */
	expect_cqe(&cq, &rq[0], 0xe, 1, 5);
	clear_in();
	PRM_SET(query_rq_in, in, rqn, rq[0].num);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_QUERY_RQ, 16), FW_OK);
	CHECK_EQ(PRM_GET(query_rq_out, out, rq_context.state), 3);
	stop_hca();
}

static void request_bad_fails_queue(void)
{
	static const u8 opcodes[] = { WRITE, READ, UMR, 0x29, 0x3f };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(opcodes); i++) {
		start_eth();
		wqe_begin(&sq, opcodes[i], SIGNALED, 0);
		memset(wqe_room(&sq, 48), 0, 48);
		wqe_end(&sq);
		ring_sq(&sq);
		expect_cqe(&cq, &sq, 0xd, 0, 2);
		clear_in();
		PRM_SET(query_sq_in, in, sqn, sq.num);
		CHECK_EQ(send_cmd(MLX5_CMD_OP_QUERY_SQ, 16), FW_OK);
		CHECK_EQ(PRM_GET(query_sq_out, out, sq_context.state), 3);
		send_frame(&udp, 0);
		expect_cqe(&cq, &sq, 0xd, 1, 5);
		stop_hca();
	}
}

static void inner_checksum_refused(void)
{
	start_eth();
	send_frame(&udp, 0x30);
	expect_cqe(&cq, &sq, 0xd, 0, 2);
	stop_hca();
}

static void key_bad_local_prot(void)
{
	start_eth();
	wqe_begin(&sq, SEND, SIGNALED, 0);
	wqe_room(&sq, 16);
	wqe_data(&sq, 100, lkey ^ 1, src);
	wqe_end(&sq);
	ring_sq(&sq);
	expect_cqe(&cq, &sq, 0xd, 0, 4);
	stop_hca();
}

static void link_down_lost(void)
{
	start_eth();
	make_rx(0x55, FWD, tir[0]);
	post_recv(&rq[0], 1000, lkey, dst);
	set_link(2);
	send_frame(&udp, 0);
	expect_sent(0);
	CHECK(!poll_cq(&cq));
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

static void large_packet_segmented(void)
{
	unsigned int i;
	size_t at = 54;
	u8 *eseg;

	start_eth();
	make_rx(0x55, FWD, tir[0]);
	for (i = 0; i < 3; i++)
		post_recv(&rq[0], 1518, lkey, dst + i * 2048);
	sent_len = frame_put(ram_at(src), &(struct frame){
		.ip = 4, .proto = 6, .payload = 2500 });
	wqe_begin(&sq, 0x0e, SIGNALED, 0);
	eseg = wqe_room(&sq, 16 + 64);
	put_be16(eseg + 6, 1000);
	put_be16(eseg + 12, (u16)at);
	memcpy(eseg + 14, ram_at(src), at);
	wqe_data(&sq, 2500, lkey, src + at);
	wqe_end(&sq);
	ring_sq(&sq);
	for (i = 0; i < 3; i++) {
		size_t n = i < 2 ? 1000 : 500;

		CHECK_EQ(expect_packet(&rq[0], (u16)i, (u32)(at + n))[0x1c], 7);
		CHECK(!memcmp(ram_at(dst + i * 2048) + at,
			      ram_at(src) + at + 1000UL * i, n));
	}
	expect_sent(0);
	stop_hca();
}

int main(void)
{
	static const struct hca_test tests[] = {
		TAP(packet_received),
		TAP(checksum_bad_reported),
		TAP(rules_in_order),
		TAP(table_chain_followed),
		TAP(table_loop_ends),
		TAP(two_destinations_both_receive),
		TAP(transmit_rule_drops),
		TAP(transmit_rule_changes_header),
		TAP(hash_chooses_queue),
		TAP(tag_stripped_or_kept),
		TAP(tag_inserted_headers_inline),
		TAP(receive_missing_lost),
		TAP(receive_short_fails_queue),
		TAP(request_bad_fails_queue),
		TAP(inner_checksum_refused),
		TAP(key_bad_local_prot),
		TAP(link_down_lost),
		TAP(table_destroyed_not_used),
		TAP(rule_not_executable_refused),
		TAP(large_packet_segmented),
	};

	return TAP_RUN(tests);
}
