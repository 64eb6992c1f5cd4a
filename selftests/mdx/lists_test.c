// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Lists at the end of an input: those that are longer than the mailbox never reach
 * the device, and all that the stock driver and the device accept goes through.
 */
#include "kselftest_harness.h"
#include "objtypes.h"

FIXTURE(lists)
{
	struct mdx_world w;
};

/**
 * @type: whose builder makes a list that fits exactly
 * @modify: the list of the modify, else that of the create
 * @size: field with the number of entries
 */
FIXTURE_VARIANT(lists)
{
	enum objtype_id type;
	bool modify;
	struct mbox_field size;
};

#define LIST(name, _type, _modify, layout, field)			\
	FIXTURE_VARIANT_ADD(lists, name) {				\
		.type = _type,						\
		.modify = _modify,					\
		.size = { __devx_bit_off(layout, field),		\
			  __devx_bit_sz(layout, field) },		\
	}

LIST(mkey_translations, OBJTYPE_MKEY_KLM, false, create_mkey_in,
     translations_octword_actual_size);
LIST(rqt_create, OBJTYPE_RQT, false, create_rqt_in,
     rqt_context.rqt_actual_size);
LIST(rqt_modify, OBJTYPE_RQT, true, modify_rqt_in, ctx.rqt_actual_size);
LIST(fte_destinations, OBJTYPE_FTE, false, set_fte_in,
     flow_context.destination_list_size);
LIST(fte_counters, OBJTYPE_FTE, false, set_fte_in,
     flow_context.flow_counter_list_size);
LIST(fte_modify_destinations, OBJTYPE_FTE, true, set_fte_in,
     flow_context.destination_list_size);
LIST(fte_modify_counters, OBJTYPE_FTE, true, set_fte_in,
     flow_context.flow_counter_list_size);
LIST(modify_header_actions, OBJTYPE_MODIFY_HEADER, false,
     alloc_modify_header_context_in, num_of_actions);
LIST(reformat_data, OBJTYPE_REFORMAT, false, alloc_packet_reformat_context_in,
     packet_reformat_context.reformat_data_size);

FIXTURE_SETUP(lists)
{
	struct mdx_world *w = &self->w;

	SETUP_DEVICE(return);
	ASSERT_EQ(0, world_start(w));
	if (!objtype_advertised(w, variant->type))
		SKIP(return, "the device has no %s",
		     objtypes[variant->type].name);
	ASSERT_EQ(0, variant->modify ? objtype_create(w, variant->type) :
				       objtype_create_needs(w, variant->type));
}

FIXTURE_TEARDOWN(lists)
{
	world_stop(&self->w);
}

/* The number of entries that fit exactly. */
static uint32_t build_list(struct mdx_world *w,
			   const FIXTURE_VARIANT(lists) *variant)
{
	if (variant->modify)
		objtype_build_modify(w, variant->type);
	else
		objtype_build_create(w, variant->type);
	return mbox_get_field(w->in, variant->size);
}

static uint32_t longest_list(const FIXTURE_VARIANT(lists) *variant)
{
	return (1ULL << variant->size.width) - 1;
}

/* With @n entries, by the module; a created object is destroyed. */
static int module_command(struct mdx_world *w,
			  const FIXTURE_VARIANT(lists) *variant, uint32_t n)
{
	uint32_t id;
	int ret;

	build_list(w, variant);
	mbox_set_field(w->in, variant->size, n);
	if (variant->modify)
		return _test_mdx_modify(w->mdx.fd, w->obj[variant->type].id,
					&w->m);
	ret = _test_mdx_create(w->mdx.fd, &w->m, &id);
	return ret ?: _test_mdx_destroy(w->mdx.fd, id);
}

static int stock_create(struct mdx_world *w, struct mlx5dv_devx_obj **obj)
{
	errno = 0;
	*obj = mlx5dv_devx_obj_create(w->mdx.ctx, w->in, w->m.in_len, w->out,
				      w->m.out_len);
	return *obj ? 0 : errno;
}

/* The same by libmlx5 and the stock driver, which share the uid. */
static int stock_command(struct mdx_world *w,
			 const FIXTURE_VARIANT(lists) *variant, uint32_t n)
{
	struct mlx5dv_devx_obj *obj;
	int ret;

	build_list(w, variant);
	mbox_set_field(w->in, variant->size, n);
	ret = stock_create(w, &obj);
	return ret ?: mlx5dv_devx_obj_destroy(obj);
}

static int stock_modify(struct mdx_world *w,
			const FIXTURE_VARIANT(lists) *variant,
			struct mlx5dv_devx_obj *obj, uint32_t num, uint32_t n)
{
	build_list(w, variant);
	mbox_set_field(w->in, objtypes[variant->type].modify_num, num);
	mbox_set_field(w->in, variant->size, n);
	return mlx5dv_devx_obj_modify(obj, w->in, w->m.in_len, w->out,
				      w->m.out_len);
}

TEST_F(lists, exact_fit_accepted)
{
	struct mdx_world *w = &self->w;

	EXPECT_EQ(0, module_command(w, variant, build_list(w, variant)));
}

TEST_F(lists, longer_einval)
{
	struct mdx_world *w = &self->w;
	uint32_t n = build_list(w, variant);
	uint16_t opcode = variant->modify ? objtypes[variant->type].modify :
					    objtypes[variant->type].create;
	uint32_t objs = mdx_objs(w->mdx.fd);
	long count;

	SKIP_NO_HCA(w->hca, return);
	count = hca_count(w->hca, opcode);
	EXPECT_EQ(EINVAL, module_command(w, variant, n + 1));
	EXPECT_EQ(EINVAL, module_command(w, variant, longest_list(variant)));
	EXPECT_EQ(count, hca_count(w->hca, opcode));
	EXPECT_EQ(objs, mdx_objs(w->mdx.fd));
}

/* Around the length of the mailbox, and at the ends of the field. */
static uint32_t tried_size(uint32_t fits, uint32_t longest, int i)
{
	static const int near[] = { -2, -1, 0, 1, 2 };

	switch (i) {
	case 0:
		return 0;
	case 1:
		return longest;
	case 2:
		return longest / 2 + 1;
	default:
		return (fits + near[i - 3]) & longest;
	}
}

#define TRIED_SIZES 8

TEST_F(lists, stock_accepts_accepted)
{
	struct mdx_world *w = &self->w;
	uint32_t fits = build_list(w, variant);
	struct mlx5dv_devx_obj *obj = NULL;
	int i, accepted = 0;
	uint32_t n, num = 0;

	if (variant->modify) {
		/* An entry's index is free for one of the two. */
		if (variant->type == OBJTYPE_FTE)
			ASSERT_EQ(0, objtype_destroy(w, variant->type));
		objtype_build_create(w, variant->type);
		ASSERT_EQ(0, stock_create(w, &obj));
		num = mbox_get_field(objtypes[variant->type].num_chosen ?
				     w->in : w->out,
				     objtypes[variant->type].num);
	}
	for (i = 0; i < TRIED_SIZES; i++) {
		n = tried_size(fits, longest_list(variant), i);
		if (obj ? stock_modify(w, variant, obj, num, n) :
			  stock_command(w, variant, n))
			continue;
		accepted |= 1 << i;
	}
	if (obj) {
		EXPECT_EQ(0, mlx5dv_devx_obj_destroy(obj));
		ASSERT_EQ(0, objtype_create(w, variant->type));
	}
	EXPECT_NE(0, accepted);
	for (i = 0; i < TRIED_SIZES; i++) {
		if (!(accepted & 1 << i))
			continue;
		n = tried_size(fits, longest_list(variant), i);
		EXPECT_EQ(0, module_command(w, variant, n))
			TH_LOG("%u entries, of %u that fit", n, fits);
	}
}

FIXTURE(no_list)
{
	struct mdx_world w;
};

FIXTURE_SETUP(no_list)
{
	SETUP_DEVICE(return);
	ASSERT_EQ(0, world_start(&self->w));
}

FIXTURE_TEARDOWN(no_list)
{
	world_stop(&self->w);
}

/* The memory of a direct mkey is named by umem: DPDK sends the size, and no list. */
TEST_F(no_list, umem_mkey_size_accepted)
{
	static const uint32_t sizes[] = { 0, 1, 2, 3, 512, 0x10000 };
	struct mdx_world *w = &self->w;
	struct mlx5dv_devx_obj *obj;
	uint32_t id;
	size_t i;
	int ret;

	ASSERT_EQ(0, objtype_create_needs(w, OBJTYPE_MKEY));
	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		objtype_build_create(w, OBJTYPE_MKEY);
		DEVX_SET(create_mkey_in, w->in,
			 translations_octword_actual_size, sizes[i]);
		ret = stock_create(w, &obj);
		EXPECT_EQ(ret, _test_mdx_create(w->mdx.fd, &w->m, &id))
			TH_LOG("size %u", sizes[i]);
		if (sizes[i])
			EXPECT_EQ(0, ret);
		if (ret)
			continue;
		EXPECT_EQ(0, mlx5dv_devx_obj_destroy(obj));
		test_mdx_destroy(w->mdx.fd, id);
	}
}

/* As above without the bit that says so, which both drivers set. */
TEST_F(no_list, umem_valid_unset_accepted)
{
	struct mdx_world *w = &self->w;

	ASSERT_EQ(0, objtype_create_needs(w, OBJTYPE_MKEY));
	objtype_build_create(w, OBJTYPE_MKEY);
	DEVX_SET(create_mkey_in, w->in, mkey_umem_valid, 0);
	test_mdx_create(w->mdx.fd, &w->m, NULL);
}

/* A size whose action is not asked for says nothing. */
TEST_F(no_list, fte_no_action_sizes_ignored)
{
	struct mdx_world *w = &self->w;
	struct mlx5dv_devx_obj *obj;
	uint32_t id;
	int ret;

	if (!objtype_advertised(w, OBJTYPE_FTE))
		SKIP(return, "the device has no flow rules");
	ASSERT_EQ(0, objtype_create_needs(w, OBJTYPE_FTE));
	objtype_build_create(w, OBJTYPE_FTE);
	DEVX_SET(set_fte_in, w->in, flow_context.action,
		 MLX5_FLOW_CONTEXT_ACTION_DROP);
	DEVX_SET(set_fte_in, w->in, flow_context.destination_list_size, 100);
	DEVX_SET(set_fte_in, w->in, flow_context.flow_counter_list_size, 100);
	ret = stock_create(w, &obj);
	if (!ret)
		EXPECT_EQ(0, mlx5dv_devx_obj_destroy(obj));
	EXPECT_EQ(ret, _test_mdx_create(w->mdx.fd, &w->m, &id));
}

MDX_HARNESS_MAIN(world_share())
