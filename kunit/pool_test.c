// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Mailbox buffers: no two users share one, and few are kept. Also built in user
 * space (user/), without the tests of several CPUs.
 */
#include <kunit/test.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/types.h>
#include <linux/vmalloc.h>

void pool_test_exit(void);

/* Buffers that the pool has from the allocator */
static atomic_t allocated = ATOMIC_INIT(0);
/* The allocator has none. */
static bool no_memory;
/* Flags of the last allocation */
static gfp_t last_gfp;

static void *test_kvmalloc(size_t len, gfp_t gfp)
{
	void *p = no_memory ? NULL : kvmalloc(len, gfp);

	last_gfp = gfp;
	if (p)
		atomic_inc(&allocated);
	return p;
}

static void test_kvfree(const void *p)
{
	if (p)
		atomic_dec(&allocated);
	kvfree((void *)p);
}

static void *test_vmalloc(size_t len, gfp_t gfp)
{
	void *p = no_memory ? NULL : __vmalloc(len, gfp);

	last_gfp = gfp;
	if (p)
		atomic_inc(&allocated);
	return p;
}

static void test_vfree(const void *p)
{
	if (p)
		atomic_dec(&allocated);
	vfree((void *)p);
}

#ifdef __KERNEL__
/* The allocator, which the pool is compared with */
static void *plain_get(size_t len)
{
	return kvzalloc(len, GFP_KERNEL_ACCOUNT);
}

static void plain_put(void *buf)
{
	kvfree(buf);
}
#endif

#undef kvmalloc
#undef kvfree
#undef __vmalloc
#undef vfree
#define kvmalloc test_kvmalloc
#define kvfree test_kvfree
#define __vmalloc test_vmalloc
#define vfree test_vfree

#include "../kmod/pool.c"

#undef kvmalloc
#undef kvfree
#undef __vmalloc
#undef vfree

/* The buffers of one task, which the cases name by their memory */
static struct mdx_buf bufs[128];

static void *buf_get(size_t len)
{
	struct mdx_buf *buf = bufs;

	while (buf->mem)
		buf++;
	return mdx_pool_get(buf, len) ? buf->mem : NULL;
}

static struct mdx_buf *buf_of(const void *mem)
{
	struct mdx_buf *buf = bufs;

	while (buf->mem != mem)
		buf++;
	return buf;
}

static void buf_put(void *mem)
{
	if (mem)
		mdx_pool_put(buf_of(mem));
}

/* Around every size at which something may change */
static const size_t sizes[] = {
	16, 17, 64, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 2047, 2048,
	2049, 4095, 4096, 4097, 8191, 8192, 8193, 16384, 65536, 65537, 131072,
	131073, 2097152, 2097168, LONG_LEN, LONG_LEN + 1,
};

/* More than the pool keeps of one size on one CPU */
#define MANY 64

/* The first case: no other has taken the long buffer before. */
static void long_no_memory_retried(struct kunit *test)
{
	bool first = !atomic_read(&long_pooled);
	u8 *buf;

	no_memory = true;
	buf = buf_get(2097152);
	no_memory = false;
	KUNIT_EXPECT_EQ(test, !buf, first);
	buf_put(buf);
	buf = buf_get(2097152);
	KUNIT_ASSERT_NOT_NULL(test, buf);
	KUNIT_EXPECT_TRUE(test, buf_of(buf)->pooled);
	buf_put(buf);
}

static void buffers_are_writable(struct kunit *test)
{
	unsigned int i;
	u8 *buf;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		buf = buf_get(sizes[i]);
		KUNIT_ASSERT_NOT_NULL(test, buf);
		memset(buf, 0xa5, sizes[i]);
		buf_put(buf);
	}
}

static void used_buffers_are_disjoint(struct kunit *test)
{
	static u8 *buf[MANY];
	unsigned int i;

	for (i = 0; i < MANY; i++) {
		buf[i] = buf_get(512);
		KUNIT_ASSERT_NOT_NULL(test, buf[i]);
		memset(buf[i], i + 1, 512);
	}
	for (i = 0; i < MANY; i++) {
		KUNIT_EXPECT_TRUE(test, buf[i][0] == i + 1 &&
				  !memcmp(buf[i], buf[i] + 1, 511));
		buf_put(buf[i]);
	}
}

static void put_buffers_reused(struct kunit *test)
{
	int before;
	u8 *buf;

	buf = buf_get(512);
	KUNIT_ASSERT_NOT_NULL(test, buf);
	buf_put(buf);
	before = atomic_read(&allocated);
	buf = buf_get(512);
	KUNIT_ASSERT_NOT_NULL(test, buf);
	KUNIT_EXPECT_LE(test, atomic_read(&allocated), before + 1);
	buf_put(buf);
	KUNIT_EXPECT_LE(test, atomic_read(&allocated), before + 1);
}

static void kept_buffers_bounded(struct kunit *test)
{
	static u8 *buf[MANY];
	unsigned int i, j;
	int before;

	before = atomic_read(&allocated);
	for (i = 0; i < ARRAY_SIZE(sizes) && sizes[i] <= 65537; i++) {
		for (j = 0; j < MANY; j++) {
			buf[j] = buf_get(sizes[i]);
			KUNIT_ASSERT_NOT_NULL(test, buf[j]);
		}
		for (j = 0; j < MANY; j++)
			buf_put(buf[j]);
		/* One kept buffer in two would be more already. */
		KUNIT_EXPECT_LT(test, atomic_read(&allocated) - before, MANY / 2);
	}
}

static void long_buffer_kept_once(struct kunit *test)
{
	u8 *a = buf_get(131073), *b = buf_get(2097152);
	int before = atomic_read(&allocated);

	KUNIT_ASSERT_NOT_NULL(test, a);
	KUNIT_ASSERT_NOT_NULL(test, b);
	buf_put(a);
	buf_put(b);
	KUNIT_EXPECT_EQ(test, atomic_read(&allocated), before - 1);
	a = buf_get(LONG_LEN);
	KUNIT_ASSERT_NOT_NULL(test, a);
	KUNIT_EXPECT_EQ(test, atomic_read(&allocated), before - 1);
	memset(a, 0xa5, LONG_LEN);
	buf_put(a);
}

static void longest_buffers_freed(struct kunit *test)
{
	int before = atomic_read(&allocated);
	u8 *buf = buf_get(LONG_LEN + 1);

	KUNIT_ASSERT_NOT_NULL(test, buf);
	buf_put(buf);
	KUNIT_EXPECT_EQ(test, atomic_read(&allocated), before);
}

static void put_null_ignored(struct kunit *test)
{
	struct mdx_buf none = { .len = 16 }, none_long = { .len = 2097152 };

	mdx_pool_put(&none);
	mdx_pool_put(&none_long);
}

/* Buffers in use count as well: the others are charged, and not kept. */
static void pooled_bounded_not_charged(struct kunit *test)
{
	unsigned int max = SLOTS * num_possible_cpus(), n = 0, i;
	static u8 *buf[MANY];
	int before = atomic_read(&allocated), got;

	for (i = 0; i < MANY; i++) {
		got = atomic_read(&allocated);
		buf[i] = buf_get(512);
		KUNIT_ASSERT_NOT_NULL(test, buf[i]);
		n += buf_of(buf[i])->pooled;
		/* A pooled buffer outlives the task that allocates it. */
		if (atomic_read(&allocated) > got)
			KUNIT_EXPECT_EQ(test, last_gfp,
					buf_of(buf[i])->pooled ?
					GFP_KERNEL : GFP_KERNEL_ACCOUNT);
	}
	KUNIT_EXPECT_LE(test, n, max);
	KUNIT_EXPECT_GT(test, n, 0);
	for (i = 0; i < MANY; i++)
		buf_put(buf[i]);
	KUNIT_EXPECT_LE(test, atomic_read(&allocated) - before, (int)max);
}

static void no_memory_null(struct kunit *test)
{
	static u8 *buf[MANY];
	u8 *kept = buf_get(2097152);
	unsigned int i, n = 0;

	no_memory = true;
	KUNIT_EXPECT_TRUE(test, !buf_get(2097152));
	KUNIT_EXPECT_TRUE(test, !buf_get(LONG_LEN + 1));
	buf_put(kept);
	for (i = 0; i < MANY; i++) {
		buf[i] = buf_get(512);
		n += !!buf[i];
	}
	no_memory = false;
	KUNIT_EXPECT_LT(test, n, MANY);
	while (i--)
		buf_put(buf[i]);
}

#ifdef __KERNEL__
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/kthread.h>
#include <linux/math64.h>
#include <linux/timekeeping.h>

#define WORKERS 6
#define ROUNDS 3000
/* Those up to 8193 */
#define SHORT_SIZES 21

struct pool_worker {
	unsigned int seed;
	bool hops;
	unsigned int mixed;
	struct completion done;
};

static unsigned int next_random(unsigned int *seed)
{
	*seed = *seed * 1103515245 + 12345;
	return *seed >> 16;
}

/* Lets others run, or goes to any CPU that is online now. */
static void pause_worker(struct pool_worker *w)
{
	unsigned int cpu = next_random(&w->seed) % nr_cpu_ids;

	if (!w->hops)
		cond_resched();
	else if (cpu_possible(cpu))
		set_cpus_allowed_ptr(current, cpumask_of(cpu));
}

/* Gets, writes, compares, puts back. */
static int worker_run(void *data)
{
	struct pool_worker *w = data;
	struct mdx_buf b;
	unsigned int i;
	size_t len;
	u8 *buf, val;

	for (i = 0; i < ROUNDS; i++) {
		len = sizes[next_random(&w->seed) % SHORT_SIZES];
		val = w->seed | 1;
		if (!mdx_pool_get(&b, len))
			continue;
		buf = b.mem;
		memset(buf, val, len);
		if (i % 8 == 0)
			pause_worker(w);
		w->mixed += buf[0] != val || memcmp(buf, buf + 1, len - 1);
		mdx_pool_put(&b);
	}
	complete(&w->done);
	return 0;
}

static struct pool_worker workers[WORKERS];

static void workers_start(struct kunit *test, bool hops)
{
	struct task_struct *task;
	unsigned int i;

	for (i = 0; i < WORKERS; i++) {
		workers[i] = (struct pool_worker){
			.seed = i * 77 + 1,
			.hops = hops,
		};
		init_completion(&workers[i].done);
		task = kthread_run(worker_run, &workers[i], "mdx_pool/%u", i);
		KUNIT_EXPECT_FALSE(test, IS_ERR(task));
		if (IS_ERR(task))
			complete(&workers[i].done);
	}
}

static void workers_finish(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < WORKERS; i++) {
		wait_for_completion(&workers[i].done);
		KUNIT_EXPECT_EQ(test, workers[i].mixed, 0);
	}
}

static void tasks_share_pool(struct kunit *test)
{
	workers_start(test, false);
	workers_finish(test);
}

/* A task that gets and puts, from the pool or from the allocator. */
struct pool_racer {
	bool pool;
	u64 ns;
	struct completion done;
};

/* A kernel with all checks on takes a millisecond for a pair of the allocator. */
#define RACE_ROUNDS 400

static int racer_run(void *data)
{
	static const size_t lens[] = { 32, 288, 512, 4128 };
	struct pool_racer *r = data;
	u64 start = ktime_get_ns();
	struct mdx_buf buf;
	unsigned int i;
	size_t len;

	for (i = 0; i < RACE_ROUNDS; i++) {
		len = lens[i % ARRAY_SIZE(lens)];
		if (r->pool)
			mdx_pool_get(&buf, len);
		else
			buf.mem = plain_get(len);
		/* Neither may be optimised away. */
		barrier_data(buf.mem);
		if (r->pool)
			mdx_pool_put(&buf);
		else
			plain_put(buf.mem);
	}
	r->ns = ktime_get_ns() - start;
	complete(&r->done);
	return 0;
}

/* Nanoseconds that @n tasks take, one on each CPU; the best of five. */
static u64 race_ns(struct kunit *test, bool pool, unsigned int n)
{
	static struct pool_racer racers[2];
	u64 sum, best = U64_MAX;
	struct task_struct *task;
	unsigned int i, k;

	for (k = 0; k < 5; k++) {
		for (i = 0; i < n; i++) {
			racers[i].pool = pool;
			init_completion(&racers[i].done);
			task = kthread_create(racer_run, &racers[i],
					      "mdx_race/%u", i);
			KUNIT_ASSERT_FALSE(test, IS_ERR(task));
			kthread_bind(task, i);
			wake_up_process(task);
		}
		for (sum = 0, i = 0; i < n; i++) {
			wait_for_completion(&racers[i].done);
			sum += racers[i].ns;
		}
		best = min(best, sum);
	}
	return best;
}

/* Figures to be read: a duration decides no test. */
static void pool_beside_allocator(struct kunit *test)
{
	unsigned int n;
	u64 pool, kv;

	for (n = 1; n <= min(num_online_cpus(), 2u); n++) {
		kv = race_ns(test, false, n);
		pool = race_ns(test, true, n);
		kunit_info(test, "%u CPU: pool %llu ns, kvzalloc %llu ns a pair\n",
			   n, div_u64(pool, n * RACE_ROUNDS),
			   div_u64(kv, n * RACE_ROUNDS));
		KUNIT_EXPECT_GT(test, pool, 0);
		KUNIT_EXPECT_GT(test, kv, 0);
	}
}

static void tasks_migrate_while_holding(struct kunit *test)
{
	workers_start(test, true);
	workers_finish(test);
}

static void cpus_offline_and_online(struct kunit *test)
{
	unsigned int cpu = nr_cpu_ids - 1, i;

	if (!cpu || !cpu_online(cpu))
		kunit_skip(test, "one CPU");
	workers_start(test, true);
	for (i = 0; i < 3; i++) {
		KUNIT_EXPECT_EQ(test, remove_cpu(cpu), 0);
		KUNIT_EXPECT_EQ(test, add_cpu(cpu), 0);
	}
	workers_finish(test);
}
#endif /* __KERNEL__ */

static bool drained;

/* The last case: no other uses the pool after that. */
static void drain_frees_all(struct kunit *test)
{
	pool_test_exit();
	KUNIT_EXPECT_EQ(test, atomic_read(&allocated), 0);
}

/* The other suites use it, too. */
void pool_test_exit(void)
{
	if (!drained)
		mdx_pool_drain();
	drained = true;
}

static struct kunit_case pool_cases[] = {
	KUNIT_CASE(long_no_memory_retried),
	KUNIT_CASE(buffers_are_writable),
	KUNIT_CASE(used_buffers_are_disjoint),
	KUNIT_CASE(put_buffers_reused),
	KUNIT_CASE(kept_buffers_bounded),
	KUNIT_CASE(long_buffer_kept_once),
	KUNIT_CASE(longest_buffers_freed),
	KUNIT_CASE(put_null_ignored),
	KUNIT_CASE(pooled_bounded_not_charged),
	KUNIT_CASE(no_memory_null),
#ifdef __KERNEL__
	KUNIT_CASE(tasks_share_pool),
	KUNIT_CASE(pool_beside_allocator),
	KUNIT_CASE_SLOW(tasks_migrate_while_holding),
	KUNIT_CASE_SLOW(cpus_offline_and_online),
#endif
	KUNIT_CASE(drain_frees_all),
	{}
};

static struct kunit_suite pool_suite = {
	.name = "mdx_pool",
	.test_cases = pool_cases,
};

kunit_test_suite(pool_suite);
