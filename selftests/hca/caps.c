// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Capabilities of the device.
 *
 * A feature is off if the model lacks it, or if drivers would send work that
 * the data path cannot execute. Tag matching is off because libmlx5 cannot
 * bring up its command QP over Ethernet; XRQs can be created.
 */
#include "caps.h"
#include "caps_esw.h"
#include "caps_set.h"
#include "caps_switch.h"
#include "dp_flow_match.h"
#include "fw_esw.h"
#include "fw_uar.h"
#include "personality.h"

#define E(f, v) CAP_VALUE(per_protocol_networking_offload_caps, f, v)

/* Match definer, GENEVE option, encryption key, sampler, argument, meter. */
#define GENERAL_TYPES (BIT_ULL(0x18) | BIT_ULL(0x0b) | BIT_ULL(0x0c) | \
		       BIT_ULL(0x20) | BIT_ULL(0x23) | BIT_ULL(0x24))

static const struct cap_value general[] = {
	GEN_VALUE(port_type, 1), GEN_VALUE(num_ports, 1), GEN_VALUE(vhca_id, 1),
	GEN_VALUE(cqe_version, 1),
	/* User contexts */
	GEN_VALUE(log_max_uctx, 10), GEN_VALUE(log_max_umem, 20),
	GEN_VALUE(uctx_cap, 3), GEN_VALUE(event_cap, 1),
	GEN_VALUE(general_obj_types, GENERAL_TYPES),
	/* Numbers of objects */
	GEN_VALUE(log_max_eq, 6), GEN_VALUE(max_num_eqs, 64),
	GEN_VALUE(log_max_pd, 20), GEN_VALUE(log_max_xrcd, 16),
	GEN_VALUE(log_max_transport_domain, 16), GEN_VALUE(log_max_mkey, 22),
	GEN_VALUE(log_max_cq, 20), GEN_VALUE(log_max_qp, 18),
	GEN_VALUE(log_max_srq, 18), GEN_VALUE(log_max_xrq, 16),
	GEN_VALUE(log_max_rmp, 18), GEN_VALUE(log_max_rq, 18),
	GEN_VALUE(log_max_sq, 18), GEN_VALUE(log_max_rqt, 16),
	GEN_VALUE(log_max_tir, 16), GEN_VALUE(log_max_tis, 16),
	GEN_VALUE(log_max_mcg, 13), GEN_VALUE(max_qp_mcg, 240),
	GEN_VALUE(max_qp_cnt, 254), GEN_VALUE(log_max_l2_table, 7),
	GEN_VALUE(max_flow_counter_15_0, 0x8000),
	GEN_VALUE(flow_counter_bulk_alloc, 1),
	GEN_VALUE(log_max_current_uc_list, 7),
	GEN_VALUE(log_max_current_mc_list, 7), GEN_VALUE(log_max_vlan_list, 9),
	GEN_VALUE(gid_table_size, 4), GEN_VALUE(pkey_table_size, 0),
	GEN_VALUE(max_num_match_definer, 64),
	GEN_VALUE(match_definer_format_supported, ~0ULL),
	/* Sizes */
	GEN_VALUE(log_max_eq_sz, 22), GEN_VALUE(log_max_cq_sz, 22),
	GEN_VALUE(log_max_qp_sz, 15), GEN_VALUE(log_max_srq_sz, 15),
	GEN_VALUE(log_max_wq_sz, 15), GEN_VALUE(log_max_rqt_size, 15),
	GEN_VALUE(log_max_tis_per_sq, 1), GEN_VALUE(max_wqe_sz_sq, 1024),
	GEN_VALUE(max_wqe_sz_sq_dc, 1024), GEN_VALUE(max_wqe_sz_rq, 512),
	GEN_VALUE(log_max_msg, 30), GEN_VALUE(log_max_mrw_sz, 64),
	GEN_VALUE(log_max_klm_list_size, 16),
	GEN_VALUE(log_max_bsf_list_size, 6), GEN_VALUE(max_indirection, 4),
	GEN_VALUE(log_max_ra_req_qp, 4), GEN_VALUE(log_max_ra_res_qp, 4),
	GEN_VALUE(log_max_ra_req_dc, 4), GEN_VALUE(log_max_ra_res_dc, 4),
	GEN_VALUE(log_tag_matching_list_sz, 6),
	GEN_VALUE(log_max_stride_sz_rq, 6), GEN_VALUE(log_min_stride_sz_rq, 6),
	GEN_VALUE(log_max_stride_sz_sq, 6), GEN_VALUE(log_min_stride_sz_sq, 6),
	GEN_VALUE(log_pg_sz, 12), GEN_VALUE(uar_4k, 1),
	GEN_VALUE(num_of_uars_per_page, 1), GEN_VALUE(bf, 1),
	GEN_VALUE(log_bf_reg_size, 9), { PRM_CAP_MAX_HEADER_ARG, 5, 16 },
	{ PRM_CAP_HEADER_ARG_GRAIN, 4, 6 }, { PRM_CAP_HEADER_ARG_ALLOC, 5, 10 },
	/* Transports and their features */
	GEN_VALUE(rc, 1), GEN_VALUE(uc, 1), GEN_VALUE(ud, 1), GEN_VALUE(xrc, 1),
	GEN_VALUE(dct, 1), GEN_VALUE(roce, 1), GEN_VALUE(atomic, 1),
	GEN_VALUE(imaicl, 1), GEN_VALUE(block_lb_mc, 1),
	GEN_VALUE(set_deth_sqpn, 1), GEN_VALUE(qkv, 1), GEN_VALUE(pkv, 1),
	GEN_VALUE(apm, 1), GEN_VALUE(cd, 1), GEN_VALUE(end_pad, 1),
	GEN_VALUE(basic_cyclic_rcv_wqe, 1),
	GEN_VALUE(compact_address_vector, 1), GEN_VALUE(local_ca_ack_delay, 16),
	GEN_VALUE(cq_oi, 1), GEN_VALUE(cq_resize, 1),
	GEN_VALUE(cq_moderation, 1), GEN_VALUE(cq_eq_remap, 1),
	{ PRM_CAP_MODIFY_CQ_MODE, 1, 1 },
	GEN_VALUE(cq_period_start_from_cqe, 1), GEN_VALUE(sho, 1),
	GEN_VALUE(out_of_seq_cnt, 1), GEN_VALUE(retransmission_q_counters, 1),
	GEN_VALUE(vport_counters, 1), GEN_VALUE(modify_rq_counter_set_id, 1),
	GEN_VALUE(rts2rts_qp_counters_set_id, 1),
	GEN_VALUE(device_frequency_khz, 156250),
	GEN_VALUE(device_frequency_mhz, 156),
	GEN_VALUE(stat_rate_support, 0xffff), GEN_VALUE(cc_query_allowed, 1),
	GEN_VALUE(cc_modify_allowed, 1), GEN_VALUE(disable_local_lb_uc, 1),
	GEN_VALUE(disable_local_lb_mc, 1),
	/* Ethernet */
	GEN_VALUE(eth_net_offloads, 1), GEN_VALUE(nic_flow_table, 1),
	/* Memory is registered by command, not by work request */
	GEN_VALUE(umr_modify_entity_size_disabled, 1),
};

static const struct cap_value eth[] = {
	E(csum_cap, 1), E(vlan_cap, 1), E(max_lso_cap, 16),
	E(wqe_inline_mode, 2), E(self_lb_en_modifiable, 1),
	E(rss_ind_tbl_cap, 7), E(max_vxlan_udp_ports, 4),
};

/* Compare and swap, fetch and add, of 8 bytes */
static const struct cap_value atomic[] = {
	CAP_VALUE(atomic_caps, supported_atomic_req_8B_endianness_mode_1, 1),
	CAP_VALUE(atomic_caps, atomic_operations, 3),
	CAP_VALUE(atomic_caps, atomic_size_qp, 8),
	CAP_VALUE(atomic_caps, atomic_size_dc, 8),
};

/* IPv4 and IPv6; RoCE v1 and v2 */
static const struct cap_value roce[] = {
	CAP_VALUE(roce_cap, l3_type, 6), CAP_VALUE(roce_cap, roce_version, 5),
	CAP_VALUE(roce_cap, r_roce_dest_udp_port, 4791),
	CAP_VALUE(roce_cap, r_roce_min_src_udp_port, 0xc000),
	CAP_VALUE(roce_cap, r_roce_max_src_udp_port, 0xffff),
	CAP_VALUE(roce_cap, sw_r_roce_src_udp_port, 1),
	CAP_VALUE(roce_cap, roce_address_table_size, FW_GIDS),
};

#define NIC(f, v) CAP_VALUE(flow_table_nic_cap, f, v)

static const struct cap_value flow[] = {
	NIC(nic_rx_multi_path_tirs, 1), NIC(nic_rx_multi_path_tirs_fts, 1),
	NIC(encap_general_header, 1), NIC(log_max_packet_reformat_context, 12),
	NIC(max_encap_header_size, 256),
};

/*
 * Events that users may subscribe to: all events of objects (path migration to
 * SRQ limit, DCT, XRQ, object change), and changes of the port.
 */
static const u64 user_events = 0x3fULL << 0 | BIT_ULL(0x07) | BIT_ULL(0x10) |
	BIT_ULL(0x11) | BIT_ULL(0x12) | BIT_ULL(0x13) | BIT_ULL(0x14) |
	BIT_ULL(0x18) | BIT_ULL(0x1c) | BIT_ULL(0x1d) | BIT_ULL(0x27);
static const u64 port_events = BIT_ULL(0x08) | BIT_ULL(0x09);

#define FT(f, v) CAP_VALUE(flow_table_prop_layout, f, v)

/* The tables that the steering executes: it removes no tunnel headers. */
static const struct cap_value nic_table[] = {
	FT(decap, 0), FT(pop_vlan, 1), FT(push_vlan, 1), FT(pop_vlan_2, 1),
	FT(push_vlan_2, 1), FT(reformat_and_vlan_action, 1),
	FT(reformat_and_modify_action, 1), FT(reformat_and_fwd_to_table, 1),
};

static void set_nic_table(struct fw_caps *caps, size_t at)
{
	u8 *prop = caps->max[CAP_FLOW] + at;
	u8 *support = prop + PRM_BYTE(flow_table_prop_layout, ft_field_support);
	u8 *masks = prop + PRM_BYTE(flow_table_prop_layout,
				    ft_field_bitmask_support);

	caps_flow_table(caps, CAP_FLOW, at);
	caps_set(caps, CAP_FLOW, at, nic_table, ARRAY_SIZE(nic_table));
	memset(support, 0, PRM_SZ(flow_table_fields_supported));
	memset(masks, 0, PRM_SZ(flow_table_fields_supported));
	flow_fields(support);
	flow_fields(masks);
}

static void set_flow_tables(struct fw_caps *caps)
{
	static const u16 at[] = {
		PRM_BYTE(flow_table_nic_cap,
			 flow_table_properties_nic_receive_rdma),
		PRM_BYTE(flow_table_nic_cap,
			 flow_table_properties_nic_transmit_rdma),
	};
	size_t i;

	CAPS_SET(caps, CAP_FLOW, flow);
	for (i = 0; i < ARRAY_SIZE(at); i++)
		caps_flow_table(caps, CAP_FLOW, at[i]);
	set_nic_table(caps, PRM_BYTE(flow_table_nic_cap,
				     flow_table_properties_nic_receive));
	set_nic_table(caps, PRM_BYTE(flow_table_nic_cap,
				     flow_table_properties_nic_transmit));
}

void caps_init(struct fw *fw)
{
	struct fw_caps *caps = &fw->caps;

	memset(caps, 0, sizeof(*caps));
	CAPS_SET(caps, CAP_GENERAL, general);
	CAPS_SET(caps, CAP_ETH, eth);
	CAPS_SET(caps, CAP_ATOMIC, atomic);
	CAPS_SET(caps, CAP_ROCE, roce);
	set_flow_tables(caps);
	caps->known[CAP_ODP] = true;
	caps->known[CAP_QOS] = true;
	caps->known[CAP_DEBUG] = true;
	/* Without any of their features, but programs query them. */
	caps->known[CAP_DEVICE_MEM] = true;
	caps->known[CAP_GENERAL_2] = true;
	caps->known[CAP_EVENT] = true;
	prm_set(caps->max[CAP_EVENT],
		PRM_BIT(device_event_cap, user_affiliated_events), 64,
		user_events);
	prm_set(caps->max[CAP_EVENT],
		PRM_BIT(device_event_cap, user_unaffiliated_events), 64,
		port_events);
	caps_esw(fw);
	if (fw->conf.personality)
		personality_caps(fw->conf.personality, caps);
	caps_switch(fw);
	memcpy(caps->cur, caps->max, sizeof(caps->cur));
	/* Off until the driver sets it: older ones do not know it. */
	PRM_SET(cmd_hca_cap, caps->cur[CAP_GENERAL], uar_4k, 0);
}

static int cap_check(struct fw_call *c, unsigned int type)
{
	if (type >= FW_CAP_TYPES || !c->fw->caps.known[type])
		return fw_fail(c, FW_BAD_PARAM, SYND_CAP_TYPE);
	return FW_OK;
}

/*
 * Another function has the capabilities of this one, except its number and the
 * right to manage. Its general capabilities can be set.
 */
static void other_cap(const struct fw *fw, const struct fw_vport *f,
		      unsigned int type, bool cur, u8 *cap)
{
	if (type || !cur || !f->cap_set)
		memcpy(cap, fw->caps.max[type], FW_CAP_LEN);
	else
		memcpy(cap, f->cap, FW_CAP_LEN);
	if (type)
		return;
	PRM_SET(cmd_hca_cap, cap, vhca_id, f->vhca_id);
	PRM_SET(cmd_hca_cap, cap, eswitch_manager, 0);
	PRM_SET(cmd_hca_cap, cap, vport_group_manager, 0);
}

int fw_query_hca_cap(struct fw_call *c)
{
	unsigned int type = c->op_mod >> 1;
	u8 *cap = c->out + PRM_BYTE(query_hca_cap_out, capability);
	struct fw_vport *f;
	int ret;

	f = fw_function(c, PRM_GET(query_hca_cap_in, c->in, other_function),
			&ret);
	if (!f)
		return ret;
	ret = cap_check(c, type);
	if (ret)
		return ret;
	if (f != fw_own(c->fw))
		other_cap(c->fw, f, type, c->op_mod & 1, cap);
	else
		memcpy(cap, c->op_mod & 1 ? c->fw->caps.cur[type] :
					    c->fw->caps.max[type], FW_CAP_LEN);
	return FW_OK;
}

/* The function's own capabilities can be set before INIT_HCA only. */
int fw_set_hca_cap(struct fw_call *c)
{
	unsigned int type = c->op_mod >> 1;
	const u8 *from = c->in + PRM_BYTE(set_hca_cap_in, capability);
	struct fw_vport *f;
	int ret;

	f = fw_function(c, PRM_GET(set_hca_cap_in, c->in, other_function),
			&ret);
	if (!f)
		return ret;
	ret = cap_check(c, type);
	if (ret)
		return ret;
	if (f != fw_own(c->fw)) {
		if (type == CAP_GENERAL) {
			memcpy(f->cap, from, FW_CAP_LEN);
			f->cap_set = true;
		}
		return FW_OK;
	}
	if (c->fw->init)
		return fw_fail(c, FW_BAD_SYS_STATE, SYND_STATE);
	/* Drivers set the mode of atomics, and send 0 in all other fields. */
	if (type == CAP_ATOMIC)
		PRM_SET(atomic_caps, c->fw->caps.cur[type],
			atomic_req_8B_endianness_mode,
			PRM_GET(atomic_caps, from,
				atomic_req_8B_endianness_mode));
	else
		memcpy(c->fw->caps.cur[type], from, FW_CAP_LEN);
	if (type == CAP_GENERAL)
		fw_uar_caps(c->fw->caps.cur[type]);
	return FW_OK;
}
