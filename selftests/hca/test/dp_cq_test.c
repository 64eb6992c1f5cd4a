// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Completion queues: formats, events, overruns, another size. */
#include "dp_work.h"

static struct tq a, b;
static u64 buf;

/* Both QPs complete to @cq, which tests may have made another one. */
static void pair(void)
{
	make_pair(&a, &b, ST_RC);
	buf = alloc(1);
}

static void nop(u8 flags)
{
	wqe_begin(&a, NOP, flags, 0);
	wqe_end(&a);
	ring(&a);
}

static void owner_turns_with_each_lap(void)
{
	unsigned int i;

	start();
	make_cq(&cq, 1, 64);
	pair();
	for (i = 0; i < 9; i++) {
		nop(SIGNALED);
		expect_cqe(&cq, &a, 0, (u16)i, 0);
		CHECK_EQ(at(cq.buf + i % 2 * 64)[0x3f] & 1, i / 2 & 1);
	}
	stop();
}

static void large_entries_end_with_the_small_one(void)
{
	unsigned int i;

	start();
	make_cq(&cq, 3, 128);
	pair();
	for (i = 0; i < 20; i++) {
		nop(SIGNALED);
		expect_cqe(&cq, &a, 0, (u16)i, 0);
	}
	/* The first half is not written. */
	CHECK_EQ(at(cq.buf)[0x3f], 0xf0);
	stop();
}

static void armed_fires_once(void)
{
	start();
	pair();
	nop(SIGNALED);
	CHECK(!poll_eq());
	arm(&cq, 1, 0);
	CHECK(!poll_eq());
	nop(SIGNALED);
	expect_event(0x00, cq.num);
	nop(SIGNALED);
	CHECK(!poll_eq());
	stop();
}

static void arming_behind_fires(void)
{
	start();
	pair();
	nop(SIGNALED);
	arm(&cq, 0, 0);
	expect_event(0x00, cq.num);
	stop();
}

static void send(u8 flags)
{
	post_recv(&b, 100, lkey, buf);
	wqe_begin(&a, SEND, flags, 0);
	wqe_data(&a, 4, lkey, buf);
	wqe_end(&a);
	ring(&a);
}

static void solicited_waits_for_a_solicited_one(void)
{
	const u8 *cqe;

	start();
	pair();
	arm(&cq, 0, 1 << 24);
	send(SIGNALED);
	CHECK(!poll_eq());
	send(SIGNALED | SOLICITED);
	expect_event(0x00, cq.num);
	CHECK(!poll_eq());
	cqe = expect_cqe(&cq, &b, 2, 0, 0);
	CHECK(!(cqe[0x3f] & 2));
	expect_cqe(&cq, &a, 0, 0, 0);
	cqe = expect_cqe(&cq, &b, 2, 1, 0);
	CHECK(cqe[0x3f] & 2);
	stop();
}

static void solicited_was_there_before(void)
{
	start();
	pair();
	send(SIGNALED);
	arm(&cq, 0, 1 << 24);
	CHECK(!poll_eq());
	send(SOLICITED);
	expect_event(0x00, cq.num);
	arm(&cq, 2, 1 << 24);
	expect_event(0x00, cq.num);
	arm(&cq, 3, 1 << 24);
	CHECK(!poll_eq());
	stop();
}

static void errors_are_solicited(void)
{
	start();
	pair();
	arm(&cq, 0, 1 << 24);
	send_op(&a, 0x3f, 0, 8, lkey, buf);
	expect_event(0x00, cq.num);
	stop();
}

static void overrun(void)
{
	const u8 *eqe;

	start();
	make_cq(&cq, 1, 64);
	pair();
	nop(SIGNALED);
	nop(SIGNALED);
	CHECK(!poll_eq());
	nop(SIGNALED);
	eqe = poll_eq();
	CHECK_EQ(eqe[1], 0x04);
	CHECK_EQ(get_be32(eqe + 0x20), cq.num);
	CHECK_EQ(eqe[0x2b], 1);
	/* What was there stays, and the QP cannot go on. */
	expect_cqe(&cq, &a, 0, 0, 0);
	expect_cqe(&cq, &a, 0, 1, 0);
	expect_event(0x05, a.num);
	CHECK_EQ(qp_state(&a), QP_ERR);
	CHECK_EQ(qp_state(&b), QP_RTS);
	wait_ms(2);
	nop(SIGNALED);
	CHECK(!poll_cq(&cq));
	CHECK(!poll_eq());
	clear();
	PRM_SET(query_cq_in, in, cqn, cq.num);
	CHECK_EQ(cmd(0x402, 16), FW_OK);
	CHECK_EQ(PRM_GET(query_cq_out, out, cq_context.status), 9);
	stop();
}

static void overrun_ignored(void)
{
	u8 *c;

	start();
	make_cq(&cq, 1, 64);
	clear();
	PRM_SET(modify_cq_in, in, cqn, cq.num);
	prm_set(in, PRM_BIT(modify_cq_in,
			    modify_field_select_resize_field_select), 32,
		BIT(2));
	c = in + PRM_BYTE(modify_cq_in, cq_context);
	PRM_SET(cqc, c, oi, 1);
	CHECK_EQ(cmd(0x403, 0x110), FW_OK);
	pair();
	nop(SIGNALED);
	nop(SIGNALED);
	nop(SIGNALED);
	CHECK(!poll_eq());
	CHECK_EQ(get_be16(at(cq.buf) + 0x3c), 2);
	CHECK_EQ(qp_state(&a), QP_RTS);
	stop();
}

/* The old buffer ends with an entry that says so, and that counts. */
static void another_size(void)
{
	u64 new;
	u8 *c;

	start();
	make_cq(&cq, 2, 64);
	pair();
	nop(SIGNALED);
	nop(SIGNALED);
	expect_cqe(&cq, &a, 0, 0, 0);
	new = alloc(1);
	memset(at(new), 0xf0, PAGE);
	clear();
	PRM_SET(modify_cq_in, in, cqn, cq.num);
	in[7] = 1;
	prm_set(in, PRM_BIT(modify_cq_in,
			    modify_field_select_resize_field_select), 32, 7);
	c = in + PRM_BYTE(modify_cq_in, cq_context);
	PRM_SET(cqc, c, log_cq_size, 4);
	prm_set(in, 0x110 * 8, 64, new);
	CHECK_EQ(cmd(0x403, 0x118), FW_OK);
	expect_cqe(&cq, &a, 0, 1, 0);
	CHECK_EQ(at(cq.buf + 2 * 64)[0x3f], 0x50);
	nop(SIGNALED);
	CHECK_EQ(get_be16(at(new + 3 * 64) + 0x3c), 2);
	CHECK_EQ(at(new + 3 * 64)[0x3f], 0);
	stop();
}

static void without_memory(void)
{
	start();
	make_cq(&cq, 3, 64);
	pair();
	CHECK(!mem_unmap(&hca.mem, GUEST, GUEST_SIZE));
	nop(SIGNALED);
	CHECK(!poll_cq(&cq));
	stop();
}

/* An entry would end in the next page of memory, which is not in the umem. */
static void not_aligned_in_a_umem(void)
{
	u8 *ctx = in + PRM_BYTE(create_cq_in, cq_context);
	u64 mem;
	u32 umem;

	start();
	mem = alloc(2);
	umem = make_umem(mem, 1);
	clear();
	PRM_SET(cqc, ctx, log_cq_size, 4);
	PRM_SET(cqc, ctx, c_eqn_or_apu_element, eqn);
	PRM_SET(cqc, ctx, uar_page, uar);
	PRM_SET(cqc, ctx, dbr_addr, alloc(1));
	PRM_SET(create_cq_in, in, cq_umem_valid, 1);
	prm_set(in, PRM_CREATE_CQ_UMEM_ID, 32, umem);
	prm_set(in, PRM_CREATE_CQ_UMEM_OFFSET, 64, PAGE - 16 * 64 - 8);
	CHECK_EQ(cmd(0x400, 0x110), FW_OK);
	cq.num = PRM_GET(create_cq_out, out, cqn);
	pair();
	nop(SIGNALED);
	CHECK_EQ(at(mem + PAGE - 16 * 64 - 8)[0x3f], 0);
	stop();
}

int main(void)
{
	static const struct tap_test tests[] = {
		TAP(owner_turns_with_each_lap),
		TAP(large_entries_end_with_the_small_one),
		TAP(armed_fires_once),
		TAP(arming_behind_fires),
		TAP(solicited_waits_for_a_solicited_one),
		TAP(solicited_was_there_before),
		TAP(errors_are_solicited),
		TAP(overrun),
		TAP(overrun_ignored),
		TAP(another_size),
		TAP(without_memory),
		TAP(not_aligned_in_a_umem),
	};

	return TAP_RUN(tests);
}
