/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Commands of flow table entries, flow counters, packet reformats and header
 * modifications.
 */
#ifndef HCA_FW_FTE_H
#define HCA_FW_FTE_H

#include "fw_call.h"

/* The flow context of an entry. */
const u8 *fw_fte_ctx(const struct hca_obj *fte);
/* Find a flow counter, which may be part of a bulk. */
struct hca_obj *fw_counter_find(struct hca_obj_store *store, u32 id);

int fw_set_fte(struct fw_call *c);
int fw_query_fte(struct fw_call *c);
int fw_delete_fte(struct fw_call *c);
int fw_alloc_counter(struct fw_call *c);
int fw_query_counter(struct fw_call *c);
int fw_alloc_reformat(struct fw_call *c);
int fw_query_reformat(struct fw_call *c);
int fw_alloc_modify_header(struct fw_call *c);
int fw_query_modify_header(struct fw_call *c);

#endif /* HCA_FW_FTE_H */
