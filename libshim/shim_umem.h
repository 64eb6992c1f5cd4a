/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Umems of batches, which user space knows as struct mlx5dv_devx_umem. */
#ifndef MDX_SHIM_UMEM_H
#define MDX_SHIM_UMEM_H

#include "ctx.h"

/*
 * A umem of libmdx. The first fields are laid out as those of libmlx5's, which always has
 * a context there: NULL identifies ours.
 */
struct mdx_shim_umem {
	struct mlx5dv_devx_umem dv;
	struct ibv_context *context;
	struct mdx_ctx_ref ref;
	uint32_t id;			/* in the bound file */
};

/* An item that registers memory. */
struct mdx_batch_umem {
	struct mlx5dv_devx_umem_in in;
	struct mdx_ioc_umem_reg arg;	/* for the module */
	struct mlx5dv_devx_umem **user;	/* where the caller wants made */
	struct mlx5dv_devx_umem *made;	/* the umem it has registered */
	struct mdx_shim_umem *spare;	/* memory of a handle */
};

/* For item_add(): NULL and errno if there is no memory, or @in is not known. */
struct mdx_batch_umem *mdx_batch_umem_new(const struct mlx5dv_devx_umem_in *in,
					  struct mlx5dv_devx_umem **user);
void mdx_batch_umem_free(struct mdx_batch_umem *umem);

/* The module has registered it, as object @id. */
void mdx_batch_umem_made(struct mdx_batch_umem *umem,
			 const struct mdx_ctx_ref *ref, uint32_t id);
/* By libmlx5: 0 or an errno. */
int mdx_batch_umem_next(struct mdx_batch_umem *umem, struct ibv_context *context);

#endif /* MDX_SHIM_UMEM_H */
