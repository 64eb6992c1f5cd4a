/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* MSI-X vectors: eventfds, and interrupts pending while there is no eventfd. */
#ifndef HCA_IRQ_H
#define HCA_IRQ_H

#include <stdbool.h>
#include <stdint.h>

enum { IRQ_VECTORS = 64 };

/**
 * struct irqs - the vectors
 * @fd: eventfd of each vector, -1 for none
 * @pending: bit n is set if vector n fired while it had no eventfd. QEMU
 *	removes all eventfds for a moment whenever the guest adds a vector; an
 *	interrupt of that moment must not be lost.
 */
struct irqs {
	int fd[IRQ_VECTORS];
	uint64_t pending;
};

void irq_init(struct irqs *irqs);
void irq_fini(struct irqs *irqs);
/*
 * Set the eventfd of vector @n, -1 for none. The vector owns @fd from now on.
 */
void irq_assign(struct irqs *irqs, unsigned int n, int fd);
void irq_fire(struct irqs *irqs, unsigned int n);
void irq_forget_pending(struct irqs *irqs);

#endif /* HCA_IRQ_H */
