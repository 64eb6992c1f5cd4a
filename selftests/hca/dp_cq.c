// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Completion queues: entries, arming, events, overruns.
 */
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "dp_cq.h"
#include "dp_mem.h"
#include "dp_wq.h"
#include "log.h"

/* Offsets in the last 64 bytes of an entry. */
enum {
	CQE_FLAGS_RQPN = 0x18,
	CQE_USER_INDEX = 0x20,
	CQE_IMM = 0x24,
	CQE_BYTE_CNT = 0x2c,
	CQE_TIMESTAMP = 0x30,
	CQE_SYND = 0x37,
	CQE_SOP_QPN = 0x38,
	CQE_WQE_COUNTER = 0x3c,
	CQE_OWNER = 0x3f,
	OWNER_SE = 2,
	CQE_ALIGN = 64,
	CI_MASK = 0xffffff,
	ARM_SOLICITED = 1 << 24,
	CQ_ERROR_SYND = 0x0b, /* offset in the event's data */
	CQ_OVERRUN = 1,
};

static struct dp_cq *cq_get(struct dp *dp, uint32_t cqn)
{
	struct dp_cq *cq;

	for (cq = dp->cqs; cq; cq = cq->next) {
		if (cq->cqn == cqn)
			return cq;
	}
	cq = calloc(1, sizeof(*cq));
	if (!cq)
		return NULL;
	cq->cqn = cqn;
	cq->next = dp->cqs;
	dp->cqs = cq;
	return cq;
}

void cq_forget(struct dp *dp, uint32_t cqn)
{
	struct dp_cq **p, *cq;

	for (p = &dp->cqs; *p; p = &(*p)->next) {
		if ((*p)->cqn != cqn)
			continue;
		cq = *p;
		*p = cq->next;
		free(cq);
		return;
	}
}

static void cq_fire(struct hca *hca, struct dp_cq *cq, uint8_t eqn)
{
	uint8_t data[28] = {};

	cq->armed = false;
	cq->armed_solicited = false;
	put_be32(data + EVENT_NUM, cq->cqn);
	eq_post(hca, eqn, EVENT_COMP, 0, data);
}

static void cq_read_ci(struct hca *hca, struct dp_cq *cq,
		       const struct fw_cq_view *view)
{
	uint8_t dbr[4];

	if (!mem_read(&hca->mem, view->dbr_addr, dbr, sizeof(dbr)))
		cq->ci = get_be32(dbr) & CI_MASK;
}

/* A collapsed queue is never full: each completion replaces the one before. */
static bool cq_full(struct hca *hca, struct dp_cq *cq,
		    const struct fw_cq_view *view)
{
	if (view->collapsed ||
	    ((cq->pi - cq->ci) & CI_MASK) < 1U << view->log_size)
		return false;
	cq_read_ci(hca, cq, view);
	return ((cq->pi - cq->ci) & CI_MASK) >= 1U << view->log_size;
}

static void cq_overrun(struct hca *hca, struct dp_cq *cq)
{
	uint8_t data[28] = {};

	log_warn("CQ 0x%06x: overrun", cq->cqn);
	cq->failed = true;
	fw_cq_failed(hca->fw, cq->cqn);
	put_be32(data, cq->cqn);
	data[CQ_ERROR_SYND] = CQ_OVERRUN;
	eq_event(hca, EVENT_CQ_ERROR, 0, data, 0);
}

/*
 * The owner byte hands the entry over, so it is written last. An unaligned
 * entry is refused, as it could reach into a page that is not the queue's.
 */
static bool cq_write(struct hca *hca, struct dp_cq *cq,
		     const struct fw_cq_view *view, uint8_t cqe[64])
{
	uint32_t index = view->collapsed ? 0 :
			 cq->pi & ((1U << view->log_size) - 1);
	uint64_t off = (uint64_t)index * view->cqe_sz + view->cqe_sz - 64U;
	uint64_t gpa;

	cqe[CQE_OWNER] |= cq->pi >> view->log_size & 1;
	if (!buf_gpa(&view->buf, off, &gpa) || gpa % CQE_ALIGN ||
	    mem_write(&hca->mem, gpa, cqe, CQE_OWNER) ||
	    mem_store_release(&hca->mem, gpa + CQE_OWNER, cqe[CQE_OWNER])) {
		log_warn("CQ 0x%06x: buffer cannot be written", cq->cqn);
		return false;
	}
	cq->pi++;
	return true;
}

static void cqe_fill(uint8_t out[64], const struct dp_cqe *cqe)
{
	bool error = cqe->opcode == CQE_REQ_ERR || cqe->opcode == CQE_RESP_ERR;

	memset(out, 0, 64);
	if (cqe->head)
		memcpy(out, cqe->head, CQE_HEAD);
	put_be32(out + CQE_USER_INDEX, cqe->user_index);
	if (error) {
		out[CQE_SYND] = cqe->synd;
	} else {
		if (!cqe->head)
			put_be32(out + CQE_FLAGS_RQPN, cqe->flags_rqpn);
		put_be32(out + CQE_IMM, cqe->imm);
		put_be32(out + CQE_BYTE_CNT, cqe->byte_cnt);
		put_be64(out + CQE_TIMESTAMP,
			 now_us() * HCA_CORE_CLOCK_KHZ / 1000);
	}
	put_be32(out + CQE_SOP_QPN, (uint32_t)cqe->wqe_opcode << 24 | cqe->qpn);
	put_be16(out + CQE_WQE_COUNTER, cqe->counter);
	out[CQE_OWNER] = (uint8_t)(cqe->opcode << 4);
	if (cqe->solicited)
		out[CQE_OWNER] |= OWNER_SE;
}

bool cq_post(struct hca *hca, uint32_t cqn, const struct dp_cqe *cqe)
{
	struct fw_cq_view view;
	struct dp_cq *cq;
	uint8_t raw[64];

	if (!fw_cq_view(hca->fw, cqn, &view))
		return true;
	cq = cq_get(&hca->dp, cqn);
	if (!cq || cq->failed)
		return false;
	if (!view.overrun_ignore && cq_full(hca, cq, &view)) {
		cq_overrun(hca, cq);
		return false;
	}
	cqe_fill(raw, cqe);
	if (!cq_write(hca, cq, &view, raw))
		return false;
	/* Errors count as solicited. */
	if (cqe->solicited || cqe->synd)
		cq->solicited = cq->pi;
	if (cq->armed || (cq->armed_solicited && cq->solicited == cq->pi))
		cq_fire(hca, cq, view.eqn);
	return true;
}

uint32_t dp_cq_unseen(struct hca *hca, uint32_t cqn)
{
	struct fw_cq_view view;
	struct dp_cq *cq;

	if (!fw_cq_view(hca->fw, cqn, &view))
		return 0;
	cq = cq_get(&hca->dp, cqn);
	if (!cq || !cq->pi)
		return 0;
	cq_read_ci(hca, cq, &view);
	return (cq->pi - cq->ci) & CI_MASK;
}

/* Drivers copy the old entries up to this one, which takes an index as well. */
void dp_cq_resize(struct hca *hca, uint32_t cqn)
{
	struct fw_cq_view view;
	uint8_t raw[64] = {};
	struct dp_cq *cq;

	if (!fw_cq_view(hca->fw, cqn, &view))
		return;
	cq = cq_get(&hca->dp, cqn);
	raw[CQE_OWNER] = CQE_RESIZE << 4;
	if (cq)
		cq_write(hca, cq, &view, raw);
}

/*
 * Whether there are completions before @end that the driver had not seen at
 * @ci.
 */
static bool has_unseen(uint32_t end, uint32_t ci)
{
	uint32_t n = (end - ci) & CI_MASK;

	return n && n <= CI_MASK / 2;
}

void dp_cq_arm(struct hca *hca, uint32_t w0, uint32_t w1)
{
	uint32_t cqn = w1 & 0xffffff;
	struct fw_cq_view view;
	struct dp_cq *cq;

	if (!fw_cq_view(hca->fw, cqn, &view))
		return;
	cq = cq_get(&hca->dp, cqn);
	if (!cq)
		return;
	cq->ci = w0 & CI_MASK;
	cq->armed = !(w0 & ARM_SOLICITED);
	cq->armed_solicited = w0 & ARM_SOLICITED;
	if (has_unseen(cq->armed ? cq->pi : cq->solicited, cq->ci))
		cq_fire(hca, cq, view.eqn);
}
