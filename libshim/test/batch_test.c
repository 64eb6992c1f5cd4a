// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* mdx_batch_run(3mdx): the same batches by the module and by threads. */
#include "batch_user.h"

/* Run a test by each backend. The first EXPECT that fails ends it. */
static void run_backends(void (*test)(enum batch_backend backend))
{
	int backend;

	for (backend = 0; backend < BACKENDS && !tap_failed; backend++) {
		test(backend);
		if (tap_failed)
			printf("# backend %d\n", backend);
	}
}

/* Letter of the events by which the batch was executed. */
static bool executed_by(enum batch_backend backend)
{
	const char *const letters[] = { "U", "N", "n" };

	return strchr(fake_events, letters[backend][0]);
}

/* A chain whose items use what earlier ones have created. */
static void run_chain_by(enum batch_backend backend)
{
	struct user_batch *u = batch_open(backend, 0);
	struct mdx_batch_result result;

	device_log.next = 0x123455;
	EXPECT_EQ(0, batch_add_create(u, 0));
	EXPECT_EQ(0, batch_f.link(u->b));
	EXPECT_EQ(1, batch_add_create(u, 0));
	EXPECT_EQ(0, batch_f.ref(u->b, 0, FIELD_BIT + 8, 24, 0));
	EXPECT_EQ(0, batch_f.link(u->b));
	memset(&u->in[2][FIELD_BIT / 8], 0xff, 4);
	EXPECT_EQ(2, batch_add_modify(u, 1, 0));
	EXPECT_EQ(0, batch_f.ref(u->b, 1, FIELD_BIT, 32, MDX_BATCH_REF_LKEY));
	EXPECT(!u->obj[0] && !u->obj[1]);
	EXPECT_OK(batch_f.run(u->b));
	EXPECT(executed_by(backend));
	EXPECT_EQ(-1, batch_f.failed(u->b));
	EXPECT_EQ(3, device_log.n);
	EXPECT_EQ(0x123456, device_log.cmd[1].field);
	EXPECT_EQ(0x12345700, device_log.cmd[2].field);
	EXPECT(u->obj[0] && u->obj[1] && u->obj[0] != u->obj[1]);
	/* The caller's input is as it was. */
	EXPECT_EQ(0xff, u->in[2][FIELD_BIT / 8 + 3]);
	EXPECT_EQ(0, batch_f.result(u->b, 2, &result));
	EXPECT(!result.err && !result.status && !result.syndrome);
	/* They are ordinary objects. */
	EXPECT_OK(mlx5dv_devx_obj_query(u->obj[1], u->in[2], ITEM_LEN, u->out[2],
					ITEM_LEN));
	EXPECT_OK(mlx5dv_devx_obj_destroy(u->obj[1]));
	EXPECT_EQ(0x123457, device_log.cmd[4].number);
	u->obj[1] = NULL;
	batch_close(u);
}

static void run_chain(void)
{
	run_backends(run_chain_by);
}

/* A refused item cancels the rest of its chain, and no other. */
static void refused_cancels_chain_by(enum batch_backend backend)
{
	struct user_batch *u = batch_open(backend, 0);
	struct mdx_batch_result result;

	batch_add_create(u, 0);
	batch_f.link(u->b);
	batch_add_modify(u, 0, 0x05);
	batch_f.link(u->b);
	batch_add_nop(u, 0);
	batch_add_create(u, 0);
	EXPECT_OK(batch_f.run(u->b));
	EXPECT_EQ(1, batch_f.failed(u->b));
	EXPECT_EQ(0, batch_err(u, 0));
	EXPECT_EQ(0, batch_f.result(u->b, 1, &result));
	EXPECT_EQ(EREMOTEIO, result.err);
	EXPECT_EQ(0x05, result.status);
	EXPECT_EQ(0xabcdef, result.syndrome);
	EXPECT_EQ(0x05, u->out[1][0]);
	EXPECT_EQ(ECANCELED, batch_err(u, 2));
	EXPECT_EQ(0, batch_err(u, 3));
	EXPECT_EQ(3, device_log.n);
	EXPECT(u->obj[0] && u->obj[3]);
	batch_close(u);
}

static void refused_cancels_chain(void)
{
	run_backends(refused_cancels_chain_by);
}

/* An item that names what failed, from behind a drain. */
static void needs_failed_canceled_by(enum batch_backend backend)
{
	struct user_batch *u = batch_open(backend, 0);

	batch_add_create(u, 0x05);
	batch_add_create(u, 0);
	batch_f.drain(u->b);
	batch_add_modify(u, 0, 0);
	batch_add_nop(u, 0);
	EXPECT_EQ(0, batch_f.ref(u->b, 0, FIELD_BIT, 32, 0));
	batch_add_modify(u, 1, 0);
	EXPECT_OK(batch_f.run(u->b));
	EXPECT_EQ(EREMOTEIO, batch_err(u, 0));
	EXPECT(!u->obj[0] && u->obj[1]);
	EXPECT_EQ(ECANCELED, batch_err(u, 2));
	EXPECT_EQ(ECANCELED, batch_err(u, 3));
	EXPECT_EQ(0, batch_err(u, 4));
	batch_close(u);
}

static void needs_failed_canceled(void)
{
	run_backends(needs_failed_canceled_by);
}

static void undo_newest_first_by(enum batch_backend backend)
{
	struct user_batch *u = batch_open(backend, MDX_BATCH_UNDO);
	unsigned int last;

	batch_f.in_flight(u->b, 1);
	batch_add_create(u, 0);
	batch_f.link(u->b);
	batch_add_create(u, 0);
	batch_f.link(u->b);
	batch_add_nop(u, 0x05);
	batch_add_create(u, 0);
	EXPECT_OK(batch_f.run(u->b));
	EXPECT(!u->obj[0] && !u->obj[1] && u->obj[3]);
	EXPECT_EQ(6, device_log.n);
	for (last = 3; device_log.cmd[last].opcode; last++)
		;
	EXPECT_EQ(2, device_log.cmd[last].number);
	EXPECT_EQ(1, device_log.cmd[last + 1].number);
	EXPECT_EQ(0, batch_err(u, 0));
	EXPECT_EQ(0, batch_err(u, 3));
	batch_close(u);
}

static void undo_newest_first(void)
{
	run_backends(undo_newest_first_by);
}

/* The device keeps an object: so does the program. */
static void undo_refused_kept_by(enum batch_backend backend)
{
	struct user_batch *u = batch_open(backend, MDX_BATCH_UNDO);

	device_log.stuck = 2;
	batch_add_create(u, 0);
	batch_f.link(u->b);
	batch_add_create(u, 0);
	batch_f.link(u->b);
	batch_add_create(u, 0x05);
	EXPECT_OK(batch_f.run(u->b));
	EXPECT(!u->obj[0] && u->obj[1] && !u->obj[2]);
	EXPECT_ERR(EBUSY, mlx5dv_devx_obj_destroy(u->obj[1]));
	device_log.stuck = 0;
	EXPECT_OK(mlx5dv_devx_obj_destroy(u->obj[1]));
	u->obj[1] = NULL;
	batch_close(u);
}

static void undo_refused_kept(void)
{
	run_backends(undo_refused_kept_by);
}

static const struct mlx5dv_devx_umem_in memory = {
	.addr = &device_log,
	.size = sizeof(device_log),
	.access = IBV_ACCESS_LOCAL_WRITE,
};

/* Later items get the number of a umem, which is a handle like any other. */
static void umem_item_by(enum batch_backend backend)
{
	struct user_batch *u = batch_open(backend, 0);
	struct mlx5dv_devx_umem *umem;

	EXPECT_EQ(0, batch_f.umem(u->b, &memory, &umem));
	batch_f.link(u->b);
	EXPECT_EQ(1, batch_add_create(u, 0));
	EXPECT_OK(batch_f.ref(u->b, 0, FIELD_BIT, 32, 0));
	EXPECT_OK(batch_f.run(u->b));
	EXPECT_EQ(-1, batch_f.failed(u->b));
	EXPECT(umem);
	EXPECT_EQ(umem->umem_id, device_log.cmd[1].field);
	device_log.stuck = umem->umem_id;
	EXPECT_ERR(EBUSY, mlx5dv_devx_umem_dereg(umem));
	device_log.stuck = 0;
	EXPECT_OK(mlx5dv_devx_umem_dereg(umem));
	batch_close(u);
}

static void umem_item(void)
{
	run_backends(umem_item_by);
}

static void umem_undone_by(enum batch_backend backend)
{
	struct user_batch *u = batch_open(backend, MDX_BATCH_UNDO);
	struct mlx5dv_devx_umem *umem;

	batch_f.umem(u->b, &memory, &umem);
	batch_f.link(u->b);
	batch_add_create(u, 0x05);
	EXPECT_OK(batch_f.run(u->b));
	EXPECT(!umem);
	EXPECT_EQ(0, batch_err(u, 0));
	EXPECT_EQ(3, device_log.n);
	batch_close(u);
}

static void umem_undone(void)
{
	run_backends(umem_undone_by);
}

/* Bits that are not known, and pointers that are NULL */
static void umem_invalid(void)
{
	struct user_batch *u = batch_open(BY_MODULE, 0);
	struct mlx5dv_devx_umem_in in = memory;
	struct mlx5dv_devx_umem *umem;

	in.comp_mask = 1ULL << 40;
	EXPECT_EQ(-1, batch_f.umem(u->b, &in, &umem));
	EXPECT_EQ(EOPNOTSUPP, errno);
	EXPECT_EQ(-1, batch_f.umem(u->b, NULL, &umem));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, batch_f.umem(u->b, &memory, NULL));
	EXPECT_ERR(EINVAL, mlx5dv_devx_umem_dereg(NULL));
	/* It is no object. */
	EXPECT_EQ(0, batch_f.umem(u->b, &memory, &umem));
	EXPECT_EQ(-1, batch_f.destroy(u->b, NULL, 0));
	batch_close(u);
}

static void stop_cancels_rest_by(enum batch_backend backend)
{
	struct user_batch *u = batch_open(backend, MDX_BATCH_STOP);

	EXPECT_OK(batch_f.in_flight(u->b, 1));
	batch_add_create(u, 0);
	batch_add_nop(u, 0x05);
	batch_add_create(u, 0);
	EXPECT_OK(batch_f.run(u->b));
	EXPECT_EQ(2, device_log.n);
	EXPECT_EQ(0, batch_err(u, 0));
	EXPECT_EQ(EREMOTEIO, batch_err(u, 1));
	EXPECT_EQ(ECANCELED, batch_err(u, 2));
	EXPECT(u->obj[0] && !u->obj[2]);
	batch_close(u);
}

static void stop_cancels_rest(void)
{
	run_backends(stop_cancels_rest_by);
}

/* Items behind a drain see all before it ended. */
static void drain_waits_by(enum batch_backend backend)
{
	struct user_batch *u = batch_open(backend, 0);
	unsigned int i, marks = 0;

	device_log.delay_us = 200;
	for (i = 0; i < 20; i++)
		EXPECT_EQ(i, batch_add_create(u, i % 5 ? 0 : 0x05));
	EXPECT_EQ(0, batch_f.drain(u->b));
	for (; i < 40; i++) {
		EXPECT_EQ(i, batch_add_nop(u, 0));
		if ((i - 20) % 5)
			EXPECT_EQ(0, batch_f.ref(u->b, i - 20, FIELD_BIT, 32, 0));
	}
	EXPECT_OK(batch_f.run(u->b));
	EXPECT_EQ(40, device_log.n);
	for (i = 0; i < 40; i++) {
		const struct device_command *cmd = &device_log.cmd[i];

		EXPECT_EQ(i < 20, cmd->mark < 20);
		marks += cmd->mark;
		if (i >= 20 && (cmd->mark - 20) % 5)
			EXPECT_EQ(u->out[cmd->mark - 20][11], cmd->field);
	}
	EXPECT_EQ(39 * 40 / 2, marks);
	EXPECT(device_log.running_max <= 8);
	if (backend == BY_LIBMLX5)
		EXPECT(device_log.running_max > 1);
	batch_close(u);
}

static void drain_waits(void)
{
	run_backends(drain_waits_by);
}

/* An object that an item destroys has no handle any more, unless the device refuses. */
static void destroy_items_by(enum batch_backend backend)
{
	struct user_batch *u = batch_open(backend, 0);
	struct mlx5dv_devx_obj *earlier;
	struct mdx_batch_result result;

	u->in[0][0] = MDX_OPCODE_CREATE_TIS >> 8;
	u->in[0][1] = MDX_OPCODE_CREATE_TIS & 0xff;
	earlier = mlx5dv_devx_obj_create(u->context, u->in[0], ITEM_LEN,
					 u->out[0], ITEM_LEN);
	EXPECT(earlier);
	device_log.stuck = 3;
	EXPECT_OK(batch_f.in_flight(u->b, 1));
	batch_add_create(u, 0);
	batch_f.link(u->b);
	EXPECT_EQ(1, batch_f.destroy(u->b, NULL, 0));
	u->n++;
	EXPECT_EQ(2, batch_f.destroy(u->b, earlier, -1));
	u->n++;
	EXPECT_EQ(3, batch_add_create(u, 0));
	batch_f.link(u->b);
	EXPECT_EQ(4, batch_f.destroy(u->b, NULL, 3));
	u->n++;
	batch_f.link(u->b);
	EXPECT_EQ(5, batch_add_nop(u, 0));
	EXPECT_OK(batch_f.run(u->b));
	EXPECT(!u->obj[0] && u->obj[3]);
	EXPECT_EQ(0, batch_err(u, 1));
	EXPECT_EQ(0, batch_err(u, 2));
	EXPECT_EQ(0, batch_f.result(u->b, 4, &result));
	EXPECT_EQ(EBUSY, result.err);
	EXPECT_EQ(backend == BY_MODULE ? 0x06 : 0, result.status);
	EXPECT_EQ(ECANCELED, batch_err(u, 5));
	batch_close(u);
}

static void destroy_items(void)
{
	run_backends(destroy_items_by);
}

/* Objects that may not exist yet are no references: nothing begins. */
static void reference_order_einval_by(enum batch_backend backend)
{
	struct user_batch *u = batch_open(backend, 0);
	struct mdx_batch_result result;

	batch_add_create(u, 0);
	batch_add_nop(u, 0);
	EXPECT_EQ(0, batch_f.ref(u->b, 0, FIELD_BIT, 32, 0));
	EXPECT_ERR(EINVAL, batch_f.run(u->b));
	EXPECT_EQ(0, device_log.n);
	EXPECT(!u->obj[0]);
	EXPECT_EQ(-1, batch_f.failed(u->b));
	EXPECT_ERR(EINVAL, batch_f.result(u->b, 0, &result));
	EXPECT_ERR(EINVAL, batch_f.run(u->b));
	batch_f.free(u->b);

	u->b = batch_f.new(u->context, 0);
	u->n = 0;
	batch_add_create(u, 0);
	batch_add_modify(u, 0, 0);
	EXPECT_ERR(EINVAL, batch_f.run(u->b));
	EXPECT_EQ(0, device_log.n);
	batch_close(u);
}

static void reference_order_einval(void)
{
	run_backends(reference_order_einval_by);
}

/* Many chains that fail here and there: whatever exists has a handle. */
static void many_chains_by(enum batch_backend backend)
{
	struct user_batch *u = batch_open(backend, MDX_BATCH_UNDO);
	unsigned int alive = 0, handles = 0, i;

	device_log.delay_us = 50;
	for (i = 0; i < ITEMS; i += 2) {
		batch_add_create(u, 0);
		batch_f.link(u->b);
		batch_add_create(u, i % 3 ? 0 : 0x08);
		batch_f.ref(u->b, i, FIELD_BIT + 8, 24, 0);
	}
	EXPECT_OK(batch_f.run(u->b));
	for (i = 0; i < device_log.n; i++) {
		if (device_log.cmd[i].opcode && device_log.cmd[i].number)
			alive++;
		else if (!device_log.cmd[i].opcode)
			alive--;
	}
	for (i = 0; i < ITEMS; i++)
		handles += !!u->obj[i];
	EXPECT_EQ(alive, handles);
	EXPECT_EQ(2 * 21, handles);
	batch_close(u);
}

static void many_chains(void)
{
	run_backends(many_chains_by);
}

const struct tap_test batch_tests[] = {
	TEST(run_chain),
	TEST(refused_cancels_chain),
	TEST(needs_failed_canceled),
	TEST(undo_newest_first),
	TEST(undo_refused_kept),
	TEST(umem_item),
	TEST(umem_undone),
	TEST(umem_invalid),
	TEST(stop_cancels_rest),
	TEST(drain_waits),
	TEST(destroy_items),
	TEST(reference_order_einval),
	TEST(many_chains),
	{ NULL, NULL }
};
