// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* mlx5dv_devx_obj_export(3) and mdx_adopt(): several handles of an object. */
#define _GNU_SOURCE
#include <dlfcn.h>

#include "user.h"

#include "mdx/mdx.h"
#include "opcodes.h"

/* Looked up by name: the headers and libmlx5 of an unmodified program lack them. */
static __typeof__(mlx5dv_devx_obj_export) *obj_export;
static __typeof__(mlx5dv_devx_obj_import) *obj_import;
static __typeof__(mlx5dv_devx_obj_unimport) *obj_unimport;
static __typeof__(mdx_adopt) *adopt;
static __typeof__(mdx_context_fd) *context_fd;

static const struct mdx_obj_info two_objs[] = {
	{ .id = 1, .opcode = MDX_OPCODE_CREATE_MKEY, .fw_id = 0x1234, .fw_n = 1 },
	{ .id = 7, .opcode = MDX_OPCODE_CREATE_GENERAL_OBJECT,
	  .obj_type = 0x13, .fw_id = 5, .fw_n = 8 },
};

/* A context whose file has two objects, the first of which is returned. */
static struct mlx5dv_devx_obj *open_objs(struct ibv_context **context)
{
	struct mlx5dv_devx_obj *obj;

	obj_export = dlvsym(RTLD_DEFAULT, "mlx5dv_devx_obj_export",
			    "MLX5_1.27");
	obj_import = dlvsym(RTLD_DEFAULT, "mlx5dv_devx_obj_import",
			    "MLX5_1.27");
	obj_unimport = dlvsym(RTLD_DEFAULT, "mlx5dv_devx_obj_unimport",
			      "MLX5_1.27");
	adopt = dlvsym(RTLD_DEFAULT, "mdx_adopt", "MDX_1.3");
	context_fd = dlvsym(RTLD_DEFAULT, "mdx_context_fd", "MDX_1.3");
	*context = open_bound();
	kernel.uid = 0x21;
	obj = create_obj(*context);
	if (!obj)
		abort();
	kernel.objs = two_objs;
	kernel.objs_n = 2;
	fake_events_reset();
	return obj;
}

static void export_import_same_object(void)
{
	struct ibv_context *context, *other;
	struct mlx5dv_devx_obj *obj = open_objs(&context), *twin;
	unsigned char data[MDX_OBJ_EXPORT_SIZE];

	other = ibv_import_device(FAKE_CMD_FD);
	EXPECT_OK(obj_export(obj, data));
	twin = obj_import(other, data);
	EXPECT(twin && twin != obj);
	fake_events_reset();
	EXPECT_OK(query_obj(twin));
	EXPECT_EQ(1, kernel.last[MDX_CMD_OBJ_QUERY].cmd.id);
	EXPECT_OK(modify_obj(twin));
	EXPECT_OK(mlx5dv_devx_obj_destroy(twin));
	EXPECT_EQ(1, kernel.last[MDX_CMD_OBJ_DESTROY].destroy.id);
	EXPECT_STR("QMD", fake_events);
	obj_unimport(obj);
	EXPECT_STR("QMD", fake_events);
	ibv_close_device(other);
	ibv_close_device(context);
}

/* The bytes are those of libmlx5's structure, with a handle that no object has. */
static void export_bytes(void)
{
	struct ibv_context *context;
	struct mlx5dv_devx_obj *obj = open_objs(&context);
	unsigned char data[MDX_OBJ_EXPORT_SIZE + 1];
	static const unsigned char want[16] = {
		0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 1,
	};

	memset(data, 0xa5, sizeof(data));
	EXPECT_OK(obj_export(obj, data));
	EXPECT(!memcmp(data, want, 12));
	EXPECT_EQ(0x21, data[16]);
	EXPECT_EQ(0, data[24]);
	EXPECT_EQ(0xa5, data[MDX_OBJ_EXPORT_SIZE]);
	EXPECT_STR("I", fake_events);
	mlx5dv_devx_obj_destroy(obj);
	ibv_close_device(context);
}

static void import_destroyed_enoent(void)
{
	struct ibv_context *context;
	struct mlx5dv_devx_obj *obj = open_objs(&context);
	unsigned char data[MDX_OBJ_EXPORT_SIZE];

	EXPECT_OK(obj_export(obj, data));
	kernel.objs = two_objs + 1;	/* the next object's id is a higher one */
	kernel.objs_n = 1;
	EXPECT_NULL(ENOENT, obj_import(context, data));
	kernel.objs_n = 0;
	EXPECT_NULL(ENOENT, obj_import(context, data));
	mlx5dv_devx_obj_destroy(obj);
	ibv_close_device(context);
}

static void import_other_uid_einval(void)
{
	struct ibv_context *context;
	struct mlx5dv_devx_obj *obj = open_objs(&context);
	unsigned char data[MDX_OBJ_EXPORT_SIZE];

	EXPECT_OK(obj_export(obj, data));
	kernel.uid++;
	EXPECT_NULL(EINVAL, obj_import(context, data));
	EXPECT_STR("II", fake_events);
	mlx5dv_devx_obj_destroy(obj);
	ibv_close_device(context);
}

static void import_unserved_eopnotsupp(void)
{
	struct ibv_context *context, *other;
	struct mlx5dv_devx_obj *obj = open_objs(&context);
	unsigned char data[MDX_OBJ_EXPORT_SIZE];

	EXPECT_OK(obj_export(obj, data));
	other = open_ctx();
	kernel.open_err = ENOENT;
	EXPECT_NULL(EOPNOTSUPP, obj_import(other, data));
	kernel.open_err = 0;
	mlx5dv_devx_obj_destroy(obj);
	ibv_close_device(other);
	ibv_close_device(context);
}

static void import_without_list_eopnotsupp(void)
{
	struct ibv_context *context;
	struct mlx5dv_devx_obj *obj = open_objs(&context);
	unsigned char data[MDX_OBJ_EXPORT_SIZE];

	EXPECT_OK(obj_export(obj, data));
	kernel.err[MDX_CMD_OBJ_LIST] = ENOTTY;
	EXPECT_NULL(EOPNOTSUPP, obj_import(context, data));
	kernel.err[MDX_CMD_OBJ_LIST] = EIO;
	EXPECT_NULL(EIO, obj_import(context, data));
	mlx5dv_devx_obj_destroy(obj);
	ibv_close_device(context);
}

static void export_closed_ebadf(void)
{
	struct ibv_context *context;
	struct mlx5dv_devx_obj *obj = open_objs(&context);
	unsigned char data[MDX_OBJ_EXPORT_SIZE];

	ibv_close_device(context);
	EXPECT_ERR(EBADF, obj_export(obj, data));
	EXPECT_OK(mlx5dv_devx_obj_destroy(obj));
}

/* Another handle's destroy leaves this one to obj_unimport(). */
static void destroy_twice_enoent(void)
{
	struct ibv_context *context;
	struct mlx5dv_devx_obj *obj = open_objs(&context);

	kernel.err[MDX_CMD_OBJ_DESTROY] = ENOENT;
	EXPECT_ERR(ENOENT, mlx5dv_devx_obj_destroy(obj));
	obj_unimport(obj);
	ibv_close_device(context);
}

/* The device or the context is gone: success, and the handle is freed. */
static void destroy_ended_ok(void)
{
	struct ibv_context *context;
	struct mlx5dv_devx_obj *obj = open_objs(&context);

	kernel.err[MDX_CMD_OBJ_DESTROY] = EIO;
	EXPECT_OK(mlx5dv_devx_obj_destroy(obj));
	ibv_close_device(context);
}

static void libmlx5_objects_forwarded(void)
{
	struct ibv_context *context;
	struct mlx5dv_devx_obj *obj = open_objs(&context), *stock, *twin;
	uint32_t data[MDX_OBJ_EXPORT_SIZE / 4] = { 3 };

	stock = fake_mlx5_create(context);
	fake_events_reset();
	EXPECT_OK(obj_export(stock, data));
	twin = obj_import(context, data);
	EXPECT(twin);
	EXPECT_OK(query_obj(twin));
	obj_unimport(twin);
	EXPECT_STR("eiqu", fake_events);
	mlx5dv_devx_obj_destroy(stock);
	mlx5dv_devx_obj_destroy(obj);
	ibv_close_device(context);
}

/*
 * An object that libmlx5 imported may have any handle. Its 48 bytes end where the
 * sanitizer's begin.
 */
static void libmlx5_handle_of_ours_forwarded(void)
{
	struct ibv_context *context;
	struct mlx5dv_devx_obj *obj = open_objs(&context), *stock;
	uint32_t data[MDX_OBJ_EXPORT_SIZE / 4] = { UINT32_MAX };

	stock = obj_import(context, data);
	EXPECT(stock);
	EXPECT_OK(query_obj(stock));
	EXPECT_OK(modify_obj(stock));
	EXPECT_OK(obj_export(stock, data));
	EXPECT_OK(mlx5dv_devx_obj_destroy(stock));
	EXPECT_STR("iqmed", fake_events);
	mlx5dv_devx_obj_destroy(obj);
	ibv_close_device(context);
}

static void null_einval(void)
{
	struct ibv_context *context;
	struct mlx5dv_devx_obj *obj = open_objs(&context);
	unsigned char data[MDX_OBJ_EXPORT_SIZE] = { 0 };
	struct mdx_adopted adopted;
	uint32_t n = 1;
	int fd;

	EXPECT_ERR(EINVAL, query_obj(NULL));
	EXPECT_ERR(EINVAL, modify_obj(NULL));
	EXPECT_ERR(EINVAL, mlx5dv_devx_obj_destroy(NULL));
	EXPECT_ERR(EINVAL, obj_export(NULL, data));
	EXPECT_ERR(EINVAL, obj_export(obj, NULL));
	EXPECT_NULL(EINVAL, obj_import(NULL, data));
	EXPECT_NULL(EINVAL, obj_import(context, NULL));
	obj_unimport(NULL);
	EXPECT_ERR(EINVAL, context_fd(NULL, &fd));
	EXPECT_ERR(EINVAL, context_fd(context, NULL));
	EXPECT_ERR(EINVAL, adopt(NULL, 0, &adopted, &n));
	EXPECT_ERR(EINVAL, adopt(context, 0, NULL, &n));
	EXPECT_ERR(EINVAL, adopt(context, 0, &adopted, NULL));
	n = 0;
	EXPECT_ERR(EINVAL, adopt(context, 0, &adopted, &n));
	EXPECT_STR("", fake_events);
	mlx5dv_devx_obj_destroy(obj);
	ibv_close_device(context);
}

static void adopt_all(void)
{
	struct ibv_context *context, *other;
	struct mlx5dv_devx_obj *obj = open_objs(&context);
	struct mdx_adopted adopted[3];
	uint32_t n = 3;

	other = ibv_import_device(FAKE_CMD_FD);
	EXPECT_OK(adopt(other, 0, adopted, &n));
	EXPECT_STR("OPBS", fake_events);
	EXPECT_EQ(2, n);
	EXPECT_EQ(1, adopted[0].id);
	EXPECT_EQ(0x200, adopted[0].opcode);
	EXPECT_EQ(0x1234, adopted[0].number);
	EXPECT_EQ(7, adopted[1].id);
	EXPECT_EQ(0xa00, adopted[1].opcode);
	EXPECT_EQ(0x13, adopted[1].obj_type);
	EXPECT_EQ(5, adopted[1].number);
	EXPECT_EQ(8, adopted[1].numbers);
	EXPECT_OK(query_obj(adopted[1].obj));
	EXPECT_EQ(7, kernel.last[MDX_CMD_OBJ_QUERY].cmd.id);
	obj_unimport(adopted[0].obj);
	EXPECT_OK(mlx5dv_devx_obj_destroy(adopted[1].obj));
	EXPECT_EQ(7, kernel.last[MDX_CMD_OBJ_DESTROY].destroy.id);
	mlx5dv_devx_obj_destroy(obj);
	ibv_close_device(other);
	ibv_close_device(context);
}

static void adopt_one_by_one(void)
{
	struct ibv_context *context;
	struct mlx5dv_devx_obj *obj = open_objs(&context);
	struct mdx_adopted adopted = { .id = 0 };
	uint32_t n = 1, seen = 0;

	for (;;) {
		EXPECT_OK(adopt(context, adopted.id, &adopted, &n));
		if (!n)
			break;
		EXPECT_EQ(two_objs[seen].id, adopted.id);
		seen++;
		obj_unimport(adopted.obj);
	}
	EXPECT_EQ(2, seen);
	n = 1;
	EXPECT_OK(adopt(context, UINT32_MAX, &adopted, &n));
	EXPECT_EQ(0, n);
	mlx5dv_devx_obj_destroy(obj);
	ibv_close_device(context);
}

static void adopt_unserved_eopnotsupp(void)
{
	struct ibv_context *context, *other;
	struct mlx5dv_devx_obj *obj = open_objs(&context);
	struct mdx_adopted adopted;
	uint32_t n = 1;
	int fd = 77;

	kernel.err[MDX_CMD_OBJ_LIST] = ENOTTY;
	EXPECT_ERR(EOPNOTSUPP, adopt(context, 0, &adopted, &n));
	other = open_ctx();
	kernel.open_err = EACCES;
	EXPECT_ERR(EOPNOTSUPP, adopt(other, 0, &adopted, &n));
	EXPECT_ERR(EOPNOTSUPP, context_fd(other, &fd));
	EXPECT_EQ(77, fd);
	kernel.open_err = 0;
	mlx5dv_devx_obj_destroy(obj);
	ibv_close_device(other);
	ibv_close_device(context);
}

#ifdef KERNEL_HAS_CALLOC
static void adopt_no_memory_enomem(void)
{
	struct ibv_context *context;
	struct mlx5dv_devx_obj *obj = open_objs(&context);
	unsigned char data[MDX_OBJ_EXPORT_SIZE];
	struct mdx_adopted adopted;
	uint32_t n = 1;

	EXPECT_OK(obj_export(obj, data));
	kernel.calloc_fails = true;
	EXPECT_ERR(ENOMEM, adopt(context, 0, &adopted, &n));
	EXPECT_NULL(ENOMEM, obj_import(context, data));
	kernel.calloc_fails = false;
	mlx5dv_devx_obj_destroy(obj);
	ibv_close_device(context);
}
#endif

static void context_fd_bound_file(void)
{
	struct ibv_context *context;
	struct mlx5dv_devx_obj *obj = open_objs(&context);
	int fd = -1;

	EXPECT_OK(context_fd(context, &fd));
	EXPECT_OK(general_cmd(context));
	EXPECT_EQ(kernel.last_fd, fd);
	mlx5dv_devx_obj_destroy(obj);
	ibv_close_device(context);
}

const struct tap_test share_tests[] = {
	TEST(export_import_same_object),
	TEST(export_bytes),
	TEST(import_destroyed_enoent),
	TEST(import_other_uid_einval),
	TEST(import_unserved_eopnotsupp),
	TEST(import_without_list_eopnotsupp),
	TEST(export_closed_ebadf),
	TEST(destroy_twice_enoent),
	TEST(destroy_ended_ok),
	TEST(libmlx5_objects_forwarded),
	TEST(libmlx5_handle_of_ours_forwarded),
	TEST(null_einval),
	TEST(adopt_all),
	TEST(adopt_one_by_one),
	TEST(adopt_unserved_eopnotsupp),
#ifdef KERNEL_HAS_CALLOC
	TEST(adopt_no_memory_enomem),
#endif
	TEST(context_fd_bound_file),
	{ NULL, NULL }
};
