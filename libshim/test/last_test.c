// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* mdx_last_error() and the names. */
#define _GNU_SOURCE
#include <dlfcn.h>

#include "user.h"

#include "mdx/mdx.h"

static int (*last_error)(struct ibv_context *context, struct mdx_error *error);
static const char *(*opcode_name)(uint16_t opcode);
static const char *(*status_name)(uint8_t status);
static struct mdx_error error;

static void find(void)
{
	last_error = dlvsym(RTLD_DEFAULT, "mdx_last_error", "MDX_1.2");
	opcode_name = dlvsym(RTLD_DEFAULT, "mdx_opcode_name", "MDX_1.2");
	status_name = dlvsym(RTLD_DEFAULT, "mdx_status_name", "MDX_1.2");
	memset(&error, 0xa5, sizeof(error));
}

static void last_error_is_this_request_and_this_answer(void)
{
	static const unsigned char want[8] = { 48 };
	struct ibv_context *context = open_bound();

	find();
	kernel.last_error = (struct mdx_ioc_last_error){
		.out_count = 0x1122334455667788, .out_cmd = 3,
		.out_stage = MDX_STAGE_DEVICE, .out_errno = EREMOTEIO,
		.out_tid = 4711, .out_opcode = 0x801, .out_obj = 7,
		.out_status = 6, .out_syndrome = 0xabcdef,
	};
	EXPECT(last_error);
	EXPECT_OK(last_error(context, &error));
	EXPECT_STR("L", fake_events);
	EXPECT(!memcmp(kernel.last[MDX_CMD_LAST_ERROR].bytes, want, 8));
	EXPECT_EQ(0x1122334455667788, error.count);
	EXPECT_EQ(MDX_ERROR_DEVICE, error.stage);
	EXPECT_EQ(EREMOTEIO, error.err);
	EXPECT_EQ(0x801, error.opcode);
	EXPECT_EQ(6, error.status);
	EXPECT_EQ(0xabcdef, error.syndrome);
	EXPECT_EQ(7, error.object);
	EXPECT_EQ(4711, error.tid);
	EXPECT_EQ(3, error.call);
	EXPECT_EQ(0, error.reserved[0] | error.reserved[1] | error.reserved[2] |
		     error.reserved[3] | error.reserved[4]);
	ibv_close_device(context);
}

static void last_error_of_a_context_not_served_is_eopnotsupp(void)
{
	struct ibv_context *context;

	fresh();
	find();
	context = open_ctx();
	kernel.open_err = ENOENT;
	EXPECT_ERR(EOPNOTSUPP, last_error(context, &error));
	EXPECT_EQ(0xa5a5a5a5, error.call);
	ibv_close_device(context);
}

static void last_error_that_the_module_lacks_is_eopnotsupp(void)
{
	struct ibv_context *context = open_bound();

	find();
	kernel.err[MDX_CMD_LAST_ERROR] = ENOTTY;
	EXPECT_ERR(EOPNOTSUPP, last_error(context, &error));
	EXPECT_EQ(0xa5a5a5a5, error.call);
	ibv_close_device(context);
}

static void opcodes_have_names(void)
{
	find();
	EXPECT(opcode_name);
	EXPECT_STR("QUERY_HCA_CAP", opcode_name(0x100));
	EXPECT_STR("CREATE_MKEY", opcode_name(0x200));
	EXPECT_STR("DEALLOC_PD", opcode_name(0x801));
	EXPECT_STR("CREATE_GENERAL_OBJECT", opcode_name(0xa00));
	EXPECT_STR("UNKNOWN", opcode_name(0));
	EXPECT_STR("UNKNOWN", opcode_name(0xffff));
}

/* A row out of order would not be found, or hide others. */
static void names_are_found_and_differ(void)
{
	static const char *seen[0x10000];
	int n = 0, i, k;

	find();
	for (i = 0; i < 0x10000; i++) {
		const char *name = opcode_name(i);

		if (!strcmp(name, "UNKNOWN"))
			continue;
		for (k = 0; k < n; k++)
			EXPECT(strcmp(seen[k], name));
		seen[n++] = name;
	}
	EXPECT(n > 200);
}

static void statuses_have_names(void)
{
	find();
	EXPECT(status_name);
	EXPECT_STR("OK", status_name(0));
	EXPECT_STR("RES_BUSY", status_name(6));
	EXPECT_STR("BAD_OUTPUT_LEN", status_name(0x51));
	EXPECT_STR("UNKNOWN", status_name(0x0b));
	EXPECT_STR("UNKNOWN", status_name(0x52));
	EXPECT_STR("UNKNOWN", status_name(0xff));
}

const struct tap_test last_tests[] = {
	TEST(last_error_is_this_request_and_this_answer),
	TEST(last_error_of_a_context_not_served_is_eopnotsupp),
	TEST(last_error_that_the_module_lacks_is_eopnotsupp),
	TEST(opcodes_have_names),
	TEST(names_are_found_and_differ),
	TEST(statuses_have_names),
	{ NULL, NULL }
};
