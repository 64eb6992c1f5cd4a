// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Shared receive queues: SRQ, XRC SRQ, RMP, XRQ. Their numbers share one space.
 */
#include "fw_mem.h"
#include "fw_ref.h"
#include "fw_srq.h"

enum { RMP_RST = 0, RMP_RDY = 1, RMP_ERR = 3 };

int fw_create_srq(struct fw_call *c)
{
	const u8 *srqc = c->in + PRM_BYTE(create_srq_in, srq_context_entry);
	struct fw_layout layout = {
		.size = 16ULL << (PRM_GET(srqc, srqc, log_srq_size) +
				  PRM_GET(srqc, srqc, log_rq_stride)),
		.log_page = PRM_GET(srqc, srqc, log_page_size),
		.page_off = PRM_GET(srqc, srqc, page_offset),
		.list = PRM_SZ(create_srq_in),
	};
	int ret = fw_ref_pd(c, PRM_GET(srqc, srqc, pd));

	if (!ret)
		ret = fw_ref_cq(c, PRM_GET(srqc, srqc, cqn));
	if (!ret)
		ret = fw_map_layout(c, &layout);
	if (!ret)
		ret = fw_map_dbr(c, false, 0, PRM_GET(srqc, srqc, dbr_addr));
	return ret ? ret : fw_create(c);
}

static int xrc_srq_map(struct fw_call *c, const u8 *srqc)
{
	struct fw_layout layout = {
		.valid = PRM_GET(create_xrc_srq_in, c->in, xrc_srq_umem_valid),
		/*
		 * mlx5_ifc.h lacks these two fields; they are where a CQ has
		 * them.
		 */
		.off = prm_get(c->in, PRM_CREATE_CQ_UMEM_OFFSET, 64),
		.umem = prm_get(c->in, PRM_CREATE_CQ_UMEM_ID, 32),
		.size = 16ULL << (PRM_GET(xrc_srqc, srqc, log_xrc_srq_size) +
				  PRM_GET(xrc_srqc, srqc, log_rq_stride)),
		.log_page = PRM_GET(xrc_srqc, srqc, log_page_size),
		.page_off = PRM_GET(xrc_srqc, srqc, page_offset),
		.list = PRM_SZ(create_xrc_srq_in),
	};
	u64 dbr = PRM_GET(xrc_srqc, srqc, db_record_addr_h) << 32 |
		  PRM_GET(xrc_srqc, srqc, db_record_addr_l) << 2;
	/*
	 * A guess: no public source documents the field of the record's umem.
	 */
	u32 umem = prm_be32(srqc + 0x20);
	int ret = fw_map_layout(c, &layout);

	if (ret)
		return ret;
	return fw_map_dbr(c, umem && PRM_GET(xrc_srqc, srqc, dbr_umem_valid),
			  umem, dbr);
}

int fw_create_xrc_srq(struct fw_call *c)
{
	const u8 *srqc = c->in + PRM_BYTE(create_xrc_srq_in,
					  xrc_srq_context_entry);
	int ret = fw_ref_pd(c, PRM_GET(xrc_srqc, srqc, pd));

	if (!ret)
		ret = fw_ref(c, OBJ_XRCD, PRM_GET(xrc_srqc, srqc, xrcd));
	if (!ret)
		ret = fw_ref_cq(c, PRM_GET(xrc_srqc, srqc, cqn));
	if (!ret)
		ret = xrc_srq_map(c, srqc);
	return ret ? ret : fw_create(c);
}

int fw_arm_xrc_srq(struct fw_call *c)
{
	PRM_SET(xrc_srqc, obj_ctx(c->obj), lwm, prm_be16(c->in + 14));
	return FW_OK;
}

/* ARM_RQ addresses an SRQ, or (as DEVX maps it) an RQ. */
int fw_arm_rq(struct fw_call *c)
{
	u32 num = PRM_GET(arm_rq_in, c->in, srq_number);
	u16 lwm = PRM_GET(arm_rq_in, c->in, lwm);

	if (c->op_mod > 1)
		return fw_fail(c, FW_BAD_PARAM, SYND_OP_MOD);
	if (!fw_find(c, OBJ_SRQ, num))
		PRM_SET(srqc, obj_ctx(c->obj), lwm, lwm);
	else if (!fw_find(c, OBJ_RQ, num))
		PRM_SET(rqc, obj_ctx(c->obj), wq.lwm, lwm);
	else
		return FW_BAD_RES_STATE;
	return FW_OK;
}

int fw_create_rmp(struct fw_call *c)
{
	const u8 *rmpc = c->in + PRM_BYTE(create_rmp_in, ctx);
	const u8 *wq = PRM_PTR(rmpc, rmpc, wq);
	int ret;

	if (PRM_GET(rmpc, rmpc, state) != RMP_RDY)
		return fw_fail(c, FW_BAD_PARAM, SYND_STATE | OBJ_RMP);
	ret = fw_ref_pd(c, PRM_GET(wq, wq, pd));
	if (!ret)
		ret = fw_map_wq(c, wq, PRM_SZ(create_rmp_in));
	if (!ret)
		ret = fw_create(c);
	if (!ret)
		c->obj->state = RMP_RDY;
	return ret;
}

int fw_modify_rmp(struct fw_call *c)
{
	const u8 *ctx = c->in + PRM_BYTE(modify_rmp_in, ctx);
	u8 *rmpc = obj_ctx(c->obj);
	u8 next = PRM_GET(rmpc, ctx, state);

	if (PRM_GET(modify_rmp_in, c->in, rmp_state) != c->obj->state)
		return fw_fail(c, FW_BAD_QP_STATE, SYND_CUR_STATE | OBJ_RMP);
	if (next != RMP_ERR && (next != RMP_RDY || c->obj->state != RMP_RDY))
		return fw_fail(c, FW_BAD_QP_STATE, SYND_STATE | OBJ_RMP);
	if (PRM_GET(modify_rmp_in, c->in, bitmask.lwm))
		PRM_SET(rmpc, rmpc, wq.lwm, PRM_GET(rmpc, ctx, wq.lwm));
	PRM_SET(rmpc, rmpc, state, next);
	c->obj->state = next;
	return FW_OK;
}

int fw_create_xrq(struct fw_call *c)
{
	const u8 *xrqc = c->in + PRM_BYTE(create_xrq_in, xrq_context);
	const u8 *wq = PRM_PTR(xrqc, xrqc, wq);
	const u8 *tags = PRM_PTR(xrqc, xrqc, tag_matching_topology_context);
	u16 list = PRM_SZ(create_xrq_in);
	int ret;

	if (PRM_GET(tag_matching_topology_context, tags, log_matching_list_sz) >
	    FW_GEN(c->fw, log_tag_matching_list_sz))
		return fw_fail(c, FW_BAD_PARAM, SYND_SIZE | OBJ_XRQ);
	ret = fw_ref_pd(c, PRM_GET(wq, wq, pd));
	if (!ret)
		ret = fw_ref_cq(c, PRM_GET(xrqc, xrqc, cqn));
	if (!ret)
		ret = fw_map_wq(c, wq, list);
	return ret ? ret : fw_create(c);
}

int fw_arm_xrq(struct fw_call *c)
{
	PRM_SET(xrqc, obj_ctx(c->obj), wq.lwm, PRM_GET(arm_xrq_in, c->in, lwm));
	return FW_OK;
}
