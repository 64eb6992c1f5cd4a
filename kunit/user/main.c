// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Runs the suites of the PURE files in user space; TAP on stdout.
 */
#include <kunit/test.h>
#include <stdlib.h>

#include "../../kmod/optab.h"

static struct kunit_suite *suites;

void user_suite_add(struct kunit_suite *suite)
{
	suite->next = suites;
	suites = suite;
}

void *kunit_kzalloc(struct kunit *test, size_t len, int gfp)
{
	void *p = calloc(1, len);

	if (!p || test->memory_n == sizeof(test->memory) / sizeof(p))
		abort();
	test->memory[test->memory_n++] = p;
	return p;
}

/* Returns true if the case failed. */
static bool run_case(struct kunit_suite *suite, struct kunit_case *c,
		     unsigned int nr)
{
	static struct kunit test;

	test = (struct kunit){};
	if (!setjmp(test.end)) {
		if (suite->init && suite->init(&test))
			test.failed = true;
		else
			c->run_case(&test);
	}
	if (suite->exit)
		suite->exit(&test);
	while (test.memory_n)
		free(test.memory[--test.memory_n]);
	printf("%s %u %s.%s%s%s\n", test.failed ? "not ok" : "ok", nr,
	       suite->name, c->name, test.skipped ? " # SKIP " : "",
	       test.skipped ? test.skipped : "");
	return test.failed;
}

int main(void)
{
	unsigned int n = 0, failed = 0;
	struct kunit_suite *suite;
	struct kunit_case *c;

	/* A sanitizer ends the process without writing the buffer. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	mdx_op_init();
	for (suite = suites; suite; suite = suite->next)
		for (c = suite->test_cases; c->run_case; c++)
			failed += run_case(suite, c, ++n);
	printf("1..%u\n", n);
	return failed != 0;
}
