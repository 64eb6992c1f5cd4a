// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Stand-ins for the ops of obj_cq.c and obj_dct.c: rows of the command table have
 * their addresses, and the PURE files do not look at more.
 */
extern const char mdx_cq_ops;
extern const char mdx_dct_ops;

const char mdx_cq_ops;
const char mdx_dct_ops;
