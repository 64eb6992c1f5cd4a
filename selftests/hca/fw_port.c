// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The port: its registers, its link, its RoCE addresses, congestion control.
 */
#include "fw_port.h"

enum {
	REG_PCAP = 0x5001, REG_PMLP = 0x5002, REG_PMTU = 0x5003,
	REG_PTYS = 0x5004, REG_PAOS = 0x5006, REG_PFCC = 0x5007,
	REG_PPCNT = 0x5008, REG_PPLM = 0x5023, REG_NODE_DESC = 0x6001,
	REG_HOST_ENDIANNESS = 0x7004, REG_DTOR = 0xc00e,
};

enum { PAOS_UP = 1, PAOS_DOWN = 2 };
enum { EVENT_PORT = 0x09, PORT_DOWN = 1, PORT_ACTIVE = 4 };

#define MAX_MTU 10000
#define ETH_100G_CR4 BIT(20)

struct port_reg {
	struct fw *fw;
	u8 *data; /* contents of the output */
	const u8 *in; /* contents of a write, else NULL */
};

void port_init(struct fw *fw)
{
	struct fw_port *port = &fw->port;

	memset(port, 0, sizeof(*port));
	port->mtu = 1522;
	port->admin = PAOS_DOWN;
	memcpy(port->node_desc, "mdx-hca", 7);
}

bool fw_link_up(struct fw *fw)
{
	return fw->port.admin == PAOS_UP && fw_own(fw)->admin;
}

unsigned int fw_port_mtu(struct fw *fw)
{
	return fw->port.mtu;
}

void port_changed(struct fw *fw, bool was)
{
	bool up = fw_link_up(fw);
	u8 data[28] = { [8] = 1 << 4 };

	if (up != was && fw->ops->event)
		fw->ops->event(fw->priv, EVENT_PORT,
			       up ? PORT_ACTIVE : PORT_DOWN, data);
}

static void reg_pmtu(struct port_reg *r)
{
	u16 mtu = r->in ? PRM_GET(pmtu_reg, r->in, admin_mtu) : 0;

	if (mtu && mtu <= MAX_MTU)
		r->fw->port.mtu = mtu;
	PRM_SET(pmtu_reg, r->data, max_mtu, MAX_MTU);
	PRM_SET(pmtu_reg, r->data, admin_mtu, r->fw->port.mtu);
	PRM_SET(pmtu_reg, r->data, oper_mtu, r->fw->port.mtu);
}

static void reg_ptys(struct port_reg *r)
{
	PRM_SET(ptys_reg, r->data, proto_mask, 4);
	PRM_SET(ptys_reg, r->data, eth_proto_capability, ETH_100G_CR4);
	PRM_SET(ptys_reg, r->data, eth_proto_admin, ETH_100G_CR4);
	PRM_SET(ptys_reg, r->data, eth_proto_oper, ETH_100G_CR4);
	PRM_SET(ptys_reg, r->data, connector_type, 3);
}

static void reg_paos(struct port_reg *r)
{
	bool was = fw_link_up(r->fw);

	if (r->in && PRM_GET(paos_reg, r->in, ase)) {
		r->fw->port.admin = PRM_GET(paos_reg, r->in, admin_status);
		port_changed(r->fw, was);
	}
	PRM_SET(paos_reg, r->data, admin_status, r->fw->port.admin);
	PRM_SET(paos_reg, r->data, oper_status,
		fw_link_up(r->fw) ? PAOS_UP : PAOS_DOWN);
}

static void reg_node_desc(struct port_reg *r)
{
	if (r->in)
		memcpy(r->fw->port.node_desc, r->in, 64);
	memcpy(r->data, r->fw->port.node_desc, 64);
}

/* Registers without a function: reads return zero, writes their own value. */
static void reg_plain(struct port_reg *r)
{
	(void)r;
}

static const struct {
	u16 id;
	u16 len;
	void (*fn)(struct port_reg *r);
} regs[] = {
	{ REG_PCAP, PRM_SZ(pcap_reg), reg_plain },
	{ REG_PMLP, 4, reg_plain },
	{ REG_PMTU, PRM_SZ(pmtu_reg), reg_pmtu },
	{ REG_PTYS, PRM_SZ(ptys_reg), reg_ptys },
	{ REG_PAOS, PRM_SZ(paos_reg), reg_paos },
	{ REG_PFCC, 16, reg_plain },
	{ REG_PPCNT, 8, reg_plain },
	{ REG_PPLM, 16, reg_plain },
	{ REG_NODE_DESC, 64, reg_node_desc },
	{ REG_HOST_ENDIANNESS, 16, reg_plain },
	/* Zero: drivers choose the timeouts. */
	{ REG_DTOR, PRM_SZ(dtor_reg), reg_plain },
};

int fw_access_reg(struct fw_call *c)
{
	size_t at = PRM_SZ(access_register_in);
	size_t out_at = PRM_SZ(access_register_out);
	u16 id = PRM_GET(access_register_in, c->in, register_id);
	struct port_reg r = { .fw = c->fw, .data = c->out + out_at };
	size_t i, n;

	if (c->op_mod > 1)
		return fw_fail(c, FW_BAD_PARAM, SYND_OP_MOD);
	for (i = 0; i < ARRAY_SIZE(regs) && regs[i].id != id; i++)
		;
	if (i == ARRAY_SIZE(regs))
		return fw_fail(c, FW_BAD_PARAM, SYND_REGISTER);
	if (c->in_len < at + regs[i].len)
		return fw_fail(c, FW_BAD_IN_LEN, SYND_IN_LEN);
	if (c->out_len < out_at + regs[i].len)
		return fw_fail(c, FW_BAD_OUT_LEN, SYND_OUT_LEN);
	/* The output starts as a copy of the input. */
	n = c->in_len - at < c->out_len - out_at ? c->in_len - at :
						  c->out_len - out_at;
	memcpy(r.data, c->in + at, n);
	if (!c->op_mod)
		r.in = c->in + at;
	regs[i].fn(&r);
	return FW_OK;
}

static int gid_index(struct fw_call *c, u16 index)
{
	u64 n = PRM_GET(roce_cap, fw_cap(c->fw, 4), roce_address_table_size);

	/* SET_HCA_CAP may have set any size. */
	if (index >= n || index >= FW_GIDS)
		return fw_fail(c, FW_BAD_INDEX, SYND_INDEX);
	return FW_OK;
}

int fw_query_roce_address(struct fw_call *c)
{
	u16 index = PRM_GET(query_roce_address_in, c->in, roce_address_index);
	int ret = gid_index(c, index);

	if (!ret)
		memcpy(c->out + PRM_BYTE(query_roce_address_out, roce_address),
		       c->fw->port.gid[index], 32);
	return ret;
}

int fw_set_roce_address(struct fw_call *c)
{
	u16 index = PRM_GET(set_roce_address_in, c->in, roce_address_index);
	int ret = gid_index(c, index);

	if (!ret)
		memcpy(c->fw->port.gid[index],
		       c->in + PRM_BYTE(set_roce_address_in, roce_address), 32);
	return ret;
}

static u8 *cong_params(struct fw_call *c)
{
	return c->fw->port.cong[PRM_GET(query_cong_params_in, c->in,
					cong_protocol)];
}

/* The status is stored behind the last byte of the parameters. */
int fw_query_cong_status(struct fw_call *c)
{
	PRM_SET(query_cong_status_out, c->out, enable, cong_params(c)[255] & 1);
	PRM_SET(query_cong_status_out, c->out, tag_enable,
		cong_params(c)[255] >> 1);
	return FW_OK;
}

int fw_modify_cong_status(struct fw_call *c)
{
	cong_params(c)[255] = PRM_GET(modify_cong_status_in, c->in, enable) |
			      PRM_GET(modify_cong_status_in, c->in, tag_enable)
				      << 1;
	return FW_OK;
}

int fw_query_cong_params(struct fw_call *c)
{
	memcpy(c->out + PRM_BYTE(query_cong_params_out, congestion_parameters),
	       cong_params(c), 255);
	return FW_OK;
}

/* The field select depends on the protocol, so all fields are modified. */
int fw_modify_cong_params(struct fw_call *c)
{
	memcpy(cong_params(c),
	       c->in + PRM_BYTE(modify_cong_params_in, congestion_parameters),
	       255);
	return FW_OK;
}
