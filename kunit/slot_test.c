// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * How many commands of a file the device has at a time.
 */
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "bits.h"
#include "fake_fw.h"
#include "obj_env.h"

/* As Documentation/design.md says */
#define LIMIT 16

/* A task that has a slot until it is told to give it back. */
struct sender {
	struct work_struct work;
	struct mdx_file *file;
	bool command;
	struct completion release;
};

static struct {
	struct workqueue_struct *wq;
	struct sender senders[LIMIT + 1];
	atomic_t got;
	struct completion answers;
	unsigned int woken;
} s;

static void send_command(struct mdx_file *file)
{
	u8 in[MDX_HDR_LEN] = {}, out[MDX_HDR_LEN];
	struct mdx_why why = {};
	struct mdx_cmd cmd = {
		.file = file, .why = &why, .in = in, .out = out,
		.in_len = sizeof(in), .out_len = sizeof(out),
	};

	bits_put(in, 0, 16, 0x80d);
	percpu_down_read(&env.mdx.live_sem);
	mdx_cmd_exec(&cmd, 0);
	percpu_up_read(&env.mdx.live_sem);
}

static void sender(struct work_struct *work)
{
	struct sender *sender = container_of(work, struct sender, work);

	if (sender->command) {
		send_command(sender->file);
		return;
	}
	mdx_slot_get(sender->file);
	atomic_inc(&s.got);
	wait_for_completion(&sender->release);
	mdx_slot_put(sender->file);
}

static void start(unsigned int i, bool command)
{
	struct sender *sender_of = &s.senders[i];

	sender_of->file = env.file;
	sender_of->command = command;
	init_completion(&sender_of->release);
	INIT_WORK(&sender_of->work, sender);
	queue_work(s.wq, &sender_of->work);
}

static unsigned int waiting(void)
{
	unsigned int n;

	spin_lock_irq(&env.file->slots.lock);
	n = list_count_nodes(&env.file->slots.head);
	spin_unlock_irq(&env.file->slots.lock);
	return n;
}

/* Those who wait, and those who have got a slot, are so many at last. */
static bool come_to(unsigned int waiting_n, unsigned int got_n)
{
	unsigned int i;

	for (i = 0; i < 5000; i++) {
		if (waiting() == waiting_n && atomic_read(&s.got) == got_n)
			return true;
		usleep_range(1000, 2000);
	}
	return false;
}

static int in_flight(void)
{
	return atomic_read(&env.file->in_flight);
}

/* The last in the queue: it is called if those before it are not enough. */
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

static void each_put_lets_one_of_them_in(struct kunit *test)
{
	struct wait_queue_entry last;
	unsigned int i;

	take_all();
	KUNIT_EXPECT_EQ(test, in_flight(), LIMIT);
	start(0, false);
	start(1, false);
	KUNIT_EXPECT_TRUE(test, come_to(2, 0));
	init_waitqueue_func_entry(&last, wake_last);
	add_wait_queue_exclusive(&env.file->slots, &last);
	for (i = 1; i <= 2; i++) {
		mdx_slot_put(env.file);
		KUNIT_EXPECT_TRUE(test, come_to(3 - i, i));
		KUNIT_EXPECT_EQ(test, in_flight(), LIMIT);
		KUNIT_EXPECT_EQ(test, s.woken, 0);
	}
	mdx_slot_put(env.file);
	KUNIT_EXPECT_EQ(test, s.woken, 1);
	KUNIT_EXPECT_EQ(test, in_flight(), LIMIT - 1);
	remove_wait_queue(&env.file->slots, &last);
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

static void the_device_has_so_many_at_a_time(struct kunit *test)
{
	unsigned int i;

	fw->hook = hook_answer;
	for (i = 0; i <= LIMIT; i++)
		start(i, true);
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

static void one_file_does_not_hold_up_another(struct kunit *test)
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

static void however_it_ends_a_command_gives_back(struct kunit *test)
{
	static const int rets[] = { -EREMOTEIO, -EIO, -ENOMEM, -ETIMEDOUT };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rets); i++) {
		fw_rule(0x800, rets[i], 1, 1, 1);
		KUNIT_EXPECT_EQ(test, env_create_pd(), rets[i]);
		KUNIT_EXPECT_EQ(test, in_flight(), 0);
		fw_rule(0x400, rets[i], 1, 1, 1);
		env_begin(0x400);
		KUNIT_EXPECT_EQ(test, env_create(272, 16), rets[i]);
		KUNIT_EXPECT_EQ(test, in_flight(), 0);
	}
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	fw_rule(0x801, -EREMOTEIO, 0x9, 1, 1);
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), -EREMOTEIO);
	KUNIT_EXPECT_EQ(test, in_flight(), 0);
}

static int cmds_init(struct kunit *test)
{
	memset(&s, 0, sizeof(s));
	init_completion(&s.answers);
	s.wq = alloc_workqueue("mdx_cmds", WQ_UNBOUND, 0);
	return s.wq ? env_init(test) : -ENOMEM;
}

static void cmds_exit(struct kunit *test)
{
	env_exit(test);
	if (s.wq)
		destroy_workqueue(s.wq);
}

static struct kunit_case cmds_cases[] = {
	KUNIT_CASE(each_put_lets_one_of_them_in),
	KUNIT_CASE(the_device_has_so_many_at_a_time),
	KUNIT_CASE(one_file_does_not_hold_up_another),
	KUNIT_CASE(however_it_ends_a_command_gives_back),
	{}
};

static struct kunit_suite cmds_suite = {
	.name = "mdx_cmds",
	.suite_init = env_suite_init,
	.suite_exit = env_suite_exit,
	.init = cmds_init,
	.exit = cmds_exit,
	.test_cases = cmds_cases,
};

kunit_test_suite(cmds_suite);
