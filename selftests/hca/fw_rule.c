// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "dp_flow_edit.h"
#include "dp_flow_match.h"
#include "fw_ref.h"
#include "fw_rule.h"

enum { TIR_DIRECT, TIR_INDIRECT };

static bool is_nic(u8 type)
{
	return type == TABLE_NIC_RX || type == TABLE_NIC_TX;
}

/* An entry needs exactly one of these, but egress may forward and allow. */
static bool has_end(u8 type, u32 action)
{
	u32 end = action & (RULE_ALLOW | RULE_DROP | RULE_FWD);

	if (end == RULE_DROP || end == RULE_FWD)
		return true;
	return type == TABLE_NIC_TX && end & RULE_ALLOW && !(end & RULE_DROP);
}

/* Ingress: tables and TIRs. Egress: one table. */
static bool dest_known(u8 type, const u8 *dest, u32 n)
{
	switch (PRM_GET(dest_format_struct, dest, destination_type)) {
	case MLX5_IFC_FLOW_DESTINATION_TYPE_FLOW_TABLE:
		return type == TABLE_NIC_RX || n == 1;
	case MLX5_IFC_FLOW_DESTINATION_TYPE_TIR:
		return type == TABLE_NIC_RX;
	default:
		return false;
	}
}

static bool dests_known(struct fw_call *c, const u8 *ctx, u8 type)
{
	u32 n = PRM_GET(flow_context, ctx, destination_list_size), i;
	const u8 *p = PRM_PTR(flow_context, ctx, destination);

	if (!n || PRM_GET(flow_context, ctx, extended_destination))
		return false;
	/* A list that exceeds the mailbox is refused for that. */
	if (fw_list(c, (size_t)(p - c->in), (u64)n * RULE_DEST))
		return true;
	for (i = 0; i < n; i++, p += RULE_DEST)
		if (!dest_known(type, p, n))
			return false;
	return true;
}

/* Header modifications were checked for tables of their own type. */
static bool edits_known(struct fw_call *c, const u8 *ctx, u8 type)
{
	struct hca_obj *obj = obj_find(&c->fw->store, OBJ_MODIFY_HEADER,
				       PRM_GET(flow_context, ctx,
					       modify_header_id));

	return !obj || PRM_GET(alloc_modify_header_context_in, obj->in,
			       table_type) == type;
}

/* Headers can be added before a packet, as those of tunnels are. */
static bool reformat_known(struct fw_call *c, const u8 *ctx)
{
	struct hca_obj *obj = obj_find(&c->fw->store, OBJ_REFORMAT,
				       PRM_GET(flow_context, ctx,
					       packet_reformat_id));

	return !obj || PRM_GET(alloc_packet_reformat_context_in, obj->in,
			       packet_reformat_context.reformat_type) <=
			MLX5_REFORMAT_TYPE_L2_TO_L2_TUNNEL;
}

int fw_rule_check(struct fw_call *c, const u8 *ctx)
{
	u32 known = RULE_DROP | RULE_FWD | RULE_COUNT | RULE_REFORMAT |
		    RULE_EDIT | RULE_POP | RULE_POP_2 | RULE_PUSH | RULE_PUSH_2;
	u32 action = PRM_GET(flow_context, ctx, action);
	u8 type = PRM_GET(set_fte_in, c->in, table_type);

	if (!is_nic(type))
		return FW_OK;
	if (type == TABLE_NIC_TX)
		known |= RULE_ALLOW;
	if (action & ~known)
		return fw_fail(c, FW_BAD_PARAM, SYND_CAP | OBJ_FTE);
	if (!has_end(type, action))
		return fw_fail(c, FW_BAD_PARAM, SYND_VALUE | OBJ_FTE);
	if (action & RULE_FWD && !dests_known(c, ctx, type))
		return fw_fail(c, FW_BAD_PARAM, SYND_CAP | OBJ_FTE);
	if (action & RULE_REFORMAT && !reformat_known(c, ctx))
		return fw_fail(c, FW_BAD_PARAM, SYND_CAP | OBJ_FTE);
	if (action & RULE_EDIT && !edits_known(c, ctx, type))
		return fw_fail(c, FW_BAD_PARAM, SYND_TABLE | OBJ_FTE);
	return FW_OK;
}

int fw_rule_check_group(struct fw_call *c)
{
	if (!is_nic(PRM_GET(create_flow_group_in, c->in, table_type)))
		return FW_OK;
	if (!flow_mask_known(PRM_GET(create_flow_group_in, c->in,
				     match_criteria_enable),
			     PRM_PTR(create_flow_group_in, c->in,
				     match_criteria)) ||
	    prm_get(c->in, PRM_GROUP_TYPE, 4))
		return fw_fail(c, FW_BAD_PARAM, SYND_CAP | OBJ_FLOW_GROUP);
	return FW_OK;
}

int fw_rule_check_edits(struct fw_call *c, const u8 *actions, u32 n)
{
	if (!is_nic(PRM_GET(alloc_modify_header_context_in, c->in,
			    table_type)))
		return FW_OK;
	for (; n; n--, actions += FLOW_EDIT)
		if (!flow_edit_known(actions))
			return fw_fail(c, FW_BAD_PARAM,
				       SYND_CAP | OBJ_MODIFY_HEADER);
	return FW_OK;
}

/* The inverted XOR is not public; drivers set it where nothing is hashed. */
int fw_tir_check(struct fw_call *c, const u8 *tirc)
{
	u8 fn = PRM_GET(tirc, tirc, rx_hash_fn);
	bool hashes = PRM_GET(tirc, tirc, disp_type) == TIR_INDIRECT &&
		      PRM_GET(tirc, tirc,
			      rx_hash_field_selector_outer.selected_fields);

	if (PRM_GET(tirc, tirc, packet_merge_mask) ||
	    PRM_GET(tirc, tirc, tunneled_offload_en) ||
	    PRM_GET(tirc, tirc, rx_hash_field_selector_outer.selected_fields) &
	    ~(u32)(HASH_FIELDS | HASH_SPI) || (hashes && fn == MLX5_RX_HASH_FN_INVERTED_XOR8))
		return fw_fail(c, FW_BAD_PARAM, SYND_CAP | OBJ_TIR);
	return FW_OK;
}

static void hash_packet(const u8 *tirc, const struct eth_pkt *pkt,
			struct flow_hash *hash)
{
	*hash = (struct flow_hash){
		.ipv6 = PRM_GET(tirc, tirc,
				rx_hash_field_selector_outer.l3_prot_type),
		.udp = PRM_GET(tirc, tirc,
			       rx_hash_field_selector_outer.l4_prot_type),
		.fields = PRM_GET(tirc, tirc,
				  rx_hash_field_selector_outer.selected_fields),
		.symmetric = PRM_GET(tirc, tirc, rx_hash_symmetric),
		.key = PRM_PTR(tirc, tirc, rx_hash_toeplitz_key),
	};
	if (PRM_GET(tirc, tirc, rx_hash_fn) == MLX5_RX_HASH_FN_TOEPLITZ)
		flow_hash(pkt, hash);
}

u32 fw_tir_choose(struct fw *fw, const struct hca_obj *tir,
		  const struct eth_pkt *pkt, struct flow_hash *hash)
{
	const u8 *tirc = obj_ctx(tir);
	struct hca_obj *rqt;
	u32 n;

	hash_packet(tirc, pkt, hash);
	if (PRM_GET(tirc, tirc, disp_type) == TIR_DIRECT)
		return PRM_GET(tirc, tirc, inline_rqn);
	rqt = obj_find(&fw->store, OBJ_RQT,
		       PRM_GET(tirc, tirc, indirect_table));
	n = rqt ? PRM_GET(rqtc, obj_ctx(rqt), rqt_actual_size) : 0;
	if (!n)
		return 0;
	return prm_be32(rqt->in + PRM_SZ(create_rqt_in) + 4 * (hash->val % n)) &
	       0xffffff;
}
