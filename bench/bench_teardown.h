/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef MDX_BENCH_TEARDOWN_H
#define MDX_BENCH_TEARDOWN_H

/*
 * Time to destroy @objects objects. @how becomes part of the name of the case.
 */
void bench_teardown(unsigned int objects, const char *how);

#endif /* MDX_BENCH_TEARDOWN_H */
