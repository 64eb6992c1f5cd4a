/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Handles of objects, which user space knows as struct mlx5dv_devx_obj. */
#ifndef MDX_SHIM_OBJ_H
#define MDX_SHIM_OBJ_H

#include "ctx.h"

/*
 * Layout of struct mlx5dv_devx_obj in libmlx5, whose flow functions read these
 * fields of any object. Objects of libmdx have type 0 and a handle that uverbs
 * never allocates, so that libmlx5 and the kernel reject them.
 */
struct libmlx5_obj {
	struct ibv_context *context;
	uint32_t handle;
	uint32_t type;
	uint32_t object_id;
	uint64_t rx_icm_addr;
	uint8_t log_obj_range;
	void *priv;
};

#define MDX_OBJ_HANDLE UINT32_MAX

/* An object of libmdx. mlx5.priv points to itself, which identifies it. */
struct mdx_shim_obj {
	struct libmlx5_obj mlx5;
	struct mdx_ctx_ref ref;
	uint32_t id;			/* in the bound file */
};

/*
 * NULL if @devx_obj, which is not NULL, belongs to libmlx5. An object of libmlx5 may
 * have the same handle, if it was imported from arbitrary bytes, but has no priv.
 */
static inline struct mdx_shim_obj *to_shim_obj(struct mlx5dv_devx_obj *devx_obj)
{
	struct libmlx5_obj *obj = (void *)devx_obj;

	if (obj->handle != MDX_OBJ_HANDLE || obj->priv != obj)
		return NULL;
	return (void *)obj;
}

/* Make @obj, which is zeroed, the handle of the object @id of @ref. */
static inline struct mlx5dv_devx_obj *
mdx_obj_init(struct mdx_shim_obj *obj, struct ibv_context *context,
	     const struct mdx_ctx_ref *ref, uint32_t id)
{
	obj->mlx5.context = context;
	obj->mlx5.handle = MDX_OBJ_HANDLE;
	obj->mlx5.priv = obj;
	obj->ref = *ref;
	obj->id = id;
	return (void *)obj;
}

#endif /* MDX_SHIM_OBJ_H */
