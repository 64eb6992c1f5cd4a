// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Objects that outlive their file, since an object of another file of the same
 * context refers to them: the owner keeps them.
 */
#include "fake_fw.h"
#include "mbox_bits.h"
#include "obj_env.h"
#include "optab_rows.h"
#include "verbs_env.h"

static int kept_init(struct kunit *test)
{
	int ret = env_init(test);

	/* The firmware calls PDs 1, 2, 3 in the order they are made. */
	return ret ? ret : env_create_pd();
}

static unsigned int kept_n(unsigned int i)
{
	return list_count_nodes(&env_owner(i)->kept.all);
}

static int objs_n(unsigned int i)
{
	return atomic_read(&env_file(i)->own.n);
}

/* File 1, in the context of the first, has PD 2, which keeps PD 1. */
static void open_keeper(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, env_open(1, 0), 0);
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	fw->holds[2] = 1;
}

static void refused_object_kept(struct kunit *test)
{
	open_keeper(test);
	env_close_file(0);
	KUNIT_EXPECT_TRUE(test, fw->live[1] && fw->live[2]);
	KUNIT_EXPECT_EQ(test, kept_n(1), 1);
	KUNIT_EXPECT_EQ(test, atomic_read(&env_owner(1)->kept.n), 1);
	KUNIT_EXPECT_EQ(test, objs_n(1), 1);
	KUNIT_EXPECT_EQ(test, fw->charges, 2);
}

static void kept_object_without_id(struct kunit *test)
{
	open_keeper(test);
	env_close_file(0);
	/* Neither under the id it had nor under one that is given later. */
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	KUNIT_EXPECT_EQ(test, env.id, 2);
	KUNIT_EXPECT_EQ(test, env_destroy(3), -ENOENT);
	KUNIT_EXPECT_EQ(test, env_destroy(1), 0);
	KUNIT_EXPECT_TRUE(test, fw->live[1]);
	KUNIT_EXPECT_FALSE(test, fw->live[2]);
}

static void next_file_destroys_kept(struct kunit *test)
{
	open_keeper(test);
	env_close_file(0);
	env_close_file(1);
	KUNIT_EXPECT_FALSE(test, fw->live[1] || fw->live[2]);
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
	KUNIT_EXPECT_EQ(test, env_owners_n(), 0);
}

static void destroyed_object_not_kept(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, env_open(1, 0), 0);
	env_close_file(0);
	KUNIT_EXPECT_FALSE(test, fw->live[1]);
	KUNIT_EXPECT_EQ(test, kept_n(1), 0);
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
}

/* Objects of two contexts cannot refer to each other; this firmware lets them. */
static void other_context_gets_nothing(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, env_open(1, 1), 0);
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	fw->holds[2] = 1;
	env_close_file(0);
	KUNIT_EXPECT_EQ(test, kept_n(1), 0);
	env_close_file(1);
	KUNIT_EXPECT_TRUE(test, fw->live[1]);
	KUNIT_EXPECT_FALSE(test, fw->live[2]);
	KUNIT_EXPECT_EQ(test, fw_count(OP(DEALLOC_PD)), 2);
	KUNIT_EXPECT_TRUE(test, verbs_end(&verbs_contexts[0], VERBS_CLOSE));
	KUNIT_EXPECT_FALSE(test, fw->live[1]);
}

static void kept_until_last_keeper(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, env_open(1, 0), 0);
	KUNIT_ASSERT_EQ(test, env_open(2, 0), 0);
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	fw->holds[2] = 1;
	env_close_file(0);
	env_close_file(1);
	KUNIT_EXPECT_EQ(test, kept_n(2), 1);
	env_close_file(2);
	KUNIT_EXPECT_FALSE(test, fw->live[1] || fw->live[2]);
}

/* A kept object may keep an own one of the file. */
static void own_objects_need_kept(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, env_open(1, 0), 0);
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	fw->holds[1] = 2;
	fw->holds[3] = 1;
	env_close_file(0);
	KUNIT_EXPECT_EQ(test, kept_n(1), 1);
	env_close_file(1);
	KUNIT_EXPECT_FALSE(test, fw->live[1] || fw->live[2] || fw->live[3]);
}

/* PD 9 stands for an object of the stock driver's. */
static void context_destroys_kept(struct kunit *test)
{
	fw->live[9] = true;
	fw->holds[9] = 1;
	env_close_file(0);
	KUNIT_EXPECT_EQ(test, env_kept_n(), 1);
	fw->live[9] = false;
	KUNIT_EXPECT_TRUE(test, verbs_end(&verbs_contexts[0], VERBS_CLOSE));
	KUNIT_EXPECT_FALSE(test, fw->live[1]);
	KUNIT_EXPECT_EQ(test, env.mdx.leftovers.contexts, 0);
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
	KUNIT_EXPECT_EQ(test, env_owners_n(), 0);
}

static void leftover_charged_until_removal(struct kunit *test)
{
	fw->live[9] = true;
	fw->holds[9] = 1;
	env_close_file(0);
	KUNIT_EXPECT_TRUE(test, verbs_end(&verbs_contexts[0], VERBS_CLOSE));
	KUNIT_EXPECT_EQ(test, env.mdx.leftovers.objs, 1);
	KUNIT_EXPECT_EQ(test, fw->charges, 1);
	KUNIT_EXPECT_EQ(test, env_owners_n(), 1);
	env_remove();
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
	KUNIT_EXPECT_EQ(test, env_owners_n(), 0);
	/* The uid is not the owner's any more. */
	KUNIT_EXPECT_TRUE(test, fw->live[1]);
}

static void removal_destroys_kept(struct kunit *test)
{
	open_keeper(test);
	env_close_file(0);
	env_remove();
	KUNIT_EXPECT_FALSE(test, fw->live[1] || fw->live[2]);
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
	env_close_file(1);
}

static void kept_objects_no_files(struct kunit *test)
{
	open_keeper(test);
	env_close_file(0);
	atomic_add(MDX_OBJS_MAX - 2, &env.file->own.n);
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	KUNIT_EXPECT_EQ(test, env_create_pd(), -ENOMEM);
	atomic_sub(MDX_OBJS_MAX - 2, &env.file->own.n);
}

/* Their create could not be answered, and the device refused to take them back. */
static void unknown_object_kept(struct kunit *test)
{
	fw_rule(OP(DEALLOC_PD), -EREMOTEIO, 0x9, 1, 2);
	env_begin(OP(ALLOC_PD));
	KUNIT_EXPECT_EQ(test, env_create_to(16, 16, NULL), -EFAULT);
	KUNIT_EXPECT_EQ(test, env_destroy(1), -EREMOTEIO);
	fw_rule(OP(DEALLOC_PD), -EREMOTEIO, 0x9, 1, 2);
	env_close_file(0);
	KUNIT_EXPECT_EQ(test, env_kept_n(), 2);
	KUNIT_EXPECT_EQ(test, fw->charges, 2);
	KUNIT_EXPECT_TRUE(test, verbs_end(&verbs_contexts[0], VERBS_CLOSE));
	KUNIT_EXPECT_FALSE(test, fw->live[1] || fw->live[2]);
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
}

static struct kunit_case kept_cases[] = {
	KUNIT_CASE(refused_object_kept),
	KUNIT_CASE(kept_object_without_id),
	KUNIT_CASE(next_file_destroys_kept),
	KUNIT_CASE(destroyed_object_not_kept),
	KUNIT_CASE(other_context_gets_nothing),
	KUNIT_CASE(kept_until_last_keeper),
	KUNIT_CASE(own_objects_need_kept),
	KUNIT_CASE(context_destroys_kept),
	KUNIT_CASE(leftover_charged_until_removal),
	KUNIT_CASE(removal_destroys_kept),
	KUNIT_CASE(kept_objects_no_files),
	KUNIT_CASE(unknown_object_kept),
	{}
};

static struct kunit_suite kept_suite = {
	.name = "mdx_kept",
	.suite_init = env_suite_init,
	.suite_exit = env_suite_exit,
	.init = kept_init,
	.exit = env_exit,
	.test_cases = kept_cases,
};

kunit_test_suite(kept_suite);
