// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * QPs of verbs that DEVX moves: libmlx5 follows, so that work is taken and
 * messages arrive.
 */
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "kselftest_harness.h"
#include "hca_ctl.h"
#include "mdx_utils.h"

#include <mdx/mdx.h>

#define LEN 64
#define IMM 0x12345678
#define PM_MIGRATED 3
#define MTU_1024 3
#define OUT_LEN 16

/* Two QPs that are to talk to each other, and a buffer of both. */
FIXTURE(send)
{
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct ibv_mr *mr;
	struct ibv_qp *qp[2];
	union ibv_gid gid;
	uint8_t buf[2][LEN];
	uint64_t in[64];
	uint64_t out[8];
};

FIXTURE_VARIANT(send)
{
	enum ibv_qp_type type;
};

FIXTURE_VARIANT_ADD(send, rc) { .type = IBV_QPT_RC };
FIXTURE_VARIANT_ADD(send, uc) { .type = IBV_QPT_UC };

static struct ibv_qp *create_qp(FIXTURE_DATA(send) *self,
				enum ibv_qp_type type)
{
	struct ibv_qp_init_attr attr = {
		.send_cq = self->cq,
		.recv_cq = self->cq,
		.cap = {
			.max_send_wr = 4,
			.max_recv_wr = 4,
			.max_send_sge = 1,
			.max_recv_sge = 1,
		},
		.qp_type = type,
		.sq_sig_all = 1,
	};

	return ibv_create_qp(self->pd, &attr);
}

FIXTURE_SETUP(send)
{
	int i;

	SETUP_DEVICE(return);
	self->ctx = mdx_ctx_open();
	ASSERT_NE(NULL, self->ctx);
	ASSERT_EQ(0, mdx_context_check(self->ctx));
	self->pd = ibv_alloc_pd(self->ctx);
	ASSERT_NE(NULL, self->pd);
	self->cq = ibv_create_cq(self->ctx, 16, NULL, NULL, 0);
	ASSERT_NE(NULL, self->cq);
	self->mr = ibv_reg_mr(self->pd, self->buf, sizeof(self->buf),
			      IBV_ACCESS_LOCAL_WRITE);
	ASSERT_NE(NULL, self->mr);
	for (i = 0; i < 2; i++) {
		self->qp[i] = create_qp(self, variant->type);
		ASSERT_NE(NULL, self->qp[i]);
	}
	if (ibv_query_gid(self->ctx, 1, 0, &self->gid))
		SKIP(return, "the port has no GID, as those of switchdev mode");
}

FIXTURE_TEARDOWN(send)
{
	int i;

	for (i = 0; i < 2; i++)
		if (self->qp[i])
			ibv_destroy_qp(self->qp[i]);
	if (self->mr)
		ibv_dereg_mr(self->mr);
	if (self->cq)
		ibv_destroy_cq(self->cq);
	if (self->pd)
		ibv_dealloc_pd(self->pd);
	if (self->ctx)
		ibv_close_device(self->ctx);
}

/* One command about QP @i, whose context is in self->in already. */
static int move_qp(FIXTURE_DATA(send) *self, int i, uint16_t opcode)
{
	int ret;

	mdx_hdr(self->in, opcode, 0, self->qp[i]->qp_num);
	ret = mlx5dv_devx_qp_modify(self->qp[i], self->in, SZ(rst2init_qp_in),
				    self->out, OUT_LEN);
	memset(self->in, 0, sizeof(self->in));
	return ret;
}

static int to_init(FIXTURE_DATA(send) *self, int i)
{
	DEVX_SET(rst2init_qp_in, self->in, qpc.pm_state, PM_MIGRATED);
	DEVX_SET(rst2init_qp_in, self->in,
		 qpc.primary_address_path.vhca_port_num, 1);
	return move_qp(self, i, MLX5_CMD_OP_RST2INIT_QP);
}

/* A RoCE path to ourselves: the link-local GID holds the MAC. */
static void set_path(FIXTURE_DATA(send) *self)
{
	void *rgid = DEVX_ADDR_OF(init2rtr_qp_in, self->in,
				  qpc.primary_address_path.rgid_rip);
	const uint8_t *eui = self->gid.raw + 8;

	memcpy(rgid, &self->gid, sizeof(self->gid));
	DEVX_SET(init2rtr_qp_in, self->in,
		 qpc.primary_address_path.rmac_47_32,
		 (eui[0] ^ 2) << 8 | eui[1]);
	DEVX_SET(init2rtr_qp_in, self->in, qpc.primary_address_path.rmac_31_0,
		 (uint32_t)eui[2] << 24 | eui[5] << 16 | eui[6] << 8 | eui[7]);
	DEVX_SET(init2rtr_qp_in, self->in, qpc.primary_address_path.hop_limit,
		 64);
	DEVX_SET(init2rtr_qp_in, self->in, qpc.primary_address_path.udp_sport,
		 0xc000);
	DEVX_SET(init2rtr_qp_in, self->in,
		 qpc.primary_address_path.vhca_port_num, 1);
}

static int to_rtr(FIXTURE_DATA(send) *self, int i)
{
	set_path(self);
	DEVX_SET(init2rtr_qp_in, self->in, qpc.mtu, MTU_1024);
	DEVX_SET(init2rtr_qp_in, self->in, qpc.log_msg_max, 30);
	DEVX_SET(init2rtr_qp_in, self->in, qpc.remote_qpn,
		 self->qp[!i]->qp_num);
	DEVX_SET(init2rtr_qp_in, self->in, qpc.min_rnr_nak, 12);
	return move_qp(self, i, MLX5_CMD_OP_INIT2RTR_QP);
}

static int to_rts(FIXTURE_DATA(send) *self, int i)
{
	DEVX_SET(rtr2rts_qp_in, self->in,
		 qpc.primary_address_path.ack_timeout, 14);
	DEVX_SET(rtr2rts_qp_in, self->in, qpc.retry_count, 7);
	DEVX_SET(rtr2rts_qp_in, self->in, qpc.rnr_retry, 7);
	return move_qp(self, i, MLX5_CMD_OP_RTR2RTS_QP);
}

static int connect_qps(FIXTURE_DATA(send) *self)
{
	int ret = 0;
	int i;

	for (i = 0; i < 2 && !ret; i++)
		ret = to_init(self, i);
	for (i = 0; i < 2 && !ret; i++)
		ret = to_rtr(self, i);
	for (i = 0; i < 2 && !ret; i++)
		ret = to_rts(self, i);
	return ret;
}

static int post_recv(FIXTURE_DATA(send) *self, int i)
{
	struct ibv_sge sge = {
		.addr = (uintptr_t)self->buf[i],
		.length = LEN,
		.lkey = self->mr->lkey,
	};
	struct ibv_recv_wr *bad, wr = {
		.wr_id = 100 + i,
		.sg_list = &sge,
		.num_sge = 1,
	};

	return ibv_post_recv(self->qp[i], &wr, &bad);
}

static int post_send(FIXTURE_DATA(send) *self, int i)
{
	struct ibv_sge sge = {
		.addr = (uintptr_t)self->buf[i],
		.length = LEN,
		.lkey = self->mr->lkey,
	};
	struct ibv_send_wr *bad, wr = {
		.wr_id = 200 + i,
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = IBV_WR_SEND_WITH_IMM,
		.imm_data = htobe32(IMM),
	};

	return ibv_post_send(self->qp[i], &wr, &bad);
}

/* The completion of @wr_id among the next two; false if it does not come. */
static bool wait_for(FIXTURE_DATA(send) *self, struct ibv_wc *wcs, int count)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	int tries = 20000;
	int got = 0;

	while (got < count && tries--) {
		int ret = ibv_poll_cq(self->cq, 1, &wcs[got]);

		if (ret < 0)
			return false;
		got += ret;
		if (!ret)
			nanosleep(&pause, NULL);
	}
	return got == count;
}

static enum ibv_qp_state state_of(struct ibv_qp *qp)
{
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr attr;

	if (ibv_query_qp(qp, &attr, IBV_QP_STATE, &init))
		return IBV_QPS_UNKNOWN;
	return attr.qp_state;
}

/* A message from one QP to the other, both ways if there is an answer to it. */
static void expect_message(struct __test_metadata *_metadata,
			   FIXTURE_DATA(send) *self, int from)
{
	struct ibv_wc wcs[2];
	int to = !from;
	int i;

	memset(self->buf[from], 0x30 + from, LEN);
	memset(self->buf[to], 0, LEN);
	ASSERT_EQ(0, post_recv(self, to));
	ASSERT_EQ(0, post_send(self, from));
	ASSERT_TRUE(wait_for(self, wcs, 2));
	for (i = 0; i < 2; i++) {
		EXPECT_EQ(IBV_WC_SUCCESS, wcs[i].status);
		if (wcs[i].wr_id != 100U + to) {
			EXPECT_EQ(200U + from, wcs[i].wr_id);
			continue;
		}
		EXPECT_EQ(IBV_WC_RECV, wcs[i].opcode);
		EXPECT_EQ(IBV_WC_WITH_IMM, wcs[i].wc_flags);
		EXPECT_EQ(LEN, wcs[i].byte_len);
		EXPECT_EQ(htobe32(IMM), wcs[i].imm_data);
		EXPECT_EQ(self->qp[to]->qp_num, wcs[i].qp_num);
	}
	EXPECT_TRUE(all_bytes(self->buf[to], 0x30 + from, LEN));
}

/* A message arrives after DEVX moved both to RTS. */
TEST_F(send, message_after_rts)
{
	ASSERT_EQ(0, connect_qps(self));
	EXPECT_EQ(IBV_QPS_RTS, state_of(self->qp[0]));
	EXPECT_EQ(IBV_QPS_RTS, state_of(self->qp[1]));
	expect_message(_metadata, self, 0);
	expect_message(_metadata, self, 1);
}

/* Work that libmlx5 accepts in each state: the check of its ibv_post_send(). */
TEST_F(send, work_follows_state)
{
	EXPECT_NE(0, post_recv(self, 0));
	EXPECT_NE(0, post_send(self, 0));
	ASSERT_EQ(0, to_init(self, 0));
	EXPECT_EQ(IBV_QPS_INIT, state_of(self->qp[0]));
	EXPECT_EQ(0, post_recv(self, 0));
	EXPECT_NE(0, post_send(self, 0));
	ASSERT_EQ(0, to_rtr(self, 0));
	EXPECT_EQ(IBV_QPS_RTR, state_of(self->qp[0]));
	EXPECT_NE(0, post_send(self, 0));
	ASSERT_EQ(0, to_rts(self, 0));
	EXPECT_EQ(IBV_QPS_RTS, state_of(self->qp[0]));
	EXPECT_EQ(0, post_send(self, 0));
}

/* A reset by DEVX closes it again. */
TEST_F(send, reset_stops_work)
{
	ASSERT_EQ(0, connect_qps(self));
	ASSERT_EQ(0, move_qp(self, 0, MLX5_CMD_OP_2RST_QP));
	EXPECT_EQ(IBV_QPS_RESET, state_of(self->qp[0]));
	EXPECT_NE(0, post_send(self, 0));
	EXPECT_NE(0, post_recv(self, 0));
	EXPECT_EQ(0, post_recv(self, 1));
}

/*
 * Work from before a reset is not executed again after the way back to RTS, and its
 * completions do not come a second time. The device is told of each reset once.
 */
TEST_F(send, reset_forgets_work)
{
	struct hca_ctl *hca = hca_open();
	struct ibv_wc wcs[2];
	int i;

	ASSERT_EQ(0, connect_qps(self));
	for (i = 0; i < 3; i++)
		expect_message(_metadata, self, 0);
	for (i = 0; i < 2; i++)
		ASSERT_EQ(0, move_qp(self, i, MLX5_CMD_OP_2RST_QP));
	if (hca) {
		EXPECT_EQ(2, hca_count(hca, MLX5_CMD_OP_2RST_QP));
		hca_close(hca);
	}
	ASSERT_EQ(0, connect_qps(self));
	expect_message(_metadata, self, 0);
	expect_message(_metadata, self, 1);
	EXPECT_EQ(0, ibv_poll_cq(self->cq, 2, wcs));
}

/* Messages that have arrived and were not polled are dropped by a reset. */
TEST_F(send, reset_drops_completions)
{
	struct ibv_wc wcs[2];

	ASSERT_EQ(0, connect_qps(self));
	ASSERT_EQ(0, post_recv(self, 1));
	ASSERT_EQ(0, post_send(self, 0));
	/* The answer to the sender comes after the message. */
	ASSERT_TRUE(wait_for(self, wcs, 1));
	usleep(100000);
	ASSERT_EQ(0, move_qp(self, 0, MLX5_CMD_OP_2RST_QP));
	ASSERT_EQ(0, move_qp(self, 1, MLX5_CMD_OP_2RST_QP));
	EXPECT_EQ(0, ibv_poll_cq(self->cq, 2, wcs));
	ASSERT_EQ(0, connect_qps(self));
	expect_message(_metadata, self, 0);
}

TEST_F(send, error_flushes_work)
{
	struct ibv_wc wc;

	ASSERT_EQ(0, connect_qps(self));
	ASSERT_EQ(0, post_recv(self, 0));
	ASSERT_EQ(0, move_qp(self, 0, MLX5_CMD_OP_2ERR_QP));
	EXPECT_EQ(IBV_QPS_ERR, state_of(self->qp[0]));
	ASSERT_TRUE(wait_for(self, &wc, 1));
	EXPECT_EQ(IBV_WC_WR_FLUSH_ERR, wc.status);
	EXPECT_EQ(100, wc.wr_id);
}

TEST_F(send, change_read_back)
{
	const uint32_t rwe = 1 << 3, rnr_timer = 1 << 6, ack_timeout = 1 << 14;
	bool rc = variant->type == IBV_QPT_RC;
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr attr;
	uint64_t out[64];

	ASSERT_EQ(0, connect_qps(self));
	expect_message(_metadata, self, 0);
	DEVX_SET(rts2rts_qp_in, self->in, opt_param_mask,
		 rc ? rwe | rnr_timer | ack_timeout : rwe);
	DEVX_SET(rts2rts_qp_in, self->in, qpc.rwe, 1);
	DEVX_SET(rts2rts_qp_in, self->in, qpc.min_rnr_nak, 20);
	DEVX_SET(rts2rts_qp_in, self->in,
		 qpc.primary_address_path.ack_timeout, 18);
	ASSERT_EQ(0, move_qp(self, 0, MLX5_CMD_OP_RTS2RTS_QP));

	ASSERT_EQ(0, ibv_query_qp(self->qp[0], &attr, IBV_QP_ACCESS_FLAGS |
				  IBV_QP_TIMEOUT | IBV_QP_MIN_RNR_TIMER,
				  &init));
	mdx_hdr(self->in, MLX5_CMD_OP_QUERY_QP, 0, self->qp[0]->qp_num);
	ASSERT_EQ(0, mlx5dv_devx_qp_query(self->qp[0], self->in, 16, out,
					  sizeof(out)));
	EXPECT_EQ(IBV_ACCESS_REMOTE_WRITE, attr.qp_access_flags);
	EXPECT_EQ(1, DEVX_GET(query_qp_out, out, qpc.rwe));
	if (rc) {
		EXPECT_EQ(20, attr.min_rnr_timer);
		EXPECT_EQ(20, DEVX_GET(query_qp_out, out, qpc.min_rnr_nak));
		EXPECT_EQ(18, attr.timeout);
		EXPECT_EQ(18, DEVX_GET(query_qp_out, out,
				       qpc.primary_address_path.ack_timeout));
	}
	expect_message(_metadata, self, 0);
}

/* Another path under traffic is read back both ways. */
TEST_F(send, path_change_read_back)
{
	const uint32_t primary_path = 1 << 7;
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr attr;
	uint64_t out[64];

	ASSERT_EQ(0, connect_qps(self));
	expect_message(_metadata, self, 0);
	set_path(self);
	DEVX_SET(rts2rts_qp_in, self->in, opt_param_mask, primary_path);
	DEVX_SET(rts2rts_qp_in, self->in, qpc.primary_address_path.hop_limit,
		 9);
	DEVX_SET(rts2rts_qp_in, self->in, qpc.primary_address_path.tclass,
		 0x24);
	ASSERT_EQ(0, move_qp(self, 0, MLX5_CMD_OP_RTS2RTS_QP));

	ASSERT_EQ(0, ibv_query_qp(self->qp[0], &attr, IBV_QP_AV, &init));
	mdx_hdr(self->in, MLX5_CMD_OP_QUERY_QP, 0, self->qp[0]->qp_num);
	ASSERT_EQ(0, mlx5dv_devx_qp_query(self->qp[0], self->in, 16, out,
					  sizeof(out)));
	EXPECT_EQ(9, attr.ah_attr.grh.hop_limit);
	EXPECT_EQ(9, DEVX_GET(query_qp_out, out,
			      qpc.primary_address_path.hop_limit));
	EXPECT_EQ(0x24, attr.ah_attr.grh.traffic_class);
	EXPECT_EQ(0x24, DEVX_GET(query_qp_out, out,
				 qpc.primary_address_path.tclass));
	expect_message(_metadata, self, 0);
}

/* A refused move leaves libmlx5 where it was. */
TEST_F(send, refused_move_keeps_state)
{
	ASSERT_EQ(0, to_init(self, 0));
	/* There is no such way from INIT. */
	EXPECT_EQ(EREMOTEIO, to_rts(self, 0));
	EXPECT_EQ(IBV_QPS_INIT, state_of(self->qp[0]));
	EXPECT_NE(0, post_send(self, 0));
	/* Of another QP: refused before the device sees it. */
	mdx_hdr(self->in, MLX5_CMD_OP_2RST_QP, 0, self->qp[1]->qp_num);
	EXPECT_EQ(EINVAL, mlx5dv_devx_qp_modify(self->qp[0], self->in,
						SZ(rst2init_qp_in), self->out,
						OUT_LEN));
	EXPECT_EQ(0, post_recv(self, 0));
}

/* Not by the module, which would not show it to the device. */
TEST_F(send, move_short_eremoteio)
{
	mdx_hdr(self->in, MLX5_CMD_OP_RST2INIT_QP, 0, self->qp[0]->qp_num);
	EXPECT_EQ(EREMOTEIO, mlx5dv_devx_qp_modify(self->qp[0], self->in, 16,
						   self->out, OUT_LEN));
	EXPECT_NE(0, mbox_get32(self->out, 0) >> 24);
	EXPECT_EQ(IBV_QPS_RESET, state_of(self->qp[0]));
}

/* A move above 64 KiB is refused. */
TEST_F(send, move_over_64k_einval)
{
	const size_t len = 65536;
	void *in = calloc(1, len);

	ASSERT_NE(NULL, in);
	mdx_hdr(in, MLX5_CMD_OP_RST2INIT_QP, 0, self->qp[0]->qp_num);
	EXPECT_EQ(EINVAL, mlx5dv_devx_qp_modify(self->qp[0], in, len,
						self->out, OUT_LEN));
	EXPECT_EQ(IBV_QPS_RESET, state_of(self->qp[0]));
	free(in);
}

TEST_HARNESS_MAIN
