/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Packets for tests. */
#ifndef HCA_TEST_ETH_FRAMES_H
#define HCA_TEST_ETH_FRAMES_H

#include <string.h>

#include "../bytes.h"
#include "../prm.h"

/**
 * struct frame - a packet to build
 * @tags: number of VLAN tags: of a customer, and of a service before that
 * @ip: 4 or 6, or 0 for none
 * @proto: 6 or 17
 * @payload: bytes behind the TCP or UDP header
 * @dmac: last byte of the destination, 0x55 if it is 0
 * @sport: source port, 1000 if it is 0
 */
struct frame {
	u8 tags;
	u8 ip;
	u8 proto;
	u16 payload;
	u8 dmac;
	u16 sport;
};

static inline u8 *frame_ip(u8 *p, const struct frame *f, size_t l4)
{
	static const u8 src[] = { 192, 0, 2, 1 }, dst[] = { 192, 0, 2, 2 };

	if (f->ip == 4) {
		p[0] = 0x45;
		p[1] = 0xa9;
		put_be16(p + 2, (u16)(20 + l4));
		p[8] = 64;
		p[9] = f->proto;
		memcpy(p + 12, src, 4);
		memcpy(p + 16, dst, 4);
		return p + 20;
	}
	put_be32(p, 0x6a912345);
	put_be16(p + 4, (u16)l4);
	p[6] = f->proto;
	p[7] = 64;
	memset(p + 8, 0x11, 16);
	memset(p + 24, 0x22, 16);
	return p + 40;
}

/* Build the packet with all checksums 0; returns its length. */
static inline size_t frame_put(u8 *data, const struct frame *f)
{
	static const u8 macs[] = {
		0x02, 0x11, 0x22, 0x33, 0x44, 0x55,
		0x02, 0x66, 0x77, 0x88, 0x99, 0xaa,
	};
	size_t head = f->proto == 6 ? 20 : 8, i;
	u8 *p = data + 12;

	memset(data, 0, 128);
	memcpy(data, macs, sizeof(macs));
	if (f->dmac)
		data[5] = f->dmac;
	for (i = f->tags; i; i--, p += 4) {
		put_be16(p, i == 2 ? 0x88a8 : 0x8100);
		put_be16(p + 2, (u16)(0x6100 + i));
	}
	put_be16(p, f->ip == 4 ? 0x800 : f->ip ? 0x86dd : 0x88b5);
	p += 2;
	if (f->ip) {
		p = frame_ip(p, f, head + f->payload);
		put_be16(p, f->sport ? f->sport : 1000);
		put_be16(p + 2, 2000);
		if (f->proto == 6) {
			put_be32(p + 4, 0xfffffff0);
			p[12] = 0x50;
			p[13] = 0x10;
		} else {
			put_be16(p + 4, (u16)(8 + f->payload));
		}
		p += head;
	}
	for (i = 0; i < f->payload; i++)
		*p++ = (u8)(i * 7 + 3);
	return (size_t)(p - data);
}

#endif /* HCA_TEST_ETH_FRAMES_H */
