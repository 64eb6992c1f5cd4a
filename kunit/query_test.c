// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The attributes of a device: the fields that mlx5_ib's answers and the capabilities
 * become.
 */
#include "fake_caps.h"

#include <linux/slab.h>

#include "mbox_bits.h"

#include "../kmod/query.c"

static struct {
	int ret;
	struct ib_device_attr attr;
} q;

static int fake_query(struct ib_device *ibdev, struct ib_device_attr *attr,
		      struct ib_udata *udata)
{
	*attr = q.attr;
	return q.ret;
}

static int query_init(struct kunit *test)
{
	int ret;

	ret = caps_init(test);
	if (ret)
		return ret;
	memset(&q, 0, sizeof(q));
	caps->ibdev.ops.query_device = fake_query;
	return 0;
}

static int ask_device(struct mdx_ioc_query_device *arg)
{
	memset(arg, 0xff, sizeof(*arg));
	arg->size = sizeof(*arg);
	arg->flags = 0;
	return caps_execute(mdx_ioc_query_device, arg, sizeof(*arg));
}

/* Returns the attributes of the fake device. */
static struct mdx_ioc_query_device *get_attributes(struct kunit *test)
{
	struct mdx_ioc_query_device *arg =
		kunit_kzalloc(test, sizeof(*arg), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, arg);
	KUNIT_EXPECT_EQ(test, ask_device(arg), 0);
	return arg;
}

static void empty_device_has_zeros(struct kunit *test)
{
	const u8 *arg;

	caps->ibdev.phys_port_cnt = 0;
	arg = (u8 *)get_attributes(test);
	KUNIT_EXPECT_FALSE(test,
		memchr_inv(arg + 4, 0, sizeof(struct mdx_ioc_query_device) - 4));
}

/* Every attribute has a value of its own. */
#define ATTRS(X)                                                               \
	X(fw_ver, out_fw_ver) X(max_mr_size, out_max_mr_size)                  \
	X(page_size_cap, out_page_size_cap) X(vendor_id, out_vendor_id)        \
	X(vendor_part_id, out_vendor_part_id) X(hw_ver, out_hw_ver)            \
	X(max_qp, out_max_qp) X(max_qp_wr, out_max_qp_wr)                      \
	X(max_sge_rd, out_max_sge_rd) X(max_cq, out_max_cq)                    \
	X(max_cqe, out_max_cqe) X(max_mr, out_max_mr) X(max_pd, out_max_pd)    \
	X(max_qp_rd_atom, out_max_qp_rd_atom)                                  \
	X(max_ee_rd_atom, out_max_ee_rd_atom)                                  \
	X(max_res_rd_atom, out_max_res_rd_atom)                                \
	X(max_qp_init_rd_atom, out_max_qp_init_rd_atom)                        \
	X(max_ee_init_rd_atom, out_max_ee_init_rd_atom)                        \
	X(atomic_cap, out_atomic_cap) X(max_ee, out_max_ee)                    \
	X(max_rdd, out_max_rdd) X(max_mw, out_max_mw)                          \
	X(max_raw_ipv6_qp, out_max_raw_ipv6_qp)                                \
	X(max_raw_ethy_qp, out_max_raw_ethy_qp)                                \
	X(max_mcast_grp, out_max_mcast_grp)                                    \
	X(max_mcast_qp_attach, out_max_mcast_qp_attach)                        \
	X(max_total_mcast_qp_attach, out_max_total_mcast_qp_attach)            \
	X(max_ah, out_max_ah) X(max_srq, out_max_srq)                          \
	X(max_srq_wr, out_max_srq_wr) X(max_srq_sge, out_max_srq_sge)          \
	X(max_pkeys, out_max_pkeys)                                            \
	X(local_ca_ack_delay, out_local_ca_ack_delay)                          \
	X(odp_caps.general_caps, out_odp_general_caps)                         \
	X(odp_caps.per_transport_caps.rc_odp_caps, out_odp_rc_caps)            \
	X(odp_caps.per_transport_caps.uc_odp_caps, out_odp_uc_caps)            \
	X(odp_caps.per_transport_caps.ud_odp_caps, out_odp_ud_caps)            \
	X(odp_caps.per_transport_caps.xrc_odp_caps, out_odp_xrc_caps)          \
	X(timestamp_mask, out_timestamp_mask)                                  \
	X(hca_core_clock, out_hca_core_clock)                                  \
	X(max_dm_size, out_max_dm_size)                                        \
	X(rss_caps.supported_qpts, out_rss_qpts)                               \
	X(rss_caps.max_rwq_indirection_tables, out_rss_max_tables)             \
	X(rss_caps.max_rwq_indirection_table_size, out_rss_max_table_size)     \
	X(max_wq_type_rq, out_max_wq_type_rq)                                  \
	X(raw_packet_caps, out_raw_packet_caps)                                \
	X(tm_caps.max_rndv_hdr_size, out_tm_max_rndv_hdr_size)                 \
	X(tm_caps.max_num_tags, out_tm_max_num_tags)                           \
	X(tm_caps.flags, out_tm_flags) X(tm_caps.max_ops, out_tm_max_ops)      \
	X(tm_caps.max_sge, out_tm_max_sge)                                     \
	X(cq_caps.max_cq_moderation_count, out_cq_mod_max_count)               \
	X(cq_caps.max_cq_moderation_period, out_cq_mod_max_period)

static void attributes_in_their_fields(struct kunit *test)
{
	struct mdx_ioc_query_device *arg;
	unsigned int n = 0;

#define SET(_attr, _out) q.attr._attr = ++n;
	ATTRS(SET)
#undef SET
	arg = get_attributes(test);
	n = 0;
#define CHECK(_attr, _out) KUNIT_EXPECT_EQ(test, arg->_out, ++n);
	ATTRS(CHECK)
#undef CHECK
}

static void max_sge_is_smaller(struct kunit *test)
{
	q.attr.max_send_sge = 30;
	q.attr.max_recv_sge = 32;
	KUNIT_EXPECT_EQ(test, get_attributes(test)->out_max_sge, 30);
	q.attr.max_recv_sge = 16;
	KUNIT_EXPECT_EQ(test, get_attributes(test)->out_max_sge, 16);
}

static void flags_have_64_bits(struct kunit *test)
{
	struct mdx_ioc_query_device *arg;

	q.attr.device_cap_flags = 0x123456789ull;
	arg = get_attributes(test);
	KUNIT_EXPECT_EQ(test, arg->out_device_cap_flags_ex, 0x123456789ull);
	KUNIT_EXPECT_EQ(test, arg->out_device_cap_flags, 0x23456789);
}

static void guids_in_wire_order(struct kunit *test)
{
	struct mdx_ioc_query_device *arg;

	caps->ibdev.node_guid = cpu_to_be64(0x1122334455667788ull);
	q.attr.sys_image_guid = cpu_to_be64(0x99aabbccddeeff00ull);
	arg = get_attributes(test);
	KUNIT_EXPECT_EQ(test, *(u8 *)&arg->out_node_guid, 0x11);
	KUNIT_EXPECT_EQ(test, *(u8 *)&arg->out_sys_image_guid, 0x99);
}

static void old_port_count_saturates(struct kunit *test)
{
	struct mdx_ioc_query_device *arg;

	caps->ibdev.phys_port_cnt = 300;
	arg = get_attributes(test);
	KUNIT_EXPECT_EQ(test, arg->out_phys_port_cnt, 255);
	KUNIT_EXPECT_EQ(test, arg->out_phys_port_cnt_ex, 300);
}

static void set_raw(void)
{
	MLX5_SET(cmd_hca_cap, CAPS(GENERAL), eth_net_offloads, 1);
	MLX5_SET(per_protocol_networking_offload_caps, CAPS(ETHERNET_OFFLOADS),
		 max_lso_cap, 18);
}

static void raw_packet_offloads(struct kunit *test)
{
	struct mdx_ioc_query_device *arg;

	set_raw();
	arg = get_attributes(test);
	KUNIT_EXPECT_EQ(test, arg->out_tso_max, 1 << 18);
	KUNIT_EXPECT_EQ(test, arg->out_tso_qpts, BIT(IB_QPT_RAW_PACKET));
	KUNIT_EXPECT_EQ(test, arg->out_rss_hash_function,
			MLX5_RX_HASH_FUNC_TOEPLITZ);
	KUNIT_EXPECT_EQ(test, arg->out_rss_hash_fields, 0x800000ff);

	MLX5_SET(per_protocol_networking_offload_caps, CAPS(ETHERNET_OFFLOADS),
		 max_lso_cap, 0);
	arg = get_attributes(test);
	KUNIT_EXPECT_EQ(test, arg->out_tso_max, 0);
	KUNIT_EXPECT_EQ(test, arg->out_tso_qpts, 0);
	KUNIT_EXPECT_NE(test, arg->out_rss_hash_fields, 0);
}

static void multiport_without_raw_packets(struct kunit *test)
{
	struct mdx_ioc_query_device *arg;

	set_raw();
	MLX5_SET(cmd_hca_cap, CAPS(GENERAL), qos, 1);
	MLX5_SET(qos_cap, CAPS(QOS), packet_pacing, 1);
	MLX5_SET(cmd_hca_cap, caps->mdev.caps.hca[MLX5_CAP_GENERAL]->max,
		 num_vhca_ports, 2);
	arg = get_attributes(test);
	KUNIT_EXPECT_EQ(test, arg->out_tso_max, 0);
	KUNIT_EXPECT_EQ(test, arg->out_rss_hash_fields, 0);
	KUNIT_EXPECT_EQ(test, arg->out_pacing_qpts, 0);
}

static void pacing_has_rates(struct kunit *test)
{
	struct mdx_ioc_query_device *arg;

	MLX5_SET(qos_cap, CAPS(QOS), packet_pacing, 1);
	MLX5_SET(qos_cap, CAPS(QOS), packet_pacing_min_rate, 7);
	MLX5_SET(qos_cap, CAPS(QOS), packet_pacing_max_rate, 9);
	KUNIT_EXPECT_EQ(test, get_attributes(test)->out_pacing_qpts, 0);

	MLX5_SET(cmd_hca_cap, CAPS(GENERAL), qos, 1);
	arg = get_attributes(test);
	KUNIT_EXPECT_EQ(test, arg->out_pacing_qpts, BIT(IB_QPT_RAW_PACKET));
	KUNIT_EXPECT_EQ(test, arg->out_pacing_rate_min, 7);
	KUNIT_EXPECT_EQ(test, arg->out_pacing_rate_max, 9);

	MLX5_SET(qos_cap, CAPS(QOS), packet_pacing, 0);
	arg = get_attributes(test);
	KUNIT_EXPECT_EQ(test, arg->out_pacing_qpts, 0);
	KUNIT_EXPECT_EQ(test, arg->out_pacing_rate_max, 0);
}

static void pci_atomics(struct kunit *test)
{
	struct mdx_ioc_query_device *arg;

	bits_put(CAPS(ATOMIC), 0x280, 16, 0x11);
	bits_put(CAPS(ATOMIC), 0x290, 16, 0x22);
	bits_put(CAPS(ATOMIC), 0x2a0, 16, 0x33);
	KUNIT_EXPECT_EQ(test, get_attributes(test)->out_pci_swap, 0);

	MLX5_SET(cmd_hca_cap, CAPS(GENERAL), atomic, 1);
	arg = get_attributes(test);
	KUNIT_EXPECT_EQ(test, arg->out_pci_fetch_add, 0x11);
	KUNIT_EXPECT_EQ(test, arg->out_pci_swap, 0x22);
	KUNIT_EXPECT_EQ(test, arg->out_pci_compare_swap, 0x33);
}

/* The other refusals are the dispatcher's. */
static void query_failure_returned(struct kunit *test)
{
	struct mdx_ioc_query_device *arg = get_attributes(test);

	q.ret = -EIO;
	KUNIT_EXPECT_EQ(test, ask_device(arg), -EIO);
}

static struct kunit_case query_cases[] = {
	KUNIT_CASE(empty_device_has_zeros),
	KUNIT_CASE(attributes_in_their_fields),
	KUNIT_CASE(max_sge_is_smaller),
	KUNIT_CASE(flags_have_64_bits),
	KUNIT_CASE(guids_in_wire_order),
	KUNIT_CASE(old_port_count_saturates),
	KUNIT_CASE(raw_packet_offloads),
	KUNIT_CASE(multiport_without_raw_packets),
	KUNIT_CASE(pacing_has_rates),
	KUNIT_CASE(pci_atomics),
	KUNIT_CASE(query_failure_returned),
	{}
};

static struct kunit_suite query_suite = {
	.name = "mdx_query",
	.init = query_init,
	.exit = caps_exit,
	.test_cases = query_cases,
};

kunit_test_suite(query_suite);
