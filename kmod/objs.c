// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The objects of a file, by id.
 *
 * Life of an object: an id is reserved, the command runs, the answer is copied
 * out, the object is finalized: stored under its id, which cannot fail. Whatever
 * fails before aborts the steps already done. From the moment the device has the
 * object until the moment it has not, the object is in mdx_file::all: closing the
 * file and removing the device need no other list.
 *
 * Ownership of the memory: during create and destroy, the task doing it; while
 * the object is stored under its id, the id table; afterwards (its create could
 * not be answered and the device refused to take it back), the list.
 */
#include <linux/mlx5/driver.h>

#include "charge.h"
#include "dev.h"
#include "file.h"
#include "obj.h"
#include "objs.h"
#include "slot.h"
#include "ucmd.h"

static struct mdx_obj *obj_alloc_id(struct mdx_file *file)
{
	struct mdx_obj *obj;

	obj = mdx_obj_alloc();
	if (!obj)
		return NULL;
	obj->id = mdx_ids_reserve(&file->ids);
	if (obj->id)
		return obj;
	mdx_obj_free(obj);
	return NULL;
}

static struct mdx_obj *obj_reserve(struct mdx_file *file)
{
	struct mdx_obj *obj = NULL;

	if (atomic_inc_return(&file->objs_n) <= MDX_OBJS_MAX)
		obj = obj_alloc_id(file);
	if (!obj)
		atomic_dec(&file->objs_n);
	return obj;
}

/* The device has it: from here on the file must not be closed without it. */
static void obj_link(struct mdx_file *file, struct mdx_obj *obj)
{
	mdx_dev_assert_live(file->mdx);

	mdx_ids_lock(&file->ids);
	list_add(&obj->entry, &file->all);
	mdx_ids_unlock(&file->ids);
}

/**
 * mdx_obj_uncount - Stop counting an object as its file's
 * @file: its file, whose device is under mdx_live
 * @obj: in no list
 */
void mdx_obj_uncount(struct mdx_file *file, struct mdx_obj *obj)
{
	mdx_uncharge(obj->cg, file->mdx->ibdev);
	atomic_dec(&file->objs_n);
}

/**
 * mdx_obj_unlink - Take an object from its file
 * @file: its file, whose device is under mdx_live
 * @obj: the device has it no more, or will not be asked about it again
 */
void mdx_obj_unlink(struct mdx_file *file, struct mdx_obj *obj)
{
	mdx_dev_assert_live(file->mdx);

	mdx_ids_lock(&file->ids);
	list_del_init(&obj->entry);
	mdx_ids_unlock(&file->ids);
	mdx_obj_uncount(file, obj);
}

static int obj_fw_create(struct mdx_cmd *cmd, struct mdx_obj *obj)
{
	struct mdx_dev *mdx = cmd->file->mdx;
	int ret;

	if (cmd->op->flags & MDX_OP_F_ISSI0 && !mdx->mdev->issi)
		return -EOPNOTSUPP;
	ret = mdx_charge(&obj->cg, mdx->ibdev);
	if (ret)
		return ret;

	mdx_obj_prepare(obj, cmd->op, cmd->in, cmd->file->uid);
	if (obj->ops->create)
		ret = obj->ops->create(cmd, obj);
	else
		ret = mdx_cmd_exec(cmd, obj->id);
	if (ret) {
		mdx_uncharge(obj->cg, mdx->ibdev);
		return ret;
	}
	mdx_obj_created(obj, cmd->op, cmd->out);
	obj_link(cmd->file, obj);
	return 0;
}

/* The create failed: @obj is freed, or left to a late answer. */
static void obj_discard(struct mdx_cmd *cmd, struct mdx_obj *obj, int ret)
{
	struct mdx_file *file = cmd->file;

	mdx_ids_erase(&file->ids, obj->id);
	atomic_dec(&file->objs_n);
	if (ret != -ETIMEDOUT ||
	    !mdx_late_create(file->mdx, cmd, file->uverbs, obj))
		mdx_obj_free(obj);
}

/* MDX_IOC_OBJ_CREATE */
int mdx_ioc_obj_create(struct mdx_ucmd *ucmd)
{
	struct mdx_ioc_obj_create *arg = ucmd->arg;
	struct mdx_obj *obj;
	int ret;

	ucmd->err.stage = MDX_STAGE_OBJECT;
	obj = obj_reserve(ucmd->file);
	if (!obj)
		return -ENOMEM;

	mdx_late_create_begin(ucmd->mdx);
	ret = obj_fw_create(&ucmd->cmd, obj);
	if (ret)
		obj_discard(&ucmd->cmd, obj, ret);
	mdx_late_create_end(ucmd->mdx);
	if (ret)
		return ret;

	ucmd->new_obj = obj;
	arg->out_id = obj->id;
	return 0;
}

/**
 * mdx_obj_finalize - Make a new object found by its id
 * @file: its file
 * @obj: the object, whose id the caller knows
 */
void mdx_obj_finalize(struct mdx_file *file, struct mdx_obj *obj)
{
	mdx_ids_store(&file->ids, obj->id, obj);
}

/**
 * mdx_obj_abort - Destroy a new object, which the caller does not know of
 * @file: its file, whose device is not under mdx_live
 * @obj: the object
 *
 * If the device does not take the object back, it stays with the file, without
 * an id, until that is closed.
 */
void mdx_obj_abort(struct mdx_file *file, struct mdx_obj *obj)
{
	struct mdx_answer ans;

	mdx_ids_erase(&file->ids, obj->id);
	guard(mdx_live)(file->mdx);
	/* The removal has taken it from the list and left the memory to us. */
	if (!file->mdx->mdev) {
		mdx_obj_free(obj);
	} else if (mdx_obj_fw_destroy_last(file->mdx, obj, &ans)) {
		obj->id = 0;
	} else {
		mdx_obj_unlink(file, obj);
		mdx_obj_free(obj);
	}
}

/*
 * Holds an object: shared with other modifies and queries, or exclusively, to
 * destroy it. Never waits.
 */
static struct mdx_obj *obj_get(struct mdx_file *file, u32 id, bool exclusive)
{
	struct mdx_obj *obj;
	int users;

	mdx_ids_lock(&file->ids);
	obj = mdx_ids_find(&file->ids, id);
	if (!obj) {
		obj = ERR_PTR(-ENOENT);
		goto unlock;
	}
	/* Pairs with the release in obj_put(): the other users are done. */
	users = atomic_read_acquire(&obj->users);
	if (exclusive ? users : users < 0)
		obj = ERR_PTR(-EBUSY);
	else if (exclusive)
		atomic_set(&obj->users, MDX_OBJ_EXCLUSIVE);
	else
		atomic_inc(&obj->users);
unlock:
	mdx_ids_unlock(&file->ids);
	return obj;
}

/* The caller's last access: another task may hold it exclusively from here on. */
static void obj_put(struct mdx_obj *obj)
{
	atomic_fetch_dec_release(&obj->users);
}

static void obj_put_exclusive(struct mdx_obj *obj)
{
	atomic_set_release(&obj->users, 0);
}

/* For an object that is held exclusively, and destroyed. */
static void obj_remove(struct mdx_file *file, struct mdx_obj *obj)
{
	mdx_ids_lock(&file->ids);
	__mdx_ids_erase(&file->ids, obj->id);
	list_del_init(&obj->entry);
	mdx_ids_unlock(&file->ids);
	mdx_obj_uncount(file, obj);
	mdx_obj_free(obj);
}

/* MDX_IOC_OBJ_DESTROY */
int mdx_ioc_obj_destroy(struct mdx_ucmd *ucmd)
{
	struct mdx_ioc_obj_destroy *arg = ucmd->arg;
	struct mdx_file *file = ucmd->file;
	struct mdx_answer ans = {};
	struct mdx_obj *obj;
	int ret;

	ucmd->err.stage = MDX_STAGE_OBJECT;
	ucmd->err.obj = arg->id;
	obj = obj_get(file, arg->id, true);
	if (IS_ERR(obj))
		return PTR_ERR(obj);

	mdx_slot_get(file);
	ret = mdx_obj_fw_destroy(ucmd->mdx, obj, &ans);
	mdx_slot_put(file);
	if (ret) {
		mdx_err_info_set(&ucmd->err, &ans);
		obj_put_exclusive(obj);
	} else {
		obj_remove(file, obj);
	}
	arg->out_status = ans.status;
	arg->out_syndrome = ans.syndrome;
	return ret;
}

static bool obj_matches(const struct mdx_obj *obj, const struct mdx_cmd *cmd)
{
	const struct mdx_op *op = cmd->op;
	u32 id = mdx_mbox_get(cmd->in, op->id);

	if (op->create != obj->opcode)
		return false;
	if (op->flags & MDX_OP_F_OBJ_TYPE &&
	    mdx_mbox_obj_type(cmd->in) != obj->obj_type)
		return false;
	/* The device may choose numbers close to the end: nothing wraps. */
	return id >= obj->fw_id && id - obj->fw_id < obj->fw_n;
}

/* MDX_IOC_OBJ_MODIFY and MDX_IOC_OBJ_QUERY */
int mdx_ioc_obj_use(struct mdx_ucmd *ucmd)
{
	struct mdx_ioc_obj_cmd *arg = ucmd->arg;
	struct mdx_obj *obj;
	int ret = -EINVAL;

	ucmd->err.stage = MDX_STAGE_OBJECT;
	ucmd->err.obj = arg->id;
	obj = obj_get(ucmd->file, arg->id, false);
	if (IS_ERR(obj))
		return PTR_ERR(obj);
	if (obj_matches(obj, &ucmd->cmd))
		ret = mdx_cmd_exec(&ucmd->cmd, arg->id);
	obj_put(obj);
	return ret;
}
