// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * A DCT is drained before it is destroyed: the device answers DRAIN_DCT at once
 * and says by an event when nothing is under way any more.
 */
#include <linux/jiffies.h>

#include "mbox.h"
#include "mdx.h"
#include "obj.h"

/* A device that never says so must not hold up close(). */
#define DRAIN_LIMIT (5 * HZ)
/* How often a device is looked at that may have died meanwhile. */
#define DRAIN_STEP (HZ / 10)

/* A wait for the event, on the stack of who waits. */
struct drain {
	u32 dctn;
	struct completion done;
	struct list_head entry;
};

/* In an interrupt */
static int drained_event(struct notifier_block *nb, unsigned long type,
			 void *data)
{
	struct mdx_dev *mdx = mlx5_nb_cof(nb, struct mdx_dev, nb);
	struct mlx5_eqe *eqe = data;
	u32 dctn = be32_to_cpu(eqe->data.dct.dctn) & 0xffffff;
	struct drain *drain;
	unsigned long flags;

	WRITE_ONCE(mdx->drain_lost, false);
	spin_lock_irqsave(&mdx->drain_lock, flags);
	list_for_each_entry(drain, &mdx->draining, entry)
		if (drain->dctn == dctn)
			complete(&drain->done);
	spin_unlock_irqrestore(&mdx->drain_lock, flags);
	return NOTIFY_OK;
}

static void drain_wait(struct mdx_dev *mdx, struct drain *drain)
{
	unsigned long end = jiffies;

	/* Not the full time again for each of many DCTs. */
	if (!READ_ONCE(mdx->drain_lost))
		end += DRAIN_LIMIT;
	while (!wait_for_completion_timeout(&drain->done, DRAIN_STEP)) {
		if (mdx_fw_is_dead(mdx->mdev))
			return;
		if (time_after_eq(jiffies, end)) {
			WRITE_ONCE(mdx->drain_lost, true);
			return;
		}
	}
}

/**
 * mdx_dct_drain - Drain a DCT
 * @mdx: the device, under live_sem
 * @obj: a DCT
 * @ans: the device's answer
 *
 * Return: as mdx_fw_exec(). 0 also if the event did not come in time: the device
 * is asked to destroy the DCT then and has the last word.
 */
int mdx_dct_drain(struct mdx_dev *mdx, struct mdx_obj *obj,
		  struct mdx_answer *ans)
{
	struct drain drain = { .dctn = obj->fw_id };
	u32 in[MLX5_ST_SZ_DW(drain_dct_in)] = {};
	int ret;

	MLX5_SET(drain_dct_in, in, opcode, MLX5_CMD_OP_DRAIN_DCT);
	MLX5_SET(drain_dct_in, in, uid, mdx_mbox_uid(obj->din));
	MLX5_SET(drain_dct_in, in, dctn, obj->fw_id);

	init_completion(&drain.done);
	spin_lock_irq(&mdx->drain_lock);
	list_add(&drain.entry, &mdx->draining);
	spin_unlock_irq(&mdx->drain_lock);

	ret = mdx_fw_exec(mdx, obj->id, in, sizeof(in), ans);
	if (!ret) {
		drain_wait(mdx, &drain);
		obj->drained = true;
	}

	spin_lock_irq(&mdx->drain_lock);
	list_del(&drain.entry);
	spin_unlock_irq(&mdx->drain_lock);
	return ret;
}

/**
 * mdx_dct_watch - Begin to hear the events of a device
 * @mdx: the device
 */
void mdx_dct_watch(struct mdx_dev *mdx)
{
	MLX5_NB_INIT(&mdx->nb, drained_event, DCT_DRAINED);
	mlx5_eq_notifier_register(mdx->mdev, &mdx->nb);
}

/**
 * mdx_dct_unwatch - No event is heard any more on return
 * @mdx: the device
 */
void mdx_dct_unwatch(struct mdx_dev *mdx)
{
	mlx5_eq_notifier_unregister(mdx->mdev, &mdx->nb);
}
