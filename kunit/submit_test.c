// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Batches on the firmware of the test: each item fails in each way, and nothing is left.
 */
#include <linux/uaccess.h>

#include "../kmod/ioctl.h"
#include "fake_fw.h"
#include "mbox_bits.h"
#include "obj_env.h"
#include "optab_rows.h"
#include "verbs_env.h"

#define ITEMS_MAX 8
#define IN_STRIDE 512
#define REFS_AT 2048

/* The page of the structure: the structure, the items, the references */
static struct {
	struct mdx_ioc_submit arg;
	struct mdx_item items[ITEMS_MAX];
	struct mdx_ref refs[ITEMS_MAX];
} b;

static int submit_init(struct kunit *test)
{
	memset(&b, 0, sizeof(b));
	b.arg.size = sizeof(b.arg);
	b.arg.items = (uintptr_t)env.user + sizeof(b.arg);
	b.arg.refs = (uintptr_t)env.user + REFS_AT;
	b.arg.item_size = sizeof(b.items[0]);
	b.arg.channel = -1;
	return 0;
}

static int batch_init(struct kunit *test)
{
	int ret = env_init(test);

	return ret ? ret : submit_init(test);
}

/* As long as the row says, without what is behind the header */
static struct mdx_item *add_item(u16 cmd, u16 flags, const struct mdx_op *op)
{
	u32 i = b.arg.items_n++;
	u8 __user *in = env.user_in + i * IN_STRIDE;

	env_begin(op->opcode);
	KUNIT_ASSERT_EQ(env.test, copy_to_user(in, env.in, IN_STRIDE), 0);
	b.items[i] = (struct mdx_item){
		.cmd = cmd,
		.flags = flags,
		.in = (uintptr_t)in,
		.in_len = op->min_in,
		.out = (uintptr_t)env.user_out + i * IN_STRIDE,
		.out_len = max_t(u32, op->min_out, MDX_HDR_LEN),
	};
	return &b.items[i];
}

static struct mdx_item *add_create(u16 opcode, u16 flags)
{
	return add_item(MDX_CMD_OBJ_CREATE, flags, op_creator(opcode));
}

static struct mdx_item *add_nop(u16 flags)
{
	static const struct mdx_op nop = {
		.opcode = OP(NOP), .min_in = 16, .min_out = 16,
	};

	return add_item(MDX_CMD_GENERAL, flags, &nop);
}

static int submit_batch(void)
{
	u8 __user *user = env.user;
	int ret;

	KUNIT_ASSERT_EQ(env.test, copy_to_user(user, &b.arg, sizeof(b.arg)), 0);
	KUNIT_ASSERT_EQ(env.test, copy_to_user(user + sizeof(b.arg), b.items,
					       sizeof(b.items)), 0);
	KUNIT_ASSERT_EQ(env.test, copy_to_user(user + REFS_AT, b.refs,
					       sizeof(b.refs)), 0);
	env.caller.private_data = env.file;
	ret = mdx_ioctl(&env.caller, MDX_IOC_SUBMIT, (unsigned long)user);
	KUNIT_ASSERT_EQ(env.test, copy_from_user(&b.arg, user, sizeof(b.arg)), 0);
	KUNIT_ASSERT_EQ(env.test, copy_from_user(b.items, user + sizeof(b.arg),
						 sizeof(b.items)), 0);
	return ret;
}

static void expect_idle(struct kunit *test)
{
	struct mdx_owner *owner = env.file->owner;

	KUNIT_EXPECT_EQ(test, atomic_read(&owner->slots.used), 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&owner->throttled_slots.used), 0);
	KUNIT_EXPECT_EQ(test, refcount_read(&fw->ibdev.refcount), 1);
}

static void items_succeed(struct kunit *test)
{
	add_create(OP(ALLOC_PD), 0);
	add_create(OP(CREATE_QP), 0);
	add_create(OP(CREATE_CQ), 0);
	add_nop(MDX_ITEM_DRAIN);
	KUNIT_EXPECT_EQ(test, submit_batch(), 0);
	KUNIT_EXPECT_EQ(test, b.arg.out_done, 4);
	KUNIT_EXPECT_EQ(test, b.arg.out_failed, 0);
	KUNIT_EXPECT_EQ(test, env_objs_n(), 3);
	KUNIT_EXPECT_EQ(test, fw->charges, 3);
	expect_idle(test);
}

/* The reference is written before the command is checked and sent. */
static void reference_is_sent(struct kunit *test)
{
	const struct fake_sent *sent;

	add_create(OP(ALLOC_PD), 0);
	add_create(OP(CREATE_QP), MDX_ITEM_LINK)->refs_n = 2;
	b.refs[0] = (struct mdx_ref){ .bit = 0x68, .width = 24, .back = 1 };
	b.refs[1] = (struct mdx_ref){
		.bit = 0xc0, .width = 32, .back = 1, .what = MDX_REF_LKEY,
	};
	b.arg.refs_n = 2;
	fw->last_id = 0x41;
	KUNIT_EXPECT_EQ(test, submit_batch(), 0);
	KUNIT_EXPECT_EQ(test, b.arg.out_failed, 0);
	sent = fw_sent(OP(CREATE_QP), 0);
	KUNIT_ASSERT_NOT_NULL(test, sent);
	KUNIT_EXPECT_EQ(test, bits_at(sent->in, 0x68, 24), 0x42);
	KUNIT_EXPECT_EQ(test, bits_at(sent->in, 0xc0, 32), 0x4200);
	KUNIT_EXPECT_EQ(test, bits_at(sent->in, 0x10, 16), ENV_UID);
}

/* A field that has to have a value is looked at after the reference is written. */
static void patched_then_checked(struct kunit *test)
{
	add_create(OP(ALLOC_PD), 0);
	add_create(OP(CREATE_PSV), MDX_ITEM_LINK)->refs_n = 1;
	b.refs[0] = (struct mdx_ref){ .bit = 0x40, .width = 4, .back = 1 };
	b.arg.refs_n = 1;
	fw->last_id = 0;
	KUNIT_EXPECT_EQ(test, submit_batch(), 0);
	KUNIT_EXPECT_EQ(test, b.items[1].out_err, 0);
	fw->last_id = 1;
	KUNIT_EXPECT_EQ(test, submit_batch(), 0);
	KUNIT_EXPECT_EQ(test, b.items[1].out_err, EINVAL);
}

/* Ways in which an item fails */
static const struct {
	int ret;
	u8 status;
} failures[] = {
	{ -EREMOTEIO, 0x01 }, { -EREMOTEIO, 0x03 }, { -EREMOTEIO, 0x04 },
	{ -EREMOTEIO, 0x05 }, { -EREMOTEIO, 0x06 }, { -EREMOTEIO, 0x08 },
	{ -EREMOTEIO, 0x09 }, { -EREMOTEIO, 0x0f }, { -EREMOTEIO, 0x50 },
	{ -ETIMEDOUT }, { -ECANCELED }, { -ENXIO }, { -ENOMEM }, { -EIO },
};

static void add_stack(void)
{
	add_create(OP(ALLOC_PD), 0);
	add_create(OP(CREATE_CQ), MDX_ITEM_LINK);
	add_create(OP(CREATE_QP), MDX_ITEM_LINK);
	add_nop(MDX_ITEM_LINK);
	b.arg.flags = MDX_SUBMIT_UNDO;
}

static void undo_each_failure(struct kunit *test)
{
	static const u16 ops[] = {
		OP(ALLOC_PD), OP(CREATE_CQ), OP(CREATE_QP), OP(NOP),
	};
	unsigned int i, k;

	for (i = 0; i < ARRAY_SIZE(ops); i++) {
		for (k = 0; k < ARRAY_SIZE(failures); k++) {
			submit_init(test);
			add_stack();
			fw_rule(ops[i], failures[k].ret, failures[k].status, 1, 1);
			KUNIT_EXPECT_EQ(test, submit_batch(), 0);
			KUNIT_EXPECT_EQ(test, b.arg.out_done, i + 1);
			KUNIT_EXPECT_EQ(test, b.arg.out_first_failed, i);
			KUNIT_EXPECT_EQ_MSG(test, b.items[i].out_err,
					    -failures[k].ret, "item %u, %u", i, k);
			KUNIT_EXPECT_EQ_MSG(test, env_objs_n(), 0, "item %u, %u",
					    i, k);
			KUNIT_EXPECT_EQ(test, fw->charges, 0);
			KUNIT_EXPECT_EQ(test, fw->cqs, 0);
			expect_idle(test);
		}
	}
	for (i = 0; i < ARRAY_SIZE(ops) - 1; i++)
		fw_answer(i, 0x08, 0);
}

/* A dead device has no object any more. */
static void undo_dead_device(struct kunit *test)
{
	add_stack();
	fw_rule(OP(NOP), -ENXIO, 0, 0, 1);
	fw_rule(OP(DESTROY_QP), -ENXIO, 0, 0, 1);
	fw_rule(OP(DESTROY_CQ), -ENXIO, 0, 0, 1);
	fw_rule(OP(DEALLOC_PD), -ENXIO, 0, 0, 1);
	KUNIT_EXPECT_EQ(test, submit_batch(), 0);
	KUNIT_EXPECT_EQ(test, env_objs_n(), 0);
	KUNIT_EXPECT_EQ(test, b.items[0].out_obj, 0);
	expect_idle(test);
}

static void undo_not_answered_keeps(struct kunit *test)
{
	add_create(OP(ALLOC_PD), 0);
	add_nop(MDX_ITEM_LINK);
	b.arg.flags = MDX_SUBMIT_UNDO;
	fw_rule(OP(NOP), -EREMOTEIO, 0x08, 1, 1);
	fw_rule(OP(DEALLOC_PD), -ETIMEDOUT, 0, 0, 1);
	KUNIT_EXPECT_EQ(test, submit_batch(), 0);
	KUNIT_EXPECT_EQ(test, env_objs_n(), 1);
	KUNIT_EXPECT_EQ(test, env_destroy(b.items[0].out_obj), 0);
	expect_idle(test);
}

/* The cgroup of the caller decides, not that of a worker. */
static void charge_refused(struct kunit *test)
{
	add_create(OP(ALLOC_PD), 0);
	add_create(OP(ALLOC_PD), 0);
	fw->charge_ret = -EAGAIN;
	KUNIT_EXPECT_EQ(test, submit_batch(), 0);
	KUNIT_EXPECT_EQ(test, b.arg.out_failed, 2);
	KUNIT_EXPECT_EQ(test, b.items[1].out_err, EAGAIN);
	KUNIT_EXPECT_EQ(test, fw_count(OP(ALLOC_PD)), 0);
	KUNIT_EXPECT_EQ(test, env_objs_n(), 0);
	fw->charge_ret = 0;
	expect_idle(test);
}

static void no_buffers_enomem(struct kunit *test)
{
	add_create(OP(ALLOC_PD), 0);
	add_nop(0);
	env.no_buffers = true;
	KUNIT_EXPECT_EQ(test, submit_batch(), 0);
	env.no_buffers = false;
	KUNIT_EXPECT_EQ(test, b.arg.out_failed, 2);
	KUNIT_EXPECT_EQ(test, b.items[0].out_err, ENOMEM);
	expect_idle(test);
}

static void ended_context_eio(struct kunit *test)
{
	add_nop(0);
	KUNIT_EXPECT_TRUE(test, verbs_end(&verbs_contexts[0], VERBS_CLOSE));
	KUNIT_EXPECT_EQ(test, submit_batch(), -EIO);
}

/* The items that are left fail, and are charged no more. */
static void remove_in_batch(u16 opcode)
{
	fw->hook = NULL;
	WRITE_ONCE(env.mdx.removed, true);
}

static void removed_device_eio(struct kunit *test)
{
	add_nop(0);
	add_create(OP(ALLOC_PD), MDX_ITEM_DRAIN);
	add_nop(MDX_ITEM_LINK);
	fw->hook = remove_in_batch;
	KUNIT_EXPECT_EQ(test, submit_batch(), 0);
	env.mdx.removed = false;
	KUNIT_EXPECT_EQ(test, b.items[0].out_err, 0);
	KUNIT_EXPECT_EQ(test, b.items[1].out_err, EIO);
	KUNIT_EXPECT_EQ(test, b.items[2].out_err, ECANCELED);
	KUNIT_EXPECT_EQ(test, env_objs_n(), 0);
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
	expect_idle(test);
}

/* The results cannot be written while the device has a command. */
static void lost_results_efault(struct kunit *test)
{
	struct mdx_item *item = add_create(OP(ALLOC_PD), 0);

	add_create(OP(ALLOC_PD), MDX_ITEM_LINK);
	item->out = 0;
	KUNIT_EXPECT_EQ(test, submit_batch(), 0);
	KUNIT_EXPECT_EQ(test, b.items[0].out_err, EFAULT);
	KUNIT_EXPECT_EQ(test, b.items[1].out_err, ECANCELED);
	KUNIT_EXPECT_EQ(test, env_objs_n(), 0);
	KUNIT_EXPECT_EQ(test, fw_count(OP(DEALLOC_PD)), 1);
	expect_idle(test);
}

static struct kunit_case submit_cases[] = {
	KUNIT_CASE(items_succeed),
	KUNIT_CASE(reference_is_sent),
	KUNIT_CASE(patched_then_checked),
	KUNIT_CASE(undo_each_failure),
	KUNIT_CASE(undo_dead_device),
	KUNIT_CASE(undo_not_answered_keeps),
	KUNIT_CASE(charge_refused),
	KUNIT_CASE(no_buffers_enomem),
	KUNIT_CASE(ended_context_eio),
	KUNIT_CASE(removed_device_eio),
	KUNIT_CASE(lost_results_efault),
	{}
};

static struct kunit_suite submit_suite = {
	.name = "mdx_submit",
	.suite_init = env_suite_init,
	.suite_exit = env_suite_exit,
	.init = batch_init,
	.exit = env_exit,
	.test_cases = submit_cases,
};

kunit_test_suite(submit_suite);
