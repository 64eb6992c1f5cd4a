/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Event queues. */
#ifndef HCA_EQ_H
#define HCA_EQ_H

#include <stdbool.h>
#include <stdint.h>

#include "hca_fw.h"

enum {
	EQE_SIZE = 64,
	EQE_DATA = 0x20, /* 28 bytes */
	EQE_OWNER = 0x3f,
	EVENT_NUM = 0x18, /* offset of most events' object number in the data */
	EVENT_COMP = 0x00,
	EVENT_CMD = 0x0a,
};

struct hca;

/**
 * struct eq - an event queue
 * @live: the queue exists
 * @armed: the next event fires the interrupt
 * @attr: attributes; pas is a copy
 * @pi: entries posted
 * @ci: entries consumed, modulo 2^24, as of the last doorbell
 */
struct eq {
	bool live;
	bool armed;
	struct fw_eq_attr attr;
	uint32_t pi;
	uint32_t ci;
};

struct eqs {
	struct eq eq[256];
};

int eq_create(struct hca *hca, const struct fw_eq_attr *attr);
void eq_destroy(struct hca *hca, uint8_t eqn);
void eq_reset(struct hca *hca);

/* Post an event to EQ @eqn. */
void eq_post(struct hca *hca, uint8_t eqn, uint8_t type, uint8_t subtype,
	     const uint8_t data[28]);
/*
 * Post an event to every EQ that subscribed to @type, except @except (0: none).
 */
void eq_event(struct hca *hca, uint8_t type, uint8_t subtype,
	      const uint8_t data[28], uint8_t except);
/* The doorbell of UAR page @uar was written. */
void eq_doorbell(struct hca *hca, uint32_t uar, uint32_t val, bool arm);

#endif /* HCA_EQ_H */
