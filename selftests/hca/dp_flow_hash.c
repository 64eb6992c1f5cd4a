// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <string.h>

#include "bytes.h"
#include "dp_flow_hash.h"

/* For each bit that is set: the 32 bits of the key from that position on. */
uint32_t toeplitz(const uint8_t key[HASH_KEY], const uint8_t *data, size_t n)
{
	uint32_t window = get_be32(key), hash = 0;
	size_t i;

	for (i = 0; i < 8 * n; i++) {
		if (data[i / 8] & (0x80 >> i % 8))
			hash ^= window;
		window = window << 1 |
			 (key[4 + i / 8] >> (7 - i % 8) & 1U);
	}
	return hash;
}

/* Append source and destination; symmetric: the lower one first. */
static size_t put_pair(uint8_t *to, const uint8_t *src, const uint8_t *dst,
		       size_t n, bool has_src, bool has_dst, bool symmetric)
{
	const uint8_t *swap = src;
	size_t len = 0;

	if (has_src && has_dst && symmetric && memcmp(src, dst, n) > 0) {
		src = dst;
		dst = swap;
	}
	if (has_src) {
		memcpy(to, src, n);
		len = n;
	}
	if (has_dst) {
		memcpy(to + len, dst, n);
		len += n;
	}
	return len;
}

/* The SPI of an ESP or AH header, or NULL. */
static const uint8_t *find_spi(const struct eth_pkt *pkt)
{
	enum { PROTO_ESP = 50, PROTO_AH = 51, AH_SPI = 4, SPI = 4 };
	size_t at = pkt->l4 + (pkt->proto == PROTO_AH ? AH_SPI : 0);

	if (pkt->l4_type != L4_OTHER || at + SPI > pkt->l3_end ||
	    (pkt->proto != PROTO_ESP && pkt->proto != PROTO_AH))
		return NULL;
	return pkt->data + at;
}

void flow_hash(const struct eth_pkt *pkt, struct flow_hash *hash)
{
	const uint8_t *ip = pkt->data + pkt->l3, *l4 = pkt->data + pkt->l4;
	const uint8_t *spi = find_spi(pkt);
	uint8_t tuple[40], fields = hash->fields;
	size_t n;

	hash->val = 0;
	hash->ports = fields & (HASH_SPORT | HASH_DPORT);
	hash->valid = fields && pkt->ip_version == (hash->ipv6 ? 6 : 4) &&
		      (!(fields & HASH_SPI) || (spi && !hash->ports)) &&
		      (!hash->ports ||
		       pkt->l4_type == (hash->udp ? L4_UDP : L4_TCP));
	if (!hash->valid)
		return;
	if (hash->ipv6)
		n = put_pair(tuple, ip + 8, ip + 24, 16, fields & HASH_SRC_IP,
			     fields & HASH_DST_IP, hash->symmetric);
	else
		n = put_pair(tuple, ip + 12, ip + 16, 4, fields & HASH_SRC_IP,
			     fields & HASH_DST_IP, hash->symmetric);
	if (hash->ports)
		n += put_pair(tuple + n, l4, l4 + 2, 2, fields & HASH_SPORT,
			      fields & HASH_DPORT, hash->symmetric);
	if (fields & HASH_SPI) {
		memcpy(tuple + n, spi, 4);
		n += 4;
	}
	hash->val = toeplitz(hash->key, tuple, n);
}
