// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The attributes of a device: MDX_IOC_QUERY_DEVICE.
 *
 * Most of them come from mlx5_ib's query_device(). Attributes that mlx5_ib tells
 * only libmlx5, in its private answer, are made here of the same capabilities. The
 * atomics of the PCI bus are those that libmlx5 asks the device for.
 */
#include <linux/mlx5/device.h>
#include <rdma/ib_verbs.h>
#include <rdma/mlx5-abi.h>

#include "compat.h"
#include "dev.h"
#include "mbox.h"
#include "query.h"
#include "ucmd.h"

/* In the atomic capabilities; no header of the kernel names them. */
static const struct mdx_field pci_fetch_add = { 0x280, 16 };
static const struct mdx_field pci_swap = { 0x290, 16 };
static const struct mdx_field pci_compare_swap = { 0x2a0, 16 };

/* A device that is one port of several has no raw packet QPs. */
static bool has_raw_qps(struct mlx5_core_dev *mdev)
{
	return !mlx5_core_mp_enabled(mdev);
}

/* Attributes of ibv_query_device(). */
static void fill_base(struct ib_device *ibdev, const struct ib_device_attr *attr,
		      struct mdx_ioc_query_device *arg)
{
	arg->out_fw_ver = attr->fw_ver;
	arg->out_node_guid = (__force u64)ibdev->node_guid;
	arg->out_sys_image_guid = (__force u64)attr->sys_image_guid;
	arg->out_max_mr_size = attr->max_mr_size;
	arg->out_page_size_cap = attr->page_size_cap;
	arg->out_vendor_id = attr->vendor_id;
	arg->out_vendor_part_id = attr->vendor_part_id;
	arg->out_hw_ver = attr->hw_ver;
	arg->out_max_qp = attr->max_qp;
	arg->out_max_qp_wr = attr->max_qp_wr;
	arg->out_device_cap_flags = lower_32_bits(attr->device_cap_flags);
	arg->out_max_sge = min(attr->max_send_sge, attr->max_recv_sge);
	arg->out_max_sge_rd = attr->max_sge_rd;
	arg->out_max_cq = attr->max_cq;
	arg->out_max_cqe = attr->max_cqe;
	arg->out_max_mr = attr->max_mr;
	arg->out_max_pd = attr->max_pd;
	arg->out_max_qp_rd_atom = attr->max_qp_rd_atom;
	arg->out_max_ee_rd_atom = attr->max_ee_rd_atom;
	arg->out_max_res_rd_atom = attr->max_res_rd_atom;
	arg->out_max_qp_init_rd_atom = attr->max_qp_init_rd_atom;
	arg->out_max_ee_init_rd_atom = attr->max_ee_init_rd_atom;
	arg->out_atomic_cap = attr->atomic_cap;
	arg->out_max_ee = attr->max_ee;
	arg->out_max_rdd = attr->max_rdd;
	arg->out_max_mw = attr->max_mw;
	arg->out_max_raw_ipv6_qp = attr->max_raw_ipv6_qp;
	arg->out_max_raw_ethy_qp = attr->max_raw_ethy_qp;
	arg->out_max_mcast_grp = attr->max_mcast_grp;
	arg->out_max_mcast_qp_attach = attr->max_mcast_qp_attach;
	arg->out_max_total_mcast_qp_attach = attr->max_total_mcast_qp_attach;
	arg->out_max_ah = attr->max_ah;
	arg->out_max_srq = attr->max_srq;
	arg->out_max_srq_wr = attr->max_srq_wr;
	arg->out_max_srq_sge = attr->max_srq_sge;
	arg->out_max_pkeys = attr->max_pkeys;
	arg->out_local_ca_ack_delay = attr->local_ca_ack_delay;
	arg->out_phys_port_cnt = min_t(u32, ibdev->phys_port_cnt, U8_MAX);
}

/* Attributes that ibv_query_device_ex() has from the kernel's verbs. */
static void fill_ex(struct ib_device *ibdev, const struct ib_device_attr *attr,
		    struct mdx_ioc_query_device *arg)
{
	arg->out_device_cap_flags_ex = attr->device_cap_flags |
				       mdx_cc_dma_bounce_flag(ibdev);
	arg->out_odp_general_caps = attr->odp_caps.general_caps;
	arg->out_odp_rc_caps = attr->odp_caps.per_transport_caps.rc_odp_caps;
	arg->out_odp_uc_caps = attr->odp_caps.per_transport_caps.uc_odp_caps;
	arg->out_odp_ud_caps = attr->odp_caps.per_transport_caps.ud_odp_caps;
	arg->out_odp_xrc_caps = attr->odp_caps.per_transport_caps.xrc_odp_caps;
	arg->out_timestamp_mask = attr->timestamp_mask;
	arg->out_hca_core_clock = attr->hca_core_clock;
	arg->out_max_dm_size = attr->max_dm_size;
	arg->out_rss_qpts = attr->rss_caps.supported_qpts;
	arg->out_rss_max_tables = attr->rss_caps.max_rwq_indirection_tables;
	arg->out_rss_max_table_size =
		attr->rss_caps.max_rwq_indirection_table_size;
	arg->out_max_wq_type_rq = attr->max_wq_type_rq;
	arg->out_raw_packet_caps = attr->raw_packet_caps;
	arg->out_tm_max_rndv_hdr_size = attr->tm_caps.max_rndv_hdr_size;
	arg->out_tm_max_num_tags = attr->tm_caps.max_num_tags;
	arg->out_tm_flags = attr->tm_caps.flags;
	arg->out_tm_max_ops = attr->tm_caps.max_ops;
	arg->out_tm_max_sge = attr->tm_caps.max_sge;
	arg->out_cq_mod_max_count = attr->cq_caps.max_cq_moderation_count;
	arg->out_cq_mod_max_period = attr->cq_caps.max_cq_moderation_period;
	arg->out_phys_port_cnt_ex = ibdev->phys_port_cnt;
}

/* Offloads of raw packet QPs. */
static void fill_raw(struct mlx5_core_dev *mdev,
		     struct mdx_ioc_query_device *arg)
{
	u32 max_lso;

	if (!MLX5_CAP_GEN(mdev, eth_net_offloads) || !has_raw_qps(mdev))
		return;

	max_lso = MLX5_CAP_ETH(mdev, max_lso_cap);
	if (max_lso) {
		arg->out_tso_max = 1U << max_lso;
		arg->out_tso_qpts = BIT(IB_QPT_RAW_PACKET);
	}
	arg->out_rss_hash_function = MLX5_RX_HASH_FUNC_TOEPLITZ;
	arg->out_rss_hash_fields =
		MLX5_RX_HASH_SRC_IPV4 | MLX5_RX_HASH_DST_IPV4 |
		MLX5_RX_HASH_SRC_IPV6 | MLX5_RX_HASH_DST_IPV6 |
		MLX5_RX_HASH_SRC_PORT_TCP | MLX5_RX_HASH_DST_PORT_TCP |
		MLX5_RX_HASH_SRC_PORT_UDP | MLX5_RX_HASH_DST_PORT_UDP |
		MLX5_RX_HASH_INNER;
}

static void fill_pacing(struct mlx5_core_dev *mdev,
			struct mdx_ioc_query_device *arg)
{
	if (!MLX5_CAP_GEN(mdev, qos))
		return;
	if (MLX5_CAP_QOS(mdev, packet_pacing) && has_raw_qps(mdev))
		arg->out_pacing_qpts |= BIT(IB_QPT_RAW_PACKET);
	arg->out_pacing_qpts |= mdx_pacing_qpts(mdev);
	if (!arg->out_pacing_qpts)
		return;
	arg->out_pacing_rate_min = MLX5_CAP_QOS(mdev, packet_pacing_min_rate);
	arg->out_pacing_rate_max = MLX5_CAP_QOS(mdev, packet_pacing_max_rate);
}

static void fill_pci_atomics(struct mlx5_core_dev *mdev,
			     struct mdx_ioc_query_device *arg)
{
	const void *caps = mdev->caps.hca[MLX5_CAP_ATOMIC]->cur;

	if (!MLX5_CAP_GEN(mdev, atomic))
		return;
	arg->out_pci_fetch_add = mdx_mbox_get(caps, pci_fetch_add);
	arg->out_pci_swap = mdx_mbox_get(caps, pci_swap);
	arg->out_pci_compare_swap = mdx_mbox_get(caps, pci_compare_swap);
}

static int device_query(struct mdx_dev *mdx, struct mdx_ioc_query_device *arg)
{
	struct ib_device *ibdev = mdx->ibdev;
	struct ib_device_attr attr = {};
	/* A user without a private answer: the kernel's own ODP is smaller. */
	struct ib_udata user = {};
	int ret;

	ret = ibdev->ops.query_device(ibdev, &attr, &user);
	if (ret)
		return ret;
	fill_base(ibdev, &attr, arg);
	fill_ex(ibdev, &attr, arg);
	fill_raw(mdx->mdev, arg);
	fill_pacing(mdx->mdev, arg);
	fill_pci_atomics(mdx->mdev, arg);
	return 0;
}

/* MDX_IOC_QUERY_DEVICE */
int mdx_ioc_query_device(struct mdx_ucmd *ucmd)
{
	struct mdx_ioc_query_device *arg = ucmd->arg;

	*arg = (struct mdx_ioc_query_device){ .size = ucmd->usize };
	ucmd->err.stage = MDX_STAGE_DEVICE;
	return device_query(ucmd->mdx, arg);
}
