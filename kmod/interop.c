// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Commands about objects that verbs created.
 *
 * A command may name what its handle stands for and nothing else. Most numbers
 * are in the public part of the verbs object; that of a CQ right behind it. What
 * only mlx5_ib knows - the parts of a raw packet QP, the number of a DCT - may
 * be any of the same sort: the command runs under the uid of the handle's own
 * context, so the device refuses it if the number is not that context's. Which
 * command is about which sort of object is in the command table.
 *
 * verbs.c tells why an object we have locked stays what it is under live_sem.
 */
#include <linux/mlx5/device.h>
#include <rdma/uverbs_std_types.h>
#include <rdma/uverbs_types.h>

#include "cmd.h"
#include "mbox.h"
#include "mdx.h"
#include "verbs_layout.h"

static const u16 uobj_ids[] = {
	[MDX_VERBS_CQ] = UVERBS_OBJECT_CQ,
	[MDX_VERBS_QP] = UVERBS_OBJECT_QP,
	[MDX_VERBS_SRQ] = UVERBS_OBJECT_SRQ,
	[MDX_VERBS_WQ] = UVERBS_OBJECT_WQ,
	[MDX_VERBS_RWQ_IND_TBL] = UVERBS_OBJECT_RWQ_IND_TBL,
};

/* Is it about what the command @create made, and by any number that can be? */
static int about_any(const struct mdx_cmd *cmd, u16 create)
{
	if (cmd->op->kind != create || !mdx_mbox_get(cmd->in, cmd->op->id))
		return -EINVAL;
	return 0;
}

/* Is it about what that command made, and by the number @id? */
static int about(const struct mdx_cmd *cmd, u16 create, u32 id)
{
	u32 named = mdx_mbox_get(cmd->in, cmd->op->id);

	return cmd->op->kind == create && named && named == id ? 0 : -EINVAL;
}

static int about_cq(const struct mdx_cmd *cmd, struct ib_cq *cq)
{
	const struct mdx_ib_cq *mcq;

	if (!mdx_ib_cq_fits(cq->device))
		return -EOPNOTSUPP;
	mcq = container_of(cq, struct mdx_ib_cq, ibcq);
	if (mcq->mcq.uid != cmd->file->uid) {
		dev_warn_once(&cq->device->dev,
			      "mlx5_devx: mlx5_ib's CQs look different here\n");
		return -EOPNOTSUPP;
	}
	return about(cmd, MLX5_CMD_OP_CREATE_CQ, mcq->mcq.cqn);
}

static int about_srq(const struct mdx_cmd *cmd, struct ib_srq *srq)
{
	u32 srqn = srq->ext.xrc.srq_num;

	if (srq->srq_type == IB_SRQT_XRC)
		return about(cmd, MLX5_CMD_OP_CREATE_XRC_SRQ, srqn);
	if (srq->srq_type == IB_SRQT_TM)
		return about(cmd, MLX5_CMD_OP_CREATE_XRQ, srqn);
	if (cmd->file->mdx->mdev->issi)
		return about(cmd, MLX5_CMD_OP_CREATE_RMP, srqn);
	return about(cmd, MLX5_CMD_OP_CREATE_SRQ, srqn);
}

/* A QP that mlx5_ib makes of a RQ with a TIR and a SQ with a TIS. */
static int about_split_qp(const struct mdx_cmd *cmd, struct ib_qp *qp)
{
	static const u16 parts[] = {
		MLX5_CMD_OP_CREATE_TIR, MLX5_CMD_OP_CREATE_RQ,
		MLX5_CMD_OP_CREATE_SQ, MLX5_CMD_OP_CREATE_TIS,
	};
	/* With an indirection table the TIR is all there is. */
	unsigned int n = qp->rwq_ind_tbl ? 1 : ARRAY_SIZE(parts);
	unsigned int i;

	for (i = 0; i < n; i++) {
		if (parts[i] == cmd->op->kind)
			return about_any(cmd, parts[i]);
	}
	return -EINVAL;
}

/*
 * A UD QP with a source QPN is split, too. Nothing public says so but the answer
 * to a query, which costs a command; there are such QPs on InfiniBand only.
 */
static noinline_for_stack int about_ud_qp(const struct mdx_cmd *cmd,
					  struct ib_qp *qp)
{
	struct ib_qp_init_attr init = {};
	struct ib_qp_attr attr = {};
	int ret;

	ret = qp->device->ops.query_qp(qp, &attr, IB_QP_STATE, &init);
	if (ret)
		return ret;
	if (init.create_flags & IB_QP_CREATE_SOURCE_QPN)
		return about_split_qp(cmd, qp);
	return about(cmd, MLX5_CMD_OP_CREATE_QP, qp->qp_num);
}

static int about_qp(const struct mdx_cmd *cmd, struct ib_qp *qp)
{
	if (qp->qp_type == IB_QPT_RAW_PACKET)
		return about_split_qp(cmd, qp);
	/*
	 * Both ends of DC are IB_QPT_DRIVER. A target has no number as a QP, and
	 * it always has an SRQ, which is of no use to an initiator.
	 */
	if (qp->qp_type == IB_QPT_DRIVER && qp->srq &&
	    cmd->op->kind == MLX5_CMD_OP_CREATE_DCT)
		return about_any(cmd, MLX5_CMD_OP_CREATE_DCT);
	if (qp->qp_type == IB_QPT_UD &&
	    rdma_port_get_link_layer(qp->device, 1) ==
	    IB_LINK_LAYER_INFINIBAND)
		return about_ud_qp(cmd, qp);
	return about(cmd, MLX5_CMD_OP_CREATE_QP, qp->qp_num);
}

static int about_wq(const struct mdx_cmd *cmd, struct ib_wq *wq)
{
	return about(cmd, MLX5_CMD_OP_CREATE_RQ, wq->wq_num);
}

static int about_ind_tbl(const struct mdx_cmd *cmd, struct ib_rwq_ind_table *tbl)
{
	return about(cmd, MLX5_CMD_OP_CREATE_RQT, tbl->ind_tbl_num);
}

static int about_uobj(const struct mdx_cmd *cmd, struct ib_uobject *uobj,
		      u32 kind)
{
	if (uobj_get_object_id(uobj) != uobj_ids[kind])
		return -EINVAL;
	if (!uobj->object || !uobj->context ||
	    uobj->context->device != cmd->file->mdx->ibdev)
		return -EIO;

	switch (kind) {
	case MDX_VERBS_CQ:
		return about_cq(cmd, uobj->object);
	case MDX_VERBS_QP:
		return about_qp(cmd, uobj->object);
	case MDX_VERBS_SRQ:
		return about_srq(cmd, uobj->object);
	case MDX_VERBS_WQ:
		return about_wq(cmd, uobj->object);
	default:
		return about_ind_tbl(cmd, uobj->object);
	}
}

static int verbs_use(struct mdx_cmd *cmd, const struct mdx_ioc_verbs_cmd *arg)
{
	struct mdx_file *file = cmd->file;
	struct ib_uobject *uobj;
	int ret;

	cmd->why->stage = MDX_STAGE_OBJECT;
	cmd->why->obj = arg->handle;
	ret = mdx_live_lock(file->mdx);
	if (ret)
		return ret;
	uobj = mdx_uobj_get(file->uverbs, arg->handle);
	if (IS_ERR(uobj)) {
		ret = PTR_ERR(uobj);
		goto err_live;
	}
	ret = about_uobj(cmd, uobj, arg->obj_type);
	if (!ret)
		ret = mdx_cmd_exec(cmd, 0);
	mdx_uobj_put(uobj);
err_live:
	mdx_live_unlock(file->mdx);
	return ret;
}

static int ioc_verbs_cmd(struct mdx_ucmd *ucmd, enum mdx_class class)
{
	struct mdx_ioc_verbs_cmd *arg = ucmd->cmd;
	struct mdx_cmd cmd __uninitialized;
	struct mdx_dev *mdx;
	int ret;

	if (arg->flags || arg->obj_type < MDX_VERBS_CQ ||
	    arg->obj_type >= ARRAY_SIZE(uobj_ids))
		return -EOPNOTSUPP;
	mdx = mdx_file_dev(ucmd->file);
	if (IS_ERR(mdx))
		return PTR_ERR(mdx);

	ret = mdx_cmd_fetch(&cmd, ucmd, class);
	if (ret)
		return ret;
	ret = verbs_use(&cmd, arg);
	ret = mdx_cmd_respond(&cmd, ret);
	mdx_cmd_free(&cmd);
	return ret;
}

/* MDX_IOC_VERBS_MODIFY */
int mdx_ioc_verbs_modify(struct mdx_ucmd *ucmd)
{
	return ioc_verbs_cmd(ucmd, MDX_OP_MODIFY);
}

/* MDX_IOC_VERBS_QUERY */
int mdx_ioc_verbs_query(struct mdx_ucmd *ucmd)
{
	return ioc_verbs_cmd(ucmd, MDX_OP_QUERY);
}
