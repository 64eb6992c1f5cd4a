// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* mlx5dv_query_port(3): the e-switch vport that a port represents. */
#include <string.h>

#include "ctx.h"

_Static_assert(sizeof(struct mlx5dv_port) == 40, "");
_Static_assert((int)MDX_QUERY_PORT_VPORT == MLX5DV_QUERY_PORT_VPORT, "");
_Static_assert((int)MDX_QUERY_PORT_VPORT_VHCA_ID ==
	       MLX5DV_QUERY_PORT_VPORT_VHCA_ID, "");
_Static_assert((int)MDX_QUERY_PORT_VPORT_STEERING_ICM_RX ==
	       MLX5DV_QUERY_PORT_VPORT_STEERING_ICM_RX, "");
_Static_assert((int)MDX_QUERY_PORT_VPORT_STEERING_ICM_TX ==
	       MLX5DV_QUERY_PORT_VPORT_STEERING_ICM_TX, "");
_Static_assert((int)MDX_QUERY_PORT_VPORT_REG_C0 ==
	       MLX5DV_QUERY_PORT_VPORT_REG_C0, "");
_Static_assert((int)MDX_QUERY_PORT_ESW_OWNER_VHCA_ID ==
	       MLX5DV_QUERY_PORT_ESW_OWNER_VHCA_ID, "");

/* As mdx_ctx_call(). On success, writes all @info_len bytes of @info. */
static int query_port(struct ibv_context *context, uint32_t port_num,
		      struct mlx5dv_port *info, size_t info_len)
{
	struct mdx_ioc_query_port arg = {
		.size = sizeof(arg),
		.port_num = port_num,
	};
	struct mdx_ctx_ref ref;
	int ret;

	ret = mdx_ctx_get(context, &ref);
	if (ret)
		return ret;
	if (info_len < sizeof(*info))
		return EINVAL;
	ret = mdx_ref_call(&ref, MDX_IOC_QUERY_PORT, &arg);
	if (ret)
		return ret;
	memset(info, 0, info_len);
	info->flags = arg.out_flags;
	info->vport = arg.out_vport;
	info->vport_vhca_id = arg.out_vport_vhca_id;
	info->esw_owner_vhca_id = arg.out_esw_owner_vhca_id;
	info->vport_steering_icm_rx = arg.out_icm_rx;
	info->vport_steering_icm_tx = arg.out_icm_tx;
	info->reg_c0.value = arg.out_reg_c0_value;
	info->reg_c0.mask = arg.out_reg_c0_mask;
	return 0;
}

/**
 * _mlx5dv_query_port - Symbol behind the inline function mlx5dv_query_port(3)
 * @context: an open verbs context of an mlx5 device
 * @port_num: port number, from 1
 * @info: receives the answer
 * @info_len: length of @info in bytes, at least 40 (through reg_c0); bytes
 *	beyond are set to 0
 *
 * Return: 0, or an errno, which is also in errno; @info is then unchanged.
 * EINVAL for a port that does not exist or an @info that is too short,
 * EOPNOTSUPP for a port of a switchdev device that has no representor, the
 * errno of the status if the device refused a query, or an error of
 * mdx_context_check() marked (*).
 */
MDX_PUBLIC int _mlx5dv_query_port(struct ibv_context *context,
				  uint32_t port_num, struct mlx5dv_port *info,
				  size_t info_len)
{
	int ret = MDX_FORWARD;

	if (!mdx_caller_is_mlx5(MDX_CALLER))
		ret = query_port(context, port_num, info, info_len);
	if (ret == MDX_FORWARD)
		return MDX_NEXT(query_port, context, port_num, info, info_len);
	return mdx_ret(ret);
}

/*
 * Symbol of the name in the man page, where <infiniband/mlx5dv.h> has an inline
 * function. For callers that look it up, such as language bindings.
 */
MDX_PUBLIC int mdx_dv_query_port(struct ibv_context *context, uint32_t port_num,
				 struct mlx5dv_port *info)
	__asm__("mlx5dv_query_port");

int mdx_dv_query_port(struct ibv_context *context, uint32_t port_num,
		      struct mlx5dv_port *info)
{
	int ret = query_port(context, port_num, info, sizeof(*info));

	if (ret == MDX_FORWARD)
		return MDX_NEXT(query_port, context, port_num, info,
				sizeof(*info));
	return mdx_ret(ret);
}
