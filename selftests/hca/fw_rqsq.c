// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Raw queues and the objects that select them: RQ, SQ, RQT, TIR, TIS.
 */
#include <stdlib.h>

#include "fw_mem.h"
#include "fw_modify.h"
#include "fw_qp.h"
#include "fw_ref.h"
#include "fw_rqsq.h"
#include "fw_rule.h"
#include "fw_uar.h"

enum { WQ_RST = 0, WQ_RDY = 1, WQ_ERR = 3 };

#define UCTX_RAW_TX BIT(0)
#define RQ_IN_RMP 1
#define WQ_CYCLIC 1

/*
 * Allowed state changes. An error is left through reset. The rest is what
 * drivers use; no public source says more.
 */
static bool wq_may_change(u8 from, u8 to)
{
	static const u8 to_of[] = {
		[WQ_RST] = BIT(WQ_RST) | BIT(WQ_RDY) | BIT(WQ_ERR),
		[WQ_RDY] = BIT(WQ_RST) | BIT(WQ_RDY) | BIT(WQ_ERR),
		[WQ_ERR] = BIT(WQ_RST) | BIT(WQ_ERR),
	};

	return to < ARRAY_SIZE(to_of) && (to_of[from] & BIT(to));
}

/* True if the user context of @uid was created with capability @right. */
static bool uid_has(struct fw_call *c, u32 right)
{
	struct hca_obj *uctx;

	if (!c->uid || c->uid == FW_UID_SHARED)
		return true;
	uctx = obj_find(&c->fw->store, OBJ_UCTX, c->uid);
	return PRM_GET(uctx, uctx->in + PRM_BYTE(create_uctx_in, uctx), cap) &
	       right;
}

static int rq_refs(struct fw_call *c)
{
	const u8 *rqc = c->in + PRM_BYTE(create_rq_in, ctx);
	const u8 *wq = PRM_PTR(rqc, rqc, wq);
	int ret = fw_ref(c, OBJ_CQ, PRM_GET(rqc, rqc, cqn));

	if (!ret)
		ret = fw_check_counter(c, PRM_GET(rqc, rqc, counter_set_id));
	if (ret)
		return ret;
	if (PRM_GET(rqc, rqc, mem_rq_type) == RQ_IN_RMP)
		return fw_ref(c, OBJ_RMP, PRM_GET(rqc, rqc, rmpn));
	if (PRM_GET(rqc, rqc, mem_rq_type))
		return fw_fail(c, FW_BAD_PARAM, SYND_VALUE | OBJ_RQ);
	ret = fw_ref_pd(c, PRM_GET(wq, wq, pd));
	return ret ? ret : fw_map_wq(c, wq, PRM_SZ(create_rq_in));
}

/* The data path follows the state of SQ or RQ @obj. */
static void wq_state_changed(struct fw *fw, const struct hca_obj *obj)
{
	if (fw->ops->qp_state_changed)
		fw->ops->qp_state_changed(fw->priv, obj->key,
					  obj->state == WQ_RST);
}

int fw_create_rq(struct fw_call *c)
{
	const u8 *rqc = c->in + PRM_BYTE(create_rq_in, ctx);
	int ret;

	if (PRM_GET(rqc, rqc, state) != WQ_RST)
		return fw_fail(c, FW_BAD_PARAM, SYND_STATE | OBJ_RQ);
	/* The data path receives neither the FCS nor into lists or strides. */
	if (PRM_GET(rqc, rqc, hairpin) || PRM_GET(rqc, rqc, scatter_fcs) ||
	    (PRM_GET(rqc, rqc, mem_rq_type) != RQ_IN_RMP &&
	     PRM_GET(rqc, rqc, wq.wq_type) != WQ_CYCLIC))
		return fw_fail(c, FW_BAD_PARAM, SYND_CAP | OBJ_RQ);
	ret = rq_refs(c);
	return ret ? ret : fw_create(c);
}

int fw_modify_rq(struct fw_call *c)
{
	const u8 *ctx = c->in + PRM_BYTE(modify_rq_in, ctx);
	u64 mask = PRM_GET(modify_rq_in, c->in, modify_bitmask);
	u8 next = PRM_GET(rqc, ctx, state);
	u8 *rqc = obj_ctx(c->obj);
	int ret = FW_OK;

	if (PRM_GET(modify_rq_in, c->in, rq_state) != c->obj->state)
		return fw_fail(c, FW_BAD_QP_STATE, SYND_CUR_STATE | OBJ_RQ);
	if (!wq_may_change(c->obj->state, next))
		return fw_fail(c, FW_BAD_QP_STATE, SYND_STATE | OBJ_RQ);
	if (mask & BIT(2) && PRM_GET(rqc, ctx, scatter_fcs))
		return fw_fail(c, FW_BAD_PARAM, SYND_CAP | OBJ_RQ);
	if (mask & BIT(3))
		ret = fw_check_counter(c, PRM_GET(rqc, ctx, counter_set_id));
	if (ret)
		return ret;
	if (mask & BIT(0))
		PRM_SET(rqc, rqc, wq.lwm, PRM_GET(rqc, ctx, wq.lwm));
	if (mask & BIT(1))
		PRM_SET(rqc, rqc, vsd, PRM_GET(rqc, ctx, vsd));
	if (mask & BIT(3))
		PRM_SET(rqc, rqc, counter_set_id,
			PRM_GET(rqc, ctx, counter_set_id));
	PRM_SET(rqc, rqc, state, next);
	c->obj->state = next;
	wq_state_changed(c->fw, c->obj);
	return FW_OK;
}

int fw_create_sq(struct fw_call *c)
{
	const u8 *sqc = c->in + PRM_BYTE(create_sq_in, ctx);
	const u8 *wq = PRM_PTR(sqc, sqc, wq);
	u32 tisn = PRM_GET(sqc, sqc, tis_num_0);
	int ret;

	if (PRM_GET(sqc, sqc, state) != WQ_RST)
		return fw_fail(c, FW_BAD_PARAM, SYND_STATE | OBJ_SQ);
	if (PRM_GET(sqc, sqc, hairpin))
		return fw_fail(c, FW_BAD_PARAM, SYND_CAP | OBJ_SQ);
	/* A guess: no public source says what RAW_TX controls. */
	if (!uid_has(c, UCTX_RAW_TX))
		return fw_fail(c, FW_BAD_PARAM, SYND_UID_CAP | OBJ_SQ);
	ret = fw_ref(c, OBJ_CQ, PRM_GET(sqc, sqc, cqn));
	if (!ret && PRM_GET(sqc, sqc, tis_lst_sz))
		ret = fw_ref(c, OBJ_TIS, tisn);
	if (!ret)
		ret = fw_ref_pd(c, PRM_GET(wq, wq, pd));
	if (!ret)
		ret = fw_check_uar(c, PRM_GET(wq, wq, uar_page));
	if (!ret)
		ret = fw_map_wq(c, wq, PRM_SZ(create_sq_in));
	return ret ? ret : fw_create(c);
}

int fw_modify_sq(struct fw_call *c)
{
	const u8 *ctx = c->in + PRM_BYTE(modify_sq_in, ctx);
	u64 mask = PRM_GET(modify_sq_in, c->in, modify_bitmask);
	u8 next = PRM_GET(sqc, ctx, state);
	u8 *sqc = obj_ctx(c->obj);

	if (PRM_GET(modify_sq_in, c->in, sq_state) != c->obj->state)
		return fw_fail(c, FW_BAD_QP_STATE, SYND_CUR_STATE | OBJ_SQ);
	if (!wq_may_change(c->obj->state, next))
		return fw_fail(c, FW_BAD_QP_STATE, SYND_STATE | OBJ_SQ);
	if (mask & BIT(0))
		PRM_SET(sqc, sqc, packet_pacing_rate_limit_index,
			PRM_GET(sqc, ctx, packet_pacing_rate_limit_index));
	if (mask & BIT(2))
		PRM_SET(sqc, sqc, qos_queue_group_id,
			PRM_GET(sqc, ctx, qos_queue_group_id));
	PRM_SET(sqc, sqc, state, next);
	c->obj->state = next;
	wq_state_changed(c->fw, c->obj);
	return FW_OK;
}

bool fw_wq_view_sq(const struct hca_obj *obj, struct fw_wq_view *view)
{
	const u8 *sqc = obj_ctx(obj);

	*view = (struct fw_wq_view){
		.is_sq = true,
		.has_sq = true,
		.ready = obj->state == WQ_RDY,
		.state = obj->state == WQ_ERR ? QP_ERR : QP_RTS,
		.st = ST_RAW_ETH,
		.reg_umr = PRM_GET(sqc, sqc, reg_umr),
		.pd = PRM_GET(sqc, sqc, wq.pd),
		.cqn = PRM_GET(sqc, sqc, cqn),
		.user_index = PRM_GET(sqc, sqc, user_index),
		.log_sq_size = PRM_GET(sqc, sqc, wq.log_wq_sz),
		.dbr_addr = obj->mem.dbr,
	};
	fw_buf(obj, &view->buf);
	return true;
}

/* In terms of a QP: a ready RQ receives, as in RTR. */
static bool fw_wq_view_rq(const struct hca_obj *obj, struct fw_wq_view *view)
{
	static const u8 states[] = {
		[WQ_RST] = QP_RST, [WQ_RDY] = QP_RTR, [WQ_ERR] = QP_ERR,
	};
	const u8 *rqc = obj_ctx(obj);

	*view = (struct fw_wq_view){
		.is_rq = true,
		.has_rq = PRM_GET(rqc, rqc, mem_rq_type) != RQ_IN_RMP,
		.wq_signature = PRM_GET(rqc, rqc, wq.wq_signature),
		.state = states[obj->state],
		.st = ST_RAW_ETH,
		.pd = PRM_GET(rqc, rqc, wq.pd),
		.rcv_cqn = PRM_GET(rqc, rqc, cqn),
		.user_index = PRM_GET(rqc, rqc, user_index),
		.log_rq_size = PRM_GET(rqc, rqc, wq.log_wq_sz),
		.log_rq_stride = PRM_GET(rqc, rqc, wq.log_wq_stride),
		.keep_tag = PRM_GET(rqc, rqc, vsd),
		.dbr_addr = obj->mem.dbr,
	};
	if (PRM_GET(rqc, rqc, mem_rq_type) == RQ_IN_RMP)
		view->srqn = PRM_GET(rqc, rqc, rmpn);
	fw_buf(obj, &view->buf);
	return true;
}

void fw_wq_set_error(struct fw *fw, uint32_t num)
{
	struct hca_obj *obj = obj_find(&fw->store, OBJ_SQ, num);

	if (obj) {
		PRM_SET(sqc, obj_ctx(obj), state, WQ_ERR);
	} else {
		obj = obj_find(&fw->store, OBJ_RQ, num);
		if (!obj)
			return;
		PRM_SET(rqc, obj_ctx(obj), state, WQ_ERR);
	}
	obj->state = WQ_ERR;
}

bool fw_wq_view(struct fw *fw, uint32_t num, struct fw_wq_view *view)
{
	struct hca_obj *obj = obj_find(&fw->store, OBJ_QP, num);

	if (obj)
		return fw_wq_view_qp(obj, view);
	obj = obj_find(&fw->store, OBJ_SQ, num);
	if (obj)
		return fw_wq_view_sq(obj, view);
	obj = obj_find(&fw->store, OBJ_RQ, num);
	return obj && fw_wq_view_rq(obj, view);
}

static int rqt_refs(struct fw_call *c)
{
	const u8 *rqtc = c->in + PRM_BYTE(create_rqt_in, rqt_context);
	u32 i, n = PRM_GET(rqtc, rqtc, rqt_actual_size);
	u32 max = PRM_GET(rqtc, rqtc, rqt_max_size);
	size_t at = PRM_SZ(create_rqt_in);
	int ret;

	if (n > max || max > BIT(FW_GEN(c->fw, log_max_rqt_size)))
		return fw_fail(c, FW_BAD_PARAM, SYND_SIZE | OBJ_RQT);
	ret = fw_list(c, at, n * 4ULL);
	for (i = 0; i < n && !ret; i++)
		ret = fw_ref(c, OBJ_RQ,
			     prm_be32(c->in + at + 4 * i) & 0xffffff);
	return ret;
}

int fw_create_rqt(struct fw_call *c)
{
	int ret = rqt_refs(c);

	return ret ? ret : fw_create(c);
}

/* The mask has one bit: the list with its length. */
int fw_modify_rqt(struct fw_call *c)
{
	const u8 *ctx = c->in + PRM_BYTE(modify_rqt_in, ctx);
	u32 n = PRM_GET(rqtc, ctx, rqt_actual_size);
	size_t at = PRM_SZ(modify_rqt_in), len = PRM_SZ(create_rqt_in) + 4 * n;
	u8 *cand;
	int ret;

	if (!PRM_GET(modify_rqt_in, c->in, bitmask.rqn_list))
		return FW_OK;
	ret = fw_list(c, at, n * 4ULL);
	if (ret)
		return ret;
	cand = malloc(len);
	if (!cand)
		return fw_fail(c, FW_INT_ERR, SYND_MEMORY);
	memcpy(cand, c->obj->in, PRM_SZ(create_rqt_in));
	memcpy(cand + PRM_SZ(create_rqt_in), c->in + at, 4 * n);
	PRM_SET(rqtc, cand + PRM_BYTE(create_rqt_in, rqt_context),
		rqt_actual_size, n);
	return fw_modify(c, cand, len, rqt_refs);
}

static int tir_refs(struct fw_call *c)
{
	const u8 *tirc = c->in + PRM_BYTE(create_tir_in, ctx);
	u32 td = PRM_GET(tirc, tirc, transport_domain);
	int ret;

	switch (PRM_GET(tirc, tirc, disp_type)) {
	case 0:
		ret = fw_ref(c, OBJ_RQ, PRM_GET(tirc, tirc, inline_rqn));
		break;
	case 1:
		ret = fw_ref(c, OBJ_RQT, PRM_GET(tirc, tirc, indirect_table));
		break;
	default:
		return fw_fail(c, FW_BAD_PARAM, SYND_VALUE | OBJ_TIR);
	}
	return ret ? ret : fw_ref_td(c, td);
}

int fw_create_tir(struct fw_call *c)
{
	int ret = tir_refs(c);

	if (!ret)
		ret = fw_tir_check(c, c->in + PRM_BYTE(create_tir_in, ctx));
	return ret ? ret : fw_create(c);
}

int fw_modify_tir(struct fw_call *c)
{
	const u8 *ctx = c->in + PRM_BYTE(modify_tir_in, ctx);
	u8 old[PRM_SZ(tirc)], *tirc = obj_ctx(c->obj);
	int ret;

	memcpy(old, tirc, sizeof(old));
#define TIR(f) fw_field(tirc, ctx, PRM_BIT(tirc, f), PRM_WIDTH(tirc, f))
	if (PRM_GET(modify_tir_in, c->in, bitmask.self_lb_en))
		TIR(self_lb_block);
	if (PRM_GET(modify_tir_in, c->in, bitmask.hash)) {
		TIR(rx_hash_symmetric);
		TIR(rx_hash_fn);
		TIR(rx_hash_toeplitz_key);
		TIR(rx_hash_field_selector_outer);
		TIR(rx_hash_field_selector_inner);
	}
	if (PRM_GET(modify_tir_in, c->in, bitmask.packet_merge)) {
		TIR(packet_merge_mask);
		TIR(lro_timeout_period_usecs);
		TIR(lro_max_ip_payload_size);
	}
#undef TIR
	ret = fw_tir_check(c, tirc);
	if (ret)
		memcpy(tirc, old, sizeof(old));
	return ret;
}

int fw_create_tis(struct fw_call *c)
{
	const u8 *tisc = c->in + PRM_BYTE(create_tis_in, ctx);
	int ret = fw_ref_td(c, PRM_GET(tisc, tisc, transport_domain));

	if (!ret && PRM_GET(tisc, tisc, pd))
		ret = fw_ref(c, OBJ_PD, PRM_GET(tisc, tisc, pd));
	if (!ret && PRM_GET(tisc, tisc, underlay_qpn))
		ret = fw_ref(c, OBJ_QP, PRM_GET(tisc, tisc, underlay_qpn));
	return ret ? ret : fw_create(c);
}

int fw_modify_tis(struct fw_call *c)
{
	const u8 *ctx = c->in + PRM_BYTE(modify_tis_in, ctx);
	u8 *tisc = obj_ctx(c->obj);

#define TIS(f) PRM_SET(tisc, tisc, f, PRM_GET(tisc, ctx, f))
	if (PRM_GET(modify_tis_in, c->in, bitmask.prio))
		TIS(prio);
	if (PRM_GET(modify_tis_in, c->in, bitmask.lag_tx_port_affinity))
		TIS(lag_tx_port_affinity);
	if (PRM_GET(modify_tis_in, c->in, bitmask.strict_lag_tx_port_affinity))
		TIS(strict_lag_tx_port_affinity);
#undef TIS
	return FW_OK;
}
