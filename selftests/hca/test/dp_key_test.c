// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Memory keys: translations, keys of keys, requests that change them. */
#include "dp_work.h"

enum { MW_BIND = 6, UMR_INLINE = 0x80, MUST_BE_FREE = 0x20, N = 3 * PAGE };

static struct tq a, b;
static u64 src, dst;

static void start_pair(void)
{
	unsigned int i;

	start();
	make_pair(&a, &b, ST_RC);
	src = alloc(4);
	dst = alloc(8);
	for (i = 0; i < 4 * PAGE; i++)
		at(src)[i] = (u8)(i * 11 + i / 256);
}

/* Whether a write of @len bytes to @addr of @key is done. */
static bool writes(u32 key, u64 addr, u32 len)
{
	const u8 *cqe;

	rdma_op(&a, WRITE, addr, key, len, lkey, src);
	cqe = poll_cq(&cq);
	CHECK(cqe);
	return cqe && !(cqe[0x3f] >> 4);
}

/* The pages of @dst in another order, from the middle of the first on. */
static u32 scattered(void)
{
	fill_mkey(ANY_ACCESS, 0x123456780, 0, 4);
	prm_set(in, 0x110 * 8, 64, dst + 5 * PAGE);
	prm_set(in, 0x118 * 8, 64, (dst + PAGE) | 3);
	prm_set(in, 0x120 * 8, 64, dst + 3 * PAGE);
	prm_set(in, 0x128 * 8, 64, dst);
	return send_mkey(32);
}

static void pages_in_any_order(void)
{
	u32 key;

	start_pair();
	key = scattered();
	CHECK(writes(key, 0x123456780, N));
	CHECK(!memcmp(at(dst + 5 * PAGE + 0x780), at(src), PAGE - 0x780));
	CHECK(!memcmp(at(dst + PAGE), at(src + PAGE - 0x780), PAGE));
	CHECK(!memcmp(at(dst + 3 * PAGE), at(src + 2 * PAGE - 0x780), PAGE));
	CHECK(!memcmp(at(dst), at(src + 3 * PAGE - 0x780), 0x780));
	CHECK_EQ(at(dst)[0x780], 0);
	stop();
}

static void large_pages(void)
{
	u64 big;
	u32 key;
	u8 *c;

	start_pair();
	big = (alloc(64) + 0x1ffff) & ~0x1ffffULL;
	alloc(64);
	c = fill_mkey(ANY_ACCESS, 0x40010000, big, 1);
	prm_set(c, 0x1da, 6, 17);
	PRM_SET(mkc, c, len, 0x10000);
	key = send_mkey(8);
	CHECK(writes(key, 0x40011000, N));
	CHECK(!memcmp(at(big + 0x11000), at(src), N));
	stop();
}

static void page_outside_of_memory(void)
{
	u32 key;

	start_pair();
	key = make_mkey(ANY_ACCESS, 0, GUEST + GUEST_SIZE, 1);
	CHECK(!writes(key, 0, 8));
	stop();
}

static void fewer_translations_than_its_length(void)
{
	u32 key;
	u8 *c;

	start_pair();
	c = fill_mkey(ANY_ACCESS, 0, dst, 2);
	PRM_SET(mkc, c, len, 100 * PAGE);
	key = send_mkey(16);
	CHECK(writes(key, PAGE, PAGE));
	CHECK(!writes(key, PAGE, PAGE + 1));
	stop();
}

static u8 *klm(unsigned int i, u32 len, u32 key, u64 addr)
{
	u8 *p = in + 0x110 + 16 * i;

	put_be32(p, len);
	put_be32(p + 4, key);
	put_be64(p + 8, addr);
	return p;
}

/* The context of a key of @n keys, @len bytes long. */
static u8 *fill_klm(u8 mode, u64 len, unsigned int n)
{
	u8 *c = fill_mkey(ANY_ACCESS, 0, 0, 0);

	PRM_SET(mkc, c, access_mode_1_0, mode);
	PRM_SET(mkc, c, len, len);
	PRM_SET(mkc, c, translations_octword_size, n);
	PRM_SET(create_mkey_in, in, translations_octword_actual_size, n);
	return c;
}

static void key_of_keys(void)
{
	u32 pages, key;

	start_pair();
	pages = scattered();
	fill_klm(MODE_KLM, N, 3);
	klm(0, 100, lkey, dst + 7 * PAGE);
	klm(1, 5000, pages, 0x123456780);
	klm(2, N - 5100, lkey, dst + 2 * PAGE);
	key = send_mkey(48);
	CHECK(writes(key, 10, 5200));
	CHECK(!memcmp(at(dst + 7 * PAGE + 10), at(src), 90));
	CHECK(!memcmp(at(dst + 5 * PAGE + 0x780), at(src + 90),
		      PAGE - 0x780));
	CHECK(!memcmp(at(dst + 2 * PAGE), at(src + 5090), 110));
	/* What is behind the last one is nowhere. */
	CHECK(!writes(key, N - 4, 5));
	stop();
}

static void key_of_equal_keys(void)
{
	u32 key;
	u8 *c;

	start_pair();
	c = fill_klm(MODE_KSM, 2 * PAGE, 2);
	prm_set(c, 0x1da, 6, 12);
	klm(0, 0, lkey, dst + PAGE);
	klm(1, 0, lkey, dst);
	key = send_mkey(32);
	CHECK(writes(key, 0, 2 * PAGE));
	CHECK(!memcmp(at(dst + PAGE), at(src), PAGE));
	CHECK(!memcmp(at(dst), at(src + PAGE), PAGE));
	stop();
}

/* A key that stands for itself ends somewhere. */
static void key_of_itself(void)
{
	u32 key;
	u8 *c;

	start_pair();
	c = fill_klm(MODE_KLM, PAGE, 1);
	klm(0, PAGE, 0, 0);
	key = send_mkey(16);
	c = fill_klm(MODE_KLM, PAGE, 1);
	(void)c;
	klm(0, PAGE, key, 0);
	key = send_mkey(16);
	CHECK(!writes(key, 0, 8));
	stop();
}

static u32 free_key(void)
{
	u8 *c = fill_mkey(ANY_ACCESS, 0, 0, 2);

	PRM_SET(mkc, c, free, 1);
	PRM_SET(mkc, c, umr_en, 1);
	return send_mkey(16);
}

static void free_is_not_usable(void)
{
	u32 key;

	start_pair();
	key = free_key();
	CHECK(!writes(key, 0, 8));
	stop();
}

/* A UMR of @q: @mask of what @mkc says, two pages of @dst if @xlt. */
static void umr(struct tq *q, u32 key, u8 flags, u64 mask, const u8 *mkc,
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
	ring(q);
}

/* FREE, KEY, START_ADDR and LEN, with translations. */
static void umr_makes_it_usable(void)
{
	u8 mkc[64] = { };
	u32 key;

	start_pair();
	key = free_key();
	PRM_SET(mkc, mkc, start_addr, 0x5000);
	PRM_SET(mkc, mkc, len, 2 * PAGE);
	PRM_SET(mkc, mkc, mkey_7_0, 0x43);
	umr(&a, key, UMR_INLINE | MUST_BE_FREE,
	    1ULL << 29 | 1 << 13 | 1 << 6 | 1, mkc, true);
	expect_cqe(&cq, &a, 0, 0, 0);
	CHECK(writes(key + 1, 0x5010, PAGE));
	CHECK(!memcmp(at(dst + 0x10), at(src), PAGE));
	CHECK(!writes(key, 0x5010, PAGE));
	stop();
}

static void umr_of_a_key_in_use(void)
{
	u8 mkc[64] = { };
	u32 key;

	start_pair();
	key = make_mkey(ANY_ACCESS, 0, dst, 1);
	umr(&a, key, MUST_BE_FREE, 1ULL << 29, mkc, false);
	expect_cqe(&cq, &a, 0xd, 0, MW_BIND);
	stop();
}

/* Only the driver's own queue may. */
static void umr_of_another_pd(void)
{
	u8 mkc[64] = { };
	struct tq u;
	u32 key, mine;

	start_pair();
	mine = pd;
	pd = simple(0x800);
	key = make_mkey(ANY_ACCESS, 0, dst, 1);
	pd = mine;
	PRM_SET(mkc, mkc, pd, pd);
	make_qp(&u, ST_REG_UMR);
	to_rtr(&u, 0);
	to_rts(&u, 0);
	umr(&u, key, 0, 1 << 7, mkc, false);
	expect_cqe(&cq, &u, 0, 0, 0);
	CHECK(writes(key, 0, 8));
	umr(&a, key, 0, 1 << 7, mkc, false);
	expect_cqe(&cq, &a, 0xd, 1, MW_BIND);
	stop();
}

/* It has none itself: translations come from what any key stands for. */
static void umr_of_the_drivers_queue(void)
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
	put_be64(at(src), (dst + PAGE) | 3);
	wqe_begin(&u, UMR, SIGNALED, key);
	put_be16(wqe_room(&u, 48) + 4, 1);
	wqe_room(&u, 64);
	wqe_data(&u, 16, lkey, src);
	wqe_end(&u);
	ring(&u);
	expect_cqe(&cq, &u, 0, 0, 0);
	CHECK(writes(key, 0, 8));
	CHECK(!memcmp(at(dst + PAGE), at(src), 8));
	CHECK_EQ(at(dst)[1], 0);
	stop();
}

static void umr_past_its_translations(void)
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
	ring(&a);
	expect_cqe(&cq, &a, 0xd, 0, MW_BIND);
	stop();
}

static void local_invalidate(void)
{
	u32 key;

	start_pair();
	key = make_mkey(ANY_ACCESS, 0, dst, 1);
	CHECK(writes(key, 0, 8));
	wqe_begin(&b, LOCAL_INVAL, SIGNALED, key);
	wqe_end(&b);
	ring(&b);
	expect_cqe(&cq, &b, 0, 0, 0);
	CHECK(!writes(key, 0, 8));
	stop();
}

static void send_and_invalidate(void)
{
	u32 key;

	start_pair();
	key = make_mkey(ANY_ACCESS, 0, dst, 1);
	post_recv(&b, 8, lkey, dst);
	send_op(&a, SEND_INVAL, key, 4, lkey, src);
	CHECK_EQ(get_be32(expect_cqe(&cq, &b, 4, 0, 0) + 0x24), key);
	expect_cqe(&cq, &a, 0, 0, 0);
	CHECK(!writes(key, 0, 8));
	stop();
}

int main(void)
{
	static const struct tap_test tests[] = {
		TAP(pages_in_any_order),
		TAP(large_pages),
		TAP(page_outside_of_memory),
		TAP(fewer_translations_than_its_length),
		TAP(key_of_keys),
		TAP(key_of_equal_keys),
		TAP(key_of_itself),
		TAP(free_is_not_usable),
		TAP(umr_makes_it_usable),
		TAP(umr_of_a_key_in_use),
		TAP(umr_of_another_pd),
		TAP(umr_of_the_drivers_queue),
		TAP(umr_past_its_translations),
		TAP(local_invalidate),
		TAP(send_and_invalidate),
	};

	return TAP_RUN(tests);
}
