/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Status of a refused DESTROY_CQ.
 *
 * mlx5_core_destroy_cq() turns the device's answer into an errno, but mlx5_core
 * counts it first. If exactly one DESTROY_CQ failed meanwhile it was ours, and if
 * it was refused, the record of the last refusal is the answer. Optional: without
 * MDX_HAVE_CQ_STATUS (compat.mk) the caller gets the errno.
 */
#ifndef MDX_CQ_STATS_H
#define MDX_CQ_STATS_H

#include <linux/mlx5/device.h>
#include <linux/mlx5/driver.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/types.h>

#include "compat.h"
#include "fw.h"

/**
 * struct mdx_cq_stats - Counters of DESTROY_CQ on a device
 * @failed: commands that failed
 * @refused: those of them that the device refused
 * @status: status of the last refusal
 * @syndrome: syndrome of the last refusal
 */
struct mdx_cq_stats {
	u64 failed;
	u64 refused;
	u8 status;
	u32 syndrome;
};

#ifdef MDX_HAVE_CQ_STATUS
#define MDX_CQ_STATS_FEATURES MDX_FEATURE_CQ_STATUS

static inline void mdx_cq_stats_read(struct mlx5_core_dev *mdev,
				     struct mdx_cq_stats *s)
{
	struct mlx5_cmd_stats *stats;

	memset(s, 0, sizeof(*s));
	stats = mdx_cmd_stats(mdev, MLX5_CMD_OP_DESTROY_CQ);
	if (!stats)
		return;
	spin_lock_irq(&stats->lock);
	s->failed = stats->failed;
	s->refused = stats->failed_mbox_status;
	s->status = stats->last_failed_mbox_status;
	s->syndrome = stats->last_failed_syndrome;
	spin_unlock_irq(&stats->lock);
}
#else
#define MDX_CQ_STATS_FEATURES 0

static inline void mdx_cq_stats_read(struct mlx5_core_dev *mdev,
				     struct mdx_cq_stats *s)
{
	memset(s, 0, sizeof(*s));
}
#endif

/* True, with the answer, if the one command that failed in between was refused. */
static inline bool mdx_cq_stats_answer(const struct mdx_cq_stats *before,
				       const struct mdx_cq_stats *after,
				       struct mdx_answer *ans)
{
	if (after->failed != before->failed + 1 ||
	    after->refused != before->refused + 1)
		return false;
	ans->status = after->status;
	ans->syndrome = after->syndrome;
	return true;
}

#endif /* MDX_CQ_STATS_H */
