/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The handlers of verbs.c and interop.c under other names, for files that are not
 * bound; ioctl_test.c has handlers of its own as well.
 */
#ifndef MDX_KUNIT_REAL_H
#define MDX_KUNIT_REAL_H

struct mdx_ucmd;

int real_bind(struct mdx_ucmd *ucmd);
int real_verbs_modify(struct mdx_ucmd *ucmd);
int real_verbs_query(struct mdx_ucmd *ucmd);

#endif /* MDX_KUNIT_REAL_H */
