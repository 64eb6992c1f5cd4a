/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The objects of a file, by id.
 */
#ifndef MDX_OBJS_H
#define MDX_OBJS_H

#include <linux/sizes.h>
#include <linux/types.h>

struct mdx_file;
struct mdx_obj;
struct mdx_ucmd;

/* Objects a file may own at a time. */
#define MDX_OBJS_MAX SZ_1M

int mdx_ioc_obj_create(struct mdx_ucmd *ucmd);
int mdx_ioc_obj_destroy(struct mdx_ucmd *ucmd);
int mdx_ioc_obj_use(struct mdx_ucmd *ucmd);
void mdx_obj_finalize(struct mdx_file *file, struct mdx_obj *obj);
void mdx_obj_abort(struct mdx_file *file, struct mdx_obj *obj);
void mdx_obj_uncount(struct mdx_file *file, struct mdx_obj *obj);
void mdx_obj_unlink(struct mdx_file *file, struct mdx_obj *obj);

#endif /* MDX_OBJS_H */
