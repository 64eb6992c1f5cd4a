// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Cost of single commands, by four ways in turn: mlx5_devx, the stock driver,
 * the bare command in the kernel (floor), the copies of its bytes alone
 * (limit).
 *
 * The unit is a tick of the time stamp counter outside the idle task; under
 * -icount, that is a guest instruction. Each round times a batch of commands
 * each way. The result is the median of the rounds.
 *
 * While ticks are counted, the software ConnectX delays its answers until the
 * CPU waits in the idle task. Otherwise some answers would arrive while the
 * task still runs, which saves it from sleeping and waking up, and the number
 * of these answers differs from way to way. Wall time is measured without the
 * delay.
 */
#include <stdlib.h>

#include "bench.h"
#include "bench_commands.h"
#include "floor.h"

enum bench_way { OURS, STOCK, FLOOR, LIMIT, WAYS };

#define LIST_LEN 65260	/* plus 272: the longest input of the stock driver */
#define MIB (1 << 20)
#define DELAY_US 1000
#define DELAY_PROFILED_US 10000	/* everything is slower with the profiler */

struct bench_case {
	const char *name;
	void (*setup)(struct bench_case *c);
	size_t in_len, out_len;
	unsigned int destroy;	/* opcode of the destroy; 0: not a create */
	unsigned int div;	/* divides the number of commands in a batch */
	bool general, verbs, no_stock;
	/* Set by setup(). */
	uint8_t *in, *out;
	struct mlx5dv_devx_obj *obj[2];
};

static int floor_fd;
static int profiled = -1;
static struct ibv_qp *qp;

/* Copy the input that objtypes.c built, and add the uid, which the floor needs. */
static void copy_input(struct bench_case *c)
{
	if (!c->in_len)
		c->in_len = w.m.in_len;
	if (!c->out_len)
		c->out_len = w.m.out_len;
	c->in = calloc(1, c->in_len + 64);
	c->out = calloc(1, c->out_len);
	if (!c->in || !c->out)
		die("no memory");
	memcpy(c->in, w.in, w.m.in_len < c->in_len ? w.m.in_len : c->in_len);
	c->in[2] = w.mdx.uid >> 8;
	c->in[3] = w.mdx.uid;
}

static void setup_create(struct bench_case *c, enum objtype_id t)
{
	if (objtype_create_needs(&w, t))
		die("%s: cannot create the objects it needs", c->name);
	objtype_build_create(&w, t);
	copy_input(c);
}

static void setup_pd(struct bench_case *c)
{
	setup_create(c, OBJTYPE_PD);
}

static void setup_qp(struct bench_case *c)
{
	setup_create(c, OBJTYPE_QP);
}

static void setup_rqt(struct bench_case *c)
{
	unsigned int i, n = LIST_LEN / 4;

	c->in_len = 272 + LIST_LEN;
	setup_create(c, OBJTYPE_RQT);
	DEVX_SET(create_rqt_in, c->in, rqt_context.rqt_max_size, 16384);
	DEVX_SET(create_rqt_in, c->in, rqt_context.rqt_actual_size, n);
	for (i = 0; i < n; i++)
		mbox_set32(c->in, 272 + i * 4, world_num(&w, OBJTYPE_RQ));
}

static struct mlx5dv_devx_obj *create_obj(struct bench_case *c,
					  struct devx_funcs *funcs,
					  enum objtype_id t, uint32_t *num)
{
	struct mlx5dv_devx_obj *obj;

	objtype_build_create(&w, t);
	obj = funcs->create(w.mdx.ctx, w.in, w.m.in_len, w.out, w.m.out_len);
	if (!obj)
		die("%s: create: %s", c->name, strerror(errno));
	*num = mbox_get32(w.out, MBOX_HDR_ID);
	return obj;
}

/*
 * Numbers of the objects that are queried. A library can only query an object
 * that it created, so there is one of each, and the mailbox gets the number
 * that goes with the library.
 */
static uint32_t nums[2];

static void setup_query(struct bench_case *c, enum objtype_id t)
{
	if (objtype_create_needs(&w, t))
		die("%s: cannot create the objects it needs", c->name);
	c->obj[OURS] = create_obj(c, &ours, t, &nums[OURS]);
	c->obj[STOCK] = create_obj(c, &stock, t, &nums[STOCK]);
	w.obj[t].num = nums[OURS];
	objtype_build_query(&w, t);
	memset(&w.obj[t], 0, sizeof(w.obj[t]));
	copy_input(c);
}

static void setup_query_qp(struct bench_case *c)
{
	setup_query(c, OBJTYPE_QP);
}

static void setup_query_general(struct bench_case *c)
{
	setup_query(c, OBJTYPE_GENERAL);
	c->in_len = 16;
}

static void setup_cap(struct bench_case *c)
{
	w.m.in_len = 16;
	mdx_hdr(w.in, MLX5_CMD_OP_QUERY_HCA_CAP, 1, 0);
	copy_input(c);
}

static void setup_verbs_qp(struct bench_case *c)
{
	struct ibv_qp_init_attr attr = {
		.cap = { 16, 16, 1, 1 }, .qp_type = IBV_QPT_RC,
	};
	struct ibv_cq *cq = ibv_create_cq(w.mdx.ctx, 64, NULL, NULL, 0);

	attr.send_cq = cq;
	attr.recv_cq = cq;
	qp = cq ? ibv_create_qp(w.mdx.pd, &attr) : NULL;
	if (!qp)
		die("verbs QP: %s", strerror(errno));
	w.m.in_len = 16;
	mdx_hdr(w.in, MLX5_CMD_OP_QUERY_QP, 0, qp->qp_num);
	copy_input(c);
}

/* The case "pd", with 100,000 more PDs in the file. */
static void setup_many(struct bench_case *c)
{
	int i;

	for (i = 0; i < 100000; i++) {
		objtype_build_create(&w, OBJTYPE_PD);
		if (_test_mdx_create(w.mdx.fd, &w.m, NULL))
			die("%s: object %d: %s", c->name, i, strerror(errno));
	}
	setup_pd(c);
}

static struct bench_case cases[] = {
	{ "query-16", setup_query_general, 0, 16 },
	{ "query-272", setup_query_qp, 0, 272 },
	{ "query-4112", setup_query_qp, 0, 4112 },
	{ "general-4112", setup_cap, 16, 4112, .general = true },
	{ "pd", setup_pd, .destroy = MLX5_CMD_OP_DEALLOC_PD },
	{ "rqt-64k", setup_rqt, .destroy = MLX5_CMD_OP_DESTROY_RQT, .div = 8 },
	{ "qp", setup_qp, .destroy = MLX5_CMD_OP_DESTROY_QP },
	{ "verbs-qp-272", setup_verbs_qp, 16, 272, .verbs = true },
	{ "query-1m", setup_query_qp, 0, MIB, .no_stock = true, .div = 20 },
	{ "pd-100k", setup_many, .destroy = MLX5_CMD_OP_DEALLOC_PD },
};

static int run_once(struct bench_case *c, enum bench_way way)
{
	struct devx_funcs *funcs = way == OURS ? &ours : &stock;
	struct mlx5dv_devx_obj *obj;

	if (c->general)
		return funcs->general(w.mdx.ctx, c->in, c->in_len, c->out,
				      c->out_len);
	if (c->verbs)
		return funcs->qp_query(qp, c->in, c->in_len, c->out,
				       c->out_len);
	if (!c->destroy)
		return funcs->query(c->obj[way], c->in, c->in_len, c->out,
				    c->out_len);
	obj = funcs->create(w.mdx.ctx, c->in, c->in_len, c->out, c->out_len);
	if (!obj)
		return errno;
	return funcs->destroy(obj);
}

/* Copy the bytes of a command and of the destroy that follows it. */
static int copy_bytes(struct bench_case *c, struct floor_cmd *cmd)
{
	struct floor_cmd destroy = {
		.in = cmd->in, .out = cmd->out, .in_len = 16, .out_len = 16,
	};

	if (ioctl(floor_fd, FLOOR_COPY, cmd))
		return errno;
	if (c->destroy && ioctl(floor_fd, FLOOR_COPY, &destroy))
		return errno;
	return 0;
}

static int run_batch(struct bench_case *c, struct floor_cmd *cmd,
		     enum bench_way way)
{
	unsigned int i;
	int ret = 0;

	if (way == FLOOR)
		return ioctl(floor_fd, FLOOR_RUN, cmd) ? errno : 0;
	for (i = 0; i < cmd->n && !ret; i++) {
		if (way == LIMIT)
			ret = copy_bytes(c, cmd);
		else
			ret = run_once(c, way);
	}
	return ret;
}

struct sample {
	double ticks;
	double ns;
};

/* @warm: the first batch of a way, whose result is discarded */
static struct sample time_batch(struct bench_case *c, enum bench_way way,
				unsigned int n, bool warm)
{
	struct floor_cmd cmd = {
		.in = (uintptr_t)c->in, .out = (uintptr_t)c->out,
		.in_len = c->in_len, .out_len = c->out_len,
		.n = n, .destroy = c->destroy,
	};
	struct floor_now none, a, b;
	uint64_t start;
	int ret;

	if (c->obj[0])
		mbox_set32(c->in, MBOX_HDR_ID, nums[way == STOCK]);
	if (way == FLOOR && ioctl(floor_fd, FLOOR_LOAD, &cmd))
		die("%s: %s", FLOOR_NODE, strerror(errno));
	start = now_ns();
	/* Twice: the cost of the call itself is subtracted. */
	if (ioctl(floor_fd, FLOOR_NOW, &none) ||
	    ioctl(floor_fd, FLOOR_NOW, &a))
		die("%s: %s", FLOOR_NODE, strerror(errno));
	/* Marks for profile.c. */
	if (!warm && (int)way == profiled)
		asm volatile("xchg %%r12w, %%r12w" ::: "memory");
	ret = run_batch(c, &cmd, way);
	if (!warm && (int)way == profiled)
		asm volatile("xchg %%r13w, %%r13w" ::: "memory");
	ioctl(floor_fd, FLOOR_NOW, &b);
	if (ret)
		die("%s, way %d: %s, status %#x", c->name, way, strerror(ret),
		    c->out[0]);
	return (struct sample){
		(double)((b.tsc - a.tsc) - (b.idle - a.idle) -
			 (a.tsc - none.tsc)) / n,
		(double)(now_ns() - start) / n,
	};
}

static void print_ratio(const char *name, const char *fmt, bool there,
			double value)
{
	if (there)
		printf(fmt, name, value);
	else
		printf(" %s=none", name);
}

static void print_result(const struct bench_case *c, const char *what,
			 double *r)
{
	printf("%s: %s ours=%.0f", what, c->name, r[OURS]);
	print_ratio("stock", " %s=%.0f", !c->no_stock, r[STOCK]);
	printf(" floor=%.0f limit=%.0f", r[FLOOR], r[LIMIT]);
	print_ratio("ratio", " %s=%.2f", !c->no_stock,
		    (r[OURS] - r[FLOOR]) / (r[STOCK] - r[FLOOR]));
	printf(" over_limit=%.2f\n", (r[OURS] - r[FLOOR]) / r[LIMIT]);
}

/*
 * Ours and stock count by their difference to the floor of the same round: the
 * floor rises and falls with the load of the machine.
 */
static void sum_up(double (*v)[WAYS], unsigned int rounds, double *r)
{
	double one[rounds];
	enum bench_way way;
	unsigned int i;

	for (way = 0; way < WAYS; way++) {
		bool over = way == OURS || way == STOCK;

		for (i = 0; i < rounds; i++)
			one[i] = v[i][way] - (over ? v[i][FLOOR] : 0);
		r[way] = percentile(one, rounds, 50);
	}
	r[OURS] += r[FLOOR];
	r[STOCK] += r[FLOOR];
}

static void delay_answers(bool on)
{
	int us = profiled < 0 ? DELAY_US : DELAY_PROFILED_US;

	if (w.hca && hca_cmd(w.hca, "delay * %d", on ? us : 0))
		die("cannot set the delay of the software ConnectX");
}

static void compare_ways(struct bench_case *c, const char *what,
			 unsigned int rounds, unsigned int n, bool ns)
{
	double v[rounds][WAYS], r[WAYS];
	unsigned int i;
	enum bench_way way;

	for (way = 0; way < WAYS; way++)
		if (way != STOCK || !c->no_stock)
			time_batch(c, way, n, true);
	for (i = 0; i < rounds; i++) {
		for (way = 0; way < WAYS; way++) {
			struct sample s = {};

			if (way != STOCK || !c->no_stock)
				s = time_batch(c, way, n, false);
			v[i][way] = ns ? s.ns : s.ticks;
		}
	}
	sum_up(v, rounds, r);
	print_result(c, what, r);
}

static void bench_one(struct bench_case *c, unsigned int rounds, unsigned int n)
{
	c->setup(c);
	n = c->div ? (n + c->div - 1) / c->div : n;
	delay_answers(true);
	compare_ways(c, "bench", rounds, n, false);
	delay_answers(false);
	if (profiled < 0)
		compare_ways(c, "bench-ns", rounds, n, true);
	if (c->obj[OURS])
		ours.destroy(c->obj[OURS]);
	if (c->obj[STOCK])
		stock.destroy(c->obj[STOCK]);
}

void bench_commands(unsigned int rounds, unsigned int n)
{
	const char *only = getenv("BENCH_ONLY");
	const char *profile = getenv("BENCH_PROFILE");
	unsigned int i;

	if (profile)
		profiled = atoi(profile);
	floor_fd = open(FLOOR_NODE, O_RDWR | O_CLOEXEC);
	if (floor_fd < 0)
		die("%s: %s", FLOOR_NODE, strerror(errno));
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (!only || !strcmp(only, cases[i].name))
			bench_one(&cases[i], rounds, n);
}
