/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The data path, as far as it exists: send queues consume their work requests
 * and complete them. Nothing leaves the device and nothing is received.
 */
#ifndef HCA_DP_H
#define HCA_DP_H

#include <stdint.h>

struct hca;
struct dp_sq;
struct dp_cq;

struct dp {
	struct dp_sq *sqs;
	struct dp_cq *cqs;
};

void dp_reset(struct hca *hca);
/* Number @num of @type is gone or starts anew: forget its indices. */
void dp_object_gone(struct hca *hca, const char *type, uint32_t num);
void dp_sq_doorbell(struct hca *hca, uint32_t num);
/* The two words of a CQ's arm doorbell. */
void dp_cq_arm(struct hca *hca, uint32_t w0, uint32_t w1);

#endif /* HCA_DP_H */
