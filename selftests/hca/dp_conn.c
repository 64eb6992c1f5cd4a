// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Messages between two connected QPs (RC, UC, XRC), and from a DCI to a DCT.
 */
#include <string.h>

#include "bytes.h"
#include "dp_conn.h"
#include "dp_recv.h"
#include "dp_umr.h"

enum {
	MSG_MAX = 1 << 30,
	PIECE = 1 << 16, /* bytes moved at a time */
	WAIT_MIN_US = 1000, /* guests may be slow */
	WAIT_MAX_US = 20000,
	FOREVER = 7, /* value of rnr_retry */
	ATOMIC_SIZE = 8,
	AV_DCTN = 8, /* in the address vector, after the access key */
};

/**
 * struct dp_conn - a work request of a connected QP
 * @wq: sender
 * @view: its view
 * @wqe: the work request
 * @peer: receiver
 * @to: its view
 * @reliable: the sender is told of the receiver's errors
 * @dropped: the receiver refused the message
 */
struct dp_conn {
	struct dp_wq *wq;
	const struct fw_wq_view *view;
	struct dp_wqe *wqe;
	struct dp_wq *peer;
	struct fw_wq_view to;
	bool reliable;
	bool dropped;
};

/* RNR timer values in microseconds, by min_rnr_nak. */
static const uint32_t rnr_us[32] = {
	655360, 10, 20, 30, 40, 60, 80, 120, 160, 240, 320, 480, 640, 960,
	1280, 1920, 2560, 3840, 5120, 7680, 10240, 15360, 20480, 30720, 40960,
	61440, 81920, 122880, 163840, 245760, 327680, 491520,
};

static bool is_send(const struct dp_wqe *wqe)
{
	return wqe->opcode == WQE_SEND || wqe->opcode == WQE_SEND_IMM ||
	       wqe->opcode == WQE_SEND_INVAL;
}

static bool is_write(const struct dp_wqe *wqe)
{
	return wqe->opcode == WQE_WRITE || wqe->opcode == WQE_WRITE_IMM;
}

/* The DCT that the request names. A wrong key is an error of the request. */
static bool dct_find(struct dp_conn *c, uint8_t *synd)
{
	uint32_t num = get_be32(c->wqe->av + AV_DCTN) & 0xffffff;
	uint64_t key;

	if (!fw_dct_view(c->wq->hca->fw, num, &c->to, &key))
		return false;
	if (key != get_be64(c->wqe->av))
		*synd = ERR_REMOTE_ACCESS;
	c->peer = wq_get(c->wq->hca, num);
	return c->peer;
}

/*
 * A DCT takes one message at a time: another DCI's may have begun. If that DCI
 * has failed or is destroyed, the next message takes over its receive.
 */
static bool dct_busy(const struct dp_conn *c)
{
	const struct dp_recv *recv = &c->peer->recv;
	const struct dp_wq *other;

	if (!recv->on || recv->from == c->wq->num)
		return false;
	other = wq_find(c->wq->hca, recv->from);
	return other && other->target == c->peer->num;
}

/* Find the remote QP, which must be connected to this one, or the DCT. */
static bool peer_find(struct dp_conn *c, uint8_t *synd)
{
	struct hca *hca = c->wq->hca;

	if (c->view->st == ST_DCI)
		return dct_find(c, synd);
	if (!fw_wq_view(hca->fw, c->view->remote_qpn, &c->to) || c->to.is_sq ||
	    c->to.st != c->view->st || c->to.remote_qpn != c->wq->num ||
	    !qp_receives(c->to.state))
		return false;
	c->peer = wq_get(hca, c->view->remote_qpn);
	return c->peer;
}

/* Retry in @us, and fail with syndrome @over after @times that. */
static enum dp_step wait_for_peer(struct dp_conn *c, uint64_t us,
				  unsigned int times, bool forever,
				  uint8_t over, uint8_t *synd)
{
	uint64_t now = now_us();

	if (us < WAIT_MIN_US)
		us = WAIT_MIN_US;
	if (!c->wq->deadline)
		c->wq->deadline = forever ? UINT64_MAX : now + us * times;
	if (now >= c->wq->deadline) {
		*synd = over;
		return STEP_DONE;
	}
	timer_set(c->wq->hca->loop, &c->wq->retry,
		  us > WAIT_MAX_US ? WAIT_MAX_US : us);
	return STEP_WAIT;
}

/* There is no peer. An unreliable message is lost. */
static enum dp_step no_peer(struct dp_conn *c, uint8_t *synd)
{
	uint8_t timeout = c->view->ack_timeout;

	c->wq->done = 0;
	if (!c->reliable)
		return STEP_DONE;
	return wait_for_peer(c, (4096ULL << timeout) / 1000,
			     c->view->retry_count + 1U, !timeout, ERR_RETRIES,
			     synd);
}

static enum dp_step not_ready(struct dp_conn *c, uint8_t *synd)
{
	uint8_t times = c->view->rnr_retry;

	if (!c->reliable)
		return STEP_DONE;
	return wait_for_peer(c, rnr_us[c->to.min_rnr_nak & 31], times + 1U,
			     times == FOREVER, ERR_RNR_RETRIES, synd);
}

/*
 * The receiver refuses the message. The sender gets @synd. The receive that was
 * taken, if any, completes with @resp; else @event reports the error.
 */
static uint8_t refuse_msg(struct dp_conn *c, uint8_t synd, uint8_t resp,
			  uint8_t event)
{
	struct dp_cqe cqe = { .opcode = CQE_RESP_ERR, .synd = resp };

	c->dropped = true;
	if (c->peer->recv.on && resp)
		recv_complete(c->peer, &c->to, c->wqe->srqn, &cqe);
	else if (!c->reliable)
		return ERR_NONE;
	else if (!c->to.is_dct)
		dp_event(c->wq->hca, event, c->peer->num);
	wq_fail(c->peer, &c->to, QP_ERR);
	return c->reliable ? synd : ERR_NONE;
}

static bool op_allowed(const struct dp_conn *c)
{
	if (c->wqe->opcode == WQE_READ)
		return c->reliable && c->to.rre;
	if (wqe_is_atomic(c->wqe))
		return c->reliable && c->to.rae &&
		       !(c->wqe->raddr % ATOMIC_SIZE);
	return !is_write(c->wqe) || c->to.rwe;
}

/*
 * An XRC message names the SRQ that receives it, in whose PD is the memory that
 * it accesses: the QP is shared by processes with a PD each.
 */
static bool xrc_srq_find(struct dp_conn *c)
{
	struct fw_srq_view srq;

	if (c->view->st != ST_XRC)
		return true;
	if (!fw_srq_view(c->wq->hca->fw, c->wqe->srqn, &srq) || !srq.xrc ||
	    srq.xrcd != c->to.xrcd)
		return false;
	c->to.pd = srq.pd;
	return true;
}

static uint8_t take_recv(struct dp_conn *c, bool *none)
{
	*none = false;
	switch (recv_take(c->peer, &c->to, c->wqe->srqn)) {
	case RECV_OK:
		if (c->to.is_dct) {
			c->peer->recv.from = c->wq->num;
			c->wq->target = c->peer->num;
		}
		return ERR_NONE;
	case RECV_NONE:
		*none = true;
		return ERR_NONE;
	default:
		return refuse_msg(c, ERR_REMOTE_OP, 0, EVENT_WQ_CATAS);
	}
}

static bool copy_local(const struct dp_conn *c, uint8_t need, uint64_t off,
		       uint8_t *data, size_t len)
{
	struct dp_access access = {
		.pd = c->view->pd,
		.qpn = c->wq->num,
		.need = need,
	};

	return segs_copy(c->wq->hca, &access, c->wqe->seg, c->wqe->nr, off,
			 data, len);
}

static bool copy_remote(const struct dp_conn *c, uint8_t need, bool write,
			uint64_t off, uint8_t *data, size_t len)
{
	struct dp_access access = {
		.pd = c->to.pd,
		.qpn = c->peer->num,
		.need = need,
		.write = write,
	};

	return key_copy(c->wq->hca, &access, c->wqe->rkey, c->wqe->raddr + off,
			data, len);
}

static uint8_t move_piece(struct dp_conn *c, size_t len)
{
	uint64_t off = c->wq->done;
	uint8_t data[PIECE];

	if (c->wqe->opcode == WQE_READ) {
		if (!copy_remote(c, ACCESS_REMOTE_READ, false, off, data, len))
			return refuse_msg(c, ERR_REMOTE_ACCESS, 0,
					  EVENT_ACCESS);
		return copy_local(c, ACCESS_LOCAL_WRITE, off, data, len) ?
		       ERR_NONE : ERR_LOCAL_PROT;
	}
	if (!copy_local(c, ACCESS_LOCAL_READ, off, data, len))
		return ERR_LOCAL_PROT;
	if (is_send(c->wqe)) {
		if (recv_copy(c->peer, off, data, len))
			return ERR_NONE;
		return refuse_msg(c, ERR_REMOTE_OP, ERR_LOCAL_PROT, 0);
	}
	if (copy_remote(c, ACCESS_REMOTE_WRITE, true, off, data, len))
		return ERR_NONE;
	return refuse_msg(c, ERR_REMOTE_ACCESS, 0, EVENT_ACCESS);
}

static uint64_t get_le64(const uint8_t p[ATOMIC_SIZE])
{
	uint64_t v = 0;
	int i;

	for (i = ATOMIC_SIZE; i--;)
		v = v << 8 | p[i];
	return v;
}

static void put_le64(uint8_t p[ATOMIC_SIZE], uint64_t v)
{
	put_le32(p, (uint32_t)v);
	put_le32(p + 4, (uint32_t)(v >> 32));
}

/*
 * Memory holds numbers in the guest's byte order, as drivers request. Like on a
 * device without PCI atomics, the operation is not atomic with respect to the
 * guest's own instructions.
 */
static uint8_t run_atomic(struct dp_conn *c)
{
	uint64_t arg = get_be64(c->wqe->atomic);
	uint8_t old[ATOMIC_SIZE], new[ATOMIC_SIZE];
	uint64_t val;

	if (!copy_remote(c, ACCESS_ATOMIC, false, 0, old, ATOMIC_SIZE))
		return refuse_msg(c, ERR_REMOTE_ACCESS, 0, EVENT_ACCESS);
	val = get_le64(old);
	if (c->wqe->opcode == WQE_ATOMIC_FA)
		put_le64(new, val + arg);
	else if (val == get_be64(c->wqe->atomic + ATOMIC_SIZE))
		put_le64(new, arg);
	else
		memcpy(new, old, sizeof(new));
	if (!copy_remote(c, ACCESS_ATOMIC, true, 0, new, ATOMIC_SIZE))
		return refuse_msg(c, ERR_REMOTE_ACCESS, 0, EVENT_ACCESS);
	return copy_local(c, ACCESS_LOCAL_WRITE, 0, old, ATOMIC_SIZE) ?
	       ERR_NONE : ERR_LOCAL_PROT;
}

static void deliver_msg(struct dp_conn *c)
{
	struct dp_cqe cqe = {
		.solicited = c->wqe->solicited,
		.byte_cnt = (uint32_t)c->wqe->len,
		.flags_rqpn = c->wq->num,
	};

	switch (c->wqe->opcode) {
	case WQE_SEND:
		cqe.opcode = CQE_RESP_SEND;
		break;
	case WQE_SEND_IMM:
		cqe.opcode = CQE_RESP_SEND_IMM;
		cqe.imm = c->wqe->imm;
		break;
	case WQE_SEND_INVAL:
		cqe.opcode = CQE_RESP_SEND_INV;
		cqe.imm = c->wqe->imm;
		break;
	default:
		cqe.opcode = CQE_RESP_WRITE_IMM;
		cqe.imm = c->wqe->imm;
		break;
	}
	recv_complete(c->peer, &c->to, c->wqe->srqn, &cqe);
}

static enum dp_step move_msg(struct dp_conn *c, struct dp_budget *left,
			     uint8_t *synd)
{
	bool none;

	if (is_send(c->wqe)) {
		*synd = take_recv(c, &none);
		if (none)
			return not_ready(c, synd);
		if (!*synd && c->peer->recv.on &&
		    c->wqe->len > c->peer->recv.len)
			*synd = refuse_msg(c, ERR_REMOTE_INVALID,
					   ERR_LOCAL_LENGTH, 0);
	}
	while (!*synd && !c->dropped && c->wq->done < c->wqe->len) {
		uint64_t n = c->wqe->len - c->wq->done;

		if (!left->bytes)
			return STEP_MORE;
		if (n > PIECE)
			n = PIECE;
		if (n > left->bytes)
			n = left->bytes;
		*synd = wqe_is_atomic(c->wqe) ? run_atomic(c) :
						move_piece(c, n);
		c->wq->done += n;
		left->bytes -= n;
	}
	return STEP_DONE;
}

static bool wqe_malformed(const struct dp_wqe *wqe)
{
	unsigned int i;

	if (wqe_is_atomic(wqe) && wqe->len != ATOMIC_SIZE)
		return true;
	if (!is_send(wqe) && !is_write(wqe) && wqe->opcode != WQE_READ &&
	    !wqe_is_atomic(wqe))
		return true;
	for (i = 0; i < wqe->nr; i++)
		if (wqe->seg[i].inl && !is_send(wqe) && !is_write(wqe))
			return true;
	return false;
}

enum dp_step conn_step(struct dp_wq *wq, const struct fw_wq_view *view,
		       struct dp_wqe *wqe, struct dp_budget *left,
		       uint8_t *synd)
{
	struct dp_conn c = {
		.wq = wq,
		.view = view,
		.wqe = wqe,
		.reliable = view->st != ST_UC,
	};
	enum dp_step step;
	bool none;

	if (!wqe_parse(view, wqe) || wqe_malformed(wqe))
		*synd = ERR_LOCAL_QP_OP;
	else if (wqe->len > MSG_MAX)
		*synd = ERR_LOCAL_LENGTH;
	if (*synd)
		return STEP_DONE;
	if (!peer_find(&c, synd))
		return no_peer(&c, synd);
	if (*synd)
		return STEP_DONE;
	if (c.to.is_dct && dct_busy(&c))
		return STEP_MORE;
	if (!xrc_srq_find(&c) || !op_allowed(&c)) {
		*synd = refuse_msg(&c, ERR_REMOTE_INVALID, 0, EVENT_INVAL_REQ);
		return STEP_DONE;
	}
	if (c.to.state == QP_RTR && !c.peer->established) {
		c.peer->established = true;
		dp_event(wq->hca, EVENT_COMM_EST, c.peer->num);
	}
	step = move_msg(&c, left, synd);
	if (step != STEP_DONE || *synd || c.dropped)
		return step;
	if (wqe->opcode == WQE_WRITE_IMM) {
		*synd = take_recv(&c, &none);
		if (none)
			return not_ready(&c, synd);
	}
	if (!*synd && wqe->opcode == WQE_SEND_INVAL &&
	    !key_invalidate(c.peer, &c.to, wqe->imm, true))
		*synd = refuse_msg(&c, ERR_REMOTE_ACCESS, ERR_LOCAL_ACCESS, 0);
	if (!*synd && !c.dropped && c.peer->recv.on)
		deliver_msg(&c);
	return STEP_DONE;
}
