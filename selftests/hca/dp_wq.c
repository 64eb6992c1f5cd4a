// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <stdlib.h>

#include "bytes.h"
#include "dp_wq.h"
#include "log.h"

enum {
	ROUND_US = 1,
	FLUSH_US = 10000,
	EVENT_QUEUE_QP = 0,
};

static void wq_retry(void *arg)
{
	struct dp_wq *wq = arg;

	wq_kick(wq);
}

struct dp_wq *wq_find(struct hca *hca, uint32_t num)
{
	struct dp_wq *wq = hca->dp.sqs;

	while (wq && wq->num != num)
		wq = wq->next;
	return wq;
}

struct dp_wq *wq_get(struct hca *hca, uint32_t num)
{
	struct dp *dp = &hca->dp;
	struct dp_wq **p, *wq;

	/*
	 * Move it to the front, as the next lookup is often for the same one.
	 */
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
	wq->retry.fn = wq_retry;
	wq->retry.arg = wq;
	wq->next = dp->sqs;
	dp->sqs = wq;
	return wq;
}

void wq_stop(struct dp_wq *wq)
{
	struct dp *dp = &wq->hca->dp;
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

void wq_queue(struct dp_wq *wq)
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

void wq_forget(struct hca *hca, uint32_t num)
{
	struct dp_wq **p, *wq;

	for (p = &hca->dp.sqs; *p; p = &(*p)->next) {
		wq = *p;
		if (wq->num != num)
			continue;
		*p = wq->next;
		wq_stop(wq);
		timer_cancel(hca->loop, &wq->retry);
		free(wq);
		return;
	}
}

void dp_defer(struct hca *hca, struct timer *t, uint64_t us)
{
	if (!t->on)
		timer_set(hca->loop, t, us);
}

void dp_defer_round(struct hca *hca)
{
	dp_defer(hca, &hca->dp.round, ROUND_US);
}

void dp_defer_flush(struct hca *hca)
{
	dp_defer(hca, &hca->dp.flush, FLUSH_US);
}

void wq_kick(struct dp_wq *wq)
{
	wq_queue(wq);
	dp_defer_round(wq->hca);
}

/* The subtype says that the object is a QP, as it is for most events. */
void dp_event(struct hca *hca, uint8_t type, uint32_t num)
{
	uint8_t data[28] = {};

	put_be32(data + EVENT_NUM, num);
	eq_event(hca, type, EVENT_QUEUE_QP, data, 0);
}

void wq_enter_error(struct dp_wq *wq, const struct fw_wq_view *view)
{
	if (wq->failed)
		return;
	wq->failed = true;
	wq->target = 0;
	if (view->srqn && view->st != ST_XRC)
		dp_event(wq->hca, EVENT_SRQ_LAST_WQE, wq->num);
	dp_defer_flush(wq->hca);
}

void wq_fail(struct dp_wq *wq, const struct fw_wq_view *view, uint8_t state)
{
	if (wq->failed || view->is_dct)
		return;
	log_trace("queue 0x%06x: error", wq->num);
	if (view->is_sq || view->is_rq) {
		fw_wq_set_error(wq->hca->fw, wq->num);
		if (view->is_rq)
			wq_enter_error(wq, view);
		wq_kick(wq);
		return;
	}
	fw_qp_set_state(wq->hca->fw, wq->num, state);
	if (state == QP_ERR)
		wq_enter_error(wq, view);
	wq_kick(wq);
}
