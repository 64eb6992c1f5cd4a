/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* PCI configuration space. */
#ifndef HCA_PCI_H
#define HCA_PCI_H

#include <stdbool.h>
#include <stdint.h>

enum {
	PCI_CONFIG_SIZE = 4096,
	PCI_BAR_SIZE = 16 << 20,
	BAR_MSIX_TABLE = 0x2000,
	BAR_MSIX_PBA = 0x3000,
};

struct hca;

/**
 * struct pci_config - the configuration space
 * @config: contents; the extended space is all zero
 * @writable: bits that the client may change
 */
struct pci_config {
	uint8_t config[256];
	uint8_t writable[256];
};

void pci_init(struct pci_config *pci, uint16_t device_id);
void pci_reset(struct hca *hca);
void pci_read(struct hca *hca, uint64_t off, uint8_t *buf, uint32_t len);
/* May cause a function level reset. */
void pci_write(struct hca *hca, uint64_t off, const uint8_t *buf,
	       uint32_t len);

#endif /* HCA_PCI_H */
