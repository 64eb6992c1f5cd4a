// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* mdx replay: a file of mdx trace --record, decoded or executed. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_layouts.h"
#include "record.h"
#include "replay.h"
#include "tool.h"
#include "trace_parts.h"

#define PATH_LEN 128

/* Fields shown of this command. */
static unsigned int shown;

static void show_field(const char *path, const uint8_t *mbox, size_t len, size_t bit,
		       const struct named_field *field)
{
	uint64_t val = bits_get(mbox, len, bit, field->bits);

	/* A zero tells little, and most fields are. */
	if (!val)
		return;
	if (opt_json)
		printf("%s\"%s\": \"%#llx\"", shown++ ? ", " : "", path,
		       (unsigned long long)val);
	else
		printf("    %s %#llx\n", path, (unsigned long long)val);
}

/* One of @field, an element of an array if @index is not negative. */
static void show_element(const char *before, const uint8_t *mbox, size_t len, size_t bit,
			 const struct named_field *field, int index)
{
	char path[PATH_LEN], number[16] = "";

	if (index >= 0)
		snprintf(number, sizeof(number), "[%d]", index);
	snprintf(path, sizeof(path), "%s%s%s%s", before, *before ? "." : "", field->name,
		 number);
	if (field->fields)
		show_fields(path, mbox, len, bit, field->fields);
	else if (field->bits <= 64)
		show_field(path, mbox, len, bit, field);
}

void show_fields(const char *before, const uint8_t *mbox, size_t len, size_t base,
		 const struct named_field *fields)
{
	for (; fields->name; fields++) {
		size_t bit = base + fields->bit;
		int i;

		if (fields->count == 1) {
			if (bit < 8 * len)
				show_element(before, mbox, len, bit, fields, -1);
			continue;
		}
		for (i = 0; bit + fields->bits <= 8 * len; i++, bit += fields->bits) {
			if (fields->count && i == (int)fields->count)
				break;
			show_element(before, mbox, len, bit, fields, i);
		}
	}
}

/* Without a layout: what is not 0, by its place. */
static void show_dwords(const char *before, const uint8_t *mbox, size_t from, size_t len)
{
	char name[32];
	size_t at;

	for (at = from; at < len; at += 4) {
		struct named_field field = { name, 8 * at, 32, 1 };

		snprintf(name, sizeof(name), "%sdword_%#zx", before, at);
		show_field(name, mbox, len, 8 * at, &field);
	}
}

static void show_input(const struct record *record)
{
	const struct command_layout *layout = layout_of(record_opcode(record));
	const uint8_t *input = record->input;
	size_t len = record->event.input_len;

	if (layout && layout->in && layout->in->name) {
		show_fields("", input, len, 0, layout->in);
		/* Behind the header of a general object. */
		if (!strcmp(layout->object ?: "", "GENERAL_OBJECT") && len > HEADER_LEN)
			show_dwords("", input, HEADER_LEN, len);
	} else {
		show_dwords("", input, 0, len);
	}
	if (len >= record->event.in_len)
		return;
	if (!opt_json)
		printf("    (%u of %u bytes were recorded)\n", record->event.input_len,
		       record->event.in_len);
}

/* What a query told; of other commands, no more than the line has. */
static void show_answer(const struct record *record)
{
	const struct command_layout *layout = layout_of(record_opcode(record));
	const uint8_t *output = record->output;
	size_t len = record->event.output_len;

	if (len <= HEADER_LEN)
		return;
	if (layout && layout->class == CLASS_QUERY && layout->out && layout->out->name)
		show_fields("answer", output, len, 0, layout->out);
	else
		show_dwords("answer.", output, HEADER_LEN, len);
}

static void show_record(const struct record *record)
{
	if (opt_json) {
		fputs("{\"command\": ", stdout);
		show_command_json(&record->event);
		fputs(", \"fields\": {", stdout);
		shown = 0;
		show_input(record);
		show_answer(record);
		puts("}}");
	} else {
		show_command(&record->event);
		show_input(record);
		show_answer(record);
	}
}

int verb_replay(int argc, char **argv)
{
	static const struct opt opts[] = { { "execute", 'x', false }, { 0 } };
	static struct record record;
	bool execute = false;
	struct replay *replay = NULL;
	int got, ret = EXIT_OK;
	FILE *file;

	while (next_opt(argc, argv, opts) != -1)
		execute = true;
	if (optind + 1 != argc)
		usage("one file, please");
	file = record_open(argv[optind]);
	if (!file)
		return EXIT_FAILED;
	if (execute) {
		replay = replay_start();
		if (!replay) {
			fclose(file);
			return EXIT_NOTHING;
		}
	}
	while ((got = record_read(file, &record)) > 0) {
		/* Executed once, at its submission; shown with its result, too. */
		if (!replay)
			show_record(&record);
		else
			replay_record(replay, &record);
	}
	fclose(file);
	if (replay)
		ret = replay_end(replay);
	return got ? EXIT_FAILED : ret;
}
