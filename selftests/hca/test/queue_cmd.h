/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Commands in guest memory, and their doorbell. */
#ifndef HCA_TEST_QUEUE_CMD_H
#define HCA_TEST_QUEUE_CMD_H

#include "env.h"

enum {
	TOKEN = 0x5a,
	BLOCK_STEP = 1024,
	OUT_MAILBOXES = MAILBOXES + 0x8000,
};

static inline uint8_t *slot_entry(struct env *e, unsigned int slot)
{
	return guest_at(e, QUEUE + slot * 64);
}

static inline uint8_t *status_of(struct env *e, unsigned int slot)
{
	return slot_entry(e, slot) + 0x3f;
}

static inline uint8_t *block_at(struct env *e, uint64_t base, unsigned int i)
{
	return guest_at(e, base + (uint64_t)i * BLOCK_STEP);
}

static inline void put_chain(struct env *e, uint64_t base, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		uint8_t *b = block_at(e, base, i);

		memset(b, 0, 576);
		if (i + 1 < n)
			put_be64(b + 0x230, base + (i + 1) * BLOCK_STEP);
		put_be32(b + 0x238, i);
		b[0x23d] = TOKEN;
	}
}

/* A command of @opcode in @slot, with the blocks that its lengths need. */
static inline void put_cmd(struct env *e, unsigned int slot, uint16_t opcode,
			   uint32_t in_len, uint32_t out_len)
{
	uint8_t *c = slot_entry(e, slot);

	memset(c, 0, 64);
	c[0] = 7;
	put_be32(c + 0x04, in_len);
	put_be16(c + 0x10, opcode);
	put_be32(c + 0x38, out_len);
	c[0x3c] = TOKEN;
	c[0x3f] = 1;
	if (mailbox_blocks(in_len)) {
		put_chain(e, MAILBOXES, (unsigned int)mailbox_blocks(in_len));
		put_be64(c + 0x08, MAILBOXES);
	}
	if (mailbox_blocks(out_len)) {
		put_chain(e, OUT_MAILBOXES,
			  (unsigned int)mailbox_blocks(out_len));
		put_be64(c + 0x30, OUT_MAILBOXES);
	}
}

static inline void start_queue(struct env *e)
{
	env_init(e);
	bar_put32(e, 0x10, 0);
	bar_put32(e, 0x14, QUEUE);
}

static inline void ring_slots(struct env *e, uint32_t slots)
{
	bar_put32(e, 0x18, slots);
}

/* Ring slot 0 and expect the delivery status @want, and no execution. */
static inline void expect_delivery(struct env *e, uint8_t want)
{
	ring_slots(e, 1);
	CHECK_EQ(*status_of(e, 0), want << 1);
	CHECK_EQ(stub.execs, 0);
	CHECK_EQ(cmdq_in_flight(&e->hca.cmdq), 0);
	env_fini(e);
}

#endif /* HCA_TEST_QUEUE_CMD_H */
