// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* MDX_DEBUG: lines about contexts that are not served. */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

#include "user.h"

#include "opcodes.h"

static int saved_stderr, captured;

static void capture_begin(const char *debug)
{
	if (debug)
		setenv("MDX_DEBUG", debug, 1);
	else
		unsetenv("MDX_DEBUG");
	captured = memfd_create("stderr", 0);
	saved_stderr = dup(STDERR_FILENO);
	dup2(captured, STDERR_FILENO);
}

/* All that was written since; shown, so that the log has it as a user sees it. */
static const char *capture_end(void)
{
	static char text[4096];
	ssize_t len = pread(captured, text, sizeof(text) - 1, 0);

	text[len > 0 ? len : 0] = '\0';
	dup2(saved_stderr, STDERR_FILENO);
	close(saved_stderr);
	close(captured);
	unsetenv("MDX_DEBUG");
	if (*text)
		printf("# seen: %s", text);
	return text;
}

static int count_lines(const char *text)
{
	int n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

static void debug_unserved_one_line(void)
{
	struct ibv_context *context;
	const char *said;

	reset_fakes();
	kernel.open_err = ENOENT;
	capture_begin("1");
	context = open_ctx();
	general_cmd(context);
	general_cmd(context);
	said = capture_end();
	EXPECT_EQ(1, count_lines(said));
	EXPECT(strstr(said, "is not served: there is no /dev/infiniband/mlx5_devx"));
	EXPECT(strstr(said, fake_devices[0].name));
	ibv_close_device(context);
}

static void debug_failed_bind_errno(void)
{
	struct ibv_context *context;
	const char *said;

	reset_fakes();
	kernel.open_err = EMFILE;
	capture_begin("1");
	context = open_ctx();
	errno = 99;
	context_check(context);
	said = capture_end();
	EXPECT(strstr(said, "tries again: Too many open files"));
	ibv_close_device(context);
}

static void debug_served_silent(void)
{
	struct ibv_context *context;
	const char *said;

	reset_fakes();
	capture_begin("1");
	context = open_ctx();
	general_cmd(context);
	said = capture_end();
	EXPECT_EQ(0, count_lines(said));
	ibv_close_device(context);
}

static void debug_unset_silent(void)
{
	static const char *const off[] = { NULL, "", "0" };
	struct ibv_context *context;
	const char *said;
	size_t i;

	for (i = 0; i < sizeof(off) / sizeof(off[0]); i++) {
		reset_fakes();
		kernel.open_err = ENOENT;
		capture_begin(off[i]);
		context = open_ctx();
		general_cmd(context);
		said = capture_end();
		EXPECT_EQ(0, count_lines(said));
		ibv_close_device(context);
	}
}

/* A context has one line, however many calls it makes. */
static void debug_unseen_one_line(void)
{
	struct ibv_context foreign = {
		.device = &fake_devices[0],
		.cmd_fd = FAKE_CMD_FD,
	};
	struct ibv_context other = foreign;
	const char *said;

	reset_fakes();
	capture_begin("1");
	errno = 99;
	general_cmd(&foreign);
	EXPECT_EQ(99, errno);
	general_cmd(&foreign);
	general_cmd(&other);
	said = capture_end();
	EXPECT_EQ(2, count_lines(said));
	EXPECT(strstr(said, "libmdx did not see the context being opened"));
}

/* EOPNOTSUPP of a module without MDX_IOC_BIND has another reason than a context's. */
static void debug_module_without_bind(void)
{
	struct ibv_context *context;
	const char *said;
	int fds;

	reset_fakes();
	kernel.err[MDX_CMD_BIND] = EOPNOTSUPP;
	kernel.missing = MDX_FEATURE_BIND;
	fds = kernel.open_fds;
	capture_begin("1");
	context = open_ctx();
	EXPECT_EQ(EOPNOTSUPP, context_check(context));
	EXPECT(strstr(context_reason(context), "built without MDX_IOC_BIND"));
	EXPECT(!strstr(context_reason(context), "DEVX uid"));
	said = capture_end();
	EXPECT_EQ(1, count_lines(said));
	EXPECT(strstr(said, "built without MDX_IOC_BIND"));
	EXPECT_EQ(fds, kernel.open_fds);
	ibv_close_device(context);
}

/* A type of objects that libmlx5 creates has one line, in any number of contexts. */
static void debug_consumed_one_line(void)
{
	struct ibv_context *context = open_bound(), *other = open_ctx();
	struct mlx5dv_devx_obj *objs[3];
	const char *said;
	int i;

	in[0] = MDX_OPCODE_CREATE_TIR >> 8;
	in[1] = MDX_OPCODE_CREATE_TIR & 0xff;
	capture_begin("1");
	for (i = 0; i < 3; i++)
		objs[i] = create_obj(i ? context : other);
	said = capture_end();
	EXPECT_EQ(1, count_lines(said));
	EXPECT(strstr(said, "of mlx5_0: CREATE_TIR goes to libmlx5, as "));
	for (i = 0; i < 3; i++)
		mlx5dv_devx_obj_destroy(objs[i]);
	in[0] = 0;
	in[1] = 0;
	ibv_close_device(other);
	ibv_close_device(context);
}

const struct tap_test debug_tests[] = {
	TEST(debug_unserved_one_line),
	TEST(debug_failed_bind_errno),
	TEST(debug_served_silent),
	TEST(debug_unset_silent),
	TEST(debug_unseen_one_line),
	TEST(debug_module_without_bind),
	TEST(debug_consumed_one_line),
	{ NULL, NULL }
};
