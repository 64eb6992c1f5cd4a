/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* layouts.c: the commands of opcodes.def with their layouts, from mlx5_ifc.h. */
#ifndef MDX_COMMAND_LAYOUTS_H
#define MDX_COMMAND_LAYOUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A field of a mailbox; a list ends with a name of NULL. */
struct named_field {
	const char *name;
	uint32_t bit;
	uint32_t bits;
	uint32_t count;		/* 0: up to the end of the mailbox */
	const struct named_field *fields;	/* of a structure */
};

enum command_class {
	CLASS_OTHER,
	CLASS_GENERAL,
	CLASS_CREATE,
	CLASS_CREATE_AT,	/* the caller chooses the number */
	CLASS_MODIFY,
	CLASS_QUERY,
	CLASS_DESTROY,
};

struct command_layout {
	uint16_t opcode;
	enum command_class class;
	const char *object;	/* object type; NULL: about no object */
	const struct named_field *in;	/* NULL: not known */
	const struct named_field *out;	/* NULL: not known */
	const char *id;		/* name of the field with the object's number */
};

/* NULL for a command that opcodes.def does not have. */
const struct command_layout *layout_of(uint16_t opcode);
/* NULL if @fields has no such field at its top. */
const struct named_field *field_find(const struct named_field *fields, const char *name);
/*
 * Name of the field that has @bit, with the structures it is in; "" if it has none.
 * Not kept. Structures of a union are not told apart, so it is named alone.
 */
const char *field_at(const struct named_field *fields, size_t bit);
/* Up to 64 bits of a mailbox; what lies behind its end is 0. */
uint64_t bits_get(const uint8_t *mbox, size_t len, size_t bit, unsigned int bits);
void bits_set(uint8_t *mbox, size_t len, size_t bit, unsigned int bits, uint64_t val);
/*
 * The number of the object that a command creates or names, from the first bytes
 * of its mailboxes. False if it has none, or not in these bytes.
 */
bool object_number(const uint8_t *in, size_t in_len, const uint8_t *out, size_t out_len,
		   uint32_t *number);

#endif /* MDX_COMMAND_LAYOUTS_H */
