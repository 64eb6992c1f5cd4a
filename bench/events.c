// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Events that nobody subscribed to, while there is one subscription to another: the
 * profiler counts what the module's notifier costs at each, which is far less than the
 * noise of all else. As many ends of commands as events of an object.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "bench.h"
#include "bench_events.h"
#include "events.h"
#include "floor.h"
#include "hca_ctl.h"

#define EVENT_CQ_ERROR 0x04
#define EVENT_SRQ_LIMIT 0x14
#define SRQ_NUM_AT 56

static int floor_fd;

/* The device ends each of @n commands by an event. */
static void run_cmds(unsigned int n)
{
	uint8_t in[MBOX_HDR_LEN] = { MLX5_CMD_OP_NOP >> 8, MLX5_CMD_OP_NOP & 0xff };
	uint8_t out[MBOX_HDR_LEN];
	struct floor_cmd cmd = {
		.in = (uintptr_t)in,
		.out = (uintptr_t)out,
		.in_len = sizeof(in),
		.out_len = sizeof(out),
		.n = n,
	};

	if (ioctl(floor_fd, FLOOR_LOAD, &cmd) ||
	    ioctl(floor_fd, FLOOR_RUN, &cmd))
		die("%s: %s", FLOOR_NODE, strerror(errno));
}

/* Events about SRQs that no one has. */
static void post_events(unsigned int n)
{
	static const struct event_form form = {
		.type = EVENT_SRQ_LIMIT, .num = SRQ_NUM_AT,
	};

	while (n--)
		if (!event_post(w.hca, &form, 0xfffff0))
			die("the software ConnectX posts no events");
}

static void subscribe_once(void)
{
	struct subscribe_call call = {
		.obj = w.obj[OBJTYPE_CQ].id,
		.event = EVENT_CQ_ERROR,
	};
	int ret = _test_mdx_channel(w.mdx.fd, MDX_CHANNEL_EVENTS, 16,
				    &call.chan);

	if (!ret)
		ret = _test_mdx_subscribe(w.mdx.fd, &call);
	if (ret)
		die("cannot subscribe: %s", strerror(ret));
}

void bench_events(unsigned int n)
{
	floor_fd = open(FLOOR_NODE, O_RDWR | O_CLOEXEC);
	if (floor_fd < 0)
		die("%s: %s", FLOOR_NODE, strerror(errno));
	if (!w.hca)
		die("the device is not the software ConnectX");
	if (objtype_create(&w, OBJTYPE_CQ))
		die("cannot create a CQ");
	subscribe_once();
	/* Marks for profile.c. */
	asm volatile("xchg %%r12w, %%r12w" ::: "memory");
	run_cmds(n);
	post_events(n);
	asm volatile("xchg %%r13w, %%r13w" ::: "memory");
	printf("bench: events n=%u\n", n);
}
