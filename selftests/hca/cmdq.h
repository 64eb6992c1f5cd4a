/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The command queue: 32 slots in guest memory, served by a set number of
 * workers. A slot's command is fetched when its doorbell rings, executed when
 * a worker is free and its latency has passed, and then completed.
 */
#ifndef HCA_CMDQ_H
#define HCA_CMDQ_H

#include <stdbool.h>
#include <stdint.h>

#include "box.h"
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
 * @slot: the command in each slot that was fetched and not completed
 * @waiting: those that wait for a worker, oldest first
 * @busy: workers at work
 * @workers: how many there are
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
/* Forget everything in flight; nothing of it will be completed. */
void cmdq_reset(struct hca *hca);
/* @slots of the queue at @gpa hold new commands. */
void cmdq_doorbell(struct hca *hca, uint64_t gpa, uint32_t slots);
void cmdq_set_workers(struct hca *hca, unsigned int workers);
/* Complete the commands whose completion was dropped; returns how many. */
unsigned int cmdq_complete_dropped(struct hca *hca, bool entry_only);
/* Commands fetched and not completed, the dropped ones aside. */
unsigned int cmdq_in_flight(const struct cmdq *q);

#endif /* HCA_CMDQ_H */
