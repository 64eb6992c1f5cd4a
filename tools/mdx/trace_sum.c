// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The table of mdx trace --summary. The kernel has counted; here it is sorted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"
#include "trace_parts.h"

struct sums {
	size_t n;
	size_t room;
	struct sum_line {
		struct sum_key key;
		struct sum_value sum;
	} *lines;
};

struct sums *sums_new(void)
{
	return calloc(1, sizeof(struct sums));
}

void sums_add(const struct sum_key *key, const struct sum_value *sum, void *arg)
{
	struct sums *sums = arg;
	struct sum_line *lines = sums->lines;

	if (opt_device && strcmp(opt_device, event_device(sum->device)))
		return;
	if (sums->n == sums->room) {
		sums->room = 2 * sums->room + 64;
		lines = realloc(lines, sums->room * sizeof(*lines));
		if (!lines) {
			complain("no memory");
			exit(EXIT_FAILED);
		}
		sums->lines = lines;
	}
	lines[sums->n].key = *key;
	lines[sums->n++].sum = *sum;
}

/* Middle of a class of latencies, in ns. */
static uint64_t class_ns(unsigned int class)
{
	unsigned int exponent;
	uint64_t low, width;

	if (!class)
		return 1 << (SUM_SHIFT - 1);
	exponent = (class - 1) / 4;
	width = 1ull << (exponent + SUM_SHIFT - 2);
	low = (4 + (class - 1) % 4) * width;
	return low + width / 2;
}

static uint64_t sum_percentile(const struct sum_value *sum, unsigned int percent)
{
	uint64_t want = (sum->count * percent + 99) / 100, seen = 0;
	unsigned int i;

	for (i = 0; i < SUM_CLASSES; i++) {
		seen += sum->classes[i];
		if (seen >= want && seen)
			return class_ns(i);
	}
	return 0;
}

/* By process, and then the most frequent first. */
static int compare_lines(const void *a, const void *b)
{
	const struct sum_line *x = a, *y = b;

	if (x->key.pid != y->key.pid)
		return x->key.pid < y->key.pid ? -1 : 1;
	if (x->sum.count != y->sum.count)
		return x->sum.count > y->sum.count ? -1 : 1;
	return (int)x->key.opcode - (int)y->key.opcode;
}

static void show_json(const struct sum_line *line)
{
	out_open(NULL, '{');
	out_num("pid", line->key.pid);
	out_str("comm", "%.*s", EVENT_COMM, line->sum.comm);
	out_str("device", "%s", event_device(line->sum.device));
	out_num("opcode", line->key.opcode);
	out_str("name", "%s", mdx_opcode_name(line->key.opcode));
	out_num("count", line->sum.count);
	out_num("failed", line->sum.failed);
	out_num("p50_ns", sum_percentile(&line->sum, 50));
	out_num("p99_ns", sum_percentile(&line->sum, 99));
	out_num("total_ns", line->sum.ns);
	out_close();
}

static void show_text(const struct sum_line *line)
{
	printf("%7u %-15s %-10s %-28s %8llu %7llu %10.1f %10.1f\n", line->key.pid,
	       out_clean(line->sum.comm, EVENT_COMM), event_device(line->sum.device),
	       mdx_opcode_name(line->key.opcode), line->sum.count, line->sum.failed,
	       sum_percentile(&line->sum, 50) / 1000.0,
	       sum_percentile(&line->sum, 99) / 1000.0);
}

void sums_show(struct sums *sums)
{
	size_t i;

	if (sums->n)
		qsort(sums->lines, sums->n, sizeof(*sums->lines), compare_lines);
	if (opt_json)
		out_open(NULL, '[');
	else
		printf("%7s %-15s %-10s %-28s %8s %7s %10s %10s\n", "PID", "COMMAND",
		       "DEVICE", "OPCODE", "COUNT", "FAILED", "P50 us", "P99 us");
	for (i = 0; i < sums->n; i++) {
		if (opt_json)
			show_json(&sums->lines[i]);
		else
			show_text(&sums->lines[i]);
	}
	if (opt_json)
		out_close();
	free(sums->lines);
	free(sums);
}
