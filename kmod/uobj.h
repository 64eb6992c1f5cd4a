/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Verbs objects, locked as rdma_core does.
 */
#ifndef MDX_UOBJ_H
#define MDX_UOBJ_H

#include <linux/types.h>

struct file;
struct ib_uobject;

struct ib_uobject *mdx_uobj_get(struct file *uverbs, u32 handle);
struct ib_uobject *mdx_uobj_get_exclusive(struct file *uverbs, u32 handle);
void mdx_uobj_put(struct ib_uobject *uobj);
void mdx_uobj_put_exclusive(struct ib_uobject *uobj);
bool mdx_uobj_try_lock(struct ib_uobject *uobj);

#endif /* MDX_UOBJ_H */
