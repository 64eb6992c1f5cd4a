// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <stdlib.h>

#include "dp_flow_edit.h"
#include "dp_flow_match.h"
#include "fw_fte.h"
#include "fw_rule.h"
#include "fw_steer.h"
#include "log.h"

enum {
	HOPS_MAX = 256,		/* tables that one packet passes, with copies */
	DEPTH_MAX = 16,		/* of copies of copies */
	COUNTER = 16,		/* bytes of a counter: packets, octets */
};

/**
 * struct steering - a packet on its way
 * @fw: the firmware
 * @tx: on the way out
 * @hops: tables that it may still pass
 * @deliver: called for each RQ
 * @arg: argument of @deliver
 */
struct steering {
	struct fw *fw;
	bool tx;
	unsigned int hops;
	fw_deliver_fn deliver;
	void *arg;
};

void fw_steer_root(struct fw *fw, unsigned int type, uint32_t id)
{
	if (type < ARRAY_SIZE(fw->steer.root))
		fw->steer.root[type] = id;
}

void fw_steer_forget(struct fw *fw, uint32_t id)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(fw->steer.root); i++)
		if (fw->steer.root[i] == id)
			fw->steer.root[i] = 0;
}

void fw_steer_reset(struct fw *fw)
{
	free(fw->steer.fte);
	memset(&fw->steer, 0, sizeof(fw->steer));
}

static int by_key(const void *a, const void *b)
{
	const struct hca_obj *const *x = a, *const *y = b;

	return (*x)->key < (*y)->key ? -1 : (*x)->key > (*y)->key;
}

/* Sort the entries again if there are others than before. */
static bool sort_entries(struct fw *fw)
{
	struct fw_steering *s = &fw->steer;
	struct hca_obj_store *store = &fw->store;
	struct hca_obj *obj, **fte;

	if (s->seen == store->fte_changes)
		return true;
	s->nfte = 0;
	fte = realloc(s->fte, (store->live[OBJ_FTE] + 1U) * sizeof(*fte));
	if (!fte)
		return false;
	for (obj = store->oldest; obj; obj = obj->newer)
		if (obj->type == OBJ_FTE)
			fte[s->nfte++] = obj;
	qsort(fte, s->nfte, sizeof(*fte), by_key);
	s->fte = fte;
	s->seen = store->fte_changes;
	return true;
}

/* Index of the first entry of the table; keys begin with the table. */
static size_t first_entry(const struct fw_steering *s, u32 table)
{
	size_t low = 0, high = s->nfte;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (s->fte[mid]->key < (u64)table << 32)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static bool entry_matches(const struct hca_obj *fte, const u8 *image)
{
	const struct hca_obj *fg = obj_dep(fte, OBJ_FLOW_GROUP);

	return flow_matches(image,
			    PRM_GET(create_flow_group_in, fg->in,
				    match_criteria_enable),
			    PRM_PTR(create_flow_group_in, fg->in,
				    match_criteria),
			    PRM_PTR(flow_context, fw_fte_ctx(fte),
				    match_value));
}

/* The entry with the lowest index that matches, or NULL. */
static struct hca_obj *entry_find(struct fw *fw, const struct hca_obj *ft,
				  const struct eth_pkt *pkt)
{
	u8 image[FLOW_MATCH];
	size_t i;

	if (!sort_entries(fw))
		return NULL;
	flow_image(pkt, image);
	for (i = first_entry(&fw->steer, ft->key); i < fw->steer.nfte; i++) {
		struct hca_obj *fte = fw->steer.fte[i];

		if (fte->key >> 32 != ft->key)
			break;
		if (entry_matches(fte, image))
			return fte;
	}
	return NULL;
}

uint8_t *fw_counter_at(const struct hca_obj *obj, uint32_t id)
{
	size_t at = PRM_SZ(alloc_flow_counter_in) +
		    (size_t)COUNTER * (id - (u32)obj->key);

	return at + COUNTER <= obj->in_len ? obj->in + at : NULL;
}

/* Counters have no memory before they count. */
static void count_packet(struct fw *fw, u32 id, const struct eth_pkt *pkt)
{
	struct hca_obj *obj = fw_counter_find(&fw->store, id);
	size_t len;
	u8 *p;

	if (!obj)
		return;
	if (!fw_counter_at(obj, id)) {
		len = PRM_SZ(alloc_flow_counter_in) +
		      (size_t)COUNTER * obj->span;
		p = realloc(obj->in, len);
		if (!p)
			return;
		memset(p + obj->in_len, 0, len - obj->in_len);
		obj->in = p;
		obj->in_len = len;
	}
	p = fw_counter_at(obj, id);
	prm_set(p, 0, 64, prm_be64(p) + 1);
	prm_set(p, 64, 64, prm_be64(p + 8) + pkt->len);
}

static void count_all(struct steering *s, const u8 *ctx,
		      const struct eth_pkt *pkt)
{
	u32 action = PRM_GET(flow_context, ctx, action);
	u32 n = PRM_GET(flow_context, ctx, flow_counter_list_size);
	const u8 *p = PRM_PTR(flow_context, ctx, destination);

	if (!(action & RULE_COUNT))
		return;
	if (action & RULE_FWD)
		p += RULE_DEST * PRM_GET(flow_context, ctx,
					 destination_list_size);
	for (; n; n--, p += RULE_DEST)
		count_packet(s->fw, PRM_GET(flow_counter_list, p,
					    flow_counter_id), pkt);
}

static bool push_tag(struct eth_pkt *pkt, const u8 *vlan)
{
	return eth_push_tag(pkt, PRM_GET(vlan, vlan, ethtype), prm_be16(vlan + 2));
}

static bool encap_pkt(struct steering *s, const u8 *ctx, struct eth_pkt *pkt)
{
	struct hca_obj *obj = obj_find(&s->fw->store, OBJ_REFORMAT,
				       PRM_GET(flow_context, ctx,
					       packet_reformat_id));
	const u8 *p;

	if (!obj)
		return false;
	p = PRM_PTR(alloc_packet_reformat_context_in, obj->in,
		    packet_reformat_context);
	return eth_encap(pkt, PRM_PTR(packet_reformat_context_in, p,
				      reformat_data),
			 PRM_GET(packet_reformat_context_in, p,
				 reformat_data_size));
}

/*
 * The changes of an entry: tags are removed first, and added last. False
 * without room for them.
 */
static bool change_packet(struct steering *s, const u8 *ctx,
			  struct eth_pkt *pkt)
{
	u32 action = PRM_GET(flow_context, ctx, action);
	struct hca_obj *edits;

	if (action & RULE_POP)
		eth_pop_tag(pkt);
	if (action & RULE_POP_2)
		eth_pop_tag(pkt);
	if (action & RULE_EDIT) {
		edits = obj_find(&s->fw->store, OBJ_MODIFY_HEADER,
				 PRM_GET(flow_context, ctx, modify_header_id));
		if (edits)
			flow_edit(pkt, edits->in +
				  PRM_SZ(alloc_modify_header_context_in),
				  PRM_GET(alloc_modify_header_context_in,
					  edits->in, num_of_actions));
	}
	if (PRM_GET(flow_context, ctx, flow_tag))
		pkt->flow_tag = PRM_GET(flow_context, ctx, flow_tag);
	if (action & RULE_REFORMAT && !encap_pkt(s, ctx, pkt))
		return false;
	if (action & RULE_PUSH &&
	    !push_tag(pkt, PRM_PTR(flow_context, ctx, push_vlan)))
		return false;
	return !(action & RULE_PUSH_2) ||
	       push_tag(pkt, PRM_PTR(flow_context, ctx, push_vlan_2));
}

static void to_tir(struct steering *s, u32 tirn, const struct eth_pkt *pkt)
{
	struct hca_obj *tir = obj_find(&s->fw->store, OBJ_TIR, tirn);
	struct flow_hash hash;
	u32 rqn;

	if (!tir)
		return;
	rqn = fw_tir_choose(s->fw, tir, pkt, &hash);
	if (rqn)
		s->deliver(s->arg, rqn, pkt, &hash);
}

static bool run_tables(struct steering *s, struct hca_obj *ft,
		       struct eth_pkt *pkt, unsigned int depth);

/* Let a copy of the packet pass the table. */
static void to_copy(struct steering *s, struct hca_obj *ft,
		    const struct eth_pkt *pkt, unsigned int depth)
{
	struct eth_pkt copy = *pkt;

	copy.data = malloc(pkt->room);
	if (!copy.data)
		return;
	memcpy(copy.data, pkt->data, pkt->len);
	run_tables(s, ft, &copy, depth + 1);
	free(copy.data);
}

/*
 * Forward to all destinations. The last one of them may be a table that gets
 * the packet itself: it is returned.
 */
static struct hca_obj *forward_pkt(struct steering *s, const u8 *ctx,
				   struct eth_pkt *pkt, unsigned int depth)
{
	u32 n = PRM_GET(flow_context, ctx, destination_list_size);
	const u8 *p = PRM_PTR(flow_context, ctx, destination);

	for (; n; n--, p += RULE_DEST) {
		u32 id = PRM_GET(dest_format_struct, p, destination_id);
		struct hca_obj *ft;

		if (PRM_GET(dest_format_struct, p, destination_type) ==
		    MLX5_IFC_FLOW_DESTINATION_TYPE_TIR) {
			to_tir(s, id, pkt);
			continue;
		}
		ft = obj_find(&s->fw->store, OBJ_FLOW_TABLE, id);
		if (n == 1)
			return ft;
		if (ft && depth < DEPTH_MAX)
			to_copy(s, ft, pkt, depth);
	}
	return NULL;
}

/* The table that gets packets without a match, or NULL. */
static struct hca_obj *miss_table(struct fw *fw, const struct hca_obj *ft)
{
	const u8 *ctx = obj_ctx(ft);

	if (PRM_GET(flow_table_context, ctx, table_miss_action) !=
	    MLX5_FLOW_TABLE_MISS_ACTION_FWD)
		return NULL;
	return obj_find(&fw->store, OBJ_FLOW_TABLE,
			PRM_GET(flow_table_context, ctx, table_miss_id));
}

/* Returns true if the packet leaves the last table by the default. */
static bool run_tables(struct steering *s, struct hca_obj *ft,
		       struct eth_pkt *pkt, unsigned int depth)
{
	while (s->hops) {
		struct hca_obj *fte = entry_find(s->fw, ft, pkt);
		const u8 *ctx;
		u32 action;

		s->hops--;
		if (!fte) {
			ft = miss_table(s->fw, ft);
			if (!ft)
				return true;
			continue;
		}
		ctx = fw_fte_ctx(fte);
		action = PRM_GET(flow_context, ctx, action);
		count_all(s, ctx, pkt);
		if (action & RULE_DROP || !change_packet(s, ctx, pkt))
			return false;
		if (!(action & RULE_FWD))
			return true;
		ft = forward_pkt(s, ctx, pkt, depth);
		if (!ft)
			return false;
	}
	log_warn("steering: a packet passes too many flow tables");
	return false;
}

static bool run_root(struct steering *s, struct eth_pkt *pkt)
{
	struct hca_obj *ft = obj_find(&s->fw->store, OBJ_FLOW_TABLE,
				      s->fw->steer.root[s->tx]);

	return ft ? run_tables(s, ft, pkt, 0) : true;
}

bool fw_steer_tx(struct fw *fw, struct eth_pkt *pkt)
{
	struct steering s = { .fw = fw, .tx = true, .hops = HOPS_MAX };

	return run_root(&s, pkt);
}

void fw_steer_rx(struct fw *fw, struct eth_pkt *pkt, fw_deliver_fn deliver,
		 void *arg)
{
	struct steering s = {
		.fw = fw, .hops = HOPS_MAX, .deliver = deliver, .arg = arg,
	};

	run_root(&s, pkt);
}
