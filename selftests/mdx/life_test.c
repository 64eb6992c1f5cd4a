// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The end of files, processes and devices: nothing stays in the device. */
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>

#include "kselftest_harness.h"
#include "objtypes.h"

#define NAP_US 5000

static void short_sleep(void)
{
	struct timespec ts = { .tv_nsec = NAP_US * 1000 };

	nanosleep(&ts, NULL);
}

/*
 * Objects that refer to many others. Those that the device advertises are
 * created.
 */
static const enum objtype_id stack[] = {
	OBJTYPE_QP,   OBJTYPE_SQ,      OBJTYPE_TIR,
	OBJTYPE_FTE,  OBJTYPE_XRC_SRQ, OBJTYPE_DCT,
	OBJTYPE_MKEY, OBJTYPE_GENERAL, OBJTYPE_Q_COUNTER,
};

static int build_stack(struct mdx_world *w)
{
	size_t i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(stack); i++) {
		if (!objtype_advertised(w, stack[i]))
			continue;
		ret = objtype_create(w, stack[i]);
		if (ret)
			return ret;
	}
	return 0;
}

/* Report of a child to its parent before it dies. */
struct child_report {
	uint32_t uid;
	uint32_t objs;
	int err;
};

FIXTURE(life)
{
	struct hca_ctl *hca;
	int pipe[2];
	int mark;
	pid_t pid;
	struct child_report news;
};

FIXTURE_SETUP(life)
{
	SETUP_DEVICE(return);
	self->hca = hca_open();
	SKIP_NO_HCA(self->hca, return);
	ASSERT_EQ(0, pipe(self->pipe));
	self->mark = kmsg_mark();
}

FIXTURE_TEARDOWN(life)
{
	hca_close(self->hca);
}

static void report_child(FIXTURE_DATA(life) *self, struct mdx_world *w, int err)
{
	struct child_report news = { w->mdx.uid, mdx_objs(w->mdx.fd), err };

	if (write(self->pipe[1], &news, sizeof(news)) != sizeof(news))
		_exit(1);
}

static bool listen_to(FIXTURE_DATA(life) *self)
{
	return read(self->pipe[0], &self->news, sizeof(self->news)) ==
		sizeof(self->news) && !self->news.err && self->news.uid;
}

/* In a child: a world without the control port, which its parent has open. */
static int start_quietly(struct mdx_world *w)
{
	unsetenv("MDX_HCA");
	memset(w, 0, sizeof(*w));
	return world_start(w);
}

/* A child that builds the stack, says so, and waits for its end. */
static pid_t spawn_holder(FIXTURE_DATA(life) *self)
{
	static struct mdx_world w;
	pid_t pid = fork();
	int err;

	if (pid)
		return pid;
	err = start_quietly(&w);
	if (!err)
		err = build_stack(&w);
	report_child(self, &w, err);
	for (;;)
		pause();
}

static bool child_kill(FIXTURE_DATA(life) *self)
{
	return !kill(self->pid, SIGKILL) &&
	       waitpid(self->pid, NULL, 0) == self->pid;
}

static bool wait_gone(FIXTURE_DATA(life) *self)
{
	int i, left = -1;

	for (i = 0; i < 400 && left; i++) {
		left = hca_live(self->hca, self->news.uid, NULL, -1);
		if (left)
			short_sleep();
	}
	if (left) {
		hca_cmd(self->hca, "live 0x%x", self->news.uid);
		fprintf(stderr, "# still alive:\n%s", self->hca->answer);
	}
	return !left;
}

static bool wait_count(struct hca_ctl *hca, uint16_t opcode, long n)
{
	int i;

	for (i = 0; i < 1000; i++) {
		if (hca_count(hca, opcode) >= n)
			return true;
		short_sleep();
	}
	return false;
}

/* Wait until the device has @n objects of a type of the child's. */
static bool wait_live(FIXTURE_DATA(life) *self, const char *type, int n)
{
	int i;

	for (i = 0; i < 1000; i++) {
		if (hca_live(self->hca, self->news.uid, type, -1) >= n)
			return true;
		short_sleep();
	}
	return false;
}

TEST_F(life, sigkill_nothing_left)
{
	self->pid = spawn_holder(self);
	ASSERT_TRUE(listen_to(self));
	EXPECT_GE(self->news.objs, 10);
	EXPECT_GE(hca_live(self->hca, self->news.uid, NULL, -1), 10);
	ASSERT_TRUE(child_kill(self));
	EXPECT_TRUE(wait_gone(self));
	EXPECT_EQ(0, kmsg_count(self->mark, "mlx5"));
}

/* Newest first, the device has no reason to refuse any. */
TEST_F(life, newest_destroyed_first)
{
	long before = hca_count(self->hca, MLX5_CMD_OP_DESTROY_CQ);

	self->pid = spawn_holder(self);
	ASSERT_TRUE(listen_to(self));
	ASSERT_EQ(1, hca_live(self->hca, self->news.uid, "cq", -1));
	ASSERT_TRUE(child_kill(self));
	EXPECT_TRUE(wait_gone(self));
	EXPECT_EQ(before + 1, hca_count(self->hca, MLX5_CMD_OP_DESTROY_CQ));
}

/* The context is the last to go. */
TEST_F(life, context_destroyed_last)
{
	long before = hca_count(self->hca, MLX5_CMD_OP_DESTROY_UCTX);

	self->pid = spawn_holder(self);
	ASSERT_TRUE(listen_to(self));
	ASSERT_TRUE(child_kill(self));
	EXPECT_TRUE(wait_gone(self));
	EXPECT_EQ(before + 1, hca_count(self->hca, MLX5_CMD_OP_DESTROY_UCTX));
}

/* SIGKILL in a command ends when the device answers. */
TEST_F(life, sigkill_during_query)
{
	static struct mdx_world w;
	long before;

	before = hca_count(self->hca, MLX5_CMD_OP_QUERY_CQ);
	ASSERT_EQ(0, hca_cmd(self->hca, "delay 0x%x 2000000",
			     MLX5_CMD_OP_QUERY_CQ));
	self->pid = fork();
	if (!self->pid) {
		int err = start_quietly(&w);

		if (!err)
			err = objtype_create(&w, OBJTYPE_CQ);
		report_child(self, &w, err);
		objtype_build_query(&w, OBJTYPE_CQ);
		_test_mdx_query(w.mdx.fd, w.obj[OBJTYPE_CQ].id, &w.m);
		pause();
	}
	ASSERT_TRUE(listen_to(self));
	ASSERT_TRUE(wait_count(self->hca, MLX5_CMD_OP_QUERY_CQ, before + 1));
	ASSERT_TRUE(child_kill(self));
	EXPECT_TRUE(wait_gone(self));
}

TEST_F(life, sigkill_during_create)
{
	static struct mdx_world w;
	long before;

	before = hca_count(self->hca, MLX5_CMD_OP_ALLOC_XRCD);
	ASSERT_EQ(0, hca_cmd(self->hca, "delay 0x%x 1000000",
			     MLX5_CMD_OP_ALLOC_XRCD));
	self->pid = fork();
	if (!self->pid) {
		int err = start_quietly(&w);

		report_child(self, &w, err);
		objtype_create(&w, OBJTYPE_XRCD);
		pause();
	}
	ASSERT_TRUE(listen_to(self));
	ASSERT_TRUE(wait_count(self->hca, MLX5_CMD_OP_ALLOC_XRCD, before + 1));
	ASSERT_TRUE(child_kill(self));
	EXPECT_TRUE(wait_gone(self));
}

/* SIGKILL in a stalled answer leaves nothing. */
TEST_F(life, sigkill_during_copyout)
{
	static struct mdx_world w;

	self->pid = fork();
	if (!self->pid) {
		int err = start_quietly(&w), uffd;
		void *page;

		uffd = stall_page(&page);
		if (!err && uffd < 0)
			err = errno;
		objtype_build_create(&w, OBJTYPE_PD);
		w.m.out = page;
		report_child(self, &w, err);
		_test_mdx_create(w.mdx.fd, &w.m, NULL);
		pause();
	}
	ASSERT_TRUE(listen_to(self));
	/*
	 * The device has executed the command; its answer is still to be copied
	 * out.
	 */
	ASSERT_TRUE(wait_live(self, "pd", 2));
	ASSERT_TRUE(child_kill(self));
	EXPECT_TRUE(wait_gone(self));
}

#define CHILDREN 8

/* Each creates and destroys as fast as it can until it is killed. */
static void churn_objs(struct mdx_world *w)
{
	for (;;) {
		objtype_create(w, OBJTYPE_TIR);
		objtype_create(w, OBJTYPE_QP);
		objtype_destroy(w, OBJTYPE_TIR);
		objtype_destroy(w, OBJTYPE_QP);
	}
}

/* Processes killed at any moment leave nothing. */
TEST_F(life, killed_anytime_nothing_left)
{
	static struct mdx_world w;
	struct child_report news[CHILDREN];
	pid_t pid[CHILDREN];
	int i, status;

	for (i = 0; i < CHILDREN; i++) {
		pid[i] = fork();
		if (!pid[i]) {
			report_child(self, &w, start_quietly(&w));
			churn_objs(&w);
		}
		ASSERT_TRUE(listen_to(self));
		news[i] = self->news;
	}
	for (i = 0; i < CHILDREN; i++) {
		usleep(7000 * i);
		ASSERT_EQ(0, kill(pid[i], SIGKILL));
	}
	for (i = 0; i < CHILDREN; i++) {
		ASSERT_EQ(pid[i], waitpid(pid[i], &status, 0));
		self->news = news[i];
		EXPECT_TRUE(wait_gone(self));
	}
	EXPECT_EQ(0, kmsg_count(self->mark, "mlx5"));
}

/* An RQT that was modified to spread to an RQ created after it. */
TEST_F(life, younger_reference_destroyed)
{
	static struct mdx_world w;

	self->pid = fork();
	if (!self->pid) {
		int err = start_quietly(&w);

		if (!err)
			err = objtype_create(&w, OBJTYPE_RQT);
		if (!err)
			err = objtype_create_more(&w, OBJTYPE_RQ,
						  &w.obj[OBJTYPE_RQ]);
		if (!err) {
			objtype_build_modify(&w, OBJTYPE_RQT);
			err = _test_mdx_modify(w.mdx.fd, w.obj[OBJTYPE_RQT].id,
					       &w.m);
		}
		report_child(self, &w, err);
		pause();
	}
	ASSERT_TRUE(listen_to(self));
	EXPECT_EQ(2, hca_live(self->hca, self->news.uid, "rq", -1));
	ASSERT_TRUE(child_kill(self));
	EXPECT_TRUE(wait_gone(self));
	EXPECT_EQ(0, kmsg_count(self->mark, "mlx5"));
}

/* A forked child keeps the objects until it ends. */
TEST_F(life, forked_child_keeps_objects)
{
	static struct mdx_world w;
	int go[2], status;
	pid_t child;
	char byte;

	ASSERT_EQ(0, pipe(go));
	self->pid = fork();
	if (!self->pid) {
		int err = start_quietly(&w);

		if (!err)
			err = objtype_create(&w, OBJTYPE_TIS);
		child = fork();
		if (!child) {
			close(go[1]);
			if (read(go[0], &byte, 1))
				_exit(1);
			_exit(0);
		}
		report_child(self, &w, err);
		_exit(0);
	}
	close(go[0]);
	ASSERT_TRUE(listen_to(self));
	ASSERT_EQ(self->pid, waitpid(self->pid, &status, 0));
	EXPECT_EQ(1, hca_live(self->hca, self->news.uid, "tis", -1));
	close(go[1]);
	EXPECT_TRUE(wait_gone(self));
}

/* Sends a file, and a uverbs file unless that is -1, of a child that then waits. */
static void child_pass(FIXTURE_DATA(life) *self, int sock, bool context)
{
	static struct mdx_world w;
	int err = start_quietly(&w);

	if (!err)
		err = objtype_create(&w, OBJTYPE_PD);
	if (!err)
		err = fd_send(sock, w.mdx.fd);
	if (!err && context)
		err = fd_send(sock, w.mdx.ctx->cmd_fd);
	report_child(self, &w, err);
	pause();
}

/* A passed file does not keep the context, and so no object. */
TEST_F(life, passed_file_keeps_nothing)
{
	int sock[2], fd;
	uint32_t id;

	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, sock));
	self->pid = fork();
	if (!self->pid)
		child_pass(self, sock[1], false);
	ASSERT_TRUE(listen_to(self));
	fd = fd_recv(sock[0]);
	ASSERT_GE(fd, 0);
	ASSERT_TRUE(child_kill(self));
	EXPECT_TRUE(wait_gone(self));
	for (id = 1; id < 4; id++)
		EXPECT_EQ(EIO, _test_mdx_destroy(fd, id));
	close(fd);
}

/* With the uverbs file it does. */
TEST_F(life, passed_files_keep_objects)
{
	int sock[2], fd, uverbs;
	uint32_t id;

	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, sock));
	self->pid = fork();
	if (!self->pid)
		child_pass(self, sock[1], true);
	ASSERT_TRUE(listen_to(self));
	fd = fd_recv(sock[0]);
	ASSERT_GE(fd, 0);
	uverbs = fd_recv(sock[0]);
	ASSERT_GE(uverbs, 0);
	ASSERT_TRUE(child_kill(self));
	EXPECT_EQ(1, mdx_objs(fd));
	for (id = 1; id < 4; id++)
		if (!_test_mdx_destroy(fd, id))
			break;
	EXPECT_LT(id, 4);
	close(fd);
	close(uverbs);
	EXPECT_TRUE(wait_gone(self));
}

TEST_F(life, exec_closes_file)
{
	static struct mdx_world w;

	self->pid = fork();
	if (!self->pid) {
		int err = start_quietly(&w);

		if (!err)
			err = build_stack(&w);
		fcntl(self->pipe[1], F_SETFD, FD_CLOEXEC);
		report_child(self, &w, err);
		execlp("sleep", "sleep", "30", NULL);
		_exit(1);
	}
	ASSERT_TRUE(listen_to(self));
	EXPECT_TRUE(wait_gone(self));
	child_kill(self);
}

/* Objects that refuse once are destroyed in a later pass. */
TEST_F(life, refused_once_later_pass)
{
	static const uint16_t once[] = {
		MLX5_CMD_OP_DESTROY_QP, MLX5_CMD_OP_DESTROY_CQ,
		MLX5_CMD_OP_DESTROY_TIR, MLX5_CMD_OP_DELETE_FLOW_TABLE_ENTRY,
		MLX5_CMD_OP_DEALLOC_PD,
	};
	size_t i;

	self->pid = spawn_holder(self);
	ASSERT_TRUE(listen_to(self));
	for (i = 0; i < ARRAY_SIZE(once); i++)
		ASSERT_EQ(0,
			  hca_fail(self->hca, once[i], STATUS_RES_BUSY, 1, 1));
	ASSERT_TRUE(child_kill(self));
	EXPECT_TRUE(wait_gone(self));
}

/* The device keeps a TIS: the rest is destroyed, and one message is printed. */
TEST_F(life, refused_always_reported_once)
{
	static struct mdx_world w;
	int left;

	self->pid = fork();
	if (!self->pid) {
		int err = start_quietly(&w);

		if (!err)
			err = objtype_create(&w, OBJTYPE_TIS);
		if (!err)
			err = objtype_create(&w, OBJTYPE_CQ);
		report_child(self, &w, err);
		pause();
	}
	ASSERT_TRUE(listen_to(self));
	ASSERT_EQ(0, hca_fail(self->hca, MLX5_CMD_OP_DESTROY_TIS,
			      STATUS_RES_BUSY, 0x1234, HCA_ALWAYS));
	ASSERT_TRUE(child_kill(self));
	left = hca_live(self->hca, self->news.uid, "cq", -1);
	EXPECT_EQ(0, left);
	EXPECT_EQ(1, hca_live(self->hca, self->news.uid, "tis", -1));
	EXPECT_EQ(1, kmsg_count(self->mark, "mlx5_devx"));
}

/* The module is in use while a file is open. */
TEST_F(life, module_busy_while_open)
{
	int fd = mdx_node_open();

	ASSERT_GE(fd, 0);
	EXPECT_NE(0, run("rmmod mlx5_devx 2>/dev/null"));
	EXPECT_TRUE(mdx_module_loaded());
	close(fd);
	ASSERT_EQ(0, run("rmmod mlx5_devx"));
	EXPECT_FALSE(mdx_module_loaded());
	EXPECT_NE(0, access(MDX_NODE, F_OK));
	ASSERT_EQ(0, run("modprobe mlx5_devx"));
	EXPECT_EQ(0, access(MDX_NODE, F_OK));
}

/* The module unloads while verbs contexts are open. */
TEST_F(life, module_unloads_contexts_open)
{
	struct ibv_context *ctx = mdx_ctx_open();

	ASSERT_NE(NULL, ctx);
	EXPECT_EQ(0, run("rmmod mlx5_devx"));
	EXPECT_EQ(0, run("modprobe mlx5_devx"));
	EXPECT_EQ(0, ibv_close_device(ctx));
}

TEST_HARNESS_MAIN
