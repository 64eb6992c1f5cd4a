/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * An mlx5 device that has only capabilities, all zero until the test sets them.
 */
#ifndef MDX_KUNIT_FAKE_CAPS_H
#define MDX_KUNIT_FAKE_CAPS_H

#include <kunit/test.h>
#include <linux/mlx5/device.h>
#include <linux/mlx5/driver.h>

#include "../kmod/dev.h"
#include "../kmod/file.h"
#include "../kmod/ucmd.h"

#define CAPS(_cap) (caps->mdev.caps.hca[MLX5_CAP_##_cap]->cur)

struct fake_caps {
	struct mlx5_core_dev mdev;
	struct ib_device ibdev;
	struct mdx_dev mdx;
	struct mdx_file file;
};

static struct fake_caps *caps;

static int caps_init(struct kunit *test)
{
	unsigned int i;

	caps = kunit_kzalloc(test, sizeof(*caps), GFP_KERNEL);
	if (!caps)
		return -ENOMEM;
	for (i = 0; i < MLX5_CAP_NUM; i++) {
		caps->mdev.caps.hca[i] =
			kunit_kzalloc(test, sizeof(struct mlx5_hca_cap),
				      GFP_KERNEL);
		if (!caps->mdev.caps.hca[i])
			return -ENOMEM;
	}
	caps->ibdev.phys_port_cnt = 2;
	caps->mdx.mdev = &caps->mdev;
	caps->mdx.ibdev = &caps->ibdev;
	return percpu_init_rwsem(&caps->mdx.registration_lock);
}

static void caps_exit(struct kunit *test)
{
	if (caps)
		percpu_free_rwsem(&caps->mdx.registration_lock);
	caps = NULL;
}

/* Calls a handler as the dispatcher does. */
static int caps_execute(int (*execute)(struct mdx_ucmd *ucmd), void *arg,
			size_t size)
{
	struct mdx_ucmd ucmd = {
		.file = &caps->file, .mdx = &caps->mdx,
		.usize = size, .arg = arg,
	};

	guard(mdx_live)(&caps->mdx);
	return execute(&ucmd);
}

#endif /* MDX_KUNIT_FAKE_CAPS_H */
