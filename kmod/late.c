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
 */
#include <linux/file.h>
#include <linux/slab.h>

#include "compat.h"
#include "mbox.h"
#include "mdx.h"
#include "obj.h"

/* What a slot has of an answer. */
#define SLOT_LEN MDX_HDR_LEN

/**
 * struct late - A create that timed out
 * @entry: in mdx_dev::late
 * @obj: what it creates; its own and not in its file
 * @op: the command's row
 * @uverbs: keeps the uid
 * @slot: where the answer will be
 * @answered: it is there
 * @out: it
 */
struct late {
	struct list_head entry;
	struct mdx_obj *obj;
	const struct mdx_op *op;
	struct file *uverbs;
	int slot;
	bool answered;
	__be32 out[SLOT_LEN / 4];
};

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

static void answered(struct mdx_dev *mdx, int slot,
		     const struct mlx5_cmd_work_ent *ent)
{
	struct mdx_orphan *orphan = &mdx->orphans[slot];
	struct late *late;

	list_for_each_entry(late, &mdx->late, entry) {
		if (late->slot != slot || late->answered)
			continue;
		memcpy(late->out, ent->lay->out, SLOT_LEN);
		late->answered = true;
		schedule_work(&mdx->late_work);
		return;
	}
	/* Whoever sent it has not come to mdx_late_create() yet, or never will. */
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
			answered(mdx, slot, ent);
	}
	spin_unlock(&cmd->alloc_lock);
	spin_unlock_irqrestore(&mdx->late_lock, flags);
	return NOTIFY_DONE;
}

static bool is_awaited(struct mdx_dev *mdx, int slot)
{
	struct late *late;

	list_for_each_entry(late, &mdx->late, entry)
		if (late->slot == slot && !late->answered)
			return true;
	return false;
}

static bool is_mine(const struct mdx_orphan *orphan, const struct mdx_cmd *cmd)
{
	return orphan->uout == cmd->out && !memcmp(orphan->in, cmd->in, SLOT_LEN);
}

/* Find the slot of a command that timed out, or the answer if it is there. */
static bool find_slot(struct mdx_dev *mdx, struct mdx_cmd *cmd,
		      struct late *late)
{
	struct mlx5_cmd_work_ent *ent;
	int i;

	for (i = 0; i < MDX_SLOTS; i++) {
		ent = late_ent(&mdx->mdev->cmd, i);
		late->slot = i;
		if (ent && !is_awaited(mdx, i) && ent->uout == cmd->out &&
		    !memcmp(ent->lay->in, cmd->in, SLOT_LEN))
			return true;
		if (is_mine(&mdx->orphans[i], cmd)) {
			memcpy(late->out, mdx->orphans[i].out, SLOT_LEN);
			mdx->orphans[i].uout = NULL;
			late->answered = true;
			return true;
		}
	}
	return false;
}

/**
 * mdx_late_create - A create timed out
 * @cmd: it; its device is under live_sem, and nobody else uses its buffers
 * @obj: what it may yet create, prepared; taken over if true is returned
 *
 * mdx_dev::creating counts the command until this has returned.
 *
 * Return: whether a late answer will find @obj
 */
bool mdx_late_create(struct mdx_cmd *cmd, struct mdx_obj *obj)
{
	struct mdx_dev *mdx = cmd->file->mdx;
	struct late *late;
	bool found;

	late = kzalloc(sizeof(*late), GFP_KERNEL_ACCOUNT);
	if (!late)
		return false;
	late->obj = obj;
	late->op = cmd->op;
	late->uverbs = get_file(cmd->file->uverbs);

	spin_lock_irq(&mdx->late_lock);
	spin_lock(&mdx->mdev->cmd.alloc_lock);
	found = find_slot(mdx, cmd, late);
	spin_unlock(&mdx->mdev->cmd.alloc_lock);
	if (found) {
		/* One for as long as it is in the list. */
		atomic_inc(&mdx->creating);
		list_add_tail(&late->entry, &mdx->late);
	}
	spin_unlock_irq(&mdx->late_lock);

	if (found && late->answered)
		schedule_work(&mdx->late_work);
	if (!found) {
		fput(late->uverbs);
		kfree(late);
	}
	return found;
}

static struct late *late_take(struct mdx_dev *mdx, bool any)
{
	struct late *late, *found = NULL;

	spin_lock_irq(&mdx->late_lock);
	list_for_each_entry(late, &mdx->late, entry) {
		if (!any && !late->answered)
			continue;
		list_del(&late->entry);
		atomic_dec(&mdx->creating);
		found = late;
		break;
	}
	spin_unlock_irq(&mdx->late_lock);
	return found;
}

static void late_destroy(struct mdx_dev *mdx, struct late *late)
{
	const struct mdx_op *op = late->op;
	struct mdx_obj *obj = late->obj;
	struct mdx_answer ans;

	if (mdx_mbox_status(late->out))
		return;
	if (!(op->flags & MDX_OP_F_ID_IN)) {
		/* A PSV's number is not in the slot. */
		if (op->id.bit + op->id.width > SLOT_LEN * 8)
			return;
		obj->fw_id = mdx_mbox_created_id(op, NULL, late->out);
		mdx_mbox_set(obj->din, op->undo->id, obj->fw_id);
	}
	mdx_obj_fw_destroy_last(mdx, obj, &ans);
}

static void late_free(struct late *late)
{
	mdx_obj_free(late->obj);
	fput(late->uverbs);
	kfree(late);
}

static void late_work(struct work_struct *work)
{
	struct mdx_dev *mdx = container_of(work, struct mdx_dev, late_work);
	struct late *late;

	while ((late = late_take(mdx, false))) {
		if (!mdx_live_lock(mdx)) {
			late_destroy(mdx, late);
			mdx_live_unlock(mdx);
		}
		late_free(late);
	}
}

/**
 * mdx_late_watch - Begin to listen
 * @mdx: a new device
 */
void mdx_late_watch(struct mdx_dev *mdx)
{
	spin_lock_init(&mdx->late_lock);
	INIT_LIST_HEAD(&mdx->late);
	INIT_WORK(&mdx->late_work, late_work);
	MLX5_NB_INIT(&mdx->late_nb, completed, CMD);
	mdx->late_nb.nb.priority = INT_MAX;
	mlx5_eq_notifier_register(mdx->mdev, &mdx->late_nb);
}

/**
 * mdx_late_unwatch - Nothing is heard any more on return
 * @mdx: the device under live_sem, for write
 */
void mdx_late_unwatch(struct mdx_dev *mdx)
{
	mlx5_eq_notifier_unregister(mdx->mdev, &mdx->late_nb);
}

/**
 * mdx_late_drop - Forget who has not answered
 * @mdx: a device that was removed, not under live_sem
 */
void mdx_late_drop(struct mdx_dev *mdx)
{
	struct late *late;

	cancel_work_sync(&mdx->late_work);
	while ((late = late_take(mdx, true)))
		late_free(late);
}
