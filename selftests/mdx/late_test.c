// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Creates that the device answers after mlx5_core timed out: their objects are
 * destroyed. It takes a little longer than the timeout, which is a minute.
 */
#include "kselftest_harness.h"
#include "objtypes.h"

FIXTURE(late)
{
	struct mdx_world w;
};

FIXTURE_SETUP(late)
{
	SETUP_DEVICE(return);
	ASSERT_EQ(0, world_start(&self->w));
	SKIP_NO_HCA(self->w.hca, return);
}

FIXTURE_TEARDOWN(late)
{
	world_stop(&self->w);
}

static int live_pds(struct mdx_world *w)
{
	return hca_live(w->hca, w->mdx.uid, "pd", -1);
}

static bool wait_pds(struct mdx_world *w, int n)
{
	int i;

	for (i = 0; i < 500; i++, usleep(20000))
		if (live_pds(w) == n)
			return true;
	return false;
}

TEST_F_TIMEOUT(late, delayed_create_destroyed, 200)
{
	struct mdx_world *w = &self->w;
	int before = live_pds(w);
	uint32_t id;

	ASSERT_EQ(0, hca_cmd(w->hca, "drop %x", MLX5_CMD_OP_ALLOC_PD));
	objtype_build_create(w, OBJTYPE_PD);
	ASSERT_EQ(ETIMEDOUT, _test_mdx_create(w->mdx.fd, &w->m, &id));
	EXPECT_EQ(before + 1, live_pds(w));
	EXPECT_EQ(0, mdx_objs(w->mdx.fd));

	ASSERT_EQ(0, hca_cmd(w->hca, "complete-dropped"));
	EXPECT_TRUE(wait_pds(w, before));
	/* Creates work as before. */
	EXPECT_EQ(0, objtype_create(w, OBJTYPE_PD));
	EXPECT_EQ(0, objtype_destroy(w, OBJTYPE_PD));
}

TEST_HARNESS_MAIN
