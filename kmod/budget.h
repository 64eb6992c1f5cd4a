/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The budget of long mailboxes. mlx5_core copies mailboxes to blocks of its own,
 * twice their size, which it charges to no cgroup and frees only with the device.
 * So the bytes of long mailboxes that are with a device at a time are bounded, for
 * all users together.
 */
#ifndef MDX_BUDGET_H
#define MDX_BUDGET_H

#include <linux/mutex.h>
#include <linux/sizes.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/wait.h>

/* Mailboxes up to this length cost nothing: the stock driver takes no longer ones. */
#define MDX_LONG_MBOX_LEN SZ_64K
/* Both mailboxes of one command fit. */
#define MDX_LONG_BYTES_MAX SZ_4M

/**
 * struct mdx_budget - Bytes of long mailboxes
 * @lock: protects @used
 * @used: bytes in use
 * @wait: the task that is to have bytes next
 * @turn: held by that task, so that a long command is not overtaken for ever
 */
struct mdx_budget {
	spinlock_t lock; /* used */
	u32 used;
	wait_queue_head_t wait;
	struct mutex turn; /* one task waits for bytes */
};

/* Bytes that a command takes of the budget. */
static inline u32 mdx_budget_bytes(u32 in_len, u32 out_len)
{
	if (in_len <= MDX_LONG_MBOX_LEN && out_len <= MDX_LONG_MBOX_LEN)
		return 0;
	return in_len + out_len;
}

void mdx_budget_init(struct mdx_budget *budget);
int mdx_budget_get(struct mdx_budget *budget, u32 bytes);
void mdx_budget_put(struct mdx_budget *budget, u32 bytes);

#endif /* MDX_BUDGET_H */
