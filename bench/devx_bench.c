// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * DEVX over the stock driver and over mlx5_devx, on the same context of the same
 * device, one after the other.
 *
 *	devx_bench commands [ROUNDS [COMMANDS]]	needs mdx_floor.ko
 *	devx_bench teardown [OBJECTS [HOW]]	needs the software ConnectX
 *	devx_bench fairness [HOW]		needs the software ConnectX
 *	devx_bench objects [OBJECTS]		memory of each; needs cgroup2
 *	devx_bench pool [HOW]			needs mdx_floor.ko
 *
 * HOW becomes part of the case's name.
 */
#include <dlfcn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>

#include "bench.h"

struct path ours, stock;
struct world w;

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

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

double percentile(double *v, unsigned int n, unsigned int percent)
{
	qsort(v, n, sizeof(*v), compare);
	return v[n * percent / 100];
}

static void load(struct path *path, const char *library)
{
	void *lib = dlopen(library, RTLD_NOW);

	if (!lib)
		die("%s", dlerror());
	path->create = dlsym(lib, "mlx5dv_devx_obj_create");
	path->query = dlsym(lib, "mlx5dv_devx_obj_query");
	path->destroy = dlsym(lib, "mlx5dv_devx_obj_destroy");
	path->general = dlsym(lib, "mlx5dv_devx_general_cmd");
	path->qp_query = dlsym(lib, "mlx5dv_devx_qp_query");
	if (!path->create || !path->query || !path->destroy ||
	    !path->general || !path->qp_query)
		die("%s lacks a function", library);
}

static unsigned int number(char **argv, int i, unsigned int otherwise)
{
	int k;

	for (k = 0; k <= i; k++)
		if (!argv[k])
			return otherwise;
	return strtoul(argv[i], NULL, 0) ?: otherwise;
}

static const char *word(char **argv, int i)
{
	int k;

	for (k = 0; k <= i; k++)
		if (!argv[k])
			return "here";
	return argv[i];
}

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc < 2)
		die("what?  commands, teardown, fairness, objects or pool");
	/* This program is linked with libmdx, so that it sees the context open. */
	load(&ours, "libmdx.so.1");
	load(&stock, "libmlx5.so.1");
	if (world_start(&w))
		die("no device with mlx5_devx");

	argv += 2;
	if (!strcmp(argv[-1], "commands"))
		bench_commands(number(argv, 0, 40), number(argv, 1, 20));
	else if (!strcmp(argv[-1], "teardown"))
		bench_teardown(number(argv, 0, 10000), word(argv, 1));
	else if (!strcmp(argv[-1], "fairness"))
		bench_fairness(word(argv, 0));
	else if (!strcmp(argv[-1], "objects"))
		bench_objects(number(argv, 0, 10000));
	else if (!strcmp(argv[-1], "pool"))
		bench_pool(word(argv, 0));
	else
		die("no such bench: %s", argv[-1]);
	world_stop(&w);
	return 0;
}
