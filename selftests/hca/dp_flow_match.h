/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Matching: a packet is written in the format of a rule's values, and compared
 * with them under the mask of the rule's group.
 */
#ifndef HCA_DP_FLOW_MATCH_H
#define HCA_DP_FLOW_MATCH_H

#include "dp_eth_pkt.h"
#include "prm.h"

enum {
	FLOW_SECTION = 64,
	FLOW_SECTIONS = 7,	/* each with a bit in match_criteria_enable */
	FLOW_MATCH = 512,
};

/* Write the fields of @pkt, all others are 0. */
void flow_image(const struct eth_pkt *pkt, u8 image[FLOW_MATCH]);
/* True if @image equals @value in the bits of @mask, in enabled sections. */
bool flow_matches(const u8 image[FLOW_MATCH], u8 enabled,
		  const u8 mask[FLOW_MATCH], const u8 value[FLOW_MATCH]);
/* True if all bits of @mask in enabled sections are those of known fields. */
bool flow_mask_known(u8 enabled, const u8 mask[FLOW_MATCH]);
/* Set the bits of known fields in a capability's ft_field_support. */
void flow_fields(u8 *support);

#endif /* HCA_DP_FLOW_MATCH_H */
