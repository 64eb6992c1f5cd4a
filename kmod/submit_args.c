// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The items and references of a batch, as the caller gives them: copied once, and
 * checked before anything is begun. Input mailboxes are not looked at.
 */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "cmd.h"
#include "submit_args.h"
#include "submit_item.h"
#include "submit_run.h"
#include "ucmd.h"

#define ITEM_FLAGS (MDX_ITEM_LINK | MDX_ITEM_DRAIN | MDX_ITEM_OBJ_BACK)

static_assert(MDX_SUBMIT_ITEMS_MAX == MDX_CHAIN_ITEMS_MAX);
static_assert(MDX_SUBMIT_IN_FLIGHT_MAX == MDX_CHAIN_RUNNING_MAX);

/* Every item refers to one object by MDX_ITEM_OBJ_BACK at most. */
static int args_alloc(struct mdx_submit_args *args)
{
	u32 n = args->n, needs_n = args->refs_n + n;
	void *mem;

	mem = kvzalloc(n * (sizeof(*args->items) + sizeof(*args->own) +
			    sizeof(*args->chain.items)) +
		       args->refs_n * (sizeof(*args->refs) +
				       sizeof(*args->patches)) +
		       needs_n * sizeof(*args->chain.needs),
		       GFP_KERNEL_ACCOUNT);
	if (!mem)
		return -ENOMEM;
	args->mem = mem;
	args->items = mem;
	args->refs = (void *)(args->items + n);
	args->patches = (void *)(args->refs + args->refs_n);
	args->own = (void *)(args->patches + args->refs_n);
	args->chain.items = (void *)(args->own + n);
	args->chain.needs = (void *)(args->chain.items + n);
	args->chain.n = n;
	return 0;
}

static int items_copy(struct mdx_submit_args *args)
{
	size_t len = sizeof(*args->items);
	int ret;
	u32 i;

	if (args->stride == len) {
		return copy_from_user(args->items, args->uitems,
				      args->n * len) ? -EFAULT : 0;
	}
	for (i = 0; i < args->n; i++) {
		ret = copy_struct_from_user(&args->items[i], len,
					    args->uitems + i * args->stride,
					    args->stride);
		if (ret)
			return ret;
	}
	return 0;
}

static int refs_check(struct mdx_submit_args *args, u32 i)
{
	const struct mdx_item *item = &args->items[i];
	u32 k;

	for (k = args->own[i].refs; k < args->own[i].refs + item->refs_n; k++) {
		const struct mdx_ref *ref = &args->refs[k];

		if (ref->what > MDX_REF_LKEY)
			return -EOPNOTSUPP;
		if (!mdx_ref_fits(ref->bit, ref->width, item->in_len) ||
		    !mdx_chain_need(&args->chain, i, ref->back))
			return -EINVAL;
		args->patches[k] = (struct mdx_patch){
			.bit = ref->bit,
			.width = ref->width,
		};
	}
	return 0;
}

/* Fields that the call of the item does not have are zero. */
static int unused_check(const struct mdx_item *item)
{
	enum mdx_class class = mdx_run_class(item->cmd);
	bool verbs = item->cmd == MDX_CMD_VERBS_MODIFY ||
		     item->cmd == MDX_CMD_VERBS_QUERY;

	if (item->kind && !verbs)
		return -EINVAL;
	if ((class == MDX_OP_CREATE || class == MDX_OP_GENERAL ||
	     class == MDX_OP_UMEM) && item->obj)
		return -EINVAL;
	if (class == MDX_OP_UMEM && (item->out || item->refs_n))
		return -EINVAL;
	if (class == MDX_OP_NONE &&
	    (item->in || item->out || item->in_len || item->out_len))
		return -EINVAL;
	if (item->flags & MDX_ITEM_OBJ_BACK &&
	    (verbs || class == MDX_OP_CREATE || class == MDX_OP_GENERAL ||
	     class == MDX_OP_UMEM))
		return -EINVAL;
	return 0;
}

static int item_check(struct mdx_submit_args *args, u32 i)
{
	struct mdx_item *item = &args->items[i];
	int ret;

	if (!mdx_run_knows(item->cmd) || item->flags & ~ITEM_FLAGS ||
	    item->__reserved)
		return -EOPNOTSUPP;
	ret = unused_check(item);
	if (ret)
		return ret;
	if (item->flags & MDX_ITEM_OBJ_BACK &&
	    !mdx_chain_need(&args->chain, i, item->obj))
		return -EINVAL;
	item->out_err = 0;
	item->out_obj = 0;
	item->out_status = 0;
	item->out_syndrome = 0;
	return refs_check(args, i);
}

static void chain_fill(struct mdx_submit_args *args, u32 in_flight)
{
	u32 i;

	for (i = 0; i < args->n; i++) {
		const struct mdx_item *item = &args->items[i];

		args->chain.items[i].flags =
			mdx_item_chain_flags(item->cmd, item->flags);
	}
	mdx_chain_init(&args->chain, in_flight);
}

/* A channel has no order: each item is on its own. */
static int channel_check(const struct mdx_item *item)
{
	if (item->flags & ITEM_FLAGS || item->refs_n)
		return -EOPNOTSUPP;
	if (item->cmd == MDX_CMD_UMEM_REG &&
	    item->out_len != sizeof(struct mdx_ioc_umem_reg))
		return -EINVAL;
	return item->out ? -EINVAL : 0;
}

/* The answer goes to the caller's memory. */
static int wait_check(const struct mdx_item *item)
{
	if (item->cmd == MDX_CMD_UMEM_REG && item->out_len)
		return -EINVAL;
	return item->cookie ? -EINVAL : 0;
}

static int args_check(struct mdx_submit_args *args,
		      const struct mdx_ioc_submit *arg)
{
	u32 i, refs_n = 0;
	int ret;

	if (args->items[0].flags & MDX_ITEM_LINK)
		return -EINVAL;
	for (i = 0; i < args->n; i++) {
		const struct mdx_item *item = &args->items[i];

		if (item->refs_n > args->refs_n - refs_n)
			return -EINVAL;
		args->own[i].refs = refs_n;
		ret = arg->channel < 0 ? wait_check(item) : channel_check(item);
		if (!ret)
			ret = item_check(args, i);
		if (ret)
			return ret;
		refs_n += item->refs_n;
	}
	return refs_n == args->refs_n ? 0 : -EINVAL;
}

/* Return: 0, or an errno */
static int arg_check(const struct mdx_ioc_submit *arg)
{
	if (!arg->items_n || arg->items_n > MDX_SUBMIT_ITEMS_MAX ||
	    arg->refs_n > MDX_SUBMIT_REFS_MAX)
		return -EINVAL;
	if (arg->item_size < sizeof(struct mdx_item) || arg->item_size % 8 ||
	    arg->item_size > MDX_SUBMIT_ITEM_SIZE_MAX)
		return -EINVAL;
	if (arg->channel < -1)
		return -EBADF;
	if (arg->channel < 0)
		return 0;
	if (arg->flags)
		return -EOPNOTSUPP;
	return arg->in_flight ? -EINVAL : 0;
}

static int args_copy(struct mdx_submit_args *args,
		     const struct mdx_ioc_submit *arg)
{
	int ret;

	ret = args_alloc(args);
	if (ret)
		return ret;
	ret = items_copy(args);
	if (!ret && copy_from_user(args->refs, u64_to_user_ptr(arg->refs),
				   args->refs_n * sizeof(*args->refs)))
		ret = -EFAULT;
	return ret;
}

/**
 * mdx_submit_args_read - Copy and check the items and references of a call
 * @args: zero; to be freed in any case
 * @ucmd: the call
 *
 * Return: 0, or what the uapi says about a bad call
 */
int mdx_submit_args_read(struct mdx_submit_args *args, struct mdx_ucmd *ucmd)
{
	const struct mdx_ioc_submit *arg = ucmd->arg;
	u32 in_flight = arg->in_flight;
	int ret;

	ret = arg_check(arg);
	if (ret)
		return ret;
	args->uitems = u64_to_user_ptr(arg->items);
	args->stride = arg->item_size;
	args->n = arg->items_n;
	args->refs_n = arg->refs_n;

	ucmd->err.stage = MDX_STAGE_MEMORY;
	ret = args_copy(args, arg);
	if (ret == -E2BIG)
		ucmd->err.stage = MDX_STAGE_CHECK;
	if (ret)
		return ret;
	ucmd->err.stage = MDX_STAGE_CHECK;
	if (!in_flight)
		in_flight = MDX_SUBMIT_IN_FLIGHT_DEFAULT;
	chain_fill(args, min_t(u32, in_flight, MDX_SUBMIT_IN_FLIGHT_MAX));
	args->chain.stop = arg->flags & MDX_SUBMIT_STOP;
	args->chain.undoes = arg->flags & MDX_SUBMIT_UNDO;
	return args_check(args, arg);
}

/**
 * mdx_submit_args_patch - Tell a run what references write to its input
 * @args: the batch
 * @i: the item, of which all that it refers to has succeeded
 * @run: the run
 */
void mdx_submit_args_patch(struct mdx_submit_args *args, u32 i,
			   struct mdx_run *run)
{
	const struct mdx_item *item = &args->items[i];
	u32 first = args->own[i].refs, k;

	for (k = first; k < first + item->refs_n; k++) {
		const struct mdx_ref *ref = &args->refs[k];

		args->patches[k].val = args->own[i - ref->back].fw_id
				       << (ref->what == MDX_REF_LKEY ? 8 : 0);
	}
	run->ucmd.cmd.patches = args->patches + first;
	run->ucmd.cmd.patches_n = item->refs_n;
}

/**
 * mdx_submit_args_free - Free the copies
 * @args: from mdx_submit_args_read(), whatever it returned
 */
void mdx_submit_args_free(struct mdx_submit_args *args)
{
	kvfree(args->mem);
}

/**
 * mdx_submit_item_write - Tell the caller the result of an item
 * @args: the batch
 * @i: the item, whose copy has the result
 *
 * Return: 0 or -EFAULT
 */
int mdx_submit_item_write(const struct mdx_submit_args *args, u32 i)
{
	const size_t at = offsetof(struct mdx_item, out_err);
	const struct mdx_item *item = &args->items[i];

	if (copy_to_user(args->uitems + i * args->stride + at, &item->out_err,
			 offsetofend(struct mdx_item, out_syndrome) - at))
		return -EFAULT;
	return 0;
}
