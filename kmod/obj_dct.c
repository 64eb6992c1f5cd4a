// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * DCTs, which are drained before they are destroyed: the device answers DRAIN_DCT
 * at once and sends an event when no work is under way any more.
 */
#include <linux/completion.h>
#include <linux/jiffies.h>
#include <linux/mlx5/device.h>
#include <linux/mlx5/eq.h>

#include "dev.h"
#include "mbox.h"
#include "obj.h"
#include "obj_dct.h"

/* A device that sends no event must not hold up close(). */
#define DRAIN_LIMIT (5 * HZ)
/* Interval at which the device is checked for having died. */
#define DRAIN_STEP (HZ / 10)

/**
 * struct dct_wait - A wait for an event, on the stack of the waiting task
 * @dctn: number of the DCT
 * @done: completed by the event
 * @entry: in mdx_dct_drains::waits
 */
struct dct_wait {
	u32 dctn;
	struct completion done;
	struct list_head entry;
};

/* In an interrupt */
static int drained_event(struct notifier_block *nb, unsigned long type,
			 void *data)
{
	struct mdx_dct_drains *drains =
		mlx5_nb_cof(nb, struct mdx_dct_drains, nb);
	struct mlx5_eqe *eqe = data;
	u32 dctn = be32_to_cpu(eqe->data.dct.dctn) & 0xffffff;
	struct dct_wait *wait;
	unsigned long flags;

	WRITE_ONCE(drains->event_lost, false);
	spin_lock_irqsave(&drains->lock, flags);
	list_for_each_entry(wait, &drains->waits, entry)
		if (wait->dctn == dctn)
			complete(&wait->done);
	spin_unlock_irqrestore(&drains->lock, flags);
	return NOTIFY_OK;
}

static void drain_wait(struct mdx_dev *mdx, struct dct_wait *wait)
{
	unsigned long end = jiffies;

	/* With many DCTs, the full time is waited once. */
	if (!READ_ONCE(mdx->drains.event_lost))
		end += DRAIN_LIMIT;
	while (!wait_for_completion_timeout(&wait->done, DRAIN_STEP)) {
		if (mdx_fw_is_dead(mdx->mdev))
			return;
		if (time_after_eq(jiffies, end)) {
			WRITE_ONCE(mdx->drains.event_lost, true);
			return;
		}
	}
}

static const struct mdx_obj_ops drained_ops;

/*
 * If the event does not come in time, the DCT counts as drained: the device is
 * asked to destroy it then and decides.
 */
static int dct_drain(struct mdx_dev *mdx, struct mdx_obj *obj,
		     struct mdx_answer *ans)
{
	struct mdx_dct_drains *drains = &mdx->drains;
	struct dct_wait wait = { .dctn = obj->fw_id };
	u32 in[MLX5_ST_SZ_DW(drain_dct_in)] = {};
	int ret;

	MLX5_SET(drain_dct_in, in, opcode, MLX5_CMD_OP_DRAIN_DCT);
	MLX5_SET(drain_dct_in, in, uid, mdx_mbox_uid(obj->dinbox));
	MLX5_SET(drain_dct_in, in, dctn, obj->fw_id);

	init_completion(&wait.done);
	spin_lock_irq(&drains->lock);
	list_add(&wait.entry, &drains->waits);
	spin_unlock_irq(&drains->lock);

	ret = mdx_fw_exec(mdx, obj->id, in, sizeof(in), ans);
	if (!ret) {
		drain_wait(mdx, &wait);
		obj->ops = &drained_ops;
	}

	spin_lock_irq(&drains->lock);
	list_del(&wait.entry);
	spin_unlock_irq(&drains->lock);
	return ret;
}

const struct mdx_obj_ops mdx_dct_ops = {
	.pre_destroy = dct_drain,
};

/**
 * mdx_dct_watch - Begin to look at the events of a device
 * @mdx: a new device
 */
void mdx_dct_watch(struct mdx_dev *mdx)
{
	struct mdx_dct_drains *drains = &mdx->drains;

	spin_lock_init(&drains->lock);
	INIT_LIST_HEAD(&drains->waits);
	MLX5_NB_INIT(&drains->nb, drained_event, DCT_DRAINED);
	mlx5_eq_notifier_register(mdx->mdev, &drains->nb);
}

/**
 * mdx_dct_unwatch - Stop looking at the events of a device
 * @mdx: the device; no event is looked at any more on return
 */
void mdx_dct_unwatch(struct mdx_dev *mdx)
{
	mlx5_eq_notifier_unregister(mdx->mdev, &mdx->drains.nb);
}
