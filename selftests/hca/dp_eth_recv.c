// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Receiving of packets.
 */
#include <string.h>

#include "bytes.h"
#include "dp_eth.h"
#include "dp_recv.h"
#include "log.h"

enum {
	TCP_ACK = 0x10,
	/* offsets in a completion */
	HEAD_RSS = 0x0c,
	HEAD_RSS_TYPE = 0x10,
	RSS_IPV4 = 1 << 2,
	RSS_IPV6 = 2 << 2,
	RSS_TCP = 1 << 6,
	RSS_UDP = 2 << 6,
	HEAD_SUM = 0x14,
	HEAD_OK = 0x1c,
	OK_L2 = 1,
	OK_L3 = 2,
	OK_L4 = 4,
	HEAD_TYPES = 0x1d,
	HAS_VLAN = 1,
	L3_IPV6 = 1 << 2,
	L3_IPV4 = 2 << 2,
	L4_SHIFT = 4,
	HEAD_VLAN = 0x1e,
};

/* Types of layer 4 in completions. */
enum { TYPE_NONE, TYPE_TCP, TYPE_UDP, TYPE_TCP_ACK, TYPE_TCP_ACK_DATA };

static uint8_t l4_type(const struct eth_pkt *pkt)
{
	const uint8_t *tcp = pkt->data + pkt->l4;

	if (pkt->l4_type == L4_UDP)
		return TYPE_UDP;
	if (pkt->l4_type != L4_TCP)
		return TYPE_NONE;
	if (!(tcp[TCP_FLAGS] & TCP_ACK))
		return TYPE_TCP;
	return pkt->l3_end > pkt->l4 + (tcp[12] >> 4) * 4U ?
	       TYPE_TCP_ACK_DATA : TYPE_TCP_ACK;
}

/* What the device says about the packet. The sum is that of the IP datagram. */
static void fill_head(const struct eth_pkt *pkt, const struct flow_hash *hash,
		      bool strip, uint8_t head[CQE_HEAD])
{
	memset(head, 0, CQE_HEAD);
	if (hash->valid) {
		put_be32(head + HEAD_RSS, hash->val);
		head[HEAD_RSS_TYPE] = hash->ipv6 ? RSS_IPV6 : RSS_IPV4;
		if (hash->ports)
			head[HEAD_RSS_TYPE] |= hash->udp ? RSS_UDP : RSS_TCP;
	}
	head[HEAD_OK] = OK_L2 | (eth_l3_ok(pkt) ? OK_L3 : 0) |
			(eth_l4_ok(pkt) ? OK_L4 : 0);
	head[HEAD_TYPES] = (uint8_t)(l4_type(pkt) << L4_SHIFT);
	if (pkt->ip_version) {
		head[HEAD_TYPES] |= pkt->ip_version == 4 ? L3_IPV4 : L3_IPV6;
		put_be16(head + HEAD_SUM, eth_sum(pkt->data + pkt->l3,
						  pkt->l3_end - pkt->l3));
	}
	if (strip) {
		head[HEAD_TYPES] |= HAS_VLAN;
		memcpy(head + HEAD_VLAN, pkt->data + ETH_ADDRS + 2, 2);
	}
}

/* Write the packet to the receive, without its tag if @strip. */
static uint8_t write_packet(struct dp_wq *wq, const struct eth_pkt *pkt,
			    bool strip, size_t len)
{
	size_t at = strip ? ETH_ADDRS : pkt->len;

	if (len > wq->recv.len)
		return ERR_LOCAL_LENGTH;
	if (!recv_copy(wq, 0, pkt->data, at) ||
	    !recv_copy(wq, at, pkt->data + ETH_ADDRS + ETH_TAG, len - at))
		return ERR_LOCAL_PROT;
	return ERR_NONE;
}

/* A queue without receives drops packets. */
void eth_receive(void *arg, uint32_t rqn, const struct eth_pkt *pkt,
		 const struct flow_hash *hash)
{
	struct dp_cqe cqe = { .opcode = CQE_RESP_SEND };
	uint8_t head[CQE_HEAD];
	struct fw_wq_view view;
	struct hca *hca = arg;
	struct dp_wq *wq;
	bool strip;

	if (!fw_wq_view(hca->fw, rqn, &view) || !view.is_rq ||
	    !qp_receives(view.state))
		return;
	wq = wq_get(hca, rqn);
	if (!wq || recv_take(wq, &view, 0) != RECV_OK)
		return;
	strip = !view.keep_tag && pkt->tags &&
		get_be16(pkt->data + ETH_ADDRS) == ETH_CTAG;
	cqe.byte_cnt = (uint32_t)(pkt->len - (strip ? ETH_TAG : 0));
	cqe.synd = write_packet(wq, pkt, strip, cqe.byte_cnt);
	cqe.user_index = view.user_index;
	cqe.counter = wq->recv.counter;
	wq->recv.on = false;
	if (cqe.synd) {
		cqe.opcode = CQE_RESP_ERR;
		cqe.qpn = rqn;
	} else {
		fill_head(pkt, hash, strip, head);
		cqe.head = head;
		cqe.qpn = pkt->flow_tag;
		cqe.imm = pkt->reg_b;
	}
	if (!cq_post(hca, view.rcv_cqn, &cqe))
		dp_event(hca, EVENT_WQ_CATAS, rqn);
	else if (!cqe.synd)
		return;
	wq_fail(wq, &view, QP_ERR);
}
