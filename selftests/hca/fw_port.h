/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The port: registers, link state, RoCE addresses, congestion control. */
#ifndef HCA_FW_PORT_H
#define HCA_FW_PORT_H

#include "fw_call.h"

int fw_access_reg(struct fw_call *c);
int fw_query_roce_address(struct fw_call *c);
int fw_set_roce_address(struct fw_call *c);
int fw_query_cong_status(struct fw_call *c);
int fw_modify_cong_status(struct fw_call *c);
int fw_query_cong_params(struct fw_call *c);
int fw_modify_cong_params(struct fw_call *c);

void port_init(struct fw *fw);
/* Report a link event if the link state differs from @was. */
void port_changed(struct fw *fw, bool was);

#endif /* HCA_FW_PORT_H */
