/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Channels: files from which user space reads events and answers of commands.
 */
#ifndef MDX_CHANNEL_H
#define MDX_CHANNEL_H

#include <linux/errno.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/wait.h>

#include <mdx/mdx_uapi.h>

struct mdx_dev;
struct mdx_file;
struct mdx_owner;
struct mdx_ucmd;

/**
 * struct mdx_chan - A channel
 * @ref: held by the file, by each subscription and by each command under way
 * @mdx: the device, with a reference of the file's: valid until the file is released
 * @flags: enum mdx_channel_flags
 * @lock: protects all fields below up to @bytes; taken in interrupts
 * @wait: tasks that read or poll
 * @owner: its owner, valid as long as the pointer is set; NULL: the channel has ended
 * @lost: events were lost since the last read
 * @records: to be read, oldest first: struct mdx_event_rec, struct mdx_done_rec or,
 *	with MDX_CHANNEL_OMIT_DATA, struct mdx_sub
 * @unused: unused struct mdx_event_rec
 * @answers: answers that are reserved or not read
 * @bytes: their output mailboxes
 * @entry: in mdx_file::chans; this and the fields below are under mdx_events::lock
 * @subs: its subscriptions
 * @subs_n: those among them that have records
 * @chunks: memory of the records
 * @room: records in it
 */
struct mdx_chan {
	struct kref ref;
	struct mdx_dev *mdx;
	u32 flags;
	spinlock_t lock; /* owner to bytes */
	wait_queue_head_t wait;
	struct mdx_owner *owner;
	bool lost;
	struct list_head records;
	struct list_head unused;
	u32 answers;
	u32 bytes;
	struct list_head entry;
	struct list_head subs;
	u32 subs_n;
	struct list_head chunks;
	u32 room;
};

/**
 * struct mdx_done_rec - The answer of a command on its way to a channel
 * @entry: in mdx_chan::records, once the command has ended
 * @done: the result: all but out_len is the submitter's to fill in
 * @out: done.out_len bytes of the answer; zero from the start
 */
struct mdx_done_rec {
	struct list_head entry;
	struct mdx_done done;
	u8 out[];
};

/**
 * mdx_channel_state - Test whether a channel can be read
 * @chan: the channel with its lock
 *
 * Return: 0 if there is a record; -EIO, -EOVERFLOW (once), or -EAGAIN
 */
static inline int mdx_channel_state(struct mdx_chan *chan)
{
	lockdep_assert_held(&chan->lock);

	if (!chan->owner)
		return -EIO;
	if (chan->lost) {
		chan->lost = false;
		return -EOVERFLOW;
	}
	return list_empty(&chan->records) ? -EAGAIN : 0;
}

int mdx_ioc_channel(struct mdx_ucmd *ucmd);
void mdx_channel_end_all(struct mdx_dev *mdx, struct list_head *chans);

struct mdx_chan *mdx_channel_get(int fd, struct mdx_owner *owner, u32 kind);

/* chan.c */
struct mdx_chan *mdx_channel_alloc(u32 flags);
void mdx_channel_put(struct mdx_chan *chan);

/* done.c */
struct mdx_done_rec *mdx_channel_reserve(struct mdx_chan *chan, u32 out_len);
void mdx_channel_complete(struct mdx_chan *chan, struct mdx_done_rec *rec);
void mdx_channel_unreserve(struct mdx_chan *chan, struct mdx_done_rec *rec);
ssize_t mdx_done_read(struct mdx_chan *chan, char __user *buf, size_t count);
void mdx_done_drop(struct list_head *records);

#endif /* MDX_CHANNEL_H */
