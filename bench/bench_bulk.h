/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef MDX_BENCH_BULK_H
#define MDX_BENCH_BULK_H

/* Time of @chains times three commands. @how becomes part of the name of the case. */
void bench_bulk(unsigned int chains, const char *how);

#endif /* MDX_BENCH_BULK_H */
