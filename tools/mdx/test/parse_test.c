// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The parsers of what the kernel prints, and the names. */
#include "mdx.h"
#include "tap.h"

const char *verb_name = "";
bool opt_json;
const char *opt_device;
int tap_failed;
const char *tap_skip;

int next_opt(int argc, char **argv, const struct opt *opts)
{
	(void)argc;
	(void)argv;
	(void)opts;
	return -1;
}

void complain(const char *fmt, ...)
{
	(void)fmt;
}

void usage(const char *fmt, ...)
{
	(void)fmt;
	abort();
}

uint64_t number(const char *text, uint64_t max, const char *what)
{
	(void)max;
	(void)what;
	return strtoull(text, NULL, 0);
}

static struct bound_file file;
static struct event event;

static void a_file_without_objects(void)
{
	EXPECT(parse_bound_file("mlx5_0 17 prog 0x3 0 0\n", &file));
	EXPECT_STR("mlx5_0", file.ibdev);
	EXPECT_EQ(17, file.pid);
	EXPECT_STR("prog", file.comm);
	EXPECT_EQ(3, file.uid);
	EXPECT_EQ(0, file.objects);
	EXPECT_EQ(0, file.in_flight);
	EXPECT_EQ(0, file.kinds);
}

static void a_file_with_objects_of_some_kinds(void)
{
	EXPECT(parse_bound_file("mlx5_0 17 prog 0x3 305 2 800:300 a00/2f:5\n",
				&file));
	EXPECT_EQ(305, file.objects);
	EXPECT_EQ(2, file.in_flight);
	EXPECT_EQ(2, file.kinds);
	EXPECT_EQ(0x800, file.kind[0].opcode);
	EXPECT_EQ(0, file.kind[0].type);
	EXPECT_EQ(300, file.kind[0].count);
	EXPECT_EQ(0xa00, file.kind[1].opcode);
	EXPECT_EQ(0x2f, file.kind[1].type);
	EXPECT_EQ(5, file.kind[1].count);
}

static void a_comm_that_looks_like_the_rest(void)
{
	EXPECT(parse_bound_file("mlx5_0 1 a 0x1 5 0 200:1 0x3 2 1 800:2\n",
				&file));
	EXPECT_STR("a 0x1 5 0 200:1", file.comm);
	EXPECT_EQ(3, file.uid);
	EXPECT_EQ(1, file.kinds);
}

static void a_comm_of_quotes_and_spaces(void)
{
	EXPECT(parse_bound_file("mlx5_0 1 \"x\\ y\" z 0x3 2 1\n", &file));
	EXPECT_STR("\"x\\ y\" z", file.comm);
}

static void lines_that_are_none(void)
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

static void a_file_of_more_kinds_than_we_keep(void)
{
	char line[2048] = "mlx5_0 1 prog 0x3 100 0";
	int i;

	for (i = 0; i < 100; i++)
		sprintf(line + strlen(line), " a00/%x:1", i + 1);
	EXPECT(parse_bound_file(line, &file));
	EXPECT_EQ(KINDS_MAX, file.kinds);
}

static void an_event(void)
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

static void an_event_of_a_comm_with_dashes_and_spaces(void)
{
	EXPECT(parse_event("  a-b c-9-77 [000] ..... 1.5: mdx_cmd: dev=mlx5_0 uid=0x0 opcode=0x100 obj=0 status=0x0 syndrome=0x0 ret=0 ns=1",
			   &event));
	EXPECT_STR("a-b c-9", event.comm);
	EXPECT_EQ(77, event.pid);
	EXPECT_EQ(0, event.status);
}

static void lines_that_are_no_events(void)
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

static void opcodes_by_name_and_number(void)
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
	TEST(a_file_without_objects),
	TEST(a_file_with_objects_of_some_kinds),
	TEST(a_comm_that_looks_like_the_rest),
	TEST(a_comm_of_quotes_and_spaces),
	TEST(lines_that_are_none),
	TEST(a_file_of_more_kinds_than_we_keep),
	TEST(an_event),
	TEST(an_event_of_a_comm_with_dashes_and_spaces),
	TEST(lines_that_are_no_events),
	TEST(opcodes_by_name_and_number),
	{ NULL, NULL }
};

int main(void)
{
	static const struct tap_test *const groups[] = { tests, NULL };

	return tap_run("parse", groups);
}
