// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Options that all verbs have, and messages on stderr. */
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

const char *verb_name = "";
bool opt_json;
const char *opt_device;

void complain(const char *fmt, ...)
{
	va_list ap;

	fflush(stdout);
	fprintf(stderr, "mdx%s%s: ", *verb_name ? " " : "", verb_name);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

void usage(const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "mdx%s%s: ", *verb_name ? " " : "", verb_name);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputs("; mdx --help shows what there is\n", stderr);
	exit(EXIT_USAGE);
}

uint64_t number(const char *text, uint64_t max, const char *what)
{
	uint64_t val;
	char *end;

	errno = 0;
	val = strtoull(text, &end, 0);
	if (errno || *end || end == text || *text == '-' || val > max)
		usage("%s: not a number up to %#llx: '%s'", what,
		      (unsigned long long)max, text);
	return val;
}

int next_opt(int argc, char **argv, const struct opt *opts)
{
	static struct option longs[16] = {
		{ "json", no_argument, NULL, 'j' },
		{ "device", required_argument, NULL, 'd' },
	};
	char shorts[40] = ":jd:";
	size_t len = strlen(shorts);
	int i, opt;

	for (i = 0; opts[i].name; i++) {
		longs[2 + i] = (struct option){
			opts[i].name, opts[i].has_arg, NULL, opts[i].letter
		};
		shorts[len++] = opts[i].letter;
		if (opts[i].has_arg)
			shorts[len++] = ':';
	}
	shorts[len] = '\0';
	memset(&longs[2 + i], 0, sizeof(longs[0]));

	for (;;) {
		opt = getopt_long(argc, argv, shorts, longs, NULL);
		if (opt == 'j')
			opt_json = true;
		else if (opt == 'd')
			opt_device = optarg;
		else
			break;
	}
	if (opt == '?' || opt == ':')
		usage(opt == ':' ? "%s needs a value" : "unknown option %s",
		      argv[optind - 1]);
	return opt;
}
