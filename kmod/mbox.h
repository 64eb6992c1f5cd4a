/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Reading and writing big-endian mailboxes. Every function trusts its caller to
 * have compared the length of the mailbox with the row's minimum.
 */
#ifndef MDX_MBOX_H
#define MDX_MBOX_H

#include <linux/types.h>

#include "optab.h"

u32 mdx_mbox_get(const void *mbox, struct mdx_field f);
void mdx_mbox_set(void *mbox, struct mdx_field f, u32 val);

/* The header, the same in all inputs and in all answers. */
u16 mdx_mbox_opcode(const void *in);
u16 mdx_mbox_tunnel(const void *in);
u16 mdx_mbox_obj_type(const void *in);
u16 mdx_mbox_uid(const void *in);
void mdx_mbox_set_uid(void *in, u16 uid);
u8 mdx_mbox_status(const void *out);
u32 mdx_mbox_syndrome(const void *out);

void mdx_mbox_force(const struct mdx_op *op, void *in);
u32 mdx_mbox_count(const struct mdx_op *op, const void *in);
u32 mdx_mbox_created_id(const struct mdx_op *op, const void *in,
			const void *out);
void mdx_mbox_build_undo(const struct mdx_op *op, const void *in, u32 id,
			 u16 uid, void *din);

#endif /* MDX_MBOX_H */
