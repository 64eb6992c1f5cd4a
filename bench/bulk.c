// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Time to create many CQs and QPs and move the QPs to INIT, on a device that takes 200 us
 * for a command and executes 8 at a time: by batches, and one command after the other by
 * either library.
 */
#include <stdlib.h>
#include <string.h>

#include <mdx/mdx.h>

#include "bench.h"
#include "bench_bulk.h"

#define DELAY_US 200
#define PARALLEL 8
#define IN_MAX 512
#define OUT_LEN 16
#define BATCH_CHAINS (MDX_BATCH_ITEMS_MAX / 3)

/* Commands of a chain, in its order. */
enum { CQ, QP, INIT, STEPS };

static uint8_t inputs[STEPS][IN_MAX];
static uint32_t lengths[STEPS];

struct bulk_chain {
	uint8_t out[STEPS][OUT_LEN];
	struct mlx5dv_devx_obj *obj[INIT];
};

static void keep_input(int step)
{
	lengths[step] = w.m.in_len;
	if (w.m.in_len > IN_MAX)
		die("the input of step %d is too long", step);
	memcpy(inputs[step], w.in, w.m.in_len);
}

static void build_inputs(void)
{
	if (objtype_create_needs(&w, OBJTYPE_QP))
		die("cannot create what a QP needs");
	objtype_build_create(&w, OBJTYPE_CQ);
	keep_input(CQ);
	objtype_build_create(&w, OBJTYPE_QP);
	keep_input(QP);
	objtype_build_modify(&w, OBJTYPE_QP);
	keep_input(INIT);
}

static void set_device(const char *command, unsigned int value)
{
	if (!w.hca || hca_cmd(w.hca, "%s %u", command, value))
		die("the device is not the software ConnectX");
}

static void slow_down(bool on)
{
	set_device("delay *", on ? DELAY_US : 0);
	set_device("parallel", on ? PARALLEL : 1);
}

static uint32_t number_of(const struct bulk_chain *c, int step)
{
	return DEVX_GET(create_qp_out, c->out[step], qpn);
}

static void create_alone(const struct devx_funcs *funcs, struct bulk_chain *c)
{
	int step;

	for (step = CQ; step < INIT; step++) {
		c->obj[step] = funcs->create(w.mdx.ctx, inputs[step],
					     lengths[step], c->out[step], OUT_LEN);
		if (!c->obj[step])
			die("step %d: %s", step, strerror(errno));
		if (step == CQ) {
			DEVX_SET(create_qp_in, inputs[QP], qpc.cqn_snd,
				 number_of(c, CQ));
			DEVX_SET(create_qp_in, inputs[QP], qpc.cqn_rcv,
				 number_of(c, CQ));
		}
	}
	DEVX_SET(rst2init_qp_in, inputs[INIT], qpn, number_of(c, QP));
	if (funcs->modify(c->obj[QP], inputs[INIT], lengths[INIT], c->out[INIT],
			  OUT_LEN))
		die("RST2INIT_QP: %s", strerror(errno));
}

static void add_chain(struct mdx_batch *b, struct bulk_chain *c)
{
	int cq, qp;

	cq = mdx_batch_create(b, inputs[CQ], lengths[CQ], c->out[CQ], OUT_LEN,
			      &c->obj[CQ]);
	mdx_batch_link(b);
	qp = mdx_batch_create(b, inputs[QP], lengths[QP], c->out[QP], OUT_LEN,
			      &c->obj[QP]);
	if (mdx_batch_ref(b, cq, __devx_bit_off(create_qp_in, qpc.cqn_snd), 24, 0) ||
	    mdx_batch_ref(b, cq, __devx_bit_off(create_qp_in, qpc.cqn_rcv), 24, 0))
		die("references: %s", strerror(errno));
	mdx_batch_link(b);
	mdx_batch_modify(b, NULL, qp, inputs[INIT], lengths[INIT], c->out[INIT],
			 OUT_LEN);
	if (mdx_batch_ref(b, qp, __devx_bit_off(rst2init_qp_in, qpn), 24, 0))
		die("reference: %s", strerror(errno));
}

static void create_batch(struct bulk_chain *chains, unsigned int n)
{
	struct mdx_batch *b = mdx_batch_new(w.mdx.ctx, 0);
	unsigned int i;

	if (!b)
		die("mdx_batch_new: %s", strerror(errno));
	for (i = 0; i < n; i++)
		add_chain(b, &chains[i]);
	if (mdx_batch_run(b) || mdx_batch_failed(b) >= 0)
		die("the batch failed at item %d", mdx_batch_failed(b));
	mdx_batch_free(b);
}

/* @funcs: one by one; NULL: by batches. */
static double create_ms(const struct devx_funcs *funcs, unsigned int n)
{
	struct bulk_chain *chains = calloc(n, sizeof(*chains));
	unsigned int i, some;
	uint64_t start;

	if (!chains)
		die("no memory");
	slow_down(true);
	start = now_ns();
	for (i = 0; i < n; i += some) {
		some = n - i < BATCH_CHAINS ? n - i : BATCH_CHAINS;
		if (funcs)
			some = 1;
		if (funcs)
			create_alone(funcs, &chains[i]);
		else
			create_batch(&chains[i], some);
	}
	start = now_ns() - start;
	slow_down(false);
	for (i = 0; i < n; i++) {
		const struct devx_funcs *by = funcs ? funcs : &ours;

		if (by->destroy(chains[i].obj[QP]) || by->destroy(chains[i].obj[CQ]))
			die("destroy: %s", strerror(errno));
	}
	free(chains);
	return start / 1e6;
}

void bench_bulk(unsigned int chains, const char *how)
{
	double batch_ms, single_ms, stock_ms;

	build_inputs();
	batch_ms = create_ms(NULL, chains);
	single_ms = create_ms(&ours, chains);
	stock_ms = create_ms(&stock, chains);
	printf("bench: bulk-%s ours=%.1f single=%.1f stock=%.1f ratio=%.3f\n", how,
	       batch_ms, single_ms, stock_ms, batch_ms / single_ms);
}
