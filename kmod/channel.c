// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Channels: files from which user space reads events and answers of commands.
 *
 * A channel belongs to the file that made it and to its owner, and has a reference on
 * neither, so it delays no end: it is ended by them. What it has a reference on
 * is memory only. Its own file may be closed at any time; subscriptions and commands
 * under way keep the memory.
 */
#include <linux/anon_inodes.h>
#include <linux/fcntl.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/poll.h>

#include "channel.h"
#include "dev.h"
#include "eventq.h"
#include "file.h"
#include "owner.h"
#include "subs.h"
#include "ucmd.h"

/* Events that a channel has room for unless it is asked for more. */
#define DEPTH_DEFAULT 256

/* Records that no task will read. */
static void records_drop(struct mdx_chan *chan, struct list_head *records)
{
	if (chan->flags & MDX_CHANNEL_COMPLETIONS)
		mdx_done_drop(records);
	else if (chan->flags & MDX_CHANNEL_OMIT_DATA)
		mdx_subs_drop_ready(records);
}

static void channel_end(struct mdx_chan *chan)
{
	LIST_HEAD(records);

	lockdep_assert_held(&chan->mdx->events.lock);

	if (!chan->owner)
		return;
	list_del_init(&chan->entry);
	mdx_subs_end_of_chan(chan);
	spin_lock_irq(&chan->lock);
	chan->owner = NULL;
	list_splice_init(&chan->records, &records);
	spin_unlock_irq(&chan->lock);
	wake_up_interruptible_all(&chan->wait);
	records_drop(chan, &records);
}

/**
 * mdx_channel_end_all - End the channels that a file has made
 * @mdx: device of the file
 * @chans: mdx_file::chans, to which no task adds any more
 *
 * On return no interrupt adds a record, and no subscription of theirs is left.
 */
void mdx_channel_end_all(struct mdx_dev *mdx, struct list_head *chans)
{
	struct mdx_chan *chan, *next;

	guard(mutex)(&mdx->events.lock);
	list_for_each_entry_safe(chan, next, chans, entry)
		channel_end(chan);
}

static ssize_t record_read(struct mdx_chan *chan, char __user *buf, size_t count)
{
	if (chan->flags & MDX_CHANNEL_COMPLETIONS)
		return mdx_done_read(chan, buf, count);
	if (chan->flags & MDX_CHANNEL_OMIT_DATA)
		return mdx_sub_read(chan, buf, count);
	return mdx_eventq_read(chan, buf, count);
}

static __poll_t poll_mask(struct mdx_chan *chan)
{
	__poll_t mask = 0;

	spin_lock_irq(&chan->lock);
	if (!chan->owner)
		mask = EPOLLIN | EPOLLRDNORM | EPOLLHUP | EPOLLRDHUP;
	else if (chan->lost || !list_empty(&chan->records))
		mask = EPOLLIN | EPOLLRDNORM;
	spin_unlock_irq(&chan->lock);
	return mask;
}

/* The read of a channel */
static ssize_t channel_read(struct file *filp, char __user *buf, size_t count,
			    loff_t *pos)
{
	struct mdx_chan *chan = filp->private_data;
	ssize_t ret;

	while ((ret = record_read(chan, buf, count)) == -EAGAIN) {
		if (filp->f_flags & O_NONBLOCK)
			break;
		if (wait_event_interruptible(chan->wait, poll_mask(chan)))
			return -ERESTARTSYS;
	}
	return ret;
}

/* The poll of a channel */
static __poll_t channel_poll(struct file *filp, struct poll_table_struct *wait)
{
	struct mdx_chan *chan = filp->private_data;

	poll_wait(filp, &chan->wait, wait);
	return poll_mask(chan);
}

/* The release of a channel */
static int channel_close(struct inode *inode, struct file *filp)
{
	struct mdx_chan *chan = filp->private_data;
	struct mdx_dev *mdx = chan->mdx;

	scoped_guard(mutex, &mdx->events.lock)
		channel_end(chan);
	mdx_channel_put(chan);
	mdx_dev_put(mdx);
	return 0;
}

static const struct file_operations channel_fops = {
	.owner = THIS_MODULE,
	.read = channel_read,
	.poll = channel_poll,
	.release = channel_close,
};

/* The file takes over the channel on success. */
static int channel_open(struct mdx_chan *chan, struct mdx_ucmd *ucmd)
{
	struct file *filp;
	int fd;

	fd = get_unused_fd_flags(O_CLOEXEC);
	if (fd < 0)
		return fd;
	filp = anon_inode_getfile("[mlx5_devx]", &channel_fops, chan, O_RDONLY);
	if (IS_ERR(filp)) {
		put_unused_fd(fd);
		return PTR_ERR(filp);
	}
	ucmd->new_fd = fd;
	ucmd->new_filp = filp;
	return 0;
}

/* Until the owner ends, which it may have already. */
static int channel_attach(struct mdx_chan *chan, struct mdx_file *file)
{
	struct mdx_owner *owner = file->owner;
	int ret;

	guard(mdx_live)(owner->mdx);
	guard(mdx_owner_live)(owner);
	ret = mdx_owner_check(owner);
	if (ret)
		return ret;
	guard(mutex)(&owner->mdx->events.lock);
	chan->owner = owner;
	list_add(&chan->entry, &file->chans);
	return 0;
}

/* One of the two, and what goes with it. */
static bool is_valid(const struct mdx_ioc_channel *arg)
{
	switch (arg->flags) {
	case MDX_CHANNEL_EVENTS:
	case MDX_CHANNEL_EVENTS | MDX_CHANNEL_OMIT_DATA:
		return arg->depth <= MDX_CHANNEL_DEPTH_MAX;
	case MDX_CHANNEL_COMPLETIONS:
	case MDX_CHANNEL_COMPLETIONS | MDX_CHANNEL_PLAIN:
		return !arg->depth;
	default:
		return false;
	}
}

static int channel_begin(struct mdx_chan *chan, struct mdx_ucmd *ucmd)
{
	const struct mdx_ioc_channel *arg = ucmd->arg;
	struct mdx_dev *mdx = ucmd->file->owner->mdx;
	int ret = 0;

	if (arg->flags & MDX_CHANNEL_EVENTS)
		ret = mdx_eventq_expand(chan, arg->depth ?: DEPTH_DEFAULT);
	if (ret)
		return ret;
	chan->mdx = mdx;
	ret = channel_open(chan, ucmd);
	if (ret)
		return ret;
	kref_get(&mdx->ref);
	return channel_attach(chan, ucmd->file);
}

/* MDX_IOC_CHANNEL */
int mdx_ioc_channel(struct mdx_ucmd *ucmd)
{
	struct mdx_owner *owner = mdx_file_owner(ucmd->file);
	struct mdx_ioc_channel *arg = ucmd->arg;
	struct mdx_chan *chan;
	int ret;

	if (IS_ERR(owner))
		return PTR_ERR(owner);
	if (!is_valid(arg))
		return -EINVAL;
	ucmd->err.stage = MDX_STAGE_MEMORY;
	chan = mdx_channel_alloc(arg->flags);
	if (!chan)
		return -ENOMEM;
	ret = channel_begin(chan, ucmd);
	/* From then on the file has it. */
	if (!ucmd->new_filp)
		mdx_channel_put(chan);
	arg->out_fd = ucmd->new_fd;
	return ret;
}

/**
 * mdx_channel_get - Find a channel by its descriptor
 * @fd: any number
 * @owner: the owner that it has to be of
 * @kind: MDX_CHANNEL_EVENTS or MDX_CHANNEL_COMPLETIONS
 *
 * The channel may end at any time. With mdx_events::lock held it does not.
 *
 * Return: the channel for mdx_channel_put(), or -EBADF
 */
struct mdx_chan *mdx_channel_get(int fd, struct mdx_owner *owner, u32 kind)
{
	struct mdx_chan *chan = ERR_PTR(-EBADF);
	struct file *filp = fget(fd);

	if (!filp)
		return chan;
	if (filp->f_op == &channel_fops) {
		chan = filp->private_data;
		kref_get(&chan->ref);
	}
	fput(filp);
	if (IS_ERR(chan))
		return chan;
	if (READ_ONCE(chan->owner) == owner && chan->flags & kind)
		return chan;
	mdx_channel_put(chan);
	return ERR_PTR(-EBADF);
}
