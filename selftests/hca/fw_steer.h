/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Steering of packets by the flow tables of the NIC: from the root table of a
 * direction, entry by entry, to receive queues or to the port.
 */
#ifndef HCA_FW_STEER_H
#define HCA_FW_STEER_H

#include "dp_eth_pkt.h"
#include "dp_flow_hash.h"

struct fw;
struct hca_obj;

/* Called for each RQ that @pkt is forwarded to; it leaves @pkt as it is. */
typedef void (*fw_deliver_fn)(void *arg, uint32_t rqn,
			      const struct eth_pkt *pkt,
			      const struct flow_hash *hash);

/* Transmit: true if @pkt, possibly changed, goes to the port. */
bool fw_steer_tx(struct fw *fw, struct eth_pkt *pkt);
/* Receive: @pkt may be changed. */
void fw_steer_rx(struct fw *fw, struct eth_pkt *pkt, fw_deliver_fn deliver,
		 void *arg);

/* Root of table type @type: @id, or none if it is 0. */
void fw_steer_root(struct fw *fw, unsigned int type, uint32_t id);
/* Table @id is destroyed. */
void fw_steer_forget(struct fw *fw, uint32_t id);
/* All objects are destroyed. */
void fw_steer_reset(struct fw *fw);
/* Packets and bytes of one counter of a bulk, 16 bytes; NULL: still zero. */
uint8_t *fw_counter_at(const struct hca_obj *obj, uint32_t id);

#endif /* HCA_FW_STEER_H */
