// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Malformed input to the data path, and excessive work. */
#include "dp_work.h"

enum { ROUNDS = 3000 };

static struct tq a, b;
static u64 buf;

static void start_pair(u8 st)
{
	start_hca();
	make_pair(&a, &b, st);
	buf = alloc_pages(4);
}

/* More than the queue holds. */
static void ring_beyond_queue_ignored(void)
{
	start_pair(ST_RC);
	a.pi = 0x8000;
	ring_sq(&a);
	wait_ms(2);
	CHECK(!poll_cq(&cq));
	stop_hca();
}

/* A request longer than the blocks that were rung. */
static void request_beyond_ring_fails(void)
{
	start_pair(ST_RC);
	put_be32(ram_at(a.buf + RQ_BYTES + 4), a.num << 8 | 0x3f);
	a.pi = 1;
	ring_sq(&a);
	expect_cqe(&cq, &a, 0xd, 0, 2);
	CHECK_EQ(qp_state(&a), QP_ERR);
	stop_hca();
}

static void inline_past_end_fails(void)
{
	start_pair(ST_RC);
	post_recv(&b, 4096, lkey, buf);
	wqe_begin(&a, SEND, SIGNALED, 0);
	put_be32(wqe_room(&a, 16), 0x800003ff);
	wqe_end(&a);
	ring_sq(&a);
	expect_cqe(&cq, &a, 0xd, 0, 2);
	stop_hca();
}

static void request_without_segments_fails(void)
{
	start_pair(ST_RC);
	wqe_begin(&a, WRITE, SIGNALED, 0);
	wqe_end(&a);
	ring_sq(&a);
	expect_cqe(&cq, &a, 0xd, 0, 2);
	stop_hca();
}

static void receive_index_wrong_ignored(void)
{
	start_pair(ST_UC);
	put_be32(ram_at(b.dbr), 0x7fff);
	send_op(&a, SEND, 0, 4, lkey, buf);
	expect_cqe(&cq, &a, 0, 0, 0);
	CHECK(!poll_cq(&cq));
	stop_hca();
}

static void doorbell_unknown_queue_ignored(void)
{
	start_pair(ST_RC);
	write_doorbell((u64)uar * PAGE + 0x800, 0, 0xabcdefU << 8);
	write_doorbell((u64)uar * PAGE + 0x20, 0, 0xabcdef);
	CHECK(!poll_cq(&cq));
	stop_hca();
}

/*
 * Two QPs have endless long work. Each doorbell runs a round, and a third QP's
 * message passes in between.
 */
static void work_endless_shares_rounds(void)
{
	u64 begin, n = 0;
	struct tq c, d;
	u32 i;

	start_pair(ST_RC);
	make_pair(&c, &d, ST_RC);
	for (i = 0; i < 1 << LOG_SQ; i++) {
		wqe_begin(&a, WRITE, 0, 0);
		wqe_raddr(&a, GUEST + (4 << 20), lkey);
		wqe_data(&a, 4 << 20, lkey, GUEST + (4 << 20));
		wqe_end(&a);
	}
	begin = now_us();
	ring_sq(&a);
	/*
	 * The doorbell returned before the work was done: 64 MB take longer
	 * than a round.
	 */
	CHECK(hca.dp.run);
	while (hca.dp.run && now_us() - begin < 5000000) {
		loop_step(&loop, 0);
		if (++n == 3) {
			post_recv(&d, 4, lkey, buf);
			send_op(&c, SEND, 0, 4, lkey, buf);
		}
		if (n == 8) {
			expect_cqe(&cq, &d, 2, 0, 0);
			expect_cqe(&cq, &c, 0, 0, 0);
		}
	}
	CHECK(!hca.dp.run);
	CHECK(n > 8);
	stop_hca();
}

static void destroy_while_working(void)
{
	start_pair(ST_RC);
	rdma_op(&a, WRITE, GUEST + (4 << 20), lkey, 4 << 20, lkey,
		GUEST + (4 << 20));
	CHECK(hca.dp.run);
	move_qp(&a, MLX5_CMD_OP_2RST_QP);
	wait_ms(2);
	CHECK(!hca.dp.run);
	rdma_op(&b, WRITE, GUEST + (4 << 20), lkey, 4 << 20, lkey,
		GUEST + (4 << 20));
	move_qp(&b, MLX5_CMD_OP_2ERR_QP);
	hca_reset(&hca);
	wait_ms(20);
	stop_hca();
}

/*
 * A removed device executes nothing: its guest's memory may be in use by
 * another.
 */
static void device_removed_stops(void)
{
	start_pair(ST_RC);
	rdma_op(&a, WRITE, GUEST + (4 << 20), lkey, 4 << 20, lkey,
		GUEST + (4 << 20));
	hca.dead = true;
	wait_ms(20);
	CHECK(!poll_cq(&cq));
	CHECK(hca.dp.run);
	stop_hca();
}

static u32 seed = 12345;

static u32 next_random(void)
{
	seed = seed * 1664525 + 1013904223;
	return seed >> 8;
}

static void random_request(struct tq *q)
{
	static const u8 ops[] = {
		NOP, SEND_INVAL, WRITE, WRITE_IMM, SEND, SEND_IMM, READ,
		ATOMIC_CS, ATOMIC_FA, LOCAL_INVAL, UMR,
	};
	unsigned int i, n = 1 + next_random() % 12;
	u8 *w;

	wqe_begin(q, ops[next_random() % sizeof(ops)], SIGNALED, lkey);
	for (i = 0; i < n; i++) {
		w = wqe_room(q, 16);
		put_be64(w, GUEST + next_random() % GUEST_SIZE);
		put_be32(w + 8, next_random());
		put_be32(w + 12, next_random());
		if (next_random() % 4)
			put_be32(w + 8, lkey);
		if (next_random() % 2) {
			put_be32(w, next_random() % 3 ? next_random() % 9000 :
				 next_random() << 8);
			put_be32(w + 4,
				 next_random() % 5 ? lkey : next_random());
			put_be64(w + 8, buf + next_random() % 0x5000);
		}
	}
	wqe_end(q);
	ring_sq(q);
}

/*
 * The sanitizers must stay silent. Completions and events are not read, and
 * queues that failed are restarted.
 */
static void random_requests(u8 st)
{
	unsigned int i;

	start_pair(st);
	for (i = 0; i < ROUNDS; i++) {
		if (qp_state(&a) != QP_RTS || qp_state(&b) != QP_RTS) {
			move_qp(&a, MLX5_CMD_OP_2RST_QP);
			move_qp(&b, MLX5_CMD_OP_2RST_QP);
			a.pi = 0;
			b.pi = 0;
			a.rq_pi = 0;
			b.rq_pi = 0;
			put_be32(ram_at(a.dbr), 0);
			put_be32(ram_at(b.dbr), 0);
			connect_qps(&a, &b);
		}
		if (next_random() % 2)
			post_recv(&b, next_random() % 5000, lkey, buf);
		random_request(&a);
		if (next_random() % 16 == 0)
			put_be32(ram_at(cq.dbr), next_random());
		else
			put_be32(ram_at(cq.dbr),
				 hca.dp.cqs ? hca.dp.cqs->pi : 0);
		loop_step(&loop, 0);
	}
	stop_hca();
}

static void random_requests_rc(void)
{
	random_requests(ST_RC);
}

static void random_requests_uc(void)
{
	random_requests(ST_UC);
}

static void random_requests_ud(void)
{
	random_requests(ST_UD);
}

static void random_requests_xrc(void)
{
	random_requests(ST_XRC);
}

int main(void)
{
	static const struct hca_test tests[] = {
		TAP(ring_beyond_queue_ignored),
		TAP(request_beyond_ring_fails),
		TAP(inline_past_end_fails),
		TAP(request_without_segments_fails),
		TAP(receive_index_wrong_ignored),
		TAP(doorbell_unknown_queue_ignored),
		TAP(work_endless_shares_rounds),
		TAP(destroy_while_working),
		TAP(device_removed_stops),
		TAP(random_requests_rc),
		TAP(random_requests_uc),
		TAP(random_requests_ud),
		TAP(random_requests_xrc),
	};

	return TAP_RUN(tests);
}
