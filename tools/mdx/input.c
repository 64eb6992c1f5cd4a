// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Input mailboxes, written as words, and answers as hex. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "tool.h"

/* Fields of the header. The first is also written by name. */
static const struct {
	const char *name;
	struct input_field field;
} fields[] = {
	{ "opcode", { 0, 16 } },
	{ "uid", { 16, 16 } },
	{ "vhca_tunnel_id", { 32, 16 } },
	{ "op_mod", { 48, 16 } },
	{ "obj_type", { 48, 16 } },
	{ "obj_id", { 64, 32 } },
	{ "id", { 72, 24 } },
};

void input_begin(struct cmd_input *in)
{
	in->bytes = calloc(1, INPUT_LEN_MAX);
	in->len = 0;
	if (!in->bytes)
		usage("no memory for a mailbox");
}

void input_cover(struct cmd_input *in, const struct input_field *field)
{
	size_t end = (field->bit + field->width + 7) / 8;

	if (!field->width || field->width > 64 || end > INPUT_LEN_MAX)
		usage("no field of %u bits at bit %zu", field->width, field->bit);
	if (end > in->len)
		in->len = end;
}

static void put_bits(struct cmd_input *in, const struct input_field *field,
		     uint64_t val)
{
	unsigned int width = field->width;

	input_cover(in, field);
	if (width < 64 && val >> width)
		usage("%#llx has more than %u bits", (unsigned long long)val,
		      width);
	while (width--) {
		size_t at = field->bit + width;
		uint8_t mask = 0x80 >> (at % 8);

		in->bytes[at / 8] &= ~mask;
		if (val & 1)
			in->bytes[at / 8] |= mask;
		val >>= 1;
	}
}

const char *input_field(const char *word, struct input_field *field)
{
	size_t len = strcspn(word, "="), i;
	int end = 0;

	if (sscanf(word, "@%zi:%u=%n", &field->bit, &field->width, &end) == 2 &&
	    end)
		return word + end;
	for (i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		if (strlen(fields[i].name) != len ||
		    strncmp(fields[i].name, word, len))
			continue;
		*field = fields[i].field;
		return word + len + 1;
	}
	usage("no field '%.*s'; any field is @BIT:WIDTH=VALUE", (int)len, word);
}

static void put_field(struct cmd_input *in, const char *word)
{
	struct input_field field;
	const char *value = input_field(word, &field);
	int opcode;

	if (strncmp(word, "opcode=", 7)) {
		put_bits(in, &field, number(value, UINT64_MAX, "value"));
		return;
	}
	opcode = opcode_of(value);
	if (opcode < 0)
		usage("no opcode '%s' (mdx cmd --list)", value);
	put_bits(in, &field, opcode);
}

/* Hex digits, in pairs, with a 0x before them or without. */
static void put_hex(struct cmd_input *in, const char *word)
{
	const char *c = word;
	char pair[3] = "";

	if (!strncmp(c, "0x", 2))
		c += 2;
	if (strlen(c) % 2)
		usage("an odd number of digits: '%s'", word);
	for (; *c; c += 2) {
		if (!isxdigit(c[0]) || !isxdigit(c[1]))
			usage("neither hex nor FIELD=VALUE: '%s'", word);
		if (in->len >= INPUT_LEN_MAX)
			usage("a mailbox has at most %u bytes", INPUT_LEN_MAX);
		memcpy(pair, c, 2);
		in->bytes[in->len++] = strtoul(pair, NULL, 16);
	}
}

void input_word(struct cmd_input *in, const char *word)
{
	if (strchr(word, '='))
		put_field(in, word);
	else
		put_hex(in, word);
}

uint32_t dword_at(const uint8_t *bytes, size_t at)
{
	return (uint32_t)bytes[at] << 24 | bytes[at + 1] << 16 |
	       bytes[at + 2] << 8 | bytes[at + 3];
}

void show_bytes(const char *key, const uint8_t *bytes, size_t len)
{
	size_t i, k;

	out_open(key, '[');
	for (i = 0; i < len; i += 16) {
		char line[40] = "";

		for (k = i; k < i + 16 && k < len; k++)
			sprintf(line + 2 * (k - i), "%02x", bytes[k]);
		out_str(NULL, "%s", line);
	}
	out_close();
}

size_t answer_len(const uint8_t *out, size_t len)
{
	while (len > INPUT_LEN_MIN && !out[len - 1])
		len--;
	return len;
}
