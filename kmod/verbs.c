// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Binding a file to a verbs context: whose uid is it, and is that true?
 *
 * A verbs object is looked up in the uverbs file of the caller, which nobody can
 * close while we hold it. The one other thing that ends objects is the removal
 * of the device, in ib_uverbs' remove() of the ib_device. As ib_core removes the
 * younger client first, that begins when our own remove() has returned, and our
 * remove() waits for live_sem: under it, an object we have locked stays what it
 * is.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/nsproxy.h>
#include <linux/slab.h>
#include <rdma/uverbs_std_types.h>
#include <rdma/uverbs_types.h>

#include "mbox.h"
#include "mdx.h"
#include "obj.h"
#include "verbs_layout.h"

/* What a PD says about its context. */
struct owner {
	u32 pdn;
	u16 uid;
	struct mdx_why *why;
};

/**
 * mdx_uobj_get - Lock a verbs object as rdma_core does for reading
 * @uverbs: the file of its context; the device is under live_sem
 * @handle: its handle
 *
 * Destroying it fails with EBUSY until it is put. What was destroyed in spite of
 * that has no object.
 *
 * Return: the uobject, -ENOENT, or -EBUSY if it is being destroyed
 */
struct ib_uobject *mdx_uobj_get(struct file *uverbs, u32 handle)
{
	struct ib_uobject *uobj;

	uobj = uverbs_idr_class.lookup_get(NULL, uverbs->private_data, handle,
					   UVERBS_LOOKUP_READ);
	if (IS_ERR(uobj))
		return ERR_PTR(-ENOENT);
	if (atomic_fetch_add_unless(&uobj->usecnt, 1, -1) == -1) {
		uverbs_uobject_put(uobj);
		return ERR_PTR(-EBUSY);
	}
	return uobj;
}

/**
 * mdx_uobj_put - Unlock a verbs object
 * @uobj: from mdx_uobj_get()
 */
void mdx_uobj_put(struct ib_uobject *uobj)
{
	atomic_dec(&uobj->usecnt);
	uverbs_uobject_put(uobj);
}

static int owner_of_pd(struct mdx_dev *mdx, struct ib_uobject *uobj,
		       struct owner *owner)
{
	struct ib_pd *pd = uobj->object;
	struct mdx_ib_pd *mpd;

	if (uobj_get_object_id(uobj) != UVERBS_OBJECT_PD)
		return -ENOENT;
	if (!pd || !uobj->context)
		return -EIO;
	if (uobj->context->device != mdx->ibdev || pd->device != mdx->ibdev ||
	    pd->uobject != uobj)
		return -EINVAL;
	if (!mdx_ib_pd_fits(mdx->ibdev))
		return -EOPNOTSUPP;

	mpd = container_of(pd, struct mdx_ib_pd, ibpd);
	owner->pdn = mpd->pdn;
	owner->uid = mpd->uid;
	return owner->uid ? 0 : -EOPNOTSUPP;
}

/* An mkey on the PD that gives no right to anything, as UMR starts from. */
static void proof_input(const struct owner *owner, void *in)
{
	void *mkc = MLX5_ADDR_OF(create_mkey_in, in, memory_key_mkey_entry);

	MLX5_SET(create_mkey_in, in, opcode, MLX5_CMD_OP_CREATE_MKEY);
	MLX5_SET(create_mkey_in, in, uid, owner->uid);
	MLX5_SET(mkc, mkc, free, 1);
	MLX5_SET(mkc, mkc, umr_en, 1);
	MLX5_SET(mkc, mkc, access_mode_1_0, MLX5_MKC_ACCESS_MODE_KLMS);
	MLX5_SET(mkc, mkc, translations_octword_size, 4);
	MLX5_SET(mkc, mkc, qpn, 0xffffff);
	MLX5_SET(mkc, mkc, pd, owner->pdn);
}

/* The mkey is an object of no file: a late answer may be the one that tells. */
static struct mdx_obj *proof_obj(const struct owner *owner, struct mdx_cmd *cmd)
{
	struct mdx_obj *obj;
	int ret;

	ret = mdx_op_find(&cmd->op, cmd->in, MDX_OP_CREATE);
	if (ret)
		return ERR_PTR(ret);
	obj = kzalloc(sizeof(*obj), GFP_KERNEL_ACCOUNT);
	if (!obj)
		return ERR_PTR(-ENOMEM);
	INIT_LIST_HEAD(&obj->entry);
	obj->drained = true;
	obj->din_len = cmd->op->undo->len;
	mdx_mbox_build_undo(cmd->op, cmd->in, 0, owner->uid, obj->din);
	return obj;
}

static int proof_destroy(struct mdx_dev *mdx, struct mdx_obj *obj)
{
	struct mdx_answer ans;
	int tries = MDX_UNDO_TRIES;
	int ret;

	do {
		ret = mdx_fw_exec(mdx, 0, obj->din, obj->din_len, &ans);
	} while (ret == -ENOMEM && --tries);
	return ret;
}

/* A full device refuses the true owner as well: that proves nothing wrong. */
static int proof_refused(struct mdx_dev *mdx, const struct mdx_answer *ans)
{
	if (ans->status == MLX5_CMD_STAT_LIM_ERR)
		return -ENOMEM;
	if (ans->status == MLX5_CMD_STAT_NO_RES_ERR ||
	    ans->status == MLX5_CMD_STAT_RES_BUSY)
		return -EAGAIN;
	dev_warn_once(&mdx->ibdev->dev,
		      "mlx5_devx: cannot bind, mlx5_ib's PDs look different here (status %#x, syndrome %#x)\n",
		      ans->status, ans->syndrome);
	return -EOPNOTSUPP;
}

static int proof_made(struct mdx_dev *mdx, const struct mdx_cmd *cmd,
		      struct mdx_obj *obj)
{
	int ret;

	mdx_obj_created(obj, cmd->op, cmd->out);
	ret = proof_destroy(mdx, obj);
	return ret == -EREMOTEIO ? -EAGAIN : ret;
}

/*
 * Only the owner of both a uid and a PD can put an mkey on the PD: if the device
 * does it, the two numbers are what they were taken for.
 */
static int proof(struct mdx_dev *mdx, struct file *uverbs,
		 const struct owner *owner)
{
	u32 in[MLX5_ST_SZ_DW(create_mkey_in)] = {};
	struct mdx_answer ans;
	struct mdx_cmd cmd = { .in = in, .out = ans.out };
	struct mdx_obj *obj;
	bool late;
	int ret;

	proof_input(owner, in);
	obj = proof_obj(owner, &cmd);
	if (IS_ERR(obj))
		return PTR_ERR(obj);

	atomic_inc(&mdx->creating);
	ret = mdx_fw_exec(mdx, 0, in, sizeof(in), &ans);
	late = ret == -ETIMEDOUT && mdx_late_create(mdx, &cmd, uverbs, obj);
	atomic_dec(&mdx->creating);

	if (ret)
		mdx_why_refused(owner->why, &ans);
	if (ret == -EREMOTEIO)
		ret = proof_refused(mdx, &ans);
	else if (!ret)
		ret = proof_made(mdx, &cmd, obj);
	if (!late)
		mdx_obj_free(obj);
	return ret;
}

static int bind_live(struct mdx_dev *mdx, struct file *uverbs, u32 pd_handle,
		     struct owner *owner)
{
	struct ib_uobject *uobj;
	int ret;

	if (!rdma_dev_access_netns(mdx->ibdev, current->nsproxy->net_ns))
		return -EPERM;

	owner->why->stage = MDX_STAGE_OBJECT;
	owner->why->obj = pd_handle;
	uobj = mdx_uobj_get(uverbs, pd_handle);
	if (IS_ERR(uobj))
		return PTR_ERR(uobj);
	ret = owner_of_pd(mdx, uobj, owner);
	if (!ret)
		ret = proof(mdx, uverbs, owner);
	mdx_uobj_put(uobj);
	return ret;
}

static int bind_dev(struct mdx_ucmd *ucmd, struct mdx_dev *mdx,
		    struct file *uverbs, u32 pd_handle)
{
	struct owner owner = { .why = &ucmd->why };
	int ret;

	ret = mdx_live_lock(mdx);
	if (ret)
		return ret;
	ret = bind_live(mdx, uverbs, pd_handle, &owner);
	if (!ret)
		mdx_file_attach(ucmd->file, mdx, uverbs, owner.uid);
	mdx_live_unlock(mdx);
	return ret;
}

static int bind_uverbs(struct mdx_ucmd *ucmd, const struct mdx_ioc_bind *arg)
{
	struct mdx_dev *mdx;
	struct file *uverbs;
	int ret;

	if (ucmd->file->mdx)
		return -EINVAL;
	uverbs = fget(arg->uverbs_fd);
	if (!uverbs)
		return -EBADF;

	/* A file of ours is none of uverbs, so no file ever holds itself. */
	mdx = mdx_dev_of_uverbs(uverbs);
	if (!mdx) {
		fput(uverbs);
		return -EINVAL;
	}
	ret = bind_dev(ucmd, mdx, uverbs, arg->pd_handle);
	if (ret) {
		mdx_dev_put(mdx);
		fput(uverbs);
	}
	return ret;
}

/* MDX_IOC_BIND */
int mdx_ioc_bind(struct mdx_ucmd *ucmd)
{
	struct mdx_ioc_bind *arg = ucmd->cmd;
	struct mdx_file *file = ucmd->file;
	int ret;

	if (arg->flags)
		return -EOPNOTSUPP;
	if (!mutex_trylock(&file->bind_lock))
		return -EBUSY;
	ret = bind_uverbs(ucmd, arg);
	mutex_unlock(&file->bind_lock);
	return ret;
}
