// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Umems that a batch registers. All others are libmlx5's, which registers them itself.
 */
#include <stdlib.h>

#include "next.h"
#include "shim_umem.h"

#define ALL_PAGE_SIZES (UINT64_MAX & ~0xfffULL)

struct mdx_batch_umem *mdx_batch_umem_new(const struct mlx5dv_devx_umem_in *in,
					  struct mlx5dv_devx_umem **user)
{
	struct mdx_batch_umem *umem;

	if (in->comp_mask & ~(uint64_t)MLX5DV_UMEM_MASK_DMABUF) {
		errno = EOPNOTSUPP;
		return NULL;
	}
	umem = calloc(1, sizeof(*umem));
	if (!umem)
		return NULL;
	/* Once the umem exists, nothing may fail. */
	umem->spare = calloc(1, sizeof(*umem->spare));
	if (!umem->spare) {
		free(umem);
		return NULL;
	}
	umem->user = user;
	umem->in = *in;
	if (!in->pgsz_bitmap)
		umem->in.pgsz_bitmap = ALL_PAGE_SIZES;
	umem->arg = (struct mdx_ioc_umem_reg){
		.size = sizeof(umem->arg),
		.addr = (uintptr_t)in->addr,
		.length = in->size,
		.pgsz_bitmap = umem->in.pgsz_bitmap,
		.access = in->access,
	};
	if (in->comp_mask) {
		umem->arg.flags = MDX_UMEM_DMABUF;
		umem->arg.dmabuf_fd = in->dmabuf_fd;
	}
	return umem;
}

void mdx_batch_umem_free(struct mdx_batch_umem *umem)
{
	if (umem)
		free(umem->spare);
	free(umem);
}

void mdx_batch_umem_made(struct mdx_batch_umem *umem,
			 const struct mdx_ctx_ref *ref, uint32_t id)
{
	umem->spare->dv.umem_id = umem->arg.out_umem_id;
	umem->spare->ref = *ref;
	umem->spare->id = id;
	umem->made = &umem->spare->dv;
	umem->spare = NULL;
}

int mdx_batch_umem_next(struct mdx_batch_umem *umem, struct ibv_context *context)
{
	if (!mdx_next()->umem_reg_ex)
		return EOPNOTSUPP;
	errno = 0;
	umem->made = mdx_next()->umem_reg_ex(context, &umem->in);
	if (umem->made)
		return 0;
	return errno ? errno : ENOMEM;
}

/* A umem ends with its device and its context, as an object does. */
static int umem_destroy(struct mdx_shim_umem *umem)
{
	struct mdx_ioc_obj_destroy arg = {
		.size = sizeof(arg),
		.id = umem->id,
	};
	int ret;

	ret = mdx_call(&umem->ref, MDX_IOC_OBJ_DESTROY, &arg);
	if (ret == EREMOTEIO)
		return mdx_status_to_errno(arg.out_status);
	return ret == EIO ? 0 : ret;
}

/**
 * mlx5dv_devx_umem_dereg - mlx5dv_devx_umem_dereg(3)
 * @umem: umem from mlx5dv_devx_umem_reg(), its like, or mdx_batch_umem()
 *
 * Destroys a umem, unpins its memory and frees @umem. After an error @umem is unchanged and
 * may be destroyed later, for example after the object that uses it. If its context was
 * closed or the device removed, the umem was destroyed then, and @umem is only freed.
 *
 * Return: 0, or an errno, which is also in errno. For a umem of mdx_batch_umem() that the
 * module registered: those of mlx5dv_devx_obj_destroy(). EINVAL if @umem is NULL. For
 * others: as libmlx5; EOPNOTSUPP without it.
 */
MDX_PUBLIC int mlx5dv_devx_umem_dereg(struct mlx5dv_devx_umem *umem)
{
	struct mdx_shim_umem *shim = (void *)umem;
	int ret = 0, saved;

	if (!umem)
		return mdx_ret(EINVAL);
	if (shim->context)
		return MDX_NEXT(umem_dereg, umem);
	if (mdx_ref_valid(&shim->ref))
		ret = umem_destroy(shim);
	if (ret)
		return mdx_ret(ret);
	saved = errno;
	free(shim);
	errno = saved;
	return 0;
}
