// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The PD of a binding, and the end of the context. */
#include "bind_harness.h"

/* The PD belongs to the binding: verbs neither uses nor frees it. */
TEST_F(bind, pd_refused_by_verbs)
{
	char buf[64];

	BIND();
	EXPECT_EQ(NULL, ibv_reg_mr(self->pd, buf, sizeof(buf), 0));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(EINVAL, ibv_dealloc_pd(self->pd));
}

TEST_F(bind, pd_given_back_on_close)
{
	struct ibv_mr *mr;
	char buf[64];

	BIND();
	close(self->fd);
	self->fd = -1;
	mr = ibv_reg_mr(self->pd, buf, sizeof(buf), 0);
	ASSERT_NE(NULL, mr);
	EXPECT_EQ(0, ibv_dereg_mr(mr));
	EXPECT_EQ(0, ibv_dealloc_pd(self->pd));
	self->pd = NULL;
}

/* The second of two files keeps the PD, whichever was bound first. */
TEST_F(bind, pd_given_back_by_last_file)
{
	int fd = mdx_node_open();

	ASSERT_GE(fd, 0);
	BIND();
	test_mdx_bind(fd, self->ctx->cmd_fd, self->pd->handle);
	close(self->fd);
	self->fd = -1;
	EXPECT_EQ(EINVAL, ibv_dealloc_pd(self->pd));
	close(fd);
	EXPECT_EQ(0, ibv_dealloc_pd(self->pd));
	self->pd = NULL;
}

/* A second bind needs no proof, and any PD of the context. */
TEST_F(bind, second_bind_sends_nothing)
{
	struct ibv_pd *pd = ibv_alloc_pd(self->ctx);
	struct mdx_ioc_info info;
	long creates;
	int fd = mdx_node_open();

	SKIP_NO_HCA(self->hca, return);
	ASSERT_NE(NULL, pd);
	ASSERT_GE(fd, 0);
	BIND();
	creates = hca_count(self->hca, MLX5_CMD_OP_CREATE_MKEY);
	test_mdx_bind(fd, self->ctx->cmd_fd, pd->handle);
	EXPECT_EQ(creates, hca_count(self->hca, MLX5_CMD_OP_CREATE_MKEY));
	test_mdx_info(fd, &info);
	EXPECT_EQ(MDX_INFO_BOUND, info.out_flags);
	EXPECT_EQ(0, ibv_dealloc_pd(pd));
	close(fd);
}

/* The end of the context is the end of the objects, and nothing keeps it. */
TEST_F(bind, ends_with_context)
{
	struct mdx_ioc_info info;
	uint32_t id, uid;

	SKIP_NO_HCA(self->hca, return);
	BIND();
	test_mdx_info(self->fd, &info);
	uid = info.out_uid;
	ASSERT_EQ(0, alloc_pd(self->fd, &id, NULL));
	ASSERT_EQ(0, ibv_close_device(self->ctx));
	self->pd = NULL;
	self->ctx = NULL;
	EXPECT_EQ(0, hca_live(self->hca, -1, "uctx", uid));
	EXPECT_EQ(0, hca_live(self->hca, uid, NULL, -1));
	test_mdx_info(self->fd, &info);
	EXPECT_EQ(MDX_INFO_BOUND | MDX_INFO_ENDED, info.out_flags);
	EXPECT_EQ(EIO, alloc_pd(self->fd, &id, NULL));
	EXPECT_EQ(EIO, _test_mdx_destroy(self->fd, id));
}

TEST_HARNESS_MAIN
