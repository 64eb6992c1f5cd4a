// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Events: which users may hear, and what entry is about what object. Also built in
 * user space (user/).
 */
#include <kunit/test.h>
#include <linux/string.h>

#include "../kmod/evtab.c"

#include "mbox_bits.h"

#define EVENTS 256

/* Offset of the number and, if there is one, of the type in an entry, in bits. */
struct entry_row {
	u8 event;
	u16 num;
	u16 type;
	u16 type_width;
	u16 type_fixed;
};

static const struct entry_row legacy_rows[] = {
	{ 0x01, 456, 416, 8 }, { 0x02, 456, 416, 8 }, { 0x03, 456, 416, 8 },
	{ 0x04, 264 }, { 0x05, 456, 416, 8 }, { 0x07, 456, 416, 8 },
	{ 0x10, 456, 416, 8 }, { 0x11, 456, 416, 8 }, { 0x12, 456, 416, 8 },
	{ 0x13, 456, 416, 8 }, { 0x14, 456, 416, 8 }, { 0x18, 424 },
	{ 0x1c, 456, 0, 0, 6 }, { 0x1d, 456, 0, 0, 6 },
};

static __be64 words[2][4];

static const struct mdx_event_caps without_lists;
static const struct mdx_event_caps with_lists = {
	.listed = true, .affiliated = words[0], .unaffiliated = words[1],
};

static void list_only(int list, u16 event)
{
	memset(words, 0, sizeof(words));
	bit_put(words[list], event / 64 * 64 + 63 - event % 64, true);
}

static const struct entry_row *legacy_row(u16 event)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(legacy_rows); i++)
		if (legacy_rows[i].event == event)
			return &legacy_rows[i];
	return NULL;
}

static void old_device_offers(struct kunit *test)
{
	u16 event;

	for (event = 0; event < 2 * EVENTS; event++) {
		KUNIT_EXPECT_EQ_MSG(test,
			mdx_event_is_offered(&without_lists, event, true),
			!event || legacy_row(event), "%#x", event);
		KUNIT_EXPECT_EQ_MSG(test,
			mdx_event_is_offered(&without_lists, event, false),
			event == 0x09, "%#x", event);
	}
}

static void listed_is_offered(struct kunit *test)
{
	u16 event;

	for (event = 0; event < EVENTS; event++) {
		list_only(0, event);
		KUNIT_EXPECT_TRUE_MSG(test,
			mdx_event_is_offered(&with_lists, event, true),
			"%#x", event);
		KUNIT_EXPECT_FALSE(test,
			mdx_event_is_offered(&with_lists, event, false));
		KUNIT_EXPECT_EQ(test,
			mdx_event_is_offered(&with_lists, event ^ 0x41, true),
			event == 0x41);
		list_only(1, event);
		KUNIT_EXPECT_TRUE_MSG(test,
			mdx_event_is_offered(&with_lists, event, false),
			"%#x", event);
		KUNIT_EXPECT_EQ(test,
			mdx_event_is_offered(&with_lists, event, true), !event);
	}
}

static void large_number_not_offered(struct kunit *test)
{
	memset(words, 0xff, sizeof(words));
	KUNIT_EXPECT_TRUE(test, mdx_event_is_offered(&with_lists, 255, true));
	KUNIT_EXPECT_FALSE(test, mdx_event_is_offered(&with_lists, 256, true));
	KUNIT_EXPECT_FALSE(test,
			   mdx_event_is_offered(&with_lists, 0xffff, false));
}

static bool same_key(struct mdx_event_key a, struct mdx_event_key b)
{
	return a.type == b.type && a.id == b.id;
}

/* All bytes but those of number and type are ones, and do not matter. */
static void queue_events_found(struct kunit *test)
{
	const struct entry_row *row;
	struct mdx_event_obj obj;
	u8 eqe[MDX_EQE_LEN];
	unsigned int i;

	memset(words, 0, sizeof(words));
	for (i = 0; i < ARRAY_SIZE(legacy_rows); i++) {
		row = &legacy_rows[i];
		obj = (struct mdx_event_obj){
			.id = 0xabc000 + i,
			.obj_type = 0xff02,
			.queue_type = row->type_width ? i : row->type_fixed,
		};
		memset(eqe, 0xff, sizeof(eqe));
		bits_put(eqe, row->num, 24, obj.id);
		if (row->type_width)
			bits_put(eqe, row->type, row->type_width, i);
		KUNIT_EXPECT_TRUE_MSG(test,
			same_key(mdx_event_key_of_obj(row->event, &obj),
				 mdx_event_key_of_eqe(&with_lists, row->event,
						      eqe)),
			"%#x", row->event);
	}
}

static void newer_events_found(struct kunit *test)
{
	struct mdx_event_obj obj = {
		.id = 0x89abcdef, .obj_type = 0xff02, .queue_type = 1,
	};
	u8 eqe[MDX_EQE_LEN];
	u16 event;

	memset(words, 0, sizeof(words));
	memset(eqe, 0xff, sizeof(eqe));
	bits_put(eqe, 272, 16, obj.obj_type);
	bits_put(eqe, 288, 32, obj.id);
	for (event = 1; event < EVENTS; event++) {
		if (legacy_row(event))
			continue;
		KUNIT_EXPECT_TRUE_MSG(test,
			same_key(mdx_event_key_of_obj(event, &obj),
				 mdx_event_key_of_eqe(&with_lists, event, eqe)),
			"%#x", event);
	}
}

static void unaffiliated_has_own_key(struct kunit *test)
{
	struct mdx_event_obj obj = {};
	u8 eqe[MDX_EQE_LEN] = {};
	u16 event;

	for (event = 0; event < EVENTS; event++) {
		list_only(1, event);
		KUNIT_EXPECT_TRUE_MSG(test,
			same_key(mdx_event_key_of_obj(event, NULL),
				 mdx_event_key_of_eqe(&with_lists, event, eqe)),
			"%#x", event);
		KUNIT_EXPECT_FALSE(test,
			same_key(mdx_event_key_of_obj(event, NULL),
				 mdx_event_key_of_obj(event, &obj)));
	}
}

static void keys_tell_apart(struct kunit *test)
{
	static const struct mdx_event_obj objs[] = {
		{ 1, 0xff02, 0 }, { 2, 0xff02, 0 }, { 1, 0xff06, 1 },
		{ 1, 0xff07, 2 },
	};
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(objs); i++)
		for (j = 0; j < ARRAY_SIZE(objs); j++) {
			KUNIT_EXPECT_EQ(test, i == j,
				same_key(mdx_event_key_of_obj(0x05, &objs[i]),
					 mdx_event_key_of_obj(0x05, &objs[j])));
			KUNIT_EXPECT_EQ(test, i == j,
				same_key(mdx_event_key_of_obj(0x27, &objs[i]),
					 mdx_event_key_of_obj(0x27, &objs[j])));
			KUNIT_EXPECT_FALSE(test,
				same_key(mdx_event_key_of_obj(0x05, &objs[i]),
					 mdx_event_key_of_obj(0x10, &objs[j])));
		}
}

static struct kunit_case evtab_cases[] = {
	KUNIT_CASE(old_device_offers),
	KUNIT_CASE(listed_is_offered),
	KUNIT_CASE(large_number_not_offered),
	KUNIT_CASE(queue_events_found),
	KUNIT_CASE(newer_events_found),
	KUNIT_CASE(unaffiliated_has_own_key),
	KUNIT_CASE(keys_tell_apart),
	{}
};

static struct kunit_suite evtab_suite = {
	.name = "mdx_evtab",
	.test_cases = evtab_cases,
};

kunit_test_suite(evtab_suite);
