/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * DCTs, which are drained before they are destroyed.
 */
#ifndef MDX_OBJ_DCT_H
#define MDX_OBJ_DCT_H

#include <linux/list.h>
#include <linux/mlx5/driver.h>
#include <linux/spinlock.h>
#include <linux/types.h>

struct mdx_dev;

/**
 * struct mdx_dct_drains - DCTs of a device that are being drained
 * @lock: protects @waits; taken in interrupts
 * @waits: drains whose event is awaited
 * @event_lost: the last wait was in vain: its event did not come
 * @nb: is called for the events
 */
struct mdx_dct_drains {
	spinlock_t lock; /* waits */
	struct list_head waits;
	bool event_lost;
	struct mlx5_nb nb;
};

void mdx_dct_watch(struct mdx_dev *mdx);
void mdx_dct_unwatch(struct mdx_dev *mdx);

#endif /* MDX_OBJ_DCT_H */
