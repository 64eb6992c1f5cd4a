// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Ports whose numbers do not fit into 8 bits, compared with the stock driver. It
 * needs a device with 602 ports, in switchdev mode: the software ConnectX with
 * ecpf,vfs=599, and esw.sh.
 */
#include <dirent.h>
#include <stdio.h>

#include "kselftest_harness.h"
#include "mdx_utils.h"

#define MANY_PORTS 600

FIXTURE(port_many)
{
	struct mdx_binding mdx;
	uint32_t ports;
	struct mdx_ioc_query_port arg;
	struct mlx5dv_port stock;
};

/* Not of ibv_query_device(), which tells of 255 at most. */
static uint32_t count_ports(struct ibv_context *ctx)
{
	struct dirent *entry;
	uint32_t ports = 0;
	char path[512];
	DIR *dir;

	snprintf(path, sizeof(path), "%s/ports", ctx->device->ibdev_path);
	dir = opendir(path);
	if (!dir)
		return 0;
	while ((entry = readdir(dir)))
		ports += entry->d_name[0] != '.';
	closedir(dir);
	return ports;
}

FIXTURE_SETUP(port_many)
{
	SETUP_DEVICE(return);
	ASSERT_EQ(0, mdx_start(&self->mdx));
	self->ports = count_ports(self->mdx.ctx);
	if (self->ports < MANY_PORTS)
		SKIP(return, "the device has %u ports", self->ports);
}

FIXTURE_TEARDOWN(port_many)
{
	mdx_stop(&self->mdx);
}

#define SELF FIXTURE_DATA(port_many)

static int query_port(SELF *self, uint32_t port)
{
	memset(&self->arg, FILL, sizeof(self->arg));
	self->arg.size = sizeof(self->arg);
	self->arg.flags = 0;
	self->arg.__reserved = 0;
	self->arg.port_num = port;
	return mdx_ioctl(self->mdx.fd, MDX_IOC_QUERY_PORT, &self->arg);
}

static int stock_query_port(SELF *self, uint32_t port)
{
	memset(&self->stock, 0, sizeof(self->stock));
	return mlx5dv_query_port(self->mdx.ctx, port, &self->stock);
}

static bool is_untouched(const struct mdx_ioc_query_port *arg)
{
	return all_bytes(&arg->out_flags, FILL,
			 sizeof(*arg) - offsetof(struct mdx_ioc_query_port,
						 out_flags));
}

static bool same_as_stock(const struct mdx_ioc_query_port *arg,
			  const struct mlx5dv_port *stock)
{
	return stock->flags == arg->out_flags &&
	       stock->vport == arg->out_vport &&
	       stock->vport_vhca_id == arg->out_vport_vhca_id &&
	       stock->esw_owner_vhca_id == arg->out_esw_owner_vhca_id &&
	       stock->vport_steering_icm_rx == arg->out_icm_rx &&
	       stock->vport_steering_icm_tx == arg->out_icm_tx &&
	       stock->reg_c0.value == arg->out_reg_c0_value &&
	       stock->reg_c0.mask == arg->out_reg_c0_mask;
}

TEST_F_TIMEOUT(port_many, every_port_stock, 300)
{
	uint32_t port, answered = 0;
	int ret;

	for (port = 1; port <= self->ports; port++) {
		ret = stock_query_port(self, port);
		EXPECT_EQ(ret, query_port(self, port))
			TH_LOG("port %u of %u", port, self->ports);
		if (ret) {
			EXPECT_TRUE(is_untouched(&self->arg));
			continue;
		}
		EXPECT_TRUE(same_as_stock(&self->arg, &self->stock))
			TH_LOG("port %u of %u", port, self->ports);
		answered++;
	}
	EXPECT_LE(MANY_PORTS, answered);
}

/* Each has a vport of its own: no number is taken modulo 256. */
TEST_F(port_many, above_8_bits_distinct)
{
	static const uint32_t ports[] = { 1, 2, 255, 256, 257, 600, 601 };
	uint16_t vports[ARRAY_SIZE(ports)];
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(ports); i++) {
		ASSERT_EQ(0, query_port(self, ports[i]));
		ASSERT_EQ(0, stock_query_port(self, ports[i]));
		EXPECT_TRUE(same_as_stock(&self->arg, &self->stock));
		vports[i] = self->arg.out_vport;
		for (j = 0; j < i; j++)
			EXPECT_NE(vports[j], vports[i]);
	}
}

/* Numbers that would be those of ports if they lost their upper bits. */
TEST_F(port_many, wrapped_number_einval)
{
	static const uint32_t numbers[] = {
		0, 0x10000, 0x10001, 0x10000 + 256, 0x10000 + 600, 0x1000001,
		0x7fffffff, 0x80000000, 0x80000001, 0xffff0001, 0xffffff00,
		0xffffff01, 0xfffffffe, 0xffffffff,
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		EXPECT_EQ(EINVAL, stock_query_port(self, numbers[i]));
		EXPECT_EQ(EINVAL, query_port(self, numbers[i]))
			TH_LOG("port %#x", numbers[i]);
		EXPECT_TRUE(is_untouched(&self->arg));
	}
}

TEST_F(port_many, after_last_einval)
{
	EXPECT_EQ(EINVAL, stock_query_port(self, self->ports + 1));
	EXPECT_EQ(EINVAL, query_port(self, self->ports + 1));
	EXPECT_TRUE(is_untouched(&self->arg));
}

TEST_HARNESS_MAIN
