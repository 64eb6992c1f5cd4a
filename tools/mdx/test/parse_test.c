// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The parsers of what the kernel prints, and the names. */
#include "tool.h"
#include "tap.h"

int tap_failed;
const char *tap_skip;

static struct bound_file file;
static struct event event;

static void file_without_objects(void)
{
	EXPECT(parse_bound_file("mlx5_0 17 prog 0x3 0 0\n", &file));
	EXPECT_STR("mlx5_0", file.ibdev);
	EXPECT_EQ(17, file.pid);
	EXPECT_STR("prog", file.comm);
	EXPECT_EQ(3, file.uid);
	EXPECT_EQ(0, file.objects);
	EXPECT_EQ(0, file.in_flight);
	EXPECT_EQ(0, file.types_n);
}

static void file_with_objects(void)
{
	EXPECT(parse_bound_file("mlx5_0 17 prog 0x3 305 2 800:300 a00/2f:5\n",
				&file));
	EXPECT_EQ(305, file.objects);
	EXPECT_EQ(2, file.in_flight);
	EXPECT_EQ(2, file.types_n);
	EXPECT_EQ(0x800, file.types[0].opcode);
	EXPECT_EQ(0, file.types[0].type);
	EXPECT_EQ(300, file.types[0].count);
	EXPECT_EQ(0xa00, file.types[1].opcode);
	EXPECT_EQ(0x2f, file.types[1].type);
	EXPECT_EQ(5, file.types[1].count);
}

static void comm_like_the_rest(void)
{
	EXPECT(parse_bound_file("mlx5_0 1 a 0x1 5 0 200:1 0x3 2 1 800:2\n",
				&file));
	EXPECT_STR("a 0x1 5 0 200:1", file.comm);
	EXPECT_EQ(3, file.uid);
	EXPECT_EQ(1, file.types_n);
}

static void comm_quotes_spaces(void)
{
	EXPECT(parse_bound_file("mlx5_0 1 \"x\\ y\" z 0x3 2 1\n", &file));
	EXPECT_STR("\"x\\ y\" z", file.comm);
}

static void file_bad_lines(void)
{
	static const char *const lines[] = {
		"", "\n", "mlx5_0", "mlx5_0 1 prog", "mlx5_0 1 prog 0x3 2",
		"mlx5_0 x prog 0x3 2 1", "mlx5_0 1 prog 0x3 2 1 8z0:2",
		"mlx5_0 1 prog 0x3 2 1 800:", "a b c d e f",
	};
	size_t i;

	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		EXPECT(!parse_bound_file(lines[i], &file));
}

static void file_types_overflow(void)
{
	char line[2048] = "mlx5_0 1 prog 0x3 100 0";
	int i;

	for (i = 0; i < 100; i++)
		sprintf(line + strlen(line), " a00/%x:1", i + 1);
	EXPECT(parse_bound_file(line, &file));
	EXPECT_EQ(TYPES_MAX, file.types_n);
}

static void event_fields(void)
{
	EXPECT(parse_event("           prog-123     [001] d..1.  45.678901: mdx_cmd: dev=mlx5_0 uid=0x2 opcode=0x801 obj=7 status=0x6 syndrome=0xabcdef ret=-121 ns=12345\n",
			   &event));
	EXPECT_STR("prog", event.comm);
	EXPECT_EQ(123, event.pid);
	EXPECT_STR("45.678901", event.time);
	EXPECT_STR("mlx5_0", event.dev);
	EXPECT_EQ(2, event.uid);
	EXPECT_EQ(0x801, event.opcode);
	EXPECT_EQ(7, event.object);
	EXPECT_EQ(6, event.status);
	EXPECT_EQ(0xabcdef, event.syndrome);
	EXPECT_EQ(-121, event.ret);
	EXPECT_EQ(12345, event.ns);
}

static void event_comm_dashes_spaces(void)
{
	EXPECT(parse_event("  a-b c-9-77 [000] ..... 1.5: mdx_cmd: dev=mlx5_0 uid=0x0 opcode=0x100 obj=0 status=0x0 syndrome=0x0 ret=0 ns=1",
			   &event));
	EXPECT_STR("a-b c-9", event.comm);
	EXPECT_EQ(77, event.pid);
	EXPECT_EQ(0, event.status);
}

static void event_bad_lines(void)
{
	static const char *const lines[] = {
		"", "CPU:1 [LOST 5 EVENTS]",
		"  a-1 [000] ..... 1.5: other: dev=mlx5_0",
		"  a-1 [000] ..... 1.5: mdx_cmd: dev=mlx5_0 uid=0x0",
		": mdx_cmd: ", " [: mdx_cmd: dev=x",
	};
	size_t i;

	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		EXPECT(!parse_event(lines[i], &event));
}

static void opcode_name_number(void)
{
	EXPECT_EQ(0x100, opcode_of("QUERY_HCA_CAP"));
	EXPECT_EQ(0x100, opcode_of("query_hca_cap"));
	EXPECT_EQ(0x100, opcode_of("0x100"));
	EXPECT_EQ(0x100, opcode_of("256"));
	EXPECT_EQ(-1, opcode_of("0x10000"));
	EXPECT_EQ(-1, opcode_of("NO_SUCH"));
	EXPECT_EQ(-1, opcode_of("UNKNOWN"));
	EXPECT_EQ(-1, opcode_of(""));
}

static const struct tap_test tests[] = {
	TEST(file_without_objects),
	TEST(file_with_objects),
	TEST(comm_like_the_rest),
	TEST(comm_quotes_spaces),
	TEST(file_bad_lines),
	TEST(file_types_overflow),
	TEST(event_fields),
	TEST(event_comm_dashes_spaces),
	TEST(event_bad_lines),
	TEST(opcode_name_number),
	{ NULL, NULL }
};

int main(void)
{
	static const struct tap_test *const groups[] = { tests, NULL };

	return tap_run("parse", groups);
}
