// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mdx.h"

static const struct verb {
	const char *name;
	int (*func)(int argc, char **argv);
	const char *args;
	const char *text;
} verbs[] = {
	{ "info", verb_info, "", "devices, the module, its features and limits" },
	{ "port", verb_port, "[PORT]", "what is behind the ports of a device" },
	{ "device", verb_device, "", "attributes of a device" },
	{ "cmd", verb_cmd, "[-i LEN] [-o LEN] [-w] HEX|FIELD=VALUE... | --list",
	  "send a command, show the answer" },
	{ "ps", verb_ps, "", "open files, their processes and objects" },
	{ "trace", verb_trace, "[-p PID] [-c OPCODE] [-f] [-n COUNT]",
	  "show commands as they are executed" },
	{ "doctor", verb_doctor, "", "what keeps DEVX from working, and what to do" },
};

#define VERBS (sizeof(verbs) / sizeof(verbs[0]))

const char *verb_name = "";
bool opt_json;
const char *opt_device;

static void help(FILE *to)
{
	size_t i;

	fputs("usage: mdx VERB [-j|--json] [-d|--device NAME] [ARGUMENT]...\n\n", to);
	for (i = 0; i < VERBS; i++)
		fprintf(to, "  mdx %-7s%s%s\n              %s\n", verbs[i].name,
			*verbs[i].args ? " " : "", verbs[i].args, verbs[i].text);
	fputs("\nExit status: 0 done; 1 failed; 2 usage; 3 the device refused the command;\n"
	      "4 no module or no device to ask. See mdx(1).\n", to);
}

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
		{ "help", no_argument, NULL, 'h' },
	};
	char shorts[40] = ":jd:h";
	size_t len = strlen(shorts);
	int i, opt;

	for (i = 0; opts[i].name; i++) {
		longs[3 + i] = (struct option){
			opts[i].name, opts[i].has_arg, NULL, opts[i].letter
		};
		shorts[len++] = opts[i].letter;
		if (opts[i].has_arg)
			shorts[len++] = ':';
	}
	shorts[len] = '\0';
	memset(&longs[3 + i], 0, sizeof(longs[0]));

	for (;;) {
		opt = getopt_long(argc, argv, shorts, longs, NULL);
		if (opt == 'j')
			opt_json = true;
		else if (opt == 'd')
			opt_device = optarg;
		else
			break;
	}
	if (opt == 'h') {
		help(stdout);
		exit(EXIT_OK);
	}
	if (opt == '?' || opt == ':')
		usage(opt == ':' ? "%s needs a value" : "unknown option %s",
		      argv[optind - 1]);
	return opt;
}

int main(int argc, char **argv)
{
	size_t i;

	if (argc < 2) {
		help(stderr);
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") ||
	    !strcmp(argv[1], "help")) {
		help(stdout);
		return EXIT_OK;
	}
	if (!strcmp(argv[1], "--version")) {
		puts("mdx " MDX_VERSION);
		return EXIT_OK;
	}
	for (i = 0; i < VERBS; i++) {
		if (strcmp(argv[1], verbs[i].name))
			continue;
		verb_name = argv[1];
		return verbs[i].func(argc - 1, argv + 1);
	}
	usage("no verb '%s'", argv[1]);
}
