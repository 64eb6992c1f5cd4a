// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Flow table entries, and the counters, packet reformats and header
 * modifications that they refer to.
 */
#include <stdlib.h>

#include "fw_esw.h"
#include "fw_fte.h"
#include "fw_modify.h"
#include "fw_ref.h"
#include "fw_rule.h"
#include "fw_steer.h"

#define CTX_AT PRM_BYTE(set_fte_in, flow_context)
#define LIST_AT (CTX_AT + PRM_BYTE(flow_context, destination))

enum {
	DEST_VPORT = 0, DEST_TABLE = 1, DEST_TIR = 2, DEST_QP = 3,
	DEST_SAMPLER = 6, DEST_UPLINK = 8, DEST_TABLE_TYPE = 0xa,
};

const u8 *fw_fte_ctx(const struct hca_obj *fte)
{
	return fte->in + CTX_AT;
}

struct hca_obj *fw_counter_find(struct hca_obj_store *store, u32 id)
{
	struct hca_obj *obj = obj_find(store, OBJ_FLOW_COUNTER, id);

	if (obj)
		return obj;
	for (obj = store->newest; obj; obj = obj->older)
		if (obj->type == OBJ_FLOW_COUNTER && id >= obj->key &&
		    id - obj->key < obj->span)
			return obj;
	return NULL;
}

static int ref_counter(struct fw_call *c, u32 id)
{
	struct hca_obj *obj = fw_counter_find(&c->fw->store, id);

	return fw_ref(c, OBJ_FLOW_COUNTER, obj ? obj->key : id);
}

static int ref_dest(struct fw_call *c, const u8 *dest)
{
	u32 id = PRM_GET(dest_format_struct, dest, destination_id);

	switch (PRM_GET(dest_format_struct, dest, destination_type)) {
	case DEST_TABLE:
	case DEST_TABLE_TYPE:
		return fw_ref(c, OBJ_FLOW_TABLE, id);
	case DEST_TIR:
		return fw_ref(c, OBJ_TIR, id);
	case DEST_QP:
		return fw_ref(c, OBJ_QP, id);
	case DEST_SAMPLER:
		return fw_ref(c, OBJ_GENERAL, id);
	case DEST_VPORT:
		if (c->fw->conf.esw && fw_vport_num(c->fw, id))
			return FW_OK;
		return fw_fail(c, FW_BAD_PARAM, SYND_VALUE | OBJ_FTE);
	case DEST_UPLINK:
		if (c->fw->conf.esw)
			return FW_OK;
		return fw_fail(c, FW_BAD_PARAM, SYND_VALUE | OBJ_FTE);
	default:
		return fw_fail(c, FW_BAD_PARAM, SYND_VALUE | OBJ_FTE);
	}
}

static int ref_lists(struct fw_call *c, const u8 *ctx, u32 action)
{
	size_t sz = PRM_GET(flow_context, ctx, extended_destination) ? 16 : 8;
	u32 dests = action & RULE_FWD ?
		    PRM_GET(flow_context, ctx, destination_list_size) : 0;
	u32 counters = action & RULE_COUNT ?
		       PRM_GET(flow_context, ctx, flow_counter_list_size) : 0;
	const u8 *p = c->in + LIST_AT;
	int ret = fw_list(c, LIST_AT, (u64)sz * (dests + counters));

	for (; !ret && dests; dests--, p += sz) {
		ret = ref_dest(c, p);
		if (!ret && sz == 16 &&
		    PRM_GET(extended_dest_format, p,
			    destination_entry.packet_reformat))
			ret = fw_ref(c, OBJ_REFORMAT,
				     PRM_GET(extended_dest_format, p,
					     packet_reformat_id));
	}
	for (; !ret && counters; counters--, p += sz)
		ret = ref_counter(c, PRM_GET(flow_counter_list, p,
					     flow_counter_id));
	return ret;
}

static int ref_group(struct fw_call *c, const u8 *ctx)
{
	u32 index = PRM_GET(set_fte_in, c->in, flow_index);
	int ret = FW_OK;
	struct hca_obj *fg = fw_ref_find(c, OBJ_FLOW_GROUP,
					 PRM_GET(flow_context, ctx, group_id),
					 &ret);
	struct hca_obj *ft;

	if (!fg)
		return ret;
	ft = obj_dep(fg, OBJ_FLOW_TABLE);
	if (ft->key != PRM_GET(set_fte_in, c->in, table_id) ||
	    PRM_GET(create_flow_table_in, ft->in, table_type) !=
	    PRM_GET(set_fte_in, c->in, table_type))
		return fw_fail(c, FW_BAD_PARAM, SYND_TABLE | OBJ_FTE);
	if (index < PRM_GET(create_flow_group_in, fg->in, start_flow_index) ||
	    index > PRM_GET(create_flow_group_in, fg->in, end_flow_index))
		return fw_fail(c, FW_BAD_PARAM, SYND_GROUP_RANGE | OBJ_FTE);
	return fw_ref_obj(c, fg);
}

static int fte_refs(struct fw_call *c)
{
	const u8 *ctx = c->in + CTX_AT;
	u32 action = PRM_GET(flow_context, ctx, action);
	int ret = ref_group(c, ctx);

	if (!ret)
		ret = fw_rule_check(c, ctx);
	if (!ret)
		ret = ref_lists(c, ctx, action);
	if (!ret && (action & RULE_REFORMAT))
		ret = fw_ref(c, OBJ_REFORMAT,
			     PRM_GET(flow_context, ctx, packet_reformat_id));
	if (!ret && (action & RULE_EDIT))
		ret = fw_ref(c, OBJ_MODIFY_HEADER,
			     PRM_GET(flow_context, ctx, modify_header_id));
	return ret;
}

static u64 fte_key(const u8 *in)
{
	return PRM_GET(set_fte_in, in, table_id) << 32 |
	       PRM_GET(set_fte_in, in, flow_index);
}

/* Modify the parts of the entry that the mask selects. */
static int fte_modify(struct fw_call *c)
{
	enum { M_ACTION = 1, M_TAG = 2, M_DESTS = 4, M_COUNTERS = 8 };
	u8 mask = PRM_GET(set_fte_in, c->in, modify_enable_mask);
	u8 *cand, *ctx;
	const u8 *new = c->in + CTX_AT, *old = c->obj->in + CTX_AT;
	bool lists = mask & (M_DESTS | M_COUNTERS);
	size_t len = lists ? c->in_len : c->obj->in_len;

	cand = malloc(len);
	if (!cand)
		return fw_fail(c, FW_INT_ERR, SYND_MEMORY);
	/* Both lists are replaced, as the counters follow the destinations. */
	memcpy(cand, lists ? c->in : c->obj->in, len);
	ctx = cand + CTX_AT;
#define FTE(f, from) PRM_SET(flow_context, ctx, f, \
			     PRM_GET(flow_context, from, f))
	FTE(action, mask & M_ACTION ? new : old);
	FTE(packet_reformat_id, mask & M_ACTION ? new : old);
	FTE(modify_header_id, mask & M_ACTION ? new : old);
	FTE(flow_tag, mask & M_TAG ? new : old);
#undef FTE
	return fw_modify(c, cand, len, fte_refs);
}

int fw_set_fte(struct fw_call *c)
{
	u64 key = fte_key(c->in);
	int ret;

	if (c->op_mod > 1)
		return fw_fail(c, FW_BAD_PARAM, SYND_OP_MOD);
	if (!fw_vport(c, &ret))
		return ret;
	if (c->op_mod) {
		ret = fw_find(c, OBJ_FTE, key);
		return ret ? ret : fte_modify(c);
	}
	ret = fte_refs(c);
	if (ret)
		return ret;
	if (obj_find(&c->fw->store, OBJ_FTE, key))
		return fw_fail(c, FW_BAD_RES_STATE, SYND_EXISTS | OBJ_FTE);
	return fw_create_key(c, key, 1);
}

static int fte_find(struct fw_call *c)
{
	struct hca_obj *fg;
	int ret = fw_find(c, OBJ_FTE, fte_key(c->in));

	if (ret)
		return ret;
	fg = obj_dep(c->obj, OBJ_FLOW_GROUP);
	if (PRM_GET(create_flow_group_in, fg->in, table_type) !=
	    PRM_GET(query_fte_in, c->in, table_type))
		return fw_fail(c, FW_BAD_PARAM, SYND_TABLE | OBJ_FTE);
	return FW_OK;
}

int fw_query_fte(struct fw_call *c)
{
	size_t n = c->out_len - PRM_BYTE(query_fte_out, flow_context);
	int ret = fte_find(c);

	if (ret)
		return ret;
	if (n > c->obj->in_len - CTX_AT)
		n = c->obj->in_len - CTX_AT;
	memcpy(c->out + PRM_BYTE(query_fte_out, flow_context),
	       c->obj->in + CTX_AT, n);
	return FW_OK;
}

int fw_delete_fte(struct fw_call *c)
{
	int ret = fte_find(c);

	return ret ? ret : fw_destroy(c);
}

/* One counter, a bulk of 128 times flow_counter_bulk, or a power of two. */
int fw_alloc_counter(struct fw_call *c)
{
	u32 log = PRM_GET(alloc_flow_counter_in, c->in,
			  flow_counter_bulk_log_size);
	u32 n = PRM_GET(alloc_flow_counter_in, c->in, flow_counter_bulk) * 128;
	int ret;

	if (log > 16)
		return fw_fail(c, FW_BAD_PARAM, SYND_SIZE | OBJ_FLOW_COUNTER);
	if (log)
		n = BIT(log);
	ret = fw_create_key(c, 0, n ? n : 1);
	/* The values follow when there are some. */
	if (!ret)
		c->obj->in_len = PRM_SZ(alloc_flow_counter_in);
	return ret;
}

int fw_query_counter(struct fw_call *c)
{
	u32 id = PRM_GET(query_flow_counter_in, c->in, flow_counter_id);
	u32 n = PRM_GET(query_flow_counter_in, c->in, num_of_counters);
	u8 *to = c->out + PRM_SZ(query_flow_counter_out), *val;
	struct hca_obj *obj = fw_counter_find(&c->fw->store, id);
	int ret = fw_find(c, OBJ_FLOW_COUNTER, obj ? obj->key : id);

	if (ret || !obj)
		return ret;
	if (n > 1 && n > obj->key + obj->span - id)
		return fw_fail(c, FW_BAD_PARAM, SYND_INDEX | OBJ_FLOW_COUNTER);
	if (c->out_len < PRM_SZ(query_flow_counter_out) + 16ULL * (n ? n : 1))
		return fw_fail(c, FW_BAD_OUT_LEN, SYND_OUT_LEN);
	for (n = n ? n : 1; n; n--, id++, to += 16) {
		val = fw_counter_at(obj, id);
		if (!val)
			continue;
		memcpy(to, val, 16);
		if (PRM_GET(query_flow_counter_in, c->in, clear))
			memset(val, 0, 16);
	}
	return FW_OK;
}

int fw_alloc_reformat(struct fw_call *c)
{
	const u8 *ctx = c->in + PRM_BYTE(alloc_packet_reformat_context_in,
					 packet_reformat_context);
	u64 size = PRM_GET(packet_reformat_context_in, ctx,
			   reformat_data_size);
	int ret = fw_list(c, PRM_BYTE(alloc_packet_reformat_context_in,
				      packet_reformat_context) +
			  PRM_BYTE(packet_reformat_context_in, reformat_data),
			  size);

	return ret ? ret : fw_create(c);
}

int fw_query_reformat(struct fw_call *c)
{
	size_t in_at = PRM_BYTE(alloc_packet_reformat_context_in,
				packet_reformat_context);
	size_t out_at = PRM_BYTE(query_packet_reformat_context_out,
				 packet_reformat_context);
	size_t n = c->obj->in_len - in_at;

	if (n > c->out_len - out_at)
		n = c->out_len - out_at;
	memcpy(c->out + out_at, c->obj->in + in_at, n);
	return FW_OK;
}

#define EDITS_AT PRM_SZ(alloc_modify_header_context_in)

int fw_alloc_modify_header(struct fw_call *c)
{
	u32 n = PRM_GET(alloc_modify_header_context_in, c->in, num_of_actions);
	int ret;

	if (!n)
		return fw_fail(c, FW_BAD_PARAM, SYND_SIZE | OBJ_MODIFY_HEADER);
	ret = fw_list(c, EDITS_AT, 8 * n);
	if (!ret)
		ret = fw_rule_check_edits(c, c->in + EDITS_AT, n);
	return ret ? ret : fw_create(c);
}

/* The actions follow the header; mlx5_ifc.h has no format of this output. */
int fw_query_modify_header(struct fw_call *c)
{
	size_t n = c->obj->in_len - EDITS_AT;

	if (n > c->out_len - 16)
		n = c->out_len - 16;
	memcpy(c->out + 16, c->obj->in + EDITS_AT, n);
	return FW_OK;
}
