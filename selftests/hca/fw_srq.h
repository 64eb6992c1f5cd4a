/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Commands of shared receive queues. */
#ifndef HCA_FW_SRQ_H
#define HCA_FW_SRQ_H

#include "fw_call.h"

int fw_create_srq(struct fw_call *c);
int fw_arm_rq(struct fw_call *c);
int fw_create_xrc_srq(struct fw_call *c);
int fw_arm_xrc_srq(struct fw_call *c);
int fw_create_xrq(struct fw_call *c);
int fw_arm_xrq(struct fw_call *c);
int fw_create_rmp(struct fw_call *c);
int fw_modify_rmp(struct fw_call *c);

#endif /* HCA_FW_SRQ_H */
