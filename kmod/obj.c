// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The objects of a file.
 *
 * Life of an object: an id is reserved, the command runs, the answer is copied
 * out, the object is published under its id. Nothing fails after that, and
 * everything before is undone. From the moment the device has it until the
 * moment it has not, the object is in mdx_file::all: closing the file and
 * removing the device need no other list.
 *
 * Who frees the memory: while an object is created or destroyed, who does that;
 * while it has an id, the id's slot; without an id (its create could not be
 * answered and the device refused to take it back), the list. An id is taken from
 * its object before that is freed or given to anybody else.
 */
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "compat.h"
#include "mbox.h"
#include "mdx.h"
#include "obj.h"

/**
 * mdx_obj_free - Free the kernel's part of an object
 * @obj: not in any list, nor under its id
 */
void mdx_obj_free(struct mdx_obj *obj)
{
	mdx_cq_forget(obj);
	kfree(obj);
}

static struct mdx_obj *obj_alloc(struct mdx_file *file)
{
	struct mdx_obj *obj;

	obj = kzalloc(sizeof(*obj), GFP_KERNEL_ACCOUNT);
	if (!obj)
		return NULL;
	atomic_set(&obj->users, MDX_OBJ_NEW);
	INIT_LIST_HEAD(&obj->entry);
	obj->id = mdx_ids_take(&file->ids, obj);
	if (obj->id)
		return obj;
	kfree(obj);
	return NULL;
}

static struct mdx_obj *obj_reserve(struct mdx_file *file)
{
	struct mdx_obj *obj = NULL;

	if (atomic_inc_return(&file->objs_n) <= MDX_OBJS_MAX)
		obj = obj_alloc(file);
	if (!obj)
		atomic_dec(&file->objs_n);
	return obj;
}

/* The device has it: from here on the file must not be closed without it. */
static void obj_link(struct mdx_file *file, struct mdx_obj *obj)
{
	lockdep_assert_held(&file->mdx->live_sem);

	mdx_ids_lock(&file->ids);
	list_add(&obj->entry, &file->all);
	mdx_ids_unlock(&file->ids);
}

/**
 * mdx_obj_uncount - An object does not count as its file's any more
 * @file: its file, whose device is under live_sem
 * @obj: in no list
 */
void mdx_obj_uncount(struct mdx_file *file, struct mdx_obj *obj)
{
	mdx_cg_uncharge(obj->cg, file->mdx->ibdev);
	atomic_dec(&file->objs_n);
}

/**
 * mdx_obj_unlink - An object is not its file's any more
 * @file: its file, whose device is under live_sem
 * @obj: the device has it no more, or nobody will ask it again
 */
void mdx_obj_unlink(struct mdx_file *file, struct mdx_obj *obj)
{
	lockdep_assert_held(&file->mdx->live_sem);

	mdx_ids_lock(&file->ids);
	list_del_init(&obj->entry);
	mdx_ids_unlock(&file->ids);
	mdx_obj_uncount(file, obj);
}

/* The same for one that nobody else uses, and its id is gone, too. */
static void obj_unlink_id(struct mdx_file *file, struct mdx_obj *obj)
{
	lockdep_assert_held(&file->mdx->live_sem);

	mdx_ids_lock(&file->ids);
	__mdx_ids_erase(&file->ids, obj->id);
	list_del_init(&obj->entry);
	mdx_ids_unlock(&file->ids);
	mdx_obj_uncount(file, obj);
}

/* Until now nobody found it. */
static void obj_publish(struct mdx_obj *obj)
{
	atomic_set_release(&obj->users, 0);
}

/*
 * All that the input tells, before it is sent: of the answer only the id is
 * needed then, and nothing can fail any more.
 */
static void obj_prepare(struct mdx_cmd *cmd, struct mdx_obj *obj)
{
	const struct mdx_op *op = cmd->op;

	obj->kind = op->kind;
	obj->level = op->level;
	if (op->flags & MDX_OP_F_OBJ_TYPE)
		obj->obj_type = mdx_mbox_obj_type(cmd->in);
	if (op->flags & MDX_OP_F_ID_IN)
		obj->fw_id = mdx_mbox_created_id(op, cmd->in, NULL);
	obj->fw_n = mdx_mbox_count(op, cmd->in);
	obj->drained = !(op->flags & MDX_OP_F_DCT);
	mdx_mbox_build_undo(op, cmd->in, obj->fw_id, cmd->file->uid, obj->din);
	obj->din_len = op->undo->len;
}

static int obj_fw_create_locked(struct mdx_cmd *cmd, struct mdx_obj *obj)
{
	struct mdx_dev *mdx = cmd->file->mdx;
	int ret;

	if (cmd->op->flags & MDX_OP_F_ISSI0 && !mdx->mdev->issi)
		return -EOPNOTSUPP;

	ret = mdx_cg_charge(&obj->cg, mdx->ibdev);
	if (ret)
		return ret;
	obj_prepare(cmd, obj);
	if (cmd->op->flags & MDX_OP_F_CQ)
		ret = mdx_cq_create(cmd, obj);
	else
		ret = mdx_cmd_exec(cmd, obj->id);
	if (ret) {
		mdx_cg_uncharge(obj->cg, mdx->ibdev);
		return ret;
	}
	mdx_obj_created(obj, cmd->op, cmd->out);
	obj_link(cmd->file, obj);
	return 0;
}

/* A create failed: its object is freed, or left to a late answer. */
static void obj_give_up(struct mdx_cmd *cmd, struct mdx_obj *obj, int ret)
{
	struct mdx_file *file = cmd->file;

	mdx_ids_erase(&file->ids, obj->id);
	if (ret != -ETIMEDOUT ||
	    !mdx_late_create(file->mdx, cmd, file->uverbs, obj))
		mdx_obj_free(obj);
}

/* Gives @obj up if it fails. */
static int obj_fw_create(struct mdx_cmd *cmd, struct mdx_obj *obj)
{
	struct mdx_dev *mdx = cmd->file->mdx;
	int ret;

	ret = mdx_live_lock(mdx);
	if (ret) {
		obj_give_up(cmd, obj, ret);
		return ret;
	}
	atomic_inc(&mdx->creating);
	ret = obj_fw_create_locked(cmd, obj);
	if (ret)
		obj_give_up(cmd, obj, ret);
	atomic_dec(&mdx->creating);
	mdx_live_unlock(mdx);
	return ret;
}

/*
 * Have the device destroy an object. A dead device has nothing any more, so that
 * counts as done. @last: nobody will ask again, so a drain that was refused is
 * no reason not to try.
 */
static int obj_fw_destroy(struct mdx_dev *mdx, struct mdx_obj *obj, bool last,
			  struct mdx_answer *ans)
{
	int ret = 0;

	if (!obj->drained)
		ret = mdx_dct_drain(mdx, obj, ans);
	if (!ret || (last && ret != -ENOMEM)) {
		if (obj->cq)
			ret = mdx_cq_destroy(mdx, obj, ans);
		else
			ret = mdx_fw_exec(mdx, obj->id, obj->din, obj->din_len,
					  ans);
	}
	if (ret == -ENXIO || (ret && mdx_fw_is_dead(mdx->mdev))) {
		memset(ans, 0, sizeof(*ans));
		ret = 0;
	}
	return ret;
}

/**
 * mdx_obj_fw_destroy_last - Have the device destroy an object for the last time
 * @mdx: the device under live_sem, held by the caller or by whom it works for
 * @obj: used by nobody else
 * @ans: the device's answer
 *
 * Want of memory passes, so it is no reason to leave the object to the device.
 *
 * Return: as mdx_fw_exec(); 0 if the device is dead
 */
int mdx_obj_fw_destroy_last(struct mdx_dev *mdx, struct mdx_obj *obj,
			    struct mdx_answer *ans)
{
	int tries = MDX_UNDO_TRIES;
	int ret;

	do {
		ret = obj_fw_destroy(mdx, obj, true, ans);
	} while (ret == -ENOMEM && --tries);
	return ret;
}

/*
 * The answer of a create could not be handed out. If the device does not take
 * the object back, it stays with the file, without an id, until that is closed.
 */
static void obj_undo(struct mdx_file *file, struct mdx_obj *obj)
{
	struct mdx_answer ans;

	mdx_ids_erase(&file->ids, obj->id);
	if (mdx_live_lock(file->mdx)) {
		mdx_obj_free(obj);
		return;
	}
	if (mdx_obj_fw_destroy_last(file->mdx, obj, &ans)) {
		obj->id = 0;
	} else {
		mdx_obj_unlink(file, obj);
		mdx_obj_free(obj);
	}
	mdx_live_unlock(file->mdx);
}

static int id_respond(struct mdx_ucmd *ucmd, const struct mdx_obj *obj)
{
	struct mdx_ioc_obj_create __user *uarg = ucmd->ubuf;

	if (!put_user(obj->id, &uarg->out_id))
		return 0;
	ucmd->why.stage = MDX_STAGE_ANSWER;
	return -EFAULT;
}

static int obj_create(struct mdx_ucmd *ucmd, struct mdx_cmd *cmd)
{
	struct mdx_file *file = ucmd->file;
	struct mdx_obj *obj;
	int ret;

	cmd->why->stage = MDX_STAGE_OBJECT;
	obj = obj_reserve(file);
	if (!obj)
		return -ENOMEM;

	ret = obj_fw_create(cmd, obj);
	if (ret) {
		atomic_dec(&file->objs_n);
		return mdx_cmd_respond(cmd, ret);
	}

	ret = mdx_cmd_respond(cmd, 0);
	if (!ret)
		ret = id_respond(ucmd, obj);
	if (ret)
		obj_undo(file, obj);
	else
		obj_publish(obj);
	return ret;
}

/* MDX_IOC_OBJ_CREATE */
int mdx_ioc_obj_create(struct mdx_ucmd *ucmd)
{
	struct mdx_ioc_obj_create *arg = ucmd->cmd;
	struct mdx_cmd cmd __uninitialized;
	struct mdx_dev *mdx;
	int ret;

	if (arg->flags || arg->__reserved)
		return -EOPNOTSUPP;
	mdx = mdx_file_dev(ucmd->file);
	if (IS_ERR(mdx))
		return PTR_ERR(mdx);

	ret = mdx_cmd_fetch(&cmd, ucmd, MDX_OP_CREATE);
	if (ret)
		return ret;
	ret = obj_create(ucmd, &cmd);
	mdx_cmd_free(&cmd);
	return ret;
}

/*
 * Get an object: to use it, together with others who do, or to destroy it, alone
 * or not at all. Nobody waits here.
 */
static struct mdx_obj *obj_get(struct mdx_file *file, u32 id, bool alone)
{
	struct mdx_obj *obj;
	int users;

	mdx_ids_lock(&file->ids);
	obj = mdx_ids_find(&file->ids, id);
	if (!obj) {
		obj = ERR_PTR(-ENOENT);
		goto unlock;
	}
	/* Pairs with those who put it: they are done with it. */
	users = atomic_read_acquire(&obj->users);
	if (users == MDX_OBJ_NEW)
		obj = ERR_PTR(-ENOENT);
	else if (alone ? users : users < 0)
		obj = ERR_PTR(-EBUSY);
	else if (alone)
		atomic_set(&obj->users, MDX_OBJ_ALONE);
	else
		atomic_inc(&obj->users);
unlock:
	mdx_ids_unlock(&file->ids);
	return obj;
}

/* The last look at @obj, which is gone as soon as somebody else has it alone. */
static void obj_put(struct mdx_obj *obj)
{
	atomic_fetch_dec_release(&obj->users);
}

static void obj_put_alone(struct mdx_obj *obj)
{
	atomic_set_release(&obj->users, 0);
}

/* Destroys what the caller has alone; the memory is gone if 0 is returned. */
static int obj_destroy(struct mdx_file *file, struct mdx_obj *obj,
		       struct mdx_answer *ans)
{
	int ret;

	ret = mdx_live_lock(file->mdx);
	if (ret)
		return ret;

	mdx_slot_get(file);
	ret = obj_fw_destroy(file->mdx, obj, false, ans);
	mdx_slot_put(file);
	if (!ret) {
		obj_unlink_id(file, obj);
		mdx_obj_free(obj);
	}
	mdx_live_unlock(file->mdx);
	return ret;
}

/* MDX_IOC_OBJ_DESTROY */
int mdx_ioc_obj_destroy(struct mdx_ucmd *ucmd)
{
	struct mdx_ioc_obj_destroy __user *uarg = ucmd->ubuf;
	struct mdx_ioc_obj_destroy *arg = ucmd->cmd;
	struct mdx_file *file = ucmd->file;
	struct mdx_answer ans = {};
	struct mdx_obj *obj;
	struct mdx_dev *mdx;
	int ret;

	if (arg->flags || arg->__reserved)
		return -EOPNOTSUPP;
	mdx = mdx_file_dev(file);
	if (IS_ERR(mdx))
		return PTR_ERR(mdx);
	ucmd->why.stage = MDX_STAGE_OBJECT;
	ucmd->why.obj = arg->id;
	obj = obj_get(file, arg->id, true);
	if (IS_ERR(obj))
		return PTR_ERR(obj);

	ret = obj_destroy(file, obj, &ans);
	if (ret) {
		obj_put_alone(obj);
		mdx_why_refused(&ucmd->why, &ans);
	}
	if (ret && ret != -EREMOTEIO)
		return ret;

	if (put_user(ans.status, &uarg->out_status) ||
	    put_user(ans.syndrome, &uarg->out_syndrome)) {
		ucmd->why.stage = MDX_STAGE_ANSWER;
		return -EFAULT;
	}
	return ret;
}

static bool obj_matches(const struct mdx_obj *obj, const struct mdx_cmd *cmd)
{
	const struct mdx_op *op = cmd->op;

	if (op->kind != obj->kind)
		return false;
	if (op->flags & MDX_OP_F_OBJ_TYPE &&
	    mdx_mbox_obj_type(cmd->in) != obj->obj_type)
		return false;
	return mdx_mbox_get(cmd->in, op->id) - obj->fw_id < obj->fw_n;
}

static int obj_use(struct mdx_file *file, struct mdx_cmd *cmd, u32 id)
{
	struct mdx_obj *obj;
	int ret;

	cmd->why->stage = MDX_STAGE_OBJECT;
	cmd->why->obj = id;
	obj = obj_get(file, id, false);
	if (IS_ERR(obj))
		return PTR_ERR(obj);

	ret = -EINVAL;
	if (obj_matches(obj, cmd))
		ret = mdx_live_lock(file->mdx);
	if (!ret) {
		ret = mdx_cmd_exec(cmd, id);
		mdx_live_unlock(file->mdx);
	}
	obj_put(obj);
	return ret;
}

static int ioc_obj_cmd(struct mdx_ucmd *ucmd, enum mdx_class class)
{
	struct mdx_ioc_obj_cmd *arg = ucmd->cmd;
	struct mdx_cmd cmd __uninitialized;
	struct mdx_dev *mdx;
	int ret;

	if (arg->flags || arg->__reserved)
		return -EOPNOTSUPP;
	mdx = mdx_file_dev(ucmd->file);
	if (IS_ERR(mdx))
		return PTR_ERR(mdx);

	ret = mdx_cmd_fetch(&cmd, ucmd, class);
	if (ret)
		return ret;
	ret = obj_use(ucmd->file, &cmd, arg->id);
	ret = mdx_cmd_respond(&cmd, ret);
	mdx_cmd_free(&cmd);
	return ret;
}

/* MDX_IOC_OBJ_MODIFY */
int mdx_ioc_obj_modify(struct mdx_ucmd *ucmd)
{
	return ioc_obj_cmd(ucmd, MDX_OP_MODIFY);
}

/* MDX_IOC_OBJ_QUERY */
int mdx_ioc_obj_query(struct mdx_ucmd *ucmd)
{
	return ioc_obj_cmd(ucmd, MDX_OP_QUERY);
}
