// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tool.h"

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
	{ "batch", verb_batch, "[-a] [-n IN_FLIGHT] [-w] FILE",
	  "send the commands of a file in one call" },
	{ "ps", verb_ps, "[-o] [PID]", "open files, their processes and objects" },
	{ "trace", verb_trace,
	  "[-a [-k] [-s|-r FILE]] [-p PID] [-c OPCODE] [-f] [-n COUNT] [-t SECONDS]",
	  "show commands as they are executed: of the module, or all" },
	{ "replay", verb_replay, "[-x] FILE",
	  "show what trace --record has written, or execute it" },
	{ "run", verb_run, "[-r] -- PROGRAM [ARGUMENT]...",
	  "run a program on the module, also one that hides its calls" },
	{ "selftest", verb_selftest, "[-o FILE] [--show] | --show FILE",
	  "test DEVX on this device, and write a report for others" },
	{ "doctor", verb_doctor, "", "what keeps DEVX from working, and what to do" },
};

#define VERBS (sizeof(verbs) / sizeof(verbs[0]))

static void show_help(FILE *to)
{
	size_t i;

	fputs("usage: mdx VERB [-j|--json] [-d|--device NAME] [ARGUMENT]...\n\n", to);
	for (i = 0; i < VERBS; i++)
		fprintf(to, "  mdx %-8s%s%s\n              %s\n", verbs[i].name,
			*verbs[i].args ? " " : "", verbs[i].args, verbs[i].text);
	fputs("\nExit status: 0 done; 1 failed; 2 usage; 3 the device refused the command;\n"
	      "4 no module or no device to ask. See mdx(1).\n", to);
}

/* Help is asked for anywhere before "--", behind which a program may have its own. */
static bool wants_help(char **argv)
{
	for (; *argv && strcmp(*argv, "--"); argv++)
		if (!strcmp(*argv, "--help") || !strcmp(*argv, "-h"))
			return true;
	return false;
}

int main(int argc, char **argv)
{
	size_t i;

	if (argc < 2) {
		show_help(stderr);
		return EXIT_USAGE;
	}
	if (wants_help(argv + 1) || !strcmp(argv[1], "help")) {
		show_help(stdout);
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
