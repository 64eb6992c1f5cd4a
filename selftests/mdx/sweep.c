// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#include "nth.h"
#include "sweep.h"

#define REFCNT "/sys/module/mlx5_devx/refcnt"

/* The driver waits a minute for a device that does not answer. */
#define LIMIT 40

static int module_refs(void)
{
	char text[16] = "";
	int fd = open(REFCNT, O_RDONLY | O_CLOEXEC);
	ssize_t n = read(fd, text, sizeof(text) - 1);

	close(fd);
	return n > 0 ? atoi(text) : -1;
}

static int live_objs(struct sweep_state *s)
{
	return s->w.hca ? hca_live(s->w.hca, s->w.mdx.uid, NULL, -1) : 0;
}

/*
 * Records the objects of the file and the device, and the module's references.
 */
static void take_stock(struct sweep_state *s)
{
	s->live = live_objs(s);
	s->refs = module_refs();
	s->objs = mdx_objs(s->w.mdx.fd);
}

static int call_once(struct sweep_state *s, const struct sweep_call *c, int nth,
		     bool *hit)
{
	int fd = s->fd < 0 ? s->w.mdx.fd : s->fd;
	struct timespec start, end;
	int ret;

	memset(s->w.m.out, FILL, s->w.m.out_len);
	s->arg_before = s->arg;
	clock_gettime(CLOCK_MONOTONIC, &start);
	nth_begin(s->nth_fd, nth);
	ret = c->run ? c->run(s) : mdx_ioctl(fd, c->req, &s->arg);
	*hit = nth_end(s->nth_fd);
	clock_gettime(CLOCK_MONOTONIC, &end);
	return end.tv_sec - start.tv_sec < LIMIT ? ret : ETIMEDOUT;
}

/* The device may refuse to make a change a second time. */
static bool is_good(const struct sweep_call *c, int ret, int good)
{
	return ret == good || (c->changes && ret == EREMOTEIO);
}

static bool answer_is_same(const struct sweep_state *s)
{
	return !memcmp(&s->arg, &s->arg_good, sizeof(s->arg)) &&
	       !memcmp(s->w.m.out, s->out_good, s->w.m.out_len);
}

/* A create copies its answer twice: the mailbox, then the id. */
static bool out_is_untouched(const struct sweep_state *s,
			     const struct sweep_call *c, int ret)
{
	if (memcmp(&s->arg, &s->arg_before, sizeof(s->arg)))
		return false;
	return (c->req == MDX_IOC_OBJ_CREATE && ret == EFAULT) ||
	       all_bytes(s->w.m.out, FILL, s->w.m.out_len);
}

/* Fault in the result of a call; NULL: none. */
static const char *answer_fault(const struct sweep_state *s,
				const struct sweep_call *c, int ret, bool hit)
{
	if (is_good(c, ret, s->good))
		return c->changes || answer_is_same(s) ? NULL :
							 "another answer";
	if (!hit || (ret != ENOMEM && ret != EFAULT))
		return "another errno";
	return out_is_untouched(s, c, ret) ? NULL : "an answer in spite of it";
}

/* Fault in the objects and references it left; NULL: none. */
static const char *stock_fault(struct sweep_state *s)
{
	if (s->live != live_objs(s))
		return "other objects in the device";
	if (s->refs != module_refs())
		return "other references to the module";
	if (s->objs != mdx_objs(s->w.mdx.fd))
		return "other objects of the file";
	return NULL;
}

/* A call without a fault: records its result and the state after it. */
static bool run_undisturbed(struct sweep_state *s, const struct sweep_call *c)
{
	int ret = c->prepare ? c->prepare(s) : 0;
	bool hit;

	if (!ret) {
		s->good = call_once(s, c, 0, &hit);
		s->arg_good = s->arg;
		memcpy(s->out_good, s->w.m.out, s->w.m.out_len);
		if (s->good && s->good != EREMOTEIO)
			ret = s->good;
	}
	if (!ret && c->end)
		ret = c->end(s, s->good);
	if (ret)
		fprintf(stderr, "# %s: %s\n", c->name, strerror(ret));
	take_stock(s);
	return !ret;
}

/* False when something is not as it has to be. */
static bool with_fault(struct sweep_state *s, const struct sweep_call *c,
		       int nth, bool *hit)
{
	int ret = c->prepare ? c->prepare(s) : 0;
	const char *fault = NULL;

	if (ret) {
		fault = "it cannot be made again";
	} else {
		ret = call_once(s, c, nth, hit);
		fault = answer_fault(s, c, ret, *hit);
		if (c->end && c->end(s, ret))
			fault = fault ?: "it cannot be taken back";
		fault = fault ?: stock_fault(s);
	}
	if (fault)
		fprintf(stderr, "# %s, fault %d: %s: %s\n", c->name, nth,
			strerror(ret), fault);
	return !fault;
}

bool sweep(struct sweep_state *s, const struct sweep_call *c)
{
	bool hit = true;
	int nth = 0;

	if (!run_undisturbed(s, c))
		return false;
	while (hit) {
		if (++nth == FAULTS_MAX || !with_fault(s, c, nth, &hit))
			return false;
		sweep_sum_add(hit);
	}
	fprintf(stderr, "# %s: %d faults\n", c->name, nth - 1);
	return true;
}

/* By all tests, each of which is a process. */
static int *injected;
static pid_t main_pid;

void sweep_sum_add(int faults)
{
	*injected += faults;
}

static void print_sum(void)
{
	if (getpid() == main_pid)
		printf("# %d faults injected\n", *injected);
}

/* The harness ends with exit(). */
void sweep_sum_start(void)
{
	injected = mmap(NULL, sizeof(*injected), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	main_pid = getpid();
	atexit(print_sum);
}
