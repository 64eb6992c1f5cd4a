// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Delivery of events to subscriptions, in interrupts. */
#include <linux/lockdep.h>
#include <linux/rculist.h>
#include <linux/wait.h>

#include "channel.h"
#include "compat.h"
#include "eventq.h"
#include "subs.h"

/**
 * mdx_sub_hear - Tell a subscription of an event
 * @sub: the subscription, with mdx_chan::lock
 * @eqe: entry of the device; NULL, where none is read: it is not known any more
 *
 * Return: true if readers of the channel are to be woken
 */
bool mdx_sub_hear(struct mdx_sub *sub, const void *eqe)
{
	struct mdx_chan *chan = sub->chan;

	lockdep_assert_held(&chan->lock);

	if (!chan->owner || sub->ended)
		return false;
	if (sub->held) {
		sub->missed = true;
		return false;
	}
	if (sub->eventfd) {
		mdx_eventfd_signal(sub->eventfd);
		return false;
	}
	if (!(chan->flags & MDX_CHANNEL_OMIT_DATA)) {
		mdx_eventq_add(chan, sub->cookie, eqe);
		return true;
	}
	if (!list_empty(&sub->ready))
		return false;
	list_add_tail(&sub->ready, &chan->records);
	return true;
}

/**
 * mdx_subs_deliver - Tell subscriptions of an event
 * @subs: list of subscriptions, read under RCU
 * @eqe: entry of the device
 *
 * In an interrupt.
 */
void mdx_subs_deliver(struct list_head *subs, const void *eqe)
{
	struct mdx_sub *sub;
	unsigned long flags;
	bool wake;

	list_for_each_entry_rcu(sub, subs, of_topic) {
		spin_lock_irqsave(&sub->chan->lock, flags);
		wake = mdx_sub_hear(sub, eqe);
		spin_unlock_irqrestore(&sub->chan->lock, flags);
		if (wake)
			wake_up_interruptible(&sub->chan->wait);
	}
}
