/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Files below /sys/kernel/debug/mlx5_devx.
 */
#ifndef MDX_DEBUGFS_H
#define MDX_DEBUGFS_H

void mdx_debugfs_init(void);
void mdx_debugfs_exit(void);

#endif /* MDX_DEBUGFS_H */
