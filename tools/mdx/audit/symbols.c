// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Redirects symbols of libibverbs and libmlx5 to libmdx, also those that a program
 * looks up by dlsym() in a handle, which LD_PRELOAD does not change. See
 * rtld-audit(7). Nothing here may need more of libc than strings.
 */
#include <link.h>
#include <string.h>

#include "audit.h"

#define AUDIT_PUBLIC __attribute__((visibility("default")))

/* Cookies of libraries. */
enum library {
	LIB_OTHER = 1,
	LIB_STOCK,	/* libibverbs, libmlx5 */
	LIB_MDX,
	LIB_AUDIT,	/* the preloaded instance of this library */
};

static mdx_run_entry_t *find_entry;

static enum library library_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	if (!strncmp(name, "libmlx5.so", 10) || !strncmp(name, "libibverbs.so", 13))
		return LIB_STOCK;
	if (!strncmp(name, "libmdx.so", 9))
		return LIB_MDX;
	return strncmp(name, "libmdx-audit.so", 15) ? LIB_OTHER : LIB_AUDIT;
}

AUDIT_PUBLIC unsigned int la_version(unsigned int version)
{
	return version < LAV_CURRENT ? version : LAV_CURRENT;
}

AUDIT_PUBLIC unsigned int la_objopen(struct link_map *map, Lmid_t lmid, uintptr_t *cookie)
{
	(void)lmid;
	*cookie = library_of(map->l_name);
	return LA_FLG_BINDTO | LA_FLG_BINDFROM;
}

AUDIT_PUBLIC uintptr_t la_symbind64(Elf64_Sym *sym, unsigned int ndx, uintptr_t *refcook,
				    uintptr_t *defcook, unsigned int *flags,
				    const char *symname)
{
	const void *entry = NULL;

	(void)ndx;
	(void)flags;
	/* The preloaded instance makes itself known by looking this up. */
	if (*defcook == LIB_AUDIT && !strcmp(symname, "mdx_run_entry"))
		find_entry = (mdx_run_entry_t *)sym->st_value;
	if (!find_entry || *refcook == LIB_AUDIT || *refcook == LIB_STOCK)
		return sym->st_value;
	if (*defcook == LIB_STOCK && *refcook == LIB_MDX)
		entry = find_entry(symname, (const void *)sym->st_value);
	else if (*defcook == LIB_STOCK || *defcook == LIB_MDX)
		entry = find_entry(symname, NULL);
	return entry ? (uintptr_t)entry : sym->st_value;
}
