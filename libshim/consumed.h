/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Objects that libmlx5 creates although their context is served. */
#ifndef MDX_CONSUMED_H
#define MDX_CONSUMED_H

#include "shim.h"

/*
 * NULL, or the reason if functions of libmlx5 take the object that @in creates. NULL
 * for all of them if MDX_SERVE is "all" in the environment.
 */
const char *mdx_consumed_reason(const void *in, size_t inlen);

#endif /* MDX_CONSUMED_H */
