/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Rules of single items of a batch, for the module and for libmdx, which executes
 * batches by threads where the module does not.
 */
#ifndef MDX_SUBMIT_ITEM_H
#define MDX_SUBMIT_ITEM_H

#include <linux/types.h>

#include <mdx/mdx_uapi.h>

#include "submit_chain.h"

/* Bits of an input that no reference reaches: opcode, uid, tunnel, obj_type. */
#define MDX_REF_BIT_MIN 64

/**
 * mdx_item_chain_flags - Properties of an item that its order depends on
 * @cmd: MDX_CMD_* of the item
 * @flags: MDX_ITEM_* of the item
 *
 * Return: enum mdx_chain_flags
 */
static inline u8 mdx_item_chain_flags(u16 cmd, u16 flags)
{
	return (flags & MDX_ITEM_LINK ? MDX_CHAIN_LINK : 0) |
	       (flags & MDX_ITEM_DRAIN ? MDX_CHAIN_DRAIN : 0) |
	       (cmd == MDX_CMD_OBJ_CREATE || cmd == MDX_CMD_UMEM_REG ?
			MDX_CHAIN_CREATES : 0);
}

/**
 * mdx_ref_fits - Test whether a reference may write to an input
 * @bit: offset of the field's most significant bit
 * @width: of the field
 * @len: of the input, in bytes
 *
 * Return: true if the field is within one dword, which is within the input and behind
 * its fixed part
 */
static inline bool mdx_ref_fits(u32 bit, u32 width, u64 len)
{
	return bit >= MDX_REF_BIT_MIN && width && width <= 32 &&
	       bit % 32 + width <= 32 && bit / 32 * 4 + 4ull <= len;
}

#endif /* MDX_SUBMIT_ITEM_H */
