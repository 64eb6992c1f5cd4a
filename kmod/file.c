// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * An open file, from open to the last close.
 */
#include <linux/fs.h>
#include <linux/slab.h>

#include "channel.h"
#include "file.h"
#include "teardown.h"

/* The open of the node */
int mdx_file_open(struct inode *inode, struct file *filp)
{
	struct mdx_file *file;

	file = kzalloc(sizeof(*file), GFP_KERNEL_ACCOUNT);
	if (!file)
		return -ENOMEM;
	mutex_init(&file->bind_lock);
	mdx_objs_init(&file->own);
	file->objs = &file->own;
	INIT_LIST_HEAD(&file->chans);
	spin_lock_init(&file->last_error_lock);
	filp->private_data = file;
	return nonseekable_open(inode, filp);
}

/* The release of the node */
int mdx_file_release(struct inode *inode, struct file *filp)
{
	struct mdx_file *file = filp->private_data;

	if (file->owner) {
		mdx_channel_end_all(file->owner->mdx, &file->chans);
		mdx_file_async_wait(file);
		mdx_owner_detach(file->owner, file);
	}
	mdx_objs_free(&file->own);
	mutex_destroy(&file->bind_lock);
	kfree(file);
	return 0;
}
