// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <linux/module.h>

#include "../kmod/optab.h"

void pool_test_exit(void);

static int __init unit_init(void)
{
	mdx_op_init();
	return 0;
}

static void __exit unit_exit(void)
{
	pool_test_exit();
}

module_init(unit_init);
module_exit(unit_exit);

MODULE_DESCRIPTION("Unit tests of mlx5_devx");
MODULE_LICENSE("Dual BSD/GPL");
