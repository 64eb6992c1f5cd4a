// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The order of the items of a batch.
 */
#include <kunit/test.h>

#include "../kmod/submit_chain.c"

#include "chain_walk.h"

#define NONE 0xffff
#define L MDX_CHAIN_LINK
#define D MDX_CHAIN_DRAIN
#define C MDX_CHAIN_CREATES

static struct walk w;

static int chain_init(struct kunit *test)
{
	memset(&w, 0, sizeof(w));
	return 0;
}

static void items_begin(u32 in_flight, const u8 *flags, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		w.items[i].flags = flags[i];
	w.chain.n = n;
	walk_init(&w, in_flight);
}

#define BEGIN(in_flight, ...)                                                  \
	items_begin(in_flight, (const u8[]){ __VA_ARGS__ },                    \
		    sizeof((const u8[]){ __VA_ARGS__ }))

static void step_expect(struct kunit *test, enum mdx_chain_verb verb, u32 item)
{
	u32 i = NONE;

	KUNIT_EXPECT_EQ(test, (int)mdx_chain_next(&w.chain, &i), (int)verb);
	if (verb == MDX_CHAIN_WAIT || verb == MDX_CHAIN_END)
		return;
	KUNIT_EXPECT_EQ(test, i, item);
	mdx_chain_take(&w.chain, verb, i);
}

#define STEP(verb, item) step_expect(test, MDX_CHAIN_##verb, item)
#define END(item, success) mdx_chain_end(&w.chain, item, success)

static void no_items_end(struct kunit *test)
{
	BEGIN(8);
	STEP(END, NONE);
}

static void chains_run_beside(struct kunit *test)
{
	BEGIN(8, 0, L, 0, 0);
	STEP(BEGIN, 0);
	STEP(BEGIN, 2);
	STEP(BEGIN, 3);
	STEP(WAIT, NONE);
	END(0, true);
	STEP(BEGIN, 1);
	STEP(WAIT, NONE);
}

static void in_flight_bounds(struct kunit *test)
{
	BEGIN(2, 0, 0, 0);
	STEP(BEGIN, 0);
	STEP(BEGIN, 1);
	STEP(WAIT, NONE);
	END(1, false);
	STEP(BEGIN, 2);
}

/* A chain under way goes on before another begins. */
static void link_precedes_head(struct kunit *test)
{
	BEGIN(1, 0, L, 0);
	STEP(BEGIN, 0);
	END(0, true);
	STEP(BEGIN, 1);
	END(1, true);
	STEP(BEGIN, 2);
	END(2, true);
	STEP(END, NONE);
}

static void link_failed_cancels(struct kunit *test)
{
	BEGIN(8, 0, L, L, 0);
	STEP(BEGIN, 0);
	END(0, false);
	STEP(CANCEL, 1);
	STEP(CANCEL, 2);
	STEP(BEGIN, 3);
}

static void drain_waits_for_all(struct kunit *test)
{
	BEGIN(8, 0, 0, D, 0);
	STEP(BEGIN, 0);
	STEP(BEGIN, 1);
	STEP(WAIT, NONE);
	END(1, true);
	STEP(WAIT, NONE);
	END(0, false);
	STEP(BEGIN, 2);
	STEP(BEGIN, 3);
}

/* A drain within a chain holds up what is behind it as well. */
static void drain_linked_waits(struct kunit *test)
{
	BEGIN(8, 0, 0, L | D, 0);
	STEP(BEGIN, 0);
	STEP(BEGIN, 1);
	END(1, true);
	STEP(WAIT, NONE);
	END(0, true);
	STEP(BEGIN, 2);
	STEP(BEGIN, 3);
}

static void stop_cancels_rest(struct kunit *test)
{
	BEGIN(2, 0, 0, L, 0, L);
	w.chain.stop = true;
	STEP(BEGIN, 0);
	STEP(BEGIN, 1);
	END(0, false);
	STEP(CANCEL, 3);
	STEP(CANCEL, 4);
	STEP(WAIT, NONE);
	END(1, true);
	STEP(CANCEL, 2);
	STEP(END, NONE);
}

static void undo_newest_first(struct kunit *test)
{
	BEGIN(1, C, L, C | L, L, L, C);
	w.chain.undoes = true;
	STEP(BEGIN, 0);
	END(0, true);
	STEP(BEGIN, 1);
	END(1, true);
	STEP(BEGIN, 2);
	END(2, true);
	STEP(BEGIN, 3);
	END(3, false);
	STEP(UNDO, 2);
	STEP(UNDO, 0);
	STEP(CANCEL, 4);
	STEP(BEGIN, 5);
	END(5, true);
	STEP(END, NONE);
	KUNIT_EXPECT_EQ(test, (int)w.items[0].state, (int)MDX_CHAIN_UNDONE);
	KUNIT_EXPECT_EQ(test, (int)w.items[5].state, (int)MDX_CHAIN_DONE);
}

/* Chains that are cut short by the stop leave nothing, either. */
static void undo_after_stop(struct kunit *test)
{
	BEGIN(2, C, L, 0);
	w.chain.undoes = true;
	w.chain.stop = true;
	STEP(BEGIN, 0);
	STEP(BEGIN, 2);
	END(2, false);
	END(0, true);
	STEP(CANCEL, 1);
	STEP(UNDO, 0);
	STEP(END, NONE);
}

static void undo_two_chains(struct kunit *test)
{
	BEGIN(2, C, L, C, L);
	w.chain.undoes = true;
	STEP(BEGIN, 0);
	STEP(BEGIN, 2);
	END(0, true);
	STEP(BEGIN, 1);
	END(2, true);
	STEP(BEGIN, 3);
	END(1, false);
	END(3, false);
	STEP(UNDO, 2);
	STEP(UNDO, 0);
	STEP(END, NONE);
}

static void killed_undoes_nothing(struct kunit *test)
{
	BEGIN(2, C, L, 0);
	w.chain.undoes = true;
	STEP(BEGIN, 0);
	END(0, true);
	mdx_chain_stop(&w.chain, false);
	STEP(CANCEL, 1);
	STEP(CANCEL, 2);
	STEP(END, NONE);
	KUNIT_EXPECT_EQ(test, (int)w.items[0].state, (int)MDX_CHAIN_DONE);
}

/* Results that cannot be written: what the item had created is undone. */
static void lost_undoes(struct kunit *test)
{
	BEGIN(2, C, L, L);
	w.chain.undoes = true;
	STEP(BEGIN, 0);
	END(0, true);
	STEP(BEGIN, 1);
	mdx_chain_stop(&w.chain, true);
	END(1, false);
	STEP(UNDO, 0);
	STEP(CANCEL, 2);
	STEP(END, NONE);
}

static void need_two_items(struct kunit *test)
{
	BEGIN(8, C, C, D, 0);
	KUNIT_EXPECT_TRUE(test, mdx_chain_need(&w.chain, 2, 1));
	KUNIT_EXPECT_TRUE(test, mdx_chain_need(&w.chain, 2, 2));
	STEP(BEGIN, 0);
	STEP(BEGIN, 1);
	END(0, true);
	END(1, false);
	STEP(CANCEL, 2);
	STEP(BEGIN, 3);
}

static void need_same_chain(struct kunit *test)
{
	BEGIN(8, C, L, L, C, L);
	KUNIT_EXPECT_TRUE(test, mdx_chain_need(&w.chain, 1, 1));
	KUNIT_EXPECT_TRUE(test, mdx_chain_need(&w.chain, 2, 2));
	KUNIT_EXPECT_TRUE(test, mdx_chain_need(&w.chain, 4, 1));
	/* It creates nothing. */
	KUNIT_EXPECT_FALSE(test, mdx_chain_need(&w.chain, 4, 2));
	/* Another chain, which runs beside it */
	KUNIT_EXPECT_FALSE(test, mdx_chain_need(&w.chain, 4, 4));
	/* Itself, and an item before the first */
	KUNIT_EXPECT_FALSE(test, mdx_chain_need(&w.chain, 4, 0));
	KUNIT_EXPECT_FALSE(test, mdx_chain_need(&w.chain, 4, 5));
}

static void need_before_drain(struct kunit *test)
{
	BEGIN(8, C, 0, D, L, 0);
	KUNIT_EXPECT_TRUE(test, mdx_chain_need(&w.chain, 2, 2));
	KUNIT_EXPECT_TRUE(test, mdx_chain_need(&w.chain, 3, 3));
	KUNIT_EXPECT_TRUE(test, mdx_chain_need(&w.chain, 4, 4));
}

static void need_failed_cancels(struct kunit *test)
{
	BEGIN(8, C, D, L, 0);
	KUNIT_EXPECT_TRUE(test, mdx_chain_need(&w.chain, 1, 1));
	STEP(BEGIN, 0);
	END(0, false);
	STEP(CANCEL, 1);
	STEP(CANCEL, 2);
	STEP(BEGIN, 3);
}

/* An undone object is none any more. */
static void need_undone_cancels(struct kunit *test)
{
	BEGIN(8, C, L, D);
	w.chain.undoes = true;
	KUNIT_EXPECT_TRUE(test, mdx_chain_need(&w.chain, 2, 2));
	STEP(BEGIN, 0);
	END(0, true);
	STEP(BEGIN, 1);
	END(1, false);
	STEP(UNDO, 0);
	STEP(CANCEL, 2);
	STEP(END, NONE);
}

/* A cheap generator: the walks are the same in every run. */
static u32 walk_random(u32 *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

static u32 choose_random(void *data, u32 n)
{
	return walk_random(data) % n;
}

static bool fails_sometimes(void *data, u32 item)
{
	return walk_random(data) % 8 == 0;
}

static void walk_fill(struct walk *walk, u32 *seed)
{
	u32 i, k;

	walk->chain.n = 1 + walk_random(seed) % WALK_ITEMS_MAX;
	for (i = 0; i < walk->chain.n; i++) {
		walk->items[i].flags = walk_random(seed) & (i ? 7 : 6);
		if (walk_random(seed) % 4)
			walk->items[i].flags &= ~MDX_CHAIN_DRAIN;
	}
	walk_init(walk, 1 + walk_random(seed) % MDX_CHAIN_RUNNING_MAX);
	walk->chain.stop = walk_random(seed) % 4 == 0;
	walk->chain.undoes = walk_random(seed) % 2;
	for (i = k = 0; i < walk->chain.n && k < WALK_NEEDS_MAX; i++) {
		if (walk_random(seed) % 2)
			k += mdx_chain_need(&walk->chain, i,
					    walk_random(seed) % 8);
	}
}

#define WALKS 3000

static void walks_follow_rules(struct kunit *test)
{
	const char *fault;
	u32 seed, n;

	for (n = 0; n < WALKS; n++) {
		seed = n;
		memset(&w, 0, sizeof(w));
		w.choose = choose_random;
		w.fails = fails_sometimes;
		w.data = &seed;
		walk_fill(&w, &seed);
		fault = walk_run(&w);
		KUNIT_EXPECT_TRUE_MSG(test, !fault, "walk %u: %s", n, fault);
		if (fault)
			break;
	}
}

static void needs_follow_rules(struct kunit *test)
{
	u32 seed, n, i, back, wrong = 0;

	for (n = 0; n < WALKS / 10; n++) {
		seed = n;
		memset(&w, 0, sizeof(w));
		walk_fill(&w, &seed);
		for (i = 0; i < w.chain.n; i++) {
			for (back = 0; back <= i + 1; back++) {
				w.items[i].needs_n = 0;
				w.chain.needs_n = 0;
				if (mdx_chain_need(&w.chain, i, back) !=
				    walk_may_need(&w, i, back))
					wrong++;
			}
		}
	}
	KUNIT_EXPECT_EQ(test, wrong, 0U);
}

static struct kunit_case chain_cases[] = {
	KUNIT_CASE(no_items_end),
	KUNIT_CASE(chains_run_beside),
	KUNIT_CASE(in_flight_bounds),
	KUNIT_CASE(link_precedes_head),
	KUNIT_CASE(link_failed_cancels),
	KUNIT_CASE(drain_waits_for_all),
	KUNIT_CASE(drain_linked_waits),
	KUNIT_CASE(stop_cancels_rest),
	KUNIT_CASE(undo_newest_first),
	KUNIT_CASE(undo_after_stop),
	KUNIT_CASE(undo_two_chains),
	KUNIT_CASE(killed_undoes_nothing),
	KUNIT_CASE(lost_undoes),
	KUNIT_CASE(need_two_items),
	KUNIT_CASE(need_same_chain),
	KUNIT_CASE(need_before_drain),
	KUNIT_CASE(need_failed_cancels),
	KUNIT_CASE(need_undone_cancels),
	KUNIT_CASE(walks_follow_rules),
	KUNIT_CASE(needs_follow_rules),
	{}
};

static struct kunit_suite chain_suite = {
	.name = "mdx_submit_chain",
	.init = chain_init,
	.test_cases = chain_cases,
};

kunit_test_suite(chain_suite);
