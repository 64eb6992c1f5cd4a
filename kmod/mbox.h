/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Reading and writing big-endian mailboxes. Every function trusts its caller to
 * have compared the length of the mailbox with the row's minimum.
 */
#ifndef MDX_MBOX_H
#define MDX_MBOX_H

#include <linux/string.h>
#include <linux/types.h>
#include <asm/byteorder.h>

#include "optab.h"

/* The header, which is the same in all inputs, and in all answers. */
#define MDX_FLD_OPCODE ((struct mdx_field){ 0x00, 16 })
#define MDX_FLD_UID ((struct mdx_field){ 0x10, 16 })
#define MDX_FLD_TUNNEL ((struct mdx_field){ 0x20, 16 })
#define MDX_FLD_OBJ_TYPE ((struct mdx_field){ 0x30, 16 })
#define MDX_FLD_STATUS ((struct mdx_field){ 0x00, 8 })
#define MDX_FLD_SYNDROME ((struct mdx_field){ 0x20, 32 })

static inline u32 mdx_field_mask(struct mdx_field f)
{
	return ~0u >> (32 - f.width);
}

static inline unsigned int mdx_field_shift(struct mdx_field f)
{
	return 32 - f.bit % 32 - f.width;
}

/**
 * mdx_mbox_get - Read a field of at most 32 bits
 * @mbox: the mailbox; it may be the first bytes of any buffer
 * @f: the field
 *
 * Return: its value
 */
static inline u32 mdx_mbox_get(const void *mbox, struct mdx_field f)
{
	__be32 dw;

	memcpy(&dw, mbox + f.bit / 32 * 4, sizeof(dw));
	return be32_to_cpu(dw) >> mdx_field_shift(f) & mdx_field_mask(f);
}

/**
 * mdx_mbox_set - Write a field of at most 32 bits
 * @mbox: the mailbox
 * @f: the field
 * @val: value; bits that do not fit are dropped
 */
static inline void mdx_mbox_set(void *mbox, struct mdx_field f, u32 val)
{
	u32 mask = mdx_field_mask(f) << mdx_field_shift(f);
	__be32 dw;

	memcpy(&dw, mbox + f.bit / 32 * 4, sizeof(dw));
	dw = cpu_to_be32((be32_to_cpu(dw) & ~mask) |
			 (val << mdx_field_shift(f) & mask));
	memcpy(mbox + f.bit / 32 * 4, &dw, sizeof(dw));
}

static inline u16 mdx_mbox_opcode(const void *in)
{
	return mdx_mbox_get(in, MDX_FLD_OPCODE);
}

static inline u16 mdx_mbox_tunnel(const void *in)
{
	return mdx_mbox_get(in, MDX_FLD_TUNNEL);
}

static inline u16 mdx_mbox_obj_type(const void *in)
{
	return mdx_mbox_get(in, MDX_FLD_OBJ_TYPE);
}

static inline u16 mdx_mbox_uid(const void *in)
{
	return mdx_mbox_get(in, MDX_FLD_UID);
}

static inline void mdx_mbox_set_uid(void *in, u16 uid)
{
	mdx_mbox_set(in, MDX_FLD_UID, uid);
}

static inline u8 mdx_mbox_status(const void *out)
{
	return mdx_mbox_get(out, MDX_FLD_STATUS);
}

static inline u32 mdx_mbox_syndrome(const void *out)
{
	return mdx_mbox_get(out, MDX_FLD_SYNDROME);
}

void mdx_mbox_force(const struct mdx_op *op, void *in);
bool mdx_mbox_lists_fit(const struct mdx_op *op, const void *in, u32 in_len);
u32 mdx_mbox_count(const struct mdx_op *op, const void *in);
u32 mdx_mbox_created_id(const struct mdx_op *op, const void *in,
			const void *out);
void mdx_mbox_build_dinbox(const struct mdx_op *op, const void *in, u32 id,
			   u16 uid, void *dinbox);

#endif /* MDX_MBOX_H */
