// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Many commands in one call: MDX_IOC_SUBMIT.
 *
 * The caller's thread does all that touches user memory: it reads the input of an item
 * when the item begins, and writes the answer and the result when the item has ended.
 * Workers send the commands and wait for the device. As a rule an item that runs alone
 * needs no worker: the caller executes it.
 *
 * An item has a command slot of the owner until its answer is written, so mailboxes are
 * bounded as those of single calls. A caller that has items under way never waits for a
 * slot, since their slots are its own to give back; and it leaves the slot of an item to
 * a call that waits for one.
 */
#include <linux/memcontrol.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/wait.h>

#include "cmd.h"
#include "file.h"
#include "last_error.h"
#include "obj.h"
#include "objs.h"
#include "owner.h"
#include "submit.h"
#include "submit_args.h"
#include "submit_run.h"
#include "umem.h"

/**
 * struct batch - A call under way
 * @ucmd: the call
 * @args: what it is to do
 * @lock: protects @ended
 * @ended: runs that workers have executed
 * @wait: the caller, when it waits for one of these
 * @idle: runs that are not used
 * @ret: result of the call
 * @yields: a call waited for the slot that was given back last
 * @killed: the caller was killed
 * @runs: as many as items may run at a time
 */
struct batch {
	struct mdx_ucmd *ucmd;
	struct mdx_submit_args args;
	spinlock_t lock; /* ended */
	struct list_head ended;
	wait_queue_head_t wait;
	struct list_head idle;
	int ret;
	bool yields;
	bool killed;
	struct mdx_run runs[];
};

/* In a worker. The batch is not freed before the lock is. */
static void run_ended(struct mdx_run *run)
{
	struct batch *b = run->batch;

	spin_lock(&b->lock);
	list_add_tail(&run->entry, &b->ended);
	wake_up(&b->wait);
	spin_unlock(&b->lock);
}

static struct batch *batch_alloc(struct mdx_ucmd *ucmd,
				 const struct mdx_submit_args *args,
				 struct mem_cgroup *memcg)
{
	u32 runs_n = min(args->chain.in_flight, args->n);
	struct batch *b;
	u32 i;

	b = kzalloc(struct_size(b, runs, runs_n), GFP_KERNEL_ACCOUNT);
	if (!b)
		return NULL;
	b->ucmd = ucmd;
	b->args = *args;
	spin_lock_init(&b->lock);
	INIT_LIST_HEAD(&b->ended);
	init_waitqueue_head(&b->wait);
	INIT_LIST_HEAD(&b->idle);
	for (i = 0; i < runs_n; i++) {
		mdx_run_init(&b->runs[i], ucmd->file, memcg, run_ended);
		b->runs[i].batch = b;
		list_add_tail(&b->runs[i].entry, &b->idle);
	}
	return b;
}

/* The caller cannot be told how an item went: nothing begins any more. */
static void batch_lost(struct batch *b)
{
	b->ret = -EFAULT;
	mdx_chain_stop(&b->args.chain, true);
}

static void result_count(struct batch *b, u32 i, int ret)
{
	struct mdx_ioc_submit *arg = b->ucmd->arg;

	arg->out_done++;
	if (!ret)
		return;
	arg->out_failed++;
	arg->out_first_failed = min(arg->out_first_failed, i);
}

/* Return: @ret, or -EFAULT. A new object is as it is after a call of its own. */
static int result_write(struct batch *b, struct mdx_run *run, int ret)
{
	struct mdx_item *item = &b->args.items[run->item];
	struct mdx_obj *obj = run->ucmd.new_obj;

	item->out_err = -ret;
	item->out_status = run->ucmd.err.status;
	item->out_syndrome = run->ucmd.err.syndrome;
	if (obj && !ret) {
		item->out_obj = obj->id;
		b->args.own[run->item].fw_id = obj->fw_id;
	}
	if (mdx_submit_item_write(&b->args, run->item)) {
		run->ucmd.err.stage = MDX_STAGE_ANSWER;
		batch_lost(b);
		ret = ret ? ret : -EFAULT;
	}
	if (obj && ret)
		mdx_obj_abort(run->ucmd.file, obj);
	else if (obj)
		mdx_obj_finalize(run->ucmd.file, obj);
	return ret;
}

static void run_put(struct batch *b, struct mdx_run *run)
{
	list_add(&run->entry, &b->idle);
	b->yields = mdx_slot_put(&run->ucmd.owner->slots);
}

/* An item that has begun ends: @ret is its result, or why it was not executed. */
static void item_end(struct batch *b, struct mdx_run *run, int ret)
{
	ret = result_write(b, run, ret);
	if (ret)
		mdx_last_error_record(&run->ucmd, run->cmd, ret);
	result_count(b, run->item, ret);
	run_put(b, run);
	mdx_chain_end(&b->args.chain, run->item, !ret);
}

/* The answer of a run goes to the caller, if it has one. */
static int run_respond(struct mdx_run *run)
{
	int ret = run->ret;

	if (mdx_run_class(run->cmd) == MDX_OP_NONE)
		return ret;
	if (run->cmd == MDX_CMD_UMEM_REG)
		ret = mdx_umem_item_respond(run, ret);
	else
		ret = mdx_cmd_respond(&run->ucmd.cmd, ret);
	mdx_cmd_free(&run->ucmd.cmd);
	return ret;
}

static void ended_collect(struct batch *b)
{
	struct mdx_run *run, *next;
	LIST_HEAD(ended);

	spin_lock(&b->lock);
	list_splice_init(&b->ended, &ended);
	spin_unlock(&b->lock);
	list_for_each_entry_safe(run, next, &ended, entry) {
		list_del(&run->entry);
		item_end(b, run, run_respond(run));
	}
}

static bool any_ended(struct batch *b)
{
	return !list_empty_careful(&b->ended);
}

static void ended_wait(struct batch *b)
{
	wait_event(b->wait, any_ended(b));
	ended_collect(b);
}

/*
 * A run with a slot. NULL: there is none now, and an item that ends gives one back, or
 * the caller was killed.
 */
static struct mdx_run *run_get(struct batch *b, u32 item)
{
	struct mdx_slots *slots = &b->ucmd->owner->slots;
	struct mdx_run *run;

	if (!b->args.chain.running) {
		if (mdx_slot_get(slots))
			return NULL;
	} else if (b->yields || list_empty(&b->idle) ||
		   !mdx_slot_try_get(slots)) {
		return NULL;
	}
	run = list_first_entry(&b->idle, struct mdx_run, entry);
	list_del(&run->entry);
	run->item = item;
	return run;
}

/* Return: true if no other item can run beside the one that does */
static bool runs_alone(const struct batch *b)
{
	u32 item;

	return b->args.chain.running == 1 &&
	       mdx_chain_next(&b->args.chain, &item) == MDX_CHAIN_WAIT;
}

static u32 obj_of(const struct batch *b, u32 i)
{
	const struct mdx_item *item = &b->args.items[i];

	if (item->flags & MDX_ITEM_OBJ_BACK)
		return b->args.items[i - item->obj].out_obj;
	return item->obj;
}

/* Return: false if an item has to end first, or the caller was killed */
static bool item_begin(struct batch *b, u32 i)
{
	struct mdx_item item = b->args.items[i];
	struct mdx_run *run = run_get(b, i);
	int ret;

	if (!run)
		return false;
	item.obj = obj_of(b, i);
	mdx_submit_args_patch(&b->args, i, run);
	ret = mdx_run_begin(run, &item);
	if (ret && fatal_signal_pending(current)) {
		run_put(b, run);
		return false;
	}
	mdx_chain_take(&b->args.chain, MDX_CHAIN_BEGIN, i);
	if (ret) {
		item_end(b, run, ret);
	} else if (runs_alone(b)) {
		mdx_run_execute(run);
		item_end(b, run, run_respond(run));
	} else {
		mdx_run_queue(run);
	}
	return true;
}

static void item_cancel(struct batch *b, u32 i)
{
	mdx_chain_take(&b->args.chain, MDX_CHAIN_CANCEL, i);
	b->args.items[i].out_err = ECANCELED;
	if (!b->killed && mdx_submit_item_write(&b->args, i))
		batch_lost(b);
}

/* As item_begin(). An object that another call has destroyed is gone as well. */
static bool item_undo(struct batch *b, u32 i)
{
	struct mdx_item *item = &b->args.items[i];
	struct mdx_item destroy = {
		.cmd = MDX_CMD_OBJ_DESTROY,
		.obj = item->out_obj,
	};
	struct mdx_run *run = run_get(b, i);
	int ret;

	if (!run)
		return false;
	ret = mdx_run_begin(run, &destroy);
	if (!ret) {
		mdx_run_execute(run);
		ret = run->ret;
	}
	run_put(b, run);
	mdx_chain_take(&b->args.chain, MDX_CHAIN_UNDO, i);
	if (ret && ret != -ENOENT)
		return true;
	item->out_obj = 0;
	if (mdx_submit_item_write(&b->args, i))
		batch_lost(b);
	return true;
}

static void kill_check(struct batch *b)
{
	if (b->killed || !fatal_signal_pending(current))
		return;
	b->killed = true;
	mdx_chain_stop(&b->args.chain, false);
}

/* Return: false at the end */
static bool batch_step(struct batch *b)
{
	bool done = true;
	u32 i;

	switch (mdx_chain_next(&b->args.chain, &i)) {
	case MDX_CHAIN_END:
		return false;
	case MDX_CHAIN_BEGIN:
		done = item_begin(b, i);
		break;
	case MDX_CHAIN_CANCEL:
		item_cancel(b, i);
		break;
	case MDX_CHAIN_UNDO:
		done = item_undo(b, i);
		break;
	case MDX_CHAIN_WAIT:
		done = false;
		break;
	}
	/* Without an item that runs, the caller was killed. */
	if (!done && b->args.chain.running)
		ended_wait(b);
	return true;
}

static int batch_run(struct batch *b)
{
	struct mdx_ioc_submit *arg = b->ucmd->arg;

	arg->out_done = 0;
	arg->out_failed = 0;
	arg->out_first_failed = arg->items_n;
	arg->out_reserved = 0;
	do {
		kill_check(b);
		if (any_ended(b))
			ended_collect(b);
		cond_resched();
	} while (batch_step(b));
	return b->killed ? -EINTR : b->ret;
}

/* Return when all items have ended. */
static int submit_and_wait(struct mdx_ucmd *ucmd,
			   const struct mdx_submit_args *args)
{
	struct mem_cgroup *memcg = get_mem_cgroup_from_mm(current->mm);
	struct batch *b = batch_alloc(ucmd, args, memcg);
	int ret = -ENOMEM;

	if (b)
		ret = batch_run(b);
	else
		ucmd->err.stage = MDX_STAGE_MEMORY;
	kfree(b);
	mem_cgroup_put(memcg);
	return ret;
}

/* MDX_IOC_SUBMIT. Each item takes a slot and locks for itself. */
int mdx_ioc_submit(struct mdx_ucmd *ucmd)
{
	const struct mdx_ioc_submit *arg = ucmd->arg;
	struct mdx_owner *owner = mdx_file_owner(ucmd->file);
	struct mdx_submit_args args = {};
	int ret;

	if (IS_ERR(owner))
		return PTR_ERR(owner);
	ucmd->owner = owner;
	ucmd->mdx = owner->mdx;
	ret = mdx_submit_args_read(&args, ucmd);
	if (!ret && arg->channel < 0)
		ret = submit_and_wait(ucmd, &args);
	else if (!ret)
		ret = mdx_submit_to_channel(ucmd, &args);
	mdx_submit_args_free(&args);
	return ret;
}
