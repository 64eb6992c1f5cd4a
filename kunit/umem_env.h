/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Memory that only counts as pinned, in place of ib_core's.
 */
#ifndef MDX_KUNIT_UMEM_ENV_H
#define MDX_KUNIT_UMEM_ENV_H

#include <rdma/ib_umem.h>

/**
 * struct umem_env - State of a test
 * @pinned: umems that are pinned
 * @dmabufs: those among them that are dma-bufs
 * @pin_ret: result of pinning; 0: success
 * @best: largest page size of the next memory; 0: none
 * @last: pinned last
 */
struct umem_env {
	int pinned;
	int dmabufs;
	int pin_ret;
	unsigned long best;
	struct ib_umem_dmabuf *last;
};

extern struct umem_env umems;

void umem_env_init(void);
/* Memory that is still pinned, as nothing else will free it */
void umem_env_exit(void);

#endif /* MDX_KUNIT_UMEM_ENV_H */
