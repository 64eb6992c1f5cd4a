// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Packets through raw packet QPs and flow rules of stock verbs, compared byte by
 * byte. mlx5_devx has no part in them. The port has a loopback plug.
 */
#include <arpa/inet.h>
#include <string.h>
#include <time.h>

#include "kselftest_harness.h"
#include "mdx_utils.h"

enum {
	QPS = 2,
	BUF_LEN = 2048,
	PACKET_LEN = 300,
	ETH_LEN = 14,
	IP_LEN = 20,
	UDP_LEN = 8,
	IP_SUM = ETH_LEN + 10,
	IP_DST = ETH_LEN + 16,
	UDP_AT = ETH_LEN + IP_LEN,
	SRC_PORT = 1234,
	RECV_ID = 100,
	SEND_ID = 200,
	/* Completions come while a request is posted, or soon after it. */
	QUIET_MS = 50,
	WAIT_MS = 5000,
};

/* Not multicast: stock drivers ignore the priority of rules for that alone. */
static const uint8_t dmac[] = { 0x02, 0x50, 0x56, 0x19, 0x20, 0xa7 };

/* Each QP has a CQ and a buffer; the first one sends, from the last buffer. */
FIXTURE(eth)
{
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	struct ibv_cq *cq[QPS];
	struct ibv_qp *qp[QPS];
	struct ibv_mr *mr;
	struct ibv_flow *flow[4];
	int flows;
	struct ibv_counters *counters;
	uint8_t buf[QPS + 1][BUF_LEN];
};

static struct ibv_qp *raw_qp(struct ibv_pd *pd, struct ibv_cq *cq)
{
	struct ibv_qp_init_attr init = {
		.send_cq = cq, .recv_cq = cq, .qp_type = IBV_QPT_RAW_PACKET,
		.cap = {
			.max_send_wr = 16, .max_recv_wr = 16,
			.max_send_sge = 1, .max_recv_sge = 1,
		},
		.sq_sig_all = 1,
	};
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_INIT, .port_num = 1 };
	struct ibv_qp *qp = ibv_create_qp(pd, &init);

	if (!qp || ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PORT))
		return NULL;
	attr.qp_state = IBV_QPS_RTR;
	if (ibv_modify_qp(qp, &attr, IBV_QP_STATE))
		return NULL;
	attr.qp_state = IBV_QPS_RTS;
	return ibv_modify_qp(qp, &attr, IBV_QP_STATE) ? NULL : qp;
}

/* A driver that was bound again leaves the port down. */
static bool bring_link_up(struct ibv_context *ctx)
{
	const char *name = ibv_get_device_name(ctx->device);
	struct ibv_port_attr attr;
	int i;

	run("for n in /sys/class/infiniband/%s/device/net/*; do ip link set ${n##*/} up; done",
	    name);
	for (i = 0; i < 500; i++, usleep(20000))
		if (!ibv_query_port(ctx, 1, &attr) &&
		    attr.state == IBV_PORT_ACTIVE)
			return true;
	return false;
}

FIXTURE_SETUP(eth)
{
	int i;

	SETUP_DEVICE(return);
	if (!hca_expected())
		SKIP(return, "no port whose packets come back (MDX_HCA)");
	self->ctx = ibv_open_device(mdx_ibv_device());
	ASSERT_NE(NULL, self->ctx);
	ASSERT_TRUE(bring_link_up(self->ctx));
	self->pd = ibv_alloc_pd(self->ctx);
	ASSERT_NE(NULL, self->pd);
	self->mr = ibv_reg_mr(self->pd, self->buf, sizeof(self->buf),
			      IBV_ACCESS_LOCAL_WRITE);
	ASSERT_NE(NULL, self->mr);
	for (i = 0; i < QPS; i++) {
		self->cq[i] = ibv_create_cq(self->ctx, 32, NULL, NULL, 0);
		ASSERT_NE(NULL, self->cq[i]);
		self->qp[i] = raw_qp(self->pd, self->cq[i]);
		ASSERT_NE(NULL, self->qp[i]);
	}
}

FIXTURE_TEARDOWN(eth)
{
	int i;

	while (self->flows)
		EXPECT_EQ(0, ibv_destroy_flow(self->flow[--self->flows]));
	if (self->counters)
		EXPECT_EQ(0, ibv_destroy_counters(self->counters));
	for (i = 0; i < QPS; i++) {
		EXPECT_EQ(0, ibv_destroy_qp(self->qp[i]));
		EXPECT_EQ(0, ibv_destroy_cq(self->cq[i]));
	}
	EXPECT_EQ(0, ibv_dereg_mr(self->mr));
	EXPECT_EQ(0, ibv_dealloc_pd(self->pd));
	EXPECT_EQ(0, ibv_close_device(self->ctx));
}

static void put_be16(uint8_t *p, uint16_t v)
{
	p[0] = v >> 8;
	p[1] = v;
}

/* A datagram over IPv4 to @port, without checksums. */
static void build_packet(uint8_t *p, uint16_t port)
{
	static const uint8_t addrs[] = { 192, 0, 2, 1, 192, 0, 2, 2 };
	int i;

	for (i = 0; i < PACKET_LEN; i++)
		p[i] = i * 11 + 5;
	memcpy(p, dmac, sizeof(dmac));
	put_be16(p + 12, 0x800);
	p[ETH_LEN] = 0x45;
	p[ETH_LEN + 1] = 0;
	put_be16(p + ETH_LEN + 2, PACKET_LEN - ETH_LEN);
	put_be16(p + ETH_LEN + 4, 7);
	put_be16(p + ETH_LEN + 6, 0x4000);
	p[ETH_LEN + 8] = 64;
	p[ETH_LEN + 9] = IPPROTO_UDP;
	put_be16(p + IP_SUM, 0);
	memcpy(p + IP_DST - 4, addrs, sizeof(addrs));
	put_be16(p + UDP_AT, SRC_PORT);
	put_be16(p + UDP_AT + 2, port);
	put_be16(p + UDP_AT + 4, PACKET_LEN - UDP_AT);
	put_be16(p + UDP_AT + 6, 0);
}

/* A rule: the destination, and a port and a counter if they are given. */
struct eth_rule {
	struct ibv_flow_attr attr;
	struct ibv_flow_spec_eth eth;
	uint8_t more[sizeof(struct ibv_flow_spec_ipv4) +
		     sizeof(struct ibv_flow_spec_tcp_udp) +
		     sizeof(struct ibv_flow_spec_counter_action) +
		     sizeof(struct ibv_flow_spec_action_drop)];
	size_t used;
} __packed;

static void rule_begin(struct eth_rule *rule, uint16_t priority)
{
	*rule = (struct eth_rule){
		.attr = {
			.type = IBV_FLOW_ATTR_NORMAL, .size = sizeof(rule->attr),
			.priority = priority, .num_of_specs = 1, .port = 1,
		},
		.eth = {
			.type = IBV_FLOW_SPEC_ETH, .size = sizeof(rule->eth),
		},
	};
	memcpy(rule->eth.val.dst_mac, dmac, sizeof(dmac));
	memset(rule->eth.mask.dst_mac, 0xff, sizeof(dmac));
}

static void rule_add(struct eth_rule *rule, const void *spec, size_t size)
{
	memcpy(rule->more + rule->used, spec, size);
	rule->used += size;
	rule->attr.num_of_specs++;
}

static void rule_add_port(struct eth_rule *rule, uint16_t port)
{
	struct ibv_flow_spec_ipv4 ip = {
		.type = IBV_FLOW_SPEC_IPV4, .size = sizeof(ip),
		.val.dst_ip = htonl(0xc0000202), .mask.dst_ip = 0xffffffff,
	};
	struct ibv_flow_spec_tcp_udp udp = {
		.type = IBV_FLOW_SPEC_UDP, .size = sizeof(udp),
		.val.dst_port = htons(port), .mask.dst_port = 0xffff,
	};

	rule->eth.val.ether_type = htons(0x800);
	rule->eth.mask.ether_type = 0xffff;
	rule_add(rule, &ip, sizeof(ip));
	rule_add(rule, &udp, sizeof(udp));
}

static void rule_add_counter(struct eth_rule *rule,
			     struct ibv_counters *counters)
{
	struct ibv_flow_spec_counter_action count = {
		.type = IBV_FLOW_SPEC_ACTION_COUNT, .size = sizeof(count),
		.counters = counters,
	};

	rule_add(rule, &count, sizeof(count));
}

static void rule_add_drop(struct eth_rule *rule)
{
	struct ibv_flow_spec_action_drop drop = {
		.type = IBV_FLOW_SPEC_ACTION_DROP, .size = sizeof(drop),
	};

	rule_add(rule, &drop, sizeof(drop));
}

static void create_rule(struct __test_metadata *_metadata,
			FIXTURE_DATA(eth) *self, int qp, struct eth_rule *rule)
{
	struct ibv_flow *flow = ibv_create_flow(self->qp[qp], &rule->attr);

	ASSERT_NE(NULL, flow) TH_LOG("ibv_create_flow: errno %d", errno);
	self->flow[self->flows++] = flow;
}

static void post_recv(struct __test_metadata *_metadata,
		      FIXTURE_DATA(eth) *self, int qp)
{
	struct ibv_sge sge = {
		.addr = (uintptr_t)self->buf[qp], .length = BUF_LEN,
		.lkey = self->mr->lkey,
	};
	struct ibv_recv_wr wr = {
		.wr_id = RECV_ID, .sg_list = &sge, .num_sge = 1,
	}, *bad;

	memset(self->buf[qp], 0, BUF_LEN);
	ASSERT_EQ(0, ibv_post_recv(self->qp[qp], &wr, &bad));
}

/* The next completion of the QP; false if none comes. */
static bool next_wc(FIXTURE_DATA(eth) *self, int qp, struct ibv_wc *wc, int ms)
{
	int i;

	for (i = 0; i < ms; i++, usleep(1000))
		if (ibv_poll_cq(self->cq[qp], 1, wc) == 1)
			return true;
	return false;
}

/* Sends from the first QP. A receive's completion may come before its own. */
static void send_packet(struct __test_metadata *_metadata,
			FIXTURE_DATA(eth) *self, uint16_t port,
			unsigned int flags)
{
	struct ibv_sge sge = {
		.addr = (uintptr_t)self->buf[QPS], .length = PACKET_LEN,
		.lkey = self->mr->lkey,
	};
	struct ibv_send_wr wr = {
		.wr_id = SEND_ID, .sg_list = &sge, .num_sge = 1,
		.opcode = IBV_WR_SEND, .send_flags = flags,
	}, *bad;
	struct ibv_wc wc;

	build_packet(self->buf[QPS], port);
	ASSERT_EQ(0, ibv_post_send(self->qp[0], &wr, &bad));
	ASSERT_TRUE(next_wc(self, 0, &wc, WAIT_MS));
	EXPECT_EQ(IBV_WC_SUCCESS, wc.status);
	EXPECT_EQ(SEND_ID, wc.wr_id);
}

static void expect_received(struct __test_metadata *_metadata,
			    FIXTURE_DATA(eth) *self, int qp)
{
	struct ibv_wc wc;

	ASSERT_TRUE(next_wc(self, qp, &wc, WAIT_MS));
	EXPECT_EQ(IBV_WC_SUCCESS, wc.status);
	EXPECT_EQ(RECV_ID, wc.wr_id);
	EXPECT_EQ(IBV_WC_RECV, wc.opcode);
	EXPECT_EQ(PACKET_LEN, wc.byte_len);
	EXPECT_EQ(0, memcmp(self->buf[qp], self->buf[QPS], PACKET_LEN));
}

static void expect_nothing(struct __test_metadata *_metadata,
			   FIXTURE_DATA(eth) *self, int qp)
{
	struct ibv_wc wc;

	EXPECT_FALSE(next_wc(self, qp, &wc, QUIET_MS));
}

TEST_F(eth, packet_of_rule_received)
{
	struct eth_rule rule;
	int i;

	rule_begin(&rule, 0);
	create_rule(_metadata, self, 1, &rule);
	for (i = 0; i < 20; i++) {
		post_recv(_metadata, self, 1);
		send_packet(_metadata, self, 1000 + i, 0);
		expect_received(_metadata, self, 1);
	}
}

TEST_F(eth, packet_of_no_rule_lost)
{
	struct eth_rule rule;

	rule_begin(&rule, 0);
	rule.eth.val.dst_mac[5]++;
	create_rule(_metadata, self, 1, &rule);
	post_recv(_metadata, self, 1);
	send_packet(_metadata, self, 1000, 0);
	expect_nothing(_metadata, self, 1);
}

/* The second QP alone, as the first one's completions are those of sends. */
TEST_F(eth, port_decides)
{
	struct eth_rule rule;

	rule_begin(&rule, 0);
	rule_add_port(&rule, 2000);
	create_rule(_metadata, self, 1, &rule);
	post_recv(_metadata, self, 1);
	send_packet(_metadata, self, 2001, 0);
	expect_nothing(_metadata, self, 1);
	send_packet(_metadata, self, 2000, 0);
	expect_received(_metadata, self, 1);
}

TEST_F(eth, higher_priority_drops)
{
	struct eth_rule rule;

	rule_begin(&rule, 1);
	create_rule(_metadata, self, 1, &rule);
	rule_begin(&rule, 0);
	rule_add_port(&rule, 2000);
	rule_add_drop(&rule);
	create_rule(_metadata, self, 1, &rule);
	post_recv(_metadata, self, 1);
	send_packet(_metadata, self, 2000, 0);
	expect_nothing(_metadata, self, 1);
	send_packet(_metadata, self, 2001, 0);
	expect_received(_metadata, self, 1);
}

TEST_F(eth, counter_counts)
{
	struct ibv_counters_init_attr init = {};
	struct ibv_counter_attach_attr attach[] = {
		{ .counter_desc = IBV_COUNTER_PACKETS, .index = 0 },
		{ .counter_desc = IBV_COUNTER_BYTES, .index = 1 },
	};
	struct eth_rule rule;
	uint64_t val[2] = {};
	int i;

	self->counters = ibv_create_counters(self->ctx, &init);
	ASSERT_NE(NULL, self->counters);
	for (i = 0; i < 2; i++)
		ASSERT_EQ(0, ibv_attach_counters_point_flow(self->counters,
							    &attach[i], NULL));
	rule_begin(&rule, 0);
	rule_add_counter(&rule, self->counters);
	create_rule(_metadata, self, 1, &rule);
	for (i = 0; i < 3; i++) {
		post_recv(_metadata, self, 1);
		send_packet(_metadata, self, 1000, 0);
		expect_received(_metadata, self, 1);
	}
	ASSERT_EQ(0, ibv_read_counters(self->counters, val, 2,
				       IBV_READ_COUNTERS_ATTR_PREFER_CACHED));
	if (!val[0])
		ASSERT_EQ(0, ibv_read_counters(self->counters, val, 2, 0));
	EXPECT_EQ(3, val[0]);
	EXPECT_EQ(3 * PACKET_LEN, val[1]);
}

static uint16_t ones_sum(const uint8_t *p, int len)
{
	uint32_t sum = 0;
	int i;

	for (i = 0; i < len; i += 2)
		sum += p[i] << 8 | p[i + 1];
	sum = (sum & 0xffff) + (sum >> 16);
	return (sum & 0xffff) + (sum >> 16);
}

/* Without the flag, a wrong checksum arrives and is reported. */
TEST_F(eth, checksum_written_and_checked)
{
	struct eth_rule rule;
	struct ibv_wc wc;

	rule_begin(&rule, 0);
	create_rule(_metadata, self, 1, &rule);
	post_recv(_metadata, self, 1);
	send_packet(_metadata, self, 1000, IBV_SEND_IP_CSUM);
	ASSERT_TRUE(next_wc(self, 1, &wc, WAIT_MS));
	EXPECT_TRUE(wc.wc_flags & IBV_WC_IP_CSUM_OK);
	EXPECT_EQ(0xffff, ones_sum(self->buf[1] + ETH_LEN, IP_LEN));
	post_recv(_metadata, self, 1);
	send_packet(_metadata, self, 1000, 0);
	ASSERT_TRUE(next_wc(self, 1, &wc, WAIT_MS));
	EXPECT_FALSE(wc.wc_flags & IBV_WC_IP_CSUM_OK);
	EXPECT_EQ(0, memcmp(self->buf[1], self->buf[QPS], PACKET_LEN));
}

TEST_HARNESS_MAIN
