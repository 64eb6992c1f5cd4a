// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The owner of objects: a verbs context, as long as files are bound to it or the
 * device has objects of it.
 *
 * Objects end when their file is closed or their context ends, whichever comes
 * first. The context does not wait for files: it is referred to by a pointer that
 * its end clears, and its anchor has all objects destroyed within the passes in which
 * rdma_core ends the context. What the device keeps when a file is closed is kept
 * here, and destroyed with the next file or with the context.
 */
#include <linux/delay.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "channel.h"
#include "compat.h"
#include "file.h"
#include "leftovers.h"
#include "owner.h"
#include "teardown.h"

static void owner_free(struct mdx_owner *owner)
{
	struct mdx_dev *mdx = owner->mdx;

	mdx_objs_free(&owner->shared);
	mdx_objs_free(&owner->kept);
	mutex_destroy(&owner->teardown_lock);
	mutex_destroy(&owner->bind_lock);
	kfree(owner);
	mdx_dev_put(mdx);
}

/**
 * mdx_owner_context_get - Keep the context of an owner for a moment
 * @owner: the owner
 *
 * Return: the file of the context with a reference, or NULL if the context is ending
 */
struct file *mdx_owner_context_get(struct mdx_owner *owner)
{
	return mdx_get_file_active(&owner->uverbs);
}

/* Return: true if the owner is not anchored any more */
static bool owner_give_back(struct mdx_owner *owner)
{
	struct file *uverbs;
	bool given;

	if (!owner->anchor.uobj)
		return true;
	/* Its context ends without us: a pass may run at any time. */
	if (owner->mdx->removed && !owner->mdx->unloading)
		return mdx_anchor_is_over(&owner->anchor);
	uverbs = mdx_owner_context_get(owner);
	if (!uverbs)
		return mdx_anchor_is_over(&owner->anchor);
	given = mdx_anchor_try_give_back(&owner->anchor);
	fput(uverbs);
	return given;
}

/* Return: true if the owner is in no list any more, and to be freed */
static bool owner_try_release(struct mdx_owner *owner)
{
	struct mdx_dev *mdx = owner->mdx;

	mdx_dev_assert_live(mdx);
	lockdep_assert_held(&mdx->owners_lock);

	if (owner->users)
		return false;
	if (!list_empty(&owner->kept.all) && !mdx->removed)
		return false;
	if (!owner_give_back(owner))
		return false;
	list_del(&owner->entry);
	return true;
}

/**
 * mdx_owner_put - Stop using an owner
 * @owner: from mdx_owner_get() or mdx_owner_hold(); its device is not under mdx_live
 */
void mdx_owner_put(struct mdx_owner *owner)
{
	struct mdx_dev *mdx = owner->mdx;
	bool unused;

	scoped_guard(mdx_live, mdx) {
		guard(mutex)(&mdx->owners_lock);
		owner->users--;
		unused = owner_try_release(owner);
	}
	if (unused)
		owner_free(owner);
}

/**
 * mdx_owner_hold - Use an owner once more
 * @owner: in use
 */
void mdx_owner_hold(struct mdx_owner *owner)
{
	guard(mutex)(&owner->mdx->owners_lock);
	owner->users++;
}

/**
 * mdx_owner_unhold - Undo mdx_owner_hold() without freeing the owner
 * @owner: used by the caller as well, or of a device that is being removed:
 *	mdx_owner_release_unused() frees it then
 */
void mdx_owner_unhold(struct mdx_owner *owner)
{
	guard(mutex)(&owner->mdx->owners_lock);
	owner->users--;
}

static void owner_uncharge(struct mdx_owner *owner)
{
	struct mdx_file *file;

	list_for_each_entry(file, &owner->files, entry)
		mdx_objs_uncharge(owner->mdx, &file->own);
	mdx_objs_uncharge(owner->mdx, &owner->shared);
	mdx_objs_uncharge(owner->mdx, &owner->kept);
}

static void owner_end_channels(struct mdx_owner *owner)
{
	struct mdx_file *file;

	list_for_each_entry(file, &owner->files, entry)
		mdx_channel_end_all(owner->mdx, &file->chans);
}

/* Return: true if any object was destroyed */
static bool owner_pass(struct mdx_owner *owner, struct mdx_teardown *td)
{
	struct mdx_file *file;
	bool destroyed;

	destroyed = mdx_teardown_pass(td, &owner->shared);
	list_for_each_entry(file, &owner->files, entry)
		destroyed |= mdx_teardown_pass(td, &file->own);
	return destroyed | mdx_teardown_pass(td, &owner->kept);
}

static void owner_destroy_objs(struct mdx_owner *owner)
{
	struct mdx_teardown td;

	mdx_teardown_begin(&td, owner->mdx);
	while (owner_pass(owner, &td))
		;
}

static bool owner_has_objs(struct mdx_owner *owner)
{
	struct mdx_file *file;

	list_for_each_entry(file, &owner->files, entry) {
		if (!list_empty(&file->own.all))
			return true;
	}
	return !list_empty(&owner->shared.all) || !list_empty(&owner->kept.all);
}

static struct mdx_owner *anchor_owner(struct mdx_anchor *anchor)
{
	return container_of(anchor, struct mdx_owner, anchor);
}

/* In each pass in which the context ends, for whatever reason. */
static int owner_end(struct mdx_anchor *anchor)
{
	struct mdx_owner *owner = anchor_owner(anchor);
	struct mdx_dev *mdx = owner->mdx;

	/* Until owner_left() or owner_failed() */
	mdx_owner_hold(owner);
	/* The file is freed after the last pass. */
	WRITE_ONCE(owner->uverbs, NULL);
	mdx_late_flush(&mdx->late);

	guard(mdx_live)(mdx);
	down_write(&owner->life_lock);
	WRITE_ONCE(owner->ended, true);
	up_write(&owner->life_lock);

	guard(mutex)(&owner->teardown_lock);
	owner_end_channels(owner);
	owner_destroy_objs(owner);
	if (mdx->removed)
		owner_uncharge(owner);
	return owner_has_objs(owner) ? -EBUSY : 0;
}

/* Return: true if no pass of the context will follow */
static bool owner_try_settle(struct mdx_owner *owner)
{
	struct mdx_dev *mdx = owner->mdx;
	bool over;

	guard(mdx_live)(mdx);
	if (!mutex_trylock(&owner->teardown_lock))
		return false;
	over = mdx_anchor_is_over(&owner->anchor);
	if (over && !mdx->removed)
		mdx_leftovers_report(owner);
	mutex_unlock(&owner->teardown_lock);
	return over;
}

/*
 * A context may not end whole: rdma_core gives up when a pass has destroyed nothing,
 * and tells nobody. So whether it has is looked at later. The list uses its owners.
 */
static void failed_run(struct work_struct *work);

static DECLARE_DELAYED_WORK(failed_work, failed_run);
static DEFINE_MUTEX(failed_lock);
static LIST_HEAD(failed_owners);

static struct mdx_owner *failed_take(void)
{
	struct mdx_owner *owner;

	guard(mutex)(&failed_lock);
	list_for_each_entry(owner, &failed_owners, failed) {
		if (owner_try_settle(owner)) {
			list_del_init(&owner->failed);
			return owner;
		}
	}
	return NULL;
}

static void failed_run(struct work_struct *work)
{
	struct mdx_owner *owner;

	while ((owner = failed_take()))
		mdx_owner_put(owner);
	guard(mutex)(&failed_lock);
	if (!list_empty(&failed_owners))
		schedule_delayed_work(&failed_work, HZ / 10);
}

static bool failed_add(struct mdx_owner *owner)
{
	guard(mutex)(&failed_lock);
	if (!list_empty(&owner->failed))
		return false;
	list_add_tail(&owner->failed, &failed_owners);
	schedule_delayed_work(&failed_work, HZ / 10);
	return true;
}

static bool failed_remove(struct mdx_owner *owner)
{
	guard(mutex)(&failed_lock);
	if (list_empty(&owner->failed))
		return false;
	list_del_init(&owner->failed);
	return true;
}

static bool failed_is_empty(void)
{
	guard(mutex)(&failed_lock);
	return list_empty(&failed_owners);
}

static void owner_failed(struct mdx_anchor *anchor)
{
	struct mdx_owner *owner = anchor_owner(anchor);

	if (!failed_add(owner))
		mdx_owner_put(owner);
}

/* Objects that the device keeps now stay with it. */
static void owner_report(struct mdx_owner *owner)
{
	guard(mdx_live)(owner->mdx);
	guard(mutex)(&owner->teardown_lock);
	if (!owner->mdx->removed)
		mdx_leftovers_report(owner);
}

static void owner_left(struct mdx_anchor *anchor)
{
	struct mdx_owner *owner = anchor_owner(anchor);

	owner_report(owner);
	if (failed_remove(owner))
		mdx_owner_put(owner);
	mdx_owner_put(owner);
}

static const struct mdx_anchor_ops owner_anchor_ops = {
	.end = owner_end,
	.left = owner_left,
	.failed = owner_failed,
};

static struct mdx_owner *owner_alloc(struct mdx_dev *mdx, struct file *uverbs)
{
	struct mdx_owner *owner;

	owner = kzalloc(sizeof(*owner), GFP_KERNEL_ACCOUNT);
	if (!owner)
		return NULL;
	kref_get(&mdx->ref);
	owner->mdx = mdx;
	owner->uverbs = uverbs;
	owner->anchor.ops = &owner_anchor_ops;
	owner->users = 1;
	mutex_init(&owner->bind_lock);
	mdx_slots_init(&owner->slots, MDX_SLOTS_MAX);
	mdx_slots_init(&owner->throttled_slots, MDX_SLOTS_THROTTLED);
	init_rwsem(&owner->life_lock);
	mutex_init(&owner->teardown_lock);
	INIT_LIST_HEAD(&owner->failed);
	INIT_LIST_HEAD(&owner->files);
	mdx_objs_init(&owner->shared);
	mdx_objs_init(&owner->kept);
	return owner;
}

static struct mdx_owner *owner_find(struct mdx_dev *mdx, struct file *uverbs)
{
	struct mdx_owner *owner;

	lockdep_assert_held(&mdx->owners_lock);

	list_for_each_entry(owner, &mdx->owners, entry) {
		if (READ_ONCE(owner->uverbs) == uverbs) {
			owner->users++;
			return owner;
		}
	}
	return NULL;
}

/**
 * mdx_owner_get - The owner of the objects of a context
 * @mdx: its device, held by the caller
 * @uverbs: its file, held by the caller
 *
 * Return: the owner for mdx_owner_put(), the same for all files of the context; NULL
 * without memory
 */
struct mdx_owner *mdx_owner_get(struct mdx_dev *mdx, struct file *uverbs)
{
	struct mdx_owner *owner, *new = owner_alloc(mdx, uverbs);

	if (!new)
		return NULL;
	scoped_guard(mutex, &mdx->owners_lock) {
		owner = owner_find(mdx, uverbs);
		if (!owner)
			list_add_tail(&new->entry, &mdx->owners);
	}
	if (!owner)
		return new;
	owner_free(new);
	return owner;
}

/**
 * mdx_owner_attach - Bind a file to an owner for the rest of the file's life
 * @owner: the owner, of which the file takes over a use; under mdx_owner_live, its
 *	device under mdx_live
 * @file: unbound, with its bind_lock held
 * @share: the file's objects are those of all files that share
 */
void mdx_owner_attach(struct mdx_owner *owner, struct mdx_file *file, bool share)
{
	guard(mutex)(&owner->teardown_lock);
	owner->sharers += share;
	mdx_file_attach(file, owner, share ? &owner->shared : &file->own);
	guard(mutex)(&owner->mdx->owners_lock);
	list_add_tail(&file->entry, &owner->files);
}

/* No other file uses the objects. What the device keeps, the owner keeps. */
static void owner_end_objs(struct mdx_owner *owner, struct mdx_objs *objs)
{
	struct mdx_teardown td;

	lockdep_assert_held(&owner->teardown_lock);

	mdx_teardown_begin(&td, owner->mdx);
	while (!mdx_owner_check(owner) &&
	       (mdx_teardown_pass(&td, objs) |
		mdx_teardown_pass(&td, &owner->kept)))
		;
	mdx_objs_keep(objs, &owner->kept);
}

/**
 * mdx_owner_detach - Undo mdx_owner_attach(), and end the objects of the file
 * @owner: its owner
 * @file: a file that no task uses any more
 *
 * Until this has the lock, the context cannot end: its uid is still the owner's. If
 * it has ended before, the device is not asked for anything.
 */
void mdx_owner_detach(struct mdx_owner *owner, struct mdx_file *file)
{
	struct mdx_dev *mdx = owner->mdx;

	scoped_guard(mdx_live, mdx) {
		guard(mutex)(&owner->teardown_lock);
		if (file->objs == &file->own || !--owner->sharers)
			owner_end_objs(owner, file->objs);
		guard(mutex)(&mdx->owners_lock);
		list_del(&file->entry);
	}
	mdx_owner_put(owner);
}

static void owner_revoke(struct mdx_owner *owner)
{
	struct mdx_dev *mdx = owner->mdx;

	owner_end_channels(owner);
	if (!owner->ended)
		owner_destroy_objs(owner);
	if (mdx->unloading)
		mdx_leftovers_report(owner);
	if (mdx->unloading || owner->ended)
		owner_uncharge(owner);
}

/**
 * mdx_owner_revoke_all - End the objects of all contexts of a device
 * @mdx: the device, with its registration_lock held for write
 *
 * What the device keeps is destroyed with the contexts, which rdma_core ends right
 * after; if the module is unloaded, it is left to them.
 */
void mdx_owner_revoke_all(struct mdx_dev *mdx)
{
	struct mdx_owner *owner;

	guard(mutex)(&mdx->owners_lock);
	list_for_each_entry(owner, &mdx->owners, entry)
		owner_revoke(owner);
}

static void owners_take_unused(struct mdx_dev *mdx, struct list_head *unused)
{
	struct mdx_owner *owner, *next;

	guard(mdx_live)(mdx);
	guard(mutex)(&mdx->owners_lock);
	list_for_each_entry_safe(owner, next, &mdx->owners, entry) {
		if (owner_try_release(owner))
			list_add(&owner->entry, unused);
	}
}

/**
 * mdx_owner_release_unused - Free the owners of a device that are not used any more
 * @mdx: the device, which was removed or whose driver is being unloaded
 *
 * Return: true if there is no owner any more
 */
bool mdx_owner_release_unused(struct mdx_dev *mdx)
{
	struct mdx_owner *owner, *next;
	LIST_HEAD(unused);

	owners_take_unused(mdx, &unused);
	list_for_each_entry_safe(owner, next, &unused, entry)
		owner_free(owner);
	guard(mutex)(&mdx->owners_lock);
	return list_empty(&mdx->owners);
}

/**
 * mdx_owner_exit - Wait until nothing of owners runs any more
 *
 * No file is open, and no device is served.
 */
void mdx_owner_exit(void)
{
	while (!failed_is_empty()) {
		flush_delayed_work(&failed_work);
		msleep(20);
	}
	cancel_delayed_work_sync(&failed_work);
}
