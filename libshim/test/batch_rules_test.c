// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* mdx_batch_new(3mdx): arguments, errors, and the choice of who executes a batch. */
#include "batch_user.h"

/* A function that adds an item: -1 and errno, and no item. */
#define EXPECT_ADD(err, call) do {					\
	int tap_add;							\
									\
	errno = 0;							\
	tap_add = (call);						\
	EXPECT_EQ(-1, tap_add);						\
	EXPECT_EQ(err, errno);						\
} while (0)

static void batch_new_errno(void)
{
	struct user_batch *u = batch_open(BY_MODULE, 0);

	EXPECT_NULL(EINVAL, batch_f.new(NULL, 0));
	EXPECT_NULL(EOPNOTSUPP, batch_f.new(u->context, 4));
#ifdef KERNEL_HAS_CALLOC
	kernel.calloc_fails = true;
	EXPECT_NULL(ENOMEM, batch_f.new(u->context, 0));
	EXPECT_ADD(ENOMEM, batch_add_create(u, 0));
	u->n--;
	batch_add_nop(u, 0);
	EXPECT_ERR(ENOMEM, batch_f.run(u->b));
	kernel.calloc_fails = false;
#endif
	errno = 99;
	batch_f.free(NULL);
	EXPECT_EQ(99, errno);
	batch_close(u);
}

static void batch_add_einval(void)
{
	struct user_batch *u = batch_open(BY_MODULE, 0);
	struct ibv_context *context = open_ctx();
	struct mlx5dv_devx_obj *obj, *theirs;
	struct ibv_qp qp = { .context = context };

	u->in[0][0] = MDX_OPCODE_CREATE_TIS >> 8;
	u->in[0][1] = MDX_OPCODE_CREATE_TIS & 0xff;
	theirs = mlx5dv_devx_obj_create(context, u->in[0], ITEM_LEN, u->out[0],
					ITEM_LEN);
	EXPECT_ERR(EINVAL, batch_f.link(u->b));
	EXPECT_ERR(EINVAL, batch_f.run(u->b));
	EXPECT_ADD(EINVAL, batch_f.create(NULL, u->in[0], 32, u->out[0], 32, &obj));
	EXPECT_ADD(EINVAL, batch_f.create(u->b, u->in[0], 32, u->out[0], 32, NULL));
	EXPECT_ADD(EINVAL, batch_f.modify(u->b, NULL, 0, u->in[0], 32, u->out[0], 32));
	EXPECT_ADD(EINVAL, batch_f.modify(NULL, NULL, 0, u->in[0], 32, u->out[0], 32));
	EXPECT_ADD(EINVAL, batch_f.query(u->b, theirs, 0, u->in[0], 32, u->out[0], 32));
	EXPECT_ADD(EINVAL, batch_f.destroy(u->b, theirs, 0));
	EXPECT_ADD(EINVAL, batch_f.destroy(u->b, NULL, -1));
	EXPECT_ADD(EINVAL, batch_f.general(NULL, u->in[0], 32, u->out[0], 32));
	EXPECT_ADD(EINVAL, batch_f.verbs_query(u->b, MDX_BATCH_QP, NULL, u->in[0], 32,
					       u->out[0], 32));
	EXPECT_ADD(EINVAL, batch_f.verbs_query(u->b, MDX_BATCH_QP, &qp, u->in[0], 32,
					       u->out[0], 32));
	EXPECT_ADD(EINVAL, batch_f.verbs_modify(u->b, (enum mdx_batch_verbs)6, &qp,
						u->in[0], 32, u->out[0], 32));
	EXPECT_ERR(EINVAL, batch_f.drain(NULL));
	EXPECT_ERR(EINVAL, batch_f.link(NULL));
	EXPECT_ERR(EINVAL, batch_f.run(NULL));
	EXPECT_ERR(EINVAL, batch_f.in_flight(u->b, 0));
	EXPECT_ERR(EINVAL, batch_f.in_flight(u->b, 17));
	EXPECT_EQ(-1, batch_f.failed(NULL));
	/* None of these is an item. */
	EXPECT_EQ(0, batch_add_nop(u, 0));
	EXPECT_ADD(EINVAL, batch_f.destroy(u->b, NULL, 0));
	EXPECT_OK(batch_f.run(u->b));
	EXPECT_ADD(EINVAL, batch_f.general(u->b, u->in[0], 32, u->out[0], 32));
	EXPECT_ERR(EINVAL, batch_f.drain(u->b));
	EXPECT_ERR(EINVAL, batch_f.in_flight(u->b, 1));
	EXPECT_ERR(EINVAL, batch_f.run(u->b));
	EXPECT_ERR(EINVAL, batch_f.result(u->b, 1, &(struct mdx_batch_result){}));
	EXPECT_ERR(EINVAL, batch_f.result(u->b, -1, &(struct mdx_batch_result){}));
	EXPECT_ERR(EINVAL, batch_f.result(u->b, 0, NULL));
	EXPECT_OK(mlx5dv_devx_obj_destroy(theirs));
	ibv_close_device(context);
	batch_close(u);
}

static void batch_ref_einval(void)
{
	struct user_batch *u = batch_open(BY_MODULE, 0);

	EXPECT_ERR(EINVAL, batch_f.ref(u->b, 0, 64, 32, 0));
	batch_add_create(u, 0);
	batch_f.link(u->b);
	EXPECT_ERR(EINVAL, batch_f.ref(u->b, 0, 64, 32, 0));
	batch_add_nop(u, 0);
	EXPECT_ERR(EINVAL, batch_f.ref(u->b, 1, 64, 32, 0));
	EXPECT_ERR(EINVAL, batch_f.ref(u->b, -1, 64, 32, 0));
	EXPECT_ERR(EINVAL, batch_f.ref(u->b, 0, 63, 1, 0));
	EXPECT_ERR(EINVAL, batch_f.ref(u->b, 0, 64, 0, 0));
	EXPECT_ERR(EINVAL, batch_f.ref(u->b, 0, 64, 33, 0));
	EXPECT_ERR(EINVAL, batch_f.ref(u->b, 0, 80, 17, 0));
	EXPECT_ERR(EINVAL, batch_f.ref(u->b, 0, 256, 32, 0));
	EXPECT_ERR(EINVAL, batch_f.ref(u->b, 0, 0xffffffe0, 32, 0));
	EXPECT_ERR(EOPNOTSUPP, batch_f.ref(u->b, 0, 64, 32, 2));
	EXPECT_OK(batch_f.ref(u->b, 0, 224, 32, 0));
	EXPECT_OK(batch_f.run(u->b));
	EXPECT_EQ(1, kernel.last[MDX_CMD_SUBMIT].submit.refs_n);
	batch_close(u);
}

static void batch_full_enospc(void)
{
	struct user_batch *u = batch_open(BY_LIBMLX5, 0);
	int i;

	for (i = 0; i < MDX_BATCH_ITEMS_MAX; i++)
		EXPECT_EQ(i, batch_f.general(u->b, u->in[0], ITEM_LEN, u->out[0],
					     ITEM_LEN));
	EXPECT_ADD(ENOSPC, batch_f.general(u->b, u->in[0], ITEM_LEN, u->out[0],
					   ITEM_LEN));
	batch_close(u);
}

static void batch_run_errno(void)
{
	static const int errs[] = { EIO, ENOMEM, EINVAL };
	struct mdx_batch_result result;
	size_t i;

	for (i = 0; i < sizeof(errs) / sizeof(errs[0]); i++) {
		struct user_batch *u = batch_open(BY_MODULE, 0);

		kernel.err[MDX_CMD_SUBMIT] = errs[i];
		batch_add_create(u, 0);
		EXPECT_ERR(errs[i], batch_f.run(u->b));
		EXPECT(!u->obj[0]);
		EXPECT_ERR(EINVAL, batch_f.result(u->b, 0, &result));
		kernel.err[MDX_CMD_SUBMIT] = 0;
		EXPECT_ERR(EINVAL, batch_f.run(u->b));
		batch_close(u);
	}
}

static void batch_closed_ebadf(void)
{
	struct user_batch *u = batch_open(BY_MODULE, 0);

	batch_add_nop(u, 0);
	ibv_close_device(u->context);
	EXPECT_ERR(EBADF, batch_f.run(u->b));
	EXPECT_EQ(0, device_log.n);
	batch_f.free(u->b);
	free(u);
}

/* The request, and a signal that interrupts it. */
static void batch_request(void)
{
	struct user_batch *u = batch_open(BY_MODULE, MDX_BATCH_UNDO);
	struct mdx_ioc_submit *arg = &kernel.last[MDX_CMD_SUBMIT].submit;

	batch_add_nop(u, 0);
	EXPECT_OK(batch_f.in_flight(u->b, 16));
	kernel.eintr = 2;
	EXPECT_OK(batch_f.run(u->b));
	EXPECT_STR("UUU", fake_events);
	EXPECT_EQ(sizeof(*arg), arg->size);
	EXPECT_EQ(MDX_SUBMIT_UNDO, arg->flags);
	EXPECT_EQ(1, arg->items_n);
	EXPECT_EQ(0, arg->refs_n);
	EXPECT_EQ(sizeof(struct mdx_item), arg->item_size);
	EXPECT_EQ(16, arg->in_flight);
	EXPECT_EQ(-1, arg->channel);
	batch_close(u);
}

/* A batch with an object of libmlx5 is executed by threads, the rest of it as alone. */
static void consumed_by_threads(void)
{
	struct user_batch *u = batch_open(BY_MODULE, 0);

	batch_add_create(u, 0);
	batch_f.drain(u->b);
	u->in[1][0] = MDX_OPCODE_CREATE_TIR >> 8;
	u->in[1][1] = MDX_OPCODE_CREATE_TIR & 0xff;
	EXPECT_EQ(1, batch_f.create(u->b, u->in[1], ITEM_LEN, u->out[1], ITEM_LEN,
				    &u->obj[1]));
	EXPECT_EQ(0, batch_f.ref(u->b, 0, FIELD_BIT, 32, 0));
	u->n++;
	EXPECT_OK(batch_f.run(u->b));
	EXPECT_STR("Nn", fake_events);
	EXPECT_EQ(1, device_log.cmd[1].field);
	batch_f.free(u->b);

	/* So is one that names it. */
	fake_events_reset();
	u->b = batch_f.new(u->context, 0);
	EXPECT_EQ(0, batch_f.modify(u->b, u->obj[1], 0, u->in[2], ITEM_LEN, u->out[2],
				    ITEM_LEN));
	EXPECT_OK(batch_f.run(u->b));
	EXPECT_STR("m", fake_events);
	batch_close(u);
}

/* Objects of verbs; a transition of a QP is libmlx5's. */
static void verbs_items(void)
{
	struct user_batch *u = batch_open(BY_MODULE, 0);
	struct ibv_cq cq = { .context = u->context, .handle = 5 };
	struct ibv_qp qp = { .context = u->context, .handle = 6 };
	struct ibv_srq srq = { .context = u->context, .handle = 7 };
	struct ibv_wq wq = { .context = u->context, .handle = 8 };
	struct ibv_rwq_ind_table table = {
		.context = u->context,
		.ind_tbl_handle = 9,
	};
	void *const verbs[] = { &cq, &qp, &srq, &wq, &table };
	int type, round;

	for (round = 0; round < 2; round++) {
		fake_events_reset();
		if (round)
			kernel.err[MDX_CMD_SUBMIT] = ENOTTY;
		for (type = MDX_BATCH_CQ; type <= MDX_BATCH_IND_TBL; type++) {
			batch_f.link(u->b);
			EXPECT(batch_f.verbs_query(u->b, type, verbs[type - 1],
						   u->in[0], ITEM_LEN, u->out[0],
						   ITEM_LEN) >= 0);
			batch_f.link(u->b);
			EXPECT(batch_f.verbs_modify(u->b, type, verbs[type - 1],
						    u->in[0], ITEM_LEN, u->out[0],
						    ITEM_LEN) >= 0);
		}
		EXPECT_OK(batch_f.run(u->b));
		EXPECT_EQ(-1, batch_f.failed(u->b));
		EXPECT_STR(round ? "UYXYXYXYXYX" : "U", fake_events);
		EXPECT_EQ(10 * (round + 1), device_log.n);
		batch_f.free(u->b);
		u->b = batch_f.new(u->context, 0);
	}
	kernel.err[MDX_CMD_SUBMIT] = 0;
	fake_events_reset();
	u->in[0][0] = MDX_OPCODE_RST2INIT_QP >> 8;
	u->in[0][1] = MDX_OPCODE_RST2INIT_QP & 0xff;
	EXPECT_EQ(0, batch_f.verbs_modify(u->b, MDX_BATCH_QP, &qp, u->in[0], ITEM_LEN,
					  u->out[0], ITEM_LEN));
	EXPECT_OK(batch_f.run(u->b));
	EXPECT_STR("x", fake_events);
	batch_close(u);
}

const struct tap_test batch_rules_tests[] = {
	TEST(batch_new_errno),
	TEST(batch_add_einval),
	TEST(batch_ref_einval),
	TEST(batch_full_enospc),
	TEST(batch_run_errno),
	TEST(batch_closed_ebadf),
	TEST(batch_request),
	TEST(consumed_by_threads),
	TEST(verbs_items),
	{ NULL, NULL }
};
