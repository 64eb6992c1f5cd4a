/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The data path, as far as it exists: send queues consume their work requests
 * and complete them. Nothing leaves the device and nothing is received.
 */
#ifndef HCA_DP_H
#define HCA_DP_H

#include <stdbool.h>
#include <stdint.h>

struct hca;

/**
 * struct dp_sq - a send queue that was rung
 * @num: QPN or SQN
 * @ci: the next work request's index, in blocks
 */
struct dp_sq {
	struct dp_sq *next;
	uint32_t num;
	uint16_t ci;
};

/**
 * struct dp_cq - a completion queue that was armed or written
 * @cqn: number
 * @pi: completions written
 * @ci: what the driver had consumed when it armed
 * @armed: the next completion is an event
 */
struct dp_cq {
	struct dp_cq *next;
	uint32_t cqn;
	uint32_t pi;
	uint32_t ci;
	bool armed;
};

struct dp {
	struct dp_sq *sqs;
	struct dp_cq *cqs;
};

void dp_reset(struct hca *hca);
/* Number @num of @type is gone or starts anew: forget its indices. */
void dp_object_gone(struct hca *hca, const char *type, uint32_t num);
void dp_sq_doorbell(struct hca *hca, uint32_t num);
/* The first block of a work request, which came behind its doorbell. */
void dp_sq_blueflame(struct hca *hca, const uint8_t wqe[64]);
/* The two words of a CQ's arm doorbell. */
void dp_cq_arm(struct hca *hca, uint32_t w0, uint32_t w1);

#endif /* HCA_DP_H */
