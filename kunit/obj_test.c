// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Objects and the commands about them: checks, objects that are being created or
 * destroyed, aborts, limits and charges.
 */
#include "fake_fw.h"
#include "mbox_bits.h"
#include "obj_env.h"
#include "optab_rows.h"

static void ids_never_repeat(struct kunit *test)
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

static void answer_is_devices(struct kunit *test)
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
	op_header_put(op, env.in);
	if (op->flags & MDX_OP_F_OBJ_TYPE)
		bits_put(env.in, 0x30, 16, TYPE);
	if (op->class != MDX_OP_CREATE || op->flags & MDX_OP_F_ID_IN)
		bits_put(env.in, op->id.bit, op->id.width, id);
}

/* All commands about the object of a row, as the firmware sees them */
static void run_lifecycle(struct kunit *test, const struct mdx_op *create)
{
	u32 fw_id = CHOSEN;
	const struct fake_sent *sent;
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
		if (op->create != create->opcode || op == create)
			continue;
		begin_row(op, fw_id);
		KUNIT_ASSERT_LE(test, op->min_in, sizeof(env.in));
		KUNIT_EXPECT_EQ_MSG(test, env_use(op->class, env.id, op->min_in,
						  op->min_out), 0,
				    "%#x", op->opcode);
	}
	KUNIT_EXPECT_EQ_MSG(test, env_destroy(env.id), 0, "%#x", create->opcode);
	for (i = 0; i < fw->sent_n; i++)
		KUNIT_EXPECT_EQ_MSG(test, fw->sent[i].uid, ENV_UID,
				    "%#x", fw->sent[i].opcode);
	sent = &fw->sent[fw->sent_n - 1];
	KUNIT_EXPECT_EQ(test, sent->opcode, create->destroy->opcode);
	KUNIT_EXPECT_EQ_MSG(test, bits_at(sent->in, create->destroy->id.bit,
					  create->destroy->id.width), fw_id,
			    "%#x", create->destroy->opcode);
}

static void lives_have_file_uid(struct kunit *test)
{
	const struct mdx_op *op;

	for (op = mdx_ops; op < mdx_ops + mdx_ops_n; op++)
		if (op->class == MDX_OP_CREATE)
			run_lifecycle(test, op);
	KUNIT_EXPECT_EQ(test, env_objs_n(), 0);
}

static void reads_have_file_uid(struct kunit *test)
{
	const struct mdx_op *op;

	for (op = mdx_ops; op < mdx_ops + mdx_ops_n; op++) {
		if (op->class != MDX_OP_GENERAL)
			continue;
		fw->sent_n = 0;
		env_begin(op->opcode);
		op_header_put(op, env.in);
		KUNIT_ASSERT_LE(test, op->min_in, sizeof(env.in));
		KUNIT_EXPECT_EQ_MSG(test, env_general(op->min_in, op->min_out),
				    0, "%#x", op->opcode);
		KUNIT_EXPECT_EQ(test, fw->sent[0].uid, ENV_UID);
	}
}

static void destroy_names_created_id(struct kunit *test)
{
	const struct fake_sent *sent;

	fw->last_id = 0x456;
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), 0);
	sent = fw_sent(OP(DEALLOC_PD), 0);
	KUNIT_ASSERT_NOT_NULL(test, sent);
	KUNIT_EXPECT_EQ(test, sent->len, 16);
	KUNIT_EXPECT_EQ(test, bits_at(sent->in, 0x48, 24), 0x457);
}

static void hook_query(u16 opcode)
{
	if (opcode != OP(CREATE_QP) && opcode != OP(DESTROY_QP))
		return;
	fw->hook = NULL;
	env.hook_ret = env_hold(env.hook_id, false);
}

static void hook_destroy(u16 opcode)
{
	if (opcode != OP(QUERY_QP) && opcode != OP(DESTROY_QP))
		return;
	fw->hook = NULL;
	env.hook_ret = env_hold(env.hook_id, true);
}

static void object_unknown_until_answered(struct kunit *test)
{
	fw->hook = hook_query;
	env.hook_id = 1;
	KUNIT_EXPECT_EQ(test, env_create_qp(), 0);
	KUNIT_EXPECT_EQ(test, env.hook_ret, -ENOENT);
	KUNIT_EXPECT_EQ(test, env_query_qp(1, 1), 0);
}

static void destroy_in_use_ebusy(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, env_create_qp(), 0);
	fw->hook = hook_destroy;
	env.hook_id = env.id;
	KUNIT_EXPECT_EQ(test, env_query_qp(env.hook_id, 1), 0);
	KUNIT_EXPECT_EQ(test, env.hook_ret, -EBUSY);
	KUNIT_EXPECT_EQ(test, env_destroy(env.hook_id), 0);
}

static void use_in_destroy_ebusy(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, env_create_qp(), 0);
	fw->hook = hook_query;
	env.hook_id = env.id;
	KUNIT_EXPECT_EQ(test, env_destroy(env.hook_id), 0);
	KUNIT_EXPECT_EQ(test, env.hook_ret, -EBUSY);
}

static void destroy_in_destroy_ebusy(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, env_create_qp(), 0);
	fw->hook = hook_destroy;
	env.hook_id = env.id;
	KUNIT_EXPECT_EQ(test, env_destroy(env.hook_id), 0);
	KUNIT_EXPECT_EQ(test, env.hook_ret, -EBUSY);
	KUNIT_EXPECT_EQ(test, fw_count(OP(DESTROY_QP)), 1);
}

static bool has_no_object(void)
{
	u64 id = 0;

	return !mdx_ids_next(&env.file->own.ids, &id) &&
	       list_empty(&env.file->own.all);
}

static void refused_create_leaves_nothing(struct kunit *test)
{
	fw_rule(OP(ALLOC_PD), -EREMOTEIO, 0x3, 0xabcd, 1);
	KUNIT_EXPECT_EQ(test, env_create_pd(), -EREMOTEIO);
	KUNIT_EXPECT_EQ(test, env.out[0], 0x3);
	KUNIT_EXPECT_EQ(test, bits_at(env.out, 0x20, 32), 0xabcd);
	KUNIT_EXPECT_EQ(test, env_objs_n(), 0);
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
	KUNIT_EXPECT_TRUE(test, has_no_object());
	KUNIT_EXPECT_EQ(test, fw_count(OP(DEALLOC_PD)), 0);
}

static void failed_create_without_answer(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, clear_user(env.user_out, 16), 0);
	fw_rule(OP(ALLOC_PD), -ENOMEM, 0, 0, 1);
	KUNIT_EXPECT_EQ(test, env_create_pd(), -ENOMEM);
	KUNIT_EXPECT_FALSE(test, memchr_inv(env.out, 0, 16));
	KUNIT_EXPECT_EQ(test, env_objs_n(), 0);
}

/* Neither the mailbox nor the structure can be written. */
static void unanswered_create_aborted(struct kunit *test)
{
	env_begin(OP(ALLOC_PD));
	KUNIT_EXPECT_EQ(test, env_create_to(16, 16, NULL), -EFAULT);
	KUNIT_EXPECT_EQ(test, fw_count(OP(DEALLOC_PD)), 1);
	KUNIT_EXPECT_EQ(test, env_create_unanswered(16, 16), -EFAULT);
	KUNIT_EXPECT_EQ(test, fw_count(OP(DEALLOC_PD)), 2);
	KUNIT_EXPECT_FALSE(test, fw->live[1] || fw->live[2]);
	KUNIT_EXPECT_EQ(test, env_objs_n(), 0);
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
	KUNIT_EXPECT_TRUE(test, has_no_object());
	KUNIT_EXPECT_EQ(test, env_destroy(1), -ENOENT);
	KUNIT_EXPECT_EQ(test, env_destroy(2), -ENOENT);
}

static void failed_abort_until_close(struct kunit *test)
{
	fw_rule(OP(DEALLOC_PD), -EREMOTEIO, 0x9, 1, 1);
	env_begin(OP(ALLOC_PD));
	KUNIT_EXPECT_EQ(test, env_create_to(16, 16, NULL), -EFAULT);
	KUNIT_EXPECT_TRUE(test, fw->live[1]);
	KUNIT_EXPECT_EQ(test, env_destroy(1), -ENOENT);
	KUNIT_EXPECT_EQ(test, env_objs_n(), 1);
	env_close();
	KUNIT_EXPECT_FALSE(test, fw->live[1]);
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
}

static void refused_destroy_keeps_object(struct kunit *test)
{
	u32 id;

	KUNIT_EXPECT_EQ(test, env_create_qp(), 0);
	id = env.id;
	fw_rule(OP(DESTROY_QP), -EREMOTEIO, 0x9, 0x5eed, 1);
	KUNIT_EXPECT_EQ(test, env_destroy(id), -EREMOTEIO);
	KUNIT_EXPECT_EQ(test, env.status, 0x9);
	KUNIT_EXPECT_EQ(test, env.syndrome, 0x5eed);
	KUNIT_EXPECT_EQ(test, env_objs_n(), 1);
	KUNIT_EXPECT_EQ(test, env_query_qp(id, 1), 0);
	KUNIT_EXPECT_EQ(test, env_destroy(id), 0);
	KUNIT_EXPECT_EQ(test, env_destroy(id), -ENOENT);
}

static void command_target_checked(struct kunit *test)
{
	u32 id;

	fw->last_id = 0x70;
	KUNIT_EXPECT_EQ(test, env_create_qp(), 0);
	id = env.id;
	KUNIT_EXPECT_EQ(test, env_query_qp(id, 0x71), 0);
	KUNIT_EXPECT_EQ(test, env_query_qp(id, 0x70), -EINVAL);
	KUNIT_EXPECT_EQ(test, env_query_qp(id, 0x72), -EINVAL);
	KUNIT_EXPECT_EQ(test, env_query_qp(id + 1, 0x71), -ENOENT);
	/* Another object type, another class */
	env_begin(OP(QUERY_CQ));
	bits_put(env.in, 0x48, 24, 0x71);
	KUNIT_EXPECT_EQ(test, env_use(MDX_OP_QUERY, id, 16, 16), -EINVAL);
	env_begin(OP(RST2INIT_QP));
	bits_put(env.in, 0x48, 24, 0x71);
	KUNIT_EXPECT_EQ(test, env_use(MDX_OP_QUERY, id, 272, 16), -EINVAL);
	KUNIT_EXPECT_EQ(test, env_use(MDX_OP_MODIFY, id, 272, 16), 0);
	KUNIT_EXPECT_EQ(test, fw->sent_n, 3);
}

static void general_obj_type_checked(struct kunit *test)
{
	env_begin(OP(CREATE_GENERAL_OBJECT));
	bits_put(env.in, 0x30, 16, 0xd);
	KUNIT_EXPECT_EQ(test, env_create(16, 16), 0);
	env_begin(OP(QUERY_GENERAL_OBJECT));
	bits_put(env.in, 0x30, 16, 0xd);
	bits_put(env.in, 0x40, 32, 1);
	KUNIT_EXPECT_EQ(test, env_use(MDX_OP_QUERY, env.id, 16, 16), 0);
	bits_put(env.in, 0x30, 16, 0xe);
	KUNIT_EXPECT_EQ(test, env_use(MDX_OP_QUERY, env.id, 16, 16), -EINVAL);
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), 0);
	KUNIT_EXPECT_EQ(test,
			bits_at(fw_sent(OP(DESTROY_GENERAL_OBJECT), 0)->in,
				0x30, 16), 0xd);
}

static int query_counter(u32 id, u32 counter)
{
	env_begin(OP(QUERY_FLOW_COUNTER));
	bits_put(env.in, 0xe0, 32, counter);
	return env_use(MDX_OP_QUERY, id, 32, 16);
}

static void bulk_covers_all_counters(struct kunit *test)
{
	fw->last_id = 0x3ff;
	env_begin(OP(ALLOC_FLOW_COUNTER));
	bits_put(env.in, 0x78, 8, 1);
	KUNIT_EXPECT_EQ(test, env_create(16, 16), 0);
	KUNIT_EXPECT_EQ(test, query_counter(env.id, 0x400), 0);
	KUNIT_EXPECT_EQ(test, query_counter(env.id, 0x47f), 0);
	KUNIT_EXPECT_EQ(test, query_counter(env.id, 0x480), -EINVAL);
	KUNIT_EXPECT_EQ(test, query_counter(env.id, 0x3ff), -EINVAL);
}

/* The device may choose numbers that end near 2^32. */
static void bulk_at_end_bounded(struct kunit *test)
{
	fw->last_id = 0xffffff7f;
	env_begin(OP(ALLOC_FLOW_COUNTER));
	bits_put(env.in, 0x78, 8, 1);
	KUNIT_EXPECT_EQ(test, env_create(16, 16), 0);
	KUNIT_EXPECT_EQ(test, query_counter(env.id, 0xffffff80), 0);
	KUNIT_EXPECT_EQ(test, query_counter(env.id, 0xffffffff), 0);
	KUNIT_EXPECT_EQ(test, query_counter(env.id, 0xffffff7f), -EINVAL);
	KUNIT_EXPECT_EQ(test, query_counter(env.id, 0), -EINVAL);

	fw->last_id = 0xffffffef;
	env_begin(OP(ALLOC_FLOW_COUNTER));
	bits_put(env.in, 0x78, 8, 1);
	KUNIT_EXPECT_EQ(test, env_create(16, 16), 0);
	KUNIT_EXPECT_EQ(test, query_counter(env.id, 0xfffffff0), 0);
	KUNIT_EXPECT_EQ(test, query_counter(env.id, 0xffffffff), 0);
	KUNIT_EXPECT_EQ(test, query_counter(env.id, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, query_counter(env.id, 5), -EINVAL);
	KUNIT_EXPECT_EQ(test, query_counter(env.id, 15), -EINVAL);
}

static void mailbox_short_einval(struct kunit *test)
{
	env_begin(OP(CREATE_QP));
	KUNIT_EXPECT_EQ(test, env_create(271, 16), -EINVAL);
	KUNIT_EXPECT_EQ(test, env_create(272, 15), -EINVAL);
	KUNIT_EXPECT_EQ(test, env_create(0, 16), -EINVAL);
	KUNIT_EXPECT_EQ(test, env_create(MDX_MBOX_LEN_MAX + 1, 16), -EINVAL);
	KUNIT_EXPECT_EQ(test, fw->sent_n, 0);
}

static void mailbox_unreadable_efault(struct kunit *test)
{
	env_begin(OP(ALLOC_PD));
	env.user_in = env.user + ENV_USER_LEN - sizeof(env.in);
	env.in_addr = (uintptr_t)env.user_in;
	/* The header can be read, the rest cannot. */
	KUNIT_EXPECT_EQ(test, env_create(2048, 16), -EFAULT);
	KUNIT_EXPECT_EQ(test, fw->sent_n, 0);
	KUNIT_EXPECT_EQ(test, env_objs_n(), 0);
}

/* The object is destroyed all the same. */
static void destroy_unanswered_efault(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, env_create_qp(), 0);
	KUNIT_EXPECT_EQ(test, env_destroy_unanswered(env.id), -EFAULT);
	KUNIT_EXPECT_EQ(test, fw_count(OP(DESTROY_QP)), 1);
	KUNIT_EXPECT_EQ(test, env_objs_n(), 0);
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), -ENOENT);
}

static void objs_max_enomem(struct kunit *test)
{
	atomic_set(&env.file->own.n, MDX_OBJS_MAX - 1);
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	KUNIT_EXPECT_EQ(test, env_create_pd(), -ENOMEM);
	KUNIT_EXPECT_EQ(test, env_objs_n(), MDX_OBJS_MAX);
	atomic_set(&env.file->own.n, 1);
}

static void objects_are_charged(struct kunit *test)
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
	KUNIT_EXPECT_EQ(test, fw_count(OP(ALLOC_PD)), 2);
	KUNIT_EXPECT_EQ(test, env_objs_n(), 1);
}

static void srq_issi0_eopnotsupp(struct kunit *test)
{
	env_begin(OP(CREATE_SRQ));
	fw->mdev.issi = 0;
	KUNIT_EXPECT_EQ(test, env_create(272, 16), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, fw->sent_n, 0);
	fw->mdev.issi = 1;
	KUNIT_EXPECT_EQ(test, env_create(272, 16), 0);
}

static void unbound_file_enotconn(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, env_open_unbound(1), 0);
	KUNIT_EXPECT_EQ(test, env_create_qp(), -ENOTCONN);
	KUNIT_EXPECT_EQ(test, env_query_qp(1, 1), -ENOTCONN);
	KUNIT_EXPECT_EQ(test, env_destroy(1), -ENOTCONN);
	KUNIT_EXPECT_EQ(test, fw->sent_n, 0);
}

static int send_general(u16 opcode)
{
	env_begin(opcode);
	return env_general(16, 16);
}

static void general_commands_without_object(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, send_general(OP(QUERY_HCA_CAP)), 0);
	KUNIT_EXPECT_EQ(test, fw->sent[0].uid, ENV_UID);
	KUNIT_EXPECT_EQ(test, send_general(OP(ALLOC_PD)), -EINVAL);
	KUNIT_EXPECT_EQ(test, send_general(OP(CREATE_UCTX)), -EOPNOTSUPP);
	fw_rule(OP(QUERY_ADAPTER), -EREMOTEIO, 0x5, 6, 1);
	KUNIT_EXPECT_EQ(test, send_general(OP(QUERY_ADAPTER)), -EREMOTEIO);
	KUNIT_EXPECT_EQ(test, env.out[0], 5);
	KUNIT_EXPECT_EQ(test, fw->sent_n, 2);
	KUNIT_EXPECT_EQ(test, env_objs_n(), 0);
}

static struct kunit_case obj_cases[] = {
	KUNIT_CASE(ids_never_repeat),
	KUNIT_CASE(answer_is_devices),
	KUNIT_CASE(lives_have_file_uid),
	KUNIT_CASE(reads_have_file_uid),
	KUNIT_CASE(destroy_names_created_id),
	KUNIT_CASE(object_unknown_until_answered),
	KUNIT_CASE(destroy_in_use_ebusy),
	KUNIT_CASE(use_in_destroy_ebusy),
	KUNIT_CASE(destroy_in_destroy_ebusy),
	KUNIT_CASE(refused_create_leaves_nothing),
	KUNIT_CASE(failed_create_without_answer),
	KUNIT_CASE(unanswered_create_aborted),
	KUNIT_CASE(failed_abort_until_close),
	KUNIT_CASE(refused_destroy_keeps_object),
	KUNIT_CASE(command_target_checked),
	KUNIT_CASE(general_obj_type_checked),
	KUNIT_CASE(bulk_covers_all_counters),
	KUNIT_CASE(bulk_at_end_bounded),
	KUNIT_CASE(mailbox_short_einval),
	KUNIT_CASE(mailbox_unreadable_efault),
	KUNIT_CASE(destroy_unanswered_efault),
	KUNIT_CASE(objs_max_enomem),
	KUNIT_CASE(objects_are_charged),
	KUNIT_CASE(srq_issi0_eopnotsupp),
	KUNIT_CASE(unbound_file_enotconn),
	KUNIT_CASE(general_commands_without_object),
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
