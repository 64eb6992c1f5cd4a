// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Layouts of commands. The fields are generated from the kernel's mlx5_ifc.h when
 * mdx is built (layouts.awk), so what a field is called has one source.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_layouts.h"
#include "layouts.inc"

#define OPCODE(number, name)
#define OPCODE_CREATE(number, name, object, in, out, id)		\
	{ number, CLASS_CREATE, #object, layout_##in, layout_##out, #id },
#define OPCODE_CREATE_AT(number, name, object, in, out, id)		\
	{ number, CLASS_CREATE_AT, #object, layout_##in, layout_##out, #id },
#define OPCODE_MODIFY(number, name, object, in, id)			\
	{ number, CLASS_MODIFY, #object, layout_##in, ANSWER_##in, #id },
#define OPCODE_QUERY(number, name, object, in, id)			\
	{ number, CLASS_QUERY, #object, layout_##in, ANSWER_##in, #id },
#define OPCODE_DESTROY(number, name, object, in, id)			\
	{ number, CLASS_DESTROY, #object, layout_##in, ANSWER_##in, #id },
#define OPCODE_GENERAL(number, name, in)				\
	{ number, CLASS_GENERAL, NULL, layout_##in, ANSWER_##in, NULL },
#define OPCODE_OTHER(number, name) { number, CLASS_OTHER, NULL, LAYOUT_##name },
#define OPCODE_RANGE(number, name) { number, CLASS_GENERAL, NULL, LAYOUT_##name },

/* By opcode, as opcodes.def is. */
static const struct command_layout layouts[] = {
#include "opcodes/opcodes.def"
};

static int compare_opcode(const void *key, const void *row)
{
	return *(const uint16_t *)key -
	       ((const struct command_layout *)row)->opcode;
}

const struct command_layout *layout_of(uint16_t opcode)
{
	return bsearch(&opcode, layouts, sizeof(layouts) / sizeof(layouts[0]),
		       sizeof(layouts[0]), compare_opcode);
}

const struct named_field *field_find(const struct named_field *fields, const char *name)
{
	for (; fields && fields->name; fields++)
		if (!strcmp(fields->name, name))
			return fields;
	return NULL;
}

static bool is_union(const struct named_field *fields)
{
	return fields[0].name && fields[1].name && fields[0].bit == fields[1].bit;
}

const char *field_at(const struct named_field *fields, size_t bit)
{
	static char path[128];
	size_t len = 0, index;

	*path = '\0';
	while (fields && !is_union(fields)) {
		const struct named_field *f = fields;

		for (; f->name; f++)
			if (bit >= f->bit &&
			    (!f->count || bit < f->bit + (size_t)f->count * f->bits))
				break;
		if (!f->name || !f->bits)
			break;
		index = (bit - f->bit) / f->bits;
		if (len < sizeof(path))
			len += snprintf(path + len, sizeof(path) - len,
					f->count == 1 ? "%s%s" : "%s%s[%zu]", len ? "." : "",
					f->name, index);
		bit = (bit - f->bit) % f->bits;
		fields = f->fields;
	}
	return path;
}

uint64_t bits_get(const uint8_t *mbox, size_t len, size_t bit, unsigned int bits)
{
	uint64_t val = 0;

	for (; bits; bits--, bit++) {
		val <<= 1;
		if (bit / 8 < len)
			val |= mbox[bit / 8] >> (7 - bit % 8) & 1;
	}
	return val;
}

void bits_set(uint8_t *mbox, size_t len, size_t bit, unsigned int bits, uint64_t val)
{
	while (bits--) {
		size_t at = bit + bits;
		uint8_t mask = 0x80 >> (at % 8);

		if (at / 8 < len)
			mbox[at / 8] = (mbox[at / 8] & ~mask) | (val & 1 ? mask : 0);
		val >>= 1;
	}
}

bool object_number(const uint8_t *in, size_t in_len, const uint8_t *out, size_t out_len,
		   uint32_t *number)
{
	const struct command_layout *layout = layout_of(bits_get(in, in_len, 0, 16));
	const struct named_field *field;
	bool create;

	if (!layout || !layout->id)
		return false;
	create = layout->class == CLASS_CREATE;
	field = field_find(create ? layout->out : layout->in, layout->id);
	if (!field || (field->bit + field->bits + 7) / 8 > (create ? out_len : in_len))
		return false;
	*number = create ? bits_get(out, out_len, field->bit, field->bits) :
		  bits_get(in, in_len, field->bit, field->bits);
	return true;
}
