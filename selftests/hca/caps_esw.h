/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Capabilities of an e-switch manager. */
#ifndef HCA_CAPS_ESW_H
#define HCA_CAPS_ESW_H

struct fw;

void caps_esw(struct fw *fw);

#endif /* HCA_CAPS_ESW_H */
