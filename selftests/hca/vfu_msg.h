/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Execution of vfio-user messages. */
#ifndef HCA_VFU_MSG_H
#define HCA_VFU_MSG_H

#include "vfu.h"

/* The connection is to be closed without an answer. */
enum { VFU_HANGUP = 1 };

/*
 * Execute one message. @reply (VFU_MAX_MSG bytes) and @len are the payload of
 * the answer. Returns 0, a negative errno for an error answer, or VFU_HANGUP.
 */
int vfu_handle(struct vfu *vfu, const struct vfu_hdr *hdr, const uint8_t *data,
	       size_t data_len, uint8_t *reply, size_t *len);

#endif /* HCA_VFU_MSG_H */
