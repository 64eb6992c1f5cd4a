// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Owners: from the first bind of a context until nothing of it is left, and the end
 * of the context in between.
 */
#include <linux/delay.h>
#include <linux/workqueue.h>

#include "fake_fw.h"
#include "mbox_bits.h"
#include "obj_env.h"
#include "optab_rows.h"
#include "verbs_env.h"

static struct verbs_context *const context = &verbs_contexts[0];

static bool end_context(void)
{
	return verbs_end(context, VERBS_CLOSE);
}

/* The device keeps PDs until it is told otherwise. */
static void refuse_destroys(unsigned int times)
{
	fw_rule(OP(DEALLOC_PD), -EREMOTEIO, 0x9, 1, times);
}

/* No file is open, and the device has PD 1. */
static void park_owner(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, env_create_pd(), 0);
	refuse_destroys(1);
	env_close();
	KUNIT_ASSERT_EQ(test, env_owners_n(), 1);
	KUNIT_ASSERT_TRUE(test, fw->live[1]);
}

static void files_share_owner(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, env_open(1, 0), 0);
	KUNIT_EXPECT_PTR_EQ(test, env_owner(1), env_owner(0));
	KUNIT_ASSERT_EQ(test, env_open(2, 1), 0);
	KUNIT_EXPECT_PTR_NE(test, env_owner(2), env_owner(0));
	KUNIT_EXPECT_EQ(test, env_owners_n(), 2);
}

static void owner_freed_with_last_file(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, env_open(1, 0), 0);
	env_close_file(0);
	KUNIT_EXPECT_EQ(test, env_owners_n(), 1);
	KUNIT_EXPECT_EQ(test, verbs_destroy_pd(context, 0), -EINVAL);
	env_close_file(1);
	KUNIT_EXPECT_EQ(test, env_owners_n(), 0);
	KUNIT_EXPECT_EQ(test, kref_read(&env.mdx.ref), 1);
	KUNIT_EXPECT_EQ(test, verbs_destroy_pd(context, 0), 0);
}

static void context_not_referred_to(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&context->refs), 0);
	env_close();
	KUNIT_EXPECT_EQ(test, atomic_read(&context->refs), 0);
}

static void context_end_destroys_objects(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	KUNIT_ASSERT_EQ(test, env_open(1, 0), 0);
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	KUNIT_EXPECT_TRUE(test, end_context());
	KUNIT_EXPECT_FALSE(test, fw->live[1] || fw->live[2]);
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
	KUNIT_EXPECT_EQ(test, env.mdx.leftovers.contexts, 0);
}

static void ended_context_eio(struct kunit *test)
{
	struct mdx_ioc_obj_list list;
	struct mdx_ioc_info info;

	KUNIT_EXPECT_EQ(test, env_create_qp(), 0);
	KUNIT_EXPECT_TRUE(test, end_context());
	fw->sent_n = 0;
	KUNIT_EXPECT_EQ(test, env_create_pd(), -EIO);
	KUNIT_EXPECT_EQ(test, env_query_qp(1, 1), -EIO);
	KUNIT_EXPECT_EQ(test, env_destroy(1), -EIO);
	KUNIT_EXPECT_EQ(test, env_list(0, 1, &list), -EIO);
	KUNIT_EXPECT_EQ(test, env_info(&info), 0);
	KUNIT_EXPECT_EQ(test, info.out_flags, MDX_INFO_BOUND | MDX_INFO_ENDED);
	env_close();
	KUNIT_EXPECT_EQ(test, fw->sent_n, 0);
	KUNIT_EXPECT_EQ(test, env_owners_n(), 0);
}

static void other_context_goes_on(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, env_open(1, 1), 0);
	KUNIT_EXPECT_TRUE(test, end_context());
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), 0);
}

/* Verbs object 1 keeps PD 1. */
static void verbs_destroyed(u32 handle)
{
	if (handle == 1)
		fw->live[9] = false;
}

static void passes_destroy_what_helps(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	fw->live[9] = true;
	fw->holds[9] = 1;
	context->refusals[1] = 1;
	context->destroyed = verbs_destroyed;
	KUNIT_EXPECT_TRUE(test, verbs_pass(context, VERBS_CLOSE));
	KUNIT_EXPECT_TRUE(test, fw->live[1]);
	KUNIT_EXPECT_TRUE(test, end_context());
	KUNIT_EXPECT_FALSE(test, fw->live[1]);
	KUNIT_EXPECT_EQ(test, context->destroys[0], 1);
	KUNIT_EXPECT_EQ(test, env.mdx.leftovers.contexts, 0);
}

/* The last object of the context does not wait for what cannot be helped. */
static void refused_objects_stay_charged(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	refuse_destroys(UINT_MAX);
	KUNIT_EXPECT_TRUE(test, end_context());
	KUNIT_EXPECT_EQ(test, env.mdx.leftovers.objs, 1);
	KUNIT_EXPECT_EQ(test, fw->charges, 1);
	env_close();
	KUNIT_EXPECT_EQ(test, fw->charges, 1);
	KUNIT_EXPECT_EQ(test, env_owners_n(), 1);
	env_remove();
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
	KUNIT_EXPECT_EQ(test, env_owners_n(), 0);
}

/* The PD of the anchor is what keeps the context. */
static void given_up_context_settled(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	context->refusals[0] = UINT_MAX;
	KUNIT_EXPECT_FALSE(test, end_context());
	KUNIT_EXPECT_FALSE(test, fw->live[1]);
	env_close();
	env_settle();
	KUNIT_EXPECT_NULL(test, context->pds[0]);
	KUNIT_EXPECT_EQ(test, env_owners_n(), 0);
}

static void given_up_context_reported(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	refuse_destroys(UINT_MAX);
	context->refusals[0] = UINT_MAX;
	KUNIT_EXPECT_FALSE(test, end_context());
	env_settle();
	KUNIT_EXPECT_EQ(test, env.mdx.leftovers.contexts, 1);
	KUNIT_EXPECT_EQ(test, env.mdx.leftovers.objs, 1);
	KUNIT_EXPECT_EQ(test, env_owner(0)->users, 1);
}

static void parked_owner_ends_with_context(struct kunit *test)
{
	park_owner(test);
	KUNIT_EXPECT_EQ(test, verbs_destroy_pd(context, 0), -EINVAL);
	KUNIT_EXPECT_TRUE(test, end_context());
	KUNIT_EXPECT_FALSE(test, fw->live[1]);
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
	KUNIT_EXPECT_EQ(test, env_owners_n(), 0);
}

static void bind_joins_parked_owner(struct kunit *test)
{
	struct mdx_owner *owner = env_owner(0);

	park_owner(test);
	KUNIT_ASSERT_EQ(test, env_open(1, 0), 0);
	KUNIT_EXPECT_PTR_EQ(test, env_owner(1), owner);
	env_close();
	KUNIT_EXPECT_FALSE(test, fw->live[1]);
	KUNIT_EXPECT_EQ(test, env_owners_n(), 0);
}

static void removal_leaves_rest_to_context(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	refuse_destroys(1);
	env_remove();
	KUNIT_EXPECT_TRUE(test, fw->live[1]);
	KUNIT_EXPECT_EQ(test, fw->charges, 1);
	KUNIT_EXPECT_EQ(test, env_create_pd(), -EIO);
	KUNIT_EXPECT_TRUE(test, verbs_end(context, VERBS_REMOVE));
	KUNIT_EXPECT_FALSE(test, fw->live[1]);
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
	KUNIT_EXPECT_EQ(test, env.mdx.leftovers.contexts, 0);
}

static void removed_parked_owner_freed(struct kunit *test)
{
	park_owner(test);
	refuse_destroys(UINT_MAX);
	env_remove();
	/* The context has yet to end, and the pass needs the owner. */
	KUNIT_EXPECT_EQ(test, env_owners_n(), 1);
	KUNIT_EXPECT_TRUE(test, verbs_end(context, VERBS_REMOVE));
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
	KUNIT_EXPECT_EQ(test, env_owners_n(), 0);
}

/* Between two passes of the context's end */
static void removal_while_context_ends(struct kunit *test)
{
	unsigned int sent;

	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	refuse_destroys(1);
	context->closed = true;
	context->refusals[1] = 1;
	KUNIT_EXPECT_TRUE(test, verbs_pass(context, VERBS_CLOSE));
	KUNIT_EXPECT_TRUE(test, fw->live[1]);
	KUNIT_EXPECT_EQ(test, fw->charges, 1);
	sent = fw->sent_n;
	env_remove();
	KUNIT_EXPECT_EQ(test, fw->sent_n, sent);
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
	KUNIT_EXPECT_TRUE(test, end_context());
	KUNIT_EXPECT_FALSE(test, fw->live[1]);
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
	env_close();
	KUNIT_EXPECT_EQ(test, env_owners_n(), 0);
}

static void unload_gives_pd_back(struct kunit *test)
{
	park_owner(test);
	refuse_destroys(UINT_MAX);
	KUNIT_EXPECT_TRUE(test, env_unload());
	KUNIT_EXPECT_EQ(test, env.mdx.leftovers.objs, 1);
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
	KUNIT_EXPECT_EQ(test, env_owners_n(), 0);
	KUNIT_EXPECT_EQ(test, verbs_destroy_pd(context, 0), 0);
}

static void unload_waits_for_pd(struct kunit *test)
{
	park_owner(test);
	refuse_destroys(UINT_MAX);
	verbs_use_pd(context, 0);
	KUNIT_EXPECT_FALSE(test, env_unload());
	KUNIT_EXPECT_EQ(test, verbs_destroy_pd(context, 0), -EINVAL);
	verbs_unuse_pd(context, 0);
	KUNIT_EXPECT_TRUE(test, mdx_owner_release_unused(&env.mdx));
	KUNIT_EXPECT_EQ(test, verbs_destroy_pd(context, 0), 0);
}

static void unload_waits_for_context_end(struct kunit *test)
{
	park_owner(test);
	refuse_destroys(UINT_MAX);
	context->closed = true;
	KUNIT_EXPECT_FALSE(test, env_unload());
	KUNIT_EXPECT_TRUE(test, end_context());
	KUNIT_EXPECT_TRUE(test, mdx_owner_release_unused(&env.mdx));
}

/* The context ends in a task of its own. */
static struct {
	struct work_struct work;
	bool ended_early;
	unsigned int sent;
} e;

static void end_work(struct work_struct *work)
{
	end_context();
}

static void hook_end(u16 opcode)
{
	if (opcode != OP(ALLOC_PD))
		return;
	fw->hook = NULL;
	queue_work(system_unbound_wq, &e.work);
	msleep(50);
	e.ended_early = READ_ONCE(env.file->owner->ended);
	e.sent = fw->sent_n;
}

static void context_end_waits_for_call(struct kunit *test)
{
	memset(&e, 0, sizeof(e));
	INIT_WORK(&e.work, end_work);
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	fw->hook = hook_end;
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	flush_work(&e.work);
	KUNIT_EXPECT_FALSE(test, e.ended_early);
	KUNIT_EXPECT_EQ(test, e.sent, 2);
	KUNIT_EXPECT_FALSE(test, fw->live[1] || fw->live[2]);
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
	KUNIT_EXPECT_EQ(test, env_destroy(2), -EIO);
}

static void abort_after_end_frees(struct kunit *test)
{
	struct mdx_obj *obj = env_create_direct();

	KUNIT_ASSERT_NOT_NULL(test, obj);
	KUNIT_EXPECT_TRUE(test, end_context());
	KUNIT_EXPECT_FALSE(test, fw->live[1]);
	fw->sent_n = 0;
	mdx_obj_abort(env.file, obj);
	KUNIT_EXPECT_EQ(test, fw->sent_n, 0);
	KUNIT_EXPECT_TRUE(test, list_empty(&env.file->own.all));
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
}

static void abort_after_end_leaves_to_device(struct kunit *test)
{
	struct mdx_obj *obj = env_create_direct();

	KUNIT_ASSERT_NOT_NULL(test, obj);
	refuse_destroys(UINT_MAX);
	KUNIT_EXPECT_TRUE(test, end_context());
	mdx_obj_abort(env.file, obj);
	KUNIT_EXPECT_EQ(test, obj->id, 0);
	KUNIT_EXPECT_TRUE(test, list_is_singular(&env.file->own.all));
	KUNIT_EXPECT_EQ(test, fw->charges, 1);
}

static void sharers_know_same_ids(struct kunit *test)
{
	u32 id;

	KUNIT_ASSERT_EQ(test, env_open_shared(1, 0), 0);
	KUNIT_EXPECT_EQ(test, env_create_qp(), 0);
	id = env.id;
	KUNIT_ASSERT_EQ(test, env_open_shared(2, 0), 0);
	KUNIT_EXPECT_EQ(test, env_objs_n(), 1);
	KUNIT_EXPECT_EQ(test, env_query_qp(id, 1), 0);
	KUNIT_EXPECT_EQ(test, env_destroy(id), 0);
	env.file = env_file(1);
	KUNIT_EXPECT_EQ(test, env_destroy(id), -ENOENT);
}

static void other_files_do_not_share(struct kunit *test)
{
	struct mdx_file *alone = env.file;
	u32 id;

	KUNIT_ASSERT_EQ(test, env_open_shared(1, 0), 0);
	KUNIT_EXPECT_EQ(test, env_create_qp(), 0);
	id = env.id;
	env.file = alone;
	KUNIT_EXPECT_EQ(test, env_destroy(id), -ENOENT);
	KUNIT_ASSERT_EQ(test, env_open_shared(2, 1), 0);
	KUNIT_EXPECT_EQ(test, env_destroy(id), -ENOENT);
}

static void last_sharer_ends_objects(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, env_open_shared(1, 0), 0);
	KUNIT_ASSERT_EQ(test, env_open_shared(2, 0), 0);
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	env_close_file(2);
	KUNIT_EXPECT_TRUE(test, fw->live[1]);
	env_close_file(1);
	KUNIT_EXPECT_FALSE(test, fw->live[1]);
	KUNIT_EXPECT_EQ(test, env_owners_n(), 1);
}

static void sharers_begin_again(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, env_open_shared(1, 0), 0);
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	refuse_destroys(1);
	env_close_file(1);
	KUNIT_EXPECT_EQ(test, env_kept_n(), 1);
	KUNIT_ASSERT_EQ(test, env_open_shared(1, 0), 0);
	KUNIT_EXPECT_EQ(test, env_objs_n(), 0);
	KUNIT_EXPECT_EQ(test, env_destroy(1), -ENOENT);
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	KUNIT_EXPECT_EQ(test, env.id, 2);
}

static void context_end_destroys_shared(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, env_open_shared(1, 0), 0);
	KUNIT_ASSERT_EQ(test, env_open_shared(2, 0), 0);
	KUNIT_EXPECT_EQ(test, env_create_pd(), 0);
	KUNIT_EXPECT_TRUE(test, end_context());
	KUNIT_EXPECT_EQ(test, fw_count(OP(DEALLOC_PD)), 1);
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
	KUNIT_EXPECT_EQ(test, env_destroy(1), -EIO);
}

static struct kunit_case owner_cases[] = {
	KUNIT_CASE(files_share_owner),
	KUNIT_CASE(owner_freed_with_last_file),
	KUNIT_CASE(context_not_referred_to),
	KUNIT_CASE(context_end_destroys_objects),
	KUNIT_CASE(ended_context_eio),
	KUNIT_CASE(other_context_goes_on),
	KUNIT_CASE(passes_destroy_what_helps),
	KUNIT_CASE(refused_objects_stay_charged),
	KUNIT_CASE(given_up_context_settled),
	KUNIT_CASE(given_up_context_reported),
	KUNIT_CASE(parked_owner_ends_with_context),
	KUNIT_CASE(bind_joins_parked_owner),
	KUNIT_CASE(removal_leaves_rest_to_context),
	KUNIT_CASE(removed_parked_owner_freed),
	KUNIT_CASE(removal_while_context_ends),
	KUNIT_CASE(unload_gives_pd_back),
	KUNIT_CASE(unload_waits_for_pd),
	KUNIT_CASE(unload_waits_for_context_end),
	KUNIT_CASE(context_end_waits_for_call),
	KUNIT_CASE(abort_after_end_frees),
	KUNIT_CASE(abort_after_end_leaves_to_device),
	KUNIT_CASE(sharers_know_same_ids),
	KUNIT_CASE(other_files_do_not_share),
	KUNIT_CASE(last_sharer_ends_objects),
	KUNIT_CASE(sharers_begin_again),
	KUNIT_CASE(context_end_destroys_shared),
	{}
};

static struct kunit_suite owner_suite = {
	.name = "mdx_owner",
	.suite_init = env_suite_init,
	.suite_exit = env_suite_exit,
	.init = env_init,
	.exit = env_exit,
	.test_cases = owner_cases,
};

kunit_test_suite(owner_suite);
