// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Event queues, and completions of the send path. */
#include "../dp_cq.h"
#include "../dp_wq.h"
#include "env.h"

static const uint64_t eq_pas[] = { EQ_PAGE };

struct eq_env {
	struct env e;
	int fd;
	uint8_t data[28];
};

static void start_eq(struct eq_env *q)
{
	struct fw_eq_attr attr;

	*q = (struct eq_env){ .fd = eventfd(0, EFD_NONBLOCK) };
	env_init(&q->e);
	irq_assign(&q->e.hca.irqs, 0, q->fd);
	eq_attr(&attr, eq_pas);
	CHECK_EQ(eq_create(&q->e.hca, &attr), FW_OK);
	/* Owned by the hardware, as drivers initialize entries. */
	memset(guest_at(&q->e, EQ_PAGE), 0xff, 4 * EQE_SIZE);
}

static void fini_eq(struct eq_env *q)
{
	env_fini(&q->e);
}

static void post_event(struct eq_env *q, uint8_t type)
{
	eq_event(&q->e.hca, type, 0, q->data, 0);
}

static const uint8_t *eqe_at(struct eq_env *q, unsigned int i)
{
	return guest_at(&q->e, EQ_PAGE + i * EQE_SIZE);
}

static void arm_eq(struct eq_env *q, uint32_t ci)
{
	bar_put32(&q->e, 16 * 4096 + 0x40, 1 << 24 | ci);
}

static void update_ci(struct eq_env *q, uint32_t ci)
{
	bar_put32(&q->e, 16 * 4096 + 0x48, 1 << 24 | ci);
}

static void owner_toggles_each_lap(void)
{
	struct eq_env q;
	unsigned int i;

	start_eq(&q);
	for (i = 0; i < 12; i++) {
		post_event(&q, 0x09);
		CHECK_EQ(eqe_at(&q, i % 4)[1], 0x09);
		CHECK_EQ(eqe_at(&q, i % 4)[EQE_OWNER], i / 4 & 1);
		update_ci(&q, i + 1);
	}
	fini_eq(&q);
}

static void full_loses_new_event(void)
{
	struct eq_env q;
	unsigned int i;

	start_eq(&q);
	for (i = 0; i < 4; i++)
		post_event(&q, 0x09);
	post_event(&q, 0x13);
	CHECK_EQ(q.e.hca.eqs.eq[1].pi, 4);
	CHECK_EQ(eqe_at(&q, 0)[1], 0x09);
	update_ci(&q, 1);
	post_event(&q, 0x13);
	CHECK_EQ(eqe_at(&q, 0)[1], 0x13);
	fini_eq(&q);
}

static void unarmed_no_interrupt(void)
{
	struct eq_env q;

	start_eq(&q);
	post_event(&q, 0x09);
	CHECK_EQ(times_fired(q.fd), 0);
	fini_eq(&q);
}

static void armed_fires_once(void)
{
	struct eq_env q;

	start_eq(&q);
	arm_eq(&q, 0);
	post_event(&q, 0x09);
	post_event(&q, 0x09);
	CHECK_EQ(times_fired(q.fd), 1);
	fini_eq(&q);
}

static void arm_with_events_fires(void)
{
	struct eq_env q;

	start_eq(&q);
	post_event(&q, 0x09);
	post_event(&q, 0x09);
	arm_eq(&q, 1);
	CHECK_EQ(times_fired(q.fd), 1);
	arm_eq(&q, 2);
	CHECK_EQ(times_fired(q.fd), 0);
	fini_eq(&q);
}

static void ci_update_not_arming(void)
{
	struct eq_env q;

	start_eq(&q);
	post_event(&q, 0x09);
	update_ci(&q, 0);
	CHECK_EQ(times_fired(q.fd), 0);
	fini_eq(&q);
}

static void index_wraps_24_bits(void)
{
	struct eq_env q;

	start_eq(&q);
	q.e.hca.eqs.eq[1].pi = 0xffffff;
	update_ci(&q, 0xffffff);
	arm_eq(&q, 0xffffff);
	post_event(&q, 0x09);
	CHECK_EQ(times_fired(q.fd), 1);
	arm_eq(&q, 0);
	CHECK_EQ(times_fired(q.fd), 0);
	fini_eq(&q);
}

static void mask_selects_events(void)
{
	struct eq_env q;

	start_eq(&q);
	q.e.hca.eqs.eq[1].attr.mask[0] = 1 << 0x09;
	post_event(&q, 0x0a);
	CHECK_EQ(q.e.hca.eqs.eq[1].pi, 0);
	post_event(&q, 0x09);
	CHECK_EQ(q.e.hca.eqs.eq[1].pi, 1);
	fini_eq(&q);
}

static void doorbell_foreign_uar_ignored(void)
{
	struct eq_env q;

	start_eq(&q);
	post_event(&q, 0x09);
	bar_put32(&q.e, 17 * 4096 + 0x40, 1 << 24);
	CHECK_EQ(times_fired(q.fd), 0);
	bar_put32(&q.e, 16 * 4096 + 0x40, 9U << 24);
	CHECK_EQ(times_fired(q.fd), 0);
	fini_eq(&q);
}

static void attributes_wrong_refused(void)
{
	struct fw_eq_attr attr;
	struct eq_env q;

	start_eq(&q);
	eq_attr(&attr, eq_pas);
	CHECK_EQ(eq_create(&q.e.hca, &attr), FW_BAD_PARAM);	/* twice */
	attr.eqn = 0;
	CHECK_EQ(eq_create(&q.e.hca, &attr), FW_BAD_PARAM);
	attr.eqn = 2;
	attr.intr = IRQ_VECTORS;
	CHECK_EQ(eq_create(&q.e.hca, &attr), FW_BAD_PARAM);
	attr.intr = 0;
	attr.log_size = 7;	/* two pages */
	CHECK_EQ(eq_create(&q.e.hca, &attr), FW_BAD_PARAM);
	attr.log_size = 6;
	attr.log_page_size = 255;
	CHECK_EQ(eq_create(&q.e.hca, &attr), FW_BAD_PARAM);
	attr.log_page_size = 12;
	CHECK_EQ(eq_create(&q.e.hca, &attr), FW_OK);
	fini_eq(&q);
}

static void queue_unmapped_loses_event(void)
{
	static const uint64_t nowhere[] = { 0xfffffffffffff000 };
	struct fw_eq_attr attr;
	struct eq_env q;

	start_eq(&q);
	eq_attr(&attr, nowhere);
	attr.eqn = 2;
	CHECK_EQ(eq_create(&q.e.hca, &attr), FW_OK);
	eq_post(&q.e.hca, 2, 0x09, 0, q.data);
	CHECK_EQ(q.e.hca.eqs.eq[2].pi, 0);
	fini_eq(&q);
}

static void interrupt_waits_for_eventfd(void)
{
	struct eq_env q;
	uint8_t pba;

	start_eq(&q);
	irq_assign(&q.e.hca.irqs, 0, -1);
	arm_eq(&q, 0);
	post_event(&q, 0x09);
	bar_read(&q.e.hca, BAR_MSIX_PBA, &pba, 1);
	CHECK_EQ(pba, 1);
	q.fd = eventfd(0, EFD_NONBLOCK);
	irq_assign(&q.e.hca.irqs, 0, q.fd);
	CHECK_EQ(times_fired(q.fd), 1);
	bar_read(&q.e.hca, BAR_MSIX_PBA, &pba, 1);
	CHECK_EQ(pba, 0);
	fini_eq(&q);
}

/* An SQ of 4 blocks and a CQ of 2 entries. */
enum {
	SQ_PAGE = GUEST + 0x20000,
	CQ_PAGE = GUEST + 0x21000,
	DBR = GUEST + 0x22000,
	SQN = 0x1234,
};

static const uint64_t sq_pas[] = { SQ_PAGE };
static const uint64_t cq_pas[] = { CQ_PAGE };

static void start_sq(struct eq_env *q)
{
	start_eq(q);
	stub.has_wq = true;
	stub.has_cq = true;
	stub.wq = (struct fw_wq_view){
		.is_sq = true,
		.ready = true,
		.has_sq = true,
		.cqn = 7,
		.user_index = 0x55,
		.log_sq_size = 2,
		.dbr_addr = DBR,
		.buf = { .pas = sq_pas, .npas = 1, .log_page_size = 12 },
	};
	stub.cq = (struct fw_cq_view){
		.eqn = 1,
		.log_size = 1,
		.cqe_sz = 64,
		.overrun_ignore = true,
		.buf = { .pas = cq_pas, .npas = 1, .log_page_size = 12 },
	};
}

/* A work request of @ds 16 byte segments; @ce: signaled. */
static void put_wqe(struct eq_env *q, unsigned int i, unsigned int ds, bool ce)
{
	uint8_t *w = guest_at(&q->e, SQ_PAGE + (i & 3) * 64);

	put_be32(w, i << 8);
	put_be32(w + 4, SQN << 8 | ds);
	w[11] = ce ? 8 : 0;
}

static void ring_sq(struct eq_env *q, uint16_t pi)
{
	uint8_t db[8];

	put_be32(guest_at(&q->e, DBR + 4), pi);
	put_be32(db, (uint32_t)(pi - 1) << 8);
	put_be32(db + 4, SQN << 8 | 1);
	bar_write(&q->e.hca, 16 * 4096 + 0x800, db, sizeof(db));
}

static void send_completes(void)
{
	struct eq_env q;
	const uint8_t *cqe;

	start_sq(&q);
	put_wqe(&q, 0, 2, false);
	put_wqe(&q, 1, 8, true);	/* two blocks */
	ring_sq(&q, 3);
	cqe = guest_at(&q.e, CQ_PAGE);
	CHECK_EQ(get_be32(cqe + 0x20), 0x55);
	CHECK_EQ(get_be32(cqe + 0x38) & 0xffffff, SQN);
	CHECK_EQ(get_be16(cqe + 0x3c), 1);
	CHECK_EQ(cqe[0x3f], 0);
	CHECK_EQ(q.e.hca.dp.sqs->ci, 3);
	put_wqe(&q, 3, 1, true);
	put_wqe(&q, 4, 1, true);
	ring_sq(&q, 5);
	CHECK_EQ(guest_at(&q.e, CQ_PAGE)[0x3f] & 1, 1); /* second lap */
	CHECK_EQ(get_be16(guest_at(&q.e, CQ_PAGE) + 0x3c), 4);
	fini_eq(&q);
}

static void doorbell_two_halves_works(void)
{
	struct eq_env q;

	start_sq(&q);
	put_wqe(&q, 0, 1, true);
	put_be32(guest_at(&q.e, DBR + 4), 1);
	bar_put32(&q.e, 16 * 4096 + 0x900, 0);
	bar_put32(&q.e, 16 * 4096 + 0x904, SQN << 8 | 1);
	CHECK_EQ(q.e.hca.dp.sqs->ci, 1);
	fini_eq(&q);
}

/* A completion that only the copy in the register requests. */
static void blueflame_copy_completes(void)
{
	uint8_t wqe[64] = {};
	struct eq_env q;
	unsigned int i;

	start_sq(&q);
	put_wqe(&q, 0, 1, false);
	memcpy(wqe, guest_at(&q.e, SQ_PAGE), 64);
	wqe[11] = 8;
	put_be32(guest_at(&q.e, DBR + 4), 1);
	for (i = 0; i < 64; i += 8) {
		CHECK(!q.e.hca.dp.cqs);
		bar_write(&q.e.hca, 16 * 4096 + 0x800 + i, wqe + i, 8);
	}
	CHECK(q.e.hca.dp.cqs && q.e.hca.dp.cqs->pi == 1);
	/* One completion if memory requests it as well. */
	put_wqe(&q, 1, 1, true);
	memcpy(wqe, guest_at(&q.e, SQ_PAGE + 64), 64);
	put_be32(guest_at(&q.e, DBR + 4), 2);
	for (i = 0; i < 64; i += 8)
		bar_write(&q.e.hca, 16 * 4096 + 0x900 + i, wqe + i, 8);
	CHECK_EQ(q.e.hca.dp.cqs->pi, 2);
	fini_eq(&q);
}

/*
 * Posted writes: the doorbell record is three requests ahead of the first
 * doorbell, whose copy in the register still counts.
 */
static void record_ahead_read_again(void)
{
	uint8_t wqe[64] = {};
	struct eq_env q;
	unsigned int i;

	start_sq(&q);
	for (i = 0; i < 3; i++)
		put_wqe(&q, i, 1, false);
	memcpy(wqe, guest_at(&q.e, SQ_PAGE), 64);
	wqe[11] = 8;
	put_be32(guest_at(&q.e, DBR + 4), 3);
	for (i = 0; i < 64; i += 8)
		bar_write(&q.e.hca, 16 * 4096 + 0x800 + i, wqe + i, 8);
	CHECK_EQ(q.e.hca.dp.sqs->ci, 1);
	CHECK(q.e.hca.dp.cqs && q.e.hca.dp.cqs->pi == 1);
	/* No other doorbell follows, so the record is read again. */
	for (i = 0; i < 20 && q.e.hca.dp.sqs->ci != 3; i++)
		loop_step(&q.e.loop, 10);
	CHECK_EQ(q.e.hca.dp.sqs->ci, 3);
	fini_eq(&q);
}

static void error_flushes_sends(void)
{
	struct eq_env q;

	start_sq(&q);
	stub.wq.ready = false;
	put_wqe(&q, 0, 1, false);
	ring_sq(&q, 1);
	CHECK_EQ(guest_at(&q.e, CQ_PAGE)[0x3f] >> 4, 0xd);
	CHECK_EQ(guest_at(&q.e, CQ_PAGE)[0x37], 5);
	fini_eq(&q);
}

static void ring_beyond_queue_ignored(void)
{
	struct eq_env q;

	start_sq(&q);
	ring_sq(&q, 0x8000);
	CHECK(!q.e.hca.dp.cqs);
	/* A request longer than the blocks that were rung. */
	put_wqe(&q, 0x8000, 0x3f, true);
	ring_sq(&q, 0x8001);
	CHECK_EQ(q.e.hca.dp.sqs->ci, 0x8001);
	fini_eq(&q);
}

static void arm_cq(struct eq_env *q, uint32_t ci)
{
	uint8_t db[8];

	put_be32(db, ci);
	put_be32(db + 4, 7);
	bar_write(&q->e.hca, 16 * 4096 + 0x20, db, sizeof(db));
}

static void armed_cq_raises_event(void)
{
	struct eq_env q;

	start_sq(&q);
	arm_cq(&q, 0);
	CHECK_EQ(q.e.hca.eqs.eq[1].pi, 0);
	put_wqe(&q, 0, 1, true);
	ring_sq(&q, 1);
	CHECK_EQ(q.e.hca.eqs.eq[1].pi, 1);
	CHECK_EQ(eqe_at(&q, 0)[1], 0x00);
	CHECK_EQ(get_be32(eqe_at(&q, 0) + 0x38), 7);
	put_wqe(&q, 1, 1, true);
	ring_sq(&q, 2);
	CHECK_EQ(q.e.hca.eqs.eq[1].pi, 1);
	arm_cq(&q, 1);
	CHECK_EQ(q.e.hca.eqs.eq[1].pi, 2);
	arm_cq(&q, 2);
	CHECK_EQ(q.e.hca.eqs.eq[1].pi, 2);
	fini_eq(&q);
}

static void destroy_forgets_indices(void)
{
	struct eq_env q;

	start_sq(&q);
	put_wqe(&q, 0, 1, true);
	ring_sq(&q, 1);
	dp_object_destroyed(&q.e.hca, "sq", SQN);
	dp_object_destroyed(&q.e.hca, "cq", 7);
	CHECK(!q.e.hca.dp.sqs);
	CHECK(!q.e.hca.dp.cqs);
	fini_eq(&q);
}

int main(void)
{
	static const struct hca_test tests[] = {
		TAP(owner_toggles_each_lap),
		TAP(full_loses_new_event),
		TAP(unarmed_no_interrupt),
		TAP(armed_fires_once),
		TAP(arm_with_events_fires),
		TAP(ci_update_not_arming),
		TAP(index_wraps_24_bits),
		TAP(mask_selects_events),
		TAP(doorbell_foreign_uar_ignored),
		TAP(attributes_wrong_refused),
		TAP(queue_unmapped_loses_event),
		TAP(interrupt_waits_for_eventfd),
		TAP(send_completes),
		TAP(doorbell_two_halves_works),
		TAP(blueflame_copy_completes),
		TAP(record_ahead_read_again),
		TAP(error_flushes_sends),
		TAP(ring_beyond_queue_ignored),
		TAP(armed_cq_raises_event),
		TAP(destroy_forgets_indices),
	};

	return TAP_RUN(tests);
}
