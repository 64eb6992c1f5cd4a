/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Capabilities: their types, and tables of their fields. */
#ifndef HCA_CAPS_SET_H
#define HCA_CAPS_SET_H

#include "fw_state.h"

/* Capability types as QUERY_HCA_CAP numbers them. */
enum {
	CAP_GENERAL = 0, CAP_ETH = 1, CAP_ODP = 2, CAP_ATOMIC = 3,
	CAP_ROCE = 4, CAP_FLOW = 7, CAP_ESW_FLOW = 8, CAP_ESW = 9,
	CAP_QOS = 0xc, CAP_DEBUG = 0xd, CAP_DEVICE_MEM = 0xf, CAP_EVENT = 0x14,
	CAP_GENERAL_2 = 0x20,
};

/* A field of a capability and its value. */
struct cap_value {
	u16 bit;
	u8 width;
	u64 val;
};

#define CAP_VALUE(t, f, v) { PRM_BIT(t, f), PRM_WIDTH(t, f), v }
#define GEN_VALUE(f, v) CAP_VALUE(cmd_hca_cap, f, v)

/* Set @n fields of capability @type, whose format begins at byte @at. */
void caps_set(struct fw_caps *caps, unsigned int type, size_t at,
	      const struct cap_value *cap, size_t n);

#define CAPS_SET(caps, type, table) \
	caps_set(caps, type, 0, table, ARRAY_SIZE(table))

/* Set the properties that all flow table types share, at byte @at of @type. */
void caps_flow_table(struct fw_caps *caps, unsigned int type, size_t at);

#endif /* HCA_CAPS_SET_H */
