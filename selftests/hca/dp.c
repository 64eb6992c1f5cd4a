// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "hca.h"
#include "log.h"

enum {
	BB_SIZE = 64,			/* block of a send queue */
	/* control segment */
	CTRL_CE = 0x0b,			/* fm_ce_se */
	CE_MASK = 0x0c,
	CE_ALWAYS = 0x08,
	/* completion, from the start of its last 64 bytes */
	CQE_USER_INDEX = 0x20,
	CQE_SYND = 0x37,
	CQE_SOP_QPN = 0x38,
	CQE_WQE_COUNTER = 0x3c,
	CQE_OWNER = 0x3f,
	CQE_REQ = 0x0,
	CQE_REQ_ERR = 0xd,
	SYND_FLUSHED = 0x05,
	CI_MASK = 0xffffff,
};

static struct dp_sq *sq_get(struct dp *dp, uint32_t num)
{
	struct dp_sq *sq;

	for (sq = dp->sqs; sq; sq = sq->next) {
		if (sq->num == num)
			return sq;
	}
	sq = calloc(1, sizeof(*sq));
	if (!sq)
		return NULL;
	sq->num = num;
	sq->next = dp->sqs;
	dp->sqs = sq;
	return sq;
}

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

static void sq_forget(struct dp *dp, uint32_t num)
{
	struct dp_sq **p, *sq;

	for (p = &dp->sqs; *p; p = &(*p)->next) {
		if ((*p)->num != num)
			continue;
		sq = *p;
		*p = sq->next;
		free(sq);
		return;
	}
}

static void cq_forget(struct dp *dp, uint32_t cqn)
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

void dp_reset(struct hca *hca)
{
	while (hca->dp.sqs)
		sq_forget(&hca->dp, hca->dp.sqs->num);
	while (hca->dp.cqs)
		cq_forget(&hca->dp, hca->dp.cqs->cqn);
}

void dp_object_gone(struct hca *hca, const char *type, uint32_t num)
{
	if (!strcmp(type, "cq"))
		cq_forget(&hca->dp, num);
	else if (!strcmp(type, "qp") || !strcmp(type, "sq"))
		sq_forget(&hca->dp, num);
}

/* Where byte @off of the buffer is; false behind its end. */
static bool buf_gpa(const struct fw_buf *buf, uint64_t off, uint64_t *gpa)
{
	uint64_t page;

	off += buf->offset;
	page = off >> buf->log_page_size;
	if (page >= buf->npas)
		return false;
	*gpa = buf->pas[page] + (off & ((1ULL << buf->log_page_size) - 1));
	return true;
}

static void cq_fire(struct hca *hca, struct dp_cq *cq, uint8_t eqn)
{
	uint8_t data[28] = {};

	cq->armed = false;
	put_be32(data + EVENT_NUM, cq->cqn);
	eq_post(hca, eqn, EVENT_COMP, 0, data);
}

/* Post the 64 bytes @cqe, whose owner byte holds the opcode. */
static void cq_post(struct hca *hca, uint32_t cqn, uint8_t cqe[64])
{
	struct fw_cq_view view;
	struct dp_cq *cq;
	uint64_t gpa, off;
	uint8_t owner;

	if (!fw_cq_view(hca->fw, cqn, &view))
		return;
	cq = cq_get(&hca->dp, cqn);
	if (!cq)
		return;
	owner = (uint8_t)(cqe[CQE_OWNER] << 4 | (cq->pi >> view.log_size & 1));
	off = (uint64_t)(cq->pi & ((1U << view.log_size) - 1)) * view.cqe_sz;
	if (!buf_gpa(&view.buf, off, &gpa))
		return;
	gpa += view.cqe_sz - 64U;
	if (mem_write(&hca->mem, gpa, cqe, CQE_OWNER) ||
	    mem_store_release(&hca->mem, gpa + CQE_OWNER, owner)) {
		log_warn("CQ 0x%06x: no memory", cqn);
		return;
	}
	cq->pi++;
	if (cq->armed)
		cq_fire(hca, cq, view.eqn);
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
	cq->armed = true;
	/*
	 * A completion that the driver has not seen fires at once. Nothing is
	 * received here, so that no completion is a solicited one, either.
	 */
	if ((cq->pi & CI_MASK) != cq->ci)
		cq_fire(hca, cq, view.eqn);
}

static unsigned int wqe_blocks(const uint8_t ctrl[16])
{
	unsigned int n = ((ctrl[7] & 0x3f) * 16U + BB_SIZE - 1) / BB_SIZE;

	return n ? n : 1;
}

static bool wqe_read(struct hca *hca, const struct fw_wq_view *view,
		     uint16_t index, uint8_t ctrl[16])
{
	uint64_t block = index & ((1U << view->log_sq_size) - 1);
	uint64_t gpa;

	return buf_gpa(&view->buf, view->sq_offset + block * BB_SIZE, &gpa) &&
	       !mem_read(&hca->mem, gpa, ctrl, 16);
}

static bool wants_cqe(const uint8_t ctrl[16])
{
	return (ctrl[CTRL_CE] & CE_MASK) == CE_ALWAYS;
}

static void wqe_complete(struct hca *hca, uint32_t num, uint16_t index,
			 const struct fw_wq_view *view, uint8_t opcode)
{
	uint8_t cqe[64] = {};

	put_be32(cqe + CQE_USER_INDEX, view->user_index);
	put_be32(cqe + CQE_SOP_QPN, (uint32_t)opcode << 24 | num);
	put_be16(cqe + CQE_WQE_COUNTER, index);
	cqe[CQE_OWNER] = CQE_REQ;
	if (!view->ready) {
		cqe[CQE_OWNER] = CQE_REQ_ERR;
		cqe[CQE_SYND] = SYND_FLUSHED;
	}
	cq_post(hca, view->cqn, cqe);
}

/* One work request; returns how many blocks it takes, 0 on failure. */
static unsigned int wqe_run(struct hca *hca, const struct dp_sq *sq,
			    const struct fw_wq_view *view)
{
	uint8_t ctrl[16];

	if (!wqe_read(hca, view, sq->ci, ctrl))
		return 0;
	if (!view->ready || wants_cqe(ctrl))
		wqe_complete(hca, sq->num, sq->ci, view, ctrl[3]);
	return wqe_blocks(ctrl);
}

/*
 * It was executed from memory when its first bytes rang the doorbell. But what
 * is in the register counts, and drivers find out whether their writes are
 * combined by asking for a completion only there.
 */
void dp_sq_blueflame(struct hca *hca, const uint8_t wqe[64])
{
	uint32_t num = get_be32(wqe + 4) >> 8;
	uint16_t index = get_be16(wqe + 1);
	struct fw_wq_view view;
	uint8_t ctrl[16];
	struct dp_sq *sq;

	if (!wants_cqe(wqe) || !fw_wq_view(hca->fw, num, &view) || !view.ready)
		return;
	sq = sq_get(&hca->dp, num);
	if (!sq || (uint16_t)(index + wqe_blocks(wqe)) != sq->ci ||
	    !wqe_read(hca, &view, index, ctrl) || wants_cqe(ctrl))
		return;
	wqe_complete(hca, num, index, &view, wqe[3]);
}

void dp_sq_doorbell(struct hca *hca, uint32_t num)
{
	struct fw_wq_view view;
	struct dp_sq *sq;
	uint8_t dbr[4];
	uint16_t pi;

	if (!fw_wq_view(hca->fw, num, &view)) {
		log_warn("doorbell of queue 0x%06x, which does not exist", num);
		return;
	}
	sq = sq_get(&hca->dp, num);
	if (!sq || mem_read(&hca->mem, view.dbr_addr + 4, dbr, sizeof(dbr)))
		return;
	pi = (uint16_t)get_be32(dbr);
	/* More than the queue holds is a lie. */
	if ((uint16_t)(pi - sq->ci) > 1U << view.log_sq_size) {
		log_warn("queue 0x%06x: %u blocks rung", num,
			 (uint16_t)(pi - sq->ci));
		sq->ci = pi;
		return;
	}
	while (sq->ci != pi) {
		unsigned int n = wqe_run(hca, sq, &view);

		if (!n || n > (uint16_t)(pi - sq->ci)) {
			log_warn("queue 0x%06x: bad work request", num);
			sq->ci = pi;
			return;
		}
		sq->ci = (uint16_t)(sq->ci + n);
	}
}
