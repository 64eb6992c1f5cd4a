// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The result of a check of doctor.
 */
#include <stdarg.h>
#include <stdio.h>

#include "tool.h"

void found(struct finding *f, enum verdict verdict, const char *fmt, ...)
{
	va_list ap;

	f->verdict = verdict;
	va_start(ap, fmt);
	vsnprintf(f->text, sizeof(f->text), fmt, ap);
	va_end(ap);
}

void todo(struct finding *f, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(f->todo, sizeof(f->todo), fmt, ap);
	va_end(ap);
}
