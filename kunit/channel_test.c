// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Channels and subscriptions: what is heard, what is lost, and their ends.
 */
#include <linux/rhashtable.h>

#include "chan_env.h"
#include "fake_fw.h"
#include "mbox_bits.h"
#include "obj_env.h"
#include "optab_rows.h"
#include "verbs_env.h"
#include "../kmod/subs.h"

#define COOKIE 0x1122334455667788
#define QP_ERROR 0x05
#define PORT_CHANGE 0x09

struct chan_record {
	u64 cookie;
	u8 eqe[MDX_EQE_LEN];
};

static struct {
	int fd;
	struct chan_record rec;
	u32 qpn;
} s;

static int channel_init(struct kunit *test)
{
	int ret = env_init(test);

	if (ret)
		return ret;
	memset(&s, 0, sizeof(s));
	KUNIT_ASSERT_EQ(test, env_create_qp(), 0);
	s.qpn = env_obj(env.id)->fw_id;
	s.fd = chan_open(MDX_CHANNEL_EVENTS, 0);
	return s.fd < 0 ? s.fd : 0;
}

static void expect_nothing_left(struct kunit *test)
{
	if (env.mdx.events.watching)
		KUNIT_EXPECT_EQ(test,
				atomic_read(&env.mdx.events.topics.nelems), 0);
}

static void channel_exit(struct kunit *test)
{
	chan_close_all();
	expect_nothing_left(test);
	env_exit(test);
	rcu_barrier();
}

static ssize_t read_record(int fd)
{
	memset(&s.rec, 0, sizeof(s.rec));
	return chan_read(fd, &s.rec, sizeof(s.rec));
}

static void event_is_read(struct kunit *test)
{
	KUNIT_EXPECT_NULL(test, fw->any_nb);
	KUNIT_EXPECT_EQ(test, chan_subscribe_one(s.fd, env.id, QP_ERROR,
						 COOKIE), 0);
	KUNIT_EXPECT_NOT_NULL(test, fw->any_nb);
	KUNIT_EXPECT_EQ(test, read_record(s.fd), -EAGAIN);
	chan_event(QP_ERROR, s.qpn + 1);
	chan_event(0x10, s.qpn);
	KUNIT_EXPECT_EQ(test, read_record(s.fd), -EAGAIN);
	chan_event(QP_ERROR, s.qpn);
	KUNIT_EXPECT_EQ(test, chan_read(s.fd, &s.rec, 71), -EINVAL);
	KUNIT_EXPECT_EQ(test, read_record(s.fd), 72);
	KUNIT_EXPECT_EQ(test, s.rec.cookie, COOKIE);
	KUNIT_EXPECT_EQ(test, s.rec.eqe[1], QP_ERROR);
	KUNIT_EXPECT_EQ(test, bits_at(s.rec.eqe, 456, 24), s.qpn);
}

static void omit_data_coalesces(struct kunit *test)
{
	int fd = chan_open(MDX_CHANNEL_EVENTS | MDX_CHANNEL_OMIT_DATA, 0);

	KUNIT_EXPECT_EQ(test, chan_subscribe_one(fd, env.id, QP_ERROR, COOKIE),
			0);
	chan_event(QP_ERROR, s.qpn);
	chan_event(QP_ERROR, s.qpn);
	KUNIT_EXPECT_EQ(test, read_record(fd), 8);
	KUNIT_EXPECT_EQ(test, s.rec.cookie, COOKIE);
	KUNIT_EXPECT_EQ(test, read_record(fd), -EAGAIN);
	/* It is told of after the object's end, too. */
	chan_event(QP_ERROR, s.qpn);
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), 0);
	KUNIT_EXPECT_EQ(test, read_record(fd), 8);
	KUNIT_EXPECT_EQ(test, read_record(fd), -EAGAIN);
}

static void unread_omit_data_freed(struct kunit *test)
{
	int fd = chan_open(MDX_CHANNEL_EVENTS | MDX_CHANNEL_OMIT_DATA, 0);

	KUNIT_EXPECT_EQ(test, chan_subscribe_one(fd, env.id, QP_ERROR, 1), 0);
	KUNIT_EXPECT_EQ(test, chan_subscribe_one(fd, 0, PORT_CHANGE, 2), 0);
	chan_event(QP_ERROR, s.qpn);
	chan_event(PORT_CHANGE, 0);
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), 0);
	chan_close(fd);
	expect_nothing_left(test);
}

static void full_channel_told_once(struct kunit *test)
{
	int fd = chan_open(MDX_CHANNEL_EVENTS, 1), i;

	KUNIT_EXPECT_EQ(test, chan_of(fd)->room, 1);
	KUNIT_EXPECT_EQ(test, chan_subscribe_one(fd, env.id, QP_ERROR, 1), 0);
	KUNIT_EXPECT_EQ(test, chan_of(fd)->room, 4);
	for (i = 0; i < 6; i++)
		chan_event(QP_ERROR, s.qpn);
	KUNIT_EXPECT_EQ(test, read_record(fd), -EOVERFLOW);
	for (i = 0; i < 4; i++)
		KUNIT_EXPECT_EQ(test, read_record(fd), 72);
	KUNIT_EXPECT_EQ(test, read_record(fd), -EAGAIN);
	chan_event(QP_ERROR, s.qpn);
	KUNIT_EXPECT_EQ(test, read_record(fd), 72);
}

static void room_grows_with_subscriptions(struct kunit *test)
{
	u16 events[16];
	unsigned int i;

	memset16(events, QP_ERROR, ARRAY_SIZE(events));
	for (i = 0; i < MDX_SUBSCRIPTIONS_OBJ_MAX / 16; i++) {
		KUNIT_EXPECT_EQ(test, chan_subscribe(s.fd, env.id, events, 16,
						     i), 0);
		KUNIT_EXPECT_GE(test, chan_of(s.fd)->room,
				chan_of(s.fd)->subs_n * 4);
	}
	KUNIT_EXPECT_EQ(test, chan_subscribe(s.fd, env.id, events, 1, 0),
			-ENOMEM);
	KUNIT_EXPECT_EQ(test, env.file->owner->subs_n, 1024);
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), 0);
	KUNIT_EXPECT_EQ(test, env.file->owner->subs_n, 0);
	KUNIT_EXPECT_EQ(test, chan_of(s.fd)->subs_n, 0);
}

static void refused_call_leaves_nothing(struct kunit *test)
{
	static const u16 one_wrong[] = { QP_ERROR, 0x0a };

	KUNIT_EXPECT_EQ(test, chan_subscribe(s.fd, env.id, one_wrong, 2, 0),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, chan_subscribe_one(7, env.id, QP_ERROR, 0),
			-EBADF);
	KUNIT_EXPECT_EQ(test, chan_subscribe_one(s.fd, env.id + 9, QP_ERROR, 0),
			-ENOENT);
	KUNIT_EXPECT_EQ(test, chan_subscribe_one(s.fd, env.id, PORT_CHANGE, 0),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, env.file->owner->subs_n, 0);
	expect_nothing_left(test);
}

/* The device has the destroy of the QP. */
static void hook_event(u16 opcode)
{
	if (opcode == OP(DESTROY_QP))
		chan_event(QP_ERROR, s.qpn);
}

static void destroy_unheard(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, chan_subscribe_one(s.fd, env.id, QP_ERROR, 0), 0);
	fw->hook = hook_event;
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), 0);
	chan_event(QP_ERROR, s.qpn);
	KUNIT_EXPECT_EQ(test, read_record(s.fd), -EAGAIN);
	expect_nothing_left(test);
}

static void refused_destroy_heard_again(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, chan_subscribe_one(s.fd, env.id, QP_ERROR, 0), 0);
	fw_rule(OP(DESTROY_QP), -EREMOTEIO, 0x9, 1, 1);
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), -EREMOTEIO);
	KUNIT_EXPECT_EQ(test, read_record(s.fd), -EAGAIN);
	fw->hook = hook_event;
	fw_rule(OP(DESTROY_QP), -EREMOTEIO, 0x9, 1, 1);
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), -EREMOTEIO);
	KUNIT_EXPECT_EQ(test, read_record(s.fd), -EOVERFLOW);
	chan_event(QP_ERROR, s.qpn);
	KUNIT_EXPECT_EQ(test, read_record(s.fd), 72);
}

static void refused_destroy_omit_data(struct kunit *test)
{
	int fd = chan_open(MDX_CHANNEL_EVENTS | MDX_CHANNEL_OMIT_DATA, 0);

	KUNIT_EXPECT_EQ(test, chan_subscribe_one(fd, env.id, QP_ERROR, 3), 0);
	fw->hook = hook_event;
	fw_rule(OP(DESTROY_QP), -EREMOTEIO, 0x9, 1, 1);
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), -EREMOTEIO);
	KUNIT_EXPECT_EQ(test, read_record(fd), 8);
	KUNIT_EXPECT_EQ(test, s.rec.cookie, 3);
}

/* The number may be another object's. */
static void unanswered_destroy_stays_silent(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, chan_subscribe_one(s.fd, env.id, QP_ERROR, 0), 0);
	fw_rule(OP(DESTROY_QP), -ETIMEDOUT, 0, 0, 1);
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), -ETIMEDOUT);
	chan_event(QP_ERROR, s.qpn);
	KUNIT_EXPECT_EQ(test, read_record(s.fd), -EAGAIN);
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), 0);
}

static void completion_by_the_cq(struct kunit *test)
{
	struct mlx5_eqe eqe = { .type = 0 };
	struct mlx5_core_cq *mcq;

	KUNIT_ASSERT_EQ(test, env_create_cq(), 0);
	KUNIT_EXPECT_EQ(test, chan_subscribe_one(s.fd, env.id, 0, 4), 0);
	expect_nothing_left(test);
	KUNIT_EXPECT_NOT_NULL(test, env_obj(env.id)->ops->completions);
	/* The first member of its private part. */
	mcq = env_obj(env.id)->priv;
	mcq->comp(mcq, &eqe);
	KUNIT_EXPECT_EQ(test, read_record(s.fd), 72);
	KUNIT_EXPECT_EQ(test, s.rec.cookie, 4);
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), 0);
}

static void expect_ended(struct kunit *test)
{
	chan_event(QP_ERROR, s.qpn);
	KUNIT_EXPECT_EQ(test, read_record(s.fd), -EIO);
	KUNIT_EXPECT_NULL(test, chan_of(s.fd)->owner);
	KUNIT_EXPECT_TRUE(test, list_empty(&chan_of(s.fd)->subs));
}

static void subscribe_and_hear(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, chan_subscribe_one(s.fd, env.id, QP_ERROR, 0), 0);
	KUNIT_EXPECT_EQ(test, chan_subscribe_one(s.fd, 0, PORT_CHANGE, 0), 0);
	chan_event(QP_ERROR, s.qpn);
}

static void file_closed_ends_channel(struct kunit *test)
{
	subscribe_and_hear(test);
	env_close_file(0);
	expect_ended(test);
	expect_nothing_left(test);
}

static void context_ended_ends_channel(struct kunit *test)
{
	subscribe_and_hear(test);
	verbs_end(&verbs_contexts[0], VERBS_CLOSE);
	expect_ended(test);
	KUNIT_EXPECT_EQ(test, chan_subscribe_one(s.fd, 0, PORT_CHANGE, 0),
			-EIO);
	KUNIT_EXPECT_EQ(test, chan_open(MDX_CHANNEL_EVENTS, 0), -EIO);
}

static void removal_ends_channel(struct kunit *test)
{
	subscribe_and_hear(test);
	env_remove();
	KUNIT_EXPECT_NULL(test, fw->any_nb);
	expect_ended(test);
	KUNIT_EXPECT_EQ(test, chan_open(MDX_CHANNEL_EVENTS, 0), -EIO);
}

/* Of a file that shares nothing but the context. */
static void other_file_hears_until_its_end(struct kunit *test)
{
	u32 id = env.id;
	int fd;

	KUNIT_ASSERT_EQ(test, env_open(1, 0), 0);
	fd = chan_open(MDX_CHANNEL_EVENTS, 0);
	env.file = env_file(0);
	KUNIT_EXPECT_EQ(test, chan_subscribe_one(fd, id, QP_ERROR, 0), 0);
	chan_event(QP_ERROR, s.qpn);
	KUNIT_EXPECT_EQ(test, read_record(fd), 72);
	env_close_file(1);
	KUNIT_EXPECT_EQ(test, read_record(fd), -EIO);
	KUNIT_EXPECT_EQ(test, env_destroy(id), 0);
}

static void foreign_channel_ebadf(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, env_open(1, 1), 0);
	KUNIT_EXPECT_EQ(test, chan_subscribe_one(s.fd, 0, PORT_CHANGE, 0),
			-EBADF);
}

static void channel_flags_einval(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, env_destroy(env.id), 0);
	KUNIT_EXPECT_EQ(test, chan_open(MDX_CHANNEL_EVENTS, 65537), -EINVAL);
	KUNIT_EXPECT_EQ(test, chan_open(MDX_CHANNEL_COMPLETIONS, 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, chan_open(0, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, chan_open(3, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, chan_open(5 | 8, 0), -EINVAL);
}

static struct kunit_case channel_cases[] = {
	KUNIT_CASE(event_is_read),
	KUNIT_CASE(omit_data_coalesces),
	KUNIT_CASE(unread_omit_data_freed),
	KUNIT_CASE(full_channel_told_once),
	KUNIT_CASE(room_grows_with_subscriptions),
	KUNIT_CASE(refused_call_leaves_nothing),
	KUNIT_CASE(destroy_unheard),
	KUNIT_CASE(refused_destroy_heard_again),
	KUNIT_CASE(refused_destroy_omit_data),
	KUNIT_CASE(unanswered_destroy_stays_silent),
	KUNIT_CASE(completion_by_the_cq),
	KUNIT_CASE(file_closed_ends_channel),
	KUNIT_CASE(context_ended_ends_channel),
	KUNIT_CASE(removal_ends_channel),
	KUNIT_CASE(other_file_hears_until_its_end),
	KUNIT_CASE(foreign_channel_ebadf),
	KUNIT_CASE(channel_flags_einval),
	{}
};

static struct kunit_suite channel_suite = {
	.name = "mdx_channel",
	.suite_init = env_suite_init,
	.suite_exit = env_suite_exit,
	.init = channel_init,
	.exit = channel_exit,
	.test_cases = channel_cases,
};

kunit_test_suite(channel_suite);
