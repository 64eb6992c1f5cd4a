// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Objects and general commands: each function fills one structure and makes one
 * call.
 *
 * Buffers and lengths go to the kernel as they are. It checks them, and writes
 * all of the output buffer on success and on EREMOTEIO, and nothing otherwise.
 */
#include <stdlib.h>

#include "mdx/mdx_uapi.h"
#include "shim.h"

/*
 * What libmlx5 keeps in a struct mlx5dv_devx_obj, which it reads when such an
 * object is given to one of its flow functions. Ours has a type it has no use
 * for, and a handle that uverbs never gives out: both refuse it.
 */
struct mlx5_obj {
	struct ibv_context *context;
	uint32_t handle;
	uint32_t type;
	uint32_t object_id;
	uint64_t rx_icm_addr;
	uint8_t log_obj_range;
	void *priv;
};

#define MDX_OBJ_HANDLE UINT32_MAX

struct mdx_obj {
	struct mlx5_obj mlx5;
	struct mdx_obj *self;	/* the proof that this is ours */
	struct mdx_ref ref;
	uint32_t id;
};

_Static_assert(offsetof(struct mlx5_obj, handle) == sizeof(void *), "");
_Static_assert(offsetof(struct mlx5_obj, object_id) == sizeof(void *) + 8, "");

/* NULL if @obj is one of libmlx5, of which no more than mlx5_obj is read. */
static struct mdx_obj *to_mdx_obj(struct mlx5dv_devx_obj *devx_obj)
{
	struct mdx_obj *obj = (void *)devx_obj;

	if (obj->mlx5.handle != MDX_OBJ_HANDLE || obj->self != obj)
		return NULL;
	return obj;
}

/* mdx_ioctl() on a bound file: a call that the module lacks is EOPNOTSUPP. */
static int mdx_call(const struct mdx_ref *ref, unsigned long nr, void *arg)
{
	int ret = mdx_ioctl(ref->fd, nr, arg);

	return ret == ENOTTY ? EOPNOTSUPP : ret;
}

static struct mlx5dv_devx_obj *obj_create(struct ibv_context *context,
					  const struct mdx_ref *ref,
					  const void *in, size_t inlen,
					  void *out, size_t outlen)
{
	struct mdx_ioc_obj_create arg = {
		.size = sizeof(arg),
		.in = mdx_mbox_addr(in),
		.out = mdx_mbox_addr(out),
		.in_len = mdx_mbox_len(inlen),
		.out_len = mdx_mbox_len(outlen),
	};
	struct mdx_obj *obj = calloc(1, sizeof(*obj));
	int ret;

	if (!obj)
		return NULL;
	ret = mdx_call(ref, MDX_IOC_OBJ_CREATE, &arg);
	if (ret) {
		free(obj);
		errno = ret;
		return NULL;
	}
	obj->mlx5.context = context;
	obj->mlx5.handle = MDX_OBJ_HANDLE;
	obj->self = obj;
	obj->ref = *ref;
	obj->id = arg.out_id;
	return (void *)obj;
}

/**
 * mlx5dv_devx_obj_create - mlx5dv_devx_obj_create(3)
 * @context: an open verbs context, with MLX5DV_CONTEXT_FLAGS_DEVX
 * @in: input mailbox, a command that creates a firmware object
 * @inlen: length of @in in bytes, at least what the command's layout has, at
 *	most 2 MiB
 * @out: output mailbox
 * @outlen: length of @out in bytes, at least 16 and at least what the command
 *	answers, at most 2 MiB
 *
 * The uid in @in is ignored. On success and on EREMOTEIO all of @out is
 * written, on other errors nothing of it.
 *
 * Return: the object, owned by the caller until mlx5dv_devx_obj_destroy(), or
 * NULL and errno: EREMOTEIO if the device refused the command (status and
 * syndrome are in @out), EINVAL for a mailbox that is too short or too long or
 * is no create command, EOPNOTSUPP for a command or a context that mlx5_devx
 * does not serve, and nobody else does.
 */
MDX_PUBLIC struct mlx5dv_devx_obj *
mlx5dv_devx_obj_create(struct ibv_context *context, const void *in,
		       size_t inlen, void *out, size_t outlen)
{
	const struct mdx_next *next;
	struct mdx_ref ref;
	int ret = MDX_FORWARD;

	if (!mdx_caller_is_mlx5(MDX_CALLER))
		ret = mdx_ctx_get(context, &ref);
	if (!ret)
		return obj_create(context, &ref, in, inlen, out, outlen);
	next = mdx_next();
	if (ret == MDX_FORWARD && next->obj_create)
		return next->obj_create(context, in, inlen, out, outlen);
	errno = ret == MDX_FORWARD ? EOPNOTSUPP : ret;
	return NULL;
}

/* Query and modify. MDX_FORWARD: an object of libmlx5. */
static int obj_cmd(struct mlx5dv_devx_obj *devx_obj, unsigned long nr,
		   const void *in, size_t inlen, void *out, size_t outlen)
{
	struct mdx_ioc_obj_cmd arg = {
		.size = sizeof(arg),
		.in = mdx_mbox_addr(in),
		.out = mdx_mbox_addr(out),
		.in_len = mdx_mbox_len(inlen),
		.out_len = mdx_mbox_len(outlen),
	};
	struct mdx_obj *obj = to_mdx_obj(devx_obj);

	if (!obj)
		return MDX_FORWARD;
	if (!mdx_ref_valid(&obj->ref))
		return mdx_ret(EBADF);
	arg.id = obj->id;
	return mdx_ret(mdx_call(&obj->ref, nr, &arg));
}

/**
 * mlx5dv_devx_obj_query - mlx5dv_devx_obj_query(3)
 * @obj: what mlx5dv_devx_obj_create() returned
 * @in: input mailbox, a query command that names @obj
 * @inlen: length of @in in bytes, as for mlx5dv_devx_obj_create()
 * @out: output mailbox
 * @outlen: length of @out in bytes, at least 16, at most 2 MiB
 *
 * @out is written as by mlx5dv_devx_obj_create(). Queries and modifies of an
 * object may run in parallel.
 *
 * Return: 0, or an errno, which is in errno, too: EREMOTEIO if the device
 * refused the command, EINVAL for one that is not a query of this object, EBUSY
 * if it is being destroyed, EBADF if its context was closed.
 */
MDX_PUBLIC int mlx5dv_devx_obj_query(struct mlx5dv_devx_obj *obj,
				     const void *in, size_t inlen, void *out,
				     size_t outlen)
{
	int ret = obj_cmd(obj, MDX_IOC_OBJ_QUERY, in, inlen, out, outlen);

	if (ret == MDX_FORWARD)
		return MDX_NEXT(obj_query, obj, in, inlen, out, outlen);
	return ret;
}

/**
 * mlx5dv_devx_obj_modify - mlx5dv_devx_obj_modify(3)
 * @obj: what mlx5dv_devx_obj_create() returned
 * @in: input mailbox, a modify command that names @obj
 * @inlen: length of @in in bytes, as for mlx5dv_devx_obj_create()
 * @out: output mailbox
 * @outlen: length of @out in bytes, at least 16, at most 2 MiB
 *
 * Return: as mlx5dv_devx_obj_query().
 */
MDX_PUBLIC int mlx5dv_devx_obj_modify(struct mlx5dv_devx_obj *obj,
				      const void *in, size_t inlen, void *out,
				      size_t outlen)
{
	int ret = obj_cmd(obj, MDX_IOC_OBJ_MODIFY, in, inlen, out, outlen);

	if (ret == MDX_FORWARD)
		return MDX_NEXT(obj_modify, obj, in, inlen, out, outlen);
	return ret;
}

/* There is no output mailbox, so the status becomes the errno. */
static int obj_destroy(struct mdx_obj *obj)
{
	struct mdx_ioc_obj_destroy arg = {
		.size = sizeof(arg),
		.id = obj->id,
	};
	int ret = mdx_call(&obj->ref, MDX_IOC_OBJ_DESTROY, &arg);

	return ret == EREMOTEIO ? mdx_status_to_errno(arg.out_status) : ret;
}

/**
 * mlx5dv_devx_obj_destroy - mlx5dv_devx_obj_destroy(3)
 * @obj: what mlx5dv_devx_obj_create() returned
 *
 * On success @obj is freed. On failure it is as it was and may be destroyed
 * later, for example after the object that uses it. When the context of @obj was
 * closed there is nothing left to destroy; @obj is freed.
 *
 * Return: 0, or an errno, which is in errno, too; never EREMOTEIO. A refusal by
 * the device is the errno that the stock driver makes of its status: EBUSY for
 * "resource busy", EAGAIN, ENOMEM, EINVAL or EIO. EBUSY as well while another
 * thread queries or modifies @obj.
 */
MDX_PUBLIC int mlx5dv_devx_obj_destroy(struct mlx5dv_devx_obj *obj)
{
	struct mdx_obj *own = to_mdx_obj(obj);
	int ret = 0;
	int saved;

	if (!own)
		return MDX_NEXT(obj_destroy, obj);
	if (mdx_ref_valid(&own->ref))
		ret = obj_destroy(own);
	if (ret)
		return mdx_ret(ret);
	saved = errno;
	free(own);
	errno = saved;
	return 0;
}

/**
 * mlx5dv_devx_general_cmd - mlx5dv_devx_general_cmd(3)
 * @context: an open verbs context, with MLX5DV_CONTEXT_FLAGS_DEVX
 * @in: input mailbox, a command that neither creates nor names an object
 * @inlen: length of @in in bytes, as for mlx5dv_devx_obj_create()
 * @out: output mailbox
 * @outlen: length of @out in bytes, at least 16, at most 2 MiB
 *
 * @out is written as by mlx5dv_devx_obj_create().
 *
 * Return: 0, or an errno, which is in errno, too: EREMOTEIO if the device
 * refused the command, EINVAL for a command about an object.
 */
MDX_PUBLIC int mlx5dv_devx_general_cmd(struct ibv_context *context,
				       const void *in, size_t inlen, void *out,
				       size_t outlen)
{
	struct mdx_ioc_general arg = {
		.size = sizeof(arg),
		.in = mdx_mbox_addr(in),
		.out = mdx_mbox_addr(out),
		.in_len = mdx_mbox_len(inlen),
		.out_len = mdx_mbox_len(outlen),
	};
	struct mdx_ref ref;
	int ret = MDX_FORWARD;

	if (!mdx_caller_is_mlx5(MDX_CALLER))
		ret = mdx_ctx_get(context, &ref);
	if (!ret)
		ret = mdx_call(&ref, MDX_IOC_GENERAL, &arg);
	if (ret == MDX_FORWARD)
		return MDX_NEXT(general_cmd, context, in, inlen, out, outlen);
	return mdx_ret(ret);
}
