// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Creates that a device executes after mlx5_core has given up on them.
 *
 * mlx5_core drops such an answer, synchronous or not: its caller has the timeout
 * already. But the slot stays the command's until the answer is there, and the
 * first 16 bytes of an answer, with the id, are in the slot. So we listen to
 * completions before mlx5_core does: one of a command that is not waited for any
 * more is late, and if that was a create of ours, what it created is destroyed.
 *
 * Until then the verbs context is kept, for the uid is what destroys it.
 *
 * Nothing is allocated for that. As long as a create has its slot no other command
 * is there, so mdx_dev::late has room for all. Once it is answered its object has
 * all that is needed, and goes to the list of those.
 */
#include <linux/file.h>
#include <linux/workqueue.h>

#include "mbox.h"
#include "mdx.h"
#include "obj.h"

/* What a slot has of an answer. */
#define SLOT_LEN MDX_HDR_LEN

/*
 * The command in a slot whose time is over; NULL: none. It stays there while the
 * lock of the slots is held.
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

/* From here on @obj does not depend on the slot, nor on the command's row. */
static void obj_answered(struct mdx_dev *mdx, struct mdx_obj *obj,
			 const struct mdx_op *op, const void *out)
{
	/* A PSV's number is not in the slot. */
	bool unknown = !(op->flags & MDX_OP_F_ID_IN) &&
		       op->id.bit + op->id.width > SLOT_LEN * 8;

	lockdep_assert_held(&mdx->late_lock);

	if (unknown || mdx_mbox_status(out))
		obj->din_len = 0;
	else
		mdx_obj_created(obj, op, out);
	list_add_tail(&obj->entry, &mdx->answered);
	schedule_work(&mdx->late_work);
}

/* Give up waiting for the answer in a slot. */
static struct mdx_late late_take(struct mdx_dev *mdx, int slot)
{
	struct mdx_late late = mdx->late[slot];

	lockdep_assert_held(&mdx->late_lock);

	if (late.obj) {
		mdx->late[slot].obj = NULL;
		atomic_dec(&mdx->creating);
	}
	return late;
}

static void slot_answered(struct mdx_dev *mdx, int slot,
			  const struct mlx5_cmd_work_ent *ent)
{
	struct mdx_orphan *orphan = &mdx->orphans[slot];
	struct mdx_late late = late_take(mdx, slot);

	if (late.obj) {
		obj_answered(mdx, late.obj, late.op, ent->lay->out);
		return;
	}
	/*
	 * Whoever sent it has not come to mdx_late_create() yet, or never will. One
	 * is kept: for the next here, somebody has to be late by a whole timeout.
	 */
	orphan->uout = ent->uout;
	memcpy(orphan->in, ent->lay->in, SLOT_LEN);
	memcpy(orphan->out, ent->lay->out, SLOT_LEN);
}

/* In an interrupt, before mlx5_core takes the completion. */
static int completed(struct notifier_block *nb, unsigned long type, void *data)
{
	struct mdx_dev *mdx = mlx5_nb_cof(nb, struct mdx_dev, late_nb);
	struct mlx5_cmd *cmd = &mdx->mdev->cmd;
	struct mlx5_eqe *eqe = data;
	unsigned long vector = be32_to_cpu(eqe->data.cmd.vector);
	struct mlx5_cmd_work_ent *ent;
	unsigned long flags;
	int slot;

	if (!atomic_read(&mdx->creating))
		return NOTIFY_DONE;

	spin_lock_irqsave(&mdx->late_lock, flags);
	spin_lock(&cmd->alloc_lock);
	for_each_set_bit(slot, &vector, MDX_SLOTS) {
		ent = late_ent(cmd, slot);
		if (ent)
			slot_answered(mdx, slot, ent);
	}
	spin_unlock(&cmd->alloc_lock);
	spin_unlock_irqrestore(&mdx->late_lock, flags);
	return NOTIFY_DONE;
}

/* The command still has its slot: the answer will be heard. */
static bool await(struct mdx_dev *mdx, const struct mdx_cmd *cmd,
		  struct mdx_obj *obj)
{
	struct mlx5_cmd *slots = &mdx->mdev->cmd;
	const struct mlx5_cmd_work_ent *ent;
	bool found = false;
	int i;

	spin_lock(&slots->alloc_lock);
	for (i = 0; i < MDX_SLOTS && !found; i++) {
		ent = late_ent(slots, i);
		if (!ent || mdx->late[i].obj || ent->uout != cmd->out ||
		    memcmp(ent->lay->in, cmd->in, SLOT_LEN))
			continue;
		/* One for as long as it is there. */
		atomic_inc(&mdx->creating);
		mdx->late[i] = (struct mdx_late){ obj, cmd->op };
		found = true;
	}
	spin_unlock(&slots->alloc_lock);
	return found;
}

/* The answer came before its command was missed. */
static bool adopt(struct mdx_dev *mdx, const struct mdx_cmd *cmd,
		  struct mdx_obj *obj)
{
	struct mdx_orphan *orphan;

	for (orphan = mdx->orphans; orphan < mdx->orphans + MDX_SLOTS;
	     orphan++) {
		if (orphan->uout != cmd->out ||
		    memcmp(orphan->in, cmd->in, SLOT_LEN))
			continue;
		orphan->uout = NULL;
		obj_answered(mdx, obj, cmd->op, orphan->out);
		return true;
	}
	return false;
}

/**
 * mdx_late_create - A create timed out
 * @mdx: its device, under live_sem
 * @cmd: the command's row and buffers, which nobody else uses
 * @uverbs: the verbs context it belongs to
 * @obj: what it may yet create, prepared; taken over if true is returned
 *
 * mdx_dev::creating counts the command until this has returned.
 *
 * Return: whether a late answer will find @obj
 */
bool mdx_late_create(struct mdx_dev *mdx, const struct mdx_cmd *cmd,
		     struct file *uverbs, struct mdx_obj *obj)
{
	bool found;

	obj->uverbs = get_file(uverbs);
	spin_lock_irq(&mdx->late_lock);
	found = await(mdx, cmd, obj) || adopt(mdx, cmd, obj);
	spin_unlock_irq(&mdx->late_lock);
	if (!found)
		fput(uverbs);
	return found;
}

static void late_free(struct mdx_obj *obj)
{
	fput(obj->uverbs);
	mdx_obj_free(obj);
}

static struct mdx_obj *answered_take(struct mdx_dev *mdx)
{
	struct mdx_obj *obj;

	spin_lock_irq(&mdx->late_lock);
	obj = list_first_entry_or_null(&mdx->answered, struct mdx_obj, entry);
	if (obj)
		list_del_init(&obj->entry);
	spin_unlock_irq(&mdx->late_lock);
	return obj;
}

static void destroy_answered(struct mdx_dev *mdx)
{
	struct mdx_answer ans;
	struct mdx_obj *obj;

	lockdep_assert_held(&mdx->live_sem);

	while ((obj = answered_take(mdx))) {
		if (obj->din_len)
			mdx_obj_fw_destroy_last(mdx, obj, &ans);
		late_free(obj);
	}
}

static void late_work(struct work_struct *work)
{
	struct mdx_dev *mdx = container_of(work, struct mdx_dev, late_work);

	/* What it is too late for, mdx_late_unwatch() has destroyed. */
	if (mdx_live_lock(mdx))
		return;
	destroy_answered(mdx);
	mdx_live_unlock(mdx);
}

/**
 * mdx_late_watch - Begin to listen
 * @mdx: a new device
 */
void mdx_late_watch(struct mdx_dev *mdx)
{
	spin_lock_init(&mdx->late_lock);
	INIT_LIST_HEAD(&mdx->answered);
	INIT_WORK(&mdx->late_work, late_work);
	MLX5_NB_INIT(&mdx->late_nb, completed, CMD);
	mdx->late_nb.nb.priority = INT_MAX;
	mlx5_eq_notifier_register(mdx->mdev, &mdx->late_nb);
}

/**
 * mdx_late_unwatch - Nothing is heard any more on return
 * @mdx: the device under live_sem, for write; DCTs can still be drained
 *
 * What was answered is destroyed, what was not is forgotten.
 */
void mdx_late_unwatch(struct mdx_dev *mdx)
{
	struct mdx_late late;
	int i;

	mlx5_eq_notifier_unregister(mdx->mdev, &mdx->late_nb);
	destroy_answered(mdx);
	for (i = 0; i < MDX_SLOTS; i++) {
		spin_lock_irq(&mdx->late_lock);
		late = late_take(mdx, i);
		spin_unlock_irq(&mdx->late_lock);
		if (late.obj)
			late_free(late.obj);
	}
}

/**
 * mdx_late_sync - Nothing runs any more on return
 * @mdx: a device that was removed, not under live_sem
 */
void mdx_late_sync(struct mdx_dev *mdx)
{
	cancel_work_sync(&mdx->late_work);
}
