// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Subscribing to events, for user space: MDX_IOC_SUBSCRIBE.
 */
#include <linux/eventfd.h>
#include <linux/kernel.h>
#include <linux/uaccess.h>

#include "channel.h"
#include "dev.h"
#include "file.h"
#include "objs.h"
#include "owner.h"
#include "subs.h"
#include "subscribe.h"
#include "ucmd.h"

static void subs_free(struct mdx_sub **subs, u32 n)
{
	while (n--)
		mdx_sub_free(subs[n]);
}

/* Each has a reference on the eventfd. */
static int subs_alloc(struct mdx_sub **subs, struct mdx_chan *chan,
		      const struct mdx_ioc_subscribe *arg)
{
	struct eventfd_ctx *eventfd;
	u32 i;

	for (i = 0; i < arg->events_n; i++) {
		subs[i] = mdx_sub_alloc(chan, arg->cookie);
		if (!subs[i])
			return -ENOMEM;
		if (arg->eventfd == -1)
			continue;
		eventfd = eventfd_ctx_fdget(arg->eventfd);
		if (IS_ERR(eventfd))
			return PTR_ERR(eventfd);
		subs[i]->eventfd = eventfd;
	}
	return 0;
}

static int subs_add_live(struct mdx_ucmd *ucmd, struct mdx_sub **subs,
			 const u16 *events)
{
	const struct mdx_ioc_subscribe *arg = ucmd->arg;
	struct mdx_owner *owner = ucmd->file->owner;
	struct mdx_obj *obj = NULL;
	int ret;

	guard(mdx_live)(owner->mdx);
	guard(mdx_owner_live)(owner);
	ret = mdx_owner_check(owner);
	if (ret)
		return ret;
	if (arg->obj) {
		ucmd->err.stage = MDX_STAGE_OBJECT;
		obj = mdx_obj_get_shared(ucmd->file->objs, arg->obj);
		if (IS_ERR(obj))
			return PTR_ERR(obj);
	}
	ucmd->err.stage = MDX_STAGE_CHECK;
	ret = mdx_subs_add(owner->mdx, subs, events, arg->events_n, obj);
	if (obj)
		mdx_obj_put_shared(obj);
	return ret;
}

static int subscribe_to(struct mdx_ucmd *ucmd, struct mdx_chan *chan,
			const u16 *events)
{
	struct mdx_sub *subs[MDX_SUBSCRIBE_EVENTS_MAX] = {};
	const struct mdx_ioc_subscribe *arg = ucmd->arg;
	int ret;

	ret = subs_alloc(subs, chan, arg);
	if (!ret)
		ret = subs_add_live(ucmd, subs, events);
	if (ret)
		subs_free(subs, arg->events_n);
	return ret;
}

/* MDX_IOC_SUBSCRIBE. It does not ask the device, and needs no slot. */
int mdx_ioc_subscribe(struct mdx_ucmd *ucmd)
{
	struct mdx_owner *owner = mdx_file_owner(ucmd->file);
	const struct mdx_ioc_subscribe *arg = ucmd->arg;
	u16 events[MDX_SUBSCRIBE_EVENTS_MAX];
	struct mdx_chan *chan;
	int ret;

	if (IS_ERR(owner))
		return PTR_ERR(owner);
	ucmd->err.obj = arg->obj;
	if (!arg->events_n || arg->events_n > MDX_SUBSCRIBE_EVENTS_MAX ||
	    (arg->eventfd != -1 && arg->cookie))
		return -EINVAL;
	if (copy_from_user(events, u64_to_user_ptr(arg->events),
			   arg->events_n * sizeof(*events))) {
		ucmd->err.stage = MDX_STAGE_MEMORY;
		return -EFAULT;
	}
	chan = mdx_channel_get(arg->channel, owner, MDX_CHANNEL_EVENTS);
	if (IS_ERR(chan))
		return PTR_ERR(chan);
	ret = subscribe_to(ucmd, chan, events);
	mdx_channel_put(chan);
	return ret;
}
