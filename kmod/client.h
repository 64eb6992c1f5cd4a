/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The ib_client: devices as ib_core adds and removes them.
 */
#ifndef MDX_CLIENT_H
#define MDX_CLIENT_H

#include <linux/init.h>

int __init mdx_client_init(void);
void mdx_client_exit(void);

#endif /* MDX_CLIENT_H */
