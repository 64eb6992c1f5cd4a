// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* mdx doctor: what keeps DEVX from working, and what to do next. */
#include <getopt.h>
#include <stdio.h>

#include "tool.h"

#define FINDINGS_MAX 32

static const char *const words[] = {
	[CHECK_OK] = "ok",
	[CHECK_NOTE] = "note",
	[CHECK_BAD] = "bad",
};

static void show_json(const struct finding *findings, int n, bool healthy)
{
	int i;

	out_open(NULL, '{');
	out_bool("healthy", healthy);
	out_open("checks", '[');
	for (i = 0; i < n; i++) {
		out_open(NULL, '{');
		out_str("check", "%s", findings[i].id);
		out_str("verdict", "%s", words[findings[i].verdict]);
		out_str("text", "%s", findings[i].text);
		out_str("todo", "%s", findings[i].todo);
		out_close();
	}
	out_close();
	out_close();
}

static void show_text(const struct finding *findings, int n, bool healthy)
{
	int i;

	for (i = 0; i < n; i++) {
		printf("%-4s  %-11s  %s\n", words[findings[i].verdict],
		       findings[i].id, findings[i].text);
		if (*findings[i].todo)
			printf("%19s-> %s\n", "", findings[i].todo);
	}
	puts(healthy ? "DEVX works here." :
	     "DEVX does not work here. Begin with the first line that says bad.");
}

int verb_doctor(int argc, char **argv)
{
	static const struct opt opts[] = { { 0 } };
	static struct finding findings[FINDINGS_MAX];
	bool healthy = true;
	int i, n;

	while (next_opt(argc, argv, opts) != -1)
		;
	if (optind != argc)
		usage("no arguments, please");
	n = check_all(findings, FINDINGS_MAX);
	for (i = 0; i < n; i++)
		if (findings[i].verdict == CHECK_BAD)
			healthy = false;
	if (opt_json)
		show_json(findings, n, healthy);
	else
		show_text(findings, n, healthy);
	return healthy ? EXIT_OK : EXIT_FAILED;
}
