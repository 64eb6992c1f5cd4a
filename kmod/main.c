// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Begin and end of the module, and its node.
 */
#include <linux/miscdevice.h>
#include <linux/module.h>

#include "mdx.h"
#include "obj.h"
#include "optab.h"
#include "pool.h"

/* Open to everyone, like the node of uverbs: see mdx_uapi.h about rights. */
static struct miscdevice mdx_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "mlx5_devx",
	.nodename = "infiniband/mlx5_devx",
	.mode = 0666,
	.fops = &mdx_fops,
};

static int __init mdx_init(void)
{
	int ret;

	mdx_op_init();
	ret = mdx_obj_end_init();
	if (ret)
		return ret;
	ret = mdx_dev_init();
	if (ret)
		goto err_end;
	ret = misc_register(&mdx_misc);
	if (ret)
		goto err_dev;
	mdx_debugfs_init();
	return 0;

err_dev:
	mdx_dev_exit();
err_end:
	mdx_obj_end_exit();
	return ret;
}

static void __exit mdx_exit(void)
{
	mdx_debugfs_exit();
	misc_deregister(&mdx_misc);
	mdx_dev_exit();
	mdx_obj_end_exit();
	mdx_pool_drain();
}

module_init(mdx_init);
module_exit(mdx_exit);

MODULE_DESCRIPTION("DEVX commands for mlx5 devices");
MODULE_LICENSE("Dual BSD/GPL");
/* Devices are looked for in mlx5_ib's, which may be loaded later as well. */
MODULE_SOFTDEP("pre: mlx5_ib");
