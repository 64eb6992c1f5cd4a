/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Ethernet. A packet that an SQ sends passes the flow tables of the transmit
 * side and reaches the port, which has a loopback plug: the packet comes back,
 * passes the flow tables of the receive side and is received by RQs.
 */
#ifndef HCA_DP_ETH_H
#define HCA_DP_ETH_H

#include "dp_conn.h"
#include "dp_eth_pkt.h"
#include "dp_flow_hash.h"
#include "dp_wqe.h"

/* Execute a work request of an SQ, other than a NOP. */
void eth_send(struct dp_wq *wq, const struct fw_wq_view *view,
	      struct dp_wqe *wqe, struct dp_budget *left, uint8_t *synd);
/* Receive a packet in RQ @rqn; @arg is the device. */
void eth_receive(void *arg, uint32_t rqn, const struct eth_pkt *pkt,
		 const struct flow_hash *hash);

#endif /* HCA_DP_ETH_H */
