// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The cost of an event for those who do not hear it: before the first subscription on
 * the device, and with one subscription to another event. The module hears no event
 * before, and looks up every one of them after, but for those of the kernel's own
 * commands.
 *
 * The unit is that of commands.c. An event costs many thousand instructions until it
 * is in the queue, since it is posted through the control socket of the software
 * ConnectX, so the result is the difference of two medians.
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

/* Ticks of each of @n commands, each of which the device ends by an event. */
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

static double median_ticks(void (*run)(unsigned int n), unsigned int rounds,
			   unsigned int n)
{
	double v[rounds];
	unsigned int i;

	run(n);
	for (i = 0; i < rounds; i++) {
		struct floor_now none, a, b;

		if (ioctl(floor_fd, FLOOR_NOW, &none) ||
		    ioctl(floor_fd, FLOOR_NOW, &a))
			die("%s: %s", FLOOR_NODE, strerror(errno));
		run(n);
		ioctl(floor_fd, FLOOR_NOW, &b);
		v[i] = (double)((b.tsc - a.tsc) - (b.idle - a.idle) -
				(a.tsc - none.tsc)) / n;
	}
	return percentile(v, rounds, 50);
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

static void print_cost(const char *name, double before, double after)
{
	printf("bench: event-%s before=%.0f after=%.0f cost=%.0f\n", name,
	       before, after, after - before);
}

void bench_events(unsigned int rounds, unsigned int n)
{
	double cmd, other;

	floor_fd = open(FLOOR_NODE, O_RDWR | O_CLOEXEC);
	if (floor_fd < 0)
		die("%s: %s", FLOOR_NODE, strerror(errno));
	if (!w.hca || hca_cmd(w.hca, "delay * 1000"))
		die("the device is not the software ConnectX");
	if (objtype_create(&w, OBJTYPE_CQ))
		die("cannot create a CQ");

	cmd = median_ticks(run_cmds, rounds, n);
	other = median_ticks(post_events, rounds, n);
	subscribe_once();
	print_cost("cmd", cmd, median_ticks(run_cmds, rounds, n));
	print_cost("other", other, median_ticks(post_events, rounds, n));
	hca_cmd(w.hca, "delay * 0");
}
