// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Messages between two QPs that exist by mlx5_devx alone: queues, doorbell
 * records and completions are bytes in a umem, written and read here.
 */
#include <endian.h>
#include <time.h>

#include "kselftest_harness.h"
#include "objtypes.h"

/* In the umem: the first QP and the CQ are where objtypes_queue.c has them. */
enum {
	CQ_DBR = 0x000,
	CQ_BUF = 0x10000,
	CQ_ENTRIES = 64,
	KEY_MEM = 0x1000,	/* the key's first byte */
	RQ_ENTRIES = 16,
	RQ_STRIDE = 16,
	SQ_AT = RQ_ENTRIES * RQ_STRIDE,
	SQ_BLOCKS = 16,
	BLOCK = 64,
	KEY_VARIANT = 0x42,
	SRC = 0x000,		/* from the key's start */
	DST = 0x800,
	SEND = 0x0a,
	SEND_IMM = 0x0b,
	CQE_REQ = 0x0,
	CQE_RESP_SEND = 0x2,
	CQE_RESP_SEND_IMM = 0x3,
	CQE_RESP_ERR = 0xe,
	CQE_FLUSHED = 0x05,
	IMM = 0x600d,
	LEN = 1500,
};

static const uint32_t dbr_at[2] = { 0x040, 0x1c0 };
static const uint32_t buf_at[2] = { 0x20000, 0x24000 };
static const uint32_t user_index[2] = { 0x123, 0x456 };

struct traffic_qp {
	struct test_obj obj;
	uint8_t *buf;
	uint32_t *dbr;
	uint16_t pi;
	uint16_t rq_pi;
};

FIXTURE(devx_traffic)
{
	struct mdx_world w;
	struct traffic_qp qp[2];
	uint32_t ci;
};

static int create_qp(struct mdx_world *w, struct traffic_qp *q, int i)
{
	void *in = w->in;
	int ret;

	objtype_build_create(w, OBJTYPE_QP);
	DEVX_SET(create_qp_in, in, qpc.user_index, user_index[i]);
	DEVX_SET64(create_qp_in, in, qpc.dbr_addr, dbr_at[i]);
	mbox_set64(in, MBOX_CREATE_QP_WQ_UMEM_OFFSET, buf_at[i]);
	ret = _test_mdx_create(w->mdx.fd, &w->m, &q->obj.id);
	q->obj.num = DEVX_GET(create_qp_out, w->out, qpn);
	q->buf = w->mem + buf_at[i];
	q->dbr = (uint32_t *)(w->mem + dbr_at[i]);
	return ret;
}

/* The builders are about the world's QP: it is @q for the moment. */
static int move_qp(struct mdx_world *w, struct traffic_qp *q,
		   void (*build)(struct mdx_world *w),
		   const struct traffic_qp *peer)
{
	w->obj[OBJTYPE_QP] = q->obj;
	build(w);
	if (peer)
		DEVX_SET(init2rtr_qp_in, w->in, qpc.remote_qpn, peer->obj.num);
	return _test_mdx_modify(w->mdx.fd, q->obj.id, &w->m);
}

static int connect_qps(FIXTURE_DATA(devx_traffic) *self)
{
	struct mdx_world *w = &self->w;
	int ret = 0;
	int i;

	for (i = 0; i < 2 && !ret; i++) {
		ret = move_qp(w, &self->qp[i], qp_build_init, NULL);
		if (!ret)
			ret = move_qp(w, &self->qp[i], qp_build_rtr,
				   &self->qp[!i]);
		if (!ret)
			ret = move_qp(w, &self->qp[i], qp_build_rts, NULL);
	}
	return ret;
}

FIXTURE_SETUP(devx_traffic)
{
	struct mdx_world *w = &self->w;
	int i;

	SETUP_DEVICE(return);
	ASSERT_EQ(0, world_start(w));
	/* No completion is there: the device owns all. */
	memset(w->mem + CQ_BUF, 0xff, CQ_ENTRIES * BLOCK);
	ASSERT_EQ(0, objtype_create(w, OBJTYPE_MKEY));
	ASSERT_EQ(0, objtype_create_needs(w, OBJTYPE_QP));
	for (i = 0; i < 2; i++)
		ASSERT_EQ(0, create_qp(w, &self->qp[i], i));
	for (i = 0; i < LEN; i++)
		w->mem[KEY_MEM + SRC + i] = (uint8_t)(i * 13 + i / 256);
}

FIXTURE_TEARDOWN(devx_traffic)
{
	world_stop(&self->w);
}

static void put_be32(uint8_t *p, uint32_t val)
{
	val = htobe32(val);
	memcpy(p, &val, sizeof(val));
}

static uint32_t get_be32(const uint8_t *p)
{
	uint32_t val;

	memcpy(&val, p, sizeof(val));
	return be32toh(val);
}

/* A data segment: @len bytes at @at of the key. */
static void put_data(struct mdx_world *w, uint8_t *p, uint32_t len, uint32_t at)
{
	uint64_t addr = htobe64((uintptr_t)w->mem + at);

	put_be32(p, len);
	put_be32(p + 4, w->obj[OBJTYPE_MKEY].num << 8 | KEY_VARIANT);
	memcpy(p + 8, &addr, sizeof(addr));
}

static void store_release(uint32_t *p, uint32_t val)
{
	__atomic_store_n(p, htobe32(val), __ATOMIC_RELEASE);
}

/* Orders for the device: __sync_synchronize() does so for CPUs only. */
static void io_wmb(void)
{
#ifdef __aarch64__
	__asm__ volatile("dmb oshst" ::: "memory");
#else
	__sync_synchronize();
#endif
}

static void post_recv(struct mdx_world *w, struct traffic_qp *q, uint32_t len)
{
	put_data(w, q->buf + q->rq_pi % RQ_ENTRIES * RQ_STRIDE, len, DST);
	store_release(&q->dbr[0], ++q->rq_pi);
}

static void post_send(struct mdx_world *w, struct traffic_qp *q, uint8_t op,
		      uint32_t len)
{
	uint8_t *wqe = q->buf + SQ_AT + q->pi % SQ_BLOCKS * BLOCK;
	uint64_t head;

	memset(wqe, 0, BLOCK);
	put_be32(wqe, (uint32_t)q->pi << 8 | op);
	put_be32(wqe + 4, q->obj.num << 8 | 2);
	wqe[11] = 8;
	put_be32(wqe + 12, IMM);
	put_data(w, wqe + 16, len, SRC);
	store_release(&q->dbr[1], ++q->pi);
	io_wmb();
	memcpy(&head, wqe, sizeof(head));
	__atomic_store_n((uint64_t *)w->uar->reg_addr, head, __ATOMIC_RELAXED);
}

/* The next completion; NULL if it does not come. */
static const uint8_t *next_cqe(FIXTURE_DATA(devx_traffic) *self)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	uint32_t index = self->ci % CQ_ENTRIES;
	const uint8_t *cqe = self->w.mem + CQ_BUF + index * BLOCK;
	uint8_t lap = self->ci / CQ_ENTRIES & 1;
	int tries = 20000;

	while (tries--) {
		uint8_t own = __atomic_load_n(cqe + 63, __ATOMIC_ACQUIRE);

		if (own >> 4 != 0xf && (own & 1) == lap) {
			self->ci++;
			store_release((uint32_t *)(self->w.mem + CQ_DBR),
				      self->ci & 0xffffff);
			return cqe;
		}
		nanosleep(&pause, NULL);
	}
	return NULL;
}

static void expect_cqe(struct __test_metadata *_metadata,
		       FIXTURE_DATA(devx_traffic) *self, int i, uint8_t opcode,
		       uint16_t counter)
{
	const uint8_t *cqe = next_cqe(self);

	ASSERT_NE(NULL, cqe);
	EXPECT_EQ(opcode, cqe[63] >> 4);
	EXPECT_EQ(user_index[i], get_be32(cqe + 0x20));
	EXPECT_EQ(self->qp[i].obj.num, get_be32(cqe + 0x38) & 0xffffff);
	EXPECT_EQ(counter, get_be32(cqe + 0x3c) >> 16);
	if (opcode == CQE_RESP_SEND || opcode == CQE_RESP_SEND_IMM)
		EXPECT_EQ(LEN, get_be32(cqe + 0x2c));
	if (opcode == CQE_RESP_SEND_IMM)
		EXPECT_EQ(IMM, get_be32(cqe + 0x24));
	if (opcode == CQE_RESP_ERR)
		EXPECT_EQ(CQE_FLUSHED, cqe[0x37]);
}

static void expect_message(struct __test_metadata *_metadata,
			   FIXTURE_DATA(devx_traffic) *self, int from,
			   uint8_t op, uint16_t counter)
{
	uint8_t *mem = self->w.mem + KEY_MEM;
	int to = !from;

	memset(mem + DST, 0, LEN);
	post_recv(&self->w, &self->qp[to], LEN);
	post_send(&self->w, &self->qp[from], op, LEN);
	expect_cqe(_metadata, self, to,
		   op == SEND ? CQE_RESP_SEND : CQE_RESP_SEND_IMM, counter);
	expect_cqe(_metadata, self, from, CQE_REQ, counter);
	EXPECT_EQ(0, memcmp(mem + DST, mem + SRC, LEN));
}

TEST_F(devx_traffic, message_arrives)
{
	ASSERT_EQ(0, connect_qps(self));
	expect_message(_metadata, self, 0, SEND, 0);
}

TEST_F(devx_traffic, immediate_both_ways)
{
	ASSERT_EQ(0, connect_qps(self));
	expect_message(_metadata, self, 0, SEND_IMM, 0);
	expect_message(_metadata, self, 1, SEND_IMM, 0);
}

/* Three laps of the CQ, six of the queues. */
TEST_F(devx_traffic, queues_wrap)
{
	uint16_t i;

	ASSERT_EQ(0, connect_qps(self));
	for (i = 0; i < 100; i++)
		expect_message(_metadata, self, 0, SEND, i);
}

static void qp_build_error(struct mdx_world *w)
{
	memset(w->in, 0, sizeof(w->in));
	mdx_hdr(w->in, MLX5_CMD_OP_2ERR_QP, 0, w->obj[OBJTYPE_QP].num);
	w->m.in_len = SZ(qp_2err_in);
}

TEST_F(devx_traffic, error_flushes_posted)
{
	ASSERT_EQ(0, connect_qps(self));
	post_recv(&self->w, &self->qp[1], LEN);
	ASSERT_EQ(0, move_qp(&self->w, &self->qp[1], qp_build_error, NULL));
	expect_cqe(_metadata, self, 1, CQE_RESP_ERR, 0);
}

TEST_HARNESS_MAIN
