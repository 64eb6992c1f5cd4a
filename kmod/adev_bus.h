/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The devices of the auxiliary bus.
 */
#ifndef MDX_ADEV_BUS_H
#define MDX_ADEV_BUS_H

#include <linux/init.h>

struct device;

int __init mdx_adev_bus_init(void);
void mdx_adev_bus_exit(void);
void mdx_adev_for_each(int (*fn)(struct device *dev, void *data), void *data);

#endif /* MDX_ADEV_BUS_H */
