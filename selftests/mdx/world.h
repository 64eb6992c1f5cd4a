/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Environment of the tests of objects: a context with a bound file, memory, a
 * UAR, an EQ, the device's capabilities, and an object of each type.
 */
#ifndef MDX_TEST_WORLD_H
#define MDX_TEST_WORLD_H

#include "mdx_utils.h"

/* Name in tests, id. */
#define OBJTYPES(X)							\
	X(pd, OBJTYPE_PD)						\
	X(td, OBJTYPE_TD)						\
	X(xrcd, OBJTYPE_XRCD)						\
	X(psv, OBJTYPE_PSV)						\
	X(mkey, OBJTYPE_MKEY)						\
	X(mkey_klm, OBJTYPE_MKEY_KLM)					\
	X(cq, OBJTYPE_CQ)						\
	X(qp, OBJTYPE_QP)						\
	X(mcg, OBJTYPE_MCG)						\
	X(rmp, OBJTYPE_RMP)						\
	X(rq, OBJTYPE_RQ)						\
	X(sq, OBJTYPE_SQ)						\
	X(rqt, OBJTYPE_RQT)						\
	X(tir, OBJTYPE_TIR)						\
	X(tis, OBJTYPE_TIS)						\
	X(srq, OBJTYPE_SRQ)						\
	X(xrc_srq, OBJTYPE_XRC_SRQ)					\
	X(xrq, OBJTYPE_XRQ)						\
	X(dct, OBJTYPE_DCT)						\
	X(q_counter, OBJTYPE_Q_COUNTER)					\
	X(flow_table, OBJTYPE_FLOW_TABLE)				\
	X(flow_group, OBJTYPE_FLOW_GROUP)				\
	X(fte, OBJTYPE_FTE)						\
	X(flow_counter, OBJTYPE_FLOW_COUNTER)				\
	X(flow_counters, OBJTYPE_FLOW_COUNTERS)				\
	X(reformat, OBJTYPE_REFORMAT)					\
	X(modify_header, OBJTYPE_MODIFY_HEADER)				\
	X(sched, OBJTYPE_SCHED)						\
	X(vxlan, OBJTYPE_VXLAN)						\
	X(l2_entry, OBJTYPE_L2)						\
	X(general, OBJTYPE_GENERAL)

#define OBJTYPE_ID(name, id) id,
enum objtype_id { OBJTYPES(OBJTYPE_ID) OBJTYPE_COUNT };
#undef OBJTYPE_ID

struct test_obj {
	uint32_t id;		/* of the module; 0: not there */
	uint32_t num;		/* of the device */
};

/* Capability pages an object type may ask for. */
enum cap_page { CAP_GENERAL, CAP_ETH, CAP_FLOW, CAP_COUNT };

#define CAP_LEN 4096
#define MEM_LEN (256 * 1024)

struct mdx_world {
	struct mdx_binding mdx;
	struct hca_ctl *hca;
	struct test_obj obj[OBJTYPE_COUNT];
	uint8_t *mem;			/* under umem */
	struct mlx5dv_devx_umem *umem;
	struct mlx5dv_devx_uar *uar;
	uint32_t eqn;
	uint32_t cap_seen;
	bool quiet;			/* what is refused is no message */
	uint64_t cap[CAP_COUNT][CAP_LEN / 8];
	uint64_t in[4096 / 8];
	uint64_t out[8192 / 8];
	struct mbox_pair m;		/* of the command built last */
	/* Is the next object created by the stock driver? NULL: none is. */
	bool (*by_stock)(struct mdx_world *w);
};

/* The id of an object that is not the module's. */
#define FOREIGN_ID UINT32_MAX

/* 0 or a positive errno, with one line on stderr. */
int world_start(struct mdx_world *w);
/* As mdx_share(), for the umem, the UAR, the EQN and the capabilities, too. */
void world_share(void);
void world_stop(struct mdx_world *w);

/* A capability page, current values; zeroes where the device has none. */
const void *world_cap(struct mdx_world *w, enum cap_page page);

/* The device's number of the world's object of a type. */
uint32_t world_num(struct mdx_world *w, enum objtype_id t);

/* Zeroes w->in and w->out, writes the header and describes both in w->m. */
void world_build(struct mdx_world *w, uint16_t opcode, uint32_t num,
		 uint32_t in_len, uint32_t out_len);

#endif /* MDX_TEST_WORLD_H */
