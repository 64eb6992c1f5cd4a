// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Several files of one context: they share a uid in the device, so objects of
 * one may refer to objects of another.
 */
#include <pthread.h>

#include "kselftest_harness.h"
#include "objtypes.h"

#define DRIVER "/sys/bus/pci/drivers/mlx5_core"
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

TEST_F(files, adopted_destroyed_with_referrer)
{
	struct mdx_world *w = &self->w;
	int tds = live_objs(w, "td");

	ASSERT_EQ(0, create_tis_on(w, self->other, w->mdx.fd));
	EXPECT_EQ(1, mdx_objs(w->mdx.fd));
	close_it(&self->other);
	EXPECT_EQ(tds + 1, live_objs(w, "td"));
	EXPECT_EQ(2, mdx_objs(w->mdx.fd));
	close_it(&w->mdx.fd);
	EXPECT_EQ(tds, live_objs(w, "td"));
	EXPECT_EQ(0, live_objs(w, "tis"));
	EXPECT_EQ(0, kmsg_count(self->mark, KEPT));
}

TEST_F(files, adopted_has_no_id)
{
	struct mdx_world *w = &self->w;

	ASSERT_EQ(0, create_tis_on(w, self->other, w->mdx.fd));
	close_it(&self->other);
	EXPECT_EQ(0, objtype_destroy(w, OBJTYPE_TIS));
	test_err_destroy(ENOENT, w->mdx.fd, 2);
	EXPECT_EQ(1, mdx_objs(w->mdx.fd));
}

/* The first of the others may be one that has nothing to do with it. */
TEST_F(files, transferred_again)
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
	/*
	 * Objects may have been transferred to the files that are still open.
	 */
	close_it(&self->other);
	close_it(&mdx->fd);
	EXPECT_EQ(tds, live_objs(w, "td"));
	EXPECT_EQ(0, kmsg_count(self->mark, KEPT));
}

/* A removed device has nothing of either. */
TEST_F(files, removed_device_nothing_left)
{
	struct mdx_world *w = &self->w;
	char addr[64];

	ASSERT_TRUE(mdx_pci_addr(addr, sizeof(addr)));
	/* The older of the two files is closed first. */
	ASSERT_EQ(0, create_tis_on(w, w->mdx.fd, self->other));
	ASSERT_EQ(0, write_file(DRIVER "/unbind", addr));
	EXPECT_EQ(0, kmsg_count(self->mark, KEPT));
	ASSERT_EQ(0, write_file(DRIVER "/bind", addr));
	EXPECT_TRUE(mdx_device_wait());
	memset(w->obj, 0, sizeof(w->obj));
}

TEST_HARNESS_MAIN
