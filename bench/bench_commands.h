/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef MDX_BENCH_COMMANDS_H
#define MDX_BENCH_COMMANDS_H

/*
 * Instructions and time of single commands, in @rounds batches of @n commands.
 */
void bench_commands(unsigned int rounds, unsigned int n);

#endif /* MDX_BENCH_COMMANDS_H */
