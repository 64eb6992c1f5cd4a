// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The order of the items of a batch: which may begin next, and which never will.
 *
 * mdx_chain_next() names a step, mdx_chain_take() says that it is being done, and
 * mdx_chain_end() that an item which had begun has ended. A step that cannot be done
 * yet, for want of a command slot, is named again the next time.
 *
 * PURE: includes types only, no mlx5 or rdma function.
 */
#include <linux/kernel.h>
#include <linux/types.h>

#include "submit_chain.h"

static bool is_linked(const struct mdx_chain *chain, u32 i)
{
	return i < chain->n && chain->items[i].flags & MDX_CHAIN_LINK;
}

static bool has_ended(const struct mdx_chain_item *item)
{
	return item->state != MDX_CHAIN_WAITING &&
	       item->state != MDX_CHAIN_RUNNING;
}

/**
 * mdx_chain_init - Begin with items of which only the flags are set
 * @chain: the batch: items and n are set, all else is zero. The first item is not
 *	linked
 * @in_flight: items that may run at a time, 1 to MDX_CHAIN_RUNNING_MAX
 */
void mdx_chain_init(struct mdx_chain *chain, u32 in_flight)
{
	u32 barrier = 0, head = 0, i;

	chain->in_flight = in_flight;
	for (i = 0; i < chain->n; i++) {
		if (!is_linked(chain, i))
			head = i;
		if (chain->items[i].flags & MDX_CHAIN_DRAIN)
			barrier = i;
		chain->items[i].head = head;
		chain->items[i].barrier = barrier;
	}
}

/**
 * mdx_chain_need - Make an item refer to the object of an earlier one
 * @chain: the batch, of which nothing has begun. Calls are in the order of the
 *	items, and mdx_chain::needs has room
 * @i: the item
 * @back: the item so many before it
 *
 * Return: false if there is no such item, it creates nothing, or it need not have
 * ended when item @i begins
 */
bool mdx_chain_need(struct mdx_chain *chain, u32 i, u32 back)
{
	struct mdx_chain_item *item = &chain->items[i];
	u32 target = i - back;

	if (!back || back > i)
		return false;
	if (!(chain->items[target].flags & MDX_CHAIN_CREATES))
		return false;
	if (target < item->head && target >= item->barrier)
		return false;
	if (!item->needs_n)
		item->needs = chain->needs_n;
	chain->needs[chain->needs_n++] = target;
	item->needs_n++;
	return true;
}

/* Return: true if an item that this one depends on did not succeed */
static bool is_hopeless(const struct mdx_chain *chain, u32 i)
{
	const struct mdx_chain_item *item = &chain->items[i];
	u32 k;

	if (is_linked(chain, i) && chain->items[i - 1].state != MDX_CHAIN_DONE)
		return true;
	for (k = 0; k < item->needs_n; k++) {
		u32 target = chain->needs[item->needs + k];

		if (chain->items[target].state != MDX_CHAIN_DONE)
			return true;
	}
	return false;
}

/* The first in order of those that could begin, or be canceled. */
static u32 first_candidate(const struct mdx_chain *chain)
{
	u32 first = chain->heads, k;

	for (k = 0; k < chain->ready_n; k++) {
		if (chain->ready[k] < first)
			first = chain->ready[k];
	}
	return first;
}

/**
 * mdx_chain_next - The next step of a batch
 * @chain: the batch
 * @item: the item of MDX_CHAIN_BEGIN, MDX_CHAIN_CANCEL and MDX_CHAIN_UNDO
 *
 * Return: enum mdx_chain_verb; the same until mdx_chain_take(), mdx_chain_end() or
 * mdx_chain_stop()
 */
enum mdx_chain_verb mdx_chain_next(const struct mdx_chain *chain, u32 *item)
{
	enum mdx_chain_verb idle = chain->running ? MDX_CHAIN_WAIT :
						    MDX_CHAIN_END;
	u32 i;

	if (chain->undo_n) {
		*item = chain->undo[chain->undo_n - 1];
		return MDX_CHAIN_UNDO;
	}
	i = first_candidate(chain);
	if (i >= chain->n)
		return idle;
	*item = i;
	if (chain->stopped)
		return MDX_CHAIN_CANCEL;
	/* Before its barrier is passed, what it refers to may not have ended. */
	if (chain->ended < chain->items[i].barrier)
		return MDX_CHAIN_WAIT;
	if (is_hopeless(chain, i))
		return MDX_CHAIN_CANCEL;
	return chain->running < chain->in_flight ? MDX_CHAIN_BEGIN :
						   MDX_CHAIN_WAIT;
}

static void ready_remove(struct mdx_chain *chain, u32 i)
{
	u32 k;

	for (k = 0; k < chain->ready_n; k++) {
		if (chain->ready[k] == i) {
			chain->ready[k] = chain->ready[--chain->ready_n];
			return;
		}
	}
}

/* The chains before the next head have begun. */
static void heads_advance(struct mdx_chain *chain)
{
	do {
		chain->heads++;
	} while (is_linked(chain, chain->heads));
}

static void candidate_remove(struct mdx_chain *chain, u32 i)
{
	if (i == chain->heads)
		heads_advance(chain);
	else
		ready_remove(chain, i);
}

static void item_ended(struct mdx_chain *chain, u32 i, u8 state)
{
	chain->items[i].state = state;
	if (is_linked(chain, i + 1))
		chain->ready[chain->ready_n++] = i + 1;
	while (chain->ended < chain->n && has_ended(&chain->items[chain->ended]))
		chain->ended++;
}

/* The newest object up to item @i is the next of its chain to be destroyed. */
static void undo_push(struct mdx_chain *chain, u32 i)
{
	u32 n = i - chain->items[i].head + 1;

	for (; n; n--, i--) {
		if (chain->items[i].state == MDX_CHAIN_DONE &&
		    chain->items[i].flags & MDX_CHAIN_CREATES) {
			chain->undo[chain->undo_n++] = i;
			return;
		}
	}
}

/* Item @i did not succeed: the first of its chain. */
static void chain_break(struct mdx_chain *chain, u32 i)
{
	if (chain->undoes)
		undo_push(chain, i);
}

static void item_cancel(struct mdx_chain *chain, u32 i)
{
	bool first = is_linked(chain, i) &&
		     chain->items[i - 1].state == MDX_CHAIN_DONE;

	item_ended(chain, i, MDX_CHAIN_CANCELED);
	if (first)
		chain_break(chain, i);
}

/**
 * mdx_chain_take - Do a step
 * @chain: the batch
 * @verb: from mdx_chain_next(): MDX_CHAIN_BEGIN, MDX_CHAIN_CANCEL or MDX_CHAIN_UNDO
 * @i: the item
 */
void mdx_chain_take(struct mdx_chain *chain, enum mdx_chain_verb verb, u32 i)
{
	switch (verb) {
	case MDX_CHAIN_BEGIN:
		candidate_remove(chain, i);
		chain->items[i].state = MDX_CHAIN_RUNNING;
		chain->running++;
		break;
	case MDX_CHAIN_CANCEL:
		candidate_remove(chain, i);
		item_cancel(chain, i);
		break;
	default:
		chain->items[i].state = MDX_CHAIN_UNDONE;
		chain->undo_n--;
		undo_push(chain, i);
		break;
	}
}

/**
 * mdx_chain_end - Note the end of an item that had begun
 * @chain: the batch
 * @i: the item
 * @success: its result
 */
void mdx_chain_end(struct mdx_chain *chain, u32 i, bool success)
{
	chain->running--;
	item_ended(chain, i, success ? MDX_CHAIN_DONE : MDX_CHAIN_FAILED);
	if (success)
		return;
	chain_break(chain, i);
	if (chain->stop)
		chain->stopped = true;
}

/**
 * mdx_chain_stop - Let nothing begin any more
 * @chain: the batch
 * @undo: as after a failure with stop; else nothing is undone, either
 */
void mdx_chain_stop(struct mdx_chain *chain, bool undo)
{
	chain->stopped = true;
	if (undo)
		return;
	chain->undoes = false;
	chain->undo_n = 0;
}
