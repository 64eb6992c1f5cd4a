// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * A program written against the man pages, on top of libmdx, which runs on
 * fakes of libmlx5, libibverbs and the kernel. The same sources are linked with
 * -lmdx, and without it and run under LD_PRELOAD.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>

#include "user.h"

int (*context_check)(struct ibv_context *context);

static const char *(*reason)(struct ibv_context *context);

unsigned char in[0x110], out[0x40];

/* The reason is printed, so that the log shows it as a user would see it. */
const char *context_reason(struct ibv_context *context)
{
	const char *said = reason(context);

	printf("# seen: %s\n", said);
	return said;
}

struct ibv_context *open_ctx(void)
{
	struct mlx5dv_context_attr attr = {
		.flags = MLX5DV_CONTEXT_FLAGS_DEVX,
	};
	struct ibv_context *context;

	context = mlx5dv_open_device(&fake_devices[0], &attr);
	if (!context)
		abort();
	return context;
}

void reset_fakes(void)
{
	kernel_reset();
	memset(&fake_mlx5, 0, sizeof(fake_mlx5));
	fake_verbs = (struct fake_verbs){ .cmd_fd = FAKE_CMD_FD };
	fake_events_reset();
	memset(out, 0xa5, sizeof(out));
}

struct ibv_context *open_bound(void)
{
	struct ibv_context *context;

	reset_fakes();
	context = open_ctx();
	if (mlx5dv_devx_general_cmd(context, in, 16, out, sizeof(out)))
		abort();
	reset_fakes();
	return context;
}

int general_cmd(struct ibv_context *context)
{
	return mlx5dv_devx_general_cmd(context, in, 16, out, sizeof(out));
}

struct mlx5dv_devx_obj *create_obj(struct ibv_context *context)
{
	return mlx5dv_devx_obj_create(context, in, sizeof(in), out,
				      sizeof(out));
}

int query_obj(struct mlx5dv_devx_obj *obj)
{
	return mlx5dv_devx_obj_query(obj, in, 16, out, sizeof(out));
}

int modify_obj(struct mlx5dv_devx_obj *obj)
{
	return mlx5dv_devx_obj_modify(obj, in, sizeof(in), out, sizeof(out));
}

void put_pointer(unsigned char *at, const void *ptr)
{
	uint64_t value = (uintptr_t)ptr;

	memcpy(at, &value, sizeof(value));
}

bool out_untouched(void)
{
	size_t i;

	for (i = 0; i < sizeof(out); i++)
		if (out[i] != 0xa5)
			return false;
	return true;
}

int tap_failed;
const char *tap_skip;

int main(int argc, char **argv)
{
	static const struct tap_test *const groups[] = {
		call_tests, forward_tests, ctx_tests, verbs_tests, port_tests,
		attr_tests, last_tests, debug_tests, share_tests,
		event_tests, async_tests, consumed_tests,
		batch_tests, batch_rules_tests,
		NULL
	};
	static const struct tap_test *const bare[] = {
		bare_tests, bare_verbs_tests, bare_async_tests, NULL
	};
	const char *suite = argc > 1 ? argv[1] : "linked";

	context_check = dlsym(RTLD_DEFAULT, "mdx_context_check");
	reason = dlsym(RTLD_DEFAULT, "mdx_context_reason");
	if (!context_check || !reason) {
		puts("Bail out! libmdx is not loaded");
		return 1;
	}
	/* This suite runs on a libmlx5 older than rdma-core 47. */
	if (!strcmp(suite, "unmodified"))
		fake_atomic_cap = IBV_ATOMIC_HCA;
	alarm(120);	/* fail on a deadlock */
	return tap_run(suite, strcmp(suite, "bare") ? groups : bare);
}
