// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The id table. Its objects are numbers here, which are never dereferenced.
 */
#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/kthread.h>

#include "../kmod/ids.h"

#define CHUNK MDX_CHUNK_IDS

static struct mdx_ids ids;

static struct mdx_obj *obj_of(unsigned long n)
{
	return (void *)(0x10000 + n * 8);
}

static struct mdx_obj *obj_find(u32 id)
{
	struct mdx_obj *obj;

	mdx_ids_lock(&ids);
	obj = mdx_ids_find(&ids, id);
	mdx_ids_unlock(&ids);
	return obj;
}

/* An object found by its new id, or 0. */
static u32 id_of(struct mdx_obj *obj)
{
	u32 id = mdx_ids_reserve(&ids);

	if (id)
		mdx_ids_store(&ids, id, obj);
	return id;
}

static bool has_chunk(u32 id)
{
	return xa_load(&ids.chunks, id / CHUNK);
}

/* Ids 1 to the last one not after @last, each with its own number as object. */
static void ids_up_to(struct kunit *test, u32 last)
{
	u32 id, want;

	for (want = 1; want <= last; want++) {
		if (want % CHUNK == 0)
			continue;
		id = id_of(obj_of(want));
		KUNIT_ASSERT_EQ(test, id, want);
	}
}

static void ids_erase(u32 from, u32 to)
{
	for (; from <= to; from++)
		if (obj_find(from))
			mdx_ids_erase(&ids, from);
}

static void ids_count_up(struct kunit *test)
{
	u32 id;

	ids_up_to(test, 5 * CHUNK);
	for (id = 1; id < 5 * CHUNK; id++)
		KUNIT_EXPECT_PTR_EQ(test, obj_find(id),
				    id % CHUNK ? obj_of(id) : NULL);
}

static void other_numbers_null(struct kunit *test)
{
	static const u32 numbers[] = {
		0, 3, 4, CHUNK - 1, CHUNK, CHUNK + 1, 1 << 16, S32_MAX, U32_MAX,
	};
	int i;

	KUNIT_EXPECT_NULL(test, obj_find(0));
	KUNIT_EXPECT_NULL(test, obj_find(1));
	ids_up_to(test, 2);
	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		KUNIT_EXPECT_NULL(test, obj_find(numbers[i]));
}

/* Until it is stored, and after its create has failed. */
static void reserved_id_null(struct kunit *test)
{
	u32 id = mdx_ids_reserve(&ids);
	u64 next = 0;

	KUNIT_EXPECT_EQ(test, id, 1);
	KUNIT_EXPECT_NULL(test, obj_find(id));
	KUNIT_EXPECT_NULL(test, mdx_ids_next(&ids, &next));
	mdx_ids_erase(&ids, id);
	KUNIT_EXPECT_NULL(test, obj_find(id));
	KUNIT_EXPECT_EQ(test, id_of(obj_of(1)), 2);
}

static void id_given_once(struct kunit *test)
{
	ids_up_to(test, 3);
	ids_erase(1, 3);
	KUNIT_EXPECT_NULL(test, obj_find(3));
	KUNIT_EXPECT_EQ(test, id_of(obj_of(4)), 4);
	KUNIT_EXPECT_NULL(test, obj_find(3));
	KUNIT_EXPECT_PTR_EQ(test, obj_find(4), obj_of(4));
}

static void chunk_freed_with_objects(struct kunit *test)
{
	ids_up_to(test, 3 * CHUNK - 1);
	ids_erase(CHUNK, 2 * CHUNK - 2);
	KUNIT_EXPECT_TRUE(test, has_chunk(CHUNK));
	ids_erase(2 * CHUNK - 1, 2 * CHUNK - 1);
	KUNIT_EXPECT_FALSE(test, has_chunk(CHUNK));
	KUNIT_EXPECT_PTR_EQ(test, obj_find(1), obj_of(1));
	KUNIT_EXPECT_PTR_EQ(test, obj_find(2 * CHUNK + 1), obj_of(2 * CHUNK + 1));
}

static void newest_chunk_stays(struct kunit *test)
{
	struct mdx_id_chunk *chunk;

	ids_up_to(test, CHUNK - 2);
	chunk = ids.newest;
	ids_erase(1, CHUNK - 2);
	KUNIT_EXPECT_PTR_EQ(test, ids.newest, chunk);
	KUNIT_EXPECT_EQ(test, id_of(obj_of(1)), CHUNK - 1);
	KUNIT_EXPECT_PTR_EQ(test, ids.newest, chunk);
	ids_erase(CHUNK - 1, CHUNK - 1);
	KUNIT_EXPECT_TRUE(test, has_chunk(1));
	KUNIT_EXPECT_EQ(test, id_of(obj_of(2)), CHUNK + 1);
	KUNIT_EXPECT_FALSE(test, has_chunk(1));
}

static void objects_visited_in_order(struct kunit *test)
{
	static const u32 left[] = {
		1, CHUNK - 1, CHUNK + 1, 3 * CHUNK + 7, 3 * CHUNK + 8, 5 * CHUNK - 1,
	};
	struct mdx_obj *obj;
	int n = 0;
	u64 id;
	int i;

	id = 0;
	KUNIT_EXPECT_NULL(test, mdx_ids_next(&ids, &id));
	ids_up_to(test, 5 * CHUNK);
	for (i = 0, id = 1; id < 5 * CHUNK; id++) {
		if (i < ARRAY_SIZE(left) && id == left[i])
			i++;
		else if (id % CHUNK)
			mdx_ids_erase(&ids, id);
	}
	for (id = 0; (obj = mdx_ids_next(&ids, &id)); id++, n++) {
		KUNIT_ASSERT_LT(test, n, ARRAY_SIZE(left));
		KUNIT_EXPECT_EQ(test, id, left[n]);
		KUNIT_EXPECT_PTR_EQ(test, obj, obj_of(left[n]));
	}
	KUNIT_EXPECT_EQ(test, n, ARRAY_SIZE(left));
}

static void ids_exhausted_zero(struct kunit *test)
{
	u64 id = 0;

	ids.last = U32_MAX - 2;
	KUNIT_EXPECT_EQ(test, id_of(obj_of(1)), U32_MAX - 1);
	KUNIT_EXPECT_EQ(test, id_of(obj_of(2)), U32_MAX);
	KUNIT_EXPECT_EQ(test, id_of(obj_of(3)), 0);
	ids_erase(U32_MAX - 1, U32_MAX - 1);
	KUNIT_EXPECT_EQ(test, id_of(obj_of(3)), 0);
	KUNIT_EXPECT_PTR_EQ(test, mdx_ids_next(&ids, &id), obj_of(2));
	KUNIT_EXPECT_EQ(test, id, U32_MAX);
	id++;
	KUNIT_EXPECT_NULL(test, mdx_ids_next(&ids, &id));
}

#define TASKS 4
#define RESERVES 3000

struct id_task {
	struct completion done;
	unsigned int nr;
	u32 id[RESERVES];
};

/* Each third id stays. */
static int task_run(void *data)
{
	struct id_task *task = data;
	int i;

	for (i = 0; i < RESERVES; i++) {
		task->id[i] = id_of(obj_of(task->nr * RESERVES + i));
		if (task->id[i] && i % 3)
			mdx_ids_erase(&ids, task->id[i]);
		cond_resched();
	}
	complete(&task->done);
	return 0;
}

static void many_reserve_at_once(struct kunit *test)
{
	struct id_task *tasks;
	unsigned int n, i;
	u64 id;

	tasks = kunit_kcalloc(test, TASKS, sizeof(*tasks), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, tasks);
	for (n = 0; n < TASKS; n++) {
		tasks[n].nr = n;
		init_completion(&tasks[n].done);
		if (IS_ERR(kthread_run(task_run, &tasks[n], "mdx_ids_%u", n))) {
			KUNIT_FAIL(test, "no thread");
			complete(&tasks[n].done);
		}
	}
	for (n = 0; n < TASKS; n++)
		wait_for_completion(&tasks[n].done);

	for (n = 0; n < TASKS; n++)
		for (i = 0; i < RESERVES; i++)
			KUNIT_EXPECT_PTR_EQ(test, obj_find(tasks[n].id[i]),
				i % 3 ? NULL : obj_of(n * RESERVES + i));
	for (i = 0, id = 0; mdx_ids_next(&ids, &id); id++)
		i++;
	KUNIT_EXPECT_EQ(test, i, TASKS * RESERVES / 3);
	/* No id was left out. */
	KUNIT_EXPECT_EQ(test, ids.last - ids.last / CHUNK, TASKS * RESERVES);
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
	KUNIT_CASE(ids_count_up),
	KUNIT_CASE(other_numbers_null),
	KUNIT_CASE(reserved_id_null),
	KUNIT_CASE(id_given_once),
	KUNIT_CASE(chunk_freed_with_objects),
	KUNIT_CASE(newest_chunk_stays),
	KUNIT_CASE(objects_visited_in_order),
	KUNIT_CASE(ids_exhausted_zero),
	KUNIT_CASE(many_reserve_at_once),
	{}
};

static struct kunit_suite ids_suite = {
	.name = "mdx_ids",
	.init = ids_init,
	.exit = ids_exit,
	.test_cases = ids_cases,
};

kunit_test_suite(ids_suite);
