// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Vports: their contexts, state, addresses.
 */
#include "fw_esw.h"
#include "fw_modify.h"
#include "fw_port.h"
#include "fw_vport.h"

#define VPORT(p, f) PRM_GET(nic_vport_context, p, f)
#define VPORT_SET(p, f, val) PRM_SET(nic_vport_context, p, f, val)
#define PKEY_LOG_MAX 5 /* the largest table, of 4096 entries */

/* All counters are 0. */
int fw_vport_zero(struct fw_call *c)
{
	int ret;

	return fw_vport(c, &ret) ? FW_OK : ret;
}

/*
 * The function's own vport follows the link; others follow their admin state.
 */
static bool vport_up(struct fw *fw, const struct fw_vport *v)
{
	return v == fw_own(fw) ? fw_link_up(fw) : v->admin;
}

int fw_query_vport_state(struct fw_call *c)
{
	int ret;
	struct fw_vport *v = fw_vport(c, &ret);

	if (!v)
		return ret;
	if (c->op_mod > 2)
		return fw_fail(c, FW_BAD_PARAM, SYND_OP_MOD);
	PRM_SET(query_vport_state_out, c->out, admin_state, v->admin);
	PRM_SET(query_vport_state_out, c->out, state, vport_up(c->fw, v));
	return FW_OK;
}

int fw_modify_vport_state(struct fw_call *c)
{
	bool was = fw_link_up(c->fw);
	int ret;
	struct fw_vport *v = fw_vport(c, &ret);

	if (!v)
		return ret;
	if (c->op_mod > 2)
		return fw_fail(c, FW_BAD_PARAM, SYND_OP_MOD);
	v->admin = PRM_GET(modify_vport_state_in, c->in, admin_state);
	port_changed(c->fw, was);
	return FW_OK;
}

/*
 * Number of entries last set in a list of unicast or multicast addresses or
 * VLANs.
 */
static u32 list_len(const struct fw_vport *v, unsigned int type)
{
	return type < FW_LISTS ? v->list_len[type] : 0;
}

int fw_query_nic_vport(struct fw_call *c)
{
	unsigned int type = PRM_GET(query_nic_vport_context_in, c->in,
				    allowed_list_type);
	u8 *ctx = c->out + PRM_BYTE(query_nic_vport_context_out,
				    nic_vport_context);
	size_t list = PRM_BYTE(query_nic_vport_context_out, nic_vport_context) +
		      PRM_BYTE(nic_vport_context, current_uc_mac_address);
	size_t n;
	int ret;
	struct fw_vport *v = fw_vport(c, &ret);

	if (!v)
		return ret;
	memcpy(ctx, v->nic, PRM_SZ(nic_vport_context));
	n = list_len(v, type);
	if (n > (c->out_len - list) / 8)
		n = (c->out_len - list) / 8;
	if (n)
		memcpy(c->out + list, v->list[type], 8 * n);
	VPORT_SET(ctx, allowed_list_type, type);
	VPORT_SET(ctx, allowed_list_size, n);
	return FW_OK;
}

static int set_list(struct fw_call *c, struct fw_vport *v, const u8 *ctx)
{
	size_t at = PRM_SZ(modify_nic_vport_context_in);
	unsigned int type = VPORT(ctx, allowed_list_type);
	u32 n = VPORT(ctx, allowed_list_size);
	int ret = fw_list(c, at, 8 * n);

	if (ret)
		return ret;
	if (type >= FW_LISTS || n > FW_LIST_LEN)
		return fw_fail(c, FW_BAD_PARAM, SYND_SIZE);
	v->list_len[type] = n;
	memcpy(v->list[type], c->in + at, 8 * n);
	return FW_OK;
}

int fw_modify_nic_vport(struct fw_call *c)
{
	const u8 *sel = c->in + PRM_BYTE(modify_nic_vport_context_in,
					 field_select);
	const u8 *ctx = c->in + PRM_BYTE(modify_nic_vport_context_in,
					 nic_vport_context);
	int ret;
	struct fw_vport *v = fw_vport(c, &ret);

	if (!v)
		return ret;
#define SEL(f) PRM_GET(modify_nic_vport_field_select, sel, f)
#define SET(f) fw_field(v->nic, ctx, PRM_BIT(nic_vport_context, f), \
			PRM_WIDTH(nic_vport_context, f))
	if (SEL(addresses_list)) {
		ret = set_list(c, v, ctx);
		if (ret)
			return ret;
	}
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
	int ret;
	struct fw_vport *v = fw_vport(c, &ret);

	if (!v)
		return ret;
	memcpy(c->out + PRM_BYTE(query_hca_vport_context_out,
				 hca_vport_context),
	       v->hca, PRM_SZ(hca_vport_context));
	return FW_OK;
}

/*
 * mlx5_ifc.h lacks the field select, so all fields but the GUIDs are modified.
 */
int fw_modify_hca_vport(struct fw_call *c)
{
	const u8 *ctx = c->in + PRM_BYTE(modify_hca_vport_context_in,
					 hca_vport_context);
	int ret;
	struct fw_vport *v = fw_vport(c, &ret);

	if (!v)
		return ret;
	PRM_SET(hca_vport_context, v->hca, lid,
		PRM_GET(hca_vport_context, ctx, lid));
	PRM_SET(hca_vport_context, v->hca, sm_lid,
		PRM_GET(hca_vport_context, ctx, sm_lid));
	return FW_OK;
}

/* The entries that an index selects, of @n: one, or all with index 0xffff. */
static int port_table(struct fw_call *c, u32 n, size_t size, u32 *first,
		      u32 *count)
{
	u16 index = PRM_GET(query_hca_vport_pkey_in, c->in, pkey_index);
	int ret;

	if (!fw_vport(c, &ret))
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
	u32 i, first = 0, count = 0;
	int ret = port_table(c, n < FW_GIDS ? n : FW_GIDS, 16, &first, &count);

	if (ret)
		return ret;
	for (i = 0; i < count; i++)
		memcpy(c->out + 16 + 16 * i, c->fw->port.gid[first + i], 16);
	PRM_SET(query_hca_vport_gid_out, c->out, gids_num, count);
	return FW_OK;
}

int fw_query_hca_pkey(struct fw_call *c)
{
	u32 log = FW_GEN(c->fw, pkey_table_size);
	u32 i, first = 0, count = 0;
	int ret = port_table(c,
			     128U << (log < PKEY_LOG_MAX ? log : PKEY_LOG_MAX),
			     4, &first, &count);

	for (i = 0; !ret && i < count; i++)
		if (!(first + i))
			prm_set(c->out, (16 + 4 * i) * 8, 32, 0xffff);
	return ret;
}
