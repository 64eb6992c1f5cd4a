/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Memory of queues and of work requests. Functions return false if an access is
 * not allowed, or the memory cannot be reached.
 */
#ifndef HCA_DP_MEM_H
#define HCA_DP_MEM_H

#include "hca.h"

enum { ANY_QPN = 0xffffff };	/* of an mkey */

/* A segment of the memory of a work request. */
struct dp_seg {
	uint64_t addr;
	uint64_t len;
	uint32_t key;
	const uint8_t *inl;	/* inline data, in the request itself */
};

/* An access: the queue's PD and number, the rights it needs, its direction. */
struct dp_access {
	uint32_t pd;
	uint32_t qpn;
	uint8_t need;		/* enum fw_access */
	bool write;		/* of an atomic; other rights say it */
};

/* The address of byte @off of the buffer. */
bool buf_gpa(const struct fw_buf *buf, uint64_t off, uint64_t *gpa);
bool buf_read(struct hca *hca, const struct fw_buf *buf, uint64_t off,
	      void *data, size_t len);
/* Copy to or from the memory of an mkey; @access says which. */
bool key_copy(struct hca *hca, const struct dp_access *access, uint32_t key,
	      uint64_t addr, uint8_t *data, size_t len);
/* Copy to or from byte @off of the segments. */
bool segs_copy(struct hca *hca, const struct dp_access *access,
	       const struct dp_seg *seg, unsigned int nr, uint64_t off,
	       uint8_t *data, size_t len);
/* Parse a data segment of a work request. */
void seg_parse(struct dp_seg *seg, const uint8_t *p);

#endif /* HCA_DP_MEM_H */
