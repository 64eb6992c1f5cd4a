/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef MDX_BENCH_FAIRNESS_H
#define MDX_BENCH_FAIRNESS_H

/*
 * Latency of commands beside a process that keeps the device busy. @how becomes
 * part of the name of the case.
 */
void bench_fairness(const char *how);

#endif /* MDX_BENCH_FAIRNESS_H */
