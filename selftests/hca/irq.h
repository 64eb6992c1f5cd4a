/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* MSI-X vectors: their eventfds, and what is pending while there is none. */
#ifndef HCA_IRQ_H
#define HCA_IRQ_H

#include <stdbool.h>
#include <stdint.h>

enum { IRQ_VECTORS = 64 };

/*
 * @pending: bit n is set where vector n fired while it had no eventfd. QEMU
 * takes all eventfds away for a moment whenever the guest adds a vector, and
 * an interrupt of that moment must not be lost.
 */
struct irqs {
	int fd[IRQ_VECTORS];
	uint64_t pending;
};

void irq_init(struct irqs *irqs);
void irq_fini(struct irqs *irqs);
/* Give vector @n the eventfd @fd, which becomes ours; -1 takes it away. */
void irq_assign(struct irqs *irqs, unsigned int n, int fd);
void irq_fire(struct irqs *irqs, unsigned int n);
void irq_forget_pending(struct irqs *irqs);

#endif /* HCA_IRQ_H */
