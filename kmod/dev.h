/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The mlx5 devices that are served.
 *
 * Lock order: mdx_file::bind_lock -> mdx_owner::bind_lock ->
 * mdx_dev::registration_lock -> mdx_owner::life_lock -> mdx_owner::teardown_lock ->
 * mdx_dev::owners_lock -> mdx_objs::ids. mdx_events::lock is after owners_lock, with
 * mdx_chan::lock inside, which is taken in interrupts. rdma_core calls owner.c under
 * hw_destroy_rwsem of a context, which is before registration_lock: nothing waits
 * for it with a lock held. The lock of the list of devices (dev.c) is taken before
 * owners_lock and never with registration_lock, that of contexts that have failed to
 * end (owner.c) before registration_lock. The locks of mdx_late_tracker, with
 * mlx5_core's lock of the command slots inside, and of mdx_dct_drains are leaves and
 * taken in interrupts. User memory is read and written with none of them held: a
 * page that never comes must not delay the removal of a device.
 */
#ifndef MDX_DEV_H
#define MDX_DEV_H

#include <linux/cleanup.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/percpu-rwsem.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "budget.h"
#include "event.h"
#include "late.h"
#include "leftovers.h"
#include "obj_dct.h"

struct device;
struct file;
struct ib_device;
struct mdx_file;
struct mlx5_core_dev;
struct workqueue_struct;

/**
 * struct mdx_dev - An mlx5 device with an ib_device
 * @ref: held by the list of devices and by every owner
 * @ibdev: valid as long as @mdev is
 * @mdev: valid until @removed is set; after that in a pass of rdma_core only
 * @removed: the device was removed; set under @registration_lock
 * @unloading: no file is open any more: it is not the device that is removed
 * @uverbs: the uverbs char device of @ibdev
 * @registration_lock: held for read around any use of @mdev and @ibdev and any
 *	change of objects; for write to revoke them. A reader waits
 *	for the device at most, never for a process. Per CPU, so that files do
 *	not share a cache line
 * @owners_lock: protects @owners and mdx_owner::users
 * @owners: contexts with bound files, or of which the device has objects
 * @workers: execute items of batches
 * @long_mboxes: budget of long mailboxes
 * @drains: DCTs that are being drained
 * @late: creates that timed out
 * @leftovers: objects that the device kept when their context ended
 * @events: subscriptions to its events
 * @entry: in the list of devices
 */
struct mdx_dev {
	struct kref ref;
	struct ib_device *ibdev;
	struct mlx5_core_dev *mdev;
	bool removed;
	bool unloading;
	struct device *uverbs;
	struct percpu_rw_semaphore registration_lock;
	struct mutex owners_lock; /* owners */
	struct list_head owners;
	struct workqueue_struct *workers;
	struct mdx_budget long_mboxes;
	struct mdx_dct_drains drains;
	struct mdx_late_tracker late;
	struct mdx_leftovers leftovers;
	struct mdx_events events;
	struct list_head entry;
};

/* The device is not removed meanwhile. It may have been before: look at removed. */
DEFINE_GUARD(mdx_live, struct mdx_dev *,
	     percpu_down_read(&_T->registration_lock),
	     percpu_up_read(&_T->registration_lock))

static inline void mdx_dev_assert_live(struct mdx_dev *mdx)
{
	lockdep_assert(percpu_is_read_locked(&mdx->registration_lock) ||
		       percpu_is_write_locked(&mdx->registration_lock));
}

struct mdx_dev *mdx_dev_alloc(struct ib_device *ibdev,
			      struct mlx5_core_dev *mdev,
			      struct device *uverbs);
void mdx_dev_put(struct mdx_dev *mdx);
void mdx_dev_publish(struct mdx_dev *mdx);
void mdx_dev_unpublish(struct mdx_dev *mdx);
struct mdx_dev *mdx_dev_of_uverbs(struct file *filp);
void mdx_dev_walk(void (*fn)(struct mdx_dev *mdx, void *data), void *data);
void mdx_dev_walk_files(void (*fn)(struct mdx_file *file, void *data),
			   void *data);

#endif /* MDX_DEV_H */
