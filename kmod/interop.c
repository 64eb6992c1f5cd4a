// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Commands about objects that verbs created.
 *
 * A command may name the device's objects behind its verbs handle and no others.
 * Most numbers are in the public part of the verbs object; the number of a CQ is
 * right behind it. Numbers that only mlx5_ib knows - the parts of a raw packet QP,
 * the number of a DCT - may be any of the right object type: the command runs under
 * the uid of the handle's own context, so the device refuses it if the number is
 * not that context's. The command table tells the object type of a command.
 *
 * uobj.c tells why a locked object stays valid under mdx_live.
 */
#include <linux/file.h>
#include <linux/mlx5/device.h>
#include <rdma/uverbs_std_types.h>
#include <rdma/uverbs_types.h>

#include "dev.h"
#include "file.h"
#include "interop.h"
#include "mbox.h"
#include "owner.h"
#include "ucmd.h"
#include "uobj.h"
#include "verbs_layout.h"

static const u16 uobj_ids[] = {
	[MDX_VERBS_CQ] = UVERBS_OBJECT_CQ,
	[MDX_VERBS_QP] = UVERBS_OBJECT_QP,
	[MDX_VERBS_SRQ] = UVERBS_OBJECT_SRQ,
	[MDX_VERBS_WQ] = UVERBS_OBJECT_WQ,
	[MDX_VERBS_RWQ_IND_TBL] = UVERBS_OBJECT_RWQ_IND_TBL,
};

/* The object type is that of @create; no object has the number 0. */
static int match_type(const struct mdx_cmd *cmd, u16 create)
{
	if (cmd->op->create != create || !mdx_mbox_get(cmd->in, cmd->op->id))
		return -EINVAL;
	return 0;
}

static int match_id(const struct mdx_cmd *cmd, u16 create, u32 id)
{
	u32 named = mdx_mbox_get(cmd->in, cmd->op->id);

	return cmd->op->create == create && named && named == id ? 0 : -EINVAL;
}

static int match_cq(const struct mdx_cmd *cmd, struct ib_cq *cq)
{
	const struct mdx_ib_cq *mcq;

	if (!mdx_ib_cq_fits(cq->device))
		return -EOPNOTSUPP;
	mcq = container_of(cq, struct mdx_ib_cq, ibcq);
	if (mcq->mcq.uid != cmd->file->owner->uid) {
		dev_warn_once(&cq->device->dev,
			      "mlx5_devx: mlx5_ib's CQs look different here\n");
		return -EOPNOTSUPP;
	}
	return match_id(cmd, MLX5_CMD_OP_CREATE_CQ, mcq->mcq.cqn);
}

static int match_srq(const struct mdx_cmd *cmd, struct ib_srq *srq)
{
	u32 srqn = srq->ext.xrc.srq_num;

	if (srq->srq_type == IB_SRQT_XRC)
		return match_id(cmd, MLX5_CMD_OP_CREATE_XRC_SRQ, srqn);
	if (srq->srq_type == IB_SRQT_TM)
		return match_id(cmd, MLX5_CMD_OP_CREATE_XRQ, srqn);
	if (cmd->file->owner->mdx->mdev->issi)
		return match_id(cmd, MLX5_CMD_OP_CREATE_RMP, srqn);
	return match_id(cmd, MLX5_CMD_OP_CREATE_SRQ, srqn);
}

/* A QP that mlx5_ib builds from an RQ with a TIR and an SQ with a TIS. */
static int match_split_qp(const struct mdx_cmd *cmd, struct ib_qp *qp)
{
	static const u16 parts[] = {
		MLX5_CMD_OP_CREATE_TIR, MLX5_CMD_OP_CREATE_RQ,
		MLX5_CMD_OP_CREATE_SQ, MLX5_CMD_OP_CREATE_TIS,
	};
	/* With an indirection table there is only the TIR. */
	unsigned int n = qp->rwq_ind_tbl ? 1 : ARRAY_SIZE(parts);
	unsigned int i;

	for (i = 0; i < n; i++) {
		if (parts[i] == cmd->op->create)
			return match_type(cmd, parts[i]);
	}
	return -EINVAL;
}

/*
 * A UD QP with a source QPN is split, too. Nothing public says so but the answer
 * to a query, which costs a command; there are such QPs on InfiniBand only.
 */
static noinline_for_stack int match_ud_qp(const struct mdx_cmd *cmd,
					  struct ib_qp *qp)
{
	struct ib_qp_init_attr init = {};
	struct ib_qp_attr attr = {};
	int ret;

	ret = qp->device->ops.query_qp(qp, &attr, IB_QP_STATE, &init);
	if (ret)
		return ret;
	if (init.create_flags & IB_QP_CREATE_SOURCE_QPN)
		return match_split_qp(cmd, qp);
	return match_id(cmd, MLX5_CMD_OP_CREATE_QP, qp->qp_num);
}

static int match_qp(const struct mdx_cmd *cmd, struct ib_qp *qp)
{
	if (qp->qp_type == IB_QPT_RAW_PACKET)
		return match_split_qp(cmd, qp);
	/*
	 * Both ends of DC are IB_QPT_DRIVER. A target has no number as a QP, and
	 * it always has an SRQ, which is of no use to an initiator.
	 */
	if (qp->qp_type == IB_QPT_DRIVER && qp->srq &&
	    cmd->op->create == MLX5_CMD_OP_CREATE_DCT)
		return match_type(cmd, MLX5_CMD_OP_CREATE_DCT);
	if (qp->qp_type == IB_QPT_UD &&
	    rdma_port_get_link_layer(qp->device, 1) ==
	    IB_LINK_LAYER_INFINIBAND)
		return match_ud_qp(cmd, qp);
	return match_id(cmd, MLX5_CMD_OP_CREATE_QP, qp->qp_num);
}

static int match_wq(const struct mdx_cmd *cmd, struct ib_wq *wq)
{
	return match_id(cmd, MLX5_CMD_OP_CREATE_RQ, wq->wq_num);
}

static int match_ind_tbl(const struct mdx_cmd *cmd, struct ib_rwq_ind_table *tbl)
{
	return match_id(cmd, MLX5_CMD_OP_CREATE_RQT, tbl->ind_tbl_num);
}

static int match_uobj(const struct mdx_cmd *cmd, struct ib_uobject *uobj,
		      u32 obj_type)
{
	if (uobj_get_object_id(uobj) != uobj_ids[obj_type])
		return -EINVAL;
	if (!uobj->object || !uobj->context ||
	    uobj->context->device != cmd->file->owner->mdx->ibdev)
		return -EIO;

	switch (obj_type) {
	case MDX_VERBS_CQ:
		return match_cq(cmd, uobj->object);
	case MDX_VERBS_QP:
		return match_qp(cmd, uobj->object);
	case MDX_VERBS_SRQ:
		return match_srq(cmd, uobj->object);
	case MDX_VERBS_WQ:
		return match_wq(cmd, uobj->object);
	default:
		return match_ind_tbl(cmd, uobj->object);
	}
}

static int verbs_exec(struct mdx_ucmd *ucmd, struct file *uverbs)
{
	const struct mdx_ioc_verbs_cmd *arg = ucmd->arg;
	struct ib_uobject *uobj;
	int ret;

	uobj = mdx_uobj_get(uverbs, arg->handle);
	if (IS_ERR(uobj))
		return PTR_ERR(uobj);
	ret = match_uobj(&ucmd->cmd, uobj, arg->obj_type);
	if (!ret)
		ret = mdx_cmd_exec(&ucmd->cmd, 0);
	mdx_uobj_put(uobj);
	return ret;
}

/* MDX_IOC_VERBS_MODIFY and MDX_IOC_VERBS_QUERY */
int mdx_ioc_verbs(struct mdx_ucmd *ucmd)
{
	const struct mdx_ioc_verbs_cmd *arg = ucmd->arg;
	struct file *uverbs;
	int ret;

	if (arg->obj_type < MDX_VERBS_CQ ||
	    arg->obj_type >= ARRAY_SIZE(uobj_ids))
		return -EOPNOTSUPP;
	ucmd->err.stage = MDX_STAGE_OBJECT;
	ucmd->err.obj = arg->handle;
	/* The context does not begin to end meanwhile. */
	uverbs = mdx_owner_context_get(ucmd->owner);
	if (!uverbs)
		return -EIO;
	ret = verbs_exec(ucmd, uverbs);
	fput(uverbs);
	return ret;
}
