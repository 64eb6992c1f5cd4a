/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * MDX_IOC_SUBSCRIBE.
 */
#ifndef MDX_SUBSCRIBE_H
#define MDX_SUBSCRIBE_H

struct mdx_ucmd;

int mdx_ioc_subscribe(struct mdx_ucmd *ucmd);

#endif /* MDX_SUBSCRIBE_H */
