// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * MSI-X is at 0x9c with its table in BAR 0, as in the real function. The
 * offsets of the other capabilities do not matter to a driver. There is no
 * extended capability: QEMU hides SR-IOV, and without a vendor specific
 * capability the driver neither dumps nor resets the firmware.
 */
#include <linux/pci_regs.h>
#include <string.h>

#include "bytes.h"
#include "hca.h"

enum {
	CAP_PM = 0x40,
	CAP_EXP = 0x60,
	CAP_MSIX = 0x9c,
};

static void init_header(uint8_t *c, uint16_t device_id)
{
	put_le16(c + PCI_VENDOR_ID, 0x15b3);
	put_le16(c + PCI_DEVICE_ID, device_id);
	put_le16(c + PCI_STATUS, PCI_STATUS_CAP_LIST);
	put_le16(c + PCI_CLASS_DEVICE, 0x0200);
	put_le32(c + PCI_BASE_ADDRESS_0, PCI_BASE_ADDRESS_MEM_TYPE_64 |
		 PCI_BASE_ADDRESS_MEM_PREFETCH);
	put_le16(c + PCI_SUBSYSTEM_VENDOR_ID, 0x15b3);
	put_le16(c + PCI_SUBSYSTEM_ID, 0x0008);
	c[PCI_CAPABILITY_LIST] = CAP_PM;
}

static void init_caps(uint8_t *c)
{
	c[CAP_PM] = PCI_CAP_ID_PM;
	c[CAP_PM + PCI_CAP_LIST_NEXT] = CAP_EXP;
	put_le16(c + CAP_PM + PCI_PM_PMC, 3);
	put_le16(c + CAP_PM + PCI_PM_CTRL, PCI_PM_CTRL_NO_SOFT_RESET);

	c[CAP_EXP] = PCI_CAP_ID_EXP;
	c[CAP_EXP + PCI_CAP_LIST_NEXT] = CAP_MSIX;
	put_le16(c + CAP_EXP + PCI_EXP_FLAGS, 2 | PCI_EXP_TYPE_ENDPOINT << 4);
	/* Payloads up to 512 bytes. */
	put_le32(c + CAP_EXP + PCI_EXP_DEVCAP,
		 PCI_EXP_DEVCAP_FLR | PCI_EXP_DEVCAP_RBER | 2);
	/* 16 GT/s, 16 lanes. */
	put_le32(c + CAP_EXP + PCI_EXP_LNKCAP, 4 | 16 << 4);
	put_le16(c + CAP_EXP + PCI_EXP_LNKSTA, 4 | 16 << 4);
	put_le32(c + CAP_EXP + PCI_EXP_LNKCAP2, 0x1e);

	c[CAP_MSIX] = PCI_CAP_ID_MSIX;
	put_le16(c + CAP_MSIX + PCI_MSIX_FLAGS, IRQ_VECTORS - 1);
	put_le32(c + CAP_MSIX + PCI_MSIX_TABLE, BAR_MSIX_TABLE);
	put_le32(c + CAP_MSIX + PCI_MSIX_PBA, BAR_MSIX_PBA);
}

static void init_writable(uint8_t *w)
{
	put_le16(w + PCI_COMMAND, PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER |
		 PCI_COMMAND_PARITY | PCI_COMMAND_SERR |
		 PCI_COMMAND_INTX_DISABLE);
	w[PCI_CACHE_LINE_SIZE] = 0xff;
	put_le32(w + PCI_BASE_ADDRESS_0, ~(uint32_t)(PCI_BAR_SIZE - 1));
	put_le32(w + PCI_BASE_ADDRESS_1, ~0U);
	w[PCI_INTERRUPT_LINE] = 0xff;
	put_le16(w + CAP_PM + PCI_PM_CTRL, PCI_PM_CTRL_STATE_MASK);
	/* All of device control except FLR, which reads as zero. */
	put_le16(w + CAP_EXP + PCI_EXP_DEVCTL,
		 (uint16_t)~PCI_EXP_DEVCTL_BCR_FLR);
	put_le16(w + CAP_EXP + PCI_EXP_LNKCTL, 0xff & ~PCI_EXP_LNKCTL_RL);
	put_le16(w + CAP_MSIX + PCI_MSIX_FLAGS,
		 PCI_MSIX_FLAGS_ENABLE | PCI_MSIX_FLAGS_MASKALL);
}

void pci_init(struct pci_config *pci, uint16_t device_id)
{
	memset(pci, 0, sizeof(*pci));
	init_header(pci->config, device_id);
	init_caps(pci->config);
	init_writable(pci->writable);
}

static void update_master(struct hca *hca)
{
	hca->mem.off = !(get_le16(hca->pci.config + PCI_COMMAND) &
			 PCI_COMMAND_MASTER);
}

void pci_reset(struct hca *hca)
{
	pci_init(&hca->pci, get_le16(hca->pci.config + PCI_DEVICE_ID));
	update_master(hca);
}

void pci_read(struct hca *hca, uint64_t off, uint8_t *buf, uint32_t len)
{
	uint32_t i;

	for (i = 0; i < len; i++) {
		if (hca->dead)
			buf[i] = 0xff;
		else if (off + i < sizeof(hca->pci.config))
			buf[i] = hca->pci.config[off + i];
		else
			buf[i] = 0;
	}
}

void pci_write(struct hca *hca, uint64_t off, const uint8_t *buf, uint32_t len)
{
	const unsigned int flr_byte = CAP_EXP + PCI_EXP_DEVCTL + 1;
	const unsigned int msix_byte = CAP_MSIX + PCI_MSIX_FLAGS + 1;
	struct pci_config *pci = &hca->pci;
	bool flr = false;
	uint32_t i;

	if (hca->dead)
		return;
	for (i = 0; i < len && off + i < sizeof(pci->config); i++) {
		uint64_t at = off + i;
		uint8_t w = pci->writable[at];

		pci->config[at] = (uint8_t)((pci->config[at] & ~w) |
					    (buf[i] & w));
		if (at == flr_byte && buf[i] & (PCI_EXP_DEVCTL_BCR_FLR >> 8))
			flr = true;
		/* Disabling MSI-X discards pending interrupts. */
		if (at == msix_byte && !(buf[i] & (PCI_MSIX_FLAGS_ENABLE >> 8)))
			irq_forget_pending(&hca->irqs);
	}
	update_master(hca);
	if (flr)
		hca_reset(hca);
}
