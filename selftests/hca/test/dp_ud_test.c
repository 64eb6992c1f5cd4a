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

	clear();
	PRM_SET(set_roce_address_in, in, roce_address_index, i);
	memcpy(c, gid, 16);
	PRM_SET(roce_addr_layout, c, roce_version, version);
	CHECK_EQ(cmd(0x761, 48), FW_OK);
}

static void start_pair(void)
{
	start();
	make_pair(&a, &b, ST_UD);
	set_gid(V2_IPV4, ipv4_gid, 2);
	set_gid(V2_IPV6, ipv6_gid, 2);
	set_gid(V1, ipv6_gid, 0);
	src = alloc(2);
	dst = alloc(2);
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
	ring(&a);
}

static const u8 *received(u32 kind, u32 len)
{
	const u8 *cqe = expect_cqe(&cq, &b, 2, 0, 0);

	CHECK_EQ(get_be32(cqe + 0x2c), GRH + len);
	CHECK_EQ(get_be32(cqe + 0x18), 1 << 28 | kind << 24 | a.num);
	expect_cqe(&cq, &a, 0, 0, 0);
	CHECK(!strcmp((char *)at(dst + GRH), "datagram"));
	return at(dst);
}

static void over_ipv4(void)
{
	const u8 *ip;
	u32 sum = 0;
	int i;

	start_pair();
	post_recv(&b, 200, lkey, dst);
	send_to(b.num, QKEY, V2_IPV4, SEND, 100);
	ip = received(2, 100) + 20;
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
	stop();
}

static void over_ipv6(void)
{
	const u8 *ip;

	start_pair();
	post_recv(&b, 200, lkey, dst);
	send_to(b.num, QKEY, V2_IPV6, SEND, 100);
	ip = received(1, 100);
	CHECK_EQ(get_be32(ip), 6U << 28 | 0x12 << 20 | 0x345);
	CHECK_EQ(ip[6], 17);
	CHECK(!memcmp(ip + 8, ipv6_gid, 16));
	CHECK(!memcmp(ip + 24, ipv6_gid, 16));
	stop();
}

static void over_roce_v1(void)
{
	start_pair();
	post_recv(&b, 200, lkey, dst);
	send_to(b.num, QKEY, V1, SEND, 100);
	CHECK_EQ(received(0, 100)[6], 0x1b);
	stop();
}

static void with_immediate(void)
{
	const u8 *cqe;

	start_pair();
	post_recv(&b, 200, lkey, dst);
	send_to(b.num, QKEY, V1, SEND_IMM, 100);
	cqe = expect_cqe(&cq, &b, 3, 0, 0);
	CHECK_EQ(get_be32(cqe + 0x24), 0xbeef);
	stop();
}

/* Sent, as far as the sender learns. */
static void is_lost(void)
{
	expect_cqe(&cq, &a, 0, 0, 0);
	CHECK(!poll_cq(&cq));
	CHECK_EQ(at(dst)[GRH], 0);
	stop();
}

static void wrong_qkey(void)
{
	start_pair();
	post_recv(&b, 200, lkey, dst);
	send_to(b.num, QKEY + 1, V1, SEND, 100);
	is_lost();
}

/* With the highest bit, the sender's own counts. */
static void qkey_of_the_qp(void)
{
	start_pair();
	post_recv(&b, 200, lkey, dst);
	send_to(b.num, 0x80000000, V1, SEND, 100);
	received(0, 100);
	stop();
}

static void nobody_there(void)
{
	start_pair();
	send_to(0x123456, QKEY, V1, SEND, 100);
	is_lost();
}

static void no_receive(void)
{
	start_pair();
	send_to(b.num, QKEY, V1, SEND, 100);
	is_lost();
}

static void to_a_connected_qp(void)
{
	struct tq c, d;

	start_pair();
	make_pair(&c, &d, ST_RC);
	post_recv(&c, 200, lkey, dst);
	send_to(c.num, QKEY, V1, SEND, 100);
	is_lost();
}

static void no_room_for_the_header(void)
{
	start_pair();
	post_recv(&b, GRH + 99, lkey, dst);
	send_to(b.num, QKEY, V1, SEND, 100);
	expect_cqe(&cq, &b, 0xe, 0, 1);
	expect_cqe(&cq, &a, 0, 0, 0);
	CHECK_EQ(qp_state(&b), QP_ERR);
	CHECK_EQ(qp_state(&a), QP_RTS);
	stop();
}

static void too_long(void)
{
	start_pair();
	send_to(b.num, QKEY, V1, SEND, 4097);
	expect_cqe(&cq, &a, 0xd, 0, 1);
	CHECK_EQ(qp_state(&a), QP_SQER);
	stop();
}

static void no_rdma(void)
{
	start_pair();
	send_to(b.num, QKEY, V1, WRITE, 8);
	expect_cqe(&cq, &a, 0xd, 0, 2);
	stop();
}

/* QP 1 is whichever is of its type. */
static void to_qp1(void)
{
	struct tq c;

	start_pair();
	make_qp(&c, ST_QP1);
	to_rtr(&c, 0);
	post_recv(&c, 200, lkey, dst);
	send_to(1, 0x80010000, V1, SEND, 100);
	CHECK_EQ(get_be32(expect_cqe(&cq, &c, 2, 0, 0) + 0x2c), GRH + 100);
	move(&c, 0x50a);
	clear();
	PRM_SET(destroy_qp_in, in, qpn, c.num);
	CHECK_EQ(cmd(0x501, 16), FW_OK);
	expect_cqe(&cq, &a, 0, 0, 0);
	send_to(1, 0x80010000, V1, SEND, 100);
	expect_cqe(&cq, &a, 0, 2, 0);
	CHECK(!poll_cq(&cq));
	stop();
}

int main(void)
{
	static const struct tap_test tests[] = {
		TAP(over_ipv4),
		TAP(over_ipv6),
		TAP(over_roce_v1),
		TAP(with_immediate),
		TAP(wrong_qkey),
		TAP(qkey_of_the_qp),
		TAP(nobody_there),
		TAP(no_receive),
		TAP(to_a_connected_qp),
		TAP(no_room_for_the_header),
		TAP(too_long),
		TAP(no_rdma),
		TAP(to_qp1),
	};

	return TAP_RUN(tests);
}
