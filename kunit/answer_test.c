// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * What a user gets of an answer: all of it or nothing, and never what somebody
 * else left in the buffer (obj_env.c fills each with ENV_SECRET).
 */
#include <linux/uaccess.h>

#include "bits.h"
#include "fake_fw.h"
#include "obj_env.h"

/* What is in the user's memory before */
#define USERS 0xa5

/* A command in each of the ways in which one is sent */
static const struct way {
	u16 opcode;
	u8 class;
	u32 in_len;
} ways[] = {
	{ 0x800, MDX_OP_CREATE, 16 },
	{ 0x400, MDX_OP_CREATE, 272 },
	{ 0x50b, MDX_OP_QUERY, 16 },
	{ 0x502, MDX_OP_MODIFY, 272 },
	{ 0x100, MDX_OP_GENERAL, 16 },
};

/* Around a header, and around what the pool has of one length */
static const u32 lens[] = {
	16, 17, 31, 32, 100, 495, 496, 497, 512, 513, 2032, 2033, 4096, 8000,
};

static struct {
	u32 qp;
	u8 *seen;
} a;

static int answer_init(struct kunit *test)
{
	int ret = env_init(test);

	if (ret)
		return ret;
	a.seen = kunit_kzalloc(test, USER_OUT_LEN, GFP_KERNEL);
	if (!a.seen || env_create_qp())
		return -ENOMEM;
	a.qp = env.id;
	return 0;
}

/* As the user left it; the call follows. */
static void fill_user(struct kunit *test)
{
	memset(a.seen, USERS, USER_OUT_LEN);
	KUNIT_ASSERT_EQ(test, copy_to_user(env.user + 2 * PAGE_SIZE, a.seen,
					   USER_OUT_LEN), 0);
}

static void see_user(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, copy_from_user(a.seen, env.user + 2 * PAGE_SIZE,
					     USER_OUT_LEN), 0);
}

static int send(const struct way *way, u32 in_len, u32 out_len)
{
	env_begin(way->opcode);
	switch (way->class) {
	case MDX_OP_CREATE:
		return env_create(in_len, out_len);
	case MDX_OP_GENERAL:
		return env_general(in_len, out_len);
	default:
		bits_put(env.in, 0x48, 24, 1);
		return env_use(way->class, a.qp, in_len, out_len);
	}
}

static bool all_are(u8 byte, u32 from, u32 to)
{
	return from >= to || !memchr_inv(a.seen + from, byte, to - from);
}

static void what_the_device_says_is_handed_out(struct kunit *test)
{
	static const u32 answers[] = { 16, 20, 500, U32_MAX };
	const struct way *way;
	unsigned int i, j;
	u32 end;

	for (way = ways; way < ways + ARRAY_SIZE(ways); way++)
		for (i = 0; i < ARRAY_SIZE(lens) * ARRAY_SIZE(answers); i++) {
			j = i % ARRAY_SIZE(lens);
			fw->answer_len = answers[i / ARRAY_SIZE(lens)];
			end = min(fw->answer_len, lens[j]);
			fill_user(test);
			KUNIT_EXPECT_EQ(test, send(way, way->in_len, lens[j]), 0);
			see_user(test);
			KUNIT_EXPECT_TRUE_MSG(test,
				all_are(0, 0, 8) &&
				all_are(FW_ANSWER, 16, end) &&
				all_are(0, end, lens[j]) &&
				all_are(USERS, lens[j], USER_OUT_LEN),
				"%#x, %u of %u bytes", way->opcode, end, lens[j]);
			if (way->class == MDX_OP_CREATE)
				KUNIT_EXPECT_EQ(test, env_destroy(env.id), 0);
		}
}

static void a_refusal_is_an_answer(struct kunit *test)
{
	const struct way *way;
	unsigned int i;

	for (way = ways; way < ways + ARRAY_SIZE(ways); way++)
		for (i = 0; i < ARRAY_SIZE(lens); i++) {
			fw_rule(way->opcode, -EREMOTEIO, 0x3, 0x1234abcd, 1);
			fill_user(test);
			KUNIT_EXPECT_EQ(test, send(way, way->in_len, lens[i]),
					-EREMOTEIO);
			see_user(test);
			KUNIT_EXPECT_EQ(test, bits_at(a.seen, 0, 32), 0x3000000);
			KUNIT_EXPECT_EQ(test, bits_at(a.seen, 32, 32), 0x1234abcd);
			KUNIT_EXPECT_TRUE_MSG(test,
				all_are(0, 8, lens[i]) &&
				all_are(USERS, lens[i], USER_OUT_LEN),
				"%#x, %u bytes", way->opcode, lens[i]);
		}
}

/* No answer, a transport that failed, no memory: part of it may be written. */
static void what_failed_has_no_answer(struct kunit *test)
{
	static const int errnos[] = {
		-ETIMEDOUT, -ECANCELED, -EIO, -ENXIO, -ENOMEM, -EINVAL, -EAGAIN,
		-EFAULT, -EINTR,
	};
	const struct way *way;
	unsigned int i;
	u32 len;

	for (way = ways; way < ways + ARRAY_SIZE(ways); way++)
		for (i = 0; i < ARRAY_SIZE(errnos) * ARRAY_SIZE(lens); i++) {
			len = lens[i % ARRAY_SIZE(lens)];
			fw_rule(way->opcode, errnos[i / ARRAY_SIZE(lens)], 0, 0,
				1);
			fill_user(test);
			KUNIT_EXPECT_EQ(test, send(way, way->in_len, len),
					errnos[i / ARRAY_SIZE(lens)]);
			see_user(test);
			KUNIT_EXPECT_TRUE_MSG(test,
				all_are(USERS, 0, USER_OUT_LEN),
				"%#x, %u bytes, %d", way->opcode, len,
				errnos[i / ARRAY_SIZE(lens)]);
		}
	KUNIT_EXPECT_EQ(test, atomic_read(&env.file->objs_n), 1);
}

static void what_was_not_sent_has_no_answer(struct kunit *test)
{
	const struct way *way;
	unsigned int sent = fw->sent_n;
	int ret;

	for (way = ways; way < ways + ARRAY_SIZE(ways); way++) {
		fill_user(test);
		ret = send(way, way->in_len - 1, 512);
		KUNIT_EXPECT_EQ_MSG(test, ret, -EINVAL, "%#x", way->opcode);
		ret = send(way, way->in_len, 15);
		KUNIT_EXPECT_EQ_MSG(test, ret, -EINVAL, "%#x", way->opcode);
		env.no_buffers = true;
		ret = send(way, way->in_len, 512);
		KUNIT_EXPECT_EQ_MSG(test, ret, -ENOMEM, "%#x", way->opcode);
		env.no_buffers = false;
		see_user(test);
		KUNIT_EXPECT_TRUE_MSG(test, all_are(USERS, 0, USER_OUT_LEN),
				      "%#x", way->opcode);
	}
	KUNIT_EXPECT_EQ(test, fw->sent_n, sent);
	KUNIT_EXPECT_EQ(test, atomic_read(&env.file->objs_n), 1);
}

/* Nobody's, the kernel's, no address at all, and a header that is cut off */
static void what_cannot_be_read_is_not_sent(struct kunit *test)
{
	const u64 bad[] = {
		0, (uintptr_t)&env, ULONG_MAX - 15, BIT_ULL(62),
		(uintptr_t)env.user + USER_LEN - 8,
	};
	unsigned int sent = fw->sent_n, i;
	const struct way *way;

	for (way = ways; way < ways + ARRAY_SIZE(ways); way++)
		for (i = 0; i < ARRAY_SIZE(bad); i++) {
			fill_user(test);
			env.in_addr = bad[i];
			KUNIT_EXPECT_EQ_MSG(test, send(way, way->in_len, 512),
					    -EFAULT, "%#x, %u", way->opcode, i);
			see_user(test);
			KUNIT_EXPECT_TRUE(test, all_are(USERS, 0, USER_OUT_LEN));
		}
	KUNIT_EXPECT_EQ(test, fw->sent_n, sent);
	KUNIT_EXPECT_EQ(test, atomic_read(&env.file->objs_n), 1);
}

/* The user's memory ends within the answer: what is written is of it. */
static void what_cannot_be_written_is_efault(struct kunit *test)
{
	const struct way *way;
	u8 __user *const good = env.user_out;
	unsigned int i, at = USER_OUT_LEN - 40;

	fw->answer_len = U32_MAX;
	for (way = ways; way < ways + ARRAY_SIZE(ways); way++) {
		fill_user(test);
		env.user_out = good + at;
		KUNIT_EXPECT_EQ_MSG(test, send(way, way->in_len, 4096), -EFAULT,
				    "%#x", way->opcode);
		env.user_out = good;
		see_user(test);
		KUNIT_EXPECT_TRUE(test, all_are(USERS, 0, at));
		KUNIT_EXPECT_FALSE(test, memchr(a.seen + at, ENV_SECRET, 40));
		for (i = at + 16; i < USER_OUT_LEN; i++)
			KUNIT_EXPECT_TRUE(test, a.seen[i] == FW_ANSWER ||
					  a.seen[i] == USERS);
	}
	/* What was created was taken back. */
	KUNIT_EXPECT_EQ(test, atomic_read(&env.file->objs_n), 1);
}

static void a_destroy_that_failed_has_no_answer(struct kunit *test)
{
	u8 arg[sizeof(struct mdx_ioc_obj_destroy)];

	memset(arg, USERS, sizeof(arg));
	KUNIT_ASSERT_EQ(test, copy_to_user(env.user, arg, sizeof(arg)), 0);
	fw_rule(0x501, -ETIMEDOUT, 0, 0, 1);
	KUNIT_EXPECT_EQ(test, env_destroy(a.qp), -ETIMEDOUT);
	KUNIT_ASSERT_EQ(test, copy_from_user(arg, env.user, sizeof(arg)), 0);
	KUNIT_EXPECT_NULL(test, memchr_inv(arg, USERS, sizeof(arg)));
}

static struct kunit_case answer_cases[] = {
	KUNIT_CASE(what_the_device_says_is_handed_out),
	KUNIT_CASE(a_refusal_is_an_answer),
	KUNIT_CASE(what_failed_has_no_answer),
	KUNIT_CASE(what_was_not_sent_has_no_answer),
	KUNIT_CASE(what_cannot_be_read_is_not_sent),
	KUNIT_CASE(what_cannot_be_written_is_efault),
	KUNIT_CASE(a_destroy_that_failed_has_no_answer),
	{}
};

static struct kunit_suite answer_suite = {
	.name = "mdx_answer",
	.suite_init = env_suite_init,
	.suite_exit = env_suite_exit,
	.init = answer_init,
	.exit = env_exit,
	.test_cases = answer_cases,
};

kunit_test_suite(answer_suite);
