// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Objects that outlive their file, since an object of another file of the same
 * context refers to them.
 */
#include "fake_fw.h"
#include "mbox_bits.h"
#include "obj_env.h"
#include "optab_rows.h"

static int transfer_init(struct kunit *test)
{
	int ret = env_init(test);

	/* The firmware calls PDs 1, 2, 3 in the order they are made. */
	return ret ? ret : env_create_pd();
}

static unsigned int adopted_n(unsigned int i)
{
	return list_count_nodes(&env_file(i)->adopted);
}

static unsigned int own_n(unsigned int i)
{
	return list_count_nodes(&env_file(i)->all);
}

static int objs_n(unsigned int i)
{
	return atomic_read(&env_file(i)->objs_n);
}

/* File 1, in the context of the first, has PD 2, which keeps PD 1. */
static void open_keeper(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, env_open(1, 0), 0);
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	fw->holds[2] = 1;
}

static void kept_object_transferred(struct kunit *test)
{
	open_keeper(test);
	env_close_file(0);
	KUNIT_EXPECT_TRUE(test, fw->live[1] && fw->live[2]);
	KUNIT_EXPECT_EQ(test, adopted_n(1), 1);
	KUNIT_EXPECT_EQ(test, own_n(1), 1);
	KUNIT_EXPECT_EQ(test, objs_n(1), 2);
	KUNIT_EXPECT_EQ(test, fw->charges, 2);
	/* Neither under the id it had nor under one that is given later. */
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	KUNIT_EXPECT_EQ(test, env.id, 2);
	KUNIT_EXPECT_EQ(test, env_destroy(3), -ENOENT);

	env_close_file(1);
	KUNIT_EXPECT_FALSE(test, fw->live[1] || fw->live[2] || fw->live[3]);
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
}

static void transferred_object_without_id(struct kunit *test)
{
	struct mdx_file *first = env_file(0);

	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	KUNIT_ASSERT_EQ(test, env_open(1, 0), 0);
	scoped_guard(mdx_live, &env.mdx) {
		guard(mutex)(&env.mdx.files_lock);
		mdx_obj_transfer(first, env_file(1));
	}
	KUNIT_EXPECT_EQ(test, objs_n(0), 0);
	KUNIT_EXPECT_EQ(test, own_n(0), 0);
	KUNIT_EXPECT_EQ(test, objs_n(1), 2);
	KUNIT_EXPECT_EQ(test, adopted_n(1), 2);
	KUNIT_EXPECT_EQ(test, fw->charges, 2);

	env.file = first;
	KUNIT_EXPECT_EQ(test, env_destroy(1), -ENOENT);
	KUNIT_EXPECT_EQ(test, env_destroy(2), -ENOENT);
	env.file = env_file(1);
	KUNIT_EXPECT_EQ(test, env_destroy(1), -ENOENT);
	KUNIT_EXPECT_EQ(test, fw_count(OP(DEALLOC_PD)), 0);
	env_close_file(0);
	KUNIT_EXPECT_EQ(test, fw_count(OP(DEALLOC_PD)), 0);
	env_close_file(1);
	KUNIT_EXPECT_EQ(test, fw_count(OP(DEALLOC_PD)), 2);
}

static void destroyed_object_not_transferred(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, env_open(1, 0), 0);
	env_close_file(0);
	KUNIT_EXPECT_FALSE(test, fw->live[1]);
	KUNIT_EXPECT_EQ(test, adopted_n(1), 0);
	KUNIT_EXPECT_EQ(test, objs_n(1), 0);
}

/* Objects of two contexts cannot refer to each other; this firmware lets them. */
static void other_context_gets_nothing(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, env_open(1, 1), 0);
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	fw->holds[2] = 1;
	env_close_file(0);
	/* It was reported, and belongs to no file. */
	KUNIT_EXPECT_EQ(test, adopted_n(1), 0);
	KUNIT_EXPECT_EQ(test, objs_n(1), 1);
	KUNIT_EXPECT_EQ(test, fw->charges, 1);
	env_close_file(1);
	KUNIT_EXPECT_TRUE(test, fw->live[1]);
	KUNIT_EXPECT_FALSE(test, fw->live[2]);
	KUNIT_EXPECT_EQ(test, fw_count(OP(DEALLOC_PD)), 2);
}

static void sibling_has_same_context(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, env_open(2, 1), 0);
	open_keeper(test);
	env_close_file(0);
	KUNIT_EXPECT_EQ(test, adopted_n(2), 0);
	KUNIT_EXPECT_EQ(test, adopted_n(1), 1);
}

static void transferred_object_transfers_again(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, env_open(1, 0), 0);
	KUNIT_ASSERT_EQ(test, env_open(2, 0), 0);
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	fw->holds[2] = 1;
	env_close_file(0);
	KUNIT_EXPECT_EQ(test, adopted_n(1), 1);
	env_close_file(1);
	KUNIT_EXPECT_EQ(test, adopted_n(2), 1);
	KUNIT_EXPECT_EQ(test, objs_n(2), 2);
	env_close_file(2);
	KUNIT_EXPECT_FALSE(test, fw->live[1] || fw->live[2]);
}

/* An adopted object may keep an own one of the file. */
static void own_objects_need_adopted(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, env_open(1, 0), 0);
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	fw->holds[1] = 2;
	fw->holds[3] = 1;
	env_close_file(0);
	KUNIT_EXPECT_EQ(test, adopted_n(1), 1);
	env_close_file(1);
	KUNIT_EXPECT_FALSE(test, fw->live[1] || fw->live[2] || fw->live[3]);
}

static void last_file_reports_leftovers(struct kunit *test)
{
	open_keeper(test);
	/* PD 9 is not freed: it stands for an object of the stock driver's. */
	fw->live[9] = true;
	fw->holds[9] = 1;
	env_close_file(0);
	env_close_file(1);
	KUNIT_EXPECT_TRUE(test, fw->live[1]);
	KUNIT_EXPECT_FALSE(test, fw->live[2]);
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
}

static void removal_destroys_adopted(struct kunit *test)
{
	open_keeper(test);
	env_close_file(0);
	env_remove();
	KUNIT_EXPECT_FALSE(test, fw->live[1] || fw->live[2]);
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
	env_close_file(1);
}

static void adopted_objects_count(struct kunit *test)
{
	open_keeper(test);
	env_close_file(0);
	atomic_add(MDX_OBJS_MAX - 2, &env.file->objs_n);
	KUNIT_EXPECT_EQ(test, env_create_pd(), -ENOMEM);
	atomic_sub(MDX_OBJS_MAX - 2, &env.file->objs_n);
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
}

static struct kunit_case transfer_cases[] = {
	KUNIT_CASE(kept_object_transferred),
	KUNIT_CASE(transferred_object_without_id),
	KUNIT_CASE(destroyed_object_not_transferred),
	KUNIT_CASE(other_context_gets_nothing),
	KUNIT_CASE(sibling_has_same_context),
	KUNIT_CASE(transferred_object_transfers_again),
	KUNIT_CASE(own_objects_need_adopted),
	KUNIT_CASE(last_file_reports_leftovers),
	KUNIT_CASE(removal_destroys_adopted),
	KUNIT_CASE(adopted_objects_count),
	{}
};

static struct kunit_suite transfer_suite = {
	.name = "mdx_transfer",
	.suite_init = env_suite_init,
	.suite_exit = env_suite_exit,
	.init = transfer_init,
	.exit = env_exit,
	.test_cases = transfer_cases,
};

kunit_test_suite(transfer_suite);
