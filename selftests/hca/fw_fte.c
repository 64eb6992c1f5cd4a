// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Flow table entries, and the counters, headers and edits they name.
 */
#include <stdlib.h>

#include "fw_cmds.h"

#define CTX_AT PRM_BYTE(set_fte_in, flow_context)
#define LIST_AT (CTX_AT + PRM_BYTE(flow_context, destination))

enum {
	DEST_VPORT = 0, DEST_TABLE = 1, DEST_TIR = 2, DEST_QP = 3,
	DEST_SAMPLER = 6, DEST_UPLINK = 8, DEST_TABLE_TYPE = 0xa,
};

enum {
	ACT_FWD = 0x4, ACT_COUNT = 0x8, ACT_REFORMAT = 0x10, ACT_EDIT = 0x40,
};

/* A flow counter, which may be one of a bulk's. */
static struct fw_obj *counter_of(struct fw_store *store, u32 id)
{
	struct fw_obj *obj = obj_find(store, K_FLOW_COUNTER, id);

	if (obj)
		return obj;
	for (obj = store->newest; obj; obj = obj->older)
		if (obj->kind == K_FLOW_COUNTER && id >= obj->key &&
		    id - obj->key < obj->span)
			return obj;
	return NULL;
}

static int name_counter(struct fw_call *c, u32 id)
{
	struct fw_obj *obj = counter_of(&c->fw->store, id);

	return fw_name(c, K_FLOW_COUNTER, obj ? obj->key : id);
}

static int name_dest(struct fw_call *c, const u8 *dest)
{
	u32 id = PRM_GET(dest_format_struct, dest, destination_id);

	switch (PRM_GET(dest_format_struct, dest, destination_type)) {
	case DEST_TABLE:
	case DEST_TABLE_TYPE:
		return fw_name(c, K_FLOW_TABLE, id);
	case DEST_TIR:
		return fw_name(c, K_TIR, id);
	case DEST_QP:
		return fw_name(c, K_QP, id);
	case DEST_SAMPLER:
		return fw_name(c, K_GENERAL, id);
	case DEST_VPORT:
		if (c->fw->conf.esw && fw_vport_num(c->fw, id))
			return FW_OK;
		return fw_fail(c, FW_BAD_PARAM, SYND_VALUE | K_FTE);
	case DEST_UPLINK:
		if (c->fw->conf.esw)
			return FW_OK;
		return fw_fail(c, FW_BAD_PARAM, SYND_VALUE | K_FTE);
	default:
		return fw_fail(c, FW_BAD_PARAM, SYND_VALUE | K_FTE);
	}
}

static int name_lists(struct fw_call *c, const u8 *ctx, u32 action)
{
	size_t sz = PRM_GET(flow_context, ctx, extended_destination) ? 16 : 8;
	u32 dests = action & ACT_FWD ?
		    PRM_GET(flow_context, ctx, destination_list_size) : 0;
	u32 counters = action & ACT_COUNT ?
		       PRM_GET(flow_context, ctx, flow_counter_list_size) : 0;
	const u8 *p = c->in + LIST_AT;
	int ret = fw_list(c, LIST_AT, (u64)sz * (dests + counters));

	for (; !ret && dests; dests--, p += sz) {
		ret = name_dest(c, p);
		if (!ret && sz == 16 &&
		    PRM_GET(extended_dest_format, p,
			    destination_entry.packet_reformat))
			ret = fw_name(c, K_REFORMAT,
				      PRM_GET(extended_dest_format, p,
					      packet_reformat_id));
	}
	for (; !ret && counters; counters--, p += sz)
		ret = name_counter(c, PRM_GET(flow_counter_list, p,
					      flow_counter_id));
	return ret;
}

static int name_group(struct fw_call *c, const u8 *ctx)
{
	u32 index = PRM_GET(set_fte_in, c->in, flow_index);
	int ret = FW_OK;
	struct fw_obj *fg = fw_need(c, K_FLOW_GROUP,
				    PRM_GET(flow_context, ctx, group_id), &ret);
	struct fw_obj *ft;

	if (!fg)
		return ret;
	ft = obj_dep(fg, K_FLOW_TABLE);
	if (ft->key != PRM_GET(set_fte_in, c->in, table_id) ||
	    PRM_GET(create_flow_table_in, ft->in, table_type) !=
	    PRM_GET(set_fte_in, c->in, table_type))
		return fw_fail(c, FW_BAD_PARAM, SYND_TABLE | K_FTE);
	if (index < PRM_GET(create_flow_group_in, fg->in, start_flow_index) ||
	    index > PRM_GET(create_flow_group_in, fg->in, end_flow_index))
		return fw_fail(c, FW_BAD_PARAM, SYND_GROUP_RANGE | K_FTE);
	return fw_name_obj(c, fg);
}

static int fte_names(struct fw_call *c)
{
	const u8 *ctx = c->in + CTX_AT;
	u32 action = PRM_GET(flow_context, ctx, action);
	int ret = name_group(c, ctx);

	if (!ret)
		ret = name_lists(c, ctx, action);
	if (!ret && (action & ACT_REFORMAT))
		ret = fw_name(c, K_REFORMAT,
			      PRM_GET(flow_context, ctx, packet_reformat_id));
	if (!ret && (action & ACT_EDIT))
		ret = fw_name(c, K_MODIFY_HEADER,
			      PRM_GET(flow_context, ctx, modify_header_id));
	return ret;
}

static u64 fte_key(const u8 *in)
{
	return PRM_GET(set_fte_in, in, table_id) << 32 |
	       PRM_GET(set_fte_in, in, flow_index);
}

/* Which parts of the entry the new mailbox has; the rest stay as they are. */
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
	/* The lists go together, as the counters follow the destinations. */
	memcpy(cand, lists ? c->in : c->obj->in, len);
	ctx = cand + CTX_AT;
#define FTE(f, from) PRM_SET(flow_context, ctx, f, \
			     PRM_GET(flow_context, from, f))
	FTE(action, mask & M_ACTION ? new : old);
	FTE(packet_reformat_id, mask & M_ACTION ? new : old);
	FTE(modify_header_id, mask & M_ACTION ? new : old);
	FTE(flow_tag, mask & M_TAG ? new : old);
#undef FTE
	return fw_modify(c, cand, len, fte_names);
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
		ret = fw_find(c, K_FTE, key);
		return ret ? ret : fte_modify(c);
	}
	ret = fte_names(c);
	if (ret)
		return ret;
	if (obj_find(&c->fw->store, K_FTE, key))
		return fw_fail(c, FW_BAD_RES_STATE, SYND_EXISTS | K_FTE);
	return fw_create_key(c, key, 1);
}

static int fte_find(struct fw_call *c)
{
	struct fw_obj *fg;
	int ret = fw_find(c, K_FTE, fte_key(c->in));

	if (ret)
		return ret;
	fg = obj_dep(c->obj, K_FLOW_GROUP);
	if (PRM_GET(create_flow_group_in, fg->in, table_type) !=
	    PRM_GET(query_fte_in, c->in, table_type))
		return fw_fail(c, FW_BAD_PARAM, SYND_TABLE | K_FTE);
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

/* One, or a bulk of 128 times a bit, or of a power of two. */
int fw_alloc_counter(struct fw_call *c)
{
	u32 log = PRM_GET(alloc_flow_counter_in, c->in,
			  flow_counter_bulk_log_size);
	u32 n = PRM_GET(alloc_flow_counter_in, c->in, flow_counter_bulk) * 128;

	if (log > 16)
		return fw_fail(c, FW_BAD_PARAM, SYND_SIZE | K_FLOW_COUNTER);
	if (log)
		n = BIT(log);
	return fw_create_key(c, 0, n ? n : 1);
}

/* No packet ever passes: what is counted is 0. */
int fw_query_counter(struct fw_call *c)
{
	u32 id = PRM_GET(query_flow_counter_in, c->in, flow_counter_id);
	u32 n = PRM_GET(query_flow_counter_in, c->in, num_of_counters);
	struct fw_obj *obj = counter_of(&c->fw->store, id);
	int ret = fw_find(c, K_FLOW_COUNTER, obj ? obj->key : id);

	if (ret || !obj)
		return ret;
	if (n > 1 && n > obj->key + obj->span - id)
		return fw_fail(c, FW_BAD_PARAM, SYND_INDEX | K_FLOW_COUNTER);
	if (c->out_len < PRM_SZ(query_flow_counter_out) + 16ULL * (n ? n : 1))
		return fw_fail(c, FW_BAD_OUT_LEN, SYND_OUT_LEN);
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
		return fw_fail(c, FW_BAD_PARAM, SYND_SIZE | K_MODIFY_HEADER);
	ret = fw_list(c, EDITS_AT, 8 * n);
	return ret ? ret : fw_create(c);
}

/* The actions, behind the header: the kernel has no format for this answer. */
int fw_query_modify_header(struct fw_call *c)
{
	size_t n = c->obj->in_len - EDITS_AT;

	if (n > c->out_len - 16)
		n = c->out_len - 16;
	memcpy(c->out + 16, c->obj->in + EDITS_AT, n);
	return FW_OK;
}
