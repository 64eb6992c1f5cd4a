// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * A module built without one of its optional parts (kmod/compat.mk). MDX_WITHOUT
 * names the missing parts as it did for the build; the tests of parts that are
 * there are skipped. late-creates needs a device with a short cmd-timeout.
 */
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "kselftest_harness.h"
#include "objtypes.h"

#define ALL_FEATURES (MDX_FEATURE_OBJ | MDX_FEATURE_GENERAL |		\
		      MDX_FEATURE_VERBS | MDX_FEATURE_QUERY_PORT |	\
		      MDX_FEATURE_QUERY_DEVICE | MDX_FEATURE_LAST_ERROR | \
		      MDX_FEATURE_BIND | MDX_FEATURE_LATE_CREATE |	\
		      MDX_FEATURE_CQ_STATUS | MDX_FEATURE_OBJ_LIST |	\
		      MDX_FEATURE_CHANNEL | MDX_FEATURE_SUBMIT |	\
		      MDX_FEATURE_UMEM)

static const struct {
	const char *name;
	uint64_t features;
} parts[] = {
	{ "verbs-layout", MDX_FEATURE_VERBS | MDX_FEATURE_BIND },
	{ "late-creates", MDX_FEATURE_LATE_CREATE },
	{ "cq-status", MDX_FEATURE_CQ_STATUS },
};

static bool part_missing(const char *part)
{
	const char *list = getenv("MDX_WITHOUT");

	return list && strstr(list, part);
}

#define SETUP_WITHOUT(part)						\
	do {								\
		if (!part_missing(part))				\
			SKIP(return, "MDX_WITHOUT has no " part);	\
		SETUP_DEVICE(return);					\
	} while (0)

FIXTURE(info) {};

FIXTURE_SETUP(info)
{
	SETUP_DEVICE(return);
}

FIXTURE_TEARDOWN(info)
{
}

TEST_F(info, features_of_parts)
{
	uint64_t features = ALL_FEATURES;
	struct mdx_ioc_info info;
	int fd = mdx_node_open();
	size_t i;

	for (i = 0; i < ARRAY_SIZE(parts); i++)
		if (part_missing(parts[i].name))
			features &= ~parts[i].features;
	ASSERT_LE(0, fd);
	test_mdx_info(fd, &info);
	EXPECT_EQ(features, info.out_features & ALL_FEATURES);
	close(fd);
}

FIXTURE(verbs_layout)
{
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	int fd;
};

FIXTURE_SETUP(verbs_layout)
{
	self->fd = -1;
	SETUP_WITHOUT("verbs-layout");
	self->ctx = mdx_ctx_open();
	ASSERT_NE(NULL, self->ctx);
	self->pd = ibv_alloc_pd(self->ctx);
	ASSERT_NE(NULL, self->pd);
	self->fd = mdx_node_open();
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(verbs_layout)
{
	if (self->fd < 0)
		return;
	close(self->fd);
	ibv_dealloc_pd(self->pd);
	ibv_close_device(self->ctx);
}

TEST_F(verbs_layout, bind_eopnotsupp)
{
	struct mdx_ioc_info info;

	test_err_bind(EOPNOTSUPP, self->fd, self->ctx->cmd_fd,
		      self->pd->handle);
	test_mdx_info(self->fd, &info);
	EXPECT_EQ(0, info.out_flags);
	EXPECT_EQ(0, info.out_uid);
}

/* The stock driver serves the program. */
TEST_F(verbs_layout, preloaded_program_goes_on)
{
	char self_path[PATH_MAX] = "";
	const char *dir;

	ASSERT_LT(0, readlink("/proc/self/exe", self_path,
			      sizeof(self_path) - 1));
	dir = dirname(self_path);
	EXPECT_EQ(0, run("LD_PRELOAD=libmdx.so.1 %s/plain_devx >/tmp/without",
			 dir));
	EXPECT_EQ(0, run("grep -qx done /tmp/without"));
	EXPECT_EQ(0, run("grep -q '^libmdx: ' /tmp/without"));
	EXPECT_NE(0, run("grep -q 'served by mlx5_devx' /tmp/without"));
}

FIXTURE(late_creates)
{
	struct mdx_world w;
};

FIXTURE_SETUP(late_creates)
{
	SETUP_WITHOUT("late-creates");
	ASSERT_EQ(0, world_start(&self->w));
	SKIP_NO_HCA(self->w.hca, return);
}

FIXTURE_TEARDOWN(late_creates)
{
	world_stop(&self->w);
}

static int live_pds(struct mdx_world *w)
{
	return hca_live(w->hca, w->mdx.uid, "pd", -1);
}

static int drop_create(struct mdx_world *w)
{
	uint32_t id;

	if (hca_cmd(w->hca, "drop %x", MLX5_CMD_OP_ALLOC_PD))
		return EIO;
	objtype_build_create(w, OBJTYPE_PD);
	return _test_mdx_create(w->mdx.fd, &w->m, &id);
}

/* Late or never, the answer changes nothing: the object stays with the device. */
TEST_F_TIMEOUT(late_creates, timed_out_object_stays, 200)
{
	struct mdx_world *w = &self->w;
	int before = live_pds(w);

	ASSERT_EQ(ETIMEDOUT, drop_create(w));
	EXPECT_EQ(0, mdx_objs(w->mdx.fd));
	ASSERT_EQ(0, hca_cmd(w->hca, "complete-dropped"));
	usleep(500000);
	EXPECT_EQ(before + 1, live_pds(w));
	/* Creates work as before. */
	EXPECT_EQ(0, objtype_create(w, OBJTYPE_PD));
	EXPECT_EQ(0, objtype_destroy(w, OBJTYPE_PD));
	EXPECT_EQ(before + 1, live_pds(w));
}

/* The module unloads before the answer, and while there is none. */
TEST_F_TIMEOUT(late_creates, unload_before_answer, 200)
{
	struct mdx_world *w = &self->w;

	ASSERT_EQ(ETIMEDOUT, drop_create(w));
	close(w->mdx.fd);
	w->mdx.fd = -1;
	ASSERT_EQ(0, run("rmmod mlx5_devx"));
	EXPECT_EQ(0, hca_cmd(w->hca, "complete-dropped"));
	usleep(500000);
	ASSERT_EQ(0, run("modprobe mlx5_devx"));
	w->mdx.fd = mdx_node_open();
	ASSERT_LE(0, w->mdx.fd);
	test_mdx_bind(w->mdx.fd, w->mdx.ctx->cmd_fd, w->mdx.pd->handle);
	EXPECT_EQ(0, objtype_create(w, OBJTYPE_PD));
}

FIXTURE(cq_status)
{
	struct mdx_world w;
};

FIXTURE_SETUP(cq_status)
{
	SETUP_WITHOUT("cq-status");
	ASSERT_EQ(0, world_start(&self->w));
}

FIXTURE_TEARDOWN(cq_status)
{
	world_stop(&self->w);
}

/* mlx5_core makes an errno of the status, and no status is told. */
TEST_F(cq_status, destroy_refused_errno)
{
	struct mdx_world *w = &self->w;
	struct mdx_ioc_obj_destroy res;
	int ret;

	ASSERT_EQ(0, objtype_create(w, OBJTYPE_QP));
	ret = _test_mdx_destroy_status(w->mdx.fd, w->obj[OBJTYPE_CQ].id, &res);
	EXPECT_NE(0, ret);
	EXPECT_NE(EREMOTEIO, ret);
	EXPECT_NE(ENOENT, ret);
	objtype_build_query(w, OBJTYPE_CQ);
	EXPECT_EQ(0, _test_mdx_query(w->mdx.fd, w->obj[OBJTYPE_CQ].id, &w->m));
	EXPECT_EQ(0, objtype_destroy(w, OBJTYPE_QP));
	EXPECT_EQ(0, objtype_destroy(w, OBJTYPE_CQ));
}

TEST_F(cq_status, destroy_busy_ebusy)
{
	struct mdx_world *w = &self->w;

	SKIP_NO_HCA(w->hca, return);
	ASSERT_EQ(0, objtype_create(w, OBJTYPE_CQ));
	ASSERT_EQ(0, hca_fail(w->hca, MLX5_CMD_OP_DESTROY_CQ, STATUS_RES_BUSY,
			      1, 1));
	test_err_destroy(EBUSY, w->mdx.fd, w->obj[OBJTYPE_CQ].id);
	EXPECT_EQ(1, mdx_objs(w->mdx.fd));
	EXPECT_EQ(0, objtype_create(w, OBJTYPE_QP));
	EXPECT_EQ(0, objtype_destroy(w, OBJTYPE_QP));
	EXPECT_EQ(0, objtype_destroy(w, OBJTYPE_CQ));
}

TEST_HARNESS_MAIN
