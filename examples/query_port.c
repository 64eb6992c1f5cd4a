// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * mlx5dv_query_port(3): the vport that each port represents. The ports of a
 * NIC, a VF or a device whose e-switch is in legacy mode represent none; this
 * is not an error.
 */
#include "open.h"

static void show_port(uint32_t num, const struct mlx5dv_port *port)
{
	printf("port %u:", num);
	if (!port->flags)
		printf(" no e-switch in switchdev mode");
	if (port->flags & MLX5DV_QUERY_PORT_VPORT)
		printf(" vport 0x%04x", port->vport);
	if (port->flags & MLX5DV_QUERY_PORT_VPORT_VHCA_ID)
		printf(" vhca 0x%04x", port->vport_vhca_id);
	if (port->flags & MLX5DV_QUERY_PORT_ESW_OWNER_VHCA_ID)
		printf(" e-switch of 0x%04x", port->esw_owner_vhca_id);
	if (port->flags & MLX5DV_QUERY_PORT_VPORT_STEERING_ICM_RX)
		printf(" icm_rx 0x%llx", port->vport_steering_icm_rx);
	if (port->flags & MLX5DV_QUERY_PORT_VPORT_STEERING_ICM_TX)
		printf(" icm_tx 0x%llx", port->vport_steering_icm_tx);
	if (port->flags & MLX5DV_QUERY_PORT_VPORT_REG_C0)
		printf(" reg_c0 0x%08x/0x%08x", port->reg_c0.value,
		       port->reg_c0.mask);
	putchar('\n');
}

int main(void)
{
	struct ibv_context *context = open_device();
	struct ibv_device_attr_ex attr;
	struct mlx5dv_port port;
	uint32_t num, count;
	int ret;

	ret = ibv_query_device_ex(context, &attr);
	if (ret)
		fail_with("ibv_query_device_ex", ret);
	count = attr.phys_port_cnt_ex;
	for (num = 1; num <= count; num++) {
		ret = mlx5dv_query_port(context, num, &port);
		/* In switchdev mode, a port may represent no function. */
		if (ret)
			printf("port %u: %s\n", num, strerror(ret));
		else
			show_port(num, &port);
	}
	ret = mlx5dv_query_port(context, count + 1, &port);
	printf("one more than there are: %s\n", strerror(ret));
	ibv_close_device(context);
	return 0;
}
