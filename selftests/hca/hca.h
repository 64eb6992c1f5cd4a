/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A software ConnectX, made of its parts. */
#ifndef HCA_H
#define HCA_H

#include <stdbool.h>
#include <stdint.h>

#include "bar.h"
#include "cmdq.h"
#include "dp.h"
#include "eq.h"
#include "hca_fw.h"
#include "fw_view.h"
#include "irq.h"
#include "loop.h"
#include "mem.h"
#include "pci.h"
#include "script.h"

/**
 * struct hca_conf - configuration of the command line
 * @device_id: PCI device id, PF or VF
 * @cmd_timeout_ms: command timeout reported to drivers; 0: none is reported
 * @fw: configuration of the firmware
 */
struct hca_conf {
	uint16_t device_id;
	uint32_t cmd_timeout_ms;
	struct fw_conf fw;
};

/**
 * struct hca - a device
 * @conf: configuration
 * @loop: event loop
 * @mem: guest memory
 * @irqs: MSI-X vectors
 * @pci: configuration space
 * @bar: registers of BAR 0
 * @eqs: event queues
 * @dp: data path
 * @script: rules of the control protocol
 * @cmdq: command queue
 * @fw: firmware
 * @dead: surprise removed: registers read as ones, and nothing is executed
 * @internal_error: the health buffer reports a fatal error, and no command
 *	completes
 */
struct hca {
	struct hca_conf conf;
	struct loop *loop;
	struct mem mem;
	struct irqs irqs;
	struct pci_config pci;
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
/* Latencies and parallel execution of the personality, if there is one. */
void hca_apply_personality(struct hca *hca);
/* Function level reset: the guest's setup is lost, the script stays. */
void hca_reset(struct hca *hca);
/* Reset of the firmware; the configuration space stays as it is. */
void hca_restart_fw(struct hca *hca);
/* A fatal error begins, or ends with a restart of the firmware. */
void hca_internal_error(struct hca *hca, bool on);

#endif /* HCA_H */
