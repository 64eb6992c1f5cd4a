// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * mlx5dv_devx_obj_create(3): objects and general commands. Each function fills
 * one structure and issues one ioctl.
 *
 * The following holds for all of them. Lengths are in bytes. The input mailbox
 * is at least as long as the layout of its command, the output mailbox at least
 * 16 bytes, and neither is longer than 2 MiB. The uid in the input mailbox is
 * ignored. On success and on EREMOTEIO all of the output mailbox is written, on
 * any other error nothing, except that EFAULT may leave a part of it written.
 * The caller owns both mailboxes; libmdx does not access them after the call.
 *
 * Errors, in addition to those at each function:
 *
 * - EREMOTEIO: the device refused the command. Status and syndrome are in the
 *   output mailbox.
 * - EINVAL: a mailbox is too short or too long, the command belongs to another
 *   function, or the object or the context is NULL.
 * - EOPNOTSUPP: the module does not know the opcode, or the context is not
 *   served and the next library lacks the function.
 * - EFAULT: a mailbox cannot be read or written.
 * - ENOMEM: out of memory.
 * - EIO: the device was removed, or the verbs context has ended. Only closing
 *   remains.
 * - ETIMEDOUT, ENXIO and others: the device did not answer.
 * - The errors of mdx_context_check() marked (*), on the first use of a
 *   context.
 *
 * An object or context that libmdx does not serve is left to libmlx5, with the
 * errors of libmlx5. So is the creation of an object that functions of libmlx5
 * take, see consumed.c.
 */
#include <stdlib.h>

#include "consumed.h"
#include "debug.h"
#include "shim_obj.h"

_Static_assert(offsetof(struct libmlx5_obj, handle) == sizeof(void *), "");
_Static_assert(offsetof(struct libmlx5_obj, object_id) ==
	       sizeof(void *) + 8, "");

static struct mlx5dv_devx_obj *obj_create(struct ibv_context *context,
					  const struct mdx_ctx_ref *ref,
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
	struct mdx_shim_obj *obj = calloc(1, sizeof(*obj));
	int ret;

	if (!obj)
		return NULL;
	ret = mdx_call(ref, MDX_IOC_OBJ_CREATE, &arg);
	if (ret) {
		free(obj);
		errno = ret;
		return NULL;
	}
	return mdx_obj_init(obj, context, ref, arg.out_id);
}

static bool obj_is_consumed(struct ibv_context *context, const void *in,
			    size_t inlen)
{
	const char *reason = mdx_consumed_reason(in, inlen);

	if (reason)
		mdx_debug_consumed(context, in, reason);
	return reason;
}

/**
 * mlx5dv_devx_obj_create - mlx5dv_devx_obj_create(3)
 * @context: an open verbs context, with MLX5DV_CONTEXT_FLAGS_DEVX
 * @in: input mailbox, a command that creates a firmware object
 * @inlen: length of @in
 * @out: output mailbox
 * @outlen: length of @out, also at least the length of the command's answer
 *
 * Creates a firmware object. @out has its number. TIRs, flow tables, flow
 * counters and ASO objects, which flow rules of libmlx5 take, are created by
 * libmlx5 unless MDX_SERVE is "all" in the environment.
 *
 * Return: the object, owned by the caller until mlx5dv_devx_obj_destroy(), or
 * NULL and errno as at the top of this file; ENOMEM also if @context has as
 * many objects as it may have. After an error there is nothing to destroy.
 */
MDX_PUBLIC struct mlx5dv_devx_obj *
mlx5dv_devx_obj_create(struct ibv_context *context, const void *in,
		       size_t inlen, void *out, size_t outlen)
{
	const struct mdx_next *next = mdx_next();
	struct mdx_ctx_ref ref;
	int ret = MDX_FORWARD;

	if (!mdx_caller_is_mlx5(MDX_CALLER))
		ret = mdx_ctx_get(context, &ref);
	if (!ret && next->obj_create && obj_is_consumed(context, in, inlen))
		ret = MDX_FORWARD;
	if (!ret)
		return obj_create(context, &ref, in, inlen, out, outlen);
	if (ret == MDX_FORWARD && next->obj_create)
		return next->obj_create(context, in, inlen, out, outlen);
	errno = mdx_forward_errno(ret);
	return NULL;
}

/* Query or modify. MDX_FORWARD if the object belongs to libmlx5. */
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
	struct mdx_shim_obj *obj;

	if (!devx_obj)
		return mdx_ret(EINVAL);
	obj = to_shim_obj(devx_obj);
	if (!obj)
		return MDX_FORWARD;
	if (!mdx_ref_valid(&obj->ref))
		return mdx_ret(EBADF);
	arg.id = obj->id;
	return mdx_ret(mdx_call(&obj->ref, nr, &arg));
}

/**
 * mlx5dv_devx_obj_query - mlx5dv_devx_obj_query(3)
 * @obj: object from mlx5dv_devx_obj_create()
 * @in: input mailbox, a query command with the number of @obj
 * @inlen: length of @in
 * @out: output mailbox
 * @outlen: length of @out
 *
 * Queries an object. Queries and modifies of one object may run in parallel.
 *
 * Return: 0, or an errno as at the top of this file, which is also in errno;
 * EINVAL also if @in refers to another object, EBUSY if the object is being
 * destroyed, EBADF if its context was closed.
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
 * @obj: object from mlx5dv_devx_obj_create()
 * @in: input mailbox, a modify command with the number of @obj
 * @inlen: length of @in
 * @out: output mailbox
 * @outlen: length of @out
 *
 * Modifies an object.
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

/* The caller has no output mailbox, so a device status becomes an errno. */
static int obj_destroy(struct mdx_shim_obj *obj)
{
	struct mdx_ioc_obj_destroy arg = {
		.size = sizeof(arg),
		.id = obj->id,
	};
	int ret = mdx_call(&obj->ref, MDX_IOC_OBJ_DESTROY, &arg);

	if (ret == EREMOTEIO)
		return mdx_status_to_errno(arg.out_status);
	/* The device was removed or the context has ended: so has the object. */
	return ret == EIO ? 0 : ret;
}

/**
 * mlx5dv_devx_obj_destroy - mlx5dv_devx_obj_destroy(3)
 * @obj: object from mlx5dv_devx_obj_create()
 *
 * Destroys an object and frees @obj. After an error @obj is unchanged and may
 * be destroyed later, for example after the object that uses it. If the context
 * of @obj was closed or the device removed, the object was destroyed then, and @obj
 * is only freed.
 *
 * Return: 0, or an errno, which is also in errno; never EREMOTEIO. If the
 * device refused: EBUSY for "resource busy", EAGAIN, ENOMEM, EINVAL or EIO, as
 * the stock driver maps the status. ENOENT if another handle of the object was
 * destroyed: mlx5dv_devx_obj_unimport() frees this one. EBUSY also while another
 * thread queries, modifies or destroys @obj. ETIMEDOUT, ENXIO and others if the
 * device did not answer.
 */
MDX_PUBLIC int mlx5dv_devx_obj_destroy(struct mlx5dv_devx_obj *obj)
{
	struct mdx_shim_obj *own;
	int ret = 0;
	int saved;

	if (!obj)
		return mdx_ret(EINVAL);
	own = to_shim_obj(obj);
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
 * @in: input mailbox, a command that neither creates an object nor refers to
 *	one
 * @inlen: length of @in
 * @out: output mailbox
 * @outlen: length of @out
 *
 * Executes a general command.
 *
 * Return: 0, or an errno as at the top of this file, which is also in errno.
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
	struct mdx_ctx_ref ref;
	int ret = MDX_FORWARD;

	if (!mdx_caller_is_mlx5(MDX_CALLER))
		ret = mdx_ctx_get(context, &ref);
	if (!ret)
		ret = mdx_call(&ref, MDX_IOC_GENERAL, &arg);
	if (ret == MDX_FORWARD)
		return MDX_NEXT(general_cmd, context, in, inlen, out, outlen);
	return mdx_ret(ret);
}
