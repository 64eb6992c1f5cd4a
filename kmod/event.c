// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The events of a device on their way to subscriptions.
 *
 * One notifier hears all events of a device. It is registered with the first
 * subscription, so a device without any pays nothing, and stays until the removal:
 * the end of a notifier waits for all processors. Completions of CQs do not come
 * this way (obj_cq.c).
 */
#include <linux/mlx5/device.h>
#include <linux/mlx5/eq.h>
#include <linux/rculist.h>
#include <linux/rhashtable.h>
#include <linux/slab.h>

#include "dev.h"
#include "event.h"
#include "optab.h"
#include "subs.h"

/* Offsets that evtab.c knows. */
static_assert(sizeof(struct mlx5_eqe) == MDX_EQE_LEN);
static_assert(offsetof(struct mlx5_eqe, data) == 32);
static_assert(offsetof(struct mlx5_eqe, data.qp_srq.type) == 52);
static_assert(offsetof(struct mlx5_eqe, data.qp_srq.qp_srq_n) == 56);
static_assert(offsetof(struct mlx5_eqe, data.cq_err.cqn) == 32);
static_assert(offsetof(struct mlx5_eqe, data.xrq_err.type_xrqn) == 52);
static_assert(offsetof(struct mlx5_eqe, data.dct.dctn) == 56);
static_assert(MLX5_BYTE_OFF(affiliated_event_header, obj_id) == 4);
static_assert((int)MLX5_EVENT_QUEUE_TYPE_QP == MDX_QUEUE_TYPE_QP);
static_assert((int)MLX5_EVENT_QUEUE_TYPE_RQ == MDX_QUEUE_TYPE_RQ);
static_assert((int)MLX5_EVENT_QUEUE_TYPE_SQ == MDX_QUEUE_TYPE_SQ);
static_assert((int)MLX5_EVENT_QUEUE_TYPE_DCT == MDX_QUEUE_TYPE_DCT);
static_assert(MLX5_EVENT_TYPE_CMD == MDX_EVENT_CMD);
static_assert(MLX5_EVENT_TYPE_PAGE_REQUEST == MDX_EVENT_PAGE_REQUEST);

static const struct rhashtable_params topic_params = {
	.key_len = sizeof(struct mdx_event_key),
	.key_offset = offsetof(struct mdx_topic, key),
	.head_offset = offsetof(struct mdx_topic, node),
	.automatic_shrinking = true,
};

/* In an interrupt */
static int event_notify(struct notifier_block *nb, unsigned long type,
			void *eqe)
{
	struct mdx_events *events = mlx5_nb_cof(nb, struct mdx_events, nb);
	struct mdx_event_key key;
	struct mdx_topic *topic;

	/* All other users of the device pay for this line at each event. */
	if (type > MDX_EVENT_MAX || !READ_ONCE(events->topics_n[type]))
		return NOTIFY_OK;
	key = mdx_event_key_of_eqe(&events->caps, type, eqe);
	rcu_read_lock();
	topic = rhashtable_lookup(&events->topics, &key, topic_params);
	if (topic)
		mdx_subs_deliver(&topic->subs, eqe);
	rcu_read_unlock();
	return NOTIFY_OK;
}

/**
 * mdx_event_watch - Hear the events of a device
 * @mdx: the device under mdx_live, with its mdx_events::lock
 *
 * Return: 0, also if they are heard already, or -ENOMEM
 */
int mdx_event_watch(struct mdx_dev *mdx)
{
	struct mdx_events *events = &mdx->events;
	int ret;

	lockdep_assert_held(&events->lock);

	if (events->watching)
		return 0;
	ret = rhashtable_init(&events->topics, &topic_params);
	if (ret)
		return ret;
	events->caps = (struct mdx_event_caps){
		.listed = MLX5_CAP_GEN(mdx->mdev, event_cap),
		.affiliated = MLX5_CAP_DEV_EVENT(mdx->mdev,
						 user_affiliated_events),
		.unaffiliated = MLX5_CAP_DEV_EVENT(mdx->mdev,
						   user_unaffiliated_events),
	};
	MLX5_NB_INIT(&events->nb, event_notify, NOTIFY_ANY);
	mlx5_eq_notifier_register(mdx->mdev, &events->nb);
	events->watching = true;
	return 0;
}

/**
 * mdx_event_unwatch - Stop hearing the events of a device
 * @mdx: the device, with its registration_lock held for write; all its channels have
 *	ended
 */
void mdx_event_unwatch(struct mdx_dev *mdx)
{
	struct mdx_events *events = &mdx->events;

	guard(mutex)(&events->lock);
	if (!events->watching)
		return;
	mlx5_eq_notifier_unregister(mdx->mdev, &events->nb);
	rhashtable_destroy(&events->topics);
	events->watching = false;
}

/*
 * Subscriptions to what the kernel's own commands and pages cause hear nothing, as
 * over the stock driver: these events are the most frequent ones.
 */
static void topics_count(struct mdx_events *events, struct mdx_event_key key,
			 int n)
{
	u8 event = mdx_event_of_key(key);

	if (event == MDX_EVENT_CMD || event == MDX_EVENT_PAGE_REQUEST)
		return;
	/* Pairs with event_notify() */
	WRITE_ONCE(events->topics_n[event], events->topics_n[event] + n);
}

static struct mdx_topic *topic_add(struct mdx_events *events,
				   struct mdx_event_key key)
{
	struct mdx_topic *topic;
	int ret;

	topic = kzalloc(sizeof(*topic), GFP_KERNEL_ACCOUNT);
	if (!topic)
		return ERR_PTR(-ENOMEM);
	topic->key = key;
	INIT_LIST_HEAD(&topic->subs);
	ret = rhashtable_insert_fast(&events->topics, &topic->node,
				     topic_params);
	if (!ret) {
		topics_count(events, key, 1);
		return topic;
	}
	kfree(topic);
	/* E2BIG and EBUSY tell of a table that cannot grow now. */
	return ERR_PTR(-ENOMEM);
}

/**
 * mdx_topic_get - The subscriptions to an event
 * @events: of a device that is watched, with its lock
 * @key: the event
 *
 * Return: the topic for mdx_topic_put(), or -ENOMEM
 */
struct mdx_topic *mdx_topic_get(struct mdx_events *events,
				struct mdx_event_key key)
{
	struct mdx_topic *topic;

	lockdep_assert_held(&events->lock);

	topic = rhashtable_lookup_fast(&events->topics, &key, topic_params);
	if (!topic)
		topic = topic_add(events, key);
	if (!IS_ERR(topic))
		topic->users++;
	return topic;
}

/**
 * mdx_topic_put - Undo mdx_topic_get()
 * @events: as for mdx_topic_get()
 * @topic: the topic; the last call frees it, when no subscription is in its list
 */
void mdx_topic_put(struct mdx_events *events, struct mdx_topic *topic)
{
	lockdep_assert_held(&events->lock);

	if (--topic->users)
		return;
	topics_count(events, topic->key, -1);
	rhashtable_remove_fast(&events->topics, &topic->node, topic_params);
	kfree_rcu(topic, rcu);
}
