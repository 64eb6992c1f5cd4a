// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The mlx5 devices that are served: their lifetime and their list.
 */
#include <linux/cdev.h>
#include <linux/device.h>
#include <linux/fs.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "dev.h"
#include "file.h"
#include "owner.h"

/* Commands that mlx5_core sends a device at a time: more workers would only wait. */
#define WORKERS_MAX 31

/* Protects devs; taken before mdx_dev::owners_lock. */
static DEFINE_MUTEX(devs_lock);
static LIST_HEAD(devs);

/**
 * mdx_dev_alloc - Make a device, which is in no list
 * @ibdev: its ib_device
 * @mdev: its mlx5_core device
 * @uverbs: its uverbs char device; the reference is taken over on success
 *
 * Return: the device with one reference, or NULL
 */
struct mdx_dev *mdx_dev_alloc(struct ib_device *ibdev,
			      struct mlx5_core_dev *mdev,
			      struct device *uverbs)
{
	struct mdx_dev *mdx;

	mdx = kzalloc(sizeof(*mdx), GFP_KERNEL);
	if (!mdx)
		return NULL;
	mdx->workers = alloc_workqueue("mlx5_devx_items", WQ_UNBOUND,
				       WORKERS_MAX);
	if (!mdx->workers)
		goto err_free;
	if (percpu_init_rwsem(&mdx->registration_lock))
		goto err_workers;
	kref_init(&mdx->ref);
	mdx->ibdev = ibdev;
	mdx->mdev = mdev;
	mdx->uverbs = uverbs;
	mutex_init(&mdx->owners_lock);
	INIT_LIST_HEAD(&mdx->owners);
	mdx_budget_init(&mdx->long_mboxes);
	spin_lock_init(&mdx->leftovers.lock);
	mutex_init(&mdx->events.lock);
	return mdx;

err_workers:
	destroy_workqueue(mdx->workers);
err_free:
	kfree(mdx);
	return NULL;
}

static void dev_release(struct kref *ref)
{
	struct mdx_dev *mdx = container_of(ref, struct mdx_dev, ref);

	destroy_workqueue(mdx->workers);
	mutex_destroy(&mdx->events.lock);
	mutex_destroy(&mdx->owners_lock);
	percpu_free_rwsem(&mdx->registration_lock);
	kfree(mdx);
}

/**
 * mdx_dev_put - Drop a reference
 * @mdx: the device
 */
void mdx_dev_put(struct mdx_dev *mdx)
{
	kref_put(&mdx->ref, dev_release);
}

/**
 * mdx_dev_publish - Make a device found by mdx_dev_of_uverbs()
 * @mdx: the device; the list takes over the caller's reference
 */
void mdx_dev_publish(struct mdx_dev *mdx)
{
	guard(mutex)(&devs_lock);
	list_add_tail(&mdx->entry, &devs);
}

/**
 * mdx_dev_unpublish - Undo mdx_dev_publish()
 * @mdx: the device; the caller gets the list's reference
 */
void mdx_dev_unpublish(struct mdx_dev *mdx)
{
	guard(mutex)(&devs_lock);
	list_del(&mdx->entry);
}

/**
 * mdx_dev_of_uverbs - The device behind a uverbs file
 * @filp: any file, held by the caller
 *
 * The char device through which the file was opened tells that the file belongs
 * to ib_uverbs, and so what its private_data is: it is the very device that
 * ib_uverbs made for the ib_device. A number, a name or a path would prove
 * nothing.
 *
 * Return: the device with a reference; NULL if @filp is not a uverbs file of one
 * of the devices
 */
struct mdx_dev *mdx_dev_of_uverbs(struct file *filp)
{
	struct inode *inode = file_inode(filp);
	struct mdx_dev *mdx;
	struct cdev *cdev;

	if (!S_ISCHR(inode->i_mode))
		return NULL;
	cdev = inode->i_cdev;
	if (!cdev || filp->f_op != cdev->ops)
		return NULL;

	guard(mutex)(&devs_lock);
	list_for_each_entry(mdx, &devs, entry) {
		if (cdev->kobj.parent == &mdx->uverbs->kobj) {
			kref_get(&mdx->ref);
			return mdx;
		}
	}
	return NULL;
}

/**
 * mdx_dev_walk - Look at every device that is not removed
 * @fn: called for each device
 * @data: passed to @fn
 */
void mdx_dev_walk(void (*fn)(struct mdx_dev *mdx, void *data), void *data)
{
	struct mdx_dev *mdx;

	guard(mutex)(&devs_lock);
	list_for_each_entry(mdx, &devs, entry)
		fn(mdx, data);
}

/**
 * mdx_dev_walk_files - Look at every bound file whose device is not removed
 * @fn: called for each file, which stays bound meanwhile
 * @data: passed to @fn
 */
void mdx_dev_walk_files(void (*fn)(struct mdx_file *file, void *data),
			   void *data)
{
	struct mdx_owner *owner;
	struct mdx_file *file;
	struct mdx_dev *mdx;

	guard(mutex)(&devs_lock);
	list_for_each_entry(mdx, &devs, entry) {
		guard(mutex)(&mdx->owners_lock);
		list_for_each_entry(owner, &mdx->owners, entry) {
			list_for_each_entry(file, &owner->files, entry)
				fn(file, data);
		}
	}
}
