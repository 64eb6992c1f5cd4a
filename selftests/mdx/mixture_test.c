// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Objects of the module and of the stock driver that refer to each other, in every
 * order in which they can come and go, for MDX_MIXTURE_SECONDS (15). A process makes
 * objects of random types, each with those that it needs, each through one of the two
 * paths, and ends in one of many ways. The device then has nothing of its context, and
 * the machine has its memory back. MDX_SEED repeats a run.
 */
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "kselftest_harness.h"
#include "machine.h"
#include "objtypes.h"

#define KEPT "the device keeps objects"
/* Of the processes; only where the device is the software ConnectX. */
#define CG "/sys/fs/cgroup"
#define CG_OURS CG "/mdx_mixture"
/* Types a process asks for, besides those that these need. */
#define TYPES_MAX 12
/* What a run may change of the machine's free memory, in kB. */
#define NOISE_KB (48 * 1024)

/* The ways in which a process ends. */
enum end {
	END_EXIT,
	END_KILL,
	END_CLOSE_OURS,		/* then exit */
	END_CLOSE_CONTEXT,	/* then exit */
	END_EXEC,
	END_PASS,		/* its descriptors live on in the parent */
	END_COUNT,
};

static const char *const end_names[] = {
	"exit", "kill", "close of ours", "close of the context", "exec",
	"passing",
};

/* Written by the child. */
struct mixture_report {
	atomic_uint uid;
	atomic_uint ours;
	atomic_uint stock;
	atomic_bool ready;
};

FIXTURE(mixture)
{
	struct hca_ctl *hca;
	struct mixture_report *report;
	uint64_t seed;
	time_t end;
	char addr[64];
	int mark;
	unsigned int ours;
	unsigned int stock;
	bool charged;		/* there is a cgroup that is charged */
};

static uint64_t child_seed;
static struct mixture_report *child_report;

static bool cgroup_start(void)
{
	if (access(CG "/cgroup.procs", F_OK) &&
	    mount("none", CG, "cgroup2", 0, NULL))
		return false;
	return !write_file(CG "/cgroup.subtree_control", "+memory +rdma") &&
	       (!mkdir(CG_OURS, 0755) || errno == EEXIST);
}

/* The sum of the objects that the cgroup is charged for; negative on failure. */
static long charged_objs(void)
{
	char line[256], *at;
	long n = 0;
	FILE *f = fopen(CG_OURS "/rdma.current", "r");

	if (!f)
		return -1;
	while (fgets(line, sizeof(line), f)) {
		at = strstr(line, "hca_object=");
		n += at ? atol(at + strlen("hca_object=")) : 0;
	}
	fclose(f);
	return n;
}

FIXTURE_SETUP(mixture)
{
	const char *seed = getenv("MDX_SEED");
	const char *secs = getenv("MDX_MIXTURE_SECONDS");

	SETUP_DEVICE(return);
	self->hca = hca_open();
	SKIP_NO_HCA(self->hca, return);
	ASSERT_TRUE(mdx_pci_addr(self->addr, sizeof(self->addr)));
	self->report = mmap(NULL, sizeof(*self->report), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->report);
	self->seed = seed ? strtoull(seed, NULL, 0) : (uint64_t)time(NULL);
	printf("# MDX_SEED=%llu\n", (unsigned long long)self->seed);
	self->end = time(NULL) + (secs ? atoi(secs) : 15);
	self->mark = kmsg_mark();
	self->charged = cgroup_start();
}

FIXTURE_TEARDOWN(mixture)
{
	if (!machine_has_device(self->addr))
		machine_plug_again(self->hca, self->addr);
	write_file(MLX5_DRIVER "/bind", self->addr);
	mdx_device_wait();
	if (self->charged)
		rmdir(CG_OURS);
	hca_close(self->hca);
}

static bool choose_path(struct mdx_world *w)
{
	bool stock = random_below(&child_seed, 2);

	if (stock)
		child_report->stock++;
	else
		child_report->ours++;
	return stock;
}

/* Verbs' own objects take the place of some, and refer to the context as well. */
static void make_verbs(struct mdx_world *w)
{
	struct mlx5dv_cq dv_cq;
	struct mlx5dv_pd dv_pd;
	struct mlx5dv_obj dv = {};
	struct ibv_cq *cq;

	if (random_below(&child_seed, 3)) {
		cq = ibv_create_cq(w->mdx.ctx, 64, NULL, NULL, 0);
		dv.cq.in = cq;
		dv.cq.out = &dv_cq;
		if (cq && !mlx5dv_init_obj(&dv, MLX5DV_OBJ_CQ)) {
			w->obj[OBJTYPE_CQ].id = FOREIGN_ID;
			w->obj[OBJTYPE_CQ].num = dv_cq.cqn;
		}
	}
	if (random_below(&child_seed, 2)) {
		dv.pd.in = w->mdx.pd;
		dv.pd.out = &dv_pd;
		if (!mlx5dv_init_obj(&dv, MLX5DV_OBJ_PD)) {
			w->obj[OBJTYPE_PD].id = FOREIGN_ID;
			w->obj[OBJTYPE_PD].num = dv_pd.pdn;
		}
	}
}

/*
 * A second one may take its place: the first is left to the end. Not an object whose
 * number the caller chooses: both would have the same, and the device refuses the
 * second destroy for ever.
 */
static void forget_one(struct mdx_world *w)
{
	enum objtype_id t = random_below(&child_seed, OBJTYPE_COUNT);

	if (t != OBJTYPE_L2 && t != OBJTYPE_VXLAN && t != OBJTYPE_MCG)
		w->obj[t].id = 0;
}

static void make_objects(struct mdx_world *w)
{
	int i, n = 1 + random_below(&child_seed, TYPES_MAX);
	enum objtype_id t;

	make_verbs(w);
	w->by_stock = choose_path;
	for (i = 0; i < n; i++) {
		t = random_below(&child_seed, OBJTYPE_COUNT);
		if (objtype_advertised(w, t))
			objtype_create(w, t);
		if (!random_below(&child_seed, 4))
			forget_one(w);
	}
}

static void child_end(struct mdx_world *w, enum end end, int sock)
{
	switch (end) {
	case END_KILL:
		raise(SIGKILL);
		break;
	case END_CLOSE_OURS:
		close(w->mdx.fd);
		break;
	case END_CLOSE_CONTEXT:
		close(w->mdx.ctx->cmd_fd);
		break;
	case END_EXEC:
		execl("/bin/true", "true", NULL);
		break;
	case END_PASS:
		fd_send(sock, w->mdx.fd);
		fd_send(sock, w->mdx.ctx->cmd_fd);
		break;
	default:
		break;
	}
	_exit(0);
}

static void child_run(FIXTURE_DATA(mixture) *self, enum end end, int sock,
		      bool wait)
{
	static struct mdx_world w;

	if (!freopen("/dev/null", "w", stderr))
		_exit(1);
	unsetenv("MDX_HCA");
	if (self->charged && write_file(CG_OURS "/cgroup.procs", "0"))
		_exit(1);
	child_report = self->report;
	child_seed = self->seed;
	if (world_start(&w))
		_exit(1);
	self->report->uid = w.mdx.uid;
	make_objects(&w);
	self->report->ready = true;
	if (wait)
		pause();
	child_end(&w, end, sock);
}

/* Of descriptors that were passed on, the one or the other is closed first. */
static void close_passed(FIXTURE_DATA(mixture) *self, int sock)
{
	int ours = fd_recv(sock), context = fd_recv(sock);

	if (random_below(&self->seed, 2)) {
		close(ours);
		close(context);
	} else {
		close(context);
		close(ours);
	}
}

static int wait_nothing(struct hca_ctl *hca, uint32_t uid)
{
	int i, n = -1;

	for (i = 0; i < 1000 && n; i++, usleep(10000))
		n = hca_live(hca, uid, NULL, -1) +
		    hca_live(hca, -1, "uctx", uid);
	return n;
}

static pid_t child_start(FIXTURE_DATA(mixture) *self, enum end end, int sock,
			 bool wait)
{
	pid_t pid;

	memset((void *)self->report, 0, sizeof(*self->report));
	random_below(&self->seed, 2);
	pid = fork();
	if (!pid)
		child_run(self, end, sock, wait);
	return pid;
}

/* A life of a context; returns what the device has of it. */
static int one_life(FIXTURE_DATA(mixture) *self)
{
	enum end end = random_below(&self->seed, END_COUNT);
	int sock[2], status, left;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, sock))
		return -1;
	pid = child_start(self, end, sock[1], false);
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return -1;
	if (end == END_PASS)
		close_passed(self, sock[0]);
	close(sock[0]);
	close(sock[1]);
	if (!self->report->ready)
		return -1;
	left = wait_nothing(self->hca, self->report->uid);
	self->ours += self->report->ours;
	self->stock += self->report->stock;
	if (left && !hca_cmd(self->hca, "live %u", self->report->uid))
		fprintf(stderr, "# alive after %s:\n%s", end_names[end],
			self->hca->answer);
	return left;
}

TEST_F_TIMEOUT(mixture, nothing_left, 3600)
{
	unsigned int lives = 0;
	long before;

	/* The first lives fill what mlx5_core and the slab keep for later. */
	for (; lives < 3; lives++)
		ASSERT_EQ(0, one_life(self));
	before = machine_available_kb();
	for (; time(NULL) < self->end; lives++)
		ASSERT_EQ(0, one_life(self))
			TH_LOG("life %u", lives);
	printf("# %u lives, %u objects of ours, %u of the stock driver\n", lives,
	       self->ours, self->stock);
	EXPECT_LT(before - machine_available_kb(), NOISE_KB);
	EXPECT_EQ(0, self->charged ? charged_objs() : 0);
	if (!self->charged)
		printf("# no cgroup2 with memory and rdma: charges not looked at\n");
	EXPECT_GT(self->ours, 0);
	EXPECT_GT(self->stock, 0);
	EXPECT_EQ(0, kmsg_count(self->mark, "WARNING"));
	EXPECT_EQ(0, kmsg_count(self->mark, KEPT));
}

static bool wait_ready(FIXTURE_DATA(mixture) *self)
{
	int i;

	for (i = 0; i < 1000 && !self->report->ready; i++)
		usleep(10000);
	return self->report->ready;
}

/* The driver goes while a process has such objects. */
TEST_F_TIMEOUT(mixture, unbind_nothing_left, 300)
{
	pid_t pid;
	int i;

	for (i = 0; i < 3; i++) {
		pid = child_start(self, END_EXIT, -1, true);
		ASSERT_TRUE(wait_ready(self));
		ASSERT_EQ(0, write_file(MLX5_DRIVER "/unbind", self->addr));
		kill(pid, SIGKILL);
		ASSERT_EQ(pid, waitpid(pid, NULL, 0));
		ASSERT_EQ(0, write_file(MLX5_DRIVER "/bind", self->addr));
		ASSERT_TRUE(mdx_device_wait());
		EXPECT_EQ(0, hca_live(self->hca, self->report->uid, NULL, -1));
	}
	EXPECT_EQ(0, kmsg_count(self->mark, "WARNING"));
	EXPECT_EQ(0, kmsg_count(self->mark, KEPT));
}

/* The device goes, and with it all that refers to it. */
TEST_F_TIMEOUT(mixture, unplugged_nothing_left, 300)
{
	pid_t pid;

	/* pciehp's own locks are in an order that lockdep does not like. */
	if (mdx_lane_debug())
		SKIP(return, "no unplugging on the debug kernel");
	pid = child_start(self, END_EXIT, -1, true);
	ASSERT_TRUE(wait_ready(self));
	if (hca_cmd(self->hca, "unplug surprise")) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		SKIP(return, "unplug: %s", self->hca->answer);
	}
	kill(pid, SIGKILL);
	ASSERT_EQ(pid, waitpid(pid, NULL, 0));
	machine_plug_again(self->hca, self->addr);
	ASSERT_TRUE(mdx_device_wait());
	EXPECT_EQ(0, self->charged ? charged_objs() : 0);
	EXPECT_EQ(0, kmsg_count(self->mark, "WARNING"));
	EXPECT_EQ(0, kmsg_count(self->mark, KEPT));
}

TEST_HARNESS_MAIN
