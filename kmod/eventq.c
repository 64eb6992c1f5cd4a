// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Events that wait in a channel.
 *
 * An interrupt takes an unused record, a reader gives it back. Records are allocated
 * by MDX_IOC_CHANNEL and MDX_IOC_SUBSCRIBE only, where memory can be waited for and
 * is charged to the caller's cgroup.
 */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "channel.h"
#include "eventq.h"
#include "evtab.h"

/**
 * struct mdx_event_data - An event as it is read
 * @cookie: of the subscription
 * @eqe: entry of the device
 */
struct mdx_event_data {
	u64 cookie;
	u8 eqe[MDX_EQE_LEN];
};

/**
 * struct mdx_event_rec - Room for an event
 * @entry: in mdx_chan::records or mdx_chan::unused
 * @data: the event
 */
struct mdx_event_rec {
	struct list_head entry;
	struct mdx_event_data data;
};

/**
 * struct mdx_event_chunk - Records that were allocated together
 * @entry: in mdx_chan::chunks
 * @recs: the records
 */
struct mdx_event_chunk {
	struct list_head entry;
	struct mdx_event_rec recs[];
};

static int room_add(struct mdx_chan *chan, u32 n)
{
	struct mdx_event_chunk *chunk;
	LIST_HEAD(recs);
	u32 i;

	chunk = kvmalloc(struct_size(chunk, recs, n), GFP_KERNEL_ACCOUNT);
	if (!chunk)
		return -ENOMEM;
	for (i = 0; i < n; i++)
		list_add_tail(&chunk->recs[i].entry, &recs);
	list_add(&chunk->entry, &chan->chunks);
	chan->room += n;
	spin_lock_irq(&chan->lock);
	list_splice(&recs, &chan->unused);
	spin_unlock_irq(&chan->lock);
	return 0;
}

/**
 * mdx_eventq_expand - Make room for events
 * @chan: a channel with MDX_CHANNEL_EVENTS; no other task expands it
 * @room: events that it shall have room for; MDX_CHANNEL_DEPTH_MAX is enough for any
 *
 * Room grows by a quarter at least, so that many small steps are few allocations.
 *
 * Return: 0, or -ENOMEM
 */
int mdx_eventq_expand(struct mdx_chan *chan, u32 room)
{
	u32 more = chan->room + chan->room / 4;

	room = min_t(u32, room, MDX_CHANNEL_DEPTH_MAX);
	if (chan->flags & MDX_CHANNEL_OMIT_DATA || room <= chan->room)
		return 0;
	more = min_t(u32, max(room, more), MDX_CHANNEL_DEPTH_MAX);
	return room_add(chan, more - chan->room);
}

/**
 * mdx_eventq_add - Leave an event to the readers of a channel
 * @chan: a channel with MDX_CHANNEL_EVENTS, with its lock
 * @cookie: of the subscription
 * @eqe: entry of the device
 *
 * Return: true if there was room; else readers are told of the loss
 */
bool mdx_eventq_add(struct mdx_chan *chan, u64 cookie, const void *eqe)
{
	struct mdx_event_rec *rec;

	lockdep_assert_held(&chan->lock);

	rec = list_first_entry_or_null(&chan->unused, struct mdx_event_rec,
				       entry);
	if (!rec) {
		chan->lost = true;
		return false;
	}
	rec->data.cookie = cookie;
	memcpy(rec->data.eqe, eqe, MDX_EQE_LEN);
	list_move_tail(&rec->entry, &chan->records);
	return true;
}

/**
 * mdx_eventq_read - Read an event
 * @chan: a channel with MDX_CHANNEL_EVENTS
 * @buf: the reader's buffer
 * @count: its length
 *
 * Return: length of the event, or an errno as that of mdx_channel_state()
 */
ssize_t mdx_eventq_read(struct mdx_chan *chan, char __user *buf, size_t count)
{
	struct mdx_event_data data;
	struct mdx_event_rec *rec;
	int ret;

	spin_lock_irq(&chan->lock);
	ret = mdx_channel_state(chan);
	if (!ret && count < sizeof(data))
		ret = -EINVAL;
	if (!ret) {
		rec = list_first_entry(&chan->records, struct mdx_event_rec,
				       entry);
		data = rec->data;
		list_move(&rec->entry, &chan->unused);
	}
	spin_unlock_irq(&chan->lock);
	if (ret)
		return ret;
	return copy_to_user(buf, &data, sizeof(data)) ? -EFAULT : sizeof(data);
}

/**
 * mdx_eventq_free - Free the room of a channel
 * @chan: a channel that no task and no interrupt uses any more
 */
void mdx_eventq_free(struct mdx_chan *chan)
{
	struct mdx_event_chunk *chunk, *next;

	list_for_each_entry_safe(chunk, next, &chan->chunks, entry)
		kvfree(chunk);
}
