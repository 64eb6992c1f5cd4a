/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Mailbox buffers that are kept for the next command.
 */
#ifndef MDX_POOL_H
#define MDX_POOL_H

#include <linux/types.h>

/**
 * struct mdx_buf - A buffer
 * @mem: the memory, or NULL
 * @len: length that was asked for
 * @pooled: it belongs to the pool, and is charged to no cgroup
 */
struct mdx_buf {
	void *mem;
	u32 len;
	bool pooled;
};

bool mdx_pool_get(struct mdx_buf *buf, u32 len);
void mdx_pool_put(struct mdx_buf *buf);
void mdx_pool_drain(void);

#endif /* MDX_POOL_H */
