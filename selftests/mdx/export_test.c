// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Objects with handles in several processes, on the real module. */
#include <dlfcn.h>
#include <libgen.h>
#include <limits.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "kselftest_harness.h"
#include "machine.h"
#include "mdx_utils.h"

#include <mdx/mdx.h>

/* What a process tells another about an object. */
struct passed_obj {
	uint8_t data[MDX_OBJ_EXPORT_SIZE];
	uint32_t tisn;
};

FIXTURE(export)
{
	struct hca_ctl *hca;
	struct ibv_context *ctx;
	struct mlx5dv_devx_obj *td;
	struct mlx5dv_devx_obj *tis;
	struct passed_obj obj;
	int sock[2];
	char addr[64];
	bool unbound;
};

#define SELF FIXTURE_DATA(export)

static uint32_t number_in(const void *out)
{
	return mbox_get32(out, MBOX_HDR_ID) & 0xffffff;
}

static struct mlx5dv_devx_obj *alloc_td(struct ibv_context *ctx, uint32_t *tdn)
{
	uint64_t in[2], out[2] = { 0 };
	struct mlx5dv_devx_obj *td;

	mdx_hdr(in, MLX5_CMD_OP_ALLOC_TRANSPORT_DOMAIN, 0, 0);
	td = mlx5dv_devx_obj_create(ctx, in, sizeof(in), out, sizeof(out));
	*tdn = number_in(out);
	return td;
}

static struct mlx5dv_devx_obj *create_tis(struct ibv_context *ctx,
					  uint32_t tdn, uint32_t *tisn)
{
	uint64_t in[SZ(create_tis_in) / 8] = { 0 }, out[2] = { 0 };
	struct mlx5dv_devx_obj *tis;

	mdx_hdr(in, MLX5_CMD_OP_CREATE_TIS, 0, 0);
	DEVX_SET(create_tis_in, in, ctx.transport_domain, tdn);
	tis = mlx5dv_devx_obj_create(ctx, in, sizeof(in), out, sizeof(out));
	*tisn = number_in(out);
	return tis;
}

static int query_tis(struct mlx5dv_devx_obj *tis, uint32_t tisn)
{
	uint64_t in[2], out[SZ(query_tis_out) / 8];

	mdx_hdr(in, MLX5_CMD_OP_QUERY_TIS, 0, tisn);
	return mlx5dv_devx_obj_query(tis, in, sizeof(in), out, sizeof(out));
}

FIXTURE_SETUP(export)
{
	uint32_t tdn;

	SETUP_DEVICE(return);
	self->hca = hca_open();
	ASSERT_TRUE(mdx_pci_addr(self->addr, sizeof(self->addr)));
	self->ctx = mdx_ctx_open();
	ASSERT_NE(NULL, self->ctx);
	self->td = alloc_td(self->ctx, &tdn);
	ASSERT_NE(NULL, self->td);
	self->tis = create_tis(self->ctx, tdn, &self->obj.tisn);
	ASSERT_NE(NULL, self->tis);
	ASSERT_EQ(0, mlx5dv_devx_obj_export(self->tis, self->obj.data));
	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, self->sock));
}

FIXTURE_TEARDOWN(export)
{
	if (self->ctx)
		ibv_close_device(self->ctx);
	if (self->unbound) {
		write_file(MLX5_DRIVER "/bind", self->addr);
		mdx_device_wait();
	}
	hca_close(self->hca);
}

/* Does the device have the TIS? -1 without a control port. */
static int tis_live(SELF *self)
{
	return self->hca ? hca_live(self->hca, -1, "tis", self->obj.tisn) : -1;
}

static struct mlx5dv_devx_obj *import_tis(struct ibv_context *ctx, SELF *self)
{
	return mlx5dv_devx_obj_import(ctx, self->obj.data);
}

/* In a child, which has nothing of its parent's but what comes from the socket. */
static struct ibv_context *receive_context(int sock, struct passed_obj *obj)
{
	int cmd_fd = fd_recv(sock);

	if (cmd_fd < 0 || read(sock, obj, sizeof(*obj)) != sizeof(*obj))
		return NULL;
	return ibv_import_device(cmd_fd);
}

/* Exit status: the first step that failed. */
static int use_and_destroy(int sock)
{
	struct mlx5dv_devx_obj *tis;
	struct passed_obj obj;
	struct ibv_context *ctx = receive_context(sock, &obj);

	if (!ctx)
		return 1;
	tis = mlx5dv_devx_obj_import(ctx, obj.data);
	if (!tis)
		return 2;
	if (query_tis(tis, obj.tisn))
		return 3;
	if (mlx5dv_devx_obj_destroy(tis))
		return 4;
	return ibv_close_device(ctx) ? 5 : 0;
}

static int use_and_unimport(int sock)
{
	struct mlx5dv_devx_obj *tis;
	struct passed_obj obj;
	struct ibv_context *ctx = receive_context(sock, &obj);

	if (!ctx)
		return 1;
	tis = mlx5dv_devx_obj_import(ctx, obj.data);
	if (!tis)
		return 2;
	mlx5dv_devx_obj_unimport(tis);
	return ibv_close_device(ctx) ? 3 : 0;
}

/*
 * Run @fn in a process that gets the context and the export by the socket: its exit
 * status, or -1.
 */
static int run_peer(SELF *self, int (*fn)(int sock))
{
	int status = -1;
	pid_t pid = fork();

	if (!pid) {
		close(self->sock[0]);
		_exit(fn(self->sock[1]));
	}
	if (fd_send(self->sock[0], self->ctx->cmd_fd) ||
	    write(self->sock[0], &self->obj, sizeof(self->obj)) !=
	    sizeof(self->obj))
		return -1;
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

/* A peer queries the object, and destroys it for both. */
TEST_F(export, peer_destroys_for_both)
{
	ASSERT_EQ(0, run_peer(self, use_and_destroy));
	EXPECT_EQ(ENOENT, query_tis(self->tis, self->obj.tisn));
	EXPECT_EQ(ENOENT, mlx5dv_devx_obj_destroy(self->tis));
	mlx5dv_devx_obj_unimport(self->tis);
	if (self->hca)
		EXPECT_EQ(0, tis_live(self));
	/* Nothing uses the transport domain any more. */
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(self->td));
}

/* Neither unimport nor the peer's end destroys. */
TEST_F(export, unimport_leaves_object)
{
	ASSERT_EQ(0, run_peer(self, use_and_unimport));
	EXPECT_EQ(0, query_tis(self->tis, self->obj.tisn));
	if (self->hca)
		EXPECT_EQ(1, tis_live(self));
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(self->tis));
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(self->td));
}

TEST_F(export, destroyed_import_enoent)
{
	ASSERT_EQ(0, mlx5dv_devx_obj_destroy(self->tis));
	errno = 0;
	EXPECT_EQ(NULL, import_tis(self->ctx, self));
	EXPECT_EQ(ENOENT, errno);
}

TEST_F(export, other_context_import_einval)
{
	struct ibv_context *other = mdx_ctx_open();

	ASSERT_NE(NULL, other);
	errno = 0;
	EXPECT_EQ(NULL, import_tis(other, self));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(0, ibv_close_device(other));
	EXPECT_EQ(0, query_tis(self->tis, self->obj.tisn));
}

/* After the device was removed, destroy frees the handle. */
TEST_F(export, removed_device_destroy_succeeds)
{
	struct mlx5dv_devx_obj *twin = import_tis(self->ctx, self);

	if (!hca_expected())
		SKIP(return, "the driver of this machine is not unbound");
	ASSERT_NE(NULL, twin);
	self->unbound = true;
	ASSERT_EQ(0, write_file(MLX5_DRIVER "/unbind", self->addr));
	EXPECT_EQ(EIO, query_tis(self->tis, self->obj.tisn));
	EXPECT_EQ(NULL, import_tis(self->ctx, self));
	EXPECT_EQ(EIO, errno);
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(twin));
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(self->tis));
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(self->td));
}

/* Close a context by libibverbs' function: libmdx's file stays bound to it. */
static int close_behind_libmdx(struct ibv_context *ctx)
{
	void *lib = dlopen("libibverbs.so.1", RTLD_NOW | RTLD_NOLOAD);
	int (*close_device)(struct ibv_context *ctx) = NULL;

	if (lib)
		close_device = dlsym(lib, "ibv_close_device");
	return close_device ? close_device(ctx) : -1;
}

TEST_F(export, ended_context_destroy_succeeds)
{
	ASSERT_EQ(0, close_behind_libmdx(self->ctx));
	self->ctx = NULL;
	EXPECT_EQ(EIO, query_tis(self->tis, self->obj.tisn));
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(self->tis));
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(self->td));
}

/* Adopts in the order of creation, and the handles work. */
TEST_F(export, adopt_lists_predecessor)
{
	struct ibv_context *next = ibv_import_device(dup(self->ctx->cmd_fd));
	struct mdx_adopted adopted[4];
	uint32_t n = 4;
	int mdx_fd;

	ASSERT_NE(NULL, next);
	ASSERT_EQ(0, mdx_context_fd(self->ctx, &mdx_fd));
	mdx_fd = dup(mdx_fd);
	ASSERT_EQ(0, ibv_close_device(self->ctx));
	self->ctx = next;
	ASSERT_EQ(0, mdx_adopt(next, 0, adopted, &n));
	EXPECT_EQ(0, close(mdx_fd));
	ASSERT_EQ(2, n);
	EXPECT_EQ(MLX5_CMD_OP_ALLOC_TRANSPORT_DOMAIN, adopted[0].opcode);
	EXPECT_EQ(MLX5_CMD_OP_CREATE_TIS, adopted[1].opcode);
	EXPECT_EQ(self->obj.tisn, adopted[1].number);
	EXPECT_EQ(0, query_tis(adopted[1].obj, self->obj.tisn));
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(adopted[1].obj));
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(adopted[0].obj));
}

/* Path of a program beside this one; false if it is not there. */
static bool program_beside(const char *name, char *path, size_t size)
{
	char self[PATH_MAX] = { 0 };

	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		return false;
	if (snprintf(path, size, "%s/%s", dirname(self), name) >= (int)size)
		return false;
	return !access(path, X_OK);
}

/* The example sends by two QPs before an exec and after it: no other is created. */
TEST_F(export, restart_creates_no_qp)
{
	long qps, cqs, mkeys;
	char path[PATH_MAX];

	SKIP_NO_HCA(self->hca, return);
	if (!program_beside("devx_restart", path, sizeof(path)))
		SKIP(return, "devx_restart is not beside this test");
	qps = hca_count(self->hca, MLX5_CMD_OP_CREATE_QP);
	cqs = hca_count(self->hca, MLX5_CMD_OP_CREATE_CQ);
	mkeys = hca_count(self->hca, MLX5_CMD_OP_CREATE_MKEY);
	ASSERT_EQ(0, run("%s >/dev/null", path));
	EXPECT_EQ(qps + 2, hca_count(self->hca, MLX5_CMD_OP_CREATE_QP));
	EXPECT_EQ(cqs + 1, hca_count(self->hca, MLX5_CMD_OP_CREATE_CQ));
	/* Its own, and the one of the first bind. */
	EXPECT_EQ(mkeys + 2, hca_count(self->hca, MLX5_CMD_OP_CREATE_MKEY));
}

TEST_HARNESS_MAIN
