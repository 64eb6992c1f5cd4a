/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Mailboxes of the command queue: chains of blocks in guest memory. */
#ifndef HCA_MAILBOX_H
#define HCA_MAILBOX_H

#include <stddef.h>
#include <stdint.h>

#include "mem.h"

/* Delivery status of a command: bits 7:1 of its status byte. */
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
	MAILBOX_INLINE = 16,		/* bytes in the queue entry itself */
	MAILBOX_DATA = 512,			/* bytes in a block */
	/*
	 * A guess: no public source gives a limit, stock drivers stay far
	 * below.
	 */
	MAILBOX_MAX = 4 << 20,
};

/* Number of blocks of a mailbox of @len bytes. */
static inline size_t mailbox_blocks(size_t len)
{
	if (len <= MAILBOX_INLINE)
		return 0;
	return (len - MAILBOX_INLINE - 1) / MAILBOX_DATA + 1;
}

/*
 * Copy the blocks of an input mailbox to @buf. The mailbox has @len bytes, and
 * its chain begins at @gpa.
 */
enum delivery mailbox_read(struct mem *mem, uint64_t gpa, uint8_t token,
			   uint8_t *buf, size_t len);
/* Find the blocks of an output mailbox; @blocks gets their addresses. */
enum delivery mailbox_walk(struct mem *mem, uint64_t gpa, uint8_t token,
			   uint64_t *blocks, size_t len);
/* Write @buf to the blocks that mailbox_walk() found. */
enum delivery mailbox_write(struct mem *mem, const uint64_t *blocks,
			    uint8_t token, const uint8_t *buf, size_t len);

#endif /* HCA_MAILBOX_H */
