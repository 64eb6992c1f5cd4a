// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Tying a file to a verbs context. */
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "bind_harness.h"

static uint32_t verbs_pdn(struct ibv_pd *pd)
{
	struct mlx5dv_pd dv = { 0 };
	struct mlx5dv_obj obj = { .pd = { .in = pd, .out = &dv } };

	return mlx5dv_init_obj(&obj, MLX5DV_OBJ_PD) ? 0 : dv.pdn;
}

TEST_F(bind, info_bound_uid)
{
	struct mdx_ioc_info info;

	BIND();
	test_mdx_info(self->fd, &info);
	EXPECT_EQ(MDX_INFO_BOUND, info.out_flags);
	EXPECT_NE(0, info.out_uid);
	EXPECT_LT(info.out_uid, 0xffff);
	EXPECT_EQ(0, info.out_objs);
}

/* The uid is the one the device knows the PD by. */
TEST_F(bind, uid_is_pd_uid)
{
	struct mdx_ioc_info info;

	SKIP_NO_HCA(self->hca, return);
	BIND();
	test_mdx_info(self->fd, &info);
	EXPECT_EQ(1, hca_live(self->hca, info.out_uid, "pd",
			      verbs_pdn(self->pd)));
}

TEST_F(bind, device_unchanged)
{
	int before;

	SKIP_NO_HCA(self->hca, return);
	before = hca_live(self->hca, -1, NULL, -1);
	ASSERT_GT(before, 0);
	BIND();
	EXPECT_EQ(before, hca_live(self->hca, -1, NULL, -1));
}

/* Objects are created under the uid of the context. */
TEST_F(bind, objects_under_context_uid)
{
	struct mdx_ioc_info info;
	uint32_t id, pdn;

	SKIP_NO_HCA(self->hca, return);
	BIND();
	test_mdx_info(self->fd, &info);
	ASSERT_EQ(0, alloc_pd(self->fd, &id, &pdn));
	EXPECT_EQ(1, hca_live(self->hca, info.out_uid, "pd", pdn));
}

TEST_F(bind, second_einval)
{
	BIND();
	test_err_bind(EINVAL, self->fd, self->ctx->cmd_fd, self->pd->handle);
}

/* A second bind to another context changes nothing. */
TEST_F(bind, second_context_einval)
{
	struct ibv_context *ctx = mdx_ctx_open();
	struct mdx_ioc_info before, after;
	struct ibv_pd *pd;

	ASSERT_NE(NULL, ctx);
	pd = ibv_alloc_pd(ctx);
	ASSERT_NE(NULL, pd);
	BIND();
	test_mdx_info(self->fd, &before);
	test_err_bind(EINVAL, self->fd, ctx->cmd_fd, pd->handle);
	test_mdx_info(self->fd, &after);
	EXPECT_EQ(before.out_uid, after.out_uid);
	ibv_dealloc_pd(pd);
	ibv_close_device(ctx);
}

TEST_F(bind, after_use_einval)
{
	uint32_t id;

	BIND();
	ASSERT_EQ(0, alloc_pd(self->fd, &id, NULL));
	test_err_bind(EINVAL, self->fd, self->ctx->cmd_fd, self->pd->handle);
	EXPECT_EQ(0, _test_mdx_destroy(self->fd, id));
}

TEST_F(bind, after_failed_bind)
{
	test_err_bind(EBADF, self->fd, -1, self->pd->handle);
	test_err_bind(ENOENT, self->fd, self->ctx->cmd_fd, 0xffff);
	BIND();
}

TEST_F(bind, unknown_handle_enoent)
{
	test_err_bind(ENOENT, self->fd, self->ctx->cmd_fd, 0xfff0);
}

TEST_F(bind, highest_handle_enoent)
{
	test_err_bind(ENOENT, self->fd, self->ctx->cmd_fd, UINT32_MAX);
}

/* The handle of a freed PD is refused. */
TEST_F(bind, freed_handle_enoent)
{
	struct ibv_pd *pd = ibv_alloc_pd(self->ctx);
	uint32_t handle;

	ASSERT_NE(NULL, pd);
	handle = pd->handle;
	ASSERT_EQ(0, ibv_dealloc_pd(pd));
	test_err_bind(ENOENT, self->fd, self->ctx->cmd_fd, handle);
}

/* The handle of a CQ is refused. */
TEST_F(bind, cq_handle_enoent)
{
	struct ibv_cq *cq = ibv_create_cq(self->ctx, 16, NULL, NULL, 0);

	ASSERT_NE(NULL, cq);
	ASSERT_NE(cq->handle, self->pd->handle);
	test_err_bind(ENOENT, self->fd, self->ctx->cmd_fd, cq->handle);
	ibv_destroy_cq(cq);
}

/* The handle of a PD of another context is refused. */
TEST_F(bind, other_context_handle_enoent)
{
	struct ibv_context *ctx = mdx_ctx_open();
	struct ibv_pd *pd[16];
	int i;

	ASSERT_NE(NULL, ctx);
	for (i = 0; i < 16; i++) {
		pd[i] = ibv_alloc_pd(ctx);
		ASSERT_NE(NULL, pd[i]);
	}
	ASSERT_GT(pd[15]->handle, self->pd->handle + 8);
	test_err_bind(ENOENT, self->fd, self->ctx->cmd_fd, pd[15]->handle);
	for (i = 0; i < 16; i++)
		ibv_dealloc_pd(pd[i]);
	ibv_close_device(ctx);
}

/* The errno of a bind to a context that could be opened without DEVX only. */
static int bind_without_devx(FIXTURE_DATA(bind) *self)
{
	struct ibv_context *ctx;
	struct ibv_pd *pd;

	if (hca_fail(self->hca, MLX5_CMD_OP_CREATE_UCTX, STATUS_BAD_PARAM, 1,
		     HCA_ALWAYS))
		return EIO;
	ctx = ibv_open_device(mdx_ibv_device());
	if (hca_cmd(self->hca, "reset-script") || !ctx)
		return EIO;
	pd = ibv_alloc_pd(ctx);
	if (!pd)
		return EIO;
	return _test_mdx_bind(self->fd, ctx->cmd_fd, pd->handle);
}

/*
 * ib_uverbs leaks a task's reference if the driver refuses its context. That
 * task is a child here, and its name identifies it in kmemleak's report.
 */
TEST_F(bind, no_devx_eopnotsupp)
{
	struct mdx_ioc_info info;
	int status;
	pid_t pid;

	SKIP_NO_HCA(self->hca, return);
	prctl(PR_SET_NAME, "no-context");
	pid = fork();
	ASSERT_GE(pid, 0);
	if (!pid)
		_exit(bind_without_devx(self));
	prctl(PR_SET_NAME, "bind_test");
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_TRUE(WIFEXITED(status));
	EXPECT_EQ(EOPNOTSUPP, WEXITSTATUS(status));
	test_mdx_info(self->fd, &info);
	EXPECT_EQ(0, info.out_flags);
}

/* A uverbs file without a context is refused. */
TEST_F(bind, no_context_enoent)
{
	char path[300];
	int fd;

	snprintf(path, sizeof(path), "/dev/infiniband/%s",
		 mdx_ibv_device()->dev_name);
	fd = open(path, O_RDWR | O_CLOEXEC);
	ASSERT_GE(fd, 0);
	test_err_bind(ENOENT, self->fd, fd, 0);
	close(fd);
}

/* Two files of one context have ids of their own. */
TEST_F(bind, two_files_own_ids)
{
	int fd = mdx_node_open();
	uint32_t id[2];

	ASSERT_GE(fd, 0);
	BIND();
	test_mdx_bind(fd, self->ctx->cmd_fd, self->pd->handle);
	ASSERT_EQ(0, alloc_pd(self->fd, &id[0], NULL));
	ASSERT_EQ(0, alloc_pd(fd, &id[1], NULL));
	EXPECT_EQ(id[0], id[1]);
	EXPECT_EQ(0, _test_mdx_destroy(self->fd, id[0]));
	test_err_destroy(ENOENT, self->fd, id[0]);
	EXPECT_EQ(0, _test_mdx_destroy(fd, id[1]));
	close(fd);
}

TEST_F(bind, duplicate_shares_binding)
{
	int copy = dup(self->fd);
	uint32_t id;

	ASSERT_GE(copy, 0);
	BIND();
	test_err_bind(EINVAL, copy, self->ctx->cmd_fd, self->pd->handle);
	ASSERT_EQ(0, alloc_pd(copy, &id, NULL));
	EXPECT_EQ(0, _test_mdx_destroy(self->fd, id));
	close(copy);
}

/* The objects stay when one of two duplicates is closed. */
TEST_F(bind, duplicate_closed_objects_stay)
{
	int copy = dup(self->fd);
	uint32_t id;

	ASSERT_GE(copy, 0);
	BIND();
	ASSERT_EQ(0, alloc_pd(self->fd, &id, NULL));
	close(self->fd);
	self->fd = copy;
	EXPECT_EQ(1, mdx_objs(copy));
	EXPECT_EQ(0, _test_mdx_destroy(copy, id));
}

TEST_F(bind, forked_child_shares_binding)
{
	uint32_t id;
	int status;
	pid_t pid;

	BIND();
	pid = fork();
	ASSERT_GE(pid, 0);
	if (!pid)
		_exit(alloc_pd(self->fd, &id, NULL));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(1, mdx_objs(self->fd));
}

/* A file passed over a socket shares the binding. */
TEST_F(bind, passed_file_shares_binding)
{
	uint32_t id;
	int sock[2];
	int status;
	pid_t pid;

	BIND();
	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, sock));
	pid = fork();
	ASSERT_GE(pid, 0);
	if (!pid) {
		int fd;

		close(self->fd);
		fd = fd_recv(sock[1]);
		_exit(fd < 0 ? 1 : alloc_pd(fd, &id, NULL));
	}
	ASSERT_EQ(0, fd_send(sock[0], self->fd));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(1, mdx_objs(self->fd));
}

TEST_F(bind, unknown_flag_eopnotsupp)
{
	struct mdx_ioc_bind arg = {
		.size = sizeof(arg),
		.flags = MDX_BIND_SHARE << 1,
		.uverbs_fd = self->ctx->cmd_fd,
		.pd_handle = self->pd->handle,
	};

	EXPECT_EQ(EOPNOTSUPP, mdx_ioctl(self->fd, MDX_IOC_BIND, &arg));
}

/* Any user may bind a context of its own. */
TEST_F(bind, any_user_own_context)
{
	int status;
	pid_t pid;

	pid = fork();
	ASSERT_GE(pid, 0);
	if (!pid) {
		struct mdx_binding mdx;
		uint32_t id;

		if (setgid(65534) || setuid(65534))
			_exit(100);
		if (mdx_start(&mdx))
			_exit(101);
		_exit(alloc_pd(mdx.fd, &id, NULL));
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
}

TEST_F(bind, debugfs_shows_file)
{
	static const char path[] = "/sys/kernel/debug/mlx5_devx/files";
	struct mdx_ioc_info info;
	char line[200] = "", want[100];
	FILE *f;

	BIND();
	test_mdx_info(self->fd, &info);
	f = fopen(path, "r");
	if (!f)
		SKIP(return, "no %s", path);
	snprintf(want, sizeof(want), "%s %d ",
		 ibv_get_device_name(self->ctx->device), getpid());
	while (fgets(line, sizeof(line), f))
		if (!strncmp(line, want, strlen(want)))
			break;
	EXPECT_EQ(0, strncmp(line, want, strlen(want)));
	fclose(f);
}

TEST_F(bind, debugfs_counts_by_opcode)
{
	static const char path[] = "/sys/kernel/debug/mlx5_devx/files";
	uint32_t id, i;

	if (access(path, R_OK))
		SKIP(return, "no %s", path);
	BIND();
	EXPECT_EQ(0, run("grep -q ' %d .* 0 0 own$' %s", getpid(), path));
	for (i = 0; i < 300; i++)
		ASSERT_EQ(0, alloc_pd(self->fd, &id, NULL));
	EXPECT_EQ(0, run("grep -q ' %d .* 300 0 own %x:300$' %s", getpid(),
			 MLX5_CMD_OP_ALLOC_PD, path));
}

struct bind_racer {
	pthread_barrier_t *start;
	int fd;
	int uverbs_fd;
	uint32_t handle;
	int ret;
};

static void *race_bind(void *arg)
{
	struct bind_racer *r = arg;

	pthread_barrier_wait(r->start);
	r->ret = _test_mdx_bind(r->fd, r->uverbs_fd, r->handle);
	return NULL;
}

/*
 * 0 if one of the two bound the file and the other failed with EINVAL or EBUSY.
 */
static int race_binds(int fd, struct ibv_pd *a, struct ibv_pd *b)
{
	pthread_barrier_t start;
	struct bind_racer r[2] = {
		{ &start, fd, a->context->cmd_fd, a->handle, -1 },
		{ &start, fd, b->context->cmd_fd, b->handle, -1 },
	};
	pthread_t other;

	pthread_barrier_init(&start, NULL, 2);
	if (pthread_create(&other, NULL, race_bind, &r[0]))
		return -1;
	race_bind(&r[1]);
	pthread_join(other, NULL);
	pthread_barrier_destroy(&start);
	if (!!r[0].ret + !!r[1].ret != 1)
		return -1;
	r[0].ret += r[1].ret;
	return r[0].ret == EINVAL || r[0].ret == EBUSY ? 0 : -1;
}

TEST_F(bind, two_threads_one_wins)
{
	int round, fd;

	for (round = 0; round < 50; round++) {
		fd = mdx_node_open();
		ASSERT_GE(fd, 0);
		ASSERT_EQ(0, race_binds(fd, self->pd, self->pd));
		close(fd);
	}
}

TEST_F(bind, two_contexts_one_wins)
{
	struct ibv_context *ctx = mdx_ctx_open();
	struct ibv_pd *pd;
	int round, fd;

	ASSERT_NE(NULL, ctx);
	pd = ibv_alloc_pd(ctx);
	ASSERT_NE(NULL, pd);
	for (round = 0; round < 50; round++) {
		uint32_t id;

		fd = mdx_node_open();
		ASSERT_GE(fd, 0);
		ASSERT_EQ(0, race_binds(fd, self->pd, pd));
		ASSERT_EQ(0, alloc_pd(fd, &id, NULL));
		close(fd);
	}
	ibv_dealloc_pd(pd);
	ibv_close_device(ctx);
}

TEST_F(bind, probe_refused_eopnotsupp)
{
	struct mdx_ioc_info info;

	SKIP_NO_HCA(self->hca, return);
	ASSERT_EQ(0, hca_fail(self->hca, MLX5_CMD_OP_CREATE_MKEY,
			      STATUS_BAD_RES, 1, HCA_ALWAYS));
	test_err_bind(EOPNOTSUPP, self->fd, self->ctx->cmd_fd,
		      self->pd->handle);
	test_mdx_info(self->fd, &info);
	EXPECT_EQ(0, info.out_flags);
	EXPECT_EQ(0, info.out_uid);
}

/* A second device has a uid of its own. */
TEST_F(bind, second_device_own_uid)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_device *first = mdx_ibv_device();
	struct ibv_context *ctx = NULL;
	struct ibv_pd *pd;
	uint32_t id;
	int i;

	for (i = 0; list && list[i]; i++)
		if (strcmp(ibv_get_device_name(list[i]),
			   ibv_get_device_name(first)) &&
		    mlx5dv_is_supported(list[i]))
			ctx = ibv_open_device(list[i]);
	if (!ctx)
		SKIP(return, "there is one mlx5 device only");
	pd = ibv_alloc_pd(ctx);
	ASSERT_NE(NULL, pd);
	test_mdx_bind(self->fd, ctx->cmd_fd, pd->handle);
	EXPECT_EQ(0, alloc_pd(self->fd, &id, NULL));
	ibv_dealloc_pd(pd);
	ibv_close_device(ctx);
}

TEST_HARNESS_MAIN
