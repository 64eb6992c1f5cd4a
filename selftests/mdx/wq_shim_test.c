// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* WQs of verbs and the table of an RSS QP, changed by DEVX under the QP. */
#include "kselftest_harness.h"
#include "mdx_utils.h"

#include <mdx/mdx.h>

enum { RST, RDY, ERR = 3 };

/* A raw packet QP that spreads what it receives over two WQs. */
FIXTURE(rss)
{
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct ibv_wq *wq[2];
	struct ibv_rwq_ind_table *tbl;
	struct ibv_qp *qp;
	uint64_t in[64];
	uint64_t out[64];
};

static struct ibv_wq *create_wq(FIXTURE_DATA(rss) *self)
{
	struct ibv_wq_init_attr attr = {
		.wq_type = IBV_WQT_RQ,
		.max_wr = 4,
		.max_sge = 1,
		.pd = self->pd,
		.cq = self->cq,
	};

	return ibv_create_wq(self->ctx, &attr);
}

static struct ibv_rwq_ind_table *create_tbl(FIXTURE_DATA(rss) *self)
{
	struct ibv_rwq_ind_table_init_attr attr = {
		.log_ind_tbl_size = 1,
		.ind_tbl = self->wq,
	};

	return ibv_create_rwq_ind_table(self->ctx, &attr);
}

static struct ibv_qp *create_qp(FIXTURE_DATA(rss) *self)
{
	uint8_t key[40] = { 1, 2, 3 };
	struct ibv_qp_init_attr_ex attr = {
		.qp_type = IBV_QPT_RAW_PACKET,
		.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_IND_TABLE |
			     IBV_QP_INIT_ATTR_RX_HASH,
		.pd = self->pd,
		.rwq_ind_tbl = self->tbl,
		.rx_hash_conf = {
			.rx_hash_function = IBV_RX_HASH_FUNC_TOEPLITZ,
			.rx_hash_key_len = sizeof(key),
			.rx_hash_key = key,
			.rx_hash_fields_mask = IBV_RX_HASH_SRC_IPV4 |
					       IBV_RX_HASH_DST_IPV4,
		},
	};

	return ibv_create_qp_ex(self->ctx, &attr);
}

FIXTURE_SETUP(rss)
{
	int i;

	SETUP_DEVICE(return);
	self->ctx = mdx_ctx_open();
	ASSERT_NE(NULL, self->ctx);
	ASSERT_EQ(0, mdx_context_check(self->ctx));
	self->pd = ibv_alloc_pd(self->ctx);
	ASSERT_NE(NULL, self->pd);
	self->cq = ibv_create_cq(self->ctx, 16, NULL, NULL, 0);
	ASSERT_NE(NULL, self->cq);
	for (i = 0; i < 2; i++) {
		self->wq[i] = create_wq(self);
		ASSERT_NE(NULL, self->wq[i]);
	}
	self->tbl = create_tbl(self);
	ASSERT_NE(NULL, self->tbl);
	self->qp = create_qp(self);
	ASSERT_NE(NULL, self->qp);
}

FIXTURE_TEARDOWN(rss)
{
	int i;

	if (!self->ctx)
		return;
	if (self->qp)
		EXPECT_EQ(0, ibv_destroy_qp(self->qp));
	if (self->tbl)
		EXPECT_EQ(0, ibv_destroy_rwq_ind_table(self->tbl));
	for (i = 0; i < 2; i++)
		if (self->wq[i])
			EXPECT_EQ(0, ibv_destroy_wq(self->wq[i]));
	if (self->cq)
		EXPECT_EQ(0, ibv_destroy_cq(self->cq));
	if (self->pd)
		EXPECT_EQ(0, ibv_dealloc_pd(self->pd));
	ibv_close_device(self->ctx);
}

/* MODIFY_RQ: 0 or a positive errno. */
static int move_wq(FIXTURE_DATA(rss) *self, int from, int to)
{
	memset(self->in, 0, sizeof(self->in));
	mdx_hdr(self->in, MLX5_CMD_OP_MODIFY_RQ, 0, self->wq[0]->wq_num);
	DEVX_SET(modify_rq_in, self->in, rq_state, from);
	DEVX_SET(modify_rq_in, self->in, ctx.state, to);
	return mlx5dv_devx_wq_modify(self->wq[0], self->in, SZ(modify_rq_in),
				     self->out, 16);
}

static int wq_state(FIXTURE_DATA(rss) *self)
{
	mdx_hdr(self->in, MLX5_CMD_OP_QUERY_RQ, 0, self->wq[0]->wq_num);
	if (mlx5dv_devx_wq_query(self->wq[0], self->in, 16, self->out,
				 SZ(query_rq_out)))
		return -1;
	return DEVX_GET(query_rq_out, self->out, rq_context.state);
}

/* By verbs; the caller gives the present state. */
static int verbs_move_wq(FIXTURE_DATA(rss) *self, enum ibv_wq_state from,
			 enum ibv_wq_state to)
{
	struct ibv_wq_attr attr = {
		.attr_mask = IBV_WQ_ATTR_STATE | IBV_WQ_ATTR_CURR_STATE,
		.curr_wq_state = from,
		.wq_state = to,
	};

	return ibv_modify_wq(self->wq[0], &attr);
}

/* MODIFY_RQT: all of the table's entries, in this order. */
static int set_tbl(FIXTURE_DATA(rss) *self, uint32_t first, uint32_t second)
{
	const size_t list = SZ(modify_rqt_in);

	memset(self->in, 0, sizeof(self->in));
	mdx_hdr(self->in, MLX5_CMD_OP_MODIFY_RQT, 0, self->tbl->ind_tbl_num);
	DEVX_SET(modify_rqt_in, self->in, bitmask.rqn_list, 1);
	DEVX_SET(modify_rqt_in, self->in, ctx.rqt_actual_size, 2);
	mbox_set32(self->in, list, first);
	mbox_set32(self->in, list + 4, second);
	return mlx5dv_devx_ind_tbl_modify(self->tbl, self->in, list + 8,
					  self->out, 16);
}

static void expect_tbl(struct __test_metadata *_metadata,
		       FIXTURE_DATA(rss) *self, uint32_t first, uint32_t second)
{
	const size_t list = SZ(query_rqt_out);

	mdx_hdr(self->in, MLX5_CMD_OP_QUERY_RQT, 0, self->tbl->ind_tbl_num);
	ASSERT_EQ(0, mlx5dv_devx_ind_tbl_query(self->tbl, self->in, 16,
					       self->out, list + 8));
	EXPECT_EQ(2, DEVX_GET(query_rqt_out, self->out,
			      rqt_context.rqt_actual_size));
	EXPECT_EQ(first, mbox_get32(self->out, list));
	EXPECT_EQ(second, mbox_get32(self->out, list + 4));
}

/* The table has the WQs of verbs. */
TEST_F(rss, table_has_verbs_wqs)
{
	expect_tbl(_metadata, self, self->wq[0]->wq_num, self->wq[1]->wq_num);
}

/* The table takes other WQs under the QP. */
TEST_F(rss, table_takes_other_wqs)
{
	uint32_t a = self->wq[0]->wq_num, b = self->wq[1]->wq_num;

	ASSERT_EQ(0, set_tbl(self, b, b));
	expect_tbl(_metadata, self, b, b);
	ASSERT_EQ(0, set_tbl(self, b, a));
	expect_tbl(_metadata, self, b, a);
}

/* The table refuses a number that is no WQ. */
TEST_F(rss, table_no_wq_eremoteio)
{
	uint32_t a = self->wq[0]->wq_num, b = self->wq[1]->wq_num;

	EXPECT_EQ(EREMOTEIO, set_tbl(self, b, 0xfffff0));
	expect_tbl(_metadata, self, a, b);
}

TEST_F(rss, wq_error_and_back)
{
	ASSERT_EQ(0, move_wq(self, RST, RDY));
	EXPECT_EQ(RDY, wq_state(self));
	ASSERT_EQ(0, move_wq(self, RDY, ERR));
	EXPECT_EQ(ERR, wq_state(self));
	ASSERT_EQ(0, move_wq(self, ERR, RST));
	EXPECT_EQ(RST, wq_state(self));
	ASSERT_EQ(0, move_wq(self, RST, RDY));
	EXPECT_EQ(RDY, wq_state(self));
}

/* A move that DEVX made is there for verbs. */
TEST_F(rss, verbs_sees_devx_move)
{
	ASSERT_EQ(0, move_wq(self, RST, RDY));
	ASSERT_EQ(0, verbs_move_wq(self, IBV_WQS_RDY, IBV_WQS_ERR));
	EXPECT_EQ(ERR, wq_state(self));
	ASSERT_EQ(0, verbs_move_wq(self, IBV_WQS_ERR, IBV_WQS_RESET));
	EXPECT_EQ(RST, wq_state(self));
}

/* A move from another state is refused. */
TEST_F(rss, wrong_state_eremoteio)
{
	EXPECT_EQ(EREMOTEIO, move_wq(self, RDY, ERR));
	EXPECT_EQ(RST, wq_state(self));
}

TEST_HARNESS_MAIN
