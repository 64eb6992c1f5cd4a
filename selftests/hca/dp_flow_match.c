// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <string.h>

#include "bytes.h"
#include "dp_flow_match.h"

#define OUT(f) PRM_BIT(fte_match_param, outer_headers.f)
#define MISC(f) PRM_BIT(fte_match_param, misc_parameters.f)
#define MISC2(f) PRM_BIT(fte_match_param, misc_parameters_2.f)
#define CAP(f) PRM_BIT(flow_table_fields_supported, f)
#define NO_CAP 0xffff
/* No other vport sends to the tables of a function. */
#define UPLINK 0xffff
#define SRC_IP OUT(src_ipv4_src_ipv6)
#define DST_IP OUT(dst_ipv4_dst_ipv6)
#define REG_C(n) { MISC2(metadata_reg_c_##n), 32, CAP(metadata_reg_c_##n) }

/* The known fields, with the bits of the capability that advertise them. */
static const struct {
	u16 at;
	u8 width;
	u16 cap;
} fields[] = {
	{ OUT(smac_47_16), 32, CAP(outer_smac) },
	{ OUT(smac_15_0), 16, CAP(outer_smac) },
	{ OUT(ethertype), 16, CAP(outer_ether_type) },
	{ OUT(dmac_47_16), 32, CAP(outer_dmac) },
	{ OUT(dmac_15_0), 16, CAP(outer_dmac) },
	{ OUT(first_prio), 3, CAP(outer_first_prio) },
	{ OUT(first_cfi), 1, CAP(outer_first_cfi) },
	{ OUT(first_vid), 12, CAP(outer_first_vid) },
	{ OUT(ip_protocol), 8, CAP(outer_ip_protocol) },
	{ OUT(ip_dscp), 6, CAP(outer_ip_dscp) },
	{ OUT(ip_ecn), 2, CAP(outer_ip_ecn) },
	{ OUT(cvlan_tag), 1, NO_CAP },
	{ OUT(svlan_tag), 1, NO_CAP },
	{ OUT(frag), 1, CAP(outer_frag) },
	{ OUT(ip_version), 4, CAP(outer_ip_version) },
	{ OUT(tcp_flags), 9, CAP(outer_tcp_flags) },
	{ OUT(tcp_sport), 16, CAP(outer_tcp_sport) },
	{ OUT(tcp_dport), 16, CAP(outer_tcp_dport) },
	{ OUT(ttl_hoplimit), 8, CAP(outer_ipv4_ttl) },
	{ OUT(udp_sport), 16, CAP(outer_udp_sport) },
	{ OUT(udp_dport), 16, CAP(outer_udp_dport) },
	{ SRC_IP, 64, CAP(outer_sip) },
	{ SRC_IP + 64, 64, CAP(outer_sip) },
	{ DST_IP, 64, CAP(outer_dip) },
	{ DST_IP + 64, 64, CAP(outer_dip) },
	{ MISC(source_sqn), 24, NO_CAP },
	{ MISC(source_eswitch_owner_vhca_id), 16, NO_CAP },
	{ MISC(source_port), 16, NO_CAP },
	{ MISC(outer_second_prio), 3, CAP(outer_second_prio) },
	{ MISC(outer_second_cfi), 1, CAP(outer_second_cfi) },
	{ MISC(outer_second_vid), 12, CAP(outer_second_vid) },
	{ MISC(outer_second_cvlan_tag), 1, NO_CAP },
	{ MISC(outer_second_svlan_tag), 1, NO_CAP },
	{ MISC(outer_ipv6_flow_label), 20, NO_CAP },
	{ MISC2(metadata_reg_a), 32, NO_CAP },
	REG_C(0), REG_C(1), REG_C(2), REG_C(3), REG_C(4), REG_C(5), REG_C(6),
	REG_C(7),
};

#define SET(f, v) PRM_SET(fte_match_param, image, f, v)

static void image_tags(const struct eth_pkt *pkt, u8 *image)
{
	const u8 *tag = pkt->data + ETH_ADDRS;
	u16 tci;

	if (pkt->tags) {
		tci = get_be16(tag + 2);
		SET(outer_headers.cvlan_tag, get_be16(tag) == ETH_CTAG);
		SET(outer_headers.svlan_tag, get_be16(tag) != ETH_CTAG);
		SET(outer_headers.first_prio, tci >> 13);
		SET(outer_headers.first_cfi, tci >> 12 & 1);
		SET(outer_headers.first_vid, tci & 0xfff);
	}
	if (pkt->tags > 1) {
		tag += ETH_TAG;
		tci = get_be16(tag + 2);
		SET(misc_parameters.outer_second_cvlan_tag,
		    get_be16(tag) == ETH_CTAG);
		SET(misc_parameters.outer_second_svlan_tag,
		    get_be16(tag) != ETH_CTAG);
		SET(misc_parameters.outer_second_prio, tci >> 13);
		SET(misc_parameters.outer_second_cfi, tci >> 12 & 1);
		SET(misc_parameters.outer_second_vid, tci & 0xfff);
	}
}

/* IPv4 addresses are in the last 4 bytes of their fields. */
static void image_l3(const struct eth_pkt *pkt, u8 *image)
{
	const u8 *ip = pkt->data + pkt->l3;
	u8 class;

	if (!pkt->ip_version)
		return;
	if (pkt->ip_version == 4) {
		class = ip[1];
		SET(outer_headers.ttl_hoplimit, ip[8]);
		memcpy(image + SRC_IP / 8 + 12, ip + 12, 4);
		memcpy(image + DST_IP / 8 + 12, ip + 16, 4);
	} else {
		class = (u8)(get_be16(ip) >> 4);
		SET(outer_headers.ttl_hoplimit, ip[7]);
		SET(misc_parameters.outer_ipv6_flow_label, get_be32(ip));
		memcpy(image + SRC_IP / 8, ip + 8, 16);
		memcpy(image + DST_IP / 8, ip + 24, 16);
	}
	SET(outer_headers.ip_version, pkt->ip_version);
	SET(outer_headers.ip_dscp, class >> 2);
	SET(outer_headers.ip_ecn, class & 3);
	SET(outer_headers.frag, pkt->frag);
	SET(outer_headers.ip_protocol, pkt->proto);
}

static void image_l4(const struct eth_pkt *pkt, u8 *image)
{
	const u8 *l4 = pkt->data + pkt->l4;

	if (pkt->l4_type == L4_TCP) {
		SET(outer_headers.tcp_sport, get_be16(l4));
		SET(outer_headers.tcp_dport, get_be16(l4 + 2));
		SET(outer_headers.tcp_flags, get_be16(l4 + 12) & 0x1ff);
	} else if (pkt->l4_type == L4_UDP) {
		SET(outer_headers.udp_sport, get_be16(l4));
		SET(outer_headers.udp_dport, get_be16(l4 + 2));
	}
}

void flow_image(const struct eth_pkt *pkt, u8 image[FLOW_MATCH])
{
	unsigned int i;

	memset(image, 0, FLOW_MATCH);
	memcpy(image + OUT(dmac_47_16) / 8, pkt->data, 6);
	memcpy(image + OUT(smac_47_16) / 8, pkt->data + 6, 6);
	SET(outer_headers.ethertype, pkt->ethertype);
	image_tags(pkt, image);
	image_l3(pkt, image);
	image_l4(pkt, image);
	SET(misc_parameters.source_sqn, pkt->sqn);
	SET(misc_parameters.source_port, UPLINK);
	SET(misc_parameters_2.metadata_reg_a, pkt->reg_a);
	/* The registers are in descending order. */
	for (i = 0; i < ETH_REGS; i++)
		prm_set(image, MISC2(metadata_reg_c_0) - 32 * i, 32,
			pkt->reg_c[i]);
}

bool flow_matches(const u8 image[FLOW_MATCH], u8 enabled,
		  const u8 mask[FLOW_MATCH], const u8 value[FLOW_MATCH])
{
	size_t i;

	for (i = 0; i < (size_t)FLOW_SECTIONS * FLOW_SECTION; i++)
		if (enabled >> (i / FLOW_SECTION) & 1 &&
		    (image[i] ^ value[i]) & mask[i])
			return false;
	return true;
}

bool flow_mask_known(u8 enabled, const u8 mask[FLOW_MATCH])
{
	u8 known[FLOW_MATCH] = { };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(fields); i++)
		prm_set(known, fields[i].at, fields[i].width, ~0ULL);
	for (i = 0; i < (size_t)FLOW_SECTIONS * FLOW_SECTION; i++)
		if (enabled >> (i / FLOW_SECTION) & 1 && mask[i] & ~known[i])
			return false;
	return true;
}

void flow_fields(u8 *support)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(fields); i++)
		if (fields[i].cap != NO_CAP)
			prm_set(support, fields[i].cap, 1, 1);
}
