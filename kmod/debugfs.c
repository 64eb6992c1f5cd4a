// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * /sys/kernel/debug/mlx5_devx/files: a line for every bound file,
 * "ibdev pid comm uid objects commands-in-flight".
 */
#include <linux/debugfs.h>
#include <linux/seq_file.h>

#include "mdx.h"

static struct dentry *root;

static int files_show(struct seq_file *seq, void *unused)
{
	mdx_dev_show_files(seq);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(files);

void mdx_debugfs_init(void)
{
	root = debugfs_create_dir("mlx5_devx", NULL);
	debugfs_create_file("files", 0400, root, NULL, &files_fops);
}

void mdx_debugfs_exit(void)
{
	debugfs_remove_recursive(root);
}
