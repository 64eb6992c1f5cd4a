/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Input mailboxes, written as words: hex digits, or fields and their values. */
#ifndef MDX_TOOL_INPUT_H
#define MDX_TOOL_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INPUT_LEN_MAX (2u << 20)
#define INPUT_LEN_MIN 16
/* Enough for a page of capabilities. */
#define OUTPUT_LEN_DEFAULT (INPUT_LEN_MIN + 4096)

struct cmd_input {
	uint8_t *bytes;	/* INPUT_LEN_MAX */
	size_t len;	/* of what was written */
};

/* A field of a mailbox, in bits. */
struct input_field {
	size_t bit;
	unsigned int width;
};

/* All bytes are zero. The caller frees them. */
void input_begin(struct cmd_input *in);
/* Add a word. A wrong one is a usage error. */
void input_word(struct cmd_input *in, const char *word);
/* The field of FIELD=VALUE or @BIT:WIDTH=VALUE; returns VALUE. */
const char *input_field(const char *word, struct input_field *field);
/* The input is as long as the field requires. */
void input_cover(struct cmd_input *in, const struct input_field *field);

uint32_t dword_at(const uint8_t *bytes, size_t at);
/* Lines of 16 bytes in hex. */
void show_bytes(const char *key, const uint8_t *bytes, size_t len);
/* Length of an answer without the zeroes at its end. */
size_t answer_len(const uint8_t *out, size_t len);

#endif /* MDX_TOOL_INPUT_H */
