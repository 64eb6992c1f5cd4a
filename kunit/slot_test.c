// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The commands of a file that the device has at a time.
 */
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "fake_fw.h"
#include "mbox_bits.h"
#include "obj_env.h"
#include "../kmod/slot.h"
#include "optab_rows.h"

/* As Documentation/design.md says */
#define LIMIT 16

/* A task that has a slot until it is told to put it. */
struct slot_sender {
	struct work_struct work;
	struct mdx_file *file;
	bool command;
	struct completion release;
};

static struct {
	struct workqueue_struct *wq;
	struct slot_sender senders[LIMIT + 1];
	atomic_t got;
	struct completion answers;
	unsigned int woken;
} s;

static void send_command(struct mdx_file *file)
{
	u8 in[MDX_HDR_LEN] = {}, out[MDX_HDR_LEN];
	struct mdx_err_info err = {};
	struct mdx_cmd cmd = {
		.file = file, .err = &err, .in = in, .out = out,
		.in_len = sizeof(in), .out_len = sizeof(out),
	};

	bits_put(in, 0, 16, OP(NOP));
	guard(mdx_live)(&env.mdx);
	mdx_cmd_exec(&cmd, 0);
}

static void sender_run(struct work_struct *work)
{
	struct slot_sender *sender = container_of(work, struct slot_sender, work);

	if (sender->command) {
		send_command(sender->file);
		return;
	}
	mdx_slot_get(sender->file);
	atomic_inc(&s.got);
	wait_for_completion(&sender->release);
	mdx_slot_put(sender->file);
}

static void sender_start(unsigned int i, bool command)
{
	struct slot_sender *sender = &s.senders[i];

	sender->file = env.file;
	sender->command = command;
	init_completion(&sender->release);
	INIT_WORK(&sender->work, sender_run);
	queue_work(s.wq, &sender->work);
}

static unsigned int waiting_n(void)
{
	unsigned int n;

	spin_lock_irq(&env.file->slot_wait.lock);
	n = list_count_nodes(&env.file->slot_wait.head);
	spin_unlock_irq(&env.file->slot_wait.lock);
	return n;
}

/* Waits until so many senders wait and so many have got a slot. */
static bool come_to(unsigned int waiting, unsigned int got)
{
	unsigned int i;

	for (i = 0; i < 5000; i++) {
		if (waiting_n() == waiting && atomic_read(&s.got) == got)
			return true;
		usleep_range(1000, 2000);
	}
	return false;
}

static int in_flight(void)
{
	return atomic_read(&env.file->in_flight);
}

/* The last in the queue is called if the waiters before it are not enough. */
static int wake_last(struct wait_queue_entry *entry, unsigned int mode,
		     int flags, void *key)
{
	s.woken++;
	return 1;
}

static void take_all(void)
{
	unsigned int i;

	for (i = 0; i < LIMIT; i++)
		mdx_slot_get(env.file);
}

static void put_wakes_one(struct kunit *test)
{
	struct wait_queue_entry last;
	unsigned int i;

	take_all();
	KUNIT_EXPECT_EQ(test, in_flight(), LIMIT);
	sender_start(0, false);
	sender_start(1, false);
	KUNIT_EXPECT_TRUE(test, come_to(2, 0));
	init_waitqueue_func_entry(&last, wake_last);
	add_wait_queue_exclusive(&env.file->slot_wait, &last);
	for (i = 1; i <= 2; i++) {
		mdx_slot_put(env.file);
		KUNIT_EXPECT_TRUE(test, come_to(3 - i, i));
		KUNIT_EXPECT_EQ(test, in_flight(), LIMIT);
		KUNIT_EXPECT_EQ(test, s.woken, 0);
	}
	mdx_slot_put(env.file);
	KUNIT_EXPECT_EQ(test, s.woken, 1);
	KUNIT_EXPECT_EQ(test, in_flight(), LIMIT - 1);
	remove_wait_queue(&env.file->slot_wait, &last);
	for (i = 0; i < 2; i++) {
		complete(&s.senders[i].release);
		flush_work(&s.senders[i].work);
	}
	for (i = 3; i < LIMIT; i++)
		mdx_slot_put(env.file);
	KUNIT_EXPECT_EQ(test, in_flight(), 0);
}

static void hook_answer(u16 opcode)
{
	atomic_inc(&s.got);
	wait_for_completion(&s.answers);
}

static void commands_at_once_limited(struct kunit *test)
{
	unsigned int i;

	fw->hook = hook_answer;
	for (i = 0; i <= LIMIT; i++)
		sender_start(i, true);
	KUNIT_EXPECT_TRUE(test, come_to(1, LIMIT));
	KUNIT_EXPECT_EQ(test, in_flight(), LIMIT);
	KUNIT_EXPECT_EQ(test, fw->sent_n, LIMIT);
	complete(&s.answers);
	KUNIT_EXPECT_TRUE(test, come_to(0, LIMIT + 1));
	KUNIT_EXPECT_EQ(test, in_flight(), LIMIT);
	complete_all(&s.answers);
	flush_workqueue(s.wq);
	KUNIT_EXPECT_EQ(test, in_flight(), 0);
	KUNIT_EXPECT_EQ(test, fw->sent_n, LIMIT + 1);
}

static void files_have_own_slots(struct kunit *test)
{
	struct mdx_file *first = env.file;
	unsigned int i;

	take_all();
	KUNIT_ASSERT_EQ(test, env_open(1, 0), 0);
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), 0);
	KUNIT_EXPECT_EQ(test, in_flight(), 0);
	env.file = first;
	KUNIT_EXPECT_EQ(test, in_flight(), LIMIT);
	for (i = 0; i < LIMIT; i++)
		mdx_slot_put(first);
}

static void every_end_puts_slot(struct kunit *test)
{
	static const int rets[] = { -EREMOTEIO, -EIO, -ENOMEM, -ETIMEDOUT };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rets); i++) {
		fw_rule(OP(ALLOC_PD), rets[i], 1, 1, 1);
		KUNIT_EXPECT_EQ(test, env_create_pd(), rets[i]);
		KUNIT_EXPECT_EQ(test, in_flight(), 0);
		fw_rule(OP(CREATE_CQ), rets[i], 1, 1, 1);
		env_begin(OP(CREATE_CQ));
		KUNIT_EXPECT_EQ(test, env_create(272, 16), rets[i]);
		KUNIT_EXPECT_EQ(test, in_flight(), 0);
	}
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	fw_rule(OP(DEALLOC_PD), -EREMOTEIO, 0x9, 1, 1);
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), -EREMOTEIO);
	KUNIT_EXPECT_EQ(test, in_flight(), 0);
}

static int slot_init(struct kunit *test)
{
	memset(&s, 0, sizeof(s));
	init_completion(&s.answers);
	s.wq = alloc_workqueue("mdx_slot", WQ_UNBOUND, 0);
	return s.wq ? env_init(test) : -ENOMEM;
}

static void slot_exit(struct kunit *test)
{
	env_exit(test);
	if (s.wq)
		destroy_workqueue(s.wq);
}

static struct kunit_case slot_cases[] = {
	KUNIT_CASE(put_wakes_one),
	KUNIT_CASE(commands_at_once_limited),
	KUNIT_CASE(files_have_own_slots),
	KUNIT_CASE(every_end_puts_slot),
	{}
};

static struct kunit_suite slot_suite = {
	.name = "mdx_slot",
	.suite_init = env_suite_init,
	.suite_exit = env_suite_exit,
	.init = slot_init,
	.exit = slot_exit,
	.test_cases = slot_cases,
};

kunit_test_suite(slot_suite);
