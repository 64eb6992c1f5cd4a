/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * bind.c and interop.c without rdma_core: no handle of a verbs object is known, and
 * no file is one of uverbs.
 */
#ifndef MDX_KUNIT_VERBS_ENV_H
#define MDX_KUNIT_VERBS_ENV_H

#include <linux/types.h>

struct file;
struct mdx_dev;

/* The probe mkey of bind: verify_uid() of a PD and a uid */
int env_verify_uid(struct mdx_dev *mdx, struct file *uverbs, u32 pdn, u16 uid);

#endif /* MDX_KUNIT_VERBS_ENV_H */
