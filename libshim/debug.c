// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* MDX_DEBUG: contexts that are not served, and objects of libmlx5, on stderr. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "debug.h"

/* Unseen contexts and reasons that have been reported; the oldest is replaced. */
#define REPORTED_MAX 64

static pthread_mutex_t reported_lock = PTHREAD_MUTEX_INITIALIZER;
static const void *reported[REPORTED_MAX];
static unsigned int reported_n;
static __thread int opening;

static bool debug_wanted(void)
{
	const char *value = secure_getenv("MDX_DEBUG");

	return value && *value && strcmp(value, "0");
}

/* One write: lines of several processes do not mix. */
__attribute__((format(printf, 2, 3))) static void
print_line(const struct ibv_context *context, const char *fmt, ...)
{
	const char *device = context && context->device ?
			     context->device->name : "no device";
	char line[512];
	va_list ap;
	int len;

	len = snprintf(line, sizeof(line), "libmdx: %s[%d]: context %p of %s",
		       program_invocation_short_name, getpid(),
		       (const void *)context, device);
	va_start(ap, fmt);
	if (len < (int)sizeof(line))
		len += vsnprintf(line + len, sizeof(line) - len, fmt, ap);
	va_end(ap);
	if (len >= (int)sizeof(line)) {
		len = sizeof(line) - 1;
		line[len - 1] = '\n';
	}
	if (write(STDERR_FILENO, line, len) < 0)
		return;
}

void mdx_debug_unserved(const struct ibv_context *context, const char *text,
			int err)
{
	int saved = errno;
	char detail[128];

	if (!debug_wanted())
		return;
	print_line(context, " is not served: %s%s%s\n", text, err ? ": " : "",
		   err ? strerror_r(err, detail, sizeof(detail)) : "");
	errno = saved;
}

/* False if the line of @key has been printed. */
static bool is_first_line(const void *key)
{
	bool found = false;
	int i;

	pthread_mutex_lock(&reported_lock);
	for (i = 0; i < REPORTED_MAX; i++)
		if (reported[i] == key)
			found = true;
	if (!found)
		reported[reported_n++ % REPORTED_MAX] = key;
	pthread_mutex_unlock(&reported_lock);
	return !found;
}

void mdx_debug_unseen(const struct ibv_context *context, const char *text)
{
	if (opening || !context || !debug_wanted() || !is_first_line(context))
		return;
	mdx_debug_unserved(context, text, 0);
}

void mdx_debug_consumed(const struct ibv_context *context, const void *in,
			const char *reason)
{
	const unsigned char *mbox = in;
	int saved = errno;

	if (debug_wanted() && is_first_line(reason))
		print_line(context, ": %s goes to libmlx5, as %s; with MDX_SERVE=all it does not\n",
			   mdx_opcode_name(mbox[0] << 8 | mbox[1]), reason);
	errno = saved;
}

void mdx_debug_opening(int step)
{
	opening += step;
}
