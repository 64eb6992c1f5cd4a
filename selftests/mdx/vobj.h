/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Objects made by verbs, and the commands that may be about them.
 */
#ifndef MDX_TEST_VOBJ_H
#define MDX_TEST_VOBJ_H

#include "mdx_utils.h"

enum vobj_id {
	VOBJ_CQ, VOBJ_SRQ, VOBJ_XRC_SRQ, VOBJ_TM_SRQ, VOBJ_RC, VOBJ_UC,
	VOBJ_UD, VOBJ_XRC_SEND, VOBJ_XRC_RECV, VOBJ_DCI, VOBJ_DCT, VOBJ_RAW,
	VOBJ_RSS, VOBJ_WQ, VOBJ_RQT,
	VOBJ_COUNT
};

/* The device's type of object a command is about. */
enum hw_type {
	HW_NONE, HW_CQ, HW_QP, HW_SRQ, HW_RMP, HW_XRC_SRQ,
	HW_XRQ, HW_DCT, HW_RQ, HW_SQ, HW_TIR, HW_TIS, HW_RQT,
	HW_COUNT
};

/* A command about objects: its length without a list. */
struct vcmd {
	uint16_t opcode;
	uint16_t in_len;
	enum hw_type hw_type;
};

extern const struct vcmd vqueries[];
extern const struct vcmd vmodifies[];
extern const int vqueries_n;
extern const int vmodifies_n;

/**
 * struct vobj - an object of verbs
 * @id: which
 * @obj_type: of the uapi
 * @handle: of uverbs
 * @num: numbers of its objects in the device, by type; 0: none of that type, or
 *	unknown
 * @cq, @srq, @qp, @wq, @tbl, @xrcd: the object itself and all it needs
 */
struct vobj {
	enum vobj_id id;
	enum mdx_verbs_type obj_type;
	uint32_t handle;
	uint32_t num[HW_COUNT];
	struct ibv_cq *cq;
	struct ibv_srq *srq;
	struct ibv_qp *qp;
	struct ibv_wq *wq;
	struct ibv_rwq_ind_table *tbl;
	struct ibv_xrcd *xrcd;
};

/* 0, a positive errno, or EOPNOTSUPP if the device is not made for it. */
int vobj_create(struct vobj *v, enum vobj_id id, struct ibv_context *ctx,
		struct ibv_pd *pd);
/* The object itself: 0 or a positive errno. */
int vobj_destroy(struct vobj *v);
/* The object and all it needs. */
void vobj_end(struct vobj *v);

/* The same command by libmlx5 and the stock driver. */
int vobj_stock_query(struct vobj *v, const struct mbox_pair *m);
int vobj_stock_modify(struct vobj *v, const struct mbox_pair *m);

#endif /* MDX_TEST_VOBJ_H */
