// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Flow steering: tables and groups.
 */
#include <stdlib.h>

#include "fw_esw.h"
#include "fw_flow.h"
#include "fw_modify.h"
#include "fw_ref.h"
#include "fw_rule.h"
#include "fw_steer.h"

#define FT_LOG_MAX 32 /* flow indices have 32 bits */

/* The capabilities of a table type, or NULL if it is not supported. */
static const u8 *ft_props(struct fw *fw, unsigned int type)
{
	static const struct {
		u8 type;
		u16 at;
	} nic[] = {
		{ 0, PRM_BYTE(flow_table_nic_cap,
			      flow_table_properties_nic_receive) },
		{ 1, PRM_BYTE(flow_table_nic_cap,
			      flow_table_properties_nic_transmit) },
		{ 5, PRM_BYTE(flow_table_nic_cap,
			      flow_table_properties_nic_receive_sniffer) },
		{ 6, PRM_BYTE(flow_table_nic_cap,
			      flow_table_properties_nic_transmit_sniffer) },
		{ 7, PRM_BYTE(flow_table_nic_cap,
			      flow_table_properties_nic_receive_rdma) },
		{ 8, PRM_BYTE(flow_table_nic_cap,
			      flow_table_properties_nic_transmit_rdma) },
	}, esw[] = {
		{ 2, PRM_BYTE(flow_table_eswitch_cap,
			      flow_table_properties_esw_acl_egress) },
		{ 3, PRM_BYTE(flow_table_eswitch_cap,
			      flow_table_properties_esw_acl_ingress) },
		{ 4, PRM_BYTE(flow_table_eswitch_cap,
			      flow_table_properties_nic_esw_fdb) },
	};
	const u8 *prop = NULL;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(nic); i++)
		if (nic[i].type == type)
			prop = fw_cap(fw, 7) + nic[i].at;
	for (i = 0; i < ARRAY_SIZE(esw); i++)
		if (esw[i].type == type)
			prop = fw_cap(fw, 8) + esw[i].at;
	return prop && PRM_GET(flow_table_prop_layout, prop, ft_support) ?
	       prop : NULL;
}

/* Check the part of the header that all flow commands share. */
static int flow_check(struct fw_call *c)
{
	int ret;

	if (!fw_vport(c, &ret))
		return ret;
	if (!ft_props(c->fw, PRM_GET(create_flow_table_in, c->in, table_type)))
		return fw_fail(c, FW_BAD_PARAM, SYND_CAP | OBJ_FLOW_TABLE);
	return FW_OK;
}

static u8 ft_type(const struct hca_obj *ft)
{
	return PRM_GET(create_flow_table_in, ft->in, table_type);
}

static int same_type(struct fw_call *c, const struct hca_obj *ft)
{
	if (ft_type(ft) != PRM_GET(create_flow_table_in, c->in, table_type))
		return fw_fail(c, FW_BAD_PARAM, SYND_TABLE | OBJ_FLOW_TABLE);
	return FW_OK;
}

static int ft_refs(struct fw_call *c)
{
	const u8 *ctx = c->in + PRM_BYTE(create_flow_table_in,
					 flow_table_context);
	enum { MISS_DEFAULT, MISS_FORWARD, MISS_DOMAIN };

	switch (PRM_GET(flow_table_context, ctx, table_miss_action)) {
	case MISS_DEFAULT:
	case MISS_DOMAIN:
		return FW_OK;
	case MISS_FORWARD:
		return fw_ref(c, OBJ_FLOW_TABLE,
			      PRM_GET(flow_table_context, ctx, table_miss_id));
	default:
		return fw_fail(c, FW_BAD_PARAM, SYND_VALUE | OBJ_FLOW_TABLE);
	}
}

int fw_create_ft(struct fw_call *c)
{
	const u8 *ctx = c->in + PRM_BYTE(create_flow_table_in,
					 flow_table_context);
	const u8 *prop;
	int ret = flow_check(c);

	if (ret)
		return ret;
	prop = ft_props(c->fw, PRM_GET(create_flow_table_in, c->in,
				       table_type));
	/* SET_HCA_CAP may have set any maximum. */
	if (PRM_GET(flow_table_context, ctx, log_size) > FT_LOG_MAX ||
	    PRM_GET(flow_table_context, ctx, log_size) >
		    PRM_GET(flow_table_prop_layout, prop, log_max_ft_size) ||
	    PRM_GET(flow_table_context, ctx, level) >
		    PRM_GET(flow_table_prop_layout, prop, max_ft_level))
		return fw_fail(c, FW_BAD_PARAM, SYND_SIZE | OBJ_FLOW_TABLE);
	ret = ft_refs(c);
	return ret ? ret : fw_create(c);
}

int fw_modify_ft(struct fw_call *c)
{
	const u8 *new = c->in + PRM_BYTE(modify_flow_table_in,
					 flow_table_context);
	u16 select = PRM_GET(modify_flow_table_in, c->in, modify_field_select);
	int ret = same_type(c, c->obj);
	u8 *cand, *ctx;

	if (ret)
		return ret;
	cand = fw_copy(c);
	if (!cand)
		return FW_INT_ERR;
	ctx = cand + PRM_BYTE(create_flow_table_in, flow_table_context);
#define FT(f) PRM_SET(flow_table_context, ctx, f, \
		      PRM_GET(flow_table_context, new, f))
	if (select & BIT(0)) {
		FT(table_miss_action);
		FT(table_miss_id);
	}
	if (select & BIT(15))
		FT(lag_master_next_table_id);
#undef FT
	return fw_modify(c, cand, c->obj->in_len, ft_refs);
}

int fw_query_ft(struct fw_call *c)
{
	int ret = same_type(c, c->obj);

	return ret ? ret : fw_query(c);
}

/*
 * A root table is destroyed like any other: drivers destroy the last one
 * without disconnecting it first. A device answers BAD_PARAM for a table in
 * use.
 */
int fw_destroy_ft(struct fw_call *c)
{
	int ret = same_type(c, c->obj);

	if (ret)
		return ret;
	if (c->obj->refs)
		return fw_fail(c, FW_BAD_PARAM, SYND_IN_USE | OBJ_FLOW_TABLE);
	fw_steer_forget(c->fw, c->obj->key);
	return fw_destroy(c);
}

/*
 * Roots of the NIC's own vport are executed. A root of an underlay QP is that of
 * IPoIB, which Ethernet ports do not have.
 */
int fw_set_ft_root(struct fw_call *c)
{
	u32 id = PRM_GET(set_flow_table_root_in, c->in, table_id);
	u8 type = PRM_GET(set_flow_table_root_in, c->in, table_type);
	int ret = flow_check(c);

	if (ret)
		return ret;
	if (c->op_mod > 1)
		return fw_fail(c, FW_BAD_PARAM, SYND_OP_MOD);
	if (PRM_GET(set_flow_table_root_in, c->in, underlay_qpn))
		return fw_fail(c, FW_BAD_PARAM, SYND_CAP | OBJ_FLOW_TABLE);
	if (!c->op_mod) {
		ret = fw_find(c, OBJ_FLOW_TABLE, id);
		if (!ret)
			ret = same_type(c, c->obj);
	}
	if (!ret && !PRM_GET(set_flow_table_root_in, c->in, other_vport))
		fw_steer_root(c->fw, type, c->op_mod ? 0 : id);
	return ret;
}

static bool fg_overlaps(struct fw *fw, const struct hca_obj *ft, u32 start,
			u32 end)
{
	const struct hca_obj *fg;

	for (fg = fw->store.newest; fg; fg = fg->older) {
		if (fg->type != OBJ_FLOW_GROUP ||
		    obj_dep(fg, OBJ_FLOW_TABLE) != ft)
			continue;
		if (start <= PRM_GET(create_flow_group_in, fg->in,
				     end_flow_index) &&
		    end >= PRM_GET(create_flow_group_in, fg->in,
				   start_flow_index))
			return true;
	}
	return false;
}

int fw_create_fg(struct fw_call *c)
{
	u32 start = PRM_GET(create_flow_group_in, c->in, start_flow_index);
	u32 end = PRM_GET(create_flow_group_in, c->in, end_flow_index);
	struct hca_obj *ft;
	const u8 *ctx;
	int ret = flow_check(c);

	if (ret)
		return ret;
	ft = fw_ref_find(c, OBJ_FLOW_TABLE,
			 PRM_GET(create_flow_group_in, c->in, table_id), &ret);
	if (!ft)
		return ret;
	ret = same_type(c, ft);
	if (!ret)
		ret = fw_rule_check_group(c);
	if (ret)
		return ret;
	ctx = obj_ctx(ft);
	if (start > end ||
	    (u64)end >> PRM_GET(flow_table_context, ctx, log_size))
		return fw_fail(c, FW_BAD_PARAM, SYND_INDEX | OBJ_FLOW_GROUP);
	if (fg_overlaps(c->fw, ft, start, end))
		return fw_fail(c, FW_BAD_PARAM, SYND_OVERLAP | OBJ_FLOW_GROUP);
	ret = fw_ref_obj(c, ft);
	return ret ? ret : fw_create(c);
}

/* Check that the object is in the table of the command. */
static int in_table(struct fw_call *c)
{
	struct hca_obj *ft = obj_dep(c->obj, OBJ_FLOW_TABLE);

	if (ft->key != PRM_GET(destroy_flow_group_in, c->in, table_id))
		return fw_fail(c, FW_BAD_PARAM, SYND_TABLE | c->cmd->obj_type);
	return same_type(c, ft);
}

int fw_query_fg(struct fw_call *c)
{
	int ret = in_table(c);

	if (ret)
		return ret;
	/* From the range on, the format is that of a create's input. */
	memcpy(c->out + PRM_BYTE(query_flow_group_out, start_flow_index),
	       c->obj->in + PRM_BYTE(create_flow_group_in, start_flow_index),
	       PRM_SZ(query_flow_group_out) -
	       PRM_BYTE(query_flow_group_out, start_flow_index));
	return FW_OK;
}

int fw_destroy_fg(struct fw_call *c)
{
	int ret = in_table(c);

	return ret ? ret : fw_destroy(c);
}
