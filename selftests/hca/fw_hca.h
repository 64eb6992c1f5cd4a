/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Commands that bring the function up and down, and its reset. */
#ifndef HCA_FW_HCA_H
#define HCA_FW_HCA_H

#include "fw_call.h"

int fw_query_adapter(struct fw_call *c);
int fw_init_hca(struct fw_call *c);
int fw_teardown_hca(struct fw_call *c);
int fw_enable_hca(struct fw_call *c);
int fw_disable_hca(struct fw_call *c);
int fw_query_pages(struct fw_call *c);
int fw_manage_pages(struct fw_call *c);
int fw_query_issi(struct fw_call *c);
int fw_set_issi(struct fw_call *c);

#endif /* HCA_FW_HCA_H */
