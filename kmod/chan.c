// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Memory of channels. */
#include <linux/slab.h>

#include "channel.h"
#include "eventq.h"

/**
 * mdx_channel_alloc - Allocate a channel of no owner
 * @flags: enum mdx_channel_flags
 *
 * Return: the channel for mdx_channel_put(), or NULL
 */
struct mdx_chan *mdx_channel_alloc(u32 flags)
{
	struct mdx_chan *chan;

	chan = kzalloc(sizeof(*chan), GFP_KERNEL_ACCOUNT);
	if (!chan)
		return NULL;
	kref_init(&chan->ref);
	chan->flags = flags;
	spin_lock_init(&chan->lock);
	init_waitqueue_head(&chan->wait);
	INIT_LIST_HEAD(&chan->records);
	INIT_LIST_HEAD(&chan->unused);
	INIT_LIST_HEAD(&chan->entry);
	INIT_LIST_HEAD(&chan->subs);
	INIT_LIST_HEAD(&chan->chunks);
	return chan;
}

/* Also in softirqs, with the last subscription. */
static void channel_release(struct kref *ref)
{
	struct mdx_chan *chan = container_of(ref, struct mdx_chan, ref);

	mdx_eventq_free(chan);
	kfree(chan);
}

/**
 * mdx_channel_put - Drop a reference
 * @chan: the channel
 */
void mdx_channel_put(struct mdx_chan *chan)
{
	kref_put(&chan->ref, channel_release);
}
