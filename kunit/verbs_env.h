/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The handlers of verbs.c and interop.c under other names, for files that are not
 * bound; ioctl_test.c has handlers of its own as well.
 */
#ifndef MDX_KUNIT_REAL_H
#define MDX_KUNIT_REAL_H

#include <linux/types.h>

struct file;
struct mdx_dev;
struct mdx_ucmd;

int real_bind(struct mdx_ucmd *ucmd);
int real_verbs_modify(struct mdx_ucmd *ucmd);
int real_verbs_query(struct mdx_ucmd *ucmd);

/* What bind has the device do, to believe that a PD is a context's */
int real_proof(struct mdx_dev *mdx, struct file *uverbs, u32 pdn, u16 uid);

#endif /* MDX_KUNIT_REAL_H */
