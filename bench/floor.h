/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Interface of mdx_floor.ko for devx_bench. Not part of mlx5_devx, not
 * installed.
 */
#ifndef MDX_BENCH_FLOOR_H
#define MDX_BENCH_FLOOR_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define FLOOR_NODE "/dev/mdx_floor"

/* Ticks of the time stamp counter of the calling CPU. */
struct floor_now {
	__u64 tsc;
	__u64 idle;	/* the part of them in the idle task */
};

struct floor_cmd {
	__u64 in;
	__u64 out;
	__u32 in_len;
	__u32 out_len;
	__u32 n;	/* number of times */
	__u32 destroy;	/* opcode that destroys the object each time, or 0 */
};

#define FLOOR_NOW _IOR('F', 1, struct floor_now)
/* The bare command: mlx5_cmd_do() with the input that FLOOR_LOAD copied. */
#define FLOOR_RUN _IOW('F', 2, struct floor_cmd)
#define FLOOR_LOAD _IOW('F', 5, struct floor_cmd)
/* The bytes alone: one copy of the input and one of the output. */
#define FLOOR_COPY _IOW('F', 3, struct floor_cmd)

/* @n allocations and frees of a buffer of @len bytes, in ticks. */
struct floor_pool {
	__u64 len;
	__u64 n;
	__u64 pool;	/* by kmod/pool.c */
	__u64 kvzalloc;	/* by kvzalloc() and kvfree() */
};

#define FLOOR_POOL _IOWR('F', 4, struct floor_pool)

#endif /* MDX_BENCH_FLOOR_H */
