// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Answers as users get them: whole or not at all, and never with bytes that another
 * user left in the buffer (obj_env.c fills each with ENV_SECRET).
 */
#include <linux/uaccess.h>

#include "fake_fw.h"
#include "mbox_bits.h"
#include "obj_env.h"
#include "optab_rows.h"

/* Content of the user's memory before */
#define USERS 0xa5

/* A command in each of the ways in which one is sent */
static const struct send_way {
	u16 opcode;
	u8 class;
	u32 in_len;
} ways[] = {
	{ OP(ALLOC_PD), MDX_OP_CREATE, 16 },
	{ OP(CREATE_CQ), MDX_OP_CREATE, 272 },
	{ OP(QUERY_QP), MDX_OP_QUERY, 16 },
	{ OP(RST2INIT_QP), MDX_OP_MODIFY, 272 },
	{ OP(QUERY_HCA_CAP), MDX_OP_GENERAL, 16 },
};

/* Around a header, and around the lengths of the pool */
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
	a.seen = kunit_kzalloc(test, ENV_OUT_LEN, GFP_KERNEL);
	if (!a.seen || env_create_qp())
		return -ENOMEM;
	a.qp = env.id;
	return 0;
}

/* As the user left it; the call follows. */
static void fill_user(struct kunit *test)
{
	memset(a.seen, USERS, ENV_OUT_LEN);
	KUNIT_ASSERT_EQ(test, copy_to_user(env.user + 2 * PAGE_SIZE, a.seen,
					   ENV_OUT_LEN), 0);
}

static void see_user(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, copy_from_user(a.seen, env.user + 2 * PAGE_SIZE,
					     ENV_OUT_LEN), 0);
}

static int send_way(const struct send_way *way, u32 in_len, u32 out_len)
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

static void answer_handed_out_whole(struct kunit *test)
{
	static const u32 answers[] = { 16, 20, 500, U32_MAX };
	const struct send_way *way;
	unsigned int i, j;
	u32 end;

	for (way = ways; way < ways + ARRAY_SIZE(ways); way++)
		for (i = 0; i < ARRAY_SIZE(lens) * ARRAY_SIZE(answers); i++) {
			j = i % ARRAY_SIZE(lens);
			fw->answer_len = answers[i / ARRAY_SIZE(lens)];
			end = min(fw->answer_len, lens[j]);
			fill_user(test);
			KUNIT_EXPECT_EQ(test, send_way(way, way->in_len, lens[j]), 0);
			see_user(test);
			KUNIT_EXPECT_TRUE_MSG(test,
				all_are(0, 0, 8) &&
				all_are(FW_ANSWER, 16, end) &&
				all_are(0, end, lens[j]) &&
				all_are(USERS, lens[j], ENV_OUT_LEN),
				"%#x, %u of %u bytes", way->opcode, end, lens[j]);
			if (way->class == MDX_OP_CREATE)
				KUNIT_EXPECT_EQ(test, env_destroy(env.id), 0);
		}
}

static void refusal_is_answer(struct kunit *test)
{
	const struct send_way *way;
	unsigned int i;

	for (way = ways; way < ways + ARRAY_SIZE(ways); way++)
		for (i = 0; i < ARRAY_SIZE(lens); i++) {
			fw_rule(way->opcode, -EREMOTEIO, 0x3, 0x1234abcd, 1);
			fill_user(test);
			KUNIT_EXPECT_EQ(test, send_way(way, way->in_len, lens[i]),
					-EREMOTEIO);
			see_user(test);
			KUNIT_EXPECT_EQ(test, bits_at(a.seen, 0, 32), 0x3000000);
			KUNIT_EXPECT_EQ(test, bits_at(a.seen, 32, 32), 0x1234abcd);
			KUNIT_EXPECT_TRUE_MSG(test,
				all_are(0, 8, lens[i]) &&
				all_are(USERS, lens[i], ENV_OUT_LEN),
				"%#x, %u bytes", way->opcode, lens[i]);
		}
}

/* No answer, a transport that failed, no memory: part of it may be written. */
static void failure_without_answer(struct kunit *test)
{
	static const int errnos[] = {
		-ETIMEDOUT, -ECANCELED, -EIO, -ENXIO, -ENOMEM, -EINVAL, -EAGAIN,
		-EFAULT, -EINTR,
	};
	const struct send_way *way;
	unsigned int i;
	u32 len;

	for (way = ways; way < ways + ARRAY_SIZE(ways); way++)
		for (i = 0; i < ARRAY_SIZE(errnos) * ARRAY_SIZE(lens); i++) {
			len = lens[i % ARRAY_SIZE(lens)];
			fw_rule(way->opcode, errnos[i / ARRAY_SIZE(lens)], 0, 0,
				1);
			fill_user(test);
			KUNIT_EXPECT_EQ(test, send_way(way, way->in_len, len),
					errnos[i / ARRAY_SIZE(lens)]);
			see_user(test);
			KUNIT_EXPECT_TRUE_MSG(test,
				all_are(USERS, 0, ENV_OUT_LEN),
				"%#x, %u bytes, %d", way->opcode, len,
				errnos[i / ARRAY_SIZE(lens)]);
		}
	KUNIT_EXPECT_EQ(test, env_objs_n(), 1);
}

static void unsent_without_answer(struct kunit *test)
{
	const struct send_way *way;
	unsigned int sent = fw->sent_n;
	int ret;

	for (way = ways; way < ways + ARRAY_SIZE(ways); way++) {
		fill_user(test);
		ret = send_way(way, way->in_len - 1, 512);
		KUNIT_EXPECT_EQ_MSG(test, ret, -EINVAL, "%#x", way->opcode);
		ret = send_way(way, way->in_len, 15);
		KUNIT_EXPECT_EQ_MSG(test, ret, -EINVAL, "%#x", way->opcode);
		env.no_buffers = true;
		ret = send_way(way, way->in_len, 512);
		KUNIT_EXPECT_EQ_MSG(test, ret, -ENOMEM, "%#x", way->opcode);
		env.no_buffers = false;
		see_user(test);
		KUNIT_EXPECT_TRUE_MSG(test, all_are(USERS, 0, ENV_OUT_LEN),
				      "%#x", way->opcode);
	}
	KUNIT_EXPECT_EQ(test, fw->sent_n, sent);
	KUNIT_EXPECT_EQ(test, env_objs_n(), 1);
}

/* NULL, the kernel's, no address at all, and a header that is cut off */
static void unreadable_input_efault(struct kunit *test)
{
	const u64 bad[] = {
		0, (uintptr_t)&env, ULONG_MAX - 15, BIT_ULL(62),
		(uintptr_t)env.user + ENV_USER_LEN - 8,
	};
	unsigned int sent = fw->sent_n, i;
	const struct send_way *way;

	for (way = ways; way < ways + ARRAY_SIZE(ways); way++)
		for (i = 0; i < ARRAY_SIZE(bad); i++) {
			fill_user(test);
			env.in_addr = bad[i];
			KUNIT_EXPECT_EQ_MSG(test, send_way(way, way->in_len, 512),
					    -EFAULT, "%#x, %u", way->opcode, i);
			see_user(test);
			KUNIT_EXPECT_TRUE(test, all_are(USERS, 0, ENV_OUT_LEN));
		}
	KUNIT_EXPECT_EQ(test, fw->sent_n, sent);
	KUNIT_EXPECT_EQ(test, env_objs_n(), 1);
}

/* The user's memory ends within the answer, of which a part may be written. */
static void unwritable_output_efault(struct kunit *test)
{
	const struct send_way *way;
	u8 __user *const good = env.user_out;
	unsigned int i, at = ENV_OUT_LEN - 40;

	fw->answer_len = U32_MAX;
	for (way = ways; way < ways + ARRAY_SIZE(ways); way++) {
		fill_user(test);
		env.user_out = good + at;
		KUNIT_EXPECT_EQ_MSG(test, send_way(way, way->in_len, 4096), -EFAULT,
				    "%#x", way->opcode);
		env.user_out = good;
		see_user(test);
		KUNIT_EXPECT_TRUE(test, all_are(USERS, 0, at));
		KUNIT_EXPECT_FALSE(test, memchr(a.seen + at, ENV_SECRET, 40));
		for (i = at + 16; i < ENV_OUT_LEN; i++)
			KUNIT_EXPECT_TRUE(test, a.seen[i] == FW_ANSWER ||
					  a.seen[i] == USERS);
	}
	/* Created objects were destroyed again. */
	KUNIT_EXPECT_EQ(test, env_objs_n(), 1);
}

static void failed_destroy_without_answer(struct kunit *test)
{
	fw_rule(OP(DESTROY_QP), -ETIMEDOUT, 0, 0, 1);
	KUNIT_EXPECT_EQ(test, env_destroy(a.qp), -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, env.status, ENV_UNSET);
	KUNIT_EXPECT_EQ(test, env.syndrome, ENV_UNSET);
}

static struct kunit_case answer_cases[] = {
	KUNIT_CASE(answer_handed_out_whole),
	KUNIT_CASE(refusal_is_answer),
	KUNIT_CASE(failure_without_answer),
	KUNIT_CASE(unsent_without_answer),
	KUNIT_CASE(unreadable_input_efault),
	KUNIT_CASE(unwritable_output_efault),
	KUNIT_CASE(failed_destroy_without_answer),
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
