/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The attributes of a device.
 */
#ifndef MDX_QUERY_H
#define MDX_QUERY_H

struct mdx_ucmd;

int mdx_ioc_query_device(struct mdx_ucmd *ucmd);

#endif /* MDX_QUERY_H */
