// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * libFuzzer on the order of the items of a batch: the input says what the items are,
 * which of those that run ends next, and how. kunit/chain_walk.h knows the rules.
 *
 * An input is a byte each for the number of items, the bounds and each item, then
 * one for every choice.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../kmod/submit_chain.c"

#include "../kunit/chain_walk.h"

struct fuzz_bytes {
	const u8 *data;
	size_t len;
};

/* 0 once the input is used up */
static u8 byte_next(struct fuzz_bytes *bytes)
{
	if (!bytes->len)
		return 0;
	bytes->len--;
	return *bytes->data++;
}

static u32 byte_choose(void *data, u32 n)
{
	return byte_next(data) % n;
}

static bool byte_fails(void *data, u32 item)
{
	return byte_next(data) & 1;
}

/* Of an item: flags in the low bits, references in the high ones. */
static void items_read(struct walk *walk, struct fuzz_bytes *bytes)
{
	u8 item[WALK_ITEMS_MAX], bounds;
	u32 i;

	walk->chain.n = byte_next(bytes) % WALK_ITEMS_MAX + 1;
	bounds = byte_next(bytes);
	for (i = 0; i < walk->chain.n; i++) {
		item[i] = byte_next(bytes);
		walk->items[i].flags = item[i] & (i ? 7 : 6);
	}
	walk_init(walk, bounds % MDX_CHAIN_RUNNING_MAX + 1);
	walk->chain.stop = bounds & 0x10;
	walk->chain.undoes = bounds & 0x20;
	for (i = 0; i < walk->chain.n; i++) {
		bool may = walk_may_need(walk, i, item[i] >> 3);

		if (mdx_chain_need(&walk->chain, i, item[i] >> 3) != may)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct fuzz_bytes bytes = { .data = data, .len = len };
	static struct walk walk;
	const char *fault;

	memset(&walk, 0, sizeof(walk));
	walk.choose = byte_choose;
	walk.fails = byte_fails;
	walk.data = &bytes;
	items_read(&walk, &bytes);
	fault = walk_run(&walk);
	if (!fault)
		return 0;
	fprintf(stderr, "%s\n", fault);
	abort();
}
