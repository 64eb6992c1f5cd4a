// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * DCTs, which are drained before they are destroyed.
 */
#include <linux/jiffies.h>

#include "fake_fw.h"
#include "mbox_bits.h"
#include "obj_env.h"
#include "optab_rows.h"

static void dct_drained_first(struct kunit *test)
{
	fw->last_id = 0x30;
	KUNIT_EXPECT_EQ(test, env_create_dct(), 0);
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), 0);
	KUNIT_EXPECT_EQ(test, fw->sent_n, 3);
	KUNIT_EXPECT_EQ(test, fw->sent[1].opcode, OP(DRAIN_DCT));
	KUNIT_EXPECT_EQ(test, fw->sent[1].uid, ENV_UID);
	KUNIT_EXPECT_EQ(test, bits_at(fw->sent[1].in, 0x48, 24), 0x31);
	KUNIT_EXPECT_EQ(test, fw->sent[2].opcode, OP(DESTROY_DCT));
}

static void refused_drain_keeps_dct(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, env_create_dct(), 0);
	fw_rule(OP(DRAIN_DCT), -EREMOTEIO, 0x9, 5, 2);
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), -EREMOTEIO);
	KUNIT_EXPECT_EQ(test, env.syndrome, 5);
	KUNIT_EXPECT_EQ(test, fw_count(OP(DESTROY_DCT)), 0);
	KUNIT_EXPECT_NOT_NULL(test, env_obj(env.id)->ops->pre_destroy);
	/* There is no further attempt after close: it is destroyed all the same. */
	env_close();
	KUNIT_EXPECT_EQ(test, fw_count(OP(DESTROY_DCT)), 1);
}

static void lost_event_wait_bounded(struct kunit *test)
{
	unsigned long start = jiffies;

	KUNIT_EXPECT_EQ(test, env_create_dct(), 0);
	KUNIT_EXPECT_EQ(test, env_create_dct(), 0);
	fw->no_drain_event = true;
	KUNIT_EXPECT_EQ(test, env_destroy(1), 0);
	KUNIT_EXPECT_GE(test, jiffies - start, 4 * HZ);
	KUNIT_EXPECT_TRUE(test, env.mdx.drains.event_lost);
	start = jiffies;
	KUNIT_EXPECT_EQ(test, env_destroy(2), 0);
	KUNIT_EXPECT_LT(test, jiffies - start, 4 * HZ);
}

static void drained_dct_drained_once(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, env_create_dct(), 0);
	fw_rule(OP(DESTROY_DCT), -EREMOTEIO, 0x9, 5, 1);
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), -EREMOTEIO);
	KUNIT_EXPECT_EQ(test, env.syndrome, 5);
	KUNIT_EXPECT_NULL(test, env_obj(env.id)->ops->pre_destroy);
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), 0);
	KUNIT_EXPECT_EQ(test, fw_count(OP(DRAIN_DCT)), 1);
}

static void close_drains_drained_once(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, env_create_dct(), 0);
	fw_rule(OP(DESTROY_DCT), -EREMOTEIO, 0x9, 5, 1);
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), -EREMOTEIO);
	env_close();
	KUNIT_EXPECT_EQ(test, fw_count(OP(DRAIN_DCT)), 1);
	KUNIT_EXPECT_EQ(test, fw_count(OP(DESTROY_DCT)), 2);
}

static struct kunit_case dct_cases[] = {
	KUNIT_CASE(dct_drained_first),
	KUNIT_CASE(refused_drain_keeps_dct),
	KUNIT_CASE(lost_event_wait_bounded),
	KUNIT_CASE(drained_dct_drained_once),
	KUNIT_CASE(close_drains_drained_once),
	{}
};

static struct kunit_suite dct_suite = {
	.name = "mdx_obj_dct",
	.suite_init = env_suite_init,
	.suite_exit = env_suite_exit,
	.init = env_init,
	.exit = env_exit,
	.test_cases = dct_cases,
};

kunit_test_suite(dct_suite);
