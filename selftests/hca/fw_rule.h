/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Limits of the rules of the NIC's flow tables: rules that the steering cannot
 * execute are refused. Tables of RoCE and of the e-switch are not executed, and
 * have no such limits.
 */
#ifndef HCA_FW_RULE_H
#define HCA_FW_RULE_H

#include "dp_flow_hash.h"
#include "fw_call.h"

/* Types of flow tables that the steering executes. */
enum { TABLE_NIC_RX = 0, TABLE_NIC_TX = 1 };

/* Actions of an entry. */
enum {
	RULE_ALLOW = 0x1, RULE_DROP = 0x2, RULE_FWD = 0x4, RULE_COUNT = 0x8,
	RULE_REFORMAT = 0x10, RULE_EDIT = 0x40, RULE_POP = 0x80,
	RULE_PUSH = 0x100, RULE_POP_2 = 0x400, RULE_PUSH_2 = 0x800,
};

enum { RULE_DEST = 8 };	/* bytes of a destination or a counter */

/* Checks of creates: SET_FLOW_TABLE_ENTRY, group, header modification. */
int fw_rule_check(struct fw_call *c, const u8 *ctx);
int fw_rule_check_group(struct fw_call *c);
int fw_rule_check_edits(struct fw_call *c, const u8 *actions, u32 n);
/* Features of a TIR that the data path lacks. */
int fw_tir_check(struct fw_call *c, const u8 *tirc);
/* The RQ that @tir chooses for @pkt, and the hash of it; 0 for none. */
u32 fw_tir_choose(struct fw *fw, const struct hca_obj *tir,
		  const struct eth_pkt *pkt, struct flow_hash *hash);

#endif /* HCA_FW_RULE_H */
