/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The events of a device on their way to subscriptions.
 */
#ifndef MDX_EVENT_H
#define MDX_EVENT_H

#include <linux/list.h>
#include <linux/mlx5/driver.h>
#include <linux/mutex.h>
#include <linux/rhashtable-types.h>
#include <linux/types.h>

#include "evtab.h"

struct mdx_dev;

/**
 * struct mdx_events - Subscriptions of a device
 * @lock: held to change subscriptions and the list of a channel's subscriptions
 * @watching: @topics and @nb are in use: from the first subscription until the
 *	removal
 * @caps: events that the device offers
 * @topics: struct mdx_topic by key, read in interrupts under RCU
 * @topics_n: topics of each type of event: most types have none
 * @nb: is called for all events
 */
struct mdx_events {
	struct mutex lock; /* topics, subscriptions */
	bool watching;
	struct mdx_event_caps caps;
	struct rhashtable topics;
	u32 topics_n[MDX_EVENT_MAX + 1];
	struct mlx5_nb nb;
};

/**
 * struct mdx_topic - Subscriptions to an event
 * @key: the event
 * @node: in mdx_events::topics
 * @users: calls of mdx_topic_get()
 * @subs: the subscriptions, oldest first, under RCU: mdx_sub::of_topic
 * @rcu: frees it
 */
struct mdx_topic {
	struct mdx_event_key key;
	struct rhash_head node;
	u32 users;
	struct list_head subs;
	struct rcu_head rcu;
};

int mdx_event_watch(struct mdx_dev *mdx);
void mdx_event_unwatch(struct mdx_dev *mdx);
struct mdx_topic *mdx_topic_get(struct mdx_events *events,
				struct mdx_event_key key);
void mdx_topic_put(struct mdx_events *events, struct mdx_topic *topic);

#endif /* MDX_EVENT_H */
