// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Ports, compared with the stock driver's answers. A NIC's port has nothing
 * behind it; those of a device in switchdev mode have vports.
 */
#include "kselftest_harness.h"
#include "mdx_utils.h"

FIXTURE(port)
{
	struct mdx_binding mdx;
	struct hca_ctl *hca;
	uint32_t ports;
	struct mdx_ioc_query_port arg;
};

FIXTURE_SETUP(port)
{
	struct ibv_device_attr_ex attr;

	SETUP_DEVICE(return);
	ASSERT_EQ(0, mdx_start(&self->mdx));
	self->hca = hca_open();
	ASSERT_EQ(0, ibv_query_device_ex(self->mdx.ctx, NULL, &attr));
	self->ports = attr.phys_port_cnt_ex;
	self->arg.size = sizeof(self->arg);
	self->arg.port_num = 1;
}

FIXTURE_TEARDOWN(port)
{
	if (self->hca)
		hca_close(self->hca);
	mdx_stop(&self->mdx);
}

#define SELF FIXTURE_DATA(port)

static int query_port(SELF *self, uint32_t port)
{
	memset(&self->arg, FILL, sizeof(self->arg));
	self->arg.size = sizeof(self->arg);
	self->arg.flags = 0;
	self->arg.__reserved = 0;
	self->arg.port_num = port;
	return mdx_ioctl(self->mdx.fd, MDX_IOC_QUERY_PORT, &self->arg);
}

static bool is_untouched(const struct mdx_ioc_query_port *arg)
{
	return all_bytes(&arg->out_flags, FILL,
			 sizeof(*arg) - offsetof(struct mdx_ioc_query_port,
						 out_flags));
}

TEST_F(port, info_feature)
{
	struct mdx_ioc_info info;

	test_mdx_info(self->mdx.fd, &info);
	EXPECT_TRUE(info.out_features & MDX_FEATURE_QUERY_PORT);
}

TEST_F(port, flags_as_libmlx5)
{
	EXPECT_EQ(MLX5DV_QUERY_PORT_VPORT, MDX_QUERY_PORT_VPORT);
	EXPECT_EQ(MLX5DV_QUERY_PORT_VPORT_VHCA_ID,
		  MDX_QUERY_PORT_VPORT_VHCA_ID);
	EXPECT_EQ(MLX5DV_QUERY_PORT_VPORT_STEERING_ICM_RX,
		  MDX_QUERY_PORT_VPORT_STEERING_ICM_RX);
	EXPECT_EQ(MLX5DV_QUERY_PORT_VPORT_STEERING_ICM_TX,
		  MDX_QUERY_PORT_VPORT_STEERING_ICM_TX);
	EXPECT_EQ(MLX5DV_QUERY_PORT_VPORT_REG_C0, MDX_QUERY_PORT_VPORT_REG_C0);
	EXPECT_EQ(MLX5DV_QUERY_PORT_ESW_OWNER_VHCA_ID,
		  MDX_QUERY_PORT_ESW_OWNER_VHCA_ID);
}

/* Every port is as the stock driver reports it. */
TEST_F(port, every_port_stock)
{
	struct mlx5dv_port stock;
	uint32_t port;
	int ret;

	for (port = 1; port <= self->ports; port++) {
		memset(&stock, 0, sizeof(stock));
		ret = _mlx5dv_query_port(self->mdx.ctx, port, &stock,
					 sizeof(stock));
		EXPECT_EQ(ret, query_port(self, port)) {
			TH_LOG("port %u", port);
		}
		if (ret) {
			EXPECT_TRUE(is_untouched(&self->arg));
			continue;
		}
		EXPECT_EQ(stock.flags, self->arg.out_flags);
		EXPECT_EQ(stock.vport, self->arg.out_vport);
		EXPECT_EQ(stock.vport_vhca_id, self->arg.out_vport_vhca_id);
		EXPECT_EQ(stock.esw_owner_vhca_id,
			  self->arg.out_esw_owner_vhca_id);
		EXPECT_EQ(stock.vport_steering_icm_rx, self->arg.out_icm_rx);
		EXPECT_EQ(stock.vport_steering_icm_tx, self->arg.out_icm_tx);
		EXPECT_EQ(stock.reg_c0.value, self->arg.out_reg_c0_value);
		EXPECT_EQ(stock.reg_c0.mask, self->arg.out_reg_c0_mask);
		EXPECT_EQ(0, self->arg.out_reserved);
	}
}

static void test_refused(struct __test_metadata *_metadata, SELF *self,
			 uint32_t port)
{
	struct mlx5dv_port stock;

	EXPECT_EQ(EINVAL, query_port(self, port));
	EXPECT_TRUE(is_untouched(&self->arg));
	EXPECT_EQ(EINVAL, _mlx5dv_query_port(self->mdx.ctx, port, &stock,
					     sizeof(stock)));
}

TEST_F(port, port_zero_einval)
{
	test_refused(_metadata, self, 0);
}

/* The port behind the last is refused. */
TEST_F(port, port_behind_last_einval)
{
	test_refused(_metadata, self, self->ports + 1);
}

/* Ports are not numbers of a byte. */
TEST_F(port, port_not_truncated_einval)
{
	test_refused(_metadata, self, 0x10001);
}

TEST_F(port, highest_port_einval)
{
	test_refused(_metadata, self, UINT32_MAX);
}

TEST_F(port, flag_eopnotsupp)
{
	self->arg.flags = 1;
	EXPECT_EQ(EOPNOTSUPP, mdx_ioctl(self->mdx.fd, MDX_IOC_QUERY_PORT,
					&self->arg));
}

TEST_F(port, reserved_eopnotsupp)
{
	self->arg.__reserved = 1;
	EXPECT_EQ(EOPNOTSUPP, mdx_ioctl(self->mdx.fd, MDX_IOC_QUERY_PORT,
					&self->arg));
}

TEST_F(port, size_short_einval)
{
	self->arg.size--;
	EXPECT_EQ(EINVAL, mdx_ioctl(self->mdx.fd, MDX_IOC_QUERY_PORT,
				    &self->arg));
}

TEST_F(port, unbound_enotconn)
{
	int fd = mdx_node_open();

	ASSERT_GE(fd, 0);
	EXPECT_EQ(ENOTCONN, mdx_ioctl(fd, MDX_IOC_QUERY_PORT, &self->arg));
	close(fd);
}

/* The first port of a function that has one, or 0. */
static uint32_t function_port(SELF *self)
{
	uint32_t port;

	for (port = 1; port <= self->ports; port++)
		if (!query_port(self, port) &&
		    self->arg.out_flags & MDX_QUERY_PORT_VPORT &&
		    self->arg.out_vport != 0xffff)
			return port;
	return 0;
}

/* A query that fails is an error and no half answer. */
TEST_F(port, failed_query_no_answer)
{
	uint32_t port = function_port(self);
	struct mlx5dv_port stock;

	SKIP_NO_HCA(self->hca, return);
	if (!port)
		SKIP(return, "no port with a function behind it");
	ASSERT_EQ(0, hca_fail(self->hca, MLX5_CMD_OP_QUERY_ESW_VPORT_CONTEXT,
			      STATUS_INT_ERR, 0x1234, 2));
	EXPECT_EQ(EIO, query_port(self, port));
	EXPECT_TRUE(is_untouched(&self->arg));
	EXPECT_EQ(EIO, _mlx5dv_query_port(self->mdx.ctx, port, &stock,
					  sizeof(stock)));
}

MDX_HARNESS_MAIN(mdx_share())
