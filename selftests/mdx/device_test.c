// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Attributes of the device, compared with libmlx5's. */
#include <endian.h>

#include "kselftest_harness.h"
#include "mdx_utils.h"

FIXTURE(device)
{
	struct mdx_binding mdx;
	struct hca_ctl *hca;
	struct ibv_device_attr_ex stock;
	struct mdx_ioc_query_device arg;
};

FIXTURE_SETUP(device)
{
	SETUP_DEVICE(return);
	ASSERT_EQ(0, mdx_start(&self->mdx));
	self->hca = hca_open();
	ASSERT_EQ(0, ibv_query_device_ex(self->mdx.ctx, NULL, &self->stock));
	memset(&self->arg, FILL, sizeof(self->arg));
	self->arg.size = sizeof(self->arg);
	self->arg.flags = 0;
}

FIXTURE_TEARDOWN(device)
{
	if (self->hca)
		hca_close(self->hca);
	mdx_stop(&self->mdx);
}

#define SELF FIXTURE_DATA(device)

static int query_device(SELF *self)
{
	return mdx_ioctl(self->mdx.fd, MDX_IOC_QUERY_DEVICE, &self->arg);
}

TEST_F(device, info_feature)
{
	struct mdx_ioc_info info;

	test_mdx_info(self->mdx.fd, &info);
	EXPECT_TRUE(info.out_features & MDX_FEATURE_QUERY_DEVICE);
}

/* A field of the ioctl and its counterpart of libmlx5. */
#define SAME(ours, theirs)						\
	EXPECT_EQ((uint64_t)self->stock.theirs,				\
		  (uint64_t)self->arg.out_##ours)
#define SAME_BASE(name) SAME(name, orig_attr.name)

TEST_F(device, first_version_attributes)
{
	uint64_t fw;
	char ver[64];

	ASSERT_EQ(0, query_device(self));
	fw = self->arg.out_fw_ver;
	snprintf(ver, sizeof(ver), "%d.%d.%04d", (int)(fw >> 32) & 0xffff,
		 (int)(fw >> 16) & 0xffff, (int)fw & 0xffff);
	EXPECT_STREQ(self->stock.orig_attr.fw_ver, ver);
	SAME_BASE(node_guid);
	SAME_BASE(sys_image_guid);
	SAME_BASE(max_mr_size);
	SAME_BASE(page_size_cap);
	SAME_BASE(vendor_id);
	SAME_BASE(vendor_part_id);
	SAME_BASE(hw_ver);
	SAME_BASE(device_cap_flags);
	SAME_BASE(max_sge);
	SAME_BASE(max_sge_rd);
	SAME_BASE(local_ca_ack_delay);
	SAME_BASE(phys_port_cnt);
}

TEST_F(device, limits)
{
	ASSERT_EQ(0, query_device(self));
	SAME_BASE(max_qp);
	SAME_BASE(max_qp_wr);
	SAME_BASE(max_cq);
	SAME_BASE(max_cqe);
	SAME_BASE(max_mr);
	SAME_BASE(max_pd);
	SAME_BASE(max_qp_rd_atom);
	SAME_BASE(max_ee_rd_atom);
	SAME_BASE(max_res_rd_atom);
	SAME_BASE(max_qp_init_rd_atom);
	SAME_BASE(max_ee_init_rd_atom);
	SAME_BASE(max_ee);
	SAME_BASE(max_rdd);
	SAME_BASE(max_mw);
	SAME_BASE(max_raw_ipv6_qp);
	SAME_BASE(max_raw_ethy_qp);
	SAME_BASE(max_mcast_grp);
	SAME_BASE(max_mcast_qp_attach);
	SAME_BASE(max_total_mcast_qp_attach);
	SAME_BASE(max_ah);
	SAME_BASE(max_fmr);
	SAME_BASE(max_map_per_fmr);
	SAME_BASE(max_srq);
	SAME_BASE(max_srq_wr);
	SAME_BASE(max_srq_sge);
	SAME_BASE(max_pkeys);
	SAME(max_wq_type_rq, max_wq_type_rq);
	SAME(max_dm_size, max_dm_size);
	SAME(phys_port_cnt_ex, phys_port_cnt_ex);
}

TEST_F(device, clocks_and_flags)
{
	ASSERT_EQ(0, query_device(self));
	SAME(timestamp_mask, completion_timestamp_mask);
	SAME(hca_core_clock, hca_core_clock);
	SAME(device_cap_flags_ex, device_cap_flags_ex);
}

TEST_F(device, on_demand_paging)
{
	ASSERT_EQ(0, query_device(self));
	SAME(odp_general_caps, odp_caps.general_caps);
	SAME(odp_rc_caps, odp_caps.per_transport_caps.rc_odp_caps);
	SAME(odp_uc_caps, odp_caps.per_transport_caps.uc_odp_caps);
	SAME(odp_ud_caps, odp_caps.per_transport_caps.ud_odp_caps);
	SAME(odp_xrc_caps, xrc_odp_caps);
}

TEST_F(device, raw_packets)
{
	ASSERT_EQ(0, query_device(self));
	SAME(tso_max, tso_caps.max_tso);
	SAME(tso_qpts, tso_caps.supported_qpts);
	SAME(rss_qpts, rss_caps.supported_qpts);
	SAME(rss_max_tables, rss_caps.max_rwq_indirection_tables);
	SAME(rss_max_table_size, rss_caps.max_rwq_indirection_table_size);
	SAME(rss_hash_fields, rss_caps.rx_hash_fields_mask);
	SAME(rss_hash_function, rss_caps.rx_hash_function);
	SAME(pacing_rate_min, packet_pacing_caps.qp_rate_limit_min);
	SAME(pacing_rate_max, packet_pacing_caps.qp_rate_limit_max);
	SAME(pacing_qpts, packet_pacing_caps.supported_qpts);
	SAME(raw_packet_caps, raw_packet_caps);
}

TEST_F(device, tag_matching_and_moderation)
{
	ASSERT_EQ(0, query_device(self));
	SAME(tm_max_rndv_hdr_size, tm_caps.max_rndv_hdr_size);
	SAME(tm_max_num_tags, tm_caps.max_num_tags);
	SAME(tm_flags, tm_caps.flags);
	SAME(tm_max_ops, tm_caps.max_ops);
	SAME(tm_max_sge, tm_caps.max_sge);
	SAME(cq_mod_max_count, cq_mod_caps.max_cq_count);
	SAME(cq_mod_max_period, cq_mod_caps.max_cq_period);
}

/* Versions of libmlx5 report more than the kernel if the bus can do 8 bytes. */
TEST_F(device, atomics)
{
	uint32_t stock = self->stock.orig_attr.atomic_cap;
	uint32_t cap, both;

	ASSERT_EQ(0, query_device(self));
	SAME(pci_fetch_add, pci_atomic_caps.fetch_add);
	SAME(pci_swap, pci_atomic_caps.swap);
	SAME(pci_compare_swap, pci_atomic_caps.compare_swap);
	cap = self->arg.out_atomic_cap;
	both = self->arg.out_pci_fetch_add & self->arg.out_pci_compare_swap;
	if (cap == IBV_ATOMIC_HCA && stock == IBV_ATOMIC_GLOB &&
	    both & IBV_PCI_ATOMIC_OPERATION_8_BYTE_SIZE_SUP)
		cap = IBV_ATOMIC_GLOB;
	EXPECT_EQ(stock, cap);
}

TEST_F(device, all_fields_written)
{
	ASSERT_EQ(0, query_device(self));
	EXPECT_EQ(sizeof(self->arg), self->arg.size);
	EXPECT_EQ(0, self->arg.flags);
	EXPECT_EQ(0, self->arg.out_reserved);
}

TEST_F(device, flag_eopnotsupp)
{
	self->arg.flags = 1;
	EXPECT_EQ(EOPNOTSUPP, query_device(self));
}

TEST_F(device, size_short_einval)
{
	self->arg.size--;
	EXPECT_EQ(EINVAL, query_device(self));
}

TEST_F(device, longer_struct_zero_tail)
{
	struct {
		struct mdx_ioc_query_device arg;
		uint64_t more;
	} longer = { .arg = { .size = sizeof(longer) } };

	EXPECT_EQ(0, mdx_ioctl(self->mdx.fd, MDX_IOC_QUERY_DEVICE, &longer));
	EXPECT_EQ(0, longer.more);
	longer.more = 1;
	EXPECT_EQ(E2BIG, mdx_ioctl(self->mdx.fd, MDX_IOC_QUERY_DEVICE,
				   &longer));
}

TEST_F(device, unbound_enotconn)
{
	int fd = mdx_node_open();

	ASSERT_GE(fd, 0);
	EXPECT_EQ(ENOTCONN, mdx_ioctl(fd, MDX_IOC_QUERY_DEVICE, &self->arg));
	close(fd);
}

/* mlx5_ib queries the device for the system image GUID. */
TEST_F(device, failed_query_no_answer)
{
	int ret;

	SKIP_NO_HCA(self->hca, return);
	ASSERT_EQ(0, hca_fail(self->hca, MLX5_CMD_OP_QUERY_NIC_VPORT_CONTEXT,
			      STATUS_BAD_RES, 0x1234, HCA_ALWAYS));
	ret = query_device(self);
	hca_cmd(self->hca, "reset-script");
	EXPECT_TRUE(ret == 0 || ret == EINVAL);
	if (ret)
		EXPECT_TRUE(all_bytes(&self->arg.out_fw_ver, FILL,
				      sizeof(self->arg) - 8));
}

MDX_HARNESS_MAIN(mdx_share())
