// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The end of objects: CQs and DCTs, which are more than one command, and all
 * objects of a file, on devices that are well, silent, dead and gone.
 */
#include "bits.h"
#include "fake_fw.h"
#include "obj_env.h"

static int create_cq(void)
{
	env_begin(0x400);
	return env_create(272, 16);
}

static void a_cq_is_mlx5_cores(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, create_cq(), 0);
	KUNIT_EXPECT_EQ(test, fw->cqs, 1);
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), 0);
	KUNIT_EXPECT_EQ(test, fw->cqs, 0);
	KUNIT_EXPECT_EQ(test, fw_count(0x401), 1);
}

static void a_cq_without_an_eq_is_invalid(struct kunit *test)
{
	fw_rule(0x400, -ENOENT, 0, 0, 1);
	KUNIT_EXPECT_EQ(test, create_cq(), -EINVAL);
	KUNIT_EXPECT_EQ(test, fw->cqs, 0);
}

/* A second call of mlx5_core's would take out another one's CQ. */
static void a_cq_leaves_mlx5_core_once(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, create_cq(), 0);
	fw_rule(0x401, -EREMOTEIO, 0x9, 0x77, 1);
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), -EREMOTEIO);
	KUNIT_EXPECT_EQ(test, env.status, 0x9);
	KUNIT_EXPECT_EQ(test, env.syndrome, 0x77);
	KUNIT_EXPECT_EQ(test, fw->cqs, 0);
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), 0);
	KUNIT_EXPECT_EQ(test, fw->cqs, 0);
	KUNIT_EXPECT_EQ(test, fw_count(0x401), 2);
	KUNIT_EXPECT_EQ(test, fw_sent(0x401, 1)->uid, UID);
}

static int create_dct(void)
{
	env_begin(0x710);
	return env_create(128, 16);
}

static void a_dct_is_drained_first(struct kunit *test)
{
	fw->last_id = 0x30;
	KUNIT_EXPECT_EQ(test, create_dct(), 0);
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), 0);
	KUNIT_EXPECT_EQ(test, fw->sent_n, 3);
	KUNIT_EXPECT_EQ(test, fw->sent[1].opcode, 0x712);
	KUNIT_EXPECT_EQ(test, bits_at(fw->sent[1].in, 0x48, 24), 0x31);
	KUNIT_EXPECT_EQ(test, fw->sent[2].opcode, 0x711);
}

static void a_dct_whose_drain_is_refused_stays(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, create_dct(), 0);
	fw_rule(0x712, -EREMOTEIO, 0x9, 5, 2);
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), -EREMOTEIO);
	KUNIT_EXPECT_EQ(test, env.syndrome, 5);
	KUNIT_EXPECT_EQ(test, fw_count(0x711), 0);
	/* Nobody asks again after close: then it is tried all the same. */
	env_close();
	KUNIT_EXPECT_EQ(test, fw_count(0x711), 1);
}

static void a_drain_is_not_awaited_for_ever(struct kunit *test)
{
	unsigned long start = jiffies;

	KUNIT_EXPECT_EQ(test, create_dct(), 0);
	KUNIT_EXPECT_EQ(test, create_dct(), 0);
	fw->no_drain_event = true;
	KUNIT_EXPECT_EQ(test, env_destroy(1), 0);
	KUNIT_EXPECT_GE(test, jiffies - start, 4 * HZ);
	KUNIT_EXPECT_TRUE(test, env.mdx.drain_lost);
	start = jiffies;
	KUNIT_EXPECT_EQ(test, env_destroy(2), 0);
	KUNIT_EXPECT_LT(test, jiffies - start, 4 * HZ);
}

static void a_drained_dct_is_not_drained_again(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, create_dct(), 0);
	fw_rule(0x711, -EREMOTEIO, 0x9, 5, 1);
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), -EREMOTEIO);
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), 0);
	KUNIT_EXPECT_EQ(test, fw_count(0x712), 1);
}

/* Several at a time, so in no order that could be told. */
static void close_destroys_each_once(struct kunit *test)
{
	unsigned int i, seen = 0;

	for (i = 0; i < 5; i++)
		KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	env_close();
	KUNIT_EXPECT_EQ(test, fw_count(0x801), 5);
	for (i = 0; i < 5; i++)
		seen |= BIT(bits_at(fw_sent(0x801, i)->in, 0x48, 24));
	KUNIT_EXPECT_EQ(test, seen, 0x3e);
}

/* A QP names a PD, whichever of them is newer. */
static void close_destroys_by_level(struct kunit *test)
{
	unsigned int i;

	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	KUNIT_EXPECT_EQ(test, env_create_qp(), 0);
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	env_close();
	KUNIT_EXPECT_EQ(test, fw_count(0x501), 1);
	KUNIT_EXPECT_EQ(test, fw_count(0x801), 2);
	for (i = 0; i < fw->sent_n && fw->sent[i].opcode != 0x801; i++)
		;
	KUNIT_EXPECT_TRUE(test, &fw->sent[i] > fw_sent(0x501, 0));
}

static void close_goes_on_while_that_helps(struct kunit *test)
{
	unsigned int i;

	for (i = 1; i <= 4; i++) {
		KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
		/* Old ones need newer ones: each pass frees one only. */
		fw->holds[i] = i + 1;
	}
	env_close();
	for (i = 1; i <= 4; i++)
		KUNIT_EXPECT_FALSE(test, fw->live[i]);
}

static void close_ends_when_that_does_not_help(struct kunit *test)
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
	KUNIT_EXPECT_EQ(test, fw_count(0x801), 5);
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
}

static void close_does_not_wait_for_a_silent_device(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < 20; i++)
		KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	fw_rule(0x801, -ETIMEDOUT, 0, 0, 100);
	env_close();
	KUNIT_EXPECT_LE(test, fw_count(0x801), 8);
	KUNIT_EXPECT_GE(test, fw_count(0x801), 1);
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
}

/* They may have freed all there is before the next of them is asked. */
static void close_may_be_helped_fast(struct kunit *test)
{
	unsigned int i;

	/* Objects without an id: the device did not take them back. */
	fw_rule(0x801, -EREMOTEIO, 0x9, 1, 3);
	for (i = 0; i < 3; i++) {
		env_begin(0x800);
		KUNIT_EXPECT_EQ(test, env_create_at(16, 16, env.user, NULL),
				-EFAULT);
	}
	env.fast_helpers = true;
	env_close();
	for (i = 1; i <= 3; i++)
		KUNIT_EXPECT_FALSE(test, fw->live[i]);
	KUNIT_EXPECT_EQ(test, fw_count(0x801), 6);
}

/* What is needed to destroy an object is got when it is created. */
static void close_needs_no_buffer(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	KUNIT_EXPECT_EQ(test, create_dct(), 0);
	KUNIT_EXPECT_EQ(test, create_cq(), 0);
	env.no_buffers = true;
	KUNIT_EXPECT_EQ(test, env_create_pd(), -ENOMEM);
	KUNIT_EXPECT_EQ(test, env_destroy(1), 0);
	env_close();
	KUNIT_EXPECT_EQ(test, fw_count(0x801), 1);
	KUNIT_EXPECT_EQ(test, fw_count(0x711), 1);
	KUNIT_EXPECT_EQ(test, fw_count(0x401), 1);
}

static void close_asks_again_for_want_of_memory(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	fw_rule(0x801, -ENOMEM, 0, 0, 2);
	env_close();
	KUNIT_EXPECT_EQ(test, fw_count(0x801), 3);
	KUNIT_EXPECT_FALSE(test, fw->live[1]);
}

static void a_dead_device_has_nothing(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	fw->mdev.state = MLX5_DEVICE_STATE_INTERNAL_ERROR;
	fw_rule(0x801, -EIO, 0, 0, 100);
	KUNIT_EXPECT_EQ(test, env_destroy(1), 0);
	fw->mdev.state = MLX5_DEVICE_STATE_UP;
	fw->pdev.error_state = pci_channel_io_perm_failure;
	KUNIT_EXPECT_EQ(test, env_destroy(2), 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&env.file->objs_n), 0);
}

static void a_removed_device_does_nothing(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, env_create_qp(), 0);
	env_remove();
	KUNIT_EXPECT_EQ(test, fw_count(0x501), 1);
	KUNIT_EXPECT_EQ(test, env_create_qp(), -EIO);
	KUNIT_EXPECT_EQ(test, env_query_qp(1, 1), -EIO);
	KUNIT_EXPECT_EQ(test, env_destroy(1), -EIO);
	env_close();
	KUNIT_EXPECT_EQ(test, fw->sent_n, 2);
}

static struct kunit_case end_cases[] = {
	KUNIT_CASE(a_cq_is_mlx5_cores),
	KUNIT_CASE(a_cq_without_an_eq_is_invalid),
	KUNIT_CASE(a_cq_leaves_mlx5_core_once),
	KUNIT_CASE(a_dct_is_drained_first),
	KUNIT_CASE(a_dct_whose_drain_is_refused_stays),
	KUNIT_CASE(a_drain_is_not_awaited_for_ever),
	KUNIT_CASE(a_drained_dct_is_not_drained_again),
	KUNIT_CASE(close_destroys_each_once),
	KUNIT_CASE(close_destroys_by_level),
	KUNIT_CASE(close_goes_on_while_that_helps),
	KUNIT_CASE(close_ends_when_that_does_not_help),
	KUNIT_CASE(close_does_not_wait_for_a_silent_device),
	KUNIT_CASE(close_may_be_helped_fast),
	KUNIT_CASE(close_needs_no_buffer),
	KUNIT_CASE(close_asks_again_for_want_of_memory),
	KUNIT_CASE(a_dead_device_has_nothing),
	KUNIT_CASE(a_removed_device_does_nothing),
	{}
};

static struct kunit_suite end_suite = {
	.name = "mdx_obj_end",
	.suite_init = env_suite_init,
	.suite_exit = env_suite_exit,
	.init = env_init,
	.exit = env_exit,
	.test_cases = end_cases,
};

kunit_test_suite(end_suite);
