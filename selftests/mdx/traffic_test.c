// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Messages through stock verbs, compared byte by byte. mlx5_devx has no part in
 * them; the tests of queues that DEVX changes rely on them.
 */
#include <endian.h>

#include "kselftest_harness.h"
#include "pair.h"

static const struct ibv_wc *wc_of(const struct ibv_wc *wcs, uint64_t wr_id)
{
	return wcs[0].wr_id == wr_id ? &wcs[0] : &wcs[1];
}

static void expect_message(struct __test_metadata *_metadata,
			   struct verbs_pair *p, bool imm, uint32_t len,
			   unsigned int flags)
{
	uint32_t head = pair_is_ud(p) ? PAIR_GRH : 0;
	const struct ibv_wc *wc;
	struct ibv_wc wcs[2];

	memset(p->buf[1], 0, sizeof(p->buf[1]));
	ASSERT_EQ(0, pair_recv(p, len + head));
	ASSERT_EQ(0, pair_send(p, imm ? IBV_WR_SEND_WITH_IMM : IBV_WR_SEND,
			       len, flags));
	ASSERT_TRUE(pair_wait(p, wcs, 2));
	wc = wc_of(wcs, PAIR_SEND_ID);
	EXPECT_EQ(IBV_WC_SUCCESS, wc->status);
	EXPECT_EQ(IBV_WC_SEND, wc->opcode);
	wc = wc_of(wcs, PAIR_RECV_ID);
	EXPECT_EQ(IBV_WC_SUCCESS, wc->status);
	EXPECT_EQ(IBV_WC_RECV, wc->opcode);
	EXPECT_EQ(len + head, wc->byte_len);
	EXPECT_EQ(p->qp[1]->qp_num, wc->qp_num);
	EXPECT_EQ(imm, !!(wc->wc_flags & IBV_WC_WITH_IMM));
	if (imm)
		EXPECT_EQ(htobe32(PAIR_IMM), wc->imm_data);
	EXPECT_EQ(!!head, !!(wc->wc_flags & IBV_WC_GRH));
	if (head)
		EXPECT_EQ(p->qp[0]->qp_num, wc->src_qp);
	EXPECT_EQ(0, memcmp(p->buf[1] + head, p->buf[0], len));
}

/* Every transport. */
FIXTURE(message)
{
	struct verbs_pair pair;
};

FIXTURE_VARIANT(message)
{
	enum ibv_qp_type type;
	bool srq;
};

FIXTURE_VARIANT_ADD(message, rc) { .type = IBV_QPT_RC };
FIXTURE_VARIANT_ADD(message, uc) { .type = IBV_QPT_UC };
FIXTURE_VARIANT_ADD(message, ud) { .type = IBV_QPT_UD };
FIXTURE_VARIANT_ADD(message, rc_srq) { .type = IBV_QPT_RC, .srq = true };
FIXTURE_VARIANT_ADD(message, ud_srq) { .type = IBV_QPT_UD, .srq = true };

FIXTURE_SETUP(message)
{
	SETUP_DEVICE(return);
	ASSERT_EQ(0, pair_start(&self->pair, variant->type, variant->srq));
}

FIXTURE_TEARDOWN(message)
{
	EXPECT_EQ(0, pair_stop(&self->pair));
}

TEST_F(message, arrives)
{
	expect_message(_metadata, &self->pair, false, 1000, 0);
}

TEST_F(message, with_immediate)
{
	expect_message(_metadata, &self->pair, true, 777, 0);
}

TEST_F(message, inline_data)
{
	expect_message(_metadata, &self->pair, false, 100, IBV_SEND_INLINE);
}

/* Longer than all queues. */
TEST_F(message, queues_wrap)
{
	int i;

	for (i = 0; i < 100; i++) {
		self->pair.buf[0][0] = (uint8_t)i;
		expect_message(_metadata, &self->pair, i & 1, 200 + i, 0);
	}
}

/* The channel reports a completion that was requested. */
TEST_F(message, completion_event)
{
	struct verbs_pair *p = &self->pair;
	struct ibv_wc wcs[2];
	struct ibv_cq *cq;
	void *arg;

	ASSERT_EQ(0, ibv_req_notify_cq(p->cq, 0));
	ASSERT_EQ(0, pair_recv(p, 300));
	ASSERT_EQ(0, pair_send(p, IBV_WR_SEND, 200, 0));
	ASSERT_EQ(0, ibv_get_cq_event(p->channel, &cq, &arg));
	EXPECT_EQ(p->cq, cq);
	ibv_ack_cq_events(cq, 1);
	EXPECT_TRUE(pair_wait(p, wcs, 2));
}

/* Connected transports. */
FIXTURE(rdma)
{
	struct verbs_pair pair;
};

FIXTURE_VARIANT(rdma)
{
	enum ibv_qp_type type;
};

FIXTURE_VARIANT_ADD(rdma, rc) { .type = IBV_QPT_RC };
FIXTURE_VARIANT_ADD(rdma, uc) { .type = IBV_QPT_UC };

FIXTURE_SETUP(rdma)
{
	SETUP_DEVICE(return);
	ASSERT_EQ(0, pair_start(&self->pair, variant->type, false));
}

FIXTURE_TEARDOWN(rdma)
{
	EXPECT_EQ(0, pair_stop(&self->pair));
}

TEST_F(rdma, write)
{
	struct verbs_pair *p = &self->pair;
	struct ibv_wc wc;

	ASSERT_EQ(0, pair_send(p, IBV_WR_RDMA_WRITE, PAIR_LEN, 0));
	ASSERT_TRUE(pair_wait(p, &wc, 1));
	EXPECT_EQ(IBV_WC_SUCCESS, wc.status);
	EXPECT_EQ(IBV_WC_RDMA_WRITE, wc.opcode);
	EXPECT_EQ(0, memcmp(p->buf[1], p->buf[0], PAIR_LEN));
}

TEST_F(rdma, write_with_immediate)
{
	struct verbs_pair *p = &self->pair;
	const struct ibv_wc *wc;
	struct ibv_wc wcs[2];

	ASSERT_EQ(0, pair_recv(p, 100));
	ASSERT_EQ(0, pair_send(p, IBV_WR_RDMA_WRITE_WITH_IMM, PAIR_LEN, 0));
	ASSERT_TRUE(pair_wait(p, wcs, 2));
	wc = wc_of(wcs, PAIR_RECV_ID);
	EXPECT_EQ(IBV_WC_SUCCESS, wc->status);
	EXPECT_EQ(IBV_WC_RECV_RDMA_WITH_IMM, wc->opcode);
	EXPECT_EQ(htobe32(PAIR_IMM), wc->imm_data);
	EXPECT_EQ(PAIR_LEN, wc->byte_len);
	EXPECT_EQ(0, memcmp(p->buf[1], p->buf[0], PAIR_LEN));
}

/* RC only. */
FIXTURE(rc)
{
	struct verbs_pair pair;
};

FIXTURE_SETUP(rc)
{
	SETUP_DEVICE(return);
	ASSERT_EQ(0, pair_start(&self->pair, IBV_QPT_RC, false));
}

FIXTURE_TEARDOWN(rc)
{
	EXPECT_EQ(0, pair_stop(&self->pair));
}

TEST_F(rc, read)
{
	struct verbs_pair *p = &self->pair;
	struct ibv_wc wc;

	memcpy(p->buf[1], p->buf[0], PAIR_LEN);
	memset(p->buf[0], 0, PAIR_LEN);
	ASSERT_EQ(0, pair_send(p, IBV_WR_RDMA_READ, PAIR_LEN, 0));
	ASSERT_TRUE(pair_wait(p, &wc, 1));
	EXPECT_EQ(IBV_WC_SUCCESS, wc.status);
	EXPECT_EQ(IBV_WC_RDMA_READ, wc.opcode);
	EXPECT_EQ(PAIR_LEN, wc.byte_len);
	EXPECT_EQ(0, memcmp(p->buf[1], p->buf[0], PAIR_LEN));
}

static int post_fetch_add(struct verbs_pair *p, uint64_t addr,
			  uint64_t add)
{
	struct ibv_sge sge = { (uintptr_t)p->buf[0], 8, p->mr->lkey };
	struct ibv_send_wr *bad, wr = {
		.wr_id = PAIR_SEND_ID, .sg_list = &sge, .num_sge = 1,
		.opcode = IBV_WR_ATOMIC_FETCH_AND_ADD,
		.wr.atomic = {
			.remote_addr = addr, .rkey = p->mr->rkey,
			.compare_add = add,
		},
	};

	return ibv_post_send(p->qp[0], &wr, &bad);
}

TEST_F(rc, fetch_and_add)
{
	struct verbs_pair *p = &self->pair;
	uintptr_t at = ((uintptr_t)p->buf[1] + 7) & ~(uintptr_t)7;
	uint64_t val = 0x1122334455667788ULL;
	struct ibv_wc wc;

	memcpy((void *)at, &val, 8);
	ASSERT_EQ(0, post_fetch_add(p, at, 0x100));
	ASSERT_TRUE(pair_wait(p, &wc, 1));
	EXPECT_EQ(IBV_WC_SUCCESS, wc.status);
	EXPECT_EQ(IBV_WC_FETCH_ADD, wc.opcode);
	EXPECT_EQ(0, memcmp(p->buf[0], &val, 8));
	val += 0x100;
	EXPECT_EQ(0, memcmp((void *)at, &val, 8));
}

TEST_F(rc, message_too_long)
{
	struct verbs_pair *p = &self->pair;
	struct ibv_wc wcs[2];

	/* The receive is shorter than the message. */
	ASSERT_EQ(0, pair_recv(p, 60));
	ASSERT_EQ(0, pair_send(p, IBV_WR_SEND, 200, 0));
	ASSERT_TRUE(pair_wait(p, wcs, 2));
	EXPECT_EQ(IBV_WC_REM_INV_REQ_ERR, wc_of(wcs, PAIR_SEND_ID)->status);
	EXPECT_EQ(IBV_WC_LOC_LEN_ERR, wc_of(wcs, PAIR_RECV_ID)->status);
	ASSERT_EQ(0, pair_send(p, IBV_WR_SEND, 200, 0));
	ASSERT_TRUE(pair_wait(p, wcs, 1));
	EXPECT_EQ(IBV_WC_WR_FLUSH_ERR, wcs[0].status);
}

/* Old and new completions are read from the new buffer. */
TEST_F(rc, cq_resized)
{
	struct verbs_pair *p = &self->pair;
	struct ibv_wc wcs[8];
	int i;

	for (i = 0; i < 3; i++)
		ASSERT_EQ(0, pair_send(p, IBV_WR_RDMA_WRITE, 100, 0));
	ASSERT_TRUE(pair_wait(p, wcs, 1));
	ASSERT_EQ(0, pair_recv(p, 300));
	ASSERT_EQ(0, ibv_resize_cq(p->cq, 255));
	ASSERT_EQ(0, pair_send(p, IBV_WR_SEND, 200, 0));
	ASSERT_TRUE(pair_wait(p, wcs, 4));
	for (i = 0; i < 4; i++)
		EXPECT_EQ(IBV_WC_SUCCESS, wcs[i].status);
	EXPECT_EQ(IBV_WC_RDMA_WRITE, wcs[1].opcode);
	EXPECT_EQ(200, wc_of(&wcs[2], PAIR_RECV_ID)->byte_len);
}

/* A change of a registration's access takes effect. */
TEST_F(rc, memory_made_read_only)
{
	struct verbs_pair *p = &self->pair;
	struct ibv_wc wc;

	if (ibv_rereg_mr(p->mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0,
			 IBV_ACCESS_REMOTE_READ))
		SKIP(return, "the kernel does not change it: %s",
		     strerror(errno));
	ASSERT_EQ(0, pair_send(p, IBV_WR_RDMA_WRITE, 100, 0));
	ASSERT_TRUE(pair_wait(p, &wc, 1));
	EXPECT_EQ(IBV_WC_REM_ACCESS_ERR, wc.status);
}

/* Of verbs; under the interface of today it is an RMP. */
FIXTURE(srq)
{
	struct verbs_pair pair;
};

FIXTURE_SETUP(srq)
{
	SETUP_DEVICE(return);
	ASSERT_EQ(0, pair_start(&self->pair, IBV_QPT_RC, true));
}

FIXTURE_TEARDOWN(srq)
{
	EXPECT_EQ(0, pair_stop(&self->pair));
}

TEST_F(srq, limit_event)
{
	struct ibv_srq_attr attr = { .srq_limit = 2 };
	struct verbs_pair *p = &self->pair;
	struct ibv_async_event event;
	struct ibv_wc wcs[4];

	ASSERT_EQ(0, pair_recv(p, 300));
	ASSERT_EQ(0, pair_recv(p, 300));
	ASSERT_EQ(0, ibv_modify_srq(p->srq, &attr, IBV_SRQ_LIMIT));
	ASSERT_EQ(0, pair_send(p, IBV_WR_SEND, 200, 0));
	ASSERT_EQ(0, ibv_get_async_event(p->ctx, &event));
	EXPECT_EQ(IBV_EVENT_SRQ_LIMIT_REACHED, event.event_type);
	EXPECT_EQ(p->srq, event.element.srq);
	ibv_ack_async_event(&event);
	EXPECT_TRUE(pair_wait(p, wcs, 2));
}

/* Has no more for a QP in error. */
TEST_F(srq, qp_error_last_wqe)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_ERR };
	struct verbs_pair *p = &self->pair;
	struct ibv_async_event event;

	ASSERT_EQ(0, ibv_modify_qp(p->qp[1], &attr, IBV_QP_STATE));
	ASSERT_EQ(0, ibv_get_async_event(p->ctx, &event));
	EXPECT_EQ(IBV_EVENT_QP_LAST_WQE_REACHED, event.event_type);
	EXPECT_EQ(p->qp[1], event.element.qp);
	ibv_ack_async_event(&event);
}

/* Datagrams begin with a header. */
FIXTURE(ud)
{
	struct verbs_pair pair;
};

FIXTURE_SETUP(ud)
{
	SETUP_DEVICE(return);
	ASSERT_EQ(0, pair_start(&self->pair, IBV_QPT_UD, false));
}

FIXTURE_TEARDOWN(ud)
{
	EXPECT_EQ(0, pair_stop(&self->pair));
}

/* Of RoCE v1, and of v2 over IPv6, it ends with our own address, twice. */
TEST_F(ud, grh)
{
	struct verbs_pair *p = &self->pair;

	expect_message(_metadata, p, false, 256, 0);
	EXPECT_EQ(6, p->buf[1][0] >> 4);
	EXPECT_EQ(0, memcmp(p->buf[1] + 8, &p->gid, 16));
	EXPECT_EQ(0, memcmp(p->buf[1] + 24, &p->gid, 16));
}

TEST_HARNESS_MAIN
