// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Layouts of mlx5_ib in kmod/verbs_layout.h, compared with the BTF of the
 * running mlx5_ib.
 */
#include <errno.h>

#include "kselftest_harness.h"
#include "btf.h"

FIXTURE(layout)
{
	struct btf *btf;
};

FIXTURE_SETUP(layout)
{
	self->btf = btf_load("mlx5_ib");
	if (!self->btf && errno == ENOENT)
		SKIP(return, "no type information of mlx5_ib in this kernel");
	ASSERT_NE(NULL, self->btf);
}

FIXTURE_TEARDOWN(layout)
{
	if (self->btf)
		btf_free(self->btf);
}

TEST_F(layout, pd_begins_with_core)
{
	struct btf_place p;

	ASSERT_TRUE(btf_member(self->btf, "mlx5_ib_pd", "ibpd", &p));
	EXPECT_EQ(0, p.offset);
	EXPECT_STREQ("ib_pd", p.type);
}

/* A PD's number is right behind that. */
TEST_F(layout, pd_number_behind_core)
{
	struct btf_place p;

	ASSERT_TRUE(btf_member(self->btf, "mlx5_ib_pd", "pdn", &p));
	EXPECT_EQ(btf_struct_size(self->btf, "ib_pd"), p.offset);
	EXPECT_EQ(4, p.size);
}

/* A PD's uid is right behind its number. */
TEST_F(layout, pd_uid_behind_number)
{
	struct btf_place p;

	ASSERT_TRUE(btf_member(self->btf, "mlx5_ib_pd", "uid", &p));
	EXPECT_EQ(btf_struct_size(self->btf, "ib_pd") + 4, p.offset);
	EXPECT_EQ(2, p.size);
}

TEST_F(layout, pd_ends_behind_uid)
{
	EXPECT_EQ(btf_struct_size(self->btf, "ib_pd") + 8,
		  btf_struct_size(self->btf, "mlx5_ib_pd"));
}

/* A CQ begins with ib cores and mlx5 cores. */
TEST_F(layout, cq_begins_with_cores)
{
	struct btf_place p;

	ASSERT_TRUE(btf_member(self->btf, "mlx5_ib_cq", "ibcq", &p));
	EXPECT_EQ(0, p.offset);
	EXPECT_STREQ("ib_cq", p.type);
	ASSERT_TRUE(btf_member(self->btf, "mlx5_ib_cq", "mcq", &p));
	EXPECT_EQ(btf_struct_size(self->btf, "ib_cq"), p.offset);
	EXPECT_STREQ("mlx5_core_cq", p.type);
}

TEST_HARNESS_MAIN
