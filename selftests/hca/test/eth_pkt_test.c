// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Packets: headers, checksums, tags, segments, matching, changes, hash. */
#include <stdlib.h>
#include <string.h>

#include "../bytes.h"
#include "../dp_eth_tso.h"
#include "../dp_flow_edit.h"
#include "../dp_flow_hash.h"
#include "../dp_flow_match.h"
#include "eth_frames.h"
#include "tap.h"

static u8 data[4096];
static struct eth_pkt pkt;

static void take_pkt(const struct frame *f)
{
	size_t len = frame_put(data, f);

	memset(&pkt, 0, sizeof(pkt));
	pkt.data = data;
	pkt.len = len;
	pkt.room = sizeof(data);
	CHECK(eth_parse(&pkt));
}

static void headers_found(void)
{
	take_pkt(&(struct frame){ .ip = 4, .proto = 17, .payload = 100 });
	CHECK_EQ(pkt.ip_version, 4);
	CHECK_EQ(pkt.l3, 14);
	CHECK_EQ(pkt.l4, 34);
	CHECK_EQ(pkt.l4_type, L4_UDP);
	CHECK_EQ(pkt.l3_end, 14 + 20 + 8 + 100);
	take_pkt(&(struct frame){ .ip = 6, .proto = 6, .tags = 2 });
	CHECK_EQ(pkt.ip_version, 6);
	CHECK_EQ(pkt.tags, 2);
	CHECK_EQ(pkt.l3, 22);
	CHECK_EQ(pkt.l4, 62);
	CHECK_EQ(pkt.l4_type, L4_TCP);
}

/* Headers count even if the datagram's length exceeds the packet. */
static void datagram_cut_off_parsed(void)
{
	take_pkt(&(struct frame){ .ip = 6, .proto = 17, .payload = 20 });
	eth_l4_fill(&pkt);
	CHECK(eth_l4_ok(&pkt));
	put_be16(data + 18, 8 + 20 + 40);
	CHECK(eth_parse(&pkt));
	CHECK_EQ(pkt.l4_type, L4_UDP);
	CHECK_EQ(pkt.l3_end, pkt.len);
	CHECK(!eth_l4_ok(&pkt));
	take_pkt(&(struct frame){ .ip = 4, .proto = 6, .payload = 20 });
	put_be16(data + 16, 2000);
	CHECK(eth_parse(&pkt));
	CHECK_EQ(pkt.l4_type, L4_TCP);
	CHECK(!eth_l4_ok(&pkt));
}

/* Every length of a packet, in memory of just that length. */
static void headers_cut_off_absent(void)
{
	size_t len, full;
	u8 *copy;

	take_pkt(&(struct frame){ .ip = 6, .proto = 6, .tags = 2 });
	full = pkt.len;
	for (len = 0; len < full; len++) {
		copy = malloc(len ? len : 1);
		memcpy(copy, data, len);
		pkt = (struct eth_pkt){ .data = copy, .len = len, .room = len };
		CHECK_EQ(eth_parse(&pkt), len >= ETH_HLEN);
		CHECK_EQ(pkt.l4_type == L4_TCP, len >= full);
		CHECK(!eth_l4_ok(&pkt));
		if (len >= ETH_HLEN) {
			u8 image[FLOW_MATCH];

			flow_image(&pkt, image);
		}
		free(copy);
	}
}

static void extensions_skipped(void)
{
	take_pkt(&(struct frame){ .ip = 6, .proto = 17, .payload = 32 });
	/* Hop by hop options of 16 bytes, then UDP. */
	memmove(data + 54 + 16, data + 54, 8);
	data[20] = 0;
	data[54] = 17;
	data[55] = 1;
	CHECK(eth_parse(&pkt));
	CHECK_EQ(pkt.l4, 70);
	CHECK_EQ(pkt.l4_type, L4_UDP);
	/* A fragment has no header that counts. */
	data[54] = 44;
	data[70] = 17;
	CHECK(eth_parse(&pkt));
	CHECK(pkt.frag);
	CHECK_EQ(pkt.proto, 17);
	CHECK_EQ(pkt.l4_type, L4_NONE);
}

static void checksums_written(void)
{
	static const struct frame f[] = {
		{ .ip = 4, .proto = 6, .payload = 33 },
		{ .ip = 4, .proto = 17, .payload = 32, .tags = 1 },
		{ .ip = 6, .proto = 6, .payload = 1 },
		{ .ip = 6, .proto = 17, .payload = 1000 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(f); i++) {
		take_pkt(&f[i]);
		data[pkt.l4 + (f[i].proto == 6 ? 16 : 6)] = 0x55;
		CHECK_EQ(eth_l3_ok(&pkt), f[i].ip == 6);
		CHECK(!eth_l4_ok(&pkt));
		eth_l3_fill(&pkt);
		eth_l4_fill(&pkt);
		CHECK(eth_l3_ok(&pkt));
		CHECK(eth_l4_ok(&pkt));
		data[pkt.len - 1] ^= 1;
		CHECK(!eth_l4_ok(&pkt));
	}
}

static void tags_added_and_removed(void)
{
	u8 want[200];
	size_t len;

	take_pkt(&(struct frame){ .ip = 4, .proto = 17, .payload = 40 });
	len = pkt.len;
	memcpy(want, data, len);
	CHECK(eth_push_tag(&pkt, 0x8100, 0x6123));
	CHECK(eth_push_tag(&pkt, 0x88a8, 0x0045));
	CHECK_EQ(pkt.tags, 2);
	CHECK_EQ(get_be32(data + 12), 0x88a80045);
	CHECK_EQ(get_be32(data + 16), 0x81006123);
	CHECK_EQ(pkt.l4_type, L4_UDP);
	eth_pop_tag(&pkt);
	eth_pop_tag(&pkt);
	eth_pop_tag(&pkt);
	CHECK_EQ(pkt.len, len);
	CHECK(!memcmp(data, want, len));
	pkt.room = pkt.len + 3;
	CHECK(!eth_push_tag(&pkt, 0x8100, 1));
}

static void tunnel_headers_added(void)
{
	u8 head[50], want[200];
	size_t len;

	take_pkt(&(struct frame){ .ip = 4, .proto = 17, .payload = 8 });
	memcpy(head, data, sizeof(head));
	take_pkt(&(struct frame){ .ip = 4, .proto = 6, .payload = 60 });
	len = pkt.len;
	memcpy(want, data, len);
	CHECK(eth_encap(&pkt, head, sizeof(head)));
	CHECK_EQ(pkt.len, len + sizeof(head));
	CHECK(!memcmp(data + sizeof(head), want, len));
	CHECK_EQ(get_be16(data + 16), len + 50 - 14);
	CHECK_EQ(get_be16(data + 38), len + 50 - 34);
	CHECK(eth_l3_ok(&pkt));
	pkt.room = pkt.len;
	CHECK(!eth_encap(&pkt, head, sizeof(head)));
	CHECK(!eth_encap(&pkt, head, 13));
}

/* The received payload, and the number of segments. */
static struct {
	unsigned int n;
	size_t len;
	u8 bytes[4096];
	u8 flags[16];
	u32 next;
} got;

static void on_segment(void *arg, struct eth_pkt *seg)
{
	size_t head = *(size_t *)arg;
	u32 seq = get_be32(seg->data + seg->l4 + 4);

	CHECK(eth_l3_ok(seg));
	CHECK(eth_l4_ok(seg));
	if (got.n)
		CHECK_EQ(seq, got.next);
	got.next = seq + (u32)(seg->len - head);
	got.flags[got.n++ % 16] = seg->data[seg->l4 + 13];
	memcpy(got.bytes + got.len, seg->data + head, seg->len - head);
	got.len += seg->len - head;
}

static void large_packet_cut(void)
{
	static const u8 versions[] = { 4, 6 };
	static u8 scratch[2048];
	size_t i, head;

	for (i = 0; i < 2; i++) {
		memset(&got, 0, sizeof(got));
		take_pkt(&(struct frame){ .ip = versions[i], .proto = 6, .payload = 2500 });
		head = pkt.l4 + 20;
		data[pkt.l4 + 13] = 0x99;	/* CWR, ACK, PSH, FIN */
		CHECK(eth_segment(&pkt, head, 1000, scratch, sizeof(scratch),
				  on_segment, &head));
		CHECK_EQ(got.n, 3);
		CHECK_EQ(got.flags[0], 0x90);
		CHECK_EQ(got.flags[1], 0x10);
		CHECK_EQ(got.flags[2], 0x19);
		CHECK_EQ(got.len, 2500);
		CHECK(!memcmp(got.bytes, data + head, 2500));
	}
}

static void other_packet_not_cut(void)
{
	static u8 scratch[2048];
	size_t head = 54;

	memset(&got, 0, sizeof(got));
	take_pkt(&(struct frame){ .ip = 4, .proto = 17, .payload = 2500 });
	CHECK(!eth_segment(&pkt, head, 1000, scratch, sizeof(scratch),
			   on_segment, &head));
	take_pkt(&(struct frame){ .ip = 4, .proto = 6, .payload = 2500 });
	CHECK(!eth_segment(&pkt, head, 0, scratch, sizeof(scratch), on_segment,
			   &head));
	CHECK(!eth_segment(&pkt, head - 1, 1000, scratch, sizeof(scratch),
			   on_segment, &head));
	CHECK(!eth_segment(&pkt, head, 1990, scratch, sizeof(scratch),
			   on_segment, &head));
	CHECK_EQ(got.n, 0);
}

/* A rule of one field, which the packet has, and which another value has not. */
static void field_matches(size_t bit, unsigned int width, u64 val, u8 section)
{
	u8 image[FLOW_MATCH], mask[FLOW_MATCH] = { }, value[FLOW_MATCH] = { };

	flow_image(&pkt, image);
	prm_set(mask, bit, width, ~0ULL);
	prm_set(value, bit, width, val);
	CHECK(flow_mask_known(section, mask));
	CHECK(flow_matches(image, section, mask, value));
	prm_set(value, bit + width - 1, 1, !(val & 1));
	CHECK(!flow_matches(image, section, mask, value));
	/* Sections that are not enabled are not compared. */
	CHECK(flow_matches(image, 0, mask, value));
}

#define MATCHES(f, val, section) \
	field_matches(PRM_BIT(fte_match_param, f), \
		      PRM_WIDTH(fte_match_param, f), val, section)

static void fields_matched(void)
{
	take_pkt(&(struct frame){ .ip = 4, .proto = 6, .tags = 2, .payload = 8 });
	MATCHES(outer_headers.dmac_47_16, 0x02112233, 1);
	MATCHES(outer_headers.dmac_15_0, 0x4455, 1);
	MATCHES(outer_headers.smac_15_0, 0x99aa, 1);
	MATCHES(outer_headers.ethertype, 0x800, 1);
	MATCHES(outer_headers.svlan_tag, 1, 1);
	MATCHES(outer_headers.cvlan_tag, 0, 1);
	MATCHES(outer_headers.first_vid, 0x102, 1);
	MATCHES(outer_headers.first_prio, 3, 1);
	MATCHES(misc_parameters.outer_second_vid, 0x101, 2);
	MATCHES(misc_parameters.outer_second_cvlan_tag, 1, 2);
	MATCHES(outer_headers.ip_version, 4, 1);
	MATCHES(outer_headers.ip_protocol, 6, 1);
	MATCHES(outer_headers.ip_dscp, 0x2a, 1);
	MATCHES(outer_headers.ip_ecn, 1, 1);
	MATCHES(outer_headers.ttl_hoplimit, 64, 1);
	MATCHES(outer_headers.tcp_sport, 1000, 1);
	MATCHES(outer_headers.tcp_dport, 2000, 1);
	MATCHES(outer_headers.tcp_flags, 0x10, 1);
	MATCHES(outer_headers.udp_dport, 0, 1);
	field_matches(PRM_BIT(fte_match_param,
			      outer_headers.src_ipv4_src_ipv6) + 96, 32,
		      0xc0000201, 1);
	take_pkt(&(struct frame){ .ip = 6, .proto = 17 });
	MATCHES(outer_headers.ip_dscp, 0x2a, 1);
	MATCHES(outer_headers.udp_dport, 2000, 1);
	MATCHES(misc_parameters.outer_ipv6_flow_label, 0x12345, 2);
	pkt.reg_a = 0x1234;
	pkt.reg_c[0] = 0x5678;
	pkt.reg_c[7] = 0x9abc;
	pkt.sqn = 0x77;
	MATCHES(misc_parameters_2.metadata_reg_a, 0x1234, 8);
	MATCHES(misc_parameters_2.metadata_reg_c_0, 0x5678, 8);
	MATCHES(misc_parameters_2.metadata_reg_c_7, 0x9abc, 8);
	MATCHES(misc_parameters.source_sqn, 0x77, 2);
}

static void mask_unknown_refused(void)
{
	u8 mask[FLOW_MATCH] = { };

	PRM_SET(fte_match_param, mask, misc_parameters.vxlan_vni, 1);
	CHECK(flow_mask_known(1, mask));
	CHECK(!flow_mask_known(2, mask));
	memset(mask, 0, sizeof(mask));
	PRM_SET(fte_match_param, mask, inner_headers.ethertype, 1);
	CHECK(!flow_mask_known(4, mask));
}

static void set_action(u8 *a, u8 type, u16 field, unsigned int off,
		       unsigned int len, u32 val)
{
	memset(a, 0, FLOW_EDIT);
	PRM_SET(set_action_in, a, action_type, type);
	PRM_SET(set_action_in, a, field, field);
	PRM_SET(set_action_in, a, offset, off);
	PRM_SET(set_action_in, a, length, len);
	PRM_SET(set_action_in, a, data, val);
}

static void fields_changed(void)
{
	u8 a[5][FLOW_EDIT];
	size_t i;

	set_action(a[0], 1, MLX5_ACTION_IN_FIELD_OUT_DIPV4, 0, 0, 0x0a000001);
	set_action(a[1], 1, MLX5_ACTION_IN_FIELD_OUT_TCP_DPORT, 4, 8, 0xab);
	set_action(a[2], 2, MLX5_ACTION_IN_FIELD_OUT_IP_TTL, 0, 0, 0xff);
	set_action(a[3], 1, MLX5_ACTION_IN_FIELD_METADATA_REG_C_0, 0, 0, 0x123);
	memset(a[4], 0, FLOW_EDIT);
	PRM_SET(copy_action_in, a[4], action_type, 3);
	PRM_SET(copy_action_in, a[4], src_field,
		MLX5_ACTION_IN_FIELD_METADATA_REG_C_0);
	PRM_SET(copy_action_in, a[4], length, 8);
	PRM_SET(copy_action_in, a[4], dst_field,
		MLX5_ACTION_IN_FIELD_METADATA_REG_B);
	PRM_SET(copy_action_in, a[4], dst_offset, 16);
	for (i = 0; i < 5; i++)
		CHECK(flow_edit_known(a[i]));
	take_pkt(&(struct frame){ .ip = 4, .proto = 6, .payload = 31 });
	eth_l3_fill(&pkt);
	eth_l4_fill(&pkt);
	flow_edit(&pkt, a[0], 5);
	CHECK_EQ(get_be32(data + 30), 0x0a000001);
	CHECK_EQ(get_be16(data + 36), (2000 & ~0xff0) | 0xab0);
	CHECK_EQ(data[22], 63);
	CHECK_EQ(pkt.reg_c[0], 0x123);
	CHECK_EQ(pkt.reg_b, 0x230000);
	CHECK(eth_l3_ok(&pkt));
	CHECK(eth_l4_ok(&pkt));
}

/* A wrong checksum is not repaired, and an absent header not touched. */
static void change_keeps_the_rest(void)
{
	u8 a[FLOW_EDIT], want[200];

	take_pkt(&(struct frame){ .ip = 6, .proto = 17, .payload = 20 });
	memcpy(want, data, pkt.len);
	set_action(a, 1, MLX5_ACTION_IN_FIELD_OUT_SIPV4, 0, 0, 1);
	flow_edit(&pkt, a, 1);
	CHECK(!memcmp(want, data, pkt.len));
	take_pkt(&(struct frame){ .ip = 4, .proto = 6 });
	flow_edit(&pkt, a, 1);
	CHECK(!eth_l3_ok(&pkt));
	CHECK(!eth_l4_ok(&pkt));
}

static void action_unknown_refused(void)
{
	u8 a[FLOW_EDIT];

	set_action(a, 1, MLX5_ACTION_IN_FIELD_OUT_ETHERTYPE, 0, 16, 0);
	CHECK(!flow_edit_known(a));
	set_action(a, 1, MLX5_ACTION_IN_FIELD_OUT_SMAC_15_0, 8, 9, 0);
	CHECK(!flow_edit_known(a));
	set_action(a, 9, MLX5_ACTION_IN_FIELD_OUT_SMAC_15_0, 0, 8, 0);
	CHECK(!flow_edit_known(a));
}

/* The vectors that the specification of RSS publishes. */
static void hash_of_published_vectors(void)
{
	static const u8 key[HASH_KEY] = {
		0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2, 0x41, 0x67,
		0x25, 0x3d, 0x43, 0xa3, 0x8f, 0xb0, 0xd0, 0xca, 0x2b, 0xcb,
		0xae, 0x7b, 0x30, 0xb4, 0x77, 0xcb, 0x2d, 0xa3, 0x80, 0x30,
		0xf2, 0x0c, 0x6a, 0x42, 0xb7, 0x3b, 0xbe, 0xac, 0x01, 0xfa,
	};
	static const u8 src[] = { 66, 9, 149, 187 }, dst[] = { 161, 142, 100, 80 };
	struct flow_hash hash = {
		.key = key, .fields = HASH_SRC_IP | HASH_DST_IP,
	};

	take_pkt(&(struct frame){ .ip = 4, .proto = 6 });
	memcpy(data + 26, src, 4);
	memcpy(data + 30, dst, 4);
	put_be16(data + 34, 2794);
	put_be16(data + 36, 1766);
	flow_hash(&pkt, &hash);
	CHECK(hash.valid);
	CHECK_EQ(hash.val, 0x323e8fc2);
	hash.fields = HASH_FIELDS;
	flow_hash(&pkt, &hash);
	CHECK_EQ(hash.val, 0x51ccc178);
	hash.udp = true;
	flow_hash(&pkt, &hash);
	CHECK(!hash.valid);
	CHECK_EQ(hash.val, 0);
}

static void hash_symmetric(void)
{
	u8 key[HASH_KEY];
	struct flow_hash hash = {
		.key = key, .fields = HASH_FIELDS, .symmetric = true, .ipv6 = true,
	};
	u8 swap[16];
	u32 val;
	int i;

	for (i = 0; i < HASH_KEY; i++)
		key[i] = (u8)(i * 37 + 1);
	take_pkt(&(struct frame){ .ip = 6, .proto = 6 });
	flow_hash(&pkt, &hash);
	val = hash.val;
	CHECK(hash.valid && val);
	memcpy(swap, data + 22, 16);
	memcpy(data + 22, data + 38, 16);
	memcpy(data + 38, swap, 16);
	memcpy(swap, data + 54, 2);
	memcpy(data + 54, data + 56, 2);
	memcpy(data + 56, swap, 2);
	flow_hash(&pkt, &hash);
	CHECK_EQ(hash.val, val);
}

int main(void)
{
	static const struct hca_test tests[] = {
		TAP(headers_found),
		TAP(datagram_cut_off_parsed),
		TAP(headers_cut_off_absent),
		TAP(extensions_skipped),
		TAP(checksums_written),
		TAP(tags_added_and_removed),
		TAP(tunnel_headers_added),
		TAP(large_packet_cut),
		TAP(other_packet_not_cut),
		TAP(fields_matched),
		TAP(mask_unknown_refused),
		TAP(fields_changed),
		TAP(change_keeps_the_rest),
		TAP(action_unknown_refused),
		TAP(hash_of_published_vectors),
		TAP(hash_symmetric),
	};

	return TAP_RUN(tests);
}
