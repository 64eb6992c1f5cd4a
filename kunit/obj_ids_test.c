// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Ids of objects, which here are numbers that nobody follows.
 */
#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/kthread.h>

#include "../kmod/ids.h"

#define LEAF MDX_LEAF_IDS

static struct mdx_ids ids;

static struct mdx_obj *obj_of(unsigned long n)
{
	return (void *)(0x10000 + n * 8);
}

static struct mdx_obj *find(u32 id)
{
	struct mdx_obj *obj;

	mdx_ids_lock(&ids);
	obj = mdx_ids_find(&ids, id);
	mdx_ids_unlock(&ids);
	return obj;
}

static bool has_leaf(u32 id)
{
	return xa_load(&ids.leaves, id / LEAF);
}

/* Ids 1 to the last one not after @last, each with its own number as object. */
static void take_up_to(struct kunit *test, u32 last)
{
	u32 id, want;

	for (want = 1; want <= last; want++) {
		if (want % LEAF == 0)
			continue;
		id = mdx_ids_take(&ids, obj_of(want));
		KUNIT_ASSERT_EQ(test, id, want);
	}
}

static void erase(u32 from, u32 to)
{
	for (; from <= to; from++)
		if (find(from))
			mdx_ids_erase(&ids, from);
}

static void ids_count_up_and_are_found(struct kunit *test)
{
	u32 id;

	take_up_to(test, 5 * LEAF);
	for (id = 1; id < 5 * LEAF; id++)
		KUNIT_EXPECT_PTR_EQ(test, find(id),
				    id % LEAF ? obj_of(id) : NULL);
}

static void other_numbers_are_nothing(struct kunit *test)
{
	static const u32 numbers[] = {
		0, 3, 4, LEAF - 1, LEAF, LEAF + 1, 1 << 16, S32_MAX, U32_MAX,
	};
	int i;

	KUNIT_EXPECT_NULL(test, find(0));
	KUNIT_EXPECT_NULL(test, find(1));
	take_up_to(test, 2);
	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		KUNIT_EXPECT_NULL(test, find(numbers[i]));
}

static void an_id_is_not_given_twice(struct kunit *test)
{
	take_up_to(test, 3);
	erase(1, 3);
	KUNIT_EXPECT_NULL(test, find(3));
	KUNIT_EXPECT_EQ(test, mdx_ids_take(&ids, obj_of(4)), 4);
	KUNIT_EXPECT_NULL(test, find(3));
	KUNIT_EXPECT_PTR_EQ(test, find(4), obj_of(4));
}

static void a_leaf_goes_with_its_last_object(struct kunit *test)
{
	take_up_to(test, 3 * LEAF - 1);
	erase(LEAF, 2 * LEAF - 2);
	KUNIT_EXPECT_TRUE(test, has_leaf(LEAF));
	erase(2 * LEAF - 1, 2 * LEAF - 1);
	KUNIT_EXPECT_FALSE(test, has_leaf(LEAF));
	KUNIT_EXPECT_PTR_EQ(test, find(1), obj_of(1));
	KUNIT_EXPECT_PTR_EQ(test, find(2 * LEAF + 1), obj_of(2 * LEAF + 1));
}

static void the_newest_leaf_stays_until_there_is_another(struct kunit *test)
{
	struct mdx_leaf *leaf;

	take_up_to(test, LEAF - 2);
	leaf = ids.newest;
	erase(1, LEAF - 2);
	KUNIT_EXPECT_PTR_EQ(test, ids.newest, leaf);
	KUNIT_EXPECT_EQ(test, mdx_ids_take(&ids, obj_of(1)), LEAF - 1);
	KUNIT_EXPECT_PTR_EQ(test, ids.newest, leaf);
	erase(LEAF - 1, LEAF - 1);
	KUNIT_EXPECT_TRUE(test, has_leaf(1));
	KUNIT_EXPECT_EQ(test, mdx_ids_take(&ids, obj_of(2)), LEAF + 1);
	KUNIT_EXPECT_FALSE(test, has_leaf(1));
}

static void all_objects_are_visited_in_order(struct kunit *test)
{
	static const u32 left[] = {
		1, LEAF - 1, LEAF + 1, 3 * LEAF + 7, 3 * LEAF + 8, 5 * LEAF - 1,
	};
	struct mdx_obj *obj;
	int n = 0;
	u64 id;
	int i;

	id = 0;
	KUNIT_EXPECT_NULL(test, mdx_ids_next(&ids, &id));
	take_up_to(test, 5 * LEAF);
	for (i = 0, id = 1; id < 5 * LEAF; id++) {
		if (i < ARRAY_SIZE(left) && id == left[i])
			i++;
		else if (id % LEAF)
			mdx_ids_erase(&ids, id);
	}
	for (id = 0; (obj = mdx_ids_next(&ids, &id)); id++, n++) {
		KUNIT_ASSERT_LT(test, n, ARRAY_SIZE(left));
		KUNIT_EXPECT_EQ(test, id, left[n]);
		KUNIT_EXPECT_PTR_EQ(test, obj, obj_of(left[n]));
	}
	KUNIT_EXPECT_EQ(test, n, ARRAY_SIZE(left));
}

static void the_last_id_is_the_last(struct kunit *test)
{
	u64 id = 0;

	ids.last = U32_MAX - 2;
	KUNIT_EXPECT_EQ(test, mdx_ids_take(&ids, obj_of(1)), U32_MAX - 1);
	KUNIT_EXPECT_EQ(test, mdx_ids_take(&ids, obj_of(2)), U32_MAX);
	KUNIT_EXPECT_EQ(test, mdx_ids_take(&ids, obj_of(3)), 0);
	erase(U32_MAX - 1, U32_MAX - 1);
	KUNIT_EXPECT_EQ(test, mdx_ids_take(&ids, obj_of(3)), 0);
	KUNIT_EXPECT_PTR_EQ(test, mdx_ids_next(&ids, &id), obj_of(2));
	KUNIT_EXPECT_EQ(test, id, U32_MAX);
	id++;
	KUNIT_EXPECT_NULL(test, mdx_ids_next(&ids, &id));
}

#define TAKERS 4
#define TAKES 3000

struct taker {
	struct completion done;
	unsigned int nr;
	u32 id[TAKES];
};

/* Of those it takes, each third stays. */
static int takes(void *data)
{
	struct taker *taker = data;
	int i;

	for (i = 0; i < TAKES; i++) {
		taker->id[i] = mdx_ids_take(&ids, obj_of(taker->nr * TAKES + i));
		if (taker->id[i] && i % 3)
			mdx_ids_erase(&ids, taker->id[i]);
		cond_resched();
	}
	complete(&taker->done);
	return 0;
}

static void many_take_at_a_time(struct kunit *test)
{
	struct taker *takers;
	unsigned int n, i;
	u64 id;

	takers = kunit_kcalloc(test, TAKERS, sizeof(*takers), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, takers);
	for (n = 0; n < TAKERS; n++) {
		takers[n].nr = n;
		init_completion(&takers[n].done);
		if (IS_ERR(kthread_run(takes, &takers[n], "mdx_ids_%u", n))) {
			KUNIT_FAIL(test, "no thread");
			complete(&takers[n].done);
		}
	}
	for (n = 0; n < TAKERS; n++)
		wait_for_completion(&takers[n].done);

	for (n = 0; n < TAKERS; n++)
		for (i = 0; i < TAKES; i++)
			KUNIT_EXPECT_PTR_EQ(test, find(takers[n].id[i]),
				i % 3 ? NULL : obj_of(n * TAKES + i));
	for (i = 0, id = 0; mdx_ids_next(&ids, &id); id++)
		i++;
	KUNIT_EXPECT_EQ(test, i, TAKERS * TAKES / 3);
	/* None was left out. */
	KUNIT_EXPECT_EQ(test, ids.last - ids.last / LEAF, TAKERS * TAKES);
}

static int ids_init(struct kunit *test)
{
	mdx_ids_init(&ids);
	return 0;
}

static void ids_exit(struct kunit *test)
{
	mdx_ids_free(&ids);
}

static struct kunit_case ids_cases[] = {
	KUNIT_CASE(ids_count_up_and_are_found),
	KUNIT_CASE(other_numbers_are_nothing),
	KUNIT_CASE(an_id_is_not_given_twice),
	KUNIT_CASE(a_leaf_goes_with_its_last_object),
	KUNIT_CASE(the_newest_leaf_stays_until_there_is_another),
	KUNIT_CASE(all_objects_are_visited_in_order),
	KUNIT_CASE(the_last_id_is_the_last),
	KUNIT_CASE(many_take_at_a_time),
	{}
};

static struct kunit_suite ids_suite = {
	.name = "mdx_ids",
	.init = ids_init,
	.exit = ids_exit,
	.test_cases = ids_cases,
};

kunit_test_suite(ids_suite);
