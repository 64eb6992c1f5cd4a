/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The last call of a file that failed.
 */
#ifndef MDX_LAST_ERROR_H
#define MDX_LAST_ERROR_H

struct mdx_ucmd;

void mdx_last_error_record(struct mdx_ucmd *ucmd, unsigned int nr, int ret);
int mdx_ioc_last_error(struct mdx_ucmd *ucmd);

#endif /* MDX_LAST_ERROR_H */
