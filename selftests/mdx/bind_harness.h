/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Fixture of tests that bind files of their own.
 */
#ifndef MDX_TEST_BIND_HARNESS_H
#define MDX_TEST_BIND_HARNESS_H

#include "kselftest_harness.h"
#include "mdx_utils.h"

static inline int alloc_pd(int fd, uint32_t *id, uint32_t *pdn)
{
	uint64_t in[2], out[2];
	struct mbox_pair m = {
		.in = in, .out = out,
		.in_len = sizeof(in), .out_len = sizeof(out),
	};
	int ret;

	mdx_hdr(in, MLX5_CMD_OP_ALLOC_PD, 0, 0);
	ret = _test_mdx_create(fd, &m, id);
	if (!ret && pdn)
		*pdn = DEVX_GET(alloc_pd_out, out, pd);
	return ret;
}

/* A context with a PD, and a file that is not bound. */
FIXTURE(bind)
{
	struct hca_ctl *hca;
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	int fd;
};

FIXTURE_SETUP(bind)
{
	SETUP_DEVICE(return);
	self->hca = hca_open();
	self->ctx = mdx_ctx_open();
	ASSERT_NE(NULL, self->ctx);
	self->pd = ibv_alloc_pd(self->ctx);
	ASSERT_NE(NULL, self->pd);
	self->fd = mdx_node_open();
	ASSERT_GE(self->fd, 0);
}

FIXTURE_TEARDOWN(bind)
{
	if (self->fd > 0)
		close(self->fd);
	if (self->pd)
		ibv_dealloc_pd(self->pd);
	if (self->ctx)
		ibv_close_device(self->ctx);
	hca_close(self->hca);
}

#define BIND() test_mdx_bind(self->fd, self->ctx->cmd_fd, self->pd->handle)

#endif /* MDX_TEST_BIND_HARNESS_H */
