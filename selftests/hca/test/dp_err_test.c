// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Messages between connected QPs that fail, and the consequences. */
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
	start_hca();
	make_pair(&a, &b, st);
	src = alloc_pages(4);
	dst = alloc_pages(4);
	put_text(src, "message");
}

static bool memory_untouched(void)
{
	unsigned int i;

	for (i = 0; i < 4 * PAGE; i++)
		if (ram_at(dst)[i])
			return false;
	return true;
}

/* Expect the sender's error completion, and both QPs in error. */
static void expect_failed(u8 synd)
{
	expect_cqe(&cq, &a, REQ_ERR, 0, synd);
	CHECK(!poll_cq(&cq));
	CHECK_EQ(qp_state(&a), QP_ERR);
	CHECK_EQ(qp_state(&b), QP_ERR);
	stop_hca();
}

static void lkey_unknown_local_prot(void)
{
	start_pair(ST_RC);
	rdma_op(&a, WRITE, dst, lkey, 8, 0xdead00, src);
	expect_cqe(&cq, &a, REQ_ERR, 0, LOCAL_PROT);
	CHECK_EQ(qp_state(&a), QP_ERR);
	CHECK_EQ(qp_state(&b), QP_RTS);
	stop_hca();
}

static void rkey_unknown_remote_access(void)
{
	start_pair(ST_RC);
	rdma_op(&a, WRITE, dst, lkey ^ 1, 8, lkey, src);
	expect_event(0x11, b.num);
	expect_failed(REMOTE_ACCESS);
}

/* An mkey over one page of @dst, with @access. */
static u32 page_key(u8 access)
{
	return make_mkey(access, 0x7000, dst, 1);
}

static void write_past_end_refused(void)
{
	u32 key;

	start_pair(ST_RC);
	key = page_key(ANY_ACCESS);
	rdma_op(&a, WRITE, 0x7ffc, key, 8, lkey, src);
	CHECK(memory_untouched());
	expect_failed(REMOTE_ACCESS);
}

static void write_before_start_refused(void)
{
	u32 key;

	start_pair(ST_RC);
	key = page_key(ANY_ACCESS);
	rdma_op(&a, WRITE, 0x6fff, key, 8, lkey, src);
	expect_failed(REMOTE_ACCESS);
}

static void write_without_right_refused(void)
{
	u32 key;

	start_pair(ST_RC);
	key = page_key(ANY_ACCESS & ~ACCESS_REMOTE_WRITE);
	rdma_op(&a, WRITE, 0x7000, key, 8, lkey, src);
	CHECK(memory_untouched());
	expect_failed(REMOTE_ACCESS);
}

static void read_without_right_refused(void)
{
	u32 key;

	start_pair(ST_RC);
	key = page_key(ANY_ACCESS & ~ACCESS_REMOTE_READ);
	rdma_op(&a, READ, 0x7000, key, 8, lkey, src);
	expect_failed(REMOTE_ACCESS);
}

static void read_into_readonly_refused(void)
{
	u32 key;

	start_pair(ST_RC);
	key = page_key(ACCESS_LOCAL_READ);
	rdma_op(&a, READ, src, lkey, 8, key, 0x7000);
	expect_cqe(&cq, &a, REQ_ERR, 0, LOCAL_PROT);
	CHECK(memory_untouched());
	stop_hca();
}

static void key_foreign_pd_refused(void)
{
	u32 key, mine = 0;

	start_pair(ST_RC);
	mine = pd;
	pd = simple_cmd(MLX5_CMD_OP_ALLOC_PD);
	key = page_key(ANY_ACCESS);
	pd = mine;
	rdma_op(&a, WRITE, 0x7000, key, 8, lkey, src);
	CHECK(memory_untouched());
	expect_failed(REMOTE_ACCESS);
}

static void key_foreign_qp_refused(void)
{
	u32 key;
	u8 *c;

	start_pair(ST_RC);
	c = fill_mkey(ANY_ACCESS, 0x7000, dst, 1);
	PRM_SET(mkc, c, qpn, a.num);
	key = send_mkey(8);
	rdma_op(&a, WRITE, 0x7000, key, 8, lkey, src);
	expect_failed(REMOTE_ACCESS);
}

/* Rights of the peer's QP. */
static void qp_without_rwe_refuses(void)
{
	u8 *c;

	start_pair(ST_RC);
	c = fill_move(&b, BIT(3));
	PRM_SET(qpc, c, rwe, 0);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_RTS2RTS_QP, 272), FW_OK);
	rdma_op(&a, WRITE, dst, lkey, 8, lkey, src);
	expect_event(0x10, b.num);
	expect_failed(REMOTE_INVALID);
}

static void receive_short_fails_both(void)
{
	start_pair(ST_RC);
	post_recv(&b, 7, lkey, dst);
	send_op(&a, SEND, 0, 8, lkey, src);
	expect_cqe(&cq, &b, RESP_ERR, 0, LOCAL_LENGTH);
	CHECK(memory_untouched());
	expect_failed(REMOTE_INVALID);
}

static void receive_bad_key_fails(void)
{
	start_pair(ST_RC);
	post_recv(&b, 100, 0xdead00, dst);
	send_op(&a, SEND, 0, 8, lkey, src);
	expect_cqe(&cq, &b, RESP_ERR, 0, LOCAL_PROT);
	expect_failed(REMOTE_OP);
}

static void send_reserved_key_refused(void)
{
	start_pair(ST_RC);
	post_recv(&b, 100, lkey, dst);
	send_op(&a, SEND, 0, 8, 0x100, src);
	expect_cqe(&cq, &a, REQ_ERR, 0, LOCAL_PROT);
	stop_hca();
}

static void message_long_local_length(void)
{
	start_pair(ST_RC);
	rdma_op(&a, WRITE, dst, lkey, 0x40000001, lkey, src);
	expect_cqe(&cq, &a, REQ_ERR, 0, LOCAL_LENGTH);
	stop_hca();
}

static void opcode_unknown_qp_op(void)
{
	start_pair(ST_RC);
	send_op(&a, 0x3f, 0, 8, lkey, src);
	expect_cqe(&cq, &a, REQ_ERR, 0, LOCAL_QP_OP);
	stop_hca();
}

static void atomic_unaligned_refused(void)
{
	start_pair(ST_RC);
	wqe_begin(&a, ATOMIC_FA, SIGNALED, 0);
	wqe_raddr(&a, dst + 4, lkey);
	wqe_room(&a, 16);
	wqe_data(&a, 8, lkey, src);
	wqe_end(&a);
	ring_sq(&a);
	expect_failed(REMOTE_INVALID);
}

static void receive_missing_waits(void)
{
	start_pair(ST_RC);
	send_op(&a, SEND, 0, 8, lkey, src);
	wait_ms(10);
	CHECK(!poll_cq(&cq));
	post_recv(&b, 100, lkey, dst);
	wait_ms(10);
	expect_cqe(&cq, &b, 2, 0, 0);
	expect_cqe(&cq, &a, 0, 0, 0);
	CHECK(!strcmp((char *)ram_at(dst), "message"));
	stop_hca();
}

static void receive_missing_rnr_expires(void)
{
	start_hca();
	src = alloc_pages(1);
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
	stop_hca();
}

static void peer_missing_retry_expires(void)
{
	start_pair(ST_RC);
	move_qp(&b, MLX5_CMD_OP_2RST_QP);
	send_op(&a, SEND, 0, 8, lkey, src);
	CHECK(!poll_cq(&cq));
	wait_ms(10);
	expect_cqe(&cq, &a, REQ_ERR, 0, RETRIES);
	stop_hca();
}

/* A peer of another type, or connected to another QP. */
static void peer_mismatch_retry_expires(void)
{
	struct tq c;

	start_hca();
	src = alloc_pages(1);
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
	stop_hca();
}

static void uc_refused_is_lost(void)
{
	start_pair(ST_UC);
	send_op(&a, SEND, 0, 8, lkey, src);
	rdma_op(&a, WRITE, dst, lkey ^ 1, 8, lkey, src);
	expect_cqe(&cq, &a, 0, 0, 0);
	expect_cqe(&cq, &a, 0, 1, 0);
	CHECK(!poll_cq(&cq));
	CHECK_EQ(qp_state(&b), QP_RTS);
	stop_hca();
}

/* A refused write delivers no immediate data. */
static void uc_write_imm_lost(void)
{
	start_pair(ST_UC);
	post_recv(&b, 100, lkey, dst);
	rdma_op(&a, WRITE_IMM, dst, lkey ^ 1, 8, lkey, src);
	expect_cqe(&cq, &a, 0, 0, 0);
	CHECK(!poll_cq(&cq));
	stop_hca();
}

static void uc_local_error_sqer(void)
{
	start_pair(ST_UC);
	rdma_op(&a, WRITE, dst, lkey, 8, lkey ^ 1, src);
	rdma_op(&a, WRITE, dst, lkey, 8, lkey, src);
	wait_ms(2);
	expect_cqe(&cq, &a, REQ_ERR, 0, LOCAL_PROT);
	expect_cqe(&cq, &a, REQ_ERR, 1, FLUSHED);
	CHECK_EQ(qp_state(&a), QP_SQER);
	stop_hca();
}

static void error_flushes_posted(void)
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
	ring_sq(&a);
	wait_ms(2);
	expect_cqe(&cq, &a, REQ_ERR, 0, LOCAL_PROT);
	expect_cqe(&cq, &a, REQ_ERR, 1, FLUSHED);
	expect_cqe(&cq, &a, RESP_ERR, 0, FLUSHED);
	expect_cqe(&cq, &a, RESP_ERR, 1, FLUSHED);
	CHECK(!poll_cq(&cq));
	stop_hca();
}

static void command_2err_flushes(void)
{
	start_pair(ST_RC);
	post_recv(&a, 100, lkey, dst);
	move_qp(&a, MLX5_CMD_OP_2ERR_QP);
	wait_ms(2);
	expect_cqe(&cq, &a, RESP_ERR, 0, FLUSHED);
	/* Receives posted later are flushed as well. */
	post_recv(&a, 100, lkey, dst);
	send_op(&a, SEND, 0, 8, lkey, src);
	expect_cqe(&cq, &a, REQ_ERR, 0, FLUSHED);
	wait_ms(30);
	expect_cqe(&cq, &a, RESP_ERR, 1, FLUSHED);
	stop_hca();
}

static void reset_clears_indices(void)
{
	start_pair(ST_RC);
	rdma_op(&a, WRITE, dst, lkey, 8, lkey ^ 1, src);
	expect_cqe(&cq, &a, REQ_ERR, 0, LOCAL_PROT);
	move_qp(&a, MLX5_CMD_OP_2RST_QP);
	a.pi = 0;
	put_be32(ram_at(a.dbr + 4), 0);
	to_rtr(&a, b.num);
	to_rts(&a, 7);
	rdma_op(&a, WRITE, dst, lkey, 8, lkey, src);
	expect_cqe(&cq, &a, 0, 0, 0);
	CHECK(!strcmp((char *)ram_at(dst), "message"));
	stop_hca();
}

int main(void)
{
	static const struct hca_test tests[] = {
		TAP(lkey_unknown_local_prot),
		TAP(rkey_unknown_remote_access),
		TAP(write_past_end_refused),
		TAP(write_before_start_refused),
		TAP(write_without_right_refused),
		TAP(read_without_right_refused),
		TAP(read_into_readonly_refused),
		TAP(key_foreign_pd_refused),
		TAP(key_foreign_qp_refused),
		TAP(qp_without_rwe_refuses),
		TAP(receive_short_fails_both),
		TAP(receive_bad_key_fails),
		TAP(send_reserved_key_refused),
		TAP(message_long_local_length),
		TAP(opcode_unknown_qp_op),
		TAP(atomic_unaligned_refused),
		TAP(receive_missing_waits),
		TAP(receive_missing_rnr_expires),
		TAP(peer_missing_retry_expires),
		TAP(peer_mismatch_retry_expires),
		TAP(uc_refused_is_lost),
		TAP(uc_write_imm_lost),
		TAP(uc_local_error_sqer),
		TAP(error_flushes_posted),
		TAP(command_2err_flushes),
		TAP(reset_clears_indices),
	};

	return TAP_RUN(tests);
}
