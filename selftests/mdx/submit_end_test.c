// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * MDX_IOC_SUBMIT that does not come to its end: killed, unplugged, its context closed.
 * And batches beside other calls.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

#include "kselftest_harness.h"
#include "batch.h"
#include "machine.h"

/* The device is slow enough that a batch is met in its middle. */
#define DELAY_US 2000
/* Those of lane debug take seconds each. */
#define KILLS (mdx_lane_debug() ? 60u : 1000u)
#define KILLS_SECONDS 180
/* Processes at a time */
#define GROUP 20
#define THREADS 16

FIXTURE(end)
{
	struct mdx_world w;
};

FIXTURE_SETUP(end)
{
	SETUP_DEVICE(return);
	ASSERT_EQ(0, world_start(&self->w));
	SKIP_NO_HCA(self->w.hca, return);
	ASSERT_EQ(0, hca_cmd(self->w.hca, "parallel 32"));
}

FIXTURE_TEARDOWN(end)
{
	if (self->w.hca)
		hca_cmd(self->w.hca, "reset-script");
	world_stop(&self->w);
}

#define MANY 1024
/* The debug kernel is slow. */
#define MANY_DEBUG 96

/* Chains of a TD, a TIS of it, and a second TIS; undone if one fails. */
struct many {
	struct mdx_ioc_submit arg;
	struct mdx_item items[MANY];
	struct mdx_ref refs[MANY];
	uint64_t in[2][BATCH_IN_LEN / 8];
	uint64_t out[64];
};

static void many_item(struct many *m, unsigned int i, struct mdx_world *w)
{
	struct mdx_item *item = &m->items[i];
	unsigned int at = i % 3;

	item->cmd = MDX_CMD_OBJ_CREATE;
	item->flags = at ? MDX_ITEM_LINK : 0;
	item->in = (uintptr_t)m->in[!!at];
	item->out = (uintptr_t)m->out;
	item->in_len = at ? SZ(create_tis_in) : SZ(alloc_transport_domain_in);
	item->out_len = 16;
	if (!at)
		return;
	item->refs_n = 1;
	m->refs[m->arg.refs_n++] = (struct mdx_ref){
		.bit = TIS_TD_BIT, .back = at, .width = TIS_TD_WIDTH,
	};
}

static struct many *many_build(struct mdx_world *w)
{
	struct many *m = calloc(1, sizeof(*m));
	unsigned int i;

	if (!m)
		return NULL;
	objtype_build_create(w, OBJTYPE_TD);
	memcpy(m->in[0], w->in, w->m.in_len);
	objtype_build_create(w, OBJTYPE_TIS);
	memcpy(m->in[1], w->in, w->m.in_len);
	m->arg = (struct mdx_ioc_submit){
		.size = sizeof(m->arg),
		.items = (uintptr_t)m->items,
		.refs = (uintptr_t)m->refs,
		.items_n = mdx_lane_debug() ? MANY_DEBUG : MANY,
		.item_size = sizeof(m->items[0]),
		.channel = -1,
	};
	for (i = 0; i < m->arg.items_n; i++)
		many_item(m, i, w);
	return m;
}

/* A child with a context of its own. The time at which it is killed is random. */
static void child_run(int pipe_fd)
{
	struct mdx_binding mdx;
	struct mdx_world w = {};
	struct many *m = many_build(&w);

	unsetenv("MDX_HCA");
	if (!m || mdx_start(&mdx) ||
	    write(pipe_fd, &mdx.uid, sizeof(mdx.uid)) != sizeof(mdx.uid))
		_exit(1);
	for (;;) {
		m->arg.flags = rand() % 4;
		mdx_ioctl(mdx.fd, MDX_IOC_SUBMIT, &m->arg);
	}
}

static bool wait_gone(struct hca_ctl *hca, uint32_t uid)
{
	int i;

	for (i = 0; i < 1000; i++) {
		if (!hca_live(hca, uid, NULL, -1))
			return true;
		usleep(10000);
	}
	return false;
}

/* True if all of them were killed, and the device holds nothing of theirs. */
static bool kill_group(struct mdx_world *w, int pipe_fd[2])
{
	uint32_t uid[GROUP];
	pid_t pid[GROUP];
	bool good = true;
	int i, status;

	for (i = 0; i < GROUP; i++) {
		pid[i] = fork();
		if (!pid[i]) {
			srand(getpid());
			child_run(pipe_fd[1]);
		}
	}
	for (i = 0; i < GROUP; i++)
		good &= read(pipe_fd[0], &uid[i], sizeof(uid[i])) == sizeof(uid[i]);
	for (i = 0; i < GROUP; i++) {
		usleep(rand() % 20000);
		kill(pid[i], SIGKILL);
	}
	for (i = 0; i < GROUP; i++)
		good &= waitpid(pid[i], &status, 0) == pid[i] && WIFSIGNALED(status);
	for (i = 0; i < GROUP; i++)
		good &= wait_gone(w->hca, uid[i]);
	return good;
}

TEST_F_TIMEOUT(end, killed_leaves_nothing, 300)
{
	time_t until = time(NULL) + KILLS_SECONDS;
	unsigned int kills = 0;
	int pipe_fd[2];

	ASSERT_EQ(0, pipe(pipe_fd));
	ASSERT_EQ(0, hca_cmd(self->w.hca, "delay * %u", DELAY_US));
	while (kills < KILLS && time(NULL) < until) {
		ASSERT_TRUE(kill_group(&self->w, pipe_fd));
		kills += GROUP;
	}
	TH_LOG("%u processes were killed", kills);
}

struct caller {
	pthread_t thread;
	struct mdx_world *w;
	struct many *batch;
	unsigned int calls;
	int ret;
	bool *stop;
};

static void *batch_thread(void *arg)
{
	struct caller *c = arg;

	c->ret = mdx_ioctl(c->w->mdx.fd, MDX_IOC_SUBMIT, &c->batch->arg);
	__atomic_store_n(c->stop, true, __ATOMIC_RELAXED);
	return NULL;
}

static void *single_thread(void *arg)
{
	uint64_t in[2] = {}, out[2];
	struct caller *c = arg;
	struct mbox_pair m = { in, out, sizeof(in), sizeof(out) };

	mdx_hdr(in, MLX5_CMD_OP_NOP, 0, 0);
	while (!__atomic_load_n(c->stop, __ATOMIC_RELAXED) && !c->ret) {
		c->ret = _test_mdx_general(c->w->mdx.fd, &m);
		c->calls++;
	}
	return NULL;
}

/* Two batches and 16 single callers: all of them go on. */
TEST_F_TIMEOUT(end, batches_beside_calls, 300)
{
	struct caller batches[2] = {}, singles[THREADS] = {};
	bool stop = false;
	unsigned int i, k;

	ASSERT_EQ(0, hca_cmd(self->w.hca, "delay * %u", DELAY_US));
	for (i = 0; i < THREADS; i++) {
		singles[i].w = &self->w;
		singles[i].stop = &stop;
		ASSERT_EQ(0, pthread_create(&singles[i].thread, NULL,
					    single_thread, &singles[i]));
	}
	for (i = 0; i < 2; i++) {
		batches[i].w = &self->w;
		batches[i].stop = &stop;
		batches[i].batch = many_build(&self->w);
		ASSERT_NE(NULL, batches[i].batch);
		ASSERT_EQ(0, pthread_create(&batches[i].thread, NULL,
					    batch_thread, &batches[i]));
	}
	for (i = 0; i < 2; i++) {
		pthread_join(batches[i].thread, NULL);
		EXPECT_EQ(0, batches[i].ret);
		EXPECT_EQ(batches[i].batch->arg.items_n,
			  batches[i].batch->arg.out_done);
		EXPECT_EQ(0, batches[i].batch->arg.out_failed);
		for (k = 0; k < batches[i].batch->arg.items_n; k++)
			ASSERT_NE(0, batches[i].batch->items[k].out_obj);
	}
	for (i = 0; i < THREADS; i++) {
		pthread_join(singles[i].thread, NULL);
		EXPECT_EQ(0, singles[i].ret);
		EXPECT_LT(4, singles[i].calls);
	}
}

/* The context ends under a batch: what is left of the batch is EIO. */
TEST_F_TIMEOUT(end, context_ends_eio, 60)
{
	bool stop = false;
	struct caller c = { .stop = &stop };
	struct mdx_world *w = &self->w;
	struct mdx_binding mdx;
	unsigned int i, eio = 0;

	/* Not the shared one */
	ASSERT_EQ(0, mdx_start(&mdx));
	c.batch = many_build(w);
	ASSERT_NE(NULL, c.batch);
	ASSERT_EQ(0, hca_cmd(w->hca, "delay * %u", DELAY_US));
	c.w = calloc(1, sizeof(*c.w));
	ASSERT_NE(NULL, c.w);
	c.w->mdx.fd = mdx.fd;
	ASSERT_EQ(0, pthread_create(&c.thread, NULL, batch_thread, &c));
	usleep(100000);
	ibv_dealloc_pd(mdx.pd);
	ibv_close_device(mdx.ctx);
	pthread_join(c.thread, NULL);
	EXPECT_EQ(0, c.ret);
	for (i = 0; i < c.batch->arg.items_n; i++)
		eio += c.batch->items[i].out_err == EIO;
	EXPECT_LT(0, eio);
	EXPECT_TRUE(wait_gone(w->hca, mdx.uid));
	close(mdx.fd);
}

/* The device goes: a batch ends soon, and nothing is left. */
TEST_F_TIMEOUT(end, unplugged_eio, 120)
{
	bool stop = false;
	struct caller c = { .w = &self->w, .stop = &stop };
	unsigned int i, failed = 0;
	char addr[32];

	/* pciehp's own locks are in an order that lockdep does not like. */
	if (mdx_lane_debug())
		SKIP(return, "no unplugging on the debug kernel");
	ASSERT_TRUE(mdx_pci_addr(addr, sizeof(addr)));
	c.batch = many_build(&self->w);
	ASSERT_NE(NULL, c.batch);
	ASSERT_EQ(0, hca_cmd(self->w.hca, "delay * %u", DELAY_US));
	ASSERT_EQ(0, pthread_create(&c.thread, NULL, batch_thread, &c));
	usleep(100000);
	if (hca_cmd(self->w.hca, "unplug surprise"))
		SKIP(return, "unplug: %s", self->w.hca->answer);
	pthread_join(c.thread, NULL);
	EXPECT_EQ(0, c.ret);
	for (i = 0; i < c.batch->arg.items_n; i++)
		failed += !!c.batch->items[i].out_err;
	EXPECT_LT(0, failed);
	machine_plug_again(self->w.hca, addr);
	EXPECT_TRUE(mdx_device_wait());
}

TEST_HARNESS_MAIN
