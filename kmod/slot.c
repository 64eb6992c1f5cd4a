// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Waiting for a command slot; most calls find one that is free. */
#include <linux/sched/signal.h>

#include "slot.h"

/**
 * mdx_slot_wait - Wait for a slot when none was free
 * @slots: as for mdx_slot_get()
 *
 * Return: as mdx_slot_get()
 */
int mdx_slot_wait(struct mdx_slots *slots)
{
	/* Exclusive: one slot that becomes free wakes one waiter. */
	return wait_event_killable_exclusive(slots->wait,
					     mdx_slot_try_get(slots));
}
