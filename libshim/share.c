// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Handles of objects that another handle stands for as well: of another process that
 * imported the context, or of what ran in this process before an exec.
 *
 * libmdx binds its files with MDX_BIND_SHARE, so that an object has the same id in all
 * of those that are bound to one verbs context. A handle needs nothing but this id.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "shim_obj.h"

/*
 * What libmlx5 writes for an object of its own. Of an object of libmdx, handle is
 * MDX_OBJ_HANDLE, object_id the id of the kernel, and rx_icm_addr tells whose it is.
 */
struct obj_attrs {
	uint32_t handle;
	uint32_t type;
	uint32_t object_id;
	uint64_t rx_icm_addr;
	uint8_t log_obj_range;
};

_Static_assert(sizeof(struct obj_attrs) == MDX_OBJ_EXPORT_SIZE, "");

/* In the upper 24 bits of obj_attrs::rx_icm_addr. */
#define TOKEN_MAGIC 0x4d4458ull

static bool attrs_are_ours(const struct obj_attrs *attrs)
{
	return attrs->handle == MDX_OBJ_HANDLE &&
	       attrs->rx_icm_addr >> 40 == TOKEN_MAGIC;
}

/* The uverbs device and the uid of @ref tell its context from others. */
static int context_token(struct ibv_context *context, const struct mdx_ctx_ref *ref,
			 uint64_t *token)
{
	struct mdx_ioc_info info = { .size = sizeof(info) };
	struct stat st = { 0 };
	int saved = errno;
	int ret = mdx_call(ref, MDX_IOC_INFO, &info);

	if (ret)
		return ret;
	if (fstat(context->cmd_fd, &st))
		errno = saved;
	*token = TOKEN_MAGIC << 40 |
		 (uint64_t)(minor(st.st_rdev) & 0xffffff) << 16 |
		 (info.out_uid & 0xffff);
	return 0;
}

/* List objects from @from on: 0 and @n, or an errno. @n is the room on entry. */
static int list_objs(const struct mdx_ctx_ref *ref, uint32_t from,
		     struct mdx_obj_info *info, uint32_t *n)
{
	struct mdx_ioc_obj_list arg = {
		.size = sizeof(arg),
		.objs = (uintptr_t)info,
		.objs_n = *n,
		.from_id = from,
	};
	int ret = mdx_call(ref, MDX_IOC_OBJ_LIST, &arg);

	if (!ret)
		*n = arg.out_n;
	return ret;
}

/**
 * mlx5dv_devx_obj_export - mlx5dv_devx_obj_export(3)
 * @obj: an object
 * @data: receives MDX_OBJ_EXPORT_SIZE bytes
 *
 * Describes an object for mlx5dv_devx_obj_import().
 *
 * Return: 0, or an errno, which is also in errno: EINVAL if @obj or @data is NULL,
 * EBADF if the context of @obj was closed, EOPNOTSUPP if @obj belongs to libmlx5, which
 * lacks the function.
 */
MDX_PUBLIC int mlx5dv_devx_obj_export(struct mlx5dv_devx_obj *obj, void *data)
{
	struct obj_attrs attrs;
	struct mdx_shim_obj *own;
	int ret;

	if (!obj || !data)
		return mdx_ret(EINVAL);
	own = to_shim_obj(obj);
	if (!own)
		return MDX_NEXT(obj_export, obj, data);
	if (!mdx_ref_valid(&own->ref))
		return mdx_ret(EBADF);
	memset(&attrs, 0, sizeof(attrs));
	attrs.handle = MDX_OBJ_HANDLE;
	attrs.object_id = own->id;
	ret = context_token(own->mlx5.context, &own->ref, &attrs.rx_icm_addr);
	if (ret)
		return mdx_ret(ret);
	memcpy(data, &attrs, sizeof(attrs));
	return 0;
}

/* Look for the object that @attrs describe: 0 or an errno. */
static int find_exported(struct ibv_context *context, const struct mdx_ctx_ref *ref,
			 const struct obj_attrs *attrs)
{
	struct mdx_obj_info info = { 0 };
	uint64_t token = 0;
	uint32_t n = 1;
	int ret = context_token(context, ref, &token);

	if (ret)
		return ret;
	if (token != attrs->rx_icm_addr || !attrs->object_id)
		return EINVAL;
	ret = list_objs(ref, attrs->object_id, &info, &n);
	if (!ret && (!n || info.id != attrs->object_id))
		ret = ENOENT;
	return ret;
}

static struct mlx5dv_devx_obj *obj_import(struct ibv_context *context,
					  const struct obj_attrs *attrs)
{
	struct mdx_shim_obj *obj;
	struct mdx_ctx_ref ref;
	int ret = mdx_forward_errno(mdx_ctx_get(context, &ref));

	if (!ret)
		ret = find_exported(context, &ref, attrs);
	if (ret) {
		errno = ret;
		return NULL;
	}
	obj = calloc(1, sizeof(*obj));
	return obj ? mdx_obj_init(obj, context, &ref, attrs->object_id) : NULL;
}

/**
 * mlx5dv_devx_obj_import - mlx5dv_devx_obj_import(3)
 * @context: the context of the object, or one that ibv_import_device() made of its
 *	cmd_fd
 * @data: bytes from mlx5dv_devx_obj_export()
 *
 * Makes a handle of an object. mlx5dv_devx_obj_destroy() destroys the object, for all
 * its handles; mlx5dv_devx_obj_unimport() frees a handle only.
 *
 * Return: the handle, or NULL and errno: EINVAL if @context or @data is NULL, or the
 * object is one of another context; ENOENT if it was destroyed; EOPNOTSUPP if the
 * object is one of libmdx and @context is not served, or if it is one of libmlx5, which
 * lacks the function; ENOMEM; EIO if the device was removed or the verbs context has
 * ended; or an error of mdx_context_check() marked (*).
 */
MDX_PUBLIC struct mlx5dv_devx_obj *
mlx5dv_devx_obj_import(struct ibv_context *context, void *data)
{
	const struct mdx_next *next = mdx_next();
	struct obj_attrs attrs;

	if (!context || !data) {
		errno = EINVAL;
		return NULL;
	}
	memcpy(&attrs, data, sizeof(attrs));
	if (attrs_are_ours(&attrs))
		return obj_import(context, &attrs);
	if (next->obj_import)
		return next->obj_import(context, data);
	errno = EOPNOTSUPP;
	return NULL;
}

/**
 * mlx5dv_devx_obj_unimport - mlx5dv_devx_obj_unimport(3)
 * @obj: an object from mlx5dv_devx_obj_import() or mdx_adopt()
 *
 * Frees a handle. The object stays.
 *
 * Nothing is done for NULL, and for an object of a libmlx5 that lacks the function;
 * errno is then EINVAL or EOPNOTSUPP.
 */
MDX_PUBLIC void mlx5dv_devx_obj_unimport(struct mlx5dv_devx_obj *obj)
{
	const struct mdx_next *next = mdx_next();
	int saved = errno;

	if (!obj) {
		errno = EINVAL;
	} else if (to_shim_obj(obj)) {
		free(obj);
		errno = saved;
	} else if (next->obj_unimport) {
		next->obj_unimport(obj);
	} else {
		errno = EOPNOTSUPP;
	}
}

MDX_PUBLIC int mdx_context_fd(struct ibv_context *context, int *fd)
{
	struct mdx_ctx_ref ref;
	int ret;

	if (!context || !fd)
		return mdx_ret(EINVAL);
	ret = mdx_forward_errno(mdx_ctx_get(context, &ref));
	if (ret)
		return mdx_ret(ret);
	*fd = ref.fd;
	return 0;
}

/* Make handles of @n objects, all or none of them. */
static int adopt_objs(struct ibv_context *context, const struct mdx_ctx_ref *ref,
		      const struct mdx_obj_info *info,
		      struct mdx_adopted *adopted, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++) {
		struct mdx_shim_obj *obj = calloc(1, sizeof(*obj));

		if (!obj)
			goto err_free;
		adopted[i] = (struct mdx_adopted){
			.obj = mdx_obj_init(obj, context, ref, info[i].id),
			.id = info[i].id,
			.opcode = info[i].opcode,
			.obj_type = info[i].obj_type,
			.number = info[i].fw_id,
			.numbers = info[i].fw_n,
		};
	}
	return 0;

err_free:
	while (i--)
		free(adopted[i].obj);
	return ENOMEM;
}

MDX_PUBLIC int mdx_adopt(struct ibv_context *context, uint32_t after,
			 struct mdx_adopted *adopted, uint32_t *n)
{
	struct mdx_obj_info *info;
	struct mdx_ctx_ref ref;
	int ret;

	if (!context || !adopted || !n || !*n)
		return mdx_ret(EINVAL);
	if (after == UINT32_MAX) {
		*n = 0;
		return 0;
	}
	ret = mdx_forward_errno(mdx_ctx_get(context, &ref));
	if (ret)
		return mdx_ret(ret);
	info = calloc(*n, sizeof(*info));
	if (!info)
		return mdx_ret(ENOMEM);
	ret = list_objs(&ref, after + 1, info, n);
	if (!ret)
		ret = adopt_objs(context, &ref, info, adopted, *n);
	free(info);
	return mdx_ret(ret);
}
