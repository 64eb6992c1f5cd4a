// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Commands about objects that verbs created. */
#include <pthread.h>
#include <time.h>

#include "kselftest_harness.h"
#include "kinds.h"

/* The query of each sort of object; all have the number in the same place. */
static const uint16_t queries[] = {
	MLX5_CMD_OP_QUERY_CQ, MLX5_CMD_OP_QUERY_QP, MLX5_CMD_OP_QUERY_SRQ,
	MLX5_CMD_OP_QUERY_XRC_SRQ, MLX5_CMD_OP_QUERY_RMP, MLX5_CMD_OP_QUERY_RQ,
	MLX5_CMD_OP_QUERY_SQ, MLX5_CMD_OP_QUERY_RQT, MLX5_CMD_OP_QUERY_TIR,
	MLX5_CMD_OP_QUERY_TIS, MLX5_CMD_OP_QUERY_DCT, MLX5_CMD_OP_QUERY_MKEY,
};

enum verbs_object { OBJ_CQ, OBJ_RC_QP, OBJ_UD_QP, OBJ_SRQ, OBJ_XRC_SRQ, OBJ_WQ,
		    OBJ_IND_TBL };

FIXTURE(verbs)
{
	struct world w;
	struct ibv_cq *cq;
	struct ibv_qp *qp;
	struct ibv_srq *srq;
	struct ibv_xrcd *xrcd;
	struct ibv_wq *wq;
	struct ibv_rwq_ind_table *tbl;
	uint32_t handle;
	uint32_t num;
};

FIXTURE_VARIANT(verbs)
{
	enum verbs_object object;
	uint32_t kind;
	uint16_t query;
	const char *live;
	/*
	 * mlx5_ib creates it under uid 0, so a device that keeps users apart
	 * refuses the command: it gets there all the same.
	 */
	bool of_kernel;
};

#define VERBS(name, object_, kind_, query_, live_)			\
	FIXTURE_VARIANT_ADD(verbs, name)				\
	{								\
		.object = object_, .kind = kind_,			\
		.query = MLX5_CMD_OP_##query_, .live = live_,		\
	}

VERBS(cq, OBJ_CQ, MDX_VERBS_CQ, QUERY_CQ, "cq");
VERBS(rc_qp, OBJ_RC_QP, MDX_VERBS_QP, QUERY_QP, "qp");
VERBS(ud_qp, OBJ_UD_QP, MDX_VERBS_QP, QUERY_QP, "qp");
VERBS(srq, OBJ_SRQ, MDX_VERBS_SRQ, QUERY_RMP, "rmp");
FIXTURE_VARIANT_ADD(verbs, xrc_srq)
{
	.object = OBJ_XRC_SRQ, .kind = MDX_VERBS_SRQ,
	.query = MLX5_CMD_OP_QUERY_XRC_SRQ, .live = "xrc_srq",
	.of_kernel = true,
};

VERBS(wq, OBJ_WQ, MDX_VERBS_WQ, QUERY_RQ, "rq");
VERBS(ind_tbl, OBJ_IND_TBL, MDX_VERBS_RWQ_IND_TBL, QUERY_RQT, "rqt");

static void create_qp(FIXTURE_DATA(verbs) *self, enum ibv_qp_type type)
{
	struct ibv_qp_init_attr attr = {
		.send_cq = self->cq, .recv_cq = self->cq, .qp_type = type,
		.cap = { 8, 8, 1, 1, 0 },
	};

	self->qp = ibv_create_qp(self->w.mdx.pd, &attr);
	if (!self->qp)
		return;
	self->handle = self->qp->handle;
	self->num = self->qp->qp_num;
}

static void create_srq(FIXTURE_DATA(verbs) *self)
{
	struct ibv_srq_init_attr attr = { .attr = { 16, 1, 0 } };
	struct mlx5dv_srq dv = { .comp_mask = MLX5DV_SRQ_MASK_SRQN };
	struct mlx5dv_obj obj = { 0 };

	self->srq = ibv_create_srq(self->w.mdx.pd, &attr);
	if (!self->srq)
		return;
	obj.srq.in = self->srq;
	obj.srq.out = &dv;
	mlx5dv_init_obj(&obj, MLX5DV_OBJ_SRQ);
	self->handle = self->srq->handle;
	self->num = dv.srqn;
}

static void create_xrc_srq(FIXTURE_DATA(verbs) *self)
{
	struct ibv_xrcd_init_attr xrcd_attr = {
		.comp_mask = IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS,
		.fd = -1, .oflags = O_CREAT,
	};
	struct ibv_srq_init_attr_ex attr = {
		.attr = { 16, 1, 0 },
		.comp_mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD |
			     IBV_SRQ_INIT_ATTR_XRCD | IBV_SRQ_INIT_ATTR_CQ,
		.srq_type = IBV_SRQT_XRC,
		.pd = self->w.mdx.pd,
		.cq = self->cq,
	};

	self->xrcd = ibv_open_xrcd(self->w.mdx.ctx, &xrcd_attr);
	attr.xrcd = self->xrcd;
	if (self->xrcd)
		self->srq = ibv_create_srq_ex(self->w.mdx.ctx, &attr);
	if (!self->srq)
		return;
	self->handle = self->srq->handle;
	ibv_get_srq_num(self->srq, &self->num);
}

static void create_wq(FIXTURE_DATA(verbs) *self)
{
	struct ibv_wq_init_attr attr = {
		.wq_type = IBV_WQT_RQ, .max_wr = 16, .max_sge = 1,
		.pd = self->w.mdx.pd, .cq = self->cq,
	};

	self->wq = ibv_create_wq(self->w.mdx.ctx, &attr);
	if (!self->wq)
		return;
	self->handle = self->wq->handle;
	self->num = self->wq->wq_num;
}

static void create_ind_tbl(FIXTURE_DATA(verbs) *self)
{
	struct ibv_rwq_ind_table_init_attr attr = { .log_ind_tbl_size = 0 };

	create_wq(self);
	if (!self->wq)
		return;
	attr.ind_tbl = &self->wq;
	self->tbl = ibv_create_rwq_ind_table(self->w.mdx.ctx, &attr);
	self->handle = self->tbl ? (uint32_t)self->tbl->ind_tbl_handle : 0;
	self->num = self->tbl ? (uint32_t)self->tbl->ind_tbl_num : 0;
}

static void create_cq(FIXTURE_DATA(verbs) *self)
{
	struct mlx5dv_cq dv = { 0 };
	struct mlx5dv_obj obj = { 0 };

	self->cq = ibv_create_cq(self->w.mdx.ctx, 16, NULL, NULL, 0);
	if (!self->cq)
		return;
	obj.cq.in = self->cq;
	obj.cq.out = &dv;
	mlx5dv_init_obj(&obj, MLX5DV_OBJ_CQ);
	self->handle = self->cq->handle;
	self->num = dv.cqn;
}

FIXTURE_SETUP(verbs)
{
	SETUP_DEVICE(return);
	ASSERT_EQ(0, world_start(&self->w));
	create_cq(self);
	ASSERT_NE(NULL, self->cq);
	switch (variant->object) {
	case OBJ_CQ:
		break;
	case OBJ_RC_QP:
		create_qp(self, IBV_QPT_RC);
		break;
	case OBJ_UD_QP:
		create_qp(self, IBV_QPT_UD);
		break;
	case OBJ_SRQ:
		create_srq(self);
		break;
	case OBJ_XRC_SRQ:
		create_xrc_srq(self);
		break;
	case OBJ_WQ:
		create_wq(self);
		break;
	case OBJ_IND_TBL:
		create_ind_tbl(self);
		break;
	}
	ASSERT_NE(0, self->num);
}

FIXTURE_TEARDOWN(verbs)
{
	if (self->tbl)
		ibv_destroy_rwq_ind_table(self->tbl);
	if (self->wq)
		ibv_destroy_wq(self->wq);
	if (self->qp)
		ibv_destroy_qp(self->qp);
	if (self->srq)
		ibv_destroy_srq(self->srq);
	if (self->xrcd)
		ibv_close_xrcd(self->xrcd);
	if (self->cq)
		ibv_destroy_cq(self->cq);
	world_stop(&self->w);
}

static int query_as(FIXTURE_DATA(verbs) *self, uint16_t opcode, uint32_t num,
		    uint32_t handle, uint32_t kind)
{
	struct mdx_ioc_verbs_cmd arg = {
		.size = sizeof(arg),
		.in = (uintptr_t)self->w.in, .out = (uintptr_t)self->w.out,
		.in_len = 16, .out_len = 512, .handle = handle, .kind = kind,
	};

	mdx_hdr(self->w.in, opcode, 0, num);
	memset(self->w.out, FILL, sizeof(self->w.out));
	return mdx_ioctl(self->w.mdx.fd, MDX_IOC_VERBS_QUERY, &arg);
}

TEST_F(verbs, is_queried)
{
	int ret = query_as(self, variant->query, self->num, self->handle,
			   variant->kind);

	if (variant->of_kernel && ret == EREMOTEIO) {
		EXPECT_EQ(PRM_BAD_RES_STATE << 24, prm_get32(self->w.out, 0));
		return;
	}
	EXPECT_EQ(0, ret);
	EXPECT_EQ(0, prm_get32(self->w.out, 0));
}

TEST_F(verbs, has_the_number_the_device_knows_it_by)
{
	SKIP_NO_HCA(self->w.hca, return);
	EXPECT_EQ(1, hca_live(self->w.hca, -1, variant->live, self->num));
}

TEST_F(verbs, of_another_number_is_refused)
{
	long before = 0;

	if (self->w.hca)
		before = hca_count(self->w.hca, variant->query);
	EXPECT_EQ(EINVAL, query_as(self, variant->query, self->num ^ 1,
				   self->handle, variant->kind));
	EXPECT_TRUE(all_bytes(self->w.out, FILL, sizeof(self->w.out)));
	if (self->w.hca)
		EXPECT_EQ(before, hca_count(self->w.hca, variant->query));
}

TEST_F(verbs, of_number_zero_is_refused)
{
	EXPECT_EQ(EINVAL, query_as(self, variant->query, 0, self->handle,
				   variant->kind));
}

TEST_F(verbs, is_not_queried_as_something_else)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(queries); i++) {
		if (queries[i] == variant->query)
			continue;
		EXPECT_EQ(EINVAL, query_as(self, queries[i], self->num,
					   self->handle, variant->kind));
	}
}

TEST_F(verbs, of_another_kind_is_refused)
{
	uint32_t kind = variant->kind == MDX_VERBS_CQ ? MDX_VERBS_QP :
			MDX_VERBS_CQ;

	EXPECT_EQ(EINVAL, query_as(self, variant->query, self->num,
				   self->handle, kind));
}

TEST_F(verbs, of_no_kind_is_refused)
{
	EXPECT_EQ(EOPNOTSUPP, query_as(self, variant->query, self->num,
				       self->handle, 0));
	EXPECT_EQ(EOPNOTSUPP, query_as(self, variant->query, self->num,
				       self->handle, 6));
}

TEST_F(verbs, of_an_unknown_handle_is_refused)
{
	EXPECT_EQ(ENOENT, query_as(self, variant->query, self->num, 0xfff0,
				   variant->kind));
}

TEST_F(verbs, by_a_create_is_refused)
{
	EXPECT_EQ(EINVAL, query_as(self, MLX5_CMD_OP_ALLOC_PD, self->num,
				   self->handle, variant->kind));
}

TEST_F(verbs, refused_by_the_device_shows_its_answer)
{
	SKIP_NO_HCA(self->w.hca, return);
	ASSERT_EQ(0, hca_fail(self->w.hca, variant->query, PRM_BAD_RES_STATE,
			      0x77, 1));
	EXPECT_EQ(EREMOTEIO, query_as(self, variant->query, self->num,
				      self->handle, variant->kind));
	EXPECT_EQ(PRM_BAD_RES_STATE << 24, prm_get32(self->w.out, 0));
	EXPECT_EQ(0x77, prm_get32(self->w.out, 4));
}

TEST_F(verbs, carries_the_uid_of_the_file)
{
	uint16_t last[2];
	int ret;

	SKIP_NO_HCA(self->w.hca, return);
	ret = query_as(self, variant->query, self->num, self->handle,
		       variant->kind);
	ASSERT_EQ(variant->of_kernel ? EREMOTEIO : 0, ret);
	ASSERT_EQ(sizeof(last), hca_last(self->w.hca, variant->query, last,
					 sizeof(last)));
	EXPECT_EQ(self->w.mdx.uid, be16toh(last[1]));
}

TEST_F(verbs, of_another_context_is_refused)
{
	struct ibv_context *ctx = mdx_ctx_open();
	struct mdx_ioc_verbs_cmd arg = {
		.size = sizeof(arg),
		.in = (uintptr_t)self->w.in, .out = (uintptr_t)self->w.out,
		.in_len = 16, .out_len = 512,
		.handle = self->handle, .kind = variant->kind,
	};
	struct ibv_pd *pd;
	int fd, ret;

	ASSERT_NE(NULL, ctx);
	pd = ibv_alloc_pd(ctx);
	ASSERT_NE(NULL, pd);
	fd = mdx_node_open();
	ASSERT_GE(fd, 0);
	test_mdx_bind(fd, ctx->cmd_fd, pd->handle);
	mdx_hdr(self->w.in, variant->query, 0, self->num);
	/* A handle that it does not have, or the one of its PD. */
	ret = mdx_ioctl(fd, MDX_IOC_VERBS_QUERY, &arg);
	EXPECT_TRUE(ret == ENOENT || ret == EINVAL);
	close(fd);
	ibv_dealloc_pd(pd);
	ibv_close_device(ctx);
}

static void *query_thread(void *arg)
{
	FIXTURE_DATA(verbs) *self = arg;

	return (void *)(intptr_t)query_as(self, MLX5_CMD_OP_QUERY_CQ,
					  self->num, self->handle,
					  MDX_VERBS_CQ);
}

/* One object is enough for the lock that all kinds have in common. */
FIXTURE(busy)
{
	FIXTURE_DATA(verbs) v;
};

FIXTURE_SETUP(busy)
{
	SETUP_DEVICE(return);
	ASSERT_EQ(0, world_start(&self->v.w));
	if (!self->v.w.hca) {
		world_stop(&self->v.w);
		SKIP_NO_HCA(self->v.w.hca, return);
	}
	create_cq(&self->v);
	ASSERT_NE(NULL, self->v.cq);
}

FIXTURE_TEARDOWN(busy)
{
	if (self->v.cq)
		ibv_destroy_cq(self->v.cq);
	world_stop(&self->v.w);
}

TEST_F(busy, verbs_does_not_destroy_what_a_command_is_about)
{
	struct timespec ts = { .tv_nsec = 2000000 };
	struct hca *hca = self->v.w.hca;
	pthread_t thread;
	void *ret;
	long seen;
	int i;

	seen = hca_count(hca, MLX5_CMD_OP_QUERY_CQ);
	ASSERT_EQ(0, hca_cmd(hca, "parallel 16"));
	ASSERT_EQ(0, hca_cmd(hca, "delay 0x402 1500000"));
	ASSERT_EQ(0, pthread_create(&thread, NULL, query_thread, &self->v));
	for (i = 0; i < 1000; i++) {
		if (hca_count(hca, MLX5_CMD_OP_QUERY_CQ) > seen)
			break;
		nanosleep(&ts, NULL);
	}
	EXPECT_EQ(EBUSY, ibv_destroy_cq(self->v.cq));
	pthread_join(thread, &ret);
	EXPECT_EQ(0, (intptr_t)ret);
	EXPECT_EQ(0, ibv_destroy_cq(self->v.cq));
	self->v.cq = NULL;
}

MDX_HARNESS_MAIN(world_share())
