/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Start of each example, and its end if something fails. */
#ifndef EXAMPLES_OPEN_H
#define EXAMPLES_OPEN_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mdx/mdx.h>

static inline void fail_with(const char *what, int err)
{
	printf("%s: %s\n", what, strerror(err));
	exit(1);
}

/* Open the first mlx5 device with a DEVX uid. */
static inline struct ibv_context *open_device(void)
{
	struct mlx5dv_context_attr attr = {
		.flags = MLX5DV_CONTEXT_FLAGS_DEVX,
	};
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *context;
	int i;

	for (i = 0; list && list[i]; i++)
		if (mlx5dv_is_supported(list[i]))
			break;
	if (!list || !list[i])
		fail_with("mlx5 device", ENODEV);
	context = mlx5dv_open_device(list[i], &attr);
	if (!context)
		fail_with("mlx5dv_open_device", errno);
	printf("%s: %s\n", ibv_get_device_name(list[i]),
	       mdx_context_reason(context));
	ibv_free_device_list(list);
	return context;
}

#endif /* EXAMPLES_OPEN_H */
