/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Commands of event queues and completion queues. */
#ifndef HCA_FW_CQ_H
#define HCA_FW_CQ_H

#include "fw_call.h"

int fw_create_eq(struct fw_call *c);
int fw_query_eq(struct fw_call *c);
int fw_gen_eqe(struct fw_call *c);
int fw_create_cq(struct fw_call *c);
int fw_modify_cq(struct fw_call *c);

#endif /* HCA_FW_CQ_H */
