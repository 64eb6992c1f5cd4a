// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Verbs objects, locked as rdma_core does.
 *
 * An object is looked up in the uverbs file of a context, which stays open as long
 * as a reference is held. Apart from that, objects end with the removal of the
 * device, in the remove() of ib_uverbs. ib_core removes the younger client first,
 * so that begins when our own remove() has returned, and our remove() waits for
 * mdx_live: under it, a locked object stays valid.
 */
#include <linux/fs.h>
#include <rdma/uverbs_std_types.h>
#include <rdma/uverbs_types.h>

#include "uobj.h"

static struct ib_uobject *uobj_lookup(struct file *uverbs, u32 handle)
{
	struct ib_uobject *uobj;

	uobj = uverbs_idr_class.lookup_get(NULL, uverbs->private_data, handle,
					   UVERBS_LOOKUP_READ);
	return IS_ERR(uobj) ? ERR_PTR(-ENOENT) : uobj;
}

/**
 * mdx_uobj_get - Lock a verbs object as rdma_core does for reading
 * @uverbs: file of its context, held by the caller; the device is under mdx_live
 * @handle: its handle
 *
 * Destroying it fails with EBUSY until it is put. An object that was destroyed in
 * spite of that, with its device, is NULL in the uobject.
 *
 * Return: the uobject, -ENOENT, or -EBUSY if it is being destroyed
 */
struct ib_uobject *mdx_uobj_get(struct file *uverbs, u32 handle)
{
	struct ib_uobject *uobj = uobj_lookup(uverbs, handle);

	if (IS_ERR(uobj))
		return uobj;
	if (atomic_fetch_add_unless(&uobj->usecnt, 1, -1) == -1) {
		uverbs_uobject_put(uobj);
		return ERR_PTR(-EBUSY);
	}
	return uobj;
}

/**
 * mdx_uobj_put - Unlock a verbs object
 * @uobj: from mdx_uobj_get()
 */
void mdx_uobj_put(struct ib_uobject *uobj)
{
	atomic_dec(&uobj->usecnt);
	uverbs_uobject_put(uobj);
}

/**
 * mdx_uobj_try_lock - Lock a verbs object as rdma_core does for writing
 * @uobj: the object, with a reference; no pass of rdma_core runs in its context
 *
 * Return: true unless it is in use
 */
bool mdx_uobj_try_lock(struct ib_uobject *uobj)
{
	return !atomic_cmpxchg(&uobj->usecnt, 0, -1);
}

/**
 * mdx_uobj_get_exclusive - Lock a verbs object as rdma_core does for writing
 * @uverbs: as for mdx_uobj_get()
 * @handle: as for mdx_uobj_get()
 *
 * Return: the uobject, -ENOENT, or -EBUSY if it is in use
 */
struct ib_uobject *mdx_uobj_get_exclusive(struct file *uverbs, u32 handle)
{
	struct ib_uobject *uobj = uobj_lookup(uverbs, handle);

	if (IS_ERR(uobj) || mdx_uobj_try_lock(uobj))
		return uobj;
	uverbs_uobject_put(uobj);
	return ERR_PTR(-EBUSY);
}

/**
 * mdx_uobj_put_exclusive - Unlock a verbs object, and drop the reference
 * @uobj: from mdx_uobj_get_exclusive(), or after mdx_uobj_try_lock()
 */
void mdx_uobj_put_exclusive(struct ib_uobject *uobj)
{
	atomic_set_release(&uobj->usecnt, 0);
	uverbs_uobject_put(uobj);
}
