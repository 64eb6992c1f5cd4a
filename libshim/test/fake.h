/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Stand-ins for libibverbs and libmlx5, of the same sonames and versions, which
 * the tests steer and look into.
 */
#ifndef MDX_TEST_FAKE_H
#define MDX_TEST_FAKE_H

#include <infiniband/verbs.h>
#include <infiniband/mlx5dv.h>

#define FAKE_PD_HANDLE 0x51
#define FAKE_CMD_FD 1000

/* What happened, one letter each, in order:
 * O node opened, P PD allocated, B bind, p PD freed, N Q M D G our ioctls,
 * C our file closed, c context closed,
 * n q m d g the functions of the fake libmlx5.
 */
extern char fake_events[1024];
void fake_event(char what);
void fake_events_reset(void);

struct fake_verbs {
	int alloc_pd_err;
	int close_ret;
	int cmd_fd;			/* of the contexts to come */
	int pds;			/* alive */
	struct ibv_context *reuse;	/* address of the next context */
	void (*in_open)(struct ibv_context *context);
	void (*in_alloc_pd)(struct ibv_context *context);
};

extern struct fake_verbs fake_verbs;
struct ibv_context *fake_context_new(struct ibv_device *device);

struct fake_mlx5 {
	int err;			/* what the functions return */
	struct ibv_context *context;	/* of the last call */
	const void *in;
	size_t inlen;
	void *out;
	size_t outlen;
	struct mlx5dv_devx_obj *obj;
};

extern struct fake_mlx5 fake_mlx5;
/* Call, from within the fake libmlx5, the public function. */
int fake_mlx5_general(struct ibv_context *context);
struct mlx5dv_devx_obj *fake_mlx5_create(struct ibv_context *context);

/* Devices: the first is of mlx5, the second is not. */
extern struct ibv_device fake_devices[2];

#endif /* MDX_TEST_FAKE_H */
