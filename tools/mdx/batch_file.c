// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The file of mdx batch. A line is an item: the words of mdx cmd, and
 *
 *	link, drain		its order
 *	object=%ITEM		it is about the object that an earlier item creates
 *	destroy			it destroys that object, and has no mailbox
 *	FIELD=%ITEM[.lkey]	the field receives the number of that object
 *	in-len=N, out-len=N	lengths of its mailboxes
 *	stop, undo		of the whole batch; alone on a line or not
 */
#include <stdlib.h>
#include <string.h>

#include "batch_file.h"
#include "input.h"
#include "tool.h"

#define ITEM_REFS_MAX 64

/* A line while it is read. */
struct batch_line {
	struct cmd_input in;
	struct mdx_item item;
	struct mdx_ref refs[ITEM_REFS_MAX];
	size_t in_len, out_len;
	bool any;	/* it is an item */
	bool destroys;
};

/* MDX_CMD_* that carries an opcode; the object of @about_object is one of the batch. */
static uint16_t call_of(unsigned int opcode, bool about_object)
{
	switch (opcode) {
#define OPCODE(number, name)
#define OPCODE_CREATE(number, name, type, in, out, id)			\
	case number: {							\
		return MDX_CMD_OBJ_CREATE;				\
	}
#define OPCODE_CREATE_AT(number, name, type, in, out, id)		\
	case number: {							\
		return about_object ? MDX_CMD_OBJ_MODIFY :		\
				      MDX_CMD_OBJ_CREATE;		\
	}
#define OPCODE_QUERY(number, name, type, in, id)			\
	case number: {							\
		return MDX_CMD_OBJ_QUERY;				\
	}
#include "opcodes/opcodes.def"
	}
	return about_object ? MDX_CMD_OBJ_MODIFY : MDX_CMD_GENERAL;
}

/* Distance from the next item back to the one whose number, from 1 on, is @text. */
static unsigned int item_back(const struct batch_file *file, const char *text)
{
	uint64_t n = number(text, MDX_SUBMIT_ITEMS_MAX, "%ITEM");

	if (!n || n > file->items_n)
		usage("%%%s is no item before this one", text);
	if (file->items[n - 1].cmd != MDX_CMD_OBJ_CREATE)
		usage("item %s creates nothing", text);
	return file->items_n - (n - 1);
}

static void object_word(const struct batch_file *file, struct batch_line *line,
			const char *value)
{
	if (*value != '%')
		usage("object=%%ITEM, not '%s'", value);
	line->item.flags |= MDX_ITEM_OBJ_BACK;
	line->item.obj = item_back(file, value + 1);
}

/* FIELD=%ITEM or FIELD=%ITEM.lkey */
static void ref_word(const struct batch_file *file, struct batch_line *line,
		     const char *word)
{
	struct mdx_ref *ref = &line->refs[line->item.refs_n];
	struct input_field field;
	char text[32];
	char *suffix;

	if (line->item.refs_n == ITEM_REFS_MAX)
		usage("an item has at most %d references", ITEM_REFS_MAX);
	snprintf(text, sizeof(text), "%s", input_field(word, &field) + 1);
	suffix = strchr(text, '.');
	if (suffix && strcmp(suffix, ".lkey"))
		usage("%%ITEM or %%ITEM.lkey, not '%%%s'", text);
	if (suffix)
		*suffix = '\0';
	input_cover(&line->in, &field);
	if (field.bit < 64 || field.width > 32 ||
	    field.bit % 32 + field.width > 32)
		usage("a reference is within a dword behind the first 8 bytes: '%s'",
		      word);
	*ref = (struct mdx_ref){
		.bit = field.bit,
		.back = item_back(file, text),
		.width = field.width,
		.what = suffix ? MDX_REF_LKEY : MDX_REF_ID,
	};
	line->item.refs_n++;
}

static bool flag_word(struct batch_file *file, struct batch_line *line,
		      const char *word)
{
	if (!strcmp(word, "stop")) {
		file->flags |= MDX_SUBMIT_STOP;
	} else if (!strcmp(word, "undo")) {
		file->flags |= MDX_SUBMIT_UNDO;
	} else {
		line->any = true;
		if (!strcmp(word, "link"))
			line->item.flags |= MDX_ITEM_LINK;
		else if (!strcmp(word, "drain"))
			line->item.flags |= MDX_ITEM_DRAIN;
		else if (!strcmp(word, "destroy"))
			line->destroys = true;
		else
			return false;
	}
	return true;
}

static void item_word(struct batch_file *file, struct batch_line *line,
		      const char *word)
{
	const char *equals = strchr(word, '=');

	if (flag_word(file, line, word))
		return;
	if (!strncmp(word, "in-len=", 7))
		line->in_len = number(equals + 1, INPUT_LEN_MAX, "in-len");
	else if (!strncmp(word, "out-len=", 8))
		line->out_len = number(equals + 1, INPUT_LEN_MAX, "out-len");
	else if (!strncmp(word, "object=", 7))
		object_word(file, line, equals + 1);
	else if (equals && equals[1] == '%')
		ref_word(file, line, word);
	else
		input_word(&line->in, word);
}

static void mailboxes_alloc(struct batch_line *line)
{
	struct mdx_item *item = &line->item;
	uint8_t *in, *out;

	if (line->in.len < line->in_len)
		line->in.len = line->in_len;
	in = malloc(line->in.len);
	out = calloc(1, line->out_len);
	if (!in || !out)
		usage("no memory for the mailboxes");
	memcpy(in, line->in.bytes, line->in.len);
	item->in = (uintptr_t)in;
	item->in_len = line->in.len;
	item->out = (uintptr_t)out;
	item->out_len = line->out_len;
}

static void item_add(struct batch_file *file, struct batch_line *line, unsigned int nr)
{
	bool about_object = line->item.flags & MDX_ITEM_OBJ_BACK;
	unsigned int i = file->items_n, opcode = 0;

	if (i == MDX_SUBMIT_ITEMS_MAX)
		usage("a batch has at most %d items", MDX_SUBMIT_ITEMS_MAX);
	if (line->destroys) {
		if (line->in.len || !about_object)
			usage("destroy needs object=%%ITEM, and no other word than link and drain");
		line->item.cmd = MDX_CMD_OBJ_DESTROY;
	} else {
		opcode = dword_at(line->in.bytes, 0) >> 16;
		line->item.cmd = call_of(opcode, about_object);
		if (about_object && line->item.cmd == MDX_CMD_OBJ_CREATE)
			usage("%s is about no object", mdx_opcode_name(opcode));
		mailboxes_alloc(line);
	}
	if (line->item.flags & MDX_ITEM_LINK && !i)
		usage("there is no item before the first to link it to");
	if (file->refs_n + line->item.refs_n > MDX_SUBMIT_REFS_MAX)
		usage("a batch has at most %d references", MDX_SUBMIT_REFS_MAX);
	memcpy(&file->refs[file->refs_n], line->refs,
	       line->item.refs_n * sizeof(line->refs[0]));
	file->refs_n += line->item.refs_n;
	file->items[i] = line->item;
	file->lines[i] = nr;
	file->opcodes[i] = opcode;
	file->items_n++;
}

static void line_read(struct batch_file *file, char *text, unsigned int nr,
		      struct cmd_input *scratch)
{
	struct batch_line line = {
		.in = *scratch,
		.in_len = INPUT_LEN_MIN,
		.out_len = OUTPUT_LEN_DEFAULT,
	};
	char *word, *rest = NULL;

	text[strcspn(text, "#\n")] = '\0';
	for (word = strtok_r(text, " \t\r", &rest); word;
	     word = strtok_r(NULL, " \t\r", &rest))
		item_word(file, &line, word);
	if (line.any)
		item_add(file, &line, nr);
	memset(scratch->bytes, 0, line.in.len);
}

void batch_file_read(struct batch_file *file, FILE *from, const char *name)
{
	const char *verb = verb_name;
	struct cmd_input scratch;
	char *text = NULL, where[300];
	unsigned int nr = 0;
	size_t size = 0;

	*file = (struct batch_file){
		.items = calloc(MDX_SUBMIT_ITEMS_MAX, sizeof(*file->items)),
		.lines = calloc(MDX_SUBMIT_ITEMS_MAX, sizeof(*file->lines)),
		.opcodes = calloc(MDX_SUBMIT_ITEMS_MAX, sizeof(*file->opcodes)),
		.refs = calloc(MDX_SUBMIT_REFS_MAX, sizeof(*file->refs)),
	};
	if (!file->items || !file->lines || !file->opcodes || !file->refs)
		usage("no memory for the items");
	input_begin(&scratch);
	/* So that messages name the line. */
	verb_name = where;
	while (getline(&text, &size, from) >= 0) {
		snprintf(where, sizeof(where), "%s: %.200s:%u", verb, name, ++nr);
		line_read(file, text, nr, &scratch);
	}
	verb_name = verb;
	free(text);
	free(scratch.bytes);
}

void batch_file_free(struct batch_file *file)
{
	unsigned int i;

	for (i = 0; i < file->items_n; i++) {
		free((void *)(uintptr_t)file->items[i].in);
		free((void *)(uintptr_t)file->items[i].out);
	}
	free(file->items);
	free(file->lines);
	free(file->opcodes);
	free(file->refs);
}
