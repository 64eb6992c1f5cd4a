// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Completion queues: formats, events, overruns, resize. */
#include "dp_work.h"

static struct tq a, b;
static u64 buf;

/* Both QPs complete to @cq, which tests may have replaced. */
static void start_pair(void)
{
	make_pair(&a, &b, ST_RC);
	buf = alloc_pages(1);
}

static void post_nop(u8 flags)
{
	wqe_begin(&a, NOP, flags, 0);
	wqe_end(&a);
	ring_sq(&a);
}

static void owner_toggles_each_lap(void)
{
	unsigned int i;

	start_hca();
	make_cq(&cq, 1, 64);
	start_pair();
	for (i = 0; i < 9; i++) {
		post_nop(SIGNALED);
		expect_cqe(&cq, &a, 0, (u16)i, 0);
		CHECK_EQ(ram_at(cq.buf + i % 2 * 64)[0x3f] & 1, i / 2 & 1);
	}
	stop_hca();
}

static void entry_128_bytes_layout(void)
{
	unsigned int i;

	start_hca();
	make_cq(&cq, 3, 128);
	start_pair();
	for (i = 0; i < 20; i++) {
		post_nop(SIGNALED);
		expect_cqe(&cq, &a, 0, (u16)i, 0);
	}
	/* The first half is not written. */
	CHECK_EQ(ram_at(cq.buf)[0x3f], 0xf0);
	stop_hca();
}

static void armed_fires_once(void)
{
	start_hca();
	start_pair();
	post_nop(SIGNALED);
	CHECK(!poll_eq());
	arm_cq(&cq, 1, 0);
	CHECK(!poll_eq());
	post_nop(SIGNALED);
	expect_event(0x00, cq.num);
	post_nop(SIGNALED);
	CHECK(!poll_eq());
	stop_hca();
}

static void arm_behind_fires(void)
{
	start_hca();
	start_pair();
	post_nop(SIGNALED);
	arm_cq(&cq, 0, 0);
	expect_event(0x00, cq.num);
	stop_hca();
}

static void send_one(u8 flags)
{
	post_recv(&b, 100, lkey, buf);
	wqe_begin(&a, SEND, flags, 0);
	wqe_data(&a, 4, lkey, buf);
	wqe_end(&a);
	ring_sq(&a);
}

static void solicited_ignores_unsolicited(void)
{
	const u8 *cqe;

	start_hca();
	start_pair();
	arm_cq(&cq, 0, 1 << 24);
	send_one(SIGNALED);
	CHECK(!poll_eq());
	send_one(SIGNALED | SOLICITED);
	expect_event(0x00, cq.num);
	CHECK(!poll_eq());
	cqe = expect_cqe(&cq, &b, 2, 0, 0);
	CHECK(!(cqe[0x3f] & 2));
	expect_cqe(&cq, &a, 0, 0, 0);
	cqe = expect_cqe(&cq, &b, 2, 1, 0);
	CHECK(cqe[0x3f] & 2);
	stop_hca();
}

static void solicited_earlier_fires(void)
{
	start_hca();
	start_pair();
	send_one(SIGNALED);
	arm_cq(&cq, 0, 1 << 24);
	CHECK(!poll_eq());
	send_one(SOLICITED);
	expect_event(0x00, cq.num);
	arm_cq(&cq, 2, 1 << 24);
	expect_event(0x00, cq.num);
	arm_cq(&cq, 3, 1 << 24);
	CHECK(!poll_eq());
	stop_hca();
}

static void error_counts_as_solicited(void)
{
	start_hca();
	start_pair();
	arm_cq(&cq, 0, 1 << 24);
	send_op(&a, 0x3f, 0, 8, lkey, buf);
	expect_event(0x00, cq.num);
	stop_hca();
}

static void overrun_fails_cq_qp(void)
{
	const u8 *eqe;

	start_hca();
	make_cq(&cq, 1, 64);
	start_pair();
	post_nop(SIGNALED);
	post_nop(SIGNALED);
	CHECK(!poll_eq());
	post_nop(SIGNALED);
	eqe = poll_eq();
	CHECK_EQ(eqe[1], 0x04);
	CHECK_EQ(get_be32(eqe + 0x20), cq.num);
	CHECK_EQ(eqe[0x2b], 1);
	/* Earlier entries stay, and the QP has failed. */
	expect_cqe(&cq, &a, 0, 0, 0);
	expect_cqe(&cq, &a, 0, 1, 0);
	expect_event(0x05, a.num);
	CHECK_EQ(qp_state(&a), QP_ERR);
	CHECK_EQ(qp_state(&b), QP_RTS);
	wait_ms(2);
	post_nop(SIGNALED);
	CHECK(!poll_cq(&cq));
	CHECK(!poll_eq());
	clear_in();
	PRM_SET(query_cq_in, in, cqn, cq.num);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_QUERY_CQ, 16), FW_OK);
	CHECK_EQ(PRM_GET(query_cq_out, out, cq_context.status), 9);
	stop_hca();
}

static void overrun_ignored_if_oi(void)
{
	u8 *c;

	start_hca();
	make_cq(&cq, 1, 64);
	clear_in();
	PRM_SET(modify_cq_in, in, cqn, cq.num);
	prm_set(in, PRM_BIT(modify_cq_in,
			    modify_field_select_resize_field_select), 32,
		BIT(2));
	c = in + PRM_BYTE(modify_cq_in, cq_context);
	PRM_SET(cqc, c, oi, 1);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_MODIFY_CQ, 0x110), FW_OK);
	start_pair();
	post_nop(SIGNALED);
	post_nop(SIGNALED);
	post_nop(SIGNALED);
	CHECK(!poll_eq());
	CHECK_EQ(get_be16(ram_at(cq.buf) + 0x3c), 2);
	CHECK_EQ(qp_state(&a), QP_RTS);
	stop_hca();
}

/* Give @cq the buffer @new. */
static int resize_cq(u8 log_size, u64 new)
{
	u8 *c;

	memset(ram_at(new), 0xf0, PAGE);
	clear_in();
	PRM_SET(modify_cq_in, in, cqn, cq.num);
	in[7] = 1;
	prm_set(in, PRM_BIT(modify_cq_in,
			    modify_field_select_resize_field_select), 32, 7);
	c = in + PRM_BYTE(modify_cq_in, cq_context);
	PRM_SET(cqc, c, log_cq_size, log_size);
	prm_set(in, 0x110 * 8, 64, new);
	return send_cmd(MLX5_CMD_OP_MODIFY_CQ, 0x118);
}

/* The old buffer ends with a resize entry, which takes an index. */
static void resize_ends_old_buffer(void)
{
	u64 new;

	start_hca();
	make_cq(&cq, 2, 64);
	start_pair();
	post_nop(SIGNALED);
	post_nop(SIGNALED);
	expect_cqe(&cq, &a, 0, 0, 0);
	new = alloc_pages(1);
	CHECK_EQ(resize_cq(4, new), FW_OK);
	expect_cqe(&cq, &a, 0, 1, 0);
	CHECK_EQ(ram_at(cq.buf + 2 * 64)[0x3f], 0x50);
	post_nop(SIGNALED);
	CHECK_EQ(get_be16(ram_at(new + 3 * 64) + 0x3c), 2);
	CHECK_EQ(ram_at(new + 3 * 64)[0x3f], 0);
	stop_hca();
}

/* Neither buffer may lose a completion that the driver has not consumed. */
static void resize_below_unseen_refused(void)
{
	unsigned int i;
	u64 new;

	start_hca();
	make_cq(&cq, 2, 64);
	start_pair();
	new = alloc_pages(1);
	for (i = 0; i < 3; i++)
		post_nop(SIGNALED);
	CHECK_EQ(resize_cq(1, new), FW_BAD_SIZE);
	post_nop(SIGNALED);
	CHECK_EQ(resize_cq(4, new), FW_BAD_SIZE);
	for (i = 0; i < 4; i++)
		expect_cqe(&cq, &a, 0, (u16)i, 0);
	CHECK_EQ(ram_at(new)[0x3f], 0xf0);
	CHECK_EQ(resize_cq(1, new), FW_OK);
	stop_hca();
}

/* All completions in the first entry, which is never full. */
static void collapsed_first_entry_written(void)
{
	unsigned int i;

	start_hca();
	make_cq(&cq, 2, 64);
	PRM_SET(cqc, obj_ctx(obj_find(&hca.fw->store, OBJ_CQ, cq.num)), cc, 1);
	start_pair();
	for (i = 0; i < 6; i++)
		post_nop(SIGNALED);
	CHECK_EQ(get_be16(ram_at(cq.buf) + 0x3c), 5);
	CHECK_EQ(ram_at(cq.buf)[0x3f] & 1, 1);
	CHECK_EQ(ram_at(cq.buf + 64)[0x3f], 0xf0);
	CHECK_EQ(qp_state(&a), QP_RTS);
	CHECK_EQ(resize_cq(4, alloc_pages(1)), FW_BAD_PARAM);
	stop_hca();
}

static void buffer_unmapped_not_written(void)
{
	start_hca();
	make_cq(&cq, 3, 64);
	start_pair();
	CHECK(!mem_unmap(&hca.mem, GUEST, GUEST_SIZE));
	post_nop(SIGNALED);
	CHECK(!poll_cq(&cq));
	stop_hca();
}

/* An entry would reach into the next page, which is not in the umem. */
static void entry_unaligned_not_written(void)
{
	u8 *ctx = in + PRM_BYTE(create_cq_in, cq_context);
	u64 mem;
	u32 umem;

	start_hca();
	mem = alloc_pages(2);
	umem = make_umem(mem, 1);
	clear_in();
	PRM_SET(cqc, ctx, log_cq_size, 4);
	PRM_SET(cqc, ctx, c_eqn_or_apu_element, eqn);
	PRM_SET(cqc, ctx, uar_page, uar);
	PRM_SET(cqc, ctx, dbr_addr, alloc_pages(1));
	PRM_SET(create_cq_in, in, cq_umem_valid, 1);
	prm_set(in, PRM_CREATE_CQ_UMEM_ID, 32, umem);
	prm_set(in, PRM_CREATE_CQ_UMEM_OFFSET, 64, PAGE - 16 * 64 - 8);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_CREATE_CQ, 0x110), FW_OK);
	cq.num = PRM_GET(create_cq_out, out, cqn);
	start_pair();
	post_nop(SIGNALED);
	CHECK_EQ(ram_at(mem + PAGE - 16 * 64 - 8)[0x3f], 0);
	stop_hca();
}

int main(void)
{
	static const struct hca_test tests[] = {
		TAP(owner_toggles_each_lap),
		TAP(entry_128_bytes_layout),
		TAP(armed_fires_once),
		TAP(arm_behind_fires),
		TAP(solicited_ignores_unsolicited),
		TAP(solicited_earlier_fires),
		TAP(error_counts_as_solicited),
		TAP(overrun_fails_cq_qp),
		TAP(overrun_ignored_if_oi),
		TAP(resize_ends_old_buffer),
		TAP(resize_below_unseen_refused),
		TAP(collapsed_first_entry_written),
		TAP(buffer_unmapped_not_written),
		TAP(entry_unaligned_not_written),
	};

	return TAP_RUN(tests);
}
