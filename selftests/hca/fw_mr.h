/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Commands of memory keys and signature handles. */
#ifndef HCA_FW_MR_H
#define HCA_FW_MR_H

#include "fw_call.h"

int fw_query_special(struct fw_call *c);
int fw_create_mkey(struct fw_call *c);
int fw_query_mkey(struct fw_call *c);
int fw_create_psv(struct fw_call *c);

#endif /* HCA_FW_MR_H */
