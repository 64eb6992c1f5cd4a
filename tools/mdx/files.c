// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * A line of /sys/kernel/debug/mlx5_devx/files:
 * "ibdev pid comm uid objects calls sharing [opcode[/type]:count]..."
 *
 * A comm may hold anything but a line's end, also spaces, so what is behind it is
 * read from the right.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

/* Cuts the last word off @line; NULL if there is none. */
static char *last_word(char *line)
{
	char *space = strrchr(line, ' ');

	if (!space || !space[1])
		return NULL;
	*space = '\0';
	return space + 1;
}

static bool parse_type(const char *word, struct bound_file *file)
{
	int i = file->types_n, end = 0;

	if (i == TYPES_MAX)
		return true;
	file->types[i].type = 0;
	if (sscanf(word, "%x:%u%n", &file->types[i].opcode, &file->types[i].count,
		   &end) != 2 || word[end]) {
		end = 0;
		if (sscanf(word, "%x/%x:%u%n", &file->types[i].opcode,
			   &file->types[i].type, &file->types[i].count,
			   &end) != 3 || word[end])
			return false;
	}
	file->types_n++;
	return true;
}

static bool parse_number(const char *word, unsigned int *val)
{
	char *end;

	if (!word || !isdigit((unsigned char)*word))
		return false;
	*val = strtoul(word, &end, 0);
	return !*end;
}

/* The kernel has the newest type last, and so has this table. */
static void reverse_types(struct bound_file *file)
{
	int i, k;

	for (i = 0, k = file->types_n - 1; i < k; i++, k--) {
		__typeof__(file->types[0]) swap = file->types[i];

		file->types[i] = file->types[k];
		file->types[k] = swap;
	}
}

bool parse_bound_file(const char *line, struct bound_file *file)
{
	char buf[2048], *word;
	int end = 0;

	if (snprintf(buf, sizeof(buf), "%s", line) >= (int)sizeof(buf))
		return false;
	buf[strcspn(buf, "\n")] = '\0';
	memset(file, 0, sizeof(*file));
	while ((word = last_word(buf)) && strchr(word, ':'))
		if (!parse_type(word, file))
			return false;
	reverse_types(file);
	file->shared = word && !strcmp(word, "shared");
	if (!word || (!file->shared && strcmp(word, "own")) ||
	    !parse_number(last_word(buf), &file->in_flight) ||
	    !parse_number(last_word(buf), &file->objects) ||
	    !parse_number(last_word(buf), &file->uid))
		return false;
	if (sscanf(buf, "%63s %ld %n", file->ibdev, &file->pid, &end) != 2 ||
	    !end)
		return false;
	snprintf(file->comm, sizeof(file->comm), "%.63s", buf + end);
	return true;
}
