// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * libmdx between a program written against the man pages, above, and fakes of
 * libmlx5, libibverbs and the kernel, below. The same program is linked with
 * -lmdx, and without it and run under LD_PRELOAD.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

#include "fake.h"
#include "kernel.h"
#include "tap.h"

static int (*context_check)(struct ibv_context *context);
static const char *(*context_reason)(struct ibv_context *context);

static unsigned char in[0x110], out[0x40];

static struct ibv_context *open_ctx(void)
{
	struct mlx5dv_context_attr attr = {
		.flags = MLX5DV_CONTEXT_FLAGS_DEVX,
	};
	struct ibv_context *context;

	context = mlx5dv_open_device(&fake_devices[0], &attr);
	if (!context)
		abort();
	return context;
}

/* Nothing scripted, nothing logged, out full of 0xa5. */
static void fresh(void)
{
	kernel_reset();
	memset(&fake_mlx5, 0, sizeof(fake_mlx5));
	fake_verbs = (struct fake_verbs){ .cmd_fd = FAKE_CMD_FD };
	fake_events_reset();
	memset(out, 0xa5, sizeof(out));
}

/* A context that is bound already. */
static struct ibv_context *open_bound(void)
{
	struct ibv_context *context;

	fresh();
	context = open_ctx();
	if (mlx5dv_devx_general_cmd(context, in, 16, out, sizeof(out)))
		abort();
	fresh();
	return context;
}

static int general(struct ibv_context *context)
{
	return mlx5dv_devx_general_cmd(context, in, 16, out, sizeof(out));
}

static struct mlx5dv_devx_obj *create(struct ibv_context *context)
{
	return mlx5dv_devx_obj_create(context, in, sizeof(in), out,
				      sizeof(out));
}

static int query(struct mlx5dv_devx_obj *obj)
{
	return mlx5dv_devx_obj_query(obj, in, 16, out, sizeof(out));
}

static int modify(struct mlx5dv_devx_obj *obj)
{
	return mlx5dv_devx_obj_modify(obj, in, sizeof(in), out, sizeof(out));
}

static bool out_untouched(void)
{
	size_t i;

	for (i = 0; i < sizeof(out); i++)
		if (out[i] != 0xa5)
			return false;
	return true;
}

static void names_have_the_versions_of_rdma_core(void)
{
	static const char *const names[][2] = {
		{ "mlx5dv_devx_obj_create", "MLX5_1.7" },
		{ "mlx5dv_devx_obj_query", "MLX5_1.7" },
		{ "mlx5dv_devx_obj_modify", "MLX5_1.7" },
		{ "mlx5dv_devx_obj_destroy", "MLX5_1.7" },
		{ "mlx5dv_devx_general_cmd", "MLX5_1.7" },
		{ "mlx5dv_open_device", "MLX5_1.7" },
		{ "ibv_open_device", "IBVERBS_1.1" },
		{ "ibv_close_device", "IBVERBS_1.1" },
		{ "ibv_import_device", "IBVERBS_1.10" },
		{ "mdx_context_check", "MDX_1.0" },
		{ "mdx_context_reason", "MDX_1.0" },
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		void *func = dlvsym(RTLD_DEFAULT, names[i][0], names[i][1]);
		Dl_info info;

		EXPECT(func);
		EXPECT(dladdr(func, &info));
		EXPECT(strstr(info.dli_fname, "libmdx.so.1"));
	}
	EXPECT(dlvsym(RTLD_DEFAULT, "mlx5dv_is_supported", "MLX5_1.8"));
}

static void the_first_use_binds_and_the_next_does_not(void)
{
	static const unsigned char want[16] = {
		16, 0, 0, 0, 0, 0, 0, 0,
		FAKE_CMD_FD & 0xff, FAKE_CMD_FD >> 8, 0, 0,
		FAKE_PD_HANDLE, 0, 0, 0,
	};
	struct ibv_context *context;

	fresh();
	context = open_ctx();
	EXPECT_STR("", fake_events);
	EXPECT_OK(general(context));
	EXPECT_STR("OPBpG", fake_events);
	EXPECT_EQ(O_RDWR | O_CLOEXEC, kernel.open_flags);
	EXPECT(!memcmp(kernel.last[MDX_CMD_BIND].bytes, want, sizeof(want)));
	EXPECT_EQ(0, fake_verbs.pds);
	EXPECT_OK(general(context));
	EXPECT_STR("OPBpGG", fake_events);
	EXPECT_OK(ibv_close_device(context));
}

static void an_object_may_be_the_first_use(void)
{
	struct mlx5dv_devx_obj *obj;
	struct ibv_context *context;

	fresh();
	context = open_ctx();
	obj = create(context);
	EXPECT(obj);
	EXPECT_STR("OPBpN", fake_events);
	EXPECT_OK(mlx5dv_devx_obj_destroy(obj));
	EXPECT_OK(ibv_close_device(context));
}

static void put64(unsigned char *at, const void *ptr)
{
	uintptr_t value = (uintptr_t)ptr;

	memcpy(at, &value, 8);
}

static void create_is_this_request(void)
{
	struct ibv_context *context = open_bound();
	unsigned char want[40] = { 40 };
	struct mlx5dv_devx_obj *obj;

	put64(want + 8, in);
	put64(want + 16, out);
	want[24] = 0x10;
	want[25] = 0x01;
	want[28] = 0x40;
	errno = 99;
	obj = create(context);
	EXPECT(obj);
	EXPECT_EQ(99, errno);
	EXPECT_STR("N", fake_events);
	EXPECT(!memcmp(kernel.last[MDX_CMD_OBJ_CREATE].bytes, want, 40));
	mlx5dv_devx_obj_destroy(obj);
	ibv_close_device(context);
}

static void query_and_modify_are_these_requests(void)
{
	struct ibv_context *context = open_bound();
	struct mlx5dv_devx_obj *obj = create(context);
	unsigned char want[40] = { 40 };

	put64(want + 8, in);
	put64(want + 16, out);
	want[24] = 0x10;
	want[28] = 0x40;
	want[32] = 0x01;
	EXPECT_OK(query(obj));
	EXPECT(!memcmp(kernel.last[MDX_CMD_OBJ_QUERY].bytes, want, 40));
	want[25] = 0x01;
	EXPECT_OK(modify(obj));
	EXPECT(!memcmp(kernel.last[MDX_CMD_OBJ_MODIFY].bytes, want, 40));
	EXPECT_STR("NQM", fake_events);
	mlx5dv_devx_obj_destroy(obj);
	ibv_close_device(context);
}

static void destroy_is_this_request(void)
{
	static const unsigned char want[24] = { 24, [8] = 2 };
	struct ibv_context *context = open_bound();
	struct mlx5dv_devx_obj *obj, *other;

	other = create(context);
	obj = create(context);
	EXPECT_OK(mlx5dv_devx_obj_destroy(obj));
	EXPECT(!memcmp(kernel.last[MDX_CMD_OBJ_DESTROY].bytes, want, 24));
	EXPECT_OK(mlx5dv_devx_obj_destroy(other));
	EXPECT_EQ(1, kernel.last[MDX_CMD_OBJ_DESTROY].destroy.id);
	EXPECT_STR("NNDD", fake_events);
	ibv_close_device(context);
}

static void general_is_this_request(void)
{
	struct ibv_context *context = open_bound();
	unsigned char want[32] = { 32 };

	put64(want + 8, in);
	put64(want + 16, out);
	want[24] = 0x10;
	want[28] = 0x40;
	EXPECT_OK(general(context));
	EXPECT_STR("G", fake_events);
	EXPECT(!memcmp(kernel.last[MDX_CMD_GENERAL].bytes, want, 32));
	ibv_close_device(context);
}

static void lengths_are_not_cut_to_32_bits(void)
{
	struct ibv_context *context = open_bound();
	struct mlx5dv_devx_obj *obj = create(context);
	size_t big = (1ull << 32) + 16;
	const struct mdx_ioc_obj_cmd *cmd =
		&kernel.last[MDX_CMD_OBJ_QUERY].cmd;

	mlx5dv_devx_general_cmd(context, in, big, out, 16);
	EXPECT_EQ(UINT32_MAX, kernel.last[MDX_CMD_GENERAL].general.in_len);
	EXPECT_EQ(16, kernel.last[MDX_CMD_GENERAL].general.out_len);
	mlx5dv_devx_obj_query(obj, in, 0, out, big);
	EXPECT_EQ(0, cmd->in_len);
	EXPECT_EQ(UINT32_MAX, cmd->out_len);
	kernel.err[MDX_CMD_OBJ_CREATE] = EINVAL;
	EXPECT_NULL(EINVAL, mlx5dv_devx_obj_create(context, in, big, out, big));
	EXPECT_EQ(UINT32_MAX, kernel.last[MDX_CMD_OBJ_CREATE].create.in_len);
	EXPECT_EQ(UINT32_MAX, kernel.last[MDX_CMD_OBJ_CREATE].create.out_len);
	mlx5dv_devx_obj_destroy(obj);
	ibv_close_device(context);
}

static void every_errno_reaches_the_caller_and_out_is_untouched(void)
{
	static const int errs[] = {
		EPERM, ENOENT, EIO, ENXIO, E2BIG, EBADF, EAGAIN, ENOMEM,
		EFAULT, EBUSY, EINVAL, ENOSPC, EOPNOTSUPP, ENOTCONN,
		ETIMEDOUT, ENOLINK, ECANCELED,
	};
	struct ibv_context *context = open_bound();
	struct mlx5dv_devx_obj *obj = create(context);
	size_t i, j;

	for (i = 0; i < sizeof(errs) / sizeof(errs[0]); i++) {
		memset(out, 0xa5, sizeof(out));
		for (j = MDX_CMD_OBJ_CREATE; j <= MDX_CMD_GENERAL; j++)
			kernel.err[j] = errs[i];
		EXPECT_NULL(errs[i], create(context));
		EXPECT_ERR(errs[i], query(obj));
		EXPECT_ERR(errs[i], modify(obj));
		EXPECT_ERR(errs[i], general(context));
		EXPECT_ERR(errs[i], mlx5dv_devx_obj_destroy(obj));
		EXPECT(out_untouched());
	}
	kernel_reset();
	EXPECT_OK(mlx5dv_devx_obj_destroy(obj));
	ibv_close_device(context);
}

static void a_call_the_module_lacks_is_eopnotsupp(void)
{
	struct ibv_context *context = open_bound();
	struct mlx5dv_devx_obj *obj = create(context);
	int i;

	for (i = MDX_CMD_OBJ_CREATE; i <= MDX_CMD_GENERAL; i++)
		kernel.err[i] = ENOTTY;
	EXPECT_NULL(EOPNOTSUPP, create(context));
	EXPECT_ERR(EOPNOTSUPP, query(obj));
	EXPECT_ERR(EOPNOTSUPP, modify(obj));
	EXPECT_ERR(EOPNOTSUPP, general(context));
	EXPECT_ERR(EOPNOTSUPP, mlx5dv_devx_obj_destroy(obj));
	kernel_reset();
	mlx5dv_devx_obj_destroy(obj);
	ibv_close_device(context);
}

static void a_refused_command_is_eremoteio_and_out_is_the_answer(void)
{
	static const unsigned char want[sizeof(out)] = {
		0x03, 0, 0, 0, 0x00, 0xab, 0xcd, 0xef
	};
	struct ibv_context *context = open_bound();
	struct mlx5dv_devx_obj *obj = create(context);

	kernel.status = 0x03;
	memset(out, 0xa5, sizeof(out));
	EXPECT_NULL(EREMOTEIO, create(context));
	EXPECT(!memcmp(out, want, sizeof(out)));
	memset(out, 0xa5, sizeof(out));
	EXPECT_ERR(EREMOTEIO, query(obj));
	EXPECT(!memcmp(out, want, sizeof(out)));
	memset(out, 0xa5, sizeof(out));
	EXPECT_ERR(EREMOTEIO, modify(obj));
	EXPECT(!memcmp(out, want, sizeof(out)));
	memset(out, 0xa5, sizeof(out));
	EXPECT_ERR(EREMOTEIO, general(context));
	EXPECT(!memcmp(out, want, sizeof(out)));
	kernel.status = 0;
	mlx5dv_devx_obj_destroy(obj);
	ibv_close_device(context);
}

static int status_errno(int status)
{
	switch (status) {
	case 0x06:
		return EBUSY;
	case 0x07:
	case 0x0f:
		return EAGAIN;
	case 0x08:
		return ENOMEM;
	case 0x02:
	case 0x03:
	case 0x05:
	case 0x09:
	case 0x0a:
	case 0x10:
	case 0x30:
	case 0x40:
		return EINVAL;
	default:
		return EIO;
	}
}

static void every_status_of_a_refused_destroy_has_its_errno(void)
{
	struct ibv_context *context = open_bound();
	struct mlx5dv_devx_obj *obj = create(context);
	int status;

	for (status = 1; status < 256; status++) {
		kernel.status = status;
		EXPECT_ERR(status_errno(status), mlx5dv_devx_obj_destroy(obj));
		kernel.status = 0;
		EXPECT_OK(query(obj));
	}
	/* A module that says refused and gives no status. */
	kernel.err[MDX_CMD_OBJ_DESTROY] = EREMOTEIO;
	EXPECT_ERR(EIO, mlx5dv_devx_obj_destroy(obj));
	kernel.err[MDX_CMD_OBJ_DESTROY] = 0;
	EXPECT_OK(mlx5dv_devx_obj_destroy(obj));
	ibv_close_device(context);
}

static void eintr_is_tried_again(void)
{
	struct ibv_context *context = open_bound();
	struct mlx5dv_devx_obj *obj;

	kernel.eintr = 3;
	EXPECT_OK(general(context));
	EXPECT_STR("GGGG", fake_events);
	kernel.eintr = 2;
	obj = create(context);
	EXPECT(obj);
	EXPECT_EQ(1, kernel.next_id);
	kernel.eintr = 1;
	EXPECT_OK(query(obj));
	kernel.eintr = 1;
	EXPECT_OK(modify(obj));
	kernel.eintr = 1;
	EXPECT_OK(mlx5dv_devx_obj_destroy(obj));
	ibv_close_device(context);
}

#ifdef KERNEL_HAS_CALLOC
static void no_memory_is_enomem_before_the_device_sees_it(void)
{
	struct ibv_context *context = open_bound();

	kernel.calloc_fails = true;
	EXPECT_NULL(ENOMEM, create(context));
	EXPECT_STR("", fake_events);
	EXPECT(out_untouched());
	kernel.calloc_fails = false;
	ibv_close_device(context);
}

static void a_context_that_cannot_be_remembered_is_not_opened(void)
{
	struct ibv_context *contexts[256];
	int count = 0;

	fresh();
	kernel.calloc_fails = true;
	/* What closed contexts left behind is used up first. */
	do {
		errno = 0;
		contexts[count] = ibv_open_device(&fake_devices[0]);
	} while (contexts[count] && ++count < 256);
	EXPECT(count < 256);
	EXPECT_EQ(ENOMEM, errno);
	EXPECT_STR("c", fake_events);
	while (count--)
		ibv_close_device(contexts[count]);
	kernel.calloc_fails = false;
}
#endif

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

static void an_imported_context_is_served(void)
{
	struct ibv_context *context;

	fresh();
	context = ibv_import_device(1234);
	EXPECT_OK(general(context));
	EXPECT_EQ(1234, kernel.last[MDX_CMD_BIND].bind.uverbs_fd);
	EXPECT_OK(ibv_close_device(context));
}

static void close_closes_ours_first(void)
{
	struct ibv_context *context = open_bound();

	EXPECT_EQ(1, kernel.open_fds);
	EXPECT_OK(ibv_close_device(context));
	EXPECT_STR("Cc", fake_events);
	EXPECT_EQ(0, kernel.open_fds);

	fresh();
	context = open_ctx();
	EXPECT_OK(ibv_close_device(context));
	EXPECT_STR("c", fake_events);
}

static void a_context_that_does_not_close_is_still_known(void)
{
	struct ibv_context *context = open_bound();

	fake_verbs.close_ret = -1;
	EXPECT_EQ(-1, ibv_close_device(context));
	EXPECT_OK(general(context));
	EXPECT_STR("CcOPBpG", fake_events);
	fake_verbs.close_ret = 0;
	EXPECT_OK(ibv_close_device(context));
	EXPECT_EQ(0, kernel.open_fds);
}

static void a_new_context_at_an_old_address_is_new(void)
{
	static struct ibv_context storage;
	struct mlx5dv_devx_obj *obj, *kept;
	struct ibv_context *context;

	fresh();
	fake_verbs.reuse = &storage;
	context = open_ctx();
	obj = create(context);
	kept = create(context);
	fake_verbs.close_ret = 1;	/* or it frees static storage */
	EXPECT_EQ(1, ibv_close_device(context));
	fake_verbs.close_ret = 0;

	fake_verbs.reuse = &storage;
	EXPECT(open_ctx() == context);
	fake_events_reset();
	memset(out, 0xa5, sizeof(out));
	EXPECT_ERR(EBADF, query(obj));
	EXPECT_ERR(EBADF, modify(obj));
	EXPECT(out_untouched());
	EXPECT_OK(general(context));
	EXPECT_STR("OPBpG", fake_events);
	EXPECT_ERR(EBADF, query(obj));
	EXPECT_OK(mlx5dv_devx_obj_destroy(obj));
	EXPECT_OK(mlx5dv_devx_obj_destroy(kept));
	EXPECT_STR("OPBpG", fake_events);
	fake_verbs.close_ret = 1;
	ibv_close_device(context);
}

static void a_close_behind_our_back_leaves_no_file(void)
{
	static struct ibv_context storage;
	struct ibv_context *context;

	fresh();
	fake_verbs.reuse = &storage;
	context = open_ctx();
	EXPECT_OK(general(context));
	fake_verbs.reuse = &storage;
	EXPECT(open_ctx() == context);
	EXPECT_EQ(0, kernel.open_fds);
	EXPECT_OK(general(context));
	EXPECT_STR("OPBpGCOPBpG", fake_events);
	fake_verbs.close_ret = 1;
	ibv_close_device(context);
	EXPECT_EQ(0, kernel.open_fds);
}

#define MANY 200

static void many_contexts_have_a_file_each(void)
{
	static struct ibv_context *contexts[MANY];
	int i, round;

	fresh();
	for (round = 0; round < 2; round++) {
		for (i = 0; i < MANY; i++) {
			fake_verbs.cmd_fd = FAKE_CMD_FD + i;
			contexts[i] = open_ctx();
		}
		for (i = MANY - 1; i >= 0; i--) {
			EXPECT_OK(general(contexts[i]));
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

static void threads_that_race_for_the_first_use_bind_once(void)
{
	pthread_t threads[THREADS];
	long ret[THREADS] = { 0 };
	int i, round;

	for (round = 0; round < 20; round++) {
		fresh();
		shared = open_ctx();
		pthread_barrier_init(&barrier, NULL, THREADS);
		for (i = 0; i < THREADS; i++)
			pthread_create(&threads[i], NULL, first_use, &ret[i]);
		for (i = 0; i < THREADS; i++)
			pthread_join(threads[i], NULL);
		pthread_barrier_destroy(&barrier);
		for (i = 0; i < THREADS; i++)
			EXPECT_EQ(0, ret[i]);
		EXPECT(!strncmp(fake_events, "OPBpG", 5));
		EXPECT(!strpbrk(fake_events + 5, "OPBpg"));
		EXPECT_EQ(5 + 10 * THREADS - 1, strlen(fake_events));
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

static void threads_open_and_close_at_the_same_time(void)
{
	pthread_t threads[THREADS];
	long ret[THREADS] = { 0 };
	int i;

	fresh();
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

static void reasons_are_sentences(void)
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

#define TEST(func) { #func, func }

static const struct tap_test tests[] = {
	TEST(names_have_the_versions_of_rdma_core),
	TEST(the_first_use_binds_and_the_next_does_not),
	TEST(an_object_may_be_the_first_use),
	TEST(create_is_this_request),
	TEST(query_and_modify_are_these_requests),
	TEST(destroy_is_this_request),
	TEST(general_is_this_request),
	TEST(lengths_are_not_cut_to_32_bits),
	TEST(every_errno_reaches_the_caller_and_out_is_untouched),
	TEST(a_call_the_module_lacks_is_eopnotsupp),
	TEST(a_refused_command_is_eremoteio_and_out_is_the_answer),
	TEST(every_status_of_a_refused_destroy_has_its_errno),
	TEST(eintr_is_tried_again),
#ifdef KERNEL_HAS_CALLOC
	TEST(no_memory_is_enomem_before_the_device_sees_it),
	TEST(a_context_that_cannot_be_remembered_is_not_opened),
#endif
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
	TEST(an_imported_context_is_served),
	TEST(close_closes_ours_first),
	TEST(a_context_that_does_not_close_is_still_known),
	TEST(a_new_context_at_an_old_address_is_new),
	TEST(a_close_behind_our_back_leaves_no_file),
	TEST(many_contexts_have_a_file_each),
	TEST(threads_that_race_for_the_first_use_bind_once),
	TEST(threads_open_and_close_at_the_same_time),
	TEST(reasons_are_sentences),
};

static const struct tap_test bare_tests[] = {
	TEST(nobody_serves_it_is_eopnotsupp),
};

int main(int argc, char **argv)
{
	const char *suite = argc > 1 ? argv[1] : "linked";

	context_check = dlsym(RTLD_DEFAULT, "mdx_context_check");
	context_reason = dlsym(RTLD_DEFAULT, "mdx_context_reason");
	if (!context_check || !context_reason) {
		puts("Bail out! libmdx is not loaded");
		return 1;
	}
	if (!strcmp(suite, "bare"))
		return tap_run(suite, bare_tests, 1);
	return tap_run(suite, tests, sizeof(tests) / sizeof(tests[0]));
}
