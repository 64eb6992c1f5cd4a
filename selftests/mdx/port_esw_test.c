// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Every port of an e-switch manager, in each of its modes, compared with the stock
 * driver's answer. The tests need a device with an e-switch, such as the software
 * ConnectX with ecpf,vfs=2 or with esw.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "kselftest_harness.h"
#include "machine.h"
#include "mdx_utils.h"

#define UPLINK 0xffff
#define STATE "/tmp/port_esw_test"

#define VPORT (MDX_QUERY_PORT_VPORT | MDX_QUERY_PORT_ESW_OWNER_VHCA_ID)
#define VHCA MDX_QUERY_PORT_VPORT_VHCA_ID
#define ICM (MDX_QUERY_PORT_VPORT_STEERING_ICM_RX | \
	     MDX_QUERY_PORT_VPORT_STEERING_ICM_TX)
#define REG_C0 MDX_QUERY_PORT_VPORT_REG_C0

struct esw_device {
	struct mdx_binding mdx;
	struct hca_ctl *hca;
	char addr[32];
	uint32_t ports;
	struct mdx_ioc_query_port arg;
};

FIXTURE(esw)
{
	struct esw_device e;
};

/**
 * @mode: of the e-switch
 * @param: devlink parameter to set before that, and its value
 * @cap: capability switch of the device, and its value
 * @function: flags of a port with a function behind it
 * @uplink: flags of the uplink's port
 */
FIXTURE_VARIANT(esw)
{
	const char *mode;
	const char *param;
	const char *cap;
	uint64_t function;
	uint64_t uplink;
};

#define CASE(name, ...) FIXTURE_VARIANT_ADD(esw, name) { __VA_ARGS__ }
#define ALL_BUT(bits) \
	.mode = "switchdev", .function = (VPORT | VHCA | ICM | REG_C0) & ~(bits), \
	.uplink = (VPORT | ICM | REG_C0) & ~(bits)

CASE(switchdev, ALL_BUT(0));
CASE(metadata_off, ALL_BUT(REG_C0), .param = "esw_port_metadata value false");
CASE(no_reg_c, ALL_BUT(REG_C0), .cap = "reg-c off");
CASE(no_uplink_acl, ALL_BUT(REG_C0), .cap = "uplink-acl off");
CASE(sw_owner_off, ALL_BUT(ICM), .cap = "sw-owner-v2 off");
/*
 * With sw-owner alone the driver would choose its own steering, which the
 * device lacks.
 */
CASE(sw_owner_both, ALL_BUT(0), .cap = "sw-owner on",
     .param = "flow_steering_mode value dmfs");
CASE(no_uplink_icm, .mode = "switchdev", .cap = "uplink-icm off",
     .function = VPORT | VHCA | ICM | REG_C0, .uplink = VPORT | REG_C0);
CASE(no_vport_icm, .mode = "switchdev", .cap = "vport-icm off",
     .function = VPORT | VHCA | REG_C0, .uplink = VPORT | ICM | REG_C0);
/* The last one leaves the device as it was. */
CASE(legacy, .mode = "legacy");

static int set_mode(struct esw_device *e, const char *mode)
{
	return run("devlink dev eswitch set pci/%s mode %s", e->addr, mode);
}

static int set_param(struct esw_device *e, const char *param)
{
	return run("devlink dev param set pci/%s name %s cmode runtime",
		   e->addr, param);
}

/* Capabilities take effect when the driver binds the function. */
static int rebind_driver(struct esw_device *e)
{
	return write_file(MLX5_DRIVER "/unbind", e->addr) ||
	       write_file(MLX5_DRIVER "/bind", e->addr) || !mdx_device_wait();
}

static uint32_t count_ports(struct ibv_context *ctx)
{
	struct ibv_device_attr_ex attr;

	return ibv_query_device_ex(ctx, NULL, &attr) ? 0 :
	       attr.phys_port_cnt_ex;
}

/* The setup of an earlier test is kept: it takes seconds. */
static void state_get(char *state, int size)
{
	FILE *f = fopen(STATE, "r");

	*state = '\0';
	if (!f)
		return;
	if (!fgets(state, size, f))
		*state = '\0';
	fclose(f);
}

static int state_set(const char *state)
{
	FILE *f = fopen(STATE, "w");

	if (!f)
		return errno;
	fputs(state, f);
	return fclose(f);
}

/* Brings the device into legacy mode from the state an earlier test left. */
static int set_up(struct esw_device *e, const char *cap, const char *param)
{
	char want[128], is[128];
	int ret = 0;

	snprintf(want, sizeof(want), "%s%s%s", cap ?: "",
		 cap || param ? ", " : "", param ?: "");
	state_get(is, sizeof(is));
	if (!strcmp(want, is))
		return 0;
	ret = set_mode(e, "legacy");
	/* Those that were switched have been switched back by hca_open(). */
	if (!ret && cap)
		ret = hca_cmd(e->hca, "switch %s", cap);
	if (!ret && (cap || (*is && *is != ',')))
		ret = rebind_driver(e);
	else if (!ret && *is)
		ret = set_param(e, "esw_port_metadata value true");
	if (!ret && param)
		ret = set_param(e, param);
	return ret ?: state_set(want);
}

static int esw_start(struct esw_device *e)
{
	int ret = mdx_device_wait() ? mdx_start(&e->mdx) : ENODEV;

	if (!ret)
		e->ports = count_ports(e->mdx.ctx);
	return ret;
}

#define SETUP_ESW(e, cap, param, mode) do {				\
	SETUP_DEVICE(return);						\
	ASSERT_TRUE(mdx_pci_addr((e)->addr, sizeof((e)->addr)));	\
	if (run("devlink dev eswitch show pci/%s >/dev/null 2>&1",	\
		(e)->addr))						\
		SKIP(return, "the device does not manage an e-switch");	\
	(e)->hca = hca_open();						\
	if (cap)							\
		SKIP_NO_HCA((e)->hca, return);				\
	ASSERT_EQ(0, set_up(e, cap, param));				\
	ASSERT_EQ(0, set_mode(e, mode));				\
	ASSERT_EQ(0, esw_start(e));					\
	ASSERT_NE(0, (e)->ports);					\
} while (0)

FIXTURE_SETUP(esw)
{
	SETUP_ESW(&self->e, variant->cap, variant->param, variant->mode);
}

FIXTURE_TEARDOWN(esw)
{
	mdx_stop(&self->e.mdx);
	hca_close(self->e.hca);
}

static int query_port(struct esw_device *e, uint32_t port)
{
	memset(&e->arg, FILL, sizeof(e->arg));
	e->arg.size = sizeof(e->arg);
	e->arg.flags = 0;
	e->arg.__reserved = 0;
	e->arg.port_num = port;
	return mdx_ioctl(e->mdx.fd, MDX_IOC_QUERY_PORT, &e->arg);
}

static bool is_untouched(const struct mdx_ioc_query_port *arg)
{
	return all_bytes(&arg->out_flags, FILL,
			 sizeof(*arg) - offsetof(struct mdx_ioc_query_port,
						 out_flags));
}

static void same_as_stock(struct __test_metadata *_metadata,
			  const struct mdx_ioc_query_port *arg,
			  const struct mlx5dv_port *stock)
{
	EXPECT_EQ(stock->flags, arg->out_flags);
	EXPECT_EQ(stock->vport, arg->out_vport);
	EXPECT_EQ(stock->vport_vhca_id, arg->out_vport_vhca_id);
	EXPECT_EQ(stock->esw_owner_vhca_id, arg->out_esw_owner_vhca_id);
	EXPECT_EQ(stock->vport_steering_icm_rx, arg->out_icm_rx);
	EXPECT_EQ(stock->vport_steering_icm_tx, arg->out_icm_tx);
	EXPECT_EQ(stock->reg_c0.value, arg->out_reg_c0_value);
	EXPECT_EQ(stock->reg_c0.mask, arg->out_reg_c0_mask);
	EXPECT_EQ(0, arg->out_reserved);
}

/* Every port is as the stock driver reports it. */
TEST_F(esw, every_port_stock)
{
	struct esw_device *e = &self->e;
	uint32_t port, uplinks = 0, functions = 0, empty = 0;
	bool legacy = !strcmp(variant->mode, "legacy");
	struct mlx5dv_port stock;
	int ret;

	for (port = 1; port <= e->ports; port++) {
		memset(&stock, 0, sizeof(stock));
		ret = _mlx5dv_query_port(e->mdx.ctx, port, &stock,
					 sizeof(stock));
		EXPECT_EQ(ret, query_port(e, port))
			TH_LOG("port %u of %u", port, e->ports);
		if (ret) {
			EXPECT_EQ(EOPNOTSUPP, ret);
			EXPECT_TRUE(is_untouched(&e->arg));
			empty++;
			continue;
		}
		same_as_stock(_metadata, &e->arg, &stock);
		if (legacy) {
			EXPECT_EQ(0, e->arg.out_flags);
		} else if (e->arg.out_vport == UPLINK) {
			EXPECT_EQ(variant->uplink, e->arg.out_flags);
			uplinks++;
		} else {
			EXPECT_EQ(variant->function, e->arg.out_flags);
			functions++;
		}
	}
	if (legacy) {
		EXPECT_EQ(1, e->ports);
		return;
	}
	/* A PF that manages itself is no port; without VFs, only the uplink. */
	EXPECT_EQ(1, uplinks);
	EXPECT_EQ(functions ? 0 : 1, empty);
	EXPECT_EQ(e->ports, uplinks + functions + empty);
}

/* Each vport and each function is one port's. */
TEST_F(esw, ports_differ)
{
	struct esw_device *e = &self->e;
	struct mdx_ioc_query_port *one, *two, *seen;
	uint32_t port, n = 0;

	seen = calloc(e->ports, sizeof(*seen));
	ASSERT_NE(NULL, seen);
	for (port = 1; port <= e->ports; port++)
		if (!query_port(e, port) && e->arg.out_flags)
			seen[n++] = e->arg;
	for (one = seen; one < seen + n; one++) {
		EXPECT_EQ(seen->out_esw_owner_vhca_id,
			  one->out_esw_owner_vhca_id);
		for (two = seen; two < one; two++) {
			EXPECT_NE(one->out_vport, two->out_vport);
			if (one->out_flags & two->out_flags & VHCA) {
				EXPECT_NE(one->out_vport_vhca_id,
					  two->out_vport_vhca_id);
			}
			if (one->out_flags & two->out_flags & ICM) {
				EXPECT_NE(one->out_icm_rx, two->out_icm_rx);
				EXPECT_NE(one->out_icm_tx, two->out_icm_tx);
			}
			if (one->out_flags & REG_C0) {
				EXPECT_NE(one->out_reg_c0_value,
					  two->out_reg_c0_value);
			}
		}
	}
	free(seen);
}

/* The port behind the last is refused. */
TEST_F(esw, port_behind_last_einval)
{
	struct esw_device *e = &self->e;
	struct mlx5dv_port stock;

	EXPECT_EQ(EINVAL, query_port(e, e->ports + 1));
	EXPECT_TRUE(is_untouched(&e->arg));
	EXPECT_EQ(EINVAL, _mlx5dv_query_port(e->mdx.ctx, e->ports + 1,
					     &stock, sizeof(stock)));
}

/* Only ports of functions take a query, so only those can fail. */
TEST_F(esw, failed_query_no_answer)
{
	struct esw_device *e = &self->e;
	struct mlx5dv_port stock;
	uint32_t port;
	int ret;

	SKIP_NO_HCA(e->hca, return);
	ASSERT_EQ(0, hca_fail(e->hca, MLX5_CMD_OP_QUERY_ESW_VPORT_CONTEXT,
			      STATUS_BAD_OP, 0x1234, HCA_ALWAYS));
	for (port = 1; port <= e->ports; port++) {
		memset(&stock, 0, sizeof(stock));
		ret = _mlx5dv_query_port(e->mdx.ctx, port, &stock,
					 sizeof(stock));
		EXPECT_EQ(ret, query_port(e, port))
			TH_LOG("port %u of %u", port, e->ports);
		if (ret) {
			EXPECT_TRUE(is_untouched(&e->arg));
			continue;
		}
		same_as_stock(_metadata, &e->arg, &stock);
		EXPECT_TRUE(!e->arg.out_flags || e->arg.out_vport == UPLINK);
	}
	ASSERT_EQ(0, hca_fail(e->hca, MLX5_CMD_OP_QUERY_ESW_VPORT_CONTEXT, 0, 0,
			      0));
}

FIXTURE(flip)
{
	struct esw_device e;
};

FIXTURE_VARIANT(flip)
{
	const char *from;
	const char *to;
};

FIXTURE_VARIANT_ADD(flip, to_switchdev) { .from = "legacy", .to = "switchdev" };
FIXTURE_VARIANT_ADD(flip, to_legacy) { .from = "switchdev", .to = "legacy" };

FIXTURE_SETUP(flip)
{
	SETUP_ESW(&self->e, NULL, NULL, variant->from);
}

FIXTURE_TEARDOWN(flip)
{
	mdx_stop(&self->e.mdx);
	hca_close(self->e.hca);
}

/* The device of the old mode is removed under open files; the new one works. */
TEST_F(flip, open_files_end_eio)
{
	struct esw_device *e = &self->e;
	struct mlx5dv_port stock;

	ASSERT_EQ(0, query_port(e, e->ports));
	ASSERT_EQ(0, set_mode(e, variant->to));
	EXPECT_EQ(EIO, query_port(e, e->ports));
	EXPECT_TRUE(is_untouched(&e->arg));
	EXPECT_EQ(EIO, _mlx5dv_query_port(e->mdx.ctx, e->ports, &stock,
					  sizeof(stock)));
	mdx_stop(&e->mdx);
	ASSERT_EQ(0, esw_start(e));
	memset(&stock, 0, sizeof(stock));
	ASSERT_EQ(0, _mlx5dv_query_port(e->mdx.ctx, e->ports, &stock,
					sizeof(stock)));
	ASSERT_EQ(0, query_port(e, e->ports));
	same_as_stock(_metadata, &e->arg, &stock);
	EXPECT_EQ(!strcmp(variant->to, "switchdev"), !!e->arg.out_flags);
}

/* Unbinding the driver ends open files. */
TEST_F(flip, unbind_ends_files_eio)
{
	struct esw_device *e = &self->e;

	ASSERT_EQ(0, query_port(e, e->ports));
	ASSERT_EQ(0, write_file(MLX5_DRIVER "/unbind", e->addr));
	EXPECT_EQ(EIO, query_port(e, e->ports));
	EXPECT_TRUE(is_untouched(&e->arg));
	mdx_stop(&e->mdx);
	ASSERT_EQ(0, write_file(MLX5_DRIVER "/bind", e->addr));
	ASSERT_EQ(0, esw_start(e));
	EXPECT_EQ(0, query_port(e, e->ports));
}

/* A thread that queries each port repeatedly while the mode changes. */
struct port_asker {
	const struct esw_device *e;
	pthread_t thread;
	int answered;
	int odd;
};

/* Ends with the device of the old mode. */
static void *query_ports(void *data)
{
	struct port_asker *a = data;
	struct esw_device e = *a->e;
	uint32_t i;
	int ret;

	for (i = 0; ; i++) {
		ret = query_port(&e, i % e.ports + 1);
		if (!ret) {
			a->answered++;
			continue;
		}
		if (!is_untouched(&e.arg))
			a->odd = -1;
		else if (ret != EIO && ret != EOPNOTSUPP)
			a->odd = ret;
		if (ret != EOPNOTSUPP)
			return NULL;
	}
}

/* Under queries each is answered or ends. */
TEST_F(flip, queries_answered_or_eio)
{
	struct esw_device *e = &self->e;
	struct port_asker askers[3] = {};
	struct port_asker *a;

	for (a = askers; a < askers + ARRAY_SIZE(askers); a++) {
		a->e = e;
		ASSERT_EQ(0, pthread_create(&a->thread, NULL, query_ports, a));
	}
	usleep(100000);
	EXPECT_EQ(0, set_mode(e, variant->to));
	for (a = askers; a < askers + ARRAY_SIZE(askers); a++) {
		pthread_join(a->thread, NULL);
		EXPECT_EQ(0, a->odd);
		EXPECT_LT(0, a->answered);
	}
	mdx_stop(&e->mdx);
	ASSERT_EQ(0, esw_start(e));
	EXPECT_EQ(0, query_port(e, e->ports));
}

MDX_HARNESS_MAIN(unlink(STATE))
