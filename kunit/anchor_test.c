// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Anchors in a verbs context, without an owner.
 */
#include <rdma/uverbs_std_types.h>
#include <rdma/uverbs_types.h>
#include <rdma/uverbs_ioctl.h>

#include "obj_env.h"
#include "verbs_env.h"
#include "../kmod/anchor.h"
#include "../kmod/uobj.h"

/* Context 0 has the anchor of the owner of file 0. */
static struct verbs_context *const context = &verbs_contexts[1];

static struct {
	struct mdx_anchor anchor;
	int end_ret;
	unsigned int ends;
	unsigned int lefts;
	unsigned int faileds;
} a;

static int count_end(struct mdx_anchor *anchor)
{
	a.ends++;
	return a.end_ret;
}

static void count_left(struct mdx_anchor *anchor)
{
	a.lefts++;
}

static void count_failed(struct mdx_anchor *anchor)
{
	a.faileds++;
}

static const struct mdx_anchor_ops count_ops = {
	.end = count_end, .left = count_left, .failed = count_failed,
};

static int take_pd(u32 handle)
{
	struct ib_uobject *uobj;
	int ret;

	uobj = mdx_uobj_get_exclusive(&context->file, handle);
	if (IS_ERR(uobj))
		return PTR_ERR(uobj);
	ret = mdx_anchor_take(&a.anchor, uobj);
	mdx_uobj_put_exclusive(uobj);
	return ret;
}

static void expect_calls(struct kunit *test, unsigned int ends,
			 unsigned int faileds, unsigned int lefts)
{
	KUNIT_EXPECT_EQ(test, a.ends, ends);
	KUNIT_EXPECT_EQ(test, a.faileds, faileds);
	KUNIT_EXPECT_EQ(test, a.lefts, lefts);
}

static void anchored_pd_einval(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, take_pd(0), 0);
	KUNIT_EXPECT_EQ(test, verbs_destroy_pd(context, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, verbs_destroy_pd(context, 1), 0);
	expect_calls(test, 0, 0, 0);
}

static void given_back_pd_destroyed(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, take_pd(0), 0);
	KUNIT_EXPECT_TRUE(test, mdx_anchor_try_give_back(&a.anchor));
	KUNIT_EXPECT_NULL(test, a.anchor.uobj);
	KUNIT_EXPECT_EQ(test, verbs_destroy_pd(context, 0), 0);
	KUNIT_EXPECT_NULL(test, context->pds[0]);
	expect_calls(test, 0, 0, 0);
}

static void used_pd_not_given_back(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, take_pd(0), 0);
	verbs_use_pd(context, 0);
	KUNIT_EXPECT_FALSE(test, mdx_anchor_try_give_back(&a.anchor));
	KUNIT_EXPECT_EQ(test, verbs_destroy_pd(context, 0), -EINVAL);
	verbs_unuse_pd(context, 0);
	KUNIT_EXPECT_TRUE(test, mdx_anchor_try_give_back(&a.anchor));
	KUNIT_EXPECT_EQ(test, atomic_read(&context->pds[0]->usecnt), 0);
	KUNIT_EXPECT_EQ(test, verbs_destroy_pd(context, 0), 0);
}

/* The call has found the PD before it was anchored. */
static void destroy_of_found_pd_ebusy(struct kunit *test)
{
	const struct uverbs_obj_type_class *class;

	KUNIT_EXPECT_EQ(test, take_pd(0), 0);
	class = context->pds[0]->uapi_object->type_class;
	KUNIT_EXPECT_EQ(test, class->destroy_hw(context->pds[0],
						RDMA_REMOVE_DESTROY, NULL),
			-EBUSY);
	KUNIT_EXPECT_EQ(test, context->destroys[0], 0);
	expect_calls(test, 0, 0, 0);
}

static void context_end_ends_owner(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, take_pd(0), 0);
	KUNIT_EXPECT_TRUE(test, verbs_end(context, VERBS_CLOSE));
	KUNIT_EXPECT_NULL(test, a.anchor.uobj);
	KUNIT_EXPECT_NULL(test, context->pds[0]);
	KUNIT_EXPECT_EQ(test, context->destroys[0], 1);
	expect_calls(test, 1, 0, 1);
}

static void busy_owner_ended_again(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, take_pd(0), 0);
	context->refusals[1] = 2;
	a.end_ret = -EBUSY;
	KUNIT_EXPECT_TRUE(test, verbs_pass(context, VERBS_CLOSE));
	expect_calls(test, 1, 1, 0);
	KUNIT_EXPECT_FALSE(test, verbs_pass(context, VERBS_CLOSE));
	expect_calls(test, 2, 2, 0);
	a.end_ret = 0;
	KUNIT_EXPECT_TRUE(test, verbs_end(context, VERBS_CLOSE));
	expect_calls(test, 3, 2, 1);
	/* The PD itself is destroyed once. */
	KUNIT_EXPECT_EQ(test, context->destroys[0], 1);
}

static void busy_pd_destroyed_again(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, take_pd(0), 0);
	context->refusals[0] = 1;
	KUNIT_EXPECT_TRUE(test, verbs_end(context, VERBS_CLOSE));
	KUNIT_EXPECT_EQ(test, context->destroys[0], 2);
	expect_calls(test, 2, 1, 1);
}

/* PD 2 is what rdma_core destroys first, PD 0 last. */
static void last_object_does_not_wait(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, take_pd(2), 0);
	a.end_ret = -EBUSY;
	KUNIT_EXPECT_TRUE(test, verbs_end(context, VERBS_CLOSE));
	KUNIT_EXPECT_NULL(test, context->pds[2]);
	expect_calls(test, 2, 1, 1);
}

static void given_up_context_is_over(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, take_pd(0), 0);
	context->refusals[0] = UINT_MAX;
	KUNIT_EXPECT_FALSE(test, mdx_anchor_is_over(&a.anchor));
	KUNIT_EXPECT_FALSE(test, verbs_end(context, VERBS_CLOSE));
	KUNIT_EXPECT_NOT_NULL(test, context->pds[0]);
	KUNIT_EXPECT_TRUE(test, mdx_anchor_is_over(&a.anchor));
	KUNIT_EXPECT_NULL(test, a.anchor.uobj);
	KUNIT_EXPECT_NULL(test, context->pds[0]);
	expect_calls(test, 2, 2, 0);
}

static void referred_pd_not_over(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, take_pd(0), 0);
	context->refusals[0] = UINT_MAX;
	KUNIT_EXPECT_FALSE(test, verbs_end(context, VERBS_CLOSE));
	verbs_use_pd(context, 0);
	KUNIT_EXPECT_FALSE(test, mdx_anchor_is_over(&a.anchor));
	verbs_unuse_pd(context, 0);
	KUNIT_EXPECT_TRUE(test, mdx_anchor_is_over(&a.anchor));
}

static void other_class_eopnotsupp(struct kunit *test)
{
	const struct uverbs_api_object *object;

	verbs_change_class(context, 0);
	object = context->pds[0]->uapi_object;
	KUNIT_EXPECT_EQ(test, take_pd(0), -EOPNOTSUPP);
	KUNIT_EXPECT_PTR_EQ(test, context->pds[0]->uapi_object, object);
	KUNIT_EXPECT_NULL(test, a.anchor.uobj);
	verbs_restore_class(context, 0);
}

static int anchor_init(struct kunit *test)
{
	memset(&a, 0, sizeof(a));
	a.anchor.ops = &count_ops;
	return env_init(test);
}

static void anchor_exit(struct kunit *test)
{
	if (a.anchor.uobj)
		KUNIT_EXPECT_TRUE(test, mdx_anchor_try_give_back(&a.anchor));
	env_exit(test);
}

static struct kunit_case anchor_cases[] = {
	KUNIT_CASE(anchored_pd_einval),
	KUNIT_CASE(given_back_pd_destroyed),
	KUNIT_CASE(used_pd_not_given_back),
	KUNIT_CASE(destroy_of_found_pd_ebusy),
	KUNIT_CASE(context_end_ends_owner),
	KUNIT_CASE(busy_owner_ended_again),
	KUNIT_CASE(busy_pd_destroyed_again),
	KUNIT_CASE(last_object_does_not_wait),
	KUNIT_CASE(given_up_context_is_over),
	KUNIT_CASE(referred_pd_not_over),
	KUNIT_CASE(other_class_eopnotsupp),
	{}
};

static struct kunit_suite anchor_suite = {
	.name = "mdx_anchor",
	.suite_init = env_suite_init,
	.suite_exit = env_suite_exit,
	.init = anchor_init,
	.exit = anchor_exit,
	.test_cases = anchor_cases,
};

kunit_test_suite(anchor_suite);
