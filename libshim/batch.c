// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * mdx_batch_new(3mdx): the items of a batch, and their results. The functions are
 * described in mdx/mdx_batch.h.
 */
#include <stdlib.h>

#include "chain_types.h"
#include "../kmod/submit_item.h"
#include "../opcodes/opcodes.h"
#include "shim_batch.h"
#include "consumed.h"
#include "debug.h"

#define ROOM_MIN 16

_Static_assert(MDX_BATCH_ITEMS_MAX == MDX_SUBMIT_ITEMS_MAX, "");
_Static_assert(MDX_BATCH_REFS_MAX == MDX_SUBMIT_REFS_MAX, "");
_Static_assert((int)MDX_BATCH_STOP == MDX_SUBMIT_STOP, "");
_Static_assert((int)MDX_BATCH_UNDO == MDX_SUBMIT_UNDO, "");
_Static_assert((int)MDX_BATCH_CQ == MDX_VERBS_CQ, "");
_Static_assert((int)MDX_BATCH_QP == MDX_VERBS_QP, "");
_Static_assert((int)MDX_BATCH_SRQ == MDX_VERBS_SRQ, "");
_Static_assert((int)MDX_BATCH_WQ == MDX_VERBS_WQ, "");
_Static_assert((int)MDX_BATCH_IND_TBL == MDX_VERBS_RWQ_IND_TBL, "");

MDX_PUBLIC struct mdx_batch *mdx_batch_new(struct ibv_context *context,
					   unsigned int flags)
{
	struct mdx_batch *batch;
	struct mdx_ctx_ref ref = { .fd = -1 };
	int ret = mdx_ctx_get(context, &ref);

	if (ret && ret != MDX_FORWARD) {
		errno = ret;
		return NULL;
	}
	if (flags & ~(MDX_BATCH_STOP | MDX_BATCH_UNDO)) {
		errno = EOPNOTSUPP;
		return NULL;
	}
	batch = calloc(1, sizeof(*batch));
	if (!batch)
		return NULL;
	batch->context = context;
	batch->ref = ref;
	batch->served = !ret;
	batch->flags = flags;
	batch->in_flight = MDX_SUBMIT_IN_FLIGHT_DEFAULT;
	return batch;
}

MDX_PUBLIC void mdx_batch_free(struct mdx_batch *batch)
{
	int saved = errno;
	uint32_t i;

	if (!batch)
		return;
	for (i = 0; i < batch->n; i++) {
		free(batch->items[i].spare);
		mdx_batch_umem_free(batch->items[i].umem);
	}
	free(batch->items);
	free(batch->refs);
	free(batch);
	errno = saved;
}

static bool may_change(const struct mdx_batch *batch)
{
	return batch && !batch->begun;
}

MDX_PUBLIC int mdx_batch_in_flight(struct mdx_batch *batch, unsigned int n)
{
	if (!may_change(batch) || !n || n > MDX_SUBMIT_IN_FLIGHT_MAX)
		return mdx_ret(EINVAL);
	batch->in_flight = n;
	return 0;
}

/* An array of @n entries has room for one more: room is a power of two. */
static int array_grow(void **array, uint32_t n, size_t size)
{
	uint32_t room = n < ROOM_MIN ? ROOM_MIN : n;
	void *grown;

	if (n && (n < ROOM_MIN || n & (n - 1)))
		return 0;
	grown = realloc(*array, (n ? 2 * room : room) * size);
	if (!grown)
		return ENOMEM;
	*array = grown;
	return 0;
}

/* Add a copy of @item: its number, or -1 and errno. */
static int item_add(struct mdx_batch *batch, const struct mdx_batch_item *item)
{
	void *items = batch->items;
	uint32_t i = batch->n;

	if (i == MDX_BATCH_ITEMS_MAX) {
		errno = ENOSPC;
		return -1;
	}
	if (array_grow(&items, i, sizeof(*item)))
		return -1;
	batch->items = items;
	batch->items[i] = *item;
	batch->items[i].flags |= batch->next;
	batch->items[i].refs = batch->refs_n;
	batch->next = 0;
	batch->n++;
	return i;
}

static int add_invalid(void)
{
	errno = EINVAL;
	return -1;
}

static bool item_creates(const struct mdx_batch *batch, int item)
{
	return item >= 0 && (uint32_t)item < batch->n &&
	       batch->items[item].cmd == MDX_CMD_OBJ_CREATE;
}

static bool item_has_number(const struct mdx_batch *batch, int item)
{
	return item_creates(batch, item) ||
	       (item >= 0 && (uint32_t)item < batch->n && batch->items[item].umem);
}

static struct mdx_batch_item mailbox_item(uint16_t cmd, const void *in,
					  size_t inlen, void *out, size_t outlen)
{
	return (struct mdx_batch_item){
		.cmd = cmd,
		.in = in,
		.out = out,
		.inlen = inlen,
		.outlen = outlen,
	};
}

MDX_PUBLIC int mdx_batch_create(struct mdx_batch *batch, const void *in,
				size_t inlen, void *out, size_t outlen,
				struct mlx5dv_devx_obj **obj)
{
	struct mdx_batch_item item =
		mailbox_item(MDX_CMD_OBJ_CREATE, in, inlen, out, outlen);
	const char *reason = NULL;
	int ret;

	if (!may_change(batch) || !obj)
		return add_invalid();
	if (batch->served && mdx_next()->obj_create)
		reason = mdx_consumed_reason(in, inlen);
	if (reason)
		mdx_debug_consumed(batch->context, in, reason);
	item.user = obj;
	/* Once the object exists, nothing may fail. */
	item.spare = calloc(1, sizeof(*item.spare));
	if (!item.spare)
		return -1;
	ret = item_add(batch, &item);
	if (ret < 0) {
		free(item.spare);
		return ret;
	}
	*obj = NULL;
	batch->stock |= !!reason;
	return ret;
}

MDX_PUBLIC int mdx_batch_umem(struct mdx_batch *batch,
			      const struct mlx5dv_devx_umem_in *in,
			      struct mlx5dv_devx_umem **umem)
{
	struct mdx_batch_item item = { .cmd = MDX_CMD_UMEM_REG };
	int ret;

	if (!may_change(batch) || !in || !umem)
		return add_invalid();
	item.umem = mdx_batch_umem_new(in, umem);
	if (!item.umem)
		return -1;
	ret = item_add(batch, &item);
	if (ret < 0) {
		mdx_batch_umem_free(item.umem);
		return ret;
	}
	*umem = NULL;
	batch->umems = true;
	return ret;
}

/* Add an item about @obj, or about the object of @target. */
static int about_add(struct mdx_batch *batch, struct mdx_batch_item *item,
		     struct mlx5dv_devx_obj *obj, int target)
{
	int ret;

	if (!may_change(batch))
		return add_invalid();
	if (obj) {
		if (((struct libmlx5_obj *)obj)->context != batch->context)
			return add_invalid();
		item->obj = obj;
	} else {
		if (!item_creates(batch, target))
			return add_invalid();
		item->flags = MDX_ITEM_OBJ_BACK;
		item->back = batch->n - target;
	}
	ret = item_add(batch, item);
	if (ret >= 0 && obj && !to_shim_obj(obj))
		batch->stock = true;
	return ret;
}

MDX_PUBLIC int mdx_batch_modify(struct mdx_batch *batch,
				struct mlx5dv_devx_obj *obj, int item,
				const void *in, size_t inlen, void *out,
				size_t outlen)
{
	struct mdx_batch_item modify =
		mailbox_item(MDX_CMD_OBJ_MODIFY, in, inlen, out, outlen);

	return about_add(batch, &modify, obj, item);
}

MDX_PUBLIC int mdx_batch_query(struct mdx_batch *batch,
			       struct mlx5dv_devx_obj *obj, int item,
			       const void *in, size_t inlen, void *out,
			       size_t outlen)
{
	struct mdx_batch_item query =
		mailbox_item(MDX_CMD_OBJ_QUERY, in, inlen, out, outlen);

	return about_add(batch, &query, obj, item);
}

MDX_PUBLIC int mdx_batch_destroy(struct mdx_batch *batch,
				 struct mlx5dv_devx_obj *obj, int item)
{
	struct mdx_batch_item destroy = { .cmd = MDX_CMD_OBJ_DESTROY };

	return about_add(batch, &destroy, obj, item);
}

MDX_PUBLIC int mdx_batch_general(struct mdx_batch *batch, const void *in,
				 size_t inlen, void *out, size_t outlen)
{
	struct mdx_batch_item general =
		mailbox_item(MDX_CMD_GENERAL, in, inlen, out, outlen);

	if (!may_change(batch))
		return add_invalid();
	return item_add(batch, &general);
}

/* The context of an object of verbs; NULL: @type is none. */
static struct ibv_context *verbs_context(enum mdx_batch_verbs type, void *verbs)
{
	switch (type) {
	case MDX_BATCH_CQ:
		return ((struct ibv_cq *)verbs)->context;
	case MDX_BATCH_QP:
		return ((struct ibv_qp *)verbs)->context;
	case MDX_BATCH_SRQ:
		return ((struct ibv_srq *)verbs)->context;
	case MDX_BATCH_WQ:
		return ((struct ibv_wq *)verbs)->context;
	case MDX_BATCH_IND_TBL:
		return ((struct ibv_rwq_ind_table *)verbs)->context;
	}
	return NULL;
}

/* State transitions of a QP are libmlx5's: see mlx5dv_devx_qp_modify(). */
static bool is_transition(const struct mdx_batch_item *item)
{
	unsigned int opcode;

	if (item->cmd != MDX_CMD_VERBS_MODIFY || item->kind != MDX_BATCH_QP ||
	    !item->in || item->inlen < 4)
		return false;
	opcode = mdx_be32_at(item->in, 0) >> 16;
	return opcode >= MDX_OPCODE_RST2INIT_QP &&
	       opcode <= MDX_OPCODE_INIT2INIT_QP;
}

static int verbs_add(struct mdx_batch *batch, struct mdx_batch_item *item,
		     enum mdx_batch_verbs type, void *verbs)
{
	int ret;

	if (!may_change(batch) || !verbs ||
	    verbs_context(type, verbs) != batch->context)
		return add_invalid();
	item->kind = type;
	item->obj = verbs;
	ret = item_add(batch, item);
	if (ret >= 0 && is_transition(item))
		batch->stock = true;
	return ret;
}

MDX_PUBLIC int mdx_batch_verbs_modify(struct mdx_batch *batch,
				      enum mdx_batch_verbs type, void *verbs,
				      const void *in, size_t inlen, void *out,
				      size_t outlen)
{
	struct mdx_batch_item modify =
		mailbox_item(MDX_CMD_VERBS_MODIFY, in, inlen, out, outlen);

	return verbs_add(batch, &modify, type, verbs);
}

MDX_PUBLIC int mdx_batch_verbs_query(struct mdx_batch *batch,
				     enum mdx_batch_verbs type, void *verbs,
				     const void *in, size_t inlen, void *out,
				     size_t outlen)
{
	struct mdx_batch_item query =
		mailbox_item(MDX_CMD_VERBS_QUERY, in, inlen, out, outlen);

	return verbs_add(batch, &query, type, verbs);
}

MDX_PUBLIC int mdx_batch_link(struct mdx_batch *batch)
{
	if (!may_change(batch) || !batch->n)
		return mdx_ret(EINVAL);
	batch->next |= MDX_ITEM_LINK;
	return 0;
}

MDX_PUBLIC int mdx_batch_drain(struct mdx_batch *batch)
{
	if (!may_change(batch))
		return mdx_ret(EINVAL);
	batch->next |= MDX_ITEM_DRAIN;
	return 0;
}

MDX_PUBLIC int mdx_batch_ref(struct mdx_batch *batch, int item, unsigned int bit,
			     unsigned int width, unsigned int flags)
{
	struct mdx_batch_item *last;
	void *refs;

	if (!may_change(batch) || !item_has_number(batch, item))
		return mdx_ret(EINVAL);
	last = &batch->items[batch->n - 1];
	if ((uint32_t)item == batch->n - 1 ||
	    !mdx_ref_fits(bit, width, last->inlen))
		return mdx_ret(EINVAL);
	if (flags & ~MDX_BATCH_REF_LKEY)
		return mdx_ret(EOPNOTSUPP);
	if (batch->refs_n == MDX_BATCH_REFS_MAX || last->refs_n == UINT16_MAX)
		return mdx_ret(ENOSPC);
	refs = batch->refs;
	if (array_grow(&refs, batch->refs_n, sizeof(*batch->refs)))
		return mdx_ret(ENOMEM);
	batch->refs = refs;
	batch->refs[batch->refs_n++] = (struct mdx_ref){
		.bit = bit,
		.back = batch->n - 1 - item,
		.width = width,
		.what = flags ? MDX_REF_LKEY : MDX_REF_ID,
	};
	last->refs_n++;
	return 0;
}

/* As mdx_batch_run_module(), never MDX_FORWARD. */
static int batch_execute(struct mdx_batch *batch)
{
	int ret = MDX_FORWARD;

	if (batch->served && !mdx_ref_valid(&batch->ref))
		return EBADF;
	if (batch->served && !batch->stock)
		ret = mdx_batch_run_module(batch);
	return ret == MDX_FORWARD ? mdx_batch_run_threads(batch) : ret;
}

MDX_PUBLIC int mdx_batch_run(struct mdx_batch *batch)
{
	int saved = errno;
	uint32_t i;
	int ret;

	if (!may_change(batch) || !batch->n)
		return mdx_ret(EINVAL);
	batch->begun = true;
	ret = batch_execute(batch);
	errno = saved;
	if (ret)
		return mdx_ret(ret);
	batch->ended = true;
	for (i = 0; i < batch->n; i++) {
		const struct mdx_batch_item *item = &batch->items[i];

		if (item->user)
			*item->user = item->made;
		if (item->umem)
			*item->umem->user = item->umem->made;
	}
	return 0;
}

MDX_PUBLIC int mdx_batch_failed(const struct mdx_batch *batch)
{
	uint32_t i;

	if (!batch || !batch->ended)
		return -1;
	for (i = 0; i < batch->n; i++)
		if (batch->items[i].result.err)
			return i;
	return -1;
}

MDX_PUBLIC int mdx_batch_result(const struct mdx_batch *batch, int item,
				struct mdx_batch_result *result)
{
	if (!batch || !batch->ended || !result || item < 0 ||
	    (uint32_t)item >= batch->n)
		return mdx_ret(EINVAL);
	*result = batch->items[item].result;
	return 0;
}
