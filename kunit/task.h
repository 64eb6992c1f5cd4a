/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A task of a test's that waits, and can be killed.
 */
#ifndef MDX_KUNIT_TASK_H
#define MDX_KUNIT_TASK_H

#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>

/**
 * struct test_task - A task
 * @task: with a reference
 * @fn: what it does
 * @data: passed to @fn
 * @ret: result of @fn
 * @done: @fn has returned
 */
struct test_task {
	struct task_struct *task;
	int (*fn)(void *data);
	void *data;
	int ret;
	struct completion done;
};

static inline int test_task_run(void *data)
{
	struct test_task *t = data;

	allow_signal(SIGKILL);
	t->ret = t->fn(t->data);
	complete(&t->done);
	return 0;
}

static inline bool test_task_start(struct test_task *t, int (*fn)(void *data),
				   void *data)
{
	*t = (struct test_task){ .fn = fn, .data = data };
	init_completion(&t->done);
	t->task = kthread_create(test_task_run, t, "mdx_test");
	if (IS_ERR(t->task))
		return false;
	get_task_struct(t->task);
	wake_up_process(t->task);
	return true;
}

static inline void test_task_kill(struct test_task *t)
{
	send_sig(SIGKILL, t->task, 1);
}

/* The task sleeps until it gets what it waits for, or is killed. */
static inline bool test_task_waits(struct test_task *t)
{
	unsigned int i;

	for (i = 0; i < 5000; i++) {
		if (READ_ONCE(t->task->__state) & TASK_WAKEKILL &&
		    !completion_done(&t->done))
			return true;
		usleep_range(1000, 2000);
	}
	return false;
}

/* Return: result of the task */
static inline int test_task_join(struct test_task *t)
{
	wait_for_completion(&t->done);
	kthread_stop(t->task);
	put_task_struct(t->task);
	return t->ret;
}

#endif /* MDX_KUNIT_TASK_H */
