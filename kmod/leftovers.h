/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Objects that a device keeps although their context has ended.
 */
#ifndef MDX_LEFTOVERS_H
#define MDX_LEFTOVERS_H

#include <linux/spinlock.h>
#include <linux/types.h>

struct mdx_owner;

/**
 * struct mdx_leftovers - Objects that a device kept when their context ended
 * @lock: protects the rest
 * @contexts: contexts that ended so
 * @objs: objects
 * @uid: firmware uid of the last context
 * @opcode: command that created one of its objects
 * @fw_id: number of that object
 */
struct mdx_leftovers {
	spinlock_t lock; /* all below */
	u64 contexts;
	u64 objs;
	u16 uid;
	u16 opcode;
	u32 fw_id;
};

void mdx_leftovers_report(struct mdx_owner *owner);

#endif /* MDX_LEFTOVERS_H */
