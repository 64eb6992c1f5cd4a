// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The vport behind a port, in each mode of an e-switch that does as the test says.
 */
#include "fake_caps.h"

#include <linux/auxiliary_bus.h>
#include <linux/mlx5/eswitch.h>
#include <linux/mlx5/vport.h>
#include <linux/slab.h>

#include "../kmod/adev_bus.h"
#include "../kmod/compat.h"
#include "mbox_bits.h"

#define REPS 4

static struct {
	u8 mode;
	bool shared_fdb;
	bool metadata;
	bool no_core_dev;
	int vhca_ret;
	int icm_ret;
	u64 icm_rx;
	u64 icm_tx;
	u16 asked_vport;
	unsigned int lookups;
	struct mlx5_eswitch_rep reps[REPS];
	enum rdma_link_layer link;
	/* The other function of a multiport device */
	struct mlx5_adev other;
	struct device_driver driver;
	bool locked;
	u64 guid;
} e;

static u8 fake_mode(const struct mlx5_core_dev *mdev)
{
	return e.mode;
}

static struct mlx5_eswitch_rep *fake_rep(struct mlx5_eswitch *esw, u16 vport)
{
	unsigned int i;

	e.lookups++;
	for (i = 0; i < REPS; i++)
		if (e.reps[i].vport == vport && e.reps[i].vport_index != 0xffff)
			return &e.reps[i];
	return NULL;
}

static bool fake_shared_fdb(struct mlx5_core_dev *mdev)
{
	return e.shared_fdb;
}

static struct mlx5_core_dev *fake_core_dev(struct mlx5_eswitch *esw)
{
	return e.no_core_dev ? NULL : &caps->mdev;
}

static bool fake_metadata(const struct mlx5_eswitch *esw)
{
	return e.metadata;
}

static u32 fake_metadata_of(struct mlx5_eswitch *esw, u16 vport)
{
	return 0xabc00000 | vport << 16;
}

static int fake_vhca_id(struct mlx5_core_dev *mdev, u16 vport, u16 *vhca_id)
{
	*vhca_id = vport + 0x100;
	return e.vhca_ret;
}

static int fake_exec(struct mlx5_core_dev *mdev, void *in, int in_len,
		     void *out, int out_len)
{
	void *ctx = MLX5_ADDR_OF(query_esw_vport_context_out, out,
				 esw_vport_context);

	e.asked_vport = bits_at(in, 0x50, 16);
	MLX5_SET64(esw_vport_context, ctx, sw_steering_vport_icm_address_rx,
		   e.icm_rx);
	MLX5_SET64(esw_vport_context, ctx, sw_steering_vport_icm_address_tx,
		   e.icm_tx);
	return e.icm_ret;
}

static u64 fake_guid(struct mlx5_core_dev *mdev)
{
	if (mdev == &caps->mdev)
		return 0x77;
	/* Without the lock it may be removed at any time. */
	e.locked = mutex_is_locked(&e.other.adev.dev.mutex);
	return e.guid;
}

static enum rdma_link_layer fake_link(struct ib_device *ibdev, u32 port)
{
	return e.link;
}

/* adev_bus.c */
void mdx_adev_for_each(int (*fn)(struct device *dev, void *data), void *data)
{
	fn(&e.other.adev.dev, data);
}

#define mlx5_eswitch_mode fake_mode
#define mlx5_eswitch_vport_rep fake_rep
#define mlx5_lag_is_shared_fdb fake_shared_fdb
#define mlx5_eswitch_get_core_dev fake_core_dev
#define mlx5_eswitch_vport_match_metadata_enabled fake_metadata
#define mlx5_eswitch_get_vport_metadata_for_match fake_metadata_of
#define mlx5_vport_get_vhca_id fake_vhca_id
#define mlx5_cmd_exec fake_exec
#define mlx5_query_nic_system_image_guid fake_guid
#define rdma_port_get_link_layer fake_link

#include "../kmod/port.c"

static void add_rep(unsigned int i, u16 vport, u16 index)
{
	e.reps[i].vport = vport;
	e.reps[i].vport_index = index;
	e.reps[i].rep_data[REP_IB].priv = &e;
}

static int port_init(struct kunit *test)
{
	unsigned int i;
	int ret;

	ret = caps_init(test);
	if (ret)
		return ret;
	memset(&e, 0, sizeof(e));
	for (i = 0; i < REPS; i++)
		add_rep(i, 0, 0xffff);
	e.mode = MLX5_ESWITCH_LEGACY;
	e.link = IB_LINK_LAYER_ETHERNET;
	e.icm_rx = 0x1000;
	e.icm_tx = 0x2000;
	MLX5_SET(cmd_hca_cap, CAPS(GENERAL), vhca_id, 0x42);
	return 0;
}

static int ask_port(u32 port, struct mdx_ioc_query_port *arg)
{
	*arg = (struct mdx_ioc_query_port){
		.size = sizeof(*arg),
		.port_num = port,
		.out_flags = ~0ull,
		.out_vport = ~0u,
	};
	return caps_execute(mdx_ioc_query_port, arg, sizeof(*arg));
}

/* Switchdev, uplink on port 1 and VF 1 on port 2, software steering allowed */
static void set_switchdev(void)
{
	e.mode = MLX5_ESWITCH_OFFLOADS;
	caps->mdev.priv.eswitch = (void *)&e;
	add_rep(0, MLX5_VPORT_UPLINK, 0);
	add_rep(1, 1, 1);
	MLX5_SET(flow_table_eswitch_cap, CAPS(ESWITCH_FLOW_TABLE),
		 flow_table_properties_nic_esw_fdb.sw_owner, 1);
	MLX5_SET64(flow_table_eswitch_cap, CAPS(ESWITCH_FLOW_TABLE),
		   sw_steering_uplink_icm_address_rx, 0x3000);
}

static void ordinary_port_has_nothing(struct kunit *test)
{
	struct mdx_ioc_query_port arg;

	KUNIT_EXPECT_EQ(test, ask_port(1, &arg), 0);
	KUNIT_EXPECT_EQ(test, arg.out_flags, 0);
	KUNIT_EXPECT_EQ(test, arg.out_vport, 0);
	KUNIT_EXPECT_EQ(test, arg.port_num, 1);
}

static void port_invalid_einval(struct kunit *test)
{
	struct mdx_ioc_query_port arg;

	KUNIT_EXPECT_EQ(test, ask_port(0, &arg), -EINVAL);
	KUNIT_EXPECT_EQ(test, ask_port(2, &arg), 0);
	KUNIT_EXPECT_EQ(test, ask_port(3, &arg), -EINVAL);
	KUNIT_EXPECT_EQ(test, ask_port(U32_MAX, &arg), -EINVAL);
}

static void uplink_port(struct kunit *test)
{
	struct mdx_ioc_query_port arg;

	set_switchdev();
	KUNIT_EXPECT_EQ(test, ask_port(1, &arg), 0);
	KUNIT_EXPECT_EQ(test, arg.out_flags,
			MDX_QUERY_PORT_VPORT | MDX_QUERY_PORT_ESW_OWNER_VHCA_ID |
			MDX_QUERY_PORT_VPORT_STEERING_ICM_RX);
	KUNIT_EXPECT_EQ(test, arg.out_vport, MLX5_VPORT_UPLINK);
	KUNIT_EXPECT_EQ(test, arg.out_esw_owner_vhca_id, 0x42);
	KUNIT_EXPECT_EQ(test, arg.out_icm_rx, 0x3000);
	KUNIT_EXPECT_EQ(test, arg.out_icm_tx, 0);
	KUNIT_EXPECT_EQ(test, arg.out_vport_vhca_id, 0);
}

static void representor_port(struct kunit *test)
{
	struct mdx_ioc_query_port arg;

	set_switchdev();
	KUNIT_EXPECT_EQ(test, ask_port(2, &arg), 0);
	KUNIT_EXPECT_EQ(test, arg.out_flags,
			MDX_QUERY_PORT_VPORT | MDX_QUERY_PORT_ESW_OWNER_VHCA_ID |
			MDX_QUERY_PORT_VPORT_VHCA_ID |
			MDX_QUERY_PORT_VPORT_STEERING_ICM_RX |
			MDX_QUERY_PORT_VPORT_STEERING_ICM_TX);
	KUNIT_EXPECT_EQ(test, arg.out_vport, 1);
	KUNIT_EXPECT_EQ(test, arg.out_vport_vhca_id, 0x101);
	KUNIT_EXPECT_EQ(test, arg.out_icm_rx, 0x1000);
	KUNIT_EXPECT_EQ(test, arg.out_icm_tx, 0x2000);
	KUNIT_EXPECT_EQ(test, e.asked_vport, 1);
}

static void representor_of_any_vport(struct kunit *test)
{
	struct mdx_ioc_query_port arg;

	set_switchdev();
	add_rep(1, 0xfff0, 1);
	KUNIT_EXPECT_EQ(test, ask_port(2, &arg), 0);
	KUNIT_EXPECT_EQ(test, arg.out_vport, 0xfff0);
	add_rep(1, MLX5_VPORT_ECPF, 1);
	e.lookups = 0;
	KUNIT_EXPECT_EQ(test, ask_port(2, &arg), 0);
	KUNIT_EXPECT_EQ(test, arg.out_vport, MLX5_VPORT_ECPF);
	KUNIT_EXPECT_LE(test, e.lookups, 3);
}

static void no_representor_eopnotsupp(struct kunit *test)
{
	struct mdx_ioc_query_port arg;

	set_switchdev();
	e.reps[1].vport_index = 0xffff;
	KUNIT_EXPECT_EQ(test, ask_port(2, &arg), -EOPNOTSUPP);
	/* mlx5_ib is not there yet. */
	e.reps[1].vport_index = 1;
	e.reps[1].rep_data[REP_IB].priv = NULL;
	KUNIT_EXPECT_EQ(test, ask_port(2, &arg), -EOPNOTSUPP);
}

static void shared_fdb_eopnotsupp(struct kunit *test)
{
	struct mdx_ioc_query_port arg;

	set_switchdev();
	e.shared_fdb = true;
	KUNIT_EXPECT_EQ(test, ask_port(1, &arg), -EOPNOTSUPP);
	e.shared_fdb = false;
	e.no_core_dev = true;
	KUNIT_EXPECT_EQ(test, ask_port(1, &arg), -EINVAL);
}

static void query_failure_returned(struct kunit *test)
{
	struct mdx_ioc_query_port arg;

	set_switchdev();
	e.vhca_ret = -EBUSY;
	KUNIT_EXPECT_EQ(test, ask_port(2, &arg), -EBUSY);
	e.vhca_ret = 0;
	e.icm_ret = -EIO;
	KUNIT_EXPECT_EQ(test, ask_port(2, &arg), -EIO);
	/* The uplink needs neither query. */
	KUNIT_EXPECT_EQ(test, ask_port(1, &arg), 0);
}

static void icm_needs_sw_owner(struct kunit *test)
{
	struct mdx_ioc_query_port arg;
	u64 icm = MDX_QUERY_PORT_VPORT_STEERING_ICM_RX |
		  MDX_QUERY_PORT_VPORT_STEERING_ICM_TX;

	set_switchdev();
	MLX5_SET(flow_table_eswitch_cap, CAPS(ESWITCH_FLOW_TABLE),
		 flow_table_properties_nic_esw_fdb.sw_owner, 0);
	KUNIT_EXPECT_EQ(test, ask_port(2, &arg), 0);
	KUNIT_EXPECT_EQ(test, arg.out_flags & icm, 0);
	KUNIT_EXPECT_EQ(test, arg.out_icm_rx | arg.out_icm_tx, 0);
	MLX5_SET(flow_table_eswitch_cap, CAPS(ESWITCH_FLOW_TABLE),
		 flow_table_properties_nic_esw_fdb.sw_owner_v2, 1);
	KUNIT_EXPECT_EQ(test, ask_port(2, &arg), 0);
	KUNIT_EXPECT_EQ(test, arg.out_flags & icm, icm);
}

static void metadata_of_vport(struct kunit *test)
{
	struct mdx_ioc_query_port arg;

	set_switchdev();
	e.metadata = true;
	KUNIT_EXPECT_EQ(test, ask_port(2, &arg), 0);
	KUNIT_EXPECT_TRUE(test, arg.out_flags & MDX_QUERY_PORT_VPORT_REG_C0);
	KUNIT_EXPECT_EQ(test, arg.out_reg_c0_value, 0xabc10000);
	KUNIT_EXPECT_EQ(test, arg.out_reg_c0_mask, 0xffff0000);
}

/* A function that has port 2 of a device of two functions */
static void set_multiport(struct mlx5_core_dev *other)
{
	MLX5_SET(cmd_hca_cap, caps->mdev.caps.hca[MLX5_CAP_GENERAL]->max,
		 num_vhca_ports, 2);
	MLX5_SET(cmd_hca_cap, CAPS(GENERAL), native_port_num, 1);

	other->caps.hca[MLX5_CAP_GENERAL] =
		caps->mdev.caps.hca[MLX5_CAP_VDPA_EMULATION];
	MLX5_SET(cmd_hca_cap, other->caps.hca[MLX5_CAP_GENERAL]->max,
		 num_vhca_ports, 2);
	MLX5_SET(cmd_hca_cap, other->caps.hca[MLX5_CAP_GENERAL]->cur,
		 native_port_num, 2);
	MLX5_SET(cmd_hca_cap, other->caps.hca[MLX5_CAP_GENERAL]->cur, vhca_id,
		 0x43);
	e.guid = 0x77;
	e.other.mdev = other;
	e.other.adev.dev.init_name = "mlx5_core.multiport.1";
	e.other.adev.dev.driver = &e.driver;
	mutex_init(&e.other.adev.dev.mutex);
}

static void multiport_ports_found(struct kunit *test)
{
	struct mlx5_core_dev *other = kunit_kzalloc(test, sizeof(*other),
						    GFP_KERNEL);
	struct mdx_ioc_query_port arg;

	KUNIT_ASSERT_NOT_NULL(test, other);
	set_multiport(other);
	KUNIT_EXPECT_EQ(test, ask_port(1, &arg), 0);
	KUNIT_EXPECT_EQ(test, arg.out_flags, MDX_QUERY_PORT_VPORT_VHCA_ID);
	KUNIT_EXPECT_EQ(test, arg.out_vport_vhca_id, 0x42);
	KUNIT_EXPECT_EQ(test, ask_port(2, &arg), 0);
	KUNIT_EXPECT_EQ(test, arg.out_vport_vhca_id, 0x43);
	KUNIT_EXPECT_TRUE(test, e.locked);
	KUNIT_EXPECT_FALSE(test, mutex_is_locked(&e.other.adev.dev.mutex));
	/* InfiniBand has no affiliated ports. */
	e.link = IB_LINK_LAYER_INFINIBAND;
	KUNIT_EXPECT_EQ(test, ask_port(2, &arg), 0);
	KUNIT_EXPECT_EQ(test, arg.out_vport_vhca_id, 0x42);
}

static void other_functions_einval(struct kunit *test)
{
	struct mlx5_core_dev *other = kunit_kzalloc(test, sizeof(*other),
						    GFP_KERNEL);
	struct mdx_ioc_query_port arg;

	KUNIT_ASSERT_NOT_NULL(test, other);
	set_multiport(other);
	e.guid = 0x78;
	KUNIT_EXPECT_EQ(test, ask_port(2, &arg), -EINVAL);
	e.guid = 0x77;
	e.other.adev.dev.driver = NULL;
	KUNIT_EXPECT_EQ(test, ask_port(2, &arg), -EINVAL);
	e.other.adev.dev.driver = &e.driver;
	e.other.adev.dev.init_name = "mlx5_core.rdma.1";
	KUNIT_EXPECT_EQ(test, ask_port(2, &arg), -EINVAL);
	e.other.adev.dev.init_name = "mlx5_core.multiport.1";
	MLX5_SET(cmd_hca_cap, other->caps.hca[MLX5_CAP_GENERAL]->cur,
		 native_port_num, 3);
	KUNIT_EXPECT_EQ(test, ask_port(2, &arg), -EINVAL);
}

static struct kunit_case port_cases[] = {
	KUNIT_CASE(ordinary_port_has_nothing),
	KUNIT_CASE(port_invalid_einval),
	KUNIT_CASE(uplink_port),
	KUNIT_CASE(representor_port),
	KUNIT_CASE(representor_of_any_vport),
	KUNIT_CASE(no_representor_eopnotsupp),
	KUNIT_CASE(shared_fdb_eopnotsupp),
	KUNIT_CASE(query_failure_returned),
	KUNIT_CASE(icm_needs_sw_owner),
	KUNIT_CASE(metadata_of_vport),
	KUNIT_CASE(multiport_ports_found),
	KUNIT_CASE(other_functions_einval),
	{}
};

static struct kunit_suite port_suite = {
	.name = "mdx_port",
	.init = port_init,
	.exit = caps_exit,
	.test_cases = port_cases,
};

kunit_test_suite(port_suite);
