/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The list of the objects of a file, for user space.
 */
#ifndef MDX_LIST_H
#define MDX_LIST_H

struct mdx_ucmd;

int mdx_ioc_obj_list(struct mdx_ucmd *ucmd);

#endif /* MDX_LIST_H */
