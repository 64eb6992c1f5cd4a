// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Layouts, files of recorded commands, and the map of replayed objects. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command_layouts.h"
#include "opcodes/opcodes.h"
#include "record.h"
#include "replay.h"
#include "shim_tap.h"

int tap_failed;
const char *tap_skip;

static void layout_of_all(void)
{
	const struct command_layout *layout;
	unsigned int opcode, known = 0;

	for (opcode = 0; opcode <= 0xffff; opcode++) {
		layout = layout_of(opcode);
		if (!layout)
			continue;
		known++;
		EXPECT_EQ(opcode, layout->opcode);
		/* The id is a field of the layout that is said to have it. */
		if (layout->class == CLASS_CREATE)
			EXPECT(field_find(layout->out, layout->id));
		else if (layout->id)
			EXPECT(field_find(layout->in, layout->id));
		if (layout->in)
			EXPECT_EQ(0, field_find(layout->in, "opcode")->bit);
	}
	EXPECT(known > 150);
}

static void bits_get_set(void)
{
	uint8_t mbox[8] = { 0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xf0 };

	EXPECT_EQ(0x1234, bits_get(mbox, 8, 0, 16));
	EXPECT_EQ(0x345678, bits_get(mbox, 8, 8, 24));
	EXPECT_EQ(0x5, bits_get(mbox, 8, 16, 4));
	EXPECT(bits_get(mbox, 8, 0, 64) == 0x123456789abcdef0ull);
	EXPECT_EQ(0x1200, bits_get(mbox, 1, 0, 16));
	bits_set(mbox, 8, 20, 8, 0xff);
	EXPECT_EQ(0x5ff8, bits_get(mbox, 8, 16, 16));
	/* Nothing is written behind the end. */
	bits_set(mbox, 4, 24, 16, 0);
	EXPECT_EQ(0x9a, mbox[4]);
}

static void number_of_create(void)
{
	uint8_t in[EVENT_IN] = { 0x04, 0x00 }, out[EVENT_OUT] = { [9] = 0x01, 0x02, 0x03 };
	uint32_t number = 0;

	EXPECT(object_number(in, sizeof(in), out, sizeof(out), &number));
	EXPECT_EQ(0x10203, number);
}

static void number_of_destroy(void)
{
	uint8_t in[EVENT_IN] = { 0x04, 0x01, [9] = 0x01, 0x02, 0x03 }, out[EVENT_OUT] = { 0 };
	uint32_t number = 0;

	EXPECT(object_number(in, sizeof(in), out, sizeof(out), &number));
	EXPECT_EQ(0x10203, number);
	/* Cut off in front of it. */
	EXPECT(!object_number(in, 11, out, sizeof(out), &number));
}

static void number_of_none(void)
{
	uint8_t in[EVENT_IN] = { 0x01, 0x00 }, unknown[EVENT_IN] = { 0xff, 0xff };
	uint8_t out[EVENT_OUT] = { 0 };
	uint32_t number;

	EXPECT(!object_number(in, sizeof(in), out, sizeof(out), &number));
	EXPECT(!object_number(unknown, sizeof(unknown), out, sizeof(out), &number));
}

static char path[32];

static void record_round_trip(void)
{
	static struct record record, got;
	FILE *file;

	record.event.in_len = 21;
	record.event.input_len = 21;
	record.event.pid = 17;
	record.event.output_len = 9;
	memset(record.input, 0x5a, 21);
	memset(record.output, 0xa5, 9);
	strcpy(path, "/tmp/trace-unit-XXXXXX");
	close(mkstemp(path));
	file = record_create(path);
	EXPECT(file);
	EXPECT(record_write(file, &record.event, record.input, record.output));
	record.event.pid = 18;
	EXPECT(record_write(file, &record.event, record.input, record.output));
	fclose(file);

	file = record_open(path);
	EXPECT(file);
	EXPECT_EQ(1, record_read(file, &got));
	EXPECT_EQ(17, got.event.pid);
	EXPECT(!memcmp(record.input, got.input, 21));
	EXPECT(!memcmp(record.output, got.output, 9));
	EXPECT_EQ(1, record_read(file, &got));
	EXPECT_EQ(18, got.event.pid);
	EXPECT_EQ(0, record_read(file, &got));
	fclose(file);
}

/* A length of the file's, of any value, is not believed. */
static void expect_bad_length(size_t at)
{
	static struct record got;
	FILE *file = fopen(path, "r+");
	uint32_t len = 0xfffffff9, was;

	EXPECT(file);
	fseek(file, 256 + at, SEEK_SET);
	EXPECT(fread(&was, sizeof(was), 1, file) == 1);
	fseek(file, 256 + at, SEEK_SET);
	fwrite(&len, sizeof(len), 1, file);
	fclose(file);
	file = record_open(path);
	EXPECT_EQ(-1, record_read(file, &got));
	fclose(file);
	file = fopen(path, "r+");
	fseek(file, 256 + at, SEEK_SET);
	fwrite(&was, sizeof(was), 1, file);
	fclose(file);
}

static void record_bad_length(void)
{
	expect_bad_length(offsetof(struct command_event, input_len));
	if (!tap_failed)
		expect_bad_length(offsetof(struct command_event, output_len));
	unlink(path);
}

static void map_newest_first(void)
{
	struct replay_map *map = replay_map_new();
	const char *type;
	int a, b;
	uint32_t now;

	EXPECT(replay_map_add(map, "CQ", 0, 5, 50, &a));
	EXPECT(replay_map_add(map, "CQ", 0, 5, 51, &b));
	EXPECT(replay_map_find(map, "CQ", 0, 5, &now) == &b);
	EXPECT_EQ(51, now);
	EXPECT(!replay_map_find(map, "QP", 0, 5, NULL));
	EXPECT(!replay_map_find(map, "CQ", 1, 5, NULL));
	replay_map_del(map, &b);
	EXPECT(replay_map_find(map, "CQ", 0, 5, &now) == &a);
	EXPECT(replay_map_last(map, &type) == &a);
	EXPECT_STR("CQ", type);
	replay_map_free(map);
}

/* The PD and the CQ of a QP's context, and not its other fields. */
static void map_patches_references(void)
{
	const struct command_layout *layout = layout_of(MDX_OPCODE_CREATE_QP);
	struct replay_map *map = replay_map_new();
	uint8_t mbox[512] = { 0x05, 0x00 };
	const struct named_field *qpc = field_find(layout->in, "qpc");
	const struct named_field *pd = field_find(qpc->fields, "pd");
	const struct named_field *cqn = field_find(qpc->fields, "cqn_snd");
	const struct named_field *index = field_find(qpc->fields, "user_index");
	int a;

	bits_set(mbox, sizeof(mbox), qpc->bit + pd->bit, pd->bits, 7);
	bits_set(mbox, sizeof(mbox), qpc->bit + cqn->bit, cqn->bits, 7);
	bits_set(mbox, sizeof(mbox), qpc->bit + index->bit, index->bits, 7);
	EXPECT(replay_map_add(map, "PD", 0, 7, 70, &a));
	EXPECT(replay_map_add(map, "CQ", 0, 7, 71, &a));
	replay_map_patch(map, mbox, sizeof(mbox), layout->in);
	EXPECT_EQ(70, bits_get(mbox, sizeof(mbox), qpc->bit + pd->bit, pd->bits));
	EXPECT_EQ(71, bits_get(mbox, sizeof(mbox), qpc->bit + cqn->bit, cqn->bits));
	EXPECT_EQ(7, bits_get(mbox, sizeof(mbox), qpc->bit + index->bit, index->bits));
	replay_map_free(map);
}

static const struct tap_test tests[] = {
	TEST(layout_of_all),
	TEST(bits_get_set),
	TEST(number_of_create),
	TEST(number_of_destroy),
	TEST(number_of_none),
	TEST(record_round_trip),
	TEST(record_bad_length),
	TEST(map_newest_first),
	TEST(map_patches_references),
	{ NULL, NULL }
};

int main(void)
{
	static const struct tap_test *const groups[] = { tests, NULL };

	return tap_run("trace", groups);
}
