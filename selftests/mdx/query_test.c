// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Every kind of object: queried, modified, and refused. */
#include "kind_harness.h"

/* Kinds that can be queried, and kinds that can be modified. */
FIXTURE(kind_query)
{
	struct world w;
	const struct kind *kind;
};

FIXTURE_VARIANT(kind_query)
{
	enum kind_id k;
};

FIXTURE(kind_modify)
{
	struct world w;
	const struct kind *kind;
};

FIXTURE_VARIANT(kind_modify)
{
	enum kind_id k;
};

#define QUERY(name, k_)							\
	FIXTURE_VARIANT_ADD(kind_query, name) { .k = k_ }
#define MODIFY(name, k_)						\
	FIXTURE_VARIANT_ADD(kind_modify, name) { .k = k_ }

QUERY(mkey, KIND_MKEY);
QUERY(mkey_klm, KIND_MKEY_KLM);
QUERY(cq, KIND_CQ);
QUERY(qp, KIND_QP);
QUERY(rmp, KIND_RMP);
QUERY(rq, KIND_RQ);
QUERY(sq, KIND_SQ);
QUERY(rqt, KIND_RQT);
QUERY(tir, KIND_TIR);
QUERY(tis, KIND_TIS);
QUERY(srq, KIND_SRQ);
QUERY(xrc_srq, KIND_XRC_SRQ);
QUERY(xrq, KIND_XRQ);
QUERY(dct, KIND_DCT);
QUERY(q_counter, KIND_Q_COUNTER);
QUERY(flow_table, KIND_FLOW_TABLE);
QUERY(flow_group, KIND_FLOW_GROUP);
QUERY(fte, KIND_FTE);
QUERY(flow_counter, KIND_FLOW_COUNTER);
QUERY(flow_counters, KIND_FLOW_COUNTERS);
QUERY(reformat, KIND_REFORMAT);
QUERY(modify_header, KIND_MODIFY_HEADER);
QUERY(sched, KIND_SCHED);
QUERY(l2_entry, KIND_L2);
QUERY(general, KIND_GENERAL);

MODIFY(cq, KIND_CQ);
MODIFY(qp, KIND_QP);
MODIFY(rmp, KIND_RMP);
MODIFY(rq, KIND_RQ);
MODIFY(sq, KIND_SQ);
MODIFY(rqt, KIND_RQT);
MODIFY(tir, KIND_TIR);
MODIFY(tis, KIND_TIS);
MODIFY(xrc_srq, KIND_XRC_SRQ);
MODIFY(xrq, KIND_XRQ);
MODIFY(dct, KIND_DCT);
MODIFY(flow_table, KIND_FLOW_TABLE);
MODIFY(fte, KIND_FTE);
MODIFY(sched, KIND_SCHED);
MODIFY(vxlan, KIND_VXLAN);
MODIFY(l2_entry, KIND_L2);
MODIFY(general, KIND_GENERAL);

FIXTURE_SETUP(kind_query)
{
	self->kind = &kinds[variant->k];
	SETUP_WORLD(&self->w, return);
	ASSERT_EQ(0, kind_create(&self->w, variant->k));
	kind_build_query(&self->w, variant->k);
}

FIXTURE_TEARDOWN(kind_query)
{
	world_stop(&self->w);
}

static int query(struct world *w, enum kind_id k)
{
	return _test_mdx_query(w->mdx.fd, w->obj[k].id, &w->m);
}

TEST_F(kind_query, shows_what_create_wrote)
{
	struct world *w = &self->w;

	memset(w->out, FILL, sizeof(w->out));
	ASSERT_EQ(0, query(w, variant->k));
	EXPECT_EQ(0, prm_get32(w->out, 0));
	EXPECT_EQ(0, prm_get32(w->out, 4));
	if (self->kind->check)
		EXPECT_TRUE(self->kind->check(w, w->out));
	EXPECT_TRUE(all_bytes((uint8_t *)w->out + w->m.out_len, FILL, 64));
}

TEST_F(kind_query, of_another_number_is_refused)
{
	struct world *w = &self->w;
	struct obj real = w->obj[variant->k];

	w->obj[variant->k].num ^= 0x80;
	if (variant->k == KIND_L2 || variant->k == KIND_FTE) {
		/* Their number is in the mailbox alone. */
		size_t at = variant->k == KIND_L2 ? 0x14 : 0x20;

		prm_set32(w->in, at, real.num ^ 0x80);
	} else {
		kind_build_query(w, variant->k);
	}
	w->obj[variant->k] = real;
	EXPECT_REFUSED(EINVAL, w, self->kind->query, query(w, variant->k));
}

TEST_F(kind_query, shorter_than_its_layout_is_refused)
{
	struct world *w = &self->w;

	w->m.in_len = self->kind->query_in - 1;
	EXPECT_REFUSED(EINVAL, w, self->kind->query, query(w, variant->k));
}

TEST_F(kind_query, over_a_tunnel_is_refused)
{
	struct world *w = &self->w;

	_devx_set(w->in, 1, 32, 16);
	EXPECT_REFUSED(EINVAL, w, self->kind->query, query(w, variant->k));
}

TEST_F(kind_query, by_modify_is_refused)
{
	struct world *w = &self->w;

	EXPECT_REFUSED(EINVAL, w, self->kind->query,
		       _test_mdx_modify(w->mdx.fd, w->obj[variant->k].id,
					&w->m));
}

TEST_F(kind_query, by_general_is_refused)
{
	struct world *w = &self->w;

	EXPECT_REFUSED(EINVAL, w, self->kind->query,
		       _test_mdx_general(w->mdx.fd, &w->m));
}

TEST_F(kind_query, by_create_is_refused)
{
	struct world *w = &self->w;

	EXPECT_REFUSED(EINVAL, w, self->kind->query,
		       _test_mdx_create(w->mdx.fd, &w->m, NULL));
}

TEST_F(kind_query, of_an_object_of_another_kind_is_refused)
{
	struct world *w = &self->w;
	enum kind_id k = KIND_TD;

	ASSERT_EQ(0, kind_create(w, k));
	kind_build_query(w, variant->k);
	EXPECT_REFUSED(EINVAL, w, self->kind->query,
		       _test_mdx_query(w->mdx.fd, w->obj[k].id, &w->m));
}

TEST_F(kind_query, refused_by_the_device_shows_its_answer)
{
	struct world *w = &self->w;

	SKIP_NO_HCA(w->hca, return);
	ASSERT_EQ(0, hca_fail(w->hca, self->kind->query, PRM_BAD_RES_STATE,
			      FAULT_SYNDROME, 1));
	memset(w->out, FILL, sizeof(w->out));
	EXPECT_EQ(EREMOTEIO, query(w, variant->k));
	EXPECT_EQ(PRM_BAD_RES_STATE << 24, prm_get32(w->out, 0));
	EXPECT_EQ(FAULT_SYNDROME, prm_get32(w->out, 4));
	EXPECT_TRUE(all_bytes((uint8_t *)w->out + 8, 0, w->m.out_len - 8));
	EXPECT_EQ(0, query(w, variant->k));
}

TEST_F(kind_query, works_after_a_refused_destroy)
{
	struct world *w = &self->w;

	SKIP_NO_HCA(w->hca, return);
	ASSERT_EQ(0, hca_fail(w->hca, self->kind->destroy, PRM_RES_BUSY,
			      FAULT_SYNDROME, 1));
	test_err_destroy(EREMOTEIO, w->mdx.fd, w->obj[variant->k].id);
	EXPECT_EQ(0, query(w, variant->k));
}

TEST_F(kind_query, carries_the_uid_of_the_file)
{
	struct world *w = &self->w;
	uint16_t last[2];

	SKIP_NO_HCA(w->hca, return);
	_devx_set(w->in, 0xbeef, 16, 16);
	ASSERT_EQ(0, query(w, variant->k));
	ASSERT_EQ(sizeof(last), hca_last(w->hca, self->kind->query, last,
					 sizeof(last)));
	EXPECT_EQ(w->mdx.uid, be16toh(last[1]));
}

FIXTURE_SETUP(kind_modify)
{
	self->kind = &kinds[variant->k];
	SETUP_WORLD(&self->w, return);
	ASSERT_EQ(0, kind_create(&self->w, variant->k));
	kind_build_modify(&self->w, variant->k);
}

FIXTURE_TEARDOWN(kind_modify)
{
	world_stop(&self->w);
}

static int modify(struct world *w, enum kind_id k)
{
	return _test_mdx_modify(w->mdx.fd, w->obj[k].id, &w->m);
}

TEST_F(kind_modify, works_and_a_query_shows_it)
{
	struct world *w = &self->w;

	ASSERT_EQ(0, modify(w, variant->k));
	EXPECT_EQ(0, prm_get32(w->out, 0));
	if (!self->kind->check_modify)
		return;
	kind_build_query(w, variant->k);
	ASSERT_EQ(0, query(w, variant->k));
	EXPECT_TRUE(self->kind->check_modify(w, w->out));
}

TEST_F(kind_modify, shorter_than_its_layout_is_refused)
{
	struct world *w = &self->w;

	w->m.in_len -= 1;
	if (variant->k == KIND_RQT)
		w->m.in_len -= 4;
	if (variant->k == KIND_FTE)
		w->m.in_len -= 16;
	if (variant->k == KIND_GENERAL)
		w->m.in_len = SZ(general_obj_in_cmd_hdr) - 1;
	EXPECT_REFUSED(EINVAL, w, self->kind->modify, modify(w, variant->k));
}

TEST_F(kind_modify, over_a_tunnel_is_refused)
{
	struct world *w = &self->w;

	_devx_set(w->in, 1, 32, 16);
	EXPECT_REFUSED(EINVAL, w, self->kind->modify, modify(w, variant->k));
}

TEST_F(kind_modify, by_query_is_refused)
{
	struct world *w = &self->w;

	EXPECT_REFUSED(EINVAL, w, self->kind->modify, query(w, variant->k));
}

TEST_F(kind_modify, by_general_is_refused)
{
	struct world *w = &self->w;

	EXPECT_REFUSED(EINVAL, w, self->kind->modify,
		       _test_mdx_general(w->mdx.fd, &w->m));
}

TEST_F(kind_modify, of_an_object_of_another_kind_is_refused)
{
	struct world *w = &self->w;
	enum kind_id k = KIND_PD;

	ASSERT_EQ(0, kind_create(w, k));
	kind_build_modify(w, variant->k);
	EXPECT_REFUSED(EINVAL, w, self->kind->modify,
		       _test_mdx_modify(w->mdx.fd, w->obj[k].id, &w->m));
}

TEST_F(kind_modify, refused_by_the_device_shows_its_answer)
{
	struct world *w = &self->w;

	SKIP_NO_HCA(w->hca, return);
	ASSERT_EQ(0, hca_fail(w->hca, self->kind->modify, PRM_BAD_PARAM,
			      FAULT_SYNDROME, 1));
	memset(w->out, FILL, sizeof(w->out));
	EXPECT_EQ(EREMOTEIO, modify(w, variant->k));
	EXPECT_EQ(PRM_BAD_PARAM << 24, prm_get32(w->out, 0));
	EXPECT_EQ(FAULT_SYNDROME, prm_get32(w->out, 4));
	EXPECT_EQ(0, modify(w, variant->k));
}

TEST_F(kind_modify, carries_the_uid_of_the_file)
{
	struct world *w = &self->w;
	uint16_t last[2];

	SKIP_NO_HCA(w->hca, return);
	_devx_set(w->in, 0xbeef, 16, 16);
	ASSERT_EQ(0, modify(w, variant->k));
	ASSERT_EQ(sizeof(last), hca_last(w->hca, self->kind->modify, last,
					 sizeof(last)));
	EXPECT_EQ(w->mdx.uid, be16toh(last[1]));
}

/* kind_test says what the device does not advertise. */
int main(int argc, char **argv)
{
	bool there[KIND_COUNT];

	if (kinds_there(there)) {
		kinds_few(there);
		kind_prune(&_kind_query_fixture_object, there);
		kind_prune(&_kind_modify_fixture_object, there);
	}
	return test_harness_run(argc, argv);
}
