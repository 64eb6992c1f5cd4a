// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Memory windows, interleaved keys, and keys that UMRs move. */
#include "dp_work.h"

enum {
	MW_BIND = 6, UMR_INLINE = 0x80, UMR_QPN = 8, UMR_MUST_BE_FREE = 0x20,
	REMOTE_ACCESS = 0x13, LOCAL_ACCESS = 0x11, REPEAT_BLOCK = 0x400,
	/* bits of a UMR's mask */
	M_LEN = 1 << 0, M_START = 1 << 6, M_PD = 1 << 7, M_SIGERR = 1 << 9,
	M_BSF = 1 << 12, M_KEY = 1 << 13, M_QPN = 1 << 14, M_LW = 1 << 18,
	M_RR = 1 << 19, M_RW = 1 << 20, M_A = 1 << 21, M_FREE = 1 << 29,
	M_BIND = M_LEN | M_START | M_KEY | M_LW | M_RR | M_RW | M_A | M_FREE,
};

static struct tq a, b;
static u64 src, dst;
static u32 window, memory;

/* A window that is not bound, as the kernel creates it, and local memory. */
static void start_pair(void)
{
	unsigned int i;
	u8 *c;

	start_hca();
	make_pair(&a, &b, ST_RC);
	src = alloc_pages(1);
	dst = alloc_pages(1);
	for (i = 0; i < PAGE; i++)
		ram_at(src)[i] = (u8)(i * 11 + i / 256);
	memory = make_mkey(ACCESS_LOCAL_READ | ACCESS_LOCAL_WRITE, 0, dst, 1);
	c = fill_mkey(ACCESS_LOCAL_READ, 0, 0, 0);
	PRM_SET(mkc, c, access_mode_1_0, MODE_KLM);
	PRM_SET(mkc, c, free, 1);
	PRM_SET(mkc, c, umr_en, 1);
	PRM_SET(mkc, c, translations_octword_size, 4);
	window = send_mkey(0);
}

/* The window of 64 bytes from byte 16 of the memory on; M_FREE alone unbinds it. */
static void bind_window(struct tq *q, u8 access, u32 qpn, u8 flags, u64 mask)
{
	u8 *w, *mkc;

	wqe_begin(q, UMR, SIGNALED, window);
	w = wqe_room(q, 48);
	w[0] = UMR_INLINE | flags;
	put_be16(w + 4, 4);
	put_be64(w + 8, mask);
	mkc = wqe_room(q, 64);
	PRM_SET(mkc, mkc, free, mask == M_FREE);
	PRM_SET(mkc, mkc, lw, access >> 1 & 1);
	PRM_SET(mkc, mkc, rr, access >> 2 & 1);
	PRM_SET(mkc, mkc, rw, access >> 3 & 1);
	PRM_SET(mkc, mkc, a, access >> 4 & 1);
	PRM_SET(mkc, mkc, qpn, qpn);
	PRM_SET(mkc, mkc, mkey_7_0, 0x77);
	PRM_SET(mkc, mkc, start_addr, 0x1000);
	PRM_SET(mkc, mkc, len, 64);
	w = wqe_room(q, 64);
	put_be32(w, 64);
	put_be32(w + 4, memory);
	put_be64(w + 8, 16);
	wqe_end(q);
	ring_sq(q);
}

static u32 window_key(u8 access, u32 qpn)
{
	bind_window(&b, access, qpn, 0, M_BIND | (qpn ? M_QPN : 0));
	expect_cqe(&cq, &b, 0, 0, 0);
	return (window & ~0xffU) | 0x77;
}

/* The memory under it has no remote rights. */
static void window_grants_remote_write(void)
{
	u32 key;

	start_pair();
	key = window_key(ACCESS_REMOTE_WRITE, 0);
	rdma_op(&a, WRITE, 0x1000, key, 64, lkey, src);
	expect_cqe(&cq, &a, 0, 0, 0);
	CHECK(!memcmp(ram_at(dst + 16), ram_at(src), 64));
	rdma_op(&a, READ, 0x1000, key, 64, lkey, src);
	expect_cqe(&cq, &a, 0xd, 1, REMOTE_ACCESS);
	stop_hca();
}

static void window_grants_atomic(void)
{
	u32 key;
	u8 *w;

	start_pair();
	key = window_key(ACCESS_ATOMIC, 0);
	ram_at(dst)[16] = 5;
	wqe_begin(&a, ATOMIC_FA, SIGNALED, 0);
	wqe_raddr(&a, 0x1000, key);
	w = wqe_room(&a, 16);
	put_be64(w, 2);
	wqe_data(&a, 8, lkey, src);
	wqe_end(&a);
	ring_sq(&a);
	expect_cqe(&cq, &a, 0, 0, 0);
	CHECK_EQ(ram_at(dst)[16], 7);
	CHECK_EQ(ram_at(src)[0], 5);
	stop_hca();
}

/* The memory can only be read. */
static void window_memory_read_only_refused(void)
{
	u32 key;

	start_pair();
	memory = make_mkey(ACCESS_LOCAL_READ, 0, dst, 1);
	key = window_key(ACCESS_REMOTE_WRITE, 0);
	rdma_op(&a, WRITE, 0x1000, key, 8, lkey, src);
	expect_cqe(&cq, &a, 0xd, 0, REMOTE_ACCESS);
	CHECK_EQ(ram_at(dst)[17], 0);
	stop_hca();
}

/* Type 2 is bound to a QP, whose peer uses it, and which invalidates it. */
static void window_type_2_own_qp(void)
{
	struct tq c, d;
	u32 key;

	start_pair();
	make_pair(&c, &d, ST_RC);
	key = window_key(ACCESS_REMOTE_WRITE, b.num);
	rdma_op(&c, WRITE, 0x1000, key, 8, lkey, src);
	expect_cqe(&cq, &c, 0xd, 0, REMOTE_ACCESS);
	rdma_op(&a, WRITE, 0x1000, key, 8, lkey, src);
	expect_cqe(&cq, &a, 0, 0, 0);
	bind_window(&a, 0, b.num, UMR_QPN, M_FREE);
	expect_cqe(&cq, &a, 0xd, 1, MW_BIND);
	bind_window(&b, 0, b.num, UMR_QPN, M_FREE);
	expect_cqe(&cq, &b, 0, 3, 0);
	stop_hca();
}

/* libmlx5 invalidates every key like that, also those of mlx5dv_create_mkey(). */
static void unbound_key_invalidated(void)
{
	u32 key;

	start_pair();
	key = window_key(ACCESS_REMOTE_WRITE, 0);
	bind_window(&b, 0, b.num, UMR_QPN, M_FREE);
	expect_cqe(&cq, &b, 0, 3, 0);
	bind_window(&b, ACCESS_REMOTE_WRITE, 0, UMR_MUST_BE_FREE, M_BIND);
	expect_cqe(&cq, &b, 0, 6, 0);
	rdma_op(&a, WRITE, 0x1000, key, 8, lkey, src);
	expect_cqe(&cq, &a, 0, 0, 0);
	stop_hca();
}

/* Two entries of 8 bytes, three times, with a gap of 2 bytes. */
static void interleaved_key_written(void)
{
	unsigned int i;
	u32 key;
	u8 *c;

	start_pair();
	c = fill_mkey(ANY_ACCESS, 0, 0, 0);
	PRM_SET(mkc, c, access_mode_1_0, MODE_KLM);
	PRM_SET(mkc, c, len, 48);
	PRM_SET(mkc, c, translations_octword_size, 4);
	PRM_SET(create_mkey_in, in, translations_octword_actual_size, 4);
	c = in + 0x110;
	put_be32(c, 16);
	put_be32(c + 4, REPEAT_BLOCK);
	put_be32(c + 8, 3);
	put_be16(c + 14, 2);
	for (i = 0; i < 2; i++) {
		c += 16;
		put_be16(c, 10);
		put_be16(c + 2, 8);
		put_be32(c + 4, memory);
		put_be64(c + 8, 64 * i);
	}
	key = send_mkey(64);
	rdma_op(&a, WRITE, 0, key, 48, lkey, src);
	expect_cqe(&cq, &a, 0, 0, 0);
	for (i = 0; i < 3; i++) {
		CHECK(!memcmp(ram_at(dst + 10 * i), ram_at(src + 16 * i), 8));
		CHECK(!memcmp(ram_at(dst + 64 + 10 * i),
			      ram_at(src + 16 * i + 8), 8));
		CHECK_EQ(ram_at(dst + 10 * i)[8], 0);
	}
	stop_hca();
}

static void umr_field_unknown_refused(void)
{
	start_pair();
	bind_window(&b, 0, 0, 0, M_BIND | M_SIGERR);
	expect_cqe(&cq, &b, 0xd, 0, MW_BIND);
	stop_hca();
}

static void mkey_signature_refused(void)
{
	u8 *c;

	start_pair();
	c = fill_mkey(ANY_ACCESS, 0, 0, 0);
	PRM_SET(mkc, c, bsf_en, 1);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_CREATE_MKEY, 0x110), FW_BAD_PARAM);
	stop_hca();
}

/* The old PD can be freed, the new one is in use. */
static void umr_moves_reference(void)
{
	u32 key, new;
	struct tq u;
	u8 *mkc;

	start_pair();
	new = simple_cmd(MLX5_CMD_OP_ALLOC_PD);
	pd = simple_cmd(MLX5_CMD_OP_ALLOC_PD);
	key = make_mkey(ANY_ACCESS, 0, dst, 1);
	make_qp(&u, ST_REG_UMR);
	to_rtr(&u, 0);
	to_rts(&u, 0);
	wqe_begin(&u, UMR, SIGNALED, key);
	put_be64(wqe_room(&u, 48) + 8, M_PD);
	mkc = wqe_room(&u, 64);
	PRM_SET(mkc, mkc, pd, new);
	wqe_end(&u);
	ring_sq(&u);
	expect_cqe(&cq, &u, 0, 0, 0);
	move_qp(&u, MLX5_CMD_OP_2RST_QP);
	clear_in();
	PRM_SET(destroy_qp_in, in, qpn, u.num);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_DESTROY_QP, 16), FW_OK);
	clear_in();
	PRM_SET(dealloc_pd_in, in, pd, pd);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_DEALLOC_PD, 16), FW_OK);
	PRM_SET(dealloc_pd_in, in, pd, new);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_DEALLOC_PD, 16), FW_BAD_RES_STATE);
	stop_hca();
}

/* The key does not allow it; the receive fails as well. */
static void send_invalidate_refused(void)
{
	start_pair();
	post_recv(&b, 8, lkey, dst);
	send_op(&a, SEND_INVAL, memory, 4, lkey, src);
	expect_cqe(&cq, &b, 0xe, 0, LOCAL_ACCESS);
	expect_cqe(&cq, &a, 0xd, 0, REMOTE_ACCESS);
	stop_hca();
}

int main(void)
{
	static const struct hca_test tests[] = {
		TAP(window_grants_remote_write),
		TAP(window_grants_atomic),
		TAP(window_memory_read_only_refused),
		TAP(window_type_2_own_qp),
		TAP(unbound_key_invalidated),
		TAP(interleaved_key_written),
		TAP(umr_field_unknown_refused),
		TAP(mkey_signature_refused),
		TAP(umr_moves_reference),
		TAP(send_invalidate_refused),
	};

	return TAP_RUN(tests);
}
