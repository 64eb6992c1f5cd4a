/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef MDX_BENCH_EVENTS_H
#define MDX_BENCH_EVENTS_H

void bench_events(unsigned int rounds, unsigned int n);

#endif /* MDX_BENCH_EVENTS_H */
