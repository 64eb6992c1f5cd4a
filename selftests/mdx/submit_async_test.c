// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * MDX_IOC_SUBMIT with a channel: results are read.
 */
#include <poll.h>

#include "kselftest_harness.h"
#include "batch.h"

#define STATUS 0x08
#define SYNDROME 0x00abcdef
#define COOKIE 0x1122334455667788ULL

/* A record of either format, and its answer */
struct async_record {
	union {
		struct mdx_done done;
		uint64_t cookie;
	};
	uint8_t out[4096];
};

FIXTURE(async)
{
	struct mdx_world w;
	struct test_batch b;
	struct async_record rec;
	uint32_t objs;
	int fd;
	int chan;
};

static int channel_make(int fd, uint32_t flags)
{
	struct mdx_ioc_channel arg = { .size = sizeof(arg), .flags = flags };
	int err = mdx_ioctl(fd, MDX_IOC_CHANNEL, &arg);

	return err ? -err : arg.out_fd;
}

FIXTURE_SETUP(async)
{
	SETUP_DEVICE(return);
	ASSERT_EQ(0, world_start(&self->w));
	self->fd = self->w.mdx.fd;
	self->chan = channel_make(self->fd, MDX_CHANNEL_COMPLETIONS);
	ASSERT_GE(self->chan, 0);
	self->objs = mdx_objs(self->fd);
	batch_begin(&self->b);
	self->b.arg.channel = self->chan;
}

FIXTURE_TEARDOWN(async)
{
	close(self->chan);
	world_stop(&self->w);
}

/* An item for a channel has no output mailbox, but a cookie. */
static struct mdx_item *for_channel(struct mdx_item *item)
{
	item->out = 0;
	item->cookie = COOKIE + (item->cmd << 8);
	return item;
}

#define CREATE(_type)							\
	for_channel(batch_create(&self->b, &self->w, OBJTYPE_##_type, 0))
#define NOP() for_channel(batch_nop(&self->b, &self->w, 0))
#define SUBMIT() batch_submit(&self->b, self->fd)
#define READ(_chan, _len) read(_chan, &self->rec, _len)
#define RECORD_LEN(_item) (sizeof(struct mdx_done) + (_item)->out_len)

/* The items that follow are a call of their own. */
static void begin_again(FIXTURE_DATA(async) *self)
{
	batch_begin(&self->b);
	self->b.arg.channel = self->chan;
}

#define EXPECT_RECORD(_item, _err)					\
	do {								\
		memset(&self->rec, FILL, sizeof(self->rec));		\
		ASSERT_EQ((ssize_t)RECORD_LEN(_item),			\
			  READ(self->chan, sizeof(self->rec)));		\
		EXPECT_EQ((_item)->cookie, self->rec.done.cookie);	\
		EXPECT_EQ(_err, self->rec.done.err);			\
		EXPECT_EQ((_item)->out_len, self->rec.done.out_len);	\
	} while (0)

/* A create, a query and a destroy, one after the other. */
TEST_F(async, object_lives)
{
	struct mdx_item *item = CREATE(TD);
	uint32_t td, tis;

	ASSERT_EQ(0, SUBMIT());
	EXPECT_EQ(1, self->b.arg.out_done);
	EXPECT_RECORD(item, 0);
	td = self->rec.done.obj;
	EXPECT_NE(0, td);
	self->w.obj[OBJTYPE_TD].num = DEVX_GET(alloc_transport_domain_out,
					       self->rec.out, transport_domain);

	begin_again(self);
	item = CREATE(TIS);
	ASSERT_EQ(0, SUBMIT());
	EXPECT_RECORD(item, 0);
	tis = self->rec.done.obj;
	EXPECT_EQ(self->objs + 2, mdx_objs(self->fd));
	self->w.obj[OBJTYPE_TIS].num =
		DEVX_GET(create_tis_out, self->rec.out, tisn);

	begin_again(self);
	objtype_build_query(&self->w, OBJTYPE_TIS);
	item = for_channel(batch_add(&self->b, &self->w, MDX_CMD_OBJ_QUERY, 0));
	item->obj = tis;
	ASSERT_EQ(0, SUBMIT());
	EXPECT_RECORD(item, 0);
	EXPECT_EQ(self->w.obj[OBJTYPE_TD].num,
		  DEVX_GET(query_tis_out, self->rec.out,
			   tis_context.transport_domain));

	begin_again(self);
	item = for_channel(batch_destroy(&self->b, tis, 0));
	ASSERT_EQ(0, SUBMIT());
	EXPECT_RECORD(item, 0);
	begin_again(self);
	item = for_channel(batch_destroy(&self->b, td, 0));
	ASSERT_EQ(0, SUBMIT());
	EXPECT_RECORD(item, 0);
	EXPECT_EQ(self->objs, mdx_objs(self->fd));
	memset(self->w.obj, 0, sizeof(self->w.obj));
}

TEST_F(async, refused_eremoteio)
{
	struct mdx_item *item = CREATE(PD);

	SKIP_NO_HCA(self->w.hca, return);
	ASSERT_EQ(0, hca_fail(self->w.hca, MLX5_CMD_OP_ALLOC_PD, STATUS,
			      SYNDROME, 1));
	ASSERT_EQ(0, SUBMIT());
	EXPECT_RECORD(item, EREMOTEIO);
	EXPECT_EQ(0, self->rec.done.obj);
	EXPECT_EQ(STATUS, self->rec.done.status);
	EXPECT_EQ(SYNDROME, self->rec.done.syndrome);
	EXPECT_EQ(STATUS, self->rec.out[0]);
	EXPECT_EQ(self->objs, mdx_objs(self->fd));
}

/* The stock driver's record. */
TEST_F(async, plain_record)
{
	int plain = channel_make(self->fd, MDX_CHANNEL_COMPLETIONS |
					   MDX_CHANNEL_PLAIN);
	struct mdx_item *item = NOP();
	uint64_t expect[2] = { 0, 0 };

	ASSERT_GE(plain, 0);
	self->b.arg.channel = plain;
	ASSERT_EQ(0, SUBMIT());
	ASSERT_EQ(8 + 16, READ(plain, sizeof(self->rec)));
	EXPECT_EQ(item->cookie, self->rec.cookie);
	EXPECT_EQ(0, memcmp((uint8_t *)&self->rec + 8, expect, 16));

	/* Its object does not exist: there is no record. */
	begin_again(self);
	self->b.arg.channel = plain;
	objtype_build_query(&self->w, OBJTYPE_TIS);
	item = for_channel(batch_add(&self->b, &self->w, MDX_CMD_OBJ_QUERY, 0));
	item->obj = 4711;
	EXPECT_EQ(ENOENT, SUBMIT());

	begin_again(self);
	self->b.arg.channel = plain;
	CREATE(PD);
	EXPECT_EQ(EOPNOTSUPP, SUBMIT());
	EXPECT_EQ(self->objs, mdx_objs(self->fd));
	close(plain);
}

/* The device does not take the command. */
TEST_F(async, plain_no_answer)
{
	int plain = channel_make(self->fd, MDX_CHANNEL_COMPLETIONS |
					   MDX_CHANNEL_PLAIN);
	struct mdx_item *item = NOP();

	ASSERT_GE(plain, 0);
	SKIP_NO_HCA(self->w.hca, return);
	self->b.arg.channel = plain;
	ASSERT_EQ(0, hca_cmd(self->w.hca, "transport %x 0x20 1",
			     MLX5_CMD_OP_NOP));
	ASSERT_EQ(0, SUBMIT());
	ASSERT_EQ((ssize_t)(8 + item->out_len), READ(plain, sizeof(self->rec)));
	EXPECT_EQ(0x01, ((uint8_t *)&self->rec)[8]);
	close(plain);
}

TEST_F(async, order_eopnotsupp)
{
	struct mdx_item *item = NOP();

	item->flags = MDX_ITEM_DRAIN;
	EXPECT_EQ(EOPNOTSUPP, SUBMIT());
	item->flags = MDX_ITEM_OBJ_BACK;
	EXPECT_EQ(EOPNOTSUPP, SUBMIT());
	item->flags = 0;
	self->b.arg.flags = MDX_SUBMIT_STOP;
	EXPECT_EQ(EOPNOTSUPP, SUBMIT());
	self->b.arg.flags = 0;
	self->b.arg.in_flight = 1;
	EXPECT_EQ(EINVAL, SUBMIT());
	self->b.arg.in_flight = 0;
	item->out = (uintptr_t)self->b.out[0];
	EXPECT_EQ(EINVAL, SUBMIT());
}

TEST_F(async, channel_ebadf)
{
	int events = channel_make(self->fd, MDX_CHANNEL_EVENTS);
	int fds[2];

	NOP();
	ASSERT_GE(events, 0);
	ASSERT_EQ(0, pipe(fds));
	self->b.arg.channel = events;
	EXPECT_EQ(EBADF, SUBMIT());
	self->b.arg.channel = fds[0];
	EXPECT_EQ(EBADF, SUBMIT());
	self->b.arg.channel = 4711;
	EXPECT_EQ(EBADF, SUBMIT());
	self->b.arg.channel = -2;
	EXPECT_EQ(EBADF, SUBMIT());
	close(events);
	close(fds[0]);
	close(fds[1]);
}

/* Items are taken up to the first that cannot be. */
TEST_F(async, taken_in_order)
{
	struct mdx_item *bad;
	unsigned int i;

	NOP();
	bad = NOP();
	NOP();
	bad->in_len = 8;
	ASSERT_EQ(0, SUBMIT());
	EXPECT_EQ(1, self->b.arg.out_done);
	EXPECT_RECORD(&self->b.items[0], 0);
	self->b.arg.items = (uintptr_t)bad;
	self->b.arg.items_n = 2;
	EXPECT_EQ(EINVAL, SUBMIT());
	bad->in_len = 16;
	ASSERT_EQ(0, SUBMIT());
	for (i = 0; i < 2; i++)
		EXPECT_RECORD(bad, 0);
}

/* 64 answers of 16 KiB are what a channel holds. */
TEST_F(async, unread_eagain)
{
	struct mdx_item *item;
	unsigned int n = 0;
	int err;

	world_build(&self->w, MLX5_CMD_OP_QUERY_ADAPTER, 0, 16, 16384);
	item = for_channel(batch_add(&self->b, &self->w, MDX_CMD_GENERAL, 0));
	do {
		err = SUBMIT();
	} while (!err && ++n < 100);
	EXPECT_EQ(EAGAIN, err);
	EXPECT_EQ(64, n);
	EXPECT_EQ(-1, READ(self->chan, RECORD_LEN(item) - 1));
	EXPECT_EQ(ENOSPC, errno);
}

/* The file waits, and what the command creates ends with it. */
TEST_F(async, close_waits)
{
	int fd, chan;

	SKIP_NO_HCA(self->w.hca, return);
	fd = mdx_node_open();
	ASSERT_GE(fd, 0);
	test_mdx_bind(fd, self->w.mdx.ctx->cmd_fd, self->w.mdx.pd->handle);
	chan = channel_make(fd, MDX_CHANNEL_COMPLETIONS);
	ASSERT_GE(chan, 0);
	ASSERT_EQ(0, hca_cmd(self->w.hca, "delay 0x%x 300000",
			     MLX5_CMD_OP_ALLOC_PD));
	CREATE(PD);
	CREATE(PD);
	self->b.arg.channel = chan;
	ASSERT_EQ(0, batch_submit(&self->b, fd));
	close(chan);
	close(fd);
	EXPECT_EQ(2, hca_count(self->w.hca, MLX5_CMD_OP_DEALLOC_PD));
	hca_cmd(self->w.hca, "reset-script");
}

/* An object whose channel has ended is destroyed again. */
TEST_F(async, channel_ends_first)
{
	int i;

	SKIP_NO_HCA(self->w.hca, return);
	ASSERT_EQ(0, hca_cmd(self->w.hca, "delay 0x%x 300000",
			     MLX5_CMD_OP_ALLOC_PD));
	CREATE(PD);
	ASSERT_EQ(0, SUBMIT());
	close(self->chan);
	for (i = 0; i < 200 && mdx_objs(self->fd) != self->objs; i++)
		usleep(20000);
	EXPECT_EQ(self->objs, mdx_objs(self->fd));
	hca_cmd(self->w.hca, "reset-script");
}

/* poll() tells of a result. */
TEST_F(async, poll_in)
{
	struct pollfd p = { .fd = self->chan, .events = POLLIN };

	EXPECT_EQ(0, poll(&p, 1, 0));
	NOP();
	ASSERT_EQ(0, SUBMIT());
	EXPECT_EQ(1, poll(&p, 1, 10000));
	EXPECT_EQ(POLLIN, p.revents);
	EXPECT_RECORD(&self->b.items[0], 0);
}

MDX_HARNESS_MAIN(world_share())
