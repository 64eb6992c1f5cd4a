/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * TAP output of a unit test. A test is a function that checks with CHECK(), and
 * main() ends with TAP_RUN().
 */
#ifndef HCA_TAP_H
#define HCA_TAP_H

#include <stdbool.h>
#include <stdio.h>

static bool tap_failed;

/* If @cond is false, the test fails and continues. */
#define CHECK(cond) do {						\
	if (!(cond)) {							\
		printf("# %s:%d: %s\n", __FILE__, __LINE__, #cond);	\
		tap_failed = true;					\
	}								\
} while (0)

/* Compare integers, and print them if they differ. */
#define CHECK_EQ(is, want) do {						\
	long long is_ = (long long)(is), want_ = (long long)(want);	\
									\
	if (is_ != want_) {						\
		printf("# %s:%d: %s is 0x%llx, want 0x%llx\n", __FILE__,	\
		       __LINE__, #is, is_, want_);			\
		tap_failed = true;					\
	}								\
} while (0)

struct hca_test {
	const char *name;
	void (*fn)(void);
};

#define TAP(fn) { #fn, fn }

#define TAP_RUN(tests)							\
	tap_run(tests, (int)(sizeof(tests) / sizeof((tests)[0])))

/* Run the tests; returns the exit status. */
static int tap_run(const struct hca_test *tests, int n)
{
	int i, failed = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("TAP version 13\n1..%d\n", n);
	for (i = 0; i < n; i++) {
		tap_failed = false;
		tests[i].fn();
		printf("%sok %d %s\n", tap_failed ? "not " : "", i + 1,
		       tests[i].name);
		failed += tap_failed;
	}
	return failed != 0;
}

#endif /* HCA_TAP_H */
