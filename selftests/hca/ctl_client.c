// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ctl_client.h"

enum { OUT_MAX = 64 << 20 };

static void out_add(struct ctl_client *c, const char *text, size_t len)
{
	size_t size = c->out_size ? c->out_size : 4096;
	char *out;

	while (size < c->out_len + len)
		size *= 2;
	if (size > OUT_MAX)
		return;
	if (size != c->out_size) {
		out = realloc(c->out, size);
		if (!out)
			return;
		c->out = out;
		c->out_size = size;
	}
	memcpy(c->out + c->out_len, text, len);
	c->out_len += len;
}

void ctl_say(struct ctl_client *c, const char *fmt, ...)
{
	va_list ap;
	char *text;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	out_add(c, text, (size_t)n);
	out_add(c, "\n", 1);
	free(text);
}

void ctl_end(struct ctl_client *c, const char *err)
{
	if (err)
		ctl_say(c, "err %s", err);
	else
		ctl_say(c, "ok");
}
