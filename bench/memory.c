// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Kernel memory of an object, and cost of a mailbox buffer from the pool and
 * from the allocator.
 *
 * The memory of an object is the growth of the slabs that are charged to a
 * cgroup while many objects are created. It includes the destroy inbox.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"
#include "bench_memory.h"
#include "floor.h"

#define CGROUP "/run/mdx-bench-cgroup"
#define GROUP CGROUP "/bench"
#define ROUNDS 5
#define PAIRS 2000
#define LONG 16384	/* longer buffers are allocated fewer times */

static void put_text(const char *name, const char *text)
{
	int fd = open(name, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		die("%s: %s", name, strerror(errno));
	close(fd);
}

void memory_enter_cgroup(void)
{
	mkdir(CGROUP, 0700);
	if (mount("none", CGROUP, "cgroup2", 0, NULL) && errno != EBUSY)
		die("cgroup2: %s", strerror(errno));
	put_text(CGROUP "/cgroup.subtree_control", "+memory");
	if (mkdir(GROUP, 0700) && errno != EEXIST)
		die(GROUP ": %s", strerror(errno));
	put_text(GROUP "/cgroup.procs", "0");
}

double memory_charged(const char *what)
{
	FILE *f = fopen(GROUP "/memory.stat", "re");
	char line[128], name[64];
	unsigned long long n;

	if (!f)
		die(GROUP "/memory.stat: %s", strerror(errno));
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%63s %llu", name, &n) == 2 && !strcmp(name, what)) {
			fclose(f);
			return n;
		}
	}
	die("memory.stat has no line \"%s\"", what);
}

void bench_objects(unsigned int n)
{
	unsigned int i;
	double before;
	int ret;

	memory_enter_cgroup();
	objtype_build_create(&w, OBJTYPE_PD);
	before = memory_charged("slab");
	for (i = 0; i < n; i++) {
		ret = _test_mdx_create(w.mdx.fd, &w.m, NULL);
		if (ret)
			die("object %u: %s", i, strerror(ret));
	}
	printf("bench: memory-%u bytes_per_object=%.0f\n", n,
	       (memory_charged("slab") - before) / n);
}

/* A thread on each CPU. */
struct pool_thread {
	pthread_t thread;
	int cpu;
	size_t len;
	double pool, kvzalloc;
};

static void *run_pool(void *arg)
{
	struct pool_thread *r = arg;
	struct floor_pool p = {
		.len = r->len, .n = r->len > LONG ? PAIRS / 20 : PAIRS,
	};
	int fd = open(FLOOR_NODE, O_RDWR | O_CLOEXEC);
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(r->cpu, &set);
	if (fd < 0 || sched_setaffinity(0, sizeof(set), &set) ||
	    ioctl(fd, FLOOR_POOL, &p))
		die(FLOOR_NODE ": %s", strerror(errno));
	close(fd);
	r->pool = (double)p.pool / p.n;
	r->kvzalloc = (double)p.kvzalloc / p.n;
	return NULL;
}

/* The best of several rounds, as other tasks may interfere. */
static void pool_one(size_t len, int cpus, const char *how)
{
	double pool = 0, kvzalloc = 0;
	struct pool_thread r[2];
	int round, i;

	for (round = 0; round < ROUNDS; round++) {
		double sum_p = 0, sum_k = 0;

		for (i = 0; i < cpus; i++) {
			r[i] = (struct pool_thread){ .cpu = i, .len = len };
			if (pthread_create(&r[i].thread, NULL, run_pool,
					   &r[i]))
				die("cannot create a thread");
		}
		for (i = 0; i < cpus; i++) {
			pthread_join(r[i].thread, NULL);
			sum_p += r[i].pool / cpus;
			sum_k += r[i].kvzalloc / cpus;
		}
		if (!round || sum_p < pool)
			pool = sum_p;
		if (!round || sum_k < kvzalloc)
			kvzalloc = sum_k;
	}
	printf("bench: pool-%s-%zu cpus=%d pool=%.0f kvzalloc=%.0f ratio=%.2f\n",
	       how, len, cpus, pool, kvzalloc, pool / kvzalloc);
}

void bench_pool(const char *how)
{
	/* Sizes that kmod/cmd.c allocates, which include its header. */
	static const size_t lens[] = {
		32, 288, 528, 2048, 4128, 8192, 65552, 131072,
	};
	int cpus = sysconf(_SC_NPROCESSORS_ONLN) > 1 ? 2 : 1;
	unsigned int i;
	int n;

	for (n = 1; n <= cpus; n++)
		for (i = 0; i < sizeof(lens) / sizeof(lens[0]); i++)
			pool_one(lens[i], n, how);
}
