// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The command queue: its order, its workers, its script, its events. */
#include "cmd.h"

static void registers_read_back(void)
{
	struct env e;

	start(&e);
	CHECK_EQ(bar_get32(&e, 0x14), QUEUE | 5 << 4 | 6);
	CHECK_EQ(bar_get32(&e, 0x04) >> 16, 5);
	CHECK(bar_get32(&e, 0x230) != 0xffffffff);
	CHECK_EQ(bar_get32(&e, 0x1fc) >> 31, 0);
	bar_put32(&e, 0x14, QUEUE | 1 << 8);
	CHECK_EQ(bar_get32(&e, 0x14) >> 8 & 7, 1);
	env_fini(&e);
}

static void doorbell_of_a_slot_that_is_not_ours(void)
{
	struct env e;

	start(&e);
	put_cmd(&e, 0, FAKE_ECHO, 16, 16);
	*status_of(&e, 0) = 0;
	ring(&e, 1);
	CHECK_EQ(fake.execs, 0);
	env_fini(&e);
}

static void queue_outside_of_memory(void)
{
	struct env e;

	start(&e);
	bar_put32(&e, 0x14, 0);
	ring(&e, 0xffffffff);
	bar_put32(&e, 0x10, 0xffffffff);
	bar_put32(&e, 0x14, 0xfffff000);
	ring(&e, 0xffffffff);
	CHECK_EQ(fake.execs, 0);
	env_fini(&e);
}

static void scripted_failure(void)
{
	struct script_rule *r;
	struct env e;

	start(&e);
	r = &e.hca.script.rules[0x800];
	r->fail = 1;
	r->status = 0x0a;
	r->syndrome = 0x123456;
	put_cmd(&e, 0, 0x800, 16, 16);
	ring(&e, 1);
	CHECK_EQ(*status_of(&e, 0), 0);
	CHECK_EQ(entry(&e, 0)[0x20], 0x0a);
	CHECK_EQ(get_be32(entry(&e, 0) + 0x24), 0x123456);
	CHECK_EQ(fake.execs, 0);
	put_cmd(&e, 0, 0x800, 16, 16);
	ring(&e, 1);
	CHECK_EQ(entry(&e, 0)[0x20], 0);
	CHECK_EQ(fake.execs, 1);
	CHECK_EQ(r->count, 2);
	env_fini(&e);
}

static void scripted_transport_error(void)
{
	struct env e;

	start(&e);
	e.hca.script.rules[0x800].transport = 1;
	e.hca.script.rules[0x800].error = DELIVERY_FW;
	put_cmd(&e, 0, 0x800, 16, 16);
	expect_delivery(&e, DELIVERY_FW);
}

static void dropped_and_completed_late(void)
{
	struct env e;

	start(&e);
	e.hca.script.rules[0x800].drop = 1;
	put_cmd(&e, 0, 0x800, 16, 16);
	put_cmd(&e, 1, 0x801, 16, 16);
	ring(&e, 3);
	/* It was executed, and it keeps no worker from the others. */
	CHECK_EQ(*status_of(&e, 0), 1);
	CHECK_EQ(*status_of(&e, 1), 0);
	CHECK_EQ(fake.execs, 2);
	CHECK_EQ(cmdq_complete_dropped(&e.hca, false), 1);
	CHECK_EQ(*status_of(&e, 0), 0);
	CHECK_EQ(cmdq_complete_dropped(&e.hca, false), 0);
	env_fini(&e);
}

static void dropped_slot_used_again(void)
{
	struct env e;

	start(&e);
	e.hca.script.rules[0x800].drop = 1;
	put_cmd(&e, 0, 0x800, 16, 16);
	ring(&e, 1);
	put_cmd(&e, 0, 0x801, 16, 16);
	ring(&e, 1);
	CHECK_EQ(*status_of(&e, 0), 0);
	CHECK_EQ(cmdq_complete_dropped(&e.hca, false), 0);
	env_fini(&e);
}

static void internal_error_completes_nothing(void)
{
	struct env e;

	start(&e);
	hca_internal_error(&e.hca, true);
	put_cmd(&e, 0, 0x800, 16, 16);
	ring(&e, 1);
	CHECK_EQ(*status_of(&e, 0), 1);
	CHECK_EQ(fake.execs, 0);
	CHECK(bar_get32(&e, 0x238) >> 31);
	CHECK(bar_get32(&e, 0x23c) >> 16 & 0xff);
	CHECK_EQ(bar_get32(&e, 0x14) >> 8 & 7, 1);
	CHECK_EQ(bar_get32(&e, 0x1fc) >> 31, 1);
	/* When it is over, nothing of before is left. */
	hca_internal_error(&e.hca, false);
	CHECK_EQ(bar_get32(&e, 0x23c), 0);
	CHECK_EQ(fake.resets, 1);
	CHECK_EQ(cmdq_complete_dropped(&e.hca, false), 0);
	env_fini(&e);
}

static void serial_by_default(void)
{
	uint64_t t = now_us();
	struct env e;
	unsigned int i;

	start(&e);
	e.hca.script.delay_us = 10000;
	for (i = 0; i < 4; i++)
		put_cmd(&e, i, (uint16_t)(0x800 + i), 16, 16);
	ring(&e, 0xf);
	CHECK_EQ(cmdq_in_flight(&e.hca.cmdq), 4);
	wait_for(&e, status_of(&e, 3), 0, 2000);
	CHECK_EQ(*status_of(&e, 3), 0);
	CHECK(now_us() - t >= 40000);
	for (i = 0; i < 4; i++)
		CHECK_EQ(fake.order[i], 0x800 + i);
	env_fini(&e);
}

static void parallel_workers(void)
{
	struct env e;
	uint64_t t;
	unsigned int i;

	start(&e);
	e.hca.script.delay_us = 100000;
	cmdq_set_workers(&e.hca, 4);
	t = now_us();
	for (i = 0; i < 4; i++)
		put_cmd(&e, i, 0x800, 16, 16);
	ring(&e, 0xf);
	wait_for(&e, status_of(&e, 3), 0, 2000);
	CHECK_EQ(*status_of(&e, 3), 0);
	CHECK(now_us() - t >= 100000);
	CHECK(now_us() - t < 350000);
	env_fini(&e);
}

static void fast_one_overtakes_slow_one(void)
{
	struct env e;

	start(&e);
	cmdq_set_workers(&e.hca, 2);
	e.hca.script.rules[0x800].delayed = true;
	e.hca.script.rules[0x800].delay_us = 50000;
	put_cmd(&e, 0, 0x800, 16, 16);
	put_cmd(&e, 1, 0x801, 16, 16);
	ring(&e, 3);
	CHECK_EQ(*status_of(&e, 0), 1);
	CHECK_EQ(*status_of(&e, 1), 0);
	wait_for(&e, status_of(&e, 0), 0, 2000);
	CHECK_EQ(*status_of(&e, 0), 0);
	env_fini(&e);
}

static void page_queue_has_its_own_worker(void)
{
	struct env e;

	start(&e);
	e.hca.script.rules[0x800].delayed = true;
	e.hca.script.rules[0x800].delay_us = 10000000;
	put_cmd(&e, 0, 0x800, 16, 16);
	put_cmd(&e, 31, 0x108, 16, 16);
	ring(&e, 1U << 31 | 1);
	CHECK_EQ(*status_of(&e, 0), 1);
	CHECK_EQ(*status_of(&e, 31), 0);
	env_fini(&e);
}

static void reset_forgets_what_is_in_flight(void)
{
	struct env e;

	start(&e);
	e.hca.script.delay_us = 1000;
	put_cmd(&e, 0, 0x800, 16, 16);
	put_cmd(&e, 1, 0x800, 16, 16);
	ring(&e, 3);
	hca_reset(&e.hca);
	wait_for(&e, status_of(&e, 0), 0, 20);
	CHECK_EQ(*status_of(&e, 0), 1);
	CHECK_EQ(fake.execs, 0);
	CHECK_EQ(fake.resets, 1);
	CHECK_EQ(bar_get32(&e, 0x14), 5 << 4 | 6);
	env_fini(&e);
}

static void completion_by_event(void)
{
	static const uint64_t pas[] = { EQ_PAGE };
	int fd = eventfd(0, EFD_NONBLOCK);
	struct env e;

	start(&e);
	irq_assign(&e.hca.irqs, 0, fd);
	eq_attr(&fake.eq, pas);
	put_cmd(&e, 0, FAKE_CREATE_EQ, 16, 16);
	ring(&e, 1);
	/* The command that makes the EQ is polled for. */
	CHECK_EQ(e.hca.eqs.eq[1].pi, 0);
	bar_put32(&e, 16 * 4096 + 0x40, 1 << 24);
	put_cmd(&e, 5, 0x800, 16, 16);
	ring(&e, 1 << 5);
	CHECK_EQ(e.hca.eqs.eq[1].pi, 1);
	CHECK_EQ(at(&e, EQ_PAGE)[1], 0x0a);
	CHECK_EQ(get_be32(at(&e, EQ_PAGE) + EQE_DATA), 1 << 5);
	CHECK_EQ(fired(fd), 1);
	/* And the one that destroys it, too. */
	put_cmd(&e, 0, FAKE_DESTROY_EQ, 16, 16);
	ring(&e, 1);
	CHECK_EQ(*status_of(&e, 0), 0);
	CHECK_EQ(fired(fd), 0);
	env_fini(&e);
}

static void no_dma_without_bus_master(void)
{
	uint8_t command = 2;
	struct env e;

	start(&e);
	put_cmd(&e, 0, 0x800, 16, 16);
	pci_write(&e.hca, 4, &command, 1);
	ring(&e, 1);
	CHECK_EQ(*status_of(&e, 0), 1);
	CHECK_EQ(fake.execs, 0);
	command = 6;
	pci_write(&e.hca, 4, &command, 1);
	ring(&e, 1);
	CHECK_EQ(*status_of(&e, 0), 0);
	env_fini(&e);
}

static void dead_device(void)
{
	struct env e;

	start(&e);
	e.hca.dead = true;
	put_cmd(&e, 0, 0x800, 16, 16);
	ring(&e, 1);
	CHECK_EQ(*status_of(&e, 0), 1);
	CHECK_EQ(bar_get32(&e, 0x230), 0xffffffff);
	env_fini(&e);
}

int main(void)
{
	static const struct tap_test tests[] = {
		TAP(registers_read_back),
		TAP(doorbell_of_a_slot_that_is_not_ours),
		TAP(queue_outside_of_memory),
		TAP(scripted_failure),
		TAP(scripted_transport_error),
		TAP(dropped_and_completed_late),
		TAP(dropped_slot_used_again),
		TAP(internal_error_completes_nothing),
		TAP(serial_by_default),
		TAP(parallel_workers),
		TAP(fast_one_overtakes_slow_one),
		TAP(page_queue_has_its_own_worker),
		TAP(reset_forgets_what_is_in_flight),
		TAP(completion_by_event),
		TAP(no_dma_without_bus_master),
		TAP(dead_device),
	};

	return TAP_RUN(tests);
}
