/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Tables of objects, by id.
 */
#ifndef MDX_OBJS_H
#define MDX_OBJS_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/sizes.h>
#include <linux/types.h>

#include "ids.h"

struct mdx_dev;
struct mdx_file;
struct mdx_obj;
struct mdx_ucmd;

/* Objects a table may have at a time. */
#define MDX_OBJS_MAX SZ_1M

/**
 * struct mdx_objs - A table of objects
 * @ids: objects by id. Its lock also protects @all, and mdx_obj::users when that
 *	is raised or set
 * @all: every object the device may still have, newest first, with or without
 *	an id; changed under mdx_dev::registration_lock as well
 * @n: objects that count against MDX_OBJS_MAX
 */
struct mdx_objs {
	struct mdx_ids ids;
	struct list_head all;
	atomic_t n;
};

struct mdx_obj *mdx_obj_begin(struct mdx_ucmd *ucmd);
void mdx_obj_cancel(struct mdx_ucmd *ucmd, struct mdx_obj *obj);
int mdx_obj_create(struct mdx_ucmd *ucmd, struct mdx_obj *obj);
int mdx_ioc_obj_create(struct mdx_ucmd *ucmd);
int mdx_ioc_obj_destroy(struct mdx_ucmd *ucmd);
int mdx_ioc_obj_use(struct mdx_ucmd *ucmd);
int mdx_obj_check_use(struct mdx_ucmd *ucmd);
bool mdx_obj_is_throttled(struct mdx_file *file, u32 id);
struct mdx_obj *mdx_obj_get_shared(struct mdx_objs *objs, u32 id);
void mdx_obj_put_shared(struct mdx_obj *obj);
void mdx_obj_finalize(struct mdx_file *file, struct mdx_obj *obj);
void mdx_obj_abort(struct mdx_file *file, struct mdx_obj *obj);

#endif /* MDX_OBJS_H */
