// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Objects and the commands about them: what is checked, what is known of them
 * when, what is undone, and what they count as.
 */
#include "bits.h"
#include "fake_fw.h"
#include "obj_env.h"
#include "ops.h"

static void ids_count_from_one_and_never_repeat(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	KUNIT_EXPECT_EQ(test, env.id, 1);
	KUNIT_EXPECT_EQ(test, env_destroy(1), 0);
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	KUNIT_EXPECT_EQ(test, env.id, 2);
	KUNIT_EXPECT_EQ(test, env_destroy(1), -ENOENT);
	KUNIT_EXPECT_EQ(test, env_destroy(0), -ENOENT);
	KUNIT_EXPECT_EQ(test, env_destroy(3), -ENOENT);
	KUNIT_EXPECT_EQ(test, env_destroy(U32_MAX), -ENOENT);
}

static void the_answer_is_the_devices(struct kunit *test)
{
	fw->last_id = 0x123455;
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	KUNIT_EXPECT_EQ(test, bits_at(env.out, 0x48, 24), 0x123456);
}

#define TYPE 0xd
#define CHOSEN 5

static void begin_row(const struct mdx_op *op, u32 id)
{
	env_begin(op->opcode);
	header_put(op, env.in);
	if (op->flags & MDX_OP_F_OBJ_TYPE)
		bits_put(env.in, 0x30, 16, TYPE);
	if (op->class != MDX_OP_CREATE || op->flags & MDX_OP_F_ID_IN)
		bits_put(env.in, op->id.bit, op->id.width, id);
}

/* All commands about what the row creates, and what the firmware saw of them */
static void live_a_life(struct kunit *test, const struct mdx_op *create)
{
	u32 fw_id = CHOSEN;
	const struct sent *sent;
	const struct mdx_op *op;
	unsigned int i;

	fw->sent_n = 0;
	begin_row(create, fw_id);
	KUNIT_ASSERT_LE(test, create->min_in, sizeof(env.in));
	KUNIT_EXPECT_EQ_MSG(test, env_create(create->min_in, create->min_out), 0,
			    "%#x", create->opcode);
	if (!(create->flags & MDX_OP_F_ID_IN))
		fw_id = fw->last_id;
	for (op = mdx_ops; op < mdx_ops + mdx_ops_n; op++) {
		if (op->kind != create->opcode || op == create)
			continue;
		begin_row(op, fw_id);
		KUNIT_ASSERT_LE(test, op->min_in, sizeof(env.in));
		KUNIT_EXPECT_EQ_MSG(test, env_use(op->class, env.id, op->min_in,
						  op->min_out), 0,
				    "%#x", op->opcode);
	}
	KUNIT_EXPECT_EQ_MSG(test, env_destroy(env.id), 0, "%#x", create->opcode);
	for (i = 0; i < fw->sent_n; i++)
		KUNIT_EXPECT_EQ_MSG(test, fw->sent[i].uid, UID,
				    "%#x", fw->sent[i].opcode);
	sent = &fw->sent[fw->sent_n - 1];
	KUNIT_EXPECT_EQ(test, sent->opcode, create->undo->opcode);
	KUNIT_EXPECT_EQ_MSG(test, bits_at(sent->in, create->undo->id.bit,
					  create->undo->id.width), fw_id,
			    "%#x", create->undo->opcode);
}

static void every_kind_lives_under_the_files_uid(struct kunit *test)
{
	const struct mdx_op *op;

	for (op = mdx_ops; op < mdx_ops + mdx_ops_n; op++)
		if (op->class == MDX_OP_CREATE)
			live_a_life(test, op);
	KUNIT_EXPECT_EQ(test, atomic_read(&env.file->objs_n), 0);
}

static void every_read_has_the_files_uid(struct kunit *test)
{
	const struct mdx_op *op;

	for (op = mdx_ops; op < mdx_ops + mdx_ops_n; op++) {
		if (op->class != MDX_OP_GENERAL)
			continue;
		fw->sent_n = 0;
		env_begin(op->opcode);
		header_put(op, env.in);
		KUNIT_ASSERT_LE(test, op->min_in, sizeof(env.in));
		KUNIT_EXPECT_EQ_MSG(test, env_general(op->min_in, op->min_out),
				    0, "%#x", op->opcode);
		KUNIT_EXPECT_EQ(test, fw->sent[0].uid, UID);
	}
}

static void destroys_name_what_was_created(struct kunit *test)
{
	const struct sent *sent;

	fw->last_id = 0x456;
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), 0);
	sent = fw_sent(0x801, 0);
	KUNIT_ASSERT_NOT_NULL(test, sent);
	KUNIT_EXPECT_EQ(test, sent->len, 16);
	KUNIT_EXPECT_EQ(test, bits_at(sent->in, 0x48, 24), 0x457);
}

static void hook_query(u16 opcode)
{
	if (opcode != 0x500 && opcode != 0x501)
		return;
	fw->hook = NULL;
	env.hook_ret = env_query_qp(env.hook_id, 1);
}

static void hook_destroy(u16 opcode)
{
	if (opcode != 0x50b && opcode != 0x501)
		return;
	fw->hook = NULL;
	env.hook_ret = env_destroy(env.hook_id);
}

static void objects_are_unknown_until_answered(struct kunit *test)
{
	fw->hook = hook_query;
	env.hook_id = 1;
	KUNIT_EXPECT_EQ(test, env_create_qp(), 0);
	KUNIT_EXPECT_EQ(test, env.hook_ret, -ENOENT);
	KUNIT_EXPECT_EQ(test, env_query_qp(1, 1), 0);
}

static void what_is_used_cannot_be_destroyed(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, env_create_qp(), 0);
	fw->hook = hook_destroy;
	env.hook_id = env.id;
	KUNIT_EXPECT_EQ(test, env_query_qp(env.hook_id, 1), 0);
	KUNIT_EXPECT_EQ(test, env.hook_ret, -EBUSY);
	KUNIT_EXPECT_EQ(test, env_destroy(env.hook_id), 0);
}

static void what_is_destroyed_cannot_be_used(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, env_create_qp(), 0);
	fw->hook = hook_query;
	env.hook_id = env.id;
	KUNIT_EXPECT_EQ(test, env_destroy(env.hook_id), 0);
	KUNIT_EXPECT_EQ(test, env.hook_ret, -EBUSY);
}

static void nothing_is_destroyed_twice_at_a_time(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, env_create_qp(), 0);
	fw->hook = hook_destroy;
	env.hook_id = env.id;
	KUNIT_EXPECT_EQ(test, env_destroy(env.hook_id), 0);
	KUNIT_EXPECT_EQ(test, env.hook_ret, -EBUSY);
	KUNIT_EXPECT_EQ(test, fw_count(0x501), 1);
}

static bool no_object_is_there(void)
{
	u64 id = 0;

	return !mdx_ids_next(&env.file->ids, &id);
}

static void a_refused_create_leaves_nothing(struct kunit *test)
{
	fw_rule(0x800, -EREMOTEIO, 0x3, 0xabcd, 1);
	KUNIT_EXPECT_EQ(test, env_create_pd(), -EREMOTEIO);
	KUNIT_EXPECT_EQ(test, env.out[0], 0x3);
	KUNIT_EXPECT_EQ(test, bits_at(env.out, 0x20, 32), 0xabcd);
	KUNIT_EXPECT_EQ(test, atomic_read(&env.file->objs_n), 0);
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
	KUNIT_EXPECT_TRUE(test, no_object_is_there());
	KUNIT_EXPECT_EQ(test, fw_count(0x801), 0);
}

static void a_create_that_fails_has_no_answer(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, clear_user(env.user_out, 16), 0);
	fw_rule(0x800, -ENOMEM, 0, 0, 1);
	KUNIT_EXPECT_EQ(test, env_create_pd(), -ENOMEM);
	KUNIT_EXPECT_FALSE(test, memchr_inv(env.out, 0, 16));
	KUNIT_EXPECT_EQ(test, atomic_read(&env.file->objs_n), 0);
}

static void what_cannot_be_answered_is_undone(struct kunit *test)
{
	env_begin(0x800);
	KUNIT_EXPECT_EQ(test, env_create_at(16, 16, env.user, NULL), -EFAULT);
	KUNIT_EXPECT_EQ(test, fw_count(0x801), 1);
	KUNIT_EXPECT_EQ(test, env_create_at(16, 16, NULL, env.user_out), -EFAULT);
	KUNIT_EXPECT_EQ(test, fw_count(0x801), 2);
	KUNIT_EXPECT_FALSE(test, fw->live[1] || fw->live[2]);
	KUNIT_EXPECT_EQ(test, atomic_read(&env.file->objs_n), 0);
	KUNIT_EXPECT_TRUE(test, no_object_is_there());
	KUNIT_EXPECT_EQ(test, env_destroy(1), -ENOENT);
}

static void what_cannot_be_undone_is_left_to_close(struct kunit *test)
{
	fw_rule(0x801, -EREMOTEIO, 0x9, 1, 1);
	env_begin(0x800);
	KUNIT_EXPECT_EQ(test, env_create_at(16, 16, env.user, NULL), -EFAULT);
	KUNIT_EXPECT_TRUE(test, fw->live[1]);
	KUNIT_EXPECT_EQ(test, env_destroy(1), -ENOENT);
	KUNIT_EXPECT_EQ(test, atomic_read(&env.file->objs_n), 1);
	env_close();
	KUNIT_EXPECT_FALSE(test, fw->live[1]);
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
}

static void a_refused_destroy_keeps_the_object(struct kunit *test)
{
	u32 id;

	KUNIT_EXPECT_EQ(test, env_create_qp(), 0);
	id = env.id;
	fw_rule(0x501, -EREMOTEIO, 0x9, 0x5eed, 1);
	KUNIT_EXPECT_EQ(test, env_destroy(id), -EREMOTEIO);
	KUNIT_EXPECT_EQ(test, env.status, 0x9);
	KUNIT_EXPECT_EQ(test, env.syndrome, 0x5eed);
	KUNIT_EXPECT_EQ(test, atomic_read(&env.file->objs_n), 1);
	KUNIT_EXPECT_EQ(test, env_query_qp(id, 1), 0);
	KUNIT_EXPECT_EQ(test, env_destroy(id), 0);
	KUNIT_EXPECT_EQ(test, env_destroy(id), -ENOENT);
}

static void commands_must_be_about_the_object(struct kunit *test)
{
	u32 id;

	fw->last_id = 0x70;
	KUNIT_EXPECT_EQ(test, env_create_qp(), 0);
	id = env.id;
	KUNIT_EXPECT_EQ(test, env_query_qp(id, 0x71), 0);
	KUNIT_EXPECT_EQ(test, env_query_qp(id, 0x70), -EINVAL);
	KUNIT_EXPECT_EQ(test, env_query_qp(id, 0x72), -EINVAL);
	KUNIT_EXPECT_EQ(test, env_query_qp(id + 1, 0x71), -ENOENT);
	/* Another kind, another class */
	env_begin(0x402);
	bits_put(env.in, 0x48, 24, 0x71);
	KUNIT_EXPECT_EQ(test, env_use(MDX_OP_QUERY, id, 16, 16), -EINVAL);
	env_begin(0x502);
	bits_put(env.in, 0x48, 24, 0x71);
	KUNIT_EXPECT_EQ(test, env_use(MDX_OP_QUERY, id, 272, 16), -EINVAL);
	KUNIT_EXPECT_EQ(test, env_use(MDX_OP_MODIFY, id, 272, 16), 0);
	KUNIT_EXPECT_EQ(test, fw->sent_n, 3);
}

static void general_objects_have_a_type(struct kunit *test)
{
	env_begin(0xa00);
	bits_put(env.in, 0x30, 16, 0xd);
	KUNIT_EXPECT_EQ(test, env_create(16, 16), 0);
	env_begin(0xa02);
	bits_put(env.in, 0x30, 16, 0xd);
	bits_put(env.in, 0x40, 32, 1);
	KUNIT_EXPECT_EQ(test, env_use(MDX_OP_QUERY, env.id, 16, 16), 0);
	bits_put(env.in, 0x30, 16, 0xe);
	KUNIT_EXPECT_EQ(test, env_use(MDX_OP_QUERY, env.id, 16, 16), -EINVAL);
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), 0);
	KUNIT_EXPECT_EQ(test, bits_at(fw_sent(0xa03, 0)->in, 0x30, 16), 0xd);
}

static int query_counter(u32 id, u32 counter)
{
	env_begin(0x93b);
	bits_put(env.in, 0xe0, 32, counter);
	return env_use(MDX_OP_QUERY, id, 32, 16);
}

static void a_bulk_is_all_its_counters(struct kunit *test)
{
	fw->last_id = 0x3ff;
	env_begin(0x939);
	bits_put(env.in, 0x78, 8, 1);
	KUNIT_EXPECT_EQ(test, env_create(16, 16), 0);
	KUNIT_EXPECT_EQ(test, query_counter(env.id, 0x400), 0);
	KUNIT_EXPECT_EQ(test, query_counter(env.id, 0x47f), 0);
	KUNIT_EXPECT_EQ(test, query_counter(env.id, 0x480), -EINVAL);
	KUNIT_EXPECT_EQ(test, query_counter(env.id, 0x3ff), -EINVAL);
}

static void short_mailboxes_are_refused(struct kunit *test)
{
	env_begin(0x500);
	KUNIT_EXPECT_EQ(test, env_create(271, 16), -EINVAL);
	KUNIT_EXPECT_EQ(test, env_create(272, 15), -EINVAL);
	KUNIT_EXPECT_EQ(test, env_create(0, 16), -EINVAL);
	KUNIT_EXPECT_EQ(test, env_create(MDX_MBOX_LEN_MAX + 1, 16), -EINVAL);
	KUNIT_EXPECT_EQ(test, fw->sent_n, 0);
}

static void unreadable_mailboxes_are_refused(struct kunit *test)
{
	env_begin(0x800);
	env.user_in = env.user + USER_LEN - sizeof(env.in);
	env.in_addr = (uintptr_t)env.user_in;
	/* The header can be read, what follows it cannot. */
	KUNIT_EXPECT_EQ(test, env_create(2048, 16), -EFAULT);
	KUNIT_EXPECT_EQ(test, fw->sent_n, 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&env.file->objs_n), 0);
}

static void an_unknown_flag_is_refused(struct kunit *test)
{
	struct mdx_ioc_obj_destroy cmd = { .size = sizeof(cmd), .flags = 1 };
	struct mdx_ucmd ucmd = { .file = env.file, .cmd = &cmd };

	KUNIT_EXPECT_EQ(test, mdx_ioc_obj_destroy(&ucmd), -EOPNOTSUPP);
	cmd.flags = 0;
	cmd.__reserved = 1;
	KUNIT_EXPECT_EQ(test, mdx_ioc_obj_destroy(&ucmd), -EOPNOTSUPP);
}

static void ids_run_out(struct kunit *test)
{
	env.file->ids.last = U32_MAX - 1;
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	KUNIT_EXPECT_EQ(test, env.id, U32_MAX);
	KUNIT_EXPECT_EQ(test, env_create_pd(), -ENOMEM);
	KUNIT_EXPECT_EQ(test, fw_count(0x800), 1);
	KUNIT_EXPECT_EQ(test, atomic_read(&env.file->objs_n), 1);
	KUNIT_EXPECT_EQ(test, env_destroy(U32_MAX), 0);
}

static void a_file_owns_so_many_objects(struct kunit *test)
{
	atomic_set(&env.file->objs_n, MDX_OBJS_MAX - 1);
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	KUNIT_EXPECT_EQ(test, env_create_pd(), -ENOMEM);
	KUNIT_EXPECT_EQ(test, atomic_read(&env.file->objs_n), MDX_OBJS_MAX);
	atomic_set(&env.file->objs_n, 1);
}

static void each_object_is_charged_for(struct kunit *test)
{
	u32 id;

	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	id = env.id;
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	KUNIT_EXPECT_EQ(test, fw->charges, 2);
	KUNIT_EXPECT_EQ(test, env_destroy(id), 0);
	KUNIT_EXPECT_EQ(test, fw->charges, 1);
	fw->charge_ret = -EAGAIN;
	KUNIT_EXPECT_EQ(test, env_create_pd(), -EAGAIN);
	KUNIT_EXPECT_EQ(test, fw_count(0x800), 2);
	KUNIT_EXPECT_EQ(test, atomic_read(&env.file->objs_n), 1);
}

static void an_srq_wants_issi_1(struct kunit *test)
{
	env_begin(0x700);
	fw->mdev.issi = 0;
	KUNIT_EXPECT_EQ(test, env_create(272, 16), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, fw->sent_n, 0);
	fw->mdev.issi = 1;
	KUNIT_EXPECT_EQ(test, env_create(272, 16), 0);
}

static void an_unbound_file_does_nothing(struct kunit *test)
{
	env.file->mdx = NULL;
	KUNIT_EXPECT_EQ(test, env_create_qp(), -ENOTCONN);
	KUNIT_EXPECT_EQ(test, env_query_qp(1, 1), -ENOTCONN);
	KUNIT_EXPECT_EQ(test, env_destroy(1), -ENOTCONN);
	env.file->mdx = &env.mdx;
	KUNIT_EXPECT_EQ(test, fw->sent_n, 0);
}

static int general(u16 opcode)
{
	env_begin(opcode);
	return env_general(16, 16);
}

static void general_commands_own_nothing(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, general(0x100), 0);
	KUNIT_EXPECT_EQ(test, fw->sent[0].uid, UID);
	KUNIT_EXPECT_EQ(test, general(0x800), -EINVAL);
	KUNIT_EXPECT_EQ(test, general(0xa04), -EOPNOTSUPP);
	fw_rule(0x101, -EREMOTEIO, 0x5, 6, 1);
	KUNIT_EXPECT_EQ(test, general(0x101), -EREMOTEIO);
	KUNIT_EXPECT_EQ(test, env.out[0], 5);
	KUNIT_EXPECT_EQ(test, fw->sent_n, 2);
	KUNIT_EXPECT_EQ(test, atomic_read(&env.file->objs_n), 0);
}

static struct kunit_case obj_cases[] = {
	KUNIT_CASE(ids_count_from_one_and_never_repeat),
	KUNIT_CASE(the_answer_is_the_devices),
	KUNIT_CASE(every_kind_lives_under_the_files_uid),
	KUNIT_CASE(every_read_has_the_files_uid),
	KUNIT_CASE(destroys_name_what_was_created),
	KUNIT_CASE(objects_are_unknown_until_answered),
	KUNIT_CASE(what_is_used_cannot_be_destroyed),
	KUNIT_CASE(what_is_destroyed_cannot_be_used),
	KUNIT_CASE(nothing_is_destroyed_twice_at_a_time),
	KUNIT_CASE(a_refused_create_leaves_nothing),
	KUNIT_CASE(a_create_that_fails_has_no_answer),
	KUNIT_CASE(what_cannot_be_answered_is_undone),
	KUNIT_CASE(what_cannot_be_undone_is_left_to_close),
	KUNIT_CASE(a_refused_destroy_keeps_the_object),
	KUNIT_CASE(commands_must_be_about_the_object),
	KUNIT_CASE(general_objects_have_a_type),
	KUNIT_CASE(a_bulk_is_all_its_counters),
	KUNIT_CASE(short_mailboxes_are_refused),
	KUNIT_CASE(unreadable_mailboxes_are_refused),
	KUNIT_CASE(an_unknown_flag_is_refused),
	KUNIT_CASE(ids_run_out),
	KUNIT_CASE(a_file_owns_so_many_objects),
	KUNIT_CASE(each_object_is_charged_for),
	KUNIT_CASE(an_srq_wants_issi_1),
	KUNIT_CASE(an_unbound_file_does_nothing),
	KUNIT_CASE(general_commands_own_nothing),
	{}
};

static struct kunit_suite obj_suite = {
	.name = "mdx_obj",
	.suite_init = env_suite_init,
	.suite_exit = env_suite_exit,
	.init = env_init,
	.exit = env_exit,
	.test_cases = obj_cases,
};

kunit_test_suite(obj_suite);
