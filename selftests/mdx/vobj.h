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

/* What a command is about: an object of this sort of the device. */
enum vsort {
	SORT_NONE, SORT_CQ, SORT_QP, SORT_SRQ, SORT_RMP, SORT_XRC_SRQ,
	SORT_XRQ, SORT_DCT, SORT_RQ, SORT_SQ, SORT_TIR, SORT_TIS, SORT_RQT,
	SORT_COUNT
};

/* A command about objects: its length without a list. */
struct vcmd {
	uint16_t opcode;
	uint16_t in_len;
	enum vsort sort;
};

extern const struct vcmd vqueries[];
extern const struct vcmd vmodifies[];
extern const int vqueries_n;
extern const int vmodifies_n;

/**
 * struct vobj - An object of verbs
 * @id: which
 * @kind: of the uapi
 * @handle: of uverbs
 * @num: numbers of what it is in the device, by sort; 0: it is none of that, or
 *	nobody says
 * @cq, @srq, @qp, @wq, @tbl, @xrcd: all there is, the object itself included
 */
struct vobj {
	enum vobj_id id;
	enum mdx_verbs_type kind;
	uint32_t handle;
	uint32_t num[SORT_COUNT];
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
/* All of it. */
void vobj_end(struct vobj *v);

/* The same command by libmlx5 and the stock driver. */
int vobj_stock_query(struct vobj *v, const struct mbox *m);
int vobj_stock_modify(struct vobj *v, const struct mbox *m);

#endif /* MDX_TEST_VOBJ_H */
