/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A batch that is walked from its beginning to its end, with the rules of the uapi
 * written once more, item by item and slowly. A caller chooses which item that runs
 * ends next, and how.
 */
#ifndef MDX_KUNIT_CHAIN_WALK_H
#define MDX_KUNIT_CHAIN_WALK_H

#include "../kmod/submit_chain.h"

#define WALK_ITEMS_MAX 64
#define WALK_NEEDS_MAX 256

/**
 * struct walk - A batch under way
 * @chain: the batch
 * @items: its items
 * @needs: its references
 * @running: the items that run
 * @fault: the rule that was broken; NULL: none was
 * @choose: a number below its argument, from the input of the test
 * @fails: the item that ends now fails
 * @data: for both
 */
struct walk {
	struct mdx_chain chain;
	struct mdx_chain_item items[WALK_ITEMS_MAX];
	u16 needs[WALK_NEEDS_MAX];
	u16 running[MDX_CHAIN_RUNNING_MAX];
	u32 running_n;
	const char *fault;
	u32 (*choose)(void *data, u32 n);
	bool (*fails)(void *data, u32 item);
	void *data;
};

static inline bool walk_ended(const struct walk *walk, u32 i)
{
	return walk->items[i].state != MDX_CHAIN_WAITING &&
	       walk->items[i].state != MDX_CHAIN_RUNNING;
}

static inline u32 walk_head(const struct walk *walk, u32 i)
{
	while (walk->items[i].flags & MDX_CHAIN_LINK)
		i--;
	return i;
}

static inline bool walk_succeeded(const struct walk *walk, u32 i)
{
	return walk->items[i].state == MDX_CHAIN_DONE;
}

/* All that an item refers to, and its predecessor if it is linked */
static inline bool walk_has_hope(const struct walk *walk, u32 i)
{
	const struct mdx_chain_item *item = &walk->items[i];
	u32 k;

	if (item->flags & MDX_CHAIN_LINK && !walk_succeeded(walk, i - 1))
		return false;
	for (k = 0; k < item->needs_n; k++) {
		if (!walk_succeeded(walk, walk->needs[item->needs + k]))
			return false;
	}
	return true;
}

static inline void walk_check_begin(struct walk *walk, u32 i)
{
	u32 head, k, before;

	if (walk->items[i].state != MDX_CHAIN_WAITING)
		walk->fault = "an item begins twice";
	if (walk->running_n >= walk->chain.in_flight)
		walk->fault = "too many items run";
	if (walk->chain.stopped)
		walk->fault = "an item begins after the stop";
	if (!walk_has_hope(walk, i))
		walk->fault = "an item begins without what it needs";
	for (k = 0; k <= i; k++) {
		if (!(walk->items[k].flags & MDX_CHAIN_DRAIN))
			continue;
		for (before = 0; before < k; before++) {
			if (!walk_ended(walk, before))
				walk->fault = "an item overtakes a drain";
		}
	}
	head = walk_head(walk, i);
	for (k = 0; k < head; k++) {
		if (walk_head(walk, k) == k &&
		    walk->items[k].state == MDX_CHAIN_WAITING)
			walk->fault = "chains begin out of order";
	}
}

static inline void walk_check_cancel(struct walk *walk, u32 i)
{
	if (walk->items[i].state != MDX_CHAIN_WAITING)
		walk->fault = "an item is canceled that has begun";
	if (!walk->chain.stopped && walk_has_hope(walk, i))
		walk->fault = "an item is canceled for no reason";
}

static inline void walk_check_undo(struct walk *walk, u32 i)
{
	u32 k;

	if (!walk->chain.undoes || !walk_succeeded(walk, i) ||
	    !(walk->items[i].flags & MDX_CHAIN_CREATES))
		walk->fault = "there is nothing to undo";
	for (k = i + 1; k < walk->chain.n && walk_head(walk, k) ==
						     walk_head(walk, i); k++) {
		if (walk->items[k].flags & MDX_CHAIN_CREATES &&
		    walk_succeeded(walk, k))
			walk->fault = "an older object is undone first";
		if (walk->items[k].state == MDX_CHAIN_RUNNING)
			walk->fault = "a chain is undone that runs";
	}
}

/* One of the items that run ends. */
static inline void walk_end_one(struct walk *walk)
{
	u32 at, i;

	if (!walk->running_n) {
		walk->fault = "nothing runs, and nothing begins";
		return;
	}
	at = walk->choose(walk->data, walk->running_n);
	i = walk->running[at];
	walk->running[at] = walk->running[--walk->running_n];
	mdx_chain_end(&walk->chain, i, !walk->fails(walk->data, i));
}

/* Return: false at the end, or after a fault */
static inline bool walk_step(struct walk *walk)
{
	enum mdx_chain_verb verb;
	u32 i = 0;

	verb = mdx_chain_next(&walk->chain, &i);
	switch (verb) {
	case MDX_CHAIN_END:
		return false;
	case MDX_CHAIN_WAIT:
		walk_end_one(walk);
		return !walk->fault;
	case MDX_CHAIN_BEGIN:
		walk_check_begin(walk, i);
		walk->running[walk->running_n++] = i;
		break;
	case MDX_CHAIN_CANCEL:
		walk_check_cancel(walk, i);
		break;
	case MDX_CHAIN_UNDO:
		walk_check_undo(walk, i);
		break;
	}
	if (!walk->fault)
		mdx_chain_take(&walk->chain, verb, i);
	/* An item may end before the caller looks for the next step. */
	if (!walk->fault && walk->running_n && !walk->choose(walk->data, 3))
		walk_end_one(walk);
	return !walk->fault;
}

/* After a chain of which an item did not succeed */
static inline bool walk_chain_undone(const struct walk *walk, u32 head)
{
	bool whole = true, kept = false;
	u32 i;

	for (i = head; i < walk->chain.n && walk_head(walk, i) == head; i++) {
		if (walk_succeeded(walk, i))
			kept |= walk->items[i].flags & MDX_CHAIN_CREATES;
		else
			whole = false;
	}
	return whole || !kept;
}

/* The whole walk. Return: the rule that was broken; NULL: none was */
static inline const char *walk_run(struct walk *walk)
{
	u32 i;

	while (walk_step(walk))
		;
	if (walk->fault)
		return walk->fault;
	for (i = 0; i < walk->chain.n; i++) {
		if (!walk_ended(walk, i))
			return "an item was forgotten";
		if (walk->chain.undoes && walk_head(walk, i) == i &&
		    !walk_chain_undone(walk, i))
			return "a broken chain leaves an object";
	}
	return NULL;
}

/* References as the uapi allows them, one by one */
static inline bool walk_may_need(const struct walk *walk, u32 i, u32 back)
{
	u32 target = i - back, k;

	if (!back || back > i ||
	    !(walk->items[target].flags & MDX_CHAIN_CREATES))
		return false;
	if (walk_head(walk, target) == walk_head(walk, i))
		return true;
	for (k = target + 1; k <= i; k++) {
		if (walk->items[k].flags & MDX_CHAIN_DRAIN)
			return true;
	}
	return false;
}

static inline void walk_init(struct walk *walk, u32 in_flight)
{
	walk->chain.items = walk->items;
	walk->chain.needs = walk->needs;
	mdx_chain_init(&walk->chain, in_flight);
}

#endif /* MDX_KUNIT_CHAIN_WALK_H */
