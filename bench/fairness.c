// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * What a process notices of another one that has 64 slow commands under way at
 * all times: how long its NOPs take, next to that on an idle device. The other one
 * sends through us, or through the stock driver.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "bench.h"

#define SLOW 64
#define SLOW_US 20000
#define NOPS 300

/* Short ones, as it is about the device's time and not about copying. */
static uint8_t slow_in[16];
static struct ibv_context *slow_ctx;

static void *send_slow(void *unused)
{
	uint8_t out[112];
	struct mbox m = { slow_in, out, sizeof(slow_in), sizeof(out) };

	for (;;) {
		if (!slow_ctx)
			_test_mdx_general(w.mdx.fd, &m);
		else
			stock.general(slow_ctx, slow_in, sizeof(slow_in), out,
				      sizeof(out));
	}
	return unused;
}

static pid_t start_slow(bool by_stock)
{
	pthread_t thread;
	pid_t pid = fork();
	int i;

	if (pid)
		return pid;
	mdx_hdr(slow_in, MLX5_CMD_OP_QUERY_ISSI, 0, 0);
	if (by_stock)
		slow_ctx = mdx_ctx_open();
	if (by_stock ? !slow_ctx : mdx_start(&w.mdx))
		_exit(1);
	for (i = 0; i < SLOW; i++)
		if (pthread_create(&thread, NULL, send_slow, NULL))
			_exit(1);
	pause();
	_exit(0);
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

struct latency {
	double p50, p99;	/* microseconds */
};

static struct latency nops(void)
{
	uint8_t in[16] = {}, out[16];
	struct mbox m = { in, out, sizeof(in), sizeof(out) };
	static uint64_t ns[NOPS];
	int i, ret;

	mdx_hdr(in, MLX5_CMD_OP_NOP, 0, 0);
	for (i = 0; i < NOPS; i++) {
		uint64_t start = now_ns();

		ret = _test_mdx_general(w.mdx.fd, &m);
		if (ret)
			die("NOP: %s", strerror(ret));
		ns[i] = now_ns() - start;
		usleep(1000);
	}
	qsort(ns, NOPS, sizeof(ns[0]), compare);
	return (struct latency){ ns[NOPS / 2] / 1e3, ns[NOPS * 99 / 100] / 1e3 };
}

static struct latency nops_beside(bool by_stock)
{
	pid_t pid = start_slow(by_stock);
	struct latency l;

	usleep(500000);
	l = nops();
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return l;
}

void bench_fairness(const char *how)
{
	struct latency idle, busy, stock_busy;
	struct hca *hca = w.hca;

	if (!hca || hca_cmd(hca, "delay %x %d", MLX5_CMD_OP_QUERY_ISSI,
			    SLOW_US) || hca_cmd(hca, "parallel 32"))
		die("the device is not the software one");
	nops();
	idle = nops();
	busy = nops_beside(false);
	stock_busy = nops_beside(true);
	hca_cmd(hca, "delay %x 0", MLX5_CMD_OP_QUERY_ISSI);
	printf("bench: fairness-%s idle_us=%.0f busy_us=%.0f stock_busy_us=%.0f",
	       how, idle.p99, busy.p99, stock_busy.p99);
	printf(" busy/idle=%.2f stock_busy/idle=%.2f median_idle_us=%.0f median_busy_us=%.0f\n",
	       busy.p99 / idle.p99, stock_busy.p99 / idle.p99, idle.p50,
	       busy.p50);
}
