/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Segmentation of large TCP packets. */
#ifndef HCA_DP_ETH_TSO_H
#define HCA_DP_ETH_TSO_H

#include "dp_eth_pkt.h"

/*
 * Cut the payload behind the first @head bytes into pieces of @mss bytes, and
 * hand each packet, built in the @room bytes at @scratch, to
 * @send. False, and nothing is sent, unless the packet is TCP over IP and
 * its headers end at @head.
 */
bool eth_segment(const struct eth_pkt *pkt, size_t head, size_t mss,
		 uint8_t *scratch, size_t room,
		 void (*send)(void *arg, struct eth_pkt *pkt), void *arg);

#endif /* HCA_DP_ETH_TSO_H */
