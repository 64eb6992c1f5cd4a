// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Ids of the objects of a file.
 */
#include <linux/completion.h>
#include <linux/kthread.h>

#include "fake_fw.h"
#include "mbox_bits.h"
#include "obj_env.h"
#include "optab_rows.h"

static void create_pds(struct kunit *test, unsigned int n)
{
	while (n--)
		KUNIT_ASSERT_EQ(test, env_create_pd(), 0);
}

static void other_numbers_enoent(struct kunit *test)
{
	static const u32 numbers[] = { 0, 3, 4, 64, 1 << 16, S32_MAX, U32_MAX };
	int i;

	KUNIT_EXPECT_EQ(test, env_destroy(0), -ENOENT);
	KUNIT_EXPECT_EQ(test, env_destroy(1), -ENOENT);
	create_pds(test, 2);
	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		KUNIT_EXPECT_EQ(test, env_destroy(numbers[i]), -ENOENT);
}

static void destroyed_id_not_given(struct kunit *test)
{
	create_pds(test, 3);
	KUNIT_EXPECT_EQ(test, env_destroy(3), 0);
	create_pds(test, 1);
	KUNIT_EXPECT_EQ(test, env.id, 4);
	KUNIT_EXPECT_NULL(test, env_obj(3));
	KUNIT_EXPECT_NOT_NULL(test, env_obj(4));
}

/* The id of a create that failed, in each way, is not that of a later object. */
static void failed_create_uses_id(struct kunit *test)
{
	fw_rule(OP(ALLOC_PD), -EREMOTEIO, 0x3, 1, 1);
	KUNIT_EXPECT_EQ(test, env_create_pd(), -EREMOTEIO);
	create_pds(test, 1);
	KUNIT_EXPECT_EQ(test, env.id, 2);
	fw_rule(OP(ALLOC_PD), -ETIMEDOUT, 0, 0, 1);
	KUNIT_EXPECT_EQ(test, env_create_pd(), -ETIMEDOUT);
	create_pds(test, 1);
	KUNIT_EXPECT_EQ(test, env.id, 4);
	KUNIT_EXPECT_EQ(test, env_create_to(16, 16, NULL), -EFAULT);
	create_pds(test, 1);
	KUNIT_EXPECT_EQ(test, env.id, 6);
	KUNIT_EXPECT_EQ(test, env_destroy(1), -ENOENT);
	KUNIT_EXPECT_EQ(test, env_destroy(3), -ENOENT);
	KUNIT_EXPECT_EQ(test, env_destroy(5), -ENOENT);
}

static void ids_exhausted_enomem(struct kunit *test)
{
	create_pds(test, 1);
	KUNIT_EXPECT_EQ(test, env_destroy(1), 0);
	env.file->own.ids.last = U32_MAX - 2;
	create_pds(test, 2);
	KUNIT_EXPECT_EQ(test, env.id, U32_MAX);
	KUNIT_EXPECT_EQ(test, env_create_pd(), -ENOMEM);
	KUNIT_EXPECT_EQ(test, fw_count(OP(ALLOC_PD)), 3);
	KUNIT_EXPECT_EQ(test, env_objs_n(), 2);
	KUNIT_EXPECT_EQ(test, env_destroy(U32_MAX - 1), 0);
	KUNIT_EXPECT_EQ(test, env_create_pd(), -ENOMEM);
	KUNIT_EXPECT_NOT_NULL(test, env_obj(U32_MAX));
	KUNIT_EXPECT_EQ(test, env_destroy(U32_MAX), 0);
	KUNIT_EXPECT_EQ(test, env_create_pd(), -ENOMEM);
	KUNIT_EXPECT_EQ(test, env_objs_n(), 0);
}

static void no_id_memory_enomem(struct kunit *test)
{
	env.no_ids = true;
	KUNIT_EXPECT_EQ(test, env_create_pd(), -ENOMEM);
	env.no_ids = false;
	KUNIT_EXPECT_EQ(test, fw->sent_n, 0);
	KUNIT_EXPECT_EQ(test, env_objs_n(), 0);
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
	create_pds(test, 1);
}

#define CREATORS 4
#define CREATES 1000

struct id_creator {
	struct completion done;
	u32 id[CREATES];
};

static u32 create_by_hand(void)
{
	struct mdx_obj *obj = env_create_direct();

	if (!obj)
		return 0;
	mdx_obj_finalize(env.file, obj);
	return obj->id;
}

static void destroy_by_hand(u32 id)
{
	struct mdx_ioc_obj_destroy arg = { .id = id };
	struct mdx_ucmd ucmd = {
		.file = env.file, .owner = env.file->owner, .mdx = &env.mdx,
		.arg = &arg,
	};

	guard(mdx_live)(&env.mdx);
	mdx_ioc_obj_destroy(&ucmd);
}

/* Of the objects it creates, each third stays. */
static int creator_run(void *data)
{
	struct id_creator *creator = data;
	int i;

	for (i = 0; i < CREATES; i++) {
		creator->id[i] = create_by_hand();
		if (creator->id[i] && i % 3)
			destroy_by_hand(creator->id[i]);
		cond_resched();
	}
	complete(&creator->done);
	return 0;
}

static void expect_third(struct kunit *test, const struct id_creator *creator)
{
	int i;

	for (i = 0; i < CREATES; i++) {
		KUNIT_EXPECT_NE(test, creator->id[i], 0);
		KUNIT_EXPECT_EQ(test, !!env_obj(creator->id[i]), i % 3 == 0);
	}
}

static void many_create_at_once(struct kunit *test)
{
	struct id_creator *creators;
	int n;

	creators = kunit_kcalloc(test, CREATORS, sizeof(*creators), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, creators);
	for (n = 0; n < CREATORS; n++) {
		init_completion(&creators[n].done);
		if (IS_ERR(kthread_run(creator_run, &creators[n], "mdx_ids/%d",
				       n))) {
			KUNIT_FAIL(test, "no thread");
			complete(&creators[n].done);
		}
	}
	for (n = 0; n < CREATORS; n++)
		wait_for_completion(&creators[n].done);

	for (n = 0; n < CREATORS; n++)
		expect_third(test, &creators[n]);
	KUNIT_EXPECT_EQ(test, env_objs_n(), CREATORS * (CREATES / 3 + 1));
	/* No id was left out, and none given twice. */
	KUNIT_EXPECT_EQ(test, env.file->own.ids.last - env.file->own.ids.last / MDX_CHUNK_IDS,
			CREATORS * CREATES);
}

static struct kunit_case ids_cases[] = {
	KUNIT_CASE(other_numbers_enoent),
	KUNIT_CASE(destroyed_id_not_given),
	KUNIT_CASE(failed_create_uses_id),
	KUNIT_CASE(ids_exhausted_enomem),
	KUNIT_CASE(no_id_memory_enomem),
	KUNIT_CASE(many_create_at_once),
	{}
};

static struct kunit_suite ids_suite = {
	.name = "mdx_obj_ids",
	.suite_init = env_suite_init,
	.suite_exit = env_suite_exit,
	.init = env_init,
	.exit = env_exit,
	.test_cases = ids_cases,
};

kunit_test_suite(ids_suite);
