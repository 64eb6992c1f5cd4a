// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <stdbool.h>

#include "bytes.h"
#include "mailbox.h"

/*
 * Offsets in a block. The bytes between the data and BLOCK_NEXT are reserved.
 */
enum {
	BLOCK_NEXT = 0x230,
	BLOCK_NUM = 0x238,
	BLOCK_TOKEN = 0x23d,
	BLOCK_SIZE = 0x240,
	BLOCK_ALIGN = 512,
};

/*
 * Read block @num at *@gpa and advance *@gpa to the next. The check of the
 * number also ends loops: a block that is visited twice has the wrong number.
 */
static enum delivery next_block(struct mem *mem, uint64_t *gpa, uint32_t num,
				uint8_t token, bool out,
				uint8_t block[BLOCK_SIZE])
{
	/* The chain is shorter than the length says. */
	if (!*gpa)
		return out ? DELIVERY_OUT_LENGTH : DELIVERY_IN_LENGTH;
	if (*gpa % BLOCK_ALIGN)
		return out ? DELIVERY_OUT_ALIGN : DELIVERY_IN_ALIGN;
	/*
	 * The status is a guess: no public source documents a mailbox outside
	 * of memory. A real function would see a PCI error as well.
	 */
	if (mem_read(mem, *gpa, block, BLOCK_SIZE))
		return DELIVERY_FW;
	if (get_be32(block + BLOCK_NUM) != num)
		return DELIVERY_BLOCK_NUM;
	if (block[BLOCK_TOKEN] != token)
		return DELIVERY_TOKEN;
	*gpa = get_be64(block + BLOCK_NEXT);
	return DELIVERY_OK;
}

enum delivery mailbox_read(struct mem *mem, uint64_t gpa, uint8_t token,
			   uint8_t *buf, size_t len)
{
	size_t i, j, n, nr = mailbox_blocks(len);
	uint8_t block[BLOCK_SIZE];
	enum delivery ret;

	len -= nr ? MAILBOX_INLINE : len;
	for (i = 0; i < nr; i++) {
		ret = next_block(mem, &gpa, (uint32_t)i, token, false, block);
		if (ret)
			return ret;
		n = len < MAILBOX_DATA ? len : MAILBOX_DATA;
		for (j = 0; j < n; j++)
			*buf++ = block[j];
		len -= n;
	}
	return DELIVERY_OK;
}

enum delivery mailbox_walk(struct mem *mem, uint64_t gpa, uint8_t token,
			   uint64_t *blocks, size_t len)
{
	size_t i, nr = mailbox_blocks(len);
	uint8_t block[BLOCK_SIZE];
	enum delivery ret;

	for (i = 0; i < nr; i++) {
		blocks[i] = gpa;
		ret = next_block(mem, &gpa, (uint32_t)i, token, true, block);
		if (ret)
			return ret;
	}
	return DELIVERY_OK;
}

enum delivery mailbox_write(struct mem *mem, const uint64_t *blocks,
			    uint8_t token, const uint8_t *buf, size_t len)
{
	size_t i, n, nr = mailbox_blocks(len);

	len -= nr ? MAILBOX_INLINE : len;
	for (i = 0; i < nr; i++) {
		n = len < MAILBOX_DATA ? len : MAILBOX_DATA;
		if (mem_write(mem, blocks[i], buf, n) ||
		    mem_write(mem, blocks[i] + BLOCK_TOKEN, &token, 1))
			return DELIVERY_FW;
		buf += n;
		len -= n;
	}
	return DELIVERY_OK;
}
