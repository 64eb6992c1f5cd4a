/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * CQs, whose completions are events.
 */
#ifndef MDX_OBJ_CQ_H
#define MDX_OBJ_CQ_H

struct list_head;
struct mdx_obj;

struct list_head *mdx_cq_subs(struct mdx_obj *obj);

#endif /* MDX_OBJ_CQ_H */
