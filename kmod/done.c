// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Answers of commands on their way to a channel.
 *
 * Room for an answer is reserved before its command is sent, so the answer of a
 * command that the device has executed is never lost for want of memory.
 */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/uaccess.h>

#include "channel.h"

/* Status of an answer that did not come, as mlx5_core has it: internal error. */
#define STATUS_NO_ANSWER 0x01

/* Return: 0; -EIO; -EAGAIN if readers have left too much */
static int answer_count(struct mdx_chan *chan, u32 out_len)
{
	int ret = 0;

	spin_lock_irq(&chan->lock);
	if (!chan->owner)
		ret = -EIO;
	else if (chan->answers == MDX_CHANNEL_ANSWERS_MAX ||
		 out_len > MDX_CHANNEL_BYTES_MAX - chan->bytes)
		ret = -EAGAIN;
	if (!ret) {
		chan->answers++;
		chan->bytes += out_len;
	}
	spin_unlock_irq(&chan->lock);
	return ret;
}

static void answer_uncount(struct mdx_chan *chan, u32 out_len)
{
	lockdep_assert_held(&chan->lock);

	chan->answers--;
	chan->bytes -= out_len;
}

/**
 * mdx_channel_reserve - Reserve room for the answer of a command
 * @chan: a channel with MDX_CHANNEL_COMPLETIONS, with a reference of the caller's
 * @out_len: length of the answer
 *
 * Return: a record for mdx_channel_complete() or mdx_channel_unreserve(), whose answer
 * is zero; -EINVAL if @out_len is more than any channel holds; -EAGAIN until answers
 * are read; -ENOMEM; -EIO if the channel has ended
 */
struct mdx_done_rec *mdx_channel_reserve(struct mdx_chan *chan, u32 out_len)
{
	struct mdx_done_rec *rec;
	int ret;

	if (out_len > MDX_CHANNEL_BYTES_MAX)
		return ERR_PTR(-EINVAL);
	ret = answer_count(chan, out_len);
	if (ret)
		return ERR_PTR(ret);
	rec = kvzalloc(struct_size(rec, out, out_len), GFP_KERNEL_ACCOUNT);
	if (rec) {
		rec->done.out_len = out_len;
		return rec;
	}
	spin_lock_irq(&chan->lock);
	answer_uncount(chan, out_len);
	spin_unlock_irq(&chan->lock);
	return ERR_PTR(-ENOMEM);
}

static bool has_answer(const struct mdx_done_rec *rec)
{
	return !rec->done.err || rec->done.err == EREMOTEIO;
}

/* A reader of the plain format must not take zeros for success. */
static void answer_clear(const struct mdx_chan *chan, struct mdx_done_rec *rec)
{
	rec->done.status = 0;
	rec->done.syndrome = 0;
	memset(rec->out, 0, rec->done.out_len);
	if (chan->flags & MDX_CHANNEL_PLAIN && rec->done.out_len)
		rec->out[0] = STATUS_NO_ANSWER;
}

/**
 * mdx_channel_complete - Leave an answer to the readers of a channel
 * @chan: as for mdx_channel_reserve()
 * @rec: the record with the result; the channel's from here on
 *
 * If the channel has ended meanwhile, the answer is dropped.
 */
void mdx_channel_complete(struct mdx_chan *chan, struct mdx_done_rec *rec)
{
	if (!has_answer(rec))
		answer_clear(chan, rec);

	spin_lock_irq(&chan->lock);
	if (chan->owner) {
		list_add_tail(&rec->entry, &chan->records);
		rec = NULL;
	} else {
		answer_uncount(chan, rec->done.out_len);
	}
	spin_unlock_irq(&chan->lock);
	wake_up_interruptible(&chan->wait);
	kvfree(rec);
}

/**
 * mdx_channel_unreserve - Undo mdx_channel_reserve()
 * @chan: the channel
 * @rec: the record, whose command was not sent
 */
void mdx_channel_unreserve(struct mdx_chan *chan, struct mdx_done_rec *rec)
{
	spin_lock_irq(&chan->lock);
	answer_uncount(chan, rec->done.out_len);
	spin_unlock_irq(&chan->lock);
	kvfree(rec);
}

static size_t header_len(const struct mdx_chan *chan)
{
	return chan->flags & MDX_CHANNEL_PLAIN ? sizeof(u64) :
						 sizeof(struct mdx_done);
}

/* The cookie is the first field of either header. */
static ssize_t record_copy(struct mdx_chan *chan, struct mdx_done_rec *rec,
			   char __user *buf)
{
	size_t len = header_len(chan);

	if (copy_to_user(buf, &rec->done, len) ||
	    copy_to_user(buf + len, rec->out, rec->done.out_len))
		return -EFAULT;
	return len + rec->done.out_len;
}

/**
 * mdx_done_read - Read an answer
 * @chan: a channel with MDX_CHANNEL_COMPLETIONS
 * @buf: the reader's buffer
 * @count: its length
 *
 * Return: length of the record, or an errno as that of mdx_channel_state(); -ENOSPC
 */
ssize_t mdx_done_read(struct mdx_chan *chan, char __user *buf, size_t count)
{
	struct mdx_done_rec *rec;
	ssize_t ret;

	spin_lock_irq(&chan->lock);
	ret = mdx_channel_state(chan);
	if (!ret) {
		rec = list_first_entry(&chan->records, struct mdx_done_rec,
				       entry);
		if (count < header_len(chan) + rec->done.out_len)
			ret = -ENOSPC;
	}
	if (!ret) {
		list_del(&rec->entry);
		answer_uncount(chan, rec->done.out_len);
	}
	spin_unlock_irq(&chan->lock);
	if (ret)
		return ret;
	ret = record_copy(chan, rec, buf);
	kvfree(rec);
	return ret;
}

/**
 * mdx_done_drop - Free answers that no task will read
 * @records: mdx_chan::records of a channel that has ended
 */
void mdx_done_drop(struct list_head *records)
{
	struct mdx_done_rec *rec, *next;

	list_for_each_entry_safe(rec, next, records, entry)
		kvfree(rec);
}
