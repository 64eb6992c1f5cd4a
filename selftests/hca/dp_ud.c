// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Datagrams. One that cannot be delivered is lost, and the sender is not told.
 */
#include <string.h>

#include "bytes.h"
#include "dp_recv.h"
#include "dp_ud.h"

/* Offsets and fields of the address vector. */
enum {
	AV_QKEY = 0x00,
	AV_DQPN = 0x08,
	AV_TCLASS = 0x1a,
	AV_HOP_LIMIT = 0x1b,
	AV_GID_FL = 0x1c,
	AV_RGID = 0x20,
	GID_SHIFT = 20,
	FL_MASK = 0xfffff,
};

enum {
	UD_MAX = 4096,
	QKEY_OF_QP = 0x80000000, /* use the sender's own Q_Key */
	MULTICAST = 0xffffff, /* the QP number that stands for a group */
	ROCE_V2 = 2,
	GRH_SIZE = 40,
	/* fields of a completion that describe the header */
	HAS_GRH = 1 << 28,
	L3_SHIFT = 24,
	L3_GRH = 0,
	L3_IPV6 = 1,
	L3_IPV4 = 2,
	NEXT_IBA = 0x1b,
	NEXT_UDP = 0x11,
	UDP_AND_BTH = 8 + 12 + 8 + 4, /* UDP, BTH, DETH, ICRC */
	BTH = 12 + 8 + 4,
	IPV4_AT = 20, /* an IPv4 header ends where a GRH ends */
};

static bool is_ipv4(const uint8_t gid[16])
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };

	return !memcmp(gid, mapped, sizeof(mapped));
}

static void put_ipv4(uint8_t *ip, const uint8_t *av, const uint8_t src[16],
		     size_t len)
{
	uint32_t sum = 0;
	unsigned int i;

	ip[0] = 0x45;
	ip[1] = av[AV_TCLASS];
	put_be16(ip + 2, (uint16_t)(20 + UDP_AND_BTH + len));
	ip[6] = 0x40;			/* do not fragment */
	ip[8] = av[AV_HOP_LIMIT];
	ip[9] = NEXT_UDP;
	memcpy(ip + 12, src + 12, 4);
	memcpy(ip + 16, av + AV_RGID + 12, 4);
	for (i = 0; i < 20; i += 2)
		sum += get_be16(ip + i);
	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	put_be16(ip + 10, (uint16_t)~sum);
}

static void put_ipv6(uint8_t *ip, const uint8_t *av, const uint8_t src[16],
		     size_t len, bool v2)
{
	put_be32(ip, 6U << 28 | (uint32_t)av[AV_TCLASS] << 20 |
		 (get_be32(av + AV_GID_FL) & FL_MASK));
	put_be16(ip + 4, (uint16_t)(len + (v2 ? UDP_AND_BTH : BTH)));
	ip[6] = v2 ? NEXT_UDP : NEXT_IBA;
	ip[7] = av[AV_HOP_LIMIT];
	memcpy(ip + 8, src, 16);
	memcpy(ip + 24, av + AV_RGID, 16);
}

/* Write the 40 bytes before the message; returns the type of header. */
static uint32_t put_grh(struct hca *hca, const uint8_t *av, size_t len,
			uint8_t grh[GRH_SIZE])
{
	uint8_t version = 0, src[16] = {};

	memset(grh, 0, GRH_SIZE);
	fw_gid_view(hca->fw, get_be32(av + AV_GID_FL) >> GID_SHIFT & 0xff, src,
		    &version);
	if (version == ROCE_V2 && is_ipv4(src)) {
		put_ipv4(grh + IPV4_AT, av, src, len);
		return L3_IPV4;
	}
	put_ipv6(grh, av, src, len, version == ROCE_V2);
	return version == ROCE_V2 ? L3_IPV6 : L3_GRH;
}

static bool is_datagram(uint8_t st)
{
	return st == ST_UD || st == ST_QP1;
}

/* QP @num, if it receives the datagram, or NULL. */
static struct dp_wq *ud_peer(struct dp_wq *wq, const struct fw_wq_view *view,
			     const uint8_t *av, uint32_t num,
			     struct fw_wq_view *to)
{
	uint32_t q_key = get_be32(av + AV_QKEY);
	struct hca *hca = wq->hca;

	if (num == 1)
		num = fw_qp1(hca->fw);
	if (!num || !fw_wq_view(hca->fw, num, to) || to->is_sq ||
	    !is_datagram(to->st) || !qp_receives(to->state))
		return NULL;
	if (q_key & QKEY_OF_QP)
		q_key = view->q_key;
	if (to->st == ST_UD && q_key != to->q_key)
		return NULL;
	return wq_get(hca, num);
}

static uint8_t recv_datagram(struct dp_wq *peer, const uint8_t grh[GRH_SIZE],
			     uint8_t *data, size_t len)
{
	uint8_t head[GRH_SIZE];

	if (GRH_SIZE + len > peer->recv.len)
		return ERR_LOCAL_LENGTH;
	memcpy(head, grh, sizeof(head));
	if (!recv_copy(peer, 0, head, sizeof(head)) ||
	    !recv_copy(peer, GRH_SIZE, data, len))
		return ERR_LOCAL_PROT;
	return ERR_NONE;
}

static void deliver_datagram(struct dp_wq *wq, const struct fw_wq_view *view,
			     const struct dp_wqe *wqe, uint32_t num,
			     uint8_t *data)
{
	struct dp_cqe cqe = {
		.opcode = CQE_RESP_SEND,
		.solicited = wqe->solicited,
		.byte_cnt = (uint32_t)(GRH_SIZE + wqe->len),
	};
	uint8_t grh[GRH_SIZE];
	struct fw_wq_view to;
	struct dp_wq *peer = ud_peer(wq, view, wqe->av, num, &to);

	if (!peer || recv_take(peer, &to, 0) != RECV_OK)
		return;
	cqe.flags_rqpn = HAS_GRH | view->src_qpn |
			 put_grh(wq->hca, wqe->av, wqe->len, grh) << L3_SHIFT;
	if (wqe->opcode == WQE_SEND_IMM) {
		cqe.opcode = CQE_RESP_SEND_IMM;
		cqe.imm = wqe->imm;
	}
	cqe.synd = recv_datagram(peer, grh, data, wqe->len);
	if (cqe.synd)
		cqe.opcode = CQE_RESP_ERR;
	recv_complete(peer, &to, 0, &cqe);
	if (cqe.synd)
		wq_fail(peer, &to, QP_ERR);
}

/* To the QP of the address vector, or to all of a multicast group. */
static void deliver_datagrams(struct dp_wq *wq, const struct fw_wq_view *view,
			      const struct dp_wqe *wqe, uint8_t *data)
{
	uint32_t num = get_be32(wqe->av + AV_DQPN) & 0xffffff;
	const uint8_t *gid = wqe->av + AV_RGID;
	struct fw *fw = wq->hca->fw;

	if (num != MULTICAST) {
		deliver_datagram(wq, view, wqe, num, data);
		return;
	}
	for (num = fw_mcg_next(fw, gid, 0); num;
	     num = fw_mcg_next(fw, gid, num))
		if (num != wq->num || !view->block_lb_mc)
			deliver_datagram(wq, view, wqe, num, data);
}

void ud_send(struct dp_wq *wq, const struct fw_wq_view *view,
	     struct dp_wqe *wqe, uint8_t *synd)
{
	struct dp_access access = {
		.pd = view->pd,
		.qpn = wq->num,
		.need = ACCESS_LOCAL_READ,
	};
	uint8_t data[UD_MAX];

	if ((wqe->opcode != WQE_SEND && wqe->opcode != WQE_SEND_IMM) ||
	    !wqe_parse(view, wqe))
		*synd = ERR_LOCAL_QP_OP;
	else if (wqe->len > UD_MAX)
		*synd = ERR_LOCAL_LENGTH;
	else if (!segs_copy(wq->hca, &access, wqe->seg, wqe->nr, 0, data,
			    wqe->len))
		*synd = ERR_LOCAL_PROT;
	else
		deliver_datagrams(wq, view, wqe, data);
}
