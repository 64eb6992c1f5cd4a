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
 * O node opened, P PD allocated, B bind, p PD freed, C our file closed, c context
 * closed; our ioctls: N Q M D G of objects, X modify and Y query of verbs objects,
 * T port, A device; n q m d g x y t the functions of the fake libmlx5, a the op
 * of its context, l ibv_query_device().
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
	int attr_err;			/* of the op and ibv_query_device() */
	int op_err;			/* of the op only */
	const struct ibv_query_device_ex_input *input;	/* of its last call */
	struct ibv_device_attr_ex *attr;
	size_t attr_size;
};

extern struct fake_verbs fake_verbs;
/* What the op of every context says of atomics; like a version, it stays. */
extern enum ibv_atomic_cap fake_atomic_cap;
struct ibv_context *fake_context_new(struct ibv_device *device);

struct fake_mlx5 {
	int err;			/* what the functions return */
	struct ibv_context *context;	/* of the last call */
	const void *in;
	size_t inlen;
	void *out;
	size_t outlen;
	struct mlx5dv_devx_obj *obj;
	const char *func;		/* name of the last one about a ... */
	const void *verbs;		/* ... verbs object, and that object */
	uint32_t port;
	struct mlx5dv_port *info;
	size_t info_len;
};

extern struct fake_mlx5 fake_mlx5;
/* Call, from within the fake libmlx5, the public function. */
int fake_mlx5_general(struct ibv_context *context);
struct mlx5dv_devx_obj *fake_mlx5_create(struct ibv_context *context);
int fake_mlx5_qp_query(struct ibv_qp *qp);
int fake_mlx5_port(struct ibv_context *context);

/* Devices: the first is of mlx5, the second is not. */
extern struct ibv_device fake_devices[2];

#endif /* MDX_TEST_FAKE_H */
