// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Binding a file to a verbs context: the firmware uid is read from the PD of the
 * context, and verified by the device.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/nsproxy.h>
#include <rdma/uverbs_std_types.h>

#include "bind.h"
#include "dev.h"
#include "file.h"
#include "obj.h"
#include "ucmd.h"
#include "uobj.h"
#include "verbs_layout.h"

/**
 * struct pd_owner - A PD and its owner, as mlx5_ib has them
 * @pdn: number of the PD
 * @uid: firmware uid of its context
 */
struct pd_owner {
	u32 pdn;
	u16 uid;
};

static int pd_owner_read(struct mdx_dev *mdx, struct ib_uobject *uobj,
			 struct pd_owner *owner)
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

/* An mkey on the PD as UMR starts from, free and without remote rights. */
static void probe_mkey_input(const struct pd_owner *owner, void *in)
{
	void *mkc = MLX5_ADDR_OF(create_mkey_in, in, memory_key_mkey_entry);

	MLX5_SET(create_mkey_in, in, opcode, MLX5_CMD_OP_CREATE_MKEY);
	MLX5_SET(create_mkey_in, in, uid, owner->uid);
	MLX5_SET(mkc, mkc, free, 1);
	MLX5_SET(mkc, mkc, umr_en, 1);
	MLX5_SET(mkc, mkc, lr, 1);
	MLX5_SET(mkc, mkc, access_mode_1_0, MLX5_MKC_ACCESS_MODE_KLMS);
	MLX5_SET(mkc, mkc, translations_octword_size, 4);
	MLX5_SET(mkc, mkc, qpn, 0xffffff);
	MLX5_SET(mkc, mkc, pd, owner->pdn);
}

/* The probe mkey is an object of no file, for a late answer. */
static struct mdx_obj *probe_mkey_obj(const struct pd_owner *owner,
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
	mdx_obj_prepare(obj, cmd->op, cmd->in, owner->uid);
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
static int verify_uid(struct mdx_dev *mdx, struct file *uverbs,
		      const struct pd_owner *owner, struct mdx_err_info *err)
{
	u32 in[MLX5_ST_SZ_DW(create_mkey_in)] = {};
	struct mdx_answer ans;
	struct mdx_cmd cmd = { .in = in, .out = ans.out };
	struct mdx_obj *obj;
	bool late;
	int ret;

	probe_mkey_input(owner, in);
	obj = probe_mkey_obj(owner, &cmd);
	if (IS_ERR(obj))
		return PTR_ERR(obj);

	mdx_late_create_begin(mdx);
	ret = mdx_fw_exec(mdx, 0, in, sizeof(in), &ans);
	late = ret == -ETIMEDOUT && mdx_late_create(mdx, &cmd, uverbs, obj);
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

static int bind_pd(struct mdx_ucmd *ucmd, struct mdx_dev *mdx,
		   struct file *uverbs, u32 pd_handle)
{
	struct pd_owner owner = {};
	struct ib_uobject *uobj;
	int ret;

	ucmd->err.stage = MDX_STAGE_OBJECT;
	ucmd->err.obj = pd_handle;
	uobj = mdx_uobj_get(uverbs, pd_handle);
	if (IS_ERR(uobj))
		return PTR_ERR(uobj);
	ret = pd_owner_read(mdx, uobj, &owner);
	if (!ret)
		ret = verify_uid(mdx, uverbs, &owner, &ucmd->err);
	mdx_uobj_put(uobj);
	if (!ret)
		mdx_file_attach(ucmd->file, mdx, uverbs, owner.uid);
	return ret;
}

static int bind_dev(struct mdx_ucmd *ucmd, struct mdx_dev *mdx,
		    struct file *uverbs, u32 pd_handle)
{
	guard(mdx_live)(mdx);
	if (!mdx->mdev)
		return -EIO;
	if (!rdma_dev_access_netns(mdx->ibdev, current->nsproxy->net_ns))
		return -EPERM;
	return bind_pd(ucmd, mdx, uverbs, pd_handle);
}

static int bind_uverbs(struct mdx_ucmd *ucmd, const struct mdx_ioc_bind *arg)
{
	struct file *uverbs __free(fput) = fget(arg->uverbs_fd);
	struct mdx_dev *mdx;
	int ret;

	if (ucmd->file->mdx)
		return -EINVAL;
	if (!uverbs)
		return -EBADF;
	/* A file of ours is not a uverbs file, so no file ever holds itself. */
	mdx = mdx_dev_of_uverbs(uverbs);
	if (!mdx)
		return -EINVAL;
	ret = bind_dev(ucmd, mdx, uverbs, arg->pd_handle);
	if (ret)
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
	ret = bind_uverbs(ucmd, ucmd->arg);
	mutex_unlock(&file->bind_lock);
	return ret;
}
