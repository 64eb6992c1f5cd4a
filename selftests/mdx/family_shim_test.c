// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Events and asynchronous queries by libmdx, beside the same calls by libmlx5: on the
 * same context, with an object of each, and with the same results.
 */
#include <dlfcn.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

#include "kselftest_harness.h"
#include "events.h"
#include "objtypes.h"

#include <mdx/mdx.h>

#define COOKIE 0x1122334455667788
#define EVENT_CQ_ERROR 0x04
#define EVENT_CMD 0x0a
#define EVENT_PORT 0x09
#define ANSWER_MAX 1024

static const struct event_form cq_error = { .type = EVENT_CQ_ERROR, .num = 32 };
static const struct event_form completion = { .type = 0, .num = 56 };

/* The functions of one library, and what they made. */
struct side {
	__typeof__(mlx5dv_devx_obj_create) *create;
	__typeof__(mlx5dv_devx_obj_destroy) *destroy;
	__typeof__(mlx5dv_devx_create_event_channel) *create_channel;
	__typeof__(mlx5dv_devx_destroy_event_channel) *destroy_channel;
	__typeof__(mlx5dv_devx_subscribe_devx_event) *subscribe;
	__typeof__(mlx5dv_devx_subscribe_devx_event_fd) *subscribe_fd;
	__typeof__(mlx5dv_devx_get_event) *get_event;
	__typeof__(mlx5dv_devx_create_cmd_comp) *create_comp;
	__typeof__(mlx5dv_devx_destroy_cmd_comp) *destroy_comp;
	__typeof__(mlx5dv_devx_obj_query_async) *query_async;
	__typeof__(mlx5dv_devx_get_async_cmd_comp) *get_async;
	struct mlx5dv_devx_event_channel *chan;
	struct mlx5dv_devx_cmd_comp *comp;
	struct mlx5dv_devx_obj *cq;
	uint32_t cqn;
};

FIXTURE(family)
{
	struct mdx_world w;
	struct side side[2];	/* libmdx, libmlx5 */
};

#define OURS 0
#define STOCK 1

/* An answer, as mlx5dv_devx_get_async_cmd_comp() writes it. */
union async_answer {
	struct mlx5dv_devx_async_cmd_hdr hdr;
	uint8_t bytes[ANSWER_MAX];
};

/* Functions by name, from @handle, NULL for those that the program is linked with. */
static bool find_side(struct side *side, void *handle)
{
#define FIND(field, name)						\
	do {								\
		side->field = handle ?					\
			(__typeof__(side->field))dlsym(handle, #name) : name; \
		if (!side->field)					\
			return false;					\
	} while (0)

	FIND(create, mlx5dv_devx_obj_create);
	FIND(destroy, mlx5dv_devx_obj_destroy);
	FIND(create_channel, mlx5dv_devx_create_event_channel);
	FIND(destroy_channel, mlx5dv_devx_destroy_event_channel);
	FIND(subscribe, mlx5dv_devx_subscribe_devx_event);
	FIND(subscribe_fd, mlx5dv_devx_subscribe_devx_event_fd);
	FIND(get_event, mlx5dv_devx_get_event);
	FIND(create_comp, mlx5dv_devx_create_cmd_comp);
	FIND(destroy_comp, mlx5dv_devx_destroy_cmd_comp);
	FIND(query_async, mlx5dv_devx_obj_query_async);
	FIND(get_async, mlx5dv_devx_get_async_cmd_comp);
#undef FIND
	return true;
}

static struct mlx5dv_devx_obj *create_by(struct side *side, struct mdx_world *w,
					 enum objtype_id t, uint32_t *num)
{
	struct mlx5dv_devx_obj *obj;

	if (objtype_create_needs(w, t))
		return NULL;
	objtype_build_create(w, t);
	obj = side->create(w->mdx.ctx, w->in, w->m.in_len, w->out, w->m.out_len);
	*num = mbox_get_field(w->out, objtypes[t].num);
	return obj;
}

FIXTURE_SETUP(family)
{
	void *libmlx5 = dlopen("libmlx5.so.1", RTLD_NOW | RTLD_NOLOAD);
	int i;

	SETUP_DEVICE(return);
	ASSERT_NE(NULL, libmlx5);
	ASSERT_EQ(0, world_start(&self->w));
	if (!self->w.hca) {
		world_stop(&self->w);
		SKIP_NO_HCA(self->w.hca, return);
	}
	for (i = 0; i < 2; i++) {
		struct side *side = &self->side[i];

		ASSERT_TRUE(find_side(side, i == STOCK ? libmlx5 : NULL));
		side->chan = side->create_channel(self->w.mdx.ctx, 0);
		ASSERT_NE(NULL, side->chan);
		side->comp = side->create_comp(self->w.mdx.ctx);
		ASSERT_NE(NULL, side->comp);
		side->cq = create_by(side, &self->w, OBJTYPE_CQ, &side->cqn);
		ASSERT_NE(NULL, side->cq);
	}
	ASSERT_NE(self->side[OURS].get_event, self->side[STOCK].get_event);
}

FIXTURE_TEARDOWN(family)
{
	int i;

	for (i = 0; i < 2; i++) {
		struct side *side = &self->side[i];

		if (side->chan)
			side->destroy_channel(side->chan);
		if (side->comp)
			side->destroy_comp(side->comp);
		if (side->cq)
			EXPECT_EQ(0, side->destroy(side->cq));
	}
	world_stop(&self->w);
}

static int subscribe_cq(struct side *side, uint16_t event)
{
	return side->subscribe(side->chan, side->cq, sizeof(event), &event, COOKIE);
}

/* Without what differs between entries: the number of the CQ, signature, owner. */
static void mask_entry(struct event_record *rec)
{
	memset(rec->eqe + cq_error.num, 0, 4);
	memset(rec->eqe + EQE_LEN - 2, 0, 2);
}

TEST_F(family, event_bytes_stock)
{
	struct event_record rec[2];
	int i;

	for (i = 0; i < 2; i++) {
		struct side *side = &self->side[i];

		ASSERT_EQ(0, subscribe_cq(side, EVENT_CQ_ERROR));
		ASSERT_TRUE(event_post(self->w.hca, &cq_error, side->cqn));
		ASSERT_EQ(POLLIN | POLLRDNORM, chan_poll(side->chan->fd));
		ASSERT_EQ(sizeof(rec[i]),
			  side->get_event(side->chan, (void *)&rec[i],
					  sizeof(rec[i])));
		EXPECT_EQ(side->cqn, mbox_get32(rec[i].eqe, cq_error.num));
		EXPECT_EQ(0, chan_poll_now(side->chan->fd));
		mask_entry(&rec[i]);
	}
	EXPECT_EQ(COOKIE, rec[OURS].cookie);
	EXPECT_EQ(0, memcmp(&rec[OURS], &rec[STOCK], sizeof(rec[0])));
}

TEST_F(family, event_omit_data_stock)
{
	struct event_record rec;
	int i;

	for (i = 0; i < 2; i++) {
		struct side *side = &self->side[i];

		side->destroy_channel(side->chan);
		side->chan = side->create_channel(self->w.mdx.ctx,
			MLX5DV_DEVX_CREATE_EVENT_CHANNEL_FLAGS_OMIT_EV_DATA);
		ASSERT_NE(NULL, side->chan);
		ASSERT_EQ(0, subscribe_cq(side, 0));
		ASSERT_TRUE(event_post(self->w.hca, &completion, side->cqn));
		EXPECT_EQ(8, side->get_event(side->chan, (void *)&rec, sizeof(rec)));
		EXPECT_EQ(COOKIE, rec.cookie);
	}
}

TEST_F(family, event_eventfd_stock)
{
	uint64_t count = 0;
	int i;

	for (i = 0; i < 2; i++) {
		struct side *side = &self->side[i];
		int fd = eventfd(0, EFD_CLOEXEC);

		ASSERT_EQ(0, side->subscribe_fd(side->chan, fd, side->cq, 0));
		ASSERT_TRUE(event_post(self->w.hca, &completion, side->cqn));
		ASSERT_EQ(POLLIN, chan_poll(fd) & POLLIN);
		EXPECT_EQ(8, read(fd, &count, sizeof(count)));
		EXPECT_EQ(1, count);
		EXPECT_EQ(0, chan_poll_now(side->chan->fd));
		close(fd);
	}
}

/* One channel has the events of objects and those of no object. */
TEST_F(family, event_no_object_stock)
{
	uint16_t event = EVENT_PORT;
	struct event_record rec;
	int i;

	for (i = 0; i < 2; i++) {
		struct side *side = &self->side[i];

		ASSERT_EQ(0, side->subscribe(side->chan, NULL, sizeof(event),
					     &event, COOKIE));
		ASSERT_EQ(0, subscribe_cq(side, EVENT_CQ_ERROR));
	}
	ASSERT_EQ(0, hca_cmd(self->w.hca, "event 9:4 1"));
	for (i = 0; i < 2; i++) {
		struct side *side = &self->side[i];

		ASSERT_EQ(sizeof(rec), side->get_event(side->chan, (void *)&rec,
						       sizeof(rec)));
		EXPECT_EQ(EVENT_PORT, rec.eqe[1]);
		EXPECT_EQ(COOKIE, rec.cookie);
	}
}

TEST_F(family, event_short_einval)
{
	struct event_record rec;
	int i;

	for (i = 0; i < 2; i++) {
		struct side *side = &self->side[i];

		ASSERT_EQ(0, subscribe_cq(side, EVENT_CQ_ERROR));
		ASSERT_TRUE(event_post(self->w.hca, &cq_error, side->cqn));
		errno = 0;
		EXPECT_EQ(-1, side->get_event(side->chan, (void *)&rec,
					      sizeof(rec) - 1));
		EXPECT_EQ(EINVAL, errno);
		EXPECT_EQ(sizeof(rec), side->get_event(side->chan, (void *)&rec,
						       sizeof(rec)));
	}
}

TEST_F(family, channel_flag_einval)
{
	int i;

	for (i = 0; i < 2; i++) {
		errno = 0;
		EXPECT_EQ(NULL,
			  self->side[i].create_channel(self->w.mdx.ctx, 2));
		EXPECT_EQ(EINVAL, errno);
	}
}

TEST_F(family, subscribe_errors_stock)
{
	static const struct {
		uint16_t event;
		uint16_t size;
		bool object;
	} calls[] = {
		{ EVENT_CQ_ERROR, 2, true }, { EVENT_CQ_ERROR, 0, true },
		{ EVENT_CQ_ERROR, 1, true }, { EVENT_CQ_ERROR, 3, true },
		{ EVENT_CQ_ERROR, 34, true }, { EVENT_CMD, 2, true },
		{ EVENT_CMD, 2, false }, { EVENT_PORT, 2, true },
		{ EVENT_CQ_ERROR, 2, false }, { 0xfff0, 2, true },
	};
	const int fds[] = { 1000, self->side[STOCK].chan->fd, -1 };
	uint16_t events[17];
	int ret[2], i, j;
	size_t k;

	for (k = 0; k < ARRAY_SIZE(calls); k++) {
		for (j = 0; j < 17; j++)
			events[j] = calls[k].event;
		for (i = 0; i < 2; i++)
			ret[i] = self->side[i].subscribe(self->side[i].chan,
				calls[k].object ? self->side[i].cq : NULL,
				calls[k].size, events, COOKIE);
		EXPECT_EQ(ret[STOCK], ret[OURS])
			TH_LOG("call %zu", k);
	}
	for (k = 0; k < ARRAY_SIZE(fds); k++) {
		for (i = 0; i < 2; i++)
			ret[i] = self->side[i].subscribe_fd(self->side[i].chan,
				fds[k], self->side[i].cq, EVENT_CQ_ERROR);
		EXPECT_EQ(ret[STOCK], ret[OURS])
			TH_LOG("descriptor %d", fds[k]);
		EXPECT_NE(0, ret[OURS]);
	}
}

/* The query of a CQ: the length of the answer. */
static size_t build_query(struct mdx_world *w, uint32_t cqn)
{
	world_build(w, MLX5_CMD_OP_QUERY_CQ, cqn, SZ(query_cq_in),
		    SZ(query_cq_out));
	return w->m.out_len;
}

static int begin_query(struct mdx_world *w, struct side *side, uint64_t wr_id,
		       struct mlx5dv_devx_cmd_comp *comp)
{
	size_t len = build_query(w, side->cqn);

	return side->query_async(side->cq, w->in, w->m.in_len, len, wr_id, comp);
}

/* The answer is that of the synchronous query. */
TEST_F(family, async_answer_stock)
{
	union async_answer answer;
	size_t len;
	int i;

	for (i = 0; i < 2; i++) {
		struct side *side = &self->side[i];

		memset(&answer, 0, sizeof(answer));
		ASSERT_EQ(0, begin_query(&self->w, side, COOKIE + i, side->comp));
		EXPECT_EQ(0, side->get_async(side->comp, &answer.hdr,
					     sizeof(answer)));
		EXPECT_EQ((uint64_t)COOKIE + i, answer.hdr.wr_id);
		len = build_query(&self->w, side->cqn);
		ASSERT_EQ(0, mlx5dv_devx_obj_query(side->cq, self->w.in,
						   self->w.m.in_len, self->w.out,
						   len));
		EXPECT_EQ(0, memcmp(self->w.out, answer.hdr.out_data, len));
	}
}

/* Objects of both libraries on one channel of libmdx. */
TEST_F(family, async_both_libraries)
{
	struct side *ours = &self->side[OURS];
	unsigned int seen = 0;
	union async_answer answer;
	int i;

	for (i = 0; i < 8; i++)
		ASSERT_EQ(0, mlx5dv_devx_obj_query_async(self->side[i % 2].cq,
			(build_query(&self->w, self->side[i % 2].cqn),
			 self->w.in), self->w.m.in_len, self->w.m.out_len, i,
			ours->comp));
	for (i = 0; i < 8; i++) {
		ASSERT_EQ(POLLIN, chan_poll(ours->comp->fd) & POLLIN);
		ASSERT_EQ(0, ours->get_async(ours->comp, &answer.hdr,
					     sizeof(answer)));
		ASSERT_LT(answer.hdr.wr_id, 8);
		seen |= 1 << answer.hdr.wr_id;
	}
	EXPECT_EQ(0xff, seen);
	EXPECT_EQ(0, chan_poll_now(ours->comp->fd));
}

/*
 * A counter is libmlx5's, and queried on a channel of libmdx: by a descriptor with
 * O_NONBLOCK that an epoll instance watches, as in DPDK.
 */
TEST_F(family, async_counter)
{
	struct side *ours = &self->side[OURS];
	struct epoll_event event = { .events = EPOLLIN | EPOLLET };
	int epoll_fd = epoll_create1(EPOLL_CLOEXEC), fd = ours->comp->fd;
	struct mlx5dv_devx_obj *counter;
	struct mdx_world *w = &self->w;
	union async_answer answer;
	uint32_t num;
	int i;

	if (!objtype_advertised(w, OBJTYPE_FLOW_COUNTER))
		SKIP(return, "the device has no flow counters");
	counter = create_by(ours, w, OBJTYPE_FLOW_COUNTER, &num);
	ASSERT_NE(NULL, counter);
	ASSERT_EQ(0, fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK));
	ASSERT_EQ(0, epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event));
	for (i = 0; i < 3; i++) {
		world_build(w, MLX5_CMD_OP_QUERY_FLOW_COUNTER, 0,
			    SZ(query_flow_counter_in),
			    SZ(query_flow_counter_out) + 16);
		DEVX_SET(query_flow_counter_in, w->in, flow_counter_id, num);
		ASSERT_EQ(0, mlx5dv_devx_obj_query_async(counter, w->in,
							 w->m.in_len, w->m.out_len,
							 i, ours->comp));
		ASSERT_EQ(1, epoll_wait(epoll_fd, &event, 1, 5000));
		ASSERT_EQ(0, ours->get_async(ours->comp, &answer.hdr,
					     sizeof(answer)));
		EXPECT_EQ((uint64_t)i, answer.hdr.wr_id);
		EXPECT_EQ(0, answer.hdr.out_data[0]);
		EXPECT_EQ(EAGAIN, ours->get_async(ours->comp, &answer.hdr,
						  sizeof(answer)));
	}
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(counter));
	close(epoll_fd);
}

TEST_F(family, answer_short_enospc)
{
	union async_answer answer;
	int i;

	for (i = 0; i < 2; i++) {
		struct side *side = &self->side[i];
		size_t len = build_query(&self->w, side->cqn);

		ASSERT_EQ(0, begin_query(&self->w, side, 7, side->comp));
		chan_poll(side->comp->fd);
		EXPECT_EQ(ENOSPC, side->get_async(side->comp, &answer.hdr,
						  8 + len - 1));
		EXPECT_EQ(0, side->get_async(side->comp, &answer.hdr, 8 + len));
		EXPECT_EQ(7, answer.hdr.wr_id);
	}
}

TEST_F(family, async_errors_stock)
{
	struct mdx_world *w = &self->w;
	int ret[2], i;

	for (i = 0; i < 2; i++) {
		struct side *side = &self->side[i];

		/* No query. */
		world_build(w, MLX5_CMD_OP_MODIFY_CQ, side->cqn, SZ(modify_cq_in),
			    16);
		ret[i] = side->query_async(side->cq, w->in, w->m.in_len, 16, 0,
					   side->comp);
	}
	EXPECT_EQ(EINVAL, ret[STOCK]);
	EXPECT_EQ(ret[STOCK], ret[OURS]);
	for (i = 0; i < 2; i++)
		EXPECT_EQ(0, chan_poll_now(self->side[i].comp->fd));
}

TEST_F(family, async_other_object)
{
	struct side *ours = &self->side[OURS];
	struct mdx_world *w = &self->w;

	build_query(w, self->side[STOCK].cqn);
	EXPECT_EQ(EINVAL, ours->query_async(ours->cq, w->in, w->m.in_len,
					    w->m.out_len, 9, ours->comp));
	EXPECT_EQ(0, chan_poll_now(ours->comp->fd));
}

/* The end of the context ends a channel, also for a reader that does not wait. */
TEST_F(family, closed_context_eio)
{
	struct ibv_context *ctx = mdx_ctx_open();
	struct mlx5dv_devx_event_channel *chan;
	struct mlx5dv_devx_cmd_comp *comp;
	struct event_record rec;
	union async_answer answer;

	ASSERT_NE(NULL, ctx);
	chan = mlx5dv_devx_create_event_channel(ctx, 0);
	ASSERT_NE(NULL, chan);
	comp = mlx5dv_devx_create_cmd_comp(ctx);
	ASSERT_NE(NULL, comp);
	EXPECT_EQ(0, chan_poll_now(chan->fd));
	EXPECT_EQ(0, ibv_close_device(ctx));
	EXPECT_TRUE(chan_poll(chan->fd) & POLLHUP);
	EXPECT_EQ(-1, mlx5dv_devx_get_event(chan, (void *)&rec, sizeof(rec)));
	EXPECT_EQ(EIO, errno);
	EXPECT_TRUE(chan_poll(comp->fd) & POLLIN);
	EXPECT_EQ(EIO, mlx5dv_devx_get_async_cmd_comp(comp, &answer.hdr,
						      sizeof(answer)));
	mlx5dv_devx_destroy_event_channel(chan);
	mlx5dv_devx_destroy_cmd_comp(comp);
}

MDX_HARNESS_MAIN(world_share())
