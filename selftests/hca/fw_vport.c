// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The vport: its contexts, state, addresses. There is one, and it manages none.
 */
#include "fw_cmds.h"

#define VPORT(p, f) PRM_GET(nic_vport_context, p, f)
#define VPORT_SET(p, f, v) PRM_SET(nic_vport_context, p, f, v)

/* An EUI-64 of the port's MAC. */
static u64 guid(const struct fw *fw)
{
	const u8 *m = fw->conf.mac;

	return (u64)(m[0] ^ 2) << 56 | (u64)m[1] << 48 | (u64)m[2] << 40 |
	       0xfffeULL << 24 | (u64)m[3] << 16 | (u64)m[4] << 8 | m[5];
}

void port_init(struct fw *fw)
{
	struct fw_port *port = &fw->port;
	u8 *v = port->vport, *h = port->hca_vport;

	memset(port, 0, sizeof(*port));
	port->mtu = 1522;
	port->admin = 2;
	port->vport_admin = 1;
	memcpy(port->node_desc, "mdx-hca", 7);
	VPORT_SET(v, mtu, 1522);
	VPORT_SET(v, system_image_guid, guid(fw));
	VPORT_SET(v, port_guid, guid(fw));
	VPORT_SET(v, node_guid, guid(fw));
	memcpy(v + PRM_BYTE(nic_vport_context, permanent_address) + 2,
	       fw->conf.mac, 6);
	PRM_SET(hca_vport_context, h, port_physical_state, 5);
	PRM_SET(hca_vport_context, h, port_state, 4);
	PRM_SET(hca_vport_context, h, vport_state, 4);
	PRM_SET(hca_vport_context, h, system_image_guid, guid(fw));
	PRM_SET(hca_vport_context, h, port_guid, guid(fw));
	PRM_SET(hca_vport_context, h, node_guid, guid(fw));
}

/* Other vports are for those who manage them. */
static int own_vport(struct fw_call *c)
{
	if (PRM_GET(query_vport_state_in, c->in, other_vport))
		return fw_fail(c, FW_BAD_PARAM, SYND_VPORT);
	return FW_OK;
}

int fw_not_manager(struct fw_call *c)
{
	return fw_fail(c, FW_BAD_PARAM, SYND_VPORT);
}

/* Nothing was counted. */
int fw_vport_zero(struct fw_call *c)
{
	return own_vport(c);
}

int fw_query_vport_state(struct fw_call *c)
{
	int ret = own_vport(c);

	if (ret)
		return ret;
	if (c->op_mod > 2)
		return fw_fail(c, FW_BAD_PARAM, SYND_OP_MOD);
	PRM_SET(query_vport_state_out, c->out, admin_state,
		c->fw->port.vport_admin);
	PRM_SET(query_vport_state_out, c->out, state, fw_link_up(c->fw));
	return FW_OK;
}

int fw_modify_vport_state(struct fw_call *c)
{
	bool was = fw_link_up(c->fw);
	int ret = own_vport(c);

	if (ret)
		return ret;
	if (c->op_mod > 2)
		return fw_fail(c, FW_BAD_PARAM, SYND_OP_MOD);
	c->fw->port.vport_admin = PRM_GET(modify_vport_state_in, c->in,
					  admin_state);
	port_changed(c->fw, was);
	return FW_OK;
}

/* Unicast, multicast, VLANs: as many as were last set. */
static u32 list_len(struct fw *fw, unsigned int type)
{
	return type < FW_LISTS ? fw->port.list_len[type] : 0;
}

int fw_query_nic_vport(struct fw_call *c)
{
	unsigned int type = PRM_GET(query_nic_vport_context_in, c->in,
				    allowed_list_type);
	u8 *ctx = c->out + PRM_BYTE(query_nic_vport_context_out,
				    nic_vport_context);
	size_t list = PRM_BYTE(query_nic_vport_context_out, nic_vport_context) +
		      PRM_BYTE(nic_vport_context, current_uc_mac_address);
	size_t n = list_len(c->fw, type);
	int ret = own_vport(c);

	if (ret)
		return ret;
	memcpy(ctx, c->fw->port.vport, PRM_SZ(nic_vport_context));
	if (n > (c->out_len - list) / 8)
		n = (c->out_len - list) / 8;
	if (n)
		memcpy(c->out + list, c->fw->port.list[type], 8 * n);
	VPORT_SET(ctx, allowed_list_type, type);
	VPORT_SET(ctx, allowed_list_size, n);
	return FW_OK;
}

static int set_list(struct fw_call *c, const u8 *ctx)
{
	size_t at = PRM_SZ(modify_nic_vport_context_in);
	unsigned int type = VPORT(ctx, allowed_list_type);
	u32 n = VPORT(ctx, allowed_list_size);
	int ret = fw_list(c, at, 8 * n);

	if (ret)
		return ret;
	if (type >= FW_LISTS || n > FW_LIST_LEN)
		return fw_fail(c, FW_BAD_PARAM, SYND_SIZE);
	c->fw->port.list_len[type] = n;
	memcpy(c->fw->port.list[type], c->in + at, 8 * n);
	return FW_OK;
}

int fw_modify_nic_vport(struct fw_call *c)
{
	const u8 *sel = c->in + PRM_BYTE(modify_nic_vport_context_in,
					 field_select);
	const u8 *ctx = c->in + PRM_BYTE(modify_nic_vport_context_in,
					 nic_vport_context);
	u8 *v = c->fw->port.vport;
	int ret = own_vport(c);

#define SEL(f) PRM_GET(modify_nic_vport_field_select, sel, f)
#define SET(f) fw_field(v, ctx, PRM_BIT(nic_vport_context, f), \
			PRM_WIDTH(nic_vport_context, f))
	if (!ret && SEL(addresses_list))
		ret = set_list(c, ctx);
	if (ret)
		return ret;
	if (SEL(disable_uc_local_lb))
		SET(disable_uc_local_lb);
	if (SEL(disable_mc_local_lb))
		SET(disable_mc_local_lb);
	if (SEL(node_guid))
		SET(node_guid);
	if (SEL(port_guid))
		SET(port_guid);
	if (SEL(min_inline))
		SET(min_wqe_inline_mode);
	if (SEL(mtu))
		SET(mtu);
	if (SEL(promisc)) {
		SET(promisc_uc);
		SET(promisc_mc);
		SET(promisc_all);
	}
	if (SEL(permanent_address))
		SET(permanent_address);
	if (SEL(roce_en))
		SET(roce_en);
	if (SEL(change_event)) {
		SET(arm_change_event);
		SET(event_on_mtu);
		SET(event_on_promisc_change);
		SET(event_on_vlan_change);
		SET(event_on_mc_address_change);
		SET(event_on_uc_address_change);
	}
#undef SET
#undef SEL
	return FW_OK;
}

int fw_query_hca_vport(struct fw_call *c)
{
	int ret = own_vport(c);

	if (!ret)
		memcpy(c->out + PRM_BYTE(query_hca_vport_context_out,
					 hca_vport_context),
		       c->fw->port.hca_vport, PRM_SZ(hca_vport_context));
	return ret;
}

/* Its field select is not in the kernel's header: takes all but the GUIDs. */
int fw_modify_hca_vport(struct fw_call *c)
{
	const u8 *ctx = c->in + PRM_BYTE(modify_hca_vport_context_in,
					 hca_vport_context);
	u8 *h = c->fw->port.hca_vport;
	int ret = own_vport(c);

	if (ret)
		return ret;
	PRM_SET(hca_vport_context, h, lid, PRM_GET(hca_vport_context, ctx,
						   lid));
	PRM_SET(hca_vport_context, h, sm_lid, PRM_GET(hca_vport_context, ctx,
						      sm_lid));
	return FW_OK;
}

/* How many entries an index asks for, of @n: one, or with 0xffff all. */
static int port_table(struct fw_call *c, u32 n, size_t size, u32 *first,
		      u32 *count)
{
	u16 index = PRM_GET(query_hca_vport_pkey_in, c->in, pkey_index);
	int ret = own_vport(c);

	if (ret)
		return ret;
	*first = index == 0xffff ? 0 : index;
	*count = index == 0xffff ? n : 1;
	if (*first >= n)
		return fw_fail(c, FW_BAD_INDEX, SYND_INDEX);
	if (c->out_len < 16 + size * *count)
		return fw_fail(c, FW_BAD_OUT_LEN, SYND_OUT_LEN);
	return FW_OK;
}

int fw_query_hca_gid(struct fw_call *c)
{
	u32 n = PRM_GET(roce_cap, fw_cap(c->fw, 4), roce_address_table_size);
	u32 i, first, count;
	int ret = port_table(c, n, 16, &first, &count);

	if (ret)
		return ret;
	for (i = 0; i < count; i++)
		memcpy(c->out + 16 + 16 * i, c->fw->port.gid[first + i], 16);
	PRM_SET(query_hca_vport_gid_out, c->out, gids_num, count);
	return FW_OK;
}

int fw_query_hca_pkey(struct fw_call *c)
{
	u32 n = 128 << FW_GEN(c->fw, pkey_table_size);
	u32 i, first, count;
	int ret = port_table(c, n, 4, &first, &count);

	for (i = 0; !ret && i < count; i++)
		if (!(first + i))
			prm_set(c->out, (16 + 4 * i) * 8, 32, 0xffff);
	return ret;
}
