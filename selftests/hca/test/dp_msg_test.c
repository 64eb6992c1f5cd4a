// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Messages between connected QPs that succeed. */
#include "dp_work.h"

static struct tq a, b;
static u64 src, dst;

static void start_pair(u8 st)
{
	unsigned int i;

	start_hca();
	make_pair(&a, &b, st);
	src = alloc_pages(4);
	dst = alloc_pages(4);
	for (i = 0; i < 4 * PAGE; i++)
		ram_at(src)[i] = (u8)(i * 7 + i / 256);
}

static bool text_arrived(u64 to, u64 from, size_t n)
{
	return !memcmp(ram_at(to), ram_at(from), n) && (ram_at(to)[n] == 0);
}

static void one_send(u8 st)
{
	const u8 *cqe;

	start_pair(st);
	post_recv(&b, 1000, lkey, dst);
	send_op(&a, SEND, 0, 777, lkey, src);
	cqe = expect_cqe(&cq, &b, 2, 0, 0);
	CHECK_EQ(get_be32(cqe + 0x2c), 777);
	CHECK_EQ(get_be32(cqe + 0x18) & 0xffffff, a.num);
	cqe = expect_cqe(&cq, &a, 0, 0, 0);
	CHECK_EQ(cqe[0x38], SEND);
	CHECK(!poll_cq(&cq));
	CHECK(text_arrived(dst, src, 777));
	stop_hca();
}

static void send_rc_arrives(void)
{
	one_send(ST_RC);
}

static void send_uc_arrives(void)
{
	one_send(ST_UC);
}

static void send_imm_arrives(void)
{
	const u8 *cqe;

	start_pair(ST_RC);
	post_recv(&b, 100, lkey, dst);
	send_op(&a, SEND_IMM, 0xcafe, 5, lkey, src);
	cqe = expect_cqe(&cq, &b, 3, 0, 0);
	CHECK_EQ(get_be32(cqe + 0x24), 0xcafe);
	CHECK_EQ(get_be32(cqe + 0x2c), 5);
	stop_hca();
}

static void send_empty_arrives(void)
{
	start_pair(ST_RC);
	post_recv(&b, 100, lkey, dst);
	wqe_begin(&a, SEND, SIGNALED, 0);
	wqe_end(&a);
	ring_sq(&a);
	CHECK_EQ(get_be32(expect_cqe(&cq, &b, 2, 0, 0) + 0x2c), 0);
	expect_cqe(&cq, &a, 0, 0, 0);
	stop_hca();
}

static void unsignaled_no_completion(void)
{
	start_pair(ST_RC);
	post_recv(&b, 100, lkey, dst);
	wqe_begin(&a, SEND, 0, 0);
	wqe_data(&a, 5, lkey, src);
	wqe_end(&a);
	ring_sq(&a);
	expect_cqe(&cq, &b, 2, 0, 0);
	CHECK(!poll_cq(&cq));
	CHECK(text_arrived(dst, src, 5));
	stop_hca();
}

static void write_needs_no_receive(void)
{
	start_pair(ST_RC);
	rdma_op(&a, WRITE, dst + 3, lkey, 5000, lkey, src);
	CHECK_EQ(expect_cqe(&cq, &a, 0, 0, 0)[0x38], WRITE);
	CHECK(!poll_cq(&cq));
	CHECK(text_arrived(dst + 3, src, 5000));
	stop_hca();
}

static void write_imm_takes_receive(void)
{
	const u8 *cqe;

	start_pair(ST_UC);
	post_recv(&b, 0x1000, lkey, src);
	rdma_op(&a, WRITE_IMM, dst, lkey, 64, lkey, src);
	cqe = expect_cqe(&cq, &b, 1, 0, 0);
	CHECK_EQ(get_be32(cqe + 0x24), 0x1234);
	CHECK_EQ(get_be32(cqe + 0x2c), 64);
	CHECK(text_arrived(dst, src, 64));
	stop_hca();
}

static void read_returns_data(void)
{
	const u8 *cqe;

	start_pair(ST_RC);
	rdma_op(&a, READ, src + 1, lkey, 9000, lkey, dst);
	cqe = expect_cqe(&cq, &a, 0, 0, 0);
	CHECK_EQ(cqe[0x38], READ);
	CHECK_EQ(get_be32(cqe + 0x2c), 9000);
	CHECK(text_arrived(dst, src + 1, 9000));
	stop_hca();
}

static void send_inline_arrives(void)
{
	start_pair(ST_RC);
	post_recv(&b, 1000, lkey, dst);
	wqe_begin(&a, SEND, SIGNALED, 0);
	wqe_inline(&a, ram_at(src), 75);
	wqe_end(&a);
	ring_sq(&a);
	CHECK_EQ(get_be32(expect_cqe(&cq, &b, 2, 0, 0) + 0x2c), 75);
	CHECK(text_arrived(dst, src, 75));
	stop_hca();
}

static void segments_gathered_scattered(void)
{
	u8 *w;

	start_pair(ST_RC);
	post_recv(&b, 10, lkey, dst);
	w = ram_at(b.buf);
	put_be32(w + 16, 1000);
	put_be32(w + 20, lkey);
	put_be64(w + 24, dst + PAGE);
	put_be32(w + 36, 0x100);
	wqe_begin(&a, SEND, SIGNALED, 0);
	wqe_data(&a, 7, lkey, src);
	wqe_data(&a, 30, lkey, src + 7);
	wqe_inline(&a, ram_at(src + 37), 5);
	wqe_end(&a);
	ring_sq(&a);
	CHECK_EQ(get_be32(expect_cqe(&cq, &b, 2, 0, 0) + 0x2c), 42);
	CHECK(text_arrived(dst, src, 10));
	CHECK(text_arrived(dst + PAGE, src + 10, 32));
	stop_hca();
}

static void queues_wrap_around(void)
{
	unsigned int i;

	start_pair(ST_RC);
	for (i = 0; i < 100; i++) {
		post_recv(&b, 100, lkey, dst);
		wqe_begin(&a, SEND, SIGNALED, 0);
		wqe_inline(&a, ram_at(src + i), 90);
		wqe_end(&a);
		ring_sq(&a);
		expect_cqe(&cq, &b, 2, (u16)i, 0);
		expect_cqe(&cq, &a, 0, (u16)(i * 2), 0);
		CHECK(text_arrived(dst, src + i, 90));
	}
	stop_hca();
}

/* The first block of the request is the last of the queue. */
static void request_wraps_queue_end(void)
{
	unsigned int i;

	start_pair(ST_RC);
	for (i = 0; i < (1 << LOG_SQ) - 1; i++) {
		wqe_begin(&a, NOP, 0, 0);
		wqe_end(&a);
	}
	ring_sq(&a);
	post_recv(&b, 400, lkey, dst);
	wqe_begin(&a, SEND, SIGNALED, 0);
	wqe_inline(&a, ram_at(src), 200);
	wqe_end(&a);
	ring_sq(&a);
	expect_cqe(&cq, &b, 2, 0, 0);
	expect_cqe(&cq, &a, 0, (1 << LOG_SQ) - 1, 0);
	CHECK(text_arrived(dst, src, 200));
	stop_hca();
}

/* A message that takes more than one round, while other queues proceed. */
static void message_long_shares_rounds(void)
{
	u64 big, to;
	u32 i, n = 2500000;
	struct tq c, d;

	start_pair(ST_RC);
	make_pair(&c, &d, ST_RC);
	big = alloc_pages(612);
	to = alloc_pages(612);
	for (i = 0; i < n; i++)
		ram_at(big)[i] = (u8)(i * 31 + i / 999);
	post_recv(&b, n, lkey, to);
	post_recv(&d, 10, lkey, dst);
	send_op(&a, SEND, 0, n, lkey, big);
	CHECK(!poll_cq(&cq));
	send_op(&c, SEND, 0, 10, lkey, src);
	wait_ms(1);
	expect_cqe(&cq, &d, 2, 0, 0);
	expect_cqe(&cq, &c, 0, 0, 0);
	wait_ms(20);
	CHECK_EQ(get_be32(expect_cqe(&cq, &b, 2, 0, 0) + 0x2c), n);
	expect_cqe(&cq, &a, 0, 0, 0);
	CHECK(text_arrived(to, big, n));
	stop_hca();
}

static void atomic_fetch_add(void)
{
	static const u8 was[8] = { 0xff, 1 };
	static const u8 is[8] = { 1, 2 };

	start_pair(ST_RC);
	memcpy(ram_at(src), was, 8);
	wqe_begin(&a, ATOMIC_FA, SIGNALED, 0);
	wqe_raddr(&a, src, lkey);
	put_be64(wqe_room(&a, 16), 2);
	wqe_data(&a, 8, lkey, dst);
	wqe_end(&a);
	ring_sq(&a);
	expect_cqe(&cq, &a, 0, 0, 0);
	CHECK(!memcmp(ram_at(src), is, 8));
	CHECK(!memcmp(ram_at(dst), was, 8));
	stop_hca();
}

static void swap_at(u64 compare, u64 swap)
{
	u8 *w;

	wqe_begin(&a, ATOMIC_CS, SIGNALED, 0);
	wqe_raddr(&a, src, lkey);
	w = wqe_room(&a, 16);
	put_be64(w, swap);
	put_be64(w + 8, compare);
	wqe_data(&a, 8, lkey, dst);
	wqe_end(&a);
	ring_sq(&a);
}

static void atomic_compare_swap(void)
{
	start_pair(ST_RC);
	memset(ram_at(src), 0, 8);
	ram_at(src)[0] = 5;
	swap_at(6, 7);
	CHECK_EQ(ram_at(src)[0], 5);
	CHECK_EQ(ram_at(dst)[0], 5);
	swap_at(5, 9);
	CHECK_EQ(ram_at(src)[0], 9);
	CHECK_EQ(ram_at(dst)[0], 5);
	expect_cqe(&cq, &a, 0, 0, 0);
	expect_cqe(&cq, &a, 0, 1, 0);
	stop_hca();
}

/* A QP may be its own peer. */
static void send_to_itself_arrives(void)
{
	start_hca();
	src = alloc_pages(1);
	dst = alloc_pages(1);
	put_text(src, "self");
	make_qp(&a, ST_RC);
	to_rtr(&a, a.num);
	to_rts(&a, 7);
	post_recv(&a, 100, lkey, dst);
	send_op(&a, SEND, 0, 5, lkey, src);
	expect_cqe(&cq, &a, 2, 0, 0);
	expect_cqe(&cq, &a, 0, 0, 0);
	CHECK(text_arrived(dst, src, 5));
	stop_hca();
}

/* A queue and its doorbell record, both in one umem. */
static void queue_in_umem_works(void)
{
	u32 umem;
	u8 *c;

	start_hca();
	src = alloc_pages(1);
	dst = alloc_pages(1);
	put_text(src, "umem");
	make_qp(&b, ST_RC);
	c = fill_qp(&a, ST_RC);
	a.buf = alloc_pages(3);
	a.dbr = a.buf + 2 * PAGE + 64;
	umem = make_umem(a.buf, 3);
	a.buf += 256;
	c = fill_qp(&(struct tq){ }, ST_RC);
	PRM_SET(qpc, c, user_index, a.user_index);
	PRM_SET(create_qp_in, in, wq_umem_valid, 1);
	prm_set(in, PRM_CREATE_QP_UMEM_ID, 32, umem);
	prm_set(in, PRM_CREATE_QP_UMEM_OFFSET, 64, 256);
	PRM_SET(qpc, c, dbr_umem_valid, 1);
	prm_set(c, PRM_QPC_DBR_UMEM_ID, 32, umem);
	PRM_SET(qpc, c, dbr_addr, 2 * PAGE + 64);
	send_qp(&a);
	connect_qps(&a, &b);
	post_recv(&a, 100, lkey, dst);
	post_recv(&b, 100, lkey, dst + 512);
	send_op(&a, SEND, 0, 5, lkey, src);
	send_op(&b, SEND, 0, 5, lkey, src);
	expect_cqe(&cq, &b, 2, 0, 0);
	expect_cqe(&cq, &a, 0, 0, 0);
	expect_cqe(&cq, &a, 2, 0, 0);
	expect_cqe(&cq, &b, 0, 0, 0);
	CHECK(text_arrived(dst, src, 5));
	CHECK(text_arrived(dst + 512, src, 5));
	stop_hca();
}

static void first_message_raises_event(void)
{
	start_hca();
	src = alloc_pages(1);
	make_qp(&a, ST_RC);
	make_qp(&b, ST_RC);
	to_rtr(&a, b.num);
	to_rts(&a, 7);
	to_rtr(&b, a.num);
	post_recv(&b, 100, lkey, src);
	post_recv(&b, 100, lkey, src);
	send_op(&a, SEND, 0, 5, lkey, src);
	send_op(&a, SEND, 0, 5, lkey, src);
	expect_event(0x02, b.num);
	CHECK(!poll_eq());
	stop_hca();
}

int main(void)
{
	static const struct hca_test tests[] = {
		TAP(send_rc_arrives),
		TAP(send_uc_arrives),
		TAP(send_imm_arrives),
		TAP(send_empty_arrives),
		TAP(unsignaled_no_completion),
		TAP(write_needs_no_receive),
		TAP(write_imm_takes_receive),
		TAP(read_returns_data),
		TAP(send_inline_arrives),
		TAP(segments_gathered_scattered),
		TAP(queues_wrap_around),
		TAP(request_wraps_queue_end),
		TAP(message_long_shares_rounds),
		TAP(atomic_fetch_add),
		TAP(atomic_compare_swap),
		TAP(send_to_itself_arrives),
		TAP(queue_in_umem_works),
		TAP(first_message_raises_event),
	};

	return TAP_RUN(tests);
}
