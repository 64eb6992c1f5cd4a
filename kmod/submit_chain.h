/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The order of the items of a batch: which may begin next, and which never will.
 */
#ifndef MDX_SUBMIT_CHAIN_H
#define MDX_SUBMIT_CHAIN_H

#include <linux/types.h>

/* Items of a batch. */
#define MDX_CHAIN_ITEMS_MAX 4096

/* Items of a batch that run at a time. */
#define MDX_CHAIN_RUNNING_MAX 16

/**
 * enum mdx_chain_state - State of an item
 * @MDX_CHAIN_WAITING: it has not begun
 * @MDX_CHAIN_RUNNING: it has begun
 * @MDX_CHAIN_DONE: it has succeeded
 * @MDX_CHAIN_FAILED: it has failed
 * @MDX_CHAIN_CANCELED: it will not begin
 * @MDX_CHAIN_UNDONE: it had succeeded, and its object was to be destroyed again
 */
enum mdx_chain_state {
	MDX_CHAIN_WAITING,
	MDX_CHAIN_RUNNING,
	MDX_CHAIN_DONE,
	MDX_CHAIN_FAILED,
	MDX_CHAIN_CANCELED,
	MDX_CHAIN_UNDONE,
};

/**
 * enum mdx_chain_flags - Properties of an item
 * @MDX_CHAIN_LINK: it begins when the item before it has succeeded
 * @MDX_CHAIN_DRAIN: it begins when all items before it have ended
 * @MDX_CHAIN_CREATES: it creates an object
 */
enum mdx_chain_flags {
	MDX_CHAIN_LINK = 1 << 0,
	MDX_CHAIN_DRAIN = 1 << 1,
	MDX_CHAIN_CREATES = 1 << 2,
};

/**
 * struct mdx_chain_item - An item
 * @state: enum mdx_chain_state
 * @flags: enum mdx_chain_flags
 * @barrier: all items before this one have to have ended first: the last with
 *	MDX_CHAIN_DRAIN up to here; 0: there is none
 * @head: first item of its chain
 * @needs_n: entries of mdx_chain::needs
 * @needs: first of them
 */
struct mdx_chain_item {
	u8 state;
	u8 flags;
	u16 barrier;
	u16 head;
	u16 needs_n;
	u32 needs;
};

/**
 * enum mdx_chain_verb - The next step of a batch
 * @MDX_CHAIN_BEGIN: begin an item
 * @MDX_CHAIN_CANCEL: tell that an item will not begin
 * @MDX_CHAIN_UNDO: destroy the object of an item
 * @MDX_CHAIN_WAIT: an item that runs has to end first
 * @MDX_CHAIN_END: nothing is left to do
 */
enum mdx_chain_verb {
	MDX_CHAIN_BEGIN,
	MDX_CHAIN_CANCEL,
	MDX_CHAIN_UNDO,
	MDX_CHAIN_WAIT,
	MDX_CHAIN_END,
};

/**
 * struct mdx_chain - A batch
 * @items: its items
 * @needs: for each item the items whose objects it refers to
 * @needs_n: entries of @needs
 * @n: items
 * @in_flight: items that may run at a time
 * @running: items that run
 * @ended: all items before this one have ended
 * @heads: all chains before this item have begun
 * @ready: items of chains that have begun, whose predecessor has ended, and
 *	which have neither begun nor been canceled
 * @ready_n: entries of @ready
 * @undo: of each chain whose objects are to be destroyed, the item whose object is
 *	next
 * @undo_n: entries of @undo
 * @stop: nothing begins after a failure
 * @undoes: a chain of which an item did not succeed leaves no object
 * @stopped: nothing begins any more
 *
 * A chain is one item and those linked to it, which follow it. So the items of
 * chains that have begun are all before @heads. They are preferred, and nothing
 * begins while there is something to undo: as many chains are under way as items may
 * run.
 */
struct mdx_chain {
	struct mdx_chain_item *items;
	u16 *needs;
	u32 needs_n;
	u32 n;
	u32 in_flight;
	u32 running;
	u32 ended;
	u32 heads;
	u16 ready[MDX_CHAIN_RUNNING_MAX + 1];
	u32 ready_n;
	u16 undo[MDX_CHAIN_RUNNING_MAX + 1];
	u32 undo_n;
	bool stop;
	bool undoes;
	bool stopped;
};

void mdx_chain_init(struct mdx_chain *chain, u32 in_flight);
bool mdx_chain_need(struct mdx_chain *chain, u32 i, u32 back);
enum mdx_chain_verb mdx_chain_next(const struct mdx_chain *chain, u32 *item);
void mdx_chain_take(struct mdx_chain *chain, enum mdx_chain_verb verb, u32 i);
void mdx_chain_end(struct mdx_chain *chain, u32 i, bool success);
void mdx_chain_stop(struct mdx_chain *chain, bool undo);

#endif /* MDX_SUBMIT_CHAIN_H */
