/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Objects of the firmware as the data path sees them. A view is valid until the
 * next command.
 */
#ifndef HCA_FW_VIEW_H
#define HCA_FW_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fw;

/* States of a QP, and the transports of its context. */
enum fw_qp_state { QP_RST, QP_INIT, QP_RTR, QP_RTS, QP_SQER, QP_SQD, QP_ERR };

enum fw_qp_st {
	ST_RC = 0, ST_UC = 1, ST_UD = 2, ST_XRC = 3, ST_MLX = 4, ST_DCI = 5,
	ST_QP0 = 7, ST_QP1 = 8, ST_RAW_ETH = 9, ST_REG_UMR = 0xc,
};

/* The buffer of a queue: its own page list, or that of a umem. */
struct fw_buf {
	const uint64_t *pas;
	size_t npas;
	uint8_t log_page_size;
	uint64_t offset;	/* of the first byte in the first page */
};

/* A QP, an SQ or an RQ: their numbers share one space. */
struct fw_wq_view {
	bool is_sq;		/* an SQ object */
	bool is_rq;		/* an RQ object */
	bool is_dct;		/* a DCT, which only receives; none of the three: a QP */
	bool reg_umr;		/* an SQ that may change mkeys */
	bool keep_tag;		/* of a VLAN in received packets */
	bool ready;		/* its state lets it send */
	bool has_sq;
	bool has_rq;		/* of its own */
	bool wq_signature;	/* receives begin with a signature */
	bool rre, rwe, rae;	/* rights of the peer */
	bool block_lb_mc;	/* no multicast to itself */
	uint8_t state;		/* of a QP */
	uint8_t st;
	uint8_t mtu;		/* log2, in bytes */
	uint8_t ack_timeout;
	uint8_t retry_count;
	uint8_t rnr_retry;
	uint8_t min_rnr_nak;
	uint32_t pd;
	uint32_t cqn;		/* send completions */
	uint32_t rcv_cqn;
	uint32_t user_index;	/* value in completions */
	uint32_t remote_qpn;
	uint32_t q_key;
	uint32_t src_qpn;	/* source QP for a UD peer */
	uint32_t srqn;		/* shared receive queue; 0 for none */
	uint32_t xrcd;
	uint8_t log_sq_size;	/* in 64 byte blocks */
	uint8_t log_rq_size;
	uint8_t log_rq_stride;	/* in bytes */
	uint64_t sq_offset;	/* of the SQ in the buffer; the RQ is at 0 */
	uint64_t dbr_addr;	/* guest physical, of the doorbell record */
	struct fw_buf buf;
};

/* An SRQ, an XRC SRQ or an RMP: their numbers share one space. */
struct fw_srq_view {
	bool ready;
	bool linked;		/* entries link to the next one */
	bool plain;		/* entries have no link segment */
	bool xrc;
	uint8_t log_size;
	uint8_t log_stride;	/* in bytes */
	uint32_t pd;
	uint32_t xrcd;		/* XRC SRQ only, like the next two */
	uint32_t cqn;
	uint32_t user_index;
	uint64_t dbr_addr;
	struct fw_buf buf;
};

struct fw_cq_view {
	uint8_t eqn;
	uint8_t log_size;
	uint8_t cqe_sz;		/* 64 or 128 */
	bool overrun_ignore;
	bool collapsed;		/* all completions go to the first entry */
	uint64_t dbr_addr;
	struct fw_buf buf;
};

enum fw_access {
	ACCESS_LOCAL_READ = 1,
	ACCESS_LOCAL_WRITE = 2,
	ACCESS_REMOTE_READ = 4,
	ACCESS_REMOTE_WRITE = 8,
	ACCESS_ATOMIC = 16,
};

enum fw_mkey_mode { MODE_PA, MODE_MTT, MODE_KLM, MODE_KSM };

struct fw_mkey_view {
	bool free;		/* unusable until a UMR */
	bool rinval;		/* a peer may invalidate it */
	bool length64;
	uint8_t variant;	/* low byte of the key */
	uint8_t access;		/* enum fw_access */
	uint8_t mode;
	uint8_t log_page;	/* log2 of a translation, in bytes */
	uint32_t pd;
	uint32_t qpn;		/* 0xffffff for any */
	uint64_t start;
	uint64_t len;
	const uint8_t *xlt;	/* translations, @xlt_len bytes */
	size_t xlt_len;
	bool umem;		/* the memory is @buf instead */
	struct fw_buf buf;
};

/* These return false if there is no such object. */
bool fw_wq_view(struct fw *fw, uint32_t num, struct fw_wq_view *view);
bool fw_cq_view(struct fw *fw, uint32_t cqn, struct fw_cq_view *view);
bool fw_srq_view(struct fw *fw, uint32_t num, struct fw_srq_view *view);
bool fw_mkey_view(struct fw *fw, uint32_t index, struct fw_mkey_view *view);
/* An active DCT as a receiver, and its access key. */
bool fw_dct_view(struct fw *fw, uint32_t num, struct fw_wq_view *view,
		 uint64_t *key);
/* Entry @i of the RoCE address table. */
bool fw_gid_view(struct fw *fw, unsigned int i, uint8_t gid[16],
		 uint8_t *version);
/* The QP after @qpn that is attached to the group @gid, or 0; @qpn 0: the first. */
uint32_t fw_mcg_next(struct fw *fw, const uint8_t gid[16], uint32_t qpn);
/* The QP that receives messages to QP 1, or 0. */
uint32_t fw_qp1(struct fw *fw);
/* log2 of the bytes from one UAR page to the next. */
unsigned int fw_uar_shift(struct fw *fw);

/* Changes by the data path: state of a QP, overrun of a CQ. */
void fw_qp_set_state(struct fw *fw, uint32_t qpn, uint8_t state);
void fw_wq_set_error(struct fw *fw, uint32_t num); /* an SQ or an RQ */
void fw_cq_failed(struct fw *fw, uint32_t cqn);
/* True if @left receives are below the limit of an armed SRQ; disarms it. */
bool fw_srq_limit(struct fw *fw, uint32_t num, uint32_t left);
/*
 * Change mkey @index by a UMR: take the fields in @mask from the context @mkc,
 * and write @xlt_len bytes of translations at @xlt_off. False if there is no
 * such mkey, PD or field, or no room for the translations.
 */
bool fw_umr(struct fw *fw, uint32_t index, const uint8_t mkc[64], uint64_t mask,
	    const uint8_t *xlt, size_t xlt_len, uint64_t xlt_off);

#endif /* HCA_FW_VIEW_H */
