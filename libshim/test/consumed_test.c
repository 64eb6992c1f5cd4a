// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* Objects of libmlx5 on a served context, and how they are told from the others. */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

#include "user.h"

#include "opcodes.h"

static void set_type(unsigned int opcode, unsigned int obj_type)
{
	in[0] = opcode >> 8;
	in[1] = opcode;
	in[6] = obj_type >> 8;
	in[7] = obj_type;
}

/* Expect that the library with the letters @events creates and destroys an object. */
static void expect_created(struct ibv_context *context, const char *events)
{
	struct mlx5dv_devx_obj *obj;

	fake_events_reset();
	obj = create_obj(context);
	EXPECT(obj);
	EXPECT_EQ(0, query_obj(obj));
	EXPECT_EQ(0, modify_obj(obj));
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(obj));
	EXPECT_STR(events, fake_events);
}

static const struct {
	unsigned int opcode, obj_type;
} consumed[] = {
	{ MDX_OPCODE_CREATE_TIR, 0 },
	{ MDX_OPCODE_CREATE_FLOW_TABLE, 0 },
	{ MDX_OPCODE_ALLOC_FLOW_COUNTER, 0 },
	{ MDX_OPCODE_CREATE_GENERAL_OBJECT, 0x24 },
	{ MDX_OPCODE_CREATE_GENERAL_OBJECT, 0x25 },
	{ MDX_OPCODE_CREATE_GENERAL_OBJECT, 0x31 },
}, ours[] = {
	{ MDX_OPCODE_CREATE_TIS, 0 },
	{ MDX_OPCODE_CREATE_RQT, 0 },
	{ MDX_OPCODE_CREATE_FLOW_GROUP, 0 },
	{ MDX_OPCODE_CREATE_QP, 0 },
	{ MDX_OPCODE_CREATE_GENERAL_OBJECT, 0 },
	{ MDX_OPCODE_CREATE_GENERAL_OBJECT, 0x0d },
};

#define ROWS(table) (sizeof(table) / sizeof(table[0]))

static void consumed_go_to_libmlx5(void)
{
	struct ibv_context *context = open_bound();
	size_t i;

	for (i = 0; i < ROWS(consumed) && !tap_failed; i++) {
		set_type(consumed[i].opcode, consumed[i].obj_type);
		expect_created(context, "nqmd");
	}
	for (i = 0; i < ROWS(ours) && !tap_failed; i++) {
		set_type(ours[i].opcode, ours[i].obj_type);
		expect_created(context, "NQMD");
	}
	set_type(0, 0);
	ibv_close_device(context);
}

/* The context is bound before the type is looked at, so that a report is right. */
static void consumed_first_use_binds(void)
{
	struct ibv_context *context;

	reset_fakes();
	context = open_ctx();
	set_type(MDX_OPCODE_CREATE_TIR, 0);
	fake_events_reset();
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(create_obj(context)));
	EXPECT_STR("OPBnd", fake_events);
	fake_mlx5.err = EREMOTEIO;
	EXPECT_NULL(EREMOTEIO, create_obj(context));
	set_type(0, 0);
	ibv_close_device(context);
}

static void consumed_serve_all(void)
{
	static const char *const values[] = { "", "none", "ALL" };
	struct ibv_context *context = open_bound();
	size_t i;

	setenv("MDX_SERVE", "all", 1);
	for (i = 0; i < ROWS(consumed) && !tap_failed; i++) {
		set_type(consumed[i].opcode, consumed[i].obj_type);
		expect_created(context, "NQMD");
	}
	for (i = 0; i < ROWS(values) && !tap_failed; i++) {
		setenv("MDX_SERVE", values[i], 1);
		expect_created(context, "nqmd");
	}
	unsetenv("MDX_SERVE");
	set_type(0, 0);
	ibv_close_device(context);
}

/* A mailbox that is too short for its header is the module's to refuse. */
static void consumed_short_served(void)
{
	struct ibv_context *context = open_bound();
	struct mlx5dv_devx_obj *objs[2];

	set_type(MDX_OPCODE_CREATE_TIR, 0);
	objs[0] = mlx5dv_devx_obj_create(context, in, 15, out, sizeof(out));
	objs[1] = mlx5dv_devx_obj_create(context, NULL, 16, out, sizeof(out));
	EXPECT_STR("NN", fake_events);
	mlx5dv_devx_obj_destroy(objs[0]);
	mlx5dv_devx_obj_destroy(objs[1]);
	set_type(0, 0);
	ibv_close_device(context);
}

/* @size bytes that end where the memory ends. */
static void *end_of_page(char **page, size_t size)
{
	size_t len = sysconf(_SC_PAGESIZE);

	*page = mmap(NULL, 2 * len, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (*page == MAP_FAILED || mprotect(*page + len, len, PROT_NONE))
		abort();
	return *page + len - size;
}

/* An object of libmlx5 is read as far as the structure of any version goes. */
static void object_end_not_read(void)
{
	/* struct mlx5dv_devx_obj of rdma-core 22, and of 47 and later. */
	static const size_t sizes[] = { 16, 48 };
	struct ibv_context *context = open_bound();
	struct mlx5dv_devx_obj *obj;
	size_t i;
	char *page;

	for (i = 0; i < 2; i++) {
		obj = end_of_page(&page, sizes[i]);
		memcpy(obj, &context, sizeof(context));
		if (sizes[i] == 48)	/* as after an import of any bytes */
			memset((char *)obj + sizeof(context), 0xff, 4);
		fake_events_reset();
		EXPECT_EQ(0, query_obj(obj));
		EXPECT_EQ(0, modify_obj(obj));
		EXPECT_STR("qm", fake_events);
		munmap(page, 2 * sysconf(_SC_PAGESIZE));
	}
	ibv_close_device(context);
}

static void null_arguments_einval(void)
{
	struct ibv_context *context = open_bound();
	struct mlx5dv_port port;

	EXPECT_ERR(EINVAL, mlx5dv_devx_obj_destroy(NULL));
	EXPECT_ERR(EINVAL, query_obj(NULL));
	EXPECT_ERR(EINVAL, modify_obj(NULL));
	EXPECT_NULL(EINVAL, create_obj(NULL));
	EXPECT_ERR(EINVAL, general_cmd(NULL));
	EXPECT_ERR(EINVAL, mlx5dv_query_port(NULL, 1, &port));
#define EXPECT_BOTH(type)						\
	EXPECT_ERR(EINVAL, mlx5dv_devx_##type##_query(NULL, in, 16, out, 16)); \
	EXPECT_ERR(EINVAL, mlx5dv_devx_##type##_modify(NULL, in, 16, out, 16))
	EXPECT_BOTH(cq);
	EXPECT_BOTH(qp);
	EXPECT_BOTH(srq);
	EXPECT_BOTH(wq);
	EXPECT_BOTH(ind_tbl);
	EXPECT_STR("", fake_events);
	ibv_close_device(context);
}

const struct tap_test consumed_tests[] = {
	TEST(consumed_go_to_libmlx5),
	TEST(consumed_first_use_binds),
	TEST(consumed_serve_all),
	TEST(consumed_short_served),
	TEST(object_end_not_read),
	TEST(null_arguments_einval),
	{ NULL, NULL }
};
