/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* BAR 0: the initialization segment, MSI-X pending bits and the UAR pages. */
#ifndef HCA_BAR_H
#define HCA_BAR_H

#include <stdbool.h>
#include <stdint.h>

enum { BAR_UAR_FIRST = 16 };

struct hca;

/**
 * struct bar - registers
 * @cmdq_h: high half of the command queue's address
 * @cmdq_l: low half, without the size fields
 * @nic_ifc: state of the NIC interface, 0 if it works
 * @db_hi: first half of an 8 byte doorbell that is written in two halves
 * @db_off: offset of its second half, 0 for none
 * @bf: work request being written to a BlueFlame register
 * @bf_off: offset of its next bytes, 0 for none
 */
struct bar {
	uint32_t cmdq_h;
	uint32_t cmdq_l;
	uint8_t nic_ifc;
	uint32_t db_hi;
	uint64_t db_off;
	uint8_t bf[64];
	uint64_t bf_off;
};

void bar_reset(struct bar *bar);
void bar_read(struct hca *hca, uint64_t off, uint8_t *buf, uint32_t len);
void bar_write(struct hca *hca, uint64_t off, const uint8_t *buf,
	       uint32_t len);

#endif /* HCA_BAR_H */
