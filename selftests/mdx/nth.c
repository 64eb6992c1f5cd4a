// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "mdx_utils.h"
#include "nth.h"

#define NTH "/proc/thread-self/fail-nth"
#define DEBUGFS "/sys/kernel/debug/"
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const struct {
	const char *path;
	const char *text;
} knobs[] = {
	{ DEBUGFS "failslab/ignore-gfp-wait", "N" },
	{ DEBUGFS "failslab/verbose", "0" },
	{ DEBUGFS "fail_page_alloc/ignore-gfp-wait", "N" },
	{ DEBUGFS "fail_page_alloc/ignore-gfp-highmem", "N" },
	{ DEBUGFS "fail_page_alloc/min-order", "0" },
	{ DEBUGFS "fail_page_alloc/verbose", "0" },
	{ DEBUGFS "fail_usercopy/verbose", "0" },
};

const char *nth_missing(void)
{
	size_t i;

	if (access(NTH, W_OK))
		return NTH;
	for (i = 0; i < COUNT(knobs); i++)
		if (access(knobs[i].path, W_OK))
			return knobs[i].path;
	return NULL;
}

int nth_open(void)
{
	size_t i;

	for (i = 0; i < COUNT(knobs); i++)
		write_file(knobs[i].path, knobs[i].text);
	return open(NTH, O_RDWR | O_CLOEXEC);
}

void nth_begin(int fd, int nth)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "%d", nth);

	/* To end it is a copy as well, which may be the one that fails. */
	while (pwrite(fd, text, len, 0) != len)
		;
}

bool nth_end(int fd)
{
	char text[16] = "";
	ssize_t n = pread(fd, text, sizeof(text) - 1, 0);

	nth_begin(fd, 0);
	return n > 0 && !atoi(text);
}

/* Addresses of a kernel function, which ends where the next symbol begins. */
static int symbol_find(const char *name, unsigned long *start,
		       unsigned long *end)
{
	FILE *f = fopen("/proc/kallsyms", "r");
	char line[200], symbol[100];
	unsigned long addr;

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lx %*c %99s", &addr, symbol) != 2)
			continue;
		if (*start && addr > *start) {
			*end = addr;
			break;
		}
		if (!strcmp(symbol, name))
			*start = addr;
	}
	if (f)
		fclose(f);
	return *end == -1UL ? ENOENT : 0;
}

int nth_only_below(const char *name)
{
	static const char * const dirs[] = {
		"failslab", "fail_page_alloc", "fail_usercopy",
	};
	unsigned long start = 0, end = -1UL;
	char path[100], text[32];
	int ret = 0;
	size_t i;

	if (name)
		ret = symbol_find(name, &start, &end);
	for (i = 0; i < COUNT(dirs); i++) {
		snprintf(path, sizeof(path), DEBUGFS "%s/require-start",
			 dirs[i]);
		snprintf(text, sizeof(text), "%#lx", start);
		ret = ret ?: write_file(path, text);
		snprintf(path, sizeof(path), DEBUGFS "%s/require-end", dirs[i]);
		snprintf(text, sizeof(text), "%#lx", end);
		ret = ret ?: write_file(path, text);
	}
	return ret;
}
