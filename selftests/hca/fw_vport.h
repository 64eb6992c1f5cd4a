/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Commands of vport contexts, states and addresses. */
#ifndef HCA_FW_VPORT_H
#define HCA_FW_VPORT_H

#include "fw_call.h"

int fw_query_vport_state(struct fw_call *c);
int fw_modify_vport_state(struct fw_call *c);
int fw_query_nic_vport(struct fw_call *c);
int fw_modify_nic_vport(struct fw_call *c);
int fw_query_hca_vport(struct fw_call *c);
int fw_modify_hca_vport(struct fw_call *c);
int fw_query_hca_gid(struct fw_call *c);
int fw_query_hca_pkey(struct fw_call *c);
int fw_vport_zero(struct fw_call *c);

#endif /* HCA_FW_VPORT_H */
