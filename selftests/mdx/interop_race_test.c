// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Commands about objects of verbs while those go: destroyed, with their context,
 * with the device. Each test is a process with a context of its own; when it has
 * ended, nothing is left of it.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "kselftest_harness.h"
#include "machine.h"
#include "vobj.h"

#define MBOX_LEN 1024
#define HOLD_US 1000000
#define ROUNDS 40
#define THREADS 3

/*
 * Threads pause after each command: verbs refuses to destroy an object as long
 * as there is always one in the device.
 */
#define PAUSE_US 2000

#define load(p) __atomic_load_n(p, __ATOMIC_SEQ_CST)
#define store(p, val) __atomic_store_n(p, val, __ATOMIC_SEQ_CST)

/* Target of the threads' commands; changed under them. */
struct race_target {
	int fd;
	uint32_t handle;
	uint32_t num;
	bool stop;
	int odd;
};

/* State of a test, in its own process. */
struct interop_race {
	struct mdx_binding mdx;
	struct hca_ctl *hca;
	struct race_target aim;
	struct vobj v;
	pthread_t thread[THREADS];
	char addr[64];
};

/* Ends a test with the number of the line that failed. */
#define CHECK(cond)							\
	do {								\
		if (!(cond))						\
			return __LINE__;				\
	} while (0)

static int query_target(const struct race_target *aim)
{
	uint64_t in[2] = {}, out[MBOX_LEN / 8];
	struct mbox_pair m = { in, out, sizeof(in), sizeof(out) };

	mdx_hdr(in, MLX5_CMD_OP_QUERY_QP, 0, load(&aim->num));
	return _test_mdx_verbs_query(aim->fd, MDX_VERBS_QP, load(&aim->handle),
				     &m);
}

/* To the reset state, in which the QP is: that changes nothing. */
static int modify_target(const struct race_target *aim)
{
	uint64_t in[2] = {}, out[2];
	struct mbox_pair m = { in, out, sizeof(in), sizeof(out) };

	mdx_hdr(in, MLX5_CMD_OP_2RST_QP, 0, load(&aim->num));
	return _test_mdx_verbs_modify(aim->fd, MDX_VERBS_QP, load(&aim->handle),
				      &m);
}

/* By now the handle may be unused, or belong to another object. */
static bool is_expected(int ret)
{
	return !ret || ret == ENOENT || ret == EBUSY || ret == EINVAL;
}

static void *query_loop(void *arg)
{
	struct race_target *aim = arg;
	int ret, i;

	for (i = 0; !load(&aim->stop); i++) {
		ret = i % 4 ? query_target(aim) : modify_target(aim);
		if (!is_expected(ret)) {
			store(&aim->odd, ret);
			break;
		}
		usleep(PAUSE_US);
	}
	return NULL;
}

static int loops_start(struct interop_race *r)
{
	int i, ret = 0;

	for (i = 0; !ret && i < THREADS; i++)
		ret = pthread_create(&r->thread[i], NULL, query_loop, &r->aim);
	return ret;
}

static void loops_end(struct interop_race *r)
{
	int i;

	for (i = 0; i < THREADS; i++)
		pthread_join(r->thread[i], NULL);
}

static int make_qp(struct interop_race *r)
{
	int ret = vobj_create(&r->v, VOBJ_RC, r->mdx.ctx, r->mdx.pd);

	if (!ret) {
		store(&r->aim.num, r->v.num[HW_QP]);
		store(&r->aim.handle, r->v.handle);
	}
	return ret;
}

static int with_destroys(struct interop_race *r)
{
	int i, ret;

	CHECK(!loops_start(r));
	for (i = 0; i < ROUNDS; i++) {
		usleep(PAUSE_US);
		do {
			ret = vobj_destroy(&r->v);
		} while (ret == EBUSY);
		CHECK(!ret);
		vobj_end(&r->v);
		CHECK(!make_qp(r));
	}
	store(&r->aim.stop, true);
	loops_end(r);
	CHECK(!r->aim.odd);
	return 0;
}

static void *query_once(void *arg)
{
	return (void *)(intptr_t)query_target(arg);
}

/* Start a query that the device holds. */
static bool hold_query(struct interop_race *r)
{
	long before;
	int i;

	if (hca_cmd(r->hca, "parallel 16") ||
	    hca_cmd(r->hca, "delay 0x%x %u", MLX5_CMD_OP_QUERY_QP, HOLD_US))
		return false;
	before = hca_count(r->hca, MLX5_CMD_OP_QUERY_QP);
	if (pthread_create(&r->thread[0], NULL, query_once, &r->aim))
		return false;
	for (i = 0; i < 2000; i++) {
		if (hca_count(r->hca, MLX5_CMD_OP_QUERY_QP) > before)
			return true;
		usleep(1000);
	}
	return false;
}

static int held_result(struct interop_race *r)
{
	void *ret;

	pthread_join(r->thread[0], &ret);
	return (intptr_t)ret;
}

static int with_close(struct interop_race *r)
{
	CHECK(hold_query(r));
	CHECK(!close(r->mdx.ctx->cmd_fd));
	CHECK(!close(r->mdx.fd));
	CHECK(!held_result(r));
	return 0;
}

/* Our file keeps the context, and so the QP. */
static int with_close_of_the_context(struct interop_race *r)
{
	CHECK(hold_query(r));
	CHECK(!close(r->mdx.ctx->cmd_fd));
	CHECK(!held_result(r));
	CHECK(!query_target(&r->aim));
	return 0;
}

/* The process ends while the device has its query. */
static int with_exit(struct interop_race *r)
{
	CHECK(hold_query(r));
	return 0;
}

static int with_unbind(struct interop_race *r)
{
	CHECK(!loops_start(r));
	usleep(50 * PAUSE_US);
	CHECK(!write_file(MLX5_DRIVER "/unbind", r->addr));
	loops_end(r);
	CHECK(r->aim.odd == EIO);
	CHECK(query_target(&r->aim) == EIO);
	CHECK(!hca_live(r->hca, r->mdx.uid, NULL, -1));
	return 0;
}

/* Removal waits for the commands in the device. */
static int with_unbind_and_a_query_held(struct interop_race *r)
{
	CHECK(hold_query(r));
	CHECK(!write_file(MLX5_DRIVER "/unbind", r->addr));
	CHECK(!held_result(r));
	CHECK(query_target(&r->aim) == EIO);
	return 0;
}

static int race_start(struct interop_race *r)
{
	CHECK(!mdx_start(&r->mdx));
	r->aim.fd = r->mdx.fd;
	r->hca = hca_open();
	CHECK(r->hca);
	CHECK(mdx_pci_addr(r->addr, sizeof(r->addr)));
	CHECK(!make_qp(r));
	return 0;
}

static int in_process(int (*fn)(struct interop_race *r))
{
	static struct interop_race r;
	int status, line;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (!pid) {
		line = race_start(&r) ?: fn(&r);
		if (line)
			fprintf(stderr, "# %s: line %d\n", __FILE__, line);
		fflush(NULL);
		_exit(!!line);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return -1;
	return status;
}

FIXTURE(race)
{
	char addr[64];
	long refs[3];
	int qps;
};

FIXTURE_VARIANT(race)
{
	int (*fn)(struct interop_race *r);
};

#define RACE(name) FIXTURE_VARIANT_ADD(race, name) { .fn = name }

RACE(with_destroys);
RACE(with_close);
RACE(with_close_of_the_context);
RACE(with_exit);
RACE(with_unbind);
RACE(with_unbind_and_a_query_held);

/*
 * Those of contexts. The drivers' own QPs have uid 0; they make some of them
 * when they first need them, so their number says nothing. Opened for a moment:
 * the port takes one at a time.
 */
static int live_qps(void)
{
	struct hca_ctl *hca = hca_open();
	int all, own;

	if (!hca)
		return -1;
	all = hca_live(hca, -1, "qp", -1);
	own = hca_live(hca, 0, "qp", -1);
	hca_close(hca);
	return all < 0 || own < 0 ? -1 : all - own;
}

static const char *const modules[] = { "mlx5_devx", "mlx5_ib", "ib_uverbs" };

static long module_refs(const char *module)
{
	char path[100], line[32] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/sys/module/%s/refcnt", module);
	file = fopen(path, "r");
	if (!file)
		return -1;
	if (!fgets(line, sizeof(line), file))
		line[0] = '\0';
	fclose(file);
	return strtol(line, NULL, 0);
}

FIXTURE_SETUP(race)
{
	int i;

	SETUP_DEVICE(return);
	if (!hca_expected())
		SKIP(return, "no control port (MDX_HCA)");
	ASSERT_TRUE(mdx_pci_addr(self->addr, sizeof(self->addr)));
	self->qps = live_qps();
	ASSERT_LE(0, self->qps);
	for (i = 0; i < 3; i++)
		self->refs[i] = module_refs(modules[i]);
}

FIXTURE_TEARDOWN(race)
{
	if (!mdx_ibv_device())
		write_file(MLX5_DRIVER "/bind", self->addr);
	mdx_device_wait();
}

/* Drivers take their time to come back, more so where others work, too. */
TEST_F_TIMEOUT(race, nothing_left, 120)
{
	int i;

	EXPECT_EQ(0, in_process(variant->fn));
	if (!mdx_ibv_device())
		EXPECT_EQ(0, write_file(MLX5_DRIVER "/bind", self->addr));
	EXPECT_TRUE(mdx_device_wait());
	EXPECT_EQ(self->qps, live_qps());
	for (i = 0; i < 3; i++)
		EXPECT_EQ(self->refs[i], module_refs(modules[i]));
}

TEST_HARNESS_MAIN
