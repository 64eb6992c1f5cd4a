// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <poll.h>
#include <stdio.h>

#include "events.h"

/* Type specific data begin here in an entry, and this is their length. */
#define EQE_DATA 32
#define EQE_DATA_LEN 28

#define WAIT_MS 5000

int _test_mdx_channel(int fd, uint32_t flags, uint32_t depth, int *chan)
{
	struct mdx_ioc_channel arg = {
		.size = sizeof(arg),
		.flags = flags,
		.depth = depth,
		.out_fd = -1,
	};
	int ret = mdx_ioctl(fd, MDX_IOC_CHANNEL, &arg);

	if (!ret && chan)
		*chan = arg.out_fd;
	return ret;
}

int _test_mdx_subscribe(int fd, const struct subscribe_call *call)
{
	struct mdx_ioc_subscribe arg = {
		.size = sizeof(arg),
		.events = (uintptr_t)(call->n ? call->events : &call->event),
		.events_n = call->n ?: 1,
		.cookie = call->cookie,
		.channel = call->chan,
		.eventfd = call->eventfd ?: -1,
		.obj = call->obj,
	};

	return mdx_ioctl(fd, MDX_IOC_SUBSCRIBE, &arg);
}

static int poll_for(int chan, int ms)
{
	struct pollfd pfd = {
		.fd = chan,
		.events = POLLIN | POLLRDNORM | POLLRDHUP,
	};

	return poll(&pfd, 1, ms) > 0 ? pfd.revents : 0;
}

int chan_poll(int chan)
{
	return poll_for(chan, WAIT_MS);
}

int chan_poll_now(int chan)
{
	return poll_for(chan, 0);
}

int chan_read_now(int chan, void *buf, size_t size)
{
	int flags = fcntl(chan, F_GETFL);
	ssize_t len;

	fcntl(chan, F_SETFL, flags | O_NONBLOCK);
	len = read(chan, buf, size);
	if (len < 0)
		len = -errno;
	fcntl(chan, F_SETFL, flags);
	return len;
}

int chan_read(int chan, void *buf, size_t size)
{
	return chan_poll(chan) ? chan_read_now(chan, buf, size) : -ETIME;
}

static void put_be(uint8_t *at, uint32_t val, int len)
{
	while (len--) {
		at[len] = val;
		val >>= 8;
	}
}

bool event_post(struct hca_ctl *hca, const struct event_form *form, uint32_t num)
{
	uint8_t eqe[EQE_LEN] = { 0 };
	char hex[2 * EQE_DATA_LEN + 1];
	int i;

	if (form->type_at)
		put_be(eqe + form->type_at, form->type_is, 2);
	put_be(eqe + form->num, num, 4);
	for (i = 0; i < EQE_DATA_LEN; i++)
		sprintf(hex + 2 * i, "%02x", eqe[EQE_DATA + i]);
	return !hca_cmd(hca, "event %u 0x%x %s", form->type,
			form->num == EQE_DATA + 24 || form->num == EQE_DATA ||
			form->num == EQE_DATA + 4 ? num : 0, hex);
}
