// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * CQs that mlx5_core hands events to.
 *
 * mlx5_core finds the CQ of an event in two trees. Only its own pair of calls
 * puts a CQ there and takes it out, and the one that takes it out does so
 * before it sends DESTROY_CQ: were the order the other way round, the next CQ
 * of that number could not be put in. So a CQ whose destroy was refused lives on
 * without events, as it does in the stock driver. From then on it is destroyed
 * by a plain command: a second call of mlx5_core's would take out whatever CQ
 * has the number by then.
 */
#include <linux/interrupt.h>
#include <linux/slab.h>

#include "compat.h"
#include "mbox.h"
#include "mdx.h"
#include "obj.h"

/* Nobody listens yet. mlx5_core's own default would print or use a tasklet. */
static void cq_comp(struct mlx5_core_cq *cq, struct mlx5_eqe *eqe)
{
}

static void cq_event(struct mlx5_core_cq *cq, enum mlx5_event event)
{
}

/* The events of an APU's CQ go to a processor of the device. */
static bool is_apu_cq(struct mlx5_core_dev *mdev, const void *in)
{
	const void *cqc = MLX5_ADDR_OF(create_cq_in, in, cq_context);

	return MLX5_CAP_GEN(mdev, apu) && MLX5_GET(cqc, cqc, apu_cq);
}

/**
 * mdx_cq_create - Create a CQ
 * @cmd: CREATE_CQ; the device is under live_sem
 * @obj: the object it is for; its cq is set if mlx5_core has it
 *
 * Return: as mlx5_cmd_do(); -EINVAL if its EQ is none for completions
 */
int mdx_cq_create(struct mdx_cmd *cmd, struct mdx_obj *obj)
{
	struct mdx_dev *mdx = cmd->file->mdx;
	struct mlx5_core_cq *cq;
	u64 start;
	int ret;

	if (is_apu_cq(mdx->mdev, cmd->in))
		return mdx_cmd_exec(cmd, obj->id);

	cq = kzalloc(sizeof(*cq), GFP_KERNEL_ACCOUNT);
	if (!cq)
		return -ENOMEM;
	cq->comp = cq_comp;
	cq->event = cq_event;

	cmd->why->stage = MDX_STAGE_DEVICE;
	mdx_slot_get(cmd->file);
	start = mdx_fw_clock();
	ret = mlx5_create_cq(mdx->mdev, cq, cmd->in, cmd->in_len, cmd->out,
			     cmd->out_len);
	if (ret == -ENOENT)
		ret = -EINVAL;
	mdx_fw_trace(mdx, obj->id, cmd->in, cmd->out, ret, start);
	mdx_slot_put(cmd->file);
	if (ret) {
		kfree(cq);
		return ret;
	}
	obj->cq = cq;
	obj->hooked = true;
	return 0;
}

/* No interrupt uses the CQ any more: it is out of the trees. */
static void cq_quiesce(struct mlx5_core_cq *cq)
{
	synchronize_irq(cq->irqn);
	mlx5_cq_put(cq);
	wait_for_completion(&cq->free);
}

/**
 * mdx_cq_forget - Free the kernel's part of a CQ
 * @obj: not hooked, or never to be destroyed by the device
 */
void mdx_cq_forget(struct mdx_obj *obj)
{
	kfree(obj->cq);
	obj->cq = NULL;
}

/* What mlx5_core has counted of DESTROY_CQ on this device. */
struct tally {
	u64 failed;
	u64 refused;
	struct mdx_answer last;
};

static void tally_read(struct mlx5_core_dev *mdev, struct tally *t)
{
	struct mlx5_cmd_stats *stats;

	memset(t, 0, sizeof(*t));
	stats = mdx_cmd_stats(mdev, MLX5_CMD_OP_DESTROY_CQ);
	if (!stats)
		return;
	spin_lock_irq(&stats->lock);
	t->failed = stats->failed;
	t->refused = stats->failed_mbox_status;
	t->last.status = stats->last_failed_mbox_status;
	t->last.syndrome = stats->last_failed_syndrome;
	spin_unlock_irq(&stats->lock);
}

/*
 * mlx5_core turns the device's answer into an errno, but counts it first. If
 * exactly one DESTROY_CQ failed meanwhile it was ours, and if it was refused the
 * record of the last refusal is the answer. Otherwise the errno has to do.
 */
static int destroy_hooked(struct mdx_dev *mdx, struct mdx_obj *obj,
			  struct mdx_answer *ans)
{
	struct tally before, after;
	int ret;

	*ans = (struct mdx_answer){ .opcode = MLX5_CMD_OP_DESTROY_CQ };
	tally_read(mdx->mdev, &before);
	obj->hooked = false;
	ret = mlx5_core_destroy_cq(mdx->mdev, obj->cq);
	if (!ret)
		return 0;

	tally_read(mdx->mdev, &after);
	if (after.failed == before.failed + 1 &&
	    after.refused == before.refused + 1) {
		*ans = after.last;
		ans->opcode = MLX5_CMD_OP_DESTROY_CQ;
		ret = -EREMOTEIO;
	}
	return ret;
}

static void trace_destroy(struct mdx_dev *mdx, struct mdx_obj *obj,
			  const struct mdx_answer *ans, int ret, u64 start)
{
	u32 out[MLX5_ST_SZ_DW(destroy_cq_out)] = {};

	MLX5_SET(destroy_cq_out, out, status, ans->status);
	MLX5_SET(destroy_cq_out, out, syndrome, ans->syndrome);
	mdx_fw_trace(mdx, obj->id, obj->din, out, ret, start);
}

/**
 * mdx_cq_destroy - Destroy a CQ
 * @mdx: the device, under live_sem
 * @obj: a CQ that has @obj->cq
 * @ans: the device's answer
 *
 * Return: as mdx_fw_exec(), and possibly the errno mlx5_core makes of a refusal
 */
int mdx_cq_destroy(struct mdx_dev *mdx, struct mdx_obj *obj,
		   struct mdx_answer *ans)
{
	u64 start = mdx_fw_clock();
	int ret;

	if (obj->hooked) {
		ret = destroy_hooked(mdx, obj, ans);
		trace_destroy(mdx, obj, ans, ret, start);
		if (ret)
			cq_quiesce(obj->cq);
		return ret;
	}
	return mdx_fw_exec(mdx, obj->id, obj->din, obj->din_len, ans);
}
