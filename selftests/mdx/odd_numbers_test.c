// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Numbers that a device may choose but the software ConnectX never does: at the end
 * of 32 bits, with other fields beside them, and objects that differ in one field of
 * their address. The answers are scripted, and the stock driver gets the same ones.
 */
#include <stdio.h>

#include "kselftest_harness.h"
#include "objtypes.h"

FIXTURE(odd)
{
	struct mdx_world w;
};

FIXTURE_SETUP(odd)
{
	SETUP_DEVICE(return);
	ASSERT_EQ(0, world_start(&self->w));
	SKIP_NO_HCA(self->w.hca, return);
}

FIXTURE_TEARDOWN(odd)
{
	world_stop(&self->w);
}

/* The next @count commands are answered with 16 bytes: status 0, and what is given. */
static int script_answer(struct mdx_world *w, uint16_t opcode,
			 const uint32_t *words, const char *count)
{
	return hca_cmd(w->hca, "answer %x %08x%08x%08x%08x %s", opcode,
		       words[0], words[1], words[2], words[3], count);
}

static int script_success(struct mdx_world *w, uint16_t opcode,
			  const char *count)
{
	static const uint32_t zeroes[4];

	return script_answer(w, opcode, zeroes, count);
}

static struct mlx5dv_devx_obj *stock_create(struct mdx_world *w)
{
	return mlx5dv_devx_obj_create(w->mdx.ctx, w->in, w->m.in_len, w->out,
				      w->m.out_len);
}

static int stock_query(struct mdx_world *w, struct mlx5dv_devx_obj *obj)
{
	return mlx5dv_devx_obj_query(obj, w->in, w->m.in_len, w->out,
				     w->m.out_len);
}

/* An object of the module and one of the stock driver, from the same answer. */
struct odd_pair {
	enum objtype_id type;
	uint32_t id;
	struct mlx5dv_devx_obj *stock;
};

static int pair_create(struct mdx_world *w, struct odd_pair *pair,
		       const uint32_t *answer)
{
	uint16_t opcode = objtypes[pair->type].create;
	int ret;

	ret = script_answer(w, opcode, answer, "2");
	if (!ret)
		ret = _test_mdx_create(w->mdx.fd, &w->m, &pair->id);
	if (ret)
		return ret;
	pair->stock = stock_create(w);
	return pair->stock ? 0 : errno;
}

/* Both destroy inboxes are the same, of which @din gets a copy. */
static void pair_destroy(struct __test_metadata *_metadata,
			 struct mdx_world *w, struct odd_pair *pair, void *din,
			 size_t size)
{
	uint16_t opcode = objtypes[pair->type].destroy;
	uint8_t stock[128] = {};
	size_t len;

	memset(din, 0, size);
	ASSERT_EQ(0, script_success(w, opcode, "2"));
	ASSERT_EQ(0, _test_mdx_destroy(w->mdx.fd, pair->id));
	len = hca_last(w->hca, opcode, din, size);
	ASSERT_EQ(0, mlx5dv_devx_obj_destroy(pair->stock));
	EXPECT_EQ(len, hca_last(w->hca, opcode, stock, sizeof(stock)));
	EXPECT_EQ(0, memcmp(din, stock, len < size ? len : size));
}

/* A query of number @num by the module and the stock driver. */
static void pair_query(struct __test_metadata *_metadata, struct mdx_world *w,
		       struct odd_pair *pair, uint32_t num, int ret,
		       int stock_ret)
{
	uint16_t opcode = objtypes[pair->type].query;
	long count;

	w->obj[pair->type].num = num;
	ASSERT_EQ(0, script_success(w, opcode, "always"));
	objtype_build_query(w, pair->type);
	count = hca_count(w->hca, opcode);
	EXPECT_EQ(ret, _test_mdx_query(w->mdx.fd, pair->id, &w->m))
		TH_LOG("number %#x", num);
	EXPECT_EQ(count + !ret, hca_count(w->hca, opcode));
	EXPECT_EQ(stock_ret, stock_query(w, pair->stock))
		TH_LOG("number %#x, stock driver", num);
	w->obj[pair->type].num = 0;
}

TEST_F(odd, counter_bulk_end_of_32_bits)
{
	static const uint32_t answer[4] = { 0, 0, 0xfffffff0, 0 };
	struct odd_pair pair = { .type = OBJTYPE_FLOW_COUNTER };
	struct mdx_world *w = &self->w;
	uint8_t din[128];

	objtype_build_create(w, pair.type);
	DEVX_SET(alloc_flow_counter_in, w->in, flow_counter_bulk_log_size, 5);
	ASSERT_EQ(0, pair_create(w, &pair, answer));
	/* 32 numbers, of which 16 are in front of the end. */
	pair_query(_metadata, w, &pair, 0, EINVAL, EINVAL);
	pair_query(_metadata, w, &pair, 5, EINVAL, EINVAL);
	pair_query(_metadata, w, &pair, 15, EINVAL, EINVAL);
	pair_query(_metadata, w, &pair, 0xffffffef, EINVAL, EINVAL);
	pair_query(_metadata, w, &pair, 0xfffffff0, 0, 0);
	pair_query(_metadata, w, &pair, 0xffffffff, 0, 0);
	pair_destroy(_metadata, w, &pair, din, sizeof(din));
	EXPECT_EQ(0xfffffff0,
		  DEVX_GET(dealloc_flow_counter_in, din, flow_counter_id));
}

TEST_F(odd, counter_last_of_32_bits)
{
	static const uint32_t answer[4] = { 0, 0, 0xffffffff, 0 };
	struct odd_pair pair = { .type = OBJTYPE_FLOW_COUNTER };
	struct mdx_world *w = &self->w;
	uint8_t din[128];

	objtype_build_create(w, pair.type);
	ASSERT_EQ(0, pair_create(w, &pair, answer));
	pair_query(_metadata, w, &pair, 0, EINVAL, EINVAL);
	pair_query(_metadata, w, &pair, 0xfffffffe, EINVAL, EINVAL);
	pair_query(_metadata, w, &pair, 0xffffffff, 0, 0);
	pair_destroy(_metadata, w, &pair, din, sizeof(din));
	EXPECT_EQ(0xffffffff,
		  DEVX_GET(dealloc_flow_counter_in, din, flow_counter_id));
}

/* The ICM address of a TIR is around its number. */
TEST_F(odd, tir_address_beside_number)
{
	static const uint32_t answer[4] = {
		0x00ffffff, 0, 0xff123456, 0xffffffff,
	};
	struct odd_pair pair = { .type = OBJTYPE_TIR };
	struct mdx_world *w = &self->w;
	uint8_t din[128];

	ASSERT_EQ(0, objtype_create_needs(w, OBJTYPE_TIR));
	objtype_build_create(w, OBJTYPE_TIR);
	ASSERT_EQ(0, pair_create(w, &pair, answer));
	pair_query(_metadata, w, &pair, 0x123456, 0, 0);
	pair_query(_metadata, w, &pair, 0x123457, EINVAL, EINVAL);
	pair_query(_metadata, w, &pair, 0x023456, EINVAL, EINVAL);
	pair_destroy(_metadata, w, &pair, din, sizeof(din));
	EXPECT_EQ(0x123456, mbox_get32(din, MBOX_HDR_ID));
}

/* The number of a set of counters has 8 bits. */
TEST_F(odd, q_counter_8_bits)
{
	static const uint32_t answer[4] = {
		0x00ffffff, 0, 0xffffff9a, 0xffffffff,
	};
	struct odd_pair pair = { .type = OBJTYPE_Q_COUNTER };
	struct mdx_world *w = &self->w;
	uint8_t din[128];

	objtype_build_create(w, pair.type);
	ASSERT_EQ(0, pair_create(w, &pair, answer));
	pair_query(_metadata, w, &pair, 0x9a, 0, 0);
	pair_query(_metadata, w, &pair, 0x9b, EINVAL, EINVAL);
	pair_query(_metadata, w, &pair, 0x1a, EINVAL, EINVAL);
	pair_destroy(_metadata, w, &pair, din, sizeof(din));
	EXPECT_EQ(0x9a, mbox_get32(din, MBOX_HDR_ID));
}

FIXTURE(address)
{
	struct mdx_world w;
};

/**
 * @type: of the object
 * @field: of its create, by which it is addressed
 * @destroy_field: the same of its destroy
 */
FIXTURE_VARIANT(address)
{
	enum objtype_id type;
	struct mbox_field field;
	struct mbox_field destroy_field;
};

#define PLACE(layout, field)						\
	{ __devx_bit_off(layout, field), __devx_bit_sz(layout, field) }
#define ADDRESS(object, _type, layout, destroy_layout, _field)		\
	FIXTURE_VARIANT_ADD(address, object##_##_field) {		\
		.type = _type,						\
		.field = PLACE(layout, _field),				\
		.destroy_field = PLACE(destroy_layout, _field),		\
	}
#define TABLE(field)							\
	ADDRESS(table, OBJTYPE_FLOW_TABLE, create_flow_table_in,	\
		destroy_flow_table_in, field)
#define GROUP(field)							\
	ADDRESS(group, OBJTYPE_FLOW_GROUP, create_flow_group_in,	\
		destroy_flow_group_in, field)
#define ENTRY(field)							\
	ADDRESS(fte, OBJTYPE_FTE, set_fte_in, delete_fte_in, field)

TABLE(other_vport);
TABLE(vport_number);
TABLE(table_type);
GROUP(other_vport);
GROUP(vport_number);
GROUP(table_type);
GROUP(table_id);
ENTRY(other_vport);
ENTRY(vport_number);
ENTRY(table_type);
ENTRY(table_id);
ENTRY(flow_index);

FIXTURE_SETUP(address)
{
	SETUP_DEVICE(return);
	ASSERT_EQ(0, world_start(&self->w));
	SKIP_NO_HCA(self->w.hca, return);
}

FIXTURE_TEARDOWN(address)
{
	world_stop(&self->w);
}

/* Objects of one number are told apart: each bit of the field is destroyed by. */
TEST_F(address, each_bit_in_destroy)
{
	static const uint32_t answer[4] = { 0, 0, 0x00abcdef, 0 };
	struct odd_pair pair = { .type = variant->type };
	struct mdx_world *w = &self->w;
	uint8_t din[128];
	int bit;

	for (bit = 0; bit < variant->field.width; bit++) {
		objtype_build_create(w, pair.type);
		mbox_set_field(w->in, variant->field, 1U << bit);
		ASSERT_EQ(0, pair_create(w, &pair, answer));
		pair_destroy(_metadata, w, &pair, din, sizeof(din));
		EXPECT_EQ(1U << bit,
			  mbox_get_field(din, variant->destroy_field));
	}
}

MDX_HARNESS_MAIN(world_share())
