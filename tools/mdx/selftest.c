// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * mdx selftest: what a person with a ConnectX runs, and sends. Needs no root, sends
 * no packet, and takes less than a minute. The report is text, a fact in each line.
 */
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "selftest.h"

/* Tests that have not begun by then are skipped. */
#define BUDGET_NS 50000000000ull

static const struct {
	const char *name;
	void (*func)(struct selftest *t);
} tests[] = {
	{ "inventory", selftest_inventory },
	{ "bind", selftest_bind },
	{ "foreign-uid", selftest_foreign },
	{ "general-queries", selftest_general },
	{ "object-queries", selftest_objects },
	{ "lengths", selftest_lengths },
	{ "destroy", selftest_destroy },
	{ "kill", selftest_kill },
	{ "dct-drain", selftest_dct },
	{ "events", selftest_events },
	{ "latency", selftest_latency },
	{ "overlap", selftest_overlap },
};

uint64_t clock_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

void report_line(struct selftest *t, const char *fmt, ...)
{
	va_list ap;

	if (!t->report)
		return;
	va_start(ap, fmt);
	vfprintf(t->report, fmt, ap);
	va_end(ap);
	fputc('\n', t->report);
}

void report_result(struct selftest *t, enum test_result result, const char *name,
		   const char *fmt, ...)
{
	static const char *const words[] = {
		[TEST_OK] = "ok", [TEST_BAD] = "bad", [TEST_SKIP] = "skip",
	};
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (result == TEST_BAD)
		t->bad++;
	report_line(t, "result %s %s %s", name, words[result], text);
	if (opt_json) {
		out_open(NULL, '{');
		out_str("test", "%s", name);
		out_str("result", "%s", words[result]);
		out_str("text", "%s", text);
		out_close();
	} else {
		printf("%-4s  %-15s  %s\n", words[result], name, text);
	}
	fflush(stdout);
}

struct cmd_outcome outcome_of(int err, const void *out)
{
	struct cmd_outcome o = { .err = err };

	if (err == EREMOTEIO) {
		o.status = mbox_get32(out, 0) >> 24;
		o.syndrome = mbox_get32(out, 4);
	}
	return o;
}

bool outcome_equal(const struct cmd_outcome *a, const struct cmd_outcome *b)
{
	return a->err == b->err && a->status == b->status && a->syndrome == b->syndrome;
}

const char *outcome_text(const struct cmd_outcome *o)
{
	static char texts[4][48];
	static unsigned int next;
	char *text = texts[next++ % 4];

	if (!o->err)
		return "ok";
	if (o->err == EREMOTEIO)
		snprintf(text, sizeof(texts[0]), "refused %#x %#x", o->status, o->syndrome);
	else
		snprintf(text, sizeof(texts[0]), "errno %d", o->err);
	return text;
}

/* Memory, a UAR and an EQ for the builders of objects: NULL, or what is missing. */
static const char *world_of_conn(struct selftest *t)
{
	struct mdx_world *w = &t->world;

	w->quiet = true;
	w->mdx.ctx = t->conn.ctx;
	w->mdx.pd = t->conn.pd;
	w->mdx.fd = t->conn.fd;
	w->mdx.uid = t->conn.info.out_uid;
	w->mem = mmap(NULL, MEM_LEN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		      -1, 0);
	if (w->mem == MAP_FAILED)
		return "memory";
	w->umem = mlx5dv_devx_umem_reg(t->conn.ctx, w->mem, MEM_LEN,
				       IBV_ACCESS_LOCAL_WRITE);
	if (!w->umem)
		return "a UMEM (memlock?)";
	w->uar = mlx5dv_devx_alloc_uar(t->conn.ctx, MLX5DV_UAR_ALLOC_TYPE_NC);
	if (!w->uar)
		return "a UAR";
	return mlx5dv_devx_query_eqn(t->conn.ctx, 0, &w->eqn) ? "an EQ" : NULL;
}

static void report_begin(struct selftest *t)
{
	report_line(t, REPORT_MAGIC " %d", REPORT_VERSION);
	report_line(t, "# Made by mdx selftest. No GUID, MAC or memory address is in it;");
	report_line(t, "# mdx selftest --show FILE prints it in words.");
}

static int run_tests(struct selftest *t)
{
	const char *missing = world_of_conn(t);
	size_t i;

	if (missing) {
		complain("%s: cannot have %s: %s", opt_device, missing, strerror(errno));
		return EXIT_FAILED;
	}
	report_begin(t);
	if (opt_json)
		out_open(NULL, '[');
	for (i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		if (clock_ns() - t->begin_ns > BUDGET_NS)
			report_result(t, TEST_SKIP, tests[i].name, "no time is left");
		else
			tests[i].func(t);
	}
	if (opt_json)
		out_close();
	report_line(t, "end");
	close(t->conn.fd);
	t->conn.fd = -1;
	mlx5dv_devx_free_uar(t->world.uar);
	mlx5dv_devx_umem_dereg(t->world.umem);
	return t->bad ? EXIT_FAILED : EXIT_OK;
}

/* Closes the file, which may be where it turns out that there is no room. */
static int report_end(struct selftest *t, const char *path)
{
	bool failed;

	if (!t->report)
		return EXIT_OK;
	failed = ferror(t->report);
	if (fclose(t->report) || failed) {
		complain("%s: %s", path, strerror(errno));
		return EXIT_FAILED;
	}
	if (!opt_json)
		printf("The report is in %s.\n", path);
	return EXIT_OK;
}

int verb_selftest(int argc, char **argv)
{
	static const struct opt opts[] = {
		{ "output", 'o', true }, { "show", 's', false }, { 0 }
	};
	static struct selftest t;
	const char *path = NULL;
	bool show = false;
	int opt, ret;

	while ((opt = next_opt(argc, argv, opts)) != -1) {
		if (opt == 'o')
			path = optarg;
		else
			show = true;
	}
	if (show && !path && optind + 1 == argc)
		return selftest_show(argv[optind]);
	if (optind != argc || (show && !path))
		usage("-o FILE, or --show FILE, or both");
	t.begin_ns = clock_ns();
	ret = conn_of_options(&t.conn);
	if (ret)
		return ret;
	if (path) {
		t.report = fopen(path, "we");
		if (!t.report) {
			complain("%s: %s", path, strerror(errno));
			conn_close(&t.conn);
			return EXIT_FAILED;
		}
	}
	ret = run_tests(&t);
	conn_close(&t.conn);
	if (report_end(&t, path))
		return EXIT_FAILED;
	return show && selftest_show(path) ? EXIT_FAILED : ret;
}
