// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* Batches that the module executes: one MDX_IOC_SUBMIT. */
#include <stdlib.h>

#include "shim_batch.h"

static uint32_t verbs_handle(const struct mdx_batch_item *item)
{
	const void *verbs = item->obj;

	switch (item->kind) {
	case MDX_BATCH_CQ:
		return ((const struct ibv_cq *)verbs)->handle;
	case MDX_BATCH_QP:
		return ((const struct ibv_qp *)verbs)->handle;
	case MDX_BATCH_SRQ:
		return ((const struct ibv_srq *)verbs)->handle;
	case MDX_BATCH_WQ:
		return ((const struct ibv_wq *)verbs)->handle;
	}
	return ((const struct ibv_rwq_ind_table *)verbs)->ind_tbl_handle;
}

/* The value of mdx_item::obj: 0, or EBADF. */
static int object_id(const struct mdx_batch_item *from, uint32_t *id)
{
	struct mdx_shim_obj *obj;

	if (from->flags & MDX_ITEM_OBJ_BACK) {
		*id = from->back;
	} else if (from->kind) {
		*id = verbs_handle(from);
	} else if (from->obj) {
		obj = to_shim_obj(from->obj);
		if (!mdx_ref_valid(&obj->ref))
			return EBADF;
		*id = obj->id;
	}
	return 0;
}

static int item_fill(struct mdx_item *item, const struct mdx_batch_item *from)
{
	*item = (struct mdx_item){
		.cmd = from->cmd,
		.flags = from->flags,
		.in = mdx_mbox_addr(from->in),
		.out = mdx_mbox_addr(from->out),
		.in_len = mdx_mbox_len(from->inlen),
		.out_len = mdx_mbox_len(from->outlen),
		.refs_n = from->refs_n,
		.kind = from->kind,
	};
	if (from->umem) {
		item->in = mdx_mbox_addr(&from->umem->arg);
		item->in_len = sizeof(from->umem->arg);
	}
	return object_id(from, &item->obj);
}

/* As after mlx5dv_devx_obj_destroy(): true if the object has ended. */
static bool destroy_result(struct mdx_batch_result *result)
{
	if (result->err == EREMOTEIO)
		result->err = mdx_status_to_errno(result->status);
	else if (result->err == EIO)
		result->err = 0;
	return !result->err;
}

static void result_take(struct mdx_batch *batch, uint32_t i,
			const struct mdx_item *item)
{
	struct mdx_batch_item *to = &batch->items[i];

	to->result = (struct mdx_batch_result){
		.err = item->out_err,
		.status = item->out_status,
		.syndrome = item->out_syndrome,
	};
	if (to->cmd == MDX_CMD_OBJ_CREATE && item->out_obj) {
		to->made = mdx_obj_init(to->spare, batch->context, &batch->ref,
					item->out_obj);
		to->spare = NULL;
	}
	if (to->umem && item->out_obj)
		mdx_batch_umem_made(to->umem, &batch->ref, item->out_obj);
	if (to->cmd != MDX_CMD_OBJ_DESTROY || !destroy_result(&to->result))
		return;
	if (to->flags & MDX_ITEM_OBJ_BACK) {
		free((to - to->back)->made);
		(to - to->back)->made = NULL;
	} else {
		free(to->obj);
	}
}

int mdx_batch_run_module(struct mdx_batch *batch)
{
	struct mdx_item *items = calloc(batch->n, sizeof(*items));
	struct mdx_ioc_submit arg = {
		.size = sizeof(arg),
		.flags = batch->flags,
		.items = mdx_mbox_addr(items),
		.refs = mdx_mbox_addr(batch->refs),
		.items_n = batch->n,
		.refs_n = batch->refs_n,
		.item_size = sizeof(*items),
		.in_flight = batch->in_flight,
		.channel = -1,
	};
	int ret = items ? 0 : ENOMEM;
	uint32_t i;

	for (i = 0; i < batch->n && !ret; i++)
		ret = item_fill(&items[i], &batch->items[i]);
	if (!ret)
		ret = mdx_ref_call(&batch->ref, MDX_IOC_SUBMIT, &arg);
	for (i = 0; i < batch->n && !ret; i++)
		result_take(batch, i, &items[i]);
	free(items);
	/* A module from before items that register memory. */
	return ret == EOPNOTSUPP && batch->umems ? MDX_FORWARD : ret;
}
