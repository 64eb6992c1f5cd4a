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
#include <linux/wait.h>

#include <mdx/mdx_uapi.h>

#include "dev.h"
#include "ids.h"

struct file;
struct inode;

/**
 * struct mdx_file - An open file
 * @bind_lock: held by the bind under way
 * @mdx: NULL until the file is bound, then constant. Read it by mdx_file_dev()
 * @uid: firmware uid of the verbs context; constant since @mdx is set
 * @uverbs: file of that context, with a reference that keeps the context;
 *	cleared on removal, under mdx_dev::registration_lock
 * @entry: in mdx_dev::files; empty before bind and after removal
 * @ids: objects by id. Its lock also protects @all, and mdx_obj::users when that
 *	is raised or set
 * @all: every object the device may still have, newest first, with or without
 *	an id; changed under registration_lock as well
 * @adopted: objects the device kept of other files of the context; under
 *	mdx_dev::files_lock
 * @objs_n: objects that count against MDX_OBJS_MAX
 * @in_flight: commands the device has now
 * @slot_wait: tasks that wait for @in_flight to fall
 * @pid: process that bound the file
 * @comm: name of that process
 * @last_error_lock: protects @last_error
 * @last_error: the last call that failed
 */
struct mdx_file {
	struct mutex bind_lock; /* one bind at a time */
	struct mdx_dev *mdx;
	u16 uid;
	struct file *uverbs;
	struct list_head entry;
	struct mdx_ids ids;
	struct list_head all;
	struct list_head adopted;
	atomic_t objs_n;
	atomic_t in_flight;
	wait_queue_head_t slot_wait;
	pid_t pid;
	char comm[TASK_COMM_LEN];
	spinlock_t last_error_lock; /* last_error */
	struct mdx_ioc_last_error last_error;
};

/**
 * mdx_file_dev - The device of a file
 * @file: the file
 *
 * Return: the device, valid as long as the file is; -ENOTCONN; -EIO if the
 * device was removed, which can also happen right after
 */
static inline struct mdx_dev *mdx_file_dev(struct mdx_file *file)
{
	/* Pairs with mdx_file_attach(): @uid is set when @mdx is. */
	struct mdx_dev *mdx = smp_load_acquire(&file->mdx);

	if (!mdx)
		return ERR_PTR(-ENOTCONN);
	if (!READ_ONCE(mdx->mdev))
		return ERR_PTR(-EIO);
	return mdx;
}

int mdx_file_open(struct inode *inode, struct file *filp);
int mdx_file_release(struct inode *inode, struct file *filp);
void mdx_file_attach(struct mdx_file *file, struct mdx_dev *mdx,
		     struct file *uverbs, u16 uid);
void mdx_file_revoke_all(struct mdx_dev *mdx);

#endif /* MDX_FILE_H */
