// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The ioctls about verbs objects and contexts, as far as no verbs object is needed:
 * selftests/mdx has the rest, with rdma_core.
 */
#include "fake_fw.h"
#include "obj_env.h"
#include "optab_rows.h"
#include "verbs_env.h"

static void obj_type_unknown_eopnotsupp(struct kunit *test)
{
	static const u32 types[] = {
		0, MDX_VERBS_RWQ_IND_TBL + 1, 0x100, U32_MAX,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(types); i++) {
		env_begin(OP(QUERY_CQ));
		KUNIT_EXPECT_EQ(test, env_verbs(MDX_OP_QUERY, 1, types[i]),
				-EOPNOTSUPP);
		env_begin(OP(MODIFY_CQ));
		KUNIT_EXPECT_EQ(test, env_verbs(MDX_OP_MODIFY, 1, types[i]),
				-EOPNOTSUPP);
	}
	KUNIT_EXPECT_EQ(test, fw->sent_n, 0);
}

static void handle_unknown_enoent(struct kunit *test)
{
	u32 type;

	for (type = MDX_VERBS_CQ; type <= MDX_VERBS_RWQ_IND_TBL; type++) {
		env_begin(OP(QUERY_CQ));
		KUNIT_EXPECT_EQ(test, env_verbs(MDX_OP_QUERY, 7, type), -ENOENT);
		KUNIT_EXPECT_EQ(test, env.file->last_error.out_stage,
				MDX_STAGE_OBJECT);
		KUNIT_EXPECT_EQ(test, env.file->last_error.out_obj, 7);
	}
	KUNIT_EXPECT_EQ(test, fw->sent_n, 0);
}

/* The class of the ioctl is that of the command. */
static void verbs_class_einval(struct kunit *test)
{
	env_begin(OP(QUERY_CQ));
	KUNIT_EXPECT_EQ(test, env_verbs(MDX_OP_MODIFY, 1, MDX_VERBS_CQ),
			-EINVAL);
	env_begin(OP(CREATE_CQ));
	KUNIT_EXPECT_EQ(test, env_verbs(MDX_OP_QUERY, 1, MDX_VERBS_CQ), -EINVAL);
	env_begin(OP(CREATE_UCTX));
	KUNIT_EXPECT_EQ(test, env_verbs(MDX_OP_QUERY, 1, MDX_VERBS_CQ),
			-EOPNOTSUPP);
}

static void verbs_removed_eio(struct kunit *test)
{
	env_remove();
	env_begin(OP(QUERY_CQ));
	KUNIT_EXPECT_EQ(test, env_verbs(MDX_OP_QUERY, 1, MDX_VERBS_CQ), -EIO);
}

/* The last descriptor of the context was closed, and its end has not begun. */
static void verbs_closed_eio(struct kunit *test)
{
	verbs_contexts[0].closed = true;
	env_begin(OP(QUERY_CQ));
	KUNIT_EXPECT_EQ(test, env_verbs(MDX_OP_QUERY, 1, MDX_VERBS_CQ), -EIO);
}

/* The verbs object is of another type than the ioctl says. */
static void verbs_type_einval(struct kunit *test)
{
	u32 type;

	for (type = MDX_VERBS_CQ; type <= MDX_VERBS_RWQ_IND_TBL; type++) {
		env_begin(OP(QUERY_CQ));
		KUNIT_EXPECT_EQ(test, env_verbs(MDX_OP_QUERY, 1, type), -EINVAL);
	}
	KUNIT_EXPECT_EQ(test, atomic_read(&verbs_contexts[0].pds[1]->usecnt), 0);
}

static void bind_twice_einval(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, env_bind(-1), -EINVAL);
	KUNIT_EXPECT_EQ(test, env_bind(0), -EINVAL);
}

static void bind_no_file_ebadf(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, env_open_unbound(1), 0);
	KUNIT_EXPECT_EQ(test, env_bind(-1), -EBADF);
	KUNIT_EXPECT_EQ(test, env.file->last_error.out_stage, MDX_STAGE_CHECK);
}

static void bind_meanwhile_ebusy(struct kunit *test)
{
	guard(mutex)(&env.file->bind_lock);
	KUNIT_EXPECT_EQ(test, env_bind(-1), -EBUSY);
}

static struct kunit_case verbs_cases[] = {
	KUNIT_CASE(obj_type_unknown_eopnotsupp),
	KUNIT_CASE(handle_unknown_enoent),
	KUNIT_CASE(verbs_class_einval),
	KUNIT_CASE(verbs_removed_eio),
	KUNIT_CASE(verbs_closed_eio),
	KUNIT_CASE(verbs_type_einval),
	KUNIT_CASE(bind_twice_einval),
	KUNIT_CASE(bind_no_file_ebadf),
	KUNIT_CASE(bind_meanwhile_ebusy),
	{}
};

static struct kunit_suite verbs_suite = {
	.name = "mdx_verbs",
	.suite_init = env_suite_init,
	.suite_exit = env_suite_exit,
	.init = env_init,
	.exit = env_exit,
	.test_cases = verbs_cases,
};

kunit_test_suite(verbs_suite);
