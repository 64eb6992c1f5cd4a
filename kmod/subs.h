/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Subscriptions: an event, and the channel that tells of it.
 */
#ifndef MDX_SUBS_H
#define MDX_SUBS_H

#include <linux/list.h>
#include <linux/types.h>

struct eventfd_ctx;
struct mdx_chan;
struct mdx_dev;
struct mdx_obj;
struct mdx_topic;

/**
 * struct mdx_sub - A subscription
 * @of_topic: in mdx_topic::subs or, to completions, in the CQ's list; under RCU
 * @of_obj: in mdx_obj::subs; this, @of_chan, @topic and @obj are under mdx_events::lock
 * @of_chan: in mdx_chan::subs; empty: the subscription has ended
 * @ready: in mdx_chan::records with MDX_CHANNEL_OMIT_DATA; this and @held, @missed and
 *	@ended are under mdx_chan::lock
 * @topic: its event; NULL: completions of a CQ
 * @obj: the object; NULL: the event is about none
 * @chan: its channel, with a reference
 * @eventfd: eventfd to signal instead, or NULL
 * @cookie: read with its events
 * @held: the destroy of @obj is under way
 * @missed: an event came meanwhile
 * @ended: whoever takes it from mdx_chan::records frees it
 * @rcu: frees it
 */
struct mdx_sub {
	struct list_head of_topic;
	struct list_head of_obj;
	struct list_head of_chan;
	struct list_head ready;
	struct mdx_topic *topic;
	struct mdx_obj *obj;
	struct mdx_chan *chan;
	struct eventfd_ctx *eventfd;
	u64 cookie;
	bool held;
	bool missed;
	bool ended;
	struct rcu_head rcu;
};

struct mdx_sub *mdx_sub_alloc(struct mdx_chan *chan, u64 cookie);
void mdx_sub_free(struct mdx_sub *sub);
int mdx_subs_add(struct mdx_dev *mdx, struct mdx_sub **subs, const u16 *events,
		 u32 n, struct mdx_obj *obj);
void mdx_subs_hold(struct mdx_dev *mdx, struct mdx_obj *obj);
void mdx_subs_unhold(struct mdx_dev *mdx, struct mdx_obj *obj);
void mdx_subs_end_of_obj(struct mdx_dev *mdx, struct mdx_obj *obj);
void mdx_subs_end_of_chan(struct mdx_chan *chan);
void mdx_subs_drop_ready(struct list_head *ready);
ssize_t mdx_sub_read(struct mdx_chan *chan, char __user *buf, size_t count);

/* deliver.c */
bool mdx_sub_hear(struct mdx_sub *sub, const void *eqe);
void mdx_subs_deliver(struct list_head *subs, const void *eqe);

#endif /* MDX_SUBS_H */
