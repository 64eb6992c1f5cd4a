/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What mdx_floor.ko offers devx_bench. Not part of mlx5_devx, never installed.
 */
#ifndef MDX_BENCH_FLOOR_H
#define MDX_BENCH_FLOOR_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define FLOOR_NODE "/dev/mdx_floor"

/* Both in ticks of the time stamp counter, of the CPU that asks. */
struct floor_now {
	__u64 tsc;
	__u64 idle;	/* of these, in the idle task */
};

struct floor_cmd {
	__u64 in;
	__u64 out;
	__u32 in_len;
	__u32 out_len;
	__u32 n;	/* how often */
	__u32 destroy;	/* opcode that undoes the command each time, or 0 */
};

#define FLOOR_NOW _IOR('F', 1, struct floor_now)
/* The bare command: mlx5_cmd_do() of what FLOOR_LOAD copied in. */
#define FLOOR_RUN _IOW('F', 2, struct floor_cmd)
#define FLOOR_LOAD _IOW('F', 5, struct floor_cmd)
/* The bytes alone: in and out once, nothing between. */
#define FLOOR_COPY _IOW('F', 3, struct floor_cmd)

/* A buffer of @len gotten and put back @n times; ticks of all of it. */
struct floor_pool {
	__u64 len;
	__u64 n;
	__u64 pool;	/* kmod/pool.c */
	__u64 kvzalloc;	/* and kvfree() */
};

#define FLOOR_POOL _IOWR('F', 4, struct floor_pool)

#endif /* MDX_BENCH_FLOOR_H */
