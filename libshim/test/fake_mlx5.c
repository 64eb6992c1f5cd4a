// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Fake libmlx5, without DEVX if FAKE_BARE is defined. Its own calls go through
 * the PLT, as those of the real one do, so it is built without -fvisibility and
 * -Bsymbolic.
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fake.h"

struct fake_mlx5 fake_mlx5;

bool mlx5dv_is_supported(struct ibv_device *device)
{
	return device == &fake_devices[0];
}

struct ibv_context *mlx5dv_open_device(struct ibv_device *device,
				       struct mlx5dv_context_attr *attr)
{
	(void)attr;
	if (!mlx5dv_is_supported(device)) {
		errno = EOPNOTSUPP;
		return NULL;
	}
	return fake_context_new(device);
}

#ifdef FAKE_BARE
int fake_mlx5_general(struct ibv_context *context)
{
	(void)context;
	return 0;
}

struct mlx5dv_devx_obj *fake_mlx5_create(struct ibv_context *context)
{
	(void)context;
	return NULL;
}

int fake_mlx5_qp_query(struct ibv_qp *qp)
{
	(void)qp;
	return 0;
}

int fake_mlx5_port(struct ibv_context *context)
{
	(void)context;
	return 0;
}
#else
struct mlx5dv_devx_obj {
	struct ibv_context *context;
	uint32_t handle;
	uint32_t type;
	uint32_t object_id;
	uint64_t rx_icm_addr;
	uint8_t log_obj_range;
	void *priv;
};

/* As the libmlx5 that makes an errno of the status of every command. */
static int device_call(struct mlx5dv_devx_obj *obj, const void *in, size_t inlen,
		       void *out, size_t outlen)
{
	if (!fake_mlx5.device(obj ? obj->object_id : 0, in, inlen, out, outlen))
		return 0;
	return in ? EINVAL : EBUSY;
}

static int fake_call(char what, struct mlx5dv_devx_obj *obj, const void *in,
		     size_t inlen, void *out, size_t outlen)
{
	fake_event(what);
	if (fake_mlx5.device)
		return device_call(obj, in, inlen, out, outlen);
	fake_mlx5.obj = obj;
	fake_mlx5.in = in;
	fake_mlx5.inlen = inlen;
	fake_mlx5.out = out;
	fake_mlx5.outlen = outlen;
	return fake_mlx5.err;
}

struct mlx5dv_devx_obj *
mlx5dv_devx_obj_create(struct ibv_context *context, const void *in,
		       size_t inlen, void *out, size_t outlen)
{
	struct mlx5dv_devx_obj *obj;
	int err = fake_call('n', NULL, in, inlen, out, outlen);

	if (!fake_mlx5.device)
		fake_mlx5.context = context;
	if (err) {
		errno = err;
		return NULL;
	}
	obj = calloc(1, sizeof(*obj));
	obj->context = context;
	obj->handle = 3;
	if (fake_mlx5.device)
		obj->object_id = ((unsigned char *)out)[9] << 16 |
				 ((unsigned char *)out)[10] << 8 |
				 ((unsigned char *)out)[11];
	return obj;
}

struct fake_umem {
	struct mlx5dv_devx_umem dv;
	struct ibv_context *context;
	uint32_t handle;
};

struct mlx5dv_devx_umem *
mlx5dv_devx_umem_reg_ex(struct ibv_context *context,
			struct mlx5dv_devx_umem_in *umem_in)
{
	unsigned char in[32] = { 0x0a, 0x08 };
	unsigned char out[32] = { 0 };
	struct fake_umem *umem;

	if (!umem_in->pgsz_bitmap || fake_call('n', NULL, in, 32, out, 32)) {
		errno = EINVAL;
		return NULL;
	}
	umem = calloc(1, sizeof(*umem));
	umem->context = context;
	umem->dv.umem_id = out[9] << 16 | out[10] << 8 | out[11];
	return &umem->dv;
}

int mlx5dv_devx_umem_dereg(struct mlx5dv_devx_umem *dv)
{
	int err = fake_mlx5.device && fake_mlx5.device(dv->umem_id, NULL, 0, NULL, 0);

	if (!err)
		free(dv);
	return err ? EBUSY : 0;
}

int mlx5dv_devx_obj_query(struct mlx5dv_devx_obj *obj, const void *in,
			  size_t inlen, void *out, size_t outlen)
{
	return fake_call('q', obj, in, inlen, out, outlen);
}

int mlx5dv_devx_obj_modify(struct mlx5dv_devx_obj *obj, const void *in,
			   size_t inlen, void *out, size_t outlen)
{
	return fake_call('m', obj, in, inlen, out, outlen);
}

int mlx5dv_devx_obj_destroy(struct mlx5dv_devx_obj *obj)
{
	int err = fake_call('d', obj, NULL, 0, NULL, 0);

	if (!err)
		free(obj);
	return err;
}

/* Newer than the headers of the oldest rdma-core. */
int mlx5dv_devx_obj_export(struct mlx5dv_devx_obj *obj, void *data);
struct mlx5dv_devx_obj *mlx5dv_devx_obj_import(struct ibv_context *context,
					       void *data);
void mlx5dv_devx_obj_unimport(struct mlx5dv_devx_obj *obj);

int mlx5dv_devx_obj_export(struct mlx5dv_devx_obj *obj, void *data)
{
	return fake_call('e', obj, NULL, 0, data, 0);
}

struct mlx5dv_devx_obj *mlx5dv_devx_obj_import(struct ibv_context *context,
					       void *data)
{
	struct mlx5dv_devx_obj *obj = calloc(1, sizeof(*obj));

	fake_call('i', obj, NULL, 0, data, 0);
	obj->context = context;
	obj->handle = *(uint32_t *)data;
	return obj;
}

void mlx5dv_devx_obj_unimport(struct mlx5dv_devx_obj *obj)
{
	fake_call('u', obj, NULL, 0, NULL, 0);
	free(obj);
}

int mlx5dv_devx_general_cmd(struct ibv_context *context, const void *in,
			    size_t inlen, void *out, size_t outlen)
{
	if (!fake_mlx5.device)
		fake_mlx5.context = context;
	return fake_call('g', NULL, in, inlen, out, outlen);
}

int fake_mlx5_general(struct ibv_context *context)
{
	char in[16] = { 0 }, out[16] = { 0 };

	return mlx5dv_devx_general_cmd(context, in, sizeof(in), out,
				       sizeof(out));
}

struct mlx5dv_devx_obj *fake_mlx5_create(struct ibv_context *context)
{
	struct mlx5dv_devx_obj *obj;
	char in[16] = { 0 }, out[16] = { 0 };

	obj = mlx5dv_devx_obj_create(context, in, sizeof(in), out, sizeof(out));
	return out[0] ? NULL : obj;	/* prevents a tail call */
}

static int fake_verbs_call(char what, const char *func, const void *verbs,
			   const void *in, size_t inlen, void *out,
			   size_t outlen)
{
	if (!fake_mlx5.device) {
		fake_mlx5.func = func;
		fake_mlx5.verbs = verbs;
	}
	return fake_call(what, NULL, in, inlen, out, outlen);
}

#define FAKE_VERBS(what, func, type)					\
int func(struct type *verbs, const void *in, size_t inlen, void *out,	\
	 size_t outlen)							\
{									\
	return fake_verbs_call(what, #func, verbs, in, inlen, out, outlen); \
}

FAKE_VERBS('y', mlx5dv_devx_cq_query, ibv_cq)
FAKE_VERBS('x', mlx5dv_devx_cq_modify, ibv_cq)
FAKE_VERBS('y', mlx5dv_devx_qp_query, ibv_qp)
FAKE_VERBS('x', mlx5dv_devx_qp_modify, ibv_qp)
FAKE_VERBS('y', mlx5dv_devx_srq_query, ibv_srq)
FAKE_VERBS('x', mlx5dv_devx_srq_modify, ibv_srq)
FAKE_VERBS('y', mlx5dv_devx_wq_query, ibv_wq)
FAKE_VERBS('x', mlx5dv_devx_wq_modify, ibv_wq)
FAKE_VERBS('y', mlx5dv_devx_ind_tbl_query, ibv_rwq_ind_table)
FAKE_VERBS('x', mlx5dv_devx_ind_tbl_modify, ibv_rwq_ind_table)

/* As in libmlx5, whose channels are found from the public part of the structure. */
struct fake_channel {
	struct ibv_context *context;
	struct mlx5dv_devx_event_channel dv;
};

static int channel_open(struct ibv_context *context)
{
	int fds[2];

	fake_mlx5.context = context;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds))
		abort();
	fake_mlx5.channel_peer = fds[1];
	return fds[0];
}

struct mlx5dv_devx_event_channel *
mlx5dv_devx_create_event_channel(struct ibv_context *context,
				 enum mlx5dv_devx_create_event_channel_flags flags)
{
	struct fake_channel *chan = calloc(1, sizeof(*chan));

	fake_event('h');
	fake_mlx5.number = flags;
	chan->context = context;
	chan->dv.fd = channel_open(context);
	return &chan->dv;
}

void mlx5dv_devx_destroy_event_channel(struct mlx5dv_devx_event_channel *dv)
{
	fake_event('k');
	close(dv->fd);
	free((char *)dv - offsetof(struct fake_channel, dv));
}

int mlx5dv_devx_subscribe_devx_event(struct mlx5dv_devx_event_channel *dv,
				     struct mlx5dv_devx_obj *obj,
				     uint16_t events_sz, uint16_t events_num[],
				     uint64_t cookie)
{
	fake_mlx5.channel = dv;
	fake_mlx5.number = cookie;
	return fake_call('v', obj, events_num, events_sz, NULL, 0);
}

int mlx5dv_devx_subscribe_devx_event_fd(struct mlx5dv_devx_event_channel *dv, int fd,
					struct mlx5dv_devx_obj *obj,
					uint16_t event_num)
{
	fake_mlx5.channel = dv;
	fake_mlx5.number = event_num;
	return fake_call('w', obj, NULL, fd, NULL, 0);
}

ssize_t mlx5dv_devx_get_event(struct mlx5dv_devx_event_channel *dv,
			      struct mlx5dv_devx_async_event_hdr *data, size_t len)
{
	fake_event('r');
	return read(dv->fd, data, len);
}

struct mlx5dv_devx_cmd_comp *
mlx5dv_devx_create_cmd_comp(struct ibv_context *context)
{
	struct mlx5dv_devx_cmd_comp *dv;

	fake_event('f');
	if (fake_mlx5.create_err) {
		errno = fake_mlx5.create_err;
		return NULL;
	}
	/* Not a byte more than what is public. */
	dv = malloc(sizeof(*dv));
	dv->fd = channel_open(context);
	return dv;
}

void mlx5dv_devx_destroy_cmd_comp(struct mlx5dv_devx_cmd_comp *dv)
{
	fake_event('j');
	close(dv->fd);
	free(dv);
}

int mlx5dv_devx_obj_query_async(struct mlx5dv_devx_obj *obj, const void *in,
				size_t inlen, size_t outlen, uint64_t wr_id,
				struct mlx5dv_devx_cmd_comp *dv)
{
	fake_mlx5.channel = dv;
	fake_mlx5.number = wr_id;
	return fake_call('z', obj, in, inlen, NULL, outlen);
}

int mlx5dv_devx_get_async_cmd_comp(struct mlx5dv_devx_cmd_comp *dv,
				   struct mlx5dv_devx_async_cmd_hdr *resp, size_t len)
{
	fake_event('b');
	return read(dv->fd, resp, len) < 0 ? errno : 0;
}

int _mlx5dv_query_port(struct ibv_context *context, uint32_t port_num,
		       struct mlx5dv_port *info, size_t info_len)
{
	fake_event('t');
	fake_mlx5.context = context;
	fake_mlx5.port = port_num;
	fake_mlx5.info = info;
	fake_mlx5.info_len = info_len;
	return fake_mlx5.err;
}

int fake_mlx5_qp_query(struct ibv_qp *qp)
{
	char in[16] = { 0 }, out[16] = { 0 };

	return mlx5dv_devx_qp_query(qp, in, sizeof(in), out, sizeof(out));
}

int fake_mlx5_port(struct ibv_context *context)
{
	struct mlx5dv_port info;

	return _mlx5dv_query_port(context, 1, &info, sizeof(info));
}
#endif
