// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Users without rights. The module lets them do no more than the stock driver
 * does on the same context, keeps them from other users' objects, and charges
 * them for what they use.
 */
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "kselftest_harness.h"
#include "objtypes.h"
#include "opcodes.h"
#include "vobj.h"

#define NOBODY 65534
#define CG "/sys/fs/cgroup"
#define SOME 8000

#ifndef SYS_pidfd_getfd
#define SYS_pidfd_getfd 438
#endif

/* Makes this a process of user nobody, with these capabilities only. */
static int drop_to(uid_t uid, uint64_t caps)
{
	struct __user_cap_header_struct hdr = { _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = {};
	int i;

	for (i = 0; i < 2; i++) {
		data[i].effective = caps >> 32 * i;
		data[i].permitted = caps >> 32 * i;
	}
	if (prctl(PR_SET_KEEPCAPS, 1) || setresgid(uid, uid, uid) ||
	    setresuid(uid, uid, uid) || syscall(SYS_capset, &hdr, data))
		return errno;
	return 0;
}

/*
 * For functions that run in a child: prints the failed condition and returns 1.
 */
#define CHECK(cond)							\
	do {								\
		if (!(cond)) {						\
			fprintf(stderr, "# line %d: %s (errno %d)\n",	\
				__LINE__, #cond, errno);		\
			return 1;					\
		}							\
	} while (0)

static int in_child(int (*fn)(void *arg), void *arg)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		unsetenv("MDX_HCA");
		_exit(fn(arg));
	}
	if (waitpid(pid, &status, 0) != pid)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) :
				   128 + WTERMSIG(status);
}

FIXTURE(rights)
{
	int dummy;
};

FIXTURE_VARIANT(rights)
{
	uint64_t caps;
};

FIXTURE_VARIANT_ADD(rights, none) { .caps = 0 };
FIXTURE_VARIANT_ADD(rights, net_raw) { .caps = BIT_ULL(CAP_NET_RAW) };
FIXTURE_VARIANT_ADD(rights, sys_rawio) { .caps = BIT_ULL(CAP_SYS_RAWIO) };

FIXTURE_SETUP(rights)
{
	SETUP_DEVICE(return);
}

FIXTURE_TEARDOWN(rights)
{
}

static int stock_create(struct mdx_world *w)
{
	struct mlx5dv_devx_obj *obj;

	errno = 0;
	obj = mlx5dv_devx_obj_create(w->mdx.ctx, w->in, w->m.in_len, w->out,
				     w->m.out_len);
	if (!obj)
		return errno ? errno : EIO;
	mlx5dv_devx_obj_destroy(obj);
	return 0;
}

/*
 * The same create through the module and the stock driver. The objects it needs
 * come from the module; the device checks the uid only, which is the same.
 */
static int same_creates(void *arg)
{
	static struct mdx_world w;
	int t, ours, stock;
	uint32_t id;

	CHECK(!drop_to(NOBODY, *(const uint64_t *)arg));
	CHECK(!world_start(&w));
	for (t = 0; t < OBJTYPE_COUNT; t++) {
		if (!objtype_advertised(&w, t) || objtype_create_needs(&w, t))
			continue;
		objtype_build_create(&w, t);
		ours = _test_mdx_create(w.mdx.fd, &w.m, &id);
		if (!ours)
			CHECK(!_test_mdx_destroy(w.mdx.fd, id));
		objtype_build_create(&w, t);
		stock = stock_create(&w);
		printf("# %s: ours %d, stock %d\n", objtypes[t].name, ours,
		       stock);
		CHECK(ours || !stock);
		CHECK(stock || !ours);
	}
	return 0;
}

/* Creates are those of the stock driver. */
TEST_F_TIMEOUT(rights, creates_stock, 120)
{
	uint64_t caps = variant->caps;

	EXPECT_EQ(0, in_child(same_creates, &caps));
}

static int same_generals(void *arg)
{
	uint64_t in[128] = {}, out[128];
	struct mbox_pair m = { in, out, sizeof(in), sizeof(out) };
	int ours, stock, more = 0, both = 0;
	struct mdx_binding mdx;
	unsigned int op;

	CHECK(!drop_to(NOBODY, *(const uint64_t *)arg));
	CHECK(!mdx_start(&mdx));
	/* Every opcode up to the end of the general range, known or not. */
	for (op = MLX5_CMD_OP_QUERY_HCA_CAP; op <= MDX_OPCODE_RANGE_LAST;
	     op++) {
		mdx_hdr(in, op, 1, 0);
		ours = _test_mdx_general(mdx.fd, &m);
		if (ours)
			continue;
		mdx_hdr(in, op, 1, 0);
		stock = mlx5dv_devx_general_cmd(mdx.ctx, in, sizeof(in), out,
						sizeof(out));
		both++;
		if (stock) {
			fprintf(stderr, "# 0x%x: ours 0, stock %d\n", op, stock);
			more++;
		}
	}
	printf("# %d commands succeed\n", both);
	CHECK(!more);
	CHECK(both);
	return 0;
}

TEST_F_TIMEOUT(rights, generals_stock, 120)
{
	uint64_t caps = variant->caps;

	EXPECT_EQ(0, in_child(same_generals, &caps));
}

/* Two users: the second one tries to reach the first one's objects. */
FIXTURE(theft)
{
	struct mdx_world w;
};

FIXTURE_SETUP(theft)
{
	SETUP_DEVICE(return);
	ASSERT_EQ(0, world_start(&self->w));
	ASSERT_EQ(0, objtype_create(&self->w, OBJTYPE_TIS));
	ASSERT_EQ(0, objtype_create(&self->w, OBJTYPE_PD));
}

FIXTURE_TEARDOWN(theft)
{
	world_stop(&self->w);
}

static int reach_objects(void *arg)
{
	struct mdx_world *his = arg;
	static struct mdx_world w;
	uint64_t in[8] = {}, out[64];
	struct mbox_pair m = { in, out, 16, SZ(query_tis_out) };
	uint32_t id;
	int i;

	/* The files came with fork(); a thief does not have them. */
	close(his->mdx.fd);
	close(his->mdx.ctx->cmd_fd);
	CHECK(!drop_to(NOBODY, 0));
	CHECK(!world_start(&w));
	CHECK(w.mdx.uid != his->mdx.uid);
	for (i = 0; i < 100; i++)
		CHECK(_test_mdx_destroy(w.mdx.fd, i) == ENOENT);
	/*
	 * The victim's number in a mailbox, under an id of the attacker's own.
	 */
	CHECK(!objtype_create(&w, OBJTYPE_TIS));
	mdx_hdr(in, MLX5_CMD_OP_QUERY_TIS, 0, his->obj[OBJTYPE_TIS].num);
	if (his->obj[OBJTYPE_TIS].num != w.obj[OBJTYPE_TIS].num)
		CHECK(_test_mdx_query(w.mdx.fd, w.obj[OBJTYPE_TIS].id, &m) ==
		      EINVAL);
	/* An object of the attacker's that refers to the victim's. */
	objtype_build_create(&w, OBJTYPE_TIS);
	DEVX_SET(create_tis_in, w.in, ctx.transport_domain,
		 his->obj[OBJTYPE_TD].num);
	CHECK(_test_mdx_create(w.mdx.fd, &w.m, &id) == EREMOTEIO);
	world_stop(&w);
	return 0;
}

/* Ids and numbers of another user are of no use. */
TEST_F(theft, other_user_numbers)
{
	EXPECT_EQ(0, in_child(reach_objects, &self->w));
	objtype_build_query(&self->w, OBJTYPE_TIS);
	test_mdx_query(self->w.mdx.fd, self->w.obj[OBJTYPE_TIS].id, &self->w.m);
}

static int reach_descriptors(void *arg)
{
	struct mdx_world *his = arg;
	int pidfd, fd = his->mdx.fd, cmd_fd = his->mdx.ctx->cmd_fd;
	char path[64];

	close(fd);
	close(cmd_fd);
	CHECK(!drop_to(NOBODY, 0));
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", getppid(), fd);
	CHECK(open(path, O_RDWR) < 0 && errno == EACCES);
	pidfd = syscall(SYS_pidfd_open, getppid(), 0);
	CHECK(pidfd >= 0);
	CHECK(syscall(SYS_pidfd_getfd, pidfd, fd, 0) < 0 && errno == EPERM);
	fd = mdx_node_open();
	CHECK(fd >= 0);
	CHECK(_test_mdx_bind(fd, 999, his->mdx.pd->handle) == EBADF);
	return 0;
}

/* Descriptors of another user are out of reach. */
TEST_F(theft, other_user_descriptors)
{
	EXPECT_EQ(0, in_child(reach_descriptors, &self->w));
}

/* An open of /proc/self/fd is a new file, and not bound. */
TEST_F(theft, reopened_file_enotconn)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", self->w.mdx.fd);
	fd = open(path, O_RDWR | O_CLOEXEC);
	ASSERT_GE(fd, 0);
	test_err_destroy(ENOTCONN, fd, self->w.obj[OBJTYPE_TIS].id);
	close(fd);
}

/* Limits */
FIXTURE(limit)
{
	struct mdx_binding mdx;
};

static int cg_write(const char *file, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static int cg_write(const char *file, const char *fmt, ...)
{
	char text[128], path[128];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	snprintf(path, sizeof(path), CG "/%s", file);
	return write_file(path, text);
}

static long cg_read(const char *file, const char *key)
{
	char text[4096] = "", path[128], *at = text;
	int fd;

	snprintf(path, sizeof(path), CG "/%s", file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || read(fd, text, sizeof(text) - 1) < 0)
		return -1;
	close(fd);
	if (key)
		at = strstr(text, key);
	return at ? atol(at + (key ? strlen(key) : 0)) : 0;
}

/* 0 if there is a cgroup2 with the controllers needed. */
static int cg_start(void)
{
	if (access(CG "/cgroup.procs", F_OK) &&
	    mount("none", CG, "cgroup2", 0, NULL))
		return errno;
	if (cg_write("cgroup.subtree_control", "+memory +rdma"))
		return EOPNOTSUPP;
	if (mkdir(CG "/mdx", 0755) && errno != EEXIST)
		return errno;
	return 0;
}

FIXTURE_SETUP(limit)
{
	SETUP_DEVICE(return);
	if (!hca_expected())
		SKIP(return, "cgroups of this machine are left alone");
	if (cg_start())
		SKIP(return, "no cgroup2 with memory and rdma");
}

FIXTURE_TEARDOWN(limit)
{
	cg_write("mdx/rdma.max", "%s hca_object=max hca_handle=max",
		 ibv_get_device_name(mdx_ibv_device()));
	cg_write("mdx/memory.max", "max");
	rmdir(CG "/mdx");
}

static int create_pd(int fd)
{
	uint64_t in[2] = {}, out[2];
	struct mbox_pair m = { in, out, 16, 16 };

	mdx_hdr(in, MLX5_CMD_OP_ALLOC_PD, 0, 0);
	return _test_mdx_create(fd, &m, NULL);
}

#define QUOTA 20

static int use_up_objects(void *arg)
{
	const char *name = ibv_get_device_name(mdx_ibv_device());
	uint64_t in[2] = {}, out[2];
	struct mdx_binding mdx;
	long before;
	int i, ret;

	CHECK(!cg_write("mdx/cgroup.procs", "0"));
	CHECK(!drop_to(NOBODY, 0));
	CHECK(!mdx_start(&mdx));
	before = cg_read("mdx/rdma.current", "hca_object=");
	for (i = 0; i < 10; i++)
		CHECK(!create_pd(mdx.fd));
	CHECK(cg_read("mdx/rdma.current", "hca_object=") == before + 10);
	*(int *)arg = 0;
	for (ret = 0; i < 1000 && !ret; i++)
		ret = create_pd(mdx.fd);
	printf("# %s: %d PDs, then errno %d\n", name, i - 1, ret);
	CHECK(ret == EAGAIN);
	CHECK(before + i - 1 == QUOTA);
	/* The stock driver answers the same. */
	mdx_hdr(in, MLX5_CMD_OP_ALLOC_PD, 0, 0);
	errno = 0;
	CHECK(!mlx5dv_devx_obj_create(mdx.ctx, in, 16, out, 16));
	CHECK(errno == EAGAIN);
	close(mdx.fd);
	CHECK(cg_read("mdx/rdma.current", "hca_object=") == before);
	return 0;
}

TEST_F(limit, rdma_cgroup_eagain)
{
	int dummy;

	ASSERT_EQ(0, cg_write("mdx/rdma.max", "%s hca_object=%d",
			      ibv_get_device_name(mdx_ibv_device()), QUOTA));
	EXPECT_EQ(0, in_child(use_up_objects, &dummy));
}

static int charge_objects(void *arg)
{
	long before, after;
	struct mdx_binding mdx;
	int i;

	CHECK(!cg_write("mdx/cgroup.procs", "0"));
	CHECK(!drop_to(NOBODY, 0));
	CHECK(!mdx_start(&mdx));
	CHECK(!create_pd(mdx.fd));
	before = cg_read("mdx/memory.current", NULL);
	for (i = 0; i < SOME; i++)
		CHECK(!create_pd(mdx.fd));
	after = cg_read("mdx/memory.current", NULL);
	printf("# %d objects: %ld KiB\n", SOME, (after - before) / 1024);
	/*
	 * A mailbox of 16 bytes and some words each, and a slot. The counter is as
	 * exact as the reserves of the processors, 64 pages each.
	 */
	CHECK(after - before >= SOME * 100L - 2 * 64 * 4096L);
	return 0;
}

TEST_F_TIMEOUT(limit, memory_cgroup_charged, 120)
{
	EXPECT_EQ(0, in_child(charge_objects, NULL));
}

static int use_up_memory(void *arg)
{
	struct mdx_binding mdx;
	int i, ret = 0;

	CHECK(!cg_write("mdx/cgroup.procs", "0"));
	CHECK(!drop_to(NOBODY, 0));
	CHECK(!mdx_start(&mdx));
	for (i = 0; i < 200000 && !ret; i++)
		ret = create_pd(mdx.fd);
	CHECK(ret == ENOMEM || ret == EFAULT);
	return 0;
}

/*
 * A process that takes too much gets an error or is killed; no other process is
 * affected.
 */
TEST_F_TIMEOUT(limit, memory_cgroup_limit, 300)
{
	long oom = cg_read("memory.events", "oom_kill ");
	int ret;

	/* The lab takes the kernel's report of a killed process for a fault. */
	if (!getenv("MDX_OOM"))
		SKIP(return, "the kernel may report that memory is short (MDX_OOM=1 runs it)");
	ASSERT_EQ(0, cg_write("mdx/memory.max", "4M"));
	ret = in_child(use_up_memory, NULL);
	printf("# ended with %d\n", ret);
	EXPECT_TRUE(ret == 0 || ret == 128 + SIGKILL);
	EXPECT_LE(cg_read("mdx/memory.current", NULL), 4L << 20);
	EXPECT_LE(cg_read("memory.events", "oom_kill ") - oom, 1);
	EXPECT_EQ(0, mdx_start(&self->mdx));
	EXPECT_EQ(0, create_pd(self->mdx.fd));
	mdx_stop(&self->mdx);
}

static int few_files(void *arg)
{
	struct rlimit limit = { 16, 16 };
	int i, fd = 0;

	CHECK(!setrlimit(RLIMIT_NOFILE, &limit));
	for (i = 0; i < 32 && fd >= 0; i++)
		fd = mdx_node_open();
	CHECK(fd < 0 && errno == EMFILE);
	return 0;
}

TEST_F(limit, files_rlimit_emfile)
{
	EXPECT_EQ(0, in_child(few_files, NULL));
}

/* The log */
static int log_lines(int mark)
{
	return kmsg_count(mark, "");
}

static int make_mistakes(void *arg)
{
	uint64_t in[32] = {}, out[32];
	struct mbox_pair m = { in, out, sizeof(in), sizeof(out) };
	struct mdx_binding mdx;
	int i;

	CHECK(!drop_to(NOBODY, 0));
	CHECK(!mdx_start(&mdx));
	for (i = 0; i < SOME; i++) {
		/* Opcodes in turn, known and unknown. */
		mdx_hdr(in, MLX5_CMD_OP_CREATE_CQ + i % 0x900, i, i);
		m.in_len = i % 3 ? sizeof(in) : 16;
		_test_mdx_create(mdx.fd, &m, NULL);
		_test_mdx_general(mdx.fd, &m);
		_test_mdx_query(mdx.fd, i, &m);
		_test_mdx_verbs_query(mdx.fd, i % 7, i % 9, &m);
		_test_mdx_bind(mdx.fd, i % 20, i % 5);
		m.in = i % 5 ? (void *)in : (void *)8;
		mdx_ioctl(mdx.fd, _IO(MDX_IOC_TYPE, i % 64), out);
	}
	return 0;
}

FIXTURE(noise)
{
	int mark;
};

FIXTURE_SETUP(noise)
{
	SETUP_DEVICE(return);
	self->mark = kmsg_mark();
}

FIXTURE_TEARDOWN(noise)
{
}

TEST_F_TIMEOUT(noise, mistakes_print_nothing, 120)
{
	EXPECT_EQ(0, in_child(make_mistakes, NULL));
	EXPECT_EQ(0, log_lines(self->mark));
}

/* One process, all of whose commands the device keeps to itself. */
#define STUCK 16

static int get_stuck(void *arg)
{
	uint64_t in[2] = {}, out[2];
	struct mbox_pair m = { in, out, 16, 16 };
	struct mdx_binding mdx;
	int i;

	CHECK(!drop_to(NOBODY, 0));
	CHECK(!mdx_start(&mdx));
	mdx_hdr(in, MLX5_CMD_OP_NOP, 0, 0);
	for (i = 0; i < STUCK; i++)
		if (!fork()) {
			_test_mdx_general(mdx.fd, &m);
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
	return 0;
}

/* A stuck process does not stop another. */
TEST_F_TIMEOUT(noise, stuck_process_others_run, 120)
{
	struct hca_ctl *hca = hca_open();
	struct mdx_binding mdx;
	pid_t pid;
	long seen;
	int i, status;

	SKIP_NO_HCA(hca, return);
	ASSERT_EQ(0, mdx_start(&mdx));
	seen = hca_count(hca, MLX5_CMD_OP_NOP);
	ASSERT_EQ(0, hca_cmd(hca, "parallel 32"));
	ASSERT_EQ(0, hca_cmd(hca, "delay 0x%x 3000000", MLX5_CMD_OP_NOP));
	pid = fork();
	if (!pid)
		_exit(in_child(get_stuck, NULL));
	for (i = 0; i < 2000 && hca_count(hca, MLX5_CMD_OP_NOP) < seen + STUCK;
	     i++)
		usleep(2000);
	ASSERT_EQ(seen + STUCK, hca_count(hca, MLX5_CMD_OP_NOP));
	for (i = 0; i < 10; i++)
		EXPECT_EQ(0, create_pd(mdx.fd));
	EXPECT_EQ(0, waitpid(pid, &status, WNOHANG));
	EXPECT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	mdx_stop(&mdx);
	hca_close(hca);
}

TEST_HARNESS_MAIN
