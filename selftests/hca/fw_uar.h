/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* UAR pages: their size, and the numbers that one allocation takes. */
#ifndef HCA_FW_UAR_H
#define HCA_FW_UAR_H

#include "fw_call.h"

/* The largest system page is 64 KiB: a driver that sets more gets that. */
#define UAR_LOG_PAGE_MAX 4

/* Set the capabilities that depend on those that the driver has set. */
void fw_uar_caps(u8 *cap);
int fw_alloc_uar(struct fw_call *c);
/* 0: no doorbell. */
int fw_check_uar(struct fw_call *c, u32 uar);

#endif /* HCA_FW_UAR_H */
