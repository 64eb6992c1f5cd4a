// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Mailboxes of counters, of steering and of the rest. */
#include "objtypes_fill.h"

enum {
	TABLE_LOG_SIZE = 4,
	TABLE_LEVEL = 2,
	GROUP_FIRST = 0,
	GROUP_LAST = 7,
	FTE_INDEX = 5,
	FTE_TAG = 0x77,
	DEST_TIR = 2,
	ACTION_FWD = 4,
	ACTION_COUNT = 8,
	MODIFY_ACTION_AND_LIST = 0x7,
	REFORMAT_L2_TO_VXLAN = 0,
	REFORMAT_LEN = 50,
	HEADER_SET = 1,
	HEADER_SMAC_15_0 = 2,
	HIERARCHY_NIC = 3,
	VXLAN_PORT = 8472,
	L2_INDEX = 3,
	BULK = 128,
};

#define FLOW_CAP(w, field)						\
	DEVX_GET(flow_table_nic_cap, world_cap(w, CAP_FLOW),		\
		 flow_table_properties_nic_receive.field)

bool q_counter_has(struct mdx_world *w)
{
	return DEVX_GET(cmd_hca_cap, world_cap(w, CAP_GENERAL), max_qp_cnt);
}

void flow_table_fill(struct mdx_world *w, void *in)
{
	DEVX_SET(create_flow_table_in, in, flow_table_context.level,
		 TABLE_LEVEL);
	DEVX_SET(create_flow_table_in, in, flow_table_context.log_size,
		 TABLE_LOG_SIZE);
}

void flow_table_fill_modify(struct mdx_world *w, void *in)
{
	DEVX_SET(modify_flow_table_in, in, modify_field_select, 1);
}

bool flow_table_has(struct mdx_world *w)
{
	return FLOW_CAP(w, ft_support);
}

bool flow_table_check(struct mdx_world *w, const void *out)
{
	return DEVX_GET(query_flow_table_out, out,
			flow_table_context.level) == TABLE_LEVEL &&
	       DEVX_GET(query_flow_table_out, out,
			flow_table_context.log_size) == TABLE_LOG_SIZE;
}

void flow_group_fill(struct mdx_world *w, void *in)
{
	DEVX_SET(create_flow_group_in, in, table_id,
		 world_num(w, OBJTYPE_FLOW_TABLE));
	DEVX_SET(create_flow_group_in, in, start_flow_index, GROUP_FIRST);
	DEVX_SET(create_flow_group_in, in, end_flow_index, GROUP_LAST);
}

void flow_group_fill_query(struct mdx_world *w, void *in)
{
	DEVX_SET(query_flow_group_in, in, table_id,
		 world_num(w, OBJTYPE_FLOW_TABLE));
}

bool flow_group_check(struct mdx_world *w, const void *out)
{
	return DEVX_GET(query_flow_group_out, out, end_flow_index) ==
		GROUP_LAST;
}

/* Forward to the TIR and count; two entries in the list. */
void fte_fill(struct mdx_world *w, void *in)
{
	uint8_t *list = (uint8_t *)in + SZ(set_fte_in);

	DEVX_SET(set_fte_in, in, table_id, world_num(w, OBJTYPE_FLOW_TABLE));
	DEVX_SET(set_fte_in, in, flow_index, FTE_INDEX);
	DEVX_SET(set_fte_in, in, flow_context.group_id,
		 world_num(w, OBJTYPE_FLOW_GROUP));
	DEVX_SET(set_fte_in, in, flow_context.flow_tag, FTE_TAG);
	DEVX_SET(set_fte_in, in, flow_context.action,
		 ACTION_FWD | ACTION_COUNT);
	DEVX_SET(set_fte_in, in, flow_context.destination_list_size, 1);
	DEVX_SET(set_fte_in, in, flow_context.flow_counter_list_size, 1);
	mbox_set32(list, 0, DEST_TIR << 24 | world_num(w, OBJTYPE_TIR));
	mbox_set32(list, 8, world_num(w, OBJTYPE_FLOW_COUNTER));
}

void fte_fill_query(struct mdx_world *w, void *in)
{
	DEVX_SET(query_fte_in, in, table_id, world_num(w, OBJTYPE_FLOW_TABLE));
}

/* The same entry with another tag; op_mod says modify. */
void fte_fill_modify(struct mdx_world *w, void *in)
{
	fte_fill(w, in);
	DEVX_SET(set_fte_in, in, op_mod, 1);
	DEVX_SET(set_fte_in, in, modify_enable_mask, MODIFY_ACTION_AND_LIST);
	DEVX_SET(set_fte_in, in, flow_context.flow_tag, FTE_TAG + 1);
}

bool fte_check(struct mdx_world *w, const void *out)
{
	return DEVX_GET(query_fte_out, out, flow_context.flow_tag) == FTE_TAG &&
	       DEVX_GET(query_fte_out, out, flow_context.group_id) ==
			world_num(w, OBJTYPE_FLOW_GROUP);
}

bool fte_check_modify(struct mdx_world *w, const void *out)
{
	return DEVX_GET(query_fte_out, out, flow_context.flow_tag) ==
		FTE_TAG + 1;
}

void flow_counter_fill_query(struct mdx_world *w, void *in)
{
	DEVX_SET(query_flow_counter_in, in, num_of_counters, 1);
}

bool flow_counter_has(struct mdx_world *w)
{
	return FLOW_CAP(w, flow_counter);
}

void flow_counters_fill(struct mdx_world *w, void *in)
{
	DEVX_SET(alloc_flow_counter_in, in, flow_counter_bulk, BULK / 128);
}

void flow_counters_fill_query(struct mdx_world *w, void *in)
{
	DEVX_SET(query_flow_counter_in, in, num_of_counters, BULK);
}

bool flow_counters_has(struct mdx_world *w)
{
	return flow_counter_has(w) &&
	       DEVX_GET(cmd_hca_cap, world_cap(w, CAP_GENERAL),
			flow_counter_bulk_alloc) & 1;
}

void reformat_fill(struct mdx_world *w, void *in)
{
	size_t at = DEVX_BYTE_OFF(alloc_packet_reformat_context_in,
				  packet_reformat_context.reformat_data);
	uint8_t *data = (uint8_t *)in + at;
	int i;

	DEVX_SET(alloc_packet_reformat_context_in, in,
		 packet_reformat_context.reformat_type, REFORMAT_L2_TO_VXLAN);
	DEVX_SET(alloc_packet_reformat_context_in, in,
		 packet_reformat_context.reformat_data_size, REFORMAT_LEN);
	for (i = 0; i < REFORMAT_LEN; i++)
		data[i] = i;
}

bool reformat_has(struct mdx_world *w)
{
	return FLOW_CAP(w, reformat);
}

void modify_header_fill(struct mdx_world *w, void *in)
{
	uint8_t *action = (uint8_t *)in + SZ(alloc_modify_header_context_in);

	DEVX_SET(alloc_modify_header_context_in, in, num_of_actions, 1);
	DEVX_SET(set_action_in, action, action_type, HEADER_SET);
	DEVX_SET(set_action_in, action, field, HEADER_SMAC_15_0);
	DEVX_SET(set_action_in, action, length, 16);
	DEVX_SET(set_action_in, action, data, 0x1234);
}

bool modify_header_has(struct mdx_world *w)
{
	return FLOW_CAP(w, max_modify_header_actions);
}

void sched_fill(struct mdx_world *w, void *in)
{
	DEVX_SET(create_scheduling_element_in, in, scheduling_hierarchy,
		 HIERARCHY_NIC);
}

void sched_fill_query(struct mdx_world *w, void *in)
{
	DEVX_SET(query_scheduling_element_in, in, scheduling_hierarchy,
		 HIERARCHY_NIC);
}

void sched_fill_modify(struct mdx_world *w, void *in)
{
	DEVX_SET(modify_scheduling_element_in, in, scheduling_hierarchy,
		 HIERARCHY_NIC);
	DEVX_SET(modify_scheduling_element_in, in, modify_bitmask, 1);
	DEVX_SET(modify_scheduling_element_in, in,
		 scheduling_context.bw_share, 10);
}

bool sched_has(struct mdx_world *w)
{
	return DEVX_GET(cmd_hca_cap, world_cap(w, CAP_GENERAL), qos);
}

void vxlan_fill(struct mdx_world *w, void *in)
{
	DEVX_SET(add_vxlan_udp_dport_in, in, vxlan_udp_port, VXLAN_PORT);
}

bool vxlan_has(struct mdx_world *w)
{
	return DEVX_GET(per_protocol_networking_offload_caps,
			world_cap(w, CAP_ETH), max_vxlan_udp_ports);
}

static void l2_fill_mac(struct mdx_world *w, void *in, uint8_t last)
{
	DEVX_SET(set_l2_table_entry_in, in, table_index, L2_INDEX);
	DEVX_SET(set_l2_table_entry_in, in, mac_address.mac_addr_47_32,
		 0x0200);
	DEVX_SET(set_l2_table_entry_in, in, mac_address.mac_addr_31_0, last);
}

void l2_fill(struct mdx_world *w, void *in)
{
	l2_fill_mac(w, in, 1);
}

void l2_fill_modify(struct mdx_world *w, void *in)
{
	l2_fill_mac(w, in, 2);
}

bool l2_has(struct mdx_world *w)
{
	return DEVX_GET(cmd_hca_cap, world_cap(w, CAP_GENERAL),
			log_max_l2_table);
}

static void general_fill_definer(void *in, uint8_t mask)
{
	DEVX_SET(create_match_definer_in, in, obj_context.format_id, 22);
	memset(DEVX_ADDR_OF(create_match_definer_in, in,
			    obj_context.match_mask), mask, 4);
}

void general_fill_query(struct mdx_world *w, void *in)
{
	DEVX_SET(general_obj_in_cmd_hdr, in, obj_type,
		 MLX5_OBJ_TYPE_MATCH_DEFINER);
}

void general_fill(struct mdx_world *w, void *in)
{
	general_fill_query(w, in);
	general_fill_definer(in, 0xff);
}

void general_fill_modify(struct mdx_world *w, void *in)
{
	general_fill_query(w, in);
	general_fill_definer(in, 0xf0);
}

bool general_has(struct mdx_world *w)
{
	uint64_t types = DEVX_GET64(cmd_hca_cap, world_cap(w, CAP_GENERAL),
				    general_obj_types);

	return types & 1ULL << MLX5_OBJ_TYPE_MATCH_DEFINER;
}

bool general_check(struct mdx_world *w, const void *out)
{
	const uint8_t *obj = (const uint8_t *)out +
		SZ(general_obj_out_cmd_hdr);

	return DEVX_GET(match_definer, obj, format_id) == 22;
}
