// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * How long the end of many objects takes, with a device that needs 100 us for a
 * command and works on 8 at a time: one by one, by closing our file, by closing a
 * context of the stock driver.
 */
#include <stdlib.h>

#include "bench.h"

#define DELAY_US 100
#define PARALLEL 8

static void slow(struct hca *hca, bool on)
{
	if (!hca || hca_cmd(hca, "delay * %d", on ? DELAY_US : 0) ||
	    hca_cmd(hca, "parallel %d", on ? PARALLEL : 1))
		die("the device is not the software one");
}

/* A file of its own with so many PDs; their ids. */
static int fill(struct mdx *mdx, unsigned int n, uint32_t *ids)
{
	unsigned int i;
	int ret;

	if (mdx_start(mdx))
		die("no file");
	for (i = 0; i < n; i++) {
		kind_build_create(&w, KIND_PD);
		ret = _test_mdx_create(mdx->fd, &w.m, &ids[i]);
		if (ret)
			die("object %u: %s", i, strerror(ret));
	}
	return mdx->fd;
}

static uint64_t one_by_one(struct hca *hca, unsigned int n, uint32_t *ids)
{
	struct mdx mdx;
	unsigned int i;
	uint64_t start;

	fill(&mdx, n, ids);
	slow(hca, true);
	start = now_ns();
	for (i = n; i; i--)
		_test_mdx_destroy(mdx.fd, ids[i - 1]);
	start = now_ns() - start;
	slow(hca, false);
	mdx_stop(&mdx);
	return start;
}

static uint64_t by_close(struct hca *hca, unsigned int n, uint32_t *ids)
{
	struct mdx mdx;
	uint64_t start;

	fill(&mdx, n, ids);
	slow(hca, true);
	start = now_ns();
	close(mdx.fd);
	start = now_ns() - start;
	slow(hca, false);
	mdx.fd = -1;
	mdx_stop(&mdx);
	return start;
}

static uint64_t by_stock(struct hca *hca, unsigned int n)
{
	struct ibv_context *ctx = mdx_ctx_open();
	unsigned int i;
	uint64_t start;

	if (!ctx)
		die("no context");
	for (i = 0; i < n; i++) {
		kind_build_create(&w, KIND_PD);
		if (!stock.create(ctx, w.in, w.m.in_len, w.out, w.m.out_len))
			die("object %u: %s", i, strerror(errno));
	}
	slow(hca, true);
	start = now_ns();
	ibv_close_device(ctx);
	start = now_ns() - start;
	slow(hca, false);
	return start;
}

void bench_teardown(unsigned int n, const char *how)
{
	struct hca *hca = w.hca;
	uint32_t *ids = calloc(n, sizeof(*ids));
	uint64_t serial, ours_ns, stock_ns;

	if (!ids)
		die("no memory");
	serial = one_by_one(hca, n, ids);
	ours_ns = by_close(hca, n, ids);
	stock_ns = by_stock(hca, n);
	printf("bench: teardown-%s n=%u ours_ms=%.1f serial_ms=%.1f stock_ms=%.1f ours/serial=%.2f ours/stock=%.2f\n",
	       how, n, ours_ns / 1e6, serial / 1e6, stock_ns / 1e6,
	       (double)ours_ns / serial, (double)ours_ns / stock_ns);
	free(ids);
}
