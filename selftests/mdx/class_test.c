// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Which commands each ioctl lets through. */
#include "kselftest_harness.h"
#include "kinds.h"

/* General commands: they reach the device, which may refuse them. */
FIXTURE(general)
{
	struct world w;
};

FIXTURE_VARIANT(general)
{
	uint16_t opcode;
};

#define GENERAL(name, op) FIXTURE_VARIANT_ADD(general, name) { .opcode = op }

GENERAL(query_hca_cap, 0x100);
GENERAL(query_adapter, 0x101);
GENERAL(query_issi, 0x10a);
GENERAL(query_esw_functions, 0x740);
GENERAL(query_vport_state, 0x750);
GENERAL(query_esw_vport_context, 0x752);
GENERAL(query_nic_vport_context, 0x754);
GENERAL(query_roce_address, 0x760);
GENERAL(query_hca_vport_context, 0x762);
GENERAL(query_vnic_env, 0x76f);
GENERAL(query_vport_counter, 0x770);
GENERAL(get_dropped_packet_log, 0x80a);
GENERAL(nop, 0x80d);
GENERAL(query_cong_status, 0x822);
GENERAL(query_cong_params, 0x824);
GENERAL(query_cong_statistics, 0x826);
GENERAL(query_lag, 0x842);
GENERAL(first_of_the_vendor, 0xb00);
GENERAL(last_of_the_vendor, 0xcff);

FIXTURE_SETUP(general)
{
	SETUP_DEVICE(return);
	ASSERT_EQ(0, world_start(&self->w));
}

FIXTURE_TEARDOWN(general)
{
	world_stop(&self->w);
}

static void build(struct world *w, uint16_t opcode)
{
	memset(w->in, 0, sizeof(w->in));
	mdx_hdr(w->in, opcode, 0, 0);
	memset(w->out, FILL, sizeof(w->out));
	w->m = (struct mbox){ w->in, w->out, 64, 4096 + 16 };
}

TEST_F(general, reaches_the_device)
{
	struct world *w = &self->w;
	long before = w->hca ? hca_count(w->hca, variant->opcode) : 0;
	int ret;

	build(w, variant->opcode);
	ret = _test_mdx_general(w->mdx.fd, &w->m);
	EXPECT_TRUE(ret == 0 || ret == EREMOTEIO);
	EXPECT_EQ(ret == EREMOTEIO, !!(prm_get32(w->out, 0) >> 24));
	if (w->hca)
		EXPECT_EQ(before + 1, hca_count(w->hca, variant->opcode));
}

TEST_F(general, carries_the_uid_of_the_file)
{
	struct world *w = &self->w;
	uint16_t last[2];

	SKIP_NO_HCA(w->hca, return);
	build(w, variant->opcode);
	_devx_set(w->in, 0xbeef, 16, 16);
	_test_mdx_general(w->mdx.fd, &w->m);
	ASSERT_EQ(sizeof(last), hca_last(w->hca, variant->opcode, last,
					 sizeof(last)));
	EXPECT_EQ(w->mdx.uid, be16toh(last[1]));
}

TEST_F(general, over_a_tunnel_is_refused)
{
	struct world *w = &self->w;

	build(w, variant->opcode);
	_devx_set(w->in, 7, 32, 16);
	test_err_general(EINVAL, w->mdx.fd, &w->m);
	EXPECT_TRUE(all_bytes(w->out, FILL, sizeof(w->out)));
}

TEST_F(general, by_create_is_refused)
{
	struct world *w = &self->w;

	build(w, variant->opcode);
	test_err_create(EINVAL, w->mdx.fd, &w->m);
}

TEST_F(general, by_query_is_refused)
{
	struct world *w = &self->w;

	ASSERT_EQ(0, kind_create(w, KIND_PD));
	build(w, variant->opcode);
	test_err_query(EINVAL, w->mdx.fd, w->obj[KIND_PD].id, &w->m);
}

TEST_F(general, with_a_header_cut_short_is_refused)
{
	struct world *w = &self->w;

	build(w, variant->opcode);
	w->m.in_len = 15;
	test_err_general(EINVAL, w->mdx.fd, &w->m);
}

/* Commands that no ioctl lets through, whoever asks. */
FIXTURE(forbidden)
{
	struct world w;
};

FIXTURE_VARIANT(forbidden)
{
	uint16_t opcode;
};

#define FORBIDDEN(name, op)						\
	FIXTURE_VARIANT_ADD(forbidden, name) { .opcode = op }

FORBIDDEN(zero, 0x000);
FORBIDDEN(init_hca, 0x102);
FORBIDDEN(teardown_hca, 0x103);
FORBIDDEN(enable_hca, 0x104);
FORBIDDEN(disable_hca, 0x105);
FORBIDDEN(query_pages, 0x107);
FORBIDDEN(manage_pages, 0x108);
FORBIDDEN(set_hca_cap, 0x109);
FORBIDDEN(set_issi, 0x10b);
FORBIDDEN(query_special_contexts, 0x203);
FORBIDDEN(create_eq, 0x301);
FORBIDDEN(destroy_eq, 0x302);
FORBIDDEN(gen_eqe, 0x304);
FORBIDDEN(destroy_cq, 0x401);
FORBIDDEN(destroy_qp, 0x501);
FORBIDDEN(sqd_rts_qp, 0x50c);
FORBIDDEN(mad_ifc, 0x50d);
FORBIDDEN(modify_nic_vport_context, 0x755);
FORBIDDEN(set_roce_address, 0x761);
FORBIDDEN(dealloc_pd, 0x801);
FORBIDDEN(alloc_uar, 0x802);
FORBIDDEN(access_reg, 0x805);
FORBIDDEN(set_flow_table_root, 0x92f);
FORBIDDEN(create_uctx, 0xa04);
FORBIDDEN(destroy_uctx, 0xa06);
FORBIDDEN(create_umem, 0xa08);
FORBIDDEN(destroy_umem, 0xa0a);
FORBIDDEN(last_before_the_vendor, 0xaff);
FORBIDDEN(first_behind_the_vendor, 0xd00);
FORBIDDEN(highest, 0xffff);

FIXTURE_SETUP(forbidden)
{
	SETUP_DEVICE(return);
	ASSERT_EQ(0, world_start(&self->w));
	ASSERT_EQ(0, kind_create(&self->w, KIND_TIS));
	build(&self->w, variant->opcode);
}

FIXTURE_TEARDOWN(forbidden)
{
	world_stop(&self->w);
}

#define EXPECT_FORBIDDEN(w, expr)					\
	do {								\
		long seen_ = (w)->hca ?					\
			hca_count((w)->hca, variant->opcode) : 0;	\
									\
		EXPECT_EQ(EOPNOTSUPP, expr);				\
		EXPECT_TRUE(all_bytes((w)->out, FILL, sizeof((w)->out))); \
		if ((w)->hca)						\
			EXPECT_EQ(seen_,				\
				  hca_count((w)->hca, variant->opcode)); \
	} while (0)

TEST_F(forbidden, by_general)
{
	struct world *w = &self->w;

	EXPECT_FORBIDDEN(w, _test_mdx_general(w->mdx.fd, &w->m));
}

TEST_F(forbidden, by_create)
{
	struct world *w = &self->w;

	EXPECT_FORBIDDEN(w, _test_mdx_create(w->mdx.fd, &w->m, NULL));
}

TEST_F(forbidden, by_modify)
{
	struct world *w = &self->w;

	EXPECT_FORBIDDEN(w, _test_mdx_modify(w->mdx.fd, w->obj[KIND_TIS].id,
					     &w->m));
}

TEST_F(forbidden, by_query)
{
	struct world *w = &self->w;

	EXPECT_FORBIDDEN(w, _test_mdx_query(w->mdx.fd, w->obj[KIND_TIS].id,
					    &w->m));
}

MDX_HARNESS_MAIN(world_share())
