// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The end of all objects of a file or a context, on devices that answer, are silent, dead or
 * removed.
 */
#include "fake_fw.h"
#include "mbox_bits.h"
#include "obj_env.h"
#include "optab_rows.h"
#include "verbs_env.h"

/* Several are destroyed at a time, in no certain order. */
static void close_destroys_each_once(struct kunit *test)
{
	unsigned int i, seen = 0;

	for (i = 0; i < 5; i++)
		KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	env_close();
	KUNIT_EXPECT_EQ(test, fw_count(OP(DEALLOC_PD)), 5);
	for (i = 0; i < 5; i++)
		seen |= BIT(bits_at(fw_sent(OP(DEALLOC_PD), i)->in, 0x48, 24));
	KUNIT_EXPECT_EQ(test, seen, 0x3e);
}

/* A QP refers to a PD, whichever of them is newer. */
static void close_destroys_by_level(struct kunit *test)
{
	unsigned int i;

	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	KUNIT_EXPECT_EQ(test, env_create_qp(), 0);
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	env_close();
	KUNIT_EXPECT_EQ(test, fw_count(OP(DESTROY_QP)), 1);
	KUNIT_EXPECT_EQ(test, fw_count(OP(DEALLOC_PD)), 2);
	for (i = 0; i < fw->sent_n && fw->sent[i].opcode != OP(DEALLOC_PD); i++)
		;
	KUNIT_EXPECT_TRUE(test, &fw->sent[i] > fw_sent(OP(DESTROY_QP), 0));
}

static void close_repeats_passes(struct kunit *test)
{
	unsigned int i;

	for (i = 1; i <= 4; i++) {
		KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
		/* Old PDs need newer ones: each pass frees one only. */
		fw->holds[i] = i + 1;
	}
	env_close();
	for (i = 1; i <= 4; i++)
		KUNIT_EXPECT_FALSE(test, fw->live[i]);
}

static void close_reports_nothing(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	fw_rule(OP(DEALLOC_PD), -EREMOTEIO, 0x6, 0, UINT_MAX);
	env_close();
	KUNIT_EXPECT_EQ(test, env_kept_n(), 1);
	KUNIT_EXPECT_EQ(test, env.mdx.leftovers.contexts, 0);
}

static void leftovers_counted(struct kunit *test)
{
	struct mdx_leftovers *left = &env.mdx.leftovers;

	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	fw_rule(OP(DEALLOC_PD), -EREMOTEIO, 0x6, 0, UINT_MAX);
	env_close();
	KUNIT_EXPECT_TRUE(test, verbs_end(&verbs_contexts[0], VERBS_CLOSE));
	KUNIT_EXPECT_EQ(test, left->contexts, 1);
	KUNIT_EXPECT_EQ(test, left->objs, 2);
	KUNIT_EXPECT_EQ(test, left->uid, ENV_UID);
	KUNIT_EXPECT_EQ(test, left->opcode, OP(ALLOC_PD));

	/* A file that is still open */
	KUNIT_EXPECT_EQ(test, env_open(0, 1), 0);
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	KUNIT_EXPECT_TRUE(test, verbs_end(&verbs_contexts[1], VERBS_CLOSE));
	KUNIT_EXPECT_EQ(test, left->contexts, 2);
	KUNIT_EXPECT_EQ(test, left->objs, 3);
	KUNIT_EXPECT_EQ(test, left->uid, ENV_UID + 1);
	KUNIT_EXPECT_EQ(test, left->fw_id, 3);
	env_close();
	KUNIT_EXPECT_EQ(test, left->objs, 3);
}

static void close_stops_without_progress(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	fw->holds[1] = 2;
	fw->holds[2] = 1;
	env_close();
	KUNIT_EXPECT_TRUE(test, fw->live[1] && fw->live[2]);
	KUNIT_EXPECT_FALSE(test, fw->live[3]);
	/* One pass that helps, one that does not */
	KUNIT_EXPECT_EQ(test, fw_count(OP(DEALLOC_PD)), 5);
	KUNIT_EXPECT_EQ(test, fw->charges, 2);
}

static void close_silent_device_bounded(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < 20; i++)
		KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	fw_rule(OP(DEALLOC_PD), -ETIMEDOUT, 0, 0, 100);
	env_close();
	KUNIT_EXPECT_LE(test, fw_count(OP(DEALLOC_PD)), 8);
	KUNIT_EXPECT_GE(test, fw_count(OP(DEALLOC_PD)), 1);
	KUNIT_EXPECT_EQ(test, fw->charges, 20);
}

/* Workers may have destroyed all objects before the next worker is queued. */
static void close_with_fast_workers(struct kunit *test)
{
	unsigned int i;

	/* Objects without an id: the device has refused to destroy them. */
	fw_rule(OP(DEALLOC_PD), -EREMOTEIO, 0x9, 1, 3);
	for (i = 0; i < 3; i++) {
		env_begin(OP(ALLOC_PD));
		KUNIT_EXPECT_EQ(test, env_create_to(16, 16, NULL), -EFAULT);
	}
	env.fast_workers = true;
	env_close();
	for (i = 1; i <= 3; i++)
		KUNIT_EXPECT_FALSE(test, fw->live[i]);
	KUNIT_EXPECT_EQ(test, fw_count(OP(DEALLOC_PD)), 6);
}

/* The memory for destroying an object is part of the object. */
static void close_needs_no_buffer(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	KUNIT_EXPECT_EQ(test, env_create_dct(), 0);
	KUNIT_EXPECT_EQ(test, env_create_cq(), 0);
	env.no_buffers = true;
	KUNIT_EXPECT_EQ(test, env_create_pd(), -ENOMEM);
	KUNIT_EXPECT_EQ(test, env_destroy(1), 0);
	env_close();
	KUNIT_EXPECT_EQ(test, fw_count(OP(DEALLOC_PD)), 1);
	KUNIT_EXPECT_EQ(test, fw_count(OP(DESTROY_DCT)), 1);
	KUNIT_EXPECT_EQ(test, fw_count(OP(DESTROY_CQ)), 1);
}

static void close_enomem_retried(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	fw_rule(OP(DEALLOC_PD), -ENOMEM, 0, 0, 2);
	env_close();
	KUNIT_EXPECT_EQ(test, fw_count(OP(DEALLOC_PD)), 3);
	KUNIT_EXPECT_FALSE(test, fw->live[1]);
}

static void dead_device_destroys_all(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	fw->mdev.state = MLX5_DEVICE_STATE_INTERNAL_ERROR;
	fw_rule(OP(DEALLOC_PD), -EIO, 0, 0, 100);
	KUNIT_EXPECT_EQ(test, env_destroy(1), 0);
	fw->mdev.state = MLX5_DEVICE_STATE_UP;
	fw->pdev.error_state = pci_channel_io_perm_failure;
	KUNIT_EXPECT_EQ(test, env_destroy(2), 0);
	KUNIT_EXPECT_EQ(test, env_objs_n(), 0);
}

static void removed_device_eio(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, env_create_qp(), 0);
	env_remove();
	KUNIT_EXPECT_EQ(test, fw_count(OP(DESTROY_QP)), 1);
	KUNIT_EXPECT_EQ(test, env_create_qp(), -EIO);
	KUNIT_EXPECT_EQ(test, env_query_qp(1, 1), -EIO);
	KUNIT_EXPECT_EQ(test, env_destroy(1), -EIO);
	env_close();
	KUNIT_EXPECT_EQ(test, fw->sent_n, 2);
}

static struct kunit_case teardown_cases[] = {
	KUNIT_CASE(close_destroys_each_once),
	KUNIT_CASE(close_destroys_by_level),
	KUNIT_CASE(close_repeats_passes),
	KUNIT_CASE(close_stops_without_progress),
	KUNIT_CASE(close_reports_nothing),
	KUNIT_CASE(leftovers_counted),
	KUNIT_CASE(close_silent_device_bounded),
	KUNIT_CASE(close_with_fast_workers),
	KUNIT_CASE(close_needs_no_buffer),
	KUNIT_CASE(close_enomem_retried),
	KUNIT_CASE(dead_device_destroys_all),
	KUNIT_CASE(removed_device_eio),
	{}
};

static struct kunit_suite teardown_suite = {
	.name = "mdx_teardown",
	.suite_init = env_suite_init,
	.suite_exit = env_suite_exit,
	.init = env_init,
	.exit = env_exit,
	.test_cases = teardown_cases,
};

kunit_test_suite(teardown_suite);
