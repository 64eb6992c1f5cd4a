/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Creates that the device executes after mlx5_core has given up on them. Optional:
 * without MDX_HAVE_LATE_CREATES (compat.mk) their objects stay with the device.
 */
#ifndef MDX_LATE_H
#define MDX_LATE_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/mlx5/driver.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/workqueue.h>

struct mdx_cmd;
struct mdx_dev;
struct mdx_obj;
struct mdx_op;
struct mdx_owner;

#ifdef MDX_HAVE_LATE_CREATES
#define MDX_LATE_FEATURES MDX_FEATURE_LATE_CREATE

/* Command slots of a device, at most. */
#define MDX_LATE_SLOTS 32

/**
 * struct mdx_late_create - A create that timed out and still has its slot
 * @obj: the object that it may create; NULL: the slot has no such create
 * @op: row of the command
 */
struct mdx_late_create {
	struct mdx_obj *obj;
	const struct mdx_op *op;
};

/**
 * struct mdx_late_unclaimed - A completion that arrived before its timed-out
 *	create was registered
 * @uout: output buffer of the command, which tells commands apart
 * @in: header of the command
 * @out: header of the answer
 */
struct mdx_late_unclaimed {
	void *uout;
	__be32 in[4];
	__be32 out[4];
};

/**
 * struct mdx_late_tracker - Late creates of a device
 * @creating: creates that run or are late; while it is 0, completions are not
 *	looked at
 * @lock: protects @creates, @unclaimed and @answered; taken in interrupts
 * @creates: creates that timed out, by slot
 * @unclaimed: completions without a registered create, by slot
 * @answered: objects of late creates that have been answered
 * @work: destroys them
 * @nb: is called for completions
 */
struct mdx_late_tracker {
	atomic_t creating;
	spinlock_t lock; /* creates, unclaimed, answered */
	struct mdx_late_create creates[MDX_LATE_SLOTS];
	struct mdx_late_unclaimed unclaimed[MDX_LATE_SLOTS];
	struct list_head answered;
	struct work_struct work;
	struct mlx5_nb nb;
};

/**
 * mdx_late_flush - Wait until the objects that were answered are destroyed
 * @late: of a device that is not under mdx_live
 */
static inline void mdx_late_flush(struct mdx_late_tracker *late)
{
	flush_work(&late->work);
}

void mdx_late_create_begin(struct mdx_dev *mdx);
void mdx_late_create_end(struct mdx_dev *mdx);
bool mdx_late_create(struct mdx_owner *owner, const struct mdx_cmd *cmd,
		     struct mdx_obj *obj);
void mdx_late_watch(struct mdx_dev *mdx);
void mdx_late_unwatch(struct mdx_dev *mdx);
void mdx_late_sync(struct mdx_dev *mdx);

#else
#define MDX_LATE_FEATURES 0

struct mdx_late_tracker {
};

static inline void mdx_late_create_begin(struct mdx_dev *mdx)
{
}

static inline void mdx_late_create_end(struct mdx_dev *mdx)
{
}

static inline bool mdx_late_create(struct mdx_owner *owner,
				   const struct mdx_cmd *cmd,
				   struct mdx_obj *obj)
{
	return false;
}

static inline void mdx_late_flush(struct mdx_late_tracker *late)
{
}

static inline void mdx_late_watch(struct mdx_dev *mdx)
{
}

static inline void mdx_late_unwatch(struct mdx_dev *mdx)
{
}

static inline void mdx_late_sync(struct mdx_dev *mdx)
{
}

#endif /* MDX_HAVE_LATE_CREATES */

#endif /* MDX_LATE_H */
