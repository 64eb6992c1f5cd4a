// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Creates that are answered when nobody waits for them any more.
 */
#include <linux/completion.h>

#include "bits.h"
#include "fake_fw.h"
#include "obj_env.h"
#include "ops.h"
#include "real.h"

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
	const struct mdx_op *op = creator(opcode);

	KUNIT_ASSERT_NOT_NULL(test, op);
	fw_rule(opcode, -ETIMEDOUT, 0, 0, 1);
	env_begin(opcode);
	header_put(op, env.in);
	KUNIT_EXPECT_EQ(test, env_create(op->min_in, op->min_out), -ETIMEDOUT);
}

static void answer(int slot, u8 status, u32 id)
{
	fw_answer(slot, status, id);
	flush_work(&env.mdx.late_work);
}

/* The @nth command of @opcode was about an object of the file's context. */
static void expect_destroyed(struct kunit *test, u16 opcode, unsigned int nth,
			     u32 id)
{
	const struct sent *sent = fw_sent(opcode, nth);

	KUNIT_ASSERT_NOT_NULL(test, sent);
	KUNIT_EXPECT_EQ(test, bits_at(sent->in, 0x48, 24), id);
	KUNIT_EXPECT_EQ(test, sent->uid, UID);
}

/* Nothing is waited for, and only the open file refers to the context. */
static void expect_quiet(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, atomic_read(&env.mdx.creating), 0);
	KUNIT_EXPECT_TRUE(test, list_empty(&env.mdx.answered));
	KUNIT_EXPECT_EQ(test, atomic_read(&env.refs), 1);
}

static void what_was_made_late_is_destroyed(struct kunit *test)
{
	time_out(test, 0x800);
	KUNIT_EXPECT_EQ(test, atomic_read(&env.file->objs_n), 0);
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
	KUNIT_EXPECT_EQ(test, env_destroy(1), -ENOENT);
	KUNIT_EXPECT_EQ(test, atomic_read(&env.mdx.creating), 1);
	KUNIT_EXPECT_EQ(test, atomic_read(&env.refs), 2);
	KUNIT_EXPECT_EQ(test, fw_count(0x801), 0);
	answer(0, 0, 0x77);
	KUNIT_EXPECT_EQ(test, fw_count(0x801), 1);
	expect_destroyed(test, 0x801, 0, 0x77);
	expect_quiet(test);
}

static void a_refused_create_made_nothing(struct kunit *test)
{
	time_out(test, 0x800);
	answer(0, 0x8, 0x77);
	KUNIT_EXPECT_EQ(test, fw->sent_n, 1);
	expect_quiet(test);
}

static void answer_at_once(int slot)
{
	fw_answer(slot, 0, late.id);
}

static void it_may_be_answered_before_it_is_missed(struct kunit *test)
{
	fw->timed_out = answer_at_once;
	late.id = 0x77;
	time_out(test, 0x800);
	late.id = 0x78;
	time_out(test, 0x500);
	flush_work(&env.mdx.late_work);
	KUNIT_EXPECT_EQ(test, fw_count(0x801), 1);
	expect_destroyed(test, 0x801, 0, 0x77);
	KUNIT_EXPECT_EQ(test, fw_count(0x501), 1);
	expect_destroyed(test, 0x501, 0, 0x78);
	expect_quiet(test);
	/* Slot 0 has had the answer to that command, which is used up. */
	fw->timed_out = NULL;
	time_out(test, 0x800);
	fw->timed_out = answer_at_once;
	late.id = 0x79;
	time_out(test, 0x500);
	flush_work(&env.mdx.late_work);
	expect_destroyed(test, 0x501, 1, 0x79);
	answer(0, 0, 0x7a);
	expect_destroyed(test, 0x801, 1, 0x7a);
	expect_quiet(test);
}

/* The same buffer and the same header */
static void each_has_its_own_answer(struct kunit *test)
{
	time_out(test, 0x800);
	time_out(test, 0x800);
	time_out(test, 0x500);
	KUNIT_EXPECT_EQ(test, atomic_read(&env.mdx.creating), 3);
	answer(2, 0, 0x79);
	KUNIT_EXPECT_EQ(test, fw_count(0x801), 0);
	expect_destroyed(test, 0x501, 0, 0x79);
	answer(1, 0, 0x78);
	expect_destroyed(test, 0x801, 0, 0x78);
	answer(0, 0, 0x77);
	expect_destroyed(test, 0x801, 1, 0x77);
	KUNIT_EXPECT_EQ(test, fw_count(0x801), 2);
	expect_quiet(test);
}

static void hook_hold(u16 opcode)
{
	if (opcode != 0x801)
		return;
	fw->hook = NULL;
	wait_for_completion(&late.go);
}

/* What was answered waits for its turn; meanwhile the slot is another one's. */
static void a_slot_may_be_used_again(struct kunit *test)
{
	unsigned int i;

	fw->hook = hook_hold;
	for (i = 0; i < 3; i++) {
		time_out(test, 0x800);
		fw_answer(0, 0, 0x77 + i);
	}
	KUNIT_EXPECT_EQ(test, atomic_read(&env.mdx.creating), 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&env.refs), 4);
	complete(&late.go);
	flush_work(&env.mdx.late_work);
	KUNIT_EXPECT_EQ(test, fw_count(0x801), 3);
	for (i = 0; i < 3; i++)
		expect_destroyed(test, 0x801, i, 0x77 + i);
	expect_quiet(test);
}

static void all_slots_may_be_late(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < SLOTS_MAX; i++)
		time_out(test, 0x800);
	KUNIT_EXPECT_EQ(test, atomic_read(&env.mdx.creating), SLOTS_MAX);
	for (i = 0; i < SLOTS_MAX; i++)
		answer(i, 0, 0x100 + i);
	/* As many as are recorded, the creates among them. */
	KUNIT_EXPECT_EQ(test, fw->sent_n, 2 * SLOTS_MAX);
	KUNIT_EXPECT_EQ(test, fw_count(0x801), SLOTS_MAX);
	expect_quiet(test);
}

/* Another driver's command */
static void hook_other(u16 opcode)
{
	static u8 in[16], out[16];

	if (opcode != 0x800)
		return;
	fw->hook = NULL;
	bits_put(in, 0, 16, 0x80d);
	env.hook_ret = fw_cmd_do(&fw->mdev, in, sizeof(in), out, sizeof(out));
}

static void answers_to_others_are_not_ours(struct kunit *test)
{
	fw->timed_out = answer_at_once;
	late.id = 0x55;
	fw->hook = hook_other;
	fw_rule(0x80d, -ETIMEDOUT, 0, 0, 1);
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	KUNIT_EXPECT_EQ(test, env.hook_ret, -ETIMEDOUT);
	fw->timed_out = NULL;
	time_out(test, 0x800);
	flush_work(&env.mdx.late_work);
	KUNIT_EXPECT_EQ(test, fw_count(0x801), 0);
	answer(0, 0, 0x77);
	expect_destroyed(test, 0x801, 0, 0x77);
	expect_quiet(test);
}

static void the_context_stays_until_the_answer(struct kunit *test)
{
	time_out(test, 0x800);
	env_close();
	KUNIT_EXPECT_EQ(test, atomic_read(&env.refs), 1);
	answer(0, 0, 0x77);
	expect_destroyed(test, 0x801, 0, 0x77);
	KUNIT_EXPECT_EQ(test, atomic_read(&env.refs), 0);
}

static void an_id_that_was_chosen_is_known(struct kunit *test)
{
	const struct mdx_op *op = creator(0x936);

	fw_rule(0x936, -ETIMEDOUT, 0, 0, 1);
	env_begin(0x936);
	bits_put(env.in, op->id.bit, op->id.width, 5);
	KUNIT_EXPECT_EQ(test, env_create(op->min_in, op->min_out), -ETIMEDOUT);
	answer(0, 0, 0);
	KUNIT_ASSERT_EQ(test, fw_count(0x938), 1);
	KUNIT_EXPECT_EQ(test, bits_at(fw_sent(0x938, 0)->in, 0x100, 32), 5);
	expect_quiet(test);
}

/* Its number is not in the slot. */
static void a_psv_is_lost(struct kunit *test)
{
	time_out(test, 0x600);
	answer(0, 0, 0x77);
	KUNIT_EXPECT_EQ(test, fw->sent_n, 1);
	expect_quiet(test);
}

static void mlx5_core_has_no_late_cq(struct kunit *test)
{
	time_out(test, 0x400);
	answer(0, 0, 0x77);
	expect_destroyed(test, 0x401, 0, 0x77);
	KUNIT_EXPECT_EQ(test, fw->cqs, 0);
	expect_quiet(test);
}

static void a_late_dct_is_drained(struct kunit *test)
{
	time_out(test, 0x710);
	answer(0, 0, 0x77);
	expect_destroyed(test, 0x712, 0, 0x77);
	expect_destroyed(test, 0x711, 0, 0x77);
	expect_quiet(test);
}

static void answer_two(void)
{
	fw_answer(1, 0, 0x78);
	fw_answer(2, 0, 0x79);
}

/* By the removal itself: the worker comes too late. */
static void removal_destroys_what_was_answered(struct kunit *test)
{
	time_out(test, 0x800);
	time_out(test, 0x500);
	time_out(test, 0x710);
	env.removing = answer_two;
	env_remove();
	KUNIT_EXPECT_EQ(test, fw_count(0x801), 0);
	expect_destroyed(test, 0x501, 0, 0x78);
	expect_destroyed(test, 0x712, 0, 0x79);
	expect_destroyed(test, 0x711, 0, 0x79);
	KUNIT_EXPECT_EQ(test, fw_count(0x501), 1);
	KUNIT_EXPECT_EQ(test, fw_count(0x711), 1);
	KUNIT_EXPECT_EQ(test, atomic_read(&env.mdx.creating), 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&env.refs), 0);
	/* Nobody listens any more. */
	answer(0, 0, 0x77);
	KUNIT_EXPECT_EQ(test, fw_count(0x801), 0);
	KUNIT_EXPECT_EQ(test, env_create_pd(), -EIO);
}

static void an_mkey_of_bind_is_destroyed(struct kunit *test)
{
	fw->last_id = 0x76;
	KUNIT_EXPECT_EQ(test, real_proof(&env.mdx, env.contexts, 3, UID), 0);
	expect_destroyed(test, 0x202, 0, 0x77);
	fw_rule(0x200, -ETIMEDOUT, 0, 0, 1);
	KUNIT_EXPECT_EQ(test, real_proof(&env.mdx, env.contexts, 3, UID),
			-ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, atomic_read(&env.refs), 2);
	answer(0, 0, 0x79);
	expect_destroyed(test, 0x202, 1, 0x79);
	KUNIT_EXPECT_EQ(test, fw_count(0x202), 2);
	expect_quiet(test);
}

static void an_mkey_that_proves_nothing_is_not_there(struct kunit *test)
{
	fw_rule(0x200, -EREMOTEIO, 0x8, 0, 1);
	KUNIT_EXPECT_EQ(test, real_proof(&env.mdx, env.contexts, 3, UID), -ENOMEM);
	fw_rule(0x200, -EREMOTEIO, 0xf, 0, 1);
	KUNIT_EXPECT_EQ(test, real_proof(&env.mdx, env.contexts, 3, UID), -EAGAIN);
	KUNIT_EXPECT_EQ(test, fw_count(0x202), 0);
	fw_rule(0x202, -ENOMEM, 0, 0, 2);
	KUNIT_EXPECT_EQ(test, real_proof(&env.mdx, env.contexts, 3, UID), 0);
	KUNIT_EXPECT_EQ(test, fw_count(0x202), 3);
	expect_quiet(test);
}

static struct kunit_case late_cases[] = {
	KUNIT_CASE(what_was_made_late_is_destroyed),
	KUNIT_CASE(a_refused_create_made_nothing),
	KUNIT_CASE(it_may_be_answered_before_it_is_missed),
	KUNIT_CASE(each_has_its_own_answer),
	KUNIT_CASE(a_slot_may_be_used_again),
	KUNIT_CASE(all_slots_may_be_late),
	KUNIT_CASE(answers_to_others_are_not_ours),
	KUNIT_CASE(the_context_stays_until_the_answer),
	KUNIT_CASE(an_id_that_was_chosen_is_known),
	KUNIT_CASE(a_psv_is_lost),
	KUNIT_CASE(mlx5_core_has_no_late_cq),
	KUNIT_CASE(a_late_dct_is_drained),
	KUNIT_CASE(removal_destroys_what_was_answered),
	KUNIT_CASE(an_mkey_of_bind_is_destroyed),
	KUNIT_CASE(an_mkey_that_proves_nothing_is_not_there),
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
