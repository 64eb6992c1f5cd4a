// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Every object type: created, destroyed, and refused. */
#include <sys/mman.h>

#include "objtype_harness.h"

/* One test per object type; the others are for those the device advertises. */
FIXTURE(advertised)
{
	struct mdx_world w;
};

FIXTURE_VARIANT(advertised)
{
	enum objtype_id type;
};

FIXTURE_SETUP(advertised)
{
	SETUP_WORLD(&self->w, return);
}

FIXTURE_TEARDOWN(advertised)
{
	world_stop(&self->w);
}

TEST_F(advertised, by_device)
{
	if (!objtype_advertised(&self->w, variant->type))
		SKIP(return, "the device does not advertise %s",
		     objtypes[variant->type].name);
}

/* Object types that can be created: all of them. */
FIXTURE(objtype)
{
	struct mdx_world w;
	const struct objtype *type;
};

FIXTURE_VARIANT(objtype)
{
	enum objtype_id type;
};

#define VARIANTS(name, type_)						\
	FIXTURE_VARIANT_ADD(advertised, name) { .type = type_ };	\
	FIXTURE_VARIANT_ADD(objtype, name) { .type = type_ };

OBJTYPES(VARIANTS)

FIXTURE_SETUP(objtype)
{
	self->type = &objtypes[variant->type];
	SETUP_WORLD(&self->w, return);
}

FIXTURE_TEARDOWN(objtype)
{
	world_stop(&self->w);
}

TEST_F(objtype, create_destroy)
{
	struct mdx_world *w = &self->w;

	ASSERT_EQ(0, objtype_create(w, variant->type));
	EXPECT_NE(0, w->obj[variant->type].id);
	EXPECT_EQ(0, objtype_destroy(w, variant->type));
}

TEST_F(objtype, alive_until_destroyed)
{
	struct mdx_world *w = &self->w;
	int before;

	SKIP_NO_HCA(w->hca, return);
	ASSERT_EQ(0, objtype_create_needs(w, variant->type));
	before = hca_live(w->hca, w->mdx.uid, self->type->live, -1);
	ASSERT_EQ(0, objtype_create(w, variant->type));
	EXPECT_EQ(before + 1,
		  hca_live(w->hca, w->mdx.uid, self->type->live, -1));
	EXPECT_GE(hca_live(w->hca, w->mdx.uid, self->type->live,
			   objtype_live_num(w, variant->type)), 1);
	ASSERT_EQ(0, objtype_destroy(w, variant->type));
	EXPECT_EQ(before, hca_live(w->hca, w->mdx.uid, self->type->live, -1));
}

TEST_F(objtype, counts_as_one)
{
	struct mdx_world *w = &self->w;
	uint32_t before;

	ASSERT_EQ(0, objtype_create_needs(w, variant->type));
	before = mdx_objs(w->mdx.fd);
	ASSERT_EQ(0, objtype_create(w, variant->type));
	EXPECT_EQ(before + 1, mdx_objs(w->mdx.fd));
	ASSERT_EQ(0, objtype_destroy(w, variant->type));
	EXPECT_EQ(before, mdx_objs(w->mdx.fd));
}

TEST_F(objtype, create_under_file_uid)
{
	struct mdx_world *w = &self->w;
	uint16_t last[2];

	SKIP_NO_HCA(w->hca, return);
	ASSERT_EQ(0, objtype_create_needs(w, variant->type));
	objtype_build_create(w, variant->type);
	_devx_set(w->in, 0xbeef, 16, 16);
	ASSERT_EQ(0, _test_mdx_create(w->mdx.fd, &w->m, NULL));
	ASSERT_EQ(sizeof(last), hca_last(w->hca, self->type->create, last,
					 sizeof(last)));
	EXPECT_EQ(w->mdx.uid, be16toh(last[1]));
	EXPECT_EQ(0xbeef, DEVX_GET(alloc_pd_in, w->in, uid));
}

TEST_F(objtype, destroy_under_file_uid)
{
	struct mdx_world *w = &self->w;
	uint16_t last[2];

	SKIP_NO_HCA(w->hca, return);
	ASSERT_EQ(0, objtype_create(w, variant->type));
	ASSERT_EQ(0, objtype_destroy(w, variant->type));
	ASSERT_EQ(sizeof(last), hca_last(w->hca, self->type->destroy, last,
					 sizeof(last)));
	EXPECT_EQ(w->mdx.uid, be16toh(last[1]));
}

TEST_F(objtype, create_short_einval)
{
	struct mdx_world *w = &self->w;

	ASSERT_EQ(0, objtype_create_needs(w, variant->type));
	objtype_build_create(w, variant->type);
	w->m.in_len = self->type->in_len - 1;
	EXPECT_REFUSED(EINVAL, w, self->type->create,
		       _test_mdx_create(w->mdx.fd, &w->m, NULL));
}

TEST_F(objtype, create_header_einval)
{
	struct mdx_world *w = &self->w;

	ASSERT_EQ(0, objtype_create_needs(w, variant->type));
	objtype_build_create(w, variant->type);
	w->m.in_len = MBOX_HDR_LEN - 1;
	EXPECT_REFUSED(EINVAL, w, self->type->create,
		       _test_mdx_create(w->mdx.fd, &w->m, NULL));
}

TEST_F(objtype, create_answer_short_einval)
{
	struct mdx_world *w = &self->w;

	ASSERT_EQ(0, objtype_create_needs(w, variant->type));
	objtype_build_create(w, variant->type);
	w->m.out_len = 15;
	EXPECT_REFUSED(EINVAL, w, self->type->create,
		       _test_mdx_create(w->mdx.fd, &w->m, NULL));
}

TEST_F(objtype, create_tunnel_einval)
{
	struct mdx_world *w = &self->w;

	ASSERT_EQ(0, objtype_create_needs(w, variant->type));
	objtype_build_create(w, variant->type);
	_devx_set(w->in, 1, 32, 16);
	EXPECT_REFUSED(EINVAL, w, self->type->create,
		       _test_mdx_create(w->mdx.fd, &w->m, NULL));
}

TEST_F(objtype, create_by_general_einval)
{
	struct mdx_world *w = &self->w;

	ASSERT_EQ(0, objtype_create_needs(w, variant->type));
	objtype_build_create(w, variant->type);
	EXPECT_REFUSED(EINVAL, w, self->type->create,
		       _test_mdx_general(w->mdx.fd, &w->m));
}

TEST_F(objtype, destroy_by_general_eopnotsupp)
{
	struct mdx_world *w = &self->w;

	ASSERT_EQ(0, objtype_create(w, variant->type));
	objtype_build_create(w, variant->type);
	mdx_hdr(w->in, self->type->destroy, 0, w->obj[variant->type].num);
	EXPECT_REFUSED(EOPNOTSUPP, w, self->type->destroy,
		       _test_mdx_general(w->mdx.fd, &w->m));
}

TEST_F(objtype, destroy_by_modify_eopnotsupp)
{
	struct mdx_world *w = &self->w;

	ASSERT_EQ(0, objtype_create(w, variant->type));
	objtype_build_create(w, variant->type);
	mdx_hdr(w->in, self->type->destroy, 0, w->obj[variant->type].num);
	EXPECT_REFUSED(EOPNOTSUPP, w, self->type->destroy,
		       _test_mdx_modify(w->mdx.fd, w->obj[variant->type].id,
					&w->m));
}

TEST_F(objtype, create_by_query_einval)
{
	struct mdx_world *w = &self->w;

	ASSERT_EQ(0, objtype_create(w, variant->type));
	objtype_build_create(w, variant->type);
	EXPECT_REFUSED(EINVAL, w, self->type->create,
		       _test_mdx_query(w->mdx.fd, w->obj[variant->type].id,
				       &w->m));
}

TEST_F(objtype, create_refused_eremoteio)
{
	struct mdx_world *w = &self->w;
	uint32_t objs;

	SKIP_NO_HCA(w->hca, return);
	ASSERT_EQ(0, objtype_create_needs(w, variant->type));
	objs = mdx_objs(w->mdx.fd);
	objtype_build_create(w, variant->type);
	ASSERT_EQ(0, hca_fail(w->hca, self->type->create, STATUS_BAD_PARAM,
			      FAULT_SYNDROME, 1));
	memset(w->out, FILL, sizeof(w->out));
	test_err_create(EREMOTEIO, w->mdx.fd, &w->m);
	EXPECT_EQ(STATUS_BAD_PARAM << 24, mbox_get32(w->out, 0));
	EXPECT_EQ(FAULT_SYNDROME, mbox_get32(w->out, 4));
	EXPECT_TRUE(all_bytes((uint8_t *)w->out + 8, 0, w->m.out_len - 8));
	EXPECT_TRUE(all_bytes((uint8_t *)w->out + w->m.out_len, FILL, 64));
	EXPECT_EQ(objs, mdx_objs(w->mdx.fd));
}

TEST_F(objtype, create_answer_efault)
{
	struct mdx_world *w = &self->w;
	int before = -1;
	uint32_t objs;
	uint8_t *page;

	page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, page);
	ASSERT_EQ(0, objtype_create_needs(w, variant->type));
	objs = mdx_objs(w->mdx.fd);
	if (w->hca)
		before = hca_live(w->hca, w->mdx.uid, NULL, -1);
	objtype_build_create(w, variant->type);
	w->m.out = page;
	test_err_create(EFAULT, w->mdx.fd, &w->m);
	EXPECT_EQ(objs, mdx_objs(w->mdx.fd));
	if (w->hca)
		EXPECT_EQ(before, hca_live(w->hca, w->mdx.uid, NULL, -1));
	EXPECT_EQ(0, objtype_create(w, variant->type));
}

TEST_F(objtype, destroy_refused_keeps_object)
{
	struct mdx_world *w = &self->w;
	struct mdx_ioc_obj_destroy res;
	uint32_t id;

	SKIP_NO_HCA(w->hca, return);
	ASSERT_EQ(0, objtype_create(w, variant->type));
	id = w->obj[variant->type].id;
	ASSERT_EQ(0, hca_fail(w->hca, self->type->destroy, STATUS_RES_BUSY,
			      FAULT_SYNDROME, 1));
	EXPECT_EQ(EREMOTEIO, _test_mdx_destroy_status(w->mdx.fd, id, &res));
	EXPECT_EQ(STATUS_RES_BUSY, res.out_status);
	EXPECT_EQ(FAULT_SYNDROME, res.out_syndrome);
	EXPECT_GE(hca_live(w->hca, w->mdx.uid, self->type->live,
			   objtype_live_num(w, variant->type)), 1);
	EXPECT_EQ(0, _test_mdx_destroy_status(w->mdx.fd, id, &res));
	EXPECT_EQ(0, res.out_status);
	EXPECT_EQ(0, res.out_syndrome);
}

TEST_F(objtype, destroyed_enoent)
{
	struct mdx_world *w = &self->w;
	uint32_t id;

	ASSERT_EQ(0, objtype_create(w, variant->type));
	id = w->obj[variant->type].id;
	ASSERT_EQ(0, objtype_destroy(w, variant->type));
	test_err_destroy(ENOENT, w->mdx.fd, id);
}

TEST_F(objtype, close_destroys_all)
{
	struct mdx_world *w = &self->w;
	int before;

	SKIP_NO_HCA(w->hca, return);
	before = hca_live(w->hca, w->mdx.uid, NULL, -1);
	ASSERT_EQ(0, objtype_create(w, variant->type));
	close(w->mdx.fd);
	w->mdx.fd = -1;
	EXPECT_EQ(before, hca_live(w->hca, w->mdx.uid, NULL, -1));
}

TEST_F(objtype, other_file_enoent)
{
	struct mdx_world *w = &self->w;
	int fd = mdx_node_open();

	ASSERT_GE(fd, 0);
	test_mdx_bind(fd, w->mdx.ctx->cmd_fd, w->mdx.pd->handle);
	ASSERT_EQ(0, objtype_create(w, variant->type));
	test_err_destroy(ENOENT, fd, w->obj[variant->type].id);
	EXPECT_EQ(0, objtype_destroy(w, variant->type));
	close(fd);
}

TEST_F(objtype, create_guarded_buffers)
{
	struct mdx_world *w = &self->w;
	void *in, *out;

	ASSERT_EQ(0, objtype_create_needs(w, variant->type));
	objtype_build_create(w, variant->type);
	in = guard_alloc(w->m.in_len, 0);
	out = guard_alloc(w->m.out_len, 0);
	ASSERT_NE(NULL, in);
	ASSERT_NE(NULL, out);
	memcpy(in, w->in, w->m.in_len);
	w->m.in = in;
	w->m.out = out;
	EXPECT_EQ(0, _test_mdx_create(w->mdx.fd, &w->m, NULL));
}

/* A type that the device does not advertise is one skipped test, not twenty. */
int main(int argc, char **argv)
{
	bool there[OBJTYPE_COUNT];

	if (objtypes_advertised(there)) {
		objtypes_few(there);
		objtype_prune(&_objtype_fixture_object, there);
	}
	return test_harness_run(argc, argv);
}
