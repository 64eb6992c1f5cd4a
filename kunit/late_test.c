// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Creates that are answered when no task waits for them any more.
 */
#include <linux/completion.h>

#include "fake_fw.h"
#include "mbox_bits.h"
#include "obj_env.h"
#include "optab_rows.h"
#include "verbs_env.h"

static struct {
	struct completion go;
	u32 id;
} late;

static int late_init(struct kunit *test)
{
	memset(&late, 0, sizeof(late));
	init_completion(&late.go);
	return env_init(test);
}

/* A create that times out takes the first free slot. */
static void time_out(struct kunit *test, u16 opcode)
{
	const struct mdx_op *op = op_creator(opcode);

	KUNIT_ASSERT_NOT_NULL(test, op);
	fw_rule(opcode, -ETIMEDOUT, 0, 0, 1);
	env_begin(opcode);
	op_header_put(op, env.in);
	KUNIT_EXPECT_EQ(test, env_create(op->min_in, op->min_out), -ETIMEDOUT);
}

static void answer_late(int slot, u8 status, u32 id)
{
	fw_answer(slot, status, id);
	flush_work(&env.mdx.late.work);
}

/* The @nth command of @opcode was about an object of the file's context. */
static void expect_destroyed(struct kunit *test, u16 opcode, unsigned int nth,
			     u32 id)
{
	const struct fake_sent *sent = fw_sent(opcode, nth);

	KUNIT_ASSERT_NOT_NULL(test, sent);
	KUNIT_EXPECT_EQ(test, bits_at(sent->in, 0x48, 24), id);
	KUNIT_EXPECT_EQ(test, sent->uid, ENV_UID);
}

static unsigned int owner_users(void)
{
	return env.file->owner->users;
}

/* Nothing is waited for, and only the open file uses the owner. */
static void expect_quiet(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, atomic_read(&env.mdx.late.creating), 0);
	KUNIT_EXPECT_TRUE(test, list_empty(&env.mdx.late.answered));
	KUNIT_EXPECT_EQ(test, owner_users(), 1);
}

static void late_object_destroyed(struct kunit *test)
{
	time_out(test, OP(ALLOC_PD));
	KUNIT_EXPECT_EQ(test, env_objs_n(), 0);
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
	KUNIT_EXPECT_EQ(test, env_destroy(1), -ENOENT);
	KUNIT_EXPECT_EQ(test, atomic_read(&env.mdx.late.creating), 1);
	KUNIT_EXPECT_EQ(test, owner_users(), 2);
	KUNIT_EXPECT_EQ(test, fw_count(OP(DEALLOC_PD)), 0);
	answer_late(0, 0, 0x77);
	KUNIT_EXPECT_EQ(test, fw_count(OP(DEALLOC_PD)), 1);
	expect_destroyed(test, OP(DEALLOC_PD), 0, 0x77);
	expect_quiet(test);
}

static void late_refusal_destroys_nothing(struct kunit *test)
{
	time_out(test, OP(ALLOC_PD));
	answer_late(0, 0x8, 0x77);
	KUNIT_EXPECT_EQ(test, fw->sent_n, 1);
	expect_quiet(test);
}

static void answer_at_once(int slot)
{
	fw_answer(slot, 0, late.id);
}

static void answer_before_registration(struct kunit *test)
{
	fw->timed_out = answer_at_once;
	late.id = 0x77;
	time_out(test, OP(ALLOC_PD));
	late.id = 0x78;
	time_out(test, OP(CREATE_QP));
	flush_work(&env.mdx.late.work);
	KUNIT_EXPECT_EQ(test, fw_count(OP(DEALLOC_PD)), 1);
	expect_destroyed(test, OP(DEALLOC_PD), 0, 0x77);
	KUNIT_EXPECT_EQ(test, fw_count(OP(DESTROY_QP)), 1);
	expect_destroyed(test, OP(DESTROY_QP), 0, 0x78);
	expect_quiet(test);
	/* Slot 0 has had the answer to that command, which is used up. */
	fw->timed_out = NULL;
	time_out(test, OP(ALLOC_PD));
	fw->timed_out = answer_at_once;
	late.id = 0x79;
	time_out(test, OP(CREATE_QP));
	flush_work(&env.mdx.late.work);
	expect_destroyed(test, OP(DESTROY_QP), 1, 0x79);
	answer_late(0, 0, 0x7a);
	expect_destroyed(test, OP(DEALLOC_PD), 1, 0x7a);
	expect_quiet(test);
}

/* Creates with the same buffer and the same header */
static void answers_match_slots(struct kunit *test)
{
	time_out(test, OP(ALLOC_PD));
	time_out(test, OP(ALLOC_PD));
	time_out(test, OP(CREATE_QP));
	KUNIT_EXPECT_EQ(test, atomic_read(&env.mdx.late.creating), 3);
	answer_late(2, 0, 0x79);
	KUNIT_EXPECT_EQ(test, fw_count(OP(DEALLOC_PD)), 0);
	expect_destroyed(test, OP(DESTROY_QP), 0, 0x79);
	answer_late(1, 0, 0x78);
	expect_destroyed(test, OP(DEALLOC_PD), 0, 0x78);
	answer_late(0, 0, 0x77);
	expect_destroyed(test, OP(DEALLOC_PD), 1, 0x77);
	KUNIT_EXPECT_EQ(test, fw_count(OP(DEALLOC_PD)), 2);
	expect_quiet(test);
}

static void hook_hold(u16 opcode)
{
	if (opcode != OP(DEALLOC_PD))
		return;
	fw->hook = NULL;
	wait_for_completion(&late.go);
}

/* Answered objects wait for the work; meanwhile the slot has another command. */
static void slot_used_again(struct kunit *test)
{
	unsigned int i;

	fw->hook = hook_hold;
	for (i = 0; i < 3; i++) {
		time_out(test, OP(ALLOC_PD));
		fw_answer(0, 0, 0x77 + i);
	}
	KUNIT_EXPECT_EQ(test, atomic_read(&env.mdx.late.creating), 0);
	KUNIT_EXPECT_EQ(test, owner_users(), 4);
	complete(&late.go);
	flush_work(&env.mdx.late.work);
	KUNIT_EXPECT_EQ(test, fw_count(OP(DEALLOC_PD)), 3);
	for (i = 0; i < 3; i++)
		expect_destroyed(test, OP(DEALLOC_PD), i, 0x77 + i);
	expect_quiet(test);
}

static void all_slots_late(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < FW_SLOTS; i++)
		time_out(test, OP(ALLOC_PD));
	KUNIT_EXPECT_EQ(test, atomic_read(&env.mdx.late.creating), FW_SLOTS);
	for (i = 0; i < FW_SLOTS; i++)
		answer_late(i, 0, 0x100 + i);
	/* All that the firmware records: creates and destroys */
	KUNIT_EXPECT_EQ(test, fw->sent_n, 2 * FW_SLOTS);
	KUNIT_EXPECT_EQ(test, fw_count(OP(DEALLOC_PD)), FW_SLOTS);
	expect_quiet(test);
}

/* A command of another driver */
static void hook_other(u16 opcode)
{
	static u8 in[16], out[16];

	if (opcode != OP(ALLOC_PD))
		return;
	fw->hook = NULL;
	bits_put(in, 0, 16, OP(NOP));
	env.hook_ret = fw_cmd_do(&fw->mdev, in, sizeof(in), out, sizeof(out));
}

static void other_drivers_answers_ignored(struct kunit *test)
{
	fw->timed_out = answer_at_once;
	late.id = 0x55;
	fw->hook = hook_other;
	fw_rule(OP(NOP), -ETIMEDOUT, 0, 0, 1);
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	KUNIT_EXPECT_EQ(test, env.hook_ret, -ETIMEDOUT);
	fw->timed_out = NULL;
	time_out(test, OP(ALLOC_PD));
	flush_work(&env.mdx.late.work);
	KUNIT_EXPECT_EQ(test, fw_count(OP(DEALLOC_PD)), 0);
	answer_late(0, 0, 0x77);
	expect_destroyed(test, OP(DEALLOC_PD), 0, 0x77);
	expect_quiet(test);
}

static void owner_kept_until_answer(struct kunit *test)
{
	time_out(test, OP(ALLOC_PD));
	env_close();
	KUNIT_EXPECT_EQ(test, env_owners_n(), 1);
	answer_late(0, 0, 0x77);
	expect_destroyed(test, OP(DEALLOC_PD), 0, 0x77);
	KUNIT_EXPECT_EQ(test, env_owners_n(), 0);
}

static void context_not_kept_for_answer(struct kunit *test)
{
	time_out(test, OP(ALLOC_PD));
	KUNIT_EXPECT_EQ(test, atomic_read(&verbs_contexts[0].refs), 0);
	KUNIT_EXPECT_TRUE(test, verbs_end(&verbs_contexts[0], VERBS_CLOSE));
	/* The uid is not the owner's any more. */
	answer_late(0, 0, 0x77);
	KUNIT_EXPECT_EQ(test, fw->sent_n, 1);
	expect_quiet(test);
}

/* Objects that were answered are destroyed before the context ends. */
static void answered_before_context_end(struct kunit *test)
{
	time_out(test, OP(ALLOC_PD));
	fw_answer(0, 0, 0x77);
	KUNIT_EXPECT_TRUE(test, verbs_end(&verbs_contexts[0], VERBS_CLOSE));
	expect_destroyed(test, OP(DEALLOC_PD), 0, 0x77);
	expect_quiet(test);
}

static void late_chosen_id_destroyed(struct kunit *test)
{
	const struct mdx_op *op = op_creator(OP(SET_FLOW_TABLE_ENTRY));

	fw_rule(OP(SET_FLOW_TABLE_ENTRY), -ETIMEDOUT, 0, 0, 1);
	env_begin(OP(SET_FLOW_TABLE_ENTRY));
	bits_put(env.in, op->id.bit, op->id.width, 5);
	KUNIT_EXPECT_EQ(test, env_create(op->min_in, op->min_out), -ETIMEDOUT);
	answer_late(0, 0, 0);
	KUNIT_ASSERT_EQ(test, fw_count(OP(DELETE_FLOW_TABLE_ENTRY)), 1);
	KUNIT_EXPECT_EQ(test,
			bits_at(fw_sent(OP(DELETE_FLOW_TABLE_ENTRY), 0)->in,
				0x100, 32), 5);
	expect_quiet(test);
}

/* The number of a PSV is not in the slot. */
static void late_psv_lost(struct kunit *test)
{
	time_out(test, OP(CREATE_PSV));
	answer_late(0, 0, 0x77);
	KUNIT_EXPECT_EQ(test, fw->sent_n, 1);
	expect_quiet(test);
}

static void late_cq_is_plain(struct kunit *test)
{
	time_out(test, OP(CREATE_CQ));
	answer_late(0, 0, 0x77);
	expect_destroyed(test, OP(DESTROY_CQ), 0, 0x77);
	KUNIT_EXPECT_EQ(test, fw->cqs, 0);
	expect_quiet(test);
}

static void late_dct_drained(struct kunit *test)
{
	time_out(test, OP(CREATE_DCT));
	answer_late(0, 0, 0x77);
	expect_destroyed(test, OP(DRAIN_DCT), 0, 0x77);
	expect_destroyed(test, OP(DESTROY_DCT), 0, 0x77);
	expect_quiet(test);
}

static void answer_two(void)
{
	fw_answer(1, 0, 0x78);
	fw_answer(2, 0, 0x79);
}

/* The removal itself destroys them: the work comes too late. */
static void removal_destroys_answered(struct kunit *test)
{
	time_out(test, OP(ALLOC_PD));
	time_out(test, OP(CREATE_QP));
	time_out(test, OP(CREATE_DCT));
	env.removing = answer_two;
	env_remove();
	KUNIT_EXPECT_EQ(test, fw_count(OP(DEALLOC_PD)), 0);
	expect_destroyed(test, OP(DESTROY_QP), 0, 0x78);
	expect_destroyed(test, OP(DRAIN_DCT), 0, 0x79);
	expect_destroyed(test, OP(DESTROY_DCT), 0, 0x79);
	KUNIT_EXPECT_EQ(test, fw_count(OP(DESTROY_QP)), 1);
	KUNIT_EXPECT_EQ(test, fw_count(OP(DESTROY_DCT)), 1);
	expect_quiet(test);
	/* The notifier is unregistered. */
	answer_late(0, 0, 0x77);
	KUNIT_EXPECT_EQ(test, fw_count(OP(DEALLOC_PD)), 0);
	KUNIT_EXPECT_EQ(test, env_create_pd(), -EIO);
}

static int probe_mkey(void)
{
	return env_verify_uid(env.file->owner, 3, ENV_UID);
}

static void probe_mkey_destroyed(struct kunit *test)
{
	fw->last_id = 0x76;
	KUNIT_EXPECT_EQ(test, probe_mkey(), 0);
	expect_destroyed(test, OP(DESTROY_MKEY), 0, 0x77);
	fw_rule(OP(CREATE_MKEY), -ETIMEDOUT, 0, 0, 1);
	KUNIT_EXPECT_EQ(test, probe_mkey(), -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, owner_users(), 2);
	answer_late(0, 0, 0x79);
	expect_destroyed(test, OP(DESTROY_MKEY), 1, 0x79);
	KUNIT_EXPECT_EQ(test, fw_count(OP(DESTROY_MKEY)), 2);
	expect_quiet(test);
}

static void probe_mkey_refused(struct kunit *test)
{
	fw_rule(OP(CREATE_MKEY), -EREMOTEIO, 0x8, 0, 1);
	KUNIT_EXPECT_EQ(test, probe_mkey(), -ENOMEM);
	fw_rule(OP(CREATE_MKEY), -EREMOTEIO, 0xf, 0, 1);
	KUNIT_EXPECT_EQ(test, probe_mkey(), -EAGAIN);
	KUNIT_EXPECT_EQ(test, fw_count(OP(DESTROY_MKEY)), 0);
	fw_rule(OP(DESTROY_MKEY), -ENOMEM, 0, 0, 2);
	KUNIT_EXPECT_EQ(test, probe_mkey(), 0);
	KUNIT_EXPECT_EQ(test, fw_count(OP(DESTROY_MKEY)), 3);
	expect_quiet(test);
}

static struct kunit_case late_cases[] = {
	KUNIT_CASE(late_object_destroyed),
	KUNIT_CASE(late_refusal_destroys_nothing),
	KUNIT_CASE(answer_before_registration),
	KUNIT_CASE(answers_match_slots),
	KUNIT_CASE(slot_used_again),
	KUNIT_CASE(all_slots_late),
	KUNIT_CASE(other_drivers_answers_ignored),
	KUNIT_CASE(owner_kept_until_answer),
	KUNIT_CASE(context_not_kept_for_answer),
	KUNIT_CASE(answered_before_context_end),
	KUNIT_CASE(late_chosen_id_destroyed),
	KUNIT_CASE(late_psv_lost),
	KUNIT_CASE(late_cq_is_plain),
	KUNIT_CASE(late_dct_drained),
	KUNIT_CASE(removal_destroys_answered),
	KUNIT_CASE(probe_mkey_destroyed),
	KUNIT_CASE(probe_mkey_refused),
	{}
};

static struct kunit_suite late_suite = {
	.name = "mdx_late",
	.suite_init = env_suite_init,
	.suite_exit = env_suite_exit,
	.init = late_init,
	.exit = env_exit,
	.test_cases = late_cases,
};

kunit_test_suite(late_suite);
