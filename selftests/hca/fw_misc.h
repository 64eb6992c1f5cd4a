/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Commands of small objects and of general objects. */
#ifndef HCA_FW_MISC_H
#define HCA_FW_MISC_H

#include "fw_call.h"

int fw_attach_mcg(struct fw_call *c);
int fw_detach_mcg(struct fw_call *c);
int fw_query_q_counter(struct fw_call *c);
int fw_set_pp_rate(struct fw_call *c);
int fw_create_sched(struct fw_call *c);
int fw_destroy_sched(struct fw_call *c);
int fw_query_sched(struct fw_call *c);
int fw_modify_sched(struct fw_call *c);
int fw_add_vxlan(struct fw_call *c);
int fw_set_l2(struct fw_call *c);
int fw_query_l2(struct fw_call *c);
int fw_delete_l2(struct fw_call *c);
int fw_create_general(struct fw_call *c);
int fw_modify_general(struct fw_call *c);
int fw_query_general(struct fw_call *c);
int fw_destroy_general(struct fw_call *c);

#endif /* HCA_FW_MISC_H */
