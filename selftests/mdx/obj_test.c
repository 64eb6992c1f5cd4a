// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Ids, matching of commands to objects, references, transitions of a QP. */
#include "kselftest_harness.h"
#include "objtypes.h"

FIXTURE(obj)
{
	struct mdx_world w;
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

static int query_obj(struct mdx_world *w, enum objtype_id t)
{
	return _test_mdx_query(w->mdx.fd, w->obj[t].id, &w->m);
}

static int modify_obj(struct mdx_world *w, enum objtype_id t)
{
	return _test_mdx_modify(w->mdx.fd, w->obj[t].id, &w->m);
}

static int create_obj(struct mdx_world *w)
{
	return _test_mdx_create(w->mdx.fd, &w->m, NULL);
}

/* Ids. */

TEST_F(obj, first_id_one)
{
	ASSERT_EQ(0, objtype_create(&self->w, OBJTYPE_PD));
	EXPECT_EQ(1, self->w.obj[OBJTYPE_PD].id);
}

TEST_F(obj, ids_never_reused)
{
	struct mdx_world *w = &self->w;
	uint32_t last = 0;
	int i;

	for (i = 0; i < 20; i++) {
		ASSERT_EQ(0, objtype_create(w, OBJTYPE_PD));
		ASSERT_GT(w->obj[OBJTYPE_PD].id, last);
		last = w->obj[OBJTYPE_PD].id;
		ASSERT_EQ(0, objtype_destroy(w, OBJTYPE_PD));
	}
}

TEST_F(obj, id_zero_enoent)
{
	test_err_destroy(ENOENT, self->w.mdx.fd, 0);
}

TEST_F(obj, highest_id_enoent)
{
	test_err_destroy(ENOENT, self->w.mdx.fd, UINT32_MAX);
}

/* An id that will come is unknown. */
TEST_F(obj, next_id_enoent)
{
	ASSERT_EQ(0, objtype_create(&self->w, OBJTYPE_PD));
	test_err_destroy(ENOENT, self->w.mdx.fd,
			 self->w.obj[OBJTYPE_PD].id + 1);
}

/* A query of an unknown id is refused. */
TEST_F(obj, query_unknown_id_enoent)
{
	struct mdx_world *w = &self->w;

	ASSERT_EQ(0, objtype_create(w, OBJTYPE_TIS));
	objtype_build_query(w, OBJTYPE_TIS);
	test_err_query(ENOENT, w->mdx.fd, 1000, &w->m);
}

/* A modify of an unknown id is refused. */
TEST_F(obj, modify_unknown_id_enoent)
{
	struct mdx_world *w = &self->w;

	ASSERT_EQ(0, objtype_create(w, OBJTYPE_TIS));
	objtype_build_modify(w, OBJTYPE_TIS);
	test_err_modify(ENOENT, w->mdx.fd, 1000, &w->m);
}

/* A query of a destroyed object is refused. */
TEST_F(obj, query_destroyed_enoent)
{
	struct mdx_world *w = &self->w;
	uint32_t id;

	ASSERT_EQ(0, objtype_create(w, OBJTYPE_TIS));
	objtype_build_query(w, OBJTYPE_TIS);
	id = w->obj[OBJTYPE_TIS].id;
	ASSERT_EQ(0, objtype_destroy(w, OBJTYPE_TIS));
	test_err_query(ENOENT, w->mdx.fd, id, &w->m);
}

/* A query from another file is refused. */
TEST_F(obj, query_other_file_enoent)
{
	struct mdx_world *w = &self->w;
	int fd = mdx_node_open();

	ASSERT_GE(fd, 0);
	test_mdx_bind(fd, w->mdx.ctx->cmd_fd, w->mdx.pd->handle);
	ASSERT_EQ(0, objtype_create(w, OBJTYPE_TIS));
	objtype_build_query(w, OBJTYPE_TIS);
	test_err_query(ENOENT, fd, w->obj[OBJTYPE_TIS].id, &w->m);
	close(fd);
}

/* Bits next to the number are ignored when a command is matched. */
TEST_F(obj, number_other_bits_ignored)
{
	struct mdx_world *w = &self->w;

	ASSERT_EQ(0, objtype_create(w, OBJTYPE_CQ));
	objtype_build_query(w, OBJTYPE_CQ);
	((uint8_t *)w->in)[MBOX_HDR_ID] = 0xee;
	EXPECT_NE(EINVAL, query_obj(w, OBJTYPE_CQ));
}

/* All 32 bits of a general object's id are matched. */
TEST_F(obj, general_id_32_bits)
{
	struct mdx_world *w = &self->w;

	if (!objtype_advertised(w, OBJTYPE_GENERAL))
		SKIP(return, "the device does not advertise match definers");
	ASSERT_EQ(0, objtype_create(w, OBJTYPE_GENERAL));
	objtype_build_query(w, OBJTYPE_GENERAL);
	((uint8_t *)w->in)[MBOX_HDR_ID] ^= 1;
	EXPECT_EQ(EINVAL, query_obj(w, OBJTYPE_GENERAL));
}

TEST_F(obj, general_other_type_einval)
{
	struct mdx_world *w = &self->w;

	if (!objtype_advertised(w, OBJTYPE_GENERAL))
		SKIP(return, "the device does not advertise match definers");
	ASSERT_EQ(0, objtype_create(w, OBJTYPE_GENERAL));
	objtype_build_query(w, OBJTYPE_GENERAL);
	DEVX_SET(general_obj_in_cmd_hdr, w->in, obj_type,
		 MLX5_OBJ_TYPE_MATCH_DEFINER + 1);
	EXPECT_EQ(EINVAL, query_obj(w, OBJTYPE_GENERAL));
}

/* A general object of the type of a uctx is refused. */
TEST_F(obj, general_uctx_einval)
{
	objtype_build_create(&self->w, OBJTYPE_GENERAL);
	DEVX_SET(general_obj_in_cmd_hdr, self->w.in, obj_type, 4);
	EXPECT_EQ(EINVAL, create_obj(&self->w));
}

/* A general object of the type of a umem is refused. */
TEST_F(obj, general_umem_einval)
{
	objtype_build_create(&self->w, OBJTYPE_GENERAL);
	DEVX_SET(general_obj_in_cmd_hdr, self->w.in, obj_type, 5);
	EXPECT_EQ(EINVAL, create_obj(&self->w));
}

/* Bulks of flow counters. */

static int query_counter(struct mdx_world *w, uint32_t n)
{
	objtype_build_query(w, OBJTYPE_FLOW_COUNTERS);
	DEVX_SET(query_flow_counter_in, w->in, num_of_counters, 1);
	DEVX_SET(query_flow_counter_in, w->in, flow_counter_id,
		 w->obj[OBJTYPE_FLOW_COUNTERS].num + n);
	return query_obj(w, OBJTYPE_FLOW_COUNTERS);
}

/* A counter inside a bulk is queried. */
TEST_F(obj, counter_inside_bulk)
{
	struct mdx_world *w = &self->w;

	if (!objtype_advertised(w, OBJTYPE_FLOW_COUNTERS))
		SKIP(return, "the device does not advertise bulks");
	ASSERT_EQ(0, objtype_create(w, OBJTYPE_FLOW_COUNTERS));
	EXPECT_EQ(0, query_counter(w, 5));
	EXPECT_EQ(0, query_counter(w, 127));
}

/* A counter behind a bulk is refused. */
TEST_F(obj, counter_outside_bulk_einval)
{
	struct mdx_world *w = &self->w;

	if (!objtype_advertised(w, OBJTYPE_FLOW_COUNTERS))
		SKIP(return, "the device does not advertise bulks");
	ASSERT_EQ(0, objtype_create(w, OBJTYPE_FLOW_COUNTERS));
	EXPECT_EQ(EINVAL, query_counter(w, 128));
	EXPECT_EQ(EINVAL, query_counter(w, -1));
}

/* Commands with two roles, and values that are refused by the kernel. */

/* PSVs two at a time are refused. */
TEST_F(obj, psv_two_einval)
{
	struct mdx_world *w = &self->w;

	objtype_build_create(w, OBJTYPE_PSV);
	DEVX_SET(create_psv_in, w->in, num_psv, 2);
	EXPECT_EQ(EINVAL, create_obj(w));
}

TEST_F(obj, psv_none_einval)
{
	struct mdx_world *w = &self->w;

	objtype_build_create(w, OBJTYPE_PSV);
	DEVX_SET(create_psv_in, w->in, num_psv, 0);
	EXPECT_EQ(EINVAL, create_obj(w));
}

/* Set FTE with op mod modify creates nothing. */
TEST_F(obj, fte_create_opmod_einval)
{
	struct mdx_world *w = &self->w;

	objtype_build_create(w, OBJTYPE_FTE);
	DEVX_SET(set_fte_in, w->in, op_mod, 1);
	EXPECT_EQ(EINVAL, create_obj(w));
}

/* Set FTE with op mod create modifies nothing. */
TEST_F(obj, fte_modify_opmod_einval)
{
	struct mdx_world *w = &self->w;

	ASSERT_EQ(0, objtype_create(w, OBJTYPE_PD));
	objtype_build_create(w, OBJTYPE_FTE);
	EXPECT_EQ(EINVAL, _test_mdx_modify(w->mdx.fd, w->obj[OBJTYPE_PD].id,
					   &w->m));
}

/* Objects that others refer to. */

/* One that is in use is not destroyed. */
TEST_F(obj, destroy_in_use_eremoteio)
{
	struct mdx_world *w = &self->w;
	struct mdx_ioc_obj_destroy res;

	ASSERT_EQ(0, objtype_create(w, OBJTYPE_TIS));
	EXPECT_EQ(EREMOTEIO,
		  _test_mdx_destroy_status(w->mdx.fd, w->obj[OBJTYPE_TD].id,
					   &res));
	EXPECT_NE(0, res.out_status);
	ASSERT_EQ(0, objtype_destroy(w, OBJTYPE_TIS));
	EXPECT_EQ(0, objtype_destroy(w, OBJTYPE_TD));
}

/* A CQ in use still works after a refused destroy. */
TEST_F(obj, cq_after_refused_destroy)
{
	struct mdx_world *w = &self->w;

	ASSERT_EQ(0, objtype_create(w, OBJTYPE_QP));
	test_err_destroy(EREMOTEIO, w->mdx.fd, w->obj[OBJTYPE_CQ].id);
	objtype_build_query(w, OBJTYPE_CQ);
	EXPECT_EQ(0, query_obj(w, OBJTYPE_CQ));
	EXPECT_EQ(0, objtype_destroy(w, OBJTYPE_QP));
	EXPECT_EQ(0, objtype_destroy(w, OBJTYPE_CQ));
}

/* Two hundred objects are owned at a time. */
TEST_F(obj, two_hundred_objects)
{
	struct mdx_world *w = &self->w;
	struct test_obj obj;
	int i;

	for (i = 0; i < 200; i++)
		ASSERT_EQ(0, objtype_create_more(w, OBJTYPE_TD, &obj));
	EXPECT_EQ(200, mdx_objs(w->mdx.fd));
	close(w->mdx.fd);
	w->mdx.fd = -1;
	if (w->hca)
		EXPECT_LE(hca_live(w->hca, w->mdx.uid, "td", -1), 1);
}

/*
 * The answer cannot be written, and the device refuses the destroy that aborts
 * the create.
 */
TEST_F(obj, abort_refused_close_destroys)
{
	struct mdx_world *w = &self->w;
	int before;

	SKIP_NO_HCA(w->hca, return);
	ASSERT_EQ(0, objtype_create_needs(w, OBJTYPE_TIS));
	before = hca_live(w->hca, w->mdx.uid, NULL, -1);
	objtype_build_create(w, OBJTYPE_TIS);
	w->m.out = guard_alloc(15, 0);
	ASSERT_NE(NULL, w->m.out);
	ASSERT_EQ(0, hca_fail(w->hca, MLX5_CMD_OP_DESTROY_TIS, STATUS_RES_BUSY,
			      1, 1));
	test_err_create(EFAULT, w->mdx.fd, &w->m);
	EXPECT_EQ(before + 1, hca_live(w->hca, w->mdx.uid, NULL, -1));
	test_err_destroy(ENOENT, w->mdx.fd, w->obj[OBJTYPE_TD].id + 1);
	close(w->mdx.fd);
	w->mdx.fd = -1;
	EXPECT_EQ(before - 1, hca_live(w->hca, w->mdx.uid, NULL, -1));
}

/* A DCT that is not drained is not destroyed. */
TEST_F(obj, dct_drain_refused_eremoteio)
{
	struct mdx_ioc_obj_destroy res;
	struct mdx_world *w = &self->w;
	long before;

	SKIP_NO_HCA(w->hca, return);
	ASSERT_EQ(0, objtype_create(w, OBJTYPE_DCT));
	before = hca_count(w->hca, MLX5_CMD_OP_DESTROY_DCT);
	ASSERT_EQ(0, hca_fail(w->hca, MLX5_CMD_OP_DRAIN_DCT, STATUS_RES_BUSY,
			      0x77, 1));
	EXPECT_EQ(EREMOTEIO,
		  _test_mdx_destroy_status(w->mdx.fd, w->obj[OBJTYPE_DCT].id,
					   &res));
	EXPECT_EQ(STATUS_RES_BUSY, res.out_status);
	EXPECT_EQ(0x77, res.out_syndrome);
	EXPECT_EQ(before, hca_count(w->hca, MLX5_CMD_OP_DESTROY_DCT));
	EXPECT_EQ(0, objtype_destroy(w, OBJTYPE_DCT));
	EXPECT_EQ(before + 1, hca_count(w->hca, MLX5_CMD_OP_DESTROY_DCT));
}

/* Steps of a QP. */

TEST_F(obj, qp_to_rts)
{
	struct mdx_world *w = &self->w;

	ASSERT_EQ(0, objtype_create(w, OBJTYPE_QP));
	qp_build_init(w);
	ASSERT_EQ(0, modify_obj(w, OBJTYPE_QP));
	qp_build_rtr(w);
	ASSERT_EQ(0, modify_obj(w, OBJTYPE_QP));
	qp_build_rts(w);
	ASSERT_EQ(0, modify_obj(w, OBJTYPE_QP));
	objtype_build_query(w, OBJTYPE_QP);
	ASSERT_EQ(0, query_obj(w, OBJTYPE_QP));
	EXPECT_EQ(3, DEVX_GET(query_qp_out, w->out, qpc.state));
}

/* A QP does not jump to RTS. */
TEST_F(obj, qp_skips_init_eremoteio)
{
	struct mdx_world *w = &self->w;

	ASSERT_EQ(0, objtype_create(w, OBJTYPE_QP));
	objtype_build_modify(w, OBJTYPE_QP);
	qp_build_rts(w);
	EXPECT_EQ(EREMOTEIO, modify_obj(w, OBJTYPE_QP));
	EXPECT_NE(0, mbox_get32(w->out, 0) >> 24);
}

TEST_F(obj, qp_error_and_reset)
{
	struct mdx_world *w = &self->w;

	ASSERT_EQ(0, objtype_create(w, OBJTYPE_QP));
	qp_build_init(w);
	ASSERT_EQ(0, modify_obj(w, OBJTYPE_QP));
	mdx_hdr(w->in, MLX5_CMD_OP_2ERR_QP, 0, w->obj[OBJTYPE_QP].num);
	w->m.in_len = 16;
	ASSERT_EQ(0, modify_obj(w, OBJTYPE_QP));
	mdx_hdr(w->in, MLX5_CMD_OP_2RST_QP, 0, w->obj[OBJTYPE_QP].num);
	ASSERT_EQ(0, modify_obj(w, OBJTYPE_QP));
	objtype_build_query(w, OBJTYPE_QP);
	ASSERT_EQ(0, query_obj(w, OBJTYPE_QP));
	EXPECT_EQ(0, DEVX_GET(query_qp_out, w->out, qpc.state));
}

/* Memory is given by umem, even if user space did not set the bits. */
FIXTURE(umem)
{
	struct mdx_world w;
};

FIXTURE_VARIANT(umem)
{
	enum objtype_id type;
	bool modify;
	size_t byte[2];		/* of the bits, 0: no second one */
	uint8_t bit[2];
};

#define UMEM(name, type_, ...)						\
	FIXTURE_VARIANT_ADD(umem, name) { .type = type_, __VA_ARGS__ }
#define WQ_BITS(layout, wq)						\
	.byte = {							\
		DEVX_BYTE_OFF(layout, wq.wq_umem_valid),		\
		DEVX_BYTE_OFF(layout, wq.dbr_umem_valid),		\
	},								\
	.bit = { 0x40, 0x80 }

UMEM(mkey, OBJTYPE_MKEY,
	.byte = { DEVX_BYTE_OFF(create_mkey_in, mkey_umem_valid) },
	.bit = { 0x40 });
UMEM(cq, OBJTYPE_CQ,
	.byte = { MBOX_CREATE_CQ_UMEM_VALID,
	       DEVX_BYTE_OFF(create_cq_in, cq_context.dbr_umem_valid) },
	.bit = { 0x80, 0x02 });
UMEM(cq_modify, OBJTYPE_CQ, .modify = true,
	.byte = { DEVX_BYTE_OFF(modify_cq_in, cq_umem_valid) },
	.bit = { 0x80 });
UMEM(qp, OBJTYPE_QP,
	.byte = { MBOX_CREATE_QP_WQ_UMEM_VALID,
	       DEVX_BYTE_OFF(create_qp_in, qpc.dbr_umem_valid) },
	.bit = { 0x80, 0x10 });
UMEM(rq, OBJTYPE_RQ, WQ_BITS(create_rq_in, ctx.wq));
UMEM(sq, OBJTYPE_SQ, WQ_BITS(create_sq_in, ctx.wq));
UMEM(rmp, OBJTYPE_RMP, WQ_BITS(create_rmp_in, ctx.wq));
UMEM(xrq, OBJTYPE_XRQ, WQ_BITS(create_xrq_in, xrq_context.wq));
UMEM(xrc_srq, OBJTYPE_XRC_SRQ,
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
	if (!objtype_advertised(&self->w, variant->type)) {
		world_stop(&self->w);
		SKIP(return, "the device does not advertise %s",
		     objtypes[variant->type].name);
	}
}

FIXTURE_TEARDOWN(umem)
{
	world_stop(&self->w);
}

TEST_F(umem, forced)
{
	const struct objtype *type = &objtypes[variant->type];
	struct mdx_world *w = &self->w;
	uint8_t *in = (uint8_t *)w->in;
	uint8_t last[1024];
	int i;

	if (variant->modify) {
		ASSERT_EQ(0, objtype_create(w, variant->type));
		objtype_build_modify(w, variant->type);
	} else {
		ASSERT_EQ(0, objtype_create_needs(w, variant->type));
		objtype_build_create(w, variant->type);
	}
	for (i = 0; i < 2; i++)
		in[variant->byte[i]] &= ~variant->bit[i];
	if (variant->modify) {
		ASSERT_EQ(0, modify_obj(w, variant->type));
	} else {
		ASSERT_EQ(0, create_obj(w));
	}
	ASSERT_NE(0, hca_last(w->hca, variant->modify ? type->modify :
			      type->create, last, sizeof(last)));
	for (i = 0; i < 2; i++) {
		EXPECT_EQ(variant->bit[i],
			  last[variant->byte[i]] & variant->bit[i]);
		EXPECT_EQ(0, in[variant->byte[i]] & variant->bit[i]);
	}
}

/* Umem is not forced on an mkey of mkeys. */
TEST_F(obj, klm_mkey_no_umem)
{
	struct mdx_world *w = &self->w;
	uint8_t last[32];

	SKIP_NO_HCA(w->hca, return);
	ASSERT_EQ(0, objtype_create(w, OBJTYPE_MKEY_KLM));
	ASSERT_EQ(sizeof(last), hca_last(w->hca, MLX5_CMD_OP_CREATE_MKEY, last,
					 sizeof(last)));
	EXPECT_EQ(0, DEVX_GET(create_mkey_in, last, mkey_umem_valid));
}

TEST_F(obj, failures_print_nothing)
{
	int mark = kmsg_mark();
	struct mdx_world *w = &self->w;
	int i;

	objtype_build_create(w, OBJTYPE_TIS);
	DEVX_SET(create_tis_in, w->in, ctx.transport_domain, 0xfffff0);
	for (i = 0; i < 300; i++)
		ASSERT_EQ(EREMOTEIO, create_obj(w));
	EXPECT_EQ(0, kmsg_count(mark, "mlx5"));
}

MDX_HARNESS_MAIN(world_share())
