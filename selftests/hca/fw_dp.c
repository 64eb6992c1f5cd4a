// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Views of objects for the data path, and its changes to them. Views of QPs,
 * SQs and CQs are in the files of their commands.
 */
#include <stdlib.h>

#include "fw_mem.h"
#include "fw_modify.h"

#define CQ_STATUS_OVERFLOW 0x9
#define WQ_LINKED 0
#define RMP_READY 1
#define MKC_AT PRM_BYTE(create_mkey_in, memory_key_mkey_entry)
#define UMR_ROOM (16U << 20) /* bytes of translations; a limit of the model */
#define MKC_LOG_PAGE 0x1da /* 6 bits; older headers have 5 of them */
/* Bits of a UMR's mask */
#define UMR_PD 7
#define UMR_BSF_EN 12

static void srq_of_srq(const u8 *srqc, struct fw_srq_view *view)
{
	view->linked = true;
	view->log_size = PRM_GET(srqc, srqc, log_srq_size);
	view->log_stride = 4 + PRM_GET(srqc, srqc, log_rq_stride);
	view->pd = PRM_GET(srqc, srqc, pd);
}

static void srq_of_xrc(const u8 *srqc, struct fw_srq_view *view)
{
	view->linked = true;
	view->xrc = true;
	view->log_size = PRM_GET(xrc_srqc, srqc, log_xrc_srq_size);
	view->log_stride = 4 + PRM_GET(xrc_srqc, srqc, log_rq_stride);
	view->pd = PRM_GET(xrc_srqc, srqc, pd);
	view->xrcd = PRM_GET(xrc_srqc, srqc, xrcd);
	view->cqn = PRM_GET(xrc_srqc, srqc, cqn);
	view->user_index = PRM_GET(xrc_srqc, srqc, user_index);
}

/*
 * A cyclic RMP has link segments as well, unless basic_cyclic_rcv_wqe is set.
 */
static void srq_of_rmp(const struct hca_obj *obj, struct fw_srq_view *view)
{
	const u8 *rmpc = obj_ctx(obj);
	const u8 *wq = PRM_PTR(rmpc, rmpc, wq);

	view->ready = obj->state == RMP_READY;
	view->linked = PRM_GET(wq, wq, wq_type) == WQ_LINKED;
	view->plain = !view->linked &&
		      PRM_GET(rmpc, rmpc, basic_cyclic_rcv_wqe);
	view->log_size = PRM_GET(wq, wq, log_wq_sz);
	view->log_stride = PRM_GET(wq, wq, log_wq_stride);
	view->pd = PRM_GET(wq, wq, pd);
}

static struct hca_obj *srq_find(struct fw *fw, uint32_t num)
{
	struct hca_obj *obj = obj_find(&fw->store, OBJ_SRQ, num);

	if (!obj)
		obj = obj_find(&fw->store, OBJ_RMP, num);
	return obj ? obj : obj_find(&fw->store, OBJ_XRC_SRQ, num);
}

bool fw_srq_view(struct fw *fw, uint32_t num, struct fw_srq_view *view)
{
	struct hca_obj *obj = srq_find(fw, num);

	if (!obj)
		return false;
	*view = (struct fw_srq_view){
		.ready = true, .dbr_addr = obj->mem.dbr,
	};
	if (obj->type == OBJ_SRQ)
		srq_of_srq(obj_ctx(obj), view);
	else if (obj->type == OBJ_XRC_SRQ)
		srq_of_xrc(obj_ctx(obj), view);
	else
		srq_of_rmp(obj, view);
	fw_buf(obj, &view->buf);
	return true;
}

bool fw_srq_limit(struct fw *fw, uint32_t num, uint32_t left)
{
	struct hca_obj *obj = srq_find(fw, num);
	size_t bit = PRM_BIT(srqc, lwm);

	if (!obj)
		return false;
	if (obj->type == OBJ_RMP)
		bit = PRM_BIT(rmpc, wq.lwm);
	else if (obj->type == OBJ_XRC_SRQ)
		bit = PRM_BIT(xrc_srqc, lwm);
	if (left >= prm_get(obj_ctx(obj), bit, 16))
		return false;
	prm_set(obj_ctx(obj), bit, 16, 0);
	return true;
}

uint32_t fw_qp1(struct fw *fw)
{
	struct hca_obj *obj = obj_find(&fw->store, OBJ_QP, fw->qp1);

	if (!obj || PRM_GET(qpc, obj_ctx(obj), st) != ST_QP1)
		return 0;
	return fw->qp1;
}

void fw_qp_set_state(struct fw *fw, uint32_t qpn, uint8_t state)
{
	struct hca_obj *obj = obj_find(&fw->store, OBJ_QP, qpn);

	if (!obj)
		return;
	obj->state = state;
	PRM_SET(qpc, obj_ctx(obj), state, state);
}

void fw_cq_failed(struct fw *fw, uint32_t cqn)
{
	struct hca_obj *obj = obj_find(&fw->store, OBJ_CQ, cqn);

	if (obj)
		PRM_SET(cqc, obj_ctx(obj), status, CQ_STATUS_OVERFLOW);
}

bool fw_gid_view(struct fw *fw, unsigned int i, uint8_t gid[16],
		 uint8_t *version)
{
	const u8 *entry;

	if (i >= FW_GIDS)
		return false;
	entry = fw->port.gid[i];
	memcpy(gid, entry, 16);
	*version = PRM_GET(roce_addr_layout, entry, roce_version);
	return true;
}

static u8 mkey_access(const u8 *mkc)
{
	return PRM_GET(mkc, mkc, lr) * ACCESS_LOCAL_READ |
	       PRM_GET(mkc, mkc, lw) * ACCESS_LOCAL_WRITE |
	       PRM_GET(mkc, mkc, rr) * ACCESS_REMOTE_READ |
	       PRM_GET(mkc, mkc, rw) * ACCESS_REMOTE_WRITE |
	       PRM_GET(mkc, mkc, a) * ACCESS_ATOMIC;
}

bool fw_mkey_view(struct fw *fw, uint32_t index, struct fw_mkey_view *view)
{
	struct hca_obj *obj = obj_find(&fw->store, OBJ_MKEY, index);
	size_t at = PRM_SZ(create_mkey_in);
	const u8 *mkc;

	if (!obj)
		return false;
	mkc = obj->in + MKC_AT;
	*view = (struct fw_mkey_view){
		.free = PRM_GET(mkc, mkc, free),
		.rinval = PRM_GET(mkc, mkc, en_rinval),
		.length64 = PRM_GET(mkc, mkc, length64),
		.variant = PRM_GET(mkc, mkc, mkey_7_0),
		.access = mkey_access(mkc),
		.mode = PRM_GET(mkc, mkc, access_mode_4_2) << 2 |
			PRM_GET(mkc, mkc, access_mode_1_0),
		.log_page = prm_get(mkc, MKC_LOG_PAGE, 6),
		.pd = PRM_GET(mkc, mkc, pd),
		.qpn = PRM_GET(mkc, mkc, qpn),
		.start = PRM_GET(mkc, mkc, start_addr),
		.len = PRM_GET(mkc, mkc, len),
		.xlt = obj->in + at,
		.xlt_len = obj->in_len - at,
		.umem = obj->mem.umem,
	};
	if (view->umem)
		fw_buf(obj, &view->buf);
	return true;
}

/* Fields of the mkey context, by the bits of a UMR's mask. */
static const struct {
	u8 bit;
	u16 at;
	u8 width;
} umr_fields[] = {
#define UMR(bit, f) { bit, PRM_BIT(mkc, f), PRM_WIDTH(mkc, f) }
	UMR(0, len), UMR(0, length64), { 1, MKC_LOG_PAGE, 6 },
	UMR(6, start_addr), UMR(UMR_PD, pd), UMR(8, en_rinval),
	UMR(UMR_BSF_EN, bsf_en), UMR(13, mkey_7_0), UMR(14, qpn), UMR(17, lr),
	UMR(18, lw), UMR(19, rr), UMR(20, rw), UMR(21, a),
	UMR(23, small_fence_on_rdma_read_response),
	UMR(25, relaxed_ordering_write), UMR(29, free),
	UMR(47, relaxed_ordering_read),
#undef UMR
};

/* Signatures are not modelled, nor are fields that the table lacks. */
static bool umr_mask_known(const u8 *mkc, u64 mask)
{
	u64 known = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(umr_fields); i++)
		known |= BIT_ULL(umr_fields[i].bit);
	if (mask & BIT_ULL(UMR_BSF_EN) && PRM_GET(mkc, mkc, bsf_en))
		return false;
	return !(mask & ~known);
}

/* The key refers to PD @num instead of the one before. */
static bool umr_move(struct fw *fw, struct hca_obj *obj, u32 num)
{
	struct hca_obj *pd = obj_find(&fw->store, OBJ_PD, num);
	size_t i;

	if (!pd)
		return false;
	for (i = 0; i < obj->ndeps; i++) {
		if (obj->deps[i]->type != OBJ_PD)
			continue;
		obj->deps[i]->refs--;
		obj->deps[i] = pd;
		pd->refs++;
	}
	return true;
}

bool fw_umr(struct fw *fw, uint32_t index, const uint8_t mkc[64], uint64_t mask,
	    const uint8_t *xlt, size_t xlt_len, uint64_t xlt_off)
{
	struct hca_obj *obj = obj_find(&fw->store, OBJ_MKEY, index);
	u64 room;
	size_t i;

	if (!obj || !umr_mask_known(mkc, mask))
		return false;
	/*
	 * Drivers pad the translations to 64 bytes, so there is room for that.
	 */
	room = PRM_GET(mkc, obj->in + MKC_AT, translations_octword_size) * 16;
	room = (room + 63) & ~63ULL;
	if (room > UMR_ROOM)
		room = UMR_ROOM;
	if (xlt_off > room || xlt_len > room - xlt_off)
		return false;
	room = PRM_SZ(create_mkey_in) + xlt_off + xlt_len;
	if (xlt_len && room > obj->in_len) {
		u8 *new = realloc(obj->in, room);

		if (!new)
			return false;
		memset(new + obj->in_len, 0, room - obj->in_len);
		obj->in = new;
		obj->in_len = room;
	}
	if (mask & BIT_ULL(UMR_PD) &&
	    !umr_move(fw, obj, PRM_GET(mkc, mkc, pd)))
		return false;
	if (xlt_len)
		memcpy(obj->in + room - xlt_len, xlt, xlt_len);
	for (i = 0; i < ARRAY_SIZE(umr_fields); i++)
		if (mask & BIT_ULL(umr_fields[i].bit))
			fw_field(obj->in + MKC_AT, mkc, umr_fields[i].at,
				 umr_fields[i].width);
	return true;
}
