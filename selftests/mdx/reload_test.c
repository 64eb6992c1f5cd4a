// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Devices that go: removed from under open files, in internal error, and module
 * and driver in rounds. These take the device away from everybody, so they run
 * on the software ConnectX only.
 */
#include <pthread.h>
#include <sys/wait.h>
#include <time.h>

#include "kselftest_harness.h"
#include "machine.h"
#include "objtypes.h"

#define ROUNDS (mdx_lane_debug() ? 5 : 20)

FIXTURE(reload)
{
	struct hca_ctl *hca;
	struct mdx_world w;
	int mark;
	bool started;
	char addr[64];
};

static void short_sleep(void)
{
	struct timespec ts = { .tv_nsec = 20 * 1000000 };

	nanosleep(&ts, NULL);
}

/* After the button a slot takes five seconds to power off. */
static bool wait_slot_empty(const char *addr)
{
	int i;

	for (i = 0; i < 1500; i++) {
		if (!machine_has_device(addr))
			return true;
		short_sleep();
	}
	return false;
}

/* The slot takes a new device when it has powered off, a little later. */
static bool plug_device(struct hca_ctl *hca)
{
	int i;

	for (i = 0; i < 40; i++) {
		if (!hca_cmd(hca, "plug"))
			return true;
		usleep(500000);
	}
	return false;
}

static int unbind_driver(const char *addr)
{
	return write_file(MLX5_DRIVER "/unbind", addr);
}

static int bind_driver(const char *addr)
{
	return write_file(MLX5_DRIVER "/bind", addr);
}

static bool is_bound(const char *addr)
{
	char path[200];

	snprintf(path, sizeof(path), MLX5_DRIVER "/%s", addr);
	return !access(path, F_OK);
}

/* A context can be opened and serves commands. */
static int use_device(void)
{
	static struct mdx_world w;
	int ret;

	memset(&w, 0, sizeof(w));
	ret = mdx_start(&w.mdx);
	if (!ret)
		ret = objtype_create(&w, OBJTYPE_TIS);
	mdx_stop(&w.mdx);
	return ret;
}

FIXTURE_SETUP(reload)
{
	SETUP_DEVICE(return);
	if (!hca_expected())
		SKIP(return, "no control port (MDX_HCA)");
	ASSERT_TRUE(mdx_pci_addr(self->addr, sizeof(self->addr)));
	self->mark = kmsg_mark();
}

FIXTURE_TEARDOWN(reload)
{
	if (self->started)
		world_stop(&self->w);
	if (!machine_has_device(self->addr))
		run("echo plug >$MDX_HCA");
	else if (!is_bound(self->addr))
		bind_driver(self->addr);
	if (!mdx_module_loaded())
		run("modprobe mlx5_devx");
	mdx_device_wait();
}

/* A stack of objects on a bound file. */
static int reload_start(FIXTURE_DATA(reload) *self)
{
	int ret = world_start(&self->w);

	if (!ret)
		self->started = true;
	if (!ret)
		ret = objtype_create(&self->w, OBJTYPE_QP);
	if (!ret)
		ret = objtype_create(&self->w, OBJTYPE_TIR);
	return ret;
}

#define EXPECT_GONE(w)							\
	do {								\
		struct mdx_ioc_info info_;				\
									\
		objtype_build_create(w, OBJTYPE_PD);			\
		test_err_create(EIO, (w)->mdx.fd, &(w)->m);		\
		objtype_build_query(w, OBJTYPE_QP);			\
		test_err_query(EIO, (w)->mdx.fd, (w)->obj[OBJTYPE_QP].id, \
			       &(w)->m);				\
		objtype_build_modify(w, OBJTYPE_QP);			\
		test_err_modify(EIO, (w)->mdx.fd, (w)->obj[OBJTYPE_QP].id, \
				&(w)->m);				\
		test_err_destroy(EIO, (w)->mdx.fd, (w)->obj[OBJTYPE_QP].id); \
		mdx_hdr((w)->in, MLX5_CMD_OP_NOP, 0, 0);		\
		(w)->m.in_len = 16;					\
		test_err_general(EIO, (w)->mdx.fd, &(w)->m);		\
		EXPECT_EQ(0, _test_mdx_info((w)->mdx.fd, &info_));	\
		EXPECT_EQ(MDX_INFO_BOUND | MDX_INFO_REMOVED | MDX_INFO_ENDED,		\
			  info_.out_flags);				\
	} while (0)

/* A removed device answers EIO and comes back. */
TEST_F_TIMEOUT(reload, removed_device_eio, 120)
{
	struct mdx_world *w = &self->w;

	ASSERT_EQ(0, reload_start(self));
	ASSERT_EQ(0, unbind_driver(self->addr));
	EXPECT_GONE(w);
	EXPECT_EQ(0, hca_live(w->hca, w->mdx.uid, NULL, -1));
	ASSERT_EQ(0, bind_driver(self->addr));
	ASSERT_TRUE(mdx_device_wait());
	EXPECT_GONE(w);
	EXPECT_EQ(0, close(w->mdx.fd));
	w->mdx.fd = -1;
	EXPECT_EQ(0, use_device());
	EXPECT_EQ(0, kmsg_count(self->mark, "mlx5_devx"));
}

/* A file closed after the removal is no matter. */
TEST_F_TIMEOUT(reload, close_after_removal, 120)
{
	struct mdx_world *w = &self->w;

	ASSERT_EQ(0, reload_start(self));
	ASSERT_EQ(0, unbind_driver(self->addr));
	EXPECT_EQ(0, close(w->mdx.fd));
	w->mdx.fd = -1;
	ASSERT_EQ(0, bind_driver(self->addr));
	ASSERT_TRUE(mdx_device_wait());
	EXPECT_EQ(0, use_device());
}

TEST_F_TIMEOUT(reload, removed_file_bind_einval, 120)
{
	struct mdx_world *w = &self->w;
	struct mdx_binding mdx;

	ASSERT_EQ(0, reload_start(self));
	ASSERT_EQ(0, unbind_driver(self->addr));
	ASSERT_EQ(0, bind_driver(self->addr));
	ASSERT_TRUE(mdx_device_wait());
	ASSERT_EQ(0, mdx_start(&mdx));
	test_err_bind(EINVAL, w->mdx.fd, mdx.ctx->cmd_fd, mdx.pd->handle);
	mdx_stop(&mdx);
}

struct reload_worker {
	struct mdx_world *w;
	pthread_t thread;
	int ret;
	int rounds;
};

/* Queries a CQ until something else than success comes. */
static void *query_for_ever(void *arg)
{
	struct reload_worker *worker = arg;
	uint64_t in[2], out[SZ(query_cq_out) / 8];
	struct mbox_pair m = { in, out, 16, SZ(query_cq_out) };
	struct mdx_world *w = worker->w;

	mdx_hdr(in, MLX5_CMD_OP_QUERY_CQ, 0, w->obj[OBJTYPE_CQ].num);
	do {
		worker->ret = _test_mdx_query(w->mdx.fd, w->obj[OBJTYPE_CQ].id,
					      &m);
		__atomic_add_fetch(&worker->rounds, 1, __ATOMIC_SEQ_CST);
	} while (!worker->ret);
	return NULL;
}

/* A device is removed while commands run. */
TEST_F_TIMEOUT(reload, removal_during_commands, 120)
{
	struct reload_worker worker[3] = { 0 };
	struct mdx_world *w = &self->w;
	int i;

	ASSERT_EQ(0, reload_start(self));
	for (i = 0; i < 3; i++) {
		worker[i].w = w;
		ASSERT_EQ(0, pthread_create(&worker[i].thread, NULL,
					    query_for_ever, &worker[i]));
	}
	for (i = 0; i < 3; i++)
		while (__atomic_load_n(&worker[i].rounds, __ATOMIC_SEQ_CST) < 5)
			short_sleep();
	ASSERT_EQ(0, unbind_driver(self->addr));
	for (i = 0; i < 3; i++) {
		pthread_join(worker[i].thread, NULL);
		EXPECT_EQ(EIO, worker[i].ret);
	}
	EXPECT_EQ(0, hca_live(w->hca, w->mdx.uid, NULL, -1));
}

/* A call that stops where the kernel copies to or from user space. */
struct stalled_call {
	struct mdx_world *w;
	struct mbox_pair m;
	pthread_t thread;
	int ret;
};

static void *query_stalled(void *arg)
{
	struct stalled_call *call = arg;

	call->ret = _test_mdx_query(call->w->mdx.fd,
				    call->w->obj[OBJTYPE_QP].id, &call->m);
	return NULL;
}

static void *create_stalled(void *arg)
{
	struct stalled_call *call = arg;

	call->ret = _test_mdx_create(call->w->mdx.fd, &call->m, NULL);
	return NULL;
}

/* Unbinds the device under a call whose input or answer is on a stalled page. */
static void unbind_under(struct __test_metadata *_metadata,
			 FIXTURE_DATA(reload) *self, struct stalled_call *call,
			 void *(*fn)(void *call), bool in)
{
	struct mdx_world *w = &self->w;
	void *page;
	int uffd = stall_page(&page);

	ASSERT_GE(uffd, 0);
	call->w = w;
	call->m = w->m;
	if (in)
		call->m.in = page;
	else
		call->m.out = page;
	ASSERT_EQ(0, pthread_create(&call->thread, NULL, fn, call));
	ASSERT_TRUE(stall_wait(uffd));
	ASSERT_EQ(0, unbind_driver(self->addr));
	EXPECT_EQ(0, hca_live(w->hca, w->mdx.uid, NULL, -1));
	stall_end(uffd, page);
	pthread_join(call->thread, NULL);
	EXPECT_GONE(w);
}

/* A stalled answer does not hold up the removal. */
TEST_F_TIMEOUT(reload, removal_during_copyout, 120)
{
	struct stalled_call call;

	ASSERT_EQ(0, reload_start(self));
	objtype_build_query(&self->w, OBJTYPE_QP);
	unbind_under(_metadata, self, &call, query_stalled, false);
	EXPECT_TRUE(call.ret == 0 || call.ret == EIO);
}

/* A stalled input does not hold up the removal. */
TEST_F_TIMEOUT(reload, removal_during_copyin, 120)
{
	struct stalled_call call;

	ASSERT_EQ(0, reload_start(self));
	objtype_build_create(&self->w, OBJTYPE_PD);
	unbind_under(_metadata, self, &call, create_stalled, true);
	/* The page is zero now, and so is the opcode. */
	EXPECT_TRUE(call.ret == EOPNOTSUPP || call.ret == EIO);
}

/*
 * The id is not returned yet, but the file owns the object: removal destroys
 * it.
 */
TEST_F_TIMEOUT(reload, removal_takes_stalled_create,
	       120)
{
	struct stalled_call call;

	ASSERT_EQ(0, reload_start(self));
	objtype_build_create(&self->w, OBJTYPE_PD);
	unbind_under(_metadata, self, &call, create_stalled, false);
	EXPECT_TRUE(call.ret == 0 || call.ret == EIO);
}

/* A context of a removed device is not bound. */
TEST_F_TIMEOUT(reload, removed_context_not_bound, 120)
{
	struct mdx_world *w = &self->w;
	int fd, ret;

	ASSERT_EQ(0, reload_start(self));
	ASSERT_EQ(0, unbind_driver(self->addr));
	fd = mdx_node_open();
	ASSERT_GE(fd, 0);
	ret = _test_mdx_bind(fd, w->mdx.ctx->cmd_fd, w->mdx.pd->handle);
	EXPECT_TRUE(ret == EIO || ret == EINVAL);
	close(fd);
}

/* A device pulled out answers EIO and comes back. */
TEST_F_TIMEOUT(reload, unplugged_device_eio, 90)
{
	struct mdx_world *w = &self->w;

	ASSERT_EQ(0, reload_start(self));
	/* reset_lock and pci_rescan_remove_lock, and no more lockdep after it. */
	if (mdx_lane_debug())
		SKIP(return, "lockdep complains of pciehp's own locks");
	if (hca_cmd(w->hca, "unplug surprise"))
		SKIP(return, "unplug: %s", w->hca->answer);
	ASSERT_TRUE(wait_slot_empty(self->addr));
	EXPECT_GONE(w);
	EXPECT_EQ(0, close(w->mdx.fd));
	w->mdx.fd = -1;
	ASSERT_TRUE(plug_device(w->hca));
	ASSERT_TRUE(mdx_device_wait());
	EXPECT_EQ(0, use_device());
}

/*
 * The driver notices a device in internal error by its health poll, and may try
 * to recover: then the device is removed and comes back.
 */
static int query_until_dead(struct mdx_world *w)
{
	int i, ret = 0;

	for (i = 0; i < 500 && !ret; i++) {
		objtype_build_query(w, OBJTYPE_QP);
		ret = _test_mdx_query(w->mdx.fd, w->obj[OBJTYPE_QP].id, &w->m);
		short_sleep();
	}
	return ret;
}

/* Destroys succeed on a dead device. */
TEST_F_TIMEOUT(reload, dead_device_destroys, 120)
{
	struct mdx_world *w = &self->w;
	int ret;

	ASSERT_EQ(0, reload_start(self));
	ASSERT_EQ(0, hca_cmd(w->hca, "internal-error on"));
	ret = query_until_dead(w);
	EXPECT_TRUE(ret == ENXIO || ret == EIO);
	ret = _test_mdx_destroy(w->mdx.fd, w->obj[OBJTYPE_QP].id);
	EXPECT_TRUE(ret == 0 || ret == EIO);
	EXPECT_EQ(0, close(w->mdx.fd));
	w->mdx.fd = -1;
	ASSERT_EQ(0, hca_cmd(w->hca, "internal-error off"));
	world_stop(w);
	self->started = false;
	ASSERT_EQ(0, unbind_driver(self->addr));
	ASSERT_EQ(0, bind_driver(self->addr));
	ASSERT_TRUE(mdx_device_wait());
	EXPECT_EQ(0, use_device());
}

TEST_F_TIMEOUT(reload, module_rounds, 120)
{
	int i;

	for (i = 0; i < ROUNDS; i++) {
		ASSERT_EQ(0, run("rmmod mlx5_devx"));
		ASSERT_EQ(0, run("modprobe mlx5_devx"));
		ASSERT_EQ(0, use_device());
	}
	EXPECT_EQ(0, kmsg_count(self->mark, "WARNING"));
}

TEST_F_TIMEOUT(reload, driver_rounds, 170)
{
	struct hca_ctl *hca;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		ASSERT_EQ(0, unbind_driver(self->addr));
		ASSERT_EQ(0, bind_driver(self->addr));
	}
	ASSERT_TRUE(mdx_device_wait());
	EXPECT_EQ(0, use_device());
	EXPECT_EQ(0, kmsg_count(self->mark, "WARNING"));
	hca = hca_open();
	ASSERT_NE(NULL, hca);
	hca_close(hca);
}

TEST_HARNESS_MAIN
