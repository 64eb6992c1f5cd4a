// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* What is left to libmlx5, and its own calls. */
#include "user.h"

/* A context that is not served: all calls are those of libmlx5, once tried. */
static void expect_forwarded(struct ibv_context *context, int why)
{
	struct mlx5dv_devx_obj *obj;

	EXPECT_EQ(0, general(context));
	EXPECT(fake_mlx5.context == context && fake_mlx5.in == in &&
	       fake_mlx5.inlen == 16 && fake_mlx5.out == out &&
	       fake_mlx5.outlen == sizeof(out));
	fake_events_reset();
	obj = create(context);
	EXPECT(obj);
	EXPECT_EQ(sizeof(in), fake_mlx5.inlen);
	EXPECT_EQ(0, query(obj));
	EXPECT(fake_mlx5.obj == obj && fake_mlx5.inlen == 16);
	EXPECT_EQ(0, modify(obj));
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(obj));
	EXPECT_STR("nqmd", fake_events);
	EXPECT(!strchr(context_reason(context), '%'));
	EXPECT_ERR(why, context_check(context));
	fake_mlx5.err = EREMOTEIO;
	EXPECT_NULL(EREMOTEIO, create(context));
	EXPECT_ERR(EREMOTEIO, general(context));
	fake_mlx5.err = 0;
	EXPECT_STR("nqmdng", fake_events);
}

static void without_the_module_libmlx5_does_it(void)
{
	static const int errs[][2] = {
		{ ENOENT, ENODEV }, { ENOTDIR, ENODEV }, { ENXIO, ENODEV },
		{ ENODEV, ENODEV }, { EACCES, EACCES }, { EPERM, EACCES },
	};
	struct ibv_context *context;
	size_t i;

	for (i = 0; i < sizeof(errs) / sizeof(errs[0]); i++) {
		fresh();
		context = open_ctx();
		kernel.open_err = errs[i][0];
		expect_forwarded(context, errs[i][1]);
		if (tap_failed)
			return;
		EXPECT_OK(ibv_close_device(context));
		EXPECT_EQ(0, kernel.open_fds);
	}
}

static void a_node_that_is_no_char_device_is_not_trusted(void)
{
	struct ibv_context *context;

	fresh();
	context = open_ctx();
	kernel.open_path = "/proc/self/exe";
	expect_forwarded(context, ENOTTY);
	EXPECT_EQ(0, kernel.open_fds);
	ibv_close_device(context);
}

static void a_context_that_cannot_be_bound_is_libmlx5s(void)
{
	static const int errs[] = { ENOTTY, EINVAL, EPERM, EOPNOTSUPP };
	struct ibv_context *context;
	size_t i;

	for (i = 0; i < sizeof(errs) / sizeof(errs[0]); i++) {
		fresh();
		context = open_ctx();
		kernel.err[MDX_CMD_BIND] = errs[i];
		EXPECT_EQ(0, general(context));
		EXPECT_STR("OPBpCg", fake_events);
		expect_forwarded(context, errs[i]);
		if (tap_failed)
			return;
		EXPECT_EQ(0, fake_verbs.pds);
		EXPECT_EQ(0, kernel.open_fds);
		ibv_close_device(context);
	}
}

static void a_failed_attempt_fails_the_call_and_is_not_remembered(void)
{
	static const int errs[] = { EIO, EBUSY, ENOMEM, ETIMEDOUT, EREMOTEIO };
	struct ibv_context *context;
	size_t i;

	fresh();
	context = open_ctx();
	for (i = 0; i < sizeof(errs) / sizeof(errs[0]); i++) {
		int want = errs[i] == EREMOTEIO ? EIO : errs[i];

		kernel.err[MDX_CMD_BIND] = errs[i];
		EXPECT_ERR(want, general(context));
		EXPECT_NULL(want, create(context));
		EXPECT_ERR(want, context_check(context));
		EXPECT(strstr(context_reason(context), "tries again"));
	}
	kernel.err[MDX_CMD_BIND] = 0;
	kernel.open_err = EMFILE;
	EXPECT_ERR(EMFILE, general(context));
	kernel.open_err = 0;
	fake_verbs.alloc_pd_err = ENOMEM;
	EXPECT_ERR(ENOMEM, general(context));
	fake_verbs.alloc_pd_err = 0;
	EXPECT(out_untouched());
	EXPECT_EQ(0, kernel.open_fds);
	EXPECT_EQ(0, fake_verbs.pds);
	EXPECT_OK(context_check(context));
	EXPECT_OK(general(context));
	ibv_close_device(context);
}

static void a_context_opened_elsewhere_is_libmlx5s(void)
{
	struct ibv_context foreign = {
		.device = &fake_devices[0],
		.cmd_fd = FAKE_CMD_FD,
	};

	fresh();
	expect_forwarded(&foreign, ENOENT);
}

static void a_device_that_is_not_mlx5_is_not_bound(void)
{
	struct ibv_context *context;

	fresh();
	context = ibv_open_device(&fake_devices[1]);
	EXPECT_EQ(0, general(context));
	EXPECT_STR("g", fake_events);
	expect_forwarded(context, EINVAL);
	ibv_close_device(context);
}

static void a_vfio_context_is_not_bound(void)
{
	struct ibv_context *context;

	fresh();
	fake_verbs.cmd_fd = -1;
	context = ibv_open_device(&fake_devices[0]);
	EXPECT_EQ(0, general(context));
	EXPECT_STR("g", fake_events);
	expect_forwarded(context, EINVAL);
	ibv_close_device(context);
}

static void objects_of_both_libraries_live_side_by_side(void)
{
	struct ibv_context *ours = open_bound(), *theirs;
	struct mlx5dv_devx_obj *a, *b;

	kernel.open_err = ENOENT;
	theirs = open_ctx();
	a = create(ours);
	b = create(theirs);
	EXPECT_EQ(0, query(b));
	EXPECT_EQ(0, query(a));
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(a));
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(b));
	EXPECT_STR("NOnqQDd", fake_events);
	ibv_close_device(ours);
	ibv_close_device(theirs);
}

static void an_object_looks_to_libmlx5_like_one_of_no_type(void)
{
	struct {
		struct ibv_context *context;
		uint32_t handle, type, object_id;
		uint64_t rx_icm_addr;
		uint8_t log_obj_range;
		void *priv;
	} want, is;
	struct ibv_context *context = open_bound();
	struct mlx5dv_devx_obj *obj = create(context);

	memset(&want, 0, sizeof(want));
	want.context = context;
	want.handle = UINT32_MAX;
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
	in_open_ret = general(context);
}

static void calls_from_within_open_go_to_libmlx5(void)
{
	struct ibv_context *context;

	fresh();
	fake_verbs.in_open = general_in_open;
	context = open_ctx();
	EXPECT_EQ(0, in_open_ret);
	EXPECT_STR("g", fake_events);
	ibv_close_device(context);

	fresh();
	fake_verbs.in_open = general_in_open;
	context = ibv_open_device(&fake_devices[0]);
	EXPECT_STR("g", fake_events);
	ibv_close_device(context);

	/* Whoever calls: the context is not known before open returned. */
	fresh();
	fake_verbs.in_open = own_general_in_open;
	context = open_ctx();
	EXPECT_STR("g", fake_events);
	fake_verbs.in_open = NULL;
	EXPECT_OK(general(context));
	EXPECT_STR("gOPBpG", fake_events);
	ibv_close_device(context);
}

static void calls_of_libmlx5_itself_stay_its_own(void)
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
	in_open_ret = general(context);
}

static void calls_from_within_bind_do_not_deadlock(void)
{
	struct ibv_context *context;

	fresh();
	fake_verbs.in_alloc_pd = general_in_alloc_pd;
	context = open_ctx();
	in_open_ret = -1;
	EXPECT_OK(general(context));
	EXPECT_EQ(0, in_open_ret);
	EXPECT_STR("OgPBpG", fake_events);
	ibv_close_device(context);
}

static void open_failures_are_those_of_the_next_library(void)
{
	struct mlx5dv_context_attr attr = { 0 };

	fresh();
	EXPECT_NULL(EOPNOTSUPP, mlx5dv_open_device(&fake_devices[1], &attr));
	EXPECT_NULL(ENXIO, ibv_open_device(NULL));
}

/* With a libmlx5 that has no DEVX: argument "bare". */
static void nobody_serves_it_is_eopnotsupp(void)
{
	struct mlx5dv_devx_obj *theirs = calloc(1, 64);
	struct ibv_context *context;

	fresh();
	context = open_ctx();
	kernel.open_err = ENOENT;
	EXPECT_NULL(EOPNOTSUPP, create(context));
	EXPECT_ERR(EOPNOTSUPP, general(context));
	EXPECT_ERR(EOPNOTSUPP, query(theirs));
	EXPECT_ERR(EOPNOTSUPP, modify(theirs));
	EXPECT_ERR(EOPNOTSUPP, mlx5dv_devx_obj_destroy(theirs));
	EXPECT(out_untouched());
	free(theirs);
	ibv_close_device(context);
}

const struct tap_test forward_tests[] = {
	TEST(without_the_module_libmlx5_does_it),
	TEST(a_node_that_is_no_char_device_is_not_trusted),
	TEST(a_context_that_cannot_be_bound_is_libmlx5s),
	TEST(a_failed_attempt_fails_the_call_and_is_not_remembered),
	TEST(a_context_opened_elsewhere_is_libmlx5s),
	TEST(a_device_that_is_not_mlx5_is_not_bound),
	TEST(a_vfio_context_is_not_bound),
	TEST(objects_of_both_libraries_live_side_by_side),
	TEST(an_object_looks_to_libmlx5_like_one_of_no_type),
	TEST(calls_from_within_open_go_to_libmlx5),
	TEST(calls_of_libmlx5_itself_stay_its_own),
	TEST(calls_from_within_bind_do_not_deadlock),
	TEST(open_failures_are_those_of_the_next_library),
	{ NULL, NULL }
};

const struct tap_test bare_tests[] = {
	TEST(nobody_serves_it_is_eopnotsupp),
	{ NULL, NULL }
};
