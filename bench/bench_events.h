/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef MDX_BENCH_EVENTS_H
#define MDX_BENCH_EVENTS_H

/* @n ends of commands and @n other events, for the profiler. */
void bench_events(unsigned int n);

#endif /* MDX_BENCH_EVENTS_H */
