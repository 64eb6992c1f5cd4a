/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Every kind of object that DEVX can create: how its mailboxes are built and
 * what it needs. A test asks for a kind and gets everything under it.
 */
#ifndef MDX_TEST_KINDS_H
#define MDX_TEST_KINDS_H

#include "mdx_utils.h"

/* Name in tests, id. */
#define KINDS(X)							\
	X(pd, KIND_PD)							\
	X(td, KIND_TD)							\
	X(xrcd, KIND_XRCD)						\
	X(psv, KIND_PSV)						\
	X(mkey, KIND_MKEY)						\
	X(mkey_klm, KIND_MKEY_KLM)					\
	X(cq, KIND_CQ)							\
	X(qp, KIND_QP)							\
	X(mcg, KIND_MCG)						\
	X(rmp, KIND_RMP)						\
	X(rq, KIND_RQ)							\
	X(sq, KIND_SQ)							\
	X(rqt, KIND_RQT)						\
	X(tir, KIND_TIR)						\
	X(tis, KIND_TIS)						\
	X(srq, KIND_SRQ)						\
	X(xrc_srq, KIND_XRC_SRQ)					\
	X(xrq, KIND_XRQ)						\
	X(dct, KIND_DCT)						\
	X(q_counter, KIND_Q_COUNTER)					\
	X(flow_table, KIND_FLOW_TABLE)					\
	X(flow_group, KIND_FLOW_GROUP)					\
	X(fte, KIND_FTE)						\
	X(flow_counter, KIND_FLOW_COUNTER)				\
	X(flow_counters, KIND_FLOW_COUNTERS)				\
	X(reformat, KIND_REFORMAT)					\
	X(modify_header, KIND_MODIFY_HEADER)				\
	X(sched, KIND_SCHED)						\
	X(vxlan, KIND_VXLAN)						\
	X(l2_entry, KIND_L2)						\
	X(general, KIND_GENERAL)

#define KIND_ID(name, id) id,
enum kind_id { KINDS(KIND_ID) KIND_COUNT };
#undef KIND_ID

#define NEEDS(kind) (1ULL << (kind))

struct obj {
	uint32_t id;		/* of the module; 0: not there */
	uint32_t num;		/* of the device */
};

/* Capability pages a kind may ask for. */
enum cap_page { CAP_GENERAL, CAP_ETH, CAP_FLOW, CAP_COUNT };

#define CAP_LEN 4096
#define MEM_LEN (256 * 1024)

struct world {
	struct mdx mdx;
	struct hca *hca;
	struct obj obj[KIND_COUNT];
	uint8_t *mem;			/* under umem */
	struct mlx5dv_devx_umem *umem;
	struct mlx5dv_devx_uar *uar;
	uint32_t eqn;
	uint32_t cap_seen;
	uint64_t cap[CAP_COUNT][CAP_LEN / 8];
	uint64_t in[4096 / 8];
	uint64_t out[8192 / 8];
	struct mbox m;			/* of what was built last */
};

/**
 * struct kind - a kind of object
 * @name: in test names and messages
 * @live: in the answers of the control port
 * @create: opcodes, 0 where there is no such command
 * @in_len: of the create, without a list; what the module insists on
 * @list_len: of the list the builder appends
 * @out_len: of its answer
 * @query_in: lengths of the query
 * @query_out: see @query_in
 * @modify_in: length of the modify
 * @needs: bit per kind it names
 * @fill: fills the create, whose header is there already
 * @fill_query: as @fill; NULL: the number in its usual place is all
 * @fill_modify: likewise
 * @num: where the number is; NULL: 24 bits of the answer at byte 9
 * @has: does the device advertise it; NULL: every device has it
 * @check: does the answer of a query show what create wrote; NULL: nothing to
 *	compare
 * @check_modify: and what modify wrote
 */
struct kind {
	const char *name;
	const char *live;
	uint16_t create;
	uint16_t destroy;
	uint16_t query;
	uint16_t modify;
	uint16_t in_len;
	uint16_t list_len;
	uint16_t out_len;
	uint16_t query_in;
	uint16_t query_out;
	uint16_t modify_in;
	uint64_t needs;
	void (*fill)(struct world *w, void *in);
	void (*fill_query)(struct world *w, void *in);
	void (*fill_modify)(struct world *w, void *in);
	uint32_t (*num)(const void *in, const void *out);
	bool (*has)(struct world *w);
	bool (*check)(struct world *w, const void *out);
	bool (*check_modify)(struct world *w, const void *out);
};

extern const struct kind kinds[KIND_COUNT];

/* 0 or a positive errno, with one line on stderr. */
int world_start(struct world *w);
/* As mdx_share(), for the umem, the UAR, the EQN and the capabilities, too. */
void world_share(void);
void world_stop(struct world *w);

/* A capability page, current values; zeroes where the device has none. */
const void *world_cap(struct world *w, enum cap_page page);

/* The device advertises the kind and all it needs. */
bool kind_there(struct world *w, enum kind_id k);

/* Number by which the control port lists it, or -1 if that is another one. */
int64_t kind_live_num(struct world *w, enum kind_id k);

/* Everything a kind needs, but not itself. */
int kind_needs(struct world *w, enum kind_id k);

/* Build a command into w->in and describe it in w->m. */
void kind_build_create(struct world *w, enum kind_id k);
void kind_build_query(struct world *w, enum kind_id k);
void kind_build_modify(struct world *w, enum kind_id k);

/* All it needs and itself; does nothing for what is there already. */
int kind_create(struct world *w, enum kind_id k);
/* One more, whatever is there already. */
int kind_create_more(struct world *w, enum kind_id k, struct obj *obj);
int kind_destroy(struct world *w, enum kind_id k);

/* What the builders of kinds_key.c, kinds_queue.c and kinds_flow.c share. */
uint32_t world_num(struct world *w, enum kind_id k);

#define KIND_FN(name)							\
	void name##_fill(struct world *w, void *in);			\
	void name##_fill_query(struct world *w, void *in);		\
	void name##_fill_modify(struct world *w, void *in);		\
	uint32_t name##_num(const void *in, const void *out);		\
	bool name##_has(struct world *w);				\
	bool name##_check(struct world *w, const void *out);		\
	bool name##_check_modify(struct world *w, const void *out)

KIND_FN(psv);
KIND_FN(mkey);
KIND_FN(klm);
KIND_FN(cq);
KIND_FN(qp);
KIND_FN(mcg);
KIND_FN(rmp);
KIND_FN(rq);
KIND_FN(sq);
KIND_FN(rqt);
KIND_FN(tir);
KIND_FN(tis);
KIND_FN(srq);
KIND_FN(xrc_srq);
KIND_FN(xrq);
KIND_FN(dct);
KIND_FN(xrcd);
KIND_FN(q_counter);
KIND_FN(flow_table);
KIND_FN(flow_group);
KIND_FN(fte);
KIND_FN(flow_counter);
KIND_FN(flow_counters);
KIND_FN(reformat);
KIND_FN(modify_header);
KIND_FN(sched);
KIND_FN(vxlan);
KIND_FN(l2);
KIND_FN(general);

/* Transitions of a QP by DEVX: RST to INIT, INIT to RTR, RTR to RTS. */
void qp_build_init(struct world *w);
void qp_build_rtr(struct world *w);
void qp_build_rts(struct world *w);

#endif /* MDX_TEST_KINDS_H */
