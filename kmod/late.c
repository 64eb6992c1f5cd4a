// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Creates that the device executes after mlx5_core has given up on them.
 *
 * mlx5_core drops such an answer, synchronous or not: its caller already has the
 * timeout. But the command keeps its slot until the answer is there, and the first
 * 16 bytes of an answer, with the number of most objects, are in the slot. So this
 * file is called for completions before mlx5_core is: the completion of a command
 * that is no longer waited for is late, and if that was a create of ours, the
 * object is destroyed. The numbers of PSVs and scheduling elements lie behind the
 * 16 bytes: these objects stay with the device until their uid ends.
 *
 * Only the uid of its context can destroy the object. The context is not kept for
 * that: an object whose create is answered after the end of its context stays with
 * the device, as it does for the stock driver.
 *
 * No memory is allocated for that. As long as a create has its slot, no other
 * command is there, so the array of the tracker has room for all. Once the create
 * is answered its object has all that is needed, and goes to a list.
 *
 * This file knows mlx5_core's command slots. compat.mk looks whether the headers
 * have them as they are used here.
 */
#include <linux/workqueue.h>

#include "cmd.h"
#include "dev.h"
#include "late.h"
#include "mbox.h"
#include "obj.h"
#include "owner.h"

/* Bytes of an answer that lie in the slot. */
#define SLOT_LEN MDX_HDR_LEN

static struct mdx_dev *tracker_dev(struct mdx_late_tracker *late)
{
	return container_of(late, struct mdx_dev, late);
}

/**
 * mdx_late_create_begin - A create is about to be sent
 * @mdx: the device under mdx_live
 */
void mdx_late_create_begin(struct mdx_dev *mdx)
{
	atomic_inc(&mdx->late.creating);
}

/**
 * mdx_late_create_end - A create has returned, and mdx_late_create() if it timed
 *	out
 * @mdx: the device under mdx_live
 */
void mdx_late_create_end(struct mdx_dev *mdx)
{
	atomic_dec(&mdx->late.creating);
}

/*
 * The timed-out command in a slot; NULL: none. It stays there while the lock of
 * the slots is held.
 */
static struct mlx5_cmd_work_ent *late_ent(struct mlx5_cmd *cmd, int slot)
{
	struct mlx5_cmd_work_ent *ent = cmd->ent_arr[slot];

	lockdep_assert_held(&cmd->alloc_lock);
	if (test_bit(slot, &cmd->vars.bitmask) || !ent || !ent->lay ||
	    test_bit(MLX5_CMD_ENT_STATE_PENDING_COMP, &ent->state))
		return NULL;
	return ent;
}

/* From here on @obj depends neither on the slot nor on the command's row. */
static void obj_answered(struct mdx_late_tracker *late, struct mdx_obj *obj,
			 const struct mdx_op *op, const void *out)
{
	bool unknown = !(op->flags & MDX_OP_F_ID_IN) &&
		       op->id.bit + op->id.width > SLOT_LEN * 8;

	lockdep_assert_held(&late->lock);

	if (unknown || mdx_mbox_status(out))
		obj->dinlen = 0;
	else
		mdx_obj_created(obj, op, out);
	list_add_tail(&obj->entry, &late->answered);
	schedule_work(&late->work);
}

/* Stop waiting for the answer in a slot. */
static struct mdx_late_create create_take(struct mdx_late_tracker *late,
					  int slot)
{
	struct mdx_late_create create = late->creates[slot];

	lockdep_assert_held(&late->lock);

	if (create.obj) {
		late->creates[slot].obj = NULL;
		atomic_dec(&late->creating);
	}
	return create;
}

static void slot_answered(struct mdx_late_tracker *late, int slot,
			  const struct mlx5_cmd_work_ent *ent)
{
	struct mdx_late_unclaimed *unclaimed = &late->unclaimed[slot];
	struct mdx_late_create create = create_take(late, slot);

	if (create.obj) {
		obj_answered(late, create.obj, create.op, ent->lay->out);
		return;
	}
	/*
	 * The issuer has not reached mdx_late_create() yet, or never will. One
	 * per slot is kept: a second one would need the issuer to lag by a full
	 * timeout.
	 */
	unclaimed->uout = ent->uout;
	memcpy(unclaimed->in, ent->lay->in, SLOT_LEN);
	memcpy(unclaimed->out, ent->lay->out, SLOT_LEN);
}

/* In an interrupt, before mlx5_core takes the completion. */
static int completion_event(struct notifier_block *nb, unsigned long type,
			    void *data)
{
	struct mdx_late_tracker *late =
		mlx5_nb_cof(nb, struct mdx_late_tracker, nb);
	struct mlx5_cmd *cmd = &tracker_dev(late)->mdev->cmd;
	struct mlx5_eqe *eqe = data;
	unsigned long vector = be32_to_cpu(eqe->data.cmd.vector);
	struct mlx5_cmd_work_ent *ent;
	unsigned long flags;
	int slot;

	if (!atomic_read(&late->creating))
		return NOTIFY_DONE;

	spin_lock_irqsave(&late->lock, flags);
	spin_lock(&cmd->alloc_lock);
	for_each_set_bit(slot, &vector, MDX_LATE_SLOTS) {
		ent = late_ent(cmd, slot);
		if (ent)
			slot_answered(late, slot, ent);
	}
	spin_unlock(&cmd->alloc_lock);
	spin_unlock_irqrestore(&late->lock, flags);
	return NOTIFY_DONE;
}

/* The command still has its slot: the answer will be seen there. */
static bool create_register(struct mdx_dev *mdx, const struct mdx_cmd *cmd,
			    struct mdx_obj *obj)
{
	struct mdx_late_create *creates = mdx->late.creates;
	struct mlx5_cmd *slots = &mdx->mdev->cmd;
	const struct mlx5_cmd_work_ent *ent;
	bool found = false;
	int i;

	spin_lock(&slots->alloc_lock);
	for (i = 0; i < MDX_LATE_SLOTS && !found; i++) {
		ent = late_ent(slots, i);
		if (!ent || creates[i].obj || ent->uout != cmd->out ||
		    memcmp(ent->lay->in, cmd->in, SLOT_LEN))
			continue;
		/* Completions are looked at as long as the create is there. */
		atomic_inc(&mdx->late.creating);
		creates[i] = (struct mdx_late_create){ obj, cmd->op };
		found = true;
	}
	spin_unlock(&slots->alloc_lock);
	return found;
}

/* The completion arrived before the create was registered. */
static bool unclaimed_claim(struct mdx_late_tracker *late,
			    const struct mdx_cmd *cmd, struct mdx_obj *obj)
{
	struct mdx_late_unclaimed *u = late->unclaimed;

	for (; u < late->unclaimed + MDX_LATE_SLOTS; u++) {
		if (u->uout != cmd->out || memcmp(u->in, cmd->in, SLOT_LEN))
			continue;
		u->uout = NULL;
		obj_answered(late, obj, cmd->op, u->out);
		return true;
	}
	return false;
}

/**
 * mdx_late_create - Register a create that timed out
 * @owner: owner of the object, its device under mdx_live
 * @cmd: the command's row and buffers, which no other task uses
 * @obj: the object it may yet create, prepared; taken over if true is returned
 *
 * To be called between mdx_late_create_begin() and mdx_late_create_end().
 *
 * Return: true if a late answer will find @obj
 */
bool mdx_late_create(struct mdx_owner *owner, const struct mdx_cmd *cmd,
		     struct mdx_obj *obj)
{
	struct mdx_dev *mdx = owner->mdx;
	bool found;

	mdx_owner_hold(owner);
	obj->owner = owner;
	spin_lock_irq(&mdx->late.lock);
	found = create_register(mdx, cmd, obj) ||
		unclaimed_claim(&mdx->late, cmd, obj);
	spin_unlock_irq(&mdx->late.lock);
	/* The caller uses the owner as well. */
	if (!found)
		mdx_owner_unhold(owner);
	return found;
}

static struct mdx_obj *answered_next(struct mdx_late_tracker *late)
{
	struct mdx_obj *obj;

	spin_lock_irq(&late->lock);
	obj = list_first_entry_or_null(&late->answered, struct mdx_obj, entry);
	if (obj)
		list_del_init(&obj->entry);
	spin_unlock_irq(&late->lock);
	return obj;
}

static void answered_destroy(struct mdx_dev *mdx, struct mdx_obj *obj)
{
	struct mdx_answer ans;

	mdx_dev_assert_live(mdx);

	guard(mdx_owner_live)(obj->owner);
	if (obj->dinlen && !obj->owner->ended)
		mdx_obj_fw_destroy_last(mdx, obj, &ans);
}

/* After removal, mdx_late_unwatch() has taken all. */
static struct mdx_obj *answered_end_next(struct mdx_dev *mdx)
{
	struct mdx_obj *obj;

	guard(mdx_live)(mdx);
	obj = answered_next(&mdx->late);
	if (obj)
		answered_destroy(mdx, obj);
	return obj;
}

static void late_work(struct work_struct *work)
{
	struct mdx_dev *mdx = container_of(work, struct mdx_dev, late.work);
	struct mdx_owner *owner;
	struct mdx_obj *obj;

	while ((obj = answered_end_next(mdx))) {
		owner = obj->owner;
		mdx_obj_free(obj);
		mdx_owner_put(owner);
	}
}

/**
 * mdx_late_watch - Begin to look at completions
 * @mdx: a new device
 */
void mdx_late_watch(struct mdx_dev *mdx)
{
	struct mdx_late_tracker *late = &mdx->late;

	spin_lock_init(&late->lock);
	INIT_LIST_HEAD(&late->answered);
	INIT_WORK(&late->work, late_work);
	MLX5_NB_INIT(&late->nb, completion_event, CMD);
	late->nb.nb.priority = INT_MAX;
	mlx5_eq_notifier_register(mdx->mdev, &late->nb);
}

static void late_forget(struct mdx_obj *obj)
{
	mdx_owner_unhold(obj->owner);
	mdx_obj_free(obj);
}

/**
 * mdx_late_unwatch - Stop looking at completions
 * @mdx: the device with its registration_lock held for write; DCTs can still be
 *	drained
 *
 * Objects whose creates were answered are destroyed, the others are forgotten.
 */
void mdx_late_unwatch(struct mdx_dev *mdx)
{
	struct mdx_obj *obj;
	int i;

	mlx5_eq_notifier_unregister(mdx->mdev, &mdx->late.nb);
	while ((obj = answered_next(&mdx->late))) {
		answered_destroy(mdx, obj);
		late_forget(obj);
	}
	for (i = 0; i < MDX_LATE_SLOTS; i++) {
		spin_lock_irq(&mdx->late.lock);
		obj = create_take(&mdx->late, i).obj;
		spin_unlock_irq(&mdx->late.lock);
		if (obj)
			late_forget(obj);
	}
}

/**
 * mdx_late_sync - Wait until no work runs any more
 * @mdx: a device that was removed, not under mdx_live
 */
void mdx_late_sync(struct mdx_dev *mdx)
{
	cancel_work_sync(&mdx->late.work);
}
