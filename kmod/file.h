/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * An open file of the node.
 */
#ifndef MDX_FILE_H
#define MDX_FILE_H

#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/wait_bit.h>

#include <mdx/mdx_uapi.h>

#include "objs.h"
#include "owner.h"

struct file;
struct inode;

/**
 * struct mdx_file - An open file
 * @bind_lock: held by the bind under way
 * @owner: NULL until the file is bound, then constant. Read it by mdx_file_owner()
 * @objs: its objects: @own, or mdx_owner::shared; constant since @owner is set
 * @own: objects of this file only
 * @chans: channels that were made by it and have not ended; under mdx_events::lock
 * @async_n: commands on their way whose results go to a channel
 * @entry: in mdx_owner::files
 * @pid: process that bound the file
 * @comm: name of that process
 * @last_error_lock: protects @last_error
 * @last_error: the last call that failed
 */
struct mdx_file {
	struct mutex bind_lock; /* one bind at a time */
	struct mdx_owner *owner;
	struct mdx_objs *objs;
	struct mdx_objs own;
	struct list_head chans;
	atomic_t async_n;
	struct list_head entry;
	pid_t pid;
	char comm[TASK_COMM_LEN];
	spinlock_t last_error_lock; /* last_error */
	struct mdx_ioc_last_error last_error;
};

/**
 * mdx_file_owner - The owner of a file's objects
 * @file: the file
 *
 * Return: the owner, valid as long as the file is; -ENOTCONN; -EIO if the device was
 * removed or the context has ended, which can also happen right after
 */
static inline struct mdx_owner *mdx_file_owner(struct mdx_file *file)
{
	/* Pairs with mdx_file_attach() */
	struct mdx_owner *owner = smp_load_acquire(&file->owner);

	if (!owner)
		return ERR_PTR(-ENOTCONN);
	if (READ_ONCE(owner->mdx->removed) || READ_ONCE(owner->ended))
		return ERR_PTR(-EIO);
	return owner;
}

static inline void mdx_file_async_begin(struct mdx_file *file)
{
	atomic_inc(&file->async_n);
}

/* The file may be freed from here on. The waiter is found by the address alone. */
static inline void mdx_file_async_end(struct mdx_file *file)
{
	/* Pairs with the acquire in mdx_file_async_wait() */
	if (atomic_dec_and_test(&file->async_n))
		wake_up_var(&file->async_n);
}

static inline void mdx_file_async_wait(struct mdx_file *file)
{
	/* Pairs with mdx_file_async_end() */
	wait_var_event(&file->async_n, !atomic_read_acquire(&file->async_n));
}

/**
 * mdx_file_attach - Bind a file for the rest of its life
 * @file: unbound, with its bind_lock held
 * @owner: its owner, which outlives it
 * @objs: table of its objects
 */
static inline void mdx_file_attach(struct mdx_file *file,
				   struct mdx_owner *owner,
				   struct mdx_objs *objs)
{
	lockdep_assert_held(&file->bind_lock);

	file->objs = objs;
	file->pid = task_tgid_nr(current);
	get_task_comm(file->comm, current);
	/* Pairs with mdx_file_owner() */
	smp_store_release(&file->owner, owner);
}

int mdx_file_open(struct inode *inode, struct file *filp);
int mdx_file_release(struct inode *inode, struct file *filp);

#endif /* MDX_FILE_H */
