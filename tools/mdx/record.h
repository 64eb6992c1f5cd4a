/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* record.c: files of mdx trace --record. */
#ifndef MDX_RECORD_H
#define MDX_RECORD_H

#include <stdbool.h>
#include <stdio.h>

#include "command_event.h"

/* A command with its mailboxes, as far as they were recorded. */
struct record {
	struct command_event event;
	__u8 input[EVENT_INPUT_MAX];
	__u8 output[EVENT_OUTPUT_MAX];
};

/* Creates a file for root alone: NULL and errno. */
FILE *record_create(const char *path);
/* @event with its mailboxes. */
bool record_write(FILE *file, const struct command_event *event, const void *input,
		  const void *output);
/* NULL after a message. */
FILE *record_open(const char *path);
/* 1, 0 at the end, -1 after a message. */
int record_read(FILE *file, struct record *record);

#endif /* MDX_RECORD_H */
