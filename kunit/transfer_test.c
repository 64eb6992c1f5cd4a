// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Objects that outlive their file, as one of another file of the same context
 * names them.
 */
#include "fake_fw.h"
#include "obj_env.h"

static int heir_init(struct kunit *test)
{
	int ret = env_init(test);

	/* The firmware calls PDs 1, 2, 3 in the order they are made. */
	return ret ? ret : env_create_pd();
}

static struct mdx_file *file_of(unsigned int i)
{
	return env.filps[i].private_data;
}

static unsigned int inherited(unsigned int i)
{
	return list_count_nodes(&file_of(i)->inherited);
}

static unsigned int own(unsigned int i)
{
	return list_count_nodes(&file_of(i)->all);
}

static int objs_n(unsigned int i)
{
	return atomic_read(&file_of(i)->objs_n);
}

/* File 1 of the first's context, whose PD 2 keeps PD 1. */
static void open_keeper(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, env_open(1, 0), 0);
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	fw->holds[2] = 1;
}

static void what_stays_is_the_heirs(struct kunit *test)
{
	open_keeper(test);
	env_close_file(0);
	KUNIT_EXPECT_TRUE(test, fw->live[1] && fw->live[2]);
	KUNIT_EXPECT_EQ(test, inherited(1), 1);
	KUNIT_EXPECT_EQ(test, own(1), 1);
	KUNIT_EXPECT_EQ(test, objs_n(1), 2);
	KUNIT_EXPECT_EQ(test, fw->charges, 2);
	/* Not under the id it had, nor under one that is given later. */
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	KUNIT_EXPECT_EQ(test, env.id, 2);
	KUNIT_EXPECT_EQ(test, env_destroy(3), -ENOENT);

	env_close_file(1);
	KUNIT_EXPECT_FALSE(test, fw->live[1] || fw->live[2] || fw->live[3]);
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
}

static void what_left_has_no_id(struct kunit *test)
{
	struct mdx_file *first = file_of(0);

	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	KUNIT_ASSERT_EQ(test, env_open(1, 0), 0);
	percpu_down_read(&env.mdx.live_sem);
	mutex_lock(&env.mdx.files_lock);
	mdx_obj_leave(first, file_of(1));
	mutex_unlock(&env.mdx.files_lock);
	percpu_up_read(&env.mdx.live_sem);
	KUNIT_EXPECT_EQ(test, objs_n(0), 0);
	KUNIT_EXPECT_EQ(test, own(0), 0);
	KUNIT_EXPECT_EQ(test, objs_n(1), 2);
	KUNIT_EXPECT_EQ(test, inherited(1), 2);
	KUNIT_EXPECT_EQ(test, fw->charges, 2);

	env.file = first;
	KUNIT_EXPECT_EQ(test, env_destroy(1), -ENOENT);
	KUNIT_EXPECT_EQ(test, env_destroy(2), -ENOENT);
	env.file = file_of(1);
	KUNIT_EXPECT_EQ(test, env_destroy(1), -ENOENT);
	KUNIT_EXPECT_EQ(test, fw_count(0x801), 0);
	env_close_file(0);
	KUNIT_EXPECT_EQ(test, fw_count(0x801), 0);
	env_close_file(1);
	KUNIT_EXPECT_EQ(test, fw_count(0x801), 2);
}

static void nobody_inherits_what_is_not_left(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, env_open(1, 0), 0);
	env_close_file(0);
	KUNIT_EXPECT_FALSE(test, fw->live[1]);
	KUNIT_EXPECT_EQ(test, inherited(1), 0);
	KUNIT_EXPECT_EQ(test, objs_n(1), 0);
}

/* Objects of two contexts cannot name each other; this firmware lets them. */
static void another_context_inherits_nothing(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, env_open(1, 1), 0);
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	fw->holds[2] = 1;
	env_close_file(0);
	/* It was reported, and is nobody's. */
	KUNIT_EXPECT_EQ(test, inherited(1), 0);
	KUNIT_EXPECT_EQ(test, objs_n(1), 1);
	KUNIT_EXPECT_EQ(test, fw->charges, 1);
	env_close_file(1);
	KUNIT_EXPECT_TRUE(test, fw->live[1]);
	KUNIT_EXPECT_FALSE(test, fw->live[2]);
	KUNIT_EXPECT_EQ(test, fw_count(0x801), 2);
}

static void the_heir_is_of_the_same_context(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, env_open(2, 1), 0);
	open_keeper(test);
	env_close_file(0);
	KUNIT_EXPECT_EQ(test, inherited(2), 0);
	KUNIT_EXPECT_EQ(test, inherited(1), 1);
}

static void heirs_have_heirs(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, env_open(1, 0), 0);
	KUNIT_ASSERT_EQ(test, env_open(2, 0), 0);
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	fw->holds[2] = 1;
	env_close_file(0);
	KUNIT_EXPECT_EQ(test, inherited(1), 1);
	env_close_file(1);
	KUNIT_EXPECT_EQ(test, inherited(2), 1);
	KUNIT_EXPECT_EQ(test, objs_n(2), 2);
	env_close_file(2);
	KUNIT_EXPECT_FALSE(test, fw->live[1] || fw->live[2]);
}

/* What is inherited may keep what is the heir's own. */
static void own_ones_may_need_the_inherited(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, env_open(1, 0), 0);
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	fw->holds[1] = 2;
	fw->holds[3] = 1;
	env_close_file(0);
	KUNIT_EXPECT_EQ(test, inherited(1), 1);
	env_close_file(1);
	KUNIT_EXPECT_FALSE(test, fw->live[1] || fw->live[2] || fw->live[3]);
}

static void without_an_heir_it_is_nobodys(struct kunit *test)
{
	open_keeper(test);
	/* Nobody frees that one: it stands for an object of the stock driver's. */
	fw->live[9] = true;
	fw->holds[9] = 1;
	env_close_file(0);
	env_close_file(1);
	KUNIT_EXPECT_TRUE(test, fw->live[1]);
	KUNIT_EXPECT_FALSE(test, fw->live[2]);
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
}

static void removal_ends_the_inherited(struct kunit *test)
{
	open_keeper(test);
	env_close_file(0);
	env_remove();
	KUNIT_EXPECT_FALSE(test, fw->live[1] || fw->live[2]);
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
	env_close_file(1);
}

static void inherited_ones_count(struct kunit *test)
{
	open_keeper(test);
	env_close_file(0);
	atomic_add(MDX_OBJS_MAX - 2, &env.file->objs_n);
	KUNIT_EXPECT_EQ(test, env_create_pd(), -ENOMEM);
	atomic_sub(MDX_OBJS_MAX - 2, &env.file->objs_n);
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
}

static struct kunit_case heir_cases[] = {
	KUNIT_CASE(what_stays_is_the_heirs),
	KUNIT_CASE(what_left_has_no_id),
	KUNIT_CASE(nobody_inherits_what_is_not_left),
	KUNIT_CASE(another_context_inherits_nothing),
	KUNIT_CASE(the_heir_is_of_the_same_context),
	KUNIT_CASE(heirs_have_heirs),
	KUNIT_CASE(own_ones_may_need_the_inherited),
	KUNIT_CASE(without_an_heir_it_is_nobodys),
	KUNIT_CASE(removal_ends_the_inherited),
	KUNIT_CASE(inherited_ones_count),
	{}
};

static struct kunit_suite heir_suite = {
	.name = "mdx_heir",
	.suite_init = env_suite_init,
	.suite_exit = env_suite_exit,
	.init = heir_init,
	.exit = env_exit,
	.test_cases = heir_cases,
};

kunit_test_suite(heir_suite);
