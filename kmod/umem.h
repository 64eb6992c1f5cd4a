/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Memory of user space that the device knows by a number.
 */
#ifndef MDX_UMEM_H
#define MDX_UMEM_H

#include <linux/types.h>

struct mdx_cmd;
struct mdx_ioc_umem_reg;
struct mdx_obj;
struct mdx_op;
struct mdx_run;
struct mdx_ucmd;

extern const struct mdx_op mdx_umem_op;

int mdx_umem_pin(struct mdx_obj *obj, struct mdx_ucmd *ucmd);
int mdx_umem_build(struct mdx_obj *obj, struct mdx_ucmd *ucmd);

/* umem_reg.c */
int mdx_umem_item_begin(struct mdx_run *run);
void mdx_umem_answer(struct mdx_run *run, int ret);
int mdx_umem_item_respond(struct mdx_run *run, int ret);
int mdx_ioc_umem_reg(struct mdx_ucmd *ucmd);

#endif /* MDX_UMEM_H */
