// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Latency of commands, one at a time, and of commands that overlap. The first that
 * takes more than a second is the last: some firmware stalls when many creates
 * overlap.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "opcodes/opcodes.h"
#include "selftest.h"

#define SAMPLES 64
#define OVERLAP_SAMPLES 192	/* pairs, of all threads together */
#define THREADS_MAX 16

struct samples {
	uint64_t ns[2 * OVERLAP_SAMPLES];
	unsigned int n;
};

static int compare_ns(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static uint64_t samples_percentile(const struct samples *s, unsigned int percent)
{
	return s->n ? s->ns[(s->n - 1) * percent / 100] : 0;
}

static void samples_sort(struct samples *s)
{
	qsort(s->ns, s->n, sizeof(s->ns[0]), compare_ns);
}

static uint64_t samples_end(struct selftest *t, struct samples *s, uint16_t opcode)
{
	samples_sort(s);
	if (s->n)
		report_line(t, "latency %s count %u p50-ns %llu p99-ns %llu max-ns %llu",
			    mdx_opcode_name(opcode), s->n,
			    (unsigned long long)samples_percentile(s, 50),
			    (unsigned long long)samples_percentile(s, 99),
			    (unsigned long long)s->ns[s->n - 1]);
	return s->n ? s->ns[s->n - 1] : 0;
}

static uint64_t measure_general(struct selftest *t, uint16_t opcode, uint16_t op_mod)
{
	static uint64_t out[(MBOX_HDR_LEN + CAP_LEN) / 8];
	uint64_t in[MBOX_HDR_LEN / 8], begin;
	struct mbox_pair m = { in, out, sizeof(in), sizeof(out) };
	struct samples s = { .n = 0 };

	mdx_hdr(in, opcode, op_mod, 0);
	while (s.n < SAMPLES) {
		begin = clock_ns();
		if (_test_mdx_general(t->conn.fd, &m))
			break;
		s.ns[s.n++] = clock_ns() - begin;
		if (s.ns[s.n - 1] > SLOW_NS)
			break;
	}
	return samples_end(t, &s, opcode);
}

/* Creates and destroys: the longest of both. */
static uint64_t measure_object(struct selftest *t, enum objtype_id type)
{
	struct samples create = { .n = 0 }, destroy = { .n = 0 };
	struct mdx_world *w = &t->world;
	uint64_t begin, a, b;

	if (!objtype_advertised(w, type) || objtype_create_needs(w, type))
		return 0;
	while (create.n < SAMPLES) {
		struct test_obj obj;

		objtype_build_create(w, type);
		begin = clock_ns();
		if (_test_mdx_create(w->mdx.fd, &w->m, &obj.id))
			break;
		create.ns[create.n++] = clock_ns() - begin;
		begin = clock_ns();
		if (_test_mdx_destroy(w->mdx.fd, obj.id))
			break;
		destroy.ns[destroy.n++] = clock_ns() - begin;
		if (create.ns[create.n - 1] > SLOW_NS || destroy.ns[destroy.n - 1] > SLOW_NS)
			break;
	}
	a = samples_end(t, &create, objtypes[type].create);
	b = samples_end(t, &destroy, objtypes[type].destroy);
	return a > b ? a : b;
}

void selftest_latency(struct selftest *t)
{
	static const enum objtype_id types[] = {
		OBJTYPE_PD, OBJTYPE_MKEY, OBJTYPE_CQ, OBJTYPE_QP, OBJTYPE_RQ, OBJTYPE_RQT,
		OBJTYPE_TIR, OBJTYPE_TIS, OBJTYPE_FLOW_COUNTER,
	};
	uint64_t longest = measure_general(t, MDX_OPCODE_NOP, 0), ns;
	size_t i;

	ns = measure_general(t, MDX_OPCODE_QUERY_HCA_CAP, 0);
	longest = ns > longest ? ns : longest;
	for (i = 0; i < ARRAY_SIZE(types) && longest < SLOW_NS; i++) {
		ns = measure_object(t, types[i]);
		longest = ns > longest ? ns : longest;
	}
	if (longest > SLOW_NS)
		report_result(t, TEST_BAD, "latency", "a command took %llu ms: no more are sent",
			      (unsigned long long)longest / 1000000);
	else
		report_result(t, TEST_OK, "latency", "the longest command took %llu us",
			      (unsigned long long)longest / 1000);
}

struct overlap {
	int fd;
	unsigned int pairs;
	struct samples *samples;
	pthread_mutex_t *lock;
	atomic_bool *stop;
};

static void add_sample(struct overlap *o, uint64_t ns)
{
	pthread_mutex_lock(o->lock);
	if (o->samples->n < ARRAY_SIZE(o->samples->ns))
		o->samples->ns[o->samples->n++] = ns;
	pthread_mutex_unlock(o->lock);
	if (ns > SLOW_NS)
		atomic_store(o->stop, true);
}

/* PDs: no command that creates an object costs a device less. */
static void *overlap_thread(void *arg)
{
	uint64_t in[MBOX_HDR_LEN / 8], out[MBOX_HDR_LEN / 8], begin;
	struct mbox_pair m = { in, out, sizeof(in), sizeof(out) };
	struct overlap *o = arg;
	unsigned int i;
	uint32_t id;

	mdx_hdr(in, MDX_OPCODE_ALLOC_PD, 0, 0);
	for (i = 0; i < o->pairs && !atomic_load(o->stop); i++) {
		begin = clock_ns();
		if (_test_mdx_create(o->fd, &m, &id))
			break;
		add_sample(o, clock_ns() - begin);
		begin = clock_ns();
		if (_test_mdx_destroy(o->fd, id))
			break;
		add_sample(o, clock_ns() - begin);
	}
	return NULL;
}

static bool measure_overlap(struct selftest *t, unsigned int threads)
{
	pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static struct samples samples;
	atomic_bool stop = false;
	struct overlap o = {
		.fd = t->conn.fd, .pairs = OVERLAP_SAMPLES / threads, .samples = &samples,
		.lock = &lock, .stop = &stop,
	};
	pthread_t thread[THREADS_MAX];
	unsigned int i, started = 0;
	uint64_t begin = clock_ns();

	samples.n = 0;
	for (i = 0; i < threads; i++)
		started += !pthread_create(&thread[started], NULL, overlap_thread, &o);
	for (i = 0; i < started; i++)
		pthread_join(thread[i], NULL);
	begin = clock_ns() - begin;
	samples_sort(&samples);
	report_line(t, "overlap %u ALLOC_PD count %u p50-ns %llu p99-ns %llu wall-ns %llu",
		    threads, samples.n, (unsigned long long)samples_percentile(&samples, 50),
		    (unsigned long long)samples_percentile(&samples, 99), (unsigned long long)begin);
	return !stop && samples.n == 2 * o.pairs * threads;
}

void selftest_overlap(struct selftest *t)
{
	unsigned int threads;

	for (threads = 1; threads <= THREADS_MAX; threads *= 2) {
		if (measure_overlap(t, threads))
			continue;
		report_result(t, TEST_BAD, "overlap",
			      "%u at a time: a command failed or took more than a second", threads);
		return;
	}
	report_result(t, TEST_OK, "overlap", "1, 2, 4, 8 and 16 commands at a time");
}
