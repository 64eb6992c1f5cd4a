/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Mailboxes bit by bit, slowly and in the plainest way, to compare with. Bit 0 is
 * the most significant one of byte 0.
 */
#ifndef MDX_KUNIT_MBOX_BITS_H
#define MDX_KUNIT_MBOX_BITS_H

#include <linux/types.h>

static inline bool bit_at(const void *buf, unsigned int bit)
{
	return ((const u8 *)buf)[bit / 8] >> (7 - bit % 8) & 1;
}

static inline void bit_put(void *buf, unsigned int bit, bool val)
{
	u8 *byte = (u8 *)buf + bit / 8, mask = 0x80 >> bit % 8;

	*byte = val ? *byte | mask : *byte & ~mask;
}

/* At most 32 bits */
static inline u32 bits_at(const void *buf, unsigned int bit, unsigned int width)
{
	u32 val = 0;

	while (width--)
		val = val << 1 | bit_at(buf, bit++);
	return val;
}

static inline void bits_put(void *buf, unsigned int bit, unsigned int width,
			    u32 val)
{
	while (width--)
		bit_put(buf, bit++, val >> width & 1);
}

#endif /* MDX_KUNIT_MBOX_BITS_H */
