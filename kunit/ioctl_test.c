// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Rules for the structure of every ioctl: numbers, sizes, flags, reserved fields,
 * addresses, the length of the answer; MDX_IOC_INFO.
 */
#include <linux/uaccess.h>

#include "../kmod/cmd.h"
#include "../kmod/ioctl.h"
#include "../kmod/objs.h"
#include "fake_dispatch.h"

#define FIRST MDX_CMD_BIND

/* Sizes that programs were compiled with must be accepted for ever. */
static void min_sizes_are_fixed(struct kunit *test)
{
	static const struct {
		u32 nr, size;
	} first[] = {
		{ MDX_IOC_INFO, 48 }, { MDX_IOC_BIND, 16 },
		{ MDX_IOC_OBJ_CREATE, 40 }, { MDX_IOC_OBJ_DESTROY, 24 },
		{ MDX_IOC_OBJ_MODIFY, 40 }, { MDX_IOC_OBJ_QUERY, 40 },
		{ MDX_IOC_GENERAL, 32 }, { MDX_IOC_VERBS_MODIFY, 40 },
		{ MDX_IOC_VERBS_QUERY, 40 }, { MDX_IOC_QUERY_PORT, 64 },
		{ MDX_IOC_QUERY_DEVICE, 344 }, { MDX_IOC_LAST_ERROR, 48 },
		{ MDX_IOC_OBJ_LIST, 32 }, { MDX_IOC_CHANNEL, 16 },
		{ MDX_IOC_SUBSCRIBE, 40 }, { MDX_IOC_SUBMIT, 64 },
		{ MDX_IOC_UMEM_REG, 64 },
	};
	unsigned int i, n = 0;

	for (i = 0; i < ARRAY_SIZE(first); i++)
		KUNIT_EXPECT_EQ(test, dispatch_min_size(_IOC_NR(first[i].nr)),
				first[i].size);
	for (i = 0; i < dispatch_rows(); i++)
		n += !!dispatch_size(i);
	KUNIT_EXPECT_EQ(test, n, (unsigned int)ARRAY_SIZE(first));
}

static void number_unknown_enotty(struct kunit *test)
{
	static const unsigned int unknown[] = {
		_IO(MDX_IOC_TYPE, 255), _IO(MDX_IOC_TYPE + 1, FIRST),
		_IOWR(MDX_IOC_TYPE, FIRST, u64),
	};
	unsigned long user = (unsigned long)dispatch.user;
	unsigned int i;

	KUNIT_EXPECT_EQ(test,
			mdx_ioctl(&dispatch.filp,
				  _IO(MDX_IOC_TYPE, dispatch_rows()), user),
			-ENOTTY);
	for (i = 0; i < ARRAY_SIZE(unknown); i++)
		KUNIT_EXPECT_EQ(test,
				mdx_ioctl(&dispatch.filp, unknown[i], user),
				-ENOTTY);
	KUNIT_EXPECT_EQ(test, dispatch.file.last_error.out_count, 0);
}

static void structure_short_einval(struct kunit *test)
{
	unsigned int cmd, size;

	for_each_ioctl(cmd)
		for (size = 0; size < dispatch_min_size(cmd); size++) {
			KUNIT_EXPECT_EQ_MSG(test,
				dispatch_call(test, cmd, size),
				-EINVAL, "ioctl %u, %u bytes", cmd, size);
			KUNIT_EXPECT_TRUE(test, dispatch_untouched(test));
		}
}

static void known_sizes_accepted(struct kunit *test)
{
	unsigned int cmd;

	for_each_ioctl(cmd) {
		KUNIT_EXPECT_EQ_MSG(test,
			dispatch_call(test, cmd,
				      dispatch_min_size(cmd)),
			0, "ioctl %u", cmd);
		KUNIT_EXPECT_EQ_MSG(test,
			dispatch_call(test, cmd,
				      dispatch_size(cmd)),
			0, "ioctl %u", cmd);
	}
}

static void tail_zero_accepted(struct kunit *test)
{
	unsigned int cmd;

	for_each_ioctl(cmd) {
		KUNIT_EXPECT_EQ_MSG(test,
			dispatch_call(test, cmd,
				      dispatch_size(cmd) + 1),
			0, "ioctl %u", cmd);
		KUNIT_EXPECT_EQ_MSG(test,
			dispatch_call(test, cmd, PAGE_SIZE),
			0, "ioctl %u", cmd);
	}
}

static void tail_nonzero_e2big(struct kunit *test)
{
	unsigned int cmd;
	u32 size;

	for_each_ioctl(cmd) {
		size = dispatch_size(cmd);
		KUNIT_EXPECT_EQ_MSG(test,
			dispatch_call_with(test, cmd, size + 1,
					   size, 1),
			-E2BIG, "ioctl %u", cmd);
		KUNIT_EXPECT_TRUE(test, dispatch_untouched(test));
		KUNIT_EXPECT_EQ_MSG(test,
			dispatch_call_with(test, cmd, PAGE_SIZE,
					   PAGE_SIZE - 1, 0x80),
			-E2BIG, "ioctl %u", cmd);
		KUNIT_EXPECT_TRUE(test, dispatch_untouched(test));
	}
}

static void longer_than_page_e2big(struct kunit *test)
{
	static const u32 sizes[] = { PAGE_SIZE + 1, 2 * PAGE_SIZE, U32_MAX };
	unsigned int cmd, i;

	for_each_ioctl(cmd)
		for (i = 0; i < ARRAY_SIZE(sizes); i++) {
			KUNIT_EXPECT_EQ_MSG(test,
				dispatch_call(test, cmd, sizes[i]),
				-E2BIG, "ioctl %u", cmd);
			KUNIT_EXPECT_TRUE(test, dispatch_untouched(test));
		}
}

/* Flags that an ioctl knows */
static u32 known_flags(unsigned int cmd)
{
	static const u32 known[] = {
		[MDX_CMD_BIND] = MDX_BIND_SHARE,
		[MDX_CMD_CHANNEL] = 0xf,
		[MDX_CMD_SUBMIT] = MDX_SUBMIT_STOP | MDX_SUBMIT_UNDO,
		[MDX_CMD_UMEM_REG] = MDX_UMEM_DMABUF | MDX_UMEM_PGSZ_STRICT,
	};

	return cmd < ARRAY_SIZE(known) ? known[cmd] : 0;
}

static void flag_unknown_eopnotsupp(struct kunit *test)
{
	unsigned int cmd, bit;

	for_each_ioctl(cmd)
		for (bit = 0; bit < 32; bit++) {
			if (known_flags(cmd) & BIT(bit))
				continue;
			KUNIT_EXPECT_EQ_MSG(test,
				dispatch_call_with(test, cmd,
						   dispatch_size(cmd),
						   4 + bit / 8, BIT(bit % 8)),
				-EOPNOTSUPP, "ioctl %u, bit %u", cmd, bit);
			KUNIT_EXPECT_TRUE(test, dispatch_untouched(test));
		}
}

#define RESERVED(_cmd, _struct)                                                \
	{ MDX_CMD_##_cmd, sizeof(struct _struct),                              \
	  offsetof(struct _struct, __reserved),                                \
	  sizeof_field(struct _struct, __reserved) }

static void reserved_nonzero_eopnotsupp(struct kunit *test)
{
	static const struct {
		u32 cmd, size, at, len;
	} reserved[] = {
		RESERVED(OBJ_CREATE, mdx_ioc_obj_create),
		RESERVED(OBJ_DESTROY, mdx_ioc_obj_destroy),
		RESERVED(OBJ_MODIFY, mdx_ioc_obj_cmd),
		RESERVED(OBJ_QUERY, mdx_ioc_obj_cmd),
		RESERVED(QUERY_PORT, mdx_ioc_query_port),
	};
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(reserved); i++)
		for (j = 0; j < reserved[i].len; j++) {
			KUNIT_EXPECT_EQ_MSG(test,
				dispatch_call_with(test, reserved[i].cmd,
						   reserved[i].size,
						   reserved[i].at + j, 1),
				-EOPNOTSUPP, "ioctl %u, byte %u",
				reserved[i].cmd, j);
			KUNIT_EXPECT_TRUE(test, dispatch_untouched(test));
		}
}

/* Ioctls with a handler that keeps the structure, and no field that must be zero */
static const unsigned int kept[] = {
	MDX_CMD_BIND, MDX_CMD_VERBS_MODIFY, MDX_CMD_VERBS_QUERY,
	MDX_CMD_QUERY_DEVICE, MDX_CMD_OBJ_LIST, MDX_CMD_CHANNEL,
	MDX_CMD_SUBSCRIBE,
};

/* All bytes but size and flags are one, also behind the structure. */
static void missing_tail_is_zero(struct kunit *test)
{
	unsigned int i, cmd;
	u32 min_size, size;

	for (i = 0; i < ARRAY_SIZE(kept); i++) {
		cmd = kept[i];
		min_size = dispatch_min_size(cmd);
		size = dispatch_size(cmd);
		memset(dispatch.seen, 0xff, sizeof(dispatch.seen));
		dispatch_prepare(min_size);
		memset(dispatch.image + 8, 1, size);
		KUNIT_EXPECT_EQ(test, dispatch_issue(test, cmd), 0);
		KUNIT_EXPECT_EQ(test, dispatch.seen[min_size - 1], 1);
		if (min_size < size)
			KUNIT_EXPECT_FALSE(test,
				memchr_inv(dispatch.seen + min_size, 0,
					   size - min_size));
	}
}

/* NULL, the kernel's, no address at all, and structures that are cut off */
static void structure_unreadable_efault(struct kunit *test)
{
	unsigned long user = (unsigned long)dispatch.user;
	unsigned long bad[] = {
		0, (unsigned long)dispatch.image, ULONG_MAX - 63, BIT(62),
		user + DISPATCH_LEN - 8, user + DISPATCH_LEN - 2,
	};
	unsigned int cmd, i;
	u32 size;

	for_each_ioctl(cmd) {
		size = dispatch_size(cmd);
		dispatch_prepare(size);
		memcpy(dispatch.image + DISPATCH_LEN - 8, &size, sizeof(size));
		KUNIT_ASSERT_EQ(test, copy_to_user(dispatch.user, dispatch.image,
						   DISPATCH_LEN), 0);
		for (i = 0; i < ARRAY_SIZE(bad); i++)
			KUNIT_EXPECT_EQ_MSG(test,
				dispatch_ioctl(cmd, bad[i]),
				-EFAULT, "ioctl %u, %u", cmd, i);
		KUNIT_EXPECT_TRUE(test, dispatch_untouched(test));
	}
}

/* An answer is as long as both sides know the structure. */
static void answer_length_is_shorter(struct kunit *test)
{
	static const unsigned int answering[] = {
		MDX_CMD_OBJ_CREATE, MDX_CMD_OBJ_DESTROY, MDX_CMD_QUERY_PORT,
		MDX_CMD_QUERY_DEVICE, MDX_CMD_OBJ_LIST, MDX_CMD_CHANNEL,
	};
	unsigned int i, cmd;
	u32 size;

	dispatch.fill = true;
	for (i = 0; i < ARRAY_SIZE(answering); i++) {
		cmd = answering[i];
		size = dispatch_size(cmd);
		KUNIT_EXPECT_EQ(test, dispatch_call(test, cmd, size), 0);
		KUNIT_EXPECT_EQ(test, dispatch_filled(test), size);
		KUNIT_EXPECT_EQ(test, dispatch_call(test, cmd, size + 8), 0);
		KUNIT_EXPECT_EQ(test, dispatch_filled(test), size);
		size = dispatch_min_size(cmd);
		KUNIT_EXPECT_EQ(test, dispatch_call(test, cmd, size), 0);
		KUNIT_EXPECT_EQ(test, dispatch_filled(test), size);
	}
}

static void handler_result_returned(struct kunit *test)
{
	dispatch.ret = -EREMOTEIO;
	KUNIT_EXPECT_EQ(test, dispatch_call(test, FIRST, 64),
			-EREMOTEIO);
}

static long call_real(struct kunit *test, unsigned int nr, u32 size)
{
	dispatch_prepare(size);
	KUNIT_ASSERT_EQ(test, copy_to_user(dispatch.user, dispatch.image,
					   DISPATCH_LEN), 0);
	return mdx_ioctl(&dispatch.filp, nr, (unsigned long)dispatch.user);
}

static void failure_is_recorded(struct kunit *test)
{
	const struct mdx_ioc_last_error *now = &dispatch.file.last_error;
	struct mdx_ioc_last_error last;

	dispatch.file.owner = NULL;
	KUNIT_EXPECT_EQ(test, call_real(test, MDX_IOC_VERBS_QUERY, 64),
			-ENOTCONN);
	KUNIT_EXPECT_EQ(test, now->out_count, 1);
	KUNIT_EXPECT_EQ(test, now->out_cmd, MDX_CMD_VERBS_QUERY);
	KUNIT_EXPECT_EQ(test, now->out_errno, ENOTCONN);
	KUNIT_EXPECT_EQ(test, now->out_stage, MDX_STAGE_CHECK);
	KUNIT_EXPECT_EQ(test, call_real(test, MDX_IOC_INFO, 64), 0);
	KUNIT_EXPECT_EQ(test, now->out_count, 1);

	KUNIT_EXPECT_EQ(test,
			call_real(test, MDX_IOC_LAST_ERROR, sizeof(last)), 0);
	KUNIT_ASSERT_EQ(test, copy_from_user(&last, dispatch.user,
					     sizeof(last)), 0);
	KUNIT_EXPECT_EQ(test, last.size, sizeof(last));
	KUNIT_EXPECT_EQ(test, last.out_errno, ENOTCONN);
	KUNIT_EXPECT_EQ(test, last.out_cmd, MDX_CMD_VERBS_QUERY);
	/* A failure of MDX_IOC_LAST_ERROR itself does not count. */
	KUNIT_EXPECT_EQ(test, call_real(test, MDX_IOC_LAST_ERROR, 8), -EINVAL);
	KUNIT_EXPECT_EQ(test, now->out_count, 1);
	KUNIT_EXPECT_EQ(test, call_real(test, MDX_IOC_INFO, 8), -EINVAL);
	KUNIT_EXPECT_EQ(test, now->out_count, 2);
	KUNIT_EXPECT_EQ(test, now->out_cmd, MDX_CMD_INFO);
}

static void ask_info(struct kunit *test, struct mdx_ioc_info *info)
{
	KUNIT_EXPECT_EQ(test, dispatch_call(test, MDX_CMD_INFO, sizeof(*info)),
			0);
	KUNIT_ASSERT_EQ(test, copy_from_user(info, dispatch.user,
					     sizeof(*info)), 0);
	KUNIT_EXPECT_EQ(test, info->size, sizeof(*info));
}

/* The two ioctls with their own handlers */
static void info_unwritable_efault(struct kunit *test)
{
	u8 stage = MDX_STAGE_NONE;

	KUNIT_EXPECT_EQ(test, dispatch_answer_nowhere(MDX_CMD_INFO, &stage),
			-EFAULT);
	KUNIT_EXPECT_EQ(test, stage, MDX_STAGE_ANSWER);
	stage = MDX_STAGE_NONE;
	KUNIT_EXPECT_EQ(test,
			dispatch_answer_nowhere(MDX_CMD_LAST_ERROR, &stage),
			-EFAULT);
	KUNIT_EXPECT_EQ(test, stage, MDX_STAGE_ANSWER);
}

static void info_unbound(struct kunit *test)
{
	struct mdx_ioc_info info;

	dispatch.file.owner = NULL;
	atomic_set(&dispatch.file.own.n, 3);
	ask_info(test, &info);
	KUNIT_EXPECT_EQ(test, info.out_flags, 0);
	KUNIT_EXPECT_EQ(test, info.out_uid, 0);
	KUNIT_EXPECT_EQ(test, info.out_objs, 3);
	KUNIT_EXPECT_EQ(test, info.out_objs_max, MDX_OBJS_MAX);
	KUNIT_EXPECT_EQ(test, info.out_in_len_max, MDX_MBOX_LEN_MAX);
	KUNIT_EXPECT_EQ(test, info.out_errata, 0);
}

static void info_bound(struct kunit *test)
{
	struct mdx_ioc_info info;

	dispatch.owner.uid = 0x4321;
	ask_info(test, &info);
	KUNIT_EXPECT_EQ(test, info.out_flags, MDX_INFO_BOUND);
	KUNIT_EXPECT_EQ(test, info.out_uid, 0x4321);
}

static void info_removed(struct kunit *test)
{
	struct mdx_ioc_info info;

	dispatch.owner.uid = 0x4321;
	dispatch.mdx.removed = true;
	ask_info(test, &info);
	KUNIT_EXPECT_EQ(test, info.out_flags, MDX_INFO_BOUND | MDX_INFO_REMOVED);
	KUNIT_EXPECT_EQ(test, info.out_uid, 0x4321);
}

static void info_ended(struct kunit *test)
{
	struct mdx_ioc_info info;

	dispatch.owner.ended = true;
	ask_info(test, &info);
	KUNIT_EXPECT_EQ(test, info.out_flags, MDX_INFO_BOUND | MDX_INFO_ENDED);
}

static void info_limits(struct kunit *test)
{
	struct mdx_ioc_info info;

	ask_info(test, &info);
	KUNIT_EXPECT_EQ(test, info.out_calls_max, 16);
	KUNIT_EXPECT_EQ(test, info.out_calls_throttled_max, 8);
	KUNIT_EXPECT_EQ(test, info.out_long_len, SZ_64K);
	KUNIT_EXPECT_EQ(test, info.out_long_bytes_max, SZ_4M);
}

static void info_flag_eopnotsupp(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test,
			dispatch_call_with(test, MDX_CMD_INFO,
					   sizeof(struct mdx_ioc_info), 4, 1),
			-EOPNOTSUPP);
}

static struct kunit_case ioctl_cases[] = {
	KUNIT_CASE(min_sizes_are_fixed),
	KUNIT_CASE(number_unknown_enotty),
	KUNIT_CASE(structure_short_einval),
	KUNIT_CASE(known_sizes_accepted),
	KUNIT_CASE(tail_zero_accepted),
	KUNIT_CASE(tail_nonzero_e2big),
	KUNIT_CASE(longer_than_page_e2big),
	KUNIT_CASE(flag_unknown_eopnotsupp),
	KUNIT_CASE(reserved_nonzero_eopnotsupp),
	KUNIT_CASE(missing_tail_is_zero),
	KUNIT_CASE(structure_unreadable_efault),
	KUNIT_CASE(answer_length_is_shorter),
	KUNIT_CASE(handler_result_returned),
	KUNIT_CASE(failure_is_recorded),
	KUNIT_CASE(info_unwritable_efault),
	KUNIT_CASE(info_unbound),
	KUNIT_CASE(info_bound),
	KUNIT_CASE(info_removed),
	KUNIT_CASE(info_ended),
	KUNIT_CASE(info_limits),
	KUNIT_CASE(info_flag_eopnotsupp),
	{}
};

static struct kunit_suite ioctl_suite = {
	.name = "mdx_ioctl",
	.init = dispatch_init,
	.exit = dispatch_exit,
	.test_cases = ioctl_cases,
};

kunit_test_suite(ioctl_suite);
