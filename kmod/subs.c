// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Subscriptions: an event, and the channel that tells of it.
 *
 * A subscription ends with its channel or its object, whichever is first. One that
 * an OMIT_DATA channel has yet to tell of stays until it is read.
 *
 * The device may give the number of an object to another user's as soon as it has
 * answered the destroy, and an event of that one may come before the task that sent
 * the destroy runs again. So subscriptions are held before: a held one hears
 * nothing. It is ended when the object is destroyed. If the device refuses, it hears
 * again, and what it missed was about its own object.
 */
#include <linux/eventfd.h>
#include <linux/list.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#include "channel.h"
#include "compat.h"
#include "dev.h"
#include "eventq.h"
#include "obj.h"
#include "owner.h"
#include "subs.h"

/* Events of a subscription that its channel has room for. */
#define ROOM_PER_SUB 4

/**
 * mdx_sub_alloc - Allocate a subscription, which hears nothing yet
 * @chan: its channel
 * @cookie: read with its events
 *
 * Return: the subscription for mdx_subs_add() or mdx_sub_free(), or NULL
 */
struct mdx_sub *mdx_sub_alloc(struct mdx_chan *chan, u64 cookie)
{
	struct mdx_sub *sub;

	sub = kzalloc(sizeof(*sub), GFP_KERNEL_ACCOUNT);
	if (!sub)
		return NULL;
	INIT_LIST_HEAD(&sub->of_obj);
	INIT_LIST_HEAD(&sub->of_chan);
	INIT_LIST_HEAD(&sub->ready);
	kref_get(&chan->ref);
	sub->chan = chan;
	sub->cookie = cookie;
	return sub;
}

/**
 * mdx_sub_free - Free a subscription that no interrupt uses
 * @sub: the subscription; NULL: nothing is done
 */
void mdx_sub_free(struct mdx_sub *sub)
{
	if (!sub)
		return;
	if (sub->eventfd)
		eventfd_ctx_put(sub->eventfd);
	mdx_channel_put(sub->chan);
	kfree(sub);
}

static void sub_free_rcu(struct rcu_head *rcu)
{
	mdx_sub_free(container_of(rcu, struct mdx_sub, rcu));
}

/* An interrupt may be using it. */
static void sub_retire(struct mdx_sub *sub)
{
	call_rcu(&sub->rcu, sub_free_rcu);
}

static u32 *count_of(struct mdx_owner *owner, struct mdx_obj *obj)
{
	return obj ? &obj->subs_n : &owner->subs_unaffiliated_n;
}

static int subs_check_limits(struct mdx_owner *owner, struct mdx_obj *obj, u32 n)
{
	if (owner->subs_n + n > MDX_SUBSCRIPTIONS_MAX ||
	    *count_of(owner, obj) + n > MDX_SUBSCRIPTIONS_OBJ_MAX)
		return -ENOMEM;
	return 0;
}

static int subs_check_events(struct mdx_dev *mdx, const u16 *events, u32 n,
			     bool about_obj)
{
	u32 i;

	for (i = 0; i < n; i++) {
		if (!mdx_event_is_offered(&mdx->events.caps, events[i],
					  about_obj))
			return -EINVAL;
	}
	return 0;
}

static struct mdx_event_key key_of(u16 event, const struct mdx_obj *obj)
{
	struct mdx_event_obj eobj;

	if (!obj)
		return mdx_event_key_of_obj(event, NULL);
	eobj = (struct mdx_event_obj){
		.id = obj->fw_id,
		.obj_type = obj->obj_type ? obj->obj_type : obj->event_type,
		.queue_type = obj->queue_type,
	};
	return mdx_event_key_of_obj(event, &eobj);
}

/* From here on it hears events. Nothing fails any more. */
static void sub_link(struct mdx_sub *sub, struct list_head *topic,
		     struct mdx_obj *obj)
{
	struct mdx_chan *chan = sub->chan;

	sub->obj = obj;
	if (obj)
		list_add_tail(&sub->of_obj, &obj->subs);
	list_add_tail(&sub->of_chan, &chan->subs);
	chan->subs_n += !sub->eventfd;
	chan->owner->subs_n++;
	++*count_of(chan->owner, obj);
	list_add_tail_rcu(&sub->of_topic, topic);
}

/* Its channel has not ended. An interrupt may be using it. */
static void sub_unlink(struct mdx_dev *mdx, struct mdx_sub *sub)
{
	struct mdx_chan *chan = sub->chan;

	lockdep_assert_held(&mdx->events.lock);

	list_del_rcu(&sub->of_topic);
	if (sub->topic)
		mdx_topic_put(&mdx->events, sub->topic);
	list_del_init(&sub->of_obj);
	list_del_init(&sub->of_chan);
	chan->subs_n -= !sub->eventfd;
	chan->owner->subs_n--;
	--*count_of(chan->owner, sub->obj);
}

/* Return: the list of a CQ for its completions; NULL: the event has a topic */
static struct list_head *cq_list(u16 event, struct mdx_obj *obj)
{
	if (!obj || event != MDX_EVENT_COMP || !obj->ops->completions)
		return NULL;
	return obj->ops->completions(obj);
}

/* Return: 0, or -ENOMEM: no topic is held */
static int subs_get_topics(struct mdx_dev *mdx, struct mdx_sub **subs,
			   const u16 *events, u32 n, struct mdx_obj *obj)
{
	struct mdx_topic *topic;
	u32 i;

	for (i = 0; i < n; i++) {
		if (cq_list(events[i], obj))
			continue;
		topic = mdx_topic_get(&mdx->events, key_of(events[i], obj));
		if (IS_ERR(topic))
			break;
		subs[i]->topic = topic;
	}
	if (i == n)
		return 0;
	while (i--) {
		if (subs[i]->topic)
			mdx_topic_put(&mdx->events, subs[i]->topic);
	}
	return -ENOMEM;
}

static int subs_prepare(struct mdx_dev *mdx, struct mdx_sub **subs,
			const u16 *events, u32 n, struct mdx_obj *obj)
{
	struct mdx_chan *chan = subs[0]->chan;
	u32 recs = chan->subs_n + (subs[0]->eventfd ? 0 : n);
	int ret;

	/* It may have ended since the caller got it. */
	if (!chan->owner)
		return -EBADF;
	ret = mdx_event_watch(mdx);
	if (ret)
		return ret;
	ret = subs_check_events(mdx, events, n, obj);
	if (ret)
		return ret;
	ret = subs_check_limits(chan->owner, obj, n);
	if (ret)
		return ret;
	ret = mdx_eventq_expand(chan, recs * ROOM_PER_SUB);
	if (ret)
		return ret;
	return subs_get_topics(mdx, subs, events, n, obj);
}

/**
 * mdx_subs_add - Begin to hear events
 * @mdx: the device under mdx_live
 * @subs: subscriptions of a channel of the owner's, which is under mdx_owner_live; all
 *	have an eventfd, or none
 * @events: a number for each
 * @n: subscriptions, at least one
 * @obj: object of the owner's that they are about, held by the caller; NULL: none
 *
 * Return: 0, or -EBADF if the channel has ended, -EINVAL if the device does not offer
 * an event, -ENOMEM; none is made then, and the caller frees them
 */
int mdx_subs_add(struct mdx_dev *mdx, struct mdx_sub **subs, const u16 *events,
		 u32 n, struct mdx_obj *obj)
{
	struct list_head *cq;
	int ret;
	u32 i;

	guard(mutex)(&mdx->events.lock);
	ret = subs_prepare(mdx, subs, events, n, obj);
	if (ret)
		return ret;
	for (i = 0; i < n; i++) {
		cq = cq_list(events[i], obj);
		sub_link(subs[i], cq ? cq : &subs[i]->topic->subs, obj);
	}
	return 0;
}

/**
 * mdx_subs_hold - Stop hearing events of an object
 * @mdx: its device
 * @obj: the object, which is about to be destroyed: nothing subscribes to it any more
 */
void mdx_subs_hold(struct mdx_dev *mdx, struct mdx_obj *obj)
{
	struct mdx_sub *sub;

	if (list_empty(&obj->subs))
		return;
	guard(mutex)(&mdx->events.lock);
	list_for_each_entry(sub, &obj->subs, of_obj) {
		spin_lock_irq(&sub->chan->lock);
		sub->held = true;
		spin_unlock_irq(&sub->chan->lock);
	}
}

/* The event was about its object, but the entry is not known any more. */
static void sub_catch_up(struct mdx_sub *sub)
{
	struct mdx_chan *chan = sub->chan;

	spin_lock_irq(&chan->lock);
	sub->held = false;
	if (sub->missed && !sub->eventfd &&
	    !(chan->flags & MDX_CHANNEL_OMIT_DATA))
		chan->lost = true;
	else if (sub->missed)
		mdx_sub_hear(sub, NULL);
	sub->missed = false;
	spin_unlock_irq(&chan->lock);
	wake_up_interruptible(&chan->wait);
}

/**
 * mdx_subs_unhold - Undo mdx_subs_hold()
 * @mdx: its device
 * @obj: the object, whose destroy was refused: its number is still its own
 */
void mdx_subs_unhold(struct mdx_dev *mdx, struct mdx_obj *obj)
{
	struct mdx_sub *sub;

	if (list_empty(&obj->subs))
		return;
	guard(mutex)(&mdx->events.lock);
	list_for_each_entry(sub, &obj->subs, of_obj)
		sub_catch_up(sub);
}

/* Return: true if its channel has yet to tell of it */
static bool sub_leave(struct mdx_sub *sub)
{
	bool ready;

	spin_lock_irq(&sub->chan->lock);
	sub->ended = true;
	ready = !list_empty(&sub->ready);
	spin_unlock_irq(&sub->chan->lock);
	return ready;
}

/**
 * mdx_subs_end_of_obj - End the subscriptions to an object
 * @mdx: its device
 * @obj: the object, which was destroyed
 */
void mdx_subs_end_of_obj(struct mdx_dev *mdx, struct mdx_obj *obj)
{
	struct mdx_sub *sub, *next;

	if (list_empty(&obj->subs))
		return;
	guard(mutex)(&mdx->events.lock);
	list_for_each_entry_safe(sub, next, &obj->subs, of_obj) {
		sub_unlink(mdx, sub);
		if (!sub_leave(sub))
			sub_retire(sub);
	}
}

/**
 * mdx_subs_end_of_chan - End the subscriptions of a channel
 * @chan: a channel that is about to end, with mdx_events::lock
 */
void mdx_subs_end_of_chan(struct mdx_chan *chan)
{
	struct mdx_sub *sub, *next;

	lockdep_assert_held(&chan->mdx->events.lock);

	list_for_each_entry_safe(sub, next, &chan->subs, of_chan) {
		sub_unlink(chan->mdx, sub);
		if (!sub_leave(sub))
			sub_retire(sub);
	}
}

/**
 * mdx_subs_drop_ready - Free the subscriptions that a channel had yet to tell of
 * @ready: records of a channel with MDX_CHANNEL_OMIT_DATA, which has ended
 */
void mdx_subs_drop_ready(struct list_head *ready)
{
	struct mdx_sub *sub, *next;

	list_for_each_entry_safe(sub, next, ready, ready) {
		list_del_init(&sub->ready);
		sub_retire(sub);
	}
}

/**
 * mdx_sub_read - Read which subscription has heard of events
 * @chan: a channel with MDX_CHANNEL_OMIT_DATA
 * @buf: the reader's buffer
 * @count: its length
 *
 * Return: length of the cookie, or an errno as that of mdx_channel_state()
 */
ssize_t mdx_sub_read(struct mdx_chan *chan, char __user *buf, size_t count)
{
	struct mdx_sub *sub = NULL;
	u64 cookie;
	int ret;

	spin_lock_irq(&chan->lock);
	ret = mdx_channel_state(chan);
	if (!ret && count < sizeof(cookie))
		ret = -EINVAL;
	if (!ret) {
		sub = list_first_entry(&chan->records, struct mdx_sub, ready);
		cookie = sub->cookie;
		list_del_init(&sub->ready);
		if (!sub->ended)
			sub = NULL;
	}
	spin_unlock_irq(&chan->lock);
	if (!ret && sub)
		sub_retire(sub);
	if (ret)
		return ret;
	return copy_to_user(buf, &cookie, sizeof(cookie)) ? -EFAULT :
							    sizeof(cookie);
}
