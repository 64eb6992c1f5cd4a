// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The command queue: order, workers, script rules, events. */
#include "queue_cmd.h"

static void registers_written_read_back(void)
{
	struct env e;

	start_queue(&e);
	CHECK_EQ(bar_get32(&e, 0x14), QUEUE | 5 << 4 | 6);
	CHECK_EQ(bar_get32(&e, 0x04) >> 16, 5);
	CHECK(bar_get32(&e, 0x230) != 0xffffffff);
	CHECK_EQ(bar_get32(&e, 0x1fc) >> 31, 0);
	bar_put32(&e, 0x14, QUEUE | 1 << 8);
	CHECK_EQ(bar_get32(&e, 0x14) >> 8 & 7, 1);
	env_fini(&e);
}

static void doorbell_software_slot_ignored(void)
{
	struct env e;

	start_queue(&e);
	put_cmd(&e, 0, STUB_ECHO, 16, 16);
	*status_of(&e, 0) = 0;
	ring_slots(&e, 1);
	CHECK_EQ(stub.execs, 0);
	env_fini(&e);
}

static void queue_unmapped_ignored(void)
{
	struct env e;

	start_queue(&e);
	bar_put32(&e, 0x14, 0);
	ring_slots(&e, 0xffffffff);
	bar_put32(&e, 0x10, 0xffffffff);
	bar_put32(&e, 0x14, 0xfffff000);
	ring_slots(&e, 0xffffffff);
	CHECK_EQ(stub.execs, 0);
	env_fini(&e);
}

static void rule_fail_answers_status(void)
{
	struct script_rule *r;
	struct env e;

	start_queue(&e);
	r = &e.hca.script.rules[MLX5_CMD_OP_ALLOC_PD];
	r->fail = 1;
	r->status = 0x0a;
	r->syndrome = 0x123456;
	put_cmd(&e, 0, MLX5_CMD_OP_ALLOC_PD, 16, 16);
	ring_slots(&e, 1);
	CHECK_EQ(*status_of(&e, 0), 0);
	CHECK_EQ(slot_entry(&e, 0)[0x20], 0x0a);
	CHECK_EQ(get_be32(slot_entry(&e, 0) + 0x24), 0x123456);
	CHECK_EQ(stub.execs, 0);
	put_cmd(&e, 0, MLX5_CMD_OP_ALLOC_PD, 16, 16);
	ring_slots(&e, 1);
	CHECK_EQ(slot_entry(&e, 0)[0x20], 0);
	CHECK_EQ(stub.execs, 1);
	CHECK_EQ(r->count, 2);
	env_fini(&e);
}

/*
 * A rule's answer replaces the execution, also of a command with a long output.
 */
static void rule_answer_executes_nothing(void)
{
	static const uint8_t answer[40] = { [8] = 0xff, [39] = 0x77 };
	struct script_rule *r;
	struct env e;

	start_queue(&e);
	r = &e.hca.script.rules[STUB_ECHO];
	CHECK(script_set_answer(r, answer, sizeof(answer), 1));
	put_cmd(&e, 0, STUB_ECHO, 16, 64);
	memset(block_at(&e, OUT_MAILBOXES, 0), 0x11, 64);
	ring_slots(&e, 1);
	CHECK_EQ(*status_of(&e, 0), 0);
	CHECK_EQ(slot_entry(&e, 0)[0x20], 0);
	CHECK_EQ(slot_entry(&e, 0)[0x28], 0xff);
	CHECK_EQ(block_at(&e, OUT_MAILBOXES, 0)[39 - 16], 0x77);
	/* The rest of the output is zero. */
	CHECK_EQ(block_at(&e, OUT_MAILBOXES, 0)[40 - 16], 0);
	CHECK_EQ(block_at(&e, OUT_MAILBOXES, 0)[47], 0);
	CHECK_EQ(stub.execs, 0);
	CHECK_EQ(r->count, 1);
	CHECK_EQ(r->answers, 0);
	/* The next command is executed. */
	put_cmd(&e, 0, STUB_ECHO, 16, 16);
	ring_slots(&e, 1);
	CHECK_EQ(slot_entry(&e, 0)[0x28], 0);
	CHECK_EQ(stub.execs, 1);
	env_fini(&e);
}

/* An answer may be longer than the output, and may hold an error status. */
static void rule_answer_cut_always(void)
{
	static const uint8_t answer[600] = { [0] = 0x05, [7] = 0x99, [16] = 1 };
	struct script_rule *r;
	struct env e;

	start_queue(&e);
	r = &e.hca.script.rules[STUB_ECHO];
	CHECK(script_set_answer(r, answer, sizeof(answer), SCRIPT_ALWAYS));
	put_cmd(&e, 0, STUB_ECHO, 16, 16);
	ring_slots(&e, 1);
	put_cmd(&e, 0, STUB_ECHO, 16, 8);
	ring_slots(&e, 1);
	CHECK_EQ(*status_of(&e, 0), 0);
	CHECK_EQ(slot_entry(&e, 0)[0x20], 0x05);
	CHECK_EQ(slot_entry(&e, 0)[0x27], 0x99);
	CHECK_EQ(r->answers, SCRIPT_ALWAYS);
	/* A failure rule comes first. */
	r->fail = 1;
	r->status = 0x0a;
	put_cmd(&e, 0, STUB_ECHO, 16, 16);
	ring_slots(&e, 1);
	CHECK_EQ(slot_entry(&e, 0)[0x20], 0x0a);
	CHECK_EQ(stub.execs, 0);
	env_fini(&e);
}

static void rule_transport_sets_delivery(void)
{
	struct env e;

	start_queue(&e);
	e.hca.script.rules[MLX5_CMD_OP_ALLOC_PD].transport = 1;
	e.hca.script.rules[MLX5_CMD_OP_ALLOC_PD].error = DELIVERY_FW;
	put_cmd(&e, 0, MLX5_CMD_OP_ALLOC_PD, 16, 16);
	expect_delivery(&e, DELIVERY_FW);
}

static void dropped_completes_on_request(void)
{
	struct env e;

	start_queue(&e);
	e.hca.script.rules[MLX5_CMD_OP_ALLOC_PD].drop = 1;
	put_cmd(&e, 0, MLX5_CMD_OP_ALLOC_PD, 16, 16);
	put_cmd(&e, 1, MLX5_CMD_OP_DEALLOC_PD, 16, 16);
	ring_slots(&e, 3);
	/* It was executed, and occupies no worker. */
	CHECK_EQ(*status_of(&e, 0), 1);
	CHECK_EQ(*status_of(&e, 1), 0);
	CHECK_EQ(stub.execs, 2);
	CHECK_EQ(cmdq_complete_dropped(&e.hca, false), 1);
	CHECK_EQ(*status_of(&e, 0), 0);
	CHECK_EQ(cmdq_complete_dropped(&e.hca, false), 0);
	env_fini(&e);
}

static void dropped_slot_reused(void)
{
	struct env e;

	start_queue(&e);
	e.hca.script.rules[MLX5_CMD_OP_ALLOC_PD].drop = 1;
	put_cmd(&e, 0, MLX5_CMD_OP_ALLOC_PD, 16, 16);
	ring_slots(&e, 1);
	put_cmd(&e, 0, MLX5_CMD_OP_DEALLOC_PD, 16, 16);
	ring_slots(&e, 1);
	CHECK_EQ(*status_of(&e, 0), 0);
	CHECK_EQ(cmdq_complete_dropped(&e.hca, false), 0);
	env_fini(&e);
}

static void internal_error_completes_nothing(void)
{
	struct env e;

	start_queue(&e);
	hca_internal_error(&e.hca, true);
	put_cmd(&e, 0, MLX5_CMD_OP_ALLOC_PD, 16, 16);
	ring_slots(&e, 1);
	CHECK_EQ(*status_of(&e, 0), 1);
	CHECK_EQ(stub.execs, 0);
	CHECK(bar_get32(&e, 0x238) >> 31);
	CHECK(bar_get32(&e, 0x23c) >> 16 & 0xff);
	CHECK_EQ(bar_get32(&e, 0x14) >> 8 & 7, 1);
	CHECK_EQ(bar_get32(&e, 0x1fc) >> 31, 1);
	/* At the end of the error, all earlier state is lost. */
	hca_internal_error(&e.hca, false);
	CHECK_EQ(bar_get32(&e, 0x23c), 0);
	CHECK_EQ(stub.resets, 1);
	CHECK_EQ(cmdq_complete_dropped(&e.hca, false), 0);
	env_fini(&e);
}

static void worker_single_by_default(void)
{
	uint64_t t = now_us();
	struct env e;
	unsigned int i;

	start_queue(&e);
	e.hca.script.delay_us = 10000;
	for (i = 0; i < 4; i++)
		put_cmd(&e, i, (uint16_t)(MLX5_CMD_OP_ALLOC_PD + i), 16, 16);
	ring_slots(&e, 0xf);
	CHECK_EQ(cmdq_in_flight(&e.hca.cmdq), 4);
	wait_for(&e, status_of(&e, 3), 0, 2000);
	CHECK_EQ(*status_of(&e, 3), 0);
	CHECK(now_us() - t >= 40000);
	for (i = 0; i < 4; i++)
		CHECK_EQ(stub.order[i], MLX5_CMD_OP_ALLOC_PD + i);
	env_fini(&e);
}

static void workers_run_in_parallel(void)
{
	struct env e;
	uint64_t t;
	unsigned int i;

	start_queue(&e);
	e.hca.script.delay_us = 100000;
	cmdq_set_workers(&e.hca, 4);
	t = now_us();
	for (i = 0; i < 4; i++)
		put_cmd(&e, i, MLX5_CMD_OP_ALLOC_PD, 16, 16);
	ring_slots(&e, 0xf);
	wait_for(&e, status_of(&e, 3), 0, 2000);
	CHECK_EQ(*status_of(&e, 3), 0);
	CHECK(now_us() - t >= 100000);
	CHECK(now_us() - t < 350000);
	env_fini(&e);
}

static void fast_command_overtakes_slow(void)
{
	struct env e;

	start_queue(&e);
	cmdq_set_workers(&e.hca, 2);
	e.hca.script.rules[MLX5_CMD_OP_ALLOC_PD].delayed = true;
	e.hca.script.rules[MLX5_CMD_OP_ALLOC_PD].delay_us = 50000;
	put_cmd(&e, 0, MLX5_CMD_OP_ALLOC_PD, 16, 16);
	put_cmd(&e, 1, MLX5_CMD_OP_DEALLOC_PD, 16, 16);
	ring_slots(&e, 3);
	CHECK_EQ(*status_of(&e, 0), 1);
	CHECK_EQ(*status_of(&e, 1), 0);
	wait_for(&e, status_of(&e, 0), 0, 2000);
	CHECK_EQ(*status_of(&e, 0), 0);
	env_fini(&e);
}

static void page_slot_own_worker(void)
{
	struct env e;

	start_queue(&e);
	e.hca.script.rules[MLX5_CMD_OP_ALLOC_PD].delayed = true;
	e.hca.script.rules[MLX5_CMD_OP_ALLOC_PD].delay_us = 10000000;
	put_cmd(&e, 0, MLX5_CMD_OP_ALLOC_PD, 16, 16);
	put_cmd(&e, 31, MLX5_CMD_OP_MANAGE_PAGES, 16, 16);
	ring_slots(&e, 1U << 31 | 1);
	CHECK_EQ(*status_of(&e, 0), 1);
	CHECK_EQ(*status_of(&e, 31), 0);
	env_fini(&e);
}

static void reset_forgets_in_flight(void)
{
	struct env e;

	start_queue(&e);
	e.hca.script.delay_us = 1000;
	put_cmd(&e, 0, MLX5_CMD_OP_ALLOC_PD, 16, 16);
	put_cmd(&e, 1, MLX5_CMD_OP_ALLOC_PD, 16, 16);
	ring_slots(&e, 3);
	hca_reset(&e.hca);
	wait_for(&e, status_of(&e, 0), 0, 20);
	CHECK_EQ(*status_of(&e, 0), 1);
	CHECK_EQ(stub.execs, 0);
	CHECK_EQ(stub.resets, 1);
	CHECK_EQ(bar_get32(&e, 0x14), 5 << 4 | 6);
	env_fini(&e);
}

static void completion_raises_event(void)
{
	static const uint64_t pas[] = { EQ_PAGE };
	int fd = eventfd(0, EFD_NONBLOCK);
	struct env e;

	start_queue(&e);
	irq_assign(&e.hca.irqs, 0, fd);
	eq_attr(&stub.eq, pas);
	put_cmd(&e, 0, STUB_CREATE_EQ, 16, 16);
	ring_slots(&e, 1);
	/* The command that creates the EQ is polled for. */
	CHECK_EQ(e.hca.eqs.eq[1].pi, 0);
	bar_put32(&e, 16 * 4096 + 0x40, 1 << 24);
	put_cmd(&e, 5, MLX5_CMD_OP_ALLOC_PD, 16, 16);
	ring_slots(&e, 1 << 5);
	CHECK_EQ(e.hca.eqs.eq[1].pi, 1);
	CHECK_EQ(guest_at(&e, EQ_PAGE)[1], 0x0a);
	CHECK_EQ(get_be32(guest_at(&e, EQ_PAGE) + EQE_DATA), 1 << 5);
	CHECK_EQ(times_fired(fd), 1);
	/* The command that destroys it is polled for as well. */
	put_cmd(&e, 0, STUB_DESTROY_EQ, 16, 16);
	ring_slots(&e, 1);
	CHECK_EQ(*status_of(&e, 0), 0);
	CHECK_EQ(times_fired(fd), 0);
	env_fini(&e);
}

static void master_off_no_dma(void)
{
	uint8_t command = 2;
	struct env e;

	start_queue(&e);
	put_cmd(&e, 0, MLX5_CMD_OP_ALLOC_PD, 16, 16);
	pci_write(&e.hca, 4, &command, 1);
	ring_slots(&e, 1);
	CHECK_EQ(*status_of(&e, 0), 1);
	CHECK_EQ(stub.execs, 0);
	command = 6;
	pci_write(&e.hca, 4, &command, 1);
	ring_slots(&e, 1);
	CHECK_EQ(*status_of(&e, 0), 0);
	env_fini(&e);
}

static void device_dead_does_nothing(void)
{
	struct env e;

	start_queue(&e);
	e.hca.dead = true;
	put_cmd(&e, 0, MLX5_CMD_OP_ALLOC_PD, 16, 16);
	ring_slots(&e, 1);
	CHECK_EQ(*status_of(&e, 0), 1);
	CHECK_EQ(bar_get32(&e, 0x230), 0xffffffff);
	env_fini(&e);
}

int main(void)
{
	static const struct hca_test tests[] = {
		TAP(registers_written_read_back),
		TAP(doorbell_software_slot_ignored),
		TAP(queue_unmapped_ignored),
		TAP(rule_fail_answers_status),
		TAP(rule_answer_executes_nothing),
		TAP(rule_answer_cut_always),
		TAP(rule_transport_sets_delivery),
		TAP(dropped_completes_on_request),
		TAP(dropped_slot_reused),
		TAP(internal_error_completes_nothing),
		TAP(worker_single_by_default),
		TAP(workers_run_in_parallel),
		TAP(fast_command_overtakes_slow),
		TAP(page_slot_own_worker),
		TAP(reset_forgets_in_flight),
		TAP(completion_raises_event),
		TAP(master_off_no_dma),
		TAP(device_dead_does_nothing),
	};

	return TAP_RUN(tests);
}
