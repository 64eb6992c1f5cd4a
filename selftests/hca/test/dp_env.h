/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A device with the real firmware, guest memory, and a minimal driver, which
 * creates queues by commands and writes work requests as a driver does.
 */
#ifndef HCA_TEST_DP_ENV_H
#define HCA_TEST_DP_ENV_H

#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "../bytes.h"
#include "../fw_table.h"
#include "../dp_cq.h"
#include "../dp_recv.h"
#include "../hca.h"
#include "../log.h"
#include "tap.h"

enum {
	GUEST = 0x100000,
	GUEST_SIZE = 8 << 20,
	PAGE = 4096,
	ANY_ACCESS = 0x1f,
	/* opcodes of work requests */
	NOP = 0x00, SEND_INVAL = 0x01, WRITE = 0x08, WRITE_IMM = 0x09,
	SEND = 0x0a, SEND_IMM = 0x0b, READ = 0x10, ATOMIC_CS = 0x11,
	ATOMIC_FA = 0x12, LOCAL_INVAL = 0x1b, UMR = 0x25,
	/* fm_ce_se */
	SIGNALED = 8, SOLICITED = 2,
};

/**
 * struct tq - a QP of the test
 * @num: QPN
 * @buf: receive queue, followed by the send queue
 * @dbr: doorbell record
 * @user_index: its number in completions
 * @pi: producer index of the send queue, in blocks
 * @rq_pi: producer index of the receive queue
 * @at: length so far of the work request being written
 */
struct tq {
	u32 num;
	u64 buf;
	u64 dbr;
	u32 user_index;
	u16 pi;
	u16 rq_pi;
	u32 at;
};

struct tcq {
	u32 num;
	u64 buf;
	u64 dbr;
	u32 ci;
	u8 log_size;
	u8 cqe_sz;
};

static struct loop loop;
static struct hca hca;
static u8 *ram;
static u64 ram_next;
static int irq_fd;
static u64 eq_buf;
static u32 eq_ci, eqn, uar, pd, xrcd, lkey;
static struct tcq cq;
static u8 in[8192], out[8192];

enum { LOG_RQ = 3, LOG_SQ = 4, RQ_STRIDE = 64, RQ_BYTES = 64 << LOG_RQ };

static inline u8 *ram_at(u64 gpa)
{
	return ram + (gpa - GUEST);
}

static inline void put_text(u64 gpa, const char *text)
{
	memcpy(ram_at(gpa), text, strlen(text) + 1);
}

/* Pages that are not in use. */
static inline u64 alloc_pages(unsigned int pages)
{
	u64 gpa = ram_next;

	ram_next += (u64)pages * PAGE;
	return gpa;
}

static inline int send_cmd(u16 op, size_t in_len)
{
	prm_set(in, 0, 16, op);
	memset(out, 0, sizeof(out));
	return fw_exec(hca.fw, in, in_len, out, 2048);
}

static inline void clear_in(void)
{
	memset(in, 0, sizeof(in));
}

static inline u32 simple_cmd(u16 op)
{
	clear_in();
	CHECK_EQ(send_cmd(op, 272), FW_OK);
	return prm_be32(out + 8) & 0xffffff;
}

static inline void make_eq(void)
{
	u8 *c = in + PRM_BYTE(create_eq_in, eq_context_entry);

	clear_in();
	eq_buf = alloc_pages(1);
	memset(ram_at(eq_buf), 0xff, PAGE);
	PRM_SET(eqc, c, log_eq_size, 6);
	PRM_SET(eqc, c, uar_page, uar);
	prm_set(in, 0x58 * 8, 64, ~0ULL);
	prm_set(in, 0x110 * 8, 64, eq_buf);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_CREATE_EQ, 0x118), FW_OK);
	eqn = PRM_GET(create_eq_out, out, eq_number);
	eq_ci = 0;
}

static inline void make_cq(struct tcq *c, u8 log_size, u8 cqe_sz)
{
	u8 *ctx = in + PRM_BYTE(create_cq_in, cq_context);

	*c = (struct tcq){
		.log_size = log_size,
		.cqe_sz = cqe_sz,
		.buf = alloc_pages(2),
		.dbr = alloc_pages(1),
	};
	memset(ram_at(c->buf), 0xf0, 2 * PAGE);
	clear_in();
	PRM_SET(cqc, ctx, log_cq_size, log_size);
	PRM_SET(cqc, ctx, cqe_sz, cqe_sz == 128);
	PRM_SET(cqc, ctx, c_eqn_or_apu_element, eqn);
	PRM_SET(cqc, ctx, uar_page, uar);
	PRM_SET(cqc, ctx, dbr_addr, c->dbr);
	prm_set(in, 0x110 * 8, 64, c->buf);
	prm_set(in, 0x118 * 8, 64, c->buf + PAGE);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_CREATE_CQ, 0x120), FW_OK);
	c->num = PRM_GET(create_cq_out, out, cqn);
}

static inline u32 make_umem(u64 gpa, unsigned int pages)
{
	unsigned int i;

	clear_in();
	PRM_SET(create_umem_in, in, umem.num_of_mtt, pages);
	for (i = 0; i < pages; i++)
		prm_set(in, (PRM_SZ(create_umem_in) + 8 * i) * 8, 64,
			(gpa + (u64)i * PAGE) | 3);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_CREATE_UMEM,
			  PRM_SZ(create_umem_in) + pages * 8),
		 FW_OK);
	return PRM_GET(create_umem_out, out, umem_id);
}

/*
 * The context of an mkey over @pages pages from @gpa on, still to be created.
 */
static inline u8 *fill_mkey(u8 access, u64 start, u64 gpa, unsigned int pages)
{
	u8 *c = in + PRM_BYTE(create_mkey_in, memory_key_mkey_entry);
	unsigned int i;

	clear_in();
	PRM_SET(mkc, c, lr, access & 1);
	PRM_SET(mkc, c, lw, access >> 1 & 1);
	PRM_SET(mkc, c, rr, access >> 2 & 1);
	PRM_SET(mkc, c, rw, access >> 3 & 1);
	PRM_SET(mkc, c, a, access >> 4 & 1);
	PRM_SET(mkc, c, access_mode_1_0, MODE_MTT);
	PRM_SET(mkc, c, qpn, 0xffffff);
	PRM_SET(mkc, c, mkey_7_0, 0x42);
	PRM_SET(mkc, c, pd, pd);
	PRM_SET(mkc, c, start_addr, start);
	PRM_SET(mkc, c, len, (u64)pages * PAGE - (start & (PAGE - 1)));
	PRM_SET(mkc, c, translations_octword_size, (pages + 1) / 2);
	prm_set(c, 0x1da, 6, 12);
	PRM_SET(create_mkey_in, in, translations_octword_actual_size,
		(pages + 1) / 2);
	for (i = 0; i < pages; i++)
		prm_set(in, (0x110 + 8 * i) * 8, 64, gpa + (u64)i * PAGE);
	return c;
}

/* Create it with @n bytes of translations. */
static inline u32 send_mkey(size_t n)
{
	CHECK_EQ(send_cmd(MLX5_CMD_OP_CREATE_MKEY, 0x110 + (n + 15) / 16 * 16),
		 FW_OK);
	return PRM_GET(create_mkey_out, out, mkey_index) << 8 | 0x42;
}

static inline u32 make_mkey(u8 access, u64 start, u64 gpa, unsigned int pages)
{
	fill_mkey(access, start, gpa, pages);
	return send_mkey(pages * 8);
}

/* An mkey of all memory by physical address. */
static inline u32 make_pa_mkey(u8 access)
{
	u8 *c = fill_mkey(access, 0, 0, 0);

	PRM_SET(mkc, c, access_mode_1_0, MODE_PA);
	PRM_SET(mkc, c, length64, 1);
	return send_mkey(0);
}

/* The context of a QP with 8 receives of 4 segments and 16 blocks to send. */
static inline u8 *fill_qp(struct tq *q, u8 st)
{
	u8 *c = in + PRM_BYTE(create_qp_in, qpc);
	static u32 user_index = 0x100;

	*q = (struct tq){
		.buf = alloc_pages(1),
		.dbr = alloc_pages(1),
		.user_index = user_index++,
	};
	clear_in();
	PRM_SET(qpc, c, st, st);
	PRM_SET(qpc, c, pd, pd);
	PRM_SET(qpc, c, xrcd, xrcd);
	PRM_SET(qpc, c, cqn_snd, cq.num);
	PRM_SET(qpc, c, cqn_rcv, cq.num);
	PRM_SET(qpc, c, uar_page, uar);
	PRM_SET(qpc, c, log_rq_size, LOG_RQ);
	PRM_SET(qpc, c, log_rq_stride, 2);
	PRM_SET(qpc, c, log_sq_size, LOG_SQ);
	PRM_SET(qpc, c, user_index, q->user_index);
	PRM_SET(qpc, c, dbr_addr, q->dbr);
	prm_set(in, 0x110 * 8, 64, q->buf);
	return c;
}

static inline void send_qp(struct tq *q)
{
	CHECK_EQ(send_cmd(MLX5_CMD_OP_CREATE_QP, 0x118), FW_OK);
	q->num = PRM_GET(create_qp_out, out, qpn);
}

static inline void make_qp(struct tq *q, u8 st)
{
	fill_qp(q, st);
	send_qp(q);
}

static inline void make_srq_qp(struct tq *q, u8 st, u32 srqn)
{
	u8 *c = fill_qp(q, st);

	PRM_SET(qpc, c, rq_type, 1);
	PRM_SET(qpc, c, log_rq_size, 0);
	PRM_SET(qpc, c, srqn_rmpn_xrqn, srqn);
	send_qp(q);
}

static inline u8 *fill_move(const struct tq *q, u32 opt)
{
	clear_in();
	PRM_SET(rst2init_qp_in, in, qpn, q->num);
	PRM_SET(rst2init_qp_in, in, opt_param_mask, opt);
	return in + PRM_BYTE(rst2init_qp_in, qpc);
}

static inline void move_qp(const struct tq *q, u16 op)
{
	fill_move(q, 0);
	CHECK_EQ(send_cmd(op, 272), FW_OK);
}

/* Short timeouts, for tests of errors. */
static inline void to_rtr(const struct tq *q, u32 remote)
{
	u8 *c = fill_move(q, 0);

	PRM_SET(qpc, c, rre, 1);
	PRM_SET(qpc, c, rwe, 1);
	PRM_SET(qpc, c, rae, 1);
	PRM_SET(qpc, c, q_key, 0x1111);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_RST2INIT_QP, 272), FW_OK);
	c = fill_move(q, 0);
	PRM_SET(qpc, c, remote_qpn, remote);
	PRM_SET(qpc, c, mtu, 5);
	PRM_SET(qpc, c, min_rnr_nak, 1);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_INIT2RTR_QP, 272), FW_OK);
}

static inline void to_rts(const struct tq *q, u8 rnr_retry)
{
	u8 *c = fill_move(q, 0);

	PRM_SET(qpc, c, retry_count, 1);
	PRM_SET(qpc, c, rnr_retry, rnr_retry);
	PRM_SET(qpc, c, primary_address_path.ack_timeout, 8);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_RTR2RTS_QP, 272), FW_OK);
}

static inline void connect_qps(const struct tq *a, const struct tq *b)
{
	to_rtr(a, b->num);
	to_rtr(b, a->num);
	to_rts(a, 7);
	to_rts(b, 7);
}

/* Two connected QPs. */
static inline void make_pair(struct tq *a, struct tq *b, u8 st)
{
	make_qp(a, st);
	make_qp(b, st);
	connect_qps(a, b);
}

static inline u8 qp_state(const struct tq *q)
{
	clear_in();
	PRM_SET(query_qp_in, in, qpn, q->num);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_QUERY_QP, 16), FW_OK);
	return PRM_GET(query_qp_out, out, qpc.state);
}

/* Run the event loop for @ms. */
static inline void wait_ms(unsigned int ms)
{
	u64 end = now_us() + ms * 1000ULL;

	while (now_us() < end)
		loop_step(&loop, 1);
}

static inline void start_hca(void)
{
	struct hca_conf conf = {
		.device_id = 0x1019, .fw.mac = { 2, 0, 0, 0, 0, 1 },
	};
	u8 command = 6;

	log_open("/dev/null");
	CHECK(!loop_init(&loop));
	CHECK(!hca_init(&hca, &loop, &conf));
	pci_write(&hca, 4, &command, 1);
	ram = calloc(1, GUEST_SIZE);
	CHECK(!mem_add(&hca.mem, GUEST, GUEST_SIZE, ram));
	ram_next = GUEST;
	irq_fd = eventfd(0, EFD_NONBLOCK);
	irq_assign(&hca.irqs, 0, irq_fd);
	simple_cmd(MLX5_CMD_OP_ENABLE_HCA);
	simple_cmd(MLX5_CMD_OP_INIT_HCA);
	uar = simple_cmd(MLX5_CMD_OP_ALLOC_UAR);
	pd = simple_cmd(MLX5_CMD_OP_ALLOC_PD);
	xrcd = simple_cmd(MLX5_CMD_OP_ALLOC_XRCD);
	make_eq();
	make_cq(&cq, 6, 64);
	lkey = make_pa_mkey(ANY_ACCESS);
}

static inline void stop_hca(void)
{
	hca_fini(&hca);
	loop_fini(&loop);
	free(ram);
}

#endif /* HCA_TEST_DP_ENV_H */
