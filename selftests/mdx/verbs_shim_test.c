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
#include "vobj.h"

#include <mdx/mdx.h>

#define SYNDROME 0x00abcdef
#define OUT_LEN 2048
#define BAD_HANDLE 0xfffff
#define NO_NUMBER 0xfffff0

typedef int cmd_fn(void *verbs, const void *in, size_t inlen, void *out,
		   size_t outlen);

/* A function of both libraries. */
struct cmd_fns {
	cmd_fn *ours;
	cmd_fn *stock;
};

static void *open_library(const char *lib)
{
	return dlopen(lib, RTLD_NOW | RTLD_NOLOAD);
}

static struct cmd_fns cmd_fns_of(const char *func, const char *what)
{
	char name[64];

	snprintf(name, sizeof(name), "mlx5dv_devx_%s_%s", func, what);
	return (struct cmd_fns){
		.ours = (cmd_fn *)dlvsym(open_library("libmdx.so.1"), name,
					 "MLX5_1.8"),
		.stock = (cmd_fn *)dlvsym(open_library("libmlx5.so.1"), name,
					  "MLX5_1.8"),
	};
}

static void *verbs_of(const struct vobj *v)
{
	switch (v->obj_type) {
	case MDX_VERBS_CQ:
		return v->cq;
	case MDX_VERBS_QP:
		return v->qp;
	case MDX_VERBS_SRQ:
		return v->srq;
	case MDX_VERBS_WQ:
		return v->wq;
	default:
		return v->tbl;
	}
}

FIXTURE(verbs)
{
	struct hca_ctl *hca;
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	struct vobj v;
	struct cmd_fns query;
	struct cmd_fns modify;
	void *verbs;
	uint32_t num;
	uint64_t in[64];
	uint64_t ours[OUT_LEN / 8];
	uint64_t stock[OUT_LEN / 8];
};

FIXTURE_VARIANT(verbs)
{
	const char *func;
	enum vobj_id id;
	enum hw_type hw_type;
	uint16_t query;
	uint16_t modify;
	size_t modify_len;
};

#define VERBS(name, func_, id_, hw_type_, query_, modify_, len)		\
	FIXTURE_VARIANT_ADD(verbs, name)				\
	{								\
		.func = func_, .id = id_, .hw_type = hw_type_,		\
		.query = query_, .modify = modify_, .modify_len = len,	\
	}

VERBS(cq, "cq", VOBJ_CQ, HW_CQ, MLX5_CMD_OP_QUERY_CQ, MLX5_CMD_OP_MODIFY_CQ,
      SZ(modify_cq_in));
VERBS(qp, "qp", VOBJ_RC, HW_QP, MLX5_CMD_OP_QUERY_QP,
      MLX5_CMD_OP_RST2INIT_QP, SZ(rst2init_qp_in));
VERBS(srq, "srq", VOBJ_SRQ, HW_RMP, MLX5_CMD_OP_QUERY_RMP,
      MLX5_CMD_OP_MODIFY_RMP, SZ(modify_rmp_in));
VERBS(wq, "wq", VOBJ_WQ, HW_RQ, MLX5_CMD_OP_QUERY_RQ, MLX5_CMD_OP_MODIFY_RQ,
      SZ(modify_rq_in));
VERBS(ind_tbl, "ind_tbl", VOBJ_RQT, HW_RQT, MLX5_CMD_OP_QUERY_RQT,
      MLX5_CMD_OP_MODIFY_RQT, SZ(modify_rqt_in) + 4);
/* The parts of a raw packet QP */
VERBS(raw_rq, "qp", VOBJ_RAW, HW_RQ, MLX5_CMD_OP_QUERY_RQ,
      MLX5_CMD_OP_MODIFY_RQ, SZ(modify_rq_in));
VERBS(raw_sq, "qp", VOBJ_RAW, HW_SQ, MLX5_CMD_OP_QUERY_SQ,
      MLX5_CMD_OP_MODIFY_SQ, SZ(modify_sq_in));
VERBS(raw_tir, "qp", VOBJ_RAW, HW_TIR, MLX5_CMD_OP_QUERY_TIR,
      MLX5_CMD_OP_MODIFY_TIR, SZ(modify_tir_in));
VERBS(raw_tis, "qp", VOBJ_RAW, HW_TIS, MLX5_CMD_OP_QUERY_TIS,
      MLX5_CMD_OP_MODIFY_TIS, SZ(modify_tis_in));

FIXTURE_SETUP(verbs)
{
	SETUP_DEVICE(return);
	self->hca = hca_open();
	self->ctx = mdx_ctx_open();
	ASSERT_NE(NULL, self->ctx);
	self->pd = ibv_alloc_pd(self->ctx);
	ASSERT_NE(NULL, self->pd);
	ASSERT_EQ(0, vobj_create(&self->v, variant->id, self->ctx, self->pd));
	self->query = cmd_fns_of(variant->func, "query");
	self->modify = cmd_fns_of(variant->func, "modify");
	ASSERT_TRUE(self->query.ours && self->query.stock);
	ASSERT_TRUE(self->modify.ours && self->modify.stock);
	ASSERT_NE(self->query.ours, self->query.stock);
	ASSERT_EQ(0, mdx_context_check(self->ctx));
	self->verbs = verbs_of(&self->v);
	self->num = self->v.num[variant->hw_type];
	ASSERT_NE(0, self->num);
}

FIXTURE_TEARDOWN(verbs)
{
	vobj_end(&self->v);
	ibv_dealloc_pd(self->pd);
	ibv_close_device(self->ctx);
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

/*
 * The command of self->in by both libraries; a result that differs from errno
 * is negative.
 */
static int by_ours(FIXTURE_DATA(verbs) *self, struct cmd_fns func, size_t len)
{
	int ret;

	errno = 0;
	ret = func.ours(self->verbs, self->in, len, self->ours, OUT_LEN);
	return ret == errno ? ret : -errno;
}

static int by_stock(FIXTURE_DATA(verbs) *self, struct cmd_fns func, size_t len)
{
	return func.stock(self->verbs, self->in, len, self->stock, OUT_LEN);
}

static void set_hdr(FIXTURE_DATA(verbs) *self, uint16_t opcode, uint32_t num)
{
	memset(self->in, 0, sizeof(self->in));
	mdx_hdr(self->in, opcode, 0, num);
}

TEST_F(verbs, query_stock)
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
	switch (variant->hw_type) {
	case HW_CQ:
		/* cq_period and cq_max_count */
		mbox_set32(self->in, 12, 3);
		DEVX_SET(modify_cq_in, self->in, cq_context.cq_period,
			 second ? 7 : 6);
		DEVX_SET(modify_cq_in, self->in, cq_context.cq_max_count, 9);
		break;
	case HW_QP:
		if (second)
			mdx_hdr(self->in, MLX5_CMD_OP_2RST_QP, 0, self->num);
		DEVX_SET(rst2init_qp_in, self->in, qpc.pm_state, 3);
		DEVX_SET(rst2init_qp_in, self->in,
			 qpc.primary_address_path.vhca_port_num, 1);
		break;
	case HW_RMP:
		DEVX_SET(modify_rmp_in, self->in, rmp_state, 1);
		DEVX_SET(modify_rmp_in, self->in, bitmask.lwm, 1);
		DEVX_SET(modify_rmp_in, self->in, ctx.state, 1);
		DEVX_SET(modify_rmp_in, self->in, ctx.wq.lwm, second ? 3 : 2);
		break;
	case HW_RQ:
		DEVX_SET(modify_rq_in, self->in, rq_state, second);
		DEVX_SET(modify_rq_in, self->in, ctx.state, !second);
		break;
	case HW_RQT:
		DEVX_SET(modify_rqt_in, self->in, bitmask.rqn_list, 1);
		DEVX_SET(modify_rqt_in, self->in, ctx.rqt_actual_size, 1);
		mbox_set32(self->in, SZ(modify_rqt_in), self->v.wq->wq_num);
		break;
	case HW_SQ:
		DEVX_SET(modify_sq_in, self->in, sq_state, second);
		DEVX_SET(modify_sq_in, self->in, ctx.state, !second);
		break;
	case HW_TIR:
		DEVX_SET(modify_tir_in, self->in, bitmask.self_lb_en, 1);
		DEVX_SET(modify_tir_in, self->in, ctx.self_lb_block, second);
		break;
	default:
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

TEST_F(verbs, modify_stock)
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
	if (variant->hw_type != HW_RQT)
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

/* Opcodes of all classes, about every type an object could be mistaken for. */
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
		return variant->hw_type == HW_QP;
	case MLX5_CMD_OP_ARM_RQ:
		return variant->id == VOBJ_WQ || variant->id == VOBJ_RAW;
	case MLX5_CMD_OP_QUERY_RQ:
	case MLX5_CMD_OP_QUERY_SQ:
	case MLX5_CMD_OP_QUERY_TIR:
	case MLX5_CMD_OP_QUERY_TIS:
	case MLX5_CMD_OP_MODIFY_RQ:
	case MLX5_CMD_OP_MODIFY_SQ:
	case MLX5_CMD_OP_MODIFY_TIR:
	case MLX5_CMD_OP_MODIFY_TIS:
		return variant->id == VOBJ_RAW;
	default:
		return false;
	}
}

static void expect_same_refusal(struct __test_metadata *_metadata,
				FIXTURE_DATA(verbs) *self, struct cmd_fns func,
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

/* Commands about something else are refused as by stock. */
TEST_F(verbs, other_object_einval)
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

/* A command of the other function is refused as by stock. */
TEST_F(verbs, other_function_einval)
{
	expect_same_refusal(_metadata, self, self->modify, variant->query,
			    self->num);
	expect_same_refusal(_metadata, self, self->query, variant->modify,
			    self->num);
}

TEST_F(verbs, other_number_refused)
{
	expect_same_refusal(_metadata, self, self->query, variant->query, 0);
	expect_same_refusal(_metadata, self, self->modify, variant->modify, 0);
	if (variant->id != VOBJ_RAW) {
		expect_same_refusal(_metadata, self, self->query,
				    variant->query, self->num + 1);
		expect_same_refusal(_metadata, self, self->modify,
				    variant->modify, self->num + 1);
		return;
	}
	/*
	 * mlx5_ib knows the parts of a raw packet QP; the module leaves the
	 * check to the device.
	 */
	set_hdr(self, variant->query, NO_NUMBER);
	EXPECT_EQ(EREMOTEIO, by_ours(self, self->query, 16));
	EXPECT_EQ(EINVAL, by_stock(self, self->query, 16));
	EXPECT_NE(0, mbox_get32(self->ours, 0) >> 24);
}

/*
 * The stock driver returns EINVAL here, so the errno shows which one served the
 * call.
 */
TEST_F(verbs, module_is_asked)
{
	set_hdr(self, 0, self->num);
	EXPECT_EQ(EOPNOTSUPP, by_ours(self, self->query, 16));
	EXPECT_EQ(EINVAL, by_stock(self, self->query, 16));
	EXPECT_EQ(EOPNOTSUPP, by_ours(self, self->modify, 16));
	EXPECT_EQ(EINVAL, by_stock(self, self->modify, 16));
}

/* A refusal by the device is EREMOTEIO with the answer. */
TEST_F(verbs, refused_eremoteio)
{
	if (!self->hca)
		SKIP(return, "no software ConnectX");
	set_hdr(self, variant->query, self->num);
	fill_outs(self);
	ASSERT_EQ(0, hca_fail(self->hca, variant->query, STATUS_BAD_RES_STATE,
			      SYNDROME, 2));
	EXPECT_EQ(EREMOTEIO, by_ours(self, self->query, 16));
	EXPECT_EQ(EREMOTEIO, by_stock(self, self->query, 16));
	EXPECT_TRUE(same_outs(self));
	EXPECT_EQ(STATUS_BAD_RES_STATE, mbox_get32(self->ours, 0) >> 24);
	EXPECT_EQ(SYNDROME, mbox_get32(self->ours, 4));

	set_change(self, variant, false);
	fill_outs(self);
	ASSERT_EQ(0, hca_fail(self->hca, variant->modify, STATUS_BAD_PARAM,
			      SYNDROME, 2));
	EXPECT_EQ(EREMOTEIO, by_ours(self, self->modify, variant->modify_len));
	EXPECT_EQ(EREMOTEIO,
		  by_stock(self, self->modify, variant->modify_len));
	EXPECT_TRUE(same_outs(self));
	EXPECT_EQ(STATUS_BAD_PARAM, mbox_get32(self->ours, 0) >> 24);
}

/* A copy of the object with another handle. */
static void *with_handle(FIXTURE_DATA(verbs) *self, uint32_t handle)
{
	static union {
		struct ibv_cq cq;
		struct ibv_qp qp;
		struct ibv_srq srq;
		struct ibv_wq wq;
		struct ibv_rwq_ind_table ind_tbl;
	} copy;

	switch (self->v.obj_type) {
	case MDX_VERBS_CQ:
		copy.cq = *self->v.cq;
		copy.cq.handle = handle;
		break;
	case MDX_VERBS_SRQ:
		copy.srq = *self->v.srq;
		copy.srq.handle = handle;
		break;
	case MDX_VERBS_WQ:
		copy.wq = *self->v.wq;
		copy.wq.handle = handle;
		break;
	case MDX_VERBS_RWQ_IND_TBL:
		copy.ind_tbl = *self->v.tbl;
		copy.ind_tbl.ind_tbl_handle = handle;
		break;
	default:
		copy.qp = *self->v.qp;
		copy.qp.handle = handle;
	}
	return &copy;
}

TEST_F(verbs, handle_unknown_enoent)
{
	self->verbs = with_handle(self, BAD_HANDLE);
	fill_outs(self);
	set_hdr(self, variant->query, self->num);
	EXPECT_EQ(ENOENT, by_ours(self, self->query, 16));
	EXPECT_EQ(ENOENT, by_stock(self, self->query, 16));
	set_change(self, variant, false);
	EXPECT_EQ(ENOENT, by_ours(self, self->modify, variant->modify_len));
	EXPECT_EQ(ENOENT, by_stock(self, self->modify, variant->modify_len));
	EXPECT_TRUE(all_bytes(self->ours, FILL, OUT_LEN));
}

TEST_F(verbs, other_type_handle_einval)
{
	self->verbs = with_handle(self, self->pd->handle);
	fill_outs(self);
	set_hdr(self, variant->query, self->num);
	EXPECT_EQ(EINVAL, by_ours(self, self->query, 16));
	EXPECT_EQ(EINVAL, by_stock(self, self->query, 16));
	EXPECT_TRUE(all_bytes(self->ours, FILL, OUT_LEN));
}

/* A mailbox that is too short is EINVAL. */
TEST_F(verbs, mailbox_short_einval)
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
