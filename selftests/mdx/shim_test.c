// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* libmdx on the real module, compared with the man pages. */
#include <dlfcn.h>
#include <sys/wait.h>

#include "kselftest_harness.h"
#include "objtypes.h"
#include "opcodes.h"

#include <mdx/mdx.h>

#define SYNDROME 0x00abcdef

/* libmdx interposes the functions that open contexts, so it serves this one. */
FIXTURE(shim)
{
	struct hca_ctl *hca;
	struct ibv_context *ctx;
	uint64_t in[64];
	uint64_t out[64];
};

FIXTURE_SETUP(shim)
{
	SETUP_DEVICE(return);
	self->hca = hca_open();
	self->ctx = mdx_ctx_open();
	ASSERT_NE(NULL, self->ctx);
}

FIXTURE_TEARDOWN(shim)
{
	if (self->ctx)
		ibv_close_device(self->ctx);
	if (!mdx_module_loaded())
		run("modprobe mlx5_devx");
	hca_close(self->hca);
}

static struct mlx5dv_devx_obj *alloc_td(FIXTURE_DATA(shim) *self)
{
	mdx_hdr(self->in, MLX5_CMD_OP_ALLOC_TRANSPORT_DOMAIN, 0, 0);
	return mlx5dv_devx_obj_create(self->ctx, self->in, 16, self->out, 16);
}

static struct mlx5dv_devx_obj *create_tis(FIXTURE_DATA(shim) *self,
					  uint32_t td)
{
	memset(self->in, 0, sizeof(self->in));
	mdx_hdr(self->in, MLX5_CMD_OP_CREATE_TIS, 0, 0);
	DEVX_SET(create_tis_in, self->in, ctx.transport_domain, td);
	return mlx5dv_devx_obj_create(self->ctx, self->in, SZ(create_tis_in),
				      self->out, SZ(create_tis_out));
}

static uint32_t num_of(FIXTURE_DATA(shim) *self)
{
	return mbox_get32(self->out, MBOX_HDR_ID) & 0xffffff;
}

static int query_tis(FIXTURE_DATA(shim) *self, struct mlx5dv_devx_obj *tis,
		     uint32_t tisn)
{
	mdx_hdr(self->in, MLX5_CMD_OP_QUERY_TIS, 0, tisn);
	return mlx5dv_devx_obj_query(tis, self->in, 16, self->out,
				     SZ(query_tis_out));
}

/* Number of files that the module has open and bound. */
static int bound_files(void)
{
	return run("exit $(wc -l </sys/kernel/debug/mlx5_devx/files)");
}

/* Serves a context that was opened with DEVX. */
TEST_F(shim, serves_devx_context)
{
	EXPECT_EQ(0, mdx_context_check(self->ctx));
	EXPECT_STREQ("the context is served by mlx5_devx",
		     mdx_context_reason(self->ctx));
}

TEST_F(shim, object_life)
{
	struct mlx5dv_devx_obj *td, *tis;
	uint32_t tisn;

	td = alloc_td(self);
	ASSERT_NE(NULL, td);
	tis = create_tis(self, num_of(self));
	ASSERT_NE(NULL, tis);
	tisn = num_of(self);
	mdx_hdr(self->in, MLX5_CMD_OP_MODIFY_TIS, 0, tisn);
	DEVX_SET(modify_tis_in, self->in, bitmask.prio, 1);
	DEVX_SET(modify_tis_in, self->in, ctx.prio, 6);
	EXPECT_EQ(0, mlx5dv_devx_obj_modify(tis, self->in, SZ(modify_tis_in),
					    self->out, 16));
	EXPECT_EQ(0, query_tis(self, tis, tisn));
	EXPECT_EQ(6, DEVX_GET(query_tis_out, self->out, tis_context.prio));
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(tis));
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(td));
}

/* Takes the module and not the stock driver. */
TEST_F(shim, module_serves)
{
	struct mlx5dv_devx_obj *td = alloc_td(self);

	ASSERT_NE(NULL, td);
	EXPECT_EQ(1, bound_files());
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(td));
}

TEST_F(shim, general_command)
{
	mdx_hdr(self->in, MLX5_CMD_OP_QUERY_ADAPTER, 0, 0);
	EXPECT_EQ(0, mlx5dv_devx_general_cmd(self->ctx, self->in, 16, self->out,
					     SZ(query_adapter_out)));
}

/* A refused create is null and EREMOTEIO with the answer. */
TEST_F(shim, create_refused_eremoteio)
{
	struct mlx5dv_devx_obj *tis = create_tis(self, 0xfffff0);

	EXPECT_EQ(NULL, tis);
	EXPECT_EQ(EREMOTEIO, errno);
	EXPECT_NE(0, mbox_get32(self->out, 0) >> 24);
	EXPECT_NE(0, mbox_get32(self->out, 4));
}

/* A refused general command is EREMOTEIO both ways. */
TEST_F(shim, general_refused_eremoteio)
{
	mdx_hdr(self->in, MDX_OPCODE_RANGE_LAST, 0, 0);
	errno = 0;
	EXPECT_EQ(EREMOTEIO, mlx5dv_devx_general_cmd(self->ctx, self->in, 16,
						     self->out, 16));
	EXPECT_EQ(EREMOTEIO, errno);
}

/* A wrong class is EINVAL both ways and writes nothing. */
TEST_F(shim, wrong_class_einval)
{
	mdx_hdr(self->in, MLX5_CMD_OP_ALLOC_PD, 0, 0);
	memset(self->out, FILL, sizeof(self->out));
	errno = 0;
	EXPECT_EQ(EINVAL, mlx5dv_devx_general_cmd(self->ctx, self->in, 16,
						  self->out, 16));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_TRUE(all_bytes(self->out, FILL, sizeof(self->out)));
}

/* A create that is too short is null and EINVAL. */
TEST_F(shim, create_short_einval)
{
	mdx_hdr(self->in, MLX5_CMD_OP_CREATE_TIS, 0, 0);
	EXPECT_EQ(NULL, mlx5dv_devx_obj_create(self->ctx, self->in, 16,
					       self->out, 16));
	EXPECT_EQ(EINVAL, errno);
}

/* A length beyond 32 bits is EINVAL. */
TEST_F(shim, length_33_bits_einval)
{
	mdx_hdr(self->in, MLX5_CMD_OP_ALLOC_PD, 0, 0);
	EXPECT_EQ(NULL, mlx5dv_devx_obj_create(self->ctx, self->in,
					       (1UL << 32) + 16, self->out,
					       16));
	EXPECT_EQ(EINVAL, errno);
}

TEST_F(shim, success_keeps_errno)
{
	struct mlx5dv_devx_obj *td;

	ASSERT_EQ(0, mdx_context_check(self->ctx));
	errno = 77;
	td = alloc_td(self);
	EXPECT_EQ(77, errno);
	ASSERT_NE(NULL, td);
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(td));
	EXPECT_EQ(77, errno);
}

/* An object in use survives its destroy. */
TEST_F(shim, destroy_in_use_survives)
{
	struct mlx5dv_devx_obj *td = alloc_td(self);
	struct mlx5dv_devx_obj *tis;

	ASSERT_NE(NULL, td);
	tis = create_tis(self, num_of(self));
	ASSERT_NE(NULL, tis);
	EXPECT_NE(0, mlx5dv_devx_obj_destroy(td));
	EXPECT_NE(EREMOTEIO, errno);
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(tis));
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(td));
}

TEST_F(shim, close_destroys_objects)
{
	uint32_t tdn;

	SKIP_NO_HCA(self->hca, return);
	ASSERT_NE(NULL, alloc_td(self));
	tdn = num_of(self);
	EXPECT_EQ(1, hca_live(self->hca, -1, "td", tdn));
	EXPECT_EQ(0, ibv_close_device(self->ctx));
	self->ctx = NULL;
	EXPECT_EQ(0, hca_live(self->hca, -1, "td", tdn));
	EXPECT_EQ(0, bound_files());
}

TEST_F(shim, close_ends_uid)
{
	int before;

	SKIP_NO_HCA(self->hca, return);
	before = hca_live(self->hca, -1, "uctx", -1);
	ASSERT_NE(NULL, alloc_td(self));
	EXPECT_EQ(0, ibv_close_device(self->ctx));
	self->ctx = NULL;
	EXPECT_EQ(before - 1, hca_live(self->hca, -1, "uctx", -1));
}

/* Umem UAR and eqn of libmlx5 work on the same context. */
TEST_F(shim, libmlx5_umem_uar_eqn)
{
	struct mlx5dv_devx_umem *umem;
	struct mlx5dv_devx_uar *uar;
	static uint8_t mem[8192] __attribute__((aligned(4096)));
	struct mlx5dv_devx_obj *cq;
	uint32_t eqn;

	umem = mlx5dv_devx_umem_reg(self->ctx, mem, sizeof(mem),
				    IBV_ACCESS_LOCAL_WRITE);
	ASSERT_NE(NULL, umem);
	uar = mlx5dv_devx_alloc_uar(self->ctx, MLX5DV_UAR_ALLOC_TYPE_NC);
	ASSERT_NE(NULL, uar);
	ASSERT_EQ(0, mlx5dv_devx_query_eqn(self->ctx, 0, &eqn));
	memset(self->in, 0, sizeof(self->in));
	mdx_hdr(self->in, MLX5_CMD_OP_CREATE_CQ, 0, 0);
	DEVX_SET(create_cq_in, self->in, cq_context.log_cq_size, 5);
	DEVX_SET(create_cq_in, self->in, cq_context.uar_page, uar->page_id);
	DEVX_SET(create_cq_in, self->in, cq_context.c_eqn_or_apu_element, eqn);
	DEVX_SET64(create_cq_in, self->in, cq_context.dbr_addr, 4096);
	mbox_set32(self->in, MBOX_CREATE_CQ_DBR_UMEM_ID, umem->umem_id);
	mbox_set32(self->in, MBOX_CREATE_CQ_UMEM_ID, umem->umem_id);
	cq = mlx5dv_devx_obj_create(self->ctx, self->in, SZ(create_cq_in),
				    self->out, SZ(create_cq_out));
	ASSERT_NE(NULL, cq);
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(cq));
	mlx5dv_devx_free_uar(uar);
	EXPECT_EQ(0, mlx5dv_devx_umem_dereg(umem));
}

TEST_F(shim, mailbox_refers_verbs_pd)
{
	struct ibv_pd *pd = ibv_alloc_pd(self->ctx);
	struct mlx5dv_pd dv = { 0 };
	struct mlx5dv_obj obj = { .pd = { .in = pd, .out = &dv } };
	struct mlx5dv_devx_obj *mkey;

	ASSERT_NE(NULL, pd);
	ASSERT_EQ(0, mlx5dv_init_obj(&obj, MLX5DV_OBJ_PD));
	memset(self->in, 0, sizeof(self->in));
	mdx_hdr(self->in, MLX5_CMD_OP_CREATE_MKEY, 0, 0);
	DEVX_SET(create_mkey_in, self->in, memory_key_mkey_entry.pd, dv.pdn);
	DEVX_SET(create_mkey_in, self->in, memory_key_mkey_entry.qpn,
		 0xffffff);
	DEVX_SET(create_mkey_in, self->in,
		 memory_key_mkey_entry.access_mode_1_0,
		 MLX5_MKC_ACCESS_MODE_KLMS);
	DEVX_SET(create_mkey_in, self->in,
		 memory_key_mkey_entry.translations_octword_size, 4);
	DEVX_SET(create_mkey_in, self->in, memory_key_mkey_entry.free, 1);
	DEVX_SET(create_mkey_in, self->in, memory_key_mkey_entry.umr_en, 1);
	mkey = mlx5dv_devx_obj_create(self->ctx, self->in, SZ(create_mkey_in),
				      self->out, SZ(create_mkey_out));
	ASSERT_NE(NULL, mkey);
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(mkey));
	EXPECT_EQ(0, ibv_dealloc_pd(pd));
}

/* Without the module the stock driver serves. */
TEST_F(shim, no_module_stock_serves)
{
	struct mlx5dv_devx_obj *td;

	if (!hca_expected())
		SKIP(return, "the module of this machine is not unloaded");
	ASSERT_EQ(0, run("rmmod mlx5_devx"));
	td = alloc_td(self);
	ASSERT_NE(NULL, td);
	EXPECT_EQ(ENODEV, mdx_context_check(self->ctx));
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(td));
	mdx_hdr(self->in, MLX5_CMD_OP_QUERY_ADAPTER, 0, 0);
	EXPECT_EQ(0, mlx5dv_devx_general_cmd(self->ctx, self->in, 16, self->out,
					     SZ(query_adapter_out)));
}

/* An unmodified program runs with it preloaded. */
TEST_F(shim, preloaded_program_runs)
{
	if (access("/usr/bin/ibv_devinfo", X_OK))
		SKIP(return, "no ibv_devinfo");
	EXPECT_EQ(0, run("LD_PRELOAD=libmdx.so.1 ibv_devinfo -v >/dev/null"));
}

/* An unmodified program runs with it preloaded without the module. */
TEST_F(shim, preloaded_no_module_runs)
{
	if (!hca_expected())
		SKIP(return, "the module of this machine is not unloaded");
	ASSERT_EQ(0, run("rmmod mlx5_devx"));
	EXPECT_EQ(0, run("LD_PRELOAD=libmdx.so.1 ibv_devinfo -v >/dev/null"));
}

/* A forked child may exit without harm. */
TEST_F(shim, forked_child_exits)
{
	struct mlx5dv_devx_obj *td = alloc_td(self);
	int status;
	pid_t pid;

	ASSERT_NE(NULL, td);
	pid = fork();
	if (!pid)
		_exit(0);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(td));
}

/* Status of a refused destroy, and the errno it becomes. */
FIXTURE(status)
{
	struct hca_ctl *hca;
	struct ibv_context *ctx;
	struct mlx5dv_devx_obj *td;
};

FIXTURE_VARIANT(status)
{
	uint8_t status;
	int err;
};

#define STATUS(s, e)							\
	FIXTURE_VARIANT_ADD(status, s) { .status = 0x##s, .err = e }

STATUS(01, EIO);
STATUS(02, EINVAL);
STATUS(03, EINVAL);
STATUS(04, EIO);
STATUS(05, EINVAL);
STATUS(06, EBUSY);
STATUS(07, EAGAIN);
STATUS(08, ENOMEM);
STATUS(09, EINVAL);
STATUS(0a, EINVAL);
STATUS(0f, EAGAIN);
STATUS(10, EINVAL);
STATUS(30, EINVAL);
STATUS(40, EINVAL);
STATUS(50, EIO);
STATUS(51, EIO);
STATUS(77, EIO);

FIXTURE_SETUP(status)
{
	uint64_t in[2], out[2];

	SETUP_DEVICE(return);
	self->hca = hca_open();
	SKIP_NO_HCA(self->hca, return);
	self->ctx = mdx_ctx_open();
	ASSERT_NE(NULL, self->ctx);
	mdx_hdr(in, MLX5_CMD_OP_ALLOC_TRANSPORT_DOMAIN, 0, 0);
	self->td = mlx5dv_devx_obj_create(self->ctx, in, 16, out, 16);
	ASSERT_NE(NULL, self->td);
}

FIXTURE_TEARDOWN(status)
{
	if (self->ctx)
		ibv_close_device(self->ctx);
	hca_close(self->hca);
}

TEST_F(status, errno_as_stock)
{
	ASSERT_EQ(0, hca_fail(self->hca, MLX5_CMD_OP_DEALLOC_TRANSPORT_DOMAIN,
			      variant->status, SYNDROME, 1));
	errno = 0;
	EXPECT_EQ(variant->err, mlx5dv_devx_obj_destroy(self->td));
	EXPECT_EQ(variant->err, errno);
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(self->td));
}

/* Symbols have the versions of rdma-core, so that binaries find them. */
FIXTURE(symbol)
{
	void *lib;
};

FIXTURE_VARIANT(symbol)
{
	const char *name;
	const char *version;
};

#define SYMBOL(name_, version_)						\
	FIXTURE_VARIANT_ADD(symbol, name_)				\
	{								\
		.name = #name_, .version = version_,			\
	}

SYMBOL(mlx5dv_devx_obj_create, "MLX5_1.7");
SYMBOL(mlx5dv_devx_obj_query, "MLX5_1.7");
SYMBOL(mlx5dv_devx_obj_modify, "MLX5_1.7");
SYMBOL(mlx5dv_devx_obj_destroy, "MLX5_1.7");
SYMBOL(mlx5dv_devx_general_cmd, "MLX5_1.7");
SYMBOL(mlx5dv_open_device, "MLX5_1.7");
SYMBOL(ibv_open_device, "IBVERBS_1.1");
SYMBOL(ibv_close_device, "IBVERBS_1.1");

FIXTURE_SETUP(symbol)
{
	self->lib = dlopen("libmdx.so.1", RTLD_NOW);
	ASSERT_NE(NULL, self->lib);
}

FIXTURE_TEARDOWN(symbol)
{
	dlclose(self->lib);
}

TEST_F(symbol, has_its_version)
{
	void *sym = dlvsym(self->lib, variant->name, variant->version);
	Dl_info info;

	ASSERT_NE(NULL, sym);
	ASSERT_NE(0, dladdr(sym, &info));
	EXPECT_NE(NULL, strstr(info.dli_fname, "libmdx"));
}

TEST_HARNESS_MAIN
