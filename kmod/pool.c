// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Mailbox buffers that are kept for the next command.
 *
 * A buffer holds the bytes of its last user: the next one must write all bytes that
 * it reads later. cmd.c does: an input is copied whole, and an output is handed out
 * only after mlx5_core has written all of it.
 *
 * A slot is emptied and filled by one atomic exchange of its own CPU: no lock is
 * needed, nor an order between CPUs. A task that migrates between choosing a slot and
 * using it uses that of another CPU.
 *
 * Buffers of the pool are charged to no cgroup: they outlive the process that uses
 * them first. Their number is bounded, those in use included; all others are
 * charged to the task that needs them, and freed after the command.
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
 * they allocate. So one is kept for all CPUs, as long as the longest mailbox with a
 * header.
 */
#define LONG_LEN ((size_t)(SZ_2M + PAGE_SIZE))

/* The long buffer while it is not in use, and whether it was allocated. */
static void *long_buf;
static atomic_t long_pooled = ATOMIC_INIT(0);

/* Buffers of the pool, in use or not, by class. */
static atomic_t class_pooled[ARRAY_SIZE(class_len)];

static int class_of(u32 len)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(class_len); i++)
		if (len <= class_len[i])
			return i;
	return -1;
}

/* From the page allocator, 1 MiB and a header would be 2 MiB. */
static void *long_alloc(struct mdx_buf *buf)
{
	void *mem = buf->len <= LONG_LEN ? xchg(&long_buf, NULL) : NULL;

	buf->pooled = true;
	if (mem)
		return mem;
	if (buf->len <= LONG_LEN && !atomic_cmpxchg(&long_pooled, 0, 1)) {
		mem = __vmalloc(LONG_LEN, GFP_KERNEL);
		if (!mem)
			atomic_set(&long_pooled, 0);
		return mem;
	}
	buf->pooled = false;
	return __vmalloc(buf->len, GFP_KERNEL_ACCOUNT);
}

static void *class_alloc(struct mdx_buf *buf, int class)
{
	int max = class_slots[class] * num_possible_cpus();
	void *mem;

	buf->pooled = atomic_add_unless(&class_pooled[class], 1, max);
	if (!buf->pooled)
		return kvmalloc(class_len[class], GFP_KERNEL_ACCOUNT);
	mem = kvmalloc(class_len[class], GFP_KERNEL);
	if (!mem)
		atomic_dec(&class_pooled[class]);
	return mem;
}

/**
 * mdx_pool_get - Get a buffer
 * @buf: filled
 * @len: its length, not 0
 *
 * May sleep.
 *
 * Return: true, and @len bytes of undefined content; false: no memory, and
 * @buf->mem is NULL
 */
bool mdx_pool_get(struct mdx_buf *buf, u32 len)
{
	int class = class_of(len);
	void * __percpu *slot;
	int n;

	buf->len = len;
	if (class < 0) {
		buf->mem = long_alloc(buf);
		return buf->mem;
	}

	slot = pool.buf[class];
	for (n = class_slots[class]; n; n--, slot++) {
		buf->mem = this_cpu_xchg(*slot, NULL);
		if (buf->mem) {
			buf->pooled = true;
			return true;
		}
	}
	buf->mem = class_alloc(buf, class);
	return buf->mem;
}

static void class_put(struct mdx_buf *buf, int class)
{
	void * __percpu *slot = pool.buf[class];
	int n;

	for (n = class_slots[class]; n; n--, slot++)
		if (!this_cpu_cmpxchg(*slot, NULL, buf->mem))
			return;
	/* The slots of this CPU are full: another CPU may need one more. */
	kvfree(buf->mem);
	atomic_dec(&class_pooled[class]);
}

/**
 * mdx_pool_put - Put a buffer back
 * @buf: from mdx_pool_get(), with or without memory
 */
void mdx_pool_put(struct mdx_buf *buf)
{
	int class = class_of(buf->len);

	if (!buf->mem)
		return;
	if (!buf->pooled)
		kvfree(buf->mem);
	else if (class < 0)
		(void)xchg(&long_buf, buf->mem);
	else
		class_put(buf, class);
	buf->mem = NULL;
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
