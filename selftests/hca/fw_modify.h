/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Modify: a changed copy of an object's mailbox replaces the mailbox. */
#ifndef HCA_FW_MODIFY_H
#define HCA_FW_MODIFY_H

#include "fw_call.h"

/* Copy a field between two contexts of the same format. */
void fw_field(u8 *to, const u8 *from, size_t bit, unsigned int width);
/* A copy of the object's mailbox to change, or NULL with a syndrome set. */
u8 *fw_copy(struct fw_call *c);
/*
 * Replace the object's mailbox by @cand of @len bytes, which is consumed.
 * @refs, unless it is NULL, finds the references of the new mailbox. @cand may
 * be NULL if fw_copy() failed.
 */
int fw_modify(struct fw_call *c, u8 *cand, size_t len,
	      int (*refs)(struct fw_call *c));

#endif /* HCA_FW_MODIFY_H */
