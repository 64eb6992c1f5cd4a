/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Batches: items as they were added, and the two ways to execute them. */
#ifndef MDX_SHIM_BATCH_H
#define MDX_SHIM_BATCH_H

#include "shim_obj.h"
#include "shim_umem.h"

struct mdx_batch_item {
	uint16_t cmd;			/* MDX_CMD_* */
	uint16_t flags;			/* MDX_ITEM_* */
	uint16_t kind;			/* enum mdx_batch_verbs */
	uint16_t refs_n;
	uint32_t refs;			/* first entry of mdx_batch::refs */
	uint32_t back;			/* with MDX_ITEM_OBJ_BACK: so many before */
	const void *in;
	void *out;
	size_t inlen;
	size_t outlen;
	void *obj;			/* of either library, or of verbs */
	struct mlx5dv_devx_obj **user;	/* where the caller wants made */
	struct mlx5dv_devx_obj *made;	/* the object it has created */
	struct mdx_shim_obj *spare;	/* memory of a handle */
	struct mdx_batch_umem *umem;	/* of MDX_CMD_UMEM_REG */
	struct mdx_batch_result result;
};

struct mdx_batch {
	struct ibv_context *context;
	struct mdx_ctx_ref ref;		/* if served */
	bool served;
	bool stock;			/* an item is libmlx5's */
	bool umems;			/* an item registers memory */
	bool begun;			/* mdx_batch_run() was called */
	bool ended;			/* and there are results */
	unsigned int flags;		/* enum mdx_batch_flags */
	unsigned int in_flight;
	uint16_t next;			/* MDX_ITEM_* of the next item */
	struct mdx_batch_item *items;
	uint32_t n;
	struct mdx_ref *refs;
	uint32_t refs_n;
};

/*
 * Execute a batch in the module, or by threads: 0 or a positive errno; MDX_FORWARD if
 * the module does not have the ioctl. Results and mdx_batch_item::made are set.
 */
int mdx_batch_run_module(struct mdx_batch *batch);
int mdx_batch_run_threads(struct mdx_batch *batch);

/* Number of the object that @item has created, by its answer, or its input @in. */
uint32_t mdx_batch_created_number(const struct mdx_batch_item *item,
				  const void *in);

static inline uint32_t mdx_be32_at(const void *mbox, size_t offset)
{
	const unsigned char *at = (const unsigned char *)mbox + offset;

	return (uint32_t)at[0] << 24 | at[1] << 16 | at[2] << 8 | at[3];
}

#endif /* MDX_SHIM_BATCH_H */
