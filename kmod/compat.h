/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The differences between the kernels this module is built for. The rest of the
 * code is written for the newest; compat.mk probes the headers for HAVE_*.
 */
#ifndef MDX_COMPAT_H
#define MDX_COMPAT_H

#include <linux/cgroup_rdma.h>
#include <linux/mlx5/driver.h>
#include <rdma/ib_verbs.h>

/* 6.1: an array indexed by opcode; gone when the floor reaches 6.12. */
static inline struct mlx5_cmd_stats *mdx_cmd_stats(struct mlx5_core_dev *mdev,
						   u16 opcode)
{
#ifdef HAVE_MLX5_CMD_STATS_XA
	return xa_load(&mdev->cmd.stats, opcode);
#else
	return opcode < MLX5_CMD_OP_MAX ? &mdev->cmd.stats[opcode] : NULL;
#endif
}

/* The wrapper of ib_core around these two is private to it. */
#ifdef CONFIG_CGROUP_RDMA
static inline int mdx_cg_charge(struct rdma_cgroup **cg, struct ib_device *ibdev)
{
	return rdmacg_try_charge(cg, &ibdev->cg_device,
				 RDMACG_RESOURCE_HCA_OBJECT);
}

static inline void mdx_cg_uncharge(struct rdma_cgroup *cg,
				   struct ib_device *ibdev)
{
	rdmacg_uncharge(cg, &ibdev->cg_device, RDMACG_RESOURCE_HCA_OBJECT);
}
#else
struct rdma_cgroup;

static inline int mdx_cg_charge(struct rdma_cgroup **cg, struct ib_device *ibdev)
{
	return 0;
}

static inline void mdx_cg_uncharge(struct rdma_cgroup *cg,
				   struct ib_device *ibdev)
{
}
#endif

#endif /* MDX_COMPAT_H */
