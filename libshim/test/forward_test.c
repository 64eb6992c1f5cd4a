// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* Calls that are left to libmlx5, and calls of libmlx5 itself. */
#include "user.h"

/* After a first attempt, all calls on @context reach libmlx5. */
static void expect_forwarded(struct ibv_context *context, int reason)
{
	struct mlx5dv_devx_obj *obj;

	EXPECT_EQ(0, general_cmd(context));
	EXPECT(fake_mlx5.context == context && fake_mlx5.in == in &&
	       fake_mlx5.inlen == 16 && fake_mlx5.out == out &&
	       fake_mlx5.outlen == sizeof(out));
	fake_events_reset();
	obj = create_obj(context);
	EXPECT(obj);
	EXPECT_EQ(sizeof(in), fake_mlx5.inlen);
	EXPECT_EQ(0, query_obj(obj));
	EXPECT(fake_mlx5.obj == obj && fake_mlx5.inlen == 16);
	EXPECT_EQ(0, modify_obj(obj));
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(obj));
	EXPECT_STR("nqmd", fake_events);
	EXPECT(!strchr(context_reason(context), '%'));
	EXPECT_ERR(reason, context_check(context));
	fake_mlx5.err = EREMOTEIO;
	EXPECT_NULL(EREMOTEIO, create_obj(context));
	EXPECT_ERR(EREMOTEIO, general_cmd(context));
	fake_mlx5.err = 0;
	EXPECT_STR("nqmdng", fake_events);
}

static void module_missing_forwarded(void)
{
	static const int errs[][2] = {
		{ ENOENT, ENODEV }, { ENOTDIR, ENODEV }, { ENXIO, ENODEV },
		{ ENODEV, ENODEV }, { EACCES, EACCES }, { EPERM, EACCES },
	};
	struct ibv_context *context;
	size_t i;

	for (i = 0; i < sizeof(errs) / sizeof(errs[0]); i++) {
		reset_fakes();
		context = open_ctx();
		kernel.open_err = errs[i][0];
		expect_forwarded(context, errs[i][1]);
		if (tap_failed)
			return;
		EXPECT_OK(ibv_close_device(context));
		EXPECT_EQ(0, kernel.open_fds);
	}
}

/* A node that is not a character device is not used. */
static void node_regular_file_forwarded(void)
{
	struct ibv_context *context;

	reset_fakes();
	context = open_ctx();
	kernel.open_path = "/proc/self/exe";
	expect_forwarded(context, ENOTTY);
	EXPECT_EQ(0, kernel.open_fds);
	ibv_close_device(context);
}

static void context_unbindable_forwarded(void)
{
	static const int errs[] = { ENOTTY, EINVAL, EPERM, EOPNOTSUPP };
	struct ibv_context *context;
	size_t i;

	for (i = 0; i < sizeof(errs) / sizeof(errs[0]); i++) {
		reset_fakes();
		context = open_ctx();
		kernel.err[MDX_CMD_BIND] = errs[i];
		EXPECT_EQ(0, general_cmd(context));
		EXPECT_STR(errs[i] == EOPNOTSUPP ? "OPBpICg" : "OPBpCg",
			   fake_events);
		expect_forwarded(context, errs[i]);
		if (tap_failed)
			return;
		EXPECT_EQ(0, fake_verbs.pds);
		EXPECT_EQ(0, kernel.open_fds);
		ibv_close_device(context);
	}
}

/* A failed attempt to bind fails the call; the next call tries again. */
static void bind_failed_errno(void)
{
	static const int errs[] = { EIO, EBUSY, ENOMEM, ETIMEDOUT, EREMOTEIO };
	struct ibv_context *context;
	size_t i;

	reset_fakes();
	context = open_ctx();
	for (i = 0; i < sizeof(errs) / sizeof(errs[0]); i++) {
		int want = errs[i] == EREMOTEIO ? EIO : errs[i];

		kernel.err[MDX_CMD_BIND] = errs[i];
		EXPECT_ERR(want, general_cmd(context));
		EXPECT_NULL(want, create_obj(context));
		EXPECT_ERR(want, context_check(context));
		EXPECT(strstr(context_reason(context), "tries again"));
	}
	kernel.err[MDX_CMD_BIND] = 0;
	kernel.open_err = EMFILE;
	EXPECT_ERR(EMFILE, general_cmd(context));
	kernel.open_err = 0;
	fake_verbs.alloc_pd_err = ENOMEM;
	EXPECT_ERR(ENOMEM, general_cmd(context));
	fake_verbs.alloc_pd_err = 0;
	EXPECT(out_untouched());
	EXPECT_EQ(0, kernel.open_fds);
	EXPECT_EQ(0, fake_verbs.pds);
	EXPECT_OK(context_check(context));
	EXPECT_OK(general_cmd(context));
	ibv_close_device(context);
}

static void context_unseen_forwarded(void)
{
	struct ibv_context foreign = {
		.device = &fake_devices[0],
		.cmd_fd = FAKE_CMD_FD,
	};

	reset_fakes();
	expect_forwarded(&foreign, ENOENT);
}

static void device_foreign_forwarded(void)
{
	struct ibv_context *context;

	reset_fakes();
	context = ibv_open_device(&fake_devices[1]);
	EXPECT_EQ(0, general_cmd(context));
	EXPECT_STR("g", fake_events);
	expect_forwarded(context, EINVAL);
	ibv_close_device(context);
}

static void context_vfio_forwarded(void)
{
	struct ibv_context *context;

	reset_fakes();
	fake_verbs.cmd_fd = -1;
	context = ibv_open_device(&fake_devices[0]);
	EXPECT_EQ(0, general_cmd(context));
	EXPECT_STR("g", fake_events);
	expect_forwarded(context, EINVAL);
	ibv_close_device(context);
}

static void objects_both_libraries(void)
{
	struct ibv_context *ours = open_bound(), *theirs;
	struct mlx5dv_devx_obj *a, *b;

	kernel.open_err = ENOENT;
	theirs = open_ctx();
	a = create_obj(ours);
	b = create_obj(theirs);
	EXPECT_EQ(0, query_obj(b));
	EXPECT_EQ(0, query_obj(a));
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(a));
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(b));
	EXPECT_STR("NOnqQDd", fake_events);
	ibv_close_device(ours);
	ibv_close_device(theirs);
}

/* libmlx5 sees an object of type 0 with an invalid handle. */
static void object_libmlx5_layout(void)
{
	struct {
		struct ibv_context *context;
		uint32_t handle, type, object_id;
		uint64_t rx_icm_addr;
		uint8_t log_obj_range;
		void *priv;
	} want, is;
	struct ibv_context *context = open_bound();
	struct mlx5dv_devx_obj *obj = create_obj(context);

	memset(&want, 0, sizeof(want));
	want.context = context;
	want.handle = UINT32_MAX;
	want.priv = obj;
	memcpy(&is, obj, sizeof(is));
	EXPECT(!memcmp(&is, &want, sizeof(is)));
	mlx5dv_devx_obj_destroy(obj);
	ibv_close_device(context);
}

static int in_open_ret;

static void general_in_open(struct ibv_context *context)
{
	in_open_ret = fake_mlx5_general(context);
}

static void own_general_in_open(struct ibv_context *context)
{
	in_open_ret = general_cmd(context);
}

static void open_reentered_forwarded(void)
{
	struct ibv_context *context;

	reset_fakes();
	fake_verbs.in_open = general_in_open;
	context = open_ctx();
	EXPECT_EQ(0, in_open_ret);
	EXPECT_STR("g", fake_events);
	ibv_close_device(context);

	reset_fakes();
	fake_verbs.in_open = general_in_open;
	context = ibv_open_device(&fake_devices[0]);
	EXPECT_STR("g", fake_events);
	ibv_close_device(context);

	/* A context is not in the table before its open has returned. */
	reset_fakes();
	fake_verbs.in_open = own_general_in_open;
	context = open_ctx();
	EXPECT_STR("g", fake_events);
	fake_verbs.in_open = NULL;
	EXPECT_OK(general_cmd(context));
	EXPECT_STR("gOPBG", fake_events);
	ibv_close_device(context);
}

static void libmlx5_calls_forwarded(void)
{
	struct ibv_context *context = open_bound();
	struct mlx5dv_devx_obj *obj;

	EXPECT_EQ(0, fake_mlx5_general(context));
	obj = fake_mlx5_create(context);
	EXPECT(obj);
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(obj));
	EXPECT_STR("gnd", fake_events);
	ibv_close_device(context);
}

static void general_in_alloc_pd(struct ibv_context *context)
{
	in_open_ret = general_cmd(context);
}

/*
 * A call from within the bind of the same context is forwarded; it must not
 * deadlock.
 */
static void bind_reentered_forwarded(void)
{
	struct ibv_context *context;

	reset_fakes();
	fake_verbs.in_alloc_pd = general_in_alloc_pd;
	context = open_ctx();
	in_open_ret = -1;
	EXPECT_OK(general_cmd(context));
	EXPECT_EQ(0, in_open_ret);
	EXPECT_STR("OgPBG", fake_events);
	ibv_close_device(context);
}

static void open_failed_errno(void)
{
	struct mlx5dv_context_attr attr = { 0 };

	reset_fakes();
	EXPECT_NULL(EOPNOTSUPP, mlx5dv_open_device(&fake_devices[1], &attr));
	EXPECT_NULL(ENXIO, ibv_open_device(NULL));
}

/* Suite "bare": a libmlx5 that has no DEVX. */
static void call_unserved_eopnotsupp(void)
{
	struct mlx5dv_devx_obj *theirs = calloc(1, 64);
	struct ibv_context *context;

	reset_fakes();
	context = open_ctx();
	kernel.open_err = ENOENT;
	EXPECT_NULL(EOPNOTSUPP, create_obj(context));
	EXPECT_ERR(EOPNOTSUPP, general_cmd(context));
	EXPECT_ERR(EOPNOTSUPP, query_obj(theirs));
	EXPECT_ERR(EOPNOTSUPP, modify_obj(theirs));
	EXPECT_ERR(EOPNOTSUPP, mlx5dv_devx_obj_destroy(theirs));
	EXPECT(out_untouched());
	free(theirs);
	ibv_close_device(context);
}

const struct tap_test forward_tests[] = {
	TEST(module_missing_forwarded),
	TEST(node_regular_file_forwarded),
	TEST(context_unbindable_forwarded),
	TEST(bind_failed_errno),
	TEST(context_unseen_forwarded),
	TEST(device_foreign_forwarded),
	TEST(context_vfio_forwarded),
	TEST(objects_both_libraries),
	TEST(object_libmlx5_layout),
	TEST(open_reentered_forwarded),
	TEST(libmlx5_calls_forwarded),
	TEST(bind_reentered_forwarded),
	TEST(open_failed_errno),
	{ NULL, NULL }
};

const struct tap_test bare_tests[] = {
	TEST(call_unserved_eopnotsupp),
	{ NULL, NULL }
};
