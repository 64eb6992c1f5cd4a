/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The vport behind a port.
 */
#ifndef MDX_PORT_H
#define MDX_PORT_H

struct mdx_ucmd;

int mdx_ioc_query_port(struct mdx_ucmd *ucmd);

#endif /* MDX_PORT_H */
