// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * An item of a batch while it runs: fetched by the caller, executed by a worker or by
 * the caller. Every step is the function that the ioctl of the item uses.
 *
 * A worker takes the registration lock and the lock of the owner for the item alone,
 * as a call of its own does. Nothing is locked between the items of a batch or while it
 * reads user memory, so neither the removal of the device nor the end of the context
 * waits for a batch. The items that are left fail with EIO then.
 *
 * A worker belongs to no cgroup. So the object of a create is charged in the caller's
 * thread. Until the worker has the registration lock, a reference keeps the ib_device,
 * and with it the cgroup's counters of the device. Memory is charged to the caller's
 * memory cgroup.
 *
 * Each device has workers of its own: those that wait for a device which does not
 * answer delay no other.
 */
#include <linux/memcontrol.h>
#include <linux/sched/mm.h>
#include <rdma/ib_verbs.h>

#include "dev.h"
#include "file.h"
#include "interop.h"
#include "objs.h"
#include "owner.h"
#include "submit_run.h"
#include "submitter.h"
#include "umem.h"

/**
 * struct run_op - A call that an item may be
 * @class: of the command that it carries
 * @execute: executes it; no lock but those of mdx_run_execute() is held
 * @check: tells, before it is executed, of what can be known then; NULL: of nothing
 */
struct run_op {
	u8 class;
	int (*execute)(struct mdx_run *run);
	int (*check)(struct mdx_ucmd *ucmd);
};

static int create_execute(struct mdx_run *run)
{
	struct mdx_obj *obj = run->reserved;

	run->reserved = NULL;
	return mdx_obj_create(&run->ucmd, obj);
}

static int destroy_execute(struct mdx_run *run)
{
	return mdx_ioc_obj_destroy(&run->ucmd);
}

static int use_execute(struct mdx_run *run)
{
	return mdx_ioc_obj_use(&run->ucmd);
}

static int general_execute(struct mdx_run *run)
{
	return mdx_cmd_exec(&run->ucmd.cmd, 0);
}

static int verbs_execute(struct mdx_run *run)
{
	return mdx_ioc_verbs(&run->ucmd);
}

static const struct run_op run_ops[] = {
	[MDX_CMD_OBJ_CREATE] = { MDX_OP_CREATE, create_execute },
	[MDX_CMD_OBJ_DESTROY] = { MDX_OP_NONE, destroy_execute },
	[MDX_CMD_OBJ_MODIFY] = { MDX_OP_MODIFY, use_execute,
				 mdx_obj_check_use },
	[MDX_CMD_OBJ_QUERY] = { MDX_OP_QUERY, use_execute,
				mdx_obj_check_use },
	[MDX_CMD_GENERAL] = { MDX_OP_GENERAL, general_execute },
	[MDX_CMD_VERBS_MODIFY] = { MDX_OP_MODIFY, verbs_execute },
	[MDX_CMD_VERBS_QUERY] = { MDX_OP_QUERY, verbs_execute },
	[MDX_CMD_UMEM_REG] = { MDX_OP_UMEM, create_execute },
};

/**
 * mdx_run_knows - Test whether a call may be an item
 * @cmd: any number
 *
 * Return: true for MDX_CMD_* of such a call
 */
bool mdx_run_knows(u16 cmd)
{
	return cmd < ARRAY_SIZE(run_ops) && run_ops[cmd].execute;
}

/**
 * mdx_run_class - Class of the command that an item carries
 * @cmd: of the item, known
 *
 * Return: enum mdx_class; MDX_OP_NONE: it has no mailboxes
 */
enum mdx_class mdx_run_class(u16 cmd)
{
	return run_ops[cmd].class;
}

static void run_work(struct work_struct *work)
{
	struct mdx_run *run = container_of(work, struct mdx_run, work);
	struct mem_cgroup *old = set_active_memcg(run->memcg);
	struct mdx_submitter submitter;

	mdx_submitter_begin(&submitter, run->pid);
	mdx_run_execute(run);
	mdx_submitter_end(&submitter);
	set_active_memcg(old);
	run->ended(run);
}

/**
 * mdx_run_init - Begin with no item
 * @run: zero
 * @file: a bound file, which stays open as long as an item runs
 * @memcg: of the caller, or NULL
 * @ended: mdx_run::ended
 */
void mdx_run_init(struct mdx_run *run, struct mdx_file *file,
		  struct mem_cgroup *memcg, void (*ended)(struct mdx_run *run))
{
	run->ucmd.file = file;
	run->ucmd.owner = file->owner;
	run->ucmd.mdx = file->owner->mdx;
	run->ucmd.arg = &run->arg;
	run->pid = task_tgid_nr(current);
	run->memcg = memcg;
	run->ended = ended;
	INIT_WORK(&run->work, run_work);
}

static void arg_fill(struct mdx_run *run, const struct mdx_item *item)
{
	union mdx_run_arg *arg = &run->arg;

	memset(arg, 0, sizeof(*arg));
	arg->general.in = item->in;
	arg->general.out = item->out;
	arg->general.in_len = item->in_len;
	arg->general.out_len = item->out_len;

	switch (item->cmd) {
	case MDX_CMD_OBJ_DESTROY:
		memset(arg, 0, sizeof(*arg));
		arg->obj_destroy.id = item->obj;
		break;
	case MDX_CMD_UMEM_REG:
		run->uarg = u64_to_user_ptr(item->in);
		run->arg_len = item->in_len;
		break;
	case MDX_CMD_OBJ_MODIFY:
	case MDX_CMD_OBJ_QUERY:
		arg->obj_cmd.id = item->obj;
		break;
	case MDX_CMD_VERBS_MODIFY:
	case MDX_CMD_VERBS_QUERY:
		arg->verbs_cmd.handle = item->obj;
		arg->verbs_cmd.obj_type = item->kind;
		break;
	}
}

/**
 * mdx_run_reserve - Reserve the object that an item is to create
 * @run: with the row of its command; no lock is held
 *
 * Return: 0, or -EIO or as mdx_obj_begin()
 */
int mdx_run_reserve(struct mdx_run *run)
{
	struct mdx_owner *owner = run->ucmd.owner;
	struct mdx_obj *obj;
	int ret;

	guard(mdx_live)(owner->mdx);
	guard(mdx_owner_live)(owner);
	ret = mdx_owner_check(owner);
	if (ret)
		return ret;
	if (!ib_device_try_get(owner->mdx->ibdev))
		return -EIO;
	obj = mdx_obj_begin(&run->ucmd);
	if (IS_ERR(obj)) {
		ib_device_put(owner->mdx->ibdev);
		return PTR_ERR(obj);
	}
	run->reserved = obj;
	return 0;
}

/**
 * mdx_run_unreserve - Undo mdx_run_reserve()
 * @run: of which nothing was sent
 */
void mdx_run_unreserve(struct mdx_run *run)
{
	mdx_obj_cancel(&run->ucmd, run->reserved);
	run->reserved = NULL;
	ib_device_put(run->ucmd.mdx->ibdev);
}

static int destroy_begin(struct mdx_run *run)
{
	struct mdx_ucmd *ucmd = &run->ucmd;
	int ret;

	if (!mdx_obj_is_throttled(ucmd->file, run->arg.obj_destroy.id))
		return 0;
	ret = mdx_slot_get(&ucmd->owner->throttled_slots);
	run->throttled = !ret;
	return ret;
}

static int cmd_begin(struct mdx_run *run, enum mdx_class class)
{
	struct mdx_ucmd *ucmd = &run->ucmd;
	int ret;

	ret = mdx_cmd_fetch(&ucmd->cmd, ucmd->file, &ucmd->err,
			    &run->arg.general, class);
	if (ret)
		return ret;
	/* With a channel, an errno of the call instead of a record. */
	if (run_ops[run->cmd].check)
		ret = run_ops[run->cmd].check(ucmd);
	if (!ret)
		ret = mdx_cmd_admit(&ucmd->cmd);
	if (!ret && class == MDX_OP_CREATE) {
		ret = mdx_run_reserve(run);
		if (ret)
			mdx_cmd_leave(&ucmd->cmd);
	}
	if (ret)
		mdx_cmd_free(&ucmd->cmd);
	return ret;
}

/**
 * mdx_run_begin - Get an item ready for its execution, in the caller's thread
 * @run: of no item; item and the patches of the command are set
 * @item: the item
 *
 * A slot of the owner is held, and no lock. May wait for a throttled slot or for the
 * budget of long mailboxes, which workers give back.
 *
 * Return: 0, or the errno of the item, of which nothing is left then; -EINTR or
 * -ERESTARTSYS if the task was killed
 */
int mdx_run_begin(struct mdx_run *run, const struct mdx_item *item)
{
	enum mdx_class class = mdx_run_class(item->cmd);
	struct mdx_ucmd *ucmd = &run->ucmd;

	ucmd->err = (struct mdx_err_info){
		.stage = MDX_STAGE_CHECK,
		.item = run->item + 1,
	};
	ucmd->new_obj = NULL;
	run->cmd = item->cmd;
	run->throttled = false;
	arg_fill(run, item);
	switch (class) {
	case MDX_OP_NONE:
		return destroy_begin(run);
	case MDX_OP_UMEM:
		return mdx_umem_item_begin(run);
	default:
		return cmd_begin(run, class);
	}
}

static int run_live(struct mdx_run *run)
{
	struct mdx_owner *owner = run->ucmd.owner;
	int ret;

	guard(mdx_live)(owner->mdx);
	guard(mdx_owner_live)(owner);
	ret = mdx_owner_check(owner);
	if (!ret)
		return run_ops[run->cmd].execute(run);
	if (run->reserved)
		mdx_obj_cancel(&run->ucmd, run->reserved);
	run->reserved = NULL;
	return ret;
}

/**
 * mdx_run_execute - Execute an item
 * @run: begun. What the execution took apart from the mailboxes and the slot is given
 *	back
 */
void mdx_run_execute(struct mdx_run *run)
{
	struct mdx_owner *owner = run->ucmd.owner;
	struct mdx_obj *reserved = run->reserved;

	run->ret = run_live(run);
	if (reserved)
		ib_device_put(owner->mdx->ibdev);
	if (mdx_run_class(run->cmd) != MDX_OP_NONE)
		mdx_cmd_leave(&run->ucmd.cmd);
	else if (run->throttled)
		mdx_slot_put(&owner->throttled_slots);
}

/**
 * mdx_run_queue - Have a worker execute an item
 * @run: begun
 */
void mdx_run_queue(struct mdx_run *run)
{
	queue_work(run->ucmd.mdx->workers, &run->work);
}
