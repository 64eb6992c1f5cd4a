/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Work requests. */
#ifndef HCA_DP_WQE_H
#define HCA_DP_WQE_H

#include "dp_mem.h"

enum {
	BB_SIZE = 64,			/* block of a send queue */
	WQE_MAX = 64 * 16,
	DP_SEGS = 64,
};

/* Opcodes of work requests. */
enum {
	WQE_NOP = 0x00,
	WQE_SEND_INVAL = 0x01,
	WQE_WRITE = 0x08,
	WQE_WRITE_IMM = 0x09,
	WQE_SEND = 0x0a,
	WQE_SEND_IMM = 0x0b,
	WQE_LSO = 0x0e,
	WQE_READ = 0x10,
	WQE_ATOMIC_CS = 0x11,
	WQE_ATOMIC_FA = 0x12,
	WQE_LOCAL_INVAL = 0x1b,
	WQE_UMR = 0x25,
};

/**
 * struct dp_wqe - a work request
 * @raw: the request
 * @bytes: length of @raw
 * @opcode: opcode
 * @solicited: the receiver gets a solicited event
 * @imm: immediate data, key to invalidate, or key of a UMR
 * @av: address vector of a datagram
 * @atomic: operands of an atomic
 * @srqn: SRQ of an XRC message
 * @raddr: remote address
 * @rkey: remote key
 * @len: length of the message
 * @nr: number of @seg
 * @seg: memory of the message
 */
struct dp_wqe {
	uint8_t raw[WQE_MAX];
	unsigned int bytes;
	uint8_t opcode;
	bool solicited;
	uint32_t imm;
	const uint8_t *av;
	const uint8_t *atomic;
	uint32_t srqn;
	uint64_t raddr;
	uint32_t rkey;
	uint64_t len;
	unsigned int nr;
	struct dp_seg seg[DP_SEGS];
};

static inline bool wqe_is_atomic(const struct dp_wqe *wqe)
{
	return wqe->opcode == WQE_ATOMIC_CS || wqe->opcode == WQE_ATOMIC_FA;
}

/* Read the request at block @index. */
bool wqe_read(struct hca *hca, const struct fw_wq_view *view, uint16_t index,
	      struct dp_wqe *wqe);
/* Length in blocks. */
unsigned int wqe_blocks(const struct dp_wqe *wqe);
bool wqe_signaled(const struct dp_wqe *wqe);
/* Parse the data segments from byte @at on; false if they are malformed. */
bool wqe_parse_data(struct dp_wqe *wqe, unsigned int at);
/* Parse all segments; false if the request is malformed. */
bool wqe_parse(const struct fw_wq_view *view, struct dp_wqe *wqe);

#endif /* HCA_DP_WQE_H */
