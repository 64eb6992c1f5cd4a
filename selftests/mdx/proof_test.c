// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * A module that is wrong about the layout of mlx5_ib's PDs: bind must find out
 * before it does anything under the uid it took from there. The module is a test
 * build that lies beside this program.
 */
#include <libgen.h>
#include <limits.h>
#include <stdio.h>

#include <infiniband/verbs.h>

#include "kselftest_harness.h"
#include "mdx_utils.h"

#define WARNING "the device refused an mkey"

FIXTURE(wrong_layout)
{
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	int fd;
};

static bool wrong_module(char *path, size_t size)
{
	char self[PATH_MAX] = "";

	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		return false;
	snprintf(path, size, "%s/wrong_layout.ko", dirname(self));
	return !access(path, R_OK);
}

FIXTURE_SETUP(wrong_layout)
{
	char path[PATH_MAX + 32];

	self->fd = -1;
	if (!wrong_module(path, sizeof(path)))
		SKIP(return, "no wrong_layout.ko beside this program");
	SETUP_DEVICE(return);
	ASSERT_EQ(0, run("rmmod mlx5_devx"));
	ASSERT_EQ(0, run("insmod %s", path));
	self->ctx = mdx_ctx_open();
	ASSERT_NE(NULL, self->ctx);
	self->pd = ibv_alloc_pd(self->ctx);
	ASSERT_NE(NULL, self->pd);
	self->fd = mdx_node_open();
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(wrong_layout)
{
	if (self->fd < 0)
		return;
	close(self->fd);
	ibv_dealloc_pd(self->pd);
	ibv_close_device(self->ctx);
	EXPECT_EQ(0, run("rmmod mlx5_devx"));
	EXPECT_EQ(0, run("modprobe mlx5_devx"));
}

TEST_F(wrong_layout, bind_eopnotsupp)
{
	test_err_bind(EOPNOTSUPP, self->fd, self->ctx->cmd_fd,
		      self->pd->handle);
}

TEST_F(wrong_layout, file_stays_unbound)
{
	struct mdx_ioc_info info;

	test_err_bind(EOPNOTSUPP, self->fd, self->ctx->cmd_fd,
		      self->pd->handle);
	test_mdx_info(self->fd, &info);
	EXPECT_EQ(0, info.out_flags);
	EXPECT_EQ(0, info.out_uid);
}

TEST_F(wrong_layout, logged_once)
{
	int mark = kmsg_mark();

	test_err_bind(EOPNOTSUPP, self->fd, self->ctx->cmd_fd,
		      self->pd->handle);
	test_err_bind(EOPNOTSUPP, self->fd, self->ctx->cmd_fd,
		      self->pd->handle);
	EXPECT_EQ(1, kmsg_count(mark, WARNING));
}

TEST_HARNESS_MAIN
