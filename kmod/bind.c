// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Binding a file to a verbs context: the firmware uid is read from the PD of the
 * context, and verified by the device. The PD becomes the anchor of the context's
 * owner.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/nsproxy.h>
#include <rdma/uverbs_std_types.h>

#include "anchor.h"
#include "bind.h"
#include "cmd.h"
#include "dev.h"
#include "file.h"
#include "obj.h"
#include "owner.h"
#include "ucmd.h"
#include "uobj.h"
#include "verbs_layout.h"

/**
 * struct pd_ids - Numbers of a PD, as mlx5_ib has them
 * @pdn: number of the PD
 * @uid: firmware uid of its context
 */
struct pd_ids {
	u32 pdn;
	u16 uid;
};

static int pd_ids_read(struct mdx_dev *mdx, struct ib_uobject *uobj,
		       struct pd_ids *ids)
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
	ids->pdn = mpd->pdn;
	ids->uid = mpd->uid;
	return ids->uid ? 0 : -EOPNOTSUPP;
}

/* An mkey on the PD as UMR starts from, free and without remote rights. */
static void probe_mkey_input(const struct pd_ids *ids, void *in)
{
	void *mkc = MLX5_ADDR_OF(create_mkey_in, in, memory_key_mkey_entry);

	MLX5_SET(create_mkey_in, in, opcode, MLX5_CMD_OP_CREATE_MKEY);
	MLX5_SET(create_mkey_in, in, uid, ids->uid);
	MLX5_SET(mkc, mkc, free, 1);
	MLX5_SET(mkc, mkc, umr_en, 1);
	MLX5_SET(mkc, mkc, lr, 1);
	MLX5_SET(mkc, mkc, access_mode_1_0, MLX5_MKC_ACCESS_MODE_KLMS);
	MLX5_SET(mkc, mkc, translations_octword_size, 4);
	MLX5_SET(mkc, mkc, qpn, 0xffffff);
	MLX5_SET(mkc, mkc, pd, ids->pdn);
}

/* The probe mkey is an object of no file, for a late answer. */
static struct mdx_obj *probe_mkey_obj(const struct pd_ids *ids,
				      struct mdx_cmd *cmd)
{
	struct mdx_obj *obj;
	int ret;

	ret = mdx_op_find(&cmd->op, cmd->in, MDX_OP_CREATE);
	if (ret)
		return ERR_PTR(ret);
	obj = mdx_obj_alloc();
	if (!obj)
		return ERR_PTR(-ENOMEM);
	mdx_obj_prepare(obj, cmd->op, cmd->in, ids->uid);
	return obj;
}

static int probe_mkey_destroy(struct mdx_dev *mdx, struct mdx_obj *obj)
{
	struct mdx_answer ans;
	int tries = MDX_DESTROY_TRIES;
	int ret;

	/* Unlike an object's: on a dead device, bind must not succeed. */
	do {
		ret = mdx_fw_exec(mdx, 0, obj->dinbox, obj->dinlen, &ans);
	} while (ret == -ENOMEM && --tries);
	return ret == -EREMOTEIO ? -EAGAIN : ret;
}

/* A full device refuses the true owner as well: that says nothing about the PD. */
static int probe_mkey_refused(struct mdx_dev *mdx, const struct mdx_answer *ans)
{
	if (ans->status == MLX5_CMD_STAT_LIM_ERR)
		return -ENOMEM;
	if (ans->status == MLX5_CMD_STAT_NO_RES_ERR ||
	    ans->status == MLX5_CMD_STAT_RES_BUSY)
		return -EAGAIN;
	dev_warn_once(&mdx->ibdev->dev,
		      "mlx5_devx: cannot bind, the device refused an mkey: %s (status %#x, syndrome %#x); mdx doctor tells whether mlx5_ib is the one this module was built for\n",
		      mdx_status_text(ans->status), ans->status,
		      ans->syndrome);
	return -EOPNOTSUPP;
}

/*
 * Only the owner of both a uid and a PD can create an mkey on the PD: if the
 * device does it, the two numbers were read from the right place.
 */
static int verify_uid(struct mdx_owner *owner, const struct pd_ids *ids,
		      struct mdx_err_info *err)
{
	u32 in[MLX5_ST_SZ_DW(create_mkey_in)] = {};
	struct mdx_dev *mdx = owner->mdx;
	struct mdx_answer ans;
	struct mdx_cmd cmd = { .in = in, .out = ans.out };
	struct mdx_obj *obj;
	bool late;
	int ret;

	probe_mkey_input(ids, in);
	obj = probe_mkey_obj(ids, &cmd);
	if (IS_ERR(obj))
		return PTR_ERR(obj);

	mdx_late_create_begin(mdx);
	ret = mdx_fw_exec(mdx, 0, in, sizeof(in), &ans);
	late = ret == -ETIMEDOUT && mdx_late_create(owner, &cmd, obj);
	mdx_late_create_end(mdx);

	if (ret)
		mdx_err_info_set(err, &ans);
	if (ret == -EREMOTEIO) {
		ret = probe_mkey_refused(mdx, &ans);
	} else if (!ret) {
		mdx_obj_created(obj, cmd.op, cmd.out);
		ret = probe_mkey_destroy(mdx, obj);
	}
	if (!late)
		mdx_obj_free(obj);
	return ret;
}

/*
 * The first bind of a context. The end of the context is heard of from the moment
 * the device may have something of ours: a probe mkey that was not answered keeps
 * the PD for the owner.
 */
static int bind_first(struct mdx_owner *owner, struct ib_uobject *uobj,
		      struct mdx_err_info *err)
{
	struct pd_ids ids = {};
	int ret;

	ret = pd_ids_read(owner->mdx, uobj, &ids);
	if (!ret && !owner->anchor.uobj)
		ret = mdx_anchor_take(&owner->anchor, uobj);
	if (ret)
		return ret;
	ret = verify_uid(owner, &ids, err);
	if (!ret)
		owner->uid = ids.uid;
	return ret;
}

/* Another bind of a context: it needs a PD of the context, and no proof. */
static int bind_again(struct mdx_owner *owner, struct file *uverbs, u32 handle)
{
	struct pd_ids ids = {};
	struct ib_uobject *uobj;
	int ret;

	uobj = mdx_uobj_get(uverbs, handle);
	if (IS_ERR(uobj))
		return PTR_ERR(uobj);
	ret = pd_ids_read(owner->mdx, uobj, &ids);
	mdx_uobj_put(uobj);
	return ret ? ret : ids.uid == owner->uid ? 0 : -EOPNOTSUPP;
}

static int bind_pd(struct mdx_owner *owner, struct file *uverbs, u32 handle,
		   struct mdx_err_info *err)
{
	struct ib_uobject *uobj;
	int ret;

	err->stage = MDX_STAGE_OBJECT;
	err->obj = handle;
	if (owner->uid)
		return bind_again(owner, uverbs, handle);
	uobj = mdx_uobj_get_exclusive(uverbs, handle);
	if (IS_ERR(uobj))
		return PTR_ERR(uobj);
	ret = bind_first(owner, uobj, err);
	mdx_uobj_put_exclusive(uobj);
	return ret;
}

static int bind_live(struct mdx_ucmd *ucmd, struct mdx_owner *owner,
		     struct file *uverbs)
{
	const struct mdx_ioc_bind *arg = ucmd->arg;
	struct mdx_dev *mdx = owner->mdx;
	int ret;

	guard(mdx_live)(mdx);
	guard(mdx_owner_live)(owner);
	ret = mdx_owner_check(owner);
	if (ret)
		return ret;
	if (!rdma_dev_access_netns(mdx->ibdev, current->nsproxy->net_ns))
		return -EPERM;
	ret = bind_pd(owner, uverbs, arg->pd_handle, &ucmd->err);
	if (!ret)
		mdx_owner_attach(owner, ucmd->file,
				 arg->flags & MDX_BIND_SHARE);
	return ret;
}

static int bind_owner(struct mdx_ucmd *ucmd, struct mdx_dev *mdx,
		      struct file *uverbs)
{
	struct mdx_owner *owner;
	int ret;

	owner = mdx_owner_get(mdx, uverbs);
	if (!owner)
		return -ENOMEM;
	ret = mutex_lock_killable(&owner->bind_lock);
	if (!ret) {
		ret = bind_live(ucmd, owner, uverbs);
		mutex_unlock(&owner->bind_lock);
	}
	if (ret)
		mdx_owner_put(owner);
	return ret;
}

static int bind_uverbs(struct mdx_ucmd *ucmd)
{
	const struct mdx_ioc_bind *arg = ucmd->arg;
	struct file *uverbs __free(fput) = fget(arg->uverbs_fd);
	struct mdx_dev *mdx;
	int ret;

	if (ucmd->file->owner)
		return -EINVAL;
	if (!uverbs)
		return -EBADF;
	mdx = mdx_dev_of_uverbs(uverbs);
	if (!mdx)
		return -EINVAL;
	ret = bind_owner(ucmd, mdx, uverbs);
	mdx_dev_put(mdx);
	return ret;
}

/* MDX_IOC_BIND */
int mdx_ioc_bind(struct mdx_ucmd *ucmd)
{
	struct mdx_file *file = ucmd->file;
	int ret;

	if (!mutex_trylock(&file->bind_lock))
		return -EBUSY;
	ret = bind_uverbs(ucmd);
	mutex_unlock(&file->bind_lock);
	return ret;
}
