/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What the files of libmdx know of each other. */
#ifndef MDX_SHIM_H
#define MDX_SHIM_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mdx/mdx.h"

#define MDX_PUBLIC __attribute__((visibility("default")))
#define MDX_NODE "/dev/infiniband/mlx5_devx"

/* Where a call came from, as seen by an exported function. */
#define MDX_CALLER __builtin_extract_return_addr(__builtin_return_address(0))

/* next.c: the definitions libmdx stands in front of. NULL where there is none. */
struct mdx_next {
	__typeof__(mlx5dv_devx_obj_create) *obj_create;
	__typeof__(mlx5dv_devx_obj_query) *obj_query;
	__typeof__(mlx5dv_devx_obj_modify) *obj_modify;
	__typeof__(mlx5dv_devx_obj_destroy) *obj_destroy;
	__typeof__(mlx5dv_devx_general_cmd) *general_cmd;
	__typeof__(mlx5dv_open_device) *dv_open_device;
	__typeof__(ibv_open_device) *open_device;
	__typeof__(ibv_import_device) *import_device;
	__typeof__(ibv_close_device) *close_device;
};

/* Leaves errno alone. */
const struct mdx_next *mdx_next(void);

/* Whether @caller is libmlx5 itself. */
bool mdx_caller_is_mlx5(const void *caller);

/* ctx.c: verbs contexts and the bound file of each */

struct mdx_ctx;

/* A place in a context's life: the same context, not yet closed. */
struct mdx_ref {
	struct mdx_ctx *ctx;
	unsigned int gen;
	int fd;
};

/* mdx_ctx_get(): not ours, ask the next library. */
#define MDX_FORWARD (-1)

/* 0 and @ref, MDX_FORWARD, or a positive errno that the call fails with. */
int mdx_ctx_get(struct ibv_context *context, struct mdx_ref *ref);

/* Whether the context of @ref is still open. */
bool mdx_ref_valid(const struct mdx_ref *ref);

/* errno.c: error conventions */

/* Return @err as the man pages want it: returned and, if not 0, in errno. */
static inline int mdx_ret(int err)
{
	if (err > 0)
		errno = err;
	return err;
}

/* ioctl(): 0 or a positive errno. Leaves errno alone on success. */
int mdx_ioctl(int fd, unsigned long nr, void *arg);

/* The errno of a device status for calls that have no output mailbox. */
int mdx_status_to_errno(uint32_t status);

#endif /* MDX_SHIM_H */
