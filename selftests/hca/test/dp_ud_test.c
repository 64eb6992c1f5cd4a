// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Datagrams. */
#include "dp_work.h"

enum { QKEY = 0x1111, GRH = 40, V2_IPV4 = 1, V2_IPV6 = 2, V1 = 3 };

static struct tq a, b;
static u64 src, dst;

static const u8 ipv4_gid[16] = {
	[10] = 0xff, [11] = 0xff, 192, 0, 2, 1,
};

static const u8 ipv6_gid[16] = { 0xfe, 0x80, [15] = 1 };

static void set_gid(unsigned int i, const u8 gid[16], u8 version)
{
	u8 *c = in + PRM_BYTE(set_roce_address_in, roce_address);

	clear_in();
	PRM_SET(set_roce_address_in, in, roce_address_index, i);
	memcpy(c, gid, 16);
	PRM_SET(roce_addr_layout, c, roce_version, version);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_SET_ROCE_ADDRESS, 48), FW_OK);
}

static void start_pair(void)
{
	start_hca();
	make_pair(&a, &b, ST_UD);
	set_gid(V2_IPV4, ipv4_gid, 2);
	set_gid(V2_IPV6, ipv6_gid, 2);
	set_gid(V1, ipv6_gid, 0);
	src = alloc_pages(2);
	dst = alloc_pages(2);
	put_text(src, "datagram");
}

static void send_to(u32 qpn, u32 qkey, unsigned int gid, u8 op, u32 len)
{
	u8 *av;

	wqe_begin(&a, op, SIGNALED, 0xbeef);
	av = wqe_room(&a, 48);
	put_be32(av, qkey);
	put_be32(av + 8, 1U << 31 | qpn);
	av[0x1a] = 0x12;
	av[0x1b] = 64;
	put_be32(av + 0x1c, 1 << 30 | gid << 20 | 0x345);
	memcpy(av + 0x20, gid == V2_IPV4 ? ipv4_gid : ipv6_gid, 16);
	wqe_data(&a, len, lkey, src);
	wqe_end(&a);
	ring_sq(&a);
}

static const u8 *expect_received(u32 type, u32 len)
{
	const u8 *cqe = expect_cqe(&cq, &b, 2, 0, 0);

	CHECK_EQ(get_be32(cqe + 0x2c), GRH + len);
	CHECK_EQ(get_be32(cqe + 0x18), 1 << 28 | type << 24 | a.num);
	expect_cqe(&cq, &a, 0, 0, 0);
	CHECK(!strcmp((char *)ram_at(dst + GRH), "datagram"));
	return ram_at(dst);
}

static void header_ipv4_written(void)
{
	const u8 *ip;
	u32 sum = 0;
	int i;

	start_pair();
	post_recv(&b, 200, lkey, dst);
	send_to(b.num, QKEY, V2_IPV4, SEND, 100);
	ip = expect_received(2, 100) + 20;
	CHECK_EQ(ip[0], 0x45);
	CHECK_EQ(ip[1], 0x12);
	CHECK_EQ(get_be16(ip + 2), 20 + 8 + 12 + 8 + 100 + 4);
	CHECK_EQ(ip[8], 64);
	CHECK_EQ(ip[9], 17);
	CHECK(!memcmp(ip + 12, ipv4_gid + 12, 4));
	CHECK(!memcmp(ip + 16, ipv4_gid + 12, 4));
	for (i = 0; i < 20; i += 2)
		sum += get_be16(ip + i);
	CHECK_EQ((sum & 0xffff) + (sum >> 16), 0xffff);
	stop_hca();
}

static void header_ipv6_written(void)
{
	const u8 *ip;

	start_pair();
	post_recv(&b, 200, lkey, dst);
	send_to(b.num, QKEY, V2_IPV6, SEND, 100);
	ip = expect_received(1, 100);
	CHECK_EQ(get_be32(ip), 6U << 28 | 0x12 << 20 | 0x345);
	CHECK_EQ(ip[6], 17);
	CHECK(!memcmp(ip + 8, ipv6_gid, 16));
	CHECK(!memcmp(ip + 24, ipv6_gid, 16));
	stop_hca();
}

static void header_roce_v1_written(void)
{
	start_pair();
	post_recv(&b, 200, lkey, dst);
	send_to(b.num, QKEY, V1, SEND, 100);
	CHECK_EQ(expect_received(0, 100)[6], 0x1b);
	stop_hca();
}

static void immediate_arrives(void)
{
	const u8 *cqe;

	start_pair();
	post_recv(&b, 200, lkey, dst);
	send_to(b.num, QKEY, V1, SEND_IMM, 100);
	cqe = expect_cqe(&cq, &b, 3, 0, 0);
	CHECK_EQ(get_be32(cqe + 0x24), 0xbeef);
	stop_hca();
}

/* The sender's completion has no error. */
static void is_lost(void)
{
	expect_cqe(&cq, &a, 0, 0, 0);
	CHECK(!poll_cq(&cq));
	CHECK_EQ(ram_at(dst)[GRH], 0);
	stop_hca();
}

static void qkey_wrong_lost(void)
{
	start_pair();
	post_recv(&b, 200, lkey, dst);
	send_to(b.num, QKEY + 1, V1, SEND, 100);
	is_lost();
}

/* With the highest bit set, the sender's own Q_Key is used. */
static void qkey_of_qp_used(void)
{
	start_pair();
	post_recv(&b, 200, lkey, dst);
	send_to(b.num, 0x80000000, V1, SEND, 100);
	expect_received(0, 100);
	stop_hca();
}

static void qp_unknown_lost(void)
{
	start_pair();
	send_to(0x123456, QKEY, V1, SEND, 100);
	is_lost();
}

static void receive_missing_lost(void)
{
	start_pair();
	send_to(b.num, QKEY, V1, SEND, 100);
	is_lost();
}

static void qp_connected_lost(void)
{
	struct tq c, d;

	start_pair();
	make_pair(&c, &d, ST_RC);
	post_recv(&c, 200, lkey, dst);
	send_to(c.num, QKEY, V1, SEND, 100);
	is_lost();
}

static void receive_short_fails_receiver(void)
{
	start_pair();
	post_recv(&b, GRH + 99, lkey, dst);
	send_to(b.num, QKEY, V1, SEND, 100);
	expect_cqe(&cq, &b, 0xe, 0, 1);
	expect_cqe(&cq, &a, 0, 0, 0);
	CHECK_EQ(qp_state(&b), QP_ERR);
	CHECK_EQ(qp_state(&a), QP_RTS);
	stop_hca();
}

static void message_long_local_length(void)
{
	start_pair();
	send_to(b.num, QKEY, V1, SEND, 4097);
	expect_cqe(&cq, &a, 0xd, 0, 1);
	CHECK_EQ(qp_state(&a), QP_SQER);
	stop_hca();
}

static void rdma_refused_qp_op(void)
{
	start_pair();
	send_to(b.num, QKEY, V1, WRITE, 8);
	expect_cqe(&cq, &a, 0xd, 0, 2);
	stop_hca();
}

/* Messages to QP 1 go to the QP of type QP1. */
static void qp1_any_qkey_received(void)
{
	struct tq c;

	start_pair();
	make_qp(&c, ST_QP1);
	to_rtr(&c, 0);
	post_recv(&c, 200, lkey, dst);
	send_to(1, 0x80010000, V1, SEND, 100);
	CHECK_EQ(get_be32(expect_cqe(&cq, &c, 2, 0, 0) + 0x2c), GRH + 100);
	move_qp(&c, MLX5_CMD_OP_2RST_QP);
	clear_in();
	PRM_SET(destroy_qp_in, in, qpn, c.num);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_DESTROY_QP, 16), FW_OK);
	expect_cqe(&cq, &a, 0, 0, 0);
	send_to(1, 0x80010000, V1, SEND, 100);
	expect_cqe(&cq, &a, 0, 2, 0);
	CHECK(!poll_cq(&cq));
	stop_hca();
}

static void change_group(u16 op, const struct tq *q)
{
	clear_in();
	PRM_SET(attach_to_mcg_in, in, qpn, q->num);
	memcpy(in + PRM_BYTE(attach_to_mcg_in, multicast_gid), ipv6_gid, 16);
	CHECK_EQ(send_cmd(op, 32), FW_OK);
}

/* All QPs of the group get it, the sender as well, unless it blocks that. */
static void multicast_group_received(void)
{
	struct tq c;
	u8 *ctx;

	start_pair();
	ctx = fill_qp(&c, ST_UD);
	PRM_SET(qpc, ctx, block_lb_mc, 1);
	send_qp(&c);
	to_rtr(&c, 0);
	change_group(MLX5_CMD_OP_ATTACH_TO_MCG, &a);
	change_group(MLX5_CMD_OP_ATTACH_TO_MCG, &b);
	change_group(MLX5_CMD_OP_ATTACH_TO_MCG, &c);
	post_recv(&a, 200, lkey, dst + 512);
	post_recv(&b, 200, lkey, dst);
	post_recv(&c, 200, lkey, dst + 1024);
	send_to(0xffffff, QKEY, V1, SEND, 100);
	expect_cqe(&cq, &a, 2, 0, 0);
	expect_cqe(&cq, &b, 2, 0, 0);
	expect_cqe(&cq, &c, 2, 0, 0);
	expect_cqe(&cq, &a, 0, 0, 0);
	CHECK(!strcmp((char *)ram_at(dst + GRH), "datagram"));
	CHECK(!strcmp((char *)ram_at(dst + 512 + GRH), "datagram"));
	CHECK(!strcmp((char *)ram_at(dst + 1024 + GRH), "datagram"));
	/* Another group, and a QP that left */
	send_to(0xffffff, QKEY, V2_IPV4, SEND, 100);
	expect_cqe(&cq, &a, 0, 2, 0);
	change_group(MLX5_CMD_OP_DETACH_FROM_MCG, &a);
	post_recv(&b, 200, lkey, dst);
	send_to(0xffffff, QKEY, V1, SEND, 100);
	expect_cqe(&cq, &b, 2, 1, 0);
	expect_cqe(&cq, &a, 0, 4, 0);
	stop_hca();
}

static void multicast_loopback_blocked(void)
{
	u8 *ctx;

	start_pair();
	ctx = fill_qp(&a, ST_UD);
	PRM_SET(qpc, ctx, block_lb_mc, 1);
	send_qp(&a);
	to_rtr(&a, 0);
	to_rts(&a, 0);
	change_group(MLX5_CMD_OP_ATTACH_TO_MCG, &a);
	post_recv(&a, 200, lkey, dst);
	send_to(0xffffff, QKEY, V1, SEND, 100);
	is_lost();
}

int main(void)
{
	static const struct hca_test tests[] = {
		TAP(header_ipv4_written),
		TAP(header_ipv6_written),
		TAP(header_roce_v1_written),
		TAP(immediate_arrives),
		TAP(qkey_wrong_lost),
		TAP(qkey_of_qp_used),
		TAP(qp_unknown_lost),
		TAP(receive_missing_lost),
		TAP(qp_connected_lost),
		TAP(receive_short_fails_receiver),
		TAP(message_long_local_length),
		TAP(rdma_refused_qp_op),
		TAP(qp1_any_qkey_received),
		TAP(multicast_group_received),
		TAP(multicast_loopback_blocked),
	};

	return TAP_RUN(tests);
}
