/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A finding: the fuzzer keeps the input that made the condition false.
 */
#ifndef MDX_FUZZ_MUST_BE_H
#define MDX_FUZZ_MUST_BE_H

#include <stdio.h>
#include <stdlib.h>

#define MUST_BE(cond)                                                          \
	do {                                                                   \
		if (cond)                                                      \
			break;                                                 \
		fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__,     \
			#cond);                                                \
		abort();                                                       \
	} while (0)

#endif /* MDX_FUZZ_MUST_BE_H */
