/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The file of mdx batch: an item a line. */
#ifndef MDX_TOOL_BATCH_FILE_H
#define MDX_TOOL_BATCH_FILE_H

#include <stdint.h>
#include <stdio.h>

#include <mdx/mdx_uapi.h>

/**
 * struct batch_file - A batch as its file describes it
 * @flags: MDX_SUBMIT_*
 * @items_n: items
 * @refs_n: references of all items
 * @items: items, with their mailboxes
 * @lines: line of the file that each is from
 * @opcodes: of each; 0: it has no mailbox
 * @refs: in the order of the items
 */
struct batch_file {
	unsigned int flags;
	unsigned int items_n;
	unsigned int refs_n;
	struct mdx_item *items;
	unsigned int *lines;
	uint16_t *opcodes;
	struct mdx_ref *refs;
};

/*
 * Read @from, whose name is for messages. An error in it is a usage error, which names
 * the line.
 */
void batch_file_read(struct batch_file *file, FILE *from, const char *name);
void batch_file_free(struct batch_file *file);

#endif /* MDX_TOOL_BATCH_FILE_H */
