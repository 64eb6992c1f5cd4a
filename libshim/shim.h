/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Conventions of every exported function. */
#ifndef MDX_SHIM_H
#define MDX_SHIM_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mdx/mdx.h"

#define MDX_PUBLIC __attribute__((visibility("default")))

/*
 * Return @err as the man pages specify: 0, or a positive errno that is in
 * errno, too. MDX_FORWARD passes through.
 */
static inline int mdx_ret(int err)
{
	if (err > 0)
		errno = err;
	return err;
}

#endif /* MDX_SHIM_H */
