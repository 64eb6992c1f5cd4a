/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Receives: a QP's own receive queue, or a shared one. */
#ifndef HCA_DP_RECV_H
#define HCA_DP_RECV_H

#include "dp_cq.h"
#include "dp_wq.h"

/**
 * struct dp_srq - a shared receive queue that received a message
 * @next: list of all
 * @num: number
 * @taken: receives taken so far
 * @head: index of the next one
 */
struct dp_srq {
	struct dp_srq *next;
	uint32_t num;
	uint16_t taken;
	uint16_t head;
};

enum recv_result { RECV_OK, RECV_NONE, RECV_BAD };

/* Take a receive for @wq, unless one is in progress. */
enum recv_result recv_take(struct dp_wq *wq, const struct fw_wq_view *view,
			   uint32_t srqn);
/* Write to byte @off of the receive. */
bool recv_copy(struct dp_wq *wq, uint64_t off, uint8_t *data, size_t len);
/* Complete the receive; @srqn is an XRC message's SRQ, else 0. */
void recv_complete(struct dp_wq *wq, const struct fw_wq_view *view,
		   uint32_t srqn, struct dp_cqe *cqe);
/* Flush up to @n receives of a QP in error; returns the number flushed. */
unsigned int recv_flush(struct dp_wq *wq, const struct fw_wq_view *view,
			unsigned int n);
void srq_forget(struct dp *dp, uint32_t num);

#endif /* HCA_DP_RECV_H */
