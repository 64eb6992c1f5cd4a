// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "batch.h"

#define UNSET 0x5a5a5a5a

void batch_begin(struct test_batch *b)
{
	memset(b, 0, sizeof(*b));
	b->arg.size = sizeof(b->arg);
	b->arg.items = (uintptr_t)b->items;
	b->arg.refs = (uintptr_t)b->refs;
	b->arg.item_size = sizeof(b->items[0]);
	b->arg.channel = -1;
	b->arg.out_done = UNSET;
}

struct mdx_item *batch_add(struct test_batch *b, const struct mdx_world *w,
			   uint16_t cmd, uint16_t flags)
{
	unsigned int i = b->arg.items_n++;
	struct mdx_item *item = &b->items[i];

	memcpy(b->in[i], w->m.in, w->m.in_len);
	*item = (struct mdx_item){
		.cmd = cmd,
		.flags = flags,
		.in = (uintptr_t)b->in[i],
		.out = (uintptr_t)b->out[i],
		.in_len = w->m.in_len,
		.out_len = w->m.out_len,
		.out_err = UNSET,
		.out_obj = UNSET,
		.out_status = UNSET,
		.out_syndrome = UNSET,
	};
	return item;
}

struct mdx_item *batch_create(struct test_batch *b, struct mdx_world *w,
			      enum objtype_id t, uint16_t flags)
{
	objtype_build_create(w, t);
	return batch_add(b, w, MDX_CMD_OBJ_CREATE, flags);
}

struct mdx_item *batch_nop(struct test_batch *b, struct mdx_world *w, uint16_t flags)
{
	world_build(w, MLX5_CMD_OP_NOP, 0, 16, 16);
	return batch_add(b, w, MDX_CMD_GENERAL, flags);
}

struct mdx_item *batch_destroy(struct test_batch *b, uint32_t obj, uint16_t flags)
{
	struct mdx_item *item = &b->items[b->arg.items_n++];

	*item = (struct mdx_item){
		.cmd = MDX_CMD_OBJ_DESTROY,
		.flags = flags,
		.obj = obj,
		.out_err = UNSET,
	};
	return item;
}

struct mdx_ref *batch_ref(struct test_batch *b, uint16_t back, uint32_t bit,
			  uint8_t width)
{
	struct mdx_ref *ref = &b->refs[b->arg.refs_n++];

	b->items[b->arg.items_n - 1].refs_n++;
	*ref = (struct mdx_ref){ .bit = bit, .back = back, .width = width };
	return ref;
}

int batch_submit(struct test_batch *b, int fd)
{
	return mdx_ioctl(fd, MDX_IOC_SUBMIT, &b->arg);
}

bool batch_untouched(const struct test_batch *b)
{
	unsigned int i;

	for (i = 0; i < b->arg.items_n; i++)
		if (b->items[i].out_err != UNSET)
			return false;
	return b->arg.out_done == UNSET;
}

uint32_t batch_out_status(const struct test_batch *b, unsigned int i)
{
	return ((const uint8_t *)b->out[i])[0];
}
