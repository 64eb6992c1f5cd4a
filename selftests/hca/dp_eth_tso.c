// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <string.h>

#include "bytes.h"
#include "dp_eth_tso.h"

enum {
	IPV4_ID = 4,
	TCP_SEQ = 4,
	TCP_HEAD = 12,
	FIN_PSH = 0x09,			/* of the last segment only */
	CWR = 0x80,			/* of the first segment only */
};

/*
 * The lengths in the headers are those of the whole payload or, in packets
 * above 64 KiB, whatever they happen to be: they are not looked at.
 */
static bool find_tcp(const struct eth_pkt *pkt, size_t head,
		     struct eth_pkt *first)
{
	uint8_t *ip;

	*first = *pkt;
	first->len = head;
	if (!eth_parse(first) || head < first->l3 + IPV6_LEN)
		return false;
	ip = first->data + first->l3;
	/* Lengths that fit the headers alone, so that these can be parsed. */
	if (ip[0] >> 4 == 4)
		put_be16(ip + IPV4_TOTAL, (uint16_t)(head - first->l3));
	else
		put_be16(ip + IPV6_PAYLOAD,
			 (uint16_t)(head - first->l3 - IPV6_LEN));
	return eth_parse(first) && first->l4_type == L4_TCP &&
	       first->l4 + (first->data[first->l4 + TCP_HEAD] >> 4) * 4U ==
	       head;
}

static void fix_headers(struct eth_pkt *seg, const struct eth_pkt *first,
			uint16_t index, size_t done, bool last)
{
	uint8_t *ip = seg->data + first->l3, *tcp = seg->data + first->l4;

	if (first->ip_version == 4) {
		put_be16(ip + IPV4_TOTAL, (uint16_t)(seg->len - first->l3));
		put_be16(ip + IPV4_ID, (uint16_t)(get_be16(ip + IPV4_ID) +
						  index));
	} else {
		put_be16(ip + IPV6_PAYLOAD,
			 (uint16_t)(seg->len - first->l3 - IPV6_LEN));
	}
	put_be32(tcp + TCP_SEQ, get_be32(tcp + TCP_SEQ) + (uint32_t)done);
	if (!last)
		tcp[TCP_FLAGS] &= (uint8_t)~FIN_PSH;
	if (index)
		tcp[TCP_FLAGS] &= (uint8_t)~CWR;
}

bool eth_segment(const struct eth_pkt *pkt, size_t head, size_t mss,
		 uint8_t *scratch, size_t room,
		 void (*send)(void *arg, struct eth_pkt *pkt), void *arg)
{
	size_t total = pkt->len - head, done = 0, n;
	struct eth_pkt first, seg;
	uint16_t index = 0;

	if (!mss || head > pkt->len || head + mss > 0xffff ||
	    room < head + mss + 2 * ETH_TAG || !find_tcp(pkt, head, &first))
		return false;
	do {
		n = total - done < mss ? total - done : mss;
		seg = first;
		seg.data = scratch;
		seg.room = room;
		seg.len = head + n;
		memcpy(scratch, pkt->data, head);
		memcpy(scratch + head, pkt->data + head + done, n);
		fix_headers(&seg, &first, index++, done, done + n == total);
		if (eth_parse(&seg)) {
			eth_l3_fill(&seg);
			eth_l4_fill(&seg);
			send(arg, &seg);
		}
		done += n;
	} while (done < total);
	return true;
}
