// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A tree of values: for people as lines of "key: value", or as JSON. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tool.h"

#define DEPTH 8

static struct level {
	char bracket;
	int count;
} levels[DEPTH];
static int depth;
/* A "- " is due before the first line of an entry of a list. */
static bool dash;

void out_quoted(const char *text, size_t max)
{
	const unsigned char *c = (const unsigned char *)text;

	putchar('"');
	for (; max-- && *c; c++) {
		if (*c == '"' || *c == '\\')
			printf("\\%c", *c);
		else if (*c < 0x20 || *c >= 0x7f)
			printf("\\u%04x", *c);
		else
			putchar(*c);
	}
	putchar('"');
}

static void json_key(const char *key)
{
	if (depth) {
		if (levels[depth - 1].count++)
			putchar(',');
		printf("\n%*s", 2 * depth, "");
	}
	if (key && depth && levels[depth - 1].bracket == '{') {
		out_quoted(key, SIZE_MAX);
		fputs(": ", stdout);
	}
}

/* In text, the outermost level is at the margin. */
static void text_key(const char *key, const char *after)
{
	int indent = depth > 1 ? 2 * (depth - 1) : 0;

	if (dash)
		printf("%*s- ", indent - 2, "");
	else
		printf("%*s", indent, "");
	dash = false;
	if (key)
		printf("%s:%s", key, after);
	else
		fputs("- ", stdout);
}

void out_open(const char *key, char bracket)
{
	if (opt_json) {
		json_key(key);
		putchar(bracket);
	} else if (key) {
		text_key(key, "\n");
	} else if (depth) {
		dash = true;
	}
	levels[depth++] = (struct level){ bracket, 0 };
}

void out_close(void)
{
	char bracket = levels[--depth].bracket;

	dash = false;
	if (!opt_json)
		return;
	if (levels[depth].count)
		printf("\n%*s", 2 * depth, "");
	putchar(bracket == '{' ? '}' : ']');
	if (!depth)
		putchar('\n');
}

void out_str(const char *key, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (opt_json) {
		json_key(key);
		out_quoted(text, SIZE_MAX);
	} else {
		text_key(key, " ");
		puts(text);
	}
}

static void put_value(const char *key, const char *json, const char *text)
{
	if (opt_json) {
		json_key(key);
		fputs(json, stdout);
	} else {
		text_key(key, " ");
		puts(text);
	}
}

void out_num(const char *key, uint64_t val)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)val);
	put_value(key, text, text);
}

void out_hex(const char *key, uint64_t val)
{
	char json[32], text[32];

	snprintf(json, sizeof(json), "%llu", (unsigned long long)val);
	snprintf(text, sizeof(text), "%#llx", (unsigned long long)val);
	put_value(key, json, text);
}

void out_bool(const char *key, bool val)
{
	put_value(key, val ? "true" : "false", val ? "yes" : "no");
}

const char *out_clean(const char *text, size_t max)
{
	static char clean[256];
	size_t i;

	for (i = 0; i < max && i < sizeof(clean) - 1 && text[i]; i++)
		clean[i] = text[i] >= 0x20 && text[i] < 0x7f ? text[i] : '?';
	clean[i] = '\0';
	return clean;
}
