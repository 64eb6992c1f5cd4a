// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Configuration space. */
#include <linux/pci_regs.h>

#include "env.h"

static uint32_t get_config(struct env *e, uint64_t off, unsigned int len)
{
	uint8_t b[4] = {};

	pci_read(&e->hca, off, b, len);
	return b[0] | b[1] << 8 | b[2] << 16 | (uint32_t)b[3] << 24;
}

static void put_config(struct env *e, uint64_t off, uint32_t val,
		       unsigned int len)
{
	uint8_t b[4] = {
		(uint8_t)val, (uint8_t)(val >> 8), (uint8_t)(val >> 16),
		(uint8_t)(val >> 24),
	};

	pci_write(&e->hca, off, b, len);
}

static unsigned int find_cap(struct env *e, uint8_t id)
{
	unsigned int pos = get_config(e, PCI_CAPABILITY_LIST, 1), n = 48;

	while (pos && n-- && get_config(e, pos, 1) != id)
		pos = get_config(e, pos + 1, 1);
	return pos;
}

static void config_has_ids(void)
{
	struct env e;

	env_init(&e);
	CHECK_EQ(get_config(&e, PCI_VENDOR_ID, 4), 0x101915b3);
	CHECK_EQ(get_config(&e, PCI_CLASS_DEVICE, 2), 0x0200);
	CHECK_EQ(get_config(&e, PCI_SUBSYSTEM_VENDOR_ID, 2), 0x15b3);
	put_config(&e, PCI_VENDOR_ID, 0, 4);
	CHECK_EQ(get_config(&e, PCI_VENDOR_ID, 4), 0x101915b3);
	env_fini(&e);
}

static void bar_64_bit_size(void)
{
	struct env e;

	env_init(&e);
	CHECK_EQ(get_config(&e, PCI_BASE_ADDRESS_0, 4) & 0xf, 0xc);
	put_config(&e, PCI_BASE_ADDRESS_0, ~0U, 4);
	put_config(&e, PCI_BASE_ADDRESS_1, ~0U, 4);
	CHECK_EQ(get_config(&e, PCI_BASE_ADDRESS_0, 4) & ~0xfU,
		 ~(uint32_t)(PCI_BAR_SIZE - 1));
	CHECK_EQ(get_config(&e, PCI_BASE_ADDRESS_1, 4), ~0U);
	CHECK_EQ(get_config(&e, PCI_BASE_ADDRESS_2, 4), 0);
	env_fini(&e);
}

static void msix_capability(void)
{
	unsigned int pos;
	struct env e;

	env_init(&e);
	pos = find_cap(&e, PCI_CAP_ID_MSIX);
	CHECK_EQ(pos, 0x9c);
	CHECK_EQ(get_config(&e, pos + PCI_MSIX_FLAGS, 2) & PCI_MSIX_FLAGS_QSIZE,
		 IRQ_VECTORS - 1);
	CHECK_EQ(get_config(&e, pos + PCI_MSIX_TABLE, 4), BAR_MSIX_TABLE);
	CHECK_EQ(get_config(&e, pos + PCI_MSIX_PBA, 4), BAR_MSIX_PBA);
	/* Disabling MSI-X discards pending interrupts. */
	irq_fire(&e.hca.irqs, 5);
	put_config(&e, pos + PCI_MSIX_FLAGS, 0, 2);
	CHECK_EQ(e.hca.irqs.pending, 0);
	env_fini(&e);
}

static void flr_resets_device(void)
{
	unsigned int pos;
	struct env e;

	env_init(&e);
	pos = find_cap(&e, PCI_CAP_ID_EXP);
	CHECK(pos);
	CHECK(get_config(&e, pos + PCI_EXP_DEVCAP, 4) & PCI_EXP_DEVCAP_FLR);
	put_config(&e, PCI_COMMAND, PCI_COMMAND_MASTER, 2);
	put_config(&e, pos + PCI_EXP_DEVCTL, PCI_EXP_DEVCTL_BCR_FLR, 2);
	CHECK_EQ(stub.resets, 1);
	CHECK_EQ(get_config(&e, PCI_COMMAND, 2), 0);
	CHECK_EQ(get_config(&e, pos + PCI_EXP_DEVCTL, 2) &
			 PCI_EXP_DEVCTL_BCR_FLR,
		 0);
	env_fini(&e);
}

static void extended_space_empty(void)
{
	struct env e;

	env_init(&e);
	CHECK_EQ(get_config(&e, 0x100, 4), 0);
	put_config(&e, 0x100, ~0U, 4);
	CHECK_EQ(get_config(&e, 0x100, 4), 0);
	CHECK_EQ(get_config(&e, 0xffc, 4), 0);
	env_fini(&e);
}

static void removed_reads_ones(void)
{
	struct env e;

	env_init(&e);
	e.hca.dead = true;
	CHECK_EQ(get_config(&e, PCI_VENDOR_ID, 4), 0xffffffff);
	env_fini(&e);
}

int main(void)
{
	static const struct hca_test tests[] = {
		TAP(config_has_ids),	   TAP(bar_64_bit_size),
		TAP(msix_capability),	   TAP(flr_resets_device),
		TAP(extended_space_empty), TAP(removed_reads_ones),
	};

	return TAP_RUN(tests);
}
