/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Vports and functions of the e-switch, and its commands. */
#ifndef HCA_FW_ESW_H
#define HCA_FW_ESW_H

#include "fw_call.h"

int fw_query_esw_functions(struct fw_call *c);
int fw_query_esw_vport(struct fw_call *c);
int fw_modify_esw_vport(struct fw_call *c);

/* Number of vports that @conf needs memory for. */
size_t vports_needed(const struct fw_conf *conf);
void vports_init(struct fw *fw);
struct fw_vport *fw_vport_num(struct fw *fw, u16 num);
/* The vport a command addresses, or NULL with a status in @ret. */
struct fw_vport *fw_vport(struct fw_call *c, int *ret);
/* The function a command addresses, or NULL with a status in @ret. */
struct fw_vport *fw_function(struct fw_call *c, bool other, int *ret);

#endif /* HCA_FW_ESW_H */
