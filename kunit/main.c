// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <linux/module.h>

MODULE_DESCRIPTION("Unit tests of mlx5_devx");
MODULE_LICENSE("Dual BSD/GPL");
