// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * mdx_batch_run(3mdx) on the device: each test by the module, and by threads of libmdx
 * over the functions of the man pages.
 */
#include <dlfcn.h>

#include "kselftest_harness.h"
#include "batch.h"

#include <mdx/mdx.h>

#define STATUS 0x08
#define SYNDROME 0x00abcdef

#define LIVE(_type) hca_live(self->w.hca, -1, _type, -1)

/*
 * By the module; by threads and libmlx5, in a context that libmdx has not seen; by threads
 * and libmdx, as libmlx5 has created one of the objects.
 */
enum how { BY_MODULE, BY_THREADS, BY_BOTH };

FIXTURE(shim_batch)
{
	struct mdx_world w;
	struct test_batch m;		/* mailboxes */
	struct mdx_batch *b;
	struct mlx5dv_devx_obj *obj[BATCH_ITEMS];
	struct mlx5dv_devx_obj *stock;
	struct ibv_context *ctx;
	int tds, tiss;
};

FIXTURE_VARIANT(shim_batch)
{
	enum how how;
};

FIXTURE_VARIANT_ADD(shim_batch, module)
{
	.how = BY_MODULE,
};

FIXTURE_VARIANT_ADD(shim_batch, threads)
{
	.how = BY_THREADS,
};

FIXTURE_VARIANT_ADD(shim_batch, mixed)
{
	.how = BY_BOTH,
};

/* libmdx does not see this open. */
static struct ibv_context *open_unseen(struct ibv_device *device, void *libmlx5)
{
	__typeof__(mlx5dv_open_device) *open_device = (__typeof__(open_device))
		dlsym(libmlx5, "mlx5dv_open_device");
	struct mlx5dv_context_attr attr = {
		.flags = MLX5DV_CONTEXT_FLAGS_DEVX,
	};

	return open_device ? open_device(device, &attr) : NULL;
}

/* An object that makes the batch one of both libraries. */
static struct mlx5dv_devx_obj *create_stock(struct mdx_world *w, void *libmlx5)
{
	__typeof__(mlx5dv_devx_obj_create) *create = (__typeof__(create))
		dlsym(libmlx5, "mlx5dv_devx_obj_create");

	objtype_build_create(w, OBJTYPE_PD);
	return create(w->mdx.ctx, w->in, w->m.in_len, w->out, w->m.out_len);
}

FIXTURE_SETUP(shim_batch)
{
	void *libmlx5 = dlopen("libmlx5.so.1", RTLD_NOW | RTLD_NOLOAD);

	SETUP_DEVICE(return);
	ASSERT_NE(NULL, libmlx5);
	ASSERT_EQ(0, world_start(&self->w));
	if (!self->w.hca) {
		world_stop(&self->w);
		SKIP_NO_HCA(self->w.hca, return);
	}
	batch_begin(&self->m);
	self->ctx = self->w.mdx.ctx;
	if (variant->how == BY_THREADS)
		self->ctx = open_unseen(self->ctx->device, libmlx5);
	ASSERT_NE(NULL, self->ctx);
	EXPECT_EQ(variant->how == BY_THREADS ? ENOENT : 0,
		  mdx_context_check(self->ctx));
	if (variant->how == BY_BOTH)
		self->stock = create_stock(&self->w, libmlx5);
	self->tds = LIVE("td");
	self->tiss = LIVE("tis");
	self->b = mdx_batch_new(self->ctx, MDX_BATCH_UNDO);
	ASSERT_NE(NULL, self->b);
}

FIXTURE_TEARDOWN(shim_batch)
{
	int i;

	mdx_batch_free(self->b);
	for (i = BATCH_ITEMS; i--;)
		if (self->obj[i])
			EXPECT_EQ(0, mlx5dv_devx_obj_destroy(self->obj[i]));
	EXPECT_EQ(self->tds, LIVE("td"));
	EXPECT_EQ(self->tiss, LIVE("tis"));
	if (self->ctx != self->w.mdx.ctx)
		ibv_close_device(self->ctx);
	world_stop(&self->w);
}

/* The command of w->m as an item of libmdx, with the number of its mailboxes. */
static int add_create(FIXTURE_DATA(shim_batch) *self, enum objtype_id t)
{
	struct mdx_item *item = batch_create(&self->m, &self->w, t, 0);
	unsigned int i = item - self->m.items;

	return mdx_batch_create(self->b, self->m.in[i], item->in_len,
				self->m.out[i], item->out_len, &self->obj[i]);
}

/* A TIS in the transport domain that an item creates. */
static int add_tis(FIXTURE_DATA(shim_batch) *self, int td)
{
	int tis;

	mdx_batch_link(self->b);
	tis = add_create(self, OBJTYPE_TIS);
	if (mdx_batch_ref(self->b, td, TIS_TD_BIT, TIS_TD_WIDTH, 0))
		return -1;
	return tis;
}

static int add_query(FIXTURE_DATA(shim_batch) *self, int tis)
{
	struct mdx_item *item;
	unsigned int i;

	world_build(&self->w, MLX5_CMD_OP_QUERY_TIS, 0,
		    DEVX_ST_SZ_BYTES(query_tis_in),
		    DEVX_ST_SZ_BYTES(query_tis_out));
	item = batch_add(&self->m, &self->w, MDX_CMD_OBJ_QUERY, 0);
	i = item - self->m.items;
	mdx_batch_link(self->b);
	if (mdx_batch_query(self->b, NULL, tis, self->m.in[i], item->in_len,
			    self->m.out[i], item->out_len) < 0)
		return -1;
	return mdx_batch_ref(self->b, tis, __devx_bit_off(query_tis_in, tisn), 24, 0);
}

static int run_batch(FIXTURE_DATA(shim_batch) *self)
{
	if (self->stock)
		mdx_batch_destroy(self->b, self->stock, -1);
	return mdx_batch_run(self->b);
}

static struct mdx_batch_result result_of(FIXTURE_DATA(shim_batch) *self, int item)
{
	struct mdx_batch_result result = { .err = -1 };

	mdx_batch_result(self->b, item, &result);
	return result;
}

TEST_F(shim_batch, chains_with_references)
{
	int chain, td, tis;

	for (chain = 0; chain < 5; chain++) {
		td = add_create(self, OBJTYPE_TD);
		tis = add_tis(self, td);
		ASSERT_EQ(3 * chain + 1, tis);
		ASSERT_EQ(0, add_query(self, tis));
	}
	ASSERT_EQ(0, run_batch(self));
	EXPECT_EQ(-1, mdx_batch_failed(self->b));
	EXPECT_EQ(self->tds + 5, LIVE("td"));
	EXPECT_EQ(self->tiss + 5, LIVE("tis"));
	for (chain = 0; chain < 5; chain++)
		EXPECT_EQ(DEVX_GET(alloc_transport_domain_out,
				   self->m.out[3 * chain], transport_domain),
			  DEVX_GET(query_tis_out, self->m.out[3 * chain + 2],
				   tis_context.transport_domain));
}

TEST_F(shim_batch, refused_undone)
{
	struct mdx_batch_result result;
	int td;

	td = add_create(self, OBJTYPE_TD);
	ASSERT_EQ(1, add_tis(self, td));
	ASSERT_EQ(0, add_query(self, 1));
	ASSERT_EQ(3, add_create(self, OBJTYPE_TD));
	ASSERT_EQ(0, hca_fail(self->w.hca, MLX5_CMD_OP_CREATE_TIS, STATUS,
			      SYNDROME, 1));
	ASSERT_EQ(0, run_batch(self));
	EXPECT_EQ(1, mdx_batch_failed(self->b));
	result = result_of(self, 1);
	EXPECT_EQ(EREMOTEIO, result.err);
	EXPECT_EQ(STATUS, result.status);
	EXPECT_EQ(SYNDROME, result.syndrome);
	EXPECT_EQ(STATUS, batch_out_status(&self->m, 1));
	EXPECT_EQ(0, result_of(self, 0).err);
	EXPECT_EQ(ECANCELED, result_of(self, 2).err);
	EXPECT_EQ(0, result_of(self, 3).err);
	EXPECT_EQ(NULL, self->obj[0]);
	EXPECT_EQ(NULL, self->obj[1]);
	EXPECT_NE(NULL, self->obj[3]);
	EXPECT_EQ(self->tds + 1, LIVE("td"));
}

/* The device keeps the object of a chain that failed: so does the program. */
TEST_F(shim_batch, undo_refused_kept)
{
	int td = add_create(self, OBJTYPE_TD);

	ASSERT_EQ(1, add_tis(self, td));
	ASSERT_EQ(0, hca_fail(self->w.hca, MLX5_CMD_OP_CREATE_TIS, STATUS,
			      SYNDROME, 1));
	ASSERT_EQ(0, hca_fail(self->w.hca, MLX5_CMD_OP_DEALLOC_TRANSPORT_DOMAIN,
			      0x06, SYNDROME, 1));
	ASSERT_EQ(0, run_batch(self));
	EXPECT_EQ(EREMOTEIO, result_of(self, 1).err);
	EXPECT_NE(NULL, self->obj[0]);
	EXPECT_EQ(self->tds + 1, LIVE("td"));
}

/* A refused destroy cancels the rest, and is an errno as that of the function. */
TEST_F(shim_batch, destroy_items)
{
	int td = add_create(self, OBJTYPE_TD);

	ASSERT_EQ(1, add_tis(self, td));
	ASSERT_EQ(2, add_create(self, OBJTYPE_TD));
	mdx_batch_drain(self->b);
	ASSERT_EQ(3, mdx_batch_destroy(self->b, NULL, 2));
	ASSERT_EQ(4, mdx_batch_destroy(self->b, NULL, 0));
	ASSERT_EQ(0, mdx_batch_link(self->b));
	ASSERT_EQ(5, mdx_batch_destroy(self->b, NULL, 1));
	ASSERT_EQ(0, run_batch(self));
	EXPECT_EQ(0, result_of(self, 3).err);
	EXPECT_NE(0, result_of(self, 4).err);
	EXPECT_NE(EREMOTEIO, result_of(self, 4).err);
	EXPECT_EQ(ECANCELED, result_of(self, 5).err);
	EXPECT_EQ(NULL, self->obj[2]);
	EXPECT_NE(NULL, self->obj[0]);
	EXPECT_NE(NULL, self->obj[1]);
}

MDX_HARNESS_MAIN(world_share())
