/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* count.c and report.c: calls of a program, by context. */
#ifndef MDX_COUNT_H
#define MDX_COUNT_H

#include <stdatomic.h>
#include <stdbool.h>

#include "audit.h"

/* First argument of a function; those before ARG_CONTEXT are not counted. */
enum argument {
	ARG_OPEN,
	ARG_CLOSE,
	ARG_FREE,
	ARG_CONTEXT,
	ARG_OBJECT,
	ARG_OTHER,
};

#define CONTEXTS_MAX 256

struct run_context {
	const void *_Atomic context;
	atomic_bool closed;
	atomic_ulong calls;	/* made by the program */
	atomic_ulong stock[FUNCTIONS];	/* of these, executed by the stock driver */
	/* The same, because functions of libmlx5 take the object. */
	atomic_ulong consumed[FUNCTIONS];
	/* Set when it is closed, or for the report. */
	char device[64];
	char state[160];
	char failures[256];
};

extern struct run_context mdx_run_contexts[CONTEXTS_MAX];
extern struct run_context mdx_run_other;

const char *mdx_run_name(unsigned int function);
enum argument mdx_run_argument(unsigned int function);
/* report.c: @context is about to be closed. */
void mdx_run_closing(const void *context);

#endif /* MDX_COUNT_H */
