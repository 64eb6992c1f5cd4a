// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Commands about verbs objects, compared with the stock driver's answer to the
 * same command about the same object.
 */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "kselftest_harness.h"
#include "vobj.h"

#define MBOX_LEN 4096

FIXTURE(interop)
{
	struct mdx_binding mdx;
	struct hca_ctl *hca;
	struct vobj v;
	uint64_t in[MBOX_LEN / 8];
	uint64_t out[MBOX_LEN / 8];
	uint64_t stock_out[MBOX_LEN / 8];
	struct mbox_pair m;
};

FIXTURE_VARIANT(interop)
{
	enum vobj_id id;
};

#define VOBJ(name, id_) FIXTURE_VARIANT_ADD(interop, name) { .id = id_ }

VOBJ(cq, VOBJ_CQ);
VOBJ(srq, VOBJ_SRQ);
VOBJ(xrc_srq, VOBJ_XRC_SRQ);
VOBJ(tag_matching_srq, VOBJ_TM_SRQ);
VOBJ(rc_qp, VOBJ_RC);
VOBJ(uc_qp, VOBJ_UC);
VOBJ(ud_qp, VOBJ_UD);
VOBJ(xrc_send_qp, VOBJ_XRC_SEND);
VOBJ(xrc_recv_qp, VOBJ_XRC_RECV);
VOBJ(dci, VOBJ_DCI);
VOBJ(dct, VOBJ_DCT);
VOBJ(raw_packet_qp, VOBJ_RAW);
VOBJ(rss_qp, VOBJ_RSS);
VOBJ(wq, VOBJ_WQ);
VOBJ(ind_table, VOBJ_RQT);

/*
 * An object with the numbers of its objects in the device. libmlx5 does not
 * expose the TIR of an RSS QP, so the control port is queried for it.
 */
static int make_vobj(struct vobj *v, enum vobj_id id, struct ibv_context *ctx,
		struct ibv_pd *pd, struct hca_ctl *hca)
{
	char *line;
	int ret;

	ret = vobj_create(v, id, ctx, pd);
	if (ret || id != VOBJ_RSS || !hca)
		return ret;
	if (hca_cmd(hca, "live"))
		return EIO;
	for (line = strstr(hca->answer, "live tir "); line;
	     line = strstr(line + 1, "live tir "))
		v->num[HW_TIR] = strtoul(line + strlen("live tir "), NULL, 0);
	return v->num[HW_TIR] ? 0 : ENOENT;
}

#define VOBJ_OR_SKIP(v, id, ctx, pd, hca)				\
	do {								\
		int ret_ = make_vobj(v, id, ctx, pd, hca);		\
									\
		if (ret_ == EOPNOTSUPP)					\
			SKIP(return, "the device has no such objects");	\
		ASSERT_EQ(0, ret_);					\
		if (id == VOBJ_RSS)					\
			SKIP_NO_HCA(hca, return);			\
	} while (0)

FIXTURE_SETUP(interop)
{
	SETUP_DEVICE(return);
	ASSERT_EQ(0, mdx_start(&self->mdx));
	self->hca = hca_open();
	VOBJ_OR_SKIP(&self->v, variant->id, self->mdx.ctx, self->mdx.pd,
		     self->hca);
}

FIXTURE_TEARDOWN(interop)
{
	vobj_end(&self->v);
	if (self->hca)
		hca_close(self->hca);
	mdx_stop(&self->mdx);
}

#define SELF FIXTURE_DATA(interop)

static void build_command(SELF *self, const struct vcmd *c, uint32_t num)
{
	memset(self->in, 0, sizeof(self->in));
	mdx_hdr(self->in, c->opcode, 0, num);
	memset(self->out, FILL, sizeof(self->out));
	self->m =
		(struct mbox_pair){ self->in, self->out, c->in_len, MBOX_LEN };
}

static int verbs_query(SELF *self)
{
	return _test_mdx_verbs_query(self->mdx.fd, self->v.obj_type,
				     self->v.handle, &self->m);
}

static int verbs_modify(SELF *self)
{
	return _test_mdx_verbs_modify(self->mdx.fd, self->v.obj_type,
				      self->v.handle, &self->m);
}

static int stock_query(SELF *self)
{
	struct mbox_pair m = self->m;

	memset(self->stock_out, FILL, sizeof(self->stock_out));
	m.out = self->stock_out;
	return vobj_stock_query(&self->v, &m);
}

static int stock_modify(SELF *self)
{
	struct mbox_pair m = self->m;

	memset(self->stock_out, FILL, sizeof(self->stock_out));
	m.out = self->stock_out;
	return vobj_stock_modify(&self->v, &m);
}

/* Any number the object has, for commands that are not about it. */
static uint32_t some_num(const struct vobj *v)
{
	int i;

	for (i = 0; i < HW_COUNT; i++)
		if (v->num[i])
			return v->num[i];
	return 0;
}

/* A command that is about the object; NULL: there is none. */
static const struct vcmd *matching_cmd(const struct vobj *v,
				       const struct vcmd *c, int n)
{
	for (; n; n--, c++)
		if (v->num[c->hw_type])
			return c;
	return NULL;
}

static const struct vcmd *matching_query(const struct vobj *v)
{
	return matching_cmd(v, vqueries, vqueries_n);
}

/* Number of such commands the device has received. */
static long cmds_seen(SELF *self, const struct vcmd *c)
{
	return self->hca ? hca_count(self->hca, c->opcode) : 0;
}

/*
 * mlx5_ib looks for the TIR of an RSS QP where it keeps that of others, and does
 * not find it.
 */
static bool stock_cannot(const struct vobj *v)
{
	return v->id == VOBJ_RSS;
}

/*
 * ib_core's QP for an XRC target is a bare struct ib_qp. mlx5_ib takes it for
 * one of its own and reads behind its end, which KASAN reports.
 */
static bool stock_reads_too_far(const struct vobj *v)
{
	return v->id == VOBJ_XRC_RECV;
}

/*
 * mlx5_ib creates XRC objects under uid 0, so the device refuses commands of a
 * context's uid about them.
 */
static int matching_ret(const struct vobj *v)
{
	return v->id == VOBJ_XRC_SRQ || v->id == VOBJ_XRC_SEND ||
	       v->id == VOBJ_XRC_RECV ? EREMOTEIO : 0;
}

TEST_F(interop, matching_query_answered)
{
	const struct vcmd *c = vqueries;
	int i, found = 0;

	for (i = 0; i < vqueries_n; i++, c++) {
		if (!self->v.num[c->hw_type])
			continue;
		build_command(self, c, self->v.num[c->hw_type]);
		/* A device may not know each of the commands about XRQs. */
		if (c->hw_type == HW_XRQ && c->opcode != MLX5_CMD_OP_QUERY_XRQ)
			continue;
		EXPECT_EQ(matching_ret(&self->v), verbs_query(self)) {
			TH_LOG("opcode %#x", c->opcode);
		}
		EXPECT_FALSE(all_bytes(self->out, FILL, MBOX_LEN));
		found++;
	}
	EXPECT_NE(0, found);
}

/* Every query ends as with the stock driver. */
TEST_F(interop, every_query_stock)
{
	const struct vcmd *c = vqueries;
	int i, ret, stock;

	if (stock_reads_too_far(&self->v))
		SKIP(return, "the stock driver reads behind such a QP");
	for (i = 0; i < vqueries_n; i++, c++) {
		if (stock_cannot(&self->v) && self->v.num[c->hw_type])
			continue;
		build_command(self, c,
			      self->v.num[c->hw_type] ?: some_num(&self->v));
		ret = verbs_query(self);
		stock = stock_query(self);
		EXPECT_EQ(stock, ret) {
			TH_LOG("opcode %#x", c->opcode);
		}
		EXPECT_EQ(0, memcmp(self->stock_out, self->out, MBOX_LEN));
	}
}

TEST_F(interop, other_query_einval)
{
	const struct vcmd *c = vqueries;
	long before;
	int i;

	for (i = 0; i < vqueries_n; i++, c++) {
		if (self->v.num[c->hw_type])
			continue;
		before = cmds_seen(self, c);
		build_command(self, c, some_num(&self->v));
		EXPECT_EQ(EINVAL, verbs_query(self)) {
			TH_LOG("opcode %#x", c->opcode);
		}
		EXPECT_TRUE(all_bytes(self->out, FILL, MBOX_LEN));
		EXPECT_EQ(before, cmds_seen(self, c));
	}
}

TEST_F(interop, matching_modify_reaches_device)
{
	const struct vcmd *c = vmodifies;
	long before;
	int i, ret;

	for (i = 0; i < vmodifies_n; i++, c++) {
		if (!self->v.num[c->hw_type])
			continue;
		before = cmds_seen(self, c);
		build_command(self, c, self->v.num[c->hw_type]);
		ret = verbs_modify(self);
		EXPECT_TRUE(ret == 0 || ret == EREMOTEIO) {
			TH_LOG("opcode %#x: %d", c->opcode, ret);
		}
		EXPECT_EQ(ret == EREMOTEIO, !!(mbox_get32(self->out, 0) >> 24));
		if (self->hca)
			EXPECT_EQ(before + 1, cmds_seen(self, c));
	}
}

TEST_F(interop, other_modify_einval)
{
	const struct vcmd *c = vmodifies;
	long before;
	int i;

	for (i = 0; i < vmodifies_n; i++, c++) {
		if (self->v.num[c->hw_type])
			continue;
		before = cmds_seen(self, c);
		build_command(self, c, some_num(&self->v));
		EXPECT_EQ(EINVAL, verbs_modify(self)) {
			TH_LOG("opcode %#x", c->opcode);
		}
		if (!stock_reads_too_far(&self->v))
			EXPECT_EQ(EINVAL, stock_modify(self));
		EXPECT_TRUE(all_bytes(self->out, FILL, MBOX_LEN));
		EXPECT_EQ(before, cmds_seen(self, c));
	}
}

TEST_F(interop, number_zero_einval)
{
	const struct vcmd *c = vqueries;
	long before;
	int i;

	for (i = 0; i < vqueries_n; i++, c++) {
		before = cmds_seen(self, c);
		build_command(self, c, 0);
		EXPECT_EQ(EINVAL, verbs_query(self)) {
			TH_LOG("opcode %#x", c->opcode);
		}
		EXPECT_EQ(before, cmds_seen(self, c));
	}
}

static bool is_private(enum vobj_id id)
{
	return id == VOBJ_DCT || id == VOBJ_RAW || id == VOBJ_RSS;
}

/* Numbers that only mlx5_ib knows are checked by the device. */
TEST_F(interop, other_number_refused)
{
	const struct vcmd *c = vqueries;
	uint32_t num;
	long before;
	int i, ret;

	for (i = 0; i < vqueries_n; i++, c++) {
		num = self->v.num[c->hw_type];
		if (!num)
			continue;
		before = cmds_seen(self, c);
		build_command(self, c, num ^ 0x800000);
		ret = verbs_query(self);
		if (is_private(variant->id)) {
			EXPECT_EQ(EREMOTEIO, ret);
			continue;
		}
		EXPECT_EQ(EINVAL, ret);
		EXPECT_EQ(before, cmds_seen(self, c));
	}
}

TEST_F(interop, create_einval)
{
	struct vcmd c = { MLX5_CMD_OP_CREATE_CQ, 1024, HW_CQ };

	build_command(self, &c, some_num(&self->v));
	EXPECT_EQ(EINVAL, verbs_query(self));
	EXPECT_EQ(EINVAL, verbs_modify(self));
}

TEST_F(interop, query_by_modify_einval)
{
	const struct vcmd *c = matching_query(&self->v);

	build_command(self, c, self->v.num[c->hw_type]);
	EXPECT_EQ(EINVAL, verbs_modify(self));
}

/* The uid is that of the file. */
TEST_F(interop, carries_file_uid)
{
	const struct vcmd *c = matching_query(&self->v);
	uint16_t last[512];

	SKIP_NO_HCA(self->hca, return);
	build_command(self, c, self->v.num[c->hw_type]);
	_devx_set(self->in, 0xbeef, 16, 16);
	ASSERT_EQ(matching_ret(&self->v), verbs_query(self));
	ASSERT_LE(16, hca_last(self->hca, c->opcode, last, sizeof(last)));
	EXPECT_EQ(self->mdx.uid, be16toh(last[1]));
}

TEST_F(interop, other_type_einval)
{
	const struct vcmd *c = matching_query(&self->v);
	uint32_t obj_type;

	for (obj_type = MDX_VERBS_CQ; obj_type <= MDX_VERBS_RWQ_IND_TBL;
	     obj_type++) {
		if (obj_type == self->v.obj_type)
			continue;
		build_command(self, c, self->v.num[c->hw_type]);
		EXPECT_EQ(EINVAL, _test_mdx_verbs_query(self->mdx.fd, obj_type,
							self->v.handle,
							&self->m));
	}
}

TEST_F(interop, destroyed_enoent)
{
	const struct vcmd *c = matching_query(&self->v);
	long before = cmds_seen(self, c);

	ASSERT_EQ(0, vobj_destroy(&self->v));
	build_command(self, c, self->v.num[c->hw_type]);
	EXPECT_EQ(ENOENT, verbs_query(self));
	EXPECT_EQ(before, cmds_seen(self, c));
}

/* Handles count from zero in each context: this one has few. */
TEST_F(interop, other_context_enoent)
{
	const struct vcmd *c = matching_query(&self->v);
	struct ibv_context *ctx = mdx_ctx_open();
	struct ibv_pd *pd;
	int fd;

	ASSERT_NE(NULL, ctx);
	pd = ibv_alloc_pd(ctx);
	ASSERT_NE(NULL, pd);
	fd = mdx_node_open();
	test_mdx_bind(fd, ctx->cmd_fd, pd->handle);
	build_command(self, c, self->v.num[c->hw_type]);
	EXPECT_EQ(ENOENT, _test_mdx_verbs_query(fd, self->v.obj_type,
						self->v.handle, &self->m));
	close(fd);
	ibv_dealloc_pd(pd);
	ibv_close_device(ctx);
}

/* One's own handle is no way to the number of another context's object. */
TEST_F(interop, other_context_number_refused)
{
	const struct vcmd *c = matching_query(&self->v);
	struct mdx_binding other = { .ctx = mdx_ctx_open(),
				     .fd = mdx_node_open() };
	struct vobj v;

	ASSERT_NE(NULL, other.ctx);
	other.pd = ibv_alloc_pd(other.ctx);
	ASSERT_NE(NULL, other.pd);
	other.anchor = ibv_alloc_pd(other.ctx);
	ASSERT_NE(NULL, other.anchor);
	test_mdx_bind(other.fd, other.ctx->cmd_fd, other.anchor->handle);
	ASSERT_EQ(0, make_vobj(&v, variant->id, other.ctx, other.pd, NULL));
	build_command(self, c, self->v.num[c->hw_type]);
	EXPECT_EQ(is_private(variant->id) ? EREMOTEIO : EINVAL,
		  _test_mdx_verbs_query(other.fd, v.obj_type, v.handle,
					&self->m));
	vobj_end(&v);
	mdx_stop(&other);
}

/* A call that runs on its own. */
struct held_call {
	SELF *self;
	int (*fn)(SELF *self);
	pthread_t thread;
	int ret;
};

static void *call_thread(void *arg)
{
	struct held_call *call = arg;

	call->ret = call->fn(call->self);
	return NULL;
}

static int call_start(struct held_call *call, SELF *self, int (*fn)(SELF *self))
{
	call->self = self;
	call->fn = fn;
	return pthread_create(&call->thread, NULL, call_thread, call);
}

static int call_end(struct held_call *call)
{
	pthread_join(call->thread, NULL);
	return call->ret;
}

#define HOLD_US 1000000

/* Wait until the device has got one more command of that opcode. */
static bool wait_seen(SELF *self, uint16_t opcode, long before)
{
	struct timespec ts = { .tv_nsec = 2000000 };
	int i;

	for (i = 0; i < 2000; i++) {
		if (hca_count(self->hca, opcode) > before)
			return true;
		nanosleep(&ts, NULL);
	}
	return false;
}

/* While a query runs destroy is refused. */
TEST_F(interop, destroy_during_query_ebusy)
{
	const struct vcmd *c = matching_query(&self->v);
	struct held_call call;
	long before;

	SKIP_NO_HCA(self->hca, return);
	ASSERT_EQ(0, hca_cmd(self->hca, "parallel 16"));
	ASSERT_EQ(0, hca_cmd(self->hca, "delay 0x%x %u", c->opcode, HOLD_US));
	before = cmds_seen(self, c);
	build_command(self, c, self->v.num[c->hw_type]);
	ASSERT_EQ(0, call_start(&call, self, verbs_query));
	ASSERT_TRUE(wait_seen(self, c->opcode, before));
	EXPECT_EQ(EBUSY, vobj_destroy(&self->v));
	EXPECT_EQ(matching_ret(&self->v), call_end(&call));
	EXPECT_EQ(0, vobj_destroy(&self->v));
}

static int verbs_destroy(SELF *self)
{
	return vobj_destroy(&self->v);
}

static uint16_t destroy_opcode(const struct vobj *v)
{
	static const uint16_t opcodes[VOBJ_COUNT] = {
		[VOBJ_CQ] = MLX5_CMD_OP_DESTROY_CQ,
		[VOBJ_SRQ] = MLX5_CMD_OP_DESTROY_RMP,
		[VOBJ_XRC_SRQ] = MLX5_CMD_OP_DESTROY_XRC_SRQ,
		[VOBJ_TM_SRQ] = MLX5_CMD_OP_DESTROY_XRQ,
		[VOBJ_RC] = MLX5_CMD_OP_DESTROY_QP,
		[VOBJ_UC] = MLX5_CMD_OP_DESTROY_QP,
		[VOBJ_UD] = MLX5_CMD_OP_DESTROY_QP,
		[VOBJ_XRC_SEND] = MLX5_CMD_OP_DESTROY_QP,
		[VOBJ_XRC_RECV] = MLX5_CMD_OP_DESTROY_QP,
		[VOBJ_DCI] = MLX5_CMD_OP_DESTROY_QP,
		[VOBJ_DCT] = MLX5_CMD_OP_DESTROY_DCT,
		[VOBJ_RAW] = MLX5_CMD_OP_DESTROY_TIR,
		[VOBJ_RSS] = MLX5_CMD_OP_DESTROY_TIR,
		[VOBJ_WQ] = MLX5_CMD_OP_DESTROY_RQ,
		[VOBJ_RQT] = MLX5_CMD_OP_DESTROY_RQT,
	};

	return opcodes[v->id];
}

/* While destroy runs a query is refused. */
TEST_F(interop, query_during_destroy_ebusy)
{
	const struct vcmd *c = matching_query(&self->v);
	uint16_t opcode = destroy_opcode(&self->v);
	struct held_call call;
	long before, queries;

	SKIP_NO_HCA(self->hca, return);
	ASSERT_EQ(0, hca_cmd(self->hca, "parallel 16"));
	ASSERT_EQ(0, hca_cmd(self->hca, "delay 0x%x %u", opcode, HOLD_US));
	before = hca_count(self->hca, opcode);
	queries = cmds_seen(self, c);
	build_command(self, c, self->v.num[c->hw_type]);
	ASSERT_EQ(0, call_start(&call, self, verbs_destroy));
	ASSERT_TRUE(wait_seen(self, opcode, before));
	EXPECT_EQ(EBUSY, verbs_query(self));
	EXPECT_EQ(0, call_end(&call));
	EXPECT_EQ(queries, cmds_seen(self, c));
	EXPECT_EQ(ENOENT, verbs_query(self));
}

MDX_HARNESS_MAIN(mdx_share())
