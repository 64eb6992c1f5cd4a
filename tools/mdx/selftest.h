/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* mdx selftest: the parts, and the report that they write. */
#ifndef MDX_SELFTEST_H
#define MDX_SELFTEST_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "objtypes.h"
#include "tool.h"

#ifndef ARRAY_SIZE
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#endif

#define REPORT_MAGIC "mdx-report"
#define REPORT_VERSION 1

/* A command that takes longer ends the measurements. */
#define SLOW_NS 1000000000ull

enum test_result { TEST_OK, TEST_BAD, TEST_SKIP };

struct selftest {
	struct mdx_conn conn;
	/* The same context and file, for the builders of objects. */
	struct mdx_world world;
	FILE *report;		/* NULL: none is written */
	uint64_t begin_ns;
	unsigned int bad;
	/* The device refuses to destroy an object that another one uses. */
	bool in_use_refused;
};

/* The result of a command: an errno, and status and syndrome if it is EREMOTEIO. */
struct cmd_outcome {
	int err;
	uint8_t status;
	uint32_t syndrome;
};

/* selftest.c: a line of the report. */
void report_line(struct selftest *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* A result, on stdout and in the report. */
void report_result(struct selftest *t, enum test_result result, const char *name,
		   const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* "ok", "refused STATUS SYNDROME" or "errno NUMBER"; four of them are kept. */
const char *outcome_text(const struct cmd_outcome *o);
struct cmd_outcome outcome_of(int err, const void *out);
bool outcome_equal(const struct cmd_outcome *a, const struct cmd_outcome *b);
uint64_t clock_ns(void);

/* selftest_inventory.c */
void selftest_inventory(struct selftest *t);

/* selftest_query.c */
void selftest_general(struct selftest *t);
void selftest_objects(struct selftest *t);
void selftest_lengths(struct selftest *t);

/* selftest_life.c */
void selftest_bind(struct selftest *t);
void selftest_foreign(struct selftest *t);
void selftest_destroy(struct selftest *t);
void selftest_kill(struct selftest *t);
void selftest_dct(struct selftest *t);

/* selftest_events.c */
void selftest_events(struct selftest *t);

/* selftest_time.c */
void selftest_latency(struct selftest *t);
void selftest_overlap(struct selftest *t);

/* selftest_show.c: prints a report in words; returns the exit status. */
int selftest_show(const char *path);

#endif /* MDX_SELFTEST_H */
