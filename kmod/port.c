// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The vport behind a port: MDX_IOC_QUERY_PORT.
 *
 * The answers are those of mlx5_ib. Three things are not public:
 *
 * - The representor of a port of a switchdev device. A representor has the index
 *   of its vport in public, and mlx5_ib makes that the port's number. With the
 *   e-switches of several functions in one (shared FDB), mlx5_ib counts on from
 *   one to the next in an order of its own: no answer there. A representor
 *   belongs to mlx5_ib while mlx5_ib has put itself into it.
 * - The functions that are the ports of a multiport device. They are those without
 *   an ib_device that have the same system image GUID.
 * - The removal of a representor. Those of functions stay as long as the device.
 *   That of an adjacent function can be removed by devlink at any time, and
 *   mlx5_ib has no lock against that either.
 *
 * The queries read what the e-switch manager may read and run, like those of
 * mlx5_ib, under uid 0.
 */
#include <linux/auxiliary_bus.h>
#include <linux/mlx5/device.h>
#include <linux/mlx5/eswitch.h>
#include <linux/mlx5/vport.h>
#include <linux/string.h>
#include <rdma/ib_verbs.h>
#include <rdma/mlx5_user_ioctl_verbs.h>

#include "adev_bus.h"
#include "compat.h"
#include "dev.h"
#include "port.h"
#include "ucmd.h"

/* The flags are those of mlx5_ib, and so those of libmlx5. */
#define SAME(_flag)                                                            \
	static_assert((int)MDX_QUERY_PORT_##_flag ==                           \
		      (int)MLX5_IB_UAPI_QUERY_PORT_##_flag)

SAME(VPORT);
SAME(VPORT_VHCA_ID);
SAME(VPORT_STEERING_ICM_RX);
SAME(VPORT_STEERING_ICM_TX);
SAME(VPORT_REG_C0);
SAME(ESW_OWNER_VHCA_ID);

static struct mlx5_eswitch_rep *rep_at(struct mlx5_eswitch *esw, u16 vport,
				       u32 index)
{
	struct mlx5_eswitch_rep *rep = mlx5_eswitch_vport_rep(esw, vport);

	return rep && rep->vport_index == index ? rep : NULL;
}

/* PF and VFs are numbered like their ports, and most others are the uplink. */
static struct mlx5_eswitch_rep *rep_find(struct mlx5_eswitch *esw, u32 index)
{
	const u16 likely[] = { index, MLX5_VPORT_UPLINK, MLX5_VPORT_ECPF };
	struct mlx5_eswitch_rep *rep = NULL;
	unsigned int i;

	for (i = 0; !rep && i < ARRAY_SIZE(likely); i++)
		rep = rep_at(esw, likely[i], index);
	for (i = 0; !rep && i <= U16_MAX; i++)
		rep = rep_at(esw, i, index);
	return rep;
}

/* The ib_device itself is that of the uplink. */
static bool rep_is_loaded(struct mlx5_eswitch_rep *rep)
{
	return rep->vport == MLX5_VPORT_UPLINK ||
	       READ_ONCE(rep->rep_data[REP_IB].priv);
}

static int fill_vhca_id(struct mlx5_core_dev *mdev, u16 vport,
			struct mdx_ioc_query_port *arg)
{
	u16 vhca_id;
	int ret;

	if (vport == MLX5_VPORT_UPLINK)
		return 0;
	ret = mlx5_vport_get_vhca_id(mdev, vport, &vhca_id);
	if (ret)
		return ret;
	arg->out_vport_vhca_id = vhca_id;
	arg->out_flags |= MDX_QUERY_PORT_VPORT_VHCA_ID;
	return 0;
}

/* ICM addresses where the steering of a vport begins; the uplink's are capabilities. */
static void uplink_icm(struct mlx5_core_dev *mdev,
		       struct mdx_ioc_query_port *arg)
{
#define ICM(_dir)                                                              \
	MLX5_CAP64_ESW_FLOWTABLE(mdev, sw_steering_uplink_icm_address_##_dir)

	arg->out_icm_rx = ICM(rx);
	arg->out_icm_tx = ICM(tx);
#undef ICM
}

static int vport_icm(struct mlx5_core_dev *mdev, u16 vport,
		     struct mdx_ioc_query_port *arg)
{
#define ICM(_dir)                                                              \
	MLX5_GET64(esw_vport_context, ctx,                                     \
		   sw_steering_vport_icm_address_##_dir)

	u32 out[MLX5_ST_SZ_DW(query_esw_vport_context_out)] = {};
	u32 in[MLX5_ST_SZ_DW(query_esw_vport_context_in)] = {};
	void *ctx = MLX5_ADDR_OF(query_esw_vport_context_out, out,
				 esw_vport_context);
	int ret;

	MLX5_SET(query_esw_vport_context_in, in, opcode,
		 MLX5_CMD_OP_QUERY_ESW_VPORT_CONTEXT);
	MLX5_SET(query_esw_vport_context_in, in, other_vport, 1);
	MLX5_SET(query_esw_vport_context_in, in, vport_number, vport);
	ret = mlx5_cmd_exec(mdev, in, sizeof(in), out, sizeof(out));
	if (ret)
		return ret;
	arg->out_icm_rx = ICM(rx);
	arg->out_icm_tx = ICM(tx);
	return 0;
#undef ICM
}

/* Addresses are of use only if software may own the steering. */
static int fill_icm(struct mlx5_core_dev *mdev, u16 vport,
		    struct mdx_ioc_query_port *arg)
{
	int ret = 0;

	if (vport == MLX5_VPORT_UPLINK)
		uplink_icm(mdev, arg);
	else
		ret = vport_icm(mdev, vport, arg);
	if (ret)
		return ret;
	if (!MLX5_CAP_ESW_FLOWTABLE_FDB(mdev, sw_owner) &&
	    !MLX5_CAP_ESW_FLOWTABLE_FDB(mdev, sw_owner_v2)) {
		arg->out_icm_rx = 0;
		arg->out_icm_tx = 0;
	}
	if (arg->out_icm_rx)
		arg->out_flags |= MDX_QUERY_PORT_VPORT_STEERING_ICM_RX;
	if (arg->out_icm_tx)
		arg->out_flags |= MDX_QUERY_PORT_VPORT_STEERING_ICM_TX;
	return 0;
}

static int fill_switchdev(struct mlx5_core_dev *mdev,
			  struct mdx_ioc_query_port *arg)
{
	struct mlx5_eswitch *esw = mdev->priv.eswitch;
	struct mlx5_eswitch_rep *rep;
	u16 vport;
	int ret;

	if (mlx5_lag_is_shared_fdb(mdev))
		return -EOPNOTSUPP;
	rep = rep_find(esw, arg->port_num - 1);
	if (!rep || !rep_is_loaded(rep))
		return -EOPNOTSUPP;
	vport = rep->vport;
	if (!mlx5_eswitch_get_core_dev(esw))
		return -EINVAL;

	arg->out_vport = vport;
	arg->out_esw_owner_vhca_id = MLX5_CAP_GEN(mdev, vhca_id);
	arg->out_flags = MDX_QUERY_PORT_VPORT |
			 MDX_QUERY_PORT_ESW_OWNER_VHCA_ID;
	ret = fill_vhca_id(mdev, vport, arg);
	if (ret)
		return ret;
	ret = fill_icm(mdev, vport, arg);
	if (ret)
		return ret;
	if (mlx5_eswitch_vport_match_metadata_enabled(esw)) {
		arg->out_reg_c0_value =
			mlx5_eswitch_get_vport_metadata_for_match(esw, vport);
		arg->out_reg_c0_mask = mlx5_eswitch_get_vport_metadata_mask();
		arg->out_flags |= MDX_QUERY_PORT_VPORT_REG_C0;
	}
	return 0;
}

/* A function that is a port of another one's ib_device. */
struct port_search {
	u64 guid;
	u32 port;
	int vhca_id;
};

static bool is_port_of(struct mlx5_core_dev *mdev, const struct port_search *s)
{
	return mlx5_core_native_port_num(mdev) == s->port &&
	       mlx5_query_nic_system_image_guid(mdev) == s->guid;
}

/* While the lock is held the function keeps its driver, and so is there. */
static int search_port(struct device *dev, void *data)
{
	static const char prefix[] = "mlx5_core.multiport";
	struct port_search *s = data;
	struct mlx5_core_dev *mdev;

	if (strncmp(dev_name(dev), prefix, sizeof(prefix) - 1))
		return 0;
	device_lock(dev);
	mdev = container_of(to_auxiliary_dev(dev), struct mlx5_adev, adev)->mdev;
	if (dev->driver && is_port_of(mdev, s))
		s->vhca_id = MLX5_CAP_GEN(mdev, vhca_id);
	device_unlock(dev);
	return s->vhca_id >= 0;
}

static int fill_multiport(struct mdx_dev *mdx, struct mdx_ioc_query_port *arg)
{
	struct mlx5_core_dev *mdev = mdx->mdev;
	struct port_search s = { .port = arg->port_num, .vhca_id = -1 };

	if (rdma_port_get_link_layer(mdx->ibdev, arg->port_num) !=
		    IB_LINK_LAYER_ETHERNET ||
	    mlx5_core_native_port_num(mdev) == arg->port_num) {
		s.vhca_id = MLX5_CAP_GEN(mdev, vhca_id);
	} else {
		s.guid = mlx5_query_nic_system_image_guid(mdev);
		mdx_adev_for_each(search_port, &s);
	}
	if (s.vhca_id < 0)
		return -EINVAL;
	arg->out_vport_vhca_id = s.vhca_id;
	arg->out_flags = MDX_QUERY_PORT_VPORT_VHCA_ID;
	return 0;
}

static int port_query(struct mdx_dev *mdx, struct mdx_ioc_query_port *arg)
{
	if (!rdma_is_port_valid(mdx->ibdev, arg->port_num))
		return -EINVAL;
	if (mlx5_eswitch_mode(mdx->mdev) == MLX5_ESWITCH_OFFLOADS)
		return fill_switchdev(mdx->mdev, arg);
	if (mlx5_core_mp_enabled(mdx->mdev))
		return fill_multiport(mdx, arg);
	return 0;
}

/* MDX_IOC_QUERY_PORT */
int mdx_ioc_query_port(struct mdx_ucmd *ucmd)
{
	struct mdx_ioc_query_port *arg = ucmd->arg;

	*arg = (struct mdx_ioc_query_port){
		.size = ucmd->usize,
		.port_num = arg->port_num,
	};
	ucmd->err.stage = MDX_STAGE_DEVICE;
	return port_query(ucmd->mdx, arg);
}
