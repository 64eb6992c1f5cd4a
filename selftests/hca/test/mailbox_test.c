// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Mailboxes: delivery of commands, and delivery errors. */
#include "queue_cmd.h"

static void command_inline_executed(void)
{
	struct env e;

	start_queue(&e);
	put_cmd(&e, 0, MLX5_CMD_OP_ENABLE_HCA, 16, 12);
	ring_slots(&e, 1);
	CHECK_EQ(*status_of(&e, 0), 0);
	CHECK_EQ(stub.execs, 1);
	CHECK_EQ(cmdq_in_flight(&e.hca.cmdq), 0);
	env_fini(&e);
}

static void command_chained_executed(void)
{
	uint32_t len = 16 + 512 + 512 + 100;
	struct env e;
	unsigned int i;

	start_queue(&e);
	put_cmd(&e, 3, STUB_ECHO, len, len);
	for (i = 0; i < 100; i++)
		block_at(&e, MAILBOXES, 2)[i] = (uint8_t)i;
	block_at(&e, MAILBOXES, 0)[0] = 0xaa;
	block_at(&e, OUT_MAILBOXES, 2)[100] = 0x77;
	ring_slots(&e, 1 << 3);
	CHECK_EQ(*status_of(&e, 3), 0);
	CHECK_EQ(block_at(&e, OUT_MAILBOXES, 0)[0], 0xaa);
	CHECK(!memcmp(block_at(&e, OUT_MAILBOXES, 2),
		      block_at(&e, MAILBOXES, 2), 100));
	/* Bytes behind the output are not written. */
	CHECK_EQ(block_at(&e, OUT_MAILBOXES, 2)[100], 0x77);
	CHECK_EQ(block_at(&e, OUT_MAILBOXES, 1)[0x23d], TOKEN);
	env_fini(&e);
}

static void start_echo(struct env *e)
{
	start_queue(e);
	put_cmd(e, 0, STUB_ECHO, 2000, 2000);
}

static void in_token_wrong_refused(void)
{
	struct env e;

	start_echo(&e);
	block_at(&e, MAILBOXES, 1)[0x23d]++;
	expect_delivery(&e, DELIVERY_TOKEN);
}

static void out_token_wrong_refused(void)
{
	struct env e;

	start_echo(&e);
	block_at(&e, OUT_MAILBOXES, 1)[0x23d]++;
	expect_delivery(&e, DELIVERY_TOKEN);
}

static void block_number_wrong_refused(void)
{
	struct env e;

	start_echo(&e);
	put_be32(block_at(&e, MAILBOXES, 2) + 0x238, 7);
	expect_delivery(&e, DELIVERY_BLOCK_NUM);
}

static void chain_loop_refused(void)
{
	struct env e;

	start_echo(&e);
	put_be64(block_at(&e, MAILBOXES, 1) + 0x230, MAILBOXES);
	expect_delivery(&e, DELIVERY_BLOCK_NUM);
}

static void in_chain_short_refused(void)
{
	struct env e;

	start_echo(&e);
	put_be64(block_at(&e, MAILBOXES, 1) + 0x230, 0);
	expect_delivery(&e, DELIVERY_IN_LENGTH);
}

static void out_chain_short_refused(void)
{
	struct env e;

	start_echo(&e);
	put_be64(block_at(&e, OUT_MAILBOXES, 1) + 0x230, 0);
	expect_delivery(&e, DELIVERY_OUT_LENGTH);
}

static void in_block_unaligned_refused(void)
{
	struct env e;

	start_echo(&e);
	put_be64(slot_entry(&e, 0) + 0x08, MAILBOXES + 8);
	expect_delivery(&e, DELIVERY_IN_ALIGN);
}

static void out_block_unaligned_refused(void)
{
	struct env e;

	start_echo(&e);
	put_be64(block_at(&e, OUT_MAILBOXES, 0) + 0x230, OUT_MAILBOXES + 1);
	expect_delivery(&e, DELIVERY_OUT_ALIGN);
}

static void mailbox_unmapped_refused(void)
{
	struct env e;

	start_echo(&e);
	put_be64(slot_entry(&e, 0) + 0x08, GUEST + GUEST_SIZE);
	expect_delivery(&e, DELIVERY_FW);
}

static void mailbox_crossing_end_refused(void)
{
	struct env e;

	start_echo(&e);
	put_be64(slot_entry(&e, 0) + 0x08, GUEST + GUEST_SIZE - 512);
	expect_delivery(&e, DELIVERY_FW);
}

static void in_length_short_refused(void)
{
	struct env e;

	start_queue(&e);
	put_cmd(&e, 0, STUB_ECHO, 15, 16);
	expect_delivery(&e, DELIVERY_IN_LENGTH);
}

static void in_length_huge_refused(void)
{
	struct env e;

	start_echo(&e);
	put_be32(slot_entry(&e, 0) + 0x04, 0xffffffff);
	expect_delivery(&e, DELIVERY_IN_LENGTH);
}

static void out_length_huge_refused(void)
{
	struct env e;

	start_echo(&e);
	put_be32(slot_entry(&e, 0) + 0x38, 0xffffffff);
	expect_delivery(&e, DELIVERY_OUT_LENGTH);
}

static void out_length_zero_refused(void)
{
	struct env e;

	start_echo(&e);
	put_be32(slot_entry(&e, 0) + 0x38, 0);
	expect_delivery(&e, DELIVERY_OUT_LENGTH);
}

static void entry_type_wrong_refused(void)
{
	struct env e;

	start_echo(&e);
	slot_entry(&e, 0)[0] = 6;
	expect_delivery(&e, DELIVERY_DESCRIPTOR);
}

int main(void)
{
	static const struct hca_test tests[] = {
		TAP(command_inline_executed),
		TAP(command_chained_executed),
		TAP(in_token_wrong_refused),
		TAP(out_token_wrong_refused),
		TAP(block_number_wrong_refused),
		TAP(chain_loop_refused),
		TAP(in_chain_short_refused),
		TAP(out_chain_short_refused),
		TAP(in_block_unaligned_refused),
		TAP(out_block_unaligned_refused),
		TAP(mailbox_unmapped_refused),
		TAP(mailbox_crossing_end_refused),
		TAP(in_length_short_refused),
		TAP(in_length_huge_refused),
		TAP(out_length_huge_refused),
		TAP(out_length_zero_refused),
		TAP(entry_type_wrong_refused),
	};

	return TAP_RUN(tests);
}
