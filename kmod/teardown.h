/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The end of all objects of a file.
 */
#ifndef MDX_TEARDOWN_H
#define MDX_TEARDOWN_H

#include <linux/types.h>

struct mdx_file;

int mdx_teardown_init(void);
void mdx_teardown_exit(void);
bool mdx_obj_destroy_all(struct mdx_file *file);
bool mdx_obj_adopt(struct mdx_file *file);
void mdx_obj_transfer(struct mdx_file *file, struct mdx_file *to);
void mdx_obj_free_all(struct mdx_file *file);

#endif /* MDX_TEARDOWN_H */
