// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Time to destroy many objects on a device that takes 100 us for a command and
 * executes 8 at a time: one by one, by closing the file of mlx5_devx, by
 * closing a context of the stock driver.
 */
#include <stdlib.h>

#include "bench.h"
#include "bench_teardown.h"

#define DELAY_US 100
#define PARALLEL 8

static void slow_down(struct hca_ctl *hca, bool on)
{
	if (!hca || hca_cmd(hca, "delay * %d", on ? DELAY_US : 0) ||
	    hca_cmd(hca, "parallel %d", on ? PARALLEL : 1))
		die("the device is not the software ConnectX");
}

/* Open a file and create @n PDs in it; @ids receives their ids. */
static int create_pds(struct mdx_binding *mdx, unsigned int n, uint32_t *ids)
{
	unsigned int i;
	int ret;

	if (mdx_start(mdx))
		die("cannot open and bind a file");
	for (i = 0; i < n; i++) {
		objtype_build_create(&w, OBJTYPE_PD);
		ret = _test_mdx_create(mdx->fd, &w.m, &ids[i]);
		if (ret)
			die("object %u: %s", i, strerror(ret));
	}
	return mdx->fd;
}

static uint64_t destroy_one_by_one(struct hca_ctl *hca, unsigned int n,
				   uint32_t *ids)
{
	struct mdx_binding mdx;
	unsigned int i;
	uint64_t start;

	create_pds(&mdx, n, ids);
	slow_down(hca, true);
	start = now_ns();
	for (i = n; i; i--)
		_test_mdx_destroy(mdx.fd, ids[i - 1]);
	start = now_ns() - start;
	slow_down(hca, false);
	mdx_stop(&mdx);
	return start;
}

static uint64_t destroy_by_close(struct hca_ctl *hca, unsigned int n, uint32_t *ids)
{
	struct mdx_binding mdx;
	uint64_t start;

	create_pds(&mdx, n, ids);
	slow_down(hca, true);
	start = now_ns();
	close(mdx.fd);
	start = now_ns() - start;
	slow_down(hca, false);
	mdx.fd = -1;
	mdx_stop(&mdx);
	return start;
}

static uint64_t destroy_by_stock(struct hca_ctl *hca, unsigned int n)
{
	struct ibv_context *ctx = mdx_ctx_open();
	unsigned int i;
	uint64_t start;

	if (!ctx)
		die("cannot open a context");
	for (i = 0; i < n; i++) {
		objtype_build_create(&w, OBJTYPE_PD);
		if (!stock.create(ctx, w.in, w.m.in_len, w.out, w.m.out_len))
			die("object %u: %s", i, strerror(errno));
	}
	slow_down(hca, true);
	start = now_ns();
	ibv_close_device(ctx);
	start = now_ns() - start;
	slow_down(hca, false);
	return start;
}

void bench_teardown(unsigned int n, const char *how)
{
	struct hca_ctl *hca = w.hca;
	uint32_t *ids = calloc(n, sizeof(*ids));
	uint64_t serial, ours_ns, stock_ns;

	if (!ids)
		die("out of memory");
	serial = destroy_one_by_one(hca, n, ids);
	ours_ns = destroy_by_close(hca, n, ids);
	stock_ns = destroy_by_stock(hca, n);
	printf("bench: teardown-%s n=%u ours_ms=%.1f serial_ms=%.1f stock_ms=%.1f ours/serial=%.2f ours/stock=%.2f\n",
	       how, n, ours_ns / 1e6, serial / 1e6, stock_ns / 1e6,
	       (double)ours_ns / serial, (double)ours_ns / stock_ns);
	free(ids);
}
