// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Memory keys: translations, indirect keys, UMRs. */
#include "dp_work.h"

enum { MW_BIND = 6, UMR_INLINE = 0x80, MUST_BE_FREE = 0x20, N = 3 * PAGE };

static struct tq a, b;
static u64 src, dst;

static void start_pair(void)
{
	unsigned int i;

	start_hca();
	make_pair(&a, &b, ST_RC);
	src = alloc_pages(4);
	dst = alloc_pages(8);
	for (i = 0; i < 4 * PAGE; i++)
		ram_at(src)[i] = (u8)(i * 11 + i / 256);
}

/* True if a write of @len bytes to @addr of @key succeeds. */
static bool write_lands(u32 key, u64 addr, u32 len)
{
	const u8 *cqe;

	rdma_op(&a, WRITE, addr, key, len, lkey, src);
	cqe = poll_cq(&cq);
	CHECK(cqe);
	return cqe && !(cqe[0x3f] >> 4);
}

/* The pages of @dst in another order, from the middle of the first page on. */
static u32 scattered_mkey(void)
{
	fill_mkey(ANY_ACCESS, 0x123456780, 0, 4);
	prm_set(in, 0x110 * 8, 64, dst + 5 * PAGE);
	prm_set(in, 0x118 * 8, 64, (dst + PAGE) | 3);
	prm_set(in, 0x120 * 8, 64, dst + 3 * PAGE);
	prm_set(in, 0x128 * 8, 64, dst);
	return send_mkey(32);
}

static void pages_scattered_written(void)
{
	u32 key;

	start_pair();
	key = scattered_mkey();
	CHECK(write_lands(key, 0x123456780, N));
	CHECK(!memcmp(ram_at(dst + 5 * PAGE + 0x780), ram_at(src),
		      PAGE - 0x780));
	CHECK(!memcmp(ram_at(dst + PAGE), ram_at(src + PAGE - 0x780), PAGE));
	CHECK(!memcmp(ram_at(dst + 3 * PAGE), ram_at(src + 2 * PAGE - 0x780),
		      PAGE));
	CHECK(!memcmp(ram_at(dst), ram_at(src + 3 * PAGE - 0x780), 0x780));
	CHECK_EQ(ram_at(dst)[0x780], 0);
	stop_hca();
}

static void pages_large_written(void)
{
	u64 big;
	u32 key;
	u8 *c;

	start_pair();
	big = (alloc_pages(64) + 0x1ffff) & ~0x1ffffULL;
	alloc_pages(64);
	c = fill_mkey(ANY_ACCESS, 0x40010000, big, 1);
	prm_set(c, 0x1da, 6, 17);
	PRM_SET(mkc, c, len, 0x10000);
	key = send_mkey(8);
	CHECK(write_lands(key, 0x40011000, N));
	CHECK(!memcmp(ram_at(big + 0x11000), ram_at(src), N));
	stop_hca();
}

static void page_unmapped_refused(void)
{
	u32 key;

	start_pair();
	key = make_mkey(ANY_ACCESS, 0, GUEST + GUEST_SIZE, 1);
	CHECK(!write_lands(key, 0, 8));
	stop_hca();
}

/* On-demand memory: the first page is absent, the second is read-only. */
static void page_absent_or_read_only_refused(void)
{
	u32 key;

	start_pair();
	fill_mkey(ANY_ACCESS, 0, 0, 2);
	prm_set(in, 0x110 * 8, 64, 0);
	prm_set(in, 0x118 * 8, 64, dst | 1);
	key = send_mkey(16);
	rdma_op(&a, READ, PAGE, key, 8, lkey, src);
	expect_cqe(&cq, &a, 0, 0, 0);
	CHECK(!write_lands(key, PAGE, 8));
	stop_hca();
	start_pair();
	fill_mkey(ANY_ACCESS, 0, 0, 1);
	prm_set(in, 0x110 * 8, 64, 0);
	key = send_mkey(8);
	CHECK(!mem_add(&hca.mem, 0, PAGE, ram));
	CHECK(!write_lands(key, 0, 8));
	stop_hca();
}

static void translations_short_refused(void)
{
	u32 key;
	u8 *c;

	start_pair();
	c = fill_mkey(ANY_ACCESS, 0, dst, 2);
	PRM_SET(mkc, c, len, 100 * PAGE);
	key = send_mkey(16);
	CHECK(write_lands(key, PAGE, PAGE));
	CHECK(!write_lands(key, PAGE, PAGE + 1));
	stop_hca();
}

static u8 *put_klm(unsigned int i, u32 len, u32 key, u64 addr)
{
	u8 *p = in + 0x110 + 16 * i;

	put_be32(p, len);
	put_be32(p + 4, key);
	put_be64(p + 8, addr);
	return p;
}

/* The context of an indirect key over @n keys, @len bytes long. */
static u8 *fill_klm(u8 mode, u64 len, unsigned int n)
{
	u8 *c = fill_mkey(ANY_ACCESS, 0, 0, 0);

	PRM_SET(mkc, c, access_mode_1_0, mode);
	PRM_SET(mkc, c, len, len);
	PRM_SET(mkc, c, translations_octword_size, n);
	PRM_SET(create_mkey_in, in, translations_octword_actual_size, n);
	return c;
}

static void klm_key_written(void)
{
	u32 pages, key;

	start_pair();
	pages = scattered_mkey();
	fill_klm(MODE_KLM, N, 3);
	put_klm(0, 100, lkey, dst + 7 * PAGE);
	put_klm(1, 5000, pages, 0x123456780);
	put_klm(2, N - 5100, lkey, dst + 2 * PAGE);
	key = send_mkey(48);
	CHECK(write_lands(key, 10, 5200));
	CHECK(!memcmp(ram_at(dst + 7 * PAGE + 10), ram_at(src), 90));
	CHECK(!memcmp(ram_at(dst + 5 * PAGE + 0x780), ram_at(src + 90),
		      PAGE - 0x780));
	CHECK(!memcmp(ram_at(dst + 2 * PAGE), ram_at(src + 5090), 110));
	/* An access behind the last translation fails. */
	CHECK(!write_lands(key, N - 4, 5));
	stop_hca();
}

static void ksm_key_written(void)
{
	u32 key;
	u8 *c;

	start_pair();
	c = fill_klm(MODE_KSM, 2 * PAGE, 2);
	prm_set(c, 0x1da, 6, 12);
	put_klm(0, 0, lkey, dst + PAGE);
	put_klm(1, 0, lkey, dst);
	key = send_mkey(32);
	CHECK(write_lands(key, 0, 2 * PAGE));
	CHECK(!memcmp(ram_at(dst + PAGE), ram_at(src), PAGE));
	CHECK(!memcmp(ram_at(dst), ram_at(src + PAGE), PAGE));
	stop_hca();
}

/* A key that refers to itself must not recurse without end. */
static void key_recursive_refused(void)
{
	u32 key;
	u8 *c;

	start_pair();
	c = fill_klm(MODE_KLM, PAGE, 1);
	put_klm(0, PAGE, 0, 0);
	key = send_mkey(16);
	c = fill_klm(MODE_KLM, PAGE, 1);
	(void)c;
	put_klm(0, PAGE, key, 0);
	key = send_mkey(16);
	CHECK(!write_lands(key, 0, 8));
	stop_hca();
}

static u32 free_key(void)
{
	u8 *c = fill_mkey(ANY_ACCESS, 0, 0, 2);

	PRM_SET(mkc, c, free, 1);
	PRM_SET(mkc, c, umr_en, 1);
	return send_mkey(16);
}

static void key_free_refused(void)
{
	u32 key;

	start_pair();
	key = free_key();
	CHECK(!write_lands(key, 0, 8));
	stop_hca();
}

/* A UMR by @q: the fields @mask of @mkc, and two pages of @dst if @xlt. */
static void post_umr(struct tq *q, u32 key, u8 flags, u64 mask, const u8 *mkc,
		     bool xlt)
{
	u8 *w;

	wqe_begin(q, UMR, SIGNALED, key);
	w = wqe_room(q, 48);
	w[0] = flags;
	put_be16(w + 4, 1);
	put_be64(w + 8, mask);
	memcpy(wqe_room(q, 64), mkc, 64);
	if (xlt) {
		w = wqe_room(q, 64);
		put_be64(w, dst);
		put_be64(w + 8, dst + PAGE);
	}
	wqe_end(q);
	ring_sq(q);
}

/* FREE, KEY, START_ADDR and LEN, with translations. */
static void umr_makes_key_usable(void)
{
	u8 mkc[64] = { };
	u32 key;

	start_pair();
	key = free_key();
	PRM_SET(mkc, mkc, start_addr, 0x5000);
	PRM_SET(mkc, mkc, len, 2 * PAGE);
	PRM_SET(mkc, mkc, mkey_7_0, 0x43);
	post_umr(&a, key, UMR_INLINE | MUST_BE_FREE,
		 1ULL << 29 | 1 << 13 | 1 << 6 | 1, mkc, true);
	expect_cqe(&cq, &a, 0, 0, 0);
	CHECK(write_lands(key + 1, 0x5010, PAGE));
	CHECK(!memcmp(ram_at(dst + 0x10), ram_at(src), PAGE));
	CHECK(!write_lands(key, 0x5010, PAGE));
	stop_hca();
}

static void umr_key_used_refused(void)
{
	u8 mkc[64] = { };
	u32 key;

	start_pair();
	key = make_mkey(ANY_ACCESS, 0, dst, 1);
	post_umr(&a, key, MUST_BE_FREE, 1ULL << 29, mkc, false);
	expect_cqe(&cq, &a, 0xd, 0, MW_BIND);
	stop_hca();
}

/* Only the driver's own queue may move a key. */
static void umr_foreign_pd_refused(void)
{
	u8 mkc[64] = { };
	struct tq u;
	u32 key, mine;

	start_pair();
	mine = pd;
	pd = simple_cmd(MLX5_CMD_OP_ALLOC_PD);
	key = make_mkey(ANY_ACCESS, 0, dst, 1);
	pd = mine;
	PRM_SET(mkc, mkc, pd, pd);
	make_qp(&u, ST_REG_UMR);
	to_rtr(&u, 0);
	to_rts(&u, 0);
	post_umr(&u, key, 0, 1 << 7, mkc, false);
	expect_cqe(&cq, &u, 0, 0, 0);
	CHECK(write_lands(key, 0, 8));
	post_umr(&a, key, 0, 1 << 7, mkc, false);
	expect_cqe(&cq, &a, 0xd, 1, MW_BIND);
	stop_hca();
}

/* The queue has no PD, so any key can hold the translations. */
static void umr_driver_queue_moves(void)
{
	struct tq u;
	u32 key;
	u8 *w;

	start_pair();
	key = make_mkey(ANY_ACCESS, 0, dst, 1);
	w = fill_qp(&u, ST_REG_UMR);
	PRM_SET(qpc, w, pd, 0);
	send_qp(&u);
	to_rtr(&u, 0);
	to_rts(&u, 0);
	put_be64(ram_at(src), (dst + PAGE) | 3);
	wqe_begin(&u, UMR, SIGNALED, key);
	put_be16(wqe_room(&u, 48) + 4, 1);
	wqe_room(&u, 64);
	wqe_data(&u, 16, lkey, src);
	wqe_end(&u);
	ring_sq(&u);
	expect_cqe(&cq, &u, 0, 0, 0);
	CHECK(write_lands(key, 0, 8));
	CHECK(!memcmp(ram_at(dst + PAGE), ram_at(src), 8));
	CHECK_EQ(ram_at(dst)[1], 0);
	stop_hca();
}

static void umr_past_translations_refused(void)
{
	u8 mkc[64] = { };
	u32 key;

	start_pair();
	key = make_mkey(ANY_ACCESS, 0, dst, 1);
	wqe_begin(&a, UMR, SIGNALED, key);
	wqe_room(&a, 48)[0] = UMR_INLINE | 0x10;
	put_be16(wqe_room(&a, 0) + 20, 1);
	put_be16(wqe_room(&a, 0) + 22, 4);
	memcpy(wqe_room(&a, 64), mkc, 64);
	wqe_room(&a, 64);
	wqe_end(&a);
	ring_sq(&a);
	expect_cqe(&cq, &a, 0xd, 0, MW_BIND);
	stop_hca();
}

static void invalidate_local_frees_key(void)
{
	u32 key;

	start_pair();
	key = make_mkey(ANY_ACCESS, 0, dst, 1);
	CHECK(write_lands(key, 0, 8));
	wqe_begin(&b, LOCAL_INVAL, SIGNALED, key);
	wqe_end(&b);
	ring_sq(&b);
	expect_cqe(&cq, &b, 0, 0, 0);
	CHECK(!write_lands(key, 0, 8));
	stop_hca();
}

static void send_invalidate_frees_key(void)
{
	u32 key;

	start_pair();
	PRM_SET(mkc, fill_mkey(ANY_ACCESS, 0, dst, 1), en_rinval, 1);
	key = send_mkey(8);
	post_recv(&b, 8, lkey, dst);
	send_op(&a, SEND_INVAL, key, 4, lkey, src);
	CHECK_EQ(get_be32(expect_cqe(&cq, &b, 4, 0, 0) + 0x24), key);
	expect_cqe(&cq, &a, 0, 0, 0);
	CHECK(!write_lands(key, 0, 8));
	stop_hca();
}

int main(void)
{
	static const struct hca_test tests[] = {
		TAP(pages_scattered_written),
		TAP(pages_large_written),
		TAP(page_unmapped_refused),
		TAP(page_absent_or_read_only_refused),
		TAP(translations_short_refused),
		TAP(klm_key_written),
		TAP(ksm_key_written),
		TAP(key_recursive_refused),
		TAP(key_free_refused),
		TAP(umr_makes_key_usable),
		TAP(umr_key_used_refused),
		TAP(umr_foreign_pd_refused),
		TAP(umr_driver_queue_moves),
		TAP(umr_past_translations_refused),
		TAP(invalidate_local_frees_key),
		TAP(send_invalidate_frees_key),
	};

	return TAP_RUN(tests);
}
