/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The data path: work requests are executed, messages go from one QP of the
 * device to another, completions and their events are posted. Nothing leaves
 * the device, and queues for Ethernet send into the void.
 *
 * Work is done in turns of a limited size, between which the event loop sees to
 * everything else. Documentation/hca.md says what is modelled and what is
 * guessed.
 */
#ifndef HCA_DP_H
#define HCA_DP_H

#include <stdbool.h>
#include <stdint.h>

#include "loop.h"

struct hca;

/* A piece of memory of a work request. */
struct dp_seg {
	uint64_t addr;
	uint64_t len;
	uint32_t key;
	const uint8_t *inl;	/* the data itself, in the request */
};

enum { DP_SEGS = 64, DP_RECV_SEGS = 32 };

/**
 * struct dp_recv - a receive that a message is going into
 * @on: there is one
 * @counter: its number in the queue
 * @pd: of the memory
 * @len: bytes that it has room for
 * @nr: number of @seg
 * @seg: where they go
 */
struct dp_recv {
	bool on;
	uint16_t counter;
	uint32_t pd;
	uint64_t len;
	unsigned int nr;
	struct dp_seg seg[DP_RECV_SEGS];
};

/**
 * struct dp_wq - a QP or an SQ that was rung, or received something
 * @next: list of all
 * @run_next: list of those with something to do
 * @running: on that list
 * @failed: a QP in error, whose receives are flushed as they come
 * @established: a message came before it was ready to send
 * @late: its doorbell record is to be looked at again
 * @num: QPN or SQN
 * @ci: the next work request's index, in blocks
 * @pi: behind the last one that was rung
 * @rq_ci: the next receive's
 * @done: bytes of the work request at @ci that were moved
 * @recv: receive in progress
 * @deadline: when the work request that waits for the peer fails; 0: it does
 *	not wait
 * @retry: try it again
 */
struct dp_wq {
	struct dp_wq *next;
	struct dp_wq *run_next;
	struct hca *hca;
	bool running;
	bool failed;
	bool established;
	bool late;
	uint32_t num;
	uint16_t ci;
	uint16_t pi;
	uint16_t rq_ci;
	uint64_t done;
	struct dp_recv recv;
	uint64_t deadline;
	struct timer retry;
};

/**
 * struct dp_srq - a shared receive queue that something was received from
 * @num: number
 * @taken: receives that were taken, ever
 * @head: index of the next one
 */
struct dp_srq {
	struct dp_srq *next;
	uint32_t num;
	uint16_t taken;
	uint16_t head;
};

/**
 * struct dp_cq - a completion queue that was armed or written
 * @cqn: number
 * @pi: completions written
 * @solicited: what @pi was behind the last one that is a solicited event
 * @ci: what the driver had consumed when that was last looked at
 * @armed: the next completion is an event
 * @armed_solicited: the next solicited one is
 * @failed: it overran
 */
struct dp_cq {
	struct dp_cq *next;
	uint32_t cqn;
	uint32_t pi;
	uint32_t solicited;
	uint32_t ci;
	bool armed;
	bool armed_solicited;
	bool failed;
};

/**
 * struct dp - the data path
 * @sqs: QPs and SQs
 * @srqs: shared receive queues
 * @cqs: completion queues
 * @run: those of @sqs that have something to do
 * @run_last: where the next one is added
 * @turn: continues with @run
 * @flush: looks for receives of QPs in error
 * @late: looks at doorbell records that were ahead
 */
struct dp {
	struct dp_wq *sqs;
	struct dp_srq *srqs;
	struct dp_cq *cqs;
	struct dp_wq *run;
	struct dp_wq *run_last;
	struct timer turn;
	struct timer flush;
	struct timer late;
};

void dp_reset(struct hca *hca);
/* Number @num of @type is gone or starts anew: forget its indices. */
void dp_object_gone(struct hca *hca, const char *type, uint32_t num);
/* QP or SQ @num is in another state; @reset: it starts anew. */
void dp_qp_moved(struct hca *hca, uint32_t num, bool reset);
/* CQ @cqn is about to get another buffer: the last entry of the old one. */
void dp_cq_resize(struct hca *hca, uint32_t cqn);
/* The two words of a send doorbell. */
void dp_sq_doorbell(struct hca *hca, uint32_t w0, uint32_t w1);
/* The first block of a work request, which came behind its doorbell. */
void dp_sq_blueflame(struct hca *hca, const uint8_t wqe[64]);
/* The two words of a CQ's arm doorbell. */
void dp_cq_arm(struct hca *hca, uint32_t w0, uint32_t w1);

#endif /* HCA_DP_H */
