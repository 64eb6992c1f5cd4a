// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Stand-in for libibverbs in 32-bit programs, as far as the tests of the ioctls
 * need it: one device, one context with a PD and a CQ. compat_run made them,
 * passes them in the environment, and keeps owning them.
 */
#include <errno.h>
#include <stdlib.h>

#include <infiniband/verbs.h>
#include <infiniband/mlx5dv.h>

static struct ibv_device device;
static struct ibv_device *devices[2];
static struct ibv_context context;
static struct ibv_pd pd = { .context = &context };
static struct ibv_cq cq = { .context = &context };

static int env_number(const char *name)
{
	const char *val = getenv(name);

	return val ? atoi(val) : -1;
}

struct ibv_device **ibv_get_device_list(int *num)
{
	const char *name = getenv("MDX32_DEV");

	if (!name)
		return NULL;
	snprintf(device.name, sizeof(device.name), "%s", name);
	devices[0] = &device;
	if (num)
		*num = 1;
	return devices;
}

const char *ibv_get_device_name(struct ibv_device *dev)
{
	return dev->name;
}

bool mlx5dv_is_supported(struct ibv_device *dev)
{
	return dev == &device;
}

struct ibv_context *mlx5dv_open_device(struct ibv_device *dev,
				       struct mlx5dv_context_attr *attr)
{
	context.device = dev;
	context.cmd_fd = env_number("MDX32_FD");
	return &context;
}

struct ibv_context *ibv_open_device(struct ibv_device *dev)
{
	return mlx5dv_open_device(dev, NULL);
}

int ibv_close_device(struct ibv_context *ctx)
{
	return 0;
}

struct ibv_pd *ibv_alloc_pd(struct ibv_context *ctx)
{
	pd.handle = env_number("MDX32_PD");
	return &pd;
}

int ibv_dealloc_pd(struct ibv_pd *p)
{
	return 0;
}

#undef ibv_create_cq
struct ibv_cq *ibv_create_cq(struct ibv_context *ctx, int cqe, void *priv,
			     struct ibv_comp_channel *channel, int vector)
{
	cq.handle = env_number("MDX32_CQ");
	return &cq;
}

int ibv_destroy_cq(struct ibv_cq *c)
{
	return 0;
}

int mlx5dv_init_obj(struct mlx5dv_obj *obj, uint64_t type)
{
	if (type != MLX5DV_OBJ_CQ)
		return EOPNOTSUPP;
	obj->cq.out->cqn = env_number("MDX32_CQN");
	return 0;
}
