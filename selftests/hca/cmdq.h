/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The command queue: 32 slots in guest memory, served by a number of workers. A
 * command is fetched when its doorbell rings, executed when a worker is free
 * and its latency has passed, and then completed.
 */
#ifndef HCA_CMDQ_H
#define HCA_CMDQ_H

#include <stdbool.h>
#include <stdint.h>

#include "mailbox.h"
#include "loop.h"

enum {
	CMDQ_LOG_SLOTS = 5,
	CMDQ_LOG_STRIDE = 6,
	CMDQ_SLOTS = 1 << CMDQ_LOG_SLOTS,
	CMDQ_PAGE_SLOT = 31,
};

struct hca;
struct cmd;

/**
 * struct cmdq - the queue
 * @slot: for each slot, the command that was fetched and not completed
 * @waiting: commands that wait for a worker, oldest first
 * @busy: number of busy workers
 * @workers: number of workers
 * @created_eq: EQ that the running command created, 0 for none
 */
struct cmdq {
	struct cmd *slot[CMDQ_SLOTS];
	struct cmd *waiting;
	unsigned int busy;
	unsigned int workers;
	uint8_t created_eq;
};

void cmdq_init(struct cmdq *q);
/* Forget all commands in flight. They are never completed. */
void cmdq_reset(struct hca *hca);
/* The slots in the mask @slots of the queue at @gpa hold new commands. */
void cmdq_doorbell(struct hca *hca, uint64_t gpa, uint32_t slots);
void cmdq_set_workers(struct hca *hca, unsigned int workers);
/* Complete the commands whose completion was dropped; returns their number. */
unsigned int cmdq_complete_dropped(struct hca *hca, bool entry_only);
/* Number of commands fetched and not completed, without the dropped ones. */
unsigned int cmdq_in_flight(const struct cmdq *q);

#endif /* HCA_CMDQ_H */
