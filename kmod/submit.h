/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Many commands in one call.
 */
#ifndef MDX_SUBMIT_H
#define MDX_SUBMIT_H

struct mdx_submit_args;
struct mdx_ucmd;

int mdx_ioc_submit(struct mdx_ucmd *ucmd);

/* submit_async.c */
int mdx_submit_to_channel(struct mdx_ucmd *ucmd,
			  const struct mdx_submit_args *args);

#endif /* MDX_SUBMIT_H */
