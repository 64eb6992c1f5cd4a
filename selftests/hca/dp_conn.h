/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Messages between two connected QPs. */
#ifndef HCA_DP_CONN_H
#define HCA_DP_CONN_H

#include "dp_wq.h"
#include "dp_wqe.h"

/* The rest of a round's budget. */
struct dp_budget {
	unsigned int wqes;
	uint64_t bytes;
};

/* Progress of a work request. */
enum dp_step {
	STEP_DONE,	/* to be completed, perhaps with an error */
	STEP_MORE,	/* the budget is used up */
	STEP_WAIT,	/* waits for the peer; a timer retries */
};

/* @synd is the syndrome of a request that failed, or ERR_NONE. */
enum dp_step conn_step(struct dp_wq *wq, const struct fw_wq_view *view,
		       struct dp_wqe *wqe, struct dp_budget *left,
		       uint8_t *synd);

#endif /* HCA_DP_CONN_H */
