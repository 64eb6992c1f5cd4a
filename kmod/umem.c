// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Umems: memory of user space that the device knows by a number.
 *
 * The memory is pinned before the command is sent, and unpinned when the device has told
 * that it does not have the umem: it refused the create, or has executed the destroy. As
 * long as the device may use the memory, it must not become memory of another task: if a
 * command is not answered, or the device keeps the umem, it stays pinned.
 */
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/mlx5/driver.h>
#include <linux/sizes.h>
#include <rdma/ib_umem.h>
#include <rdma/ib_verbs.h>
#include <rdma/iter.h>

#include "cmd.h"
#include "compat.h"
#include "dev.h"
#include "file.h"
#include "mbox.h"
#include "obj.h"
#include "owner.h"
#include "ucmd.h"
#include "umem.h"
#include "umem_pgsz.h"

#define UMEM_ACCESS                                                            \
	(IB_ACCESS_LOCAL_WRITE | IB_ACCESS_REMOTE_WRITE |                      \
	 IB_ACCESS_REMOTE_READ | IB_ACCESS_RELAXED_ORDERING)

/* Bits of an entry of the list of pages. */
#define MTT_READ BIT(0)
#define MTT_WRITE BIT(1)

static void umem_unpin(struct mdx_obj *obj)
{
	ib_umem_release(obj->priv);
	obj->priv = NULL;
}

/* A late answer may have told that the device does not have it. */
static void sent_forget(struct mdx_obj *obj)
{
	if (!obj->dinlen)
		umem_unpin(obj);
}

/* The device may have it. */
static const struct mdx_obj_ops sent_ops = {
	.destroyed = umem_unpin,
	.forget = sent_forget,
};

static const struct mdx_obj_ops pinned_ops;

static int umem_create(struct mdx_cmd *cmd, struct mdx_obj *obj)
{
	int ret;

	obj->ops = &sent_ops;
	ret = mdx_cmd_exec(cmd, obj->id);
	if (ret && ret != -ETIMEDOUT && ret != -ECANCELED)
		obj->ops = &pinned_ops;
	return ret;
}

/* The device does not have it. */
static const struct mdx_obj_ops pinned_ops = {
	.create = umem_create,
	.forget = umem_unpin,
};

static const struct mdx_destroy umem_destroy = {
	.opcode = MLX5_CMD_OP_DESTROY_UMEM,
	.len = MLX5_ST_SZ_BYTES(destroy_umem_in),
	.id = { __mlx5_bit_off(destroy_umem_in, umem_id),
		__mlx5_bit_sz(destroy_umem_in, umem_id) },
};

const struct mdx_op mdx_umem_op = {
	.opcode = MLX5_CMD_OP_CREATE_UMEM,
	.create = MLX5_CMD_OP_CREATE_UMEM,
	.class = MDX_OP_UMEM,
	.level = MDX_LEVEL_UMEM,
	.min_in = MLX5_ST_SZ_BYTES(create_umem_in),
	.min_out = MLX5_ST_SZ_BYTES(create_umem_out),
	.id = { __mlx5_bit_off(create_umem_out, umem_id),
		__mlx5_bit_sz(create_umem_out, umem_id) },
	.destroy = &umem_destroy,
	.ops = &pinned_ops,
};

static struct ib_umem *dmabuf_pin(struct ib_device *ibdev,
				  const struct mdx_ioc_umem_reg *arg)
{
	struct ib_umem_dmabuf *dmabuf;

	dmabuf = ib_umem_dmabuf_get_pinned(ibdev, arg->addr, arg->length,
					   arg->dmabuf_fd, arg->access);
	return IS_ERR(dmabuf) ? ERR_CAST(dmabuf) : &dmabuf->umem;
}

/**
 * mdx_umem_pin - Pin the memory of a umem
 * @obj: a new object, which owns the memory if 0 is returned
 * @ucmd: MDX_IOC_UMEM_REG by the process whose memory it is; no lock is held, as a page may
 *	never come. A reference keeps the ib_device
 *
 * Return: 0, or what the uapi says
 */
int mdx_umem_pin(struct mdx_obj *obj, struct mdx_ucmd *ucmd)
{
	const struct mdx_ioc_umem_reg *arg = ucmd->arg;
	struct ib_device *ibdev = ucmd->mdx->ibdev;
	struct ib_umem *umem;
	int ret;

	ucmd->err.stage = MDX_STAGE_CHECK;
	if (arg->access & ~UMEM_ACCESS || arg->length > SIZE_MAX)
		return -EINVAL;
	ret = ib_check_mr_access(ibdev, arg->access);
	if (ret)
		return ret;
	ucmd->err.stage = MDX_STAGE_MEMORY;
	if (arg->flags & MDX_UMEM_DMABUF)
		umem = dmabuf_pin(ibdev, arg);
	else
		umem = mdx_umem_get(ibdev, arg->addr, arg->length, arg->access);
	if (IS_ERR(umem))
		return PTR_ERR(umem);
	obj->priv = umem;
	obj->ops = &pinned_ops;
	return 0;
}

/* Return: 0 if there is none */
static u64 page_size_of(struct ib_umem *umem, const struct mdx_ioc_umem_reg *arg)
{
	u64 all = GENMASK_ULL(63, ilog2(MDX_UMEM_PGSZ_MIN));
	u64 bitmap = arg->pgsz_bitmap ? arg->pgsz_bitmap & all : all;
	bool strict = arg->flags & MDX_UMEM_PGSZ_STRICT;
	struct mdx_umem_extent extent;
	unsigned long best;

	/* Larger pages than the memory would begin before it or end behind it. */
	bitmap &= GENMASK_ULL(max_t(u64, order_base_2(umem->length), PAGE_SHIFT), 0);
	if (!bitmap)
		return 0;
	best = ib_umem_find_best_pgoff(umem, bitmap, U64_MAX);
	if (!best)
		return 0;
	extent = (struct mdx_umem_extent){
		.start = ib_umem_dma_offset(umem, best),
		.length = umem->length,
		.cpu_page = PAGE_SIZE,
	};
	return mdx_umem_pgsz_fit(&extent, best, strict ? bitmap : 0);
}

static bool needs_ats(struct mlx5_core_dev *mdev, const struct ib_umem *umem,
		      u32 access)
{
	return MLX5_CAP_GEN(mdev, ats) && umem->is_dmabuf &&
	       access & IB_ACCESS_RELAXED_ORDERING;
}

static void pages_fill(struct ib_umem *umem, u64 page_size, __be64 *mtt)
{
	u64 flags = MTT_READ | (umem->writable ? MTT_WRITE : 0);
	struct ib_block_iter biter;

	rdma_umem_for_each_dma_block(umem, &biter, page_size)
		*mtt++ = cpu_to_be64(rdma_block_iter_dma_address(&biter) | flags);
}

/**
 * mdx_umem_build - Write the command that creates a umem
 * @obj: with its memory pinned
 * @ucmd: MDX_IOC_UMEM_REG. Its command is to be freed if 0 is returned
 *
 * Return: 0, -EINVAL without a page size, or with too many pages, or -ENOMEM
 */
int mdx_umem_build(struct mdx_obj *obj, struct mdx_ucmd *ucmd)
{
	struct mlx5_core_dev *mdev = ucmd->mdx->mdev;
	struct mdx_ioc_umem_reg *arg = ucmd->arg;
	struct mdx_cmd *cmd = &ucmd->cmd;
	struct ib_umem *umem = obj->priv;
	u64 page_size = page_size_of(umem, arg);
	size_t pages;
	void *ctx;
	int ret;

	ucmd->err.stage = MDX_STAGE_CHECK;
	if (!page_size)
		return -EINVAL;
	pages = ib_umem_num_dma_blocks(umem, page_size);
	if (pages > MDX_UMEM_PAGES_MAX)
		return -EINVAL;
	ret = mdx_cmd_build(cmd, mdx_umem_op.min_in + pages * sizeof(__be64),
			    mdx_umem_op.min_out);
	if (ret)
		return ret;

	ctx = MLX5_ADDR_OF(create_umem_in, cmd->in, umem);
	MLX5_SET64(umem, ctx, num_of_mtt, pages);
	MLX5_SET(umem, ctx, log_page_size,
		 ilog2(page_size) - ilog2(MDX_UMEM_PGSZ_MIN));
	MLX5_SET(umem, ctx, page_offset, ib_umem_dma_offset(umem, page_size));
	MLX5_SET(umem, ctx, ats, needs_ats(mdev, umem, arg->access));
	pages_fill(umem, page_size, MLX5_ADDR_OF(umem, ctx, mtt));
	arg->out_log_page_size = ilog2(page_size);
	return 0;
}
