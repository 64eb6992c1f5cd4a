// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Latency of the NOPs of one process while another one keeps 64 slow commands
 * in flight, compared with that on an idle device. The busy process uses
 * mlx5_devx or the stock driver. Or it submits batches of 4096 commands.
 *
 * Phases with the busy process running and stopped alternate. The result is the
 * median of the phases, since the load of the machine changes. With one CPU,
 * its time outside the idle task during a NOP is measured, too: that part does
 * not depend on when the device answers.
 */
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

#include "bench.h"
#include "bench_fairness.h"
#include "floor.h"

#define SLOW 64
#define SLOW_US 20000
#define NOPS 600
#define STOCK_NOPS 150	/* fewer: each takes longer */
#define PHASES 5
#define BATCH_IN_FLIGHT 16

/* A short command: the time of the device counts, not that of copies. */
static uint8_t slow_in[16];
static struct ibv_context *slow_ctx;

static void *send_slow(void *unused)
{
	uint8_t out[112];
	struct mbox_pair m = { slow_in, out, sizeof(slow_in), sizeof(out) };

	for (;;) {
		if (!slow_ctx)
			_test_mdx_general(w.mdx.fd, &m);
		else
			stock.general(slow_ctx, slow_in, sizeof(slow_in), out,
				      sizeof(out));
	}
	return unused;
}

static void submit_slow(void)
{
	static struct mdx_item items[MDX_SUBMIT_ITEMS_MAX];
	static uint8_t out[112];
	struct mdx_ioc_submit arg = {
		.size = sizeof(arg),
		.items = (uintptr_t)items,
		.items_n = MDX_SUBMIT_ITEMS_MAX,
		.item_size = sizeof(items[0]),
		.in_flight = BATCH_IN_FLIGHT,
		.channel = -1,
	};
	unsigned int i;

	for (i = 0; i < MDX_SUBMIT_ITEMS_MAX; i++)
		items[i] = (struct mdx_item){
			.cmd = MDX_CMD_GENERAL,
			.in = (uintptr_t)slow_in,
			.out = (uintptr_t)out,
			.in_len = sizeof(slow_in),
			.out_len = sizeof(out),
		};
	while (!mdx_ioctl(w.mdx.fd, MDX_IOC_SUBMIT, &arg))
		;
	_exit(1);
}

enum slow_way { SLOW_OURS, SLOW_STOCK, SLOW_BATCH };

static pid_t start_slow(enum slow_way way)
{
	pthread_t thread;
	pid_t pid = fork();
	int i;

	if (pid) {
		usleep(300000);
		return pid;
	}
	mdx_hdr(slow_in, MLX5_CMD_OP_QUERY_ISSI, 0, 0);
	if (way == SLOW_STOCK)
		slow_ctx = mdx_ctx_open();
	if (way == SLOW_STOCK ? !slow_ctx : mdx_start(&w.mdx))
		_exit(1);
	if (way == SLOW_BATCH)
		submit_slow();
	for (i = 0; i < SLOW; i++)
		if (pthread_create(&thread, NULL, send_slow, NULL))
			_exit(1);
	pause();
	_exit(0);
}

/* In microseconds. */
struct latency {
	double p50, p99;
	double cpu99;	/* ticks / 1000: us under -icount; 0: unknown */
};

static int floor_fd = -1;

static double cpu_now(void)
{
	struct floor_now now;

	if (floor_fd < 0 || ioctl(floor_fd, FLOOR_NOW, &now))
		return 0;
	return (now.tsc - now.idle) / 1e3;
}

static struct latency measure_nops(unsigned int n)
{
	uint8_t in[16] = {}, out[16];
	struct mbox_pair m = { in, out, sizeof(in), sizeof(out) };
	static double us[NOPS], cpu[NOPS];
	unsigned int i;
	int ret;

	mdx_hdr(in, MLX5_CMD_OP_NOP, 0, 0);
	for (i = 0; i < n; i++) {
		double cpu_start = cpu_now();
		uint64_t start = now_ns();

		ret = _test_mdx_general(w.mdx.fd, &m);
		if (ret)
			die("NOP: %s", strerror(ret));
		us[i] = (now_ns() - start) / 1e3;
		cpu[i] = cpu_now() - cpu_start;
		usleep(1000);
	}
	return (struct latency){
		percentile(us, n, 50), percentile(us, n, 99),
		percentile(cpu, n, 99),
	};
}

/*
 * Wait until all threads have started, or have their answers and are stopped.
 */
static void signal_slow(pid_t pid, int sig)
{
	kill(pid, sig);
	usleep(300000);
}

/* The median of the phases, for each figure. */
static struct latency median_phase(const struct latency *l)
{
	double p50[PHASES], p99[PHASES], cpu99[PHASES];
	int i;

	for (i = 0; i < PHASES; i++) {
		p50[i] = l[i].p50;
		p99[i] = l[i].p99;
		cpu99[i] = l[i].cpu99;
	}
	return (struct latency){
		percentile(p50, PHASES, 50), percentile(p99, PHASES, 50),
		percentile(cpu99, PHASES, 50),
	};
}

static void end_slow(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void nops_beside_ours(struct latency *busy, struct latency *idle)
{
	struct latency with[PHASES], without[PHASES];
	pid_t pid = start_slow(SLOW_OURS);
	int i;

	for (i = 0; i < PHASES; i++) {
		signal_slow(pid, SIGCONT);
		with[i] = measure_nops(NOPS);
		signal_slow(pid, SIGSTOP);
		without[i] = measure_nops(NOPS);
	}
	end_slow(pid);
	*busy = median_phase(with);
	*idle = median_phase(without);
}

/* SIGSTOP would wait for the batch, SIGKILL ends it. */
static void nops_beside_batch(struct latency *busy, struct latency *idle)
{
	struct latency with[PHASES], without[PHASES];
	int i;

	for (i = 0; i < PHASES; i++) {
		pid_t pid = start_slow(SLOW_BATCH);

		with[i] = measure_nops(NOPS);
		end_slow(pid);
		without[i] = measure_nops(NOPS);
	}
	*busy = median_phase(with);
	*idle = median_phase(without);
}

static struct latency nops_beside_stock(void)
{
	pid_t pid = start_slow(SLOW_STOCK);
	struct latency l;

	signal_slow(pid, SIGCONT);
	l = measure_nops(STOCK_NOPS);
	end_slow(pid);
	return l;
}

static void print_medians(const struct latency *idle, const struct latency *busy)
{
	printf(" median_idle_us=%.0f median_busy_us=%.0f", idle->p50, busy->p50);
	if (floor_fd >= 0)
		printf(" cpu_idle_us=%.0f cpu_busy_us=%.0f", idle->cpu99,
		       busy->cpu99);
	printf("\n");
}

void bench_fairness(const char *how)
{
	struct latency idle, busy, stock_busy;
	struct hca_ctl *hca = w.hca;

	if (sysconf(_SC_NPROCESSORS_ONLN) == 1)
		floor_fd = open(FLOOR_NODE, O_RDWR | O_CLOEXEC);
	if (!hca || hca_cmd(hca, "delay %x %d", MLX5_CMD_OP_QUERY_ISSI,
			    SLOW_US) || hca_cmd(hca, "parallel 32"))
		die("the device is not the software ConnectX");
	nops_beside_ours(&busy, &idle);
	stock_busy = nops_beside_stock();
	printf("bench: fairness-%s idle_us=%.0f busy_us=%.0f stock_busy_us=%.0f",
	       how, idle.p99, busy.p99, stock_busy.p99);
	printf(" busy/idle=%.2f stock_busy/idle=%.2f", busy.p99 / idle.p99,
	       stock_busy.p99 / idle.p99);
	print_medians(&idle, &busy);
	nops_beside_batch(&busy, &idle);
	hca_cmd(hca, "delay %x 0", MLX5_CMD_OP_QUERY_ISSI);
	printf("bench: fairness-batch-%s idle_us=%.0f busy_us=%.0f busy/idle=%.2f",
	       how, idle.p99, busy.p99, busy.p99 / idle.p99);
	print_medians(&idle, &busy);
}
