// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Commands whose results are read from a channel: the rest of MDX_IOC_SUBMIT.
 *
 * The caller does all that may fail, a worker executes the command and completes the
 * record that was reserved for it. An item has a command slot meanwhile, for which the
 * caller waits, so those on their way are bounded. The file waits for them when it is
 * released: until then its owner is valid.
 */
#include <linux/memcontrol.h>
#include <linux/slab.h>
#include <linux/wait_bit.h>

#include "channel.h"
#include "cmd.h"
#include "file.h"
#include "mbox.h"
#include "obj.h"
#include "objs.h"
#include "owner.h"
#include "submit.h"
#include "submit_args.h"
#include "submit_run.h"
#include "umem.h"

/**
 * struct async_item - An item on its way to a channel
 * @run: the item
 * @chan: the channel
 * @rec: its record
 */
struct async_item {
	struct mdx_run run;
	struct mdx_chan *chan;
	struct mdx_done_rec *rec;
};

static void async_free(struct async_item *async)
{
	struct mem_cgroup *memcg = async->run.memcg;

	mdx_channel_put(async->chan);
	kfree(async);
	mem_cgroup_put(memcg);
}

/*
 * An object is found by its id before the id can be read. One whose channel has ended
 * is destroyed again.
 */
static int obj_settle(struct async_item *async)
{
	struct mdx_run *run = &async->run;
	struct mdx_obj *obj = run->ucmd.new_obj;

	if (!obj)
		return 0;
	if (!READ_ONCE(async->chan->owner)) {
		mdx_obj_abort(run->ucmd.file, obj);
		return -EIO;
	}
	async->rec->done.obj = obj->id;
	mdx_obj_finalize(run->ucmd.file, obj);
	return 0;
}

static void answer_fill(struct async_item *async)
{
	struct mdx_cmd *cmd = &async->run.ucmd.cmd;
	struct mdx_done_rec *rec = async->rec;

	if (async->run.cmd == MDX_CMD_UMEM_REG) {
		mdx_umem_answer(&async->run, async->run.ret);
		memcpy(rec->out, &async->run.arg.umem_reg, rec->done.out_len);
	} else {
		memcpy(rec->out, cmd->out, rec->done.out_len);
	}
	rec->done.status = mdx_mbox_status(cmd->out);
	rec->done.syndrome = mdx_mbox_syndrome(cmd->out);
}

/* Without an answer of the device, the channel clears what is not the errno. */
static void record_fill(struct async_item *async)
{
	struct mdx_run *run = &async->run;
	struct mdx_done *done = &async->rec->done;
	int ret;

	if (mdx_run_class(run->cmd) == MDX_OP_NONE) {
		done->status = run->ucmd.err.status;
		done->syndrome = run->ucmd.err.syndrome;
	} else {
		if (!run->ret || run->ret == -EREMOTEIO)
			answer_fill(async);
		mdx_cmd_free(&run->ucmd.cmd);
	}
	ret = obj_settle(async);
	done->err = -(run->ret ? run->ret : ret);
}

/* In a worker. The file may be freed right after mdx_file_async_end(). */
static void async_ended(struct mdx_run *run)
{
	struct async_item *async = container_of(run, struct async_item, run);
	struct mdx_file *file = run->ucmd.file;

	record_fill(async);
	mdx_channel_complete(async->chan, async->rec);
	mdx_slot_put(&run->ucmd.owner->slots);
	async_free(async);
	mdx_file_async_end(file);
}

static struct async_item *async_alloc(struct mdx_ucmd *ucmd,
				      struct mdx_chan *chan)
{
	struct async_item *async;

	async = kzalloc(sizeof(*async), GFP_KERNEL_ACCOUNT);
	if (!async)
		return NULL;
	kref_get(&chan->ref);
	async->chan = chan;
	mdx_run_init(&async->run, ucmd->file,
		     get_mem_cgroup_from_mm(current->mm), async_ended);
	return async;
}

static int async_begin(struct async_item *async, const struct mdx_item *item)
{
	struct mdx_run *run = &async->run;
	int ret;

	async->rec = mdx_channel_reserve(async->chan, item->out_len);
	if (IS_ERR(async->rec))
		return PTR_ERR(async->rec);
	async->rec->done.cookie = item->cookie;
	ret = mdx_slot_get(&run->ucmd.owner->slots);
	if (!ret) {
		ret = mdx_run_begin(run, item);
		if (ret)
			mdx_slot_put(&run->ucmd.owner->slots);
	}
	if (ret)
		mdx_channel_unreserve(async->chan, async->rec);
	return ret;
}

static int item_submit(struct mdx_ucmd *ucmd, struct mdx_chan *chan,
		       const struct mdx_item *item)
{
	struct async_item *async = async_alloc(ucmd, chan);
	int ret;

	if (!async) {
		ucmd->err.stage = MDX_STAGE_MEMORY;
		return -ENOMEM;
	}
	ret = async_begin(async, item);
	if (ret) {
		ucmd->err = async->run.ucmd.err;
		async_free(async);
		return ret;
	}
	mdx_file_async_begin(ucmd->file);
	mdx_run_queue(&async->run);
	return 0;
}

/* A plain record has no room for an id, nor for a status without an answer. */
static int plain_check(const struct mdx_submit_args *args)
{
	u32 i;

	for (i = 0; i < args->n; i++) {
		u16 cmd = args->items[i].cmd;

		if (cmd == MDX_CMD_OBJ_CREATE || cmd == MDX_CMD_OBJ_DESTROY ||
		    cmd == MDX_CMD_UMEM_REG)
			return -EOPNOTSUPP;
	}
	return 0;
}

static int items_submit(struct mdx_ucmd *ucmd,
			const struct mdx_submit_args *args,
			struct mdx_chan *chan)
{
	struct mdx_ioc_submit *arg = ucmd->arg;
	int ret;
	u32 i;

	if (chan->flags & MDX_CHANNEL_PLAIN) {
		ret = plain_check(args);
		if (ret)
			return ret;
	}
	for (i = 0; i < args->n; i++) {
		ret = item_submit(ucmd, chan, &args->items[i]);
		if (ret)
			break;
		cond_resched();
	}
	arg->out_done = i;
	arg->out_failed = 0;
	arg->out_first_failed = 0;
	arg->out_reserved = 0;
	return i ? 0 : ret;
}

/**
 * mdx_submit_to_channel - Send items whose results go to a channel
 * @ucmd: the call
 * @args: its items
 *
 * Return: 0, or what the uapi says about the first item
 */
int mdx_submit_to_channel(struct mdx_ucmd *ucmd,
			  const struct mdx_submit_args *args)
{
	const struct mdx_ioc_submit *arg = ucmd->arg;
	struct mdx_chan *chan;
	int ret;

	chan = mdx_channel_get(arg->channel, ucmd->owner,
			       MDX_CHANNEL_COMPLETIONS);
	if (IS_ERR(chan))
		return PTR_ERR(chan);
	ret = items_submit(ucmd, args, chan);
	mdx_channel_put(chan);
	return ret;
}
