// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Everything at the same time, for MDX_STRESS_SECONDS (20): processes that
 * create, query, modify, destroy, close, fork, pass descriptors and die at any
 * moment, while the driver is unbound, the module unloaded and the device
 * pulled out. Results of single calls are not checked; nothing may be left at the
 * end. MDX_SEED repeats a run as far as the scheduler allows.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>

#include "kselftest_harness.h"
#include "machine.h"
#include "objtypes.h"

#define WORKERS 6
#define LIFE 40
#define FILES "/sys/kernel/debug/mlx5_devx/files"

static const enum objtype_id some[] = {
	OBJTYPE_PD,   OBJTYPE_TIS,	 OBJTYPE_CQ,  OBJTYPE_QP,
	OBJTYPE_MKEY, OBJTYPE_TIR,	 OBJTYPE_DCT, OBJTYPE_GENERAL,
	OBJTYPE_FTE,  OBJTYPE_Q_COUNTER,
};

/* Another process uses the file, and is its last holder perhaps. */
static void share_file(struct mdx_world *w, uint64_t *seed, int *sock)
{
	pid_t pid = fork();

	if (pid) {
		/* Half of them are not waited for, and init's then. */
		if (pid > 0 && random_below(seed, 2))
			waitpid(pid, NULL, 0);
		return;
	}
	if (random_below(seed, 2))
		fd_send(sock[0], w->mdx.fd);
	_test_mdx_destroy(w->mdx.fd, random_below(seed, 8));
	usleep(random_below(seed, 20000));
	_exit(0);
}

static void take_over(uint64_t *seed, int *sock)
{
	int fd = fd_recv(sock[1]);

	if (fd < 0)
		return;
	_test_mdx_destroy(fd, 1 + random_below(seed, 6));
	mdx_objs(fd);
	close(fd);
}

static void one_call(struct mdx_world *w, uint64_t *seed, int *sock)
{
	enum objtype_id t = some[random_below(seed, ARRAY_SIZE(some))];

	switch (random_below(seed, 12)) {
	case 0:
	case 1:
	case 2:
		if (objtype_advertised(w, t))
			objtype_create(w, t);
		break;
	case 3:
	case 4:
		objtype_build_query(w, t);
		_test_mdx_query(w->mdx.fd, w->obj[t].id, &w->m);
		break;
	case 5:
		objtype_build_modify(w, t);
		_test_mdx_modify(w->mdx.fd, w->obj[t].id, &w->m);
		break;
	case 6:
	case 7:
		objtype_destroy(w, t);
		break;
	case 8:
		take_over(seed, sock);
		break;
	case 9:
		share_file(w, seed, sock);
		break;
	case 10:
		usleep(random_below(seed, 3000));
		break;
	default:
		mdx_objs(w->mdx.fd);
	}
}

/* One life of a worker; its parent makes it another one. */
static void worker_life(uint64_t seed, int *sock)
{
	static struct mdx_world w;
	int i, n = random_below(&seed, LIFE);

	/* Every call may fail here, and failures are reported on stderr. */
	if (!freopen("/dev/null", "w", stderr))
		_exit(1);
	signal(SIGCHLD, SIG_IGN);
	unsetenv("MDX_HCA");
	if (world_start(&w)) {
		usleep(50000);
		_exit(0);
	}
	for (i = 0; i < n; i++)
		one_call(&w, &seed, sock);
	if (random_below(&seed, 2))
		close(w.mdx.fd);
	if (random_below(&seed, 3))
		_exit(0);
	raise(SIGKILL);
}

FIXTURE(stress)
{
	struct hca_ctl *hca;
	uint64_t seed;
	time_t end;
	char addr[64];
	int sock[2];
	int mark;
	pid_t pid[WORKERS];
	unsigned int lives;
	unsigned int blows;
};

FIXTURE_SETUP(stress)
{
	const char *seed = getenv("MDX_SEED");
	const char *secs = getenv("MDX_STRESS_SECONDS");

	SETUP_DEVICE(return);
	self->hca = hca_open();
	SKIP_NO_HCA(self->hca, return);
	ASSERT_TRUE(mdx_pci_addr(self->addr, sizeof(self->addr)));
	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0,
				self->sock));
	self->seed = seed ? strtoull(seed, NULL, 0) : (uint64_t)time(NULL);
	printf("# MDX_SEED=%llu\n", (unsigned long long)self->seed);
	self->end = time(NULL) + (secs ? atoi(secs) : 20);
	self->mark = kmsg_mark();
}

FIXTURE_TEARDOWN(stress)
{
	if (!machine_has_device(self->addr))
		machine_plug_again(self->hca, self->addr);
	write_file(MLX5_DRIVER "/bind", self->addr);
	if (!mdx_module_loaded())
		run("modprobe mlx5_devx");
	mdx_device_wait();
	hca_close(self->hca);
}

/*
 * A driver that is being unbound refuses contexts, and ib_uverbs leaks the
 * reference of a task that was refused one. The name identifies such a worker
 * in kmemleak's report; the worker renames itself before it allocates anything
 * else.
 */
static void keep_alive(FIXTURE_DATA(stress) *self)
{
	int i;

	prctl(PR_SET_NAME, "no-context");
	for (i = 0; i < WORKERS; i++) {
		if (self->pid[i] > 0 && !waitpid(self->pid[i], NULL, WNOHANG))
			continue;
		random_below(&self->seed, 2);
		self->pid[i] = fork();
		if (!self->pid[i]) {
			/* Its children are of its group and end with it. */
			setpgid(0, 0);
			prctl(PR_SET_NAME, "stress_test");
			worker_life(self->seed, self->sock);
		}
		self->lives++;
	}
	prctl(PR_SET_NAME, "stress_test");
}

/* Descriptors left on the socket hold files, too. */
static void drain_socket(FIXTURE_DATA(stress) *self)
{
	int fd;

	while ((fd = fd_recv(self->sock[1])) >= 0)
		close(fd);
}

static void kill_one(FIXTURE_DATA(stress) *self)
{
	pid_t pid = self->pid[random_below(&self->seed, WORKERS)];

	if (pid > 0)
		kill(pid, SIGKILL);
}

static void disturb_once(FIXTURE_DATA(stress) *self)
{
	switch (random_below(&self->seed, 8)) {
	case 0:
		write_file(MLX5_DRIVER "/unbind", self->addr);
		usleep(random_below(&self->seed, 100000));
		write_file(MLX5_DRIVER "/bind", self->addr);
		break;
	case 1:
		/* It fails while a file is open. */
		if (!run("rmmod mlx5_devx 2>/dev/null"))
			run("modprobe mlx5_devx");
		break;
	case 2:
		hca_cmd(self->hca, "delay * %u",
			random_below(&self->seed, 3000));
		hca_cmd(self->hca, "parallel %u",
			1 + random_below(&self->seed, 32));
		break;
	case 3:
		drain_socket(self);
		break;
	default:
		kill_one(self);
	}
	self->blows++;
}

static void stop_workers(FIXTURE_DATA(stress) *self)
{
	int i;

	for (i = 0; i < WORKERS; i++) {
		kill(-self->pid[i], SIGKILL);
		kill(self->pid[i], SIGKILL);
		waitpid(self->pid[i], NULL, 0);
	}
	drain_socket(self);
}

/* Objects of any uid but the kernel's and the one that all share. */
static int users_objects(struct hca_ctl *hca)
{
	char *line, *save = NULL;
	int uid, n = 0;

	if (hca_cmd(hca, "live"))
		return -1;
	for (line = strtok_r(hca->answer, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save))
		n += sscanf(line, "live %*s %*i %i", &uid) == 1 && uid &&
		     uid != 0xffff;
	return n;
}

static int wait_nothing(struct hca_ctl *hca)
{
	int i, n = -1;

	for (i = 0; i < 1000 && n; i++, usleep(10000))
		n = users_objects(hca);
	if (n > 0 && !hca_cmd(hca, "live"))
		fprintf(stderr, "# alive:\n%s", hca->answer);
	return n;
}

static void run_stress(FIXTURE_DATA(stress) *self)
{
	while (time(NULL) < self->end) {
		keep_alive(self);
		usleep(random_below(&self->seed, 30000));
		disturb_once(self);
	}
}

TEST_F_TIMEOUT(stress, nothing_left, 3600)
{
	run_stress(self);
	stop_workers(self);
	printf("# %u lives, %u blows\n", self->lives, self->blows);
	ASSERT_EQ(0, hca_cmd(self->hca, "reset-script"));
	ASSERT_TRUE(mdx_device_wait());
	EXPECT_EQ(0, wait_nothing(self->hca));
	EXPECT_NE(0, run("grep -q . " FILES " 2>/dev/null"));
	EXPECT_EQ(0, run("rmmod mlx5_devx"));
	EXPECT_EQ(0, run("modprobe mlx5_devx"));
	EXPECT_EQ(0, kmsg_count(self->mark, "WARNING"));
	EXPECT_GE(self->lives, WORKERS);
}

/* Surprise removal under all workers. */
TEST_F_TIMEOUT(stress, unplugged_under_load, 300)
{
	/* pciehp's own locks are in an order that lockdep does not like. */
	if (mdx_lane_debug())
		SKIP(return, "no unplugging on the debug kernel");
	self->end = time(NULL) + 1;
	run_stress(self);
	if (hca_cmd(self->hca, "unplug surprise")) {
		stop_workers(self);
		SKIP(return, "unplug: %s", self->hca->answer);
	}
	self->end = time(NULL) + 2;
	while (time(NULL) < self->end) {
		keep_alive(self);
		usleep(20000);
		kill_one(self);
	}
	stop_workers(self);
	machine_plug_again(self->hca, self->addr);
	ASSERT_TRUE(mdx_device_wait());
	EXPECT_EQ(0, wait_nothing(self->hca));
	EXPECT_NE(0, run("grep -q . " FILES " 2>/dev/null"));
	EXPECT_EQ(0, kmsg_count(self->mark, "WARNING"));
}

TEST_HARNESS_MAIN
