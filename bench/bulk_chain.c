// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Chains of the bulk benchmark. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <mdx/mdx.h>

#include "bulk_chain.h"

#define UMEM_LEN 4096
#define BATCH_CHAINS (MDX_BATCH_ITEMS_MAX / (CHAIN_STEPS + CHAIN_UMEMS))

static uint32_t lengths[CHAIN_STEPS];

static void keep_input(struct bulk_chains *c, int step)
{
	const struct mdx_world *world = c->world;

	if (world->m.in_len > sizeof(c->chain[0].in[step]))
		die("the input of step %d is too long", step);
	lengths[step] = world->m.in_len;
	memcpy(c->chain[0].in[step], world->in, world->m.in_len);
}

/* A chain's own memory begins where its umem does. */
static void clear_offsets(struct bulk_chain *chain)
{
	DEVX_SET64(create_cq_in, chain->in[CHAIN_CQ], cq_context.dbr_addr, 0);
	mbox_set64(chain->in[CHAIN_CQ], MBOX_CREATE_CQ_UMEM_OFFSET, 0);
	DEVX_SET64(create_qp_in, chain->in[CHAIN_QP], qpc.dbr_addr, 0);
	mbox_set64(chain->in[CHAIN_QP], MBOX_CREATE_QP_WQ_UMEM_OFFSET, 0);
}

void chains_init(struct bulk_chains *c, struct mdx_world *world, unsigned int n,
		 bool umems)
{
	unsigned int i;

	*c = (struct bulk_chains){ .world = world, .n = n, .umems = umems };
	c->chain = calloc(n, sizeof(*c->chain));
	c->mem = mmap(NULL, (size_t)n * CHAIN_UMEMS * UMEM_LEN,
		      PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (!c->chain || c->mem == MAP_FAILED)
		die("no memory");
	objtype_build_create(world, OBJTYPE_CQ);
	keep_input(c, CHAIN_CQ);
	objtype_build_create(world, OBJTYPE_QP);
	keep_input(c, CHAIN_QP);
	objtype_build_modify(world, OBJTYPE_QP);
	keep_input(c, CHAIN_INIT);
	if (umems)
		clear_offsets(&c->chain[0]);
	for (i = 1; i < n; i++)
		c->chain[i] = c->chain[0];
}

void chains_free(struct bulk_chains *c)
{
	munmap(c->mem, (size_t)c->n * CHAIN_UMEMS * UMEM_LEN);
	free(c->chain);
}

static uint8_t *umem_at(const struct bulk_chains *c, unsigned int i, int k)
{
	return c->mem + ((size_t)i * CHAIN_UMEMS + k) * UMEM_LEN;
}

/* The number of each umem goes to an input. */
static const struct {
	int step;
	unsigned int offset;
} umem_fields[CHAIN_UMEMS] = {
	[CHAIN_CQ_DBR] = { CHAIN_CQ, MBOX_CREATE_CQ_DBR_UMEM_ID },
	[CHAIN_CQ_BUF] = { CHAIN_CQ, MBOX_CREATE_CQ_UMEM_ID },
	[CHAIN_QP_DBR] = { CHAIN_QP, MBOX_CREATE_QP_DBR_UMEM_ID },
	[CHAIN_QP_BUF] = { CHAIN_QP, MBOX_CREATE_QP_WQ_UMEM_ID },
};

static void umems_reg(struct bulk_chains *c, unsigned int i)
{
	struct bulk_chain *chain = &c->chain[i];
	int k;

	for (k = 0; k < CHAIN_UMEMS; k++) {
		chain->umem[k] = mlx5dv_devx_umem_reg(c->world->mdx.ctx,
						      umem_at(c, i, k), UMEM_LEN,
						      IBV_ACCESS_LOCAL_WRITE);
		if (!chain->umem[k])
			die("umem: %s", strerror(errno));
		mbox_set32(chain->in[umem_fields[k].step], umem_fields[k].offset,
			   chain->umem[k]->umem_id);
	}
}

static uint32_t number_of(const struct bulk_chain *chain, int step)
{
	return DEVX_GET(create_qp_out, chain->out[step], qpn);
}

static void create_single(struct bulk_chain *chain, struct ibv_context *ctx,
			  const struct devx_funcs *funcs)
{
	void *qp_in = chain->in[CHAIN_QP];
	int step;

	for (step = CHAIN_CQ; step < CHAIN_INIT; step++) {
		chain->obj[step] = funcs->create(ctx, chain->in[step],
						 lengths[step],
						 chain->out[step], CHAIN_OUT_LEN);
		if (!chain->obj[step])
			die("step %d: %s", step, strerror(errno));
		if (step == CHAIN_QP)
			break;
		DEVX_SET(create_qp_in, qp_in, qpc.cqn_snd, number_of(chain, step));
		DEVX_SET(create_qp_in, qp_in, qpc.cqn_rcv, number_of(chain, step));
	}
	DEVX_SET(rst2init_qp_in, chain->in[CHAIN_INIT], qpn,
		 number_of(chain, CHAIN_QP));
	if (funcs->modify(chain->obj[CHAIN_QP], chain->in[CHAIN_INIT],
			  lengths[CHAIN_INIT], chain->out[CHAIN_INIT],
			  CHAIN_OUT_LEN))
		die("RST2INIT_QP: %s", strerror(errno));
}

void chains_create_single(struct bulk_chains *c, const struct devx_funcs *funcs)
{
	unsigned int i;

	for (i = 0; i < c->n; i++) {
		if (c->umems)
			umems_reg(c, i);
		create_single(&c->chain[i], c->world->mdx.ctx, funcs);
	}
}

/* Items of the umems of a step, each linked to the one before it. */
static void umems_add(struct mdx_batch *b, struct bulk_chains *c, unsigned int i,
		      int step, int *items)
{
	struct mlx5dv_devx_umem_in in = {
		.size = UMEM_LEN, .access = IBV_ACCESS_LOCAL_WRITE,
	};
	int k;

	for (k = 0; k < CHAIN_UMEMS && c->umems; k++) {
		if (umem_fields[k].step != step)
			continue;
		in.addr = umem_at(c, i, k);
		items[k] = mdx_batch_umem(b, &in, &c->chain[i].umem[k]);
		mdx_batch_link(b);
	}
}

static void umems_refer(struct mdx_batch *b, struct bulk_chains *c, int step,
			const int *items)
{
	int k;

	for (k = 0; k < CHAIN_UMEMS && c->umems; k++)
		if (umem_fields[k].step == step &&
		    mdx_batch_ref(b, items[k], umem_fields[k].offset * 8, 32, 0))
			die("umem: %s", strerror(errno));
}

static void chain_add(struct mdx_batch *b, struct bulk_chains *c, unsigned int i)
{
	struct bulk_chain *chain = &c->chain[i];
	int umems[CHAIN_UMEMS], cq, qp;

	umems_add(b, c, i, CHAIN_CQ, umems);
	cq = mdx_batch_create(b, chain->in[CHAIN_CQ], lengths[CHAIN_CQ],
			      chain->out[CHAIN_CQ], CHAIN_OUT_LEN,
			      &chain->obj[CHAIN_CQ]);
	umems_refer(b, c, CHAIN_CQ, umems);
	mdx_batch_link(b);
	umems_add(b, c, i, CHAIN_QP, umems);
	qp = mdx_batch_create(b, chain->in[CHAIN_QP], lengths[CHAIN_QP],
			      chain->out[CHAIN_QP], CHAIN_OUT_LEN,
			      &chain->obj[CHAIN_QP]);
	umems_refer(b, c, CHAIN_QP, umems);
	if (mdx_batch_ref(b, cq, __devx_bit_off(create_qp_in, qpc.cqn_snd), 24, 0) ||
	    mdx_batch_ref(b, cq, __devx_bit_off(create_qp_in, qpc.cqn_rcv), 24, 0))
		die("references: %s", strerror(errno));
	mdx_batch_link(b);
	mdx_batch_modify(b, NULL, qp, chain->in[CHAIN_INIT], lengths[CHAIN_INIT],
			 chain->out[CHAIN_INIT], CHAIN_OUT_LEN);
	if (mdx_batch_ref(b, qp, __devx_bit_off(rst2init_qp_in, qpn), 24, 0))
		die("reference: %s", strerror(errno));
}

static void batch_run(struct bulk_chains *c, unsigned int first, unsigned int end,
		      unsigned int in_flight)
{
	struct mdx_batch *b = mdx_batch_new(c->world->mdx.ctx, 0);
	unsigned int i;

	if (!b || mdx_batch_in_flight(b, in_flight))
		die("mdx_batch_new: %s", strerror(errno));
	for (i = first; i < end; i++)
		chain_add(b, c, i);
	if (mdx_batch_run(b) || mdx_batch_failed(b) >= 0)
		die("the batch failed at item %d", mdx_batch_failed(b));
	mdx_batch_free(b);
}

void chains_create_batch(struct bulk_chains *c, unsigned int in_flight)
{
	unsigned int i, end;

	for (i = 0; i < c->n; i = end) {
		end = c->n - i < BATCH_CHAINS ? c->n : i + BATCH_CHAINS;
		batch_run(c, i, end, in_flight);
	}
}

void chains_destroy(struct bulk_chains *c, const struct devx_funcs *funcs)
{
	unsigned int i;
	int k;

	for (i = 0; i < c->n; i++) {
		struct bulk_chain *chain = &c->chain[i];

		if (funcs->destroy(chain->obj[CHAIN_QP]) ||
		    funcs->destroy(chain->obj[CHAIN_CQ]))
			die("destroy: %s", strerror(errno));
		for (k = 0; k < CHAIN_UMEMS; k++)
			if (chain->umem[k])
				mlx5dv_devx_umem_dereg(chain->umem[k]);
	}
}
