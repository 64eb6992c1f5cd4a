// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "dp_mem.h"
#include "dp_recv.h"

enum {
	SEG_SIZE = 16,
	NEXT_WQE = 2, /* offset in the link segment */
	RESERVED_LKEY = 0x100, /* ends a list of segments */
	RECV_BYTES = DP_RECV_SEGS * SEG_SIZE,
};

static struct dp_srq *srq_get(struct dp *dp, uint32_t num)
{
	struct dp_srq *srq;

	for (srq = dp->srqs; srq; srq = srq->next) {
		if (srq->num == num)
			return srq;
	}
	srq = calloc(1, sizeof(*srq));
	if (!srq)
		return NULL;
	srq->num = num;
	srq->next = dp->srqs;
	dp->srqs = srq;
	return srq;
}

void srq_forget(struct dp *dp, uint32_t num)
{
	struct dp_srq **p, *srq;

	for (p = &dp->srqs; *p; p = &(*p)->next) {
		if ((*p)->num != num)
			continue;
		srq = *p;
		*p = srq->next;
		free(srq);
		return;
	}
}

/* Number of receives posted after the first @taken; 0 if it exceeds @max. */
static uint16_t recvs_posted(struct hca *hca, uint64_t dbr_addr, uint16_t taken,
			     uint32_t max)
{
	uint8_t dbr[4];
	uint16_t n;

	if (mem_read(&hca->mem, dbr_addr, dbr, sizeof(dbr)))
		return 0;
	n = (uint16_t)(get_be32(dbr) - taken);
	return n <= max ? n : 0;
}

/* The list of segments ends with the entry, or with the reserved key. */
static void recv_parse(struct dp_recv *r, const uint8_t *p, unsigned int bytes)
{
	r->nr = 0;
	r->len = 0;
	for (; bytes >= SEG_SIZE; bytes -= SEG_SIZE, p += SEG_SIZE) {
		if (get_be32(p + 4) == RESERVED_LKEY)
			break;
		seg_parse(&r->seg[r->nr], p);
		r->len += r->seg[r->nr++].len;
	}
	r->on = true;
}

static enum recv_result take_own(struct dp_wq *wq,
				 const struct fw_wq_view *view)
{
	uint32_t size = 1U << view->log_rq_size;
	uint64_t index = wq->rq_ci & (size - 1);
	uint32_t skip = view->wq_signature ? SEG_SIZE : 0;
	uint32_t bytes = 1U << view->log_rq_stride;
	uint8_t raw[RECV_BYTES];

	if (!view->has_rq ||
	    !recvs_posted(wq->hca, view->dbr_addr, wq->rq_ci, size))
		return RECV_NONE;
	bytes = bytes > skip ? bytes - skip : 0;
	if (bytes > RECV_BYTES)
		bytes = RECV_BYTES;
	if (!buf_read(wq->hca, &view->buf,
		      (index << view->log_rq_stride) + skip, raw, bytes))
		return RECV_BAD;
	wq->recv.counter = wq->rq_ci++;
	wq->recv.pd = view->pd;
	recv_parse(&wq->recv, raw, bytes);
	return RECV_OK;
}

static void srq_taken(struct hca *hca, struct dp_srq *srq,
		      const struct fw_srq_view *view, uint16_t next)
{
	uint32_t size = 1U << view->log_size;
	uint16_t left;

	srq->taken++;
	srq->head = next & (size - 1);
	left = recvs_posted(hca, view->dbr_addr, srq->taken, size);
	if (fw_srq_limit(hca->fw, srq->num, left))
		dp_event(hca, EVENT_SRQ_LIMIT, srq->num);
}

static enum recv_result take_shared(struct dp_wq *wq, uint32_t num)
{
	uint8_t raw[RECV_BYTES + 2 * SEG_SIZE];
	struct fw_srq_view view;
	uint32_t size, skip, bytes;
	struct dp_srq *srq;

	if (!fw_srq_view(wq->hca->fw, num, &view) || !view.ready)
		return RECV_NONE;
	srq = srq_get(&wq->hca->dp, num);
	size = 1U << view.log_size;
	if (!srq || !recvs_posted(wq->hca, view.dbr_addr, srq->taken, size))
		return RECV_NONE;
	/* The link segment holds the signature, if there is one. */
	skip = view.plain ? 0 : SEG_SIZE;
	bytes = 1U << view.log_stride;
	if (bytes > RECV_BYTES + skip)
		bytes = RECV_BYTES + skip;
	if (bytes < skip ||
	    !buf_read(wq->hca, &view.buf,
		      (uint64_t)srq->head << view.log_stride, raw, bytes))
		return RECV_BAD;
	wq->recv.counter = srq->head;
	wq->recv.pd = view.pd;
	recv_parse(&wq->recv, raw + skip, bytes - skip);
	srq_taken(wq->hca, srq, &view,
		  view.linked ? get_be16(raw + NEXT_WQE) :
		  (uint16_t)(srq->head + 1));
	return RECV_OK;
}

enum recv_result recv_take(struct dp_wq *wq, const struct fw_wq_view *view,
			   uint32_t srqn)
{
	if (wq->recv.on)
		return RECV_OK;
	if (srqn || view->srqn)
		return take_shared(wq, srqn ? srqn : view->srqn);
	return take_own(wq, view);
}

bool recv_copy(struct dp_wq *wq, uint64_t off, uint8_t *data, size_t len)
{
	struct dp_access access = {
		.pd = wq->recv.pd,
		.qpn = wq->num,
		.need = ACCESS_LOCAL_WRITE,
	};

	return segs_copy(wq->hca, &access, wq->recv.seg, wq->recv.nr, off, data,
			 len);
}

void recv_complete(struct dp_wq *wq, const struct fw_wq_view *view,
		   uint32_t srqn, struct dp_cqe *cqe)
{
	uint32_t cqn = view->rcv_cqn;
	struct fw_srq_view srq;

	cqe->user_index = view->user_index;
	cqe->qpn = wq->num;
	cqe->counter = wq->recv.counter;
	if (srqn && fw_srq_view(wq->hca->fw, srqn, &srq)) {
		cqn = srq.cqn;
		cqe->user_index = srq.user_index;
	}
	wq->recv.on = false;
	if (cq_post(wq->hca, cqn, cqe) || view->state == QP_ERR || view->is_dct)
		return;
	dp_event(wq->hca, EVENT_WQ_CATAS, wq->num);
	wq_fail(wq, view, QP_ERR);
}

unsigned int recv_flush(struct dp_wq *wq, const struct fw_wq_view *view,
			unsigned int n)
{
	uint32_t size = 1U << view->log_rq_size;
	unsigned int did = 0;

	while (did < n) {
		struct dp_cqe cqe = {
			.opcode = CQE_RESP_ERR, .synd = ERR_FLUSHED,
		};

		if (!wq->recv.on) {
			if (!view->has_rq ||
			    !recvs_posted(wq->hca, view->dbr_addr, wq->rq_ci,
					  size))
				break;
			wq->recv.counter = wq->rq_ci++;
		}
		recv_complete(wq, view, 0, &cqe);
		did++;
	}
	return did;
}
