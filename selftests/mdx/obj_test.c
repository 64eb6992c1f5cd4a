// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Ids, what tells an object apart, what stands on what, steps of a QP. */
#include "kselftest_harness.h"
#include "kinds.h"

FIXTURE(obj)
{
	struct world w;
};

FIXTURE_SETUP(obj)
{
	SETUP_DEVICE(return);
	ASSERT_EQ(0, world_start(&self->w));
}

FIXTURE_TEARDOWN(obj)
{
	world_stop(&self->w);
}

static int query(struct world *w, enum kind_id k)
{
	return _test_mdx_query(w->mdx.fd, w->obj[k].id, &w->m);
}

static int modify(struct world *w, enum kind_id k)
{
	return _test_mdx_modify(w->mdx.fd, w->obj[k].id, &w->m);
}

static int create(struct world *w)
{
	return _test_mdx_create(w->mdx.fd, &w->m, NULL);
}

/* Ids. */

TEST_F(obj, the_first_id_is_one)
{
	ASSERT_EQ(0, kind_create(&self->w, KIND_PD));
	EXPECT_EQ(1, self->w.obj[KIND_PD].id);
}

TEST_F(obj, an_id_is_never_given_twice)
{
	struct world *w = &self->w;
	uint32_t last = 0;
	int i;

	for (i = 0; i < 20; i++) {
		ASSERT_EQ(0, kind_create(w, KIND_PD));
		ASSERT_GT(w->obj[KIND_PD].id, last);
		last = w->obj[KIND_PD].id;
		ASSERT_EQ(0, kind_destroy(w, KIND_PD));
	}
}

TEST_F(obj, id_zero_is_unknown)
{
	test_err_destroy(ENOENT, self->w.mdx.fd, 0);
}

TEST_F(obj, the_highest_id_is_unknown)
{
	test_err_destroy(ENOENT, self->w.mdx.fd, UINT32_MAX);
}

TEST_F(obj, an_id_that_will_come_is_unknown)
{
	ASSERT_EQ(0, kind_create(&self->w, KIND_PD));
	test_err_destroy(ENOENT, self->w.mdx.fd, self->w.obj[KIND_PD].id + 1);
}

TEST_F(obj, a_query_of_an_unknown_id_is_refused)
{
	struct world *w = &self->w;

	ASSERT_EQ(0, kind_create(w, KIND_TIS));
	kind_build_query(w, KIND_TIS);
	test_err_query(ENOENT, w->mdx.fd, 1000, &w->m);
}

TEST_F(obj, a_modify_of_an_unknown_id_is_refused)
{
	struct world *w = &self->w;

	ASSERT_EQ(0, kind_create(w, KIND_TIS));
	kind_build_modify(w, KIND_TIS);
	test_err_modify(ENOENT, w->mdx.fd, 1000, &w->m);
}

TEST_F(obj, a_query_of_a_destroyed_object_is_refused)
{
	struct world *w = &self->w;
	uint32_t id;

	ASSERT_EQ(0, kind_create(w, KIND_TIS));
	kind_build_query(w, KIND_TIS);
	id = w->obj[KIND_TIS].id;
	ASSERT_EQ(0, kind_destroy(w, KIND_TIS));
	test_err_query(ENOENT, w->mdx.fd, id, &w->m);
}

TEST_F(obj, a_query_from_another_file_is_refused)
{
	struct world *w = &self->w;
	int fd = mdx_node_open();

	ASSERT_GE(fd, 0);
	test_mdx_bind(fd, w->mdx.ctx->cmd_fd, w->mdx.pd->handle);
	ASSERT_EQ(0, kind_create(w, KIND_TIS));
	kind_build_query(w, KIND_TIS);
	test_err_query(ENOENT, fd, w->obj[KIND_TIS].id, &w->m);
	close(fd);
}

TEST_F(obj, only_the_bits_of_the_number_tell_an_object)
{
	struct world *w = &self->w;

	ASSERT_EQ(0, kind_create(w, KIND_CQ));
	kind_build_query(w, KIND_CQ);
	((uint8_t *)w->in)[PRM_HDR_ID] = 0xee;
	EXPECT_NE(EINVAL, query(w, KIND_CQ));
}

TEST_F(obj, all_32_bits_tell_a_general_object)
{
	struct world *w = &self->w;

	if (!kind_there(w, KIND_GENERAL))
		SKIP(return, "the device does not advertise match definers");
	ASSERT_EQ(0, kind_create(w, KIND_GENERAL));
	kind_build_query(w, KIND_GENERAL);
	((uint8_t *)w->in)[PRM_HDR_ID] ^= 1;
	EXPECT_EQ(EINVAL, query(w, KIND_GENERAL));
}

TEST_F(obj, the_type_tells_a_general_object)
{
	struct world *w = &self->w;

	if (!kind_there(w, KIND_GENERAL))
		SKIP(return, "the device does not advertise match definers");
	ASSERT_EQ(0, kind_create(w, KIND_GENERAL));
	kind_build_query(w, KIND_GENERAL);
	DEVX_SET(general_obj_in_cmd_hdr, w->in, obj_type,
		 MLX5_OBJ_TYPE_MATCH_DEFINER + 1);
	EXPECT_EQ(EINVAL, query(w, KIND_GENERAL));
}

TEST_F(obj, a_general_object_of_the_type_of_a_uctx_is_refused)
{
	kind_build_create(&self->w, KIND_GENERAL);
	DEVX_SET(general_obj_in_cmd_hdr, self->w.in, obj_type, 4);
	EXPECT_EQ(EINVAL, create(&self->w));
}

TEST_F(obj, a_general_object_of_the_type_of_a_umem_is_refused)
{
	kind_build_create(&self->w, KIND_GENERAL);
	DEVX_SET(general_obj_in_cmd_hdr, self->w.in, obj_type, 5);
	EXPECT_EQ(EINVAL, create(&self->w));
}

/* Bulks of flow counters. */

static int query_counter(struct world *w, uint32_t n)
{
	kind_build_query(w, KIND_FLOW_COUNTERS);
	DEVX_SET(query_flow_counter_in, w->in, num_of_counters, 1);
	DEVX_SET(query_flow_counter_in, w->in, flow_counter_id,
		 w->obj[KIND_FLOW_COUNTERS].num + n);
	return query(w, KIND_FLOW_COUNTERS);
}

TEST_F(obj, a_counter_inside_a_bulk_is_queried)
{
	struct world *w = &self->w;

	if (!kind_there(w, KIND_FLOW_COUNTERS))
		SKIP(return, "the device does not advertise bulks");
	ASSERT_EQ(0, kind_create(w, KIND_FLOW_COUNTERS));
	EXPECT_EQ(0, query_counter(w, 5));
	EXPECT_EQ(0, query_counter(w, 127));
}

TEST_F(obj, a_counter_behind_a_bulk_is_refused)
{
	struct world *w = &self->w;

	if (!kind_there(w, KIND_FLOW_COUNTERS))
		SKIP(return, "the device does not advertise bulks");
	ASSERT_EQ(0, kind_create(w, KIND_FLOW_COUNTERS));
	EXPECT_EQ(EINVAL, query_counter(w, 128));
	EXPECT_EQ(EINVAL, query_counter(w, -1));
}

/* Commands with two roles, and values that are refused by the kernel. */

TEST_F(obj, psvs_two_at_a_time_are_refused)
{
	struct world *w = &self->w;

	kind_build_create(w, KIND_PSV);
	DEVX_SET(create_psv_in, w->in, num_psv, 2);
	EXPECT_EQ(EINVAL, create(w));
}

TEST_F(obj, no_psv_at_all_is_refused)
{
	struct world *w = &self->w;

	kind_build_create(w, KIND_PSV);
	DEVX_SET(create_psv_in, w->in, num_psv, 0);
	EXPECT_EQ(EINVAL, create(w));
}

TEST_F(obj, set_fte_with_op_mod_modify_creates_nothing)
{
	struct world *w = &self->w;

	kind_build_create(w, KIND_FTE);
	DEVX_SET(set_fte_in, w->in, op_mod, 1);
	EXPECT_EQ(EINVAL, create(w));
}

TEST_F(obj, set_fte_with_op_mod_create_modifies_nothing)
{
	struct world *w = &self->w;

	ASSERT_EQ(0, kind_create(w, KIND_PD));
	kind_build_create(w, KIND_FTE);
	EXPECT_EQ(EINVAL, _test_mdx_modify(w->mdx.fd, w->obj[KIND_PD].id,
					   &w->m));
}

/* Objects that others stand on. */

TEST_F(obj, one_that_is_in_use_is_not_destroyed)
{
	struct world *w = &self->w;
	struct mdx_ioc_obj_destroy res;

	ASSERT_EQ(0, kind_create(w, KIND_TIS));
	EXPECT_EQ(EREMOTEIO,
		  _test_mdx_destroy_status(w->mdx.fd, w->obj[KIND_TD].id,
					   &res));
	EXPECT_NE(0, res.out_status);
	ASSERT_EQ(0, kind_destroy(w, KIND_TIS));
	EXPECT_EQ(0, kind_destroy(w, KIND_TD));
}

TEST_F(obj, a_cq_in_use_still_works_after_a_refused_destroy)
{
	struct world *w = &self->w;

	ASSERT_EQ(0, kind_create(w, KIND_QP));
	test_err_destroy(EREMOTEIO, w->mdx.fd, w->obj[KIND_CQ].id);
	kind_build_query(w, KIND_CQ);
	EXPECT_EQ(0, query(w, KIND_CQ));
	EXPECT_EQ(0, kind_destroy(w, KIND_QP));
	EXPECT_EQ(0, kind_destroy(w, KIND_CQ));
}

TEST_F(obj, two_hundred_objects_are_owned_at_a_time)
{
	struct world *w = &self->w;
	struct obj obj;
	int i;

	for (i = 0; i < 200; i++)
		ASSERT_EQ(0, kind_create_more(w, KIND_TD, &obj));
	EXPECT_EQ(200, mdx_objs(w->mdx.fd));
	close(w->mdx.fd);
	w->mdx.fd = -1;
	if (w->hca)
		EXPECT_LE(hca_live(w->hca, w->mdx.uid, "td", -1), 1);
}

/* The answer cannot be written, and the device refuses to undo the create. */
TEST_F(obj, what_cannot_be_undone_at_once_is_destroyed_by_close)
{
	struct world *w = &self->w;
	int before;

	SKIP_NO_HCA(w->hca, return);
	ASSERT_EQ(0, kind_needs(w, KIND_TIS));
	before = hca_live(w->hca, w->mdx.uid, NULL, -1);
	kind_build_create(w, KIND_TIS);
	w->m.out = guard_alloc(15, 0);
	ASSERT_NE(NULL, w->m.out);
	ASSERT_EQ(0, hca_fail(w->hca, MLX5_CMD_OP_DESTROY_TIS, PRM_RES_BUSY, 1,
			      1));
	test_err_create(EFAULT, w->mdx.fd, &w->m);
	EXPECT_EQ(before + 1, hca_live(w->hca, w->mdx.uid, NULL, -1));
	test_err_destroy(ENOENT, w->mdx.fd, w->obj[KIND_TD].id + 1);
	close(w->mdx.fd);
	w->mdx.fd = -1;
	EXPECT_EQ(before - 1, hca_live(w->hca, w->mdx.uid, NULL, -1));
}

TEST_F(obj, a_dct_that_is_not_drained_is_not_destroyed)
{
	struct mdx_ioc_obj_destroy res;
	struct world *w = &self->w;
	long before;

	SKIP_NO_HCA(w->hca, return);
	ASSERT_EQ(0, kind_create(w, KIND_DCT));
	before = hca_count(w->hca, MLX5_CMD_OP_DESTROY_DCT);
	ASSERT_EQ(0, hca_fail(w->hca, MLX5_CMD_OP_DRAIN_DCT, PRM_RES_BUSY,
			      0x77, 1));
	EXPECT_EQ(EREMOTEIO,
		  _test_mdx_destroy_status(w->mdx.fd, w->obj[KIND_DCT].id,
					   &res));
	EXPECT_EQ(PRM_RES_BUSY, res.out_status);
	EXPECT_EQ(0x77, res.out_syndrome);
	EXPECT_EQ(before, hca_count(w->hca, MLX5_CMD_OP_DESTROY_DCT));
	EXPECT_EQ(0, kind_destroy(w, KIND_DCT));
	EXPECT_EQ(before + 1, hca_count(w->hca, MLX5_CMD_OP_DESTROY_DCT));
}

/* Steps of a QP. */

TEST_F(obj, a_qp_walks_to_rts)
{
	struct world *w = &self->w;

	ASSERT_EQ(0, kind_create(w, KIND_QP));
	qp_build_init(w);
	ASSERT_EQ(0, modify(w, KIND_QP));
	qp_build_rtr(w);
	ASSERT_EQ(0, modify(w, KIND_QP));
	qp_build_rts(w);
	ASSERT_EQ(0, modify(w, KIND_QP));
	kind_build_query(w, KIND_QP);
	ASSERT_EQ(0, query(w, KIND_QP));
	EXPECT_EQ(3, DEVX_GET(query_qp_out, w->out, qpc.state));
}

TEST_F(obj, a_qp_does_not_jump_to_rts)
{
	struct world *w = &self->w;

	ASSERT_EQ(0, kind_create(w, KIND_QP));
	kind_build_modify(w, KIND_QP);
	qp_build_rts(w);
	EXPECT_EQ(EREMOTEIO, modify(w, KIND_QP));
	EXPECT_NE(0, prm_get32(w->out, 0) >> 24);
}

TEST_F(obj, a_qp_goes_to_error_and_back_to_reset)
{
	struct world *w = &self->w;

	ASSERT_EQ(0, kind_create(w, KIND_QP));
	qp_build_init(w);
	ASSERT_EQ(0, modify(w, KIND_QP));
	mdx_hdr(w->in, MLX5_CMD_OP_2ERR_QP, 0, w->obj[KIND_QP].num);
	w->m.in_len = 16;
	ASSERT_EQ(0, modify(w, KIND_QP));
	mdx_hdr(w->in, MLX5_CMD_OP_2RST_QP, 0, w->obj[KIND_QP].num);
	ASSERT_EQ(0, modify(w, KIND_QP));
	kind_build_query(w, KIND_QP);
	ASSERT_EQ(0, query(w, KIND_QP));
	EXPECT_EQ(0, DEVX_GET(query_qp_out, w->out, qpc.state));
}

/* Memory is named by umem, whatever user space says. */
FIXTURE(umem)
{
	struct world w;
};

FIXTURE_VARIANT(umem)
{
	enum kind_id k;
	bool modify;
	size_t byte[2];		/* of the bits, 0: no second one */
	uint8_t bit[2];
};

#define UMEM(name, k_, ...)						\
	FIXTURE_VARIANT_ADD(umem, name) { .k = k_, __VA_ARGS__ }
#define WQ_BITS(layout, wq)						\
	.byte = {							\
		DEVX_BYTE_OFF(layout, wq.wq_umem_valid),		\
		DEVX_BYTE_OFF(layout, wq.dbr_umem_valid),		\
	},								\
	.bit = { 0x40, 0x80 }

UMEM(mkey, KIND_MKEY,
	.byte = { DEVX_BYTE_OFF(create_mkey_in, mkey_umem_valid) },
	.bit = { 0x40 });
UMEM(cq, KIND_CQ,
	.byte = { PRM_CREATE_CQ_UMEM_VALID,
	       DEVX_BYTE_OFF(create_cq_in, cq_context.dbr_umem_valid) },
	.bit = { 0x80, 0x02 });
UMEM(cq_modify, KIND_CQ, .modify = true,
	.byte = { DEVX_BYTE_OFF(modify_cq_in, cq_umem_valid) },
	.bit = { 0x80 });
UMEM(qp, KIND_QP,
	.byte = { PRM_CREATE_QP_WQ_UMEM_VALID,
	       DEVX_BYTE_OFF(create_qp_in, qpc.dbr_umem_valid) },
	.bit = { 0x80, 0x10 });
UMEM(rq, KIND_RQ, WQ_BITS(create_rq_in, ctx.wq));
UMEM(sq, KIND_SQ, WQ_BITS(create_sq_in, ctx.wq));
UMEM(rmp, KIND_RMP, WQ_BITS(create_rmp_in, ctx.wq));
UMEM(xrq, KIND_XRQ, WQ_BITS(create_xrq_in, xrq_context.wq));
UMEM(xrc_srq, KIND_XRC_SRQ,
	.byte = { DEVX_BYTE_OFF(create_xrc_srq_in, xrc_srq_umem_valid),
	       DEVX_BYTE_OFF(create_xrc_srq_in,
			     xrc_srq_context_entry.dbr_umem_valid) },
	.bit = { 0x80, 0x01 });

FIXTURE_SETUP(umem)
{
	SETUP_DEVICE(return);
	ASSERT_EQ(0, world_start(&self->w));
	if (!self->w.hca) {
		world_stop(&self->w);
		SKIP_NO_HCA(self->w.hca, return);
	}
	if (!kind_there(&self->w, variant->k)) {
		world_stop(&self->w);
		SKIP(return, "the device does not advertise %s",
		     kinds[variant->k].name);
	}
}

FIXTURE_TEARDOWN(umem)
{
	world_stop(&self->w);
}

TEST_F(umem, is_forced)
{
	const struct kind *kind = &kinds[variant->k];
	struct world *w = &self->w;
	uint8_t *in = (uint8_t *)w->in;
	uint8_t last[1024];
	int i;

	if (variant->modify) {
		ASSERT_EQ(0, kind_create(w, variant->k));
		kind_build_modify(w, variant->k);
	} else {
		ASSERT_EQ(0, kind_needs(w, variant->k));
		kind_build_create(w, variant->k);
	}
	for (i = 0; i < 2; i++)
		in[variant->byte[i]] &= ~variant->bit[i];
	if (variant->modify) {
		ASSERT_EQ(0, modify(w, variant->k));
	} else {
		ASSERT_EQ(0, create(w));
	}
	ASSERT_NE(0, hca_last(w->hca, variant->modify ? kind->modify :
			      kind->create, last, sizeof(last)));
	for (i = 0; i < 2; i++) {
		EXPECT_EQ(variant->bit[i],
			  last[variant->byte[i]] & variant->bit[i]);
		EXPECT_EQ(0, in[variant->byte[i]] & variant->bit[i]);
	}
}

TEST_F(obj, umem_is_not_forced_on_an_mkey_of_mkeys)
{
	struct world *w = &self->w;
	uint8_t last[32];

	SKIP_NO_HCA(w->hca, return);
	ASSERT_EQ(0, kind_create(w, KIND_MKEY_KLM));
	ASSERT_EQ(sizeof(last), hca_last(w->hca, MLX5_CMD_OP_CREATE_MKEY, last,
					 sizeof(last)));
	EXPECT_EQ(0, DEVX_GET(create_mkey_in, last, mkey_umem_valid));
}

TEST_F(obj, a_failing_command_does_not_print)
{
	int mark = kmsg_mark();
	struct world *w = &self->w;
	int i;

	kind_build_create(w, KIND_TIS);
	DEVX_SET(create_tis_in, w->in, ctx.transport_domain, 0xfffff0);
	for (i = 0; i < 300; i++)
		ASSERT_EQ(EREMOTEIO, create(w));
	EXPECT_EQ(0, kmsg_count(mark, "mlx5"));
}

MDX_HARNESS_MAIN(world_share())
