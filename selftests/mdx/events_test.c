// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Events: the same as the stock driver's to the byte, for each form of an event queue
 * entry; arguments and errnos; room and loss.
 */
#include <poll.h>
#include <stdio.h>
#include <sys/eventfd.h>

#include "kselftest_harness.h"
#include "events.h"
#include "objtypes.h"

#define COOKIE 0x1122334455667788
#define EVENT_COMP 0x00
#define EVENT_CMD 0x0a
#define EVENT_PORT 0x09

/* About a CQ, which all tests have. */
static const struct event_form cq_error = { .type = 0x04, .num = 32 };

FIXTURE(events)
{
	struct mdx_world w;
	int chan;
};

FIXTURE_SETUP(events)
{
	SETUP_DEVICE(return);
	ASSERT_EQ(0, world_start(&self->w));
	if (!self->w.hca) {
		world_stop(&self->w);
		SKIP_NO_HCA(self->w.hca, return);
	}
	test_mdx_channel(self->w.mdx.fd, MDX_CHANNEL_EVENTS, 0, &self->chan);
	ASSERT_EQ(0, objtype_create(&self->w, OBJTYPE_CQ));
}

FIXTURE_TEARDOWN(events)
{
	close(self->chan);
	world_stop(&self->w);
}

#define CQ_ID(self) ((self)->w.obj[OBJTYPE_CQ].id)
#define CQ_NUM(self) ((self)->w.obj[OBJTYPE_CQ].num)

static bool post_cq_error(struct mdx_world *w)
{
	return event_post(w->hca, &cq_error, w->obj[OBJTYPE_CQ].num);
}

/* Number of the CQ in an entry of cq_error. */
static uint32_t cq_of(const struct event_record *rec)
{
	return mbox_get32(rec->eqe, 32);
}

TEST_F(events, cookie_and_entry)
{
	struct event_record rec;

	test_mdx_subscribe(self->w.mdx.fd, .chan = self->chan, .event = 0x04,
			   .obj = CQ_ID(self), .cookie = COOKIE);
	EXPECT_EQ(0, chan_poll_now(self->chan));
	EXPECT_EQ(-EAGAIN, chan_read_now(self->chan, &rec, sizeof(rec)));
	ASSERT_TRUE(post_cq_error(&self->w));
	EXPECT_EQ(POLLIN | POLLRDNORM, chan_poll(self->chan));
	EXPECT_EQ(sizeof(rec), chan_read_now(self->chan, &rec, sizeof(rec)));
	EXPECT_EQ(COOKIE, rec.cookie);
	EXPECT_EQ(0x04, rec.eqe[1]);
	EXPECT_EQ(CQ_NUM(self), cq_of(&rec));
	EXPECT_EQ(-EAGAIN, chan_read_now(self->chan, &rec, sizeof(rec)));
}

TEST_F(events, short_buffer_einval)
{
	struct event_record rec;

	test_mdx_subscribe(self->w.mdx.fd, .chan = self->chan, .event = 0x04,
			   .obj = CQ_ID(self));
	ASSERT_TRUE(post_cq_error(&self->w));
	EXPECT_EQ(-EINVAL, chan_read(self->chan, &rec, sizeof(rec) - 1));
	EXPECT_EQ(sizeof(rec), chan_read(self->chan, &rec, sizeof(rec)));
}

TEST_F(events, unmapped_buffer_efault)
{
	test_mdx_subscribe(self->w.mdx.fd, .chan = self->chan, .event = 0x04,
			   .obj = CQ_ID(self));
	ASSERT_TRUE(post_cq_error(&self->w));
	EXPECT_EQ(-EFAULT, chan_read(self->chan, NULL, 4096));
	EXPECT_EQ(0, chan_poll_now(self->chan));
}

/* Subscriptions of one channel hear in the order in which they were made. */
TEST_F(events, order_of_subscriptions)
{
	struct event_record rec;
	uint64_t i;

	for (i = 0; i < 5; i++)
		test_mdx_subscribe(self->w.mdx.fd, .chan = self->chan,
				   .event = 0x04, .obj = CQ_ID(self),
				   .cookie = i);
	ASSERT_TRUE(post_cq_error(&self->w));
	for (i = 0; i < 5; i++) {
		ASSERT_EQ(sizeof(rec), chan_read(self->chan, &rec,
						 sizeof(rec)));
		EXPECT_EQ(i, rec.cookie);
	}
}

TEST_F(events, other_object_not_heard)
{
	struct event_record rec;

	test_mdx_subscribe(self->w.mdx.fd, .chan = self->chan, .event = 0x04,
			   .obj = CQ_ID(self));
	ASSERT_TRUE(event_post(self->w.hca, &cq_error, CQ_NUM(self) + 1));
	ASSERT_TRUE(post_cq_error(&self->w));
	ASSERT_EQ(sizeof(rec), chan_read(self->chan, &rec, sizeof(rec)));
	EXPECT_EQ(CQ_NUM(self), cq_of(&rec));
}

/* Of any number of events a cookie is read once, until the next. */
TEST_F(events, omit_data)
{
	uint64_t cookie = 0;
	int chan;

	test_mdx_channel(self->w.mdx.fd,
			 MDX_CHANNEL_EVENTS | MDX_CHANNEL_OMIT_DATA, 0, &chan);
	test_mdx_subscribe(self->w.mdx.fd, .chan = chan, .event = 0x04,
			   .obj = CQ_ID(self), .cookie = COOKIE);
	test_mdx_subscribe(self->w.mdx.fd, .chan = self->chan, .event = 0x04,
			   .obj = CQ_ID(self));
	ASSERT_TRUE(post_cq_error(&self->w));
	ASSERT_TRUE(post_cq_error(&self->w));
	/* Both have come when the other channel has the second. */
	ASSERT_EQ(72, chan_read(self->chan, &(struct event_record){}, 72));
	ASSERT_EQ(72, chan_read(self->chan, &(struct event_record){}, 72));
	EXPECT_EQ(-EINVAL, chan_read_now(chan, &cookie, 7));
	EXPECT_EQ(8, chan_read_now(chan, &cookie, 100));
	EXPECT_EQ(COOKIE, cookie);
	EXPECT_EQ(-EAGAIN, chan_read_now(chan, &cookie, 8));
	ASSERT_TRUE(post_cq_error(&self->w));
	EXPECT_EQ(8, chan_read(chan, &cookie, 8));
}

TEST_F(events, eventfd_counts)
{
	int efd = eventfd(0, EFD_CLOEXEC);
	uint64_t n = 0;

	test_mdx_subscribe(self->w.mdx.fd, .chan = self->chan, .event = 0x04,
			   .obj = CQ_ID(self), .eventfd = efd);
	test_mdx_subscribe(self->w.mdx.fd, .chan = self->chan, .event = 0x04,
			   .obj = CQ_ID(self));
	ASSERT_TRUE(post_cq_error(&self->w));
	ASSERT_TRUE(post_cq_error(&self->w));
	ASSERT_EQ(72, chan_read(self->chan, &(struct event_record){}, 72));
	ASSERT_EQ(72, chan_read(self->chan, &(struct event_record){}, 72));
	EXPECT_EQ(8, read(efd, &n, sizeof(n)));
	EXPECT_EQ(2, n);
	EXPECT_EQ(0, chan_poll_now(self->chan));
	close(efd);
}

/* Completions come by the CQ and not by the device's notifier. */
TEST_F(events, completion_of_cq)
{
	static const struct event_form comp = { .type = EVENT_COMP, .num = 56 };
	struct event_record rec;

	test_mdx_subscribe(self->w.mdx.fd, .chan = self->chan,
			   .event = EVENT_COMP, .obj = CQ_ID(self),
			   .cookie = COOKIE);
	ASSERT_TRUE(event_post(self->w.hca, &comp, CQ_NUM(self)));
	ASSERT_EQ(sizeof(rec), chan_read(self->chan, &rec, sizeof(rec)));
	EXPECT_EQ(COOKIE, rec.cookie);
	EXPECT_EQ(CQ_NUM(self), mbox_get32(rec.eqe, 56));
}

TEST_F(events, event_about_no_object)
{
	struct event_record rec;

	test_mdx_subscribe(self->w.mdx.fd, .chan = self->chan,
			   .event = EVENT_PORT, .cookie = COOKIE);
	ASSERT_EQ(0, hca_cmd(self->w.hca, "event 9:4 1"));
	ASSERT_EQ(sizeof(rec), chan_read(self->chan, &rec, sizeof(rec)));
	EXPECT_EQ(EVENT_PORT, rec.eqe[1]);
}

/* A loss for want of room is told once; older events stay. */
TEST_F(events, full_channel_eoverflow)
{
	struct event_record rec;
	int chan, i;

	test_mdx_channel(self->w.mdx.fd, MDX_CHANNEL_EVENTS, 1, &chan);
	test_mdx_subscribe(self->w.mdx.fd, .chan = chan, .event = 0x04,
			   .obj = CQ_ID(self));
	test_mdx_subscribe(self->w.mdx.fd, .chan = self->chan, .event = 0x04,
			   .obj = CQ_ID(self));
	for (i = 0; i < 7; i++)
		ASSERT_TRUE(post_cq_error(&self->w));
	for (i = 0; i < 7; i++)
		ASSERT_EQ(72, chan_read(self->chan, &rec, 72));
	EXPECT_EQ(-EOVERFLOW, chan_read(chan, &rec, sizeof(rec)));
	for (i = 0; i < 4; i++)
		EXPECT_EQ(72, chan_read_now(chan, &rec, sizeof(rec)));
	EXPECT_EQ(-EAGAIN, chan_read_now(chan, &rec, sizeof(rec)));
	ASSERT_TRUE(post_cq_error(&self->w));
	EXPECT_EQ(72, chan_read(chan, &rec, sizeof(rec)));
}

TEST_F(events, subscribe_errnos)
{
	uint16_t many[17] = { [0 ... 16] = 0x04 };
	int efd = eventfd(0, EFD_CLOEXEC), fd = self->w.mdx.fd;
	uint32_t cq = CQ_ID(self);
	int comps;

	test_mdx_channel(fd, MDX_CHANNEL_COMPLETIONS, 0, &comps);
	test_mdx_subscribe(fd, .chan = self->chan, .obj = cq, .events = many,
			   .n = 16);
	test_err_subscribe(EINVAL, fd, .chan = self->chan, .obj = cq,
			   .events = many, .n = 17);
	test_err_subscribe(EFAULT, fd, .chan = self->chan, .obj = cq,
			   .events = NULL, .n = 1);
	test_err_subscribe(EINVAL, fd, .chan = self->chan, .obj = cq,
			   .event = 0x04, .eventfd = efd, .cookie = 1);
	test_err_subscribe(EINVAL, fd, .chan = self->chan, .obj = cq,
			   .event = EVENT_CMD);
	test_err_subscribe(EINVAL, fd, .chan = self->chan, .obj = cq,
			   .event = 256 + 4);
	test_err_subscribe(EINVAL, fd, .chan = self->chan, .obj = cq,
			   .event = EVENT_PORT);
	test_err_subscribe(EINVAL, fd, .chan = self->chan, .event = 0x04);
	test_err_subscribe(EINVAL, fd, .chan = self->chan, .event = EVENT_COMP);
	test_err_subscribe(ENOENT, fd, .chan = self->chan, .obj = cq + 1000,
			   .event = 0x04);
	test_err_subscribe(EBADF, fd, .chan = 1000, .obj = cq, .event = 0x04);
	test_err_subscribe(EBADF, fd, .chan = efd, .obj = cq, .event = 0x04);
	test_err_subscribe(EBADF, fd, .chan = comps, .obj = cq, .event = 0x04);
	test_err_subscribe(EBADF, fd, .chan = self->chan, .obj = cq,
			   .event = 0x04, .eventfd = 1000);
	test_err_subscribe(EINVAL, fd, .chan = self->chan, .obj = cq,
			   .event = 0x04, .eventfd = self->chan);
	close(comps);
	close(efd);
}

/* One wrong number, or a bad eventfd, leaves no subscription to the others. */
TEST_F(events, refused_call_leaves_nothing)
{
	static const uint16_t one_wrong[] = { 0x04, EVENT_CMD };
	struct event_record rec;

	test_err_subscribe(EINVAL, self->w.mdx.fd, .chan = self->chan,
			   .obj = CQ_ID(self), .events = one_wrong, .n = 2);
	test_err_subscribe(EBADF, self->w.mdx.fd, .chan = self->chan,
			   .obj = CQ_ID(self), .event = 0x04, .eventfd = 1000);
	test_mdx_subscribe(self->w.mdx.fd, .chan = self->chan, .event = 0x04,
			   .obj = CQ_ID(self), .cookie = COOKIE);
	ASSERT_TRUE(post_cq_error(&self->w));
	ASSERT_EQ(sizeof(rec), chan_read(self->chan, &rec, sizeof(rec)));
	EXPECT_EQ(COOKIE, rec.cookie);
	EXPECT_EQ(0, chan_poll_now(self->chan));
}

TEST_F(events, channel_errnos)
{
	static const uint32_t wrong[] = {
		0, MDX_CHANNEL_OMIT_DATA, MDX_CHANNEL_PLAIN,
		MDX_CHANNEL_EVENTS | MDX_CHANNEL_COMPLETIONS,
		MDX_CHANNEL_EVENTS | MDX_CHANNEL_PLAIN,
		MDX_CHANNEL_COMPLETIONS | MDX_CHANNEL_OMIT_DATA,
	};
	int fd = self->w.mdx.fd, node = mdx_node_open();
	size_t i;

	for (i = 0; i < ARRAY_SIZE(wrong); i++)
		EXPECT_EQ(EINVAL, _test_mdx_channel(fd, wrong[i], 0, NULL));
	EXPECT_EQ(EOPNOTSUPP, _test_mdx_channel(fd, MDX_CHANNEL_EVENTS | 16, 0,
						NULL));
	EXPECT_EQ(EINVAL, _test_mdx_channel(fd, MDX_CHANNEL_EVENTS,
					    MDX_CHANNEL_DEPTH_MAX + 1, NULL));
	EXPECT_EQ(EINVAL, _test_mdx_channel(fd, MDX_CHANNEL_COMPLETIONS, 1,
					    NULL));
	EXPECT_EQ(ENOTCONN, _test_mdx_channel(node, MDX_CHANNEL_EVENTS, 0,
					      NULL));
	EXPECT_EQ(FD_CLOEXEC, fcntl(self->chan, F_GETFD));
	EXPECT_EQ(O_RDONLY, fcntl(self->chan, F_GETFL) & O_ACCMODE);
	EXPECT_EQ(-1, lseek(self->chan, 0, SEEK_SET));
	EXPECT_EQ(ESPIPE, errno);
	close(node);
}

/* A file of the same context takes it, one of another does not. */
TEST_F(events, channel_of_other_context_ebadf)
{
	struct ibv_context *ctx = mdx_ctx_open();
	struct ibv_pd *pd = ctx ? ibv_alloc_pd(ctx) : NULL;
	int other = mdx_node_open(), same = mdx_node_open();

	ASSERT_NE(NULL, pd);
	test_mdx_bind(other, ctx->cmd_fd, pd->handle);
	test_mdx_bind(same, self->w.mdx.ctx->cmd_fd,
		      self->w.mdx.anchor->handle);
	test_err_subscribe(EBADF, other, .chan = self->chan,
			   .event = EVENT_PORT);
	test_mdx_subscribe(same, .chan = self->chan, .event = EVENT_PORT);
	close(other);
	close(same);
	ibv_dealloc_pd(pd);
	ibv_close_device(ctx);
}

/* Each form of an entry, about an object of ours and about one of the stock driver's. */
FIXTURE(same)
{
	struct mdx_world w;
	struct mlx5dv_devx_event_channel *stock;
	int chan;
};

FIXTURE_VARIANT(same)
{
	struct event_form form;
	enum objtype_id type;
};

#define SAME(_name, _objtype, ...)					\
	FIXTURE_VARIANT_ADD(same, _name)				\
	{								\
		.form = { __VA_ARGS__ }, .type = OBJTYPE_##_objtype,	\
	}

SAME(cq_error, CQ, .type = 0x04, .num = 32);
SAME(cq_completion, CQ, .type = 0x00, .num = 56);
SAME(qp_path_migrated, QP, .type = 0x01, .num = 56);
SAME(qp_established, QP, .type = 0x02, .num = 56);
SAME(qp_drained, QP, .type = 0x03, .num = 56);
SAME(qp_error, QP, .type = 0x05, .num = 56);
SAME(qp_invalid, QP, .type = 0x10, .num = 56);
SAME(qp_access, QP, .type = 0x11, .num = 56);
SAME(qp_last_wqe, QP, .type = 0x13, .num = 56);
SAME(rq_error, RQ, .type = 0x05, .num = 56, .type_at = 52, .type_is = 0x100);
SAME(sq_error, SQ, .type = 0x05, .num = 56, .type_at = 52, .type_is = 0x200);
SAME(rmp_limit, RMP, .type = 0x14, .num = 56, .type_at = 52, .type_is = 0x100);
SAME(xrc_srq_error, XRC_SRQ, .type = 0x12, .num = 56);
SAME(dct_key_violation, DCT, .type = 0x1d, .num = 56);
SAME(xrq_error, XRQ, .type = 0x18, .num = 52);
SAME(qp_changed, QP, .type = 0x27, .num = 36, .type_at = 34, .type_is = 0xff02);
SAME(rqt_changed, RQT, .type = 0x27, .num = 36, .type_at = 34,
     .type_is = 0xff0e);
SAME(tis_changed, TIS, .type = 0x27, .num = 36, .type_at = 34,
     .type_is = 0xff09);

FIXTURE_SETUP(same)
{
	SETUP_DEVICE(return);
	ASSERT_EQ(0, world_start(&self->w));
	if (!self->w.hca) {
		world_stop(&self->w);
		SKIP_NO_HCA(self->w.hca, return);
	}
	if (!objtype_advertised(&self->w, variant->type)) {
		world_stop(&self->w);
		SKIP(return, "the device has no such object");
	}
	self->stock = mlx5dv_devx_create_event_channel(self->w.mdx.ctx, 0);
	ASSERT_NE(NULL, self->stock);
	test_mdx_channel(self->w.mdx.fd, MDX_CHANNEL_EVENTS, 0, &self->chan);
}

FIXTURE_TEARDOWN(same)
{
	close(self->chan);
	mlx5dv_devx_destroy_event_channel(self->stock);
	world_stop(&self->w);
}

/* Entries differ in the number, signature and owner. */
static void entry_mask(struct event_record *rec, const struct event_form *form)
{
	memset(rec->eqe + form->num, 0, 4);
	memset(rec->eqe + EQE_LEN - 2, 0, 2);
}

/*
 * The stock driver hears no event of the newer form about types of objects from 0x8000
 * on: its key has the sign of an int in one place only.
 */
static bool stock_is_deaf(const struct event_form *form)
{
	return form->type_at == 34 && form->type_is & 0x8000;
}

TEST_F(same, bytes_of_stock)
{
	const struct event_form *form = &variant->form;
	struct event_record ours, stocks;
	struct mdx_world *w = &self->w;
	struct mlx5dv_devx_obj *obj;
	uint16_t event = form->type;
	uint32_t num;
	int ret;

	ASSERT_EQ(0, objtype_create(w, variant->type));
	objtype_build_create(w, variant->type);
	obj = mlx5dv_devx_obj_create(w->mdx.ctx, w->m.in, w->m.in_len,
				     w->m.out, w->m.out_len);
	ASSERT_NE(NULL, obj);
	num = mbox_get_field(w->out, objtypes[variant->type].num);
	ret = mlx5dv_devx_subscribe_devx_event(self->stock, obj, sizeof(event),
					       &event, COOKIE);
	test_err_subscribe(ret, w->mdx.fd, .chan = self->chan, .event = event,
			   .obj = w->obj[variant->type].id, .cookie = COOKIE);
	if (ret == EINVAL) {
		mlx5dv_devx_obj_destroy(obj);
		SKIP(return, "the device does not offer the event");
	}
	ASSERT_EQ(0, ret);
	ASSERT_TRUE(event_post(w->hca, form, num));
	ASSERT_TRUE(event_post(w->hca, form, w->obj[variant->type].num));
	ASSERT_EQ(sizeof(ours), chan_read(self->chan, &ours, sizeof(ours)));
	EXPECT_EQ(w->obj[variant->type].num,
		  mbox_get32(ours.eqe, form->num) & 0xffffff);
	EXPECT_EQ(0, chan_poll_now(self->chan));
	if (stock_is_deaf(form) && !chan_poll_now(self->stock->fd))
		return;
	ASSERT_EQ(sizeof(stocks), chan_read(self->stock->fd, &stocks,
					    sizeof(stocks)));
	EXPECT_EQ(num, mbox_get32(stocks.eqe, form->num) & 0xffffff);
	entry_mask(&ours, form);
	entry_mask(&stocks, form);
	EXPECT_EQ(0, memcmp(&ours, &stocks, sizeof(ours)));
	EXPECT_EQ(0, chan_poll_now(self->stock->fd));
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(obj));
}

MDX_HARNESS_MAIN(world_share())
