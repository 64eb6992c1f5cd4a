// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Several files of one context: they share a uid in the device, so objects of
 * one may refer to objects of another.
 */
#include <pthread.h>

#include "kselftest_harness.h"
#include "machine.h"
#include "objtypes.h"

#define KEPT "the device keeps objects"

FIXTURE(files)
{
	struct mdx_world w;
	int other;
	int mark;
};

FIXTURE_SETUP(files)
{
	struct mdx_binding *mdx = &self->w.mdx;

	self->other = -1;
	SETUP_DEVICE(return);
	ASSERT_EQ(0, world_start(&self->w));
	SKIP_NO_HCA(self->w.hca, return);
	self->mark = kmsg_mark();
	self->other = mdx_node_open();
	ASSERT_GE(self->other, 0);
	test_mdx_bind(self->other, mdx->ctx->cmd_fd, mdx->pd->handle);
}

FIXTURE_TEARDOWN(files)
{
	if (self->other >= 0)
		close(self->other);
	world_stop(&self->w);
}

/* A transport domain of @low that a TIS of @high refers to. */
static int create_tis_on(struct mdx_world *w, int low, int high)
{
	int fd = w->mdx.fd, ret;

	memset(w->obj, 0, sizeof(w->obj));
	w->mdx.fd = low;
	ret = objtype_create(w, OBJTYPE_TD);
	w->mdx.fd = high;
	if (!ret)
		ret = objtype_create(w, OBJTYPE_TIS);
	w->mdx.fd = fd;
	return ret;
}

static int live_objs(struct mdx_world *w, const char *type)
{
	return hca_live(w->hca, w->mdx.uid, type, -1);
}

static void close_it(int *fd)
{
	close(*fd);
	*fd = -1;
}

TEST_F(files, kept_destroyed_with_referrer)
{
	struct mdx_world *w = &self->w;
	int tds = live_objs(w, "td");

	ASSERT_EQ(0, create_tis_on(w, self->other, w->mdx.fd));
	EXPECT_EQ(1, mdx_objs(w->mdx.fd));
	close_it(&self->other);
	EXPECT_EQ(tds + 1, live_objs(w, "td"));
	EXPECT_EQ(1, mdx_objs(w->mdx.fd));
	close_it(&w->mdx.fd);
	EXPECT_EQ(tds, live_objs(w, "td"));
	EXPECT_EQ(0, live_objs(w, "tis"));
	EXPECT_EQ(0, kmsg_count(self->mark, KEPT));
}

TEST_F(files, kept_has_no_id)
{
	struct mdx_world *w = &self->w;

	ASSERT_EQ(0, create_tis_on(w, self->other, w->mdx.fd));
	close_it(&self->other);
	EXPECT_EQ(0, objtype_destroy(w, OBJTYPE_TIS));
	test_err_destroy(ENOENT, w->mdx.fd, 2);
	EXPECT_EQ(0, mdx_objs(w->mdx.fd));
}

/* The next file that ends may have nothing to do with it. */
TEST_F(files, kept_until_referrer_ends)
{
	struct mdx_world *w = &self->w;
	int tds = live_objs(w, "td");
	int third = mdx_node_open();

	ASSERT_GE(third, 0);
	test_mdx_bind(third, w->mdx.ctx->cmd_fd, w->mdx.pd->handle);
	ASSERT_EQ(0, create_tis_on(w, self->other, third));
	close_it(&self->other);
	close_it(&w->mdx.fd);
	EXPECT_EQ(tds + 1, live_objs(w, "td"));
	close(third);
	EXPECT_EQ(tds, live_objs(w, "td"));
	EXPECT_EQ(0, kmsg_count(self->mark, KEPT));
}

static void *close_thread(void *fd)
{
	close_it(fd);
	return NULL;
}

/* Files that end at the same time leave nothing. */
TEST_F(files, concurrent_close_nothing_left)
{
	struct mdx_world *w = &self->w;
	struct mdx_binding *mdx = &w->mdx;
	int tds = live_objs(w, "td");
	pthread_t thread;
	int i, low, high;

	for (i = 0; i < 40; i++) {
		low = mdx_node_open();
		high = mdx_node_open();
		test_mdx_bind(low, mdx->ctx->cmd_fd, mdx->pd->handle);
		test_mdx_bind(high, mdx->ctx->cmd_fd, mdx->pd->handle);
		ASSERT_EQ(0, i % 2 ? create_tis_on(w, low, high)
				   : create_tis_on(w, high, low));
		ASSERT_EQ(0, pthread_create(&thread, NULL, close_thread, &low));
		close(high);
		pthread_join(thread, NULL);
	}
	/* Objects may have been kept until the last file ends. */
	close_it(&self->other);
	close_it(&mdx->fd);
	EXPECT_EQ(tds, live_objs(w, "td"));
	EXPECT_EQ(0, kmsg_count(self->mark, KEPT));
}

/* What an open file refers to ends with the context, as the file's objects do. */
TEST_F(files, kept_destroyed_with_context)
{
	struct mdx_world *w = &self->w;
	uint32_t uid = w->mdx.uid;

	ASSERT_EQ(0, create_tis_on(w, self->other, w->mdx.fd));
	close_it(&self->other);
	ASSERT_EQ(0, ibv_close_device(w->mdx.ctx));
	w->mdx.ctx = NULL;
	w->mdx.pd = NULL;
	w->mdx.anchor = NULL;
	EXPECT_EQ(0, hca_live(w->hca, uid, NULL, -1));
	EXPECT_EQ(0, hca_live(w->hca, -1, "uctx", uid));
	EXPECT_EQ(0, kmsg_count(self->mark, KEPT));
	memset(w->obj, 0, sizeof(w->obj));
	w->umem = NULL;
	w->uar = NULL;
}

static int bind_shared(int *fd, const struct mdx_binding *mdx)
{
	struct mdx_ioc_bind arg = {
		.size = sizeof(arg),
		.flags = MDX_BIND_SHARE,
		.uverbs_fd = mdx->ctx->cmd_fd,
		.pd_handle = mdx->pd->handle,
	};

	*fd = mdx_node_open();
	return *fd < 0 ? errno : mdx_ioctl(*fd, MDX_IOC_BIND, &arg);
}

TEST_F(files, sharing_files_have_same_ids)
{
	struct mdx_world *w = &self->w;
	int tds = live_objs(w, "td");
	int a, b;

	ASSERT_EQ(0, bind_shared(&a, &w->mdx));
	ASSERT_EQ(0, bind_shared(&b, &w->mdx));
	ASSERT_EQ(0, create_tis_on(w, a, b));
	EXPECT_EQ(2, mdx_objs(a));
	EXPECT_EQ(2, mdx_objs(b));
	EXPECT_EQ(0, mdx_objs(w->mdx.fd));
	test_err_destroy(ENOENT, w->mdx.fd, 1);
	close(a);
	EXPECT_EQ(2, mdx_objs(b));
	EXPECT_EQ(0, _test_mdx_destroy(b, 2));
	EXPECT_EQ(0, _test_mdx_destroy(b, 1));
	ASSERT_EQ(0, create_tis_on(w, b, b));
	close(b);
	EXPECT_EQ(tds, live_objs(w, "td"));
	memset(w->obj, 0, sizeof(w->obj));
}

/* A removed device has nothing of either. */
TEST_F_TIMEOUT(files, removed_device_nothing_left, 120)
{
	struct mdx_world *w = &self->w;
	char addr[64];

	ASSERT_TRUE(mdx_pci_addr(addr, sizeof(addr)));
	/* The older of the two files is closed first. */
	ASSERT_EQ(0, create_tis_on(w, w->mdx.fd, self->other));
	ASSERT_EQ(0, write_file(MLX5_DRIVER "/unbind", addr));
	EXPECT_EQ(0, kmsg_count(self->mark, KEPT));
	ASSERT_EQ(0, write_file(MLX5_DRIVER "/bind", addr));
	EXPECT_TRUE(mdx_device_wait());
	memset(w->obj, 0, sizeof(w->obj));
}

TEST_HARNESS_MAIN
