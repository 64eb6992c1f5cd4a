/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Capabilities: QUERY_HCA_CAP and SET_HCA_CAP, and their reset. */
#ifndef HCA_CAPS_H
#define HCA_CAPS_H

#include "fw_call.h"

int fw_query_hca_cap(struct fw_call *c);
int fw_set_hca_cap(struct fw_call *c);

/* Set the capabilities that the configuration gives. */
void caps_init(struct fw *fw);

#endif /* HCA_CAPS_H */
