// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Batches that threads execute by the functions of the man pages: each item is served by
 * the library that would serve it alone. The order is that of the module, by the same
 * code.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "chain_types.h"
#include "../kmod/submit_item.h"
#include "shim_batch.h"

/* Threads of a batch, among them the caller's. */
#define THREADS_MAX 8

_Static_assert(MDX_BATCH_ITEMS_MAX == MDX_CHAIN_ITEMS_MAX, "");

struct thread_batch {
	struct mdx_batch *batch;
	struct mdx_chain chain;
	uint32_t *numbers;		/* of the objects that items have created */
	pthread_mutex_t lock;		/* protects chain */
	pthread_cond_t changed;		/* an item has ended or was canceled */
};

static struct mlx5dv_devx_obj *object_of(const struct mdx_batch_item *item)
{
	if (item->flags & MDX_ITEM_OBJ_BACK)
		return (item - item->back)->made;
	return item->obj;
}

static void field_set(unsigned char *mbox, const struct mdx_ref *ref,
		      uint32_t value)
{
	unsigned int shift = 32 - ref->bit % 32 - ref->width;
	uint32_t mask = UINT32_MAX >> (32 - ref->width) << shift;
	unsigned char *at = mbox + ref->bit / 32 * 4;
	uint32_t dword = mdx_be32_at(at, 0);

	dword = (dword & ~mask) | (value << shift & mask);
	at[0] = dword >> 24;
	at[1] = dword >> 16;
	at[2] = dword >> 8;
	at[3] = dword;
}

/* The input with the values of its references, or NULL. */
static void *input_patch(const struct thread_batch *t, uint32_t i)
{
	const struct mdx_batch_item *item = &t->batch->items[i];
	unsigned char *in = malloc(item->inlen);
	uint32_t k, number;

	if (!in)
		return NULL;
	memcpy(in, item->in, item->inlen);
	for (k = 0; k < item->refs_n; k++) {
		const struct mdx_ref *ref = &t->batch->refs[item->refs + k];

		number = t->numbers[i - ref->back];
		if (ref->what == MDX_REF_LKEY)
			number <<= 8;
		field_set(in, ref, number);
	}
	return in;
}

static int create_execute(struct thread_batch *t, struct mdx_batch_item *item,
			  const void *in)
{
	struct mlx5dv_devx_obj *obj;

	errno = 0;
	obj = mlx5dv_devx_obj_create(t->batch->context, in, item->inlen,
				     item->out, item->outlen);
	if (!obj)
		return errno ? errno : ENOMEM;
	item->made = obj;
	t->numbers[item - t->batch->items] =
		mdx_batch_created_number(item, in);
	return 0;
}

static int umem_execute(struct thread_batch *t, struct mdx_batch_item *item)
{
	int ret = mdx_batch_umem_next(item->umem, t->batch->context);

	if (!ret)
		t->numbers[item - t->batch->items] = item->umem->made->umem_id;
	return ret;
}

static int modify_execute(struct mdx_batch_item *item, const void *in)
{
	struct mlx5dv_devx_obj *obj = object_of(item);

	if (!obj)
		return ENOENT;
	if (item->cmd == MDX_CMD_OBJ_QUERY)
		return mlx5dv_devx_obj_query(obj, in, item->inlen, item->out,
					     item->outlen);
	return mlx5dv_devx_obj_modify(obj, in, item->inlen, item->out,
				      item->outlen);
}

static int destroy_execute(struct mdx_batch_item *item)
{
	struct mlx5dv_devx_obj *obj = object_of(item);
	int ret = obj ? mlx5dv_devx_obj_destroy(obj) : ENOENT;

	if (!ret && item->flags & MDX_ITEM_OBJ_BACK)
		(item - item->back)->made = NULL;
	return ret;
}

static int verbs_execute(struct mdx_batch_item *item, const void *in)
{
#define VERBS(func) func(item->obj, in, item->inlen, item->out, item->outlen)
	bool query = item->cmd == MDX_CMD_VERBS_QUERY;

	switch (item->kind) {
	case MDX_BATCH_CQ:
		return query ? VERBS(mlx5dv_devx_cq_query) :
			       VERBS(mlx5dv_devx_cq_modify);
	case MDX_BATCH_QP:
		return query ? VERBS(mlx5dv_devx_qp_query) :
			       VERBS(mlx5dv_devx_qp_modify);
	case MDX_BATCH_SRQ:
		return query ? VERBS(mlx5dv_devx_srq_query) :
			       VERBS(mlx5dv_devx_srq_modify);
	case MDX_BATCH_WQ:
		return query ? VERBS(mlx5dv_devx_wq_query) :
			       VERBS(mlx5dv_devx_wq_modify);
	}
	return query ? VERBS(mlx5dv_devx_ind_tbl_query) :
		       VERBS(mlx5dv_devx_ind_tbl_modify);
#undef VERBS
}

static int item_call(struct thread_batch *t, struct mdx_batch_item *item,
		     const void *in)
{
	switch (item->cmd) {
	case MDX_CMD_OBJ_CREATE:
		return create_execute(t, item, in);
	case MDX_CMD_OBJ_MODIFY:
	case MDX_CMD_OBJ_QUERY:
		return modify_execute(item, in);
	case MDX_CMD_OBJ_DESTROY:
		return destroy_execute(item);
	case MDX_CMD_UMEM_REG:
		return umem_execute(t, item);
	case MDX_CMD_GENERAL:
		return mlx5dv_devx_general_cmd(t->batch->context, in,
					       item->inlen, item->out,
					       item->outlen);
	}
	return verbs_execute(item, in);
}

/*
 * Execute an item, without the lock. Some versions of libmlx5 return EREMOTEIO where the
 * device refused, others an errno of the status. The answer tells the device's refusal
 * from other errors, if its header is zeroed before.
 */
static void item_execute(struct thread_batch *t, uint32_t i)
{
	struct mdx_batch_item *item = &t->batch->items[i];
	bool answers = item->out && item->outlen >= 8;
	void *patched = NULL;
	unsigned char header[8] = { 0 };

	if (item->refs_n && !item->in) {
		item->result.err = EFAULT;
		return;
	}
	if (item->refs_n) {
		patched = input_patch(t, i);
		if (!patched) {
			item->result.err = ENOMEM;
			return;
		}
	}
	if (answers) {
		memcpy(header, item->out, sizeof(header));
		memset(item->out, 0, sizeof(header));
	}
	item->result.err = item_call(t, item, patched ? patched : item->in);
	free(patched);
	if (!item->result.err || !answers)
		return;
	if (mdx_be32_at(item->out, 0) >> 24) {
		item->result.err = EREMOTEIO;
		item->result.status = mdx_be32_at(item->out, 0) >> 24;
		item->result.syndrome = mdx_be32_at(item->out, 4);
	} else if (item->result.err != EREMOTEIO) {
		memcpy(item->out, header, sizeof(header));
	}
}

/* With the lock, so that nothing begins before the objects of a chain are destroyed. */
static void item_undo(struct mdx_batch_item *item)
{
	if (item->made && !mlx5dv_devx_obj_destroy(item->made))
		item->made = NULL;
	if (item->umem && item->umem->made &&
	    !mlx5dv_devx_umem_dereg(item->umem->made))
		item->umem->made = NULL;
}

static void item_begin(struct thread_batch *t, uint32_t i)
{
	mdx_chain_take(&t->chain, MDX_CHAIN_BEGIN, i);
	pthread_mutex_unlock(&t->lock);
	item_execute(t, i);
	pthread_mutex_lock(&t->lock);
	mdx_chain_end(&t->chain, i, !t->batch->items[i].result.err);
	pthread_cond_broadcast(&t->changed);
}

/* The next step; false at the end. */
static bool thread_step(struct thread_batch *t)
{
	enum mdx_chain_verb verb;
	uint32_t i;

	verb = mdx_chain_next(&t->chain, &i);
	switch (verb) {
	case MDX_CHAIN_END:
		pthread_cond_broadcast(&t->changed);
		return false;
	case MDX_CHAIN_WAIT:
		pthread_cond_wait(&t->changed, &t->lock);
		break;
	case MDX_CHAIN_BEGIN:
		item_begin(t, i);
		break;
	case MDX_CHAIN_CANCEL:
		t->batch->items[i].result.err = ECANCELED;
		mdx_chain_take(&t->chain, verb, i);
		pthread_cond_broadcast(&t->changed);
		break;
	case MDX_CHAIN_UNDO:
		item_undo(&t->batch->items[i]);
		mdx_chain_take(&t->chain, verb, i);
		pthread_cond_broadcast(&t->changed);
		break;
	}
	return true;
}

static void *thread_main(void *arg)
{
	struct thread_batch *t = arg;

	pthread_mutex_lock(&t->lock);
	while (thread_step(t))
		;
	pthread_mutex_unlock(&t->lock);
	return NULL;
}

/* Threads beside the caller's. If there are fewer, the batch takes longer. */
static unsigned int threads_start(struct thread_batch *t, pthread_t *threads,
				  unsigned int max)
{
	sigset_t all, old;
	unsigned int n = 0;

	/* Signals are the program's. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	while (n < max && !pthread_create(&threads[n], NULL, thread_main, t))
		n++;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return n;
}

/* Each chain has one item at most that runs. */
static unsigned int threads_useful(const struct thread_batch *t)
{
	unsigned int max = t->chain.in_flight, chains = 0;
	uint32_t i;

	for (i = 0; i < t->chain.n; i++)
		chains += !(t->chain.items[i].flags & MDX_CHAIN_LINK);
	if (max > THREADS_MAX)
		max = THREADS_MAX;
	return chains < max ? chains : max;
}

static int needs_add(struct thread_batch *t, uint32_t i)
{
	const struct mdx_batch_item *item = &t->batch->items[i];
	uint32_t k;

	if (item->flags & MDX_ITEM_OBJ_BACK &&
	    !mdx_chain_need(&t->chain, i, item->back))
		return EINVAL;
	for (k = item->refs; k < item->refs + item->refs_n; k++)
		if (!mdx_chain_need(&t->chain, i, t->batch->refs[k].back))
			return EINVAL;
	return 0;
}

static int chain_fill(struct thread_batch *t)
{
	const struct mdx_batch *batch = t->batch;
	uint32_t i;
	int ret;

	for (i = 0; i < batch->n; i++) {
		const struct mdx_batch_item *item = &batch->items[i];

		t->chain.items[i].flags =
			mdx_item_chain_flags(item->cmd, item->flags);
	}
	t->chain.n = batch->n;
	t->chain.stop = batch->flags & MDX_BATCH_STOP;
	t->chain.undoes = batch->flags & MDX_BATCH_UNDO;
	mdx_chain_init(&t->chain, batch->in_flight);
	for (i = 0; i < batch->n; i++) {
		ret = needs_add(t, i);
		if (ret)
			return ret;
	}
	return 0;
}

static void threads_run(struct thread_batch *t)
{
	pthread_t threads[THREADS_MAX];
	unsigned int n;

	pthread_mutex_init(&t->lock, NULL);
	pthread_cond_init(&t->changed, NULL);
	n = threads_start(t, threads, threads_useful(t) - 1);
	thread_main(t);
	while (n)
		pthread_join(threads[--n], NULL);
	pthread_cond_destroy(&t->changed);
	pthread_mutex_destroy(&t->lock);
}

int mdx_batch_run_threads(struct mdx_batch *batch)
{
	struct thread_batch t = {
		.batch = batch,
		.numbers = calloc(batch->n, sizeof(*t.numbers)),
		.chain.items = calloc(batch->n, sizeof(*t.chain.items)),
		.chain.needs = calloc(batch->refs_n + batch->n,
				      sizeof(*t.chain.needs)),
	};
	int ret = ENOMEM;

	if (t.numbers && t.chain.items && t.chain.needs)
		ret = chain_fill(&t);
	if (!ret)
		threads_run(&t);
	free(t.chain.needs);
	free(t.chain.items);
	free(t.numbers);
	return ret;
}
