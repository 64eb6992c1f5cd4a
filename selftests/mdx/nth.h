/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The kernel's fault injection: the nth allocation or copy of a thread fails.
 */
#ifndef MDX_TEST_NTH_H
#define MDX_TEST_NTH_H

#include <stdbool.h>

/* NULL, or the path that the kernel lacks. */
const char *nth_missing(void);

/* For the calling thread; a descriptor, or -1 and errno. */
int nth_open(void);

/* From now on the @nth of this thread fails, once; 0: none. */
void nth_begin(int fd, int nth);

/* None from now on. Has one failed since nth_begin()? */
bool nth_end(int fd);

/*
 * Restricts counting, in all threads, to requests made below this function of
 * the kernel; NULL: no restriction. 0 or a positive errno.
 */
int nth_only_below(const char *name);

#endif /* MDX_TEST_NTH_H */
