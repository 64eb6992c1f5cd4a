/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Hash of a packet's addresses and ports, for the choice of a queue. */
#ifndef HCA_DP_FLOW_HASH_H
#define HCA_DP_FLOW_HASH_H

#include "dp_eth_pkt.h"

enum { HASH_KEY = 40 };

/* Fields, as in rx_hash_field_select. */
enum {
	HASH_SRC_IP = 1, HASH_DST_IP = 2, HASH_SPORT = 4, HASH_DPORT = 8,
	HASH_SPI = 16,		/* of IPsec */
	HASH_FIELDS = 15,	/* those of TCP and UDP */
};

/**
 * struct flow_hash - what is hashed, and the result
 * @ipv6: packets of IPv6, else of IPv4
 * @udp: ports of UDP, else of TCP
 * @fields: the fields
 * @symmetric: packets of both directions have the same hash
 * @key: Toeplitz key
 * @valid: the packet has all fields, and there is at least one
 * @ports: ports are part of it
 * @val: the hash, else 0
 */
struct flow_hash {
	bool ipv6;
	bool udp;
	uint8_t fields;
	bool symmetric;
	const uint8_t *key;
	bool valid;
	bool ports;
	uint32_t val;
};

/* Toeplitz hash of @n bytes, at most 36: the fields never exceed that. */
uint32_t toeplitz(const uint8_t key[HASH_KEY], const uint8_t *data, size_t n);
void flow_hash(const struct eth_pkt *pkt, struct flow_hash *hash);

#endif /* HCA_DP_FLOW_HASH_H */
