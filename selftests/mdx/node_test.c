// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The node without a binding, and numbers that are no ioctl. */
#include <sys/mman.h>

#include "kselftest_harness.h"
#include "mdx_utils.h"

/* A file that is not bound. */
FIXTURE(unbound)
{
	int fd;
};

FIXTURE_SETUP(unbound)
{
	SETUP_DEVICE(return);
	self->fd = mdx_node_open();
	ASSERT_GE(self->fd, 0);
}

FIXTURE_TEARDOWN(unbound)
{
	close(self->fd);
}

static void pd_mbox(struct mbox_pair *m, uint64_t in[2], uint64_t out[2])
{
	mdx_hdr(in, MLX5_CMD_OP_ALLOC_PD, 0, 0);
	*m = (struct mbox_pair){
		.in = in,
		.out = out,
		.in_len = MBOX_HDR_LEN,
		.out_len = MBOX_HDR_LEN,
	};
}

TEST_F(unbound, create_enotconn)
{
	uint64_t in[2], out[2];
	struct mbox_pair m;

	pd_mbox(&m, in, out);
	test_err_create(ENOTCONN, self->fd, &m);
}

TEST_F(unbound, destroy_enotconn)
{
	test_err_destroy(ENOTCONN, self->fd, 1);
}

TEST_F(unbound, modify_enotconn)
{
	uint64_t in[2], out[2];
	struct mbox_pair m;

	pd_mbox(&m, in, out);
	test_err_modify(ENOTCONN, self->fd, 1, &m);
}

TEST_F(unbound, query_enotconn)
{
	uint64_t in[2], out[2];
	struct mbox_pair m;

	pd_mbox(&m, in, out);
	test_err_query(ENOTCONN, self->fd, 1, &m);
}

TEST_F(unbound, general_enotconn)
{
	uint64_t in[2], out[2];
	struct mbox_pair m;

	pd_mbox(&m, in, out);
	test_err_general(ENOTCONN, self->fd, &m);
}

TEST_F(unbound, query_port_enotconn)
{
	struct mdx_ioc_query_port arg = { .size = sizeof(arg), .port_num = 1 };

	EXPECT_EQ(ENOTCONN, mdx_ioctl(self->fd, MDX_IOC_QUERY_PORT, &arg));
}

TEST_F(unbound, query_device_enotconn)
{
	struct mdx_ioc_query_device arg = { .size = sizeof(arg) };

	EXPECT_EQ(ENOTCONN, mdx_ioctl(self->fd, MDX_IOC_QUERY_DEVICE, &arg));
}

TEST_F(unbound, verbs_query_enotconn)
{
	struct mdx_ioc_verbs_cmd arg = {
		.size = sizeof(arg),
		.obj_type = MDX_VERBS_CQ,
	};

	EXPECT_EQ(ENOTCONN, mdx_ioctl(self->fd, MDX_IOC_VERBS_QUERY, &arg));
}

TEST_F(unbound, unbound_before_mailbox)
{
	struct mbox_pair m = { 0 };

	test_err_general(ENOTCONN, self->fd, &m);
}

/* An unknown flag is reported before unbound. */
TEST_F(unbound, flag_before_unbound)
{
	struct mdx_ioc_general arg = { .size = sizeof(arg), .flags = 1 };

	EXPECT_EQ(EOPNOTSUPP, mdx_ioctl(self->fd, MDX_IOC_GENERAL, &arg));
}

TEST_F(unbound, info_features_limits)
{
	struct mdx_ioc_info info;

	test_mdx_info(self->fd, &info);
	EXPECT_EQ(MDX_FEATURE_OBJ | MDX_FEATURE_GENERAL,
		  info.out_features & (MDX_FEATURE_OBJ | MDX_FEATURE_GENERAL));
	EXPECT_EQ(2U << 20, info.out_in_len_max);
	EXPECT_EQ(2U << 20, info.out_out_len_max);
	EXPECT_GT(info.out_objs_max, 1000);
	EXPECT_EQ(sizeof(info), info.size);
}

/* Info shows that the file is not bound. */
TEST_F(unbound, info_not_bound)
{
	struct mdx_ioc_info info;

	test_mdx_info(self->fd, &info);
	EXPECT_EQ(0, info.out_flags);
	EXPECT_EQ(0, info.out_uid);
	EXPECT_EQ(0, info.out_objs);
}

TEST_F(unbound, read_einval)
{
	char byte;

	EXPECT_EQ(-1, read(self->fd, &byte, 1));
	EXPECT_EQ(EINVAL, errno);
}

/* Info into read only memory is refused. */
TEST_F(unbound, info_read_only_efault)
{
	struct mdx_ioc_info *info = guard_alloc(page_size(), 0);

	ASSERT_NE(NULL, info);
	info->size = sizeof(*info);
	ASSERT_EQ(0, mprotect(info, page_size(), PROT_READ));
	EXPECT_EQ(EFAULT, mdx_ioctl(self->fd, MDX_IOC_INFO, info));
}

/* Numbers that are no ioctl of this module. */
FIXTURE(number)
{
	int fd;
};

FIXTURE_VARIANT(number)
{
	unsigned long nr;
};

FIXTURE_VARIANT_ADD(number, first_free)
{
	.nr = _IO(MDX_IOC_TYPE, MDX_CMD_UMEM_REG + 1),
};

FIXTURE_VARIANT_ADD(number, last_free_between)
{
	.nr = _IO(MDX_IOC_TYPE, MDX_CMD_CHANNEL - 1),
};

FIXTURE_VARIANT_ADD(number, behind_the_last)
{
	.nr = _IO(MDX_IOC_TYPE, MDX_CMD_OBJ_LIST + 1),
};

FIXTURE_VARIANT_ADD(number, last) { .nr = _IO(MDX_IOC_TYPE, 255) };
FIXTURE_VARIANT_ADD(number, other_type) { .nr = _IO(MDX_IOC_TYPE - 1, 0) };
FIXTURE_VARIANT_ADD(number, with_direction) {
	.nr = _IOWR(MDX_IOC_TYPE, MDX_CMD_INFO, struct mdx_ioc_info),
};

FIXTURE_VARIANT_ADD(number, zero) { .nr = 0 };

FIXTURE_SETUP(number)
{
	SETUP_DEVICE(return);
	self->fd = mdx_node_open();
	ASSERT_GE(self->fd, 0);
}

FIXTURE_TEARDOWN(number)
{
	close(self->fd);
}

TEST_F(number, unknown_enotty)
{
	struct mdx_ioc_info info = { .size = sizeof(info) };

	EXPECT_EQ(ENOTTY, mdx_ioctl(self->fd, variant->nr, &info));
}

TEST_F(number, unknown_null_enotty)
{
	EXPECT_EQ(ENOTTY, mdx_ioctl(self->fd, variant->nr, NULL));
}

MDX_HARNESS_MAIN(mdx_share())
