// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Dynamically connected transport: DCIs that send to a DCT. */
#include "dp_work.h"

enum {
	KEY_LOW = 0x5678, LONG = 5 << 19, QP_OP = 2, REMOTE_INVALID = 0x12,
	REMOTE_ACCESS = 0x13, RETRIES = 0x15, USER_INDEX = 0x4321,
};

static const u64 dc_key = 0x1234ULL << 32 | KEY_LOW;
static struct tq a, b;
static u64 src, dst, ring, ring_dbr;
static u32 dctn, srqn, entries;

static void make_srq(void)
{
	u8 *c = in + PRM_BYTE(create_srq_in, srq_context_entry);

	ring = alloc_pages(1);
	ring_dbr = alloc_pages(1);
	entries = 0;
	clear_in();
	PRM_SET(srqc, c, pd, pd);
	PRM_SET(srqc, c, log_srq_size, 2);
	PRM_SET(srqc, c, log_rq_stride, 2);
	PRM_SET(srqc, c, dbr_addr, ring_dbr);
	prm_set(in, 0x110 * 8, 64, ring);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_CREATE_SRQ, 0x118), FW_OK);
	srqn = PRM_GET(create_srq_out, out, srqn);
}

static void make_dct(bool rights)
{
	u8 *c = in + PRM_BYTE(create_dct_in, dct_context_entry);

	clear_in();
	PRM_SET(dctc, c, pd, pd);
	PRM_SET(dctc, c, cqn, cq.num);
	PRM_SET(dctc, c, srqn_xrqn, srqn);
	PRM_SET(dctc, c, user_index, USER_INDEX);
	PRM_SET(dctc, c, dc_access_key, dc_key);
	PRM_SET(dctc, c, rre, rights);
	PRM_SET(dctc, c, rwe, rights);
	PRM_SET(dctc, c, rae, rights);
	PRM_SET(dctc, c, min_rnr_nak, 1);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_CREATE_DCT, 0x80), FW_OK);
	dctn = PRM_GET(create_dct_out, out, dctn);
}

static void make_dci(struct tq *q)
{
	u8 *c = fill_qp(q, ST_DCI);

	PRM_SET(qpc, c, rq_type, 3);
	PRM_SET(qpc, c, log_rq_size, 0);
	q->buf -= RQ_BYTES;
	send_qp(q);
	to_rtr(q, 0);
	to_rts(q, 7);
}

static void start_dc(bool rights)
{
	start_hca();
	make_srq();
	make_dct(rights);
	make_dci(&a);
	src = alloc_pages(1);
	dst = alloc_pages(1);
	put_text(src, "dynamic");
}

/* The receive in slot @i. */
static void post_entry(unsigned int i, u32 len, u64 addr)
{
	u8 *w = ram_at(ring + i * 64);

	put_be16(w + 2, (u16)(i + 1) & 3);
	put_be32(w + 16, len);
	put_be32(w + 20, lkey);
	put_be64(w + 24, addr);
	put_be32(w + 36, 0x100);
	put_be32(ram_at(ring_dbr), ++entries);
}

static void dc_begin(struct tq *q, u8 op, u64 key)
{
	u8 *av;

	wqe_begin(q, op, SIGNALED, 0xbeef);
	av = wqe_room(q, 48);
	put_be64(av, key);
	put_be32(av + 8, 1U << 31 | dctn);
}

static void dc_send(struct tq *q, u8 op, u64 key, u32 len, u64 addr)
{
	dc_begin(q, op, key);
	wqe_data(q, len, lkey, addr);
	wqe_end(q);
	ring_sq(q);
}

static void dc_rdma(u8 op, u32 len)
{
	dc_begin(&a, op, dc_key);
	wqe_raddr(&a, dst, lkey);
	if (op == ATOMIC_FA)
		put_be64(wqe_room(&a, 16), 2);
	wqe_data(&a, len, lkey, src);
	wqe_end(&a);
	ring_sq(&a);
}

static const u8 *expect_dct(u8 opcode, u16 counter)
{
	static const u8 none[64];
	const u8 *cqe = wait_cqe(&cq);

	CHECK(cqe);
	if (!cqe)
		return none;
	CHECK_EQ(get_be32(cqe + 0x20), USER_INDEX);
	CHECK_EQ(get_be32(cqe + 0x38) & 0xffffff, dctn);
	CHECK_EQ(cqe[0x3f] >> 4, opcode);
	CHECK_EQ(get_be16(cqe + 0x3c), counter);
	return cqe;
}

static void send_received(void)
{
	const u8 *cqe;

	start_dc(true);
	post_entry(0, 200, dst);
	dc_send(&a, SEND_IMM, dc_key, 8, src);
	cqe = expect_dct(3, 0);
	CHECK_EQ(get_be32(cqe + 0x2c), 8);
	CHECK_EQ(get_be32(cqe + 0x24), 0xbeef);
	CHECK_EQ(get_be32(cqe + 0x18) & 0xffffff, a.num);
	expect_cqe(&cq, &a, 0, 0, 0);
	CHECK(!strcmp((char *)ram_at(dst), "dynamic"));
	stop_hca();
}

/* An address vector without GRH is 16 bytes long. */
static void vector_short_received(void)
{
	u8 *av;

	start_dc(true);
	post_entry(0, 200, dst);
	wqe_begin(&a, SEND, SIGNALED, 0);
	av = wqe_room(&a, 16);
	put_be64(av, dc_key);
	put_be32(av + 8, dctn);
	wqe_data(&a, 8, lkey, src);
	wqe_end(&a);
	ring_sq(&a);
	expect_dct(2, 0);
	expect_cqe(&cq, &a, 0, 0, 0);
	CHECK(!strcmp((char *)ram_at(dst), "dynamic"));
	stop_hca();
}

static void rdma_moves_data(void)
{
	start_dc(true);
	dc_rdma(WRITE, 8);
	expect_cqe(&cq, &a, 0, 0, 0);
	CHECK(!strcmp((char *)ram_at(dst), "dynamic"));
	ram_at(dst)[0] = 7;
	dc_rdma(READ, 8);
	expect_cqe(&cq, &a, 0, 2, 0);
	CHECK_EQ(ram_at(src)[0], 7);
	dc_rdma(ATOMIC_FA, 8);
	expect_cqe(&cq, &a, 0, 4, 0);
	CHECK_EQ(ram_at(dst)[0], 9);
	stop_hca();
}

static void right_missing_refused(void)
{
	start_dc(false);
	dc_rdma(WRITE, 8);
	expect_cqe(&cq, &a, 0xd, 0, REMOTE_INVALID);
	CHECK_EQ(ram_at(dst)[0], 0);
	CHECK_EQ(qp_state(&a), QP_ERR);
	/* The DCT is not affected. */
	make_dci(&b);
	post_entry(0, 200, dst);
	dc_send(&b, SEND, dc_key, 8, src);
	expect_dct(2, 0);
	expect_cqe(&cq, &b, 0, 0, 0);
	stop_hca();
}

static void key_wrong_refused(void)
{
	start_dc(true);
	post_entry(0, 200, dst);
	dc_send(&a, SEND, dc_key + 1, 8, src);
	expect_cqe(&cq, &a, 0xd, 0, REMOTE_ACCESS);
	CHECK(!poll_cq(&cq));
	CHECK_EQ(ram_at(dst)[0], 0);
	stop_hca();
}

static void dct_destroyed_retries(void)
{
	start_dc(true);
	clear_in();
	PRM_SET(drain_dct_in, in, dctn, dctn);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_DRAIN_DCT, 16), FW_OK);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_DESTROY_DCT, 16), FW_OK);
	dc_send(&a, SEND, dc_key, 8, src);
	expect_cqe(&cq, &a, 0xd, 0, RETRIES);
	stop_hca();
}

static void receive_missing_waits(void)
{
	start_dc(true);
	dc_send(&a, SEND, dc_key, 8, src);
	CHECK(!poll_cq(&cq));
	post_entry(0, 200, dst);
	expect_dct(2, 0);
	expect_cqe(&cq, &a, 0, 0, 0);
	stop_hca();
}

/* A message comes while a long one, of several rounds, is being received. */
static void messages_long_not_mixed(void)
{
	u64 from, to;

	start_dc(true);
	make_dci(&b);
	from = alloc_pages(LONG / PAGE);
	to = alloc_pages(LONG / PAGE);
	memset(ram_at(from), 1, LONG);
	post_entry(0, LONG, to);
	post_entry(1, 200, dst);
	dc_send(&a, SEND, dc_key, LONG, from);
	dc_send(&b, SEND, dc_key, 8, src);
	CHECK_EQ(get_be32(expect_dct(2, 0) + 0x2c), LONG);
	expect_cqe(&cq, &a, 0, 0, 0);
	CHECK_EQ(get_be32(expect_dct(2, 1) + 0x2c), 8);
	expect_cqe(&cq, &b, 0, 0, 0);
	CHECK_EQ(ram_at(to)[0], 1);
	CHECK_EQ(ram_at(to)[LONG - 1], 1);
	CHECK(!strcmp((char *)ram_at(dst), "dynamic"));
	stop_hca();
}

/* The sender that began is destroyed: the next message gets its receive. */
static void sender_lost_receive_reused(void)
{
	u64 big;

	start_dc(true);
	make_dci(&b);
	big = alloc_pages(LONG / PAGE);
	post_entry(0, LONG, alloc_pages(LONG / PAGE));
	dc_send(&a, SEND, dc_key, LONG, big);
	CHECK(!poll_cq(&cq));
	move_qp(&a, MLX5_CMD_OP_2RST_QP);
	dc_send(&b, SEND, dc_key, 8, src);
	expect_dct(2, 0);
	expect_cqe(&cq, &b, 0, 0, 0);
	stop_hca();
}

/* What the device cannot send must not look as if it were sent. */
static void transport_unknown_fails(void)
{
	static const u8 st[] = { ST_MLX, ST_QP0, ST_RAW_ETH, ST_REG_UMR };
	unsigned int i;
	struct tq q;

	start_dc(true);
	for (i = 0; i < ARRAY_SIZE(st); i++) {
		make_qp(&q, st[i]);
		to_rtr(&q, 0);
		to_rts(&q, 0);
		send_op(&q, SEND, 0, 8, lkey, src);
		expect_cqe(&cq, &q, 0xd, 0, QP_OP);
	}
	stop_hca();
}

int main(void)
{
	static const struct hca_test tests[] = {
		TAP(send_received),
		TAP(vector_short_received),
		TAP(rdma_moves_data),
		TAP(right_missing_refused),
		TAP(key_wrong_refused),
		TAP(dct_destroyed_retries),
		TAP(receive_missing_waits),
		TAP(messages_long_not_mixed),
		TAP(sender_lost_receive_reused),
		TAP(transport_unknown_fails),
	};

	return TAP_RUN(tests);
}
