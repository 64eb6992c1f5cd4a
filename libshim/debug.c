// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* MDX_DEBUG: contexts that are not served, on stderr. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "debug.h"

/* Contexts that have been reported as unseen; the oldest is replaced. */
#define UNSEEN_MAX 64

static pthread_mutex_t unseen_lock = PTHREAD_MUTEX_INITIALIZER;
static const struct ibv_context *unseen[UNSEEN_MAX];
static unsigned int unseen_n;
static __thread int opening;

static bool debug_wanted(void)
{
	const char *value = secure_getenv("MDX_DEBUG");

	return value && *value && strcmp(value, "0");
}

/* One write: lines of several processes do not mix. */
static void print_line(const struct ibv_context *context, const char *text,
		       const char *detail)
{
	const char *device = context && context->device ?
			     context->device->name : "no device";
	char line[512];
	int len;

	len = snprintf(line, sizeof(line),
		       "libmdx: %s[%d]: context %p of %s is not served: %s%s%s\n",
		       program_invocation_short_name, getpid(),
		       (const void *)context, device, text, detail ? ": " : "",
		       detail ? detail : "");
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
	print_line(context, text,
		   err ? strerror_r(err, detail, sizeof(detail)) : NULL);
	errno = saved;
}

/* False if the line of @context has been printed. */
static bool unseen_is_new(const struct ibv_context *context)
{
	bool found = false;
	int i;

	pthread_mutex_lock(&unseen_lock);
	for (i = 0; i < UNSEEN_MAX; i++)
		if (unseen[i] == context)
			found = true;
	if (!found)
		unseen[unseen_n++ % UNSEEN_MAX] = context;
	pthread_mutex_unlock(&unseen_lock);
	return !found;
}

void mdx_debug_unseen(const struct ibv_context *context, const char *text)
{
	if (opening || !context || !debug_wanted() || !unseen_is_new(context))
		return;
	mdx_debug_unserved(context, text, 0);
}

void mdx_debug_opening(int step)
{
	opening += step;
}
