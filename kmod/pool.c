// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Mailbox buffers that are kept for the next command.
 *
 * A buffer in the pool is all zero: it is cleared when it is put back, so that
 * nobody's bytes wait there for the next user, and a get needs no memset. Slots
 * are taken and filled by one atomic exchange each: no lock, any context that
 * may sleep, and a task that migrates between choosing a slot and using it only
 * uses another CPU's.
 *
 * Closing a file takes nothing from here: the mailbox that destroys an object
 * is part of the object, and the answer to it fits the stack.
 *
 * PURE: no mlx5 or rdma function.
 */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "pool.h"

#define SLOTS 4

/* Most commands, a context with its header, a page of capabilities. */
static const size_t class_len[] = { 512, 2048, 8192 };

struct slots {
	void *buf[ARRAY_SIZE(class_len)][SLOTS];
};

static DEFINE_PER_CPU(struct slots, pool);

static int class_of(size_t len)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(class_len); i++)
		if (len <= class_len[i])
			return i;
	return -1;
}

/**
 * mdx_pool_get - Get a buffer
 * @len: its length, not 0
 *
 * Return: @len bytes of zero, or NULL. May sleep.
 */
void *mdx_pool_get(size_t len)
{
	int class = class_of(len);
	void *buf;
	int i;

	if (class < 0)
		return kvzalloc(len, GFP_KERNEL_ACCOUNT);

	for (i = 0; i < SLOTS; i++) {
		buf = this_cpu_xchg(pool.buf[class][i], NULL);
		if (buf)
			return buf;
	}
	return kzalloc(class_len[class], GFP_KERNEL_ACCOUNT);
}

/**
 * mdx_pool_put - Put a buffer back
 * @buf: from mdx_pool_get(), or NULL
 * @len: what it was gotten with: nothing behind it was written
 */
void mdx_pool_put(void *buf, size_t len)
{
	int class = class_of(len);
	int i;

	if (!buf)
		return;
	if (class < 0) {
		kvfree(buf);
		return;
	}

	memset(buf, 0, len);
	for (i = 0; i < SLOTS; i++)
		if (!this_cpu_cmpxchg(pool.buf[class][i], NULL, buf))
			return;
	kfree(buf);
}

/**
 * mdx_pool_drain - Free what the pool keeps
 *
 * When nothing gets or puts any more.
 */
void mdx_pool_drain(void)
{
	int cpu, class, i;

	for_each_possible_cpu(cpu)
		for (class = 0; class < ARRAY_SIZE(class_len); class++)
			for (i = 0; i < SLOTS; i++)
				kfree(per_cpu(pool, cpu).buf[class][i]);
}
