// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Tables of objects, by id.
 *
 * Life of an object: an id is reserved, the command runs, the answer is copied
 * out, the object is finalized: stored under its id, which cannot fail. Whatever
 * fails before aborts the steps already done. From the moment the device has the
 * object until the moment it has not, the object is in mdx_objs::all: the ends of
 * a file, a context and a device need no other list.
 *
 * Ownership of the memory: during create and destroy, the task doing it; while
 * the object is stored under its id, the id table; afterwards (its create could
 * not be answered and the device refused to take it back), the list.
 */
#include <linux/mlx5/driver.h>

#include "dev.h"
#include "file.h"
#include "late.h"
#include "obj.h"
#include "objs.h"
#include "owner.h"
#include "ucmd.h"

static struct mdx_obj *obj_alloc_id(struct mdx_objs *objs)
{
	struct mdx_obj *obj;

	obj = mdx_obj_alloc();
	if (!obj)
		return NULL;
	obj->id = mdx_ids_reserve(&objs->ids);
	if (obj->id)
		return obj;
	mdx_obj_free(obj);
	return NULL;
}

static struct mdx_obj *obj_reserve(struct mdx_objs *objs)
{
	struct mdx_obj *obj = NULL;

	if (atomic_inc_return(&objs->n) <= MDX_OBJS_MAX)
		obj = obj_alloc_id(objs);
	if (!obj)
		atomic_dec(&objs->n);
	return obj;
}

/* The device has it: from here on the file must not be closed without it. */
static void obj_link(struct mdx_file *file, struct mdx_obj *obj)
{
	struct mdx_objs *objs = file->objs;

	mdx_dev_assert_live(file->owner->mdx);

	mdx_ids_lock(&objs->ids);
	list_add(&obj->entry, &objs->all);
	mdx_ids_unlock(&objs->ids);
}

/* The create failed: @obj is freed, or left to a late answer. */
static void obj_discard(struct mdx_cmd *cmd, struct mdx_obj *obj, int ret)
{
	struct mdx_objs *objs = cmd->file->objs;

	mdx_obj_uncharge(cmd->file->owner->mdx, obj);
	mdx_ids_erase(&objs->ids, obj->id);
	atomic_dec(&objs->n);
	if (ret != -ETIMEDOUT || !mdx_late_create(cmd->file->owner, cmd, obj))
		mdx_obj_free(obj);
}

/**
 * mdx_obj_begin - Reserve an id for an object, and charge this task for the object
 * @ucmd: with a fetched create; its device is under mdx_live
 *
 * Return: the object, for mdx_obj_create() or mdx_obj_cancel(), or an errno
 */
struct mdx_obj *mdx_obj_begin(struct mdx_ucmd *ucmd)
{
	const struct mdx_op *op = ucmd->cmd.op;
	struct mdx_dev *mdx = ucmd->mdx;
	struct mdx_obj *obj;
	int ret;

	ucmd->err.stage = MDX_STAGE_OBJECT;
	obj = obj_reserve(ucmd->file->objs);
	if (!obj)
		return ERR_PTR(-ENOMEM);
	if (op->flags & MDX_OP_F_ISSI0 && !mdx->mdev->issi)
		ret = -EOPNOTSUPP;
	else
		ret = mdx_obj_charge(mdx, obj);
	if (!ret)
		return obj;
	obj_discard(&ucmd->cmd, obj, ret);
	return ERR_PTR(ret);
}

/**
 * mdx_obj_cancel - Undo mdx_obj_begin()
 * @ucmd: the create, which is not sent; its ib_device is registered
 * @obj: the object
 */
void mdx_obj_cancel(struct mdx_ucmd *ucmd, struct mdx_obj *obj)
{
	obj_discard(&ucmd->cmd, obj, 0);
}

static int obj_fw_create(struct mdx_cmd *cmd, struct mdx_obj *obj)
{
	int ret;

	mdx_obj_prepare(obj, cmd->op, cmd->in, cmd->file->owner->uid);
	if (obj->ops->create)
		ret = obj->ops->create(cmd, obj);
	else
		ret = mdx_cmd_exec(cmd, obj->id);
	if (ret)
		return ret;
	mdx_obj_created(obj, cmd->op, cmd->out);
	obj_link(cmd->file, obj);
	return 0;
}

/**
 * mdx_obj_create - Have the device create an object
 * @ucmd: the create, admitted; its device is under mdx_live, its owner under
 *	mdx_owner_live. Gets the object on success
 * @obj: from mdx_obj_begin(); taken over
 *
 * Return: as mdx_cmd_exec()
 */
int mdx_obj_create(struct mdx_ucmd *ucmd, struct mdx_obj *obj)
{
	int ret;

	mdx_late_create_begin(ucmd->mdx);
	ret = obj_fw_create(&ucmd->cmd, obj);
	if (ret)
		obj_discard(&ucmd->cmd, obj, ret);
	mdx_late_create_end(ucmd->mdx);
	if (!ret)
		ucmd->new_obj = obj;
	return ret;
}

/* MDX_IOC_OBJ_CREATE */
int mdx_ioc_obj_create(struct mdx_ucmd *ucmd)
{
	struct mdx_ioc_obj_create *arg = ucmd->arg;
	struct mdx_obj *obj = mdx_obj_begin(ucmd);
	int ret;

	if (IS_ERR(obj))
		return PTR_ERR(obj);
	ret = mdx_obj_create(ucmd, obj);
	if (!ret)
		arg->out_id = obj->id;
	return ret;
}

/**
 * mdx_obj_finalize - Make a new object found by its id
 * @file: its file
 * @obj: the object, whose id the caller knows
 */
void mdx_obj_finalize(struct mdx_file *file, struct mdx_obj *obj)
{
	mdx_ids_store(&file->objs->ids, obj->id, obj);
}

/* The device has destroyed it, and no other task uses it. */
static void obj_remove(struct mdx_file *file, struct mdx_obj *obj)
{
	struct mdx_objs *objs = file->objs;

	mdx_ids_lock(&objs->ids);
	__mdx_ids_erase(&objs->ids, obj->id);
	list_del_init(&obj->entry);
	mdx_ids_unlock(&objs->ids);
	mdx_obj_uncharge(file->owner->mdx, obj);
	atomic_dec(&objs->n);
	mdx_obj_free(obj);
}

/* The context has ended: the end may still be about to destroy the object. */
static void obj_abort_ended(struct mdx_owner *owner, struct mdx_obj *obj)
{
	guard(mutex)(&owner->teardown_lock);
	if (list_empty(&obj->entry))
		mdx_obj_free(obj);
	else
		obj->id = 0;
}

/**
 * mdx_obj_abort - Destroy a new object, which the caller does not know of
 * @file: its file, no lock of which or of its device is held
 * @obj: the object
 *
 * If the device does not take the object back, it stays with the file, without
 * an id, until that is closed.
 */
void mdx_obj_abort(struct mdx_file *file, struct mdx_obj *obj)
{
	struct mdx_owner *owner = file->owner;
	struct mdx_answer ans;

	guard(mdx_live)(owner->mdx);
	guard(mdx_owner_live)(owner);
	if (mdx_owner_check(owner)) {
		mdx_ids_erase(&file->objs->ids, obj->id);
		obj_abort_ended(owner, obj);
	} else if (mdx_obj_fw_destroy_last(owner->mdx, obj, &ans)) {
		mdx_ids_erase(&file->objs->ids, obj->id);
		obj->id = 0;
	} else {
		obj_remove(file, obj);
	}
}

/*
 * Holds an object: shared with other modifies and queries, or exclusively, to
 * destroy it. Never waits.
 */
static struct mdx_obj *obj_get(struct mdx_objs *objs, u32 id, bool exclusive)
{
	struct mdx_obj *obj;
	int users;

	mdx_ids_lock(&objs->ids);
	obj = mdx_ids_find(&objs->ids, id);
	if (!obj) {
		obj = ERR_PTR(-ENOENT);
		goto unlock;
	}
	/* Pairs with obj_put() and obj_put_exclusive(): the other users are done. */
	users = atomic_read_acquire(&obj->users);
	if (exclusive ? users : users < 0)
		obj = ERR_PTR(-EBUSY);
	else if (exclusive)
		atomic_set(&obj->users, MDX_OBJ_EXCLUSIVE);
	else
		atomic_inc(&obj->users);
unlock:
	mdx_ids_unlock(&objs->ids);
	return obj;
}

/* The caller's last access: another task may hold it exclusively from here on. */
static void obj_put(struct mdx_obj *obj)
{
	/* Pairs with the acquire in obj_get() */
	atomic_fetch_dec_release(&obj->users);
}

/**
 * mdx_obj_get_shared - Hold an object, so that it is not destroyed
 * @objs: its table
 * @id: its id
 *
 * Return: the object for mdx_obj_put_shared(); -ENOENT; -EBUSY if it is being destroyed
 */
struct mdx_obj *mdx_obj_get_shared(struct mdx_objs *objs, u32 id)
{
	return obj_get(objs, id, false);
}

/**
 * mdx_obj_put_shared - Undo mdx_obj_get_shared()
 * @obj: the object; this is the caller's last access
 */
void mdx_obj_put_shared(struct mdx_obj *obj)
{
	obj_put(obj);
}

static void obj_put_exclusive(struct mdx_obj *obj)
{
	/* Pairs with the acquire in obj_get() */
	atomic_set_release(&obj->users, 0);
}

/**
 * mdx_obj_is_throttled - Test whether commands about an object are throttled
 * @file: a bound file
 * @id: any number
 *
 * Return: true for a general object
 */
bool mdx_obj_is_throttled(struct mdx_file *file, u32 id)
{
	struct mdx_objs *objs = file->objs;
	struct mdx_obj *obj;
	bool throttled;

	mdx_ids_lock(&objs->ids);
	obj = mdx_ids_find(&objs->ids, id);
	throttled = obj && obj->obj_type;
	mdx_ids_unlock(&objs->ids);
	return throttled;
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
	obj = obj_get(file->objs, arg->id, true);
	if (IS_ERR(obj))
		return PTR_ERR(obj);

	ret = mdx_obj_fw_destroy(ucmd->mdx, obj, &ans);
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

/* The object that a modify or a query is about, held shared */
static struct mdx_obj *obj_get_used(struct mdx_ucmd *ucmd)
{
	const struct mdx_ioc_obj_cmd *arg = ucmd->arg;
	struct mdx_obj *obj;

	ucmd->err.stage = MDX_STAGE_OBJECT;
	ucmd->err.obj = arg->id;
	obj = obj_get(ucmd->file->objs, arg->id, false);
	if (IS_ERR(obj) || obj_matches(obj, &ucmd->cmd))
		return obj;
	obj_put(obj);
	return ERR_PTR(-EINVAL);
}

/**
 * mdx_obj_check_use - Test whether a modify or a query would find its object now
 * @ucmd: the call, with its command
 *
 * Return: 0, or -ENOENT, -EBUSY, -EINVAL as MDX_IOC_OBJ_QUERY
 */
int mdx_obj_check_use(struct mdx_ucmd *ucmd)
{
	struct mdx_obj *obj = obj_get_used(ucmd);

	if (IS_ERR(obj))
		return PTR_ERR(obj);
	obj_put(obj);
	return 0;
}

/* MDX_IOC_OBJ_MODIFY and MDX_IOC_OBJ_QUERY */
int mdx_ioc_obj_use(struct mdx_ucmd *ucmd)
{
	struct mdx_obj *obj = obj_get_used(ucmd);
	int ret;

	if (IS_ERR(obj))
		return PTR_ERR(obj);
	ret = mdx_cmd_exec(&ucmd->cmd, obj->id);
	obj_put(obj);
	return ret;
}
