// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Commands that the device answers after mlx5_core timed out, or never: objects are
 * destroyed, and a dead process keeps nothing. It takes a little longer than the
 * timeout, which is a minute.
 */
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

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

/* Its context does not wait for the answer: what it has pinned is freed. */
TEST_F_TIMEOUT(late, exit_does_not_wait_for_answer, 200)
{
	struct mdx_world *w = &self->w;
	struct mdx_world *child;
	uint32_t *uid, id;
	int status;
	pid_t pid;

	child = mmap(NULL, sizeof(*child), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, child);
	uid = &child->mdx.uid;
	pid = fork();
	if (!pid) {
		unsetenv("MDX_HCA");
		/* Only then is a PD dropped: a context has one of its own. */
		if (world_start(child) ||
		    hca_cmd(w->hca, "drop %x", MLX5_CMD_OP_ALLOC_PD))
			_exit(1);
		objtype_build_create(child, OBJTYPE_PD);
		_exit(_test_mdx_create(child->mdx.fd, &child->m, &id) !=
		      ETIMEDOUT);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(0, hca_live(w->hca, *uid, "umem", -1));
	EXPECT_EQ(1, hca_live(w->hca, *uid, "pd", -1));
	/* It stays with the device, as an object of the stock driver would. */
	ASSERT_EQ(0, hca_cmd(w->hca, "complete-dropped"));
	munmap(child, sizeof(*child));
}

static void *call_nop(void *fd)
{
	uint32_t in[MBOX_HDR_LEN / 4] = {}, out[MBOX_HDR_LEN / 4];
	struct mbox_pair m = {
		.in = in, .out = out,
		.in_len = sizeof(in), .out_len = sizeof(out),
	};

	mdx_hdr(in, MLX5_CMD_OP_NOP, 0, 0);
	_test_mdx_general(*(int *)fd, &m);
	return NULL;
}

/* One command that is not answered costs one timeout, however many threads wait. */
TEST_F_TIMEOUT(late, killed_after_one_timeout, 300)
{
	struct mdx_world *w = &self->w;
	pthread_t thread;
	pid_t pid;
	int i;

	ASSERT_EQ(0, hca_cmd(w->hca, "drop %x always", MLX5_CMD_OP_NOP));
	pid = fork();
	if (!pid) {
		for (i = 0; i < 64; i++)
			pthread_create(&thread, NULL, call_nop, &w->mdx.fd);
		pause();
	}
	while (hca_count(w->hca, MLX5_CMD_OP_NOP) < 16)
		usleep(10000);
	kill(pid, SIGKILL);
	ASSERT_EQ(pid, waitpid(pid, NULL, 0));
	/* The device got nothing for those that waited. */
	EXPECT_EQ(16, hca_count(w->hca, MLX5_CMD_OP_NOP));
	ASSERT_EQ(0, hca_cmd(w->hca, "reset-script"));
	ASSERT_EQ(0, hca_cmd(w->hca, "complete-dropped"));
}

TEST_HARNESS_MAIN
