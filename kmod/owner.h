/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The owner of objects: a verbs context, as long as files are bound to it or the
 * device has objects of it.
 */
#ifndef MDX_OWNER_H
#define MDX_OWNER_H

#include <linux/cleanup.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rwsem.h>
#include <linux/types.h>

#include "anchor.h"
#include "dev.h"
#include "objs.h"
#include "slot.h"

struct file;
struct mdx_file;

/**
 * struct mdx_owner - A verbs context of a device
 * @mdx: the device, with a reference
 * @uid: firmware uid; 0: not verified yet
 * @uverbs: file of the context, without a reference; NULL once the context has
 *	begun to end. The anchor is told of that before the file is freed
 * @anchor: makes the context's end the end of the objects
 * @bind_lock: held while a file is bound to the context
 * @users: files, binds, late creates and passes that use the owner; under
 *	mdx_dev::owners_lock. An owner without users stays while it is anchored
 *	or has @kept objects
 * @entry: in mdx_dev::owners
 * @slots: of all commands
 * @throttled_slots: of commands about general objects
 * @life_lock: held for read around any call of a file; for write to end the context
 * @ended: the context has ended or is ending: no call reaches the device any more.
 *	Set under @life_lock
 * @teardown_lock: held while objects are destroyed with their file or context;
 *	protects @sharers
 * @files: files that are bound; changed under @teardown_lock and
 *	mdx_dev::owners_lock
 * @sharers: files among them that use @shared
 * @shared: objects of the files bound with MDX_BIND_SHARE
 * @kept: objects that the device kept when their file ended, without ids
 * @subs_n: subscriptions of its channels; under mdx_events::lock
 * @subs_unaffiliated_n: those among them that are about no object
 * @failed: in the list of owners whose context did not end whole
 */
struct mdx_owner {
	struct mdx_dev *mdx;
	u16 uid;
	struct file *uverbs;
	struct mdx_anchor anchor;
	struct mutex bind_lock; /* one bind at a time */
	unsigned int users;
	struct list_head entry;
	struct mdx_slots slots;
	struct mdx_slots throttled_slots;
	struct rw_semaphore life_lock; /* calls; end of the context */
	bool ended;
	struct mutex teardown_lock; /* end of objects; files, sharers */
	struct list_head files;
	unsigned int sharers;
	struct mdx_objs shared;
	struct mdx_objs kept;
	u32 subs_n;
	u32 subs_unaffiliated_n;
	struct list_head failed;
};

/* The context does not end meanwhile. It may have before: look at @ended. */
DEFINE_GUARD(mdx_owner_live, struct mdx_owner *, down_read(&_T->life_lock),
	     up_read(&_T->life_lock))

/**
 * mdx_owner_check - Test whether commands may be sent
 * @owner: under mdx_owner_live, its device under mdx_live
 *
 * Return: 0, or -EIO if the device was removed or the context has ended
 */
static inline int mdx_owner_check(const struct mdx_owner *owner)
{
	return owner->ended || owner->mdx->removed ? -EIO : 0;
}

struct mdx_owner *mdx_owner_get(struct mdx_dev *mdx, struct file *uverbs);
void mdx_owner_hold(struct mdx_owner *owner);
void mdx_owner_put(struct mdx_owner *owner);
void mdx_owner_unhold(struct mdx_owner *owner);
struct file *mdx_owner_context_get(struct mdx_owner *owner);
void mdx_owner_attach(struct mdx_owner *owner, struct mdx_file *file,
		      bool share);
void mdx_owner_detach(struct mdx_owner *owner, struct mdx_file *file);
void mdx_owner_revoke_all(struct mdx_dev *mdx);
bool mdx_owner_release_unused(struct mdx_dev *mdx);
void mdx_owner_exit(void);

#endif /* MDX_OWNER_H */
