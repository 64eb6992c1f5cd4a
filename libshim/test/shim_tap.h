/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* TAP for libmdx. A test is a function; the first EXPECT that fails ends it. */
#ifndef MDX_SHIM_TAP_H
#define MDX_SHIM_TAP_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int tap_failed;		/* set by a failed EXPECT of this test */
extern const char *tap_skip;	/* reason if this test cannot run here */

#define EXPECT(expr) do {						\
	if (!(expr)) {							\
		printf("# %s:%d: %s\n", __FILE__, __LINE__, #expr);	\
		tap_failed = 1;						\
		return;							\
	}								\
} while (0)

#define EXPECT_EQ(want, is) do {					\
	long long tap_want = (long long)(want);				\
	long long tap_is = (long long)(is);				\
									\
	if (tap_want != tap_is) {					\
		printf("# %s:%d: %s is %lld, not %s (%lld)\n",		\
		       __FILE__, __LINE__, #is, tap_is, #want, tap_want); \
		tap_failed = 1;						\
		return;							\
	}								\
} while (0)

#define EXPECT_STR(want, is) do {					\
	if (strcmp(want, is)) {						\
		printf("# %s:%d: %s is \"%s\", not \"%s\"\n",		\
		       __FILE__, __LINE__, #is, is, want);		\
		tap_failed = 1;						\
		return;							\
	}								\
} while (0)

/* A call that returns @err and sets errno to it. */
#define EXPECT_ERR(err, call) do {					\
	int tap_ret;							\
									\
	errno = 0;							\
	tap_ret = (call);						\
	EXPECT_EQ(errno, tap_ret);					\
	EXPECT_EQ(err, tap_ret);					\
} while (0)

/* A call that returns NULL and sets errno to @err. */
#define EXPECT_NULL(err, call) do {					\
	void *tap_ptr;							\
									\
	errno = 0;							\
	tap_ptr = (call);						\
	EXPECT(!tap_ptr);						\
	EXPECT_EQ(err, errno);						\
} while (0)

/* A call that returns 0 and preserves errno. */
#define EXPECT_OK(call) do {						\
	int tap_ret;							\
									\
	errno = 99;							\
	tap_ret = (call);						\
	EXPECT_EQ(0, tap_ret);						\
	EXPECT_EQ(99, errno);						\
} while (0)

#define SKIP(reason) do {						\
	tap_skip = (reason);						\
	return;								\
} while (0)

struct tap_test {
	const char *name;
	void (*func)(void);
};

#define TEST(func) { #func, func }

/*
 * Run all tests of @groups. Each group ends with a test without a name, the
 * list of groups with NULL. Returns the exit status of the program.
 */
static inline int tap_run(const char *suite,
			  const struct tap_test *const *groups)
{
	const struct tap_test *test;
	int failed = 0, count = 0;
	int i;

	setvbuf(stdout, NULL, _IOLBF, 0);
	puts("TAP version 13");
	for (i = 0; groups[i]; i++) {
		for (test = groups[i]; test->name; test++) {
			tap_failed = 0;
			tap_skip = NULL;
			test->func();
			failed |= tap_failed;
			printf("%sok %d %s: %s%s%s\n",
			       tap_failed ? "not " : "", ++count, suite,
			       test->name, tap_skip ? " # SKIP " : "",
			       tap_skip ? tap_skip : "");
		}
	}
	printf("1..%d\n", count);
	return failed;
}

#endif /* MDX_SHIM_TAP_H */
