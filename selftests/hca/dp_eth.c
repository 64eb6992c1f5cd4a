// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Sending of packets, and the port.
 */
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "dp_cq.h"
#include "dp_eth.h"
#include "dp_eth_tso.h"
#include "dp_umr.h"
#include "fw_steer.h"
#include "log.h"

enum {
	ESEG_AT = 16,		/* of the Ethernet segment in the request */
	ESEG_SIZE = 16,
	ESEG_CS = 4,
	CS_L3 = 1 << 6,
	CS_L4 = 1 << 7,
	ESEG_SWP_FLAGS = 5,
	ESEG_MSS = 6,
	MSS_MASK = 0x3fff,
	ESEG_METADATA = 8,
	ESEG_INLINE = 12,	/* length of inline headers, or an insertion */
	INLINE_MASK = 0x3ff,
	INSERT_VLAN = 1 << 15,
	INSERT_SVLAN = 1 << 0,	/* the tag is that of a service */
	ESEG_START = 14,	/* inline headers, or the tag to insert */
	FRAME_MIN = 60,		/* without FCS; the port pads shorter ones */
	FCS = 4,
	RULE_ROOM = 512,	/* for headers that rules add */
};

/**
 * struct eth_req - a send request
 * @hca: device
 * @sqn: SQ
 * @inl: length of inline headers
 * @tag: type of a VLAN tag to insert, or 0
 * @tci: the tag
 * @metadata: register A
 * @cs: checksums to write
 */
struct eth_req {
	struct hca *hca;
	uint32_t sqn;
	unsigned int inl;
	uint16_t tag;
	uint16_t tci;
	uint32_t metadata;
	uint8_t cs;
};

/* The plug of the port. What the packet carried inside of the NIC is lost. */
static void loop_back(struct hca *hca, struct eth_pkt *pkt)
{
	if (!fw_link_up(hca->fw))
		return;
	if (pkt->len + FCS > fw_port_mtu(hca->fw)) {
		log_warn("port: a packet of %zu bytes exceeds the MTU",
			 pkt->len);
		return;
	}
	if (pkt->len < FRAME_MIN) {
		memset(pkt->data + pkt->len, 0, FRAME_MIN - pkt->len);
		pkt->len = FRAME_MIN;
	}
	pkt->sqn = 0;
	pkt->reg_a = 0;
	pkt->reg_b = 0;
	memset(pkt->reg_c, 0, sizeof(pkt->reg_c));
	pkt->flow_tag = 0;
	if (eth_parse(pkt))
		fw_steer_rx(hca->fw, pkt, eth_receive, hca);
}

static void send_packet(void *arg, struct eth_pkt *pkt)
{
	const struct eth_req *req = arg;

	pkt->sqn = req->sqn;
	pkt->reg_a = req->metadata;
	if (fw_steer_tx(req->hca->fw, pkt))
		loop_back(req->hca, pkt);
}

/*
 * The Ethernet segment. Checksums of inner headers, offsets given by software
 * and trailers are not executed.
 */
static bool parse_segment(struct dp_wqe *wqe, struct eth_req *req)
{
	static const uint8_t no_offsets[ESEG_CS];
	const uint8_t *eseg = wqe->raw + ESEG_AT;
	uint16_t inl = get_be16(eseg + ESEG_INLINE);
	unsigned int at = ESEG_AT + ESEG_SIZE;

	if (wqe->bytes < at || memcmp(eseg, no_offsets, sizeof(no_offsets)) ||
	    eseg[ESEG_CS] & ~(CS_L3 | CS_L4) || eseg[ESEG_SWP_FLAGS])
		return false;
	req->cs = eseg[ESEG_CS];
	req->metadata = get_be32(eseg + ESEG_METADATA);
	req->tci = get_be16(eseg + ESEG_START);
	if (!(inl & INSERT_VLAN) && inl & ~INLINE_MASK)
		return false;
	if (inl & INSERT_VLAN)
		req->tag = inl & INSERT_SVLAN ? ETH_STAG : ETH_CTAG;
	else
		req->inl = inl;
	/* The first two bytes are in the segment itself. */
	if (req->inl > 2)
		at += (req->inl - 2 + 15) / 16 * 16;
	return at <= wqe->bytes && wqe_parse_data(wqe, at);
}

static uint8_t send_request(struct eth_req *req, struct dp_wqe *wqe,
			    struct eth_pkt *pkt)
{
	const uint8_t *eseg = wqe->raw + ESEG_AT;
	uint8_t scratch[UINT16_MAX + RULE_ROOM];

	if (wqe->opcode == WQE_LSO)
		return eth_segment(pkt, req->inl,
				   get_be16(eseg + ESEG_MSS) & MSS_MASK,
				   scratch, sizeof(scratch), send_packet, req) ?
		       ERR_NONE : ERR_LOCAL_QP_OP;
	if (!eth_parse(pkt))
		return ERR_LOCAL_LENGTH;
	if (req->tag && !eth_push_tag(pkt, req->tag, req->tci))
		return ERR_LOCAL_LENGTH;
	if (req->cs & CS_L3)
		eth_l3_fill(pkt);
	if (req->cs & CS_L4)
		eth_l4_fill(pkt);
	send_packet(req, pkt);
	return ERR_NONE;
}

/* Collect the packet and send it. */
static uint8_t send_gathered(struct dp_wq *wq, const struct fw_wq_view *view,
			     struct dp_wqe *wqe, struct eth_req *req)
{
	struct dp_access access = {
		.pd = view->pd,
		.qpn = wq->num,
		.need = ACCESS_LOCAL_READ,
	};
	struct eth_pkt pkt = {
		.len = req->inl + wqe->len,
		.room = req->inl + wqe->len + FRAME_MIN + RULE_ROOM,
	};
	uint8_t ret = ERR_LOCAL_PROT;

	if (pkt.len < ETH_HLEN || pkt.len > ETH_MAX)
		return ERR_LOCAL_LENGTH;
	pkt.data = malloc(pkt.room);
	if (!pkt.data)
		return ERR_LOCAL_QP_OP;
	memcpy(pkt.data, wqe->raw + ESEG_AT + ESEG_START, req->inl);
	if (segs_copy(wq->hca, &access, wqe->seg, wqe->nr, 0,
		      pkt.data + req->inl, wqe->len))
		ret = send_request(req, wqe, &pkt);
	free(pkt.data);
	return ret;
}

void eth_send(struct dp_wq *wq, const struct fw_wq_view *view,
	      struct dp_wqe *wqe, struct dp_budget *left, uint8_t *synd)
{
	struct eth_req req = { .hca = wq->hca, .sqn = wq->num };

	if (wqe->opcode == WQE_UMR && view->reg_umr) {
		umr_run(wq, view, wqe, synd);
		return;
	}
	if ((wqe->opcode != WQE_SEND && wqe->opcode != WQE_LSO) ||
	    !parse_segment(wqe, &req)) {
		*synd = ERR_LOCAL_QP_OP;
		return;
	}
	*synd = send_gathered(wq, view, wqe, &req);
	left->bytes -= wqe->len < left->bytes ? wqe->len : left->bytes;
}
