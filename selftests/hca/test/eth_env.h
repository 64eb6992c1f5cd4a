/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A device with an SQ, two RQs with a TIR each, and what rules are made of. It is
 * included once in a test program.
 */
#ifndef HCA_TEST_ETH_ENV_H
#define HCA_TEST_ETH_ENV_H

#include "dp_work.h"
#include "eth_frames.h"

enum { RX = 0, TX = 1, FWD = 4, COUNT = 8, DROP = 2, ALLOW = 1, EDIT = 0x40 };

/* Queues: an SQ, and RQs with a TIR each. */
static struct tq sq, rq[2];
static u32 tir[2], td, counter;
static u64 src, dst;
static size_t sent_len;

static inline u8 *fill_raw(struct tq *q, size_t wq_at, u8 log_size)
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

static inline void modify_raw(u16 op, u32 num, u8 from, u8 to)
{
	clear_in();
	PRM_SET(modify_rq_in, in, rqn, num);
	PRM_SET(modify_rq_in, in, rq_state, from);
	PRM_SET(modify_rq_in, in, ctx.state, to);
	CHECK_EQ(send_cmd(op, PRM_SZ(modify_rq_in)), FW_OK);
}

/* Its requests are behind RQ_BYTES of the buffer, as those of a QP. */
static inline void make_sq(void)
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

static inline void make_rq(struct tq *q, bool keep_tag)
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

static inline u32 make_tir(u32 rqn)
{
	clear_in();
	PRM_SET(create_tir_in, in, ctx.inline_rqn, rqn);
	PRM_SET(create_tir_in, in, ctx.transport_domain, td);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_CREATE_TIR, PRM_SZ(create_tir_in)),
		 FW_OK);
	return PRM_GET(create_tir_out, out, tirn);
}

/* A TIR that hashes IPv4 addresses and UDP ports over both RQs. */
static inline u32 make_rss_tir(void)
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

static inline u32 make_table(u8 type, u8 level)
{
	clear_in();
	PRM_SET(create_flow_table_in, in, table_type, type);
	PRM_SET(create_flow_table_in, in, flow_table_context.log_size, 4);
	PRM_SET(create_flow_table_in, in, flow_table_context.level, level);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_CREATE_FLOW_TABLE,
			  PRM_SZ(create_flow_table_in)), FW_OK);
	return PRM_GET(create_flow_table_out, out, table_id);
}

static inline void set_root(u8 type, u32 id)
{
	clear_in();
	PRM_SET(set_flow_table_root_in, in, table_type, type);
	PRM_SET(set_flow_table_root_in, in, table_id, id);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_SET_FLOW_TABLE_ROOT,
			  PRM_SZ(set_flow_table_root_in)), FW_OK);
}

/* A group of 4 entries from @start on that compares the destination if @dmac. */
static inline u32 make_group(u8 type, u32 table, u32 start, bool dmac)
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
static inline void fill_rule(u8 type, u32 table, u32 group, u32 index,
			     u32 action, u8 dmac)
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

static inline void set_dest(u8 type, u32 id)
{
	prm_set(in, LIST_AT * 8, 8, type);
	prm_set(in, LIST_AT * 8 + 8, 24, id);
}

static inline int send_rule(void)
{
	return send_cmd(MLX5_CMD_OP_SET_FLOW_TABLE_ENTRY, LIST_AT + 24);
}

/* A root table in which all packets with @dmac go to @dest, a TIR. */
static inline u32 make_rx(u8 dmac, u32 action, u32 dest)
{
	u32 table = make_table(RX, 0), group = make_group(RX, table, 0, true);

	set_root(RX, table);
	fill_rule(RX, table, group, 0, action, dmac);
	set_dest(2, dest);
	CHECK_EQ(send_rule(), FW_OK);
	return table;
}

static inline void set_link(u8 admin)
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

static inline void start_eth(void)
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
static inline void send_frame(const struct frame *f, u8 cs)
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
static inline const u8 *expect_packet(const struct tq *q, u16 index, u32 len)
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

static inline void expect_sent(u16 index)
{
	expect_cqe(&cq, &sq, 0, index, 0);
}

static inline u64 counted_packets(bool bytes)
{
	clear_in();
	PRM_SET(query_flow_counter_in, in, flow_counter_id, counter);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_QUERY_FLOW_COUNTER,
			  PRM_SZ(query_flow_counter_in)), FW_OK);
	return prm_be64(out + 16 + 8 * bytes);
}

#endif /* HCA_TEST_ETH_ENV_H */
