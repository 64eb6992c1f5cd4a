// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The end of channels and of subscriptions: by the file, the context, the device and
 * the object, while readers wait and events come.
 */
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/wait.h>

#include "kselftest_harness.h"
#include "events.h"
#include "machine.h"
#include "objtypes.h"

#define COOKIE 0x1122334455667788
#define EVENT_PORT 0x09
/* The longest that a command is held by the device. */
#define HOLD_US 1500000
#define DEAD (POLLIN | POLLRDNORM | POLLHUP | POLLRDHUP)

static const struct event_form cq_error = { .type = 0x04, .num = 32 };

/* A task in read(). */
struct reader {
	pthread_t thread;
	int chan;
	ssize_t ret;
};

static void *reader_run(void *arg)
{
	struct reader *reader = arg;
	struct event_record rec;

	reader->ret = read(reader->chan, &rec, sizeof(rec));
	if (reader->ret < 0)
		reader->ret = -errno;
	return NULL;
}

static void reader_start(struct reader *reader, int chan)
{
	reader->chan = chan;
	pthread_create(&reader->thread, NULL, reader_run, reader);
	/* Long enough to wait in read(); else the test is of less worth. */
	usleep(50000);
}

static ssize_t reader_end(struct reader *reader)
{
	pthread_join(reader->thread, NULL);
	return reader->ret;
}

FIXTURE(events_end)
{
	struct mdx_binding mdx;
	struct mdx_world w;
	struct reader reader;
	int chan;
	bool unbound;
	char addr[64];
};

FIXTURE_SETUP(events_end)
{
	SETUP_DEVICE(return);
	ASSERT_TRUE(mdx_pci_addr(self->addr, sizeof(self->addr)));
	ASSERT_EQ(0, world_start(&self->w));
	if (!self->w.hca) {
		world_stop(&self->w);
		SKIP_NO_HCA(self->w.hca, return);
	}
	self->mdx = self->w.mdx;
	test_mdx_channel(self->mdx.fd, MDX_CHANNEL_EVENTS, 0, &self->chan);
	ASSERT_EQ(0, objtype_create(&self->w, OBJTYPE_CQ));
	test_mdx_subscribe(self->mdx.fd, .chan = self->chan, .event = 0x04,
			   .obj = self->w.obj[OBJTYPE_CQ].id, .cookie = COOKIE);
}

FIXTURE_TEARDOWN(events_end)
{
	close(self->chan);
	world_stop(&self->w);
	if (self->unbound) {
		write_file(MLX5_DRIVER "/bind", self->addr);
		mdx_device_wait();
	}
}

static bool post_cq_error(struct mdx_world *w)
{
	return event_post(w->hca, &cq_error, w->obj[OBJTYPE_CQ].num);
}

/* Is it as the header says of a channel that has ended? */
static bool is_dead(int chan)
{
	struct event_record rec;

	return chan_poll_now(chan) == DEAD &&
	       chan_read_now(chan, &rec, sizeof(rec)) == -EIO &&
	       chan_read_now(chan, &rec, 0) == -EIO &&
	       read(chan, &rec, sizeof(rec)) == -1 && errno == EIO;
}

TEST_F(events_end, file_closed_reader_eio)
{
	reader_start(&self->reader, self->chan);
	close(self->w.mdx.fd);
	self->w.mdx.fd = -1;
	EXPECT_EQ(-EIO, reader_end(&self->reader));
	EXPECT_TRUE(is_dead(self->chan));
}

/* Unread records are dropped. */
TEST_F(events_end, file_closed_records_dropped)
{
	ASSERT_TRUE(post_cq_error(&self->w));
	EXPECT_NE(0, chan_poll(self->chan));
	close(self->w.mdx.fd);
	self->w.mdx.fd = -1;
	EXPECT_TRUE(is_dead(self->chan));
}

TEST_F(events_end, context_closed_reader_eio)
{
	struct ibv_context *ctx = mdx_ctx_open();
	struct ibv_pd *pd = ctx ? ibv_alloc_pd(ctx) : NULL;
	int fd = mdx_node_open(), chan;

	ASSERT_NE(NULL, pd);
	test_mdx_bind(fd, ctx->cmd_fd, pd->handle);
	test_mdx_channel(fd, MDX_CHANNEL_EVENTS, 0, &chan);
	test_mdx_subscribe(fd, .chan = chan, .event = EVENT_PORT);
	reader_start(&self->reader, chan);
	EXPECT_EQ(0, ibv_close_device(ctx));
	EXPECT_EQ(-EIO, reader_end(&self->reader));
	EXPECT_TRUE(is_dead(chan));
	test_err_subscribe(EIO, fd, .chan = chan, .event = EVENT_PORT);
	EXPECT_EQ(EIO, _test_mdx_channel(fd, MDX_CHANNEL_EVENTS, 0, NULL));
	close(chan);
	close(fd);
}

/* A channel of another file of the context lives on, and hears of its objects. */
TEST_F(events_end, channel_ends_with_its_file)
{
	struct event_record rec;
	int other = mdx_node_open(), chan;

	test_mdx_bind(other, self->mdx.ctx->cmd_fd, self->mdx.anchor->handle);
	test_mdx_channel(other, MDX_CHANNEL_EVENTS, 0, &chan);
	test_mdx_subscribe(self->mdx.fd, .chan = chan, .event = 0x04,
			   .obj = self->w.obj[OBJTYPE_CQ].id);
	ASSERT_TRUE(post_cq_error(&self->w));
	EXPECT_EQ(72, chan_read(chan, &rec, sizeof(rec)));
	close(other);
	EXPECT_TRUE(is_dead(chan));
	EXPECT_EQ(72, chan_read(self->chan, &rec, sizeof(rec)));
	close(chan);
}

struct held_destroy {
	pthread_t thread;
	struct mdx_world *w;
	int ret;
};

static void *held_run(void *arg)
{
	struct held_destroy *held = arg;

	held->ret = _test_mdx_destroy(held->w->mdx.fd,
				      held->w->obj[OBJTYPE_QP].id);
	return NULL;
}

static const struct event_form qp_error = { .type = 0x05, .num = 56 };

/* Posts events about a QP while the device has its destroy. */
static int destroy_under_events(struct mdx_world *w)
{
	long seen = hca_count(w->hca, MLX5_CMD_OP_DESTROY_QP);
	struct held_destroy held = { .w = w };
	int i;

	if (hca_cmd(w->hca, "delay 0x%x %u", MLX5_CMD_OP_DESTROY_QP, HOLD_US))
		return -1;
	pthread_create(&held.thread, NULL, held_run, &held);
	while (hca_count(w->hca, MLX5_CMD_OP_DESTROY_QP) == seen)
		usleep(2000);
	for (i = 0; i < 3; i++)
		event_post(w->hca, &qp_error, w->obj[OBJTYPE_QP].num);
	pthread_join(held.thread, NULL);
	return held.ret;
}

/* The number may be another user's as soon as the device has the destroy. */
TEST_F(events_end, nothing_heard_after_destroy)
{
	struct mdx_world *w = &self->w;
	int efd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	struct event_record rec;
	uint64_t n;

	ASSERT_EQ(0, objtype_create(w, OBJTYPE_QP));
	test_mdx_subscribe(w->mdx.fd, .chan = self->chan, .event = 0x05,
			   .obj = w->obj[OBJTYPE_QP].id);
	test_mdx_subscribe(w->mdx.fd, .chan = self->chan, .event = 0x05,
			   .obj = w->obj[OBJTYPE_QP].id, .eventfd = efd);
	ASSERT_EQ(0, destroy_under_events(w));
	event_post(w->hca, &qp_error, w->obj[OBJTYPE_QP].num);
	/* The first that is heard is this one. */
	ASSERT_TRUE(post_cq_error(w));
	ASSERT_EQ(72, chan_read(self->chan, &rec, sizeof(rec)));
	EXPECT_EQ(0x04, rec.eqe[1]);
	EXPECT_EQ(-1, read(efd, &n, sizeof(n)));
	close(efd);
}

/* The object is still there: its events go on, and the gap is told. */
TEST_F(events_end, refused_destroy_eoverflow)
{
	struct mdx_world *w = &self->w;
	struct event_record rec;

	ASSERT_EQ(0, objtype_create(w, OBJTYPE_QP));
	test_mdx_subscribe(w->mdx.fd, .chan = self->chan, .event = 0x05,
			   .obj = w->obj[OBJTYPE_QP].id);
	ASSERT_EQ(0, hca_fail(w->hca, MLX5_CMD_OP_DESTROY_QP, 0x09, 1, 1));
	ASSERT_EQ(EREMOTEIO, destroy_under_events(w));
	EXPECT_EQ(-EOVERFLOW, chan_read(self->chan, &rec, sizeof(rec)));
	ASSERT_TRUE(event_post(w->hca, &qp_error, w->obj[OBJTYPE_QP].num));
	EXPECT_EQ(72, chan_read(self->chan, &rec, sizeof(rec)));
	/* Nothing came in this one. */
	ASSERT_EQ(0, hca_fail(w->hca, MLX5_CMD_OP_DESTROY_QP, 0x09, 1, 1));
	ASSERT_EQ(EREMOTEIO, _test_mdx_destroy(w->mdx.fd,
					       w->obj[OBJTYPE_QP].id));
	EXPECT_EQ(0, chan_poll_now(self->chan));
}

/* The cookie of an object's last event is read after its end. */
TEST_F(events_end, omit_data_outlives_object)
{
	struct mdx_world *w = &self->w;
	uint64_t cookie = 0;
	int chan;

	test_mdx_channel(w->mdx.fd, MDX_CHANNEL_EVENTS | MDX_CHANNEL_OMIT_DATA,
			 0, &chan);
	ASSERT_EQ(0, objtype_create(w, OBJTYPE_QP));
	test_mdx_subscribe(w->mdx.fd, .chan = chan, .event = 0x05,
			   .obj = w->obj[OBJTYPE_QP].id, .cookie = COOKIE);
	ASSERT_TRUE(event_post(w->hca, &qp_error, w->obj[OBJTYPE_QP].num));
	ASSERT_NE(0, chan_poll(chan));
	ASSERT_EQ(0, objtype_destroy(w, OBJTYPE_QP));
	EXPECT_EQ(8, chan_read_now(chan, &cookie, sizeof(cookie)));
	EXPECT_EQ(COOKIE, cookie);
	EXPECT_EQ(0, chan_poll_now(chan));
	close(chan);
}

#define SUBS 10000
#define OBJ_SUBS 1000

static int subscribe_times(struct mdx_world *w, int chan, uint32_t id, int n)
{
	uint16_t events[16] = { [0 ... 15] = 0x05 };
	struct subscribe_call call = {
		.chan = chan, .obj = id, .events = events,
	};
	int ret = 0;

	for (; n > 0 && !ret; n -= call.n) {
		call.n = n < 16 ? n : 16;
		ret = _test_mdx_subscribe(w->mdx.fd, &call);
	}
	return ret;
}

/* Each event of many subscriptions is read; an object has a limit. */
TEST_F_TIMEOUT(events_end, ten_thousand_subscriptions, 300)
{
	struct mdx_world *w = &self->w;
	struct test_obj qp[SUBS / OBJ_SUBS];
	struct event_record rec;
	size_t i, n;

	for (i = 0; i < SUBS / OBJ_SUBS; i++) {
		ASSERT_EQ(0, objtype_create_more(w, OBJTYPE_QP, &qp[i]));
		ASSERT_EQ(0, subscribe_times(w, self->chan, qp[i].id,
					     OBJ_SUBS));
	}
	EXPECT_EQ(0, subscribe_times(w, self->chan, qp[0].id,
				     MDX_SUBSCRIPTIONS_OBJ_MAX - OBJ_SUBS));
	EXPECT_EQ(ENOMEM, subscribe_times(w, self->chan, qp[0].id, 1));
	for (i = 1; i < SUBS / OBJ_SUBS; i++)
		ASSERT_TRUE(event_post(w->hca, &qp_error, qp[i].num));
	for (n = 0; n < SUBS - OBJ_SUBS; n++)
		ASSERT_EQ(72, chan_read(self->chan, &rec, sizeof(rec)));
	EXPECT_EQ(0, chan_poll_now(self->chan));
	for (i = 0; i < SUBS / OBJ_SUBS; i++)
		ASSERT_EQ(0, _test_mdx_destroy(w->mdx.fd, qp[i].id));
	/* Each has its place again. */
	ASSERT_EQ(0, objtype_create_more(w, OBJTYPE_QP, &qp[0]));
	EXPECT_EQ(0, subscribe_times(w, self->chan, qp[0].id,
				     MDX_SUBSCRIPTIONS_OBJ_MAX));
	ASSERT_EQ(0, _test_mdx_destroy(w->mdx.fd, qp[0].id));
}

/* In a child: channels, subscriptions and objects come and go until it is killed. */
static void subscribe_for_ever(struct mdx_world *w)
{
	struct event_record rec;
	struct test_obj qp;
	unsigned int i;
	int chan;

	for (i = 0;; i++) {
		if (_test_mdx_channel(w->mdx.fd, MDX_CHANNEL_EVENTS |
				      (i & 1 ? MDX_CHANNEL_OMIT_DATA : 0), 0,
				      &chan))
			continue;
		subscribe_times(w, chan, w->obj[OBJTYPE_QP].id, 16);
		if (!objtype_create_more(w, OBJTYPE_QP, &qp)) {
			subscribe_times(w, chan, qp.id, 4);
			_test_mdx_destroy(w->mdx.fd, qp.id);
		}
		chan_read_now(chan, &rec, sizeof(rec));
		close(chan);
	}
}

static int module_refs(void)
{
	FILE *f = fopen("/sys/module/mlx5_devx/refcnt", "r");
	int refs = -1;

	if (f && fscanf(f, "%d", &refs) != 1)
		refs = -1;
	if (f)
		fclose(f);
	return refs;
}

/* A file of its own, under the uid of the parent's context. */
static pid_t storm_child(struct mdx_world *w)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	w->mdx.fd = mdx_node_open();
	if (_test_mdx_bind(w->mdx.fd, w->mdx.ctx->cmd_fd,
			   w->mdx.anchor->handle))
		_exit(1);
	memset(w->obj, 0, sizeof(w->obj));
	w->hca = NULL;
	if (objtype_create(w, OBJTYPE_QP))
		_exit(1);
	subscribe_for_ever(w);
	return 0;
}

#define KILLS (mdx_lane_debug() ? 100 : 1000)

/* Subscribers are killed while events come: nothing of theirs is left. */
TEST_F_TIMEOUT(events_end, killed_under_storm, 600)
{
	struct mdx_world *w = &self->w;
	uint32_t num = w->obj[OBJTYPE_CQ].num;
	int live = hca_live(w->hca, w->mdx.uid, NULL, -1);
	int refs = module_refs(), i, j, status, tries;
	uint64_t seed = 1;
	pid_t pid;

	for (i = 0; i < KILLS; i++) {
		pid = storm_child(w);
		ASSERT_GT(pid, 0);
		/* QPs get the numbers that follow one another. */
		for (j = random_below(&seed, 20); j >= 0; j--)
			event_post(w->hca, &qp_error,
				   num + random_below(&seed, 64));
		kill(pid, SIGKILL);
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		ASSERT_TRUE(WIFSIGNALED(status));
	}
	EXPECT_EQ(live, hca_live(w->hca, w->mdx.uid, NULL, -1));
	for (tries = 0; module_refs() != refs && tries < 500; tries++)
		usleep(10000);
	EXPECT_EQ(refs, module_refs());
}

/* Events come as fast as they can while objects are destroyed and made. */
static void *storm_run(void *arg)
{
	struct mdx_world *w = arg;

	subscribe_for_ever(w);
	return NULL;
}

#define STORM_EVENTS (mdx_lane_debug() ? 1000 : 10000)

TEST_F_TIMEOUT(events_end, objects_under_storm, 600)
{
	static struct mdx_world own[3];
	struct mdx_world *w = &self->w;
	uint64_t seed = 7;
	pthread_t thread;
	size_t i;
	int n;

	ASSERT_EQ(0, objtype_create(w, OBJTYPE_QP));
	for (i = 0; i < ARRAY_SIZE(own); i++) {
		own[i] = *w;
		own[i].hca = NULL;
		pthread_create(&thread, NULL, storm_run, &own[i]);
	}
	for (n = 0; n < STORM_EVENTS; n++)
		ASSERT_TRUE(event_post(w->hca, &qp_error,
				       w->obj[OBJTYPE_QP].num +
				       random_below(&seed, 8)));
	/* The threads end with the process, in the middle of it all. */
}

/* Last, as binding the driver again takes long. */
TEST_F_TIMEOUT(events_end, device_removed_reader_eio, 300)
{
	int efd = eventfd(0, EFD_CLOEXEC);

	test_mdx_subscribe(self->mdx.fd, .chan = self->chan, .event = 0x04,
			   .obj = self->w.obj[OBJTYPE_CQ].id, .eventfd = efd);
	reader_start(&self->reader, self->chan);
	self->unbound = true;
	ASSERT_EQ(0, write_file(MLX5_DRIVER "/unbind", self->addr));
	EXPECT_EQ(-EIO, reader_end(&self->reader));
	EXPECT_TRUE(is_dead(self->chan));
	test_err_subscribe(EIO, self->mdx.fd, .chan = self->chan,
			   .event = EVENT_PORT);
	close(efd);
}

TEST_HARNESS_MAIN
