// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* mlx5dv_devx_create_event_channel(3) and mlx5dv_devx_subscribe_devx_event(3). */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "user.h"

#define OMIT MLX5DV_DEVX_CREATE_EVENT_CHANNEL_FLAGS_OMIT_EV_DATA
#define COOKIE 0x1122334455667788ull

static struct mlx5dv_devx_event_channel *open_channel(struct ibv_context *context)
{
	struct mlx5dv_devx_event_channel *chan;

	chan = mlx5dv_devx_create_event_channel(context, 0);
	if (!chan)
		abort();
	fake_events_reset();
	return chan;
}

static int subscribe_two(struct mlx5dv_devx_event_channel *chan,
			 struct mlx5dv_devx_obj *obj)
{
	uint16_t events[] = { 0x13, 0x02 };

	return mlx5dv_devx_subscribe_devx_event(chan, obj, sizeof(events), events,
						COOKIE);
}

static struct mlx5dv_devx_obj *stock_obj(struct ibv_context *context)
{
	struct mlx5dv_devx_obj *obj = fake_mlx5_create(context);

	fake_events_reset();
	return obj;
}

static void channel_requests(void)
{
	struct ibv_context *context = open_bound();
	struct mlx5dv_devx_event_channel *chan;

	errno = 99;
	chan = mlx5dv_devx_create_event_channel(context, 0);
	EXPECT(chan);
	EXPECT_EQ(MDX_CHANNEL_EVENTS, kernel.last[MDX_CMD_CHANNEL].channel.flags);
	EXPECT_EQ(0, kernel.last[MDX_CMD_CHANNEL].channel.depth);
	mlx5dv_devx_destroy_event_channel(chan);
	EXPECT_EQ(99, errno);
	EXPECT_EQ(0, write(kernel.channel_peer, "", 1) > 0);
	close(kernel.channel_peer);
	chan = mlx5dv_devx_create_event_channel(context, OMIT);
	EXPECT(chan);
	EXPECT_EQ(MDX_CHANNEL_EVENTS | MDX_CHANNEL_OMIT_DATA,
		  kernel.last[MDX_CMD_CHANNEL].channel.flags);
	mlx5dv_devx_destroy_event_channel(chan);
	close(kernel.channel_peer);
	EXPECT_NULL(EINVAL, mlx5dv_devx_create_event_channel(context, 2));
	EXPECT_STR("HH", fake_events);
	ibv_close_device(context);
}

static void channel_errno_returned(void)
{
	static const int errs[] = { EMFILE, ENFILE, ENOMEM, EIO };
	struct ibv_context *context = open_bound();
	size_t i;

	for (i = 0; i < sizeof(errs) / sizeof(errs[0]); i++) {
		kernel.err[MDX_CMD_CHANNEL] = errs[i];
		EXPECT_NULL(errs[i], mlx5dv_devx_create_event_channel(context, 0));
	}
	ibv_close_device(context);
}

static void subscribe_requests(void)
{
	struct ibv_context *context = open_bound();
	struct mlx5dv_devx_event_channel *chan = open_channel(context);
	struct mlx5dv_devx_obj *obj = create_obj(context);
	struct mdx_ioc_subscribe *arg = &kernel.last[MDX_CMD_SUBSCRIBE].subscribe;

	fake_events_reset();
	EXPECT_OK(subscribe_two(chan, obj));
	EXPECT_STR("V", fake_events);
	EXPECT_EQ(40, arg->size);
	EXPECT_EQ(0, arg->flags);
	EXPECT_EQ(COOKIE, arg->cookie);
	EXPECT_EQ(2, arg->events_n);
	EXPECT_EQ(chan->fd, arg->channel);
	EXPECT_EQ(-1, arg->eventfd);
	EXPECT_EQ(1, arg->obj);
	EXPECT_EQ(0x13, kernel.events[0]);
	EXPECT_EQ(0x02, kernel.events[1]);
	EXPECT_OK(subscribe_two(chan, NULL));
	EXPECT_EQ(0, arg->obj);
	EXPECT_OK(mlx5dv_devx_subscribe_devx_event_fd(chan, 77, obj, 0x0a));
	EXPECT_EQ(77, arg->eventfd);
	EXPECT_EQ(0, arg->cookie);
	EXPECT_EQ(1, arg->events_n);
	EXPECT_EQ(1, arg->obj);
	EXPECT_EQ(chan->fd, arg->channel);
	EXPECT_EQ(0x0a, kernel.events[0]);
	EXPECT_STR("VVV", fake_events);
	mlx5dv_devx_obj_destroy(obj);
	mlx5dv_devx_destroy_event_channel(chan);
	close(kernel.channel_peer);
	ibv_close_device(context);
}

/* The module refuses 0 and more than 16 numbers; an odd size is refused as 0 is. */
static void subscribe_sizes(void)
{
	struct ibv_context *context = open_bound();
	struct mlx5dv_devx_event_channel *chan = open_channel(context);
	static const uint16_t sizes[][2] = {
		{ 0, 0 }, { 1, 0 }, { 2, 1 }, { 3, 0 }, { 32, 16 }, { 34, 17 },
		{ UINT16_MAX, 0 },
	};
	uint16_t events[17] = { 0 };
	size_t i;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		mlx5dv_devx_subscribe_devx_event(chan, NULL, sizes[i][0], events, 0);
		EXPECT_EQ(sizes[i][1],
			  kernel.last[MDX_CMD_SUBSCRIBE].subscribe.events_n);
	}
	mlx5dv_devx_destroy_event_channel(chan);
	close(kernel.channel_peer);
	ibv_close_device(context);
}

static void subscribe_errno_returned(void)
{
	static const int errs[] = { EINVAL, EBADF, ENOENT, EBUSY, EFAULT, ENOMEM, EIO };
	struct ibv_context *context = open_bound();
	struct mlx5dv_devx_event_channel *chan = open_channel(context);
	size_t i;

	for (i = 0; i < sizeof(errs) / sizeof(errs[0]); i++) {
		kernel.err[MDX_CMD_SUBSCRIBE] = errs[i];
		EXPECT_ERR(errs[i], subscribe_two(chan, NULL));
		EXPECT_ERR(errs[i],
			   mlx5dv_devx_subscribe_devx_event_fd(chan, 77, NULL, 1));
	}
	mlx5dv_devx_destroy_event_channel(chan);
	close(kernel.channel_peer);
	ibv_close_device(context);
}

static void subscribe_eventfd_ebadf(void)
{
	struct ibv_context *context = open_bound();
	struct mlx5dv_devx_event_channel *chan = open_channel(context);

	EXPECT_ERR(EBADF, mlx5dv_devx_subscribe_devx_event_fd(chan, -1, NULL, 1));
	EXPECT_STR("", fake_events);
	mlx5dv_devx_destroy_event_channel(chan);
	close(kernel.channel_peer);
	ibv_close_device(context);
}

/* An object of libmlx5 has no events on a channel of libmdx. */
static void subscribe_stock_object_eopnotsupp(void)
{
	struct ibv_context *context = open_bound();
	struct mlx5dv_devx_event_channel *chan = open_channel(context);
	struct mlx5dv_devx_obj *obj = stock_obj(context);

	EXPECT_ERR(EOPNOTSUPP, subscribe_two(chan, obj));
	EXPECT_ERR(EOPNOTSUPP, mlx5dv_devx_subscribe_devx_event_fd(chan, 7, obj, 1));
	EXPECT_STR("", fake_events);
	mlx5dv_devx_obj_destroy(obj);
	mlx5dv_devx_destroy_event_channel(chan);
	close(kernel.channel_peer);
	ibv_close_device(context);
}

/* The calls of an object or a channel that outlived its context. */
static void subscribe_closed_ebadf(void)
{
	struct ibv_context *context = open_bound(), *other = open_ctx();
	struct mlx5dv_devx_event_channel *chan = open_channel(context);
	struct mlx5dv_devx_obj *obj = create_obj(other);
	int peer = kernel.channel_peer;

	ibv_close_device(other);
	fake_events_reset();
	EXPECT_ERR(EBADF, subscribe_two(chan, obj));
	ibv_close_device(context);
	fake_events_reset();
	EXPECT_ERR(EBADF, subscribe_two(chan, NULL));
	EXPECT_STR("", fake_events);
	mlx5dv_devx_obj_destroy(obj);
	mlx5dv_devx_destroy_event_channel(chan);
	close(peer);
}

/* Events are read from the public descriptor, which a program polls. */
static void event_read(void)
{
	struct ibv_context *context = open_bound();
	struct mlx5dv_devx_event_channel *chan = open_channel(context);
	struct pollfd pfd = { .fd = chan->fd, .events = POLLIN };
	union {
		struct mlx5dv_devx_async_event_hdr hdr;
		unsigned char bytes[72];
	} event;
	unsigned char record[72];

	memset(record, 0x42, sizeof(record));
	EXPECT_EQ(0, fcntl(chan->fd, F_SETFL, O_NONBLOCK));
	EXPECT_EQ(0, poll(&pfd, 1, 0));
	errno = 0;
	EXPECT_EQ(-1, mlx5dv_devx_get_event(chan, &event.hdr, sizeof(event)));
	EXPECT_EQ(EAGAIN, errno);
	EXPECT_EQ(sizeof(record), write(kernel.channel_peer, record, sizeof(record)));
	EXPECT_EQ(8, write(kernel.channel_peer, record, 8));
	EXPECT_EQ(7, write(kernel.channel_peer, record, 7));
	EXPECT_EQ(1, poll(&pfd, 1, 0));
	errno = 99;
	EXPECT_EQ(72, mlx5dv_devx_get_event(chan, &event.hdr, sizeof(event)));
	EXPECT_EQ(99, errno);
	EXPECT(!memcmp(event.bytes, record, sizeof(record)));
	EXPECT_EQ(8, mlx5dv_devx_get_event(chan, &event.hdr, sizeof(event)));
	EXPECT_EQ(-1, mlx5dv_devx_get_event(chan, &event.hdr, sizeof(event)));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_STR("", fake_events);
	mlx5dv_devx_destroy_event_channel(chan);
	close(kernel.channel_peer);
	ibv_close_device(context);
}

/* Left to libmlx5: channels of contexts that are not served, and of older modules. */
static void channel_stock_forwarded(void)
{
	struct ibv_context *context = open_bound();
	struct mlx5dv_devx_event_channel *chan;
	struct mlx5dv_devx_async_event_hdr hdr;
	struct mlx5dv_devx_obj *obj = stock_obj(context), *own = create_obj(context);

	kernel.err[MDX_CMD_CHANNEL] = ENOTTY;
	kernel.err[MDX_CMD_SUBSCRIBE] = ENOTTY;
	fake_events_reset();
	chan = mlx5dv_devx_create_event_channel(context, OMIT);
	EXPECT(chan);
	EXPECT_EQ(OMIT, fake_mlx5.number);
	EXPECT_OK(subscribe_two(chan, obj));
	EXPECT(fake_mlx5.channel == chan && fake_mlx5.obj == obj);
	EXPECT_EQ(COOKIE, fake_mlx5.number);
	EXPECT_EQ(4, fake_mlx5.inlen);
	EXPECT_OK(subscribe_two(chan, NULL));
	EXPECT_OK(mlx5dv_devx_subscribe_devx_event_fd(chan, -1, obj, 0x0a));
	EXPECT_EQ(0x0a, fake_mlx5.number);
	/* The module has no subscriptions, or does not know the channel. */
	EXPECT_ERR(EOPNOTSUPP, subscribe_two(chan, own));
	kernel.err[MDX_CMD_SUBSCRIBE] = EBADF;
	EXPECT_ERR(EBADF, subscribe_two(chan, own));
	EXPECT_EQ(chan->fd, kernel.last[MDX_CMD_SUBSCRIBE].subscribe.channel);
	EXPECT_EQ(8, write(fake_mlx5.channel_peer, "12345678", 8));
	EXPECT_EQ(8, mlx5dv_devx_get_event(chan, &hdr, sizeof(hdr)));
	mlx5dv_devx_destroy_event_channel(chan);
	EXPECT_STR("HhvvwVVrk", fake_events);
	close(fake_mlx5.channel_peer);
	mlx5dv_devx_obj_destroy(obj);
	mlx5dv_devx_obj_destroy(own);
	ibv_close_device(context);
}

static void channel_null_einval(void)
{
	struct ibv_context *context = open_bound();
	struct mlx5dv_devx_async_event_hdr hdr;
	struct mlx5dv_devx_obj *obj = create_obj(context);

	fake_events_reset();
	EXPECT_NULL(EINVAL, mlx5dv_devx_create_event_channel(NULL, 0));
	EXPECT_ERR(EINVAL, subscribe_two(NULL, NULL));
	EXPECT_ERR(EINVAL, subscribe_two(NULL, obj));
	EXPECT_ERR(EINVAL, mlx5dv_devx_subscribe_devx_event_fd(NULL, 3, NULL, 1));
	errno = 0;
	EXPECT_EQ(-1, mlx5dv_devx_get_event(NULL, &hdr, sizeof(hdr)));
	EXPECT_EQ(EINVAL, errno);
	errno = 0;
	mlx5dv_devx_destroy_event_channel(NULL);
	EXPECT_EQ(EINVAL, errno);
	EXPECT_STR("", fake_events);
	mlx5dv_devx_obj_destroy(obj);
	ibv_close_device(context);
}

const struct tap_test event_tests[] = {
	TEST(channel_requests),
	TEST(channel_errno_returned),
	TEST(subscribe_requests),
	TEST(subscribe_sizes),
	TEST(subscribe_errno_returned),
	TEST(subscribe_eventfd_ebadf),
	TEST(subscribe_stock_object_eopnotsupp),
	TEST(subscribe_closed_ebadf),
	TEST(event_read),
	TEST(channel_stock_forwarded),
	TEST(channel_null_einval),
	{ NULL, NULL }
};
