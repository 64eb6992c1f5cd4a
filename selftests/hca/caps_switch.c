// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Capability switches, and the other options of the firmware. A switch that is
 * not given changes nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "caps_set.h"
#include "caps_switch.h"

/* Fields that some supported kernels' headers lack, or name differently. */
enum {
	/* in atomic_caps: sizes of PCI atomics, bit 0 for 4 bytes */
	PRM_PCI_FETCH_ADD = 0x280,
	PRM_PCI_SWAP = 0x290,
	PRM_PCI_CMP_SWAP = 0x2a0,
	/* in qos_cap: pacing of UD and UC QPs */
	PRM_QOS_PACE_UD = 0x22,
	PRM_QOS_PACE_UC = 0x23,
	/* in odp_cap: send, receive, write, read, atomic, SRQ, from bit 0 on */
	PRM_ODP_RC = 0x80,
	PRM_ODP_UC = 0xa0,
	PRM_ODP_UD = 0xc0,
	PRM_ODP_XRC = 0xe0,
	PRM_ODP_WIDTH = 6,
};

enum fw_switch {
	SW_ODP, SW_UMR, SW_ETH, SW_TSO, SW_RSS, SW_PACING, SW_TAGS,
	SW_ATOMICS, SW_PCI_ATOMICS, SW_TIMESTAMPS, SW_REAL_TIME, SW_STRIDING,
	SW_CQ_MODERATION, SW_UAR_4K,
	SW_ESW,		/* the following switches require an e-switch */
	SW_REG_C = SW_ESW, SW_UPLINK_ACL, SW_OWNER, SW_OWNER_V2, SW_UPLINK_ICM,
	SW_VPORT_ICM,
	SW_COUNT
};

static const char *const names[SW_COUNT] = {
	[SW_ODP] = "odp",
	[SW_UMR] = "umr",
	[SW_ETH] = "eth",
	[SW_TSO] = "tso",
	[SW_RSS] = "rss",
	[SW_PACING] = "pacing",
	[SW_TAGS] = "tag-matching",
	[SW_ATOMICS] = "atomics",
	[SW_PCI_ATOMICS] = "pci-atomics",
	[SW_TIMESTAMPS] = "timestamps",
	[SW_REAL_TIME] = "real-time",
	[SW_STRIDING] = "striding",
	[SW_CQ_MODERATION] = "cq-moderation",
	[SW_UAR_4K] = "uar-4k",
	[SW_REG_C] = "reg-c",
	[SW_UPLINK_ACL] = "uplink-acl",
	[SW_OWNER] = "sw-owner",
	[SW_OWNER_V2] = "sw-owner-v2",
	[SW_UPLINK_ICM] = "uplink-icm",
	[SW_VPORT_ICM] = "vport-icm",
};

/* Values of field @bit of capability @type with the switch on and off. */
struct cap_field {
	u8 sw;
	u8 type;
	u16 bit;
	u8 width;
	u64 on;
	u64 off;
};

#define F(sw, type, t, f, on, off) \
	{ sw, type, PRM_BIT(t, f), PRM_WIDTH(t, f), on, off }
#define GEN(sw, f, on) F(sw, CAP_GENERAL, cmd_hca_cap, f, on, 0)
#define FDB(sw, f, on) F(sw, CAP_ESW_FLOW, flow_table_eswitch_cap, f, on, 0)
#define ODP(bit, on) { SW_ODP, CAP_ODP, bit, PRM_ODP_WIDTH, on, 0 }
/* Registration by work request, a requirement of on-demand paging. */
#define UMR(sw) F(sw, CAP_GENERAL, cmd_hca_cap, \
		  umr_modify_entity_size_disabled, 0, 1)

static const struct cap_field fields[] = {
	UMR(SW_UMR),
	UMR(SW_ODP), GEN(SW_ODP, pg, 1), GEN(SW_ODP, null_mkey, 1),
	GEN(SW_ODP, fixed_buffer_size, 1),
	GEN(SW_ODP, umr_extended_translation_offset, 1),
	ODP(PRM_ODP_RC, 0x3f), ODP(PRM_ODP_UC, 0x20), ODP(PRM_ODP_UD, 0x21),
	ODP(PRM_ODP_XRC, 0x3f),
	GEN(SW_ETH, eth_net_offloads, 1),
	F(SW_TSO, CAP_ETH, per_protocol_networking_offload_caps, max_lso_cap,
	  16, 0),
	F(SW_RSS, CAP_ETH, per_protocol_networking_offload_caps,
	  rss_ind_tbl_cap, 7, 0),
	GEN(SW_RSS, log_max_rqt, 16), GEN(SW_RSS, log_max_rqt_size, 15),
	GEN(SW_PACING, qos, 1),
	F(SW_PACING, CAP_QOS, qos_cap, packet_pacing, 1, 0),
	F(SW_PACING, CAP_QOS, qos_cap, packet_pacing_burst_bound, 1, 0),
	F(SW_PACING, CAP_QOS, qos_cap, packet_pacing_typical_size, 1, 0),
	{ SW_PACING, CAP_QOS, PRM_QOS_PACE_UD, 1, 1, 0 },
	{ SW_PACING, CAP_QOS, PRM_QOS_PACE_UC, 1, 1, 0 },
	F(SW_PACING, CAP_QOS, qos_cap, packet_pacing_max_rate, 100000000, 0),
	F(SW_PACING, CAP_QOS, qos_cap, packet_pacing_min_rate, 1000, 0),
	F(SW_PACING, CAP_QOS, qos_cap, packet_pacing_rate_table_size, 128, 0),
	GEN(SW_TAGS, tag_matching, 1), GEN(SW_TAGS, rndv_offload_rc, 1),
	GEN(SW_ATOMICS, atomic, 1),
	F(SW_ATOMICS, CAP_ATOMIC, atomic_caps,
	  supported_atomic_req_8B_endianness_mode_1, 1, 0),
	F(SW_ATOMICS, CAP_ATOMIC, atomic_caps, atomic_operations, 3, 0),
	F(SW_ATOMICS, CAP_ATOMIC, atomic_caps, atomic_size_qp, 8, 0),
	F(SW_ATOMICS, CAP_ATOMIC, atomic_caps, atomic_size_dc, 8, 0),
	{ SW_PCI_ATOMICS, CAP_ATOMIC, PRM_PCI_FETCH_ADD, 16, 3, 0 },
	{ SW_PCI_ATOMICS, CAP_ATOMIC, PRM_PCI_SWAP, 16, 3, 0 },
	{ SW_PCI_ATOMICS, CAP_ATOMIC, PRM_PCI_CMP_SWAP, 16, 3, 0 },
	GEN(SW_TIMESTAMPS, device_frequency_khz, HCA_CORE_CLOCK_KHZ),
	GEN(SW_TIMESTAMPS, device_frequency_mhz, HCA_CORE_CLOCK_KHZ / 1000),
	/* Both formats, for all types of queues. */
	GEN(SW_REAL_TIME, sq_ts_format, 2), GEN(SW_REAL_TIME, rq_ts_format, 2),
	F(SW_REAL_TIME, CAP_ROCE, roce_cap, qp_ts_format, 2, 0),
	GEN(SW_STRIDING, striding_rq, 1),
	GEN(SW_CQ_MODERATION, cq_moderation, 1),
	GEN(SW_UAR_4K, uar_4k, 1),
	FDB(SW_REG_C, fdb_to_vport_reg_c_id, 1),
	F(SW_UPLINK_ACL, CAP_ESW, e_switch_cap, esw_uplink_ingress_acl, 1, 0),
	FDB(SW_OWNER, flow_table_properties_nic_esw_fdb.sw_owner, 1),
	FDB(SW_OWNER_V2, flow_table_properties_nic_esw_fdb.sw_owner_v2, 1),
	FDB(SW_UPLINK_ICM, sw_steering_uplink_icm_address_rx,
	    FW_ICM_ADDRESS(FW_VPORT_UPLINK, 0)),
	FDB(SW_UPLINK_ICM, sw_steering_uplink_icm_address_tx,
	    FW_ICM_ADDRESS(FW_VPORT_UPLINK, 1)),
};

void caps_switch(struct fw *fw)
{
	const struct fw_conf *conf = &fw->conf;
	const struct cap_field *f;

	for (f = fields; f < fields + ARRAY_SIZE(fields); f++)
		if (conf->switched >> f->sw & 1)
			prm_set(fw->caps.max[f->type], f->bit, f->width,
				conf->on >> f->sw & 1 ? f->on : f->off);
}

bool fw_vport_icm(const struct fw_conf *conf)
{
	return !(conf->switched >> SW_VPORT_ICM & 1) ||
	       conf->on >> SW_VPORT_ICM & 1;
}

/* True if @opt is @name or @name=VALUE. */
static bool is_option(const char *opt, const char *name)
{
	size_t len = strcspn(opt, "=");

	return !strncmp(opt, name, len) && !name[len];
}

static const char *option_value(const char *opt)
{
	const char *val = strchr(opt, '=');

	return val ? val + 1 : NULL;
}

bool fw_conf_switch(struct fw_conf *conf, const char *opt)
{
	const char *val = option_value(opt);
	u32 sw, bit;

	for (sw = 0; sw < SW_COUNT && !is_option(opt, names[sw]); sw++)
		;
	if (sw == SW_COUNT)
		return false;
	if (val && strcmp(val, "on") && strcmp(val, "off"))
		return false;
	bit = 1U << sw;
	conf->switched |= bit;
	conf->on &= ~bit;
	if (!val || !strcmp(val, "on"))
		conf->on |= bit;
	return true;
}

static bool set_vfs(struct fw_conf *conf, const char *val)
{
	unsigned long n;
	char *end;

	if (!val || *val < '0' || *val > '9')
		return false;
	n = strtoul(val, &end, 0);
	if (*end || n > FW_MAX_VFS)
		return false;
	conf->vfs = n;
	return true;
}

bool fw_option(struct fw_conf *conf, const char *opt)
{
	if (is_option(opt, "vfs"))
		return set_vfs(conf, option_value(opt));
	if (!strcmp(opt, "esw"))
		conf->esw = FW_ESW_PF;
	else if (!strcmp(opt, "ecpf"))
		conf->esw = FW_ESW_ECPF;
	else
		return fw_conf_switch(conf, opt);
	return true;
}

/* Kernels crash on an e-switch manager without Ethernet offloads. */
const char *fw_conf_error(const struct fw_conf *conf)
{
	if (conf->vfs && conf->esw != FW_ESW_ECPF)
		return "vfs requires ecpf";
	if (conf->switched >> SW_ESW && conf->esw == FW_ESW_NONE)
		return "this switch requires esw or ecpf";
	if (conf->esw != FW_ESW_NONE && conf->switched >> SW_ETH & 1 &&
	    !(conf->on >> SW_ETH & 1))
		return "esw and ecpf require eth";
	return NULL;
}
