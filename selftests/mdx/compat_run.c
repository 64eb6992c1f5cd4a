// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Runs a test program that was built for 32 bits. Called as abi32_test it makes
 * a verbs context with a PD and a CQ and becomes abi_test.32, which inherits the
 * context's descriptor (compat_verbs.c). Binding, objects and commands are
 * the 32-bit program's.
 */
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>

#include "mdx_utils.h"

static int skip_all(const char *name, const char *why)
{
	printf("TAP version 13\n1..1\nok 1 %s # SKIP %s\n", name, why);
	return 0;
}

static void put_number(const char *name, uint32_t val)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", val);
	setenv(name, text, 1);
}

/* A missing device is reported by the test program. */
static void make_context(void)
{
	struct mlx5dv_cq dv = { 0 };
	struct mlx5dv_obj obj = { .cq = { .out = &dv } };
	struct ibv_context *ctx = mdx_ctx_open();
	struct ibv_pd *pd;

	if (!ctx)
		return;
	pd = ibv_alloc_pd(ctx);
	obj.cq.in = ibv_create_cq(ctx, 16, NULL, NULL, 0);
	if (!pd || !obj.cq.in || mlx5dv_init_obj(&obj, MLX5DV_OBJ_CQ))
		return;
	fcntl(ctx->cmd_fd, F_SETFD, 0);
	setenv("MDX32_DEV", ibv_get_device_name(ctx->device), 1);
	put_number("MDX32_FD", ctx->cmd_fd);
	put_number("MDX32_PD", pd->handle);
	put_number("MDX32_CQ", obj.cq.in->handle);
	put_number("MDX32_CQN", dv.cqn);
}

int main(int argc, char **argv)
{
	char *name = basename(argv[0]), *dir, self[1024], path[1200];
	const char *bits = strstr(name, "32_test");
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (!bits || n < 0)
		return 2;
	self[n] = '\0';
	dir = dirname(self);
	snprintf(path, sizeof(path), "%s/%.*s_test.32", dir, (int)(bits - name),
		 name);
	if (access(path, X_OK))
		return skip_all(name, "the 32-bit program is not built");
	make_context();
	execv(path, argv);
	if (errno == ENOEXEC)
		return skip_all(name, "this kernel runs no 32-bit programs");
	perror(path);
	return 1;
}
