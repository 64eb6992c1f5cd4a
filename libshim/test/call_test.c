// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* mlx5dv_devx_obj_create(3): symbols, requests and errors. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>

#include "user.h"

static void symbol_versions_rdma_core(void)
{
	static const char *const names[][2] = {
		{ "mlx5dv_devx_obj_create", "MLX5_1.7" },
		{ "mlx5dv_devx_obj_query", "MLX5_1.7" },
		{ "mlx5dv_devx_obj_modify", "MLX5_1.7" },
		{ "mlx5dv_devx_obj_destroy", "MLX5_1.7" },
		{ "mlx5dv_devx_obj_export", "MLX5_1.27" },
		{ "mlx5dv_devx_obj_import", "MLX5_1.27" },
		{ "mlx5dv_devx_obj_unimport", "MLX5_1.27" },
		{ "mlx5dv_devx_general_cmd", "MLX5_1.7" },
		{ "mlx5dv_devx_create_cmd_comp", "MLX5_1.9" },
		{ "mlx5dv_devx_destroy_cmd_comp", "MLX5_1.9" },
		{ "mlx5dv_devx_get_async_cmd_comp", "MLX5_1.9" },
		{ "mlx5dv_devx_obj_query_async", "MLX5_1.9" },
		{ "mlx5dv_devx_create_event_channel", "MLX5_1.11" },
		{ "mlx5dv_devx_destroy_event_channel", "MLX5_1.11" },
		{ "mlx5dv_devx_get_event", "MLX5_1.11" },
		{ "mlx5dv_devx_subscribe_devx_event", "MLX5_1.11" },
		{ "mlx5dv_devx_subscribe_devx_event_fd", "MLX5_1.11" },
		{ "mlx5dv_devx_cq_query", "MLX5_1.8" },
		{ "mlx5dv_devx_cq_modify", "MLX5_1.8" },
		{ "mlx5dv_devx_qp_query", "MLX5_1.8" },
		{ "mlx5dv_devx_qp_modify", "MLX5_1.8" },
		{ "mlx5dv_devx_srq_query", "MLX5_1.8" },
		{ "mlx5dv_devx_srq_modify", "MLX5_1.8" },
		{ "mlx5dv_devx_wq_query", "MLX5_1.8" },
		{ "mlx5dv_devx_wq_modify", "MLX5_1.8" },
		{ "mlx5dv_devx_ind_tbl_query", "MLX5_1.8" },
		{ "mlx5dv_devx_ind_tbl_modify", "MLX5_1.8" },
		{ "_mlx5dv_query_port", "MLX5_1.19" },
		{ "mlx5dv_open_device", "MLX5_1.7" },
		{ "ibv_open_device", "IBVERBS_1.1" },
		{ "ibv_close_device", "IBVERBS_1.1" },
		{ "ibv_import_device", "IBVERBS_1.10" },
		{ "mdx_context_check", "MDX_1.0" },
		{ "mdx_context_reason", "MDX_1.0" },
		{ "mdx_query_device_ex", "MDX_1.1" },
		{ "mdx_last_error", "MDX_1.2" },
		{ "mdx_opcode_name", "MDX_1.2" },
		{ "mdx_status_name", "MDX_1.2" },
		{ "mdx_adopt", "MDX_1.3" },
		{ "mdx_context_fd", "MDX_1.3" },
		{ "mlx5dv_query_port", "MDX_1.1" },
		{ "ibv_query_device_ex", "MDX_1.1" },
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

static void first_use_binds_once(void)
{
	static const unsigned char want[16] = {
		16, 0, 0, 0, MDX_BIND_SHARE, 0, 0, 0,
		FAKE_CMD_FD & 0xff, FAKE_CMD_FD >> 8, 0, 0,
		FAKE_PD_HANDLE, 0, 0, 0,
	};
	struct ibv_context *context;

	reset_fakes();
	context = open_ctx();
	EXPECT_STR("", fake_events);
	EXPECT_OK(general_cmd(context));
	EXPECT_STR("OPBG", fake_events);
	EXPECT_EQ(O_RDWR | O_CLOEXEC, kernel.open_flags);
	EXPECT(!memcmp(kernel.last[MDX_CMD_BIND].bytes, want, sizeof(want)));
	EXPECT_EQ(1, fake_verbs.pds);
	EXPECT_OK(general_cmd(context));
	EXPECT_STR("OPBGG", fake_events);
	EXPECT_OK(ibv_close_device(context));
}

static void create_first_use_binds(void)
{
	struct mlx5dv_devx_obj *obj;
	struct ibv_context *context;

	reset_fakes();
	context = open_ctx();
	obj = create_obj(context);
	EXPECT(obj);
	EXPECT_STR("OPBN", fake_events);
	EXPECT_OK(mlx5dv_devx_obj_destroy(obj));
	EXPECT_OK(ibv_close_device(context));
}

static void create_request(void)
{
	struct ibv_context *context = open_bound();
	unsigned char want[40] = { 40 };
	struct mlx5dv_devx_obj *obj;

	put_pointer(want + 8, in);
	put_pointer(want + 16, out);
	want[24] = 0x10;
	want[25] = 0x01;
	want[28] = 0x40;
	errno = 99;
	obj = create_obj(context);
	EXPECT(obj);
	EXPECT_EQ(99, errno);
	EXPECT_STR("N", fake_events);
	EXPECT(!memcmp(kernel.last[MDX_CMD_OBJ_CREATE].bytes, want, 40));
	mlx5dv_devx_obj_destroy(obj);
	ibv_close_device(context);
}

static void query_modify_requests(void)
{
	struct ibv_context *context = open_bound();
	struct mlx5dv_devx_obj *obj = create_obj(context);
	unsigned char want[40] = { 40 };

	put_pointer(want + 8, in);
	put_pointer(want + 16, out);
	want[24] = 0x10;
	want[28] = 0x40;
	want[32] = 0x01;
	EXPECT_OK(query_obj(obj));
	EXPECT(!memcmp(kernel.last[MDX_CMD_OBJ_QUERY].bytes, want, 40));
	want[25] = 0x01;
	EXPECT_OK(modify_obj(obj));
	EXPECT(!memcmp(kernel.last[MDX_CMD_OBJ_MODIFY].bytes, want, 40));
	EXPECT_STR("NQM", fake_events);
	mlx5dv_devx_obj_destroy(obj);
	ibv_close_device(context);
}

static void destroy_request(void)
{
	static const unsigned char want[24] = { 24, [8] = 2 };
	struct ibv_context *context = open_bound();
	struct mlx5dv_devx_obj *obj, *other;

	other = create_obj(context);
	obj = create_obj(context);
	EXPECT_OK(mlx5dv_devx_obj_destroy(obj));
	EXPECT(!memcmp(kernel.last[MDX_CMD_OBJ_DESTROY].bytes, want, 24));
	EXPECT_OK(mlx5dv_devx_obj_destroy(other));
	EXPECT_EQ(1, kernel.last[MDX_CMD_OBJ_DESTROY].destroy.id);
	EXPECT_STR("NNDD", fake_events);
	ibv_close_device(context);
}

static void general_request(void)
{
	struct ibv_context *context = open_bound();
	unsigned char want[32] = { 32 };

	put_pointer(want + 8, in);
	put_pointer(want + 16, out);
	want[24] = 0x10;
	want[28] = 0x40;
	EXPECT_OK(general_cmd(context));
	EXPECT_STR("G", fake_events);
	EXPECT(!memcmp(kernel.last[MDX_CMD_GENERAL].bytes, want, 32));
	ibv_close_device(context);
}

/* A length beyond 32 bits is not truncated to an acceptable one. */
static void mbox_length_saturated(void)
{
	struct ibv_context *context = open_bound();
	struct mlx5dv_devx_obj *obj = create_obj(context);
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

/* Make all calls about objects, and general commands, fail with @err. */
static void fail_calls(int err)
{
	int i;

	for (i = MDX_CMD_OBJ_CREATE; i <= MDX_CMD_GENERAL; i++)
		kernel.err[i] = err;
}

/* The errno reaches the caller, and the output mailbox is untouched. */
static void expect_calls_fail(struct ibv_context *context,
			      struct mlx5dv_devx_obj *obj, int err)
{
	memset(out, 0xa5, sizeof(out));
	fail_calls(err);
	EXPECT_NULL(err, create_obj(context));
	EXPECT_ERR(err, query_obj(obj));
	EXPECT_ERR(err, modify_obj(obj));
	EXPECT_ERR(err, general_cmd(context));
	EXPECT(out_untouched());
}

/* EIO of a destroy is no error: share_test. */
static void call_errno_returned(void)
{
	static const int errs[] = {
		EPERM, ENOENT, ENXIO, E2BIG, EBADF, EAGAIN, ENOMEM,
		EFAULT, EBUSY, EINVAL, ENOSPC, EOPNOTSUPP, ENOTCONN,
		ETIMEDOUT, ENOLINK, ECANCELED,
	};
	struct ibv_context *context = open_bound();
	struct mlx5dv_devx_obj *obj = create_obj(context);
	size_t i;

	for (i = 0; i < sizeof(errs) / sizeof(errs[0]); i++) {
		expect_calls_fail(context, obj, errs[i]);
		EXPECT_ERR(errs[i], mlx5dv_devx_obj_destroy(obj));
	}
	expect_calls_fail(context, obj, EIO);
	kernel_reset();
	EXPECT_OK(mlx5dv_devx_obj_destroy(obj));
	ibv_close_device(context);
}

static void call_enotty_eopnotsupp(void)
{
	struct ibv_context *context = open_bound();
	struct mlx5dv_devx_obj *obj = create_obj(context);

	fail_calls(ENOTTY);
	EXPECT_NULL(EOPNOTSUPP, create_obj(context));
	EXPECT_ERR(EOPNOTSUPP, query_obj(obj));
	EXPECT_ERR(EOPNOTSUPP, modify_obj(obj));
	EXPECT_ERR(EOPNOTSUPP, general_cmd(context));
	EXPECT_ERR(EOPNOTSUPP, mlx5dv_devx_obj_destroy(obj));
	kernel_reset();
	mlx5dv_devx_obj_destroy(obj);
	ibv_close_device(context);
}

static void command_refused_eremoteio(void)
{
	static const unsigned char want[sizeof(out)] = {
		0x03, 0, 0, 0, 0x00, 0xab, 0xcd, 0xef
	};
	struct ibv_context *context = open_bound();
	struct mlx5dv_devx_obj *obj = create_obj(context);

	kernel.status = 0x03;
	memset(out, 0xa5, sizeof(out));
	EXPECT_NULL(EREMOTEIO, create_obj(context));
	EXPECT(!memcmp(out, want, sizeof(out)));
	memset(out, 0xa5, sizeof(out));
	EXPECT_ERR(EREMOTEIO, query_obj(obj));
	EXPECT(!memcmp(out, want, sizeof(out)));
	memset(out, 0xa5, sizeof(out));
	EXPECT_ERR(EREMOTEIO, modify_obj(obj));
	EXPECT(!memcmp(out, want, sizeof(out)));
	memset(out, 0xa5, sizeof(out));
	EXPECT_ERR(EREMOTEIO, general_cmd(context));
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

static void destroy_refused_errno(void)
{
	struct ibv_context *context = open_bound();
	struct mlx5dv_devx_obj *obj = create_obj(context);
	int status;

	for (status = 1; status < 256; status++) {
		kernel.status = status;
		EXPECT_ERR(status_errno(status), mlx5dv_devx_obj_destroy(obj));
		kernel.status = 0;
		EXPECT_OK(query_obj(obj));
	}
	/* Refused, but without a status. */
	kernel.err[MDX_CMD_OBJ_DESTROY] = EREMOTEIO;
	EXPECT_ERR(EIO, mlx5dv_devx_obj_destroy(obj));
	kernel.err[MDX_CMD_OBJ_DESTROY] = 0;
	EXPECT_OK(mlx5dv_devx_obj_destroy(obj));
	ibv_close_device(context);
}

static void call_eintr_restarted(void)
{
	struct ibv_context *context = open_bound();
	struct mlx5dv_devx_obj *obj;

	kernel.eintr = 3;
	EXPECT_OK(general_cmd(context));
	EXPECT_STR("GGGG", fake_events);
	kernel.eintr = 2;
	obj = create_obj(context);
	EXPECT(obj);
	EXPECT_EQ(1, kernel.next_id);
	kernel.eintr = 1;
	EXPECT_OK(query_obj(obj));
	kernel.eintr = 1;
	EXPECT_OK(modify_obj(obj));
	kernel.eintr = 1;
	EXPECT_OK(mlx5dv_devx_obj_destroy(obj));
	ibv_close_device(context);
}

#ifdef KERNEL_HAS_CALLOC
/* ENOMEM before the kernel is called. */
static void create_no_memory_enomem(void)
{
	struct ibv_context *context = open_bound();

	kernel.calloc_fails = true;
	EXPECT_NULL(ENOMEM, create_obj(context));
	EXPECT_STR("", fake_events);
	EXPECT(out_untouched());
	kernel.calloc_fails = false;
	ibv_close_device(context);
}

/* A context that cannot be added to the table is closed again. */
static void open_no_memory_enomem(void)
{
	struct ibv_context *contexts[256];
	int count = 0;

	reset_fakes();
	kernel.calloc_fails = true;
	/* Entries of contexts that were closed are reused first. */
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

const struct tap_test call_tests[] = {
	TEST(symbol_versions_rdma_core),
	TEST(first_use_binds_once),
	TEST(create_first_use_binds),
	TEST(create_request),
	TEST(query_modify_requests),
	TEST(destroy_request),
	TEST(general_request),
	TEST(mbox_length_saturated),
	TEST(call_errno_returned),
	TEST(call_enotty_eopnotsupp),
	TEST(command_refused_eremoteio),
	TEST(destroy_refused_errno),
	TEST(call_eintr_restarted),
#ifdef KERNEL_HAS_CALLOC
	TEST(create_no_memory_enomem),
	TEST(open_no_memory_enomem),
#endif
	{ NULL, NULL }
};
