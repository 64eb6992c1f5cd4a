/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* One software ConnectX: its parts, and what they share. */
#ifndef HCA_H
#define HCA_H

#include <stdbool.h>
#include <stdint.h>

#include "bar.h"
#include "cmdq.h"
#include "dp.h"
#include "eq.h"
#include "fw.h"
#include "irq.h"
#include "loop.h"
#include "mem.h"
#include "pci.h"
#include "script.h"

/**
 * struct hca_conf - what the command line decides
 * @device_id: PCI device id, PF or VF
 * @cmd_timeout_ms: how long drivers shall wait for a command; 0: as they like
 * @fw: the firmware's part
 */
struct hca_conf {
	uint16_t device_id;
	uint32_t cmd_timeout_ms;
	struct fw_conf fw;
};

/**
 * struct hca - a device
 * @dead: surprise removed: registers read as ones and nothing is done any more
 * @internal_error: the health buffer reports a fatal error and no command
 *	completes
 */
struct hca {
	struct hca_conf conf;
	struct loop *loop;
	struct mem mem;
	struct irqs irqs;
	struct pci pci;
	struct bar bar;
	struct eqs eqs;
	struct dp dp;
	struct script script;
	struct cmdq cmdq;
	struct fw *fw;
	bool dead;
	bool internal_error;
};

int hca_init(struct hca *hca, struct loop *loop, const struct hca_conf *conf);
void hca_fini(struct hca *hca);
/* Function level reset: what the guest set up is gone, the script stays. */
void hca_reset(struct hca *hca);
/* Of the firmware alone; configuration space stays as it is. */
void hca_restart_fw(struct hca *hca);
/* A fatal error begins, or is over and the firmware starts anew. */
void hca_internal_error(struct hca *hca, bool on);

#endif /* HCA_H */
