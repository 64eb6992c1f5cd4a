/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef MDX_BENCH_BULK_H
#define MDX_BENCH_BULK_H

/*
 * Time of @n chains of commands, by batches and one after the other. @insns are the
 * instructions of a command; 0: this machine is fast. On a slow one there are fewer
 * chains.
 */
void bench_bulk(unsigned int n, unsigned int insns);

/* Instructions of a command in a batch, and alone. */
void bench_bulk_cpu(unsigned int rounds);

/* Kernel memory of batches of @items items in all. */
void bench_bulk_memory(unsigned int items);

#endif /* MDX_BENCH_BULK_H */
