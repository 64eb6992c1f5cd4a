// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Mailbox buffers: what one user wrote is never what another one gets. It is
 * also built in user space (user/), without the tests of several CPUs.
 */
#include <kunit/test.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/types.h>

/* Buffers that the pool has from the allocator, and whether it gets none. */
static atomic_t allocated = ATOMIC_INIT(0);
static bool no_memory;

static void *test_kzalloc(size_t len, gfp_t gfp)
{
	void *p = no_memory ? NULL : kzalloc(len, gfp);

	if (p)
		atomic_inc(&allocated);
	return p;
}

static void *test_kvzalloc(size_t len, gfp_t gfp)
{
	void *p = no_memory ? NULL : kvzalloc(len, gfp);

	if (p)
		atomic_inc(&allocated);
	return p;
}

static void test_kfree(const void *p)
{
	if (p)
		atomic_dec(&allocated);
	kfree((void *)p);
}

static void test_kvfree(const void *p)
{
	if (p)
		atomic_dec(&allocated);
	kvfree((void *)p);
}

#undef kzalloc
#undef kvzalloc
#undef kfree
#undef kvfree
#define kzalloc test_kzalloc
#define kvzalloc test_kvzalloc
#define kfree test_kfree
#define kvfree test_kvfree

#include "../kmod/pool.c"

#undef kzalloc
#undef kvzalloc
#undef kfree
#undef kvfree

/* Around every size at which something may change */
static const size_t sizes[] = {
	16, 17, 64, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 2047, 2048,
	2049, 4095, 4096, 4097, 8191, 8192, 8193, 16384, 65536, 65537, 2097152,
};

/* More than the pool keeps of one size on one CPU */
#define MANY 64

static bool is_zero(const u8 *p, size_t len)
{
	while (len)
		if (p[--len])
			return false;
	return true;
}

static void buffers_are_zero_and_can_be_written(struct kunit *test)
{
	unsigned int i;
	u8 *buf;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		buf = mdx_pool_get(sizes[i]);
		KUNIT_ASSERT_NOT_NULL(test, buf);
		KUNIT_EXPECT_TRUE_MSG(test, is_zero(buf, sizes[i]),
				      "%u bytes", (unsigned int)sizes[i]);
		memset(buf, 0xa5, sizes[i]);
		mdx_pool_put(buf, sizes[i]);
	}
}

/* Every size after every other: a long one must not see what a short one left. */
static void nobody_sees_what_another_wrote(struct kunit *test)
{
	unsigned int i, j;
	u8 *buf;

	for (i = 0; i < ARRAY_SIZE(sizes); i++)
		for (j = 0; j < ARRAY_SIZE(sizes) && sizes[j] <= 65537; j++) {
			buf = mdx_pool_get(sizes[i]);
			KUNIT_ASSERT_NOT_NULL(test, buf);
			memset(buf, 0xa5, sizes[i]);
			mdx_pool_put(buf, sizes[i]);
			buf = mdx_pool_get(sizes[j]);
			KUNIT_ASSERT_NOT_NULL(test, buf);
			KUNIT_EXPECT_TRUE_MSG(test, is_zero(buf, sizes[j]),
					      "%u bytes after %u",
					      (unsigned int)sizes[j],
					      (unsigned int)sizes[i]);
			mdx_pool_put(buf, sizes[j]);
		}
}

static void buffers_in_use_are_apart(struct kunit *test)
{
	static u8 *buf[MANY];
	unsigned int i;

	for (i = 0; i < MANY; i++) {
		buf[i] = mdx_pool_get(512);
		KUNIT_ASSERT_NOT_NULL(test, buf[i]);
		memset(buf[i], i + 1, 512);
	}
	for (i = 0; i < MANY; i++) {
		KUNIT_EXPECT_TRUE(test, buf[i][0] == i + 1 &&
				  !memcmp(buf[i], buf[i] + 1, 511));
		mdx_pool_put(buf[i], 512);
	}
}

static void what_is_put_back_is_used_again(struct kunit *test)
{
	int before;
	u8 *buf;

	buf = mdx_pool_get(512);
	KUNIT_ASSERT_NOT_NULL(test, buf);
	mdx_pool_put(buf, 512);
	before = atomic_read(&allocated);
	buf = mdx_pool_get(512);
	KUNIT_ASSERT_NOT_NULL(test, buf);
	KUNIT_EXPECT_LE(test, atomic_read(&allocated), before + 1);
	mdx_pool_put(buf, 512);
	KUNIT_EXPECT_LE(test, atomic_read(&allocated), before + 1);
}

static void the_pool_keeps_a_few_only(struct kunit *test)
{
	static u8 *buf[MANY];
	unsigned int i, j;
	int before;

	before = atomic_read(&allocated);
	for (i = 0; i < ARRAY_SIZE(sizes) && sizes[i] <= 65537; i++) {
		for (j = 0; j < MANY; j++) {
			buf[j] = mdx_pool_get(sizes[i]);
			KUNIT_ASSERT_NOT_NULL(test, buf[j]);
		}
		for (j = 0; j < MANY; j++)
			mdx_pool_put(buf[j], sizes[i]);
		/* Had it kept one in two, it would be more already. */
		KUNIT_EXPECT_LT(test, atomic_read(&allocated) - before, MANY / 2);
	}
}

static void long_ones_are_not_kept(struct kunit *test)
{
	int before = atomic_read(&allocated);
	u8 *buf = mdx_pool_get(2097152);

	KUNIT_ASSERT_NOT_NULL(test, buf);
	mdx_pool_put(buf, 2097152);
	KUNIT_EXPECT_EQ(test, atomic_read(&allocated), before);
}

static void nothing_may_be_put_back(struct kunit *test)
{
	mdx_pool_put(NULL, 16);
	mdx_pool_put(NULL, 2097152);
}

static void without_memory_there_are_no_new_buffers(struct kunit *test)
{
	static u8 *buf[MANY];
	unsigned int i, n = 0;

	no_memory = true;
	KUNIT_EXPECT_TRUE(test, !mdx_pool_get(2097152));
	for (i = 0; i < MANY; i++) {
		buf[i] = mdx_pool_get(512);
		n += !!buf[i];
	}
	no_memory = false;
	KUNIT_EXPECT_LT(test, n, MANY);
	while (i--)
		mdx_pool_put(buf[i], 512);
}

#ifdef __KERNEL__
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/kthread.h>

#define WORKERS 6
#define ROUNDS 3000
/* Those up to 8193 */
#define SHORT_SIZES 21

struct worker {
	unsigned int seed;
	bool hops;
	unsigned int dirty;
	unsigned int mixed;
	struct completion done;
};

static unsigned int next_random(unsigned int *seed)
{
	*seed = *seed * 1103515245 + 12345;
	return *seed >> 16;
}

/* Lets others run, or goes to any CPU that is there now. */
static void pause(struct worker *w)
{
	unsigned int cpu = next_random(&w->seed) % nr_cpu_ids;

	if (!w->hops)
		cond_resched();
	else if (cpu_possible(cpu))
		set_cpus_allowed_ptr(current, cpumask_of(cpu));
}

/* Gets, looks, writes, looks again, puts back. */
static int work(void *data)
{
	struct worker *w = data;
	unsigned int i;
	size_t len;
	u8 *buf, val;

	for (i = 0; i < ROUNDS; i++) {
		len = sizes[next_random(&w->seed) % SHORT_SIZES];
		val = w->seed | 1;
		buf = mdx_pool_get(len);
		if (!buf)
			continue;
		w->dirty += !is_zero(buf, len);
		memset(buf, val, len);
		if (i % 8 == 0)
			pause(w);
		w->mixed += buf[0] != val || memcmp(buf, buf + 1, len - 1);
		mdx_pool_put(buf, len);
	}
	complete(&w->done);
	return 0;
}

static struct worker workers[WORKERS];

static void start(struct kunit *test, bool hops)
{
	struct task_struct *task;
	unsigned int i;

	for (i = 0; i < WORKERS; i++) {
		workers[i] = (struct worker){
			.seed = i * 77 + 1,
			.hops = hops,
		};
		init_completion(&workers[i].done);
		task = kthread_run(work, &workers[i], "mdx_pool/%u", i);
		KUNIT_EXPECT_FALSE(test, IS_ERR(task));
		if (IS_ERR(task))
			complete(&workers[i].done);
	}
}

static void finish(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < WORKERS; i++) {
		wait_for_completion(&workers[i].done);
		KUNIT_EXPECT_EQ(test, workers[i].dirty, 0);
		KUNIT_EXPECT_EQ(test, workers[i].mixed, 0);
	}
}

static void several_tasks_use_it_at_a_time(struct kunit *test)
{
	start(test, false);
	finish(test);
}

static void tasks_migrate_between_get_and_put(struct kunit *test)
{
	start(test, true);
	finish(test);
}

static void cpus_go_and_come(struct kunit *test)
{
	unsigned int cpu = nr_cpu_ids - 1, i;

	if (!cpu || !cpu_online(cpu))
		kunit_skip(test, "one CPU");
	start(test, true);
	for (i = 0; i < 3; i++) {
		KUNIT_EXPECT_EQ(test, remove_cpu(cpu), 0);
		KUNIT_EXPECT_EQ(test, add_cpu(cpu), 0);
	}
	finish(test);
}
#endif /* __KERNEL__ */

/* The last one: nothing uses the pool after that. */
static void nothing_is_left_in_the_end(struct kunit *test)
{
	mdx_pool_drain();
	KUNIT_EXPECT_EQ(test, atomic_read(&allocated), 0);
}

static struct kunit_case pool_cases[] = {
	KUNIT_CASE(buffers_are_zero_and_can_be_written),
	KUNIT_CASE(nobody_sees_what_another_wrote),
	KUNIT_CASE(buffers_in_use_are_apart),
	KUNIT_CASE(what_is_put_back_is_used_again),
	KUNIT_CASE(the_pool_keeps_a_few_only),
	KUNIT_CASE(long_ones_are_not_kept),
	KUNIT_CASE(nothing_may_be_put_back),
	KUNIT_CASE(without_memory_there_are_no_new_buffers),
#ifdef __KERNEL__
	KUNIT_CASE(several_tasks_use_it_at_a_time),
	KUNIT_CASE_SLOW(tasks_migrate_between_get_and_put),
	KUNIT_CASE_SLOW(cpus_go_and_come),
#endif
	KUNIT_CASE(nothing_is_left_in_the_end),
	{}
};

static struct kunit_suite pool_suite = {
	.name = "mdx_pool",
	.test_cases = pool_cases,
};

kunit_test_suite(pool_suite);
