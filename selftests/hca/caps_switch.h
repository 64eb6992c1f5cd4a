/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Capability switches. */
#ifndef HCA_CAPS_SWITCH_H
#define HCA_CAPS_SWITCH_H

#include "hca_fw.h"

/* Apply the switches of the configuration to the capabilities. */
void caps_switch(struct fw *fw);
/* True if vports have ICM addresses. */
bool fw_vport_icm(const struct fw_conf *conf);
/* Set switch @opt, NAME or NAME=on|off; false if there is no such switch. */
bool fw_conf_switch(struct fw_conf *conf, const char *opt);

#endif /* HCA_CAPS_SWITCH_H */
