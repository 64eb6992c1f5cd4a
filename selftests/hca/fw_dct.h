/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Commands of DCTs. */
#ifndef HCA_FW_DCT_H
#define HCA_FW_DCT_H

#include "fw_call.h"

int fw_create_dct(struct fw_call *c);
int fw_destroy_dct(struct fw_call *c);
int fw_drain_dct(struct fw_call *c);

#endif /* HCA_FW_DCT_H */
