// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Instructions of a NOP that is a batch of one, that is one item of a long batch, and
 * that is a call of its own. They are counted as in commands.c, outside the idle task.
 */
#include <stdlib.h>

#include "bench.h"
#include "bench_bulk.h"
#include "floor.h"

#define LONG_BATCH 256
#define DELAY_US 1000

static int floor_fd;
static struct mdx_item items[LONG_BATCH];
static uint64_t nop_in[2], nop_out[LONG_BATCH][2];

static void items_build(void)
{
	unsigned int i;

	mdx_hdr(nop_in, MLX5_CMD_OP_NOP, 0, 0);
	for (i = 0; i < LONG_BATCH; i++)
		items[i] = (struct mdx_item){
			.cmd = MDX_CMD_GENERAL,
			.in = (uintptr_t)nop_in,
			.out = (uintptr_t)nop_out[i],
			.in_len = sizeof(nop_in),
			.out_len = sizeof(nop_out[i]),
		};
}

static int submit_items(unsigned int n)
{
	struct mdx_ioc_submit arg = {
		.size = sizeof(arg),
		.items = (uintptr_t)items,
		.items_n = n,
		.item_size = sizeof(items[0]),
		.channel = -1,
	};
	int ret = mdx_ioctl(w.mdx.fd, MDX_IOC_SUBMIT, &arg);

	return ret ? ret : arg.out_failed ? EREMOTEIO : 0;
}

static int submit_one(void)
{
	return submit_items(1);
}

static int submit_long(void)
{
	return submit_items(LONG_BATCH);
}

static int send_ours(void)
{
	struct mbox_pair m = {
		nop_in, nop_out[0], sizeof(nop_in), sizeof(nop_out[0]),
	};

	return _test_mdx_general(w.mdx.fd, &m);
}

static int send_stock(void)
{
	return stock.general(w.mdx.ctx, nop_in, sizeof(nop_in), nop_out[0],
			     sizeof(nop_out[0]));
}

static double ticks_of(int (*send)(void))
{
	struct floor_now a, b;
	int ret;

	if (ioctl(floor_fd, FLOOR_NOW, &a))
		die("%s: %s", FLOOR_NODE, strerror(errno));
	ret = send();
	ioctl(floor_fd, FLOOR_NOW, &b);
	if (ret)
		die("NOP: %s", strerror(ret));
	return (b.tsc - a.tsc) - (b.idle - a.idle);
}

static double median_ticks(int (*send)(void), unsigned int rounds)
{
	double ticks[rounds];
	unsigned int i;

	ticks_of(send);
	for (i = 0; i < rounds; i++)
		ticks[i] = ticks_of(send);
	return percentile(ticks, rounds, 50);
}

void bench_bulk_cpu(unsigned int rounds)
{
	double one, of_long, single, by_stock;

	floor_fd = open(FLOOR_NODE, O_RDWR | O_CLOEXEC);
	if (floor_fd < 0)
		die("%s: %s", FLOOR_NODE, strerror(errno));
	if (!w.hca || hca_cmd(w.hca, "delay * %d", DELAY_US) ||
	    hca_cmd(w.hca, "parallel 8"))
		die("the device is not the software ConnectX");
	items_build();
	one = median_ticks(submit_one, rounds);
	single = median_ticks(send_ours, rounds);
	by_stock = median_ticks(send_stock, rounds);
	of_long = median_ticks(submit_long, 5) / LONG_BATCH;
	printf("bench: bulk-one ours=%.0f single=%.0f stock=%.0f ratio=%.2f\n", one,
	       single, by_stock, one / single);
	printf("bench: bulk-item ours=%.0f single=%.0f stock=%.0f ratio=%.2f\n",
	       of_long, single, by_stock, of_long / single);
}
