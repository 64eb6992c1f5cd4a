// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Begin and end of the module, and its node.
 */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/rcupdate.h>

#include "built_for.h"
#include "client.h"
#include "debugfs.h"
#include "file.h"
#include "ioctl.h"
#include "optab.h"
#include "owner.h"
#include "pool.h"
#include "teardown.h"

static const struct file_operations mdx_fops = {
	.owner = THIS_MODULE,
	.open = mdx_file_open,
	.release = mdx_file_release,
	.unlocked_ioctl = mdx_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

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

	if (!mdx_built_for_core())
		return -ENOEXEC;
	mdx_op_init();
	ret = mdx_teardown_init();
	if (ret)
		return ret;
	ret = mdx_client_init();
	if (ret)
		goto err_teardown;
	ret = misc_register(&mdx_misc);
	if (ret)
		goto err_client;
	mdx_debugfs_init();
	return 0;

err_client:
	mdx_client_exit();
	mdx_owner_exit();
err_teardown:
	mdx_teardown_exit();
	return ret;
}

static void __exit mdx_exit(void)
{
	mdx_debugfs_exit();
	misc_deregister(&mdx_misc);
	mdx_client_exit();
	mdx_owner_exit();
	mdx_teardown_exit();
	mdx_pool_drain();
	/* Subscriptions are freed after a grace period. */
	rcu_barrier();
}

module_init(mdx_init);
module_exit(mdx_exit);

MODULE_DESCRIPTION("DEVX commands for mlx5 devices");
MODULE_LICENSE("Dual BSD/GPL");
/* Devices are found through mlx5_ib, which may be loaded later as well. */
MODULE_SOFTDEP("pre: mlx5_ib");
