// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Doorbells, and rounds over the queues that have work.
 */
#include <string.h>

#include "bytes.h"
#include "dp_conn.h"
#include "dp_cq.h"
#include "dp_eth.h"
#include "dp_recv.h"
#include "dp_ud.h"
#include "dp_umr.h"
#include "dp_wqe.h"
#include "log.h"

enum {
	ROUND_WQES = 64,
	ROUND_BYTES = 1 << 20,
	DELAYED_US = 2000,
};

void dp_reset(struct hca *hca)
{
	struct dp *dp = &hca->dp;

	while (dp->sqs)
		wq_forget(hca, dp->sqs->num);
	while (dp->srqs)
		srq_forget(dp, dp->srqs->num);
	while (dp->cqs)
		cq_forget(dp, dp->cqs->cqn);
	timer_cancel(hca->loop, &dp->round);
	timer_cancel(hca->loop, &dp->flush);
	timer_cancel(hca->loop, &dp->delayed);
}

void dp_object_destroyed(struct hca *hca, const char *type, uint32_t num)
{
	if (!strcmp(type, "cq"))
		cq_forget(&hca->dp, num);
	else if (!strcmp(type, "qp") || !strcmp(type, "sq") ||
		 !strcmp(type, "dct") || !strcmp(type, "rq"))
		wq_forget(hca, num);
	else if (!strcmp(type, "srq") || !strcmp(type, "rmp") ||
		 !strcmp(type, "xrc_srq"))
		srq_forget(&hca->dp, num);
}

void dp_qp_state_changed(struct hca *hca, uint32_t num, bool reset)
{
	struct fw_wq_view view;
	struct dp_wq *wq;

	if (reset) {
		wq_forget(hca, num);
		return;
	}
	if (!fw_wq_view(hca->fw, num, &view))
		return;
	wq = wq_get(hca, num);
	if (!wq)
		return;
	if (!view.is_sq && view.state == QP_ERR)
		wq_enter_error(wq, &view);
	wq_kick(wq);
}

/* Post a completion. Drivers read @len for reads and atomics. */
static void post_completion(struct dp_wq *wq, const struct fw_wq_view *view,
			    uint8_t opcode, uint16_t index, uint64_t len,
			    uint8_t synd)
{
	struct dp_cqe cqe = {
		.opcode = synd ? CQE_REQ_ERR : CQE_REQ,
		.synd = synd,
		.user_index = view->user_index,
		.qpn = wq->num,
		.wqe_opcode = opcode,
		.counter = index,
		.byte_cnt = (uint32_t)len,
	};

	if (cq_post(wq->hca, view->cqn, &cqe) || wq->failed ||
	    (view->is_sq && !view->ready))
		return;
	dp_event(wq->hca, EVENT_WQ_CATAS, wq->num);
	wq_fail(wq, view, QP_ERR);
}

/*
 * Execute a step by the transport. Packets are sent by SQs; a QP of a type that
 * sends packets without an SQ object sends none.
 */
static enum dp_step execute_step(struct dp_wq *wq,
				 const struct fw_wq_view *view,
				 struct dp_wqe *wqe, struct dp_budget *left,
				 uint8_t *synd)
{
	if (wqe->opcode == WQE_NOP)
		return STEP_DONE;
	if (view->is_sq) {
		eth_send(wq, view, wqe, left, synd);
		return STEP_DONE;
	}
	if (wqe->opcode == WQE_UMR || wqe->opcode == WQE_LOCAL_INVAL) {
		umr_run(wq, view, wqe, synd);
		return STEP_DONE;
	}
	switch (view->st) {
	case ST_RC:
	case ST_UC:
	case ST_XRC:
	case ST_DCI:
		return conn_step(wq, view, wqe, left, synd);
	case ST_UD:
	case ST_QP1:
		ud_send(wq, view, wqe, synd);
		break;
	default:
		*synd = ERR_LOCAL_QP_OP;
		break;
	}
	return STEP_DONE;
}

/* A malformed request hides where the next one begins: drop all of them. */
static void drop_requests(struct dp_wq *wq, const struct fw_wq_view *view)
{
	uint16_t index = wq->ci;

	log_warn("queue 0x%06x: malformed work request", wq->num);
	wq->ci = wq->pi;
	if (wq->failed)
		return;
	post_completion(wq, view, 0, index, 0, ERR_LOCAL_QP_OP);
	wq_fail(wq, view, QP_ERR);
}

/* Step of the work request at the head; returns whether to go on. */
static bool wqe_step(struct dp_wq *wq, const struct fw_wq_view *view,
		     struct dp_budget *left)
{
	bool flushed = !view->ready;
	enum dp_step step = STEP_DONE;
	uint16_t index = wq->ci;
	uint8_t synd = ERR_NONE;
	struct dp_wqe wqe;

	if (!wqe_read(wq->hca, view, index, &wqe) ||
	    wqe_blocks(&wqe) > (uint16_t)(wq->pi - index)) {
		drop_requests(wq, view);
		return false;
	}
	if (flushed)
		synd = ERR_FLUSHED;
	else
		step = execute_step(wq, view, &wqe, left, &synd);
	if (step != STEP_DONE)
		return step == STEP_MORE;
	wq->ci = (uint16_t)(index + wqe_blocks(&wqe));
	wq->done = 0;
	wq->target = 0;
	wq->deadline = 0;
	if (synd || wqe_signaled(&wqe))
		post_completion(wq, view, wqe.opcode, index, wqe.len, synd);
	if (synd && !flushed)
		wq_fail(wq, view, view->st == ST_UC || view->st == ST_UD ?
			QP_SQER : QP_ERR);
	return true;
}

/* Step of a queue; returns whether to go on. */
static bool wq_step(struct dp_wq *wq, struct dp_budget *left)
{
	struct fw_wq_view view;
	bool error;

	if (!fw_wq_view(wq->hca->fw, wq->num, &view))
		return false;
	error = view.is_sq || view.state == QP_ERR || view.state == QP_SQER;
	if (view.has_sq && wq->ci != wq->pi && (view.ready || error)) {
		if (view.ready && wq->retry.on)
			return false;
		return wqe_step(wq, &view, left);
	}
	wq->failed = !view.is_sq && view.state == QP_ERR;
	return wq->failed && recv_flush(wq, &view, 1);
}

/* A round. Work that exceeds its budget waits for the next one. */
static void run_round(struct hca *hca)
{
	struct dp_budget left = { .wqes = ROUND_WQES, .bytes = ROUND_BYTES };
	struct dp *dp = &hca->dp;

	if (hca->dead || hca->internal_error)
		return;
	while (dp->run && left.wqes && left.bytes) {
		struct dp_wq *wq = dp->run;

		wq_stop(wq);
		left.wqes--;
		if (wq_step(wq, &left))
			wq_queue(wq);
	}
	if (dp->run)
		dp_defer_round(hca);
}

static void on_round(void *arg)
{
	run_round(arg);
}

/* Receives have no doorbell, so those of QPs in error are polled for. */
static void on_flush(void *arg)
{
	struct hca *hca = arg;
	struct dp_wq *wq;
	bool any = false;

	for (wq = hca->dp.sqs; wq; wq = wq->next) {
		if (!wq->failed)
			continue;
		any = true;
		wq_kick(wq);
	}
	if (any)
		dp_defer_flush(hca);
}

/*
 * The request was executed from memory when its first bytes rang the doorbell.
 * The copy in the register takes precedence over memory, and drivers rely on it
 * to find out whether their writes are combined: they request a completion in
 * the register's copy only.
 */
void dp_sq_blueflame(struct hca *hca, const uint8_t bf[64])
{
	uint32_t num = get_be32(bf + 4) >> 8;
	uint16_t index = get_be16(bf + 1);
	struct dp_wqe mem, reg = {};
	struct fw_wq_view view;
	struct dp_wq *wq;

	memcpy(reg.raw, bf, BB_SIZE);
	if (!wqe_signaled(&reg) || !fw_wq_view(hca->fw, num, &view) ||
	    !view.ready || !view.has_sq)
		return;
	wq = wq_get(hca, num);
	if (!wq || (uint16_t)(index + wqe_blocks(&reg)) != wq->ci ||
	    !wqe_read(hca, &view, index, &mem) || wqe_signaled(&mem))
		return;
	post_completion(wq, &view, bf[3], index, 0, ERR_NONE);
}

/* There are requests up to @pi. */
static void wq_rung(struct dp_wq *wq, const struct fw_wq_view *view,
		    uint16_t pi)
{
	uint16_t n = (uint16_t)(pi - wq->ci);

	wq->pi = pi;
	/* The index is wrong if the queue cannot hold that many blocks. */
	if (n > 1U << view->log_sq_size) {
		log_warn("queue 0x%06x: doorbell for %u blocks", wq->num, n);
		wq->ci = wq->pi;
		wq->done = 0;
		return;
	}
	wq_queue(wq);
}

static bool wq_read_dbr(struct dp_wq *wq, const struct fw_wq_view *view,
			uint16_t *pi)
{
	uint8_t dbr[4];

	if (mem_read(&wq->hca->mem, view->dbr_addr + 4, dbr, sizeof(dbr)))
		return false;
	*pi = (uint16_t)get_be32(dbr);
	return true;
}

/* Requests past the one that was rung whose own doorbell has not come. */
static void on_delayed(void *arg)
{
	struct hca *hca = arg;
	struct fw_wq_view view;
	struct dp_wq *wq;
	uint16_t pi;

	for (wq = hca->dp.sqs; wq; wq = wq->next) {
		if (!wq->delayed)
			continue;
		wq->delayed = false;
		if (fw_wq_view(hca->fw, wq->num, &view) && view.has_sq &&
		    wq_read_dbr(wq, &view, &pi))
			wq_rung(wq, &view, pi);
	}
	run_round(hca);
}

/*
 * The doorbell record may be ahead of the doorbell, whose write takes a while
 * to arrive. Drivers ring with the last request they posted. Execution stops at
 * that request for the time being: the BlueFlame copy of a later one must not
 * arrive after its execution.
 */
void dp_sq_doorbell(struct hca *hca, uint32_t w0, uint32_t w1)
{
	uint16_t end = (uint16_t)((w0 >> 8) + ((w1 & 0x3f) + 3) / 4);
	uint32_t num = w1 >> 8;
	struct fw_wq_view view;
	struct dp_wq *wq;
	uint16_t pi;

	if (!fw_wq_view(hca->fw, num, &view) || !view.has_sq) {
		log_warn("doorbell of unknown queue 0x%06x", num);
		return;
	}
	wq = wq_get(hca, num);
	if (!wq || !wq_read_dbr(wq, &view, &pi))
		return;
	if (end == pi ||
	    (uint16_t)(end - wq->ci - 1) >= (uint16_t)(pi - wq->ci)) {
		wq_rung(wq, &view, pi);
	} else {
		wq->delayed = true;
		dp_defer(hca, &hca->dp.delayed, DELAYED_US);
		wq_rung(wq, &view, end);
	}
	run_round(hca);
}

void dp_init(struct hca *hca)
{
	hca->dp.round = (struct timer){ .fn = on_round, .arg = hca };
	hca->dp.flush = (struct timer){ .fn = on_flush, .arg = hca };
	hca->dp.delayed = (struct timer){ .fn = on_delayed, .arg = hca };
}
