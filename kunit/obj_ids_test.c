// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Ids of objects: they count up, none is given twice, and their memory follows the
 * objects.
 */
#include <linux/completion.h>
#include <linux/kthread.h>
#include <linux/xarray.h>

#include "fake_fw.h"
#include "mbox_bits.h"
#include "obj_env.h"
#include "optab_rows.h"

/* Ids that a node of the id table has */
#define NODE_IDS XA_CHUNK_SIZE

/* Bits of env.no_ids: the first reservation is the id's, the next its successor's. */
#define NO_ID BIT(0)
#define NO_SUCCESSOR BIT(1)

/* The node that an id, free or not, lies in; NULL: it is not allocated. */
static struct xa_node *node_of(u32 id)
{
	XA_STATE(xas, &env.file->objs, id);

	guard(rcu)();
	xas_load(&xas);
	return xas_is_node(&xas) && !xas.xa_node->shift ? xas.xa_node : NULL;
}

static void create_pds(struct kunit *test, unsigned int n)
{
	u32 id = env.file->last_id;

	while (n--) {
		KUNIT_ASSERT_EQ(test, env_create_pd(), 0);
		KUNIT_ASSERT_EQ(test, env.id, ++id);
	}
}

static void destroy_pds(struct kunit *test, u32 from, u32 to)
{
	for (; from <= to; from++)
		if (env_obj(from))
			KUNIT_EXPECT_EQ(test, env_destroy(from), 0);
}

static void ids_count_up(struct kunit *test)
{
	struct mdx_obj *obj;
	u32 id;

	create_pds(test, 3 * NODE_IDS);
	for (id = 1; id <= 3 * NODE_IDS; id++) {
		obj = env_obj(id);
		KUNIT_ASSERT_NOT_NULL(test, obj);
		KUNIT_EXPECT_EQ(test, obj->id, id);
	}
}

static void other_numbers_enoent(struct kunit *test)
{
	static const u32 numbers[] = {
		0, 3, 4, NODE_IDS - 1, NODE_IDS, NODE_IDS + 1, 1 << 16, S32_MAX,
		U32_MAX,
	};
	int i;

	KUNIT_EXPECT_EQ(test, env_destroy(0), -ENOENT);
	KUNIT_EXPECT_EQ(test, env_destroy(1), -ENOENT);
	create_pds(test, 2);
	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		KUNIT_EXPECT_EQ(test, env_destroy(numbers[i]), -ENOENT);
}

static void id_given_once(struct kunit *test)
{
	create_pds(test, 3);
	destroy_pds(test, 1, 3);
	KUNIT_EXPECT_NULL(test, env_obj(3));
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

static void node_freed_with_objects(struct kunit *test)
{
	create_pds(test, 3 * NODE_IDS - 1);
	destroy_pds(test, NODE_IDS, 2 * NODE_IDS - 2);
	KUNIT_EXPECT_NOT_NULL(test, node_of(NODE_IDS));
	destroy_pds(test, 2 * NODE_IDS - 1, 2 * NODE_IDS - 1);
	KUNIT_EXPECT_NULL(test, node_of(NODE_IDS));
	KUNIT_EXPECT_NOT_NULL(test, env_obj(1));
	KUNIT_EXPECT_NOT_NULL(test, env_obj(2 * NODE_IDS));
}

/* The reserved successor keeps the newest node while there is no object. */
static void newest_node_stays(struct kunit *test)
{
	struct xa_node *node;

	create_pds(test, NODE_IDS - 3);
	node = node_of(1);
	KUNIT_EXPECT_NOT_NULL(test, node);
	destroy_pds(test, 1, NODE_IDS - 3);
	KUNIT_EXPECT_PTR_EQ(test, node_of(1), node);
	create_pds(test, 1);
	KUNIT_EXPECT_PTR_EQ(test, node_of(1), node);
	destroy_pds(test, 1, NODE_IDS - 2);
	KUNIT_EXPECT_PTR_EQ(test, node_of(1), node);
	/* The id of the next one is the node's last. */
	create_pds(test, 1);
	destroy_pds(test, 1, NODE_IDS - 1);
	KUNIT_EXPECT_NULL(test, node_of(1));
	KUNIT_EXPECT_NOT_NULL(test, node_of(NODE_IDS));
}

/* Objects are found in the order of their ids. */
static void objects_visited_in_order(struct kunit *test)
{
	static const u32 left[] = {
		1, NODE_IDS - 1, NODE_IDS + 1, 3 * NODE_IDS + 7,
		3 * NODE_IDS + 8, 5 * NODE_IDS - 1,
	};
	struct mdx_obj *obj;
	unsigned long at;
	int i = 0, n = 0;
	u32 id;

	create_pds(test, 5 * NODE_IDS);
	for (id = 1; id <= 5 * NODE_IDS; id++) {
		if (i < ARRAY_SIZE(left) && id == left[i])
			i++;
		else
			destroy_pds(test, id, id);
	}
	xa_for_each(&env.file->objs, at, obj) {
		KUNIT_ASSERT_LT(test, n, ARRAY_SIZE(left));
		KUNIT_EXPECT_EQ(test, at, left[n]);
		KUNIT_EXPECT_EQ(test, obj->id, left[n]);
		n++;
	}
	KUNIT_EXPECT_EQ(test, n, ARRAY_SIZE(left));
	KUNIT_EXPECT_EQ(test, env_objs_n(), (int)ARRAY_SIZE(left));
}

static void ids_exhausted_enomem(struct kunit *test)
{
	env.file->last_id = U32_MAX - 2;
	create_pds(test, 2);
	KUNIT_EXPECT_EQ(test, env.id, U32_MAX);
	KUNIT_EXPECT_EQ(test, env_create_pd(), -ENOMEM);
	KUNIT_EXPECT_EQ(test, fw_count(OP(ALLOC_PD)), 2);
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
	env.no_ids = NO_ID;
	KUNIT_EXPECT_EQ(test, env_create_pd(), -ENOMEM);
	KUNIT_EXPECT_EQ(test, fw->sent_n, 0);
	KUNIT_EXPECT_EQ(test, env_objs_n(), 0);
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
	create_pds(test, 1);
	KUNIT_EXPECT_EQ(test, env.id, 2);
}

/* The next create reserves its id itself. */
static void no_successor_memory_succeeds(struct kunit *test)
{
	env.no_ids = NO_SUCCESSOR;
	create_pds(test, 3);
	KUNIT_EXPECT_EQ(test, env.id, 3);
	env.no_ids = NO_SUCCESSOR;
	create_pds(test, 1);
	env.no_ids = NO_ID;
	KUNIT_EXPECT_EQ(test, env_create_pd(), -ENOMEM);
	create_pds(test, 1);
	KUNIT_EXPECT_EQ(test, env.id, 6);
	destroy_pds(test, 1, 6);
	KUNIT_EXPECT_EQ(test, env_objs_n(), 0);
}

#define CREATORS 4
#define CREATES 1000

struct id_creator {
	struct completion done;
	u32 id[CREATES];
};

/* Without user memory, which other tasks do not have */
static u32 create_by_hand(void)
{
	u8 in[MDX_HDR_LEN] = {}, out[MDX_HDR_LEN];
	struct mdx_ioc_obj_create arg = {};
	struct mdx_ucmd ucmd = {
		.file = env.file, .mdx = &env.mdx, .arg = &arg,
		.cmd = {
			.file = env.file, .op = op_creator(OP(ALLOC_PD)),
			.in = in, .in_len = sizeof(in),
			.out = out, .out_len = sizeof(out),
		},
	};

	ucmd.cmd.err = &ucmd.err;
	bits_put(in, 0, 16, OP(ALLOC_PD));
	scoped_guard(mdx_live, &env.mdx) {
		if (mdx_ioc_obj_create(&ucmd))
			return 0;
	}
	mdx_obj_finalize(env.file, ucmd.new_obj);
	return arg.out_id;
}

static void destroy_by_hand(u32 id)
{
	struct mdx_ioc_obj_destroy arg = { .id = id };
	struct mdx_ucmd ucmd = {
		.file = env.file, .mdx = &env.mdx, .arg = &arg,
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
	KUNIT_EXPECT_EQ(test, env.file->last_id, CREATORS * CREATES);
}

static struct kunit_case ids_cases[] = {
	KUNIT_CASE(ids_count_up),
	KUNIT_CASE(other_numbers_enoent),
	KUNIT_CASE(id_given_once),
	KUNIT_CASE(failed_create_uses_id),
	KUNIT_CASE(node_freed_with_objects),
	KUNIT_CASE(newest_node_stays),
	KUNIT_CASE(objects_visited_in_order),
	KUNIT_CASE(ids_exhausted_enomem),
	KUNIT_CASE(no_id_memory_enomem),
	KUNIT_CASE(no_successor_memory_succeeds),
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
