// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * An object as the device sees it: prepared from the input that creates it,
 * known by its number once the answer is there, destroyed by its destroy inbox.
 */
#include <linux/jiffies.h>
#include <linux/mlx5/driver.h>
#include <linux/slab.h>

#include "charge.h"
#include "dev.h"
#include "obj.h"
#include "subs.h"

/* Most object types. */
static const struct mdx_obj_ops plain_ops;

/**
 * mdx_obj_alloc - Allocate an object, which has no id
 *
 * Return: the object for mdx_obj_free(), or NULL
 */
struct mdx_obj *mdx_obj_alloc(void)
{
	struct mdx_obj *obj;

	obj = kzalloc(sizeof(*obj), GFP_KERNEL_ACCOUNT);
	if (!obj)
		return NULL;
	obj->ops = &plain_ops;
	obj->created = jiffies;
	INIT_LIST_HEAD(&obj->entry);
	INIT_LIST_HEAD(&obj->subs);
	return obj;
}

/**
 * mdx_obj_free - Free the kernel's part of an object
 * @obj: in no list, and without an id
 */
void mdx_obj_free(struct mdx_obj *obj)
{
	/* They ended with it, or with the channels of its owner. */
	WARN_ON_ONCE(!list_empty(&obj->subs));
	if (obj->ops->forget)
		obj->ops->forget(obj);
	kfree(obj);
}

/**
 * mdx_obj_prepare - Note all that the input of a create tells
 * @obj: the object
 * @op: the command's row
 * @in: input, before it is sent
 * @uid: firmware uid
 *
 * Of the answer only the number is needed then, and nothing can fail any more.
 */
void mdx_obj_prepare(struct mdx_obj *obj, const struct mdx_op *op,
		     const void *in, u16 uid)
{
	obj->opcode = op->opcode;
	obj->level = op->level;
	obj->event_type = op->event_type;
	obj->queue_type = op->queue_type;
	if (op->ops)
		obj->ops = op->ops;
	if (op->flags & MDX_OP_F_OBJ_TYPE)
		obj->obj_type = mdx_mbox_obj_type(in);
	if (op->flags & MDX_OP_F_ID_IN)
		obj->fw_id = mdx_mbox_created_id(op, in, NULL);
	obj->fw_n = mdx_mbox_count(op, in);
	mdx_mbox_build_dinbox(op, in, obj->fw_id, uid, obj->dinbox);
	obj->dinlen = op->destroy->len;
}

/**
 * mdx_obj_created - Note the number that the device gave an object
 * @obj: prepared
 * @op: the command's row
 * @out: first MDX_HDR_LEN bytes of the answer at least, more if the number is
 *	behind them
 */
void mdx_obj_created(struct mdx_obj *obj, const struct mdx_op *op,
		     const void *out)
{
	if (op->flags & MDX_OP_F_ID_IN)
		return;
	obj->fw_id = mdx_mbox_created_id(op, NULL, out);
	mdx_mbox_set(obj->dinbox, op->destroy->id, obj->fw_id);
}

/**
 * mdx_obj_charge - Charge a new object to the cgroup of this task
 * @mdx: the device under mdx_live
 * @obj: the object
 *
 * Return: 0, or -EAGAIN at the limit of the cgroup, or -ENOMEM
 */
int mdx_obj_charge(struct mdx_dev *mdx, struct mdx_obj *obj)
{
	return mdx_charge(&obj->cg, mdx->ibdev);
}

/**
 * mdx_obj_uncharge - Undo mdx_obj_charge()
 * @mdx: the device under mdx_live
 * @obj: the object; nothing is done if it is not charged
 *
 * What the device still has is charged, also after the end of its context. Only
 * the removal of the device ends that.
 */
void mdx_obj_uncharge(struct mdx_dev *mdx, struct mdx_obj *obj)
{
	if (!obj->cg)
		return;
	mdx_uncharge(obj->cg, mdx->ibdev);
	obj->cg = NULL;
}

static int destroy_send(struct mdx_dev *mdx, struct mdx_obj *obj,
			struct mdx_answer *ans)
{
	if (obj->ops->destroy)
		return obj->ops->destroy(mdx, obj, ans);
	return mdx_fw_exec(mdx, obj->id, obj->dinbox, obj->dinlen, ans);
}

/*
 * Without an answer the number may be another object's by now: the subscriptions stay
 * held.
 */
static int destroy_unheard(struct mdx_dev *mdx, struct mdx_obj *obj,
			   struct mdx_answer *ans)
{
	int ret;

	mdx_subs_hold(mdx, obj);
	ret = destroy_send(mdx, obj, ans);
	if (ret && ret != -ETIMEDOUT && ret != -ECANCELED)
		mdx_subs_unhold(mdx, obj);
	return ret;
}

/* @last: a refused pre_destroy is no reason not to try the destroy. */
static int destroy_try(struct mdx_dev *mdx, struct mdx_obj *obj, bool last,
		       struct mdx_answer *ans)
{
	int ret = 0;

	if (obj->ops->pre_destroy)
		ret = obj->ops->pre_destroy(mdx, obj, ans);
	if (!ret || (last && ret != -ENOMEM))
		ret = destroy_unheard(mdx, obj, ans);
	if (ret == -ENXIO || (ret && mdx_fw_is_dead(mdx->mdev))) {
		memset(ans, 0, sizeof(*ans));
		ret = 0;
	}
	if (ret)
		return ret;
	mdx_subs_end_of_obj(mdx, obj);
	if (obj->ops->destroyed)
		obj->ops->destroyed(obj);
	return 0;
}

/**
 * mdx_obj_fw_destroy - Have the device destroy an object
 * @mdx: the device under mdx_live
 * @obj: held exclusively
 * @ans: the device's answer
 *
 * Return: as mdx_fw_exec(); 0 if the device is dead, which has no object any more
 */
int mdx_obj_fw_destroy(struct mdx_dev *mdx, struct mdx_obj *obj,
		       struct mdx_answer *ans)
{
	return destroy_try(mdx, obj, false, ans);
}

/**
 * mdx_obj_fw_destroy_last - Have the device destroy an object for the last time
 * @mdx: the device under mdx_live, held by the caller or, in a worker, by the
 *	task that waits for it
 * @obj: used by no other task
 * @ans: the device's answer
 *
 * A shortage of memory passes, so it is no reason to leave the object behind.
 *
 * Return: as mdx_obj_fw_destroy()
 */
int mdx_obj_fw_destroy_last(struct mdx_dev *mdx, struct mdx_obj *obj,
			    struct mdx_answer *ans)
{
	int tries = MDX_DESTROY_TRIES;
	int ret;

	do {
		ret = destroy_try(mdx, obj, true, ans);
	} while (ret == -ENOMEM && --tries);
	return ret;
}
