/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Batches of the tests: items with their mailboxes, for MDX_IOC_SUBMIT.
 */
#ifndef MDX_TEST_BATCH_H
#define MDX_TEST_BATCH_H

#include "objtypes.h"

#define BATCH_ITEMS 16
#define BATCH_REFS 16
#define BATCH_IN_LEN 1024
#define BATCH_OUT_LEN 1024

/* The transport domain that CREATE_TIS names */
#define TIS_TD_BIT __devx_bit_off(create_tis_in, ctx.transport_domain)
#define TIS_TD_WIDTH 24

/**
 * struct test_batch - a call
 * @arg: its structure
 * @items: its items
 * @refs: their references
 * @in: input of each item
 * @out: output of each item
 */
struct test_batch {
	struct mdx_ioc_submit arg;
	struct mdx_item items[BATCH_ITEMS];
	struct mdx_ref refs[BATCH_REFS];
	uint64_t in[BATCH_ITEMS][BATCH_IN_LEN / 8];
	uint64_t out[BATCH_ITEMS][BATCH_OUT_LEN / 8];
};

/* No item; results are what no call writes. */
void batch_begin(struct test_batch *b);

/* The command of w->m. Return: the item */
struct mdx_item *batch_add(struct test_batch *b, const struct mdx_world *w,
			   uint16_t cmd, uint16_t flags);
struct mdx_item *batch_create(struct test_batch *b, struct mdx_world *w,
			      enum objtype_id t, uint16_t flags);
struct mdx_item *batch_nop(struct test_batch *b, struct mdx_world *w,
			   uint16_t flags);
/* With MDX_ITEM_OBJ_BACK @obj is a number of items. */
struct mdx_item *batch_destroy(struct test_batch *b, uint32_t obj, uint16_t flags);
/* Of the item that was added last */
struct mdx_ref *batch_ref(struct test_batch *b, uint16_t back, uint32_t bit,
			  uint8_t width);

/* 0 or a positive errno */
int batch_submit(struct test_batch *b, int fd);
/* Results of items that no call has written */
bool batch_untouched(const struct test_batch *b);
/* The answer of an item */
uint32_t batch_out_status(const struct test_batch *b, unsigned int i);

#endif /* MDX_TEST_BATCH_H */
