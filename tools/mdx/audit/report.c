// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The report of mdx run: at exit, and on SIGUSR1 if the program does not use it. */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <infiniband/verbs.h>

#include "count.h"
#include "mdx/mdx.h"

static enum { REPORT_OFF, REPORT_SHORT, REPORT_LONG } wanted;

/* One write a line, on stderr: lines of processes do not mix. */
static void print_line(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void print_line(const char *fmt, ...)
{
	char line[1024];
	int len;
	va_list ap;

	len = snprintf(line, sizeof(line), "mdx run: %s[%d]: ",
		       program_invocation_short_name, getpid());
	va_start(ap, fmt);
	len += vsnprintf(line + len, sizeof(line) - len, fmt, ap);
	va_end(ap);
	if (len > (int)sizeof(line) - 1)
		len = sizeof(line) - 1;
	line[len++] = '\n';
	if (write(STDERR_FILENO, line, len) < 0)
		return;
}

static void describe_failures(struct run_context *run, struct ibv_context *context)
{
	__typeof__(mdx_last_error) *last_error = dlsym(RTLD_DEFAULT, "mdx_last_error");
	__typeof__(mdx_opcode_name) *opcode_name = dlsym(RTLD_DEFAULT, "mdx_opcode_name");
	__typeof__(mdx_status_name) *status_name = dlsym(RTLD_DEFAULT, "mdx_status_name");
	struct mdx_error error;

	if (!last_error || !opcode_name || !status_name || last_error(context, &error) ||
	    !error.count)
		return;
	snprintf(run->failures, sizeof(run->failures),
		 "; %llu failed, the last: %s (%#x), %s, status %s (%#x), syndrome %#x",
		 (unsigned long long)error.count, opcode_name(error.opcode), error.opcode,
		 strerror(error.err), status_name(error.status), error.status,
		 error.syndrome);
}

/* Asks libmdx, as long as the context is open. */
static void describe_context(struct run_context *run)
{
	__typeof__(mdx_context_reason) *reason = dlsym(RTLD_DEFAULT, "mdx_context_reason");
	struct ibv_context *context = (void *)run->context;

	if (!atomic_load(&run->calls) || atomic_load(&run->closed))
		return;
	snprintf(run->device, sizeof(run->device), "%s", context->device->name);
	snprintf(run->state, sizeof(run->state), "%s",
		 reason ? reason(context) : "libmdx is not loaded");
	describe_failures(run, context);
}

void mdx_run_closing(const void *context)
{
	int i;

	for (i = 0; wanted && i < CONTEXTS_MAX; i++) {
		struct run_context *run = &mdx_run_contexts[i];

		if (run->context != context || atomic_load(&run->closed))
			continue;
		describe_context(run);
		atomic_store(&run->closed, true);
		return;
	}
}

/* The sum of @counts, and in @text how many are of which function. */
static unsigned long sum_calls(const atomic_ulong *counts, char *text, size_t size)
{
	unsigned long sum = 0, count;
	size_t len = 0;
	unsigned int i;

	*text = '\0';
	for (i = 0; i < FUNCTIONS; i++) {
		count = atomic_load(&counts[i]);
		if (!count)
			continue;
		if (len < size)
			len += snprintf(text + len, size - len, "%s%s %lu", sum ? ", " : "",
					mdx_run_name(i), count);
		sum += count;
	}
	return sum;
}

static void report_context(struct run_context *run, const char *what)
{
	char text[512], consumed_text[256], consumed_part[320] = "";
	unsigned long consumed = sum_calls(run->consumed, consumed_text, sizeof(consumed_text));
	unsigned long stock = sum_calls(run->stock, text, sizeof(text));
	unsigned long calls = atomic_load(&run->calls);

	/* A call that was made before the first is seen has not been counted. */
	if (calls < stock + consumed)
		calls = stock + consumed;
	if (consumed)
		snprintf(consumed_part, sizeof(consumed_part), ", %lu for flow rules of libmlx5 (%s)",
			 consumed, consumed_text);
	print_line("%s%s%s%lu calls served%s, %lu by the stock driver%s%s%s%s", what, run->state,
		   *run->state ? ": " : "", calls - stock - consumed, consumed_part, stock,
		   stock ? " (" : "", text, stock ? ")" : "", run->failures);
}

static unsigned long report_all(bool live)
{
	char what[96], text[512];
	unsigned long calls = 0, stock = 0;
	int i;

	for (i = 0; i < CONTEXTS_MAX && mdx_run_contexts[i].context; i++) {
		struct run_context *run = &mdx_run_contexts[i];

		if (live)
			describe_context(run);
		calls += atomic_load(&run->calls);
		stock += sum_calls(run->stock, text, sizeof(text));
		stock += sum_calls(run->consumed, text, sizeof(text));
		if (wanted != REPORT_LONG || !atomic_load(&run->calls))
			continue;
		snprintf(what, sizeof(what), "context %d%s%s: ", i + 1, *run->device ? " of " : "",
			 run->device);
		report_context(run, what);
	}
	calls += atomic_load(&mdx_run_other.calls);
	stock += sum_calls(mdx_run_other.stock, text, sizeof(text));
	stock += sum_calls(mdx_run_other.consumed, text, sizeof(text));
	if (wanted == REPORT_LONG && atomic_load(&mdx_run_other.calls))
		report_context(&mdx_run_other, "without a context: ");
	if (wanted == REPORT_LONG && !calls)
		print_line("no DEVX call was made");
	return stock;
}

static void report_on_signal(int sig)
{
	int saved = errno;

	(void)sig;
	report_all(false);
	errno = saved;
}

static void forget_counts(void)
{
	memset(mdx_run_contexts, 0, sizeof(mdx_run_contexts));
	memset(&mdx_run_other, 0, sizeof(mdx_run_other));
}

__attribute__((constructor)) static void report_begin(void)
{
	struct sigaction action = { .sa_handler = report_on_signal, .sa_flags = SA_RESTART };
	struct sigaction old;
	const char *run = getenv("MDX_RUN");

	/* libmdx is not in the name space of the instance that LD_AUDIT loads. */
	if (!run || !dlsym(RTLD_DEFAULT, "mdx_context_reason"))
		return;
	wanted = strcmp(run, "report") ? REPORT_SHORT : REPORT_LONG;
	/* A child counts its own calls. */
	pthread_atfork(NULL, NULL, forget_counts);
	if (wanted == REPORT_LONG && !sigaction(SIGUSR1, NULL, &old) &&
	    old.sa_handler == SIG_DFL)
		sigaction(SIGUSR1, &action, NULL);
}

__attribute__((destructor)) static void report_end(void)
{
	unsigned long stock;

	if (!wanted)
		return;
	stock = report_all(true);
	if (wanted == REPORT_SHORT && stock)
		print_line("%lu calls were executed by the stock driver; mdx run --report says which and why",
			   stock);
}
