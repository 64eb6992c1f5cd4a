// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Time to create many CQs and QPs and move the QPs to INIT, on a device that takes 200 us
 * for a command and executes 8 or 16 at a time: by batches, and one command after the
 * other by either library.
 *
 * A guest without KVM executes an instruction in tens of nanoseconds, and its device
 * sleeps in real time. So the device is made slower, in the proportion of the time of a
 * command that the device answers at once to its instructions, at one a nanosecond.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include <mdx/mdx.h>

#include "bench_bulk.h"
#include "bulk_chain.h"

#define DELAY_US 200
#define PARALLEL 8
#define PARALLEL_MORE 16
#define CHAINS_MIN 64
#define ROUNDS 3
#define NOPS 2000

enum bulk_way { BATCH, BATCH_DEFAULT, BATCH_MORE, THREADS, SINGLE, STOCK, WAYS };

static struct mdx_world unseen;
static double slowdown = 1;

static void set_device(const char *command, unsigned int value)
{
	if (!w.hca || hca_cmd(w.hca, "%s %u", command, value))
		die("the device is not the software ConnectX");
}

static void slow_down(unsigned int parallel)
{
	set_device("delay *", parallel ? DELAY_US * slowdown : 0);
	set_device("parallel", parallel ? parallel : 1);
}

/* A context that libmdx has not seen being opened: its batches are threads'. */
static void open_unseen(void)
{
	struct mlx5dv_context_attr attr = {
		.flags = MLX5DV_CONTEXT_FLAGS_DEVX,
	};
	void *libmlx5 = dlopen("libmlx5.so.1", RTLD_NOW);
	__typeof__(mlx5dv_open_device) *open_device = NULL;

	if (libmlx5)
		open_device = dlsym(libmlx5, "mlx5dv_open_device");
	if (open_device)
		unseen.mdx.ctx = open_device(w.mdx.ctx->device, &attr);
	if (!unseen.mdx.ctx || !mdx_context_check(unseen.mdx.ctx))
		die("no context of the stock driver alone");
}

/* Objects that inputs name are of the context. */
static void prepare_unseen(void)
{
	open_unseen();
	unseen.mem = w.mem;
	unseen.umem = mlx5dv_devx_umem_reg(unseen.mdx.ctx, unseen.mem, MEM_LEN,
					   IBV_ACCESS_LOCAL_WRITE);
	unseen.uar = mlx5dv_devx_alloc_uar(unseen.mdx.ctx,
					   MLX5DV_UAR_ALLOC_TYPE_NC);
	unseen.eqn = w.eqn;
	objtype_build_create(&unseen, OBJTYPE_PD);
	if (!unseen.umem || !unseen.uar ||
	    !stock.create(unseen.mdx.ctx, unseen.in, unseen.m.in_len, unseen.out,
			  unseen.m.out_len))
		die("the context of the stock driver: %s", strerror(errno));
	unseen.obj[OBJTYPE_PD].num = mbox_get32(unseen.out, MBOX_HDR_ID);
}

/* In milliseconds. */
static double create_ms(enum bulk_way way, bool umems, unsigned int n)
{
	unsigned int parallel = way == BATCH_MORE ? PARALLEL_MORE : PARALLEL;
	struct bulk_chains c;
	uint64_t start;

	chains_init(&c, way == THREADS ? &unseen : &w, n, umems);
	slow_down(parallel);
	start = now_ns();
	if (way == SINGLE || way == STOCK)
		chains_create_single(&c, way == SINGLE ? &ours : &stock);
	else
		chains_create_batch(&c, way == BATCH || way == BATCH_MORE ?
					MDX_SUBMIT_IN_FLIGHT_MAX :
					MDX_SUBMIT_IN_FLIGHT_DEFAULT);
	start = now_ns() - start;
	slow_down(0);
	chains_destroy(&c, way == STOCK || way == THREADS ? &stock : &ours);
	chains_free(&c);
	return start / 1e6;
}

/* Time of a command over that of its instructions, at one a nanosecond. */
static double measure_slowdown(unsigned int insns)
{
	uint64_t in[2] = {}, out[2], start = now_ns();
	struct mbox_pair m = { in, out, sizeof(in), sizeof(out) };
	double ns;
	int i, ret;

	mdx_hdr(in, MLX5_CMD_OP_NOP, 0, 0);
	for (i = 0; i < NOPS; i++) {
		ret = _test_mdx_general(w.mdx.fd, &m);
		if (ret)
			die("NOP: %s", strerror(ret));
	}
	ns = (double)(now_ns() - start) / NOPS;
	return insns && ns > insns ? ns / insns : 1;
}

/* The best of several rounds for each way, as other tasks may interfere. */
static void best_ms(double *ms, bool umems, unsigned int n)
{
	enum bulk_way way;
	double once;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		for (way = 0; way < WAYS; way++) {
			once = create_ms(way, umems, n);
			if (!i || once < ms[way])
				ms[way] = once;
		}
	}
}

static void bench_case(const char *name, bool umems, unsigned int chains,
		       unsigned int insns)
{
	double ms[WAYS], device_ms;
	unsigned int n;

	slowdown = measure_slowdown(insns);
	n = chains / slowdown / ROUNDS;
	if (n < CHAINS_MIN)
		n = CHAINS_MIN;
	best_ms(ms, umems, n);
	device_ms = n * (CHAIN_STEPS + (umems ? CHAIN_UMEMS : 0)) * slowdown *
		    DELAY_US / 1e3;
	printf("bench: %s ours=%.1f single=%.1f stock=%.1f ratio=%.3f default=%.1f threads=%.1f",
	       name, ms[BATCH], ms[SINGLE], ms[STOCK], ms[BATCH] / ms[SINGLE],
	       ms[BATCH_DEFAULT], ms[THREADS]);
	printf(" chains=%u delay_us=%.0f slowdown=%.1f cpu_share=%.2f\n", n,
	       DELAY_US * slowdown, slowdown, 1 - device_ms / ms[SINGLE]);
	printf("bench: %s-16 ours=%.1f single=%.1f stock=%.1f ratio=%.3f\n", name,
	       ms[BATCH_MORE], ms[SINGLE], ms[STOCK],
	       ms[BATCH_MORE] / ms[SINGLE]);
}

void bench_bulk(unsigned int n, unsigned int insns)
{
	if (objtype_create_needs(&w, OBJTYPE_QP))
		die("cannot create what a QP needs");
	prepare_unseen();
	bench_case("bulk-qp", false, n, insns);
	bench_case("bulk-ibgda", true, n, insns);
}
