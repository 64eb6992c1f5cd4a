/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The mlx5 drivers that this module was built for.
 */
#ifndef MDX_BUILT_FOR_H
#define MDX_BUILT_FOR_H

#include <linux/types.h>

struct ib_device;

bool mdx_built_for_core(void);
bool mdx_built_for_device(const struct ib_device *ibdev);

#endif /* MDX_BUILT_FOR_H */
