// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <stdbool.h>

#include "box.h"
#include "bytes.h"

/* A block; the bytes between data and next are reserved. */
enum {
	BLOCK_NEXT = 0x230,
	BLOCK_NUM = 0x238,
	BLOCK_TOKEN = 0x23d,
	BLOCK_SIZE = 0x240,
	BLOCK_ALIGN = 512,
};

/*
 * Read block number @num at *@gpa and go on to the next. The block's number
 * ends loops, too: a block that comes twice has the wrong one the second time.
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
	 * No public source documents what a mailbox outside of memory gives;
	 * a real function would also see a PCI error.
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

enum delivery box_read(struct mem *mem, uint64_t gpa, uint8_t token,
		       uint8_t *buf, size_t len)
{
	size_t i, j, n, nr = box_blocks(len);
	uint8_t block[BLOCK_SIZE];
	enum delivery ret;

	len -= nr ? BOX_INLINE : len;
	for (i = 0; i < nr; i++) {
		ret = next_block(mem, &gpa, (uint32_t)i, token, false, block);
		if (ret)
			return ret;
		n = len < BOX_DATA ? len : BOX_DATA;
		for (j = 0; j < n; j++)
			*buf++ = block[j];
		len -= n;
	}
	return DELIVERY_OK;
}

enum delivery box_walk(struct mem *mem, uint64_t gpa, uint8_t token,
		       uint64_t *blocks, size_t len)
{
	size_t i, nr = box_blocks(len);
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

enum delivery box_write(struct mem *mem, const uint64_t *blocks, uint8_t token,
			const uint8_t *buf, size_t len)
{
	size_t i, n, nr = box_blocks(len);

	len -= nr ? BOX_INLINE : len;
	for (i = 0; i < nr; i++) {
		n = len < BOX_DATA ? len : BOX_DATA;
		if (mem_write(mem, blocks[i], buf, n) ||
		    mem_write(mem, blocks[i] + BLOCK_TOKEN, &token, 1))
			return DELIVERY_FW;
		buf += n;
		len -= n;
	}
	return DELIVERY_OK;
}
