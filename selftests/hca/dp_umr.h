/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Work requests that change memory keys. */
#ifndef HCA_DP_UMR_H
#define HCA_DP_UMR_H

#include "dp_wq.h"
#include "dp_wqe.h"

/* @synd is the syndrome of a request that failed, or ERR_NONE. */
void umr_run(struct dp_wq *wq, const struct fw_wq_view *view,
	     struct dp_wqe *wqe, uint8_t *synd);
/*
 * Invalidate a key of the protection domain of @view. False if there is none; if
 * @remote, for a peer, also if the key does not allow that, or is free already.
 */
bool key_invalidate(struct dp_wq *wq, const struct fw_wq_view *view,
		    uint32_t num, bool remote);

#endif /* HCA_DP_UMR_H */
