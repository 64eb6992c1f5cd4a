// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <linux/vfio.h>
#include <unistd.h>

#include "log.h"
#include "vdev.h"

static uint64_t region_size(void *priv, uint32_t index)
{
	(void)priv;
	switch (index) {
	case VFIO_PCI_BAR0_REGION_INDEX:
		return PCI_BAR_SIZE;
	case VFIO_PCI_CONFIG_REGION_INDEX:
		return PCI_CONFIG_SIZE;
	}
	return 0;
}

static int region_read(void *priv, uint32_t index, uint64_t off, void *buf,
		       uint32_t len)
{
	if (index == VFIO_PCI_BAR0_REGION_INDEX)
		bar_read(priv, off, buf, len);
	else
		pci_read(priv, off, buf, len);
	return 0;
}

static int region_write(void *priv, uint32_t index, uint64_t off,
			const void *buf, uint32_t len)
{
	if (index == VFIO_PCI_BAR0_REGION_INDEX)
		bar_write(priv, off, buf, len);
	else
		pci_write(priv, off, buf, len);
	return 0;
}

static uint32_t irq_count(void *priv, uint32_t index)
{
	(void)priv;
	switch (index) {
	case VFIO_PCI_MSIX_IRQ_INDEX:
		return IRQ_VECTORS;
	/* Never fired. QEMU warns of a device without it. */
	case VFIO_PCI_ERR_IRQ_INDEX:
		return 1;
	}
	return 0;
}

static void do_irq_assign(void *priv, uint32_t index, unsigned int n, int fd)
{
	struct hca *hca = priv;

	if (index == VFIO_PCI_MSIX_IRQ_INDEX)
		irq_assign(&hca->irqs, n, fd);
	else if (fd >= 0)
		close(fd);
}

static void do_irq_trigger(void *priv, uint32_t index, unsigned int n)
{
	struct hca *hca = priv;

	if (index == VFIO_PCI_MSIX_IRQ_INDEX)
		irq_fire(&hca->irqs, n);
}

static void on_reset(void *priv)
{
	hca_reset(priv);
}

/* The next client gets a function as after power-on. */
static void on_disconnect(void *priv)
{
	struct hca *hca = priv;

	log_trace("vfio-user client disconnected");
	irq_fini(&hca->irqs);
	hca->dead = false;
	hca->internal_error = false;
	hca_reset(hca);
}

static const struct vfu_ops vdev_ops = {
	.region_size = region_size,
	.region_read = region_read,
	.region_write = region_write,
	.irq_count = irq_count,
	.irq_assign = do_irq_assign,
	.irq_trigger = do_irq_trigger,
	.reset = on_reset,
	.disconnected = on_disconnect,
};

int vdev_init(struct vfu *vfu, struct hca *hca)
{
	return vfu_init(vfu, hca->loop, &hca->mem, &vdev_ops, hca);
}
