/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Chains of the bulk benchmark: a CQ, a QP on it, the QP's move to INIT.
 */
#ifndef MDX_BENCH_BULK_CHAIN_H
#define MDX_BENCH_BULK_CHAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "bench.h"

#define CHAIN_IN_MAX 512
#define CHAIN_OUT_LEN 16

/* Commands of a chain, in its order. */
enum { CHAIN_CQ, CHAIN_QP, CHAIN_INIT, CHAIN_STEPS };

/* Memory of a chain of its own: of the CQ and the QP, doorbell record and queue. */
enum { CHAIN_CQ_DBR, CHAIN_CQ_BUF, CHAIN_QP_DBR, CHAIN_QP_BUF, CHAIN_UMEMS };

struct bulk_chain {
	uint64_t in[CHAIN_STEPS][CHAIN_IN_MAX / 8];
	uint64_t out[CHAIN_STEPS][CHAIN_OUT_LEN / 8];
	struct mlx5dv_devx_obj *obj[CHAIN_INIT];
	struct mlx5dv_devx_umem *umem[CHAIN_UMEMS];
};

struct mdx_batch;

/*
 * Chains in the context of @world. With @umems each has memory of its own, otherwise they
 * use that of the world.
 */
struct bulk_chains {
	struct mdx_world *world;
	bool umems;
	unsigned int n;
	struct bulk_chain *chain;
	uint8_t *mem;
};

/* Inputs of all chains; ends the program if there is no memory. */
void chains_init(struct bulk_chains *c, struct mdx_world *world, unsigned int n,
		 bool umems);
void chains_free(struct bulk_chains *c);

/* All commands, one after the other, by one library. */
void chains_create_single(struct bulk_chains *c, const struct devx_funcs *funcs);
/* The same by batches, with @in_flight items at a time. */
void chains_create_batch(struct bulk_chains *c, unsigned int in_flight);
/* Destroy the objects by the library that has created them. */
void chains_destroy(struct bulk_chains *c, const struct devx_funcs *funcs);

#endif /* MDX_BENCH_BULK_CHAIN_H */
