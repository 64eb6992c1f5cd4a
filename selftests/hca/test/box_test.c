// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Mailboxes: how commands are delivered, and how bad ones are not. */
#include "cmd.h"

static void inline_command(void)
{
	struct env e;

	start(&e);
	put_cmd(&e, 0, 0x104, 16, 12);
	ring(&e, 1);
	CHECK_EQ(*status_of(&e, 0), 0);
	CHECK_EQ(fake.execs, 1);
	CHECK_EQ(cmdq_in_flight(&e.hca.cmdq), 0);
	env_fini(&e);
}

static void chained_command(void)
{
	uint32_t len = 16 + 512 + 512 + 100;
	struct env e;
	unsigned int i;

	start(&e);
	put_cmd(&e, 3, FAKE_ECHO, len, len);
	for (i = 0; i < 100; i++)
		box(&e, BOXES, 2)[i] = (uint8_t)i;
	box(&e, BOXES, 0)[0] = 0xaa;
	box(&e, OUT_BOXES, 2)[100] = 0x77;
	ring(&e, 1 << 3);
	CHECK_EQ(*status_of(&e, 3), 0);
	CHECK_EQ(box(&e, OUT_BOXES, 0)[0], 0xaa);
	CHECK(!memcmp(box(&e, OUT_BOXES, 2), box(&e, BOXES, 2), 100));
	/* Nothing behind the answer is touched. */
	CHECK_EQ(box(&e, OUT_BOXES, 2)[100], 0x77);
	CHECK_EQ(box(&e, OUT_BOXES, 1)[0x23d], TOKEN);
	env_fini(&e);
}

static void start_echo(struct env *e)
{
	start(e);
	put_cmd(e, 0, FAKE_ECHO, 2000, 2000);
}

static void bad_in_token(void)
{
	struct env e;

	start_echo(&e);
	box(&e, BOXES, 1)[0x23d]++;
	expect_delivery(&e, DELIVERY_TOKEN);
}

static void bad_out_token(void)
{
	struct env e;

	start_echo(&e);
	box(&e, OUT_BOXES, 1)[0x23d]++;
	expect_delivery(&e, DELIVERY_TOKEN);
}

static void bad_block_number(void)
{
	struct env e;

	start_echo(&e);
	put_be32(box(&e, BOXES, 2) + 0x238, 7);
	expect_delivery(&e, DELIVERY_BLOCK_NUM);
}

static void loop_of_blocks(void)
{
	struct env e;

	start_echo(&e);
	put_be64(box(&e, BOXES, 1) + 0x230, BOXES);
	expect_delivery(&e, DELIVERY_BLOCK_NUM);
}

static void short_in_chain(void)
{
	struct env e;

	start_echo(&e);
	put_be64(box(&e, BOXES, 1) + 0x230, 0);
	expect_delivery(&e, DELIVERY_IN_LENGTH);
}

static void short_out_chain(void)
{
	struct env e;

	start_echo(&e);
	put_be64(box(&e, OUT_BOXES, 1) + 0x230, 0);
	expect_delivery(&e, DELIVERY_OUT_LENGTH);
}

static void unaligned_in(void)
{
	struct env e;

	start_echo(&e);
	put_be64(entry(&e, 0) + 0x08, BOXES + 8);
	expect_delivery(&e, DELIVERY_IN_ALIGN);
}

static void unaligned_out(void)
{
	struct env e;

	start_echo(&e);
	put_be64(box(&e, OUT_BOXES, 0) + 0x230, OUT_BOXES + 1);
	expect_delivery(&e, DELIVERY_OUT_ALIGN);
}

static void unmapped_box(void)
{
	struct env e;

	start_echo(&e);
	put_be64(entry(&e, 0) + 0x08, GUEST + GUEST_SIZE);
	expect_delivery(&e, DELIVERY_FW);
}

static void box_across_the_end(void)
{
	struct env e;

	start_echo(&e);
	put_be64(entry(&e, 0) + 0x08, GUEST + GUEST_SIZE - 512);
	expect_delivery(&e, DELIVERY_FW);
}

static void too_short_in(void)
{
	struct env e;

	start(&e);
	put_cmd(&e, 0, FAKE_ECHO, 15, 16);
	expect_delivery(&e, DELIVERY_IN_LENGTH);
}

static void huge_in(void)
{
	struct env e;

	start_echo(&e);
	put_be32(entry(&e, 0) + 0x04, 0xffffffff);
	expect_delivery(&e, DELIVERY_IN_LENGTH);
}

static void huge_out(void)
{
	struct env e;

	start_echo(&e);
	put_be32(entry(&e, 0) + 0x38, 0xffffffff);
	expect_delivery(&e, DELIVERY_OUT_LENGTH);
}

static void zero_out(void)
{
	struct env e;

	start_echo(&e);
	put_be32(entry(&e, 0) + 0x38, 0);
	expect_delivery(&e, DELIVERY_OUT_LENGTH);
}

static void bad_type(void)
{
	struct env e;

	start_echo(&e);
	entry(&e, 0)[0] = 6;
	expect_delivery(&e, DELIVERY_DESCRIPTOR);
}

int main(void)
{
	static const struct tap_test tests[] = {
		TAP(inline_command),
		TAP(chained_command),
		TAP(bad_in_token),
		TAP(bad_out_token),
		TAP(bad_block_number),
		TAP(loop_of_blocks),
		TAP(short_in_chain),
		TAP(short_out_chain),
		TAP(unaligned_in),
		TAP(unaligned_out),
		TAP(unmapped_box),
		TAP(box_across_the_end),
		TAP(too_short_in),
		TAP(huge_in),
		TAP(huge_out),
		TAP(zero_out),
		TAP(bad_type),
	};

	return TAP_RUN(tests);
}
