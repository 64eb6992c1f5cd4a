/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Commands of RQs, SQs, RQTs, TIRs and TISs. */
#ifndef HCA_FW_RQSQ_H
#define HCA_FW_RQSQ_H

#include "fw_call.h"

int fw_create_tir(struct fw_call *c);
int fw_modify_tir(struct fw_call *c);
int fw_create_sq(struct fw_call *c);
int fw_modify_sq(struct fw_call *c);
int fw_create_rq(struct fw_call *c);
int fw_modify_rq(struct fw_call *c);
int fw_create_tis(struct fw_call *c);
int fw_modify_tis(struct fw_call *c);
int fw_create_rqt(struct fw_call *c);
int fw_modify_rqt(struct fw_call *c);

#endif /* HCA_FW_RQSQ_H */
