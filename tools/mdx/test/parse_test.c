// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The parsers of what the kernel prints, the limits of mdx info, and the names. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "batch_file.h"
#include "tool.h"
#include "trace_parts.h"
#include "shim_tap.h"
#include "opcodes/opcodes.h"

int tap_failed;
const char *tap_skip;

static struct bound_file file;
static struct bound_object object;
static struct event event;

static void file_without_objects(void)
{
	EXPECT(parse_bound_file("mlx5_0 17 prog 0x3 0 0 own\n", &file));
	EXPECT_STR("mlx5_0", file.ibdev);
	EXPECT_EQ(17, file.pid);
	EXPECT_STR("prog", file.comm);
	EXPECT_EQ(3, file.uid);
	EXPECT_EQ(0, file.objects);
	EXPECT_EQ(0, file.in_flight);
	EXPECT(!file.shared);
	EXPECT_EQ(0, file.types_n);
}

static void file_with_objects(void)
{
	EXPECT(parse_bound_file("mlx5_0 17 prog 0x3 305 2 shared 800:300 a00/2f:5\n",
				&file));
	EXPECT_EQ(305, file.objects);
	EXPECT_EQ(2, file.in_flight);
	EXPECT(file.shared);
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
	EXPECT(parse_bound_file("mlx5_0 1 a 0x1 5 0 200:1 0x3 2 1 own 800:2\n",
				&file));
	EXPECT_STR("a 0x1 5 0 200:1", file.comm);
	EXPECT_EQ(3, file.uid);
	EXPECT_EQ(1, file.types_n);
}

static void comm_quotes_spaces(void)
{
	EXPECT(parse_bound_file("mlx5_0 1 \"x\\ y\" z 0x3 2 1 own\n", &file));
	EXPECT_STR("\"x\\ y\" z", file.comm);
}

static void file_bad_lines(void)
{
	static const char *const lines[] = {
		"", "\n", "mlx5_0", "mlx5_0 1 prog", "mlx5_0 1 prog 0x3 2",
		"mlx5_0 1 prog 0x3 2 1", "mlx5_0 1 prog 0x3 2 1 other",
		"mlx5_0 1 prog 0x3 2 own", "mlx5_0 x prog 0x3 2 1 own",
		"mlx5_0 1 prog 0x3 2 1 own 8z0:2",
		"mlx5_0 1 prog 0x3 2 1 own 800:", "a b c d e f own",
	};
	size_t i;

	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		EXPECT(!parse_bound_file(lines[i], &file));
}

static void file_types_overflow(void)
{
	char line[2048] = "mlx5_0 1 prog 0x3 100 0 own";
	int i;

	for (i = 0; i < 100; i++)
		sprintf(line + strlen(line), " a00/%x:1", i + 1);
	EXPECT(parse_bound_file(line, &file));
	EXPECT_EQ(TYPES_MAX, file.types_n);
}

static void object_fields(void)
{
	EXPECT(parse_bound_object("mlx5_0 17 0x3 5 a00 13 0x1c 4 24 7260\n",
				  &object));
	EXPECT_STR("mlx5_0", object.ibdev);
	EXPECT_EQ(17, object.pid);
	EXPECT_EQ(3, object.uid);
	EXPECT_EQ(5, object.id);
	EXPECT_EQ(0xa00, object.opcode);
	EXPECT_EQ(0x13, object.type);
	EXPECT_EQ(0x1c, object.number);
	EXPECT_EQ(4, object.numbers);
	EXPECT_EQ(24, object.destroy_bytes);
	EXPECT_EQ(7260, object.seconds);
}

static void object_bad_lines(void)
{
	static const char *const lines[] = {
		"", "\n", "mlx5_0 17 0x3 5 a00 13 0x1c 4 24\n",
		"mlx5_0 17 0x3 5 a00 13 0x1c 4 24 7260 1\n",
		"mlx5_0 17 0x3 5 a00 13 0x1c 4 24 7260s\n",
		"mlx5_0 17 0x3 5 other 13 0x1c 4 24 7260\n",
	};
	size_t i;

	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		EXPECT(!parse_bound_object(lines[i], &object));
}

static void object_age(void)
{
	static const struct {
		unsigned long long seconds;
		const char *text;
	} ages[] = {
		{ 0, "0s" }, { 59, "59s" }, { 60, "1m" }, { 3599, "59m" },
		{ 3600, "1h" }, { 86399, "23h" }, { 86400, "1d" },
		{ 8640000, "100d" },
	};
	char text[32];
	size_t i;

	for (i = 0; i < sizeof(ages) / sizeof(ages[0]); i++) {
		age_text(text, sizeof(text), ages[i].seconds);
		EXPECT_STR(ages[i].text, text);
	}
}

/* What mdx info prints of @info. */
static void print_limits(char *buf, size_t size, const struct mdx_ioc_info *info)
{
	FILE *saved = stdout;

	memset(buf, 0, size);
	stdout = fmemopen(buf, size - 1, "w");
	show_limits(info);
	fclose(stdout);
	stdout = saved;
}

static void info_limits(void)
{
	struct mdx_ioc_info info = {
		.out_in_len_max = 1, .out_out_len_max = 2, .out_objs_max = 3,
		.out_calls_max = 4, .out_calls_throttled_max = 5,
		.out_long_len = 6, .out_long_bytes_max = 7,
	};
	char text[512];

	print_limits(text, sizeof(text), &info);
	EXPECT_STR("input_bytes_max: 1\noutput_bytes_max: 2\nobjects_per_file_max: 3\n"
		   "calls_per_context_max: 4\nthrottled_calls_per_context_max: 5\n"
		   "long_mailbox_above_bytes: 6\n"
		   "long_mailboxes_per_device_bytes_max: 7\n", text);
}

static void info_limits_of_older_module(void)
{
	struct mdx_ioc_info info = {
		.out_in_len_max = 1, .out_out_len_max = 2, .out_objs_max = 3,
	};
	char text[512];

	print_limits(text, sizeof(text), &info);
	EXPECT_STR("input_bytes_max: 1\noutput_bytes_max: 2\nobjects_per_file_max: 3\n",
		   text);
}

static void event_fields(void)
{
	EXPECT(parse_event("           prog-123     [001] d..1.  45.678901: mdx_cmd: dev=mlx5_0 uid=0x2 opcode=0x801 obj=7 status=0x6 syndrome=0xabcdef ret=-121 ns=12345 pid=120\n",
			   &event));
	EXPECT_STR("prog", event.comm);
	EXPECT_EQ(120, event.pid);
	EXPECT_STR("45.678901", event.time);
	EXPECT_STR("mlx5_0", event.dev);
	EXPECT_EQ(2, event.uid);
	EXPECT_EQ(MDX_OPCODE_DEALLOC_PD, event.opcode);
	EXPECT_EQ(7, event.object);
	EXPECT_EQ(6, event.status);
	EXPECT_EQ(0xabcdef, event.syndrome);
	EXPECT_EQ(-121, event.ret);
	EXPECT_EQ(12345, event.ns);
}

static void event_comm_dashes_spaces(void)
{
	EXPECT(parse_event("  a-b c-9-77 [000] ..... 1.5: mdx_cmd: dev=mlx5_0 uid=0x0 opcode=0x100 obj=0 status=0x0 syndrome=0x0 ret=0 ns=1 pid=77",
			   &event));
	EXPECT_STR("a-b c-9", event.comm);
	EXPECT_EQ(77, event.pid);
	EXPECT_EQ(0, event.status);
}

static void trace_pids_forked(void)
{
	struct trace_pids pids;

	EXPECT_EQ(0, trace_pids_begin(&pids, getpid()));
	EXPECT(trace_pids_have(&pids, getpid()));
	trace_pids_line(&pids, " sh-1 [000] ..... 1.5: sched_process_fork: comm=sh pid=1 child_comm=sh child_pid=900001");
	EXPECT(!trace_pids_have(&pids, 900001));
	pids.pid[0] = 900000;
	trace_pids_line(&pids, " a-1 [000] ..... 1.5: sched_process_fork: comm=a pid=5 pid=900000 child_comm=a child_pid=3 child_pid=900002");
	EXPECT(trace_pids_have(&pids, 900002));
	EXPECT(!trace_pids_have(&pids, 3));
	free(pids.pid);
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

static void read_batch(struct batch_file *batch, const char *text)
{
	FILE *from = fmemopen((void *)text, strlen(text), "r");

	batch_file_read(batch, from, "text");
	fclose(from);
}

static void batch_calls(void)
{
	static const uint16_t calls[] = {
		MDX_CMD_OBJ_CREATE, MDX_CMD_OBJ_MODIFY, MDX_CMD_OBJ_QUERY,
		MDX_CMD_GENERAL, MDX_CMD_OBJ_DESTROY,
	};
	struct batch_file batch;
	unsigned int i;

	read_batch(&batch, "opcode=CREATE_QP\n"
			   "link opcode=RST2INIT_QP object=%1 id=%1\n"
			   "link opcode=QUERY_QP object=%1 id=%1 out-len=272\n"
			   "opcode=QUERY_HCA_CAP\n"
			   "drain destroy object=%1\n");
	EXPECT_EQ(5, batch.items_n);
	for (i = 0; i < 5; i++)
		EXPECT_EQ(calls[i], batch.items[i].cmd);
	EXPECT_EQ(MDX_ITEM_LINK | MDX_ITEM_OBJ_BACK, batch.items[1].flags);
	EXPECT_EQ(1, batch.items[1].obj);
	EXPECT_EQ(2, batch.items[2].obj);
	EXPECT_EQ(272, batch.items[2].out_len);
	EXPECT_EQ(MDX_ITEM_DRAIN | MDX_ITEM_OBJ_BACK, batch.items[4].flags);
	EXPECT_EQ(4, batch.items[4].obj);
	EXPECT_EQ(0, batch.items[4].in_len);
	batch_file_free(&batch);
}

static void batch_references(void)
{
	struct batch_file batch;

	read_batch(&batch, "\n# of two objects\nopcode=CREATE_MKEY\n"
			   "opcode=ALLOC_PD # the second\n"
			   "undo opcode=CREATE_QP @0x228:24=%2 @640:32=%1.lkey\n"
			   "stop\n");
	EXPECT_EQ(3, batch.items_n);
	EXPECT_EQ(MDX_SUBMIT_STOP | MDX_SUBMIT_UNDO, batch.flags);
	EXPECT_EQ(2, batch.refs_n);
	EXPECT_EQ(2, batch.items[2].refs_n);
	EXPECT_EQ(5, batch.lines[2]);
	EXPECT_EQ(0x228, batch.refs[0].bit);
	EXPECT_EQ(24, batch.refs[0].width);
	EXPECT_EQ(1, batch.refs[0].back);
	EXPECT_EQ(MDX_REF_ID, batch.refs[0].what);
	EXPECT_EQ(2, batch.refs[1].back);
	EXPECT_EQ(MDX_REF_LKEY, batch.refs[1].what);
	/* The input reaches to the end of the farthest reference. */
	EXPECT_EQ(84, batch.items[2].in_len);
	batch_file_free(&batch);
}

static const struct tap_test tests[] = {
	TEST(file_without_objects),
	TEST(file_with_objects),
	TEST(comm_like_the_rest),
	TEST(comm_quotes_spaces),
	TEST(file_bad_lines),
	TEST(file_types_overflow),
	TEST(object_fields),
	TEST(object_bad_lines),
	TEST(object_age),
	TEST(info_limits),
	TEST(info_limits_of_older_module),
	TEST(event_fields),
	TEST(event_comm_dashes_spaces),
	TEST(event_bad_lines),
	TEST(trace_pids_forked),
	TEST(opcode_name_number),
	TEST(batch_calls),
	TEST(batch_references),
	{ NULL, NULL }
};

int main(void)
{
	static const struct tap_test *const groups[] = { tests, NULL };

	return tap_run("parse", groups);
}
