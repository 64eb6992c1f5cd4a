// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <string.h>

#include "bytes.h"
#include "dp_eth_pkt.h"

enum {
	TAGS_MAX = 2,
	TYPE_IPV4 = 0x0800,
	TYPE_IPV6 = 0x86dd,
	/* IPv4 header */
	IPV4_LEN = 20,
	IPV4_FRAG = 6,
	IPV4_FRAG_MASK = 0x3fff,	/* offset, and more fragments */
	IPV4_PROTO = 9,
	IPV4_SUM = 10,
	IPV4_ADDRS = 12,
	/* IPv6 header */
	IPV6_NEXT = 6,
	IPV6_ADDRS = 8,
	IPV6_EXT = 8,			/* least length of an extension */
	NEXT_HOPS = 0,
	NEXT_ROUTING = 43,
	NEXT_FRAGMENT = 44,
	NEXT_OPTIONS = 60,
	/* headers behind them */
	PROTO_TCP = 6,
	PROTO_UDP = 17,
	TCP_LEN = 20,
	TCP_SUM = 16,
	UDP_LEN = 8,
	UDP_TOTAL = 4,
	UDP_SUM = 6,
};

static bool is_tag(uint16_t type)
{
	return type == ETH_CTAG || type == ETH_STAG;
}

static void parse_l4(struct eth_pkt *pkt)
{
	size_t left = pkt->l3_end - pkt->l4;

	pkt->l4_type = L4_OTHER;
	if (pkt->frag)
		pkt->l4_type = L4_NONE;
	else if (pkt->proto == PROTO_TCP)
		pkt->l4_type = left >= TCP_LEN ? L4_TCP : L4_NONE;
	else if (pkt->proto == PROTO_UDP)
		pkt->l4_type = left >= UDP_LEN ? L4_UDP : L4_NONE;
}

static void parse_ipv4(struct eth_pkt *pkt)
{
	const uint8_t *ip = pkt->data + pkt->l3;
	size_t left = pkt->len - pkt->l3, head, total;

	if (left < IPV4_LEN || ip[0] >> 4 != 4)
		return;
	head = (ip[0] & 0xfU) * 4;
	total = get_be16(ip + IPV4_TOTAL);
	if (head < IPV4_LEN || total < head || head > left)
		return;
	pkt->cut = total > left;
	pkt->ip_version = 4;
	pkt->l3_end = pkt->l3 + (pkt->cut ? left : total);
	pkt->frag = get_be16(ip + IPV4_FRAG) & IPV4_FRAG_MASK;
	pkt->proto = ip[IPV4_PROTO];
	pkt->l4 = pkt->l3 + head;
	parse_l4(pkt);
}

/* Step over the extension at @l4; false if there is none to step over. */
static bool skip_extension(struct eth_pkt *pkt)
{
	const uint8_t *ext = pkt->data + pkt->l4;
	size_t left = pkt->l3_end - pkt->l4, n = IPV6_EXT;

	if (left < IPV6_EXT)
		return false;
	switch (pkt->proto) {
	case NEXT_FRAGMENT:
		pkt->frag = true;
		break;
	case NEXT_HOPS:
	case NEXT_ROUTING:
	case NEXT_OPTIONS:
		n = (ext[1] + 1U) * 8;
		break;
	default:
		return false;
	}
	if (n > left)
		return false;
	pkt->proto = ext[0];
	pkt->l4 += n;
	return true;
}

static void parse_ipv6(struct eth_pkt *pkt)
{
	const uint8_t *ip = pkt->data + pkt->l3;
	size_t left = pkt->len - pkt->l3, total;

	if (left < IPV6_LEN || ip[0] >> 4 != 6)
		return;
	total = IPV6_LEN + get_be16(ip + IPV6_PAYLOAD);
	pkt->cut = total > left;
	pkt->ip_version = 6;
	pkt->l3_end = pkt->l3 + (pkt->cut ? left : total);
	pkt->proto = ip[IPV6_NEXT];
	pkt->l4 = pkt->l3 + IPV6_LEN;
	while (skip_extension(pkt))
		;
	parse_l4(pkt);
}

bool eth_parse(struct eth_pkt *pkt)
{
	size_t at = ETH_ADDRS;

	pkt->tags = 0;
	pkt->ip_version = 0;
	pkt->l3_end = 0;
	pkt->cut = false;
	pkt->frag = false;
	pkt->proto = 0;
	pkt->l4 = 0;
	pkt->l4_type = L4_NONE;
	if (pkt->len < ETH_HLEN)
		return false;
	while (pkt->tags < TAGS_MAX && is_tag(get_be16(pkt->data + at)) &&
	       pkt->len >= at + ETH_TAG + 2) {
		at += ETH_TAG;
		pkt->tags++;
	}
	pkt->ethertype = get_be16(pkt->data + at);
	pkt->l3 = at + 2;
	if (pkt->ethertype == TYPE_IPV4)
		parse_ipv4(pkt);
	else if (pkt->ethertype == TYPE_IPV6)
		parse_ipv6(pkt);
	return true;
}

bool eth_push_tag(struct eth_pkt *pkt, uint16_t type, uint16_t tci)
{
	if (pkt->len < ETH_HLEN || pkt->room - pkt->len < ETH_TAG)
		return false;
	memmove(pkt->data + ETH_ADDRS + ETH_TAG, pkt->data + ETH_ADDRS,
		pkt->len - ETH_ADDRS);
	put_be16(pkt->data + ETH_ADDRS, type);
	put_be16(pkt->data + ETH_ADDRS + 2, tci);
	pkt->len += ETH_TAG;
	return eth_parse(pkt);
}

void eth_pop_tag(struct eth_pkt *pkt)
{
	if (!pkt->tags)
		return;
	pkt->len -= ETH_TAG;
	memmove(pkt->data + ETH_ADDRS, pkt->data + ETH_ADDRS + ETH_TAG,
		pkt->len - ETH_ADDRS);
	eth_parse(pkt);
}

bool eth_encap(struct eth_pkt *pkt, const uint8_t *head, size_t n)
{
	struct eth_pkt outer = { .data = pkt->data, .len = n };
	uint8_t *ip;

	if (n < ETH_HLEN || pkt->room - pkt->len < n)
		return false;
	memmove(pkt->data + n, pkt->data, pkt->len);
	memcpy(pkt->data, head, n);
	pkt->len += n;
	eth_parse(&outer);
	ip = pkt->data + outer.l3;
	if (outer.ethertype == TYPE_IPV4 && n >= outer.l3 + IPV4_LEN)
		put_be16(ip + IPV4_TOTAL, (uint16_t)(pkt->len - outer.l3));
	else if (outer.ethertype == TYPE_IPV6 && n >= outer.l3 + IPV6_LEN)
		put_be16(ip + IPV6_PAYLOAD,
			 (uint16_t)(pkt->len - outer.l3 - IPV6_LEN));
	if (!eth_parse(pkt))
		return false;
	eth_l3_fill(pkt);
	if (pkt->l4_type == L4_UDP && pkt->l4 + UDP_LEN <= n)
		put_be16(pkt->data + pkt->l4 + UDP_TOTAL,
			 (uint16_t)(pkt->l3_end - pkt->l4));
	return true;
}

static uint32_t sum_add(uint32_t sum, const uint8_t *data, size_t len)
{
	for (; len > 1; len -= 2, data += 2) {
		sum += get_be16(data);
		sum = (sum & 0xffff) + (sum >> 16);
	}
	if (len)
		sum += (uint32_t)data[0] << 8;
	return (sum & 0xffff) + (sum >> 16);
}

uint16_t eth_sum(const uint8_t *data, size_t len)
{
	uint32_t sum = sum_add(0, data, len);

	return (uint16_t)((sum & 0xffff) + (sum >> 16));
}

/* Sum of the pseudo header, and of the TCP or UDP header and payload. */
static uint16_t l4_sum(const struct eth_pkt *pkt)
{
	const uint8_t *ip = pkt->data + pkt->l3;
	size_t len = pkt->l3_end - pkt->l4;
	uint32_t sum = (uint32_t)(len & 0xffff) + (uint32_t)(len >> 16) +
		       pkt->proto;

	if (pkt->ip_version == 4)
		sum = sum_add(sum, ip + IPV4_ADDRS, 8);
	else
		sum = sum_add(sum, ip + IPV6_ADDRS, 32);
	sum = sum_add(sum, pkt->data + pkt->l4, len);
	return (uint16_t)((sum & 0xffff) + (sum >> 16));
}

bool eth_l3_ok(const struct eth_pkt *pkt)
{
	if (pkt->ip_version == 6)
		return true;
	return pkt->ip_version == 4 &&
	       eth_sum(pkt->data + pkt->l3,
		       (pkt->data[pkt->l3] & 0xfU) * 4) == 0xffff;
}

static uint8_t *l4_checksum(const struct eth_pkt *pkt)
{
	if (pkt->l4_type == L4_TCP)
		return pkt->data + pkt->l4 + TCP_SUM;
	if (pkt->l4_type == L4_UDP)
		return pkt->data + pkt->l4 + UDP_SUM;
	return NULL;
}

bool eth_l4_ok(const struct eth_pkt *pkt)
{
	const uint8_t *sum = l4_checksum(pkt);

	if (!sum || pkt->cut)
		return false;
	if (pkt->l4_type == L4_UDP && pkt->ip_version == 4 && !get_be16(sum))
		return true;
	return l4_sum(pkt) == 0xffff;
}

void eth_l3_fill(struct eth_pkt *pkt)
{
	uint8_t *ip = pkt->data + pkt->l3;

	if (pkt->ip_version != 4)
		return;
	put_be16(ip + IPV4_SUM, 0);
	put_be16(ip + IPV4_SUM, (uint16_t)~eth_sum(ip, (ip[0] & 0xfU) * 4));
}

void eth_l4_fill(struct eth_pkt *pkt)
{
	uint8_t *sum = l4_checksum(pkt);
	uint16_t val;

	if (!sum)
		return;
	put_be16(sum, 0);
	val = (uint16_t)~l4_sum(pkt);
	/* Zero says that a datagram has no checksum. */
	if (!val && pkt->l4_type == L4_UDP)
		val = 0xffff;
	put_be16(sum, val);
}
