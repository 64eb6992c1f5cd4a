// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* mdx_last_error(); names of opcodes and statuses. */
#define _GNU_SOURCE
#include <dlfcn.h>

#include "user.h"

#include "mdx/mdx.h"
#include "opcodes.h"

static int (*last_error)(struct ibv_context *context, struct mdx_error *error);
static const char *(*opcode_name)(uint16_t opcode);
static const char *(*status_name)(uint8_t status);
static struct mdx_error error;

static void find_functions(void)
{
	last_error = dlvsym(RTLD_DEFAULT, "mdx_last_error", "MDX_1.2");
	opcode_name = dlvsym(RTLD_DEFAULT, "mdx_opcode_name", "MDX_1.2");
	status_name = dlvsym(RTLD_DEFAULT, "mdx_status_name", "MDX_1.2");
	memset(&error, 0xa5, sizeof(error));
}

static void last_error_answer(void)
{
	static const unsigned char want[8] = { 56 };
	struct ibv_context *context = open_bound();

	find_functions();
	kernel.last_error = (struct mdx_ioc_last_error){
		.out_count = 0x1122334455667788, .out_cmd = 3,
		.out_stage = MDX_STAGE_DEVICE, .out_errno = EREMOTEIO,
		.out_tid = 4711, .out_opcode = MDX_OPCODE_DEALLOC_PD,
		.out_obj = 7,
		.out_status = 6, .out_syndrome = 0xabcdef, .out_item = 12,
	};
	EXPECT(last_error);
	EXPECT_OK(last_error(context, &error));
	EXPECT_STR("L", fake_events);
	EXPECT(!memcmp(kernel.last[MDX_CMD_LAST_ERROR].bytes, want, 8));
	EXPECT_EQ(0x1122334455667788, error.count);
	EXPECT_EQ(MDX_ERROR_DEVICE, error.stage);
	EXPECT_EQ(EREMOTEIO, error.err);
	EXPECT_EQ(MDX_OPCODE_DEALLOC_PD, error.opcode);
	EXPECT_EQ(6, error.status);
	EXPECT_EQ(0xabcdef, error.syndrome);
	EXPECT_EQ(7, error.object);
	EXPECT_EQ(4711, error.tid);
	EXPECT_EQ(3, error.call);
	EXPECT_EQ(12, error.item);
	EXPECT_EQ(0, error.reserved[0] | error.reserved[1] | error.reserved[2] |
		     error.reserved[3] | error.reserved[4]);
	ibv_close_device(context);
}

static void last_error_unserved_eopnotsupp(void)
{
	struct ibv_context *context;

	reset_fakes();
	find_functions();
	context = open_ctx();
	kernel.open_err = ENOENT;
	EXPECT_ERR(EOPNOTSUPP, last_error(context, &error));
	EXPECT_EQ(0xa5a5a5a5, error.call);
	ibv_close_device(context);
}

static void last_error_enotty_eopnotsupp(void)
{
	struct ibv_context *context = open_bound();

	find_functions();
	kernel.err[MDX_CMD_LAST_ERROR] = ENOTTY;
	EXPECT_ERR(EOPNOTSUPP, last_error(context, &error));
	EXPECT_EQ(0xa5a5a5a5, error.call);
	ibv_close_device(context);
}

static void opcode_names(void)
{
	find_functions();
	EXPECT(opcode_name);
	EXPECT_STR("QUERY_HCA_CAP", opcode_name(MDX_OPCODE_QUERY_HCA_CAP));
	EXPECT_STR("CREATE_MKEY", opcode_name(MDX_OPCODE_CREATE_MKEY));
	EXPECT_STR("DEALLOC_PD", opcode_name(MDX_OPCODE_DEALLOC_PD));
	EXPECT_STR("CREATE_GENERAL_OBJECT",
		   opcode_name(MDX_OPCODE_CREATE_GENERAL_OBJECT));
	EXPECT_STR("UNKNOWN", opcode_name(0));
	EXPECT_STR("UNKNOWN", opcode_name(0xffff));
}

/* Names are there for more than 200 opcodes, and none is used twice. */
static void opcode_names_unique(void)
{
	static const char *seen[0x10000];
	int n = 0, i, k;

	find_functions();
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

static void status_names(void)
{
	find_functions();
	EXPECT(status_name);
	EXPECT_STR("OK", status_name(0));
	EXPECT_STR("RES_BUSY", status_name(6));
	EXPECT_STR("BAD_OUTPUT_LEN", status_name(0x51));
	EXPECT_STR("UNKNOWN", status_name(0x0b));
	EXPECT_STR("UNKNOWN", status_name(0x52));
	EXPECT_STR("UNKNOWN", status_name(0xff));
}

const struct tap_test last_tests[] = {
	TEST(last_error_answer),
	TEST(last_error_unserved_eopnotsupp),
	TEST(last_error_enotty_eopnotsupp),
	TEST(opcode_names),
	TEST(opcode_names_unique),
	TEST(status_names),
	{ NULL, NULL }
};
