/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Inside the data path. */
#ifndef HCA_DP_INT_H
#define HCA_DP_INT_H

#include "bytes.h"
#include "hca.h"
#include "log.h"

enum {
	BB_SIZE = 64,			/* block of a send queue */
	WQE_MAX = 64 * 16,
	CI_MASK = 0xffffff,
	GRH_SIZE = 40,
	RESERVED_LKEY = 0x100,		/* ends a list of segments */
	ANY_QPN = 0xffffff,
};

/* Opcodes of work requests. */
enum {
	WQE_NOP = 0x00,
	WQE_SEND_INVAL = 0x01,
	WQE_WRITE = 0x08,
	WQE_WRITE_IMM = 0x09,
	WQE_SEND = 0x0a,
	WQE_SEND_IMM = 0x0b,
	WQE_READ = 0x10,
	WQE_ATOMIC_CS = 0x11,
	WQE_ATOMIC_FA = 0x12,
	WQE_LOCAL_INVAL = 0x1b,
	WQE_UMR = 0x25,
};

/* Opcodes of completions. */
enum {
	CQE_REQ = 0x0,
	CQE_RESP_WRITE_IMM = 0x1,
	CQE_RESP_SEND = 0x2,
	CQE_RESP_SEND_IMM = 0x3,
	CQE_RESP_SEND_INV = 0x4,
	CQE_RESIZE = 0x5,		/* in a buffer that is left */
	CQE_REQ_ERR = 0xd,
	CQE_RESP_ERR = 0xe,
};

/* Syndromes of completions with an error. */
enum {
	ERR_NONE = 0,
	ERR_LOCAL_LENGTH = 0x01,
	ERR_LOCAL_QP_OP = 0x02,
	ERR_LOCAL_PROT = 0x04,
	ERR_FLUSHED = 0x05,
	ERR_MW_BIND = 0x06,
	ERR_REMOTE_INVALID = 0x12,
	ERR_REMOTE_ACCESS = 0x13,
	ERR_REMOTE_OP = 0x14,
	ERR_RETRIES = 0x15,
	ERR_RNR_RETRIES = 0x16,
};

/* Events beside completions. */
enum {
	EVENT_COMM_EST = 0x02,
	EVENT_CQ_ERROR = 0x04,
	EVENT_WQ_CATAS = 0x05,
	EVENT_INVAL_REQ = 0x10,
	EVENT_ACCESS = 0x11,
	EVENT_SRQ_LAST_WQE = 0x13,
	EVENT_SRQ_LIMIT = 0x14,
};

/* A completion, as far as its fields differ. */
struct dp_cqe {
	uint8_t opcode;
	uint8_t synd;
	bool solicited;
	uint32_t user_index;
	uint32_t qpn;
	uint8_t wqe_opcode;
	uint16_t counter;
	uint32_t byte_cnt;
	uint32_t imm;
	uint32_t flags_rqpn;
};

/* Whose memory, and what is about to be done with it. */
struct dp_access {
	uint32_t pd;
	uint32_t qpn;
	uint8_t need;		/* enum fw_access */
};

struct dp_wqe {
	uint8_t raw[WQE_MAX];
	unsigned int bytes;	/* of @raw that are there */
	uint8_t opcode;
	bool solicited;
	uint32_t imm;		/* or the key to invalidate, or of a UMR */
	const uint8_t *av;	/* address of a datagram */
	const uint8_t *atomic;
	uint32_t srqn;		/* of an XRC message */
	uint64_t raddr;
	uint32_t rkey;
	uint64_t len;
	unsigned int nr;
	struct dp_seg seg[DP_SEGS];
};

/* What is left of a turn. */
struct dp_budget {
	unsigned int wqes;
	uint64_t bytes;
};

/* How far a work request is. */
enum dp_step {
	STEP_DONE,	/* to be completed, perhaps with an error */
	STEP_MORE,	/* the turn's bytes are used up */
	STEP_WAIT,	/* for the peer, by a timer */
};

/* dp.c */
struct dp_wq *wq_get(struct dp *dp, struct hca *hca, uint32_t num);
void wq_kick(struct dp_wq *wq);
/* The QP is in error now: @state, and everything that follows from it. */
void wq_fail(struct dp_wq *wq, const struct fw_wq_view *view, uint8_t state);
void dp_event(struct hca *hca, uint8_t type, uint32_t num);

/* dp_cq.c: false if the queue overran, or cannot be written */
bool cq_post(struct hca *hca, uint32_t cqn, const struct dp_cqe *cqe);
void cq_forget(struct dp *dp, uint32_t cqn);

/* dp_mem.c: these return false where something may not be done or reached */
bool buf_gpa(const struct fw_buf *buf, uint64_t off, uint64_t *gpa);
bool buf_read(struct hca *hca, const struct fw_buf *buf, uint64_t off,
	      void *data, size_t len);
bool key_copy(struct hca *hca, const struct dp_access *who, uint32_t key,
	      uint64_t addr, uint8_t *data, size_t len);
bool segs_copy(struct hca *hca, const struct dp_access *who,
	       const struct dp_seg *seg, unsigned int nr, uint64_t off,
	       uint8_t *data, size_t len);
/* A data segment of a work request. */
void seg_parse(struct dp_seg *seg, const uint8_t *p);

/* dp_recv.c */
enum recv_got { RECV_OK, RECV_NONE, RECV_BAD };
enum recv_got recv_take(struct dp_wq *wq, const struct fw_wq_view *view,
			uint32_t srqn);
bool recv_copy(struct dp_wq *wq, uint64_t off, uint8_t *data, size_t len);
/* Completes it; of an XRC SRQ @srqn, unless that is 0. */
void recv_complete(struct dp_wq *wq, const struct fw_wq_view *view,
		   uint32_t srqn, struct dp_cqe *cqe);
/* Flush up to @n receives of a QP in error; returns how many it did. */
unsigned int recv_flush(struct dp_wq *wq, const struct fw_wq_view *view,
			unsigned int n);
void srq_forget(struct dp *dp, uint32_t num);

/* dp_wqe.c */
bool wqe_read(struct hca *hca, const struct fw_wq_view *view, uint16_t index,
	      struct dp_wqe *wqe);
unsigned int wqe_blocks(const struct dp_wqe *wqe);
bool wqe_signaled(const struct dp_wqe *wqe);
bool wqe_parse(const struct fw_wq_view *view, struct dp_wqe *wqe);

/* dp_conn.c, dp_ud.c, dp_umr.c: @synd is why a request failed, or ERR_NONE */
enum dp_step conn_step(struct dp_wq *wq, const struct fw_wq_view *view,
		       struct dp_wqe *wqe, struct dp_budget *left,
		       uint8_t *synd);
void ud_send(struct dp_wq *wq, const struct fw_wq_view *view,
	     struct dp_wqe *wqe, uint8_t *synd);
void umr_run(struct dp_wq *wq, const struct fw_wq_view *view,
	     struct dp_wqe *wqe, uint8_t *synd);

/* In the protection domain of @view, which may be a peer's. */
bool key_invalidate(struct dp_wq *wq, const struct fw_wq_view *view,
		    uint32_t num);

#endif /* HCA_DP_INT_H */
