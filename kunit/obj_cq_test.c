// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * CQs, which mlx5_core has in its trees until their first destroy.
 */
#include "fake_fw.h"
#include "mbox_bits.h"
#include "obj_env.h"
#include "optab_rows.h"

static void cq_in_mlx5_core(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, env_create_cq(), 0);
	KUNIT_EXPECT_EQ(test, fw->cqs, 1);
	KUNIT_EXPECT_TRUE(test, env_obj(env.id)->ops->must_destroy);
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), 0);
	KUNIT_EXPECT_EQ(test, fw->cqs, 0);
	KUNIT_EXPECT_EQ(test, fw_count(OP(DESTROY_CQ)), 1);
}

static void cq_without_eq_einval(struct kunit *test)
{
	fw_rule(OP(CREATE_CQ), -ENOENT, 0, 0, 1);
	KUNIT_EXPECT_EQ(test, env_create_cq(), -EINVAL);
	KUNIT_EXPECT_EQ(test, fw->cqs, 0);
}

/* A second mlx5_core_destroy_cq() would remove another CQ of that number. */
static void refused_cq_detached_once(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, env_create_cq(), 0);
	fw_rule(OP(DESTROY_CQ), -EREMOTEIO, 0x9, 0x77, 1);
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), -EREMOTEIO);
	KUNIT_EXPECT_EQ(test, env.status, 0x9);
	KUNIT_EXPECT_EQ(test, env.syndrome, 0x77);
	KUNIT_EXPECT_EQ(test, fw->cqs, 0);
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), 0);
	KUNIT_EXPECT_EQ(test, fw->cqs, 0);
	KUNIT_EXPECT_EQ(test, fw_count(OP(DESTROY_CQ)), 2);
	KUNIT_EXPECT_EQ(test, fw_sent(OP(DESTROY_CQ), 1)->uid, ENV_UID);
}

static void refused_cq_ops_replaced(struct kunit *test)
{
	const struct mdx_obj_ops *ops;

	KUNIT_EXPECT_EQ(test, env_create_cq(), 0);
	fw_rule(OP(DESTROY_CQ), -EREMOTEIO, 0x9, 0x77, 1);
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), -EREMOTEIO);
	ops = env_obj(env.id)->ops;
	KUNIT_EXPECT_FALSE(test, ops->must_destroy);
	KUNIT_EXPECT_NULL(test, ops->destroy);
	KUNIT_EXPECT_NULL(test, ops->pre_destroy);
	/* The memory of the CQ goes with the object. */
	KUNIT_EXPECT_NOT_NULL(test, ops->forget);
}

/* The status of a refusal is that of the statistics; otherwise the errno is all. */
static void unanswered_cq_without_status(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, env_create_cq(), 0);
	fw_rule(OP(DESTROY_CQ), -ETIMEDOUT, 0, 0, 1);
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, env.status, ENV_UNSET);
	KUNIT_EXPECT_EQ(test, fw->cqs, 0);
	KUNIT_EXPECT_FALSE(test, env_obj(env.id)->ops->must_destroy);
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), 0);
	KUNIT_EXPECT_EQ(test, fw_count(OP(DESTROY_CQ)), 2);
}

/*
 * QPs, of a higher level, use up the commands that a silent device is given. Then
 * only objects that the kernel must destroy are.
 */
static void close_silently(void)
{
	fw_rule(OP(DESTROY_QP), -ETIMEDOUT, 0, 0, 100);
	fw_rule(OP(DESTROY_CQ), -ETIMEDOUT, 0, 0, 100);
	fw_rule(OP(DEALLOC_PD), -ETIMEDOUT, 0, 0, 100);
	env_close();
}

static void silent_device_cq_destroyed(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < 12; i++)
		KUNIT_EXPECT_EQ(test, env_create_qp(), 0);
	for (i = 0; i < 3; i++)
		KUNIT_EXPECT_EQ(test, env_create_cq(), 0);
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	close_silently();
	KUNIT_EXPECT_LE(test, fw_count(OP(DESTROY_QP)), 9);
	KUNIT_EXPECT_EQ(test, fw_count(OP(DESTROY_CQ)), 3);
	KUNIT_EXPECT_EQ(test, fw->cqs, 0);
	KUNIT_EXPECT_EQ(test, fw_count(OP(DEALLOC_PD)), 0);
}

static void silent_device_detached_kept(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < 12; i++)
		KUNIT_EXPECT_EQ(test, env_create_qp(), 0);
	KUNIT_EXPECT_EQ(test, env_create_cq(), 0);
	fw_rule(OP(DESTROY_CQ), -EREMOTEIO, 0x9, 0x77, 1);
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), -EREMOTEIO);
	close_silently();
	KUNIT_EXPECT_EQ(test, fw_count(OP(DESTROY_CQ)), 1);
}

/* A processor of the device gets the events of such a CQ. */
static void apu_cq_is_plain(struct kunit *test)
{
	void *cqc = MLX5_ADDR_OF(create_cq_in, env.in, cq_context);
	void *caps = fw->mdev.caps.hca[MLX5_CAP_GENERAL]->cur;

	env_begin(OP(CREATE_CQ));
	MLX5_SET(cqc, cqc, apu_cq, 1);
	KUNIT_EXPECT_EQ(test, env_create(272, 16), 0);
	KUNIT_EXPECT_EQ(test, fw->cqs, 1);
	MLX5_SET(cmd_hca_cap, caps, apu, 1);
	KUNIT_EXPECT_EQ(test, env_create(272, 16), 0);
	KUNIT_EXPECT_EQ(test, fw->cqs, 1);
	KUNIT_EXPECT_FALSE(test, env_obj(env.id)->ops->must_destroy);
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), 0);
	KUNIT_EXPECT_EQ(test, fw->cqs, 1);
	KUNIT_EXPECT_EQ(test, fw_count(OP(DESTROY_CQ)), 1);
}

static void removal_destroys_attached_cq(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, env_create_cq(), 0);
	env_remove();
	KUNIT_EXPECT_EQ(test, fw->cqs, 0);
	KUNIT_EXPECT_EQ(test, fw_count(OP(DESTROY_CQ)), 1);
}

static struct kunit_case cq_cases[] = {
	KUNIT_CASE(cq_in_mlx5_core),
	KUNIT_CASE(cq_without_eq_einval),
	KUNIT_CASE(refused_cq_detached_once),
	KUNIT_CASE(refused_cq_ops_replaced),
	KUNIT_CASE(unanswered_cq_without_status),
	KUNIT_CASE(silent_device_cq_destroyed),
	KUNIT_CASE(silent_device_detached_kept),
	KUNIT_CASE(apu_cq_is_plain),
	KUNIT_CASE(removal_destroys_attached_cq),
	{}
};

static struct kunit_suite cq_suite = {
	.name = "mdx_obj_cq",
	.suite_init = env_suite_init,
	.suite_exit = env_suite_exit,
	.init = env_init,
	.exit = env_exit,
	.test_cases = cq_cases,
};

kunit_test_suite(cq_suite);
