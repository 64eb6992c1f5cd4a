// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include "log.h"

static FILE *log_file;

bool log_open(const char *path)
{
	FILE *f = fopen(path, "ae");

	if (!f)
		return false;
	if (log_file)
		fclose(log_file);
	log_file = f;
	setvbuf(log_file, NULL, _IOLBF, 0);
	return true;
}

static void log_write(FILE *f, const char *level, const char *fmt, va_list ap)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	fprintf(f, "[%5ld.%06ld] %s", (long)ts.tv_sec, ts.tv_nsec / 1000,
		level);
	vfprintf(f, fmt, ap);
	fputc('\n', f);
}

void log_warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	log_write(log_file ? log_file : stderr, "warning: ", fmt, ap);
	va_end(ap);
}

void log_trace(const char *fmt, ...)
{
	va_list ap;

	if (!log_file)
		return;
	va_start(ap, fmt);
	log_write(log_file, "", fmt, ap);
	va_end(ap);
}
