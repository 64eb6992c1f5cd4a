// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Kernel memory that batches take while they run. A thread reads what is charged to the
 * cgroup, again and again, while the other submits batches of the greatest length. Items
 * and mailboxes of user space are not counted.
 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench.h"
#include "bench_bulk.h"
#include "bench_memory.h"

#define IN_LEN 16
#define OUT_LEN 4112	/* of QUERY_HCA_CAP: a page of capabilities */

static struct mdx_item items[MDX_SUBMIT_ITEMS_MAX];
static uint64_t query_in[IN_LEN / 8], query_out[OUT_LEN / 8];
static double peak;
static bool stop;

static void *watch_memory(void *unused)
{
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		double now = memory_charged("kernel");

		if (now > peak)
			peak = now;
		usleep(2000);
	}
	return unused;
}

static void submit_queries(unsigned int n)
{
	struct mdx_ioc_submit arg = {
		.size = sizeof(arg),
		.items = (uintptr_t)items,
		.items_n = n,
		.item_size = sizeof(items[0]),
		.in_flight = MDX_SUBMIT_IN_FLIGHT_MAX,
		.channel = -1,
	};
	int ret = mdx_ioctl(w.mdx.fd, MDX_IOC_SUBMIT, &arg);

	if (ret || arg.out_failed)
		die("submit: %s, %u items failed", strerror(ret), arg.out_failed);
}

static void items_build(void)
{
	unsigned int i;

	mdx_hdr(query_in, MLX5_CMD_OP_QUERY_HCA_CAP, 1, 0);
	for (i = 0; i < MDX_SUBMIT_ITEMS_MAX; i++)
		items[i] = (struct mdx_item){
			.cmd = MDX_CMD_GENERAL,
			.in = (uintptr_t)query_in,
			.out = (uintptr_t)query_out,
			.in_len = IN_LEN,
			.out_len = OUT_LEN,
		};
}

void bench_bulk_memory(unsigned int n)
{
	unsigned int left, some;
	pthread_t thread;
	double before;

	memory_enter_cgroup();
	items_build();
	before = memory_charged("kernel");
	peak = before;
	if (pthread_create(&thread, NULL, watch_memory, NULL))
		die("cannot create a thread");
	for (left = n; left; left -= some) {
		some = left < MDX_SUBMIT_ITEMS_MAX ? left : MDX_SUBMIT_ITEMS_MAX;
		submit_queries(some);
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	printf("bench: bulk-memory items=%u peak_bytes=%.0f bytes_per_item=%.1f bytes_after=%.0f\n",
	       n, peak - before, (peak - before) / n,
	       memory_charged("kernel") - before);
}
