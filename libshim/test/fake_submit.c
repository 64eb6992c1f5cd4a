// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * A device behind the fake kernel: calls that carry a command, and batches of them, one
 * item after the other in the order of the module.
 */
#include <errno.h>
#include <string.h>

#include "chain_types.h"
#include "../../kmod/submit_chain.h"
#include "fake_kernel.h"
#include "opcodes.h"

/* Ids of the kernel differ from numbers of the device. */
#define ID_OFFSET 1000

static const void *user_ptr(__u64 addr)
{
	return (const void *)(uintptr_t)addr;
}

static unsigned int answer_number(__u64 out)
{
	const unsigned char *at = user_ptr(out);

	return at[9] << 16 | at[10] << 8 | at[11];
}

static unsigned int run_command(const struct mdx_item *item, const void *in)
{
	return kernel.command(0, in, item->in_len, (void *)user_ptr(item->out),
			     item->out_len);
}

/* The device gets a command of the kernel's. */
static int run_umem(struct mdx_item *item)
{
	struct mdx_ioc_umem_reg *arg = (void *)user_ptr(item->in);
	unsigned char in[32] = { MDX_OPCODE_CREATE_UMEM >> 8,
				 MDX_OPCODE_CREATE_UMEM & 0xff };
	unsigned char out[32];

	if (arg->size != sizeof(*arg) || item->in_len != sizeof(*arg) ||
	    item->out || !arg->pgsz_bitmap)
		return EINVAL;
	kernel.command(0, in, sizeof(in), out, sizeof(out));
	arg->out_umem_id = answer_number((uintptr_t)out);
	item->out_obj = arg->out_umem_id + ID_OFFSET;
	return 0;
}

/* A call as an item, which gets the results: 0 or an errno. */
static int run_item(struct mdx_item *item, const void *in)
{
	if (item->cmd == MDX_CMD_UMEM_REG)
		return run_umem(item);
	if (item->cmd == MDX_CMD_OBJ_DESTROY)
		item->out_status = kernel.command(item->obj - ID_OFFSET, NULL, 0,
						 NULL, 0);
	else
		item->out_status = run_command(item, in);
	if (item->out_status) {
		item->out_syndrome = 0xabcdef;
		return EREMOTEIO;
	}
	if (item->cmd == MDX_CMD_OBJ_CREATE)
		item->out_obj = answer_number(item->out) + ID_OFFSET;
	return 0;
}

struct fake_batch {
	struct mdx_item *items;
	const struct mdx_ref *refs;
	struct mdx_chain chain;
	struct mdx_chain_item links[MDX_SUBMIT_ITEMS_MAX];
	__u16 needs[2 * MDX_SUBMIT_ITEMS_MAX];
	unsigned int first_ref[MDX_SUBMIT_ITEMS_MAX];
};

static struct fake_batch fb;

static int fill_needs(unsigned int i)
{
	const struct mdx_item *item = &fb.items[i];
	unsigned int k;

	if (item->flags & MDX_ITEM_OBJ_BACK &&
	    !mdx_chain_need(&fb.chain, i, item->obj))
		return EINVAL;
	for (k = 0; k < item->refs_n; k++)
		if (!mdx_chain_need(&fb.chain, i,
				    fb.refs[fb.first_ref[i] + k].back))
			return EINVAL;
	return 0;
}

static int fill_batch(const struct mdx_ioc_submit *arg)
{
	unsigned int i, refs = 0;
	int ret = 0;

	memset(&fb, 0, sizeof(fb));
	fb.items = (struct mdx_item *)user_ptr(arg->items);
	fb.refs = user_ptr(arg->refs);
	fb.chain.items = fb.links;
	fb.chain.needs = fb.needs;
	fb.chain.n = arg->items_n;
	fb.chain.stop = arg->flags & MDX_SUBMIT_STOP;
	fb.chain.undoes = arg->flags & MDX_SUBMIT_UNDO;
	for (i = 0; i < arg->items_n; i++) {
		fb.links[i].flags = fb.items[i].flags &
				    (MDX_ITEM_LINK | MDX_ITEM_DRAIN);
		if (fb.items[i].cmd == MDX_CMD_OBJ_CREATE ||
		    fb.items[i].cmd == MDX_CMD_UMEM_REG)
			fb.links[i].flags |= MDX_CHAIN_CREATES;
		fb.first_ref[i] = refs;
		refs += fb.items[i].refs_n;
	}
	mdx_chain_init(&fb.chain, 1);
	for (i = 0; i < arg->items_n && !ret; i++)
		ret = fill_needs(i);
	return ret;
}

/* Fields that the tests refer to are a whole dword, or its lower 24 bits. */
static void patch_input(unsigned int i, unsigned char *in)
{
	unsigned int k, value;

	for (k = 0; k < fb.items[i].refs_n; k++) {
		const struct mdx_ref *ref = &fb.refs[fb.first_ref[i] + k];
		unsigned char *at = in + ref->bit / 32 * 4;

		value = fb.items[i - ref->back].out_obj - ID_OFFSET;
		if (ref->what == MDX_REF_LKEY)
			value <<= 8;
		if (ref->width == 32)
			at[0] = value >> 24;
		at[1] = value >> 16;
		at[2] = value >> 8;
		at[3] = value;
	}
}

static void begin_item(unsigned int i)
{
	struct mdx_item *item = &fb.items[i];
	unsigned char in[256];
	__u32 obj = item->obj;

	mdx_chain_take(&fb.chain, MDX_CHAIN_BEGIN, i);
	if (item->flags & MDX_ITEM_OBJ_BACK)
		item->obj = fb.items[i - obj].out_obj;
	if (item->in && item->cmd != MDX_CMD_UMEM_REG)
		memcpy(in, user_ptr(item->in), item->in_len);
	patch_input(i, in);
	item->out_err = run_item(item, in);
	item->obj = obj;
	mdx_chain_end(&fb.chain, i, !item->out_err);
}

static void undo_item(unsigned int i)
{
	if (!kernel.command(fb.items[i].out_obj - ID_OFFSET, NULL, 0, NULL, 0))
		fb.items[i].out_obj = 0;
	mdx_chain_take(&fb.chain, MDX_CHAIN_UNDO, i);
}

static int run_batch(const struct mdx_ioc_submit *arg)
{
	enum mdx_chain_verb verb;
	int ret = fill_batch(arg);
	u32 i;

	if (ret)
		return ret;
	while ((verb = mdx_chain_next(&fb.chain, &i)) != MDX_CHAIN_END) {
		if (verb == MDX_CHAIN_BEGIN) {
			begin_item(i);
		} else if (verb == MDX_CHAIN_UNDO) {
			undo_item(i);
		} else {
			fb.items[i].out_err = ECANCELED;
			mdx_chain_take(&fb.chain, verb, i);
		}
	}
	return 0;
}

int fake_device_call(unsigned int nr, union fake_kernel_arg *arg)
{
	struct mdx_item item = { .cmd = nr };
	int ret;

	switch (nr) {
	case MDX_CMD_SUBMIT:
		return run_batch(&arg->submit);
	case MDX_CMD_OBJ_DESTROY:
		item.obj = arg->destroy.id;
		ret = run_item(&item, NULL);
		arg->destroy.out_status = item.out_status;
		return ret;
	case MDX_CMD_OBJ_CREATE:
	case MDX_CMD_OBJ_MODIFY:
	case MDX_CMD_OBJ_QUERY:
	case MDX_CMD_GENERAL:
	case MDX_CMD_VERBS_MODIFY:
	case MDX_CMD_VERBS_QUERY:
		/* All of these have the mailboxes in the same place. */
		item.in = arg->general.in;
		item.out = arg->general.out;
		item.in_len = arg->general.in_len;
		item.out_len = arg->general.out_len;
		ret = run_item(&item, user_ptr(item.in));
		if (nr == MDX_CMD_OBJ_CREATE && !ret)
			arg->create.out_id = item.out_obj;
		return ret;
	}
	return -1;
}
