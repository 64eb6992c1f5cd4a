// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Targets of dynamically connected QPs.
 */
#include "fw_dct.h"
#include "fw_ref.h"
#include "fw_view.h"

/* State of a DCT's context. */
enum { DCT_ACTIVE, DCT_DRAINING, DCT_DRAINED };

#define DCTC_AT PRM_BYTE(create_dct_in, dct_context_entry)

int fw_create_dct(struct fw_call *c)
{
	const u8 *dctc = c->in + DCTC_AT;
	u32 srqn = PRM_GET(dctc, dctc, srqn_xrqn);
	int ret = fw_ref_pd(c, PRM_GET(dctc, dctc, pd));

	if (!ret)
		ret = fw_ref(c, OBJ_CQ, PRM_GET(dctc, dctc, cqn));
	if (!ret)
		ret = fw_ref_srq(c, srqn);
	if (!ret)
		ret = fw_check_counter(c, PRM_GET(dctc, dctc, counter_set_id));
	if (!ret)
		ret = fw_create(c);
	if (!ret)
		PRM_SET(dctc, obj_ctx(c->obj), state, DCT_ACTIVE);
	return ret;
}

/* A message in progress is not waited for: the DCT is drained at once. */
int fw_drain_dct(struct fw_call *c)
{
	u8 data[28] = { };

	if (c->obj->drained)
		return fw_fail(c, FW_BAD_RES_STATE, SYND_STATE | OBJ_DCT);
	c->obj->drained = true;
	PRM_SET(dctc, obj_ctx(c->obj), state, DCT_DRAINED);
	prm_set(data, 0x18 * 8 + 8, 24, c->obj->key);
	if (c->fw->ops->event)
		c->fw->ops->event(c->fw->priv, 0x1c, 0, data);
	return FW_OK;
}

/* Drivers drain a DCT first; no public source says that it is required. */
int fw_destroy_dct(struct fw_call *c)
{
	if (!c->obj->drained)
		return fw_fail(c, FW_BAD_RES_STATE, SYND_NOT_DRAINED | OBJ_DCT);
	return fw_destroy(c);
}

bool fw_dct_view(struct fw *fw, uint32_t num, struct fw_wq_view *view,
		 uint64_t *key)
{
	struct hca_obj *obj = obj_find(&fw->store, OBJ_DCT, num);
	const u8 *dctc;

	if (!obj || obj->drained)
		return false;
	dctc = obj_ctx(obj);
	*key = PRM_GET(dctc, dctc, dc_access_key);
	*view = (struct fw_wq_view){
		.is_dct = true,
		.rre = PRM_GET(dctc, dctc, rre),
		.rwe = PRM_GET(dctc, dctc, rwe),
		.rae = PRM_GET(dctc, dctc, rae),
		.state = QP_RTS,
		.st = ST_DCI,
		.min_rnr_nak = PRM_GET(dctc, dctc, min_rnr_nak),
		.pd = PRM_GET(dctc, dctc, pd),
		.rcv_cqn = PRM_GET(dctc, dctc, cqn),
		.user_index = PRM_GET(dctc, dctc, user_index),
		.srqn = PRM_GET(dctc, dctc, srqn_xrqn),
	};
	return true;
}
