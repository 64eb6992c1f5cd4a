/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Commands of flow tables and flow groups. */
#ifndef HCA_FW_FLOW_H
#define HCA_FW_FLOW_H

#include "fw_call.h"

int fw_set_ft_root(struct fw_call *c);
int fw_create_ft(struct fw_call *c);
int fw_destroy_ft(struct fw_call *c);
int fw_query_ft(struct fw_call *c);
int fw_create_fg(struct fw_call *c);
int fw_destroy_fg(struct fw_call *c);
int fw_query_fg(struct fw_call *c);
int fw_modify_ft(struct fw_call *c);

#endif /* HCA_FW_FLOW_H */
