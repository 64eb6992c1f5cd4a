// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * mlx5dv_devx_{cq,qp,srq,wq,ind_tbl}_{query,modify} of libmdx next to those of
 * libmlx5 on the stock driver: the same objects, the same commands, the same
 * answers.
 */
#include <dlfcn.h>
#include <stdio.h>

#include "kselftest_harness.h"
#include "mdx_utils.h"

#include <mdx/mdx.h>

#define SYNDROME 0x00abcdef
#define OUT_LEN 2048
#define BAD_HANDLE 0xfffff
#define NO_NUMBER 0xfffff0

typedef int cmd_fn(void *verbs, const void *in, size_t inlen, void *out,
		   size_t outlen);

/* A function of both libraries. */
struct pair {
	cmd_fn *ours;
	cmd_fn *stock;
};

/* One verbs object of each kind. */
struct objects {
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct ibv_qp *qp;
	struct ibv_srq *srq;
	struct ibv_wq *wq;
	struct ibv_rwq_ind_table *ind_tbl;
	struct ibv_qp *raw;
	struct mlx5dv_qp raw_nums;
	uint32_t cqn;
	uint32_t srqn;
};

static struct ibv_qp *create_qp(struct objects *o, enum ibv_qp_type type)
{
	struct ibv_qp_init_attr attr = {
		.send_cq = o->cq,
		.recv_cq = o->cq,
		.cap = {
			.max_send_wr = 4,
			.max_recv_wr = 4,
			.max_send_sge = 1,
			.max_recv_sge = 1,
		},
		.qp_type = type,
	};

	return ibv_create_qp(o->pd, &attr);
}

static struct ibv_wq *create_wq(struct objects *o)
{
	struct ibv_wq_init_attr attr = {
		.wq_type = IBV_WQT_RQ,
		.max_wr = 4,
		.max_sge = 1,
		.pd = o->pd,
		.cq = o->cq,
	};

	return ibv_create_wq(o->ctx, &attr);
}

static struct ibv_rwq_ind_table *create_ind_tbl(struct objects *o)
{
	struct ibv_rwq_ind_table_init_attr attr = {
		.ind_tbl = &o->wq,
	};

	return ibv_create_rwq_ind_table(o->ctx, &attr);
}

/* The numbers that verbs does not tell. */
static bool get_numbers(struct objects *o)
{
	struct mlx5dv_srq srq = { .comp_mask = MLX5DV_SRQ_MASK_SRQN };
	struct mlx5dv_obj obj = { };
	struct mlx5dv_cq cq = { };

	o->raw_nums.comp_mask = MLX5DV_QP_MASK_RAW_QP_HANDLES;
	obj.cq.in = o->cq;
	obj.cq.out = &cq;
	obj.srq.in = o->srq;
	obj.srq.out = &srq;
	obj.qp.in = o->raw;
	obj.qp.out = &o->raw_nums;
	if (mlx5dv_init_obj(&obj, MLX5DV_OBJ_CQ | MLX5DV_OBJ_SRQ |
			    MLX5DV_OBJ_QP))
		return false;
	o->cqn = cq.cqn;
	o->srqn = srq.srqn;
	return true;
}

static bool objects_start(struct objects *o)
{
	struct ibv_srq_init_attr srq_attr = {
		.attr = { .max_wr = 4, .max_sge = 1 },
	};

	memset(o, 0, sizeof(*o));
	o->ctx = mdx_ctx_open();
	if (!o->ctx)
		return false;
	o->pd = ibv_alloc_pd(o->ctx);
	o->cq = ibv_create_cq(o->ctx, 16, NULL, NULL, 0);
	if (!o->pd || !o->cq)
		return false;
	o->qp = create_qp(o, IBV_QPT_RC);
	o->srq = ibv_create_srq(o->pd, &srq_attr);
	o->wq = create_wq(o);
	if (!o->qp || !o->srq || !o->wq)
		return false;
	o->ind_tbl = create_ind_tbl(o);
	o->raw = create_qp(o, IBV_QPT_RAW_PACKET);
	return o->ind_tbl && o->raw && get_numbers(o);
}

static void objects_stop(struct objects *o)
{
	if (o->raw)
		ibv_destroy_qp(o->raw);
	if (o->ind_tbl)
		ibv_destroy_rwq_ind_table(o->ind_tbl);
	if (o->wq)
		ibv_destroy_wq(o->wq);
	if (o->srq)
		ibv_destroy_srq(o->srq);
	if (o->qp)
		ibv_destroy_qp(o->qp);
	if (o->cq)
		ibv_destroy_cq(o->cq);
	if (o->pd)
		ibv_dealloc_pd(o->pd);
	if (o->ctx)
		ibv_close_device(o->ctx);
}

static void *load(const char *lib)
{
	return dlopen(lib, RTLD_NOW | RTLD_NOLOAD);
}

static struct pair pair_of(const char *func, const char *what)
{
	char name[64];

	snprintf(name, sizeof(name), "mlx5dv_devx_%s_%s", func, what);
	return (struct pair){
		.ours = (cmd_fn *)dlvsym(load("libmdx.so.1"), name, "MLX5_1.8"),
		.stock = (cmd_fn *)dlvsym(load("libmlx5.so.1"), name,
					  "MLX5_1.8"),
	};
}

enum which {
	CQ,
	QP,
	SRQ,
	WQ,
	IND_TBL,
	RAW_RQ,
	RAW_SQ,
	RAW_TIR,
	RAW_TIS,
};

static void *verbs_of(struct objects *o, enum which which)
{
	switch (which) {
	case CQ:
		return o->cq;
	case QP:
		return o->qp;
	case SRQ:
		return o->srq;
	case WQ:
		return o->wq;
	case IND_TBL:
		return o->ind_tbl;
	default:
		return o->raw;
	}
}

static uint32_t number_of(struct objects *o, enum which which)
{
	switch (which) {
	case CQ:
		return o->cqn;
	case QP:
		return o->qp->qp_num;
	case SRQ:
		return o->srqn;
	case WQ:
		return o->wq->wq_num;
	case IND_TBL:
		return o->ind_tbl->ind_tbl_num;
	case RAW_RQ:
		return o->raw_nums.rqn;
	case RAW_SQ:
		return o->raw_nums.sqn;
	case RAW_TIR:
		return o->raw_nums.tirn;
	default:
		return o->raw_nums.tisn;
	}
}

FIXTURE(verbs)
{
	struct hca *hca;
	struct objects o;
	struct pair query;
	struct pair modify;
	void *verbs;
	uint32_t num;
	uint64_t in[64];
	uint64_t ours[OUT_LEN / 8];
	uint64_t stock[OUT_LEN / 8];
};

FIXTURE_VARIANT(verbs)
{
	const char *func;
	enum which which;
	uint16_t query;
	uint16_t modify;
	size_t modify_len;
};

#define VERBS(name, func_, which_, query_, modify_, len)		\
	FIXTURE_VARIANT_ADD(verbs, name)				\
	{								\
		.func = func_, .which = which_, .query = query_,	\
		.modify = modify_, .modify_len = len,			\
	}

VERBS(cq, "cq", CQ, MLX5_CMD_OP_QUERY_CQ, MLX5_CMD_OP_MODIFY_CQ,
      SZ(modify_cq_in));
VERBS(qp, "qp", QP, MLX5_CMD_OP_QUERY_QP, MLX5_CMD_OP_RST2INIT_QP,
      SZ(rst2init_qp_in));
VERBS(srq, "srq", SRQ, MLX5_CMD_OP_QUERY_RMP, MLX5_CMD_OP_MODIFY_RMP,
      SZ(modify_rmp_in));
VERBS(wq, "wq", WQ, MLX5_CMD_OP_QUERY_RQ, MLX5_CMD_OP_MODIFY_RQ,
      SZ(modify_rq_in));
VERBS(ind_tbl, "ind_tbl", IND_TBL, MLX5_CMD_OP_QUERY_RQT,
      MLX5_CMD_OP_MODIFY_RQT, SZ(modify_rqt_in) + 4);
VERBS(raw_rq, "qp", RAW_RQ, MLX5_CMD_OP_QUERY_RQ, MLX5_CMD_OP_MODIFY_RQ,
      SZ(modify_rq_in));
VERBS(raw_sq, "qp", RAW_SQ, MLX5_CMD_OP_QUERY_SQ, MLX5_CMD_OP_MODIFY_SQ,
      SZ(modify_sq_in));
VERBS(raw_tir, "qp", RAW_TIR, MLX5_CMD_OP_QUERY_TIR, MLX5_CMD_OP_MODIFY_TIR,
      SZ(modify_tir_in));
VERBS(raw_tis, "qp", RAW_TIS, MLX5_CMD_OP_QUERY_TIS, MLX5_CMD_OP_MODIFY_TIS,
      SZ(modify_tis_in));

FIXTURE_SETUP(verbs)
{
	SETUP_DEVICE(return);
	self->hca = hca_open();
	ASSERT_TRUE(objects_start(&self->o))
		TH_LOG("verbs objects: %s", strerror(errno));
	self->query = pair_of(variant->func, "query");
	self->modify = pair_of(variant->func, "modify");
	ASSERT_TRUE(self->query.ours && self->query.stock);
	ASSERT_TRUE(self->modify.ours && self->modify.stock);
	ASSERT_NE(self->query.ours, self->query.stock);
	ASSERT_EQ(0, mdx_context_check(self->o.ctx));
	self->verbs = verbs_of(&self->o, variant->which);
	self->num = number_of(&self->o, variant->which);
	ASSERT_NE(0, self->num);
}

FIXTURE_TEARDOWN(verbs)
{
	objects_stop(&self->o);
	hca_close(self->hca);
}

static void fill_outs(FIXTURE_DATA(verbs) *self)
{
	memset(self->ours, FILL, OUT_LEN);
	memset(self->stock, FILL, OUT_LEN);
}

static bool same_outs(FIXTURE_DATA(verbs) *self)
{
	return !memcmp(self->ours, self->stock, OUT_LEN);
}

/* The command of self->in by both; errno has to be what is returned. */
static int by_ours(FIXTURE_DATA(verbs) *self, struct pair func, size_t len)
{
	int ret;

	errno = 0;
	ret = func.ours(self->verbs, self->in, len, self->ours, OUT_LEN);
	return ret == errno ? ret : -errno;
}

static int by_stock(FIXTURE_DATA(verbs) *self, struct pair func, size_t len)
{
	return func.stock(self->verbs, self->in, len, self->stock, OUT_LEN);
}

static void set_hdr(FIXTURE_DATA(verbs) *self, uint16_t opcode, uint32_t num)
{
	memset(self->in, 0, sizeof(self->in));
	mdx_hdr(self->in, opcode, 0, num);
}

TEST_F(verbs, query_answers_what_stock_answers)
{
	fill_outs(self);
	set_hdr(self, variant->query, self->num);
	EXPECT_EQ(0, by_ours(self, self->query, 16));
	EXPECT_EQ(0, by_stock(self, self->query, 16));
	EXPECT_TRUE(same_outs(self));
	EXPECT_EQ(0, *(uint8_t *)self->ours);
	EXPECT_FALSE(all_bytes(self->ours, 0, OUT_LEN));
}

/*
 * A change of the object that both are to make, the second of them another: a
 * number that can be read back, or a move from one state to another and back.
 */
static void set_change(FIXTURE_DATA(verbs) *self,
		       const FIXTURE_VARIANT(verbs) *variant, bool second)
{
	set_hdr(self, variant->modify, self->num);
	switch (variant->which) {
	case CQ:
		/* cq_period and cq_max_count */
		prm_set32(self->in, 12, 3);
		DEVX_SET(modify_cq_in, self->in, cq_context.cq_period,
			 second ? 7 : 6);
		DEVX_SET(modify_cq_in, self->in, cq_context.cq_max_count, 9);
		break;
	case QP:
		if (second)
			mdx_hdr(self->in, MLX5_CMD_OP_2RST_QP, 0, self->num);
		DEVX_SET(rst2init_qp_in, self->in, qpc.pm_state, 3);
		DEVX_SET(rst2init_qp_in, self->in,
			 qpc.primary_address_path.vhca_port_num, 1);
		break;
	case SRQ:
		DEVX_SET(modify_rmp_in, self->in, rmp_state, 1);
		DEVX_SET(modify_rmp_in, self->in, bitmask.lwm, 1);
		DEVX_SET(modify_rmp_in, self->in, ctx.state, 1);
		DEVX_SET(modify_rmp_in, self->in, ctx.wq.lwm, second ? 3 : 2);
		break;
	case WQ:
	case RAW_RQ:
		DEVX_SET(modify_rq_in, self->in, rq_state, second);
		DEVX_SET(modify_rq_in, self->in, ctx.state, !second);
		break;
	case IND_TBL:
		DEVX_SET(modify_rqt_in, self->in, bitmask.rqn_list, 1);
		DEVX_SET(modify_rqt_in, self->in, ctx.rqt_actual_size, 1);
		prm_set32(self->in, SZ(modify_rqt_in), self->o.wq->wq_num);
		break;
	case RAW_SQ:
		DEVX_SET(modify_sq_in, self->in, sq_state, second);
		DEVX_SET(modify_sq_in, self->in, ctx.state, !second);
		break;
	case RAW_TIR:
		DEVX_SET(modify_tir_in, self->in, bitmask.self_lb_en, 1);
		DEVX_SET(modify_tir_in, self->in, ctx.self_lb_block, second);
		break;
	case RAW_TIS:
		DEVX_SET(modify_tis_in, self->in, bitmask.prio, 1);
		DEVX_SET(modify_tis_in, self->in, ctx.prio, second ? 4 : 2);
		break;
	}
}

static void expect_same_object(struct __test_metadata *_metadata,
			       FIXTURE_DATA(verbs) *self,
			       const FIXTURE_VARIANT(verbs) *variant)
{
	fill_outs(self);
	set_hdr(self, variant->query, self->num);
	EXPECT_EQ(0, by_ours(self, self->query, 16));
	EXPECT_EQ(0, by_stock(self, self->query, 16));
	EXPECT_TRUE(same_outs(self));
}

TEST_F(verbs, modify_changes_what_stock_changes)
{
	uint64_t first[OUT_LEN / 8], second[OUT_LEN / 8];
	size_t len = variant->modify_len;

	set_change(self, variant, false);
	fill_outs(self);
	ASSERT_EQ(0, by_ours(self, self->modify, len));
	expect_same_object(_metadata, self, variant);
	memcpy(first, self->ours, OUT_LEN);
	set_change(self, variant, true);
	ASSERT_EQ(0, by_ours(self, self->modify, len));
	expect_same_object(_metadata, self, variant);
	memcpy(second, self->ours, OUT_LEN);
	if (variant->which != IND_TBL)
		EXPECT_NE(0, memcmp(first, second, OUT_LEN));

	/* The same two steps by the stock driver lead to the same. */
	set_change(self, variant, false);
	ASSERT_EQ(0, by_stock(self, self->modify, len));
	expect_same_object(_metadata, self, variant);
	EXPECT_EQ(0, memcmp(first, self->ours, OUT_LEN));
	set_change(self, variant, true);
	ASSERT_EQ(0, by_stock(self, self->modify, len));
	expect_same_object(_metadata, self, variant);
	EXPECT_EQ(0, memcmp(second, self->ours, OUT_LEN));
}

/* Of all classes, and about all that an object could be mistaken for. */
static const uint16_t opcodes[] = {
	MLX5_CMD_OP_QUERY_CQ, MLX5_CMD_OP_QUERY_QP, MLX5_CMD_OP_QUERY_RMP,
	MLX5_CMD_OP_QUERY_RQ, MLX5_CMD_OP_QUERY_SQ, MLX5_CMD_OP_QUERY_RQT,
	MLX5_CMD_OP_QUERY_TIR, MLX5_CMD_OP_QUERY_TIS, MLX5_CMD_OP_QUERY_SRQ,
	MLX5_CMD_OP_QUERY_XRC_SRQ, MLX5_CMD_OP_QUERY_XRQ,
	MLX5_CMD_OP_QUERY_DCT, MLX5_CMD_OP_QUERY_MKEY,
	MLX5_CMD_OP_MODIFY_CQ, MLX5_CMD_OP_RST2INIT_QP,
	MLX5_CMD_OP_INIT2RTR_QP, MLX5_CMD_OP_RTR2RTS_QP,
	MLX5_CMD_OP_RTS2RTS_QP, MLX5_CMD_OP_SQERR2RTS_QP, MLX5_CMD_OP_2ERR_QP,
	MLX5_CMD_OP_2RST_QP, MLX5_CMD_OP_INIT2INIT_QP, MLX5_CMD_OP_MODIFY_RMP,
	MLX5_CMD_OP_MODIFY_RQ, MLX5_CMD_OP_MODIFY_SQ, MLX5_CMD_OP_MODIFY_RQT,
	MLX5_CMD_OP_MODIFY_TIR, MLX5_CMD_OP_MODIFY_TIS, MLX5_CMD_OP_ARM_RQ,
	MLX5_CMD_OP_ARM_XRC_SRQ, MLX5_CMD_OP_ARM_XRQ,
	MLX5_CMD_OP_CREATE_CQ, MLX5_CMD_OP_CREATE_RQ, MLX5_CMD_OP_CREATE_QP,
	MLX5_CMD_OP_QUERY_ADAPTER, MLX5_CMD_OP_QUERY_HCA_CAP,
};

/* The parts of a raw packet QP, which all its commands may be about. */
static bool is_about(const FIXTURE_VARIANT(verbs) *variant, uint16_t opcode)
{
	if (opcode == variant->query || opcode == variant->modify)
		return true;
	switch (opcode) {
	case MLX5_CMD_OP_RST2INIT_QP ... MLX5_CMD_OP_INIT2INIT_QP:
		return variant->which == QP;
	case MLX5_CMD_OP_ARM_RQ:
		return variant->which == WQ || variant->which >= RAW_RQ;
	case MLX5_CMD_OP_QUERY_RQ:
	case MLX5_CMD_OP_QUERY_SQ:
	case MLX5_CMD_OP_QUERY_TIR:
	case MLX5_CMD_OP_QUERY_TIS:
	case MLX5_CMD_OP_MODIFY_RQ:
	case MLX5_CMD_OP_MODIFY_SQ:
	case MLX5_CMD_OP_MODIFY_TIR:
	case MLX5_CMD_OP_MODIFY_TIS:
		return variant->which >= RAW_RQ;
	default:
		return false;
	}
}

static void expect_same_refusal(struct __test_metadata *_metadata,
				FIXTURE_DATA(verbs) *self, struct pair func,
				uint16_t opcode, uint32_t num)
{
	int ours, stock;

	fill_outs(self);
	set_hdr(self, opcode, num);
	ours = by_ours(self, func, sizeof(self->in));
	stock = by_stock(self, func, sizeof(self->in));
	EXPECT_EQ(EINVAL, ours)
		TH_LOG("opcode 0x%x number 0x%x", opcode, num);
	EXPECT_EQ(ours, stock);
	EXPECT_TRUE(all_bytes(self->ours, FILL, OUT_LEN));
}

TEST_F(verbs, commands_about_something_else_are_refused_as_by_stock)
{
	size_t i;

	for (i = 0; i < sizeof(opcodes) / sizeof(opcodes[0]); i++) {
		uint16_t op = opcodes[i];

		if (op != variant->query && !is_about(variant, op))
			expect_same_refusal(_metadata, self, self->query, op,
					    self->num);
		if (op != variant->modify && !is_about(variant, op))
			expect_same_refusal(_metadata, self, self->modify, op,
					    self->num);
	}
}

TEST_F(verbs, a_command_of_the_other_function_is_refused_as_by_stock)
{
	expect_same_refusal(_metadata, self, self->modify, variant->query,
			    self->num);
	expect_same_refusal(_metadata, self, self->query, variant->modify,
			    self->num);
}

TEST_F(verbs, another_number_is_refused)
{
	expect_same_refusal(_metadata, self, self->query, variant->query, 0);
	expect_same_refusal(_metadata, self, self->modify, variant->modify, 0);
	if (variant->which < RAW_RQ) {
		expect_same_refusal(_metadata, self, self->query,
				    variant->query, self->num + 1);
		expect_same_refusal(_metadata, self, self->modify,
				    variant->modify, self->num + 1);
		return;
	}
	/* The parts of a raw packet QP: stock knows them, we ask the device. */
	set_hdr(self, variant->query, NO_NUMBER);
	EXPECT_EQ(EREMOTEIO, by_ours(self, self->query, 16));
	EXPECT_EQ(EINVAL, by_stock(self, self->query, 16));
	EXPECT_NE(0, prm_get32(self->ours, 0) >> 24);
}

/* Stock calls it EINVAL: this is how one sees who was asked. */
TEST_F(verbs, the_module_is_asked)
{
	set_hdr(self, 0, self->num);
	EXPECT_EQ(EOPNOTSUPP, by_ours(self, self->query, 16));
	EXPECT_EQ(EINVAL, by_stock(self, self->query, 16));
	EXPECT_EQ(EOPNOTSUPP, by_ours(self, self->modify, 16));
	EXPECT_EQ(EINVAL, by_stock(self, self->modify, 16));
}

TEST_F(verbs, a_refusal_by_the_device_is_eremoteio_with_the_answer)
{
	if (!self->hca)
		SKIP(return, "no software ConnectX");
	set_hdr(self, variant->query, self->num);
	fill_outs(self);
	ASSERT_EQ(0, hca_fail(self->hca, variant->query, PRM_BAD_RES_STATE,
			      SYNDROME, 2));
	EXPECT_EQ(EREMOTEIO, by_ours(self, self->query, 16));
	EXPECT_EQ(EREMOTEIO, by_stock(self, self->query, 16));
	EXPECT_TRUE(same_outs(self));
	EXPECT_EQ(PRM_BAD_RES_STATE, prm_get32(self->ours, 0) >> 24);
	EXPECT_EQ(SYNDROME, prm_get32(self->ours, 4));

	set_change(self, variant, false);
	fill_outs(self);
	ASSERT_EQ(0, hca_fail(self->hca, variant->modify, PRM_BAD_PARAM,
			      SYNDROME, 2));
	EXPECT_EQ(EREMOTEIO, by_ours(self, self->modify, variant->modify_len));
	EXPECT_EQ(EREMOTEIO,
		  by_stock(self, self->modify, variant->modify_len));
	EXPECT_TRUE(same_outs(self));
	EXPECT_EQ(PRM_BAD_PARAM, prm_get32(self->ours, 0) >> 24);
}

/* A copy of the object, by another handle: verbs has none to give away. */
static void *with_handle(FIXTURE_DATA(verbs) *self,
			 const FIXTURE_VARIANT(verbs) *variant, uint32_t handle)
{
	static union {
		struct ibv_cq cq;
		struct ibv_qp qp;
		struct ibv_srq srq;
		struct ibv_wq wq;
		struct ibv_rwq_ind_table ind_tbl;
	} copy;

	switch (variant->which) {
	case CQ:
		copy.cq = *self->o.cq;
		copy.cq.handle = handle;
		break;
	case SRQ:
		copy.srq = *self->o.srq;
		copy.srq.handle = handle;
		break;
	case WQ:
		copy.wq = *self->o.wq;
		copy.wq.handle = handle;
		break;
	case IND_TBL:
		copy.ind_tbl = *self->o.ind_tbl;
		copy.ind_tbl.ind_tbl_handle = handle;
		break;
	default:
		copy.qp = *(struct ibv_qp *)self->verbs;
		copy.qp.handle = handle;
	}
	return &copy;
}

TEST_F(verbs, an_unknown_handle_is_enoent)
{
	self->verbs = with_handle(self, variant, BAD_HANDLE);
	fill_outs(self);
	set_hdr(self, variant->query, self->num);
	EXPECT_EQ(ENOENT, by_ours(self, self->query, 16));
	EXPECT_EQ(ENOENT, by_stock(self, self->query, 16));
	set_change(self, variant, false);
	EXPECT_EQ(ENOENT, by_ours(self, self->modify, variant->modify_len));
	EXPECT_EQ(ENOENT, by_stock(self, self->modify, variant->modify_len));
	EXPECT_TRUE(all_bytes(self->ours, FILL, OUT_LEN));
}

TEST_F(verbs, the_handle_of_another_kind_is_einval)
{
	self->verbs = with_handle(self, variant, self->o.pd->handle);
	fill_outs(self);
	set_hdr(self, variant->query, self->num);
	EXPECT_EQ(EINVAL, by_ours(self, self->query, 16));
	EXPECT_EQ(EINVAL, by_stock(self, self->query, 16));
	EXPECT_TRUE(all_bytes(self->ours, FILL, OUT_LEN));
}

TEST_F(verbs, a_mailbox_that_is_too_short_is_einval)
{
	fill_outs(self);
	set_hdr(self, variant->query, self->num);
	EXPECT_EQ(EINVAL, by_ours(self, self->query, 15));
	EXPECT_EQ(EINVAL, by_stock(self, self->query, 15));
	EXPECT_EQ(EINVAL, self->query.ours(self->verbs, self->in, 16,
					   self->ours, 15));
	EXPECT_TRUE(all_bytes(self->ours, FILL, OUT_LEN));
}

TEST_HARNESS_MAIN
