// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Common to the parts of devx_bench. */
#include <dlfcn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>

#include "bench.h"

struct devx_funcs ours, stock;
struct mdx_world w;

void die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fputs("devx_bench: ", stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	va_end(ap);
	exit(1);
}

uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

double percentile(double *v, unsigned int n, unsigned int percent)
{
	qsort(v, n, sizeof(*v), compare_doubles);
	return v[n * percent / 100];
}

static void load_funcs(struct devx_funcs *funcs, const char *library)
{
	void *lib = dlopen(library, RTLD_NOW);

	if (!lib)
		die("%s", dlerror());
	funcs->create = dlsym(lib, "mlx5dv_devx_obj_create");
	funcs->query = dlsym(lib, "mlx5dv_devx_obj_query");
	funcs->modify = dlsym(lib, "mlx5dv_devx_obj_modify");
	funcs->destroy = dlsym(lib, "mlx5dv_devx_obj_destroy");
	funcs->general = dlsym(lib, "mlx5dv_devx_general_cmd");
	funcs->qp_query = dlsym(lib, "mlx5dv_devx_qp_query");
	if (!funcs->create || !funcs->query || !funcs->modify || !funcs->destroy ||
	    !funcs->general || !funcs->qp_query)
		die("%s lacks a function", library);
}

void bench_start(void)
{
	/* The program is linked with libmdx, so that libmdx sees the open. */
	load_funcs(&ours, "libmdx.so.1");
	load_funcs(&stock, "libmlx5.so.1");
	if (world_start(&w))
		die("no device with mlx5_devx");
}
