// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The commands that each ioctl lets through. */
#include "kselftest_harness.h"
#include "objtypes.h"
#include "opcodes.h"

/* General commands reach the device, which may refuse them. */
FIXTURE(general)
{
	struct mdx_world w;
};

FIXTURE_VARIANT(general)
{
	uint16_t opcode;
};

#define GENERAL(name, op) FIXTURE_VARIANT_ADD(general, name) { .opcode = op };

#define OPCODE(number, name)
#define OPCODE_GENERAL(number, name, in) GENERAL(name, number)
#include "opcodes.def"
/* The range has no list of its commands. */
GENERAL(range_first, MDX_OPCODE_RANGE_FIRST)
GENERAL(range_last, MDX_OPCODE_RANGE_LAST)

FIXTURE_SETUP(general)
{
	SETUP_DEVICE(return);
	ASSERT_EQ(0, world_start(&self->w));
}

FIXTURE_TEARDOWN(general)
{
	world_stop(&self->w);
}

static void build_command(struct mdx_world *w, uint16_t opcode)
{
	memset(w->in, 0, sizeof(w->in));
	mdx_hdr(w->in, opcode, 0, 0);
	memset(w->out, FILL, sizeof(w->out));
	w->m = (struct mbox_pair){ w->in, w->out, 64, 4096 + 16 };
}

TEST_F(general, reaches_device)
{
	struct mdx_world *w = &self->w;
	long before = w->hca ? hca_count(w->hca, variant->opcode) : 0;
	int ret;

	build_command(w, variant->opcode);
	ret = _test_mdx_general(w->mdx.fd, &w->m);
	EXPECT_TRUE(ret == 0 || ret == EREMOTEIO);
	EXPECT_EQ(ret == EREMOTEIO, !!(mbox_get32(w->out, 0) >> 24));
	if (w->hca)
		EXPECT_EQ(before + 1, hca_count(w->hca, variant->opcode));
}

TEST_F(general, carries_file_uid)
{
	struct mdx_world *w = &self->w;
	uint16_t last[2];

	SKIP_NO_HCA(w->hca, return);
	build_command(w, variant->opcode);
	_devx_set(w->in, 0xbeef, 16, 16);
	_test_mdx_general(w->mdx.fd, &w->m);
	ASSERT_EQ(sizeof(last), hca_last(w->hca, variant->opcode, last,
					 sizeof(last)));
	EXPECT_EQ(w->mdx.uid, be16toh(last[1]));
}

TEST_F(general, tunnel_einval)
{
	struct mdx_world *w = &self->w;

	build_command(w, variant->opcode);
	_devx_set(w->in, 7, 32, 16);
	test_err_general(EINVAL, w->mdx.fd, &w->m);
	EXPECT_TRUE(all_bytes(w->out, FILL, sizeof(w->out)));
}

TEST_F(general, create_einval)
{
	struct mdx_world *w = &self->w;

	build_command(w, variant->opcode);
	test_err_create(EINVAL, w->mdx.fd, &w->m);
}

TEST_F(general, query_einval)
{
	struct mdx_world *w = &self->w;

	ASSERT_EQ(0, objtype_create(w, OBJTYPE_PD));
	build_command(w, variant->opcode);
	test_err_query(EINVAL, w->mdx.fd, w->obj[OBJTYPE_PD].id, &w->m);
}

TEST_F(general, header_short_einval)
{
	struct mdx_world *w = &self->w;

	build_command(w, variant->opcode);
	w->m.in_len = 15;
	test_err_general(EINVAL, w->mdx.fd, &w->m);
}

/* Commands that no ioctl lets through. */
FIXTURE(forbidden)
{
	struct mdx_world w;
};

FIXTURE_VARIANT(forbidden)
{
	uint16_t opcode;
};

#define FORBIDDEN(name, op)						\
	FIXTURE_VARIANT_ADD(forbidden, name) { .opcode = op };

#define OPCODE(number, name)
#define OPCODE_OTHER(number, name) FORBIDDEN(name, number)
#include "opcodes.def"
/* The kernel destroys objects by id, so user space never sends these. */
FORBIDDEN(destroy_cq, MLX5_CMD_OP_DESTROY_CQ)
FORBIDDEN(destroy_qp, MLX5_CMD_OP_DESTROY_QP)
FORBIDDEN(dealloc_pd, MLX5_CMD_OP_DEALLOC_PD)
/* Numbers that are no command. */
FORBIDDEN(zero, 0)
FORBIDDEN(before_range, MDX_OPCODE_RANGE_FIRST - 1)
FORBIDDEN(behind_range, MDX_OPCODE_RANGE_LAST + 1)
FORBIDDEN(highest, NO_OPCODE)

FIXTURE_SETUP(forbidden)
{
	SETUP_DEVICE(return);
	ASSERT_EQ(0, world_start(&self->w));
	ASSERT_EQ(0, objtype_create(&self->w, OBJTYPE_TIS));
	build_command(&self->w, variant->opcode);
}

FIXTURE_TEARDOWN(forbidden)
{
	world_stop(&self->w);
}

#define EXPECT_FORBIDDEN(w, expr)					\
	do {								\
		long seen_ = (w)->hca ?					\
			hca_count((w)->hca, variant->opcode) : 0;	\
									\
		EXPECT_EQ(EOPNOTSUPP, expr);				\
		EXPECT_TRUE(all_bytes((w)->out, FILL, sizeof((w)->out))); \
		if ((w)->hca)						\
			EXPECT_EQ(seen_,				\
				  hca_count((w)->hca, variant->opcode)); \
	} while (0)

TEST_F(forbidden, general_eopnotsupp)
{
	struct mdx_world *w = &self->w;

	EXPECT_FORBIDDEN(w, _test_mdx_general(w->mdx.fd, &w->m));
}

TEST_F(forbidden, create_eopnotsupp)
{
	struct mdx_world *w = &self->w;

	EXPECT_FORBIDDEN(w, _test_mdx_create(w->mdx.fd, &w->m, NULL));
}

TEST_F(forbidden, modify_eopnotsupp)
{
	struct mdx_world *w = &self->w;

	EXPECT_FORBIDDEN(w, _test_mdx_modify(w->mdx.fd, w->obj[OBJTYPE_TIS].id,
					     &w->m));
}

TEST_F(forbidden, query_eopnotsupp)
{
	struct mdx_world *w = &self->w;

	EXPECT_FORBIDDEN(w, _test_mdx_query(w->mdx.fd, w->obj[OBJTYPE_TIS].id,
					    &w->m));
}

MDX_HARNESS_MAIN(world_share())
