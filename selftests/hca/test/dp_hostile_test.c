// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Guests that lie to the data path, and guests that ask for too much. */
#include "dp_work.h"

enum { ROUNDS = 3000 };

static struct tq a, b;
static u64 buf;

static void start_pair(u8 st)
{
	start();
	make_pair(&a, &b, st);
	buf = alloc(4);
}

/* More than the queue holds. */
static void rings_too_much(void)
{
	start_pair(ST_RC);
	a.pi = 0x8000;
	ring(&a);
	wait_ms(2);
	CHECK(!poll_cq(&cq));
	stop();
}

/* Longer than what was rung. */
static void request_too_long(void)
{
	start_pair(ST_RC);
	put_be32(at(a.buf + RQ_BYTES + 4), a.num << 8 | 0x3f);
	a.pi = 1;
	ring(&a);
	expect_cqe(&cq, &a, 0xd, 0, 2);
	CHECK_EQ(qp_state(&a), QP_ERR);
	stop();
}

static void inline_past_the_end(void)
{
	start_pair(ST_RC);
	post_recv(&b, 4096, lkey, buf);
	wqe_begin(&a, SEND, SIGNALED, 0);
	put_be32(wqe_room(&a, 16), 0x800003ff);
	wqe_end(&a);
	ring(&a);
	expect_cqe(&cq, &a, 0xd, 0, 2);
	stop();
}

static void request_without_its_segments(void)
{
	start_pair(ST_RC);
	wqe_begin(&a, WRITE, SIGNALED, 0);
	wqe_end(&a);
	ring(&a);
	expect_cqe(&cq, &a, 0xd, 0, 2);
	stop();
}

static void receives_that_are_not_there(void)
{
	start_pair(ST_UC);
	put_be32(at(b.dbr), 0x7fff);
	send_op(&a, SEND, 0, 4, lkey, buf);
	expect_cqe(&cq, &a, 0, 0, 0);
	CHECK(!poll_cq(&cq));
	stop();
}

static void doorbell_of_nothing(void)
{
	start_pair(ST_RC);
	doorbell((u64)uar * PAGE + 0x800, 0, 0xabcdefU << 8);
	doorbell((u64)uar * PAGE + 0x20, 0, 0xabcdef);
	CHECK(!poll_cq(&cq));
	stop();
}

/*
 * Two QPs that never run out of long work. Each doorbell does a turn's part,
 * and a third one's message passes between.
 */
static void endless_work_takes_turns(void)
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
	ring(&a);
	/* The ring returned before the work was done: 64 MB take longer. */
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
	stop();
}

static void gone_while_it_works(void)
{
	start_pair(ST_RC);
	rdma_op(&a, WRITE, GUEST + (4 << 20), lkey, 4 << 20, lkey,
		GUEST + (4 << 20));
	CHECK(hca.dp.run);
	move(&a, 0x50a);
	wait_ms(2);
	CHECK(!hca.dp.run);
	rdma_op(&b, WRITE, GUEST + (4 << 20), lkey, 4 << 20, lkey,
		GUEST + (4 << 20));
	move(&b, 0x507);
	hca_reset(&hca);
	wait_ms(20);
	stop();
}

/* Nothing moves then; the guest's memory may be another one's already. */
static void gone_device_does_no_more(void)
{
	start_pair(ST_RC);
	rdma_op(&a, WRITE, GUEST + (4 << 20), lkey, 4 << 20, lkey,
		GUEST + (4 << 20));
	hca.dead = true;
	wait_ms(20);
	CHECK(!poll_cq(&cq));
	CHECK(hca.dp.run);
	stop();
}

static u32 seed = 12345;

static u32 rnd(void)
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
	unsigned int i, n = 1 + rnd() % 12;
	u8 *w;

	wqe_begin(q, ops[rnd() % sizeof(ops)], SIGNALED, lkey);
	for (i = 0; i < n; i++) {
		w = wqe_room(q, 16);
		put_be64(w, GUEST + rnd() % GUEST_SIZE);
		put_be32(w + 8, rnd());
		put_be32(w + 12, rnd());
		if (rnd() % 4)
			put_be32(w + 8, lkey);
		if (rnd() % 2) {
			put_be32(w, rnd() % 3 ? rnd() % 9000 : rnd() << 8);
			put_be32(w + 4, rnd() % 5 ? lkey : rnd());
			put_be64(w + 8, buf + rnd() % 0x5000);
		}
	}
	wqe_end(q);
	ring(q);
}

/*
 * Nothing but that the sanitizers stay silent. Completions and events are not
 * read, queues are started anew when they failed.
 */
static void random_requests(u8 st)
{
	unsigned int i;

	start_pair(st);
	for (i = 0; i < ROUNDS; i++) {
		if (qp_state(&a) != QP_RTS || qp_state(&b) != QP_RTS) {
			move(&a, 0x50a);
			move(&b, 0x50a);
			a.pi = 0;
			b.pi = 0;
			a.rq_pi = 0;
			b.rq_pi = 0;
			put_be32(at(a.dbr), 0);
			put_be32(at(b.dbr), 0);
			connect_qps(&a, &b);
		}
		if (rnd() % 2)
			post_recv(&b, rnd() % 5000, lkey, buf);
		random_request(&a);
		if (rnd() % 16 == 0)
			put_be32(at(cq.dbr), rnd());
		else
			put_be32(at(cq.dbr), hca.dp.cqs ? hca.dp.cqs->pi : 0);
		loop_step(&loop, 0);
	}
	stop();
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
	static const struct tap_test tests[] = {
		TAP(rings_too_much),
		TAP(request_too_long),
		TAP(inline_past_the_end),
		TAP(request_without_its_segments),
		TAP(receives_that_are_not_there),
		TAP(doorbell_of_nothing),
		TAP(endless_work_takes_turns),
		TAP(gone_while_it_works),
		TAP(gone_device_does_no_more),
		TAP(random_requests_rc),
		TAP(random_requests_uc),
		TAP(random_requests_ud),
		TAP(random_requests_xrc),
	};

	return TAP_RUN(tests);
}
