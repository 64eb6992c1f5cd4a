// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Every object type: queried, modified, and refused. */
#include "objtype_harness.h"

/* Object types that can be queried, and those that can be modified. */
FIXTURE(objtype_query)
{
	struct mdx_world w;
	const struct objtype *type;
};

FIXTURE_VARIANT(objtype_query)
{
	enum objtype_id type;
};

FIXTURE(objtype_modify)
{
	struct mdx_world w;
	const struct objtype *type;
};

FIXTURE_VARIANT(objtype_modify)
{
	enum objtype_id type;
};

#define QUERY(name, type_)						\
	FIXTURE_VARIANT_ADD(objtype_query, name) { .type = type_ }
#define MODIFY(name, type_)						\
	FIXTURE_VARIANT_ADD(objtype_modify, name) { .type = type_ }

QUERY(mkey, OBJTYPE_MKEY);
QUERY(mkey_klm, OBJTYPE_MKEY_KLM);
QUERY(cq, OBJTYPE_CQ);
QUERY(qp, OBJTYPE_QP);
QUERY(rmp, OBJTYPE_RMP);
QUERY(rq, OBJTYPE_RQ);
QUERY(sq, OBJTYPE_SQ);
QUERY(rqt, OBJTYPE_RQT);
QUERY(tir, OBJTYPE_TIR);
QUERY(tis, OBJTYPE_TIS);
QUERY(srq, OBJTYPE_SRQ);
QUERY(xrc_srq, OBJTYPE_XRC_SRQ);
QUERY(xrq, OBJTYPE_XRQ);
QUERY(dct, OBJTYPE_DCT);
QUERY(q_counter, OBJTYPE_Q_COUNTER);
QUERY(flow_table, OBJTYPE_FLOW_TABLE);
QUERY(flow_group, OBJTYPE_FLOW_GROUP);
QUERY(fte, OBJTYPE_FTE);
QUERY(flow_counter, OBJTYPE_FLOW_COUNTER);
QUERY(flow_counters, OBJTYPE_FLOW_COUNTERS);
QUERY(reformat, OBJTYPE_REFORMAT);
QUERY(modify_header, OBJTYPE_MODIFY_HEADER);
QUERY(sched, OBJTYPE_SCHED);
QUERY(l2_entry, OBJTYPE_L2);
QUERY(general, OBJTYPE_GENERAL);

MODIFY(cq, OBJTYPE_CQ);
MODIFY(qp, OBJTYPE_QP);
MODIFY(rmp, OBJTYPE_RMP);
MODIFY(rq, OBJTYPE_RQ);
MODIFY(sq, OBJTYPE_SQ);
MODIFY(rqt, OBJTYPE_RQT);
MODIFY(tir, OBJTYPE_TIR);
MODIFY(tis, OBJTYPE_TIS);
MODIFY(xrc_srq, OBJTYPE_XRC_SRQ);
MODIFY(xrq, OBJTYPE_XRQ);
MODIFY(dct, OBJTYPE_DCT);
MODIFY(flow_table, OBJTYPE_FLOW_TABLE);
MODIFY(fte, OBJTYPE_FTE);
MODIFY(sched, OBJTYPE_SCHED);
MODIFY(vxlan, OBJTYPE_VXLAN);
MODIFY(l2_entry, OBJTYPE_L2);
MODIFY(general, OBJTYPE_GENERAL);

FIXTURE_SETUP(objtype_query)
{
	self->type = &objtypes[variant->type];
	SETUP_WORLD(&self->w, return);
	ASSERT_EQ(0, objtype_create(&self->w, variant->type));
	objtype_build_query(&self->w, variant->type);
}

FIXTURE_TEARDOWN(objtype_query)
{
	world_stop(&self->w);
}

static int query_obj(struct mdx_world *w, enum objtype_id t)
{
	return _test_mdx_query(w->mdx.fd, w->obj[t].id, &w->m);
}

TEST_F(objtype_query, shows_create)
{
	struct mdx_world *w = &self->w;

	memset(w->out, FILL, sizeof(w->out));
	ASSERT_EQ(0, query_obj(w, variant->type));
	EXPECT_EQ(0, mbox_get32(w->out, 0));
	EXPECT_EQ(0, mbox_get32(w->out, 4));
	if (self->type->check)
		EXPECT_TRUE(self->type->check(w, w->out));
	EXPECT_TRUE(all_bytes((uint8_t *)w->out + w->m.out_len, FILL, 64));
}

TEST_F(objtype_query, other_number_einval)
{
	struct mdx_world *w = &self->w;

	w->obj[variant->type].num ^= 0x80;
	objtype_build_query(w, variant->type);
	w->obj[variant->type].num ^= 0x80;
	EXPECT_REFUSED(EINVAL, w, self->type->query,
		       query_obj(w, variant->type));
}

TEST_F(objtype_query, short_einval)
{
	struct mdx_world *w = &self->w;

	w->m.in_len = self->type->query_in - 1;
	EXPECT_REFUSED(EINVAL, w, self->type->query,
		       query_obj(w, variant->type));
}

TEST_F(objtype_query, tunnel_einval)
{
	struct mdx_world *w = &self->w;

	_devx_set(w->in, 1, 32, 16);
	EXPECT_REFUSED(EINVAL, w, self->type->query,
		       query_obj(w, variant->type));
}

TEST_F(objtype_query, by_modify_einval)
{
	struct mdx_world *w = &self->w;

	EXPECT_REFUSED(EINVAL, w, self->type->query,
		       _test_mdx_modify(w->mdx.fd, w->obj[variant->type].id,
					&w->m));
}

TEST_F(objtype_query, by_general_einval)
{
	struct mdx_world *w = &self->w;

	EXPECT_REFUSED(EINVAL, w, self->type->query,
		       _test_mdx_general(w->mdx.fd, &w->m));
}

TEST_F(objtype_query, by_create_einval)
{
	struct mdx_world *w = &self->w;

	EXPECT_REFUSED(EINVAL, w, self->type->query,
		       _test_mdx_create(w->mdx.fd, &w->m, NULL));
}

TEST_F(objtype_query, other_type_einval)
{
	struct mdx_world *w = &self->w;
	enum objtype_id t = OBJTYPE_TD;

	ASSERT_EQ(0, objtype_create(w, t));
	objtype_build_query(w, variant->type);
	EXPECT_REFUSED(EINVAL, w, self->type->query,
		       _test_mdx_query(w->mdx.fd, w->obj[t].id, &w->m));
}

TEST_F(objtype_query, refused_eremoteio)
{
	struct mdx_world *w = &self->w;

	SKIP_NO_HCA(w->hca, return);
	ASSERT_EQ(0, hca_fail(w->hca, self->type->query, STATUS_BAD_RES_STATE,
			      FAULT_SYNDROME, 1));
	memset(w->out, FILL, sizeof(w->out));
	EXPECT_EQ(EREMOTEIO, query_obj(w, variant->type));
	EXPECT_EQ(STATUS_BAD_RES_STATE << 24, mbox_get32(w->out, 0));
	EXPECT_EQ(FAULT_SYNDROME, mbox_get32(w->out, 4));
	EXPECT_TRUE(all_bytes((uint8_t *)w->out + 8, 0, w->m.out_len - 8));
	EXPECT_EQ(0, query_obj(w, variant->type));
}

TEST_F(objtype_query, after_refused_destroy)
{
	struct mdx_world *w = &self->w;

	SKIP_NO_HCA(w->hca, return);
	ASSERT_EQ(0, hca_fail(w->hca, self->type->destroy, STATUS_RES_BUSY,
			      FAULT_SYNDROME, 1));
	test_err_destroy(EREMOTEIO, w->mdx.fd, w->obj[variant->type].id);
	EXPECT_EQ(0, query_obj(w, variant->type));
}

TEST_F(objtype_query, carries_file_uid)
{
	struct mdx_world *w = &self->w;
	uint16_t last[2];

	SKIP_NO_HCA(w->hca, return);
	_devx_set(w->in, 0xbeef, 16, 16);
	ASSERT_EQ(0, query_obj(w, variant->type));
	ASSERT_EQ(sizeof(last), hca_last(w->hca, self->type->query, last,
					 sizeof(last)));
	EXPECT_EQ(w->mdx.uid, be16toh(last[1]));
}

FIXTURE_SETUP(objtype_modify)
{
	self->type = &objtypes[variant->type];
	SETUP_WORLD(&self->w, return);
	ASSERT_EQ(0, objtype_create(&self->w, variant->type));
	objtype_build_modify(&self->w, variant->type);
}

FIXTURE_TEARDOWN(objtype_modify)
{
	world_stop(&self->w);
}

static int modify_obj(struct mdx_world *w, enum objtype_id t)
{
	return _test_mdx_modify(w->mdx.fd, w->obj[t].id, &w->m);
}

TEST_F(objtype_modify, query_shows_modify)
{
	struct mdx_world *w = &self->w;

	ASSERT_EQ(0, modify_obj(w, variant->type));
	EXPECT_EQ(0, mbox_get32(w->out, 0));
	if (!self->type->check_modify)
		return;
	objtype_build_query(w, variant->type);
	ASSERT_EQ(0, query_obj(w, variant->type));
	EXPECT_TRUE(self->type->check_modify(w, w->out));
}

TEST_F(objtype_modify, short_einval)
{
	struct mdx_world *w = &self->w;

	w->m.in_len = self->type->modify_in - 1;
	EXPECT_REFUSED(EINVAL, w, self->type->modify,
		       modify_obj(w, variant->type));
}

TEST_F(objtype_modify, tunnel_einval)
{
	struct mdx_world *w = &self->w;

	_devx_set(w->in, 1, 32, 16);
	EXPECT_REFUSED(EINVAL, w, self->type->modify,
		       modify_obj(w, variant->type));
}

TEST_F(objtype_modify, by_query_einval)
{
	struct mdx_world *w = &self->w;

	EXPECT_REFUSED(EINVAL, w, self->type->modify,
		       query_obj(w, variant->type));
}

TEST_F(objtype_modify, by_general_einval)
{
	struct mdx_world *w = &self->w;

	EXPECT_REFUSED(EINVAL, w, self->type->modify,
		       _test_mdx_general(w->mdx.fd, &w->m));
}

TEST_F(objtype_modify, other_type_einval)
{
	struct mdx_world *w = &self->w;
	enum objtype_id t = OBJTYPE_PD;

	ASSERT_EQ(0, objtype_create(w, t));
	objtype_build_modify(w, variant->type);
	EXPECT_REFUSED(EINVAL, w, self->type->modify,
		       _test_mdx_modify(w->mdx.fd, w->obj[t].id, &w->m));
}

TEST_F(objtype_modify, refused_eremoteio)
{
	struct mdx_world *w = &self->w;

	SKIP_NO_HCA(w->hca, return);
	ASSERT_EQ(0, hca_fail(w->hca, self->type->modify, STATUS_BAD_PARAM,
			      FAULT_SYNDROME, 1));
	memset(w->out, FILL, sizeof(w->out));
	EXPECT_EQ(EREMOTEIO, modify_obj(w, variant->type));
	EXPECT_EQ(STATUS_BAD_PARAM << 24, mbox_get32(w->out, 0));
	EXPECT_EQ(FAULT_SYNDROME, mbox_get32(w->out, 4));
	EXPECT_EQ(0, modify_obj(w, variant->type));
}

TEST_F(objtype_modify, carries_file_uid)
{
	struct mdx_world *w = &self->w;
	uint16_t last[2];

	SKIP_NO_HCA(w->hca, return);
	_devx_set(w->in, 0xbeef, 16, 16);
	ASSERT_EQ(0, modify_obj(w, variant->type));
	ASSERT_EQ(sizeof(last), hca_last(w->hca, self->type->modify, last,
					 sizeof(last)));
	EXPECT_EQ(w->mdx.uid, be16toh(last[1]));
}

/* objtype_test reports which types the device does not advertise. */
int main(int argc, char **argv)
{
	bool there[OBJTYPE_COUNT];

	if (objtypes_advertised(there)) {
		objtypes_few(there);
		objtype_prune(&_objtype_query_fixture_object, there);
		objtype_prune(&_objtype_modify_fixture_object, there);
	}
	return test_harness_run(argc, argv);
}
