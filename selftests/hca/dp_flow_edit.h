/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Header modifications: set, add and copy of fields and metadata. */
#ifndef HCA_DP_FLOW_EDIT_H
#define HCA_DP_FLOW_EDIT_H

#include "dp_eth_pkt.h"
#include "prm.h"

enum { FLOW_EDIT = 8 };	/* bytes of an action */

/* True if the action and its fields are known, and its bits are in them. */
bool flow_edit_known(const u8 action[FLOW_EDIT]);
/*
 * Execute @n actions. An action on a header that the packet lacks is skipped.
 * Checksums that were right are right again.
 */
void flow_edit(struct eth_pkt *pkt, const u8 *actions, size_t n);

#endif /* HCA_DP_FLOW_EDIT_H */
