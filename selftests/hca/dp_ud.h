/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Datagrams. */
#ifndef HCA_DP_UD_H
#define HCA_DP_UD_H

#include "dp_wq.h"
#include "dp_wqe.h"

/* @synd is the syndrome of a request that failed, or ERR_NONE. */
void ud_send(struct dp_wq *wq, const struct fw_wq_view *view,
	     struct dp_wqe *wqe, uint8_t *synd);

#endif /* HCA_DP_UD_H */
