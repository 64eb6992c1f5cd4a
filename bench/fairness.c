// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * What a process notices of another one that has 64 slow commands under way at
 * all times: the 99th percentile of its NOPs, next to that on an idle device.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "bench.h"

#define SLOW 64
#define SLOW_US 20000
#define NOPS 400

static void *send_slow(void *unused)
{
	uint8_t in[16] = {}, out[4112];
	struct mbox m = { in, out, sizeof(in), sizeof(out) };

	mdx_hdr(in, MLX5_CMD_OP_QUERY_HCA_CAP, 1, 0);
	for (;;)
		_test_mdx_general(w.mdx.fd, &m);
	return unused;
}

static pid_t start_slow(void)
{
	pthread_t thread;
	pid_t pid = fork();
	int i;

	if (pid)
		return pid;
	if (mdx_start(&w.mdx))
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

/* The 99th percentile, in nanoseconds. */
static uint64_t nops(void)
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
	return ns[NOPS * 99 / 100];
}

void bench_fairness(void)
{
	struct hca *hca = w.hca;
	uint64_t idle, busy;
	pid_t pid;

	if (!hca || hca_cmd(hca, "delay %x %d", MLX5_CMD_OP_QUERY_HCA_CAP,
			    SLOW_US) || hca_cmd(hca, "parallel 32"))
		die("the device is not the software one");
	nops();
	idle = nops();
	pid = start_slow();
	usleep(500000);
	busy = nops();
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	printf("bench: fairness-%d idle_us=%.0f busy_us=%.0f ratio=%.2f\n",
	       SLOW, idle / 1e3, busy / 1e3, (double)busy / idle);
}
