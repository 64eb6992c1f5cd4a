// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* What is behind a port. */
#include <string.h>

#include "mdx/mdx_uapi.h"
#include "shim.h"

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

/* As mdx_ctx_call(). On success all @info_len bytes of @info are written. */
static int query_port(struct ibv_context *context, uint32_t port_num,
		      struct mlx5dv_port *info, size_t info_len)
{
	struct mdx_ioc_query_port arg = {
		.size = sizeof(arg),
		.port_num = port_num,
	};
	struct mdx_ref ref;
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
 * _mlx5dv_query_port - What mlx5dv_query_port(3) of <infiniband/mlx5dv.h> calls
 * @context: an open verbs context of an mlx5 device
 * @port_num: the port, from 1
 * @info: the answer; what it held before does not matter
 * @info_len: length of @info in bytes, at least through reg_c0 (40); what is
 *	behind that is set to 0
 *
 * Return: 0, or an errno, which is in errno, too, and @info is as it was: EINVAL
 * for a port that does not exist or for a short @info, EOPNOTSUPP for a port of
 * a switchdev device that nothing represents, and what the device's refusal of a
 * query stands for.
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
 * The name of the man page, which is an inline function in C, for those who look
 * for a symbol.
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
