// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Small files of /sys, /proc and /lib; of another tree if MDX_ROOT names one. */
#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool.h"

#define PATH_LEN 1024

static void make_path(char *path, const char *fmt, va_list ap)
{
	const char *root = getenv("MDX_ROOT");
	int len = snprintf(path, PATH_LEN, "%s", root ? root : "");

	if (len < PATH_LEN)
		vsnprintf(path + len, PATH_LEN - len, fmt, ap);
}

#define MAKE_PATH(path, fmt)						\
	do {								\
		va_list ap;						\
									\
		va_start(ap, fmt);					\
		make_path(path, fmt, ap);				\
		va_end(ap);						\
	} while (0)

const char *root_path(const char *fmt, ...)
{
	static char path[PATH_LEN];

	MAKE_PATH(path, fmt);
	return path;
}

bool read_line(char *buf, size_t size, const char *fmt, ...)
{
	char path[PATH_LEN];
	FILE *f;
	bool ok;

	MAKE_PATH(path, fmt);
	*buf = '\0';
	f = fopen(path, "r");
	if (!f)
		return false;
	ok = fgets(buf, size, f);
	fclose(f);
	if (ok)
		buf[strcspn(buf, "\n")] = '\0';
	return ok;
}

bool exists(const char *fmt, ...)
{
	char path[PATH_LEN];

	MAKE_PATH(path, fmt);
	return !access(path, F_OK);
}

bool link_name(char *buf, size_t size, const char *fmt, ...)
{
	char path[PATH_LEN], target[PATH_LEN];
	const char *slash;
	ssize_t len;

	MAKE_PATH(path, fmt);
	*buf = '\0';
	len = readlink(path, target, sizeof(target) - 1);
	if (len <= 0)
		return false;
	target[len] = '\0';
	slash = strrchr(target, '/');
	snprintf(buf, size, "%s", slash ? slash + 1 : target);
	return true;
}

int for_each_entry(const char *dir, void (*func)(const char *name, void *arg),
		   void *arg)
{
	struct dirent **entries;
	int i, n, seen = 0;

	n = scandir(root_path("%s", dir), &entries, NULL, alphasort);
	for (i = 0; i < n; i++) {
		if (entries[i]->d_name[0] != '.') {
			func(entries[i]->d_name, arg);
			seen++;
		}
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	return seen;
}

const char *kernel_release(void)
{
	static char release[256];

	if (!*release && !read_line(release, sizeof(release),
				    "/proc/sys/kernel/osrelease"))
		strcpy(release, "unknown");
	return release;
}
