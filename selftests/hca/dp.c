// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The data path's turns: doorbells, and queues that have something to do.
 */
#include <stdlib.h>
#include <string.h>

#include "dp_int.h"

enum {
	TURN_WQES = 64,
	TURN_BYTES = 1 << 20,
	SOON_US = 1,
	FLUSH_US = 10000,
	LATE_US = 2000,
	EVENT_QUEUE_QP = 0,
};

static void turn(void *arg);
static void flush(void *arg);

static void retry(void *arg)
{
	struct dp_wq *wq = arg;

	wq_kick(wq);
}

struct dp_wq *wq_get(struct dp *dp, struct hca *hca, uint32_t num)
{
	struct dp_wq **p, *wq;

	/* To the front, as the next one asked for may be this one again. */
	for (p = &dp->sqs; *p; p = &(*p)->next) {
		wq = *p;
		if (wq->num != num)
			continue;
		*p = wq->next;
		wq->next = dp->sqs;
		dp->sqs = wq;
		return wq;
	}
	wq = calloc(1, sizeof(*wq));
	if (!wq)
		return NULL;
	wq->hca = hca;
	wq->num = num;
	wq->retry.fn = retry;
	wq->retry.arg = wq;
	wq->next = dp->sqs;
	dp->sqs = wq;
	return wq;
}

static void run_remove(struct dp *dp, struct dp_wq *wq)
{
	struct dp_wq **p = &dp->run, *last = NULL;

	if (!wq->running)
		return;
	while (*p != wq) {
		last = *p;
		p = &last->run_next;
	}
	*p = wq->run_next;
	if (dp->run_last == wq)
		dp->run_last = last;
	wq->running = false;
}

static void wq_forget(struct hca *hca, uint32_t num)
{
	struct dp_wq **p, *wq;

	for (p = &hca->dp.sqs; *p; p = &(*p)->next) {
		wq = *p;
		if (wq->num != num)
			continue;
		*p = wq->next;
		run_remove(&hca->dp, wq);
		timer_cancel(hca->loop, &wq->retry);
		free(wq);
		return;
	}
}

void dp_reset(struct hca *hca)
{
	struct dp *dp = &hca->dp;

	while (dp->sqs)
		wq_forget(hca, dp->sqs->num);
	while (dp->srqs)
		srq_forget(dp, dp->srqs->num);
	while (dp->cqs)
		cq_forget(dp, dp->cqs->cqn);
	timer_cancel(hca->loop, &dp->turn);
	timer_cancel(hca->loop, &dp->flush);
	timer_cancel(hca->loop, &dp->late);
}

void dp_object_gone(struct hca *hca, const char *type, uint32_t num)
{
	if (!strcmp(type, "cq"))
		cq_forget(&hca->dp, num);
	else if (!strcmp(type, "qp") || !strcmp(type, "sq"))
		wq_forget(hca, num);
	else if (!strcmp(type, "srq") || !strcmp(type, "rmp") ||
		 !strcmp(type, "xrc_srq"))
		srq_forget(&hca->dp, num);
}

static void soon(struct hca *hca, struct timer *t, void (*fn)(void *arg),
		 uint64_t us)
{
	if (t->on)
		return;
	t->fn = fn;
	t->arg = hca;
	timer_set(hca->loop, t, us);
}

static void run_add(struct dp_wq *wq)
{
	struct dp *dp = &wq->hca->dp;

	if (wq->running)
		return;
	wq->running = true;
	wq->run_next = NULL;
	if (dp->run)
		dp->run_last->run_next = wq;
	else
		dp->run = wq;
	dp->run_last = wq;
}

void wq_kick(struct dp_wq *wq)
{
	run_add(wq);
	soon(wq->hca, &wq->hca->dp.turn, turn, SOON_US);
}

/* Of a QP; most events are. */
void dp_event(struct hca *hca, uint8_t type, uint32_t num)
{
	uint8_t data[28] = {};

	put_be32(data + EVENT_NUM, num);
	eq_event(hca, type, EVENT_QUEUE_QP, data, 0);
}

/* What was posted is flushed, and receives that still come. */
static void wq_failed(struct dp_wq *wq, const struct fw_wq_view *view)
{
	if (wq->failed)
		return;
	wq->failed = true;
	if (view->srqn && view->st != ST_XRC)
		dp_event(wq->hca, EVENT_SRQ_LAST_WQE, wq->num);
	soon(wq->hca, &wq->hca->dp.flush, flush, FLUSH_US);
}

void wq_fail(struct dp_wq *wq, const struct fw_wq_view *view, uint8_t state)
{
	if (wq->failed || view->is_sq)
		return;
	log_trace("QP 0x%06x: error", wq->num);
	fw_qp_set_state(wq->hca->fw, wq->num, state);
	if (state == QP_ERR)
		wq_failed(wq, view);
	wq_kick(wq);
}

void dp_qp_moved(struct hca *hca, uint32_t num, bool reset)
{
	struct fw_wq_view view;
	struct dp_wq *wq;

	if (reset) {
		wq_forget(hca, num);
		return;
	}
	if (!fw_wq_view(hca->fw, num, &view))
		return;
	wq = wq_get(&hca->dp, hca, num);
	if (!wq)
		return;
	if (!view.is_sq && view.state == QP_ERR)
		wq_failed(wq, &view);
	wq_kick(wq);
}

/* Drivers read @len for what came back: of reads and atomics. */
static void complete(struct dp_wq *wq, const struct fw_wq_view *view,
		     uint8_t opcode, uint16_t index, uint64_t len, uint8_t synd)
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

	if (cq_post(wq->hca, view->cqn, &cqe) || wq->failed || view->is_sq)
		return;
	dp_event(wq->hca, EVENT_WQ_CATAS, wq->num);
	wq_fail(wq, view, QP_ERR);
}

/* Which step a QP's transport takes; others send into the void. */
static enum dp_step execute(struct dp_wq *wq, const struct fw_wq_view *view,
			    struct dp_wqe *wqe, struct dp_budget *left,
			    uint8_t *synd)
{
	if (view->is_sq || wqe->opcode == WQE_NOP)
		return STEP_DONE;
	if (wqe->opcode == WQE_UMR || wqe->opcode == WQE_LOCAL_INVAL) {
		umr_run(wq, view, wqe, synd);
		return STEP_DONE;
	}
	switch (view->st) {
	case ST_RC:
	case ST_UC:
	case ST_XRC:
		return conn_step(wq, view, wqe, left, synd);
	case ST_UD:
	case ST_QP1:
		ud_send(wq, view, wqe, synd);
		break;
	}
	return STEP_DONE;
}

/* What is behind a request that cannot be understood cannot be, either. */
static void give_up(struct dp_wq *wq, const struct fw_wq_view *view)
{
	uint16_t index = wq->ci;

	log_warn("queue 0x%06x: bad work request", wq->num);
	wq->ci = wq->pi;
	if (view->is_sq || wq->failed)
		return;
	complete(wq, view, 0, index, 0, ERR_LOCAL_QP_OP);
	wq_fail(wq, view, QP_ERR);
}

/* The work request at the head; returns whether there may be another. */
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
		give_up(wq, view);
		return false;
	}
	if (flushed)
		synd = ERR_FLUSHED;
	else
		step = execute(wq, view, &wqe, left, &synd);
	if (step != STEP_DONE)
		return step == STEP_MORE;
	wq->ci = (uint16_t)(index + wqe_blocks(&wqe));
	wq->done = 0;
	wq->deadline = 0;
	if (synd || wqe_signaled(&wqe))
		complete(wq, view, wqe.opcode, index, wqe.len, synd);
	if (synd && !flushed)
		wq_fail(wq, view, view->st == ST_UC || view->st == ST_UD ?
			QP_SQER : QP_ERR);
	return true;
}

/* One step of a queue; returns whether there may be another. */
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

/* A turn; what is left over waits for the next one. */
static void run(struct hca *hca)
{
	struct dp_budget left = { .wqes = TURN_WQES, .bytes = TURN_BYTES };
	struct dp *dp = &hca->dp;

	if (hca->dead || hca->internal_error)
		return;
	while (dp->run && left.wqes && left.bytes) {
		struct dp_wq *wq = dp->run;

		run_remove(dp, wq);
		left.wqes--;
		if (wq_step(wq, &left))
			run_add(wq);
	}
	if (dp->run)
		soon(hca, &dp->turn, turn, SOON_US);
}

static void turn(void *arg)
{
	run(arg);
}

/* No doorbell tells of a receive, so those of QPs in error are looked for. */
static void flush(void *arg)
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
		soon(hca, &hca->dp.flush, flush, FLUSH_US);
}

/*
 * It was executed from memory when its first bytes rang the doorbell. But what
 * is in the register counts, and drivers find out whether their writes are
 * combined by asking for a completion only there.
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
	wq = wq_get(&hca->dp, hca, num);
	if (!wq || (uint16_t)(index + wqe_blocks(&reg)) != wq->ci ||
	    !wqe_read(hca, &view, index, &mem) || wqe_signaled(&mem))
		return;
	complete(wq, &view, bf[3], index, 0, ERR_NONE);
}

/* There is work up to @pi. */
static void wq_rung(struct dp_wq *wq, const struct fw_wq_view *view,
		    uint16_t pi)
{
	uint16_t n = (uint16_t)(pi - wq->ci);

	wq->pi = pi;
	/* More than the queue holds is a lie. */
	if (n > 1U << view->log_sq_size) {
		log_warn("queue 0x%06x: %u blocks rung", wq->num, n);
		wq->ci = wq->pi;
		wq->done = 0;
		return;
	}
	run_add(wq);
}

static bool wq_dbr(struct dp_wq *wq, const struct fw_wq_view *view,
		   uint16_t *pi)
{
	uint8_t dbr[4];

	if (mem_read(&wq->hca->mem, view->dbr_addr + 4, dbr, sizeof(dbr)))
		return false;
	*pi = (uint16_t)get_be32(dbr);
	return true;
}

/* What is behind the requests that were rung, as far as no doorbell came. */
static void late(void *arg)
{
	struct hca *hca = arg;
	struct fw_wq_view view;
	struct dp_wq *wq;
	uint16_t pi;

	for (wq = hca->dp.sqs; wq; wq = wq->next) {
		if (!wq->late)
			continue;
		wq->late = false;
		if (fw_wq_view(hca->fw, wq->num, &view) && view.has_sq &&
		    wq_dbr(wq, &view, &pi))
			wq_rung(wq, &view, pi);
	}
	run(hca);
}

/*
 * The record may be ahead of the doorbell, whose write was on its way for a
 * while. Drivers ring with the last request they posted: it is the end, for
 * now, or else what is in its register would come too late to count.
 */
void dp_sq_doorbell(struct hca *hca, uint32_t w0, uint32_t w1)
{
	uint16_t end = (uint16_t)((w0 >> 8) + ((w1 & 0x3f) + 3) / 4);
	uint32_t num = w1 >> 8;
	struct fw_wq_view view;
	struct dp_wq *wq;
	uint16_t pi;

	if (!fw_wq_view(hca->fw, num, &view) || !view.has_sq) {
		log_warn("doorbell of queue 0x%06x, which does not exist", num);
		return;
	}
	wq = wq_get(&hca->dp, hca, num);
	if (!wq || !wq_dbr(wq, &view, &pi))
		return;
	if (end == pi ||
	    (uint16_t)(end - wq->ci - 1) >= (uint16_t)(pi - wq->ci)) {
		wq_rung(wq, &view, pi);
	} else {
		wq->late = true;
		soon(hca, &hca->dp.late, late, LATE_US);
		wq_rung(wq, &view, end);
	}
	run(hca);
}
