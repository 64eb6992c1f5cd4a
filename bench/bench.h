/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What the parts of devx_bench share.
 */
#ifndef MDX_BENCH_H
#define MDX_BENCH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "kinds.h"

/* The functions of one library: libmdx's or libmlx5's. */
struct path {
	__typeof__(mlx5dv_devx_obj_create) *create;
	__typeof__(mlx5dv_devx_obj_query) *query;
	__typeof__(mlx5dv_devx_obj_destroy) *destroy;
	__typeof__(mlx5dv_devx_general_cmd) *general;
	__typeof__(mlx5dv_devx_qp_query) *qp_query;
};

extern struct path ours, stock;
extern struct world w;

/* Ends the program with a line on stderr. */
void die(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Nanoseconds. */
uint64_t now_ns(void);

/* Sorts @v, which has @n values. */
double percentile(double *v, unsigned int n, unsigned int percent);

/* The parts; each prints its lines. @how: a word for the name of the case. */
void bench_commands(unsigned int rounds, unsigned int n);
void bench_teardown(unsigned int objects, const char *how);
void bench_fairness(const char *how);
void bench_objects(unsigned int objects);
void bench_pool(const char *how);

#endif /* MDX_BENCH_H */
