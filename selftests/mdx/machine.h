/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The machine around a test: its memory, the slot of the device; and numbers that a
 * seed repeats.
 */
#ifndef MDX_TEST_MACHINE_H
#define MDX_TEST_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "hca_ctl.h"

#define MLX5_DRIVER "/sys/bus/pci/drivers/mlx5_core"

/* MemAvailable of /proc/meminfo, in kB; negative on failure. */
long machine_available_kb(void);
/* Is the PCI device of this address there? */
bool machine_has_device(const char *addr);
/* Plugs the device in again, once it is gone, and waits until it is there. */
void machine_plug_again(struct hca_ctl *hca, const char *addr);
/* A number below @n; @state is the seed. */
unsigned int random_below(uint64_t *state, unsigned int n);

#endif /* MDX_TEST_MACHINE_H */
