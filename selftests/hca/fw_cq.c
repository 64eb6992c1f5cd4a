// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Event queues and completion queues.
 */
#include <stdlib.h>

#include "fw_cq.h"
#include "fw_mem.h"
#include "fw_modify.h"
#include "fw_ref.h"
#include "fw_uar.h"

#define EQ_IN(f) PRM_BYTE(create_eq_in, f)
#define CQ_IN(f) PRM_BYTE(create_cq_in, f)

/* Fields that MODIFY_CQ may set, by the bits of its field select. */
static const struct {
	u32 select;
	u16 bit;
	u8 width;
} cq_fields[] = {
	{ BIT(0), PRM_BIT(cqc, cq_period), PRM_WIDTH(cqc, cq_period) },
	{ BIT(1), PRM_BIT(cqc, cq_max_count), PRM_WIDTH(cqc, cq_max_count) },
	{ BIT(2), PRM_BIT(cqc, oi), PRM_WIDTH(cqc, oi) },
	{ BIT(3), PRM_BIT(cqc, c_eqn_or_apu_element),
	  PRM_WIDTH(cqc, c_eqn_or_apu_element) },
	{ BIT(4), PRM_BIT(cqc, cq_period_mode),
	  PRM_WIDTH(cqc, cq_period_mode) },
};

int fw_create_eq(struct fw_call *c)
{
	const u8 *eqc = c->in + EQ_IN(eq_context_entry);
	struct fw_layout layout = {
		.size = 64ULL << PRM_GET(eqc, eqc, log_eq_size),
		.log_page = PRM_GET(eqc, eqc, log_page_size),
		.page_off = PRM_GET(eqc, eqc, page_offset),
		.list = PRM_SZ(create_eq_in),
	};
	struct fw_eq_attr attr = {
		.log_size = PRM_GET(eqc, eqc, log_eq_size),
		.intr = PRM_GET(eqc, eqc, intr),
		.uar = PRM_GET(eqc, eqc, uar_page),
	};
	unsigned int i;
	int ret;

	if (attr.log_size > FW_GEN(c->fw, log_max_eq_sz))
		return fw_fail(c, FW_BAD_PARAM, SYND_SIZE);
	ret = fw_check_uar(c, attr.uar);
	if (!ret)
		ret = fw_map_layout(c, &layout);
	if (!ret)
		ret = fw_create(c);
	if (ret)
		return ret;
	attr.eqn = c->obj->key;
	attr.log_page_size = c->obj->mem.log_page;
	attr.pas = c->obj->mem.pas;
	attr.npas = c->obj->mem.npas;
	for (i = 0; i < 4; i++)
		attr.mask[i] = prm_be64(c->in + EQ_IN(event_bitmask) + 8 * i);
	if (c->fw->ops->eq_create)
		ret = c->fw->ops->eq_create(c->fw->priv, &attr);
	if (ret) {
		obj_del(&c->fw->store, c->obj);
		return fw_fail(c, ret, SYND_VALUE | OBJ_EQ);
	}
	return FW_OK;
}

int fw_query_eq(struct fw_call *c)
{
	fw_query(c);
	memcpy(c->out + PRM_BYTE(query_eq_out, event_bitmask),
	       c->obj->in + EQ_IN(event_bitmask), 8);
	return FW_OK;
}

/* An event of the driver goes to the EQs that subscribed to its type. */
int fw_gen_eqe(struct fw_call *c)
{
	const u8 *eqe = c->in + PRM_BYTE(gen_eqe_in, eqe);

	if (c->fw->ops->event)
		c->fw->ops->event(c->fw->priv, eqe[1], eqe[3], eqe + 0x20);
	return FW_OK;
}

/*
 * References and memory of a CQ, by the mailbox of its create or of a modify.
 */
static int cq_refs(struct fw_call *c)
{
	const u8 *cqc = c->in + CQ_IN(cq_context);
	unsigned int log_size = PRM_GET(cqc, cqc, log_cq_size);
	unsigned int sz = PRM_GET(cqc, cqc, cqe_sz);
	struct fw_layout layout = {
		.valid = PRM_GET(create_cq_in, c->in, cq_umem_valid),
		.off = prm_get(c->in, PRM_CREATE_CQ_UMEM_OFFSET, 64),
		.umem = prm_get(c->in, PRM_CREATE_CQ_UMEM_ID, 32),
		.size = (u64)(sz ? 128 : 64) << log_size,
		.log_page = PRM_GET(cqc, cqc, log_page_size),
		.page_off = PRM_GET(cqc, cqc, page_offset),
		.list = PRM_SZ(create_cq_in),
	};
	int ret;

	if (log_size > FW_GEN(c->fw, log_max_cq_sz) || sz > 2)
		return fw_fail(c, FW_BAD_PARAM, SYND_SIZE | OBJ_CQ);
	if (PRM_GET(cqc, cqc, apu_cq))
		return fw_fail(c, FW_BAD_PARAM, SYND_CAP | OBJ_CQ);
	ret = fw_ref(c, OBJ_EQ, PRM_GET(cqc, cqc, c_eqn_or_apu_element));
	if (!ret)
		ret = fw_check_uar(c, PRM_GET(cqc, cqc, uar_page));
	if (!ret)
		ret = fw_map_layout(c, &layout);
	if (!ret)
		ret = fw_map_dbr(c, PRM_GET(cqc, cqc, dbr_umem_valid),
				 prm_get(cqc, PRM_CQC_DBR_UMEM_ID, 32),
				 PRM_GET(cqc, cqc, dbr_addr));
	return ret;
}

int fw_create_cq(struct fw_call *c)
{
	int ret = cq_refs(c);

	return ret ? ret : fw_create(c);
}

/*
 * The driver moves what it has not consumed: there must be room for that in the
 * new buffer, and in the old one for the entry that ends it.
 */
static int check_unseen(struct fw_call *c)
{
	u64 old = BIT(PRM_GET(cqc, obj_ctx(c->obj), log_cq_size));
	u64 new = BIT(PRM_GET(cqc, c->in + CQ_IN(cq_context), log_cq_size));
	u32 n = 0;

	/* The entry that ends the buffer would replace the only completion. */
	if (PRM_GET(cqc, obj_ctx(c->obj), cc))
		return fw_fail(c, FW_BAD_PARAM, SYND_CAP | OBJ_CQ);
	if (c->fw->ops->cq_unseen)
		n = c->fw->ops->cq_unseen(c->fw->priv, c->obj->key);
	if (n > new || n >= old)
		return fw_fail(c, FW_BAD_SIZE, SYND_SIZE | OBJ_CQ);
	return FW_OK;
}

/*
 * The last entry of the old buffer is written before the new one replaces it.
 */
static int resize_refs(struct fw_call *c)
{
	int ret = cq_refs(c);

	if (!ret)
		ret = check_unseen(c);
	if (!ret && c->fw->ops->cq_resize)
		c->fw->ops->cq_resize(c->fw->priv, c->obj->key);
	return ret;
}

/* The page list is at the same offset as in a create. */
static int cq_resize(struct fw_call *c)
{
	u8 *cand = malloc(c->in_len);
	const u8 *new = c->in + CQ_IN(cq_context);
	u8 *cqc;

	if (!cand)
		return fw_fail(c, FW_INT_ERR, SYND_MEMORY);
	memcpy(cand, c->in, c->in_len);
	cqc = cand + CQ_IN(cq_context);
	memcpy(cqc, obj_ctx(c->obj), PRM_SZ(cqc));
	PRM_SET(cqc, cqc, log_cq_size, PRM_GET(cqc, new, log_cq_size));
	PRM_SET(cqc, cqc, log_page_size, PRM_GET(cqc, new, log_page_size));
	PRM_SET(cqc, cqc, page_offset, PRM_GET(cqc, new, page_offset));
	PRM_SET(cqc, cqc, cqe_sz, PRM_GET(cqc, new, cqe_sz));
	return fw_modify(c, cand, c->in_len, resize_refs);
}

int fw_modify_cq(struct fw_call *c)
{
	u32 select = prm_be32(c->in + PRM_BYTE(modify_cq_in,
			modify_field_select_resize_field_select));
	const u8 *in = c->in;
	u8 *cand;
	size_t i;

	if (c->op_mod > 1)
		return fw_fail(c, FW_BAD_PARAM, SYND_OP_MOD);
	if (c->op_mod)
		return cq_resize(c);
	cand = fw_copy(c);
	for (i = 0; cand && i < ARRAY_SIZE(cq_fields); i++)
		if (select & cq_fields[i].select)
			fw_field(cand + CQ_IN(cq_context),
				 in + PRM_BYTE(modify_cq_in, cq_context),
				 cq_fields[i].bit, cq_fields[i].width);
	return fw_modify(c, cand, c->obj->in_len, cq_refs);
}

bool fw_cq_view(struct fw *fw, uint32_t cqn, struct fw_cq_view *view)
{
	struct hca_obj *obj = obj_find(&fw->store, OBJ_CQ, cqn);
	const u8 *cqc;

	if (!obj)
		return false;
	cqc = obj_ctx(obj);
	view->eqn = PRM_GET(cqc, cqc, c_eqn_or_apu_element);
	view->log_size = PRM_GET(cqc, cqc, log_cq_size);
	view->cqe_sz = PRM_GET(cqc, cqc, cqe_sz) ? 128 : 64;
	view->overrun_ignore = PRM_GET(cqc, cqc, oi);
	view->collapsed = PRM_GET(cqc, cqc, cc);
	view->dbr_addr = obj->mem.dbr;
	fw_buf(obj, &view->buf);
	return true;
}
