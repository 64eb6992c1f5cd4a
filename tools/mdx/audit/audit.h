/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * libmdx-audit.so.1 is loaded twice by mdx run. By LD_AUDIT it lives in a name
 * space of its own and redirects the symbols that a program looks up (symbols.c).
 * By LD_PRELOAD it is in the program's, in front of libmdx, and counts calls
 * (count.c, entry.S).
 */
#ifndef MDX_AUDIT_H
#define MDX_AUDIT_H

enum function {
#define FUNCTION(name, version, argument) FUNC_##name,
#include "functions.def"
#undef FUNCTION
	FUNCTIONS
};

/*
 * count.c, looked up by name: the entry of @name, which counts and goes on to the
 * definition behind it. With @next not NULL, the entry that libmdx gets for the
 * definition @next behind itself. NULL for other names.
 */
typedef const void *mdx_run_entry_t(const char *name, const void *next);
mdx_run_entry_t mdx_run_entry;

/* entry.S: by function; those of libmdx come behind the program's. */
extern const void *const mdx_run_entries[2 * FUNCTIONS];

/*
 * Called by an entry: @index of mdx_run_entries, the first argument and the return
 * address of the call. Returns where to go on.
 */
const void *mdx_run_count(unsigned int index, const void *arg, const void *caller);

#endif /* MDX_AUDIT_H */
