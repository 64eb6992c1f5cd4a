/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Common to the parts of devx_bench: the two libraries, the objects, the clock.
 */
#ifndef MDX_BENCH_H
#define MDX_BENCH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "objtypes.h"

/* The functions of one library, libmdx or libmlx5. */
struct devx_funcs {
	__typeof__(mlx5dv_devx_obj_create) *create;
	__typeof__(mlx5dv_devx_obj_query) *query;
	__typeof__(mlx5dv_devx_obj_modify) *modify;
	__typeof__(mlx5dv_devx_obj_destroy) *destroy;
	__typeof__(mlx5dv_devx_general_cmd) *general;
	__typeof__(mlx5dv_devx_qp_query) *qp_query;
};

extern struct devx_funcs ours, stock;
extern struct mdx_world w;

/* Load both libraries and open the device. Ends the program if that fails. */
void bench_start(void);

/* Print a line on stderr and end the program. */
void die(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Monotonic time in nanoseconds. */
uint64_t now_ns(void);

/* Percentile of the @n values of @v, which are sorted by it. */
double percentile(double *v, unsigned int n, unsigned int percent);

#endif /* MDX_BENCH_H */
