/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Functions of the libraries that libmdx stands in front of. */
#ifndef MDX_NEXT_H
#define MDX_NEXT_H

#include "shim.h"

/*
 * Return value of internal functions, in place of an errno: libmdx does not
 * serve the call, so the next library has to.
 */
#define MDX_FORWARD (-1)

/* The errno of a result where no next library can serve the call. */
static inline int mdx_forward_errno(int ret)
{
	return ret == MDX_FORWARD ? EOPNOTSUPP : ret;
}

/* Return address of an exported function. */
#define MDX_CALLER __builtin_extract_return_addr(__builtin_return_address(0))

/* The next definition of each name. NULL where there is none. */
struct mdx_next {
	__typeof__(mlx5dv_devx_obj_create) *obj_create;
	__typeof__(mlx5dv_devx_obj_query) *obj_query;
	__typeof__(mlx5dv_devx_obj_modify) *obj_modify;
	__typeof__(mlx5dv_devx_obj_destroy) *obj_destroy;
	__typeof__(mlx5dv_devx_obj_export) *obj_export;
	__typeof__(mlx5dv_devx_obj_import) *obj_import;
	__typeof__(mlx5dv_devx_obj_unimport) *obj_unimport;
	__typeof__(mlx5dv_devx_create_cmd_comp) *create_cmd_comp;
	__typeof__(mlx5dv_devx_destroy_cmd_comp) *destroy_cmd_comp;
	__typeof__(mlx5dv_devx_obj_query_async) *query_async;
	__typeof__(mlx5dv_devx_get_async_cmd_comp) *get_async_cmd_comp;
	__typeof__(mlx5dv_devx_create_event_channel) *create_event_channel;
	__typeof__(mlx5dv_devx_destroy_event_channel) *destroy_event_channel;
	__typeof__(mlx5dv_devx_subscribe_devx_event) *subscribe_event;
	__typeof__(mlx5dv_devx_subscribe_devx_event_fd) *subscribe_event_fd;
	__typeof__(mlx5dv_devx_get_event) *get_event;
	__typeof__(mlx5dv_devx_umem_reg_ex) *umem_reg_ex;
	__typeof__(mlx5dv_devx_umem_dereg) *umem_dereg;
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

/* The table, filled on first use. Preserves errno. */
const struct mdx_next *mdx_next(void);

/* True if @caller, see MDX_CALLER, is code of libmlx5. */
bool mdx_caller_is_mlx5(const void *caller);

/* Call the next definition of @func; EOPNOTSUPP if there is none. */
#define MDX_NEXT(func, ...)						\
	mdx_ret(mdx_next()->func ? mdx_next()->func(__VA_ARGS__) : EOPNOTSUPP)

#endif /* MDX_NEXT_H */
