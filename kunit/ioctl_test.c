// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The sizes and numbers of the ioctls, on real user memory.
 */
#include <kunit/test.h>
#include <linux/mman.h>

#include "../kmod/ioctl.c"
#include "../kmod/last.c"

#define USER_LEN (4 * PAGE_SIZE)

static struct {
	unsigned int calls;
	int ret;
	bool respond;
	union ioc_buf seen;
	u32 ksize;
	u8 __user *user;
	struct mdx_file file;
	struct file filp;
} s;

/* In place of verbs.c and interop.c: keeps what it was given. */
static int handler(struct mdx_ucmd *ucmd)
{
	s.calls++;
	s.ksize = ucmd->ksize;
	memcpy(&s.seen, ucmd->cmd, ucmd->ksize);
	if (!s.respond)
		return s.ret;
	memset(ucmd->cmd, 0xc3, ucmd->ksize);
	return mdx_respond(ucmd);
}

int mdx_ioc_bind(struct mdx_ucmd *ucmd)
{
	return handler(ucmd);
}

int mdx_ioc_verbs_modify(struct mdx_ucmd *ucmd)
{
	return handler(ucmd);
}

int mdx_ioc_verbs_query(struct mdx_ucmd *ucmd)
{
	return handler(ucmd);
}

static const unsigned int handled[] = {
	MDX_CMD_BIND, MDX_CMD_VERBS_MODIFY, MDX_CMD_VERBS_QUERY,
};

static int ioctl_init(struct kunit *test)
{
	unsigned long addr;

	memset(&s, 0, sizeof(s));
	addr = kunit_vm_mmap(test, NULL, 0, USER_LEN, PROT_READ | PROT_WRITE,
			     MAP_ANONYMOUS | MAP_PRIVATE, 0);
	if (!addr || IS_ERR_VALUE(addr))
		return -ENOMEM;
	s.user = (u8 __user *)addr;
	s.filp.private_data = &s.file;
	spin_lock_init(&s.file.last_lock);
	return 0;
}

/* A structure of @size bytes, @set of which are one and the others zero. */
static long call(struct kunit *test, unsigned int nr, u32 size, size_t set)
{
	static const u8 one = 1;

	KUNIT_ASSERT_EQ(test, clear_user(s.user, USER_LEN), 0);
	while (set-- > sizeof(size))
		KUNIT_ASSERT_EQ(test, copy_to_user(s.user + set, &one, 1), 0);
	KUNIT_ASSERT_EQ(test, put_user(size, (u32 __user *)s.user), 0);
	return mdx_ioctl(&s.filp, nr, (unsigned long)s.user);
}

static unsigned int number(unsigned int i)
{
	return _IO(MDX_IOC_TYPE, i);
}

#define FIRST MDX_CMD_BIND

/* For ever: what a program was compiled with must go on to be accepted. */
static void first_sizes_are_for_ever(struct kunit *test)
{
	static const struct {
		u32 nr, size;
	} first[] = {
		{ MDX_IOC_INFO, 48 }, { MDX_IOC_BIND, 16 },
		{ MDX_IOC_OBJ_CREATE, 40 }, { MDX_IOC_OBJ_DESTROY, 24 },
		{ MDX_IOC_OBJ_MODIFY, 40 }, { MDX_IOC_OBJ_QUERY, 40 },
		{ MDX_IOC_GENERAL, 32 }, { MDX_IOC_VERBS_MODIFY, 40 },
		{ MDX_IOC_VERBS_QUERY, 40 }, { MDX_IOC_QUERY_PORT, 64 },
		{ MDX_IOC_QUERY_DEVICE, 344 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(first); i++)
		KUNIT_EXPECT_EQ(test, ioc_ops[_IOC_NR(first[i].nr)].min_size,
				first[i].size);
}

static void unknown_numbers_are_not_ioctls(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, call(test, number(ARRAY_SIZE(ioc_ops)), 64, 0),
			-ENOTTY);
	KUNIT_EXPECT_EQ(test, call(test, number(255), 64, 0), -ENOTTY);
	KUNIT_EXPECT_EQ(test, call(test, _IO(MDX_IOC_TYPE + 1, FIRST), 64, 0),
			-ENOTTY);
	KUNIT_EXPECT_EQ(test, call(test, _IOWR(MDX_IOC_TYPE, FIRST, u64), 64, 0),
			-ENOTTY);
	KUNIT_EXPECT_EQ(test, s.calls, 0);
}

static void what_the_caller_did_not_give_is_zero(struct kunit *test)
{
	const u8 *seen = (u8 *)&s.seen;
	unsigned int i, j;
	u32 min_size;

	for (j = 0; j < ARRAY_SIZE(handled); j++) {
		i = handled[j];
		min_size = ioc_ops[i].min_size;
		memset(&s.seen, 0xff, sizeof(s.seen));
		KUNIT_EXPECT_EQ(test, call(test, number(i), min_size,
					   ioc_ops[i].size + 8), 0);
		KUNIT_EXPECT_EQ(test, s.ksize, ioc_ops[i].size);
		KUNIT_EXPECT_EQ(test, seen[min_size - 1], 1);
		if (min_size < ioc_ops[i].size)
			KUNIT_EXPECT_FALSE(test,
				memchr_inv(seen + min_size, 0,
					   ioc_ops[i].size - min_size));
	}
}

static void longer_than_a_page_is_refused(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, call(test, number(FIRST), PAGE_SIZE + 1, 0),
			-E2BIG);
	KUNIT_EXPECT_EQ(test, call(test, number(FIRST), U32_MAX, 0), -E2BIG);
	KUNIT_EXPECT_EQ(test, s.calls, 0);
}

static void unreadable_structures_are_refused(struct kunit *test)
{
	u32 __user *last = (u32 __user *)(s.user + USER_LEN - 4);

	KUNIT_EXPECT_EQ(test, mdx_ioctl(&s.filp, number(FIRST), 0), -EFAULT);
	/* The size can be read, what follows it cannot. */
	KUNIT_ASSERT_EQ(test, put_user(16, last), 0);
	KUNIT_EXPECT_EQ(test, mdx_ioctl(&s.filp, MDX_IOC_BIND,
					(unsigned long)last), -EFAULT);
	KUNIT_EXPECT_EQ(test, s.calls, 0);
}

/* Bytes of user memory that a response changed, all from the start on */
static unsigned int written(struct kunit *test)
{
	unsigned int n = 0, i;
	u8 byte;

	for (i = 0; i < 1024; i++) {
		KUNIT_ASSERT_EQ(test, get_user(byte, s.user + i), 0);
		if (byte == 0xc3 && i == n)
			n++;
		else
			KUNIT_EXPECT_NE(test, byte, 0xc3);
	}
	return n;
}

static void responses_are_as_long_as_both_know(struct kunit *test)
{
	unsigned int i, j;
	u32 size;

	s.respond = true;
	for (j = 0; j < ARRAY_SIZE(handled); j++) {
		i = handled[j];
		size = ioc_ops[i].size;
		KUNIT_EXPECT_EQ(test, call(test, number(i), size, 0), 0);
		KUNIT_EXPECT_EQ(test, written(test), size);
		KUNIT_EXPECT_EQ(test, call(test, number(i), size + 8, 0), 0);
		KUNIT_EXPECT_EQ(test, written(test), size);
		size = ioc_ops[i].min_size;
		KUNIT_EXPECT_EQ(test, call(test, number(i), size, 0), 0);
		KUNIT_EXPECT_EQ(test, written(test), size);
	}
}

static void what_a_handler_returns_is_returned(struct kunit *test)
{
	s.ret = -EREMOTEIO;
	KUNIT_EXPECT_EQ(test, call(test, number(FIRST), 64, 0), -EREMOTEIO);
}

static void failures_are_remembered(struct kunit *test)
{
	struct mdx_ioc_last_error last = { .size = sizeof(last) };

	s.ret = -EREMOTEIO;
	KUNIT_EXPECT_EQ(test, call(test, MDX_IOC_VERBS_QUERY, 64, 0), -EREMOTEIO);
	KUNIT_EXPECT_EQ(test, s.file.last.out_count, 1);
	KUNIT_EXPECT_EQ(test, s.file.last.out_cmd, MDX_CMD_VERBS_QUERY);
	KUNIT_EXPECT_EQ(test, s.file.last.out_errno, EREMOTEIO);
	s.ret = 0;
	KUNIT_EXPECT_EQ(test, call(test, MDX_IOC_VERBS_QUERY, 64, 0), 0);
	KUNIT_EXPECT_EQ(test, s.file.last.out_count, 1);

	KUNIT_ASSERT_EQ(test, copy_to_user(s.user, &last, sizeof(last)), 0);
	KUNIT_EXPECT_EQ(test, mdx_ioctl(&s.filp, MDX_IOC_LAST_ERROR,
					(unsigned long)s.user), 0);
	KUNIT_ASSERT_EQ(test, copy_from_user(&last, s.user, sizeof(last)), 0);
	KUNIT_EXPECT_EQ(test, last.size, sizeof(last));
	KUNIT_EXPECT_EQ(test, last.out_errno, EREMOTEIO);
	KUNIT_EXPECT_EQ(test, last.out_cmd, MDX_CMD_VERBS_QUERY);
}

static void info_of_an_unbound_file(struct kunit *test)
{
	struct mdx_ioc_info info = { .size = sizeof(info) };

	atomic_set(&s.file.objs_n, 3);
	KUNIT_ASSERT_EQ(test, copy_to_user(s.user, &info, sizeof(info)), 0);
	KUNIT_EXPECT_EQ(test, mdx_ioctl(&s.filp, MDX_IOC_INFO,
					(unsigned long)s.user), 0);
	KUNIT_ASSERT_EQ(test, copy_from_user(&info, s.user, sizeof(info)), 0);
	KUNIT_EXPECT_EQ(test, info.size, sizeof(info));
	KUNIT_EXPECT_EQ(test, info.out_flags, 0);
	KUNIT_EXPECT_EQ(test, info.out_uid, 0);
	KUNIT_EXPECT_EQ(test, info.out_objs, 3);
	KUNIT_EXPECT_EQ(test, info.out_objs_max, MDX_OBJS_MAX);
	KUNIT_EXPECT_EQ(test, info.out_in_len_max, MDX_MBOX_LEN_MAX);
	KUNIT_EXPECT_EQ(test, info.out_errata, 0);
}

static void info_of_a_bound_file(struct kunit *test)
{
	struct mdx_ioc_info info = { .size = sizeof(info) };
	struct mdx_dev *mdx = kunit_kzalloc(test, sizeof(*mdx), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, mdx);
	mdx->mdev = (void *)mdx;
	s.file.mdx = mdx;
	s.file.uid = 0x4321;
	KUNIT_ASSERT_EQ(test, copy_to_user(s.user, &info, sizeof(info)), 0);
	KUNIT_EXPECT_EQ(test, mdx_ioctl(&s.filp, MDX_IOC_INFO,
					(unsigned long)s.user), 0);
	KUNIT_ASSERT_EQ(test, copy_from_user(&info, s.user, sizeof(info)), 0);
	KUNIT_EXPECT_EQ(test, info.out_flags, MDX_INFO_BOUND);
	KUNIT_EXPECT_EQ(test, info.out_uid, 0x4321);

	mdx->mdev = NULL;
	info = (struct mdx_ioc_info){ .size = sizeof(info) };
	KUNIT_ASSERT_EQ(test, copy_to_user(s.user, &info, sizeof(info)), 0);
	KUNIT_EXPECT_EQ(test, mdx_ioctl(&s.filp, MDX_IOC_INFO,
					(unsigned long)s.user), 0);
	KUNIT_ASSERT_EQ(test, copy_from_user(&info, s.user, sizeof(info)), 0);
	KUNIT_EXPECT_EQ(test, info.out_flags, MDX_INFO_BOUND | MDX_INFO_GONE);
}

static void info_has_no_flags(struct kunit *test)
{
	struct mdx_ioc_info info = { .size = sizeof(info), .flags = 1 };

	KUNIT_ASSERT_EQ(test, copy_to_user(s.user, &info, sizeof(info)), 0);
	KUNIT_EXPECT_EQ(test, mdx_ioctl(&s.filp, MDX_IOC_INFO,
					(unsigned long)s.user), -EOPNOTSUPP);
}

static struct kunit_case ioctl_cases[] = {
	KUNIT_CASE(first_sizes_are_for_ever),
	KUNIT_CASE(unknown_numbers_are_not_ioctls),
	KUNIT_CASE(what_the_caller_did_not_give_is_zero),
	KUNIT_CASE(longer_than_a_page_is_refused),
	KUNIT_CASE(unreadable_structures_are_refused),
	KUNIT_CASE(responses_are_as_long_as_both_know),
	KUNIT_CASE(what_a_handler_returns_is_returned),
	KUNIT_CASE(failures_are_remembered),
	KUNIT_CASE(info_of_an_unbound_file),
	KUNIT_CASE(info_of_a_bound_file),
	KUNIT_CASE(info_has_no_flags),
	{}
};

static struct kunit_suite ioctl_suite = {
	.name = "mdx_ioctl",
	.init = ioctl_init,
	.test_cases = ioctl_cases,
};

kunit_test_suite(ioctl_suite);
