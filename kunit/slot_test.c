// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The calls of an owner that are under way at a time.
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
#include "task.h"

/* As Documentation/design.md says */
#define LIMIT 16
#define LIMIT_THROTTLED 8

/* A task that has a slot until it is told to put it, or issues an ioctl. */
struct slot_sender {
	struct work_struct work;
	struct mm_struct *mm;
	struct completion release;
	int ret;
};

static struct {
	struct workqueue_struct *wq;
	struct slot_sender senders[LIMIT + 1];
	atomic_t got;
	struct completion answers;
	unsigned int woken;
	int used;
} s;

static struct mdx_slots *all_slots(void)
{
	return &env.file->owner->slots;
}

static struct mdx_slots *throttled_slots(void)
{
	return &env.file->owner->throttled_slots;
}

static int slots_used(struct mdx_slots *slots)
{
	return atomic_read(&slots->used);
}

static void sender_run(struct work_struct *work)
{
	struct slot_sender *sender = container_of(work, struct slot_sender, work);

	if (sender->mm) {
		sender->ret = env_send_general(sender->mm);
		return;
	}
	sender->ret = mdx_slot_get(all_slots());
	atomic_inc(&s.got);
	wait_for_completion(&sender->release);
	mdx_slot_put(all_slots());
}

static void sender_start(unsigned int i, struct mm_struct *mm)
{
	struct slot_sender *sender = &s.senders[i];

	sender->mm = mm;
	init_completion(&sender->release);
	INIT_WORK(&sender->work, sender_run);
	queue_work(s.wq, &sender->work);
}

static unsigned int waiting_n(void)
{
	unsigned int n;

	spin_lock_irq(&all_slots()->wait.lock);
	n = list_count_nodes(&all_slots()->wait.head);
	spin_unlock_irq(&all_slots()->wait.lock);
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

/* The last in the queue is called if the waiters before it are not enough. */
static int wake_last(struct wait_queue_entry *entry, unsigned int mode,
		     int flags, void *key)
{
	s.woken++;
	return 1;
}

static void take_slots(struct kunit *test, struct mdx_slots *from, unsigned int n)
{
	while (n--)
		KUNIT_EXPECT_EQ(test, mdx_slot_get(from), 0);
}

static void put_slots(struct mdx_slots *to, unsigned int n)
{
	while (n--)
		mdx_slot_put(to);
}

static void put_wakes_one(struct kunit *test)
{
	struct wait_queue_entry last;
	unsigned int i;

	take_slots(test, all_slots(), LIMIT);
	KUNIT_EXPECT_EQ(test, slots_used(all_slots()), LIMIT);
	sender_start(0, NULL);
	sender_start(1, NULL);
	KUNIT_EXPECT_TRUE(test, come_to(2, 0));
	init_waitqueue_func_entry(&last, wake_last);
	add_wait_queue_exclusive(&all_slots()->wait, &last);
	for (i = 1; i <= 2; i++) {
		mdx_slot_put(all_slots());
		KUNIT_EXPECT_TRUE(test, come_to(3 - i, i));
		KUNIT_EXPECT_EQ(test, slots_used(all_slots()), LIMIT);
		KUNIT_EXPECT_EQ(test, s.woken, 0);
	}
	mdx_slot_put(all_slots());
	KUNIT_EXPECT_EQ(test, s.woken, 1);
	KUNIT_EXPECT_EQ(test, slots_used(all_slots()), LIMIT - 1);
	remove_wait_queue(&all_slots()->wait, &last);
	for (i = 0; i < 2; i++) {
		complete(&s.senders[i].release);
		flush_work(&s.senders[i].work);
	}
	put_slots(all_slots(), LIMIT - 3);
	KUNIT_EXPECT_EQ(test, slots_used(all_slots()), 0);
}

static void hook_answer(u16 opcode)
{
	atomic_inc(&s.got);
	wait_for_completion(&s.answers);
}

static void calls_at_once_limited(struct kunit *test)
{
	unsigned int i;

	env_begin(OP(QUERY_HCA_CAP));
	env_put_general(16, 16);
	fw->hook = hook_answer;
	for (i = 0; i <= LIMIT; i++)
		sender_start(i, current->mm);
	KUNIT_EXPECT_TRUE(test, come_to(1, LIMIT));
	KUNIT_EXPECT_EQ(test, slots_used(all_slots()), LIMIT);
	KUNIT_EXPECT_EQ(test, fw->sent_n, LIMIT);
	complete(&s.answers);
	KUNIT_EXPECT_TRUE(test, come_to(0, LIMIT + 1));
	KUNIT_EXPECT_EQ(test, slots_used(all_slots()), LIMIT);
	complete_all(&s.answers);
	flush_workqueue(s.wq);
	KUNIT_EXPECT_EQ(test, slots_used(all_slots()), 0);
	KUNIT_EXPECT_EQ(test, fw->sent_n, LIMIT + 1);
	for (i = 0; i <= LIMIT; i++)
		KUNIT_EXPECT_EQ(test, s.senders[i].ret, 0);
}

static int slot_get_run(void *slots)
{
	return mdx_slot_get(slots);
}

static void waiter_killed(struct kunit *test)
{
	struct test_task task;

	take_slots(test, all_slots(), LIMIT);
	KUNIT_ASSERT_TRUE(test, test_task_start(&task, slot_get_run, all_slots()));
	KUNIT_EXPECT_TRUE(test, test_task_waits(&task));
	test_task_kill(&task);
	KUNIT_EXPECT_EQ(test, test_task_join(&task), -ERESTARTSYS);
	KUNIT_EXPECT_EQ(test, slots_used(all_slots()), LIMIT);
	KUNIT_EXPECT_EQ(test, waiting_n(), 0);
	put_slots(all_slots(), LIMIT);
}

static void contexts_have_own_slots(struct kunit *test)
{
	struct mdx_slots *first = all_slots();

	take_slots(test, first, LIMIT);
	KUNIT_ASSERT_EQ(test, env_open(1, 1), 0);
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), 0);
	KUNIT_EXPECT_EQ(test, slots_used(all_slots()), 0);
	KUNIT_EXPECT_EQ(test, slots_used(first), LIMIT);
	put_slots(first, LIMIT);
}

static void files_share_slots(struct kunit *test)
{
	struct mdx_slots *first = all_slots();

	KUNIT_ASSERT_EQ(test, env_open(1, 0), 0);
	KUNIT_EXPECT_PTR_EQ(test, all_slots(), first);
}

static void hook_used(u16 opcode)
{
	s.used = slots_used(all_slots()) * 100 + slots_used(throttled_slots());
}

static int create_general_object(void)
{
	env_begin(OP(CREATE_GENERAL_OBJECT));
	bits_put(env.in, 0x30, 16, 0xd);
	return env_create(16, 16);
}

static void general_objects_throttled(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, throttled_slots()->max, LIMIT_THROTTLED);
	fw->hook = hook_used;
	KUNIT_EXPECT_EQ(test, create_general_object(), 0);
	KUNIT_EXPECT_EQ(test, s.used, 101);
	env_begin(OP(QUERY_GENERAL_OBJECT));
	bits_put(env.in, 0x30, 16, 0xd);
	bits_put(env.in, 0x40, 32, fw->last_id);
	KUNIT_EXPECT_EQ(test, env_use(MDX_OP_QUERY, env.id, 16, 16), 0);
	KUNIT_EXPECT_EQ(test, s.used, 101);
	s.used = 0;
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), 0);
	KUNIT_EXPECT_EQ(test, s.used, 101);
	KUNIT_EXPECT_EQ(test, slots_used(throttled_slots()), 0);
	KUNIT_EXPECT_EQ(test, slots_used(all_slots()), 0);
}

static void others_pass_throttled(struct kunit *test)
{
	take_slots(test, throttled_slots(), LIMIT_THROTTLED);
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), 0);
	KUNIT_EXPECT_EQ(test, slots_used(throttled_slots()), LIMIT_THROTTLED);
	put_slots(throttled_slots(), LIMIT_THROTTLED);
}

static void every_end_puts_slot(struct kunit *test)
{
	static const int rets[] = { -EREMOTEIO, -EIO, -ENOMEM, -ETIMEDOUT };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rets); i++) {
		fw_rule(OP(ALLOC_PD), rets[i], 1, 1, 1);
		KUNIT_EXPECT_EQ(test, env_create_pd(), rets[i]);
		fw_rule(OP(CREATE_CQ), rets[i], 1, 1, 1);
		env_begin(OP(CREATE_CQ));
		KUNIT_EXPECT_EQ(test, env_create(272, 16), rets[i]);
		fw_rule(OP(CREATE_GENERAL_OBJECT), rets[i], 1, 1, 1);
		KUNIT_EXPECT_EQ(test, create_general_object(), rets[i]);
		KUNIT_EXPECT_EQ(test, slots_used(all_slots()), 0);
		KUNIT_EXPECT_EQ(test, slots_used(throttled_slots()), 0);
	}
	KUNIT_EXPECT_EQ(test, create_general_object(), 0);
	fw_rule(OP(DESTROY_GENERAL_OBJECT), -EREMOTEIO, 0x9, 1, 1);
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), -EREMOTEIO);
	KUNIT_EXPECT_EQ(test, env_create_to(16, 16, NULL), -EFAULT);
	KUNIT_EXPECT_EQ(test, slots_used(all_slots()), 0);
	KUNIT_EXPECT_EQ(test, slots_used(throttled_slots()), 0);
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
	KUNIT_CASE(calls_at_once_limited),
	KUNIT_CASE(waiter_killed),
	KUNIT_CASE(contexts_have_own_slots),
	KUNIT_CASE(files_share_slots),
	KUNIT_CASE(general_objects_throttled),
	KUNIT_CASE(others_pass_throttled),
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
