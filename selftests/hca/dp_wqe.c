// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Reading work requests.
 */
#include <string.h>

#include "bytes.h"
#include "dp_wqe.h"

enum {
	/* control segment */
	CTRL_OPCODE = 0x03,
	CTRL_DS = 0x07,
	DS_MASK = 0x3f,
	CTRL_FM_CE_SE = 0x0b,
	CE_MASK = 0x0c,
	CE_ALWAYS = 0x08,
	SE = 0x02,
	CTRL_IMM = 0x0c,
	/* other segments */
	SEG = 16,
	AV_SIZE = 48,
	AV_SHORT = 16,
	AV_EXTENDED = 8,
	EXTENDED = 0x80,
	INLINE = 0x80, /* bit of a data segment's first byte */
	INLINE_LEN = 0x3ff,
};

/* The request may wrap around the end of the queue. */
bool wqe_read(struct hca *hca, const struct fw_wq_view *view, uint16_t index,
	      struct dp_wqe *wqe)
{
	uint32_t mask = (1U << view->log_sq_size) - 1;
	unsigned int i, blocks = 1;

	for (i = 0; i < blocks && i <= mask; i++) {
		uint64_t off = (uint64_t)((index + i) & mask) * BB_SIZE;

		if (!buf_read(hca, &view->buf, view->sq_offset + off,
			      wqe->raw + i * BB_SIZE, BB_SIZE))
			return false;
		if (!i)
			blocks = wqe_blocks(wqe);
	}
	wqe->bytes = (wqe->raw[CTRL_DS] & DS_MASK) * SEG;
	if (wqe->bytes > i * BB_SIZE)
		wqe->bytes = i * BB_SIZE;
	wqe->opcode = wqe->raw[CTRL_OPCODE];
	wqe->solicited = wqe->raw[CTRL_FM_CE_SE] & SE;
	wqe->imm = get_be32(wqe->raw + CTRL_IMM);
	wqe->av = NULL;
	wqe->atomic = NULL;
	wqe->srqn = 0;
	wqe->len = 0;
	wqe->nr = 0;
	return true;
}

unsigned int wqe_blocks(const struct dp_wqe *wqe)
{
	unsigned int ds = wqe->raw[CTRL_DS] & DS_MASK;

	return ds ? (ds * SEG + BB_SIZE - 1) / BB_SIZE : 1;
}

bool wqe_signaled(const struct dp_wqe *wqe)
{
	return (wqe->raw[CTRL_FM_CE_SE] & CE_MASK) == CE_ALWAYS;
}

static bool has_raddr(const struct dp_wqe *wqe)
{
	return wqe->opcode == WQE_WRITE || wqe->opcode == WQE_WRITE_IMM ||
	       wqe->opcode == WQE_READ || wqe_is_atomic(wqe);
}

/*
 * An address vector may end before the GRH: fine for a DCT, which is found by
 * number, but every datagram of RoCE has a GRH.
 */
static unsigned int av_size(const struct fw_wq_view *view, const uint8_t *av)
{
	if (view->st == ST_DCI && !(av[AV_EXTENDED] & EXTENDED))
		return AV_SHORT;
	return AV_SIZE;
}

/* Parse the segments before the data; returns the data's offset, or 0. */
static unsigned int parse_head(const struct fw_wq_view *view,
			       struct dp_wqe *wqe)
{
	unsigned int at = SEG;

	if (view->st == ST_UD || view->st == ST_QP1 || view->st == ST_DCI) {
		wqe->av = wqe->raw + at;
		at += av_size(view, wqe->av);
	}
	if (view->st == ST_XRC) {
		wqe->srqn = get_be32(wqe->raw + at) & 0xffffff;
		at += SEG;
	}
	if (has_raddr(wqe)) {
		wqe->raddr = get_be64(wqe->raw + at);
		wqe->rkey = get_be32(wqe->raw + at + 8);
		at += SEG;
	}
	if (wqe_is_atomic(wqe)) {
		wqe->atomic = wqe->raw + at;
		at += SEG;
	}
	return at <= wqe->bytes ? at : 0;
}

/* Inline data follows its length and is padded to a multiple of 16. */
static unsigned int parse_inline(struct dp_wqe *wqe, unsigned int at,
				 struct dp_seg *seg)
{
	unsigned int len = get_be32(wqe->raw + at) & INLINE_LEN;

	if (len > wqe->bytes - at - 4)
		return 0;
	*seg = (struct dp_seg){ .len = len, .inl = wqe->raw + at + 4 };
	return (at + 4 + len + SEG - 1) / SEG * SEG;
}

bool wqe_parse(const struct fw_wq_view *view, struct dp_wqe *wqe)
{
	return wqe_parse_data(wqe, parse_head(view, wqe));
}

bool wqe_parse_data(struct dp_wqe *wqe, unsigned int at)
{
	while (at && at < wqe->bytes && wqe->nr < DP_SEGS) {
		struct dp_seg *seg = &wqe->seg[wqe->nr];

		if (wqe->raw[at] & INLINE) {
			at = parse_inline(wqe, at, seg);
		} else {
			seg_parse(seg, wqe->raw + at);
			at += SEG;
		}
		wqe->len += seg->len;
		wqe->nr++;
	}
	return at;
}
