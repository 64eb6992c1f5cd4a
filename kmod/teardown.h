/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Beginning and end of a table of objects.
 */
#ifndef MDX_TEARDOWN_H
#define MDX_TEARDOWN_H

#include <linux/list.h>
#include <linux/types.h>

struct mdx_dev;
struct mdx_objs;

/**
 * struct mdx_teardown - Objects of one level that are being destroyed
 * @mdx: their device
 * @objs: their table; the lock of its ids protects the fields below
 * @todo: newest first
 * @kept: objects the device keeps, newest first
 * @unanswered: commands the device has not answered, in all passes
 * @destroyed: objects destroyed in this pass
 */
struct mdx_teardown {
	struct mdx_dev *mdx;
	struct mdx_objs *objs;
	struct list_head todo;
	struct list_head kept;
	int unanswered;
	unsigned int destroyed;
};

int mdx_teardown_init(void);
void mdx_teardown_exit(void);
void mdx_objs_init(struct mdx_objs *objs);
void mdx_teardown_begin(struct mdx_teardown *td, struct mdx_dev *mdx);
bool mdx_teardown_pass(struct mdx_teardown *td, struct mdx_objs *objs);
void mdx_objs_keep(struct mdx_objs *objs, struct mdx_objs *kept);
void mdx_objs_uncharge(struct mdx_dev *mdx, struct mdx_objs *objs);
void mdx_objs_free(struct mdx_objs *objs);

#endif /* MDX_TEARDOWN_H */
