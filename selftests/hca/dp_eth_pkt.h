/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Ethernet packets: their headers, checksums and VLAN tags. Nothing here knows
 * of the device.
 */
#ifndef HCA_DP_ETH_PKT_H
#define HCA_DP_ETH_PKT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	ETH_ADDRS = 12,		/* both addresses */
	ETH_HLEN = 14,
	ETH_TAG = 4,
	ETH_CTAG = 0x8100,	/* types of tags */
	ETH_STAG = 0x88a8,
	ETH_MAX = 1 << 17,	/* of a packet before segmentation, and its tags */
	ETH_REGS = 8,
};

/* Fields of the headers behind it, as offsets in their header. */
enum {
	IPV4_TOTAL = 2,
	IPV6_LEN = 40,
	IPV6_PAYLOAD = 4,
	TCP_FLAGS = 13,
};

enum eth_l4 { L4_NONE, L4_TCP, L4_UDP, L4_OTHER };

/**
 * struct eth_pkt - a packet and what the steering knows of it
 * @data: the packet, without FCS
 * @len: length of @data
 * @room: size of the memory at @data
 * @tags: number of VLAN tags, at most 2 are looked at
 * @ethertype: type that follows the tags
 * @l3: offset of the IP header
 * @ip_version: 4, 6, or 0 for none that is complete
 * @l3_end: end of the IP datagram by its own length, or that of the packet
 * @cut: the datagram is longer than the packet
 * @frag: a fragment of a datagram
 * @proto: protocol of the datagram's payload
 * @l4: offset of the payload
 * @l4_type: the complete header at @l4, never of a fragment
 * @sqn: send queue
 * @reg_a: metadata of the send request
 * @reg_b: metadata that a receiver gets
 * @reg_c: metadata of the steering
 * @flow_tag: tag of the last rule that has one
 */
struct eth_pkt {
	uint8_t *data;
	size_t len;
	size_t room;
	uint8_t tags;
	uint16_t ethertype;
	size_t l3;
	uint8_t ip_version;
	size_t l3_end;
	bool cut;
	bool frag;
	uint8_t proto;
	size_t l4;
	enum eth_l4 l4_type;
	uint32_t sqn;
	uint32_t reg_a;
	uint32_t reg_b;
	uint32_t reg_c[ETH_REGS];
	uint32_t flow_tag;
};

/* Find the headers of @data. False if it is too short for an Ethernet header. */
bool eth_parse(struct eth_pkt *pkt);
/* Add a tag behind the addresses; false without room for it. */
bool eth_push_tag(struct eth_pkt *pkt, uint16_t type, uint16_t tci);
/* Remove the first tag, if there is one. */
void eth_pop_tag(struct eth_pkt *pkt);
/*
 * Put @n bytes of headers before the packet, and fill in the lengths and the
 * IPv4 checksum of them; false without room for it.
 */
bool eth_encap(struct eth_pkt *pkt, const uint8_t *head, size_t n);
/* One's complement sum of @len bytes, folded and not inverted. */
uint16_t eth_sum(const uint8_t *data, size_t len);
/* True if the IPv4 header's checksum is right; IPv6 has none. */
bool eth_l3_ok(const struct eth_pkt *pkt);
/* True if there is a TCP or UDP header whose checksum is right, or absent. */
bool eth_l4_ok(const struct eth_pkt *pkt);
/* Write the checksums; no-ops for packets without such a header. */
void eth_l3_fill(struct eth_pkt *pkt);
void eth_l4_fill(struct eth_pkt *pkt);

#endif /* HCA_DP_ETH_PKT_H */
