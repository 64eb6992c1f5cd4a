// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* mlx5dv_devx_create_cmd_comp(3): answers of objects of both libraries. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "user.h"

#define WR_ID 0x1122334455667788ull
#define RECORD 24

/* Answers, as the kernel writes them. */
union answer {
	struct mlx5dv_devx_async_cmd_hdr hdr;
	unsigned char bytes[RECORD];
};

/* A context with an object of each library, and a channel for both. */
struct both {
	struct ibv_context *context;
	struct mlx5dv_devx_obj *own, *stock;
	struct mlx5dv_devx_cmd_comp *comp;
	int own_peer, stock_peer;
};

static struct both open_both(void)
{
	struct both b = { .context = open_bound() };

	b.own = create_obj(b.context);
	b.stock = fake_mlx5_create(b.context);
	fake_events_reset();
	errno = 99;
	b.comp = mlx5dv_devx_create_cmd_comp(b.context);
	if (!b.comp || errno != 99)
		abort();
	b.own_peer = kernel.channel_peer;
	b.stock_peer = fake_mlx5.channel_peer;
	return b;
}

static void close_both(struct both *b)
{
	mlx5dv_devx_destroy_cmd_comp(b->comp);
	mlx5dv_devx_obj_destroy(b->own);
	mlx5dv_devx_obj_destroy(b->stock);
	close(b->own_peer);
	close(b->stock_peer);
	ibv_close_device(b->context);
}

static int query_for(struct both *b, struct mlx5dv_devx_obj *obj)
{
	return mlx5dv_devx_obj_query_async(obj, in, 16, 32, WR_ID, b->comp);
}

static void write_answer_to(int peer, uint64_t wr_id)
{
	unsigned char record[RECORD] = { 0 };

	memcpy(record, &wr_id, sizeof(wr_id));
	if (write(peer, record, sizeof(record)) != sizeof(record))
		abort();
}

/* The wr_id of the next answer, or -1. */
static long next_id(struct both *b)
{
	union answer answer;

	if (mlx5dv_devx_get_async_cmd_comp(b->comp, &answer.hdr, sizeof(answer)))
		return -1;
	return answer.hdr.wr_id;
}

static void query_request(void)
{
	struct both b = open_both();
	struct mdx_ioc_submit *arg = &kernel.last[MDX_CMD_SUBMIT].submit;

	EXPECT_STR("Hf", fake_events);
	EXPECT_EQ(MDX_CHANNEL_COMPLETIONS | MDX_CHANNEL_PLAIN,
		  kernel.last[MDX_CMD_CHANNEL].channel.flags);
	EXPECT_OK(query_for(&b, b.own));
	EXPECT_STR("HfU", fake_events);
	EXPECT_EQ(sizeof(*arg), arg->size);
	EXPECT_EQ(0, arg->flags);
	EXPECT_EQ(1, arg->items_n);
	EXPECT_EQ(sizeof(kernel.item), arg->item_size);
	EXPECT(arg->channel >= 0 && arg->channel != b.comp->fd);
	EXPECT_EQ(MDX_CMD_OBJ_QUERY, kernel.item.cmd);
	EXPECT_EQ(1, kernel.item.obj);
	EXPECT_EQ((uintptr_t)in, kernel.item.in);
	EXPECT_EQ(16, kernel.item.in_len);
	EXPECT_EQ(0, kernel.item.out);
	EXPECT_EQ(32, kernel.item.out_len);
	EXPECT_EQ(WR_ID, kernel.item.cookie);
	/* The descriptor in the request is the one that is read. */
	write_answer_to(b.own_peer, 5);
	EXPECT_EQ(5, next_id(&b));
	close_both(&b);
}

/* An object of libmlx5, for example a counter, on the same channel. */
static void query_stock_object(void)
{
	struct both b = open_both();

	EXPECT_OK(query_for(&b, b.stock));
	EXPECT_STR("Hfz", fake_events);
	EXPECT(fake_mlx5.obj == b.stock && fake_mlx5.in == in);
	EXPECT(fake_mlx5.channel && fake_mlx5.channel != b.comp);
	EXPECT_EQ(16, fake_mlx5.inlen);
	EXPECT_EQ(32, fake_mlx5.outlen);
	EXPECT_EQ(WR_ID, fake_mlx5.number);
	fake_mlx5.err = EAGAIN;
	EXPECT_ERR(EAGAIN, query_for(&b, b.stock));
	fake_mlx5.err = 0;
	write_answer_to(b.stock_peer, 6);
	EXPECT_EQ(6, next_id(&b));
	close_both(&b);
	EXPECT(strchr(fake_events, 'j'));
}

/* The public descriptor is readable as long as either library has an answer. */
static void poll_both(void)
{
	struct both b = open_both();
	struct pollfd pfd = { .fd = b.comp->fd, .events = POLLIN };
	union answer answer;

	EXPECT(fcntl(pfd.fd, F_GETFD) & FD_CLOEXEC);
	EXPECT_EQ(0, fcntl(pfd.fd, F_SETFL, O_NONBLOCK));
	EXPECT_EQ(0, poll(&pfd, 1, 0));
	EXPECT_ERR(EAGAIN, mlx5dv_devx_get_async_cmd_comp(b.comp, &answer.hdr,
							  sizeof(answer)));
	write_answer_to(b.stock_peer, 1);
	EXPECT_EQ(1, poll(&pfd, 1, 0));
	EXPECT_OK(mlx5dv_devx_get_async_cmd_comp(b.comp, &answer.hdr, sizeof(answer)));
	EXPECT_EQ(1, answer.hdr.wr_id);
	EXPECT_EQ(0, poll(&pfd, 1, 0));
	write_answer_to(b.own_peer, 2);
	EXPECT_EQ(1, poll(&pfd, 1, 0));
	EXPECT_EQ(2, next_id(&b));
	EXPECT_EQ(0, poll(&pfd, 1, 0));
	close_both(&b);
}

/* Answers of one library do not keep those of the other from being read. */
static void read_alternates(void)
{
	struct both b = open_both();
	long id, own = 0, stock = 0;
	int i;

	for (i = 0; i < 8; i++) {
		write_answer_to(b.own_peer, 100 + i);
		write_answer_to(b.stock_peer, 200 + i);
	}
	for (i = 0; i < 16; i++) {
		id = next_id(&b);
		if (id >= 200)
			EXPECT_EQ(200 + stock++, id);
		else
			EXPECT_EQ(100 + own++, id);
		EXPECT(own - stock <= 1 && stock - own <= 1);
	}
	close_both(&b);
}

static void *write_late(void *arg)
{
	usleep(20000);
	write_answer_to(*(int *)arg, 9);
	return NULL;
}

/* Without O_NONBLOCK the call waits for whichever answers first. */
static void read_waits(void)
{
	struct both b = open_both();
	int *const peers[] = { &b.own_peer, &b.stock_peer };
	pthread_t thread;
	int i;

	for (i = 0; i < 2; i++) {
		EXPECT_EQ(0, pthread_create(&thread, NULL, write_late, peers[i]));
		EXPECT_EQ(9, next_id(&b));
		pthread_join(thread, NULL);
	}
	close_both(&b);
}

static void take_signal(int sig)
{
	(void)sig;
}

static void *send_signal(void *arg)
{
	usleep(50000);
	pthread_kill(*(pthread_t *)arg, SIGUSR2);
	return NULL;
}

static void read_signal_eintr(void)
{
	struct sigaction action = { .sa_handler = take_signal }, old;
	struct both b = open_both();
	pthread_t thread, self = pthread_self();
	union answer answer;

	sigaction(SIGUSR2, &action, &old);
	EXPECT_EQ(0, pthread_create(&thread, NULL, send_signal, &self));
	EXPECT_ERR(EINTR, mlx5dv_devx_get_async_cmd_comp(b.comp, &answer.hdr,
							 sizeof(answer)));
	pthread_join(thread, NULL);
	sigaction(SIGUSR2, &old, NULL);
	close_both(&b);
}

static void query_errno_returned(void)
{
	static const int errs[] = {
		EINVAL, EBADF, ENOENT, EBUSY, EAGAIN, EFAULT, ENOMEM, EIO,
		EOPNOTSUPP,
	};
	struct both b = open_both();
	size_t i;

	for (i = 0; i < sizeof(errs) / sizeof(errs[0]); i++) {
		kernel.err[MDX_CMD_SUBMIT] = errs[i];
		EXPECT_ERR(errs[i], query_for(&b, b.own));
	}
	kernel.err[MDX_CMD_SUBMIT] = ENOTTY;
	EXPECT_ERR(EOPNOTSUPP, query_for(&b, b.own));
	kernel.err[MDX_CMD_SUBMIT] = 0;
	kernel.eintr = 2;
	EXPECT_OK(query_for(&b, b.own));
	close_both(&b);
}

/* Nothing is left of a channel that could not be made. */
static void comp_create_errno(void)
{
	static const int errs[] = { EMFILE, ENFILE, ENOMEM, EIO };
	struct ibv_context *context = open_bound();
	int lowest = dup(0), now;
	size_t i;

	close(lowest);
	for (i = 0; i < sizeof(errs) / sizeof(errs[0]); i++) {
		kernel.err[MDX_CMD_CHANNEL] = errs[i];
		EXPECT_NULL(errs[i], mlx5dv_devx_create_cmd_comp(context));
	}
	kernel.err[MDX_CMD_CHANNEL] = 0;
	fake_mlx5.create_err = EPERM;
	EXPECT_NULL(EPERM, mlx5dv_devx_create_cmd_comp(context));
	close(kernel.channel_peer);
	now = dup(0);
	EXPECT_EQ(lowest, now);
	close(now);
	ibv_close_device(context);
}

/* A module without channels: those of libmlx5 serve its objects. */
static void comp_enotty_forwarded(void)
{
	struct ibv_context *context = open_bound();
	struct mlx5dv_devx_obj *own = create_obj(context);
	struct both b = { .context = context };

	kernel.err[MDX_CMD_CHANNEL] = ENOTTY;
	kernel.err[MDX_CMD_SUBMIT] = ENOTTY;
	b.stock = fake_mlx5_create(context);
	fake_events_reset();
	b.comp = mlx5dv_devx_create_cmd_comp(context);
	EXPECT(b.comp);
	EXPECT_OK(query_for(&b, b.stock));
	EXPECT(fake_mlx5.channel == b.comp);
	EXPECT_ERR(EOPNOTSUPP, query_for(&b, own));
	kernel.err[MDX_CMD_SUBMIT] = EBADF;
	EXPECT_ERR(EBADF, query_for(&b, own));
	EXPECT_EQ(b.comp->fd, kernel.last[MDX_CMD_SUBMIT].submit.channel);
	write_answer_to(fake_mlx5.channel_peer, 3);
	EXPECT_EQ(3, next_id(&b));
	mlx5dv_devx_destroy_cmd_comp(b.comp);
	EXPECT_STR("HfzUUbj", fake_events);
	close(fake_mlx5.channel_peer);
	mlx5dv_devx_obj_destroy(own);
	mlx5dv_devx_obj_destroy(b.stock);
	ibv_close_device(context);
}

static void query_closed_ebadf(void)
{
	struct both b = open_both();

	ibv_close_device(b.context);
	EXPECT_ERR(EBADF, query_for(&b, b.own));
	mlx5dv_devx_destroy_cmd_comp(b.comp);
	mlx5dv_devx_obj_destroy(b.own);
	mlx5dv_devx_obj_destroy(b.stock);
	close(b.own_peer);
	close(b.stock_peer);
}

static void comp_null_einval(void)
{
	struct both b = open_both();
	union answer answer;

	fake_events_reset();
	EXPECT_NULL(EINVAL, mlx5dv_devx_create_cmd_comp(NULL));
	EXPECT_ERR(EINVAL, query_for(&b, NULL));
	EXPECT_ERR(EINVAL,
		   mlx5dv_devx_obj_query_async(b.own, in, 16, 32, 0, NULL));
	EXPECT_ERR(EINVAL,
		   mlx5dv_devx_obj_query_async(b.stock, in, 16, 32, 0, NULL));
	EXPECT_ERR(EINVAL, mlx5dv_devx_get_async_cmd_comp(NULL, &answer.hdr,
							  sizeof(answer)));
	errno = 0;
	mlx5dv_devx_destroy_cmd_comp(NULL);
	EXPECT_EQ(EINVAL, errno);
	EXPECT_STR("", fake_events);
	close_both(&b);
}

const struct tap_test async_tests[] = {
	TEST(query_request),
	TEST(query_stock_object),
	TEST(poll_both),
	TEST(read_alternates),
	TEST(read_waits),
	TEST(read_signal_eintr),
	TEST(query_errno_returned),
	TEST(comp_create_errno),
	TEST(comp_enotty_forwarded),
	TEST(query_closed_ebadf),
	TEST(comp_null_einval),
	{ NULL, NULL }
};

/* Suite "bare": a libmlx5 without the functions. */
static void family_no_libmlx5_eopnotsupp(void)
{
	struct ibv_context *context = open_bound();
	struct mlx5dv_devx_obj *theirs = calloc(1, 64);
	struct mlx5dv_devx_event_channel *chan;
	struct mlx5dv_devx_async_event_hdr hdr;
	struct mlx5dv_devx_cmd_comp *comp;
	int fake_fd = -1;

	comp = mlx5dv_devx_create_cmd_comp(context);
	EXPECT(comp);
	EXPECT_STR("H", fake_events);
	EXPECT_ERR(EOPNOTSUPP,
		   mlx5dv_devx_obj_query_async(theirs, in, 16, 32, 0, comp));
	write_answer_to(kernel.channel_peer, 4);
	EXPECT_EQ(4, next_id(&(struct both){ .comp = comp }));
	mlx5dv_devx_destroy_cmd_comp(comp);
	close(kernel.channel_peer);

	kernel.err[MDX_CMD_CHANNEL] = ENOTTY;
	EXPECT_NULL(EOPNOTSUPP, mlx5dv_devx_create_cmd_comp(context));
	EXPECT_NULL(EOPNOTSUPP, mlx5dv_devx_create_event_channel(context, 0));
	comp = (void *)&fake_fd;
	chan = (void *)&fake_fd;
	EXPECT_ERR(EOPNOTSUPP, mlx5dv_devx_get_async_cmd_comp(comp, (void *)out, 32));
	EXPECT_ERR(EOPNOTSUPP,
		   mlx5dv_devx_subscribe_devx_event_fd(chan, 1, NULL, 1));
	errno = 0;
	EXPECT_EQ(-1, mlx5dv_devx_get_event(chan, &hdr, sizeof(hdr)));
	EXPECT_EQ(EOPNOTSUPP, errno);
	errno = 0;
	mlx5dv_devx_destroy_event_channel(chan);
	EXPECT_EQ(EOPNOTSUPP, errno);
	errno = 0;
	mlx5dv_devx_destroy_cmd_comp(comp);
	EXPECT_EQ(EOPNOTSUPP, errno);
	free(theirs);
	ibv_close_device(context);
}

const struct tap_test bare_async_tests[] = {
	TEST(family_no_libmlx5_eopnotsupp),
	{ NULL, NULL }
};
