// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * An anchor in a verbs context: a PD that tells of the context's end, and takes
 * part in it.
 *
 * Objects of the stock driver and of this module may name each other, since they
 * have one uid. So they must end together. rdma_core ends a context in passes over
 * all its objects, until a pass destroys nothing, and destroys each by the
 * destroy_hw() of its class. The anchor is a PD of the context with another class:
 * its destroy_hw() first ends what the anchor's owner has, then the PD.
 *
 * rdma_core finds an object for a verbs call only if uapi_object is that of the
 * type which the call is about. An anchored PD has another one, so no verbs call
 * uses or destroys it. The other one is static, not a part of the anchor: rdma_core
 * looks into it, without a lock, when it turns such a call down.
 *
 * Passes run under the context's hw_destroy_rwsem, held for write, which is private
 * to ib_uverbs. Who changes uapi_object from outside needs two things to be sure
 * that no pass runs: a reference on the uverbs file, for the last close begins one,
 * and mdx_live with a device that is not removed, for its removal begins one
 * (uobj.c). With the PD locked exclusively no verbs call uses it either.
 */
#include <linux/mutex.h>
#include <rdma/ib_verbs.h>
#include <rdma/uverbs_std_types.h>
#include <rdma/uverbs_types.h>

#include "anchor.h"
#include "uobj.h"

static struct uverbs_obj_type_class anchor_class;
static struct uverbs_api_object anchor_object;

/* Protects the list, and the first use of the objects above. A leaf. */
static DEFINE_MUTEX(anchors_lock);
static LIST_HEAD(anchors);

static struct mdx_anchor *anchor_find(const struct ib_uobject *uobj)
{
	struct mdx_anchor *anchor;

	guard(mutex)(&anchors_lock);
	list_for_each_entry(anchor, &anchors, entry) {
		if (anchor->uobj == uobj)
			return anchor;
	}
	return NULL;
}

/* The caller puts the reference on the PD. */
static void anchor_leave(struct mdx_anchor *anchor)
{
	WRITE_ONCE(anchor->uobj->uapi_object, anchor->original);
	guard(mutex)(&anchors_lock);
	list_del(&anchor->entry);
	anchor->uobj = NULL;
}

/* Nothing else of the context is left that could be destroyed. */
static bool is_last(const struct ib_uobject *uobj)
{
	return list_is_singular(&uobj->list);
}

/*
 * In a pass, which holds the PD exclusively. The PD is destroyed as soon as the device
 * lets it go; its uobject stays as long as another pass may help the owner.
 */
static int anchor_destroy_hw(struct ib_uobject *uobj,
			     enum rdma_remove_reason why,
			     struct uverbs_attr_bundle *attrs)
{
	struct mdx_anchor *anchor;
	int ret;

	/* A verbs call that has found the PD just before it was anchored. */
	if (why == RDMA_REMOVE_DESTROY)
		return -EBUSY;
	anchor = anchor_find(uobj);
	ret = anchor->ops->end(anchor);
	if (ret && is_last(uobj))
		ret = 0;
	if (!anchor->pd_destroyed) {
		anchor->pd_destroyed = !uverbs_idr_class.destroy_hw(uobj, why,
								    attrs);
		if (!anchor->pd_destroyed)
			ret = -EBUSY;
	}
	if (ret) {
		anchor->ops->failed(anchor);
		return ret;
	}
	anchor_leave(anchor);
	uverbs_uobject_put(uobj);
	anchor->ops->left(anchor);
	return 0;
}

/* PDs of all devices have the same type. */
static int objects_init(const struct uverbs_api_object *pd)
{
	lockdep_assert_held(&anchors_lock);

	if (pd->type_class != &uverbs_idr_class)
		return -EOPNOTSUPP;
	if (anchor_object.type_class)
		return pd->type_attrs == anchor_object.type_attrs ? 0 :
								    -EOPNOTSUPP;
	anchor_class = uverbs_idr_class;
	anchor_class.destroy_hw = anchor_destroy_hw;
	anchor_object = *pd;
	anchor_object.type_class = &anchor_class;
	return 0;
}

/**
 * mdx_anchor_take - Anchor a PD
 * @anchor: without a PD
 * @uobj: the PD, locked exclusively
 *
 * Return: 0, or -EOPNOTSUPP if PDs are not what this file knows
 */
int mdx_anchor_take(struct mdx_anchor *anchor, struct ib_uobject *uobj)
{
	int ret;

	guard(mutex)(&anchors_lock);
	ret = objects_init(uobj->uapi_object);
	if (ret)
		return ret;
	uverbs_uobject_get(uobj);
	anchor->uobj = uobj;
	anchor->original = uobj->uapi_object;
	list_add(&anchor->entry, &anchors);
	/* A reader of the pointer sees what it points to. */
	smp_store_release(&uobj->uapi_object, &anchor_object);
	return 0;
}

/**
 * mdx_anchor_try_give_back - Undo mdx_anchor_take(), unless a call uses the PD
 * @anchor: no pass runs in its context
 *
 * Return: true if the anchor has no PD any more
 */
bool mdx_anchor_try_give_back(struct mdx_anchor *anchor)
{
	struct ib_uobject *uobj = anchor->uobj;

	if (!mdx_uobj_try_lock(uobj))
		return false;
	anchor_leave(anchor);
	mdx_uobj_put_exclusive(uobj);
	return true;
}

/**
 * mdx_anchor_is_over - Test whether rdma_core has given up on the context
 * @anchor: the anchor, which has no PD any more if this is true
 *
 * That is so when rdma_core has forgotten the PD, and nothing but the anchor has a
 * reference.
 *
 * Return: true if no pass will follow
 */
bool mdx_anchor_is_over(struct mdx_anchor *anchor)
{
	struct ib_uobject *uobj = anchor->uobj;

	if (READ_ONCE(uobj->context) || kref_read(&uobj->ref) != 1)
		return false;
	anchor_leave(anchor);
	uverbs_uobject_put(uobj);
	return true;
}
