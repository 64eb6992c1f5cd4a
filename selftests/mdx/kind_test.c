// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Every kind of object: created, destroyed, and refused. */
#include <sys/mman.h>

#include "kind_harness.h"

/* One test per kind; the others are for what the device advertises. */
FIXTURE(advertised)
{
	struct world w;
};

FIXTURE_VARIANT(advertised)
{
	enum kind_id k;
};

FIXTURE_SETUP(advertised)
{
	SETUP_WORLD(&self->w, return);
}

FIXTURE_TEARDOWN(advertised)
{
	world_stop(&self->w);
}

TEST_F(advertised, by_the_device)
{
	if (!kind_there(&self->w, variant->k))
		SKIP(return, "the device does not advertise %s",
		     kinds[variant->k].name);
}

/* Kinds that can be created: all of them. */
FIXTURE(kind)
{
	struct world w;
	const struct kind *kind;
};

FIXTURE_VARIANT(kind)
{
	enum kind_id k;
};

#define KIND(name, k_)							\
	FIXTURE_VARIANT_ADD(advertised, name) { .k = k_ };		\
	FIXTURE_VARIANT_ADD(kind, name) { .k = k_ };

KINDS(KIND)

FIXTURE_SETUP(kind)
{
	self->kind = &kinds[variant->k];
	SETUP_WORLD(&self->w, return);
}

FIXTURE_TEARDOWN(kind)
{
	world_stop(&self->w);
}

TEST_F(kind, is_created_and_destroyed)
{
	struct world *w = &self->w;

	ASSERT_EQ(0, kind_create(w, variant->k));
	EXPECT_NE(0, w->obj[variant->k].id);
	EXPECT_EQ(0, kind_destroy(w, variant->k));
}

TEST_F(kind, is_alive_in_the_device_under_the_uid_until_destroyed)
{
	struct world *w = &self->w;
	int before;

	SKIP_NO_HCA(w->hca, return);
	ASSERT_EQ(0, kind_needs(w, variant->k));
	before = hca_live(w->hca, w->mdx.uid, self->kind->live, -1);
	ASSERT_EQ(0, kind_create(w, variant->k));
	EXPECT_EQ(before + 1,
		  hca_live(w->hca, w->mdx.uid, self->kind->live, -1));
	EXPECT_GE(hca_live(w->hca, w->mdx.uid, self->kind->live,
			   kind_live_num(w, variant->k)), 1);
	ASSERT_EQ(0, kind_destroy(w, variant->k));
	EXPECT_EQ(before, hca_live(w->hca, w->mdx.uid, self->kind->live, -1));
}

TEST_F(kind, counts_as_one_object_of_the_file)
{
	struct world *w = &self->w;
	uint32_t before;

	ASSERT_EQ(0, kind_needs(w, variant->k));
	before = mdx_objs(w->mdx.fd);
	ASSERT_EQ(0, kind_create(w, variant->k));
	EXPECT_EQ(before + 1, mdx_objs(w->mdx.fd));
	ASSERT_EQ(0, kind_destroy(w, variant->k));
	EXPECT_EQ(before, mdx_objs(w->mdx.fd));
}

TEST_F(kind, is_created_under_the_uid_of_the_file_whatever_the_mailbox_says)
{
	struct world *w = &self->w;
	uint16_t last[2];

	SKIP_NO_HCA(w->hca, return);
	ASSERT_EQ(0, kind_needs(w, variant->k));
	kind_build_create(w, variant->k);
	_devx_set(w->in, 0xbeef, 16, 16);
	ASSERT_EQ(0, _test_mdx_create(w->mdx.fd, &w->m, NULL));
	ASSERT_EQ(sizeof(last), hca_last(w->hca, self->kind->create, last,
					 sizeof(last)));
	EXPECT_EQ(w->mdx.uid, be16toh(last[1]));
	EXPECT_EQ(0xbeef, DEVX_GET(alloc_pd_in, w->in, uid));
}

TEST_F(kind, is_destroyed_under_the_uid_of_the_file)
{
	struct world *w = &self->w;
	uint16_t last[2];

	SKIP_NO_HCA(w->hca, return);
	ASSERT_EQ(0, kind_create(w, variant->k));
	ASSERT_EQ(0, kind_destroy(w, variant->k));
	ASSERT_EQ(sizeof(last), hca_last(w->hca, self->kind->destroy, last,
					 sizeof(last)));
	EXPECT_EQ(w->mdx.uid, be16toh(last[1]));
}

TEST_F(kind, create_shorter_than_its_layout_is_refused)
{
	struct world *w = &self->w;

	ASSERT_EQ(0, kind_needs(w, variant->k));
	kind_build_create(w, variant->k);
	w->m.in_len = self->kind->in_len - 1;
	EXPECT_REFUSED(EINVAL, w, self->kind->create,
		       _test_mdx_create(w->mdx.fd, &w->m, NULL));
}

TEST_F(kind, create_with_a_header_cut_short_is_refused)
{
	struct world *w = &self->w;

	ASSERT_EQ(0, kind_needs(w, variant->k));
	kind_build_create(w, variant->k);
	w->m.in_len = PRM_HDR_LEN - 1;
	EXPECT_REFUSED(EINVAL, w, self->kind->create,
		       _test_mdx_create(w->mdx.fd, &w->m, NULL));
}

TEST_F(kind, create_with_an_answer_of_15_bytes_is_refused)
{
	struct world *w = &self->w;

	ASSERT_EQ(0, kind_needs(w, variant->k));
	kind_build_create(w, variant->k);
	w->m.out_len = 15;
	EXPECT_REFUSED(EINVAL, w, self->kind->create,
		       _test_mdx_create(w->mdx.fd, &w->m, NULL));
}

TEST_F(kind, create_over_a_tunnel_is_refused)
{
	struct world *w = &self->w;

	ASSERT_EQ(0, kind_needs(w, variant->k));
	kind_build_create(w, variant->k);
	_devx_set(w->in, 1, 32, 16);
	EXPECT_REFUSED(EINVAL, w, self->kind->create,
		       _test_mdx_create(w->mdx.fd, &w->m, NULL));
}

TEST_F(kind, create_by_general_is_refused)
{
	struct world *w = &self->w;

	ASSERT_EQ(0, kind_needs(w, variant->k));
	kind_build_create(w, variant->k);
	EXPECT_REFUSED(EINVAL, w, self->kind->create,
		       _test_mdx_general(w->mdx.fd, &w->m));
}

TEST_F(kind, destroy_by_general_is_refused)
{
	struct world *w = &self->w;

	ASSERT_EQ(0, kind_create(w, variant->k));
	kind_build_create(w, variant->k);
	mdx_hdr(w->in, self->kind->destroy, 0, w->obj[variant->k].num);
	EXPECT_REFUSED(EOPNOTSUPP, w, self->kind->destroy,
		       _test_mdx_general(w->mdx.fd, &w->m));
}

TEST_F(kind, destroy_by_modify_is_refused)
{
	struct world *w = &self->w;

	ASSERT_EQ(0, kind_create(w, variant->k));
	kind_build_create(w, variant->k);
	mdx_hdr(w->in, self->kind->destroy, 0, w->obj[variant->k].num);
	EXPECT_REFUSED(EOPNOTSUPP, w, self->kind->destroy,
		       _test_mdx_modify(w->mdx.fd, w->obj[variant->k].id,
					&w->m));
}

TEST_F(kind, create_by_query_is_refused)
{
	struct world *w = &self->w;

	ASSERT_EQ(0, kind_create(w, variant->k));
	kind_build_create(w, variant->k);
	EXPECT_REFUSED(EINVAL, w, self->kind->create,
		       _test_mdx_query(w->mdx.fd, w->obj[variant->k].id,
				       &w->m));
}

TEST_F(kind, create_refused_by_the_device_leaves_no_object)
{
	struct world *w = &self->w;
	uint32_t objs;

	SKIP_NO_HCA(w->hca, return);
	ASSERT_EQ(0, kind_needs(w, variant->k));
	objs = mdx_objs(w->mdx.fd);
	kind_build_create(w, variant->k);
	ASSERT_EQ(0, hca_fail(w->hca, self->kind->create, PRM_BAD_PARAM,
			      FAULT_SYNDROME, 1));
	memset(w->out, FILL, sizeof(w->out));
	test_err_create(EREMOTEIO, w->mdx.fd, &w->m);
	EXPECT_EQ(PRM_BAD_PARAM << 24, prm_get32(w->out, 0));
	EXPECT_EQ(FAULT_SYNDROME, prm_get32(w->out, 4));
	EXPECT_TRUE(all_bytes((uint8_t *)w->out + 8, 0, w->m.out_len - 8));
	EXPECT_TRUE(all_bytes((uint8_t *)w->out + w->m.out_len, FILL, 64));
	EXPECT_EQ(objs, mdx_objs(w->mdx.fd));
}

TEST_F(kind, create_whose_answer_cannot_be_written_is_undone)
{
	struct world *w = &self->w;
	int before = -1;
	uint32_t objs;
	uint8_t *page;

	page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, page);
	ASSERT_EQ(0, kind_needs(w, variant->k));
	objs = mdx_objs(w->mdx.fd);
	if (w->hca)
		before = hca_live(w->hca, w->mdx.uid, NULL, -1);
	kind_build_create(w, variant->k);
	w->m.out = page;
	test_err_create(EFAULT, w->mdx.fd, &w->m);
	EXPECT_EQ(objs, mdx_objs(w->mdx.fd));
	if (w->hca)
		EXPECT_EQ(before, hca_live(w->hca, w->mdx.uid, NULL, -1));
	EXPECT_EQ(0, kind_create(w, variant->k));
}

TEST_F(kind, destroy_refused_by_the_device_keeps_the_object)
{
	struct world *w = &self->w;
	struct mdx_ioc_obj_destroy res;
	uint32_t id;

	SKIP_NO_HCA(w->hca, return);
	ASSERT_EQ(0, kind_create(w, variant->k));
	id = w->obj[variant->k].id;
	ASSERT_EQ(0, hca_fail(w->hca, self->kind->destroy, PRM_RES_BUSY,
			      FAULT_SYNDROME, 1));
	EXPECT_EQ(EREMOTEIO, _test_mdx_destroy_status(w->mdx.fd, id, &res));
	EXPECT_EQ(PRM_RES_BUSY, res.out_status);
	EXPECT_EQ(FAULT_SYNDROME, res.out_syndrome);
	EXPECT_GE(hca_live(w->hca, w->mdx.uid, self->kind->live,
			   kind_live_num(w, variant->k)), 1);
	EXPECT_EQ(0, _test_mdx_destroy_status(w->mdx.fd, id, &res));
	EXPECT_EQ(0, res.out_status);
	EXPECT_EQ(0, res.out_syndrome);
}

TEST_F(kind, is_gone_after_destroy)
{
	struct world *w = &self->w;
	uint32_t id;

	ASSERT_EQ(0, kind_create(w, variant->k));
	id = w->obj[variant->k].id;
	ASSERT_EQ(0, kind_destroy(w, variant->k));
	test_err_destroy(ENOENT, w->mdx.fd, id);
}

TEST_F(kind, is_destroyed_by_close_with_all_it_stands_on)
{
	struct world *w = &self->w;
	int before;

	SKIP_NO_HCA(w->hca, return);
	before = hca_live(w->hca, w->mdx.uid, NULL, -1);
	ASSERT_EQ(0, kind_create(w, variant->k));
	close(w->mdx.fd);
	w->mdx.fd = -1;
	EXPECT_EQ(before, hca_live(w->hca, w->mdx.uid, NULL, -1));
}

TEST_F(kind, of_another_file_is_unknown)
{
	struct world *w = &self->w;
	int fd = mdx_node_open();

	ASSERT_GE(fd, 0);
	test_mdx_bind(fd, w->mdx.ctx->cmd_fd, w->mdx.pd->handle);
	ASSERT_EQ(0, kind_create(w, variant->k));
	test_err_destroy(ENOENT, fd, w->obj[variant->k].id);
	EXPECT_EQ(0, kind_destroy(w, variant->k));
	close(fd);
}

TEST_F(kind, is_created_from_buffers_that_end_with_the_memory)
{
	struct world *w = &self->w;
	void *in, *out;

	ASSERT_EQ(0, kind_needs(w, variant->k));
	kind_build_create(w, variant->k);
	in = guard_alloc(w->m.in_len, 0);
	out = guard_alloc(w->m.out_len, 0);
	ASSERT_NE(NULL, in);
	ASSERT_NE(NULL, out);
	memcpy(in, w->in, w->m.in_len);
	w->m.in = in;
	w->m.out = out;
	EXPECT_EQ(0, _test_mdx_create(w->mdx.fd, &w->m, NULL));
}

/* What the device does not advertise is one skipped test, not twenty. */
int main(int argc, char **argv)
{
	bool there[KIND_COUNT];

	if (kinds_there(there)) {
		kinds_few(there);
		kind_prune(&_kind_fixture_object, there);
	}
	return test_harness_run(argc, argv);
}
