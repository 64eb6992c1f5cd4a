// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * An open file, from open to the last close or the removal of its device.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/slab.h>

#include "dev.h"
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
	INIT_LIST_HEAD(&file->entry);
	mdx_ids_init(&file->ids);
	INIT_LIST_HEAD(&file->all);
	INIT_LIST_HEAD(&file->adopted);
	init_waitqueue_head(&file->slot_wait);
	spin_lock_init(&file->last_error_lock);
	filp->private_data = file;
	return nonseekable_open(inode, filp);
}

/**
 * mdx_file_attach - Bind a file for the rest of its life
 * @file: unbound, with its bind_lock held
 * @mdx: the device under mdx_live, with a reference that is taken over
 * @uverbs: file of the verbs context, of which a reference is taken
 * @uid: the context's
 */
void mdx_file_attach(struct mdx_file *file, struct mdx_dev *mdx,
		     struct file *uverbs, u16 uid)
{
	lockdep_assert_held(&file->bind_lock);
	mdx_dev_assert_live(mdx);

	file->uverbs = get_file(uverbs);
	file->uid = uid;
	file->pid = task_tgid_nr(current);
	get_task_comm(file->comm, current);

	mutex_lock(&mdx->files_lock);
	list_add_tail(&file->entry, &mdx->files);
	mutex_unlock(&mdx->files_lock);
	/* Pairs with mdx_file_dev() */
	smp_store_release(&file->mdx, mdx);
}

/* @file owns nothing; returns the reference it had on the context's file. */
static struct file *file_detach(struct mdx_file *file)
{
	struct file *uverbs = file->uverbs;

	mdx_dev_assert_live(file->mdx);
	lockdep_assert_held(&file->mdx->files_lock);

	list_del_init(&file->entry);
	file->uverbs = NULL;
	return uverbs;
}

/* Another file of the same context, which has not ended yet. */
static struct mdx_file *file_sibling(struct mdx_file *file)
{
	struct mdx_file *other;

	lockdep_assert_held(&file->mdx->files_lock);

	list_for_each_entry(other, &file->mdx->files, entry) {
		if (other != file && other->uverbs == file->uverbs)
			return other;
	}
	return NULL;
}

/* Destroys the objects; what the device keeps goes to a sibling if there is one. */
static struct file *file_end_objs(struct mdx_file *file)
{
	struct mdx_dev *mdx = file->mdx;
	struct file *uverbs;

	mdx_obj_destroy_all(file);
	mutex_lock(&mdx->files_lock);
	while (mdx_obj_adopt(file)) {
		mutex_unlock(&mdx->files_lock);
		mdx_obj_destroy_all(file);
		mutex_lock(&mdx->files_lock);
	}
	mdx_obj_transfer(file, file_sibling(file));
	uverbs = file_detach(file);
	mutex_unlock(&mdx->files_lock);
	return uverbs;
}

/* The objects first, then the context: its uid goes last. */
static void file_unbind(struct mdx_file *file)
{
	struct mdx_dev *mdx = file->mdx;
	struct file *uverbs = NULL;

	scoped_guard(mdx_live, mdx) {
		if (mdx->mdev)
			uverbs = file_end_objs(file);
	}
	if (uverbs)
		fput(uverbs);
	mdx_dev_put(mdx);
}

/* The release of the node */
int mdx_file_release(struct inode *inode, struct file *filp)
{
	struct mdx_file *file = filp->private_data;

	if (file->mdx)
		file_unbind(file);
	mdx_obj_free_all(file);
	mutex_destroy(&file->bind_lock);
	kfree(file);
	return 0;
}

static bool files_destroy_objs(struct mdx_dev *mdx)
{
	struct mdx_file *file;
	bool destroyed = false;

	list_for_each_entry(file, &mdx->files, entry) {
		mdx_obj_adopt(file);
		destroyed |= mdx_obj_destroy_all(file);
	}
	return destroyed;
}

/**
 * mdx_file_revoke_all - End the objects and bindings of all files of a device
 * @mdx: the device, with its registration_lock held for write
 *
 * The files stay open; every call but MDX_IOC_INFO answers EIO from now on.
 * Objects may name objects of another file of their context, so passes over all
 * files are repeated until one destroys nothing.
 */
void mdx_file_revoke_all(struct mdx_dev *mdx)
{
	struct mdx_file *file, *next;

	guard(mutex)(&mdx->files_lock);
	while (files_destroy_objs(mdx))
		;
	list_for_each_entry_safe(file, next, &mdx->files, entry) {
		mdx_obj_transfer(file, NULL);
		fput(file_detach(file));
	}
}
