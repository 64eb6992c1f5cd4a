// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * CQs, whose events mlx5_core delivers.
 *
 * mlx5_core finds the CQ of an event in two trees. Only its own pair of functions
 * adds a CQ to the trees and removes it, and mlx5_core_destroy_cq() removes the CQ
 * before it sends DESTROY_CQ: were the order the other way round, the next CQ of
 * that number could not be added. So a CQ whose destroy was refused lives on
 * without events, as it does in the stock driver. From then on it is destroyed by
 * its destroy inbox alone: a second call of that function would remove whatever CQ
 * has the number by then.
 */
#include <linux/completion.h>
#include <linux/interrupt.h>
#include <linux/mlx5/cq.h>
#include <linux/rculist.h>
#include <linux/slab.h>

#include "cmd.h"
#include "cq_stats.h"
#include "dev.h"
#include "file.h"
#include "mbox.h"
#include "obj.h"
#include "owner.h"
#include "subs.h"

/**
 * struct mdx_cq - A CQ whose events mlx5_core delivers
 * @mcq: for mlx5_core
 * @subs: subscriptions to completions: mdx_sub::of_topic, under RCU
 */
struct mdx_cq {
	struct mlx5_core_cq mcq;
	struct list_head subs;
};

/* In an interrupt. Explicit: the default of mlx5_core would use a tasklet. */
static void cq_completion(struct mlx5_core_cq *mcq, struct mlx5_eqe *eqe)
{
	struct mdx_cq *cq = container_of(mcq, struct mdx_cq, mcq);

	rcu_read_lock();
	mdx_subs_deliver(&cq->subs, eqe);
	rcu_read_unlock();
}

/* Explicit: the default of mlx5_core would print. Events are heard in event.c. */
static void no_event(struct mlx5_core_cq *cq, enum mlx5_event event)
{
}

/* The events of an APU's CQ go to a processor of the device. */
static bool is_apu_cq(struct mlx5_core_dev *mdev, const void *in)
{
	const void *cqc = MLX5_ADDR_OF(create_cq_in, in, cq_context);

	return MLX5_CAP_GEN(mdev, apu) && MLX5_GET(cqc, cqc, apu_cq);
}

static void cq_forget(struct mdx_obj *obj)
{
	kfree(obj->priv);
}

/* The CQ is out of the trees, or was never in them. */
static const struct mdx_obj_ops detached_ops = {
	.forget = cq_forget,
};

/* No interrupt uses the CQ any more: it is out of the trees. */
static void cq_quiesce(struct mlx5_core_cq *cq)
{
	synchronize_irq(cq->irqn);
	mlx5_cq_put(cq);
	wait_for_completion(&cq->free);
}

static void destroy_trace(struct mdx_dev *mdx, struct mdx_obj *obj,
			  const struct mdx_answer *ans, int ret, u64 start)
{
	u32 out[MLX5_ST_SZ_DW(destroy_cq_out)] = {};

	MLX5_SET(destroy_cq_out, out, status, ans->status);
	MLX5_SET(destroy_cq_out, out, syndrome, ans->syndrome);
	mdx_fw_trace(mdx, obj->id, obj->dinbox, out, ret, start);
}

static int cq_destroy(struct mdx_dev *mdx, struct mdx_obj *obj,
		      struct mdx_answer *ans)
{
	struct mdx_cq_stats before, after;
	struct mdx_cq *cq = obj->priv;
	u64 start = mdx_fw_clock();
	int ret;

	*ans = (struct mdx_answer){ .opcode = MLX5_CMD_OP_DESTROY_CQ };
	obj->ops = &detached_ops;
	mdx_cq_stats_read(mdx->mdev, &before);
	ret = mlx5_core_destroy_cq(mdx->mdev, &cq->mcq);
	if (ret) {
		mdx_cq_stats_read(mdx->mdev, &after);
		if (mdx_cq_stats_answer(&before, &after, ans))
			ret = -EREMOTEIO;
	}
	destroy_trace(mdx, obj, ans, ret, start);
	if (ret)
		cq_quiesce(&cq->mcq);
	return ret;
}

static struct list_head *cq_subs(struct mdx_obj *obj)
{
	struct mdx_cq *cq = obj->priv;

	return &cq->subs;
}

/* The CQ is in the trees, from which it must be removed in any case. */
static const struct mdx_obj_ops attached_ops = {
	.completions = cq_subs,
	.destroy = cq_destroy,
	.forget = cq_forget,
	.must_destroy = true,
};

/* Return: as mlx5_cmd_do(); -EINVAL if its EQ is not one for completions */
static int cq_create(struct mdx_cmd *cmd, struct mdx_obj *obj)
{
	struct mdx_dev *mdx = cmd->file->owner->mdx;
	struct mdx_cq *cq;
	u64 start;
	int ret;

	if (is_apu_cq(mdx->mdev, cmd->in))
		return mdx_cmd_exec(cmd, obj->id);

	cq = kzalloc(sizeof(*cq), GFP_KERNEL_ACCOUNT);
	if (!cq)
		return -ENOMEM;
	INIT_LIST_HEAD(&cq->subs);
	cq->mcq.comp = cq_completion;
	cq->mcq.event = no_event;

	cmd->err->stage = MDX_STAGE_DEVICE;
	start = mdx_fw_clock();
	ret = mlx5_create_cq(mdx->mdev, &cq->mcq, cmd->in, cmd->in_len,
			     cmd->out, cmd->out_len);
	if (ret == -ENOENT)
		ret = -EINVAL;
	mdx_fw_trace(mdx, obj->id, cmd->in, cmd->out, ret, start);
	if (ret) {
		kfree(cq);
		return ret;
	}
	obj->priv = cq;
	obj->ops = &attached_ops;
	return 0;
}

const struct mdx_obj_ops mdx_cq_ops = {
	.create = cq_create,
};
