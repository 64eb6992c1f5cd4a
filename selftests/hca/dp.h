/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The data path: it executes work requests, moves messages from one QP of the
 * device to another and posts completions and their events. Nothing leaves the
 * device; Ethernet queues discard what they send.
 *
 * Work is done in rounds of limited size. Between two rounds the event loop
 * serves everything else. Documentation/hca.md says what is modelled and what
 * is guessed.
 */
#ifndef HCA_DP_H
#define HCA_DP_H

#include <stdbool.h>
#include <stdint.h>

#include "loop.h"

struct hca;
struct dp_wq;
struct dp_srq;
struct dp_cq;

/**
 * struct dp - state of the data path
 * @sqs: QPs and SQs
 * @srqs: shared receive queues
 * @cqs: completion queues
 * @run: those of @sqs that have work, in order
 * @run_last: tail of @run
 * @round: the next round
 * @flush: the next look for receives of QPs in error
 * @delayed: the next look at doorbell records that were ahead of the doorbell
 */
struct dp {
	struct dp_wq *sqs;
	struct dp_srq *srqs;
	struct dp_cq *cqs;
	struct dp_wq *run;
	struct dp_wq *run_last;
	struct timer round;
	struct timer flush;
	struct timer delayed;
};

void dp_init(struct hca *hca);
/* Forget every queue. */
void dp_reset(struct hca *hca);
/* The object with this name of its type and number is destroyed or reset. */
void dp_object_destroyed(struct hca *hca, const char *type, uint32_t num);
/* QP or SQ @num has changed state; @reset: its indices start from 0. */
void dp_qp_state_changed(struct hca *hca, uint32_t num, bool reset);
/* The two words of a send doorbell. */
void dp_sq_doorbell(struct hca *hca, uint32_t w0, uint32_t w1);
/* The first block of a work request, written to the BlueFlame register. */
void dp_sq_blueflame(struct hca *hca, const uint8_t wqe[64]);

#endif /* HCA_DP_H */
