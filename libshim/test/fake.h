/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Stand-ins for libibverbs and libmlx5 with the same sonames and symbol
 * versions. Tests script them and inspect their calls.
 */
#ifndef MDX_TEST_FAKE_H
#define MDX_TEST_FAKE_H

#include <infiniband/verbs.h>
#include <infiniband/mlx5dv.h>

#define FAKE_PD_HANDLE 0x51
#define FAKE_CMD_FD 1000

/*
 * Log of events, a letter each:
 *
 * O, C		node opened, bound file closed
 * P, p		PD allocated, freed
 * B		MDX_IOC_BIND
 * N, Q, M, D	MDX_IOC_OBJ_CREATE, _QUERY, _MODIFY, _DESTROY
 * G		MDX_IOC_GENERAL
 * X, Y		MDX_IOC_VERBS_MODIFY, _QUERY
 * T, A, L	MDX_IOC_QUERY_PORT, MDX_IOC_QUERY_DEVICE, MDX_IOC_LAST_ERROR
 * S		MDX_IOC_OBJ_LIST
 * H, V, U	MDX_IOC_CHANNEL, _SUBSCRIBE, _SUBMIT
 * n ... t	the same calls, by the functions of the fake libmlx5
 * e, i, u	obj_export, obj_import, obj_unimport of it
 * h, k, v, w, r	create_event_channel, destroy_event_channel, subscribe_devx_event,
 *		subscribe_devx_event_fd, get_event of it
 * f, j, z, b	create_cmd_comp, destroy_cmd_comp, obj_query_async, get_async_cmd_comp
 * R		ibv_modify_qp() to RESET
 * a		query_device_ex op of the context
 * l		ibv_query_device()
 * c		context closed
 */
extern char fake_events[1024];
void fake_event(char event);
void fake_events_reset(void);

struct fake_verbs {
	int alloc_pd_err;
	int close_ret;
	int cmd_fd;			/* of the next contexts */
	int pds;			/* number of allocated PDs */
	struct ibv_pd *last_pd;		/* allocated last */
	struct ibv_context *reuse;	/* address of the next context */
	void (*in_open)(struct ibv_context *context);
	void (*in_alloc_pd)(struct ibv_context *context);
	int attr_err;			/* of the op and ibv_query_device() */
	int op_err;			/* of the op alone */
	int modify_ret;			/* of ibv_modify_qp() */
	struct ibv_qp *modified;	/* by ibv_modify_qp() */
	/* Arguments of the last call of the op. */
	const struct ibv_query_device_ex_input *input;
	struct ibv_device_attr_ex *attr;
	size_t attr_size;
};

/*
 * A device behind the fakes: returns a status. @in is NULL if the object @number is to
 * be destroyed. May run in any thread.
 */
typedef unsigned int fake_device(uint32_t number, const void *in, size_t inlen,
				 void *out, size_t outlen);

extern struct fake_verbs fake_verbs;
/* Answer of the op about atomics. A property of the version, so never reset. */
extern enum ibv_atomic_cap fake_atomic_cap;
struct ibv_context *fake_context_new(struct ibv_device *device);

struct fake_mlx5 {
	fake_device *device;		/* gets the calls, if not NULL */
	int err;			/* result of the functions */
	struct ibv_context *context;	/* last call, as all that follow */
	const void *in;
	size_t inlen;
	void *out;
	size_t outlen;
	struct mlx5dv_devx_obj *obj;
	const char *func;		/* name, if about a verbs object ... */
	const void *verbs;		/* ... and the object */
	uint32_t port;
	struct mlx5dv_port *info;
	size_t info_len;
	const void *channel;		/* event channel or command completion */
	int channel_peer;		/* what is written to it is read from the last */
	int create_err;			/* of create_cmd_comp alone */
	uint64_t number;		/* wr_id, cookie, or number of an event */
};

extern struct fake_mlx5 fake_mlx5;
/* Call the public function from within the fake libmlx5. */
int fake_mlx5_general(struct ibv_context *context);
struct mlx5dv_devx_obj *fake_mlx5_create(struct ibv_context *context);
int fake_mlx5_qp_query(struct ibv_qp *qp);
int fake_mlx5_port(struct ibv_context *context);

/* The first is an mlx5 device, the second is not. */
extern struct ibv_device fake_devices[2];

#endif /* MDX_TEST_FAKE_H */
