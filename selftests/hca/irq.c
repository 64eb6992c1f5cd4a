// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <unistd.h>

#include "irq.h"
#include "log.h"

void irq_init(struct irqs *irqs)
{
	unsigned int i;

	for (i = 0; i < IRQ_VECTORS; i++)
		irqs->fd[i] = -1;
	irqs->pending = 0;
}

void irq_fini(struct irqs *irqs)
{
	unsigned int i;

	for (i = 0; i < IRQ_VECTORS; i++)
		irq_assign(irqs, i, -1);
	irqs->pending = 0;
}

void irq_assign(struct irqs *irqs, unsigned int n, int fd)
{
	if (irqs->fd[n] >= 0)
		close(irqs->fd[n]);
	irqs->fd[n] = fd;
	if (fd >= 0 && irqs->pending & 1ULL << n) {
		irqs->pending &= ~(1ULL << n);
		irq_fire(irqs, n);
	}
}

void irq_fire(struct irqs *irqs, unsigned int n)
{
	uint64_t one = 1;

	if (n >= IRQ_VECTORS)
		return;
	if (irqs->fd[n] < 0)
		irqs->pending |= 1ULL << n;
	else if (write(irqs->fd[n], &one, sizeof(one)) != sizeof(one))
		log_warn("vector %u: eventfd refused the write", n);
}

void irq_forget_pending(struct irqs *irqs)
{
	irqs->pending = 0;
}
