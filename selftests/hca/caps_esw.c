// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Capabilities of an e-switch manager.
 *
 * Software steering is advertised, with a format version that no driver knows.
 * The kernel then leaves steering to the firmware. Otherwise it would write
 * entries into the device's memory with work requests, and the model has none.
 */
#include "caps_esw.h"
#include "caps_set.h"

static const struct cap_value general[] = {
	GEN_VALUE(eswitch_manager, 1), GEN_VALUE(vport_group_manager, 1),
	GEN_VALUE(steering_format_version, 15),
};

#define ESW(f, v) CAP_VALUE(e_switch_cap, f, v)

static const struct cap_value esw[] = {
	ESW(esw_uplink_ingress_acl, 1), ESW(esw_functions_changed, 1),
	ESW(log_max_packet_reformat_context, 12),
	ESW(max_encap_header_size, 256),
};

static const struct cap_value ecpf[] = { ESW(ecpf_vport_exists, 1) };

#define ESW_FT(f, v) CAP_VALUE(flow_table_eswitch_cap, f, v)

static const struct cap_value esw_flow[] = {
	ESW_FT(fdb_to_vport_reg_c_id, 1), ESW_FT(flow_source, 1),
	ESW_FT(multi_fdb_encap, 1),
	ESW_FT(flow_table_properties_nic_esw_fdb.sw_owner_v2, 1),
	ESW_FT(sw_steering_uplink_icm_address_rx,
	       FW_ICM_ADDRESS(FW_VPORT_UPLINK, 0)),
	ESW_FT(sw_steering_uplink_icm_address_tx,
	       FW_ICM_ADDRESS(FW_VPORT_UPLINK, 1)),
};

static const u16 tables[] = {
	PRM_BYTE(flow_table_eswitch_cap, flow_table_properties_nic_esw_fdb),
	PRM_BYTE(flow_table_eswitch_cap, flow_table_properties_esw_acl_ingress),
	PRM_BYTE(flow_table_eswitch_cap, flow_table_properties_esw_acl_egress),
};

void caps_esw(struct fw *fw)
{
	struct fw_caps *caps = &fw->caps;
	size_t i;

	if (fw->conf.esw == FW_ESW_NONE)
		return;
	CAPS_SET(caps, CAP_GENERAL, general);
	CAPS_SET(caps, CAP_ESW, esw);
	if (fw->conf.esw == FW_ESW_ECPF)
		CAPS_SET(caps, CAP_ESW, ecpf);
	for (i = 0; i < ARRAY_SIZE(tables); i++)
		caps_flow_table(caps, CAP_ESW_FLOW, tables[i]);
	CAPS_SET(caps, CAP_ESW_FLOW, esw_flow);
}
