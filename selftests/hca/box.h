/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Mailboxes of the command queue: chains of blocks in guest memory. */
#ifndef HCA_BOX_H
#define HCA_BOX_H

#include <stddef.h>
#include <stdint.h>

#include "mem.h"

/* How a command was delivered: bits 7:1 of its status byte. */
enum delivery {
	DELIVERY_OK = 0x00,
	DELIVERY_SIGNATURE = 0x01,
	DELIVERY_TOKEN = 0x02,
	DELIVERY_BLOCK_NUM = 0x03,
	DELIVERY_OUT_ALIGN = 0x04,
	DELIVERY_IN_ALIGN = 0x05,
	DELIVERY_FW = 0x06,
	DELIVERY_IN_LENGTH = 0x07,
	DELIVERY_OUT_LENGTH = 0x08,
	DELIVERY_RESERVED = 0x09,
	DELIVERY_DESCRIPTOR = 0x10,
};

enum {
	BOX_INLINE = 16,		/* bytes in the queue entry itself */
	BOX_DATA = 512,			/* bytes in a block */
	/* No public source gives a limit; stock drivers stay far below. */
	BOX_MAX = 4 << 20,
};

static inline size_t box_blocks(size_t len)
{
	return len <= BOX_INLINE ? 0 : (len - BOX_INLINE - 1) / BOX_DATA + 1;
}

/*
 * Walk the chain of an input mailbox of @len bytes, which starts at @gpa, and
 * copy what is in its blocks to @buf.
 */
enum delivery box_read(struct mem *mem, uint64_t gpa, uint8_t token,
		       uint8_t *buf, size_t len);
/* Walk the chain of an output mailbox; the addresses of blocks go to @blocks. */
enum delivery box_walk(struct mem *mem, uint64_t gpa, uint8_t token,
		       uint64_t *blocks, size_t len);
/* Write @buf to the blocks that box_walk() found. */
enum delivery box_write(struct mem *mem, const uint64_t *blocks, uint8_t token,
			const uint8_t *buf, size_t len);

#endif /* HCA_BOX_H */
