/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Binding a file to a verbs context. Optional: without MDX_HAVE_VERBS_LAYOUT
 * (compat.mk) no file is ever bound.
 */
#ifndef MDX_BIND_H
#define MDX_BIND_H

#include <linux/errno.h>

struct mdx_ucmd;

#ifdef MDX_HAVE_VERBS_LAYOUT
#define MDX_BIND_FEATURES (MDX_FEATURE_VERBS | MDX_FEATURE_BIND)

int mdx_ioc_bind(struct mdx_ucmd *ucmd);
#else
#define MDX_BIND_FEATURES 0

static inline int mdx_ioc_bind(struct mdx_ucmd *ucmd)
{
	return -EOPNOTSUPP;
}
#endif

#endif /* MDX_BIND_H */
