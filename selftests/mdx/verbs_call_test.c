// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Commands about verbs objects, in all that does not depend on the type of the
 * object.
 */
#include "kselftest_harness.h"
#include "vobj.h"

#define MBOX_LEN 4096

FIXTURE(verbs)
{
	struct mdx_binding mdx;
	struct hca_ctl *hca;
	struct vobj v;
	uint64_t in[MBOX_LEN / 8];
	uint64_t out[MBOX_LEN / 8];
	struct mdx_ioc_verbs_cmd cmd;
};

FIXTURE_SETUP(verbs)
{
	SETUP_DEVICE(return);
	ASSERT_EQ(0, mdx_start(&self->mdx));
	self->hca = hca_open();
	ASSERT_EQ(0, vobj_create(&self->v, VOBJ_RC, self->mdx.ctx,
				 self->mdx.pd));
	mdx_hdr(self->in, MLX5_CMD_OP_QUERY_QP, 0, self->v.qp->qp_num);
	memset(self->out, FILL, sizeof(self->out));
	self->cmd = (struct mdx_ioc_verbs_cmd){
		.size = sizeof(self->cmd),
		.in = (uintptr_t)self->in,
		.out = (uintptr_t)self->out,
		.in_len = 16,
		.out_len = MBOX_LEN,
		.handle = self->v.handle,
		.obj_type = MDX_VERBS_QP,
	};
}

FIXTURE_TEARDOWN(verbs)
{
	vobj_end(&self->v);
	if (self->hca)
		hca_close(self->hca);
	mdx_stop(&self->mdx);
}

#define VERBS FIXTURE_DATA(verbs)

static int verbs_query(VERBS *self)
{
	return mdx_ioctl(self->mdx.fd, MDX_IOC_VERBS_QUERY, &self->cmd);
}

TEST_F(verbs, info_feature)
{
	struct mdx_ioc_info info;

	test_mdx_info(self->mdx.fd, &info);
	EXPECT_TRUE(info.out_features & MDX_FEATURE_VERBS);
}

TEST_F(verbs, type_unused_eopnotsupp)
{
	self->cmd.obj_type = MDX_VERBS_RWQ_IND_TBL + 1;
	EXPECT_EQ(EOPNOTSUPP, verbs_query(self));
}

TEST_F(verbs, type_zero_eopnotsupp)
{
	self->cmd.obj_type = 0;
	EXPECT_EQ(EOPNOTSUPP, verbs_query(self));
}

TEST_F(verbs, type_highest_eopnotsupp)
{
	self->cmd.obj_type = UINT32_MAX;
	EXPECT_EQ(EOPNOTSUPP, verbs_query(self));
}

TEST_F(verbs, opcode_unknown_eopnotsupp)
{
	mdx_hdr(self->in, NO_OPCODE, 0, self->v.qp->qp_num);
	EXPECT_EQ(EOPNOTSUPP, verbs_query(self));
}

TEST_F(verbs, mailbox_short_einval)
{
	self->cmd.in_len--;
	EXPECT_EQ(EINVAL, verbs_query(self));
}

/* A mailbox that is not there is refused. */
TEST_F(verbs, mailbox_unmapped_efault)
{
	self->cmd.in = 8;
	EXPECT_EQ(EFAULT, verbs_query(self));
}

TEST_F(verbs, pd_handle_einval)
{
	self->cmd.handle = self->mdx.pd->handle;
	EXPECT_EQ(EINVAL, verbs_query(self));
}

TEST_F(verbs, handle_unknown_enoent)
{
	self->cmd.handle = 0xfff0;
	EXPECT_EQ(ENOENT, verbs_query(self));
	self->cmd.handle = UINT32_MAX;
	EXPECT_EQ(ENOENT, verbs_query(self));
}

/* A refusal by the device shows its answer. */
TEST_F(verbs, refused_eremoteio)
{
	SKIP_NO_HCA(self->hca, return);
	ASSERT_EQ(0, hca_fail(self->hca, MLX5_CMD_OP_QUERY_QP,
			      STATUS_BAD_RES_STATE, 0x77, 1));
	EXPECT_EQ(EREMOTEIO, verbs_query(self));
	EXPECT_EQ(STATUS_BAD_RES_STATE << 24, mbox_get32(self->out, 0));
	EXPECT_EQ(0x77, mbox_get32(self->out, 4));
}

TEST_F(verbs, unbound_enotconn)
{
	int fd = mdx_node_open();

	ASSERT_GE(fd, 0);
	EXPECT_EQ(ENOTCONN, mdx_ioctl(fd, MDX_IOC_VERBS_QUERY, &self->cmd));
	close(fd);
}

/* Handles are small numbers, but those of one's own context only. */
TEST_F(verbs, guessed_handles_miss)
{
	struct ibv_context *ctx = mdx_ctx_open();
	struct mdx_binding other = { .fd = mdx_node_open() };
	int hits = 0;
	uint32_t i;

	ASSERT_NE(NULL, ctx);
	other.pd = ibv_alloc_pd(ctx);
	ASSERT_NE(NULL, other.pd);
	test_mdx_bind(other.fd, ctx->cmd_fd, other.pd->handle);
	for (i = 0; i < 4096; i++) {
		self->cmd.handle = i;
		if (!mdx_ioctl(other.fd, MDX_IOC_VERBS_QUERY, &self->cmd))
			hits++;
	}
	EXPECT_EQ(0, hits);
	close(other.fd);
	ibv_dealloc_pd(other.pd);
	ibv_close_device(ctx);
}

TEST_F(verbs, modify_cq_forces_umem)
{
	uint8_t last[SZ(modify_cq_in)];
	struct vobj cq;

	SKIP_NO_HCA(self->hca, return);
	ASSERT_EQ(0, vobj_create(&cq, VOBJ_CQ, self->mdx.ctx, self->mdx.pd));
	memset(self->in, 0, sizeof(self->in));
	mdx_hdr(self->in, MLX5_CMD_OP_MODIFY_CQ, 0, cq.num[HW_CQ]);
	self->cmd.in_len = SZ(modify_cq_in);
	self->cmd.obj_type = MDX_VERBS_CQ;
	self->cmd.handle = cq.handle;
	mdx_ioctl(self->mdx.fd, MDX_IOC_VERBS_MODIFY, &self->cmd);
	ASSERT_EQ(sizeof(last), hca_last(self->hca, MLX5_CMD_OP_MODIFY_CQ, last,
					 sizeof(last)));
	EXPECT_EQ(1, DEVX_GET(modify_cq_in, last, cq_umem_valid));
	vobj_end(&cq);
}

/* The QP goes to INIT by DEVX; both ways of asking say so. */
TEST_F(verbs, qp_to_init)
{
	uint64_t stock[MBOX_LEN / 8] = {};
	void *qpc;

	memset(self->in, 0, sizeof(self->in));
	mdx_hdr(self->in, MLX5_CMD_OP_RST2INIT_QP, 0, self->v.qp->qp_num);
	qpc = DEVX_ADDR_OF(rst2init_qp_in, self->in, qpc);
	DEVX_SET(qpc, qpc, primary_address_path.vhca_port_num, 1);
	DEVX_SET(qpc, qpc, pm_state, 3);
	self->cmd.in_len = SZ(rst2init_qp_in);
	ASSERT_EQ(0, mdx_ioctl(self->mdx.fd, MDX_IOC_VERBS_MODIFY, &self->cmd));

	mdx_hdr(self->in, MLX5_CMD_OP_QUERY_QP, 0, self->v.qp->qp_num);
	self->cmd.in_len = 16;
	ASSERT_EQ(0, verbs_query(self));
	EXPECT_EQ(1, DEVX_GET(query_qp_out, self->out, qpc.state));
	ASSERT_EQ(0, mlx5dv_devx_qp_query(self->v.qp, self->in, 16, stock,
					  sizeof(stock)));
	EXPECT_EQ(0, memcmp(stock, self->out, sizeof(stock)));
}

MDX_HARNESS_MAIN(mdx_share())
