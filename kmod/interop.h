/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Commands about objects that verbs created. Optional, as bind is.
 */
#ifndef MDX_INTEROP_H
#define MDX_INTEROP_H

#include <linux/errno.h>

struct mdx_ucmd;

#ifdef MDX_HAVE_VERBS_LAYOUT
int mdx_ioc_verbs(struct mdx_ucmd *ucmd);
#else
static inline int mdx_ioc_verbs(struct mdx_ucmd *ucmd)
{
	return -EOPNOTSUPP;
}
#endif

#endif /* MDX_INTEROP_H */
