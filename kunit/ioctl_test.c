// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * What is the same for all ioctls, on real user memory: numbers, sizes, flags,
 * reserved fields, addresses.
 */
#include <kunit/test.h>
#include <linux/mman.h>

#include "../kmod/ioctl.c"
#include "../kmod/last.c"

#include "real.h"

#define USER_LEN (2 * PAGE_SIZE)

static struct {
	unsigned int calls;
	int ret;
	bool respond;
	union ioc_buf seen;
	u32 ksize;
	/* The handlers are verbs.c's and interop.c's. */
	bool real;
	u8 __user *user;
	/* What is in @user when an ioctl begins, and what is there now */
	u8 *image;
	u8 *now;
	struct mdx_file file;
	struct file filp;
} s;

/* Keeps what it was given. */
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
	return s.real ? real_bind(ucmd) : handler(ucmd);
}

int mdx_ioc_verbs_modify(struct mdx_ucmd *ucmd)
{
	return s.real ? real_verbs_modify(ucmd) : handler(ucmd);
}

int mdx_ioc_verbs_query(struct mdx_ucmd *ucmd)
{
	return s.real ? real_verbs_query(ucmd) : handler(ucmd);
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
	s.image = kunit_kzalloc(test, USER_LEN, GFP_KERNEL);
	s.now = kunit_kzalloc(test, USER_LEN, GFP_KERNEL);
	if (!s.image || !s.now)
		return -ENOMEM;
	s.filp.private_data = &s.file;
	mutex_init(&s.file.bind_lock);
	spin_lock_init(&s.file.last_lock);
	return 0;
}

static unsigned int number(unsigned int i)
{
	return _IO(MDX_IOC_TYPE, i);
}

/* A structure in which all is as it should be, if its size is */
static void prepare(unsigned int nr, u32 size)
{
	memset(s.image, 0, USER_LEN);
	memcpy(s.image, &size, sizeof(size));
	if (nr == MDX_IOC_VERBS_MODIFY || nr == MDX_IOC_VERBS_QUERY)
		s.image[offsetof(struct mdx_ioc_verbs_cmd, obj_type)] = MDX_VERBS_CQ;
}

static long issue(struct kunit *test, unsigned int nr)
{
	KUNIT_ASSERT_EQ(test, copy_to_user(s.user, s.image, USER_LEN), 0);
	return mdx_ioctl(&s.filp, nr, (unsigned long)s.user);
}

/* With the first @set bytes, but for the size, one. */
static long call(struct kunit *test, unsigned int nr, u32 size, size_t set)
{
	prepare(nr, size);
	while (set-- > sizeof(size))
		s.image[set] = 1;
	return issue(test, nr);
}

/* With one byte that is not zero */
static long call_with(struct kunit *test, unsigned int nr, u32 size, size_t at,
		      u8 byte)
{
	prepare(nr, size);
	s.image[at] = byte;
	return issue(test, nr);
}

/* The last call came to no handler, and wrote nothing. */
static bool untouched(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, copy_from_user(s.now, s.user, USER_LEN), 0);
	return !s.calls && !memcmp(s.now, s.image, USER_LEN);
}

#define for_each_ioctl(i)                                                      \
	for ((i) = 0; (i) < ARRAY_SIZE(ioc_ops); (i)++)                        \
		if (ioc_ops[i].fn)

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

static void short_structures_are_refused(struct kunit *test)
{
	unsigned int i, size;

	for_each_ioctl(i)
		for (size = 0; size < ioc_ops[i].min_size; size++) {
			KUNIT_EXPECT_EQ_MSG(test, call(test, number(i), size, 0),
					    -EINVAL, "ioctl %u, %u bytes", i, size);
			KUNIT_EXPECT_TRUE(test, untouched(test));
		}
}

/* All others answer that the file is not bound, or that there is no such file. */
static bool is_accepted(long ret)
{
	return !ret || ret == -ENOTCONN || ret == -EBADF;
}

static void known_sizes_are_accepted(struct kunit *test)
{
	unsigned int i;

	s.real = true;
	for_each_ioctl(i) {
		KUNIT_EXPECT_TRUE_MSG(test,
			is_accepted(call(test, number(i), ioc_ops[i].min_size, 0)),
			"ioctl %u", i);
		KUNIT_EXPECT_TRUE_MSG(test,
			is_accepted(call(test, number(i), ioc_ops[i].size, 0)),
			"ioctl %u", i);
	}
}

static void longer_structures_must_end_in_zeros(struct kunit *test)
{
	unsigned int i;
	u32 size;

	for_each_ioctl(i) {
		size = ioc_ops[i].size;
		KUNIT_EXPECT_TRUE_MSG(test,
			is_accepted(call(test, number(i), size + 1, 0)),
			"ioctl %u", i);
		KUNIT_EXPECT_TRUE_MSG(test,
			is_accepted(call(test, number(i), PAGE_SIZE, 0)),
			"ioctl %u", i);
		s.calls = 0;
		KUNIT_EXPECT_EQ_MSG(test,
			call_with(test, number(i), size + 1, size, 1), -E2BIG,
			"ioctl %u", i);
		KUNIT_EXPECT_TRUE(test, untouched(test));
		KUNIT_EXPECT_EQ_MSG(test,
			call_with(test, number(i), PAGE_SIZE, PAGE_SIZE - 1, 0x80),
			-E2BIG, "ioctl %u", i);
		KUNIT_EXPECT_TRUE(test, untouched(test));
		KUNIT_EXPECT_EQ_MSG(test, call(test, number(i), PAGE_SIZE + 1, 0),
				    -E2BIG, "ioctl %u", i);
		KUNIT_EXPECT_TRUE(test, untouched(test));
	}
}

static void unknown_flags_are_refused(struct kunit *test)
{
	unsigned int i, bit;

	s.real = true;
	for_each_ioctl(i)
		for (bit = 0; bit < 32; bit++) {
			KUNIT_EXPECT_EQ_MSG(test,
				call_with(test, number(i), ioc_ops[i].size,
					  4 + bit / 8, BIT(bit % 8)),
				-EOPNOTSUPP, "ioctl %u, bit %u", i, bit);
			KUNIT_EXPECT_TRUE(test, untouched(test));
		}
}

#define RESERVED(_cmd, _struct)                                                \
	{ MDX_IOC_##_cmd, sizeof(struct _struct),                              \
	  offsetof(struct _struct, __reserved),                                \
	  sizeof_field(struct _struct, __reserved) }

static void reserved_fields_must_be_zero(struct kunit *test)
{
	static const struct {
		u32 nr, size, at, len;
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
				call_with(test, reserved[i].nr, reserved[i].size,
					  reserved[i].at + j, 1),
				-EOPNOTSUPP, "ioctl %u, byte %u",
				_IOC_NR(reserved[i].nr), j);
			KUNIT_EXPECT_TRUE(test, untouched(test));
		}
}

/* There is one kind for each sort of verbs object. */
static void unknown_kinds_are_refused(struct kunit *test)
{
	static const u32 kinds[] = { 0, MDX_VERBS_RWQ_IND_TBL + 1, 0x100, U32_MAX };
	struct mdx_ioc_verbs_cmd *arg;
	unsigned int i;

	s.real = true;
	arg = (void *)s.image;
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		prepare(MDX_IOC_VERBS_QUERY, sizeof(*arg));
		arg->obj_type = kinds[i];
		KUNIT_EXPECT_EQ(test, issue(test, MDX_IOC_VERBS_QUERY), -EOPNOTSUPP);
		KUNIT_EXPECT_EQ(test, issue(test, MDX_IOC_VERBS_MODIFY), -EOPNOTSUPP);
		KUNIT_EXPECT_TRUE(test, untouched(test));
	}
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
	unsigned int i;

	for_each_ioctl(i)
		KUNIT_EXPECT_EQ_MSG(test, call(test, number(i), U32_MAX, 0),
				    -E2BIG, "ioctl %u", i);
	KUNIT_EXPECT_TRUE(test, untouched(test));
}

/* Nobody's, the kernel's, no address, and where a structure is cut off */
static void unreadable_structures_are_refused(struct kunit *test)
{
	unsigned long bad[] = {
		0, (unsigned long)s.image, ULONG_MAX - 63, BIT(62),
		(unsigned long)s.user + USER_LEN - 8,
		(unsigned long)s.user + USER_LEN - 2,
	};
	unsigned int i, j;
	u32 size;

	for_each_ioctl(i) {
		size = ioc_ops[i].size;
		prepare(number(i), size);
		memcpy(s.image + USER_LEN - 8, &size, sizeof(size));
		KUNIT_ASSERT_EQ(test, copy_to_user(s.user, s.image, USER_LEN), 0);
		for (j = 0; j < ARRAY_SIZE(bad); j++)
			KUNIT_EXPECT_EQ_MSG(test,
				mdx_ioctl(&s.filp, number(i), bad[j]), -EFAULT,
				"ioctl %u, %u", i, j);
		KUNIT_EXPECT_TRUE(test, untouched(test));
	}
}

/* Those that answer a file that is not bound */
static void answers_that_cannot_be_written_are_refused(struct kunit *test)
{
	static const unsigned int answering[] = { MDX_CMD_INFO, MDX_CMD_LAST_ERROR };
	struct mdx_ucmd ucmd;
	union ioc_buf buf;
	unsigned int i;
	u32 size;

	for (i = 0; i < ARRAY_SIZE(answering); i++) {
		size = ioc_ops[answering[i]].size;
		memset(&buf, 0, sizeof(buf));
		ucmd = (struct mdx_ucmd){
			.file = &s.file, .cmd = &buf, .usize = size, .ksize = size,
		};
		KUNIT_EXPECT_EQ(test, ioc_ops[answering[i]].fn(&ucmd), -EFAULT);
		KUNIT_EXPECT_EQ(test, ucmd.why.stage, MDX_STAGE_ANSWER);
	}
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
	KUNIT_EXPECT_EQ(test, info.out_flags, MDX_INFO_BOUND | MDX_INFO_REMOVED);
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
	KUNIT_CASE(short_structures_are_refused),
	KUNIT_CASE(known_sizes_are_accepted),
	KUNIT_CASE(longer_structures_must_end_in_zeros),
	KUNIT_CASE(unknown_flags_are_refused),
	KUNIT_CASE(reserved_fields_must_be_zero),
	KUNIT_CASE(unknown_kinds_are_refused),
	KUNIT_CASE(what_the_caller_did_not_give_is_zero),
	KUNIT_CASE(longer_than_a_page_is_refused),
	KUNIT_CASE(unreadable_structures_are_refused),
	KUNIT_CASE(answers_that_cannot_be_written_are_refused),
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
