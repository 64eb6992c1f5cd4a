/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Capabilities: their types, and how tables of their fields are written. */
#ifndef HCA_CAPS_H
#define HCA_CAPS_H

#include "fw_int.h"

/* Types, as QUERY_HCA_CAP numbers them. */
enum {
	CAP_GENERAL = 0, CAP_ETH = 1, CAP_ODP = 2, CAP_ATOMIC = 3,
	CAP_ROCE = 4, CAP_FLOW = 7, CAP_ESW_FLOW = 8, CAP_ESW = 9,
	CAP_QOS = 0xc, CAP_DEBUG = 0xd, CAP_EVENT = 0x14,
};

struct cap {
	u16 bit;
	u8 width;
	u64 val;
};

#define C(t, f, v) { PRM_BIT(t, f), PRM_WIDTH(t, f), v }
#define G(f, v) C(cmd_hca_cap, f, v)

/* Fields of @cap, @n of them, in capability @type, from its byte @at on. */
void caps_set(struct fw_caps *caps, unsigned int type, size_t at,
	      const struct cap *cap, size_t n);

#define CAPS_SET(caps, type, table) \
	caps_set(caps, type, 0, table, ARRAY_SIZE(table))

/* What each kind of flow table can do, from byte @at of @type on. */
void caps_flow_table(struct fw_caps *caps, unsigned int type, size_t at);

/* caps_esw.c */
void caps_esw(struct fw *fw);

/* caps_switch.c */
void caps_switch(struct fw *fw);

#endif /* HCA_CAPS_H */
