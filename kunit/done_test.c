// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Answers of commands in a channel.
 */
#include "chan_env.h"
#include "fake_fw.h"
#include "obj_env.h"

#define COOKIE 0x1122334455667788

static struct {
	int fd;
	struct mdx_chan *chan;
	u8 buf[sizeof(struct mdx_done) + 64];
} s;

static void open_channel(struct kunit *test, u32 flags)
{
	s.fd = chan_open(MDX_CHANNEL_COMPLETIONS | flags, 0);
	KUNIT_ASSERT_GE(test, s.fd, 0);
	s.chan = mdx_channel_get(s.fd, env.file->owner,
				 MDX_CHANNEL_COMPLETIONS);
	KUNIT_ASSERT_FALSE(test, IS_ERR(s.chan));
}

static void done_exit(struct kunit *test)
{
	if (!IS_ERR_OR_NULL(s.chan))
		mdx_channel_put(s.chan);
	s.chan = NULL;
	chan_close_all();
	env_exit(test);
}

/* Return: 0, or that of mdx_channel_reserve() */
static int complete_one(u32 out_len, u32 err)
{
	struct mdx_done_rec *rec = mdx_channel_reserve(s.chan, out_len);

	if (IS_ERR(rec))
		return PTR_ERR(rec);
	rec->done.cookie = COOKIE;
	rec->done.err = err;
	rec->done.status = 7;
	rec->done.obj = 9;
	memset(rec->out, 0x77, out_len);
	mdx_channel_complete(s.chan, rec);
	return 0;
}

static void full_format(struct kunit *test)
{
	struct mdx_done *done = (void *)s.buf;

	open_channel(test, 0);
	KUNIT_EXPECT_EQ(test, chan_read(s.fd, s.buf, sizeof(s.buf)), -EAGAIN);
	KUNIT_EXPECT_EQ(test, complete_one(16, EREMOTEIO), 0);
	KUNIT_EXPECT_EQ(test, chan_read(s.fd, s.buf, 47), -ENOSPC);
	KUNIT_EXPECT_EQ(test, chan_read(s.fd, s.buf, 48), 48);
	KUNIT_EXPECT_EQ(test, done->cookie, COOKIE);
	KUNIT_EXPECT_EQ(test, done->err, EREMOTEIO);
	KUNIT_EXPECT_EQ(test, done->status, 7);
	KUNIT_EXPECT_EQ(test, done->obj, 9);
	KUNIT_EXPECT_EQ(test, done->out_len, 16);
	KUNIT_EXPECT_NULL(test, memchr_inv(s.buf + 32, 0x77, 16));
}

static void plain_format(struct kunit *test)
{
	u64 cookie;

	open_channel(test, MDX_CHANNEL_PLAIN);
	KUNIT_EXPECT_EQ(test, complete_one(16, 0), 0);
	KUNIT_EXPECT_EQ(test, chan_read(s.fd, s.buf, 23), -ENOSPC);
	KUNIT_EXPECT_EQ(test, chan_read(s.fd, s.buf, 64), 24);
	memcpy(&cookie, s.buf, 8);
	KUNIT_EXPECT_EQ(test, cookie, COOKIE);
	KUNIT_EXPECT_NULL(test, memchr_inv(s.buf + 8, 0x77, 16));
}

/* Zeros would be success. */
static void plain_without_answer(struct kunit *test)
{
	open_channel(test, MDX_CHANNEL_PLAIN);
	KUNIT_EXPECT_EQ(test, complete_one(16, ETIMEDOUT), 0);
	KUNIT_EXPECT_EQ(test, chan_read(s.fd, s.buf, 64), 24);
	KUNIT_EXPECT_EQ(test, s.buf[8], 1);
	KUNIT_EXPECT_NULL(test, memchr_inv(s.buf + 9, 0, 15));
	KUNIT_EXPECT_EQ(test, complete_one(0, ETIMEDOUT), 0);
	KUNIT_EXPECT_EQ(test, chan_read(s.fd, s.buf, 64), 8);
}

static void full_without_answer(struct kunit *test)
{
	struct mdx_done *done = (void *)s.buf;

	open_channel(test, 0);
	KUNIT_EXPECT_EQ(test, complete_one(16, ETIMEDOUT), 0);
	KUNIT_EXPECT_EQ(test, chan_read(s.fd, s.buf, 64), 48);
	KUNIT_EXPECT_EQ(test, done->err, ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, done->status, 0);
	KUNIT_EXPECT_NULL(test, memchr_inv(s.buf + 32, 0, 16));
}

static void unread_bytes_eagain(struct kunit *test)
{
	unsigned int i;

	open_channel(test, 0);
	for (i = 0; i < 16; i++)
		KUNIT_EXPECT_EQ(test, complete_one(65536, 0), 0);
	KUNIT_EXPECT_EQ(test, complete_one(1, 0), -EAGAIN);
	KUNIT_EXPECT_EQ(test, complete_one(0, 0), 0);
	KUNIT_EXPECT_EQ(test, complete_one((1 << 20) + 1, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, s.chan->answers, 17);
}

static void unread_answers_eagain(struct kunit *test)
{
	unsigned int i;

	open_channel(test, MDX_CHANNEL_PLAIN);
	for (i = 0; i < MDX_CHANNEL_ANSWERS_MAX; i++)
		KUNIT_EXPECT_EQ(test, complete_one(0, 0), 0);
	KUNIT_EXPECT_EQ(test, complete_one(0, 0), -EAGAIN);
	KUNIT_EXPECT_EQ(test, chan_read(s.fd, s.buf, 64), 8);
	KUNIT_EXPECT_EQ(test, complete_one(0, 0), 0);
}

static void unreserve_gives_back(struct kunit *test)
{
	struct mdx_done_rec *rec;

	open_channel(test, 0);
	rec = mdx_channel_reserve(s.chan, 1 << 20);
	KUNIT_ASSERT_FALSE(test, IS_ERR(rec));
	KUNIT_EXPECT_EQ(test, complete_one(1, 0), -EAGAIN);
	mdx_channel_unreserve(s.chan, rec);
	KUNIT_EXPECT_EQ(test, s.chan->answers, 0);
	KUNIT_EXPECT_EQ(test, s.chan->bytes, 0);
	KUNIT_EXPECT_EQ(test, complete_one(1, 0), 0);
}

/* An answer that comes after the end is dropped, and so is what was not read. */
static void ended_channel_drops(struct kunit *test)
{
	struct mdx_done_rec *rec;

	open_channel(test, 0);
	KUNIT_EXPECT_EQ(test, complete_one(64, 0), 0);
	rec = mdx_channel_reserve(s.chan, 64);
	KUNIT_ASSERT_FALSE(test, IS_ERR(rec));
	env_close_file(0);
	mdx_channel_complete(s.chan, rec);
	KUNIT_EXPECT_EQ(test, chan_read(s.fd, s.buf, 64), -EIO);
	KUNIT_EXPECT_EQ(test, PTR_ERR(mdx_channel_reserve(s.chan, 8)), -EIO);
}

static void other_kind_ebadf(struct kunit *test)
{
	open_channel(test, 0);
	KUNIT_EXPECT_EQ(test,
			PTR_ERR(mdx_channel_get(s.fd, env.file->owner,
						MDX_CHANNEL_EVENTS)), -EBADF);
	KUNIT_EXPECT_EQ(test,
			PTR_ERR(mdx_channel_get(7, env.file->owner,
						MDX_CHANNEL_COMPLETIONS)),
			-EBADF);
}

static struct kunit_case done_cases[] = {
	KUNIT_CASE(full_format),
	KUNIT_CASE(plain_format),
	KUNIT_CASE(plain_without_answer),
	KUNIT_CASE(full_without_answer),
	KUNIT_CASE(unread_bytes_eagain),
	KUNIT_CASE(unread_answers_eagain),
	KUNIT_CASE(unreserve_gives_back),
	KUNIT_CASE(ended_channel_drops),
	KUNIT_CASE(other_kind_ebadf),
	{}
};

static struct kunit_suite done_suite = {
	.name = "mdx_done",
	.suite_init = env_suite_init,
	.suite_exit = env_suite_exit,
	.init = env_init,
	.exit = done_exit,
	.test_cases = done_cases,
};

kunit_test_suite(done_suite);
