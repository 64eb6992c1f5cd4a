// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * An open file, from open to the last close.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/slab.h>

#include "mdx.h"
#include "obj.h"

static int mdx_open(struct inode *inode, struct file *filp)
{
	struct mdx_file *file;

	file = kzalloc(sizeof(*file), GFP_KERNEL_ACCOUNT);
	if (!file)
		return -ENOMEM;
	mutex_init(&file->bind_lock);
	INIT_LIST_HEAD(&file->entry);
	mdx_ids_init(&file->ids);
	INIT_LIST_HEAD(&file->all);
	INIT_LIST_HEAD(&file->inherited);
	init_waitqueue_head(&file->slots);
	spin_lock_init(&file->last_lock);
	filp->private_data = file;
	return nonseekable_open(inode, filp);
}

/**
 * mdx_file_dev - The device of a file
 * @file: the file
 *
 * Return: the device, valid as long as the file is; -ENOTCONN; -EIO if the
 * device was removed, which can also happen right after
 */
struct mdx_dev *mdx_file_dev(struct mdx_file *file)
{
	/* Pairs with mdx_file_attach(): @uid is set when @mdx is. */
	struct mdx_dev *mdx = smp_load_acquire(&file->mdx);

	if (!mdx)
		return ERR_PTR(-ENOTCONN);
	if (!READ_ONCE(mdx->mdev))
		return ERR_PTR(-EIO);
	return mdx;
}

/**
 * mdx_file_attach - Bind a file for the rest of its life
 * @file: unbound, with its bind_lock held
 * @mdx: the device under live_sem, with a reference that is taken over
 * @uverbs: the verbs context's file, with a reference that is taken over
 * @uid: the context's
 */
void mdx_file_attach(struct mdx_file *file, struct mdx_dev *mdx,
		     struct file *uverbs, u16 uid)
{
	lockdep_assert_held(&file->bind_lock);
	lockdep_assert_held(&mdx->live_sem);

	file->uverbs = uverbs;
	file->uid = uid;
	file->pid = task_tgid_nr(current);
	get_task_comm(file->comm, current);

	mutex_lock(&mdx->files_lock);
	list_add_tail(&file->entry, &mdx->files);
	mutex_unlock(&mdx->files_lock);
	/* Pairs with mdx_file_dev() */
	smp_store_release(&file->mdx, mdx);
}

/**
 * mdx_file_detach - Take a file off its device
 * @file: owns nothing; its device is under live_sem and files_lock
 *
 * Return: the verbs context's file, with the reference the file had
 */
struct file *mdx_file_detach(struct mdx_file *file)
{
	struct file *uverbs = file->uverbs;

	lockdep_assert_held(&file->mdx->live_sem);
	lockdep_assert_held(&file->mdx->files_lock);

	list_del_init(&file->entry);
	file->uverbs = NULL;
	return uverbs;
}

/* Another file of the same context, which has not ended yet. */
static struct mdx_file *file_heir(struct mdx_file *file)
{
	struct mdx_file *other;

	lockdep_assert_held(&file->mdx->files_lock);

	list_for_each_entry(other, &file->mdx->files, entry) {
		if (other != file && other->uverbs == file->uverbs)
			return other;
	}
	return NULL;
}

/* The objects first, then the context: its uid is the last thing to go. */
static void file_unbind(struct mdx_file *file)
{
	struct mdx_dev *mdx = file->mdx;
	struct file *uverbs;

	if (!mdx_live_lock(mdx)) {
		mdx_obj_destroy_all(file);
		mutex_lock(&mdx->files_lock);
		while (mdx_obj_inherit(file)) {
			mutex_unlock(&mdx->files_lock);
			mdx_obj_destroy_all(file);
			mutex_lock(&mdx->files_lock);
		}
		mdx_obj_leave(file, file_heir(file));
		uverbs = mdx_file_detach(file);
		mutex_unlock(&mdx->files_lock);
		mdx_live_unlock(mdx);
		fput(uverbs);
	}
	mdx_dev_put(mdx);
}

static int mdx_release(struct inode *inode, struct file *filp)
{
	struct mdx_file *file = filp->private_data;

	if (file->mdx)
		file_unbind(file);
	mdx_obj_free_all(file);
	mutex_destroy(&file->bind_lock);
	kfree(file);
	return 0;
}

const struct file_operations mdx_fops = {
	.owner = THIS_MODULE,
	.open = mdx_open,
	.release = mdx_release,
	.unlocked_ioctl = mdx_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};
