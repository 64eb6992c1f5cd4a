// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Packets from SQs to RQs: their requests, receives and completions. */
#include "eth_env.h"

static void packet_received(void)
{
	const u8 *cqe;

	start_eth();
	make_rx(0x55, FWD | COUNT, tir[0]);
	post_recv(&rq[0], 1000, lkey, dst);
	send_frame(&udp, 0xc0);
	cqe = expect_packet(&rq[0], 0, (u32)sent_len);
	expect_sent(0);
	/* What was sent, but for the checksums. */
	memset(ram_at(dst) + 24, 0, 2);
	memset(ram_at(dst) + 40, 0, 2);
	CHECK(!memcmp(ram_at(dst), ram_at(src), sent_len));
	CHECK_EQ(cqe[0x1c], 7);
	CHECK_EQ(cqe[0x1d], 2 << 4 | 2 << 2);
	CHECK_EQ(get_be32(cqe + 0x38), 0);
	CHECK_EQ(counted_packets(false), 1);
	CHECK_EQ(counted_packets(true), sent_len);
	stop_hca();
}

static void checksum_bad_reported(void)
{
	const u8 *cqe;

	start_eth();
	make_rx(0x55, FWD, tir[0]);
	post_recv(&rq[0], 1000, lkey, dst);
	send_frame(&udp, 0);
	cqe = expect_packet(&rq[0], 0, (u32)sent_len);
	/* A datagram without checksum is not wrong. */
	CHECK_EQ(cqe[0x1c], 1 | 4);
	CHECK(!memcmp(ram_at(dst), ram_at(src), sent_len));
	stop_hca();
}

/* RQ 0 strips tags, RQ 1 keeps them. */
static void tag_stripped_or_kept(void)
{
	const u8 *cqe;

	start_eth();
	make_rx(0x55, FWD, tir[0]);
	post_recv(&rq[0], 1000, lkey, dst);
	send_frame(&(struct frame){ .tags = 1, .payload = 80 }, 0);
	cqe = expect_packet(&rq[0], 0, (u32)sent_len - 4);
	expect_sent(0);
	CHECK_EQ(cqe[0x1d] & 1, 1);
	CHECK_EQ(get_be16(cqe + 0x1e), 0x6101);
	CHECK(!memcmp(ram_at(dst), ram_at(src), 12));
	CHECK(!memcmp(ram_at(dst) + 12, ram_at(src) + 16, sent_len - 16));
	make_rx(0x55, FWD, tir[1]);
	post_recv(&rq[1], 1000, lkey, dst);
	send_frame(&(struct frame){ .tags = 1, .payload = 80 }, 0);
	cqe = expect_packet(&rq[1], 0, (u32)sent_len);
	CHECK_EQ(cqe[0x1d] & 1, 0);
	CHECK(!memcmp(ram_at(dst), ram_at(src), sent_len));
	stop_hca();
}

static void tag_inserted_headers_inline(void)
{
	u8 *eseg;

	start_eth();
	make_rx(0x55, FWD, tir[1]);
	post_recv(&rq[1], 1000, lkey, dst);
	post_recv(&rq[1], 1000, lkey, dst + PAGE);
	sent_len = frame_put(ram_at(src), &udp);
	wqe_begin(&sq, SEND, SIGNALED, 0);
	eseg = wqe_room(&sq, 16);
	put_be32(eseg + 12, 0x80003021);
	wqe_data(&sq, (u32)sent_len, lkey, src);
	wqe_end(&sq);
	/* The same packet with the first 18 bytes in the request. */
	wqe_begin(&sq, SEND, SIGNALED, 0);
	eseg = wqe_room(&sq, 32);
	put_be16(eseg + 12, 18);
	memcpy(eseg + 14, ram_at(src), 18);
	wqe_data(&sq, (u32)sent_len - 18, lkey, src + 18);
	wqe_end(&sq);
	ring_sq(&sq);
	expect_packet(&rq[1], 0, (u32)sent_len + 4);
	expect_sent(0);
	CHECK_EQ(get_be32(ram_at(dst) + 12), 0x81003021);
	CHECK(!memcmp(ram_at(dst) + 16, ram_at(src) + 12, sent_len - 12));
	expect_packet(&rq[1], 1, (u32)sent_len);
	CHECK(!memcmp(ram_at(dst + PAGE), ram_at(src), sent_len));
	stop_hca();
}

static void receive_missing_lost(void)
{
	start_eth();
	make_rx(0x55, FWD, tir[0]);
	send_frame(&udp, 0);
	expect_sent(0);
	CHECK(!poll_cq(&cq));
	/* The next one arrives. */
	post_recv(&rq[0], 1000, lkey, dst);
	send_frame(&udp, 0);
	expect_packet(&rq[0], 0, (u32)sent_len);
	stop_hca();
}

static void receive_short_fails_queue(void)
{
	start_eth();
	make_rx(0x55, FWD, tir[0]);
	post_recv(&rq[0], 100, lkey, dst);
	post_recv(&rq[0], 1000, lkey, dst);
	send_frame(&udp, 0);
	expect_cqe(&cq, &rq[0], 0xe, 0, 1);
	expect_sent(0);
	/* The other receive is flushed, and the state is that of an error. */
	expect_cqe(&cq, &rq[0], 0xe, 1, 5);
	clear_in();
	PRM_SET(query_rq_in, in, rqn, rq[0].num);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_QUERY_RQ, 16), FW_OK);
	CHECK_EQ(PRM_GET(query_rq_out, out, rq_context.state), 3);
	stop_hca();
}

static void request_bad_fails_queue(void)
{
	static const u8 opcodes[] = { WRITE, READ, UMR, 0x29, 0x3f };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(opcodes); i++) {
		start_eth();
		wqe_begin(&sq, opcodes[i], SIGNALED, 0);
		memset(wqe_room(&sq, 48), 0, 48);
		wqe_end(&sq);
		ring_sq(&sq);
		expect_cqe(&cq, &sq, 0xd, 0, 2);
		clear_in();
		PRM_SET(query_sq_in, in, sqn, sq.num);
		CHECK_EQ(send_cmd(MLX5_CMD_OP_QUERY_SQ, 16), FW_OK);
		CHECK_EQ(PRM_GET(query_sq_out, out, sq_context.state), 3);
		send_frame(&udp, 0);
		expect_cqe(&cq, &sq, 0xd, 1, 5);
		stop_hca();
	}
}

static void inner_checksum_refused(void)
{
	start_eth();
	send_frame(&udp, 0x30);
	expect_cqe(&cq, &sq, 0xd, 0, 2);
	stop_hca();
}

static void key_bad_local_prot(void)
{
	start_eth();
	wqe_begin(&sq, SEND, SIGNALED, 0);
	wqe_room(&sq, 16);
	wqe_data(&sq, 100, lkey ^ 1, src);
	wqe_end(&sq);
	ring_sq(&sq);
	expect_cqe(&cq, &sq, 0xd, 0, 4);
	stop_hca();
}

static void link_down_lost(void)
{
	start_eth();
	make_rx(0x55, FWD, tir[0]);
	post_recv(&rq[0], 1000, lkey, dst);
	set_link(2);
	send_frame(&udp, 0);
	expect_sent(0);
	CHECK(!poll_cq(&cq));
	stop_hca();
}

static void large_packet_segmented(void)
{
	unsigned int i;
	size_t at = 54;
	u8 *eseg;

	start_eth();
	make_rx(0x55, FWD, tir[0]);
	for (i = 0; i < 3; i++)
		post_recv(&rq[0], 1518, lkey, dst + i * 2048);
	sent_len = frame_put(ram_at(src), &(struct frame){
		.ip = 4, .proto = 6, .payload = 2500 });
	wqe_begin(&sq, 0x0e, SIGNALED, 0);
	eseg = wqe_room(&sq, 16 + 64);
	put_be16(eseg + 6, 1000);
	put_be16(eseg + 12, (u16)at);
	memcpy(eseg + 14, ram_at(src), at);
	wqe_data(&sq, 2500, lkey, src + at);
	wqe_end(&sq);
	ring_sq(&sq);
	for (i = 0; i < 3; i++) {
		size_t n = i < 2 ? 1000 : 500;

		CHECK_EQ(expect_packet(&rq[0], (u16)i, (u32)(at + n))[0x1c], 7);
		CHECK(!memcmp(ram_at(dst + i * 2048) + at,
			      ram_at(src) + at + 1000UL * i, n));
	}
	expect_sent(0);
	stop_hca();
}

int main(void)
{
	static const struct hca_test tests[] = {
		TAP(packet_received),
		TAP(checksum_bad_reported),
		TAP(tag_stripped_or_kept),
		TAP(tag_inserted_headers_inline),
		TAP(receive_missing_lost),
		TAP(receive_short_fails_queue),
		TAP(request_bad_fails_queue),
		TAP(inner_checksum_refused),
		TAP(key_bad_local_prot),
		TAP(link_down_lost),
		TAP(large_packet_segmented),
	};

	return TAP_RUN(tests);
}
