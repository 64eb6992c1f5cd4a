/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Two QPs of verbs that are connected to one another. */
#ifndef MDX_TEST_PAIR_H
#define MDX_TEST_PAIR_H

#include "mdx_utils.h"

#define PAIR_LEN 9000
#define PAIR_IMM 0x12345678
#define PAIR_QKEY 0x11223344
#define PAIR_GRH 40

enum { PAIR_RECV_ID = 100, PAIR_SEND_ID = 200 };

/* The first one sends, from its buffer to the other's. */
struct verbs_pair {
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	struct ibv_comp_channel *channel;
	struct ibv_cq *cq;
	struct ibv_srq *srq;
	struct ibv_mr *mr;
	struct ibv_ah *ah;
	struct ibv_qp *qp[2];
	union ibv_gid gid;
	uint8_t buf[2][PAIR_LEN + PAIR_GRH];
};

/* 0 or a positive errno; all of it, up to RTS, and the first buffer filled. */
int pair_start(struct verbs_pair *p, enum ibv_qp_type type, bool srq);
/* Number of its objects that could not be destroyed. */
int pair_stop(struct verbs_pair *p);
bool pair_is_ud(const struct verbs_pair *p);
/* Of @len bytes in two pieces; 50 and more. */
int pair_recv(struct verbs_pair *p, uint32_t len);
/* Of @len bytes in two pieces; RDMA goes to the other buffer's start. */
int pair_send(struct verbs_pair *p, enum ibv_wr_opcode op, uint32_t len,
	      unsigned int flags);
/* The next @count completions; false if they do not come. */
bool pair_wait(struct verbs_pair *p, struct ibv_wc *wcs, int count);

#endif /* MDX_TEST_PAIR_H */
