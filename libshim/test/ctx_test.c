// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* Life of a context; threads. */
#include <pthread.h>

#include "user.h"

static void context_imported_served(void)
{
	struct ibv_context *context;

	reset_fakes();
	context = ibv_import_device(1234);
	EXPECT_OK(general_cmd(context));
	EXPECT_EQ(1234, kernel.last[MDX_CMD_BIND].bind.uverbs_fd);
	EXPECT_OK(ibv_close_device(context));
}

static void close_bound_file_first(void)
{
	struct ibv_context *context = open_bound();

	EXPECT_EQ(1, kernel.open_fds);
	EXPECT_OK(ibv_close_device(context));
	EXPECT_STR("Cpc", fake_events);
	EXPECT_EQ(0, kernel.open_fds);

	reset_fakes();
	context = open_ctx();
	EXPECT_OK(ibv_close_device(context));
	EXPECT_STR("c", fake_events);
}

static void close_failed_context_kept(void)
{
	struct ibv_context *context = open_bound();

	fake_verbs.close_ret = -1;
	EXPECT_EQ(-1, ibv_close_device(context));
	EXPECT_OK(general_cmd(context));
	EXPECT_STR("CpcOPBG", fake_events);
	fake_verbs.close_ret = 0;
	EXPECT_OK(ibv_close_device(context));
	EXPECT_EQ(0, kernel.open_fds);
}

/* Objects of a closed context are EBADF on the next one at the same address. */
static void context_address_reused_ebadf(void)
{
	static struct ibv_context storage;
	struct mlx5dv_devx_obj *obj, *kept;
	struct ibv_context *context;

	reset_fakes();
	fake_verbs.reuse = &storage;
	context = open_ctx();
	obj = create_obj(context);
	kept = create_obj(context);
	fake_verbs.close_ret = 1;	/* must not free static memory */
	EXPECT_EQ(1, ibv_close_device(context));
	fake_verbs.close_ret = 0;

	fake_verbs.reuse = &storage;
	EXPECT(open_ctx() == context);
	fake_events_reset();
	memset(out, 0xa5, sizeof(out));
	EXPECT_ERR(EBADF, query_obj(obj));
	EXPECT_ERR(EBADF, modify_obj(obj));
	EXPECT(out_untouched());
	EXPECT_OK(general_cmd(context));
	EXPECT_STR("OPBG", fake_events);
	EXPECT_ERR(EBADF, query_obj(obj));
	EXPECT_OK(mlx5dv_devx_obj_destroy(obj));
	EXPECT_OK(mlx5dv_devx_obj_destroy(kept));
	EXPECT_STR("OPBG", fake_events);
	fake_verbs.close_ret = 1;
	ibv_close_device(context);
}

/*
 * A bound file is closed when another context appears at the same address. The PD
 * stays: libibverbs would look into its context, which is closed.
 */
static void close_unseen_file_closed(void)
{
	static struct ibv_context storage;
	struct ibv_context *context;
	struct ibv_pd *lost;

	reset_fakes();
	fake_verbs.reuse = &storage;
	context = open_ctx();
	EXPECT_OK(general_cmd(context));
	lost = fake_verbs.last_pd;
	fake_verbs.reuse = &storage;
	EXPECT(open_ctx() == context);
	EXPECT_EQ(0, kernel.open_fds);
	EXPECT_OK(general_cmd(context));
	EXPECT_STR("OPBGCOPBG", fake_events);
	fake_verbs.close_ret = 1;
	ibv_close_device(context);
	EXPECT_EQ(0, kernel.open_fds);
	free(lost);
}

#define MANY 200

static void contexts_own_files(void)
{
	static struct ibv_context *contexts[MANY];
	int i, round;

	reset_fakes();
	for (round = 0; round < 2; round++) {
		for (i = 0; i < MANY; i++) {
			fake_verbs.cmd_fd = FAKE_CMD_FD + i;
			contexts[i] = open_ctx();
		}
		for (i = MANY - 1; i >= 0; i--) {
			EXPECT_OK(general_cmd(contexts[i]));
			EXPECT_EQ(FAKE_CMD_FD + i,
				  kernel.last[MDX_CMD_BIND].bind.uverbs_fd);
		}
		EXPECT_EQ(MANY, kernel.open_fds);
		for (i = 0; i < MANY; i++)
			EXPECT_OK(ibv_close_device(contexts[i]));
		EXPECT_EQ(0, kernel.open_fds);
	}
}

#define THREADS 16

static pthread_barrier_t barrier;
static struct ibv_context *shared;

static void *first_use(void *arg)
{
	char tin[16] = { 0 }, tout[16];
	long *ret = arg;
	int i;

	pthread_barrier_wait(&barrier);
	for (i = 0; i < 10; i++)
		*ret |= mlx5dv_devx_general_cmd(shared, tin, 16, tout, 16);
	return NULL;
}

static void threads_race_bind_once(void)
{
	pthread_t threads[THREADS];
	long ret[THREADS] = { 0 };
	int i, round;

	for (round = 0; round < 20; round++) {
		reset_fakes();
		shared = open_ctx();
		pthread_barrier_init(&barrier, NULL, THREADS);
		for (i = 0; i < THREADS; i++)
			pthread_create(&threads[i], NULL, first_use, &ret[i]);
		for (i = 0; i < THREADS; i++)
			pthread_join(threads[i], NULL);
		pthread_barrier_destroy(&barrier);
		for (i = 0; i < THREADS; i++)
			EXPECT_EQ(0, ret[i]);
		EXPECT(!strncmp(fake_events, "OPBG", 4));
		EXPECT(!strpbrk(fake_events + 4, "OPBg"));
		EXPECT_EQ(4 + 10 * THREADS - 1, strlen(fake_events));
		EXPECT_OK(ibv_close_device(shared));
	}
}

static void *open_use_close(void *arg)
{
	char tin[16] = { 0 }, tout[16];
	struct mlx5dv_devx_obj *obj;
	struct ibv_context *context;
	long *ret = arg;
	int i;

	pthread_barrier_wait(&barrier);
	for (i = 0; i < 50; i++) {
		context = ibv_open_device(&fake_devices[0]);
		obj = mlx5dv_devx_obj_create(context, tin, 16, tout, 16);
		if (!obj) {
			*ret = errno;
			break;
		}
		*ret |= mlx5dv_devx_obj_query(obj, tin, 16, tout, 16);
		*ret |= mlx5dv_devx_obj_destroy(obj);
		*ret |= ibv_close_device(context);
	}
	return NULL;
}

static void threads_open_close(void)
{
	pthread_t threads[THREADS];
	long ret[THREADS] = { 0 };
	int i;

	reset_fakes();
	pthread_barrier_init(&barrier, NULL, THREADS);
	for (i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, open_use_close, &ret[i]);
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	pthread_barrier_destroy(&barrier);
	for (i = 0; i < THREADS; i++)
		EXPECT_EQ(0, ret[i]);
	EXPECT_EQ(0, kernel.open_fds);
	EXPECT_EQ(0, fake_verbs.pds);
}

static void context_reason_text(void)
{
	struct ibv_context *context = open_bound();

	errno = 99;
	EXPECT_STR("the context is served by mlx5_devx",
		   context_reason(context));
	EXPECT(strstr(context_reason(NULL), "-lmdx"));
	EXPECT_EQ(99, errno);
	EXPECT_ERR(ENOENT, context_check(NULL));
	ibv_close_device(context);
	context = open_ctx();
	kernel.err[MDX_CMD_BIND] = EOPNOTSUPP;
	EXPECT(strstr(context_reason(context), "MLX5DV_CONTEXT_FLAGS_DEVX"));
	ibv_close_device(context);
}

const struct tap_test ctx_tests[] = {
	TEST(context_imported_served),
	TEST(close_bound_file_first),
	TEST(close_failed_context_kept),
	TEST(context_address_reused_ebadf),
	TEST(close_unseen_file_closed),
	TEST(contexts_own_files),
	TEST(threads_race_bind_once),
	TEST(threads_open_close),
	TEST(context_reason_text),
	{ NULL, NULL }
};
