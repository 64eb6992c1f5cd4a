// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Messages between connected QPs that do not arrive, and what follows. */
#include "dp_work.h"

enum {
	REQ_ERR = 0xd, RESP_ERR = 0xe,
	LOCAL_LENGTH = 1, LOCAL_QP_OP = 2, LOCAL_PROT = 4, FLUSHED = 5,
	REMOTE_INVALID = 0x12, REMOTE_ACCESS = 0x13, REMOTE_OP = 0x14,
	RETRIES = 0x15, RNR_RETRIES = 0x16,
};

static struct tq a, b;
static u64 src, dst;

static void start_pair(u8 st)
{
	start();
	make_pair(&a, &b, st);
	src = alloc(4);
	dst = alloc(4);
	put_text(src, "message");
}

static bool untouched(void)
{
	unsigned int i;

	for (i = 0; i < 4 * PAGE; i++)
		if (at(dst)[i])
			return false;
	return true;
}

/* The sender's completion, and that both are in error. */
static void failed(u8 synd)
{
	expect_cqe(&cq, &a, REQ_ERR, 0, synd);
	CHECK(!poll_cq(&cq));
	CHECK_EQ(qp_state(&a), QP_ERR);
	CHECK_EQ(qp_state(&b), QP_ERR);
	stop();
}

static void unknown_lkey(void)
{
	start_pair(ST_RC);
	rdma_op(&a, WRITE, dst, lkey, 8, 0xdead00, src);
	expect_cqe(&cq, &a, REQ_ERR, 0, LOCAL_PROT);
	CHECK_EQ(qp_state(&a), QP_ERR);
	CHECK_EQ(qp_state(&b), QP_RTS);
	stop();
}

static void unknown_rkey(void)
{
	start_pair(ST_RC);
	rdma_op(&a, WRITE, dst, lkey ^ 1, 8, lkey, src);
	expect_event(0x11, b.num);
	failed(REMOTE_ACCESS);
}

/* A key over one page of @dst, with @access. */
static u32 page_key(u8 access)
{
	return make_mkey(access, 0x7000, dst, 1);
}

static void write_past_the_end(void)
{
	u32 key;

	start_pair(ST_RC);
	key = page_key(ANY_ACCESS);
	rdma_op(&a, WRITE, 0x7ffc, key, 8, lkey, src);
	CHECK(untouched());
	failed(REMOTE_ACCESS);
}

static void write_before_the_start(void)
{
	u32 key;

	start_pair(ST_RC);
	key = page_key(ANY_ACCESS);
	rdma_op(&a, WRITE, 0x6fff, key, 8, lkey, src);
	failed(REMOTE_ACCESS);
}

static void write_without_remote_write(void)
{
	u32 key;

	start_pair(ST_RC);
	key = page_key(ANY_ACCESS & ~ACCESS_REMOTE_WRITE);
	rdma_op(&a, WRITE, 0x7000, key, 8, lkey, src);
	CHECK(untouched());
	failed(REMOTE_ACCESS);
}

static void read_without_remote_read(void)
{
	u32 key;

	start_pair(ST_RC);
	key = page_key(ANY_ACCESS & ~ACCESS_REMOTE_READ);
	rdma_op(&a, READ, 0x7000, key, 8, lkey, src);
	failed(REMOTE_ACCESS);
}

static void read_into_read_only(void)
{
	u32 key;

	start_pair(ST_RC);
	key = page_key(ACCESS_LOCAL_READ);
	rdma_op(&a, READ, src, lkey, 8, key, 0x7000);
	expect_cqe(&cq, &a, REQ_ERR, 0, LOCAL_PROT);
	CHECK(untouched());
	stop();
}

static void key_of_another_pd(void)
{
	u32 key, mine = 0;

	start_pair(ST_RC);
	mine = pd;
	pd = simple(0x800);
	key = page_key(ANY_ACCESS);
	pd = mine;
	rdma_op(&a, WRITE, 0x7000, key, 8, lkey, src);
	CHECK(untouched());
	failed(REMOTE_ACCESS);
}

static void key_of_another_qp(void)
{
	u32 key;
	u8 *c;

	start_pair(ST_RC);
	c = fill_mkey(ANY_ACCESS, 0x7000, dst, 1);
	PRM_SET(mkc, c, qpn, a.num);
	key = send_mkey(8);
	rdma_op(&a, WRITE, 0x7000, key, 8, lkey, src);
	failed(REMOTE_ACCESS);
}

/* What the peer's QP itself allows. */
static void qp_without_writes(void)
{
	u8 *c;

	start_pair(ST_RC);
	c = fill_move(&b, BIT(3));
	PRM_SET(qpc, c, rwe, 0);
	CHECK_EQ(cmd(0x505, 272), FW_OK);
	rdma_op(&a, WRITE, dst, lkey, 8, lkey, src);
	expect_event(0x10, b.num);
	failed(REMOTE_INVALID);
}

static void receive_too_short(void)
{
	start_pair(ST_RC);
	post_recv(&b, 7, lkey, dst);
	send_op(&a, SEND, 0, 8, lkey, src);
	expect_cqe(&cq, &b, RESP_ERR, 0, LOCAL_LENGTH);
	CHECK(untouched());
	failed(REMOTE_INVALID);
}

static void receive_with_bad_key(void)
{
	start_pair(ST_RC);
	post_recv(&b, 100, 0xdead00, dst);
	send_op(&a, SEND, 0, 8, lkey, src);
	expect_cqe(&cq, &b, RESP_ERR, 0, LOCAL_PROT);
	failed(REMOTE_OP);
}

static void send_from_the_reserved_key(void)
{
	start_pair(ST_RC);
	post_recv(&b, 100, lkey, dst);
	send_op(&a, SEND, 0, 8, 0x100, src);
	expect_cqe(&cq, &a, REQ_ERR, 0, LOCAL_PROT);
	stop();
}

static void message_too_long(void)
{
	start_pair(ST_RC);
	rdma_op(&a, WRITE, dst, lkey, 0x40000001, lkey, src);
	expect_cqe(&cq, &a, REQ_ERR, 0, LOCAL_LENGTH);
	stop();
}

static void unknown_opcode(void)
{
	start_pair(ST_RC);
	send_op(&a, 0x3f, 0, 8, lkey, src);
	expect_cqe(&cq, &a, REQ_ERR, 0, LOCAL_QP_OP);
	stop();
}

static void atomic_not_aligned(void)
{
	start_pair(ST_RC);
	wqe_begin(&a, ATOMIC_FA, SIGNALED, 0);
	wqe_raddr(&a, dst + 4, lkey);
	wqe_room(&a, 16);
	wqe_data(&a, 8, lkey, src);
	wqe_end(&a);
	ring(&a);
	failed(REMOTE_INVALID);
}

static void no_receive_waits(void)
{
	start_pair(ST_RC);
	send_op(&a, SEND, 0, 8, lkey, src);
	wait_ms(10);
	CHECK(!poll_cq(&cq));
	post_recv(&b, 100, lkey, dst);
	wait_ms(10);
	expect_cqe(&cq, &b, 2, 0, 0);
	expect_cqe(&cq, &a, 0, 0, 0);
	CHECK(!strcmp((char *)at(dst), "message"));
	stop();
}

static void no_receive_gives_up(void)
{
	start();
	src = alloc(1);
	make_qp(&a, ST_RC);
	make_qp(&b, ST_RC);
	to_rtr(&a, b.num);
	to_rtr(&b, a.num);
	to_rts(&a, 2);
	to_rts(&b, 2);
	send_op(&a, SEND, 0, 8, lkey, src);
	wait_ms(10);
	expect_cqe(&cq, &a, REQ_ERR, 0, RNR_RETRIES);
	CHECK_EQ(qp_state(&a), QP_ERR);
	CHECK_EQ(qp_state(&b), QP_RTS);
	stop();
}

static void no_peer_gives_up(void)
{
	start_pair(ST_RC);
	move(&b, 0x50a);
	send_op(&a, SEND, 0, 8, lkey, src);
	CHECK(!poll_cq(&cq));
	wait_ms(10);
	expect_cqe(&cq, &a, REQ_ERR, 0, RETRIES);
	stop();
}

/* Of another type, or connected to somebody else. */
static void peer_that_does_not_fit(void)
{
	struct tq c;

	start();
	src = alloc(1);
	make_qp(&a, ST_RC);
	make_qp(&b, ST_UC);
	make_qp(&c, ST_RC);
	connect_qps(&a, &b);
	to_rtr(&c, b.num);
	to_rts(&c, 7);
	send_op(&a, SEND, 0, 8, lkey, src);
	send_op(&c, SEND, 0, 8, lkey, src);
	wait_ms(10);
	expect_cqe(&cq, &a, REQ_ERR, 0, RETRIES);
	expect_cqe(&cq, &c, REQ_ERR, 0, RETRIES);
	stop();
}

static void unreliable_is_lost(void)
{
	start_pair(ST_UC);
	send_op(&a, SEND, 0, 8, lkey, src);
	rdma_op(&a, WRITE, dst, lkey ^ 1, 8, lkey, src);
	expect_cqe(&cq, &a, 0, 0, 0);
	expect_cqe(&cq, &a, 0, 1, 0);
	CHECK(!poll_cq(&cq));
	CHECK_EQ(qp_state(&b), QP_RTS);
	stop();
}

/* A write that is refused delivers no immediate, either. */
static void unreliable_write_with_immediate_is_lost(void)
{
	start_pair(ST_UC);
	post_recv(&b, 100, lkey, dst);
	rdma_op(&a, WRITE_IMM, dst, lkey ^ 1, 8, lkey, src);
	expect_cqe(&cq, &a, 0, 0, 0);
	CHECK(!poll_cq(&cq));
	stop();
}

static void unreliable_local_error_stops_sending(void)
{
	start_pair(ST_UC);
	rdma_op(&a, WRITE, dst, lkey, 8, lkey ^ 1, src);
	rdma_op(&a, WRITE, dst, lkey, 8, lkey, src);
	wait_ms(2);
	expect_cqe(&cq, &a, REQ_ERR, 0, LOCAL_PROT);
	expect_cqe(&cq, &a, REQ_ERR, 1, FLUSHED);
	CHECK_EQ(qp_state(&a), QP_SQER);
	stop();
}

static void error_flushes_what_is_posted(void)
{
	start_pair(ST_RC);
	post_recv(&a, 100, lkey, dst);
	post_recv(&a, 100, lkey, dst);
	wqe_begin(&a, WRITE, 0, 0);
	wqe_raddr(&a, dst, lkey);
	wqe_data(&a, 8, lkey ^ 1, src);
	wqe_end(&a);
	wqe_begin(&a, WRITE, 0, 0);
	wqe_end(&a);
	ring(&a);
	wait_ms(2);
	expect_cqe(&cq, &a, REQ_ERR, 0, LOCAL_PROT);
	expect_cqe(&cq, &a, REQ_ERR, 1, FLUSHED);
	expect_cqe(&cq, &a, RESP_ERR, 0, FLUSHED);
	expect_cqe(&cq, &a, RESP_ERR, 1, FLUSHED);
	CHECK(!poll_cq(&cq));
	stop();
}

static void command_to_error_flushes(void)
{
	start_pair(ST_RC);
	post_recv(&a, 100, lkey, dst);
	move(&a, 0x507);
	wait_ms(2);
	expect_cqe(&cq, &a, RESP_ERR, 0, FLUSHED);
	/* And what is posted later. */
	post_recv(&a, 100, lkey, dst);
	send_op(&a, SEND, 0, 8, lkey, src);
	expect_cqe(&cq, &a, REQ_ERR, 0, FLUSHED);
	wait_ms(30);
	expect_cqe(&cq, &a, RESP_ERR, 1, FLUSHED);
	stop();
}

static void reset_starts_anew(void)
{
	start_pair(ST_RC);
	rdma_op(&a, WRITE, dst, lkey, 8, lkey ^ 1, src);
	expect_cqe(&cq, &a, REQ_ERR, 0, LOCAL_PROT);
	move(&a, 0x50a);
	a.pi = 0;
	put_be32(at(a.dbr + 4), 0);
	to_rtr(&a, b.num);
	to_rts(&a, 7);
	rdma_op(&a, WRITE, dst, lkey, 8, lkey, src);
	expect_cqe(&cq, &a, 0, 0, 0);
	CHECK(!strcmp((char *)at(dst), "message"));
	stop();
}

int main(void)
{
	static const struct tap_test tests[] = {
		TAP(unknown_lkey),
		TAP(unknown_rkey),
		TAP(write_past_the_end),
		TAP(write_before_the_start),
		TAP(write_without_remote_write),
		TAP(read_without_remote_read),
		TAP(read_into_read_only),
		TAP(key_of_another_pd),
		TAP(key_of_another_qp),
		TAP(qp_without_writes),
		TAP(receive_too_short),
		TAP(receive_with_bad_key),
		TAP(send_from_the_reserved_key),
		TAP(message_too_long),
		TAP(unknown_opcode),
		TAP(atomic_not_aligned),
		TAP(no_receive_waits),
		TAP(no_receive_gives_up),
		TAP(no_peer_gives_up),
		TAP(peer_that_does_not_fit),
		TAP(unreliable_is_lost),
		TAP(unreliable_write_with_immediate_is_lost),
		TAP(unreliable_local_error_stops_sending),
		TAP(error_flushes_what_is_posted),
		TAP(command_to_error_flushes),
		TAP(reset_starts_anew),
	};

	return TAP_RUN(tests);
}
