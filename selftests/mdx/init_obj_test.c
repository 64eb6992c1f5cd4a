// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Functions of libmlx5 that take a struct mlx5dv_devx_obj. The objects that they take
 * are libmlx5's, also if mlx5dv_devx_obj_create() of libmdx made them. With
 * MDX_SERVE=all they are libmdx's: the handle of those names no object, so nothing of
 * another program can be named by mistake. Each test has the same call with an object
 * that libmlx5 made by itself beside it.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "kselftest_harness.h"
#include "objtypes.h"

#define MATCH_LEN 512

typedef struct mlx5dv_devx_obj *(*create_fn)(struct ibv_context *ctx,
					     const void *in, size_t inlen,
					     void *out, size_t outlen);
typedef int (*destroy_fn)(struct mlx5dv_devx_obj *obj);

FIXTURE(init_obj)
{
	struct mdx_world w;
	create_fn stock_create;
	destroy_fn stock_destroy;
};

/* Both libraries' objects are of one context. */
FIXTURE_SETUP(init_obj)
{
	void *libmlx5 = dlopen("libmlx5.so.1", RTLD_NOW | RTLD_NOLOAD);

	SETUP_DEVICE(return);
	ASSERT_NE(NULL, libmlx5);
	self->stock_create = (create_fn)dlsym(libmlx5,
					      "mlx5dv_devx_obj_create");
	self->stock_destroy = (destroy_fn)dlsym(libmlx5,
						"mlx5dv_devx_obj_destroy");
	ASSERT_NE(NULL, self->stock_create);
	ASSERT_NE(NULL, self->stock_destroy);
	ASSERT_NE(self->stock_create, (create_fn)mlx5dv_devx_obj_create);
	ASSERT_EQ(0, world_start(&self->w));
}

FIXTURE_TEARDOWN(init_obj)
{
	world_stop(&self->w);
}

/* MLX5DV_OBJ_DEVX and struct mlx5dv_obj, which older headers have without it. */
#define OBJ_DEVX 0x80

struct obj_all {
	struct {
		const void *in;
		void *out;
	} others[7], devx;
};

/* 0 or a positive errno. */
static int init_obj(struct mlx5dv_devx_obj *devx_obj, uint32_t *handle)
{
	struct obj_all obj = { .devx = { .in = devx_obj, .out = handle } };

	return mlx5dv_init_obj((struct mlx5dv_obj *)&obj, OBJ_DEVX);
}

static struct mlx5dv_devx_obj *create_with(struct mdx_world *w,
					   enum objtype_id t, create_fn create)
{
	if (objtype_create_needs(w, t))
		return NULL;
	objtype_build_create(w, t);
	return create(w->mdx.ctx, w->in, w->m.in_len, w->out, w->m.out_len);
}

/* From here on, for the test that calls it. */
static void serve_all(void)
{
	setenv("MDX_SERVE", "all", 1);
}

static void set_mask(struct mlx5dv_flow_match_parameters *p, uint8_t byte)
{
	p->match_sz = MATCH_LEN;
	/* The last bytes of the destination address. */
	memset((uint8_t *)p->match_buf +
	       DEVX_BYTE_OFF(fte_match_param, outer_headers.dmac_47_16), byte,
	       4);
}

/* A rule with two actions at most: 0, or a positive errno. */
static int create_rule(struct mdx_world *w, int n,
		       struct mlx5dv_flow_action_attr *actions)
{
	uint64_t mask_mem[MATCH_LEN / 8 + 1] = {};
	uint64_t value_mem[MATCH_LEN / 8 + 1] = {};
	struct mlx5dv_flow_match_parameters *mask = (void *)mask_mem;
	struct mlx5dv_flow_match_parameters *value = (void *)value_mem;
	struct mlx5dv_flow_matcher_attr attr = {
		.type = IBV_FLOW_ATTR_NORMAL,
		.match_criteria_enable = 1,
		.match_mask = mask,
	};
	struct mlx5dv_flow_matcher *matcher;
	struct ibv_flow *flow;
	int ret;

	set_mask(mask, 0xff);
	set_mask(value, 0x02);
	matcher = mlx5dv_create_flow_matcher(w->mdx.ctx, &attr);
	if (!matcher) {
		fprintf(stderr, "# matcher: %s\n", strerror(errno));
		return errno;
	}
	errno = 0;
	flow = mlx5dv_create_flow(matcher, value, n, actions);
	ret = flow ? ibv_destroy_flow(flow) : errno;
	mlx5dv_destroy_flow_matcher(matcher);
	return ret;
}

TEST_F(init_obj, handle_names_nothing)
{
	struct mdx_world *w = &self->w;
	struct mlx5dv_devx_obj *obj, *stock;
	uint32_t handle = 0;

	obj = create_with(w, OBJTYPE_TD, mlx5dv_devx_obj_create);
	ASSERT_NE(NULL, obj);
	stock = create_with(w, OBJTYPE_TD, self->stock_create);
	ASSERT_NE(NULL, stock);
	if (init_obj(stock, &handle))
		SKIP(return, "libmlx5 has no MLX5DV_OBJ_DEVX");
	EXPECT_NE(UINT32_MAX, handle);
	EXPECT_EQ(0, init_obj(obj, &handle));
	EXPECT_EQ(UINT32_MAX, handle);
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(obj));
	EXPECT_EQ(0, self->stock_destroy(stock));
}

TEST_F(init_obj, rule_destination)
{
	struct mlx5dv_flow_action_attr action = {
		.type = MLX5DV_FLOW_ACTION_DEST_DEVX,
	};
	struct mdx_world *w = &self->w;

	if (!objtype_advertised(w, OBJTYPE_FTE))
		SKIP(return, "the device has no flow rules");
	action.obj = create_with(w, OBJTYPE_TIR, self->stock_create);
	ASSERT_NE(NULL, action.obj);
	EXPECT_EQ(0, create_rule(w, 1, &action));
	EXPECT_EQ(0, self->stock_destroy(action.obj));

	action.obj = create_with(w, OBJTYPE_TIR, mlx5dv_devx_obj_create);
	ASSERT_NE(NULL, action.obj);
	EXPECT_EQ(0, create_rule(w, 1, &action));
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(action.obj));

	serve_all();
	action.obj = create_with(w, OBJTYPE_TIR, mlx5dv_devx_obj_create);
	ASSERT_NE(NULL, action.obj);
	EXPECT_EQ(ENOENT, create_rule(w, 1, &action));
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(action.obj));
}

TEST_F(init_obj, rule_counter)
{
	struct mlx5dv_flow_action_attr actions[] = {
		{ .type = MLX5DV_FLOW_ACTION_DEST_DEVX },
		{ .type = MLX5DV_FLOW_ACTION_COUNTERS_DEVX },
	};
	struct mdx_world *w = &self->w;

	if (!objtype_advertised(w, OBJTYPE_FTE))
		SKIP(return, "the device has no flow rules");
	actions[0].obj = create_with(w, OBJTYPE_TIR, self->stock_create);
	ASSERT_NE(NULL, actions[0].obj);
	actions[1].obj = create_with(w, OBJTYPE_FLOW_COUNTER,
				     self->stock_create);
	ASSERT_NE(NULL, actions[1].obj);
	EXPECT_EQ(0, create_rule(w, 2, actions));
	EXPECT_EQ(0, self->stock_destroy(actions[1].obj));

	actions[1].obj = create_with(w, OBJTYPE_FLOW_COUNTER,
				     mlx5dv_devx_obj_create);
	ASSERT_NE(NULL, actions[1].obj);
	EXPECT_EQ(0, create_rule(w, 2, actions));
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(actions[1].obj));

	serve_all();
	actions[1].obj = create_with(w, OBJTYPE_FLOW_COUNTER,
				     mlx5dv_devx_obj_create);
	ASSERT_NE(NULL, actions[1].obj);
	EXPECT_EQ(ENOENT, create_rule(w, 2, actions));
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(actions[1].obj));
	EXPECT_EQ(0, self->stock_destroy(actions[0].obj));
}

/* Actions of direct rules look at the object type, which libmdx leaves at 0. */
TEST_F(init_obj, dr_destination)
{
	struct mdx_world *w = &self->w;
	struct mlx5dv_dr_action *action;
	struct mlx5dv_devx_obj *obj;

	obj = create_with(w, OBJTYPE_TIR, self->stock_create);
	ASSERT_NE(NULL, obj);
	action = mlx5dv_dr_action_create_dest_devx_tir(obj);
	ASSERT_NE(NULL, action);
	EXPECT_EQ(0, mlx5dv_dr_action_destroy(action));
	EXPECT_EQ(0, self->stock_destroy(obj));

	obj = create_with(w, OBJTYPE_TIR, mlx5dv_devx_obj_create);
	ASSERT_NE(NULL, obj);
	action = mlx5dv_dr_action_create_dest_devx_tir(obj);
	ASSERT_NE(NULL, action);
	EXPECT_EQ(0, mlx5dv_dr_action_destroy(action));
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(obj));

	serve_all();
	obj = create_with(w, OBJTYPE_TIR, mlx5dv_devx_obj_create);
	ASSERT_NE(NULL, obj);
	errno = 0;
	EXPECT_EQ(NULL, mlx5dv_dr_action_create_dest_devx_tir(obj));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(obj));
}

TEST_F(init_obj, dr_counter)
{
	struct mdx_world *w = &self->w;
	struct mlx5dv_dr_action *action;
	struct mlx5dv_devx_obj *obj;

	if (!objtype_advertised(w, OBJTYPE_FLOW_COUNTER))
		SKIP(return, "the device has no flow counters");
	obj = create_with(w, OBJTYPE_FLOW_COUNTER, self->stock_create);
	ASSERT_NE(NULL, obj);
	action = mlx5dv_dr_action_create_flow_counter(obj, 0);
	ASSERT_NE(NULL, action);
	EXPECT_EQ(0, mlx5dv_dr_action_destroy(action));
	EXPECT_EQ(0, self->stock_destroy(obj));

	obj = create_with(w, OBJTYPE_FLOW_COUNTER, mlx5dv_devx_obj_create);
	ASSERT_NE(NULL, obj);
	action = mlx5dv_dr_action_create_flow_counter(obj, 0);
	ASSERT_NE(NULL, action);
	EXPECT_EQ(0, mlx5dv_dr_action_destroy(action));
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(obj));

	serve_all();
	obj = create_with(w, OBJTYPE_FLOW_COUNTER, mlx5dv_devx_obj_create);
	ASSERT_NE(NULL, obj);
	errno = 0;
	EXPECT_EQ(NULL, mlx5dv_dr_action_create_flow_counter(obj, 0));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(obj));
}

TEST_HARNESS_MAIN
