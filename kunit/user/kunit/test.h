/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The part of KUnit that the suites of PURE files use, for user space.
 */
#ifndef MDX_USER_KUNIT_TEST_H
#define MDX_USER_KUNIT_TEST_H

#include <linux/types.h>
#include <setjmp.h>
#include <stdio.h>

struct kunit {
	bool failed;
	const char *skipped;
	jmp_buf end;
	void *memory[64];
	unsigned int memory_n;
};

struct kunit_case {
	void (*run_case)(struct kunit *test);
	const char *name;
};

struct kunit_suite {
	const char *name;
	int (*init)(struct kunit *test);
	void (*exit)(struct kunit *test);
	struct kunit_case *test_cases;
	struct kunit_suite *next;
};

void user_suite_add(struct kunit_suite *suite);
void *kunit_kzalloc(struct kunit *test, size_t len, int gfp);

#define KUNIT_CASE(fn) { fn, #fn }
#define kunit_test_suite(suite)                                                \
	static __attribute__((constructor)) void add_suite(void)               \
	{                                                                      \
		user_suite_add(&(suite));                                      \
	}                                                                      \
	struct kunit

#define kunit_skip(test, why)                                                  \
	do {                                                                   \
		(test)->skipped = (why);                                       \
		longjmp((test)->end, 1);                                       \
	} while (0)

#define USER_CHECK(test, cond, text, ...)                                      \
	do {                                                                   \
		if (cond)                                                      \
			break;                                                 \
		(test)->failed = true;                                         \
		printf("# %s:%d: %s", __FILE__, __LINE__, text);              \
		printf(" " __VA_ARGS__);                                       \
		printf("\n");                                                  \
	} while (0)
#define USER_COMPARE(test, a, op, b, ...)                                      \
	USER_CHECK(test, (a) op(b), #a " " #op " " #b, __VA_ARGS__)

#define KUNIT_EXPECT_EQ(test, a, b) USER_COMPARE(test, a, ==, b)
#define KUNIT_EXPECT_NE(test, a, b) USER_COMPARE(test, a, !=, b)
#define KUNIT_EXPECT_LE(test, a, b) USER_COMPARE(test, a, <=, b)
#define KUNIT_EXPECT_GE(test, a, b) USER_COMPARE(test, a, >=, b)
#define KUNIT_EXPECT_LT(test, a, b) USER_COMPARE(test, a, <, b)
#define KUNIT_EXPECT_GT(test, a, b) USER_COMPARE(test, a, >, b)
#define KUNIT_EXPECT_PTR_EQ(test, a, b) USER_COMPARE(test, a, ==, b)
#define KUNIT_EXPECT_PTR_NE(test, a, b) USER_COMPARE(test, a, !=, b)
#define KUNIT_EXPECT_TRUE(test, a) USER_CHECK(test, a, #a)
#define KUNIT_EXPECT_FALSE(test, a) USER_CHECK(test, !(a), "!" #a)
#define KUNIT_EXPECT_EQ_MSG(test, a, b, ...)                                   \
	USER_COMPARE(test, a, ==, b, __VA_ARGS__)
#define KUNIT_EXPECT_NE_MSG(test, a, b, ...)                                   \
	USER_COMPARE(test, a, !=, b, __VA_ARGS__)
#define KUNIT_EXPECT_LE_MSG(test, a, b, ...)                                   \
	USER_COMPARE(test, a, <=, b, __VA_ARGS__)
#define KUNIT_EXPECT_GE_MSG(test, a, b, ...)                                   \
	USER_COMPARE(test, a, >=, b, __VA_ARGS__)
#define KUNIT_EXPECT_TRUE_MSG(test, a, ...) USER_CHECK(test, a, #a, __VA_ARGS__)
#define KUNIT_EXPECT_MEMEQ_MSG(test, a, b, len, ...)                           \
	USER_CHECK(test, !memcmp(a, b, len), #a " is " #b, __VA_ARGS__)
#define KUNIT_EXPECT_MEMEQ(test, a, b, len)                                    \
	USER_CHECK(test, !memcmp(a, b, len), #a " is " #b)
#define KUNIT_ASSERT_TRUE(test, a)                                             \
	do {                                                                   \
		KUNIT_EXPECT_TRUE(test, a);                                    \
		if ((test)->failed)                                            \
			longjmp((test)->end, 1);                               \
	} while (0)
#define KUNIT_ASSERT_NOT_NULL(test, p) KUNIT_ASSERT_TRUE(test, (p) != NULL)

#endif /* MDX_USER_KUNIT_TEST_H */
