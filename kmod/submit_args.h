/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The items and references of a batch, as the caller gives them.
 */
#ifndef MDX_SUBMIT_ARGS_H
#define MDX_SUBMIT_ARGS_H

#include <linux/types.h>

#include <mdx/mdx_uapi.h>

#include "submit_chain.h"

struct mdx_patch;
struct mdx_run;
struct mdx_ucmd;

/**
 * struct mdx_submit_own - What the module notes about an item
 * @fw_id: the device's number of the object that it has created
 * @refs: index of its first reference
 */
struct mdx_submit_own {
	u32 fw_id;
	u32 refs;
};

/**
 * struct mdx_submit_args - Items and references of a batch
 * @uitems: the caller's items
 * @stride: bytes from one to the next
 * @n: items
 * @items: copies of them. An out_obj is the id of an object that exists as far as the
 *	batch is concerned
 * @refs: copies of the references
 * @refs_n: references
 * @patches: the fields that the references name, and their values once these are known
 * @own: notes about the items
 * @chain: order of the items
 * @mem: memory of all of them
 */
struct mdx_submit_args {
	void __user *uitems;
	u32 stride;
	u32 n;
	struct mdx_item *items;
	struct mdx_ref *refs;
	u32 refs_n;
	struct mdx_patch *patches;
	struct mdx_submit_own *own;
	struct mdx_chain chain;
	void *mem;
};

int mdx_submit_args_read(struct mdx_submit_args *args, struct mdx_ucmd *ucmd);
void mdx_submit_args_patch(struct mdx_submit_args *args, u32 i,
			   struct mdx_run *run);
void mdx_submit_args_free(struct mdx_submit_args *args);
int mdx_submit_item_write(const struct mdx_submit_args *args, u32 i);

#endif /* MDX_SUBMIT_ARGS_H */
