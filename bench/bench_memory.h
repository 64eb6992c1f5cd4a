/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef MDX_BENCH_MEMORY_H
#define MDX_BENCH_MEMORY_H

/* Charge what this process allocates to a cgroup of its own from now on. */
void memory_enter_cgroup(void);
/* Bytes charged to it: a line of memory.stat. */
double memory_charged(const char *what);

/* Kernel memory of each of @objects objects. */
void bench_objects(unsigned int objects);

/* Cost of a mailbox buffer. @how becomes part of the name of the case. */
void bench_pool(const char *how);

#endif /* MDX_BENCH_MEMORY_H */
