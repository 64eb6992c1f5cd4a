/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Mailbox buffers that are kept for the next command.
 */
#ifndef MDX_POOL_H
#define MDX_POOL_H

#include <linux/types.h>

void *mdx_pool_get(size_t len);
void mdx_pool_put(void *buf, size_t len);
void mdx_pool_drain(void);

#endif /* MDX_POOL_H */
