/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The differences between the kernels this module is built for. The rest of the
 * code is written for the newest; compat.mk probes the headers for HAVE_*.
 */
#ifndef MDX_COMPAT_H
#define MDX_COMPAT_H

#include <linux/eventfd.h>
#include <linux/fs.h>
#include <linux/mlx5/device.h>
#include <linux/mlx5/driver.h>
#include <linux/mlx5/vport.h>
#include <linux/slab.h>
#include <rdma/ib_umem.h>
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

/*
 * The file at @f with a reference, or NULL if it has none any more. @f becomes NULL
 * before the file is freed. 6.1: no such function; gone when the floor reaches 6.12.
 */
static inline struct file *mdx_get_file_active(struct file **f)
{
#ifdef HAVE_GET_FILE_ACTIVE
	return get_file_active(f);
#else
	struct file *file;

	rcu_read_lock();
	file = READ_ONCE(*f);
	if (file && !get_file_rcu(file))
		file = NULL;
	rcu_read_unlock();
	return file;
#endif
}

/* 6.1: a count to add; gone when the floor reaches 6.12. */
static inline void mdx_eventfd_signal(struct eventfd_ctx *ctx)
{
#ifdef HAVE_EVENTFD_SIGNAL_COUNT
	eventfd_signal(ctx, 1);
#else
	eventfd_signal(ctx);
#endif
}

/* 6.12: mlx5_ib asks the device; gone when the floor reaches 7.x. */
#ifndef HAVE_MLX5_VPORT_GET_VHCA_ID
static inline int mlx5_vport_get_vhca_id(struct mlx5_core_dev *mdev, u16 vport,
					 u16 *vhca_id)
{
	size_t out_len = MLX5_ST_SZ_BYTES(query_hca_cap_out);
	u32 in[MLX5_ST_SZ_DW(query_hca_cap_in)] = {};
	void *out;
	int ret;

	out = kvzalloc(out_len, GFP_KERNEL);
	if (!out)
		return -ENOMEM;
	MLX5_SET(query_hca_cap_in, in, opcode, MLX5_CMD_OP_QUERY_HCA_CAP);
	MLX5_SET(query_hca_cap_in, in, op_mod,
		 MLX5_SET_HCA_CAP_OP_MOD_GENERAL_DEVICE |
		 HCA_CAP_OPMOD_GET_CUR);
	MLX5_SET(query_hca_cap_in, in, other_function, 1);
	MLX5_SET(query_hca_cap_in, in, function_id, vport);
	ret = mlx5_cmd_exec(mdev, in, sizeof(in), out, out_len);
	*vhca_id = MLX5_GET(query_hca_cap_out, out,
			    capability.cmd_hca_cap.vhca_id);
	kvfree(out);
	return ret;
}
#endif

/* 6.12: QPs other than raw packet ones have no rate limit. */
static inline u32 mdx_pacing_qpts(struct mlx5_core_dev *mdev)
{
	u32 qpts = 0;

#ifdef HAVE_PACKET_PACING_REQ
	if (MLX5_CAP_QOS(mdev, packet_pacing_req_ud))
		qpts |= BIT(IB_QPT_UD);
	if (MLX5_CAP_QOS(mdev, packet_pacing_req_uc))
		qpts |= BIT(IB_QPT_UC);
#endif
	return qpts;
}

/* 6.12: no such bit of the device's flags. */
static inline u64 mdx_cc_dma_bounce_flag(struct ib_device *ibdev)
{
#ifdef HAVE_CC_DMA_BOUNCE
	return ibdev->cc_dma_bounce ? IB_UVERBS_DEVICE_CC_DMA_BOUNCE : 0;
#else
	return 0;
#endif
}

/* 6.12: a function of another name; gone when the floor reaches 7.x. */
static inline struct ib_umem *mdx_umem_get(struct ib_device *ibdev, u64 addr,
					   size_t len, u32 access)
{
#ifdef HAVE_IB_UMEM_GET_VA
	return ib_umem_get_va(ibdev, addr, len, access);
#else
	return ib_umem_get(ibdev, addr, len, access);
#endif
}

#endif /* MDX_COMPAT_H */
