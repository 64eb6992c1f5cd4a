/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Command slots: the commands a file has with the device at a time. mlx5_core has
 * 31 slots for a device, and a task that waits for one keeps all later commands
 * waiting, of every user. So a file has fewer.
 */
#ifndef MDX_SLOT_H
#define MDX_SLOT_H

#include <linux/atomic.h>
#include <linux/wait.h>

#include "file.h"

#define MDX_SLOTS_MAX 16

static inline bool mdx_slot_try_get(struct mdx_file *file)
{
	return atomic_add_unless(&file->in_flight, 1, MDX_SLOTS_MAX);
}

/**
 * mdx_slot_get - Wait until the file may send a command
 * @file: its device is under mdx_live; waits for commands of the same file only
 */
static inline void mdx_slot_get(struct mdx_file *file)
{
	/* Exclusive: one slot that becomes free wakes one waiter. */
	if (!mdx_slot_try_get(file))
		wait_event_idle_exclusive(file->slot_wait,
					  mdx_slot_try_get(file));
}

/**
 * mdx_slot_put - A command has ended
 * @file: the file
 */
static inline void mdx_slot_put(struct mdx_file *file)
{
	atomic_dec(&file->in_flight);
	if (wq_has_sleeper(&file->slot_wait))
		wake_up(&file->slot_wait);
}

#endif /* MDX_SLOT_H */
