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
	__typeof__(mlx5dv_devx_cq_query) *cq_query;
	__typeof__(mlx5dv_devx_cq_modify) *cq_modify;
	__typeof__(mlx5dv_devx_qp_query) *qp_query;
	__typeof__(mlx5dv_devx_qp_modify) *qp_modify;
	__typeof__(mlx5dv_devx_srq_query) *srq_query;
	__typeof__(mlx5dv_devx_srq_modify) *srq_modify;
	__typeof__(mlx5dv_devx_wq_query) *wq_query;
	__typeof__(mlx5dv_devx_wq_modify) *wq_modify;
	__typeof__(mlx5dv_devx_ind_tbl_query) *ind_tbl_query;
	__typeof__(mlx5dv_devx_ind_tbl_modify) *ind_tbl_modify;
	__typeof__(_mlx5dv_query_port) *query_port;
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

/* One call on the bound file of @context; as mdx_ref_call(), or MDX_FORWARD. */
int mdx_ctx_call(struct ibv_context *context, unsigned long nr, void *arg);

/* Mailboxes as the kernel takes them. */

static inline uint64_t mdx_mbox_addr(const void *buf)
{
	return (uintptr_t)buf;
}

/* Lengths are 32 bits wide. What is longer stays too long for the kernel. */
static inline uint32_t mdx_mbox_len(size_t len)
{
	return len > UINT32_MAX ? UINT32_MAX : len;
}

/* errno.c: error conventions */

/* Return @err as the man pages want it: returned and, if not 0, in errno. */
static inline int mdx_ret(int err)
{
	if (err > 0)
		errno = err;
	return err;
}

/* What the function behind answers: EOPNOTSUPP if there is none. */
#define MDX_NEXT(func, ...)						\
	mdx_ret(mdx_next()->func ? mdx_next()->func(__VA_ARGS__) : EOPNOTSUPP)

/* ioctl(): 0 or a positive errno. Leaves errno itself alone. */
int mdx_ioctl(int fd, unsigned long nr, void *arg);

/* mdx_ioctl(), or MDX_FORWARD when the module is too old to know the call. */
static inline int mdx_ref_call(const struct mdx_ref *ref, unsigned long nr,
			       void *arg)
{
	int ret = mdx_ioctl(ref->fd, nr, arg);

	return ret == ENOTTY ? MDX_FORWARD : ret;
}

/* The errno of a device status for calls that have no output mailbox. */
int mdx_status_to_errno(uint32_t status);

#endif /* MDX_SHIM_H */
