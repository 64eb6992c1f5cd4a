/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Completion queues of the data path. */
#ifndef HCA_DP_CQ_H
#define HCA_DP_CQ_H

#include <stdbool.h>
#include <stdint.h>

struct dp;
struct hca;

/* Opcodes of completions. */
enum {
	CQE_REQ = 0x0,
	CQE_RESP_WRITE_IMM = 0x1,
	CQE_RESP_SEND = 0x2,
	CQE_RESP_SEND_IMM = 0x3,
	CQE_RESP_SEND_INV = 0x4,
	CQE_RESIZE = 0x5,		/* ends the old buffer of a resize */
	CQE_REQ_ERR = 0xd,
	CQE_RESP_ERR = 0xe,
};

/* Syndromes of error completions. */
enum {
	ERR_NONE = 0,
	ERR_LOCAL_LENGTH = 0x01,
	ERR_LOCAL_QP_OP = 0x02,
	ERR_LOCAL_PROT = 0x04,
	ERR_FLUSHED = 0x05,
	ERR_MW_BIND = 0x06,
	ERR_LOCAL_ACCESS = 0x11,
	ERR_REMOTE_INVALID = 0x12,
	ERR_REMOTE_ACCESS = 0x13,
	ERR_REMOTE_OP = 0x14,
	ERR_RETRIES = 0x15,
	ERR_RNR_RETRIES = 0x16,
};

/* The fields of a completion that differ from one to the next. */
struct dp_cqe {
	uint8_t opcode;
	uint8_t synd;
	bool solicited;
	uint32_t user_index;
	uint32_t qpn;
	uint8_t wqe_opcode;
	uint16_t counter;
	uint32_t byte_cnt;
	uint32_t imm;
	uint32_t flags_rqpn;
	const uint8_t *head;	/* first CQE_HEAD bytes, of Ethernet, or NULL */
};

enum { CQE_HEAD = 0x20 };

/**
 * struct dp_cq - a completion queue that was armed or written
 * @next: list of all
 * @cqn: number
 * @pi: completions written
 * @solicited: @pi after the last completion that is a solicited event
 * @ci: consumer index of the driver when it was last read
 * @armed: the next completion raises an event
 * @armed_solicited: the next solicited completion raises an event
 * @failed: the queue overran
 */
struct dp_cq {
	struct dp_cq *next;
	uint32_t cqn;
	uint32_t pi;
	uint32_t solicited;
	uint32_t ci;
	bool armed;
	bool armed_solicited;
	bool failed;
};

/* Post a completion; false if the queue overran or cannot be written. */
bool cq_post(struct hca *hca, uint32_t cqn, const struct dp_cqe *cqe);
void cq_forget(struct dp *dp, uint32_t cqn);
/* The two words of a CQ's arm doorbell. */
void dp_cq_arm(struct hca *hca, uint32_t w0, uint32_t w1);
/* Completions of CQ @cqn that the driver has not consumed. */
uint32_t dp_cq_unseen(struct hca *hca, uint32_t cqn);
/*
 * CQ @cqn is about to get another buffer: write the last entry of the old one.
 */
void dp_cq_resize(struct hca *hca, uint32_t cqn);

#endif /* HCA_DP_CQ_H */
