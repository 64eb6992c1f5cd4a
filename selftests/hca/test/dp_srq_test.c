// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Shared receive queues. */
#include "dp_work.h"

enum { LOG_SIZE = 2, SIZE = 1 << LOG_SIZE, STRIDE = 64 };

struct tsrq {
	u32 num;
	u64 buf;
	u64 dbr;
	u16 count;
};

static struct tsrq srq;
static struct tq a, b, c, d;
static u64 src, dst;

static void alloc_queue(void)
{
	srq = (struct tsrq){ .buf = alloc_pages(1), .dbr = alloc_pages(1) };
	src = alloc_pages(1);
	dst = alloc_pages(1);
	put_text(src, "shared");
}

static void make_rmp(bool linked)
{
	u8 *ctx = in + PRM_BYTE(create_rmp_in, ctx);
	u8 *wq = PRM_PTR(rmpc, ctx, wq);

	alloc_queue();
	clear_in();
	PRM_SET(rmpc, ctx, state, 1);
	PRM_SET(wq, wq, wq_type, linked ? 0 : 1);
	PRM_SET(wq, wq, pd, pd);
	PRM_SET(wq, wq, log_wq_stride, 6);
	PRM_SET(wq, wq, log_wq_sz, LOG_SIZE);
	PRM_SET(wq, wq, dbr_addr, srq.dbr);
	prm_set(in, 0x110 * 8, 64, srq.buf);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_CREATE_RMP, 0x118), FW_OK);
	srq.num = PRM_GET(create_rmp_out, out, rmpn);
}

static void make_basic(void)
{
	u8 *ctx = in + PRM_BYTE(create_srq_in, srq_context_entry);

	alloc_queue();
	clear_in();
	PRM_SET(srqc, ctx, pd, pd);
	PRM_SET(srqc, ctx, log_srq_size, LOG_SIZE);
	PRM_SET(srqc, ctx, log_rq_stride, 2);
	PRM_SET(srqc, ctx, dbr_addr, srq.dbr);
	prm_set(in, 0x110 * 8, 64, srq.buf);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_CREATE_SRQ, 0x118), FW_OK);
	srq.num = PRM_GET(create_srq_out, out, srqn);
}

/* The receive in slot @i, which links to @next, at @dst + 256 * @i. */
static void post_entry(unsigned int i, unsigned int next)
{
	u8 *w = ram_at(srq.buf + i * STRIDE);

	put_be16(w + 2, (u16)next);
	put_be32(w + 16, 200);
	put_be32(w + 20, lkey);
	put_be64(w + 24, dst + 256 * i);
	put_be32(w + 36, 0x100);
	put_be32(ram_at(srq.dbr), ++srq.count);
}

static void connect_pairs(u8 st)
{
	make_qp(&a, st);
	make_srq_qp(&b, st, srq.num);
	make_qp(&c, st);
	make_srq_qp(&d, st, srq.num);
	connect_qps(&a, &b);
	connect_qps(&c, &d);
}

static void send_one(struct tq *from, const struct tq *to, u16 n, u16 slot)
{
	send_op(from, SEND, 0, 7, lkey, src);
	expect_cqe(&cq, to, 2, slot, 0);
	expect_cqe(&cq, from, 0, n, 0);
	CHECK(!strcmp((char *)ram_at(dst + 256 * slot), "shared"));
}

/* Receives in the order of their links, by two QPs, in two laps. */
static void follow_links(void)
{
	unsigned int i;

	post_entry(0, 2);
	post_entry(2, 1);
	post_entry(1, 3);
	send_one(&a, &b, 0, 0);
	send_one(&c, &d, 0, 2);
	send_one(&c, &d, 1, 1);
	for (i = 0; i < 6; i++) {
		unsigned int slot = i % 2 ? 0 : 3;

		post_entry(slot, 3 - slot);
		send_one(&a, &b, (u16)(i + 1), (u16)slot);
	}
	stop_hca();
}

static void rmp_linked_order(void)
{
	start_hca();
	make_rmp(true);
	connect_pairs(ST_RC);
	follow_links();
}

static void srq_linked_order(void)
{
	start_hca();
	make_basic();
	connect_pairs(ST_RC);
	follow_links();
}

static void rmp_cyclic_order(void)
{
	unsigned int i;

	start_hca();
	make_rmp(false);
	connect_pairs(ST_UC);
	for (i = 0; i < 2 * SIZE; i++) {
		post_entry(i % SIZE, 3);
		send_one(&a, &b, (u16)i, (u16)(i % SIZE));
	}
	stop_hca();
}

static void srq_empty_waits(void)
{
	start_hca();
	make_rmp(true);
	connect_pairs(ST_RC);
	send_op(&a, SEND, 0, 7, lkey, src);
	CHECK(!poll_cq(&cq));
	post_entry(0, 1);
	wait_ms(5);
	expect_cqe(&cq, &b, 2, 0, 0);
	stop_hca();
}

static void limit_raises_one_event(void)
{
	u8 *ctx;

	start_hca();
	make_rmp(true);
	connect_pairs(ST_RC);
	clear_in();
	ctx = in + PRM_BYTE(modify_rmp_in, ctx);
	PRM_SET(modify_rmp_in, in, rmp_state, 1);
	PRM_SET(modify_rmp_in, in, rmpn, srq.num);
	PRM_SET(modify_rmp_in, in, bitmask.lwm, 1);
	PRM_SET(rmpc, ctx, state, 1);
	PRM_SET(rmpc, ctx, wq.lwm, 2);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_MODIFY_RMP, 272), FW_OK);
	post_entry(0, 1);
	post_entry(1, 2);
	post_entry(2, 3);
	send_one(&a, &b, 0, 0);
	CHECK(!poll_eq());
	send_one(&a, &b, 1, 1);
	expect_event(0x14, srq.num);
	send_one(&a, &b, 2, 2);
	CHECK(!poll_eq());
	stop_hca();
}

static void error_raises_last_wqe(void)
{
	start_hca();
	make_rmp(true);
	connect_pairs(ST_RC);
	move_qp(&b, MLX5_CMD_OP_2ERR_QP);
	expect_event(0x13, b.num);
	CHECK(!poll_eq());
	/* The other QP takes the receives now. */
	post_entry(0, 1);
	wait_ms(15);
	CHECK(!poll_cq(&cq));
	send_one(&c, &d, 0, 0);
	stop_hca();
}

static void rmp_error_stops_receiving(void)
{
	u8 *ctx;

	start_hca();
	make_rmp(true);
	connect_pairs(ST_UC);
	clear_in();
	ctx = in + PRM_BYTE(modify_rmp_in, ctx);
	PRM_SET(modify_rmp_in, in, rmp_state, 1);
	PRM_SET(modify_rmp_in, in, rmpn, srq.num);
	PRM_SET(rmpc, ctx, state, 3);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_MODIFY_RMP, 272), FW_OK);
	post_entry(0, 1);
	send_op(&a, SEND, 0, 7, lkey, src);
	expect_cqe(&cq, &a, 0, 0, 0);
	CHECK(!poll_cq(&cq));
	stop_hca();
}

static void make_xrc_srq(u32 domain, u32 cqn)
{
	u8 *ctx = in + PRM_BYTE(create_xrc_srq_in, xrc_srq_context_entry);

	clear_in();
	PRM_SET(xrc_srqc, ctx, pd, pd);
	PRM_SET(xrc_srqc, ctx, xrcd, domain);
	PRM_SET(xrc_srqc, ctx, cqn, cqn);
	PRM_SET(xrc_srqc, ctx, user_index, 0x777);
	PRM_SET(xrc_srqc, ctx, log_xrc_srq_size, LOG_SIZE);
	PRM_SET(xrc_srqc, ctx, log_rq_stride, 2);
	PRM_SET(xrc_srqc, ctx, db_record_addr_l, srq.dbr >> 2);
	prm_set(in, 0x110 * 8, 64, srq.buf);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_CREATE_XRC_SRQ, 0x118), FW_OK);
	srq.num = PRM_GET(create_xrc_srq_out, out, xrc_srqn);
}

/* Its receives complete to its own CQ, with its own user index. */
static void send_xrc(bool same_domain)
{
	u32 other;
	struct tcq theirs;
	const u8 *cqe;

	start_hca();
	alloc_queue();
	other = simple_cmd(MLX5_CMD_OP_ALLOC_XRCD);
	make_cq(&theirs, 4, 64);
	make_xrc_srq(same_domain ? xrcd : other, theirs.num);
	make_pair(&a, &b, ST_XRC);
	post_entry(0, 1);
	wqe_begin(&a, SEND, SIGNALED, 0);
	put_be32(wqe_room(&a, 16), srq.num);
	wqe_data(&a, 7, lkey, src);
	wqe_end(&a);
	ring_sq(&a);
	if (same_domain) {
		cqe = poll_cq(&theirs);
		CHECK(cqe);
		if (cqe)
			CHECK_EQ(get_be32(cqe + 0x20), 0x777);
		expect_cqe(&cq, &a, 0, 0, 0);
		CHECK(!strcmp((char *)ram_at(dst), "shared"));
	} else {
		CHECK(!poll_cq(&theirs));
		expect_cqe(&cq, &a, 0xd, 0, 0x12);
	}
	stop_hca();
}

static void xrc_srq_receives(void)
{
	send_xrc(true);
}

static void xrc_srq_foreign_refused(void)
{
	send_xrc(false);
}

static void xrc_write(u32 key)
{
	wqe_begin(&a, WRITE, SIGNALED, 0);
	put_be32(wqe_room(&a, 16), srq.num);
	wqe_raddr(&a, dst, key);
	wqe_data(&a, 7, lkey, src);
	wqe_end(&a);
	ring_sq(&a);
}

/* The QPs are the kernel's, the SRQ and the memory are a process's. */
static void xrc_memory_in_pd_of_srq(void)
{
	u32 key, qps_pd;

	start_hca();
	alloc_queue();
	qps_pd = pd;
	pd = simple_cmd(MLX5_CMD_OP_ALLOC_PD);
	make_xrc_srq(xrcd, cq.num);
	key = make_mkey(ANY_ACCESS, dst, dst, 1);
	pd = qps_pd;
	make_pair(&a, &b, ST_XRC);
	xrc_write(key);
	expect_cqe(&cq, &a, 0, 0, 0);
	CHECK(!strcmp((char *)ram_at(dst), "shared"));
	xrc_write(make_mkey(ANY_ACCESS, dst, dst, 1));
	expect_cqe(&cq, &a, 0xd, 1, 0x13);
	stop_hca();
}

int main(void)
{
	static const struct hca_test tests[] = {
		TAP(rmp_linked_order),		TAP(srq_linked_order),
		TAP(rmp_cyclic_order),		TAP(srq_empty_waits),
		TAP(limit_raises_one_event),	TAP(error_raises_last_wqe),
		TAP(rmp_error_stops_receiving), TAP(xrc_srq_receives),
		TAP(xrc_srq_foreign_refused),	TAP(xrc_memory_in_pd_of_srq),
	};

	return TAP_RUN(tests);
}
