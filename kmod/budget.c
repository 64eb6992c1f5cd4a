// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The budget of long mailboxes.
 */
#include <linux/sched/signal.h>

#include "budget.h"

/**
 * mdx_budget_init - Begin with all bytes unused
 * @budget: the budget
 */
void mdx_budget_init(struct mdx_budget *budget)
{
	spin_lock_init(&budget->lock);
	budget->used = 0;
	init_waitqueue_head(&budget->wait);
	mutex_init(&budget->turn);
}

static bool try_get(struct mdx_budget *budget, u32 bytes)
{
	bool fits;

	spin_lock(&budget->lock);
	fits = budget->used + bytes <= MDX_LONG_BYTES_MAX;
	if (fits)
		budget->used += bytes;
	spin_unlock(&budget->lock);
	return fits;
}

/**
 * mdx_budget_get - Wait for bytes of the budget
 * @budget: the budget; no lock is held
 * @bytes: at most MDX_LONG_BYTES_MAX
 *
 * Return: 0, or -EINTR or -ERESTARTSYS if the task was killed
 */
int mdx_budget_get(struct mdx_budget *budget, u32 bytes)
{
	int ret;

	ret = mutex_lock_killable(&budget->turn);
	if (ret)
		return ret;
	ret = wait_event_killable(budget->wait, try_get(budget, bytes));
	mutex_unlock(&budget->turn);
	return ret;
}

/**
 * mdx_budget_put - Give bytes back
 * @budget: the budget
 * @bytes: as for mdx_budget_get()
 */
void mdx_budget_put(struct mdx_budget *budget, u32 bytes)
{
	spin_lock(&budget->lock);
	budget->used -= bytes;
	spin_unlock(&budget->lock);
	wake_up(&budget->wait);
}
