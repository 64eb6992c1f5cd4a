// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * What one user can take by opening more: a verbs context, its files and threads and
 * the process that has them share one set of limits, and leave nothing behind.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "kselftest_harness.h"
#include "machine.h"
#include "objtypes.h"

#define NOBODY 65534
#define PINNED_MB 96
#define PIN_RUNS 4
/* Calls of a context, and those about general objects (struct mdx_ioc_info). */
#define CALLS_MAX 16
#define THROTTLED_MAX 8
/* Files of a context, and threads of each. */
#define FILES 4
#define THREADS 16
#define LONG_MBOX (2u << 20)
/*
 * mlx5_core keeps a block of 1 KiB for each 512 bytes of mailbox that a device has
 * had at a time: 4 MiB of long mailboxes and what 16 calls of 64 KiB take.
 */
#define POOL_BLOCKS_MAX 16384

struct shared_state {
	atomic_uint uid;
	atomic_bool ready;
};

FIXTURE(context)
{
	struct hca_ctl *hca;
	struct shared_state *state;
	int mark;
	pid_t pid;
};

FIXTURE_SETUP(context)
{
	SETUP_DEVICE(return);
	self->hca = hca_open();
	SKIP_NO_HCA(self->hca, return);
	self->state = mmap(NULL, sizeof(*self->state), PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->state);
	self->mark = kmsg_mark();
}

FIXTURE_TEARDOWN(context)
{
	if (self->pid > 0) {
		kill(self->pid, SIGKILL);
		waitpid(self->pid, NULL, 0);
	}
	hca_close(self->hca);
}

/* A child of user nobody that does @fn and then waits to be killed. */
static bool start_user(FIXTURE_DATA(context) *self,
		       int (*fn)(struct mdx_world *w))
{
	/* As where RDMA is used. */
	static const struct rlimit memlock = { RLIM_INFINITY, RLIM_INFINITY };
	static struct mdx_world w;
	int i;

	self->state->ready = false;
	self->pid = fork();
	if (!self->pid) {
		unsetenv("MDX_HCA");
		setrlimit(RLIMIT_MEMLOCK, &memlock);
		if (setgid(NOBODY) || setuid(NOBODY) || world_start(&w))
			_exit(1);
		self->state->uid = w.mdx.uid;
		if (fn(&w))
			_exit(2);
		self->state->ready = true;
		for (;;)
			pause();
	}
	for (i = 0; i < 3000 && !self->state->ready; i++) {
		if (waitpid(self->pid, NULL, WNOHANG))
			return false;
		usleep(10000);
	}
	return self->state->ready;
}

static void kill_user(FIXTURE_DATA(context) *self)
{
	kill(self->pid, SIGKILL);
	waitpid(self->pid, NULL, 0);
	self->pid = 0;
}

static bool wait_gone(FIXTURE_DATA(context) *self)
{
	uint32_t uid = self->state->uid;
	int i;

	for (i = 0; i < 500; i++, usleep(20000))
		if (!hca_live(self->hca, uid, NULL, -1) &&
		    !hca_live(self->hca, -1, "uctx", uid))
			return true;
	return false;
}

static bool rq_by_stock(struct mdx_world *w)
{
	return mbox_get32(w->in, 0) >> 16 == MLX5_CMD_OP_CREATE_RQ;
}

static bool cq_by_stock(struct mdx_world *w)
{
	return mbox_get32(w->in, 0) >> 16 == MLX5_CMD_OP_CREATE_CQ;
}

/* An RQ on a CQ on a umem of the stock driver. */
static int pin_memory(struct mdx_world *w)
{
	size_t len = PINNED_MB << 20;
	void *mem = mmap(NULL, len, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (mem == MAP_FAILED)
		return errno;
	w->mem = mem;
	w->umem = mlx5dv_devx_umem_reg(w->mdx.ctx, mem, len,
				       IBV_ACCESS_LOCAL_WRITE);
	return w->umem ? objtype_create(w, OBJTYPE_RQ) : errno;
}

static int pin_stock_on_ours(struct mdx_world *w)
{
	w->by_stock = rq_by_stock;
	return pin_memory(w);
}

static int pin_ours_on_stock(struct mdx_world *w)
{
	w->by_stock = cq_by_stock;
	return pin_memory(w);
}

static void pin_and_die(struct __test_metadata *_metadata,
			FIXTURE_DATA(context) *self,
			int (*fn)(struct mdx_world *w))
{
	long before = 0, after;
	int i;

	for (i = 0; i <= PIN_RUNS; i++) {
		ASSERT_TRUE(start_user(self, fn));
		kill_user(self);
		EXPECT_TRUE(wait_gone(self));
		after = machine_available_kb() / 1024;
		if (!i)
			before = after;
	}
	printf("# MemAvailable: %ld MB, after %d more runs %ld MB\n", before,
	       PIN_RUNS, after);
	EXPECT_LT(before - after, PINNED_MB / 2);
	EXPECT_EQ(0, kmsg_count(self->mark, "WARNING"));
	EXPECT_EQ(0, kmsg_count(self->mark, "the device keeps objects"));
}

TEST_F_TIMEOUT(context, killed_stock_on_ours_unpinned, 120)
{
	pin_and_die(_metadata, self, pin_stock_on_ours);
}

TEST_F_TIMEOUT(context, killed_ours_on_stock_unpinned, 120)
{
	pin_and_die(_metadata, self, pin_ours_on_stock);
}

static int caller_fds[FILES];
static bool caller_long;
static uint16_t caller_opcode;

/* Sends one command again and again, about no object of the file. */
static void *call_forever(void *arg)
{
	size_t len = caller_long ? LONG_MBOX : 4096;
	uint32_t *in = calloc(1, len), *out = calloc(1, len);
	struct mbox_pair m = {
		.in = in, .out = out,
		.in_len = len, .out_len = len,
	};

	if (!in || !out)
		return NULL;
	mdx_hdr(in, caller_opcode, 0, 0);
	for (;;)
		_test_mdx_general(*(int *)arg, &m);
	return NULL;
}

static int start_callers(struct mdx_world *w)
{
	pthread_t thread;
	int i;

	for (i = 0; i < FILES; i++) {
		caller_fds[i] = mdx_node_open();
		if (caller_fds[i] < 0 ||
		    _test_mdx_bind(caller_fds[i], w->mdx.ctx->cmd_fd,
				   w->mdx.pd->handle))
			return 1;
	}
	for (i = 0; i < FILES * THREADS; i++)
		if (pthread_create(&thread, NULL, call_forever,
				   &caller_fds[i % FILES]))
			return 1;
	return 0;
}

static int start_nops(struct mdx_world *w)
{
	caller_opcode = MLX5_CMD_OP_NOP;
	return start_callers(w);
}

static int start_long_queries(struct mdx_world *w)
{
	caller_opcode = MLX5_CMD_OP_QUERY_HCA_CAP;
	caller_long = true;
	return start_callers(w);
}

/* The most commands that the device has had at a time in a second. */
static int most_in_flight(struct hca_ctl *hca)
{
	int i, most = 0;

	for (i = 0; i < 100; i++, usleep(10000)) {
		if (hca_cmd(hca, "in-flight"))
			return -1;
		if (atoi(hca->answer) > most)
			most = atoi(hca->answer);
	}
	return most;
}

TEST_F_TIMEOUT(context, calls_limited_for_all_files, 120)
{
	ASSERT_EQ(0, hca_cmd(self->hca, "delay %x 50000", MLX5_CMD_OP_NOP));
	ASSERT_TRUE(start_user(self, start_nops));
	EXPECT_EQ(CALLS_MAX, most_in_flight(self->hca));
	kill_user(self);
	EXPECT_TRUE(wait_gone(self));
}

/* Who waits for a slot dies at once: the device gets no command of a dead process. */
TEST_F_TIMEOUT(context, waiters_killed_at_once, 120)
{
	long sent;

	ASSERT_EQ(0, hca_cmd(self->hca, "delay %x 1000000", MLX5_CMD_OP_NOP));
	ASSERT_TRUE(start_user(self, start_nops));
	while (hca_count(self->hca, MLX5_CMD_OP_NOP) < CALLS_MAX)
		usleep(10000);
	kill(self->pid, SIGKILL);
	sent = hca_count(self->hca, MLX5_CMD_OP_NOP);
	kill_user(self);
	/* A command that ends lets one waiter try, who is dead as well. */
	EXPECT_LE(hca_count(self->hca, MLX5_CMD_OP_NOP), sent + CALLS_MAX);
	EXPECT_TRUE(wait_gone(self));
}

static struct mdx_world *general_world;

static void *query_general_forever(void *fd)
{
	struct mdx_world *w = general_world;
	uint64_t in[512 / 8], out[4096 / 8];
	struct mbox_pair m = w->m;

	memcpy(in, w->in, sizeof(in));
	m.in = in;
	m.out = out;
	for (;;)
		_test_mdx_query(w->mdx.fd, w->obj[OBJTYPE_GENERAL].id, &m);
	return NULL;
}

static int start_general_queries(struct mdx_world *w)
{
	pthread_t thread;
	int i;

	if (objtype_create(w, OBJTYPE_GENERAL))
		return 1;
	objtype_build_query(w, OBJTYPE_GENERAL);
	general_world = w;
	for (i = 0; i < 2 * THREADS; i++)
		if (pthread_create(&thread, NULL, query_general_forever, NULL))
			return 1;
	return 0;
}

TEST_F_TIMEOUT(context, general_objects_throttled, 120)
{
	ASSERT_EQ(0, hca_cmd(self->hca, "delay %x 50000",
			     MLX5_CMD_OP_QUERY_GENERAL_OBJECT));
	ASSERT_TRUE(start_user(self, start_general_queries));
	EXPECT_EQ(THROTTLED_MAX, most_in_flight(self->hca));
	kill_user(self);
	EXPECT_TRUE(wait_gone(self));
}

/* Blocks that mlx5_core has for mailboxes: they are charged to nobody. */
static long pool_blocks(void)
{
	char path[128], addr[64], line[128];
	unsigned long used, total = 0;
	FILE *f;

	if (!mdx_pci_addr(addr, sizeof(addr)))
		return -1;
	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/pools", addr);
	f = fopen(path, "r");
	if (!f)
		return -1;
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "mlx5_cmd %lu %lu", &used, &total) == 2)
			break;
	fclose(f);
	return total;
}

TEST_F_TIMEOUT(context, long_mailboxes_bounded, 240)
{
	long before = pool_blocks(), after;

	ASSERT_LT(0, before);
	ASSERT_TRUE(start_user(self, start_long_queries));
	sleep(5);
	kill_user(self);
	after = pool_blocks();
	printf("# blocks of 1 KiB: %ld, after long mailboxes %ld\n", before,
	       after);
	EXPECT_LT(after - before, POOL_BLOCKS_MAX);
	EXPECT_TRUE(wait_gone(self));
}

TEST_HARNESS_MAIN
