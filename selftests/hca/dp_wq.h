/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Work queues of the data path, and the list of those that have work. */
#ifndef HCA_DP_WQ_H
#define HCA_DP_WQ_H

#include "dp_mem.h"
#include "hca.h"

enum { DP_RECV_SEGS = 32 };

/* Events other than completions. */
enum {
	EVENT_COMM_EST = 0x02,
	EVENT_CQ_ERROR = 0x04,
	EVENT_WQ_CATAS = 0x05,
	EVENT_INVAL_REQ = 0x10,
	EVENT_ACCESS = 0x11,
	EVENT_SRQ_LAST_WQE = 0x13,
	EVENT_SRQ_LIMIT = 0x14,
};

/**
 * struct dp_recv - a receive that a message is being written to
 * @on: there is one
 * @counter: its number in the queue
 * @from: DCI whose message it is, of a DCT
 * @pd: protection domain of the memory
 * @len: total length of the segments
 * @nr: number of @seg
 * @seg: the segments
 */
struct dp_recv {
	bool on;
	uint16_t counter;
	uint32_t from;
	uint32_t pd;
	uint64_t len;
	unsigned int nr;
	struct dp_seg seg[DP_RECV_SEGS];
};

/**
 * struct dp_wq - a QP or an SQ that was rung, or received a message
 * @next: list of all
 * @run_next: list of those with work
 * @hca: device
 * @running: on the list of those with work
 * @failed: a QP in error, whose receives are flushed when they are posted
 * @established: it received a message before it was ready to send
 * @delayed: its doorbell record is to be read again
 * @num: QPN or SQN
 * @ci: index of the next work request, in blocks
 * @pi: end of the requests that were rung
 * @rq_ci: index of the next receive
 * @done: bytes moved of the work request at @ci
 * @recv: receive in progress
 * @target: DCT that receives the message at @ci, which has begun; or 0
 * @deadline: time at which the request that waits for the peer fails, or 0
 * @retry: next attempt of that request
 */
struct dp_wq {
	struct dp_wq *next;
	struct dp_wq *run_next;
	struct hca *hca;
	bool running;
	bool failed;
	bool established;
	bool delayed;
	uint32_t num;
	uint16_t ci;
	uint16_t pi;
	uint16_t rq_ci;
	uint64_t done;
	struct dp_recv recv;
	uint32_t target;
	uint64_t deadline;
	struct timer retry;
};

/* The queue, or NULL if it is not known yet. */
struct dp_wq *wq_find(struct hca *hca, uint32_t num);
/* The queue, created if it is not known yet; NULL without memory. */
struct dp_wq *wq_get(struct hca *hca, uint32_t num);
void wq_forget(struct hca *hca, uint32_t num);
/* Take @wq off the list of queues with work. */
void wq_stop(struct dp_wq *wq);
/* Append @wq to the list of queues with work. */
void wq_queue(struct dp_wq *wq);
/* The same, and let a round follow. */
void wq_kick(struct dp_wq *wq);
/* The QP has failed: it goes to @state, with all consequences. */
void wq_fail(struct dp_wq *wq, const struct fw_wq_view *view, uint8_t state);
/* The QP is in the error state: report it once, and flush its receives. */
void wq_enter_error(struct dp_wq *wq, const struct fw_wq_view *view);
/* Report event @type of object @num. */
void dp_event(struct hca *hca, uint8_t type, uint32_t num);
/* Start timer @t of the data path, unless it runs already. */
void dp_defer(struct hca *hca, struct timer *t, uint64_t us);
/* The next round, or the next look for receives of QPs in error. */
void dp_defer_round(struct hca *hca);
void dp_defer_flush(struct hca *hca);

/* True if a QP in @state receives messages. */
static inline bool qp_receives(uint8_t state)
{
	return state == QP_RTR || state == QP_RTS || state == QP_SQD ||
	       state == QP_SQER;
}

#endif /* HCA_DP_WQ_H */
