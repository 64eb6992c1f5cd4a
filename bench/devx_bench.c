// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * DEVX over the stock driver and over mlx5_devx, on the same context of the
 * same device, one after the other.
 *
 *	devx_bench commands [ROUNDS [COMMANDS]]	needs mdx_floor.ko
 *	devx_bench teardown [OBJECTS [HOW]]	needs the software ConnectX
 *	devx_bench fairness [HOW]		needs the software ConnectX
 *	devx_bench events [EVENTS]			needs both
 *	devx_bench bulk [CHAINS [INSNS]]	needs the software ConnectX
 *	devx_bench bulk-cpu [ROUNDS]		needs both
 *	devx_bench bulk-memory [ITEMS]		needs cgroup2
 *	devx_bench objects [OBJECTS]		memory of each; needs cgroup2
 *	devx_bench pool [HOW]			needs mdx_floor.ko
 *
 * HOW becomes part of the name of the case. INSNS are the instructions of a command: single
 * of bulk-one, which bulk-cpu prints under -icount.
 */
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "bench_bulk.h"
#include "bench_commands.h"
#include "bench_events.h"
#include "bench_fairness.h"
#include "bench_memory.h"
#include "bench_teardown.h"

/* Argument @i of @argv, or @fallback if there are not as many. */
static const char *word_arg(char **argv, int i, const char *fallback)
{
	int k;

	for (k = 0; k <= i; k++)
		if (!argv[k])
			return fallback;
	return argv[i];
}

static unsigned int number_arg(char **argv, int i, unsigned int fallback)
{
	return strtoul(word_arg(argv, i, "0"), NULL, 0) ?: fallback;
}

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc < 2)
		die("usage: BENCHMARK [ARGUMENT]...");
	bench_start();

	argv += 2;
	if (!strcmp(argv[-1], "commands"))
		bench_commands(number_arg(argv, 0, 40),
			       number_arg(argv, 1, 20));
	else if (!strcmp(argv[-1], "events"))
		bench_events(number_arg(argv, 0, 100));
	else if (!strcmp(argv[-1], "teardown"))
		bench_teardown(number_arg(argv, 0, 10000),
			       word_arg(argv, 1, "here"));
	else if (!strcmp(argv[-1], "fairness"))
		bench_fairness(word_arg(argv, 0, "here"));
	else if (!strcmp(argv[-1], "objects"))
		bench_objects(number_arg(argv, 0, 10000));
	else if (!strcmp(argv[-1], "pool"))
		bench_pool(word_arg(argv, 0, "here"));
	else if (!strcmp(argv[-1], "bulk"))
		bench_bulk(number_arg(argv, 0, 1000), number_arg(argv, 1, 0));
	else if (!strcmp(argv[-1], "bulk-cpu"))
		bench_bulk_cpu(number_arg(argv, 0, 30));
	else if (!strcmp(argv[-1], "bulk-memory"))
		bench_bulk_memory(number_arg(argv, 0, 100000));
	else
		die("unknown benchmark: %s", argv[-1]);
	world_stop(&w);
	return 0;
}
