// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Mailbox buffers that are kept for the next command.
 *
 * A buffer holds the bytes of its last user: the next one must write all bytes that
 * it reads later. cmd.c does: an input is copied whole, and an output is handed out
 * only after mlx5_core has written all of it.
 *
 * A slot is emptied and filled by one atomic exchange: no lock is needed. A task
 * that migrates between choosing a slot and using it uses that of another CPU.
 *
 * Closing a file takes no buffer: a destroy inbox is part of its object, and the
 * answer to it fits the stack.
 *
 * PURE: no mlx5 or rdma function.
 */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "pool.h"

#define SLOTS 4

/*
 * Most commands; a context with its header; a page of capabilities; a list of 64
 * KiB, of which one is kept: clearing it takes a kernel as long as the copy.
 */
static const size_t class_len[] = { 512, 2048, 8192, 131072 };
static const int class_slots[] = { SLOTS, SLOTS, SLOTS, 1 };

struct slots {
	void *buf[ARRAY_SIZE(class_len)][SLOTS];
};

static DEFINE_PER_CPU(struct slots, pool);

/*
 * Buffers longer than all classes are rare, but cost most: kernels clear all memory
 * they allocate, and from the page allocator 1 MiB and a header are 2 MiB. So one
 * is kept for all CPUs, as long as the longest mailbox with a header.
 */
#define LONG_LEN ((size_t)(SZ_2M + PAGE_SIZE))

static void *long_buf;

static int class_of(size_t len)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(class_len); i++)
		if (len <= class_len[i])
			return i;
	return -1;
}

static void *long_get(size_t len)
{
	void *buf = len <= LONG_LEN ? xchg(&long_buf, NULL) : NULL;

	return buf ? buf : __vmalloc(max(len, LONG_LEN), GFP_KERNEL_ACCOUNT);
}

static void long_put(void *buf, size_t len)
{
	if (len > LONG_LEN || cmpxchg(&long_buf, NULL, buf))
		vfree(buf);
}

/**
 * mdx_pool_get - Get a buffer
 * @len: its length, not 0
 *
 * Return: @len bytes of undefined content, or NULL. May sleep.
 */
void *mdx_pool_get(size_t len)
{
	int class = class_of(len);
	void * __percpu *slot;
	void *buf;
	int n;

	if (class < 0)
		return long_get(len);

	slot = pool.buf[class];
	for (n = class_slots[class]; n; n--, slot++) {
		buf = this_cpu_xchg(*slot, NULL);
		if (buf)
			return buf;
	}
	return kvmalloc(class_len[class], GFP_KERNEL_ACCOUNT);
}

/**
 * mdx_pool_put - Put a buffer back
 * @buf: from mdx_pool_get(), or NULL
 * @len: the length given to mdx_pool_get()
 */
void mdx_pool_put(void *buf, size_t len)
{
	int class = class_of(len);
	void * __percpu *slot;
	int n;

	if (!buf)
		return;
	if (class < 0) {
		long_put(buf, len);
		return;
	}

	slot = pool.buf[class];
	for (n = class_slots[class]; n; n--, slot++)
		if (!this_cpu_cmpxchg(*slot, NULL, buf))
			return;
	kvfree(buf);
}

/**
 * mdx_pool_drain - Free the buffers of the pool
 *
 * Called when no task uses the pool any more.
 */
void mdx_pool_drain(void)
{
	int cpu, class, i;

	for_each_possible_cpu(cpu)
		for (class = 0; class < ARRAY_SIZE(class_len); class++)
			for (i = 0; i < SLOTS; i++)
				kvfree(per_cpu(pool, cpu).buf[class][i]);
	vfree(long_buf);
}
