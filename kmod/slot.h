/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Command slots: the calls of an owner that may be under way at a time. mlx5_core
 * has 31 slots for a device, and a task that waits for one keeps all later commands
 * waiting, of every user. So an owner has fewer, however many files and threads it
 * has.
 */
#ifndef MDX_SLOT_H
#define MDX_SLOT_H

#include <linux/atomic.h>
#include <linux/wait.h>

/* Of an owner: all commands, and those mlx5_core throttles. */
#define MDX_SLOTS_MAX 16
#define MDX_SLOTS_THROTTLED 8

/**
 * struct mdx_slots - Slots of one sort
 * @used: slots that are taken
 * @max: slots there are
 * @wait: tasks that wait for one
 */
struct mdx_slots {
	atomic_t used;
	int max;
	wait_queue_head_t wait;
};

static inline void mdx_slots_init(struct mdx_slots *slots, int max)
{
	atomic_set(&slots->used, 0);
	slots->max = max;
	init_waitqueue_head(&slots->wait);
}

static inline bool mdx_slot_try_get(struct mdx_slots *slots)
{
	return atomic_add_unless(&slots->used, 1, slots->max);
}

int mdx_slot_wait(struct mdx_slots *slots);

/**
 * mdx_slot_get - Wait for a slot
 * @slots: of the caller's owner; no lock is held
 *
 * Return: 0, or -ERESTARTSYS if the task was killed
 */
static inline int mdx_slot_get(struct mdx_slots *slots)
{
	return mdx_slot_try_get(slots) ? 0 : mdx_slot_wait(slots);
}

/**
 * mdx_slot_put - Give a slot back
 * @slots: as for mdx_slot_get()
 *
 * Return: true if a task waited for it: a caller that could do with fewer slots leaves
 * it to that task
 */
static inline bool mdx_slot_put(struct mdx_slots *slots)
{
	atomic_dec(&slots->used);
	if (!wq_has_sleeper(&slots->wait))
		return false;
	wake_up(&slots->wait);
	return true;
}

#endif /* MDX_SLOT_H */
