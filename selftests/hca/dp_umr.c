// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Work requests that change memory keys.
 *
 * The driver's own UMR queue may change every mkey, as users cannot post to it.
 * Other queues may change mkeys of their protection domain, and not move them
 * to another domain.
 */
#include <string.h>

#include "bytes.h"
#include "dp_cq.h"
#include "dp_umr.h"

enum {
	CTRL_SIZE = 16,
	UMR_CTRL_SIZE = 48,
	MKC_SIZE = 64,
	XLT_AT = CTRL_SIZE + UMR_CTRL_SIZE + MKC_SIZE,
	XLT_MAX = 1 << 16,
	OCTWORD = 16,
	/* UMR control segment */
	FLAG_MUST_BE_FREE = 1 << 5,
	FLAG_MUST_BE_USED = 2 << 5,
	FLAG_OFFSET = 1 << 4,
	FLAG_QPN = 1 << 3, /* a key that is bound must be bound to this QP */
	FLAG_INLINE = 1 << 7,
	UMR_OCTWORDS = 4,
	UMR_OFFSET = 6,
	UMR_MASK = 8,
	UMR_OFFSET_H = 16,
	MASK_PD = 1 << 7,
	MASK_FREE = 1 << 29,
	MKC_FREE = 0x40, /* bit of a context's first byte */
};

static bool may_change(const struct fw_wq_view *view,
		       const struct fw_mkey_view *key, uint64_t mask)
{
	if (view->st == ST_REG_UMR)
		return true;
	return key->pd == view->pd && !(mask & MASK_PD);
}

/* Read the translations: inline, or from the memory of a data segment. */
static bool xlt_read(struct dp_wq *wq, const struct fw_wq_view *view,
		     const struct dp_wqe *wqe, bool in_wqe, uint8_t *xlt,
		     size_t len)
{
	struct dp_access access = {
		.pd = view->pd,
		.qpn = wq->num,
		.need = ACCESS_LOCAL_READ,
	};
	struct fw_mkey_view key;
	struct dp_seg seg;

	if (in_wqe) {
		if (wqe->bytes < XLT_AT || len > wqe->bytes - XLT_AT)
			return false;
		memcpy(xlt, wqe->raw + XLT_AT, len);
		return true;
	}
	if (wqe->bytes < XLT_AT + OCTWORD)
		return false;
	seg_parse(&seg, wqe->raw + XLT_AT);
	/* The driver's own queue has no protection domain. */
	if (view->st == ST_REG_UMR && fw_mkey_view(wq->hca->fw, seg.key >> 8,
						   &key))
		access.pd = key.pd;
	return segs_copy(wq->hca, &access, &seg, 1, 0, xlt, len);
}

static void umr_execute(struct dp_wq *wq, const struct fw_wq_view *view,
			const struct dp_wqe *wqe, uint8_t *synd)
{
	const uint8_t *ctrl = wqe->raw + CTRL_SIZE;
	size_t len = (size_t)get_be16(ctrl + UMR_OCTWORDS) * OCTWORD;
	uint64_t mask = get_be64(ctrl + UMR_MASK), off = 0;
	uint8_t flags = ctrl[0], xlt[XLT_MAX];
	struct fw_mkey_view key;

	*synd = ERR_MW_BIND;
	if (wqe->bytes < XLT_AT || len > XLT_MAX ||
	    !fw_mkey_view(wq->hca->fw, wqe->imm >> 8, &key) ||
	    !may_change(view, &key, mask))
		return;
	if ((flags & FLAG_MUST_BE_FREE && !key.free) ||
	    (flags & FLAG_MUST_BE_USED && key.free))
		return;
	if (flags & FLAG_QPN && key.qpn != ANY_QPN && key.qpn != wq->num)
		return;
	/* A request that ends here does not change the translations. */
	if (wqe->bytes == XLT_AT)
		len = 0;
	if (flags & FLAG_OFFSET)
		off = (uint64_t)get_be32(ctrl + UMR_OFFSET_H) << 16 |
		      get_be16(ctrl + UMR_OFFSET);
	if (len && !xlt_read(wq, view, wqe, flags & FLAG_INLINE, xlt, len)) {
		*synd = ERR_LOCAL_PROT;
		return;
	}
	if (fw_umr(wq->hca->fw, wqe->imm >> 8, ctrl + UMR_CTRL_SIZE, mask, xlt,
		   len, off * OCTWORD))
		*synd = ERR_NONE;
}

bool key_invalidate(struct dp_wq *wq, const struct fw_wq_view *view,
		    uint32_t num, bool remote)
{
	uint8_t mkc[MKC_SIZE] = { MKC_FREE };
	struct fw_mkey_view key;

	return fw_mkey_view(wq->hca->fw, num >> 8, &key) &&
	       key.variant == (num & 0xff) && key.pd == view->pd &&
	       (key.qpn == ANY_QPN || key.qpn == wq->num) &&
	       (!remote || (key.rinval && !key.free)) &&
	       fw_umr(wq->hca->fw, num >> 8, mkc, MASK_FREE, NULL, 0, 0);
}

void umr_run(struct dp_wq *wq, const struct fw_wq_view *view,
	     struct dp_wqe *wqe, uint8_t *synd)
{
	if (wqe->opcode == WQE_UMR)
		umr_execute(wq, view, wqe, synd);
	else if (!key_invalidate(wq, view, wqe->imm, false))
		*synd = ERR_MW_BIND;
}
