/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Layouts of the running kernel's structures, from its type information. */
#ifndef MDX_TEST_BTF_H
#define MDX_TEST_BTF_H

#include <stdbool.h>
#include <stdint.h>

struct btf;

/*
 * Types of the kernel and of @module, or NULL and errno: ENOENT if the kernel
 * shows none, EINVAL for types this reader does not understand.
 */
struct btf *btf_load(const char *module);
void btf_free(struct btf *btf);

/* Size in bytes of struct @name; -1 where there is none. */
long btf_struct_size(const struct btf *btf, const char *name);

struct btf_place {
	long offset;		/* bytes from the start of the structure */
	long size;		/* bytes */
	const char *type;	/* of its struct or typedef; "" for none */
};

/* Place of member @member of struct @name; false if there is none. */
bool btf_member(const struct btf *btf, const char *name, const char *member,
		struct btf_place *place);

#endif /* MDX_TEST_BTF_H */
