/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Work requests, doorbells, completions and events, as a driver sees them.
 */
#ifndef HCA_TEST_DP_WORK_H
#define HCA_TEST_DP_WORK_H

#include "dp_env.h"

/*
 * A work request: begin, segments, end, which copies the request to the queue,
 * also around its end.
 */
static inline u8 *wqe_room(struct tq *q, unsigned int n)
{
	static u8 wqe[2048];

	if (!n)
		return wqe;
	q->at += n;
	return wqe + q->at - n;
}

static inline void wqe_begin(struct tq *q, u8 opcode, u8 flags, u32 imm)
{
	u8 *w;

	q->at = 0;
	w = wqe_room(q, 16);
	memset(w, 0, 1024);
	put_be32(w, (u32)q->pi << 8 | opcode);
	w[11] = flags;
	put_be32(w + 12, imm);
}

static inline void wqe_raddr(struct tq *q, u64 addr, u32 rkey)
{
	u8 *w = wqe_room(q, 16);

	put_be64(w, addr);
	put_be32(w + 8, rkey);
}

static inline void wqe_data(struct tq *q, u32 len, u32 key, u64 addr)
{
	u8 *w = wqe_room(q, 16);

	put_be32(w, len);
	put_be32(w + 4, key);
	put_be64(w + 8, addr);
}

static inline void wqe_inline(struct tq *q, const void *data, u32 len)
{
	u8 *w = wqe_room(q, (4 + len + 15) / 16 * 16);

	put_be32(w, 0x80000000 | len);
	memcpy(w + 4, data, len);
}

static inline void wqe_end(struct tq *q)
{
	u8 *w = wqe_room(q, 0);
	unsigned int i, blocks = (q->at + 63) / 64;

	put_be32(w + 4, q->num << 8 | q->at / 16);
	for (i = 0; i < blocks; i++)
		memcpy(ram_at(q->buf + RQ_BYTES +
			      (q->pi + i) % (1 << LOG_SQ) * 64U),
		       w + i * 64, 64);
	q->pi = (u16)(q->pi + blocks);
}

static inline void write_doorbell(u64 off, u32 w0, u32 w1)
{
	u8 db[8];

	put_be32(db, w0);
	put_be32(db + 4, w1);
	bar_write(&hca, off, db, sizeof(db));
}

static inline void ring_sq(const struct tq *q)
{
	put_be32(ram_at(q->dbr + 4), q->pi);
	write_doorbell((u64)uar * PAGE + 0x800, 0, q->num << 8);
}

/* @arm is 0 for any completion, 1 << 24 for solicited ones. */
static inline void arm_cq(const struct tcq *c, u32 ci, u32 arm)
{
	write_doorbell((u64)uar * PAGE + 0x20, arm | ci, c->num);
}

/* A signaled send of @len bytes at @addr. */
static inline void send_op(struct tq *q, u8 opcode, u32 imm, u32 len, u32 key,
			   u64 addr)
{
	wqe_begin(q, opcode, SIGNALED, imm);
	wqe_data(q, len, key, addr);
	wqe_end(q);
	ring_sq(q);
}

static inline void rdma_op(struct tq *q, u8 opcode, u64 raddr, u32 rkey,
			   u32 len, u32 key, u64 addr)
{
	wqe_begin(q, opcode, SIGNALED, 0x1234);
	wqe_raddr(q, raddr, rkey);
	wqe_data(q, len, key, addr);
	wqe_end(q);
	ring_sq(q);
}

static inline void post_recv(struct tq *q, u32 len, u32 key, u64 addr)
{
	u8 *w = ram_at(q->buf + q->rq_pi % (1 << LOG_RQ) * RQ_STRIDE);

	put_be32(w, len);
	put_be32(w + 4, key);
	put_be64(w + 8, addr);
	put_be32(w + 16, 0);
	put_be32(w + 20, 0x100);
	put_be32(ram_at(q->dbr), ++q->rq_pi);
}

/* The next completion, or NULL. The doorbell record is updated. */
static inline const u8 *poll_cq(struct tcq *c)
{
	u32 index = c->ci & ((1U << c->log_size) - 1);
	const u8 *cqe =
		ram_at(c->buf + (u64)index * c->cqe_sz + c->cqe_sz - 64);

	if (cqe[0x3f] >> 4 == 0xf ||
	    (cqe[0x3f] & 1) != (c->ci >> c->log_size & 1))
		return NULL;
	c->ci++;
	put_be32(ram_at(c->dbr), c->ci & 0xffffff);
	return cqe;
}

/* Wait for the next completion. */
static inline const u8 *wait_cqe(struct tcq *c)
{
	u64 end = now_us() + 1000000;
	const u8 *cqe = poll_cq(c);

	while (!cqe && now_us() < end) {
		loop_step(&loop, 1);
		cqe = poll_cq(c);
	}
	return cqe;
}

/*
 * Expect the next completion to be @q's, with @opcode, @counter and, of an
 * error, @synd.
 */
static inline const u8 *expect_cqe(struct tcq *c, const struct tq *q, u8 opcode,
				   u16 counter, u8 synd)
{
	static const u8 none[64];
	const u8 *cqe = wait_cqe(c);

	CHECK(cqe);
	if (!cqe)
		return none;
	CHECK_EQ(get_be32(cqe + 0x20), q->user_index);
	CHECK_EQ(get_be32(cqe + 0x38) & 0xffffff, q->num);
	CHECK_EQ(cqe[0x3f] >> 4, opcode);
	CHECK_EQ(get_be16(cqe + 0x3c), counter);
	if (opcode == 0xd || opcode == 0xe)
		CHECK_EQ(cqe[0x37], synd);
	return cqe;
}

/* The next event, or NULL. */
static inline const u8 *poll_eq(void)
{
	const u8 *eqe = ram_at(eq_buf + eq_ci % 64 * EQE_SIZE);

	if (hca.eqs.eq[eqn].pi == eq_ci)
		return NULL;
	eq_ci++;
	return eqe;
}

static inline void expect_event(u8 type, u32 num)
{
	const u8 *eqe = poll_eq();

	CHECK(eqe);
	if (!eqe)
		return;
	CHECK_EQ(eqe[1], type);
	CHECK_EQ(get_be32(eqe + 0x38), num);
}

#endif /* HCA_TEST_DP_WORK_H */
