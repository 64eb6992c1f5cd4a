// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * plain_devx [NAMESPACE] - a program that knows nothing of mlx5_devx: rdma-core's
 * headers, Debian's libmlx5, and mailboxes by offset. It creates and destroys a PD
 * and sends a general command.
 *
 * With NAMESPACE it enters a network namespace (a file, or "new") after it has
 * opened the context and before it calls DEVX.
 *
 * For the scripts around it, it prints mdx_context_reason() if a library with that
 * function is preloaded.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <infiniband/verbs.h>
#include <infiniband/mlx5dv.h>

/* Of the device's manual: a program like this has no header for them. */
#define QUERY_ISSI	0x010a
#define ALLOC_PD	0x0800

static uint8_t in[16], out[128];

static void set_command(uint16_t opcode)
{
	memset(in, 0, sizeof(in));
	in[0] = opcode >> 8;
	in[1] = opcode & 0xff;
}

static struct ibv_context *open_mlx5(void)
{
	struct mlx5dv_context_attr attr = {
		.flags = MLX5DV_CONTEXT_FLAGS_DEVX
	};
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *context = NULL;
	int i;

	if (!list)
		err(2, "ibv_get_device_list");
	errno = ENODEV;
	for (i = 0; list[i] && !context; i++)
		if (mlx5dv_is_supported(list[i]))
			context = mlx5dv_open_device(list[i], &attr);
	if (!context)
		err(2, "no mlx5 device that opens");
	ibv_free_device_list(list);
	return context;
}

static void enter_netns(const char *name)
{
	int fd;

	if (!strcmp(name, "new")) {
		if (unshare(CLONE_NEWNET))
			err(2, "unshare");
		return;
	}
	fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || setns(fd, CLONE_NEWNET))
		err(2, "%s", name);
}

int main(int argc, char **argv)
{
	const char *(*reason)(struct ibv_context *context);
	struct ibv_context *context = open_mlx5();
	struct mlx5dv_devx_obj *pd;
	int ret;

	if (argc > 1)
		enter_netns(argv[1]);

	set_command(ALLOC_PD);
	pd = mlx5dv_devx_obj_create(context, in, 16, out, 16);
	if (!pd)
		err(1, "mlx5dv_devx_obj_create");
	set_command(QUERY_ISSI);
	ret = mlx5dv_devx_general_cmd(context, in, 16, out, 112);
	if (ret)
		errx(1, "mlx5dv_devx_general_cmd: %s", strerror(ret));
	ret = mlx5dv_devx_obj_destroy(pd);
	if (ret)
		errx(1, "mlx5dv_devx_obj_destroy: %s", strerror(ret));
	puts("done");

	reason = (const char *(*)(struct ibv_context *))
		dlsym(RTLD_DEFAULT, "mdx_context_reason");
	printf("libmdx: %s\n", reason ? reason(context) : "not loaded");
	return ibv_close_device(context) ? 1 : 0;
}
