/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The firmware of the software ConnectX: capabilities, objects and commands.
 *
 * It knows nothing of PCI, of the command queue or of sockets: a command is a
 * linear input mailbox and a linear output mailbox, and what the firmware needs
 * from the rest of the device goes through struct fw_ops. That is also how the
 * unit tests drive it.
 */
#ifndef HCA_FW_H
#define HCA_FW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What device_frequency_khz says and the timers of the BAR count. */
enum { HCA_CORE_CLOCK_KHZ = 156250 };

/* Status byte of an answer. */
enum fw_status {
	FW_OK = 0x00,
	FW_INT_ERR = 0x01,
	FW_BAD_OP = 0x02,
	FW_BAD_PARAM = 0x03,
	FW_BAD_SYS_STATE = 0x04,
	FW_BAD_RES = 0x05,
	FW_RES_BUSY = 0x06,
	FW_NOT_READY = 0x07,
	FW_EXCEED_LIM = 0x08,
	FW_BAD_RES_STATE = 0x09,
	FW_BAD_INDEX = 0x0a,
	FW_NO_RESOURCES = 0x0f,
	FW_BAD_QP_STATE = 0x10,
	FW_BAD_SIZE = 0x40,
	FW_BAD_IN_LEN = 0x50,
	FW_BAD_OUT_LEN = 0x51,
};

struct fw;

/**
 * struct fw_eq_attr - what CREATE_EQ asked for
 * @eqn: number, 1..255
 * @log_size: log2 of its entries
 * @intr: MSI-X vector
 * @uar: UAR page its doorbells come to
 * @log_page_size: of @pas, in bytes (12 and more)
 * @mask: events it takes, bit n of word n / 64 for type n
 * @pas: guest physical addresses of its pages, @npas of them; valid during the
 *	call only
 * @npas: number of pages
 */
struct fw_eq_attr {
	uint8_t eqn;
	uint8_t log_size;
	uint8_t intr;
	uint32_t uar;
	uint8_t log_page_size;
	uint64_t mask[4];
	const uint64_t *pas;
	size_t npas;
};

/**
 * struct fw_ops - the rest of the device, as the firmware sees it
 * @eq_create: a new EQ; returns an FW_ status
 * @eq_destroy: an EQ went away
 * @event: post an event of @type to every EQ that takes it; @data is the 28 byte
 *	type specific part of the entry
 * @dma_read: read guest memory; returns 0, or -1 where nothing is mapped
 * @dma_write: write guest memory; returns 0, or -1
 * @cq_event: post a completion event of @cqn to EQ @eqn
 * @object_gone: number @num of kind @type (as in the control language) is no
 *	longer in use: drop what the data path cached of it
 * @qp_moved: a command moved QP or SQ @num to another state; to @reset, where
 *	it starts anew
 * @cq_resize: CQ @cqn is about to get another buffer
 */
struct fw_ops {
	int (*eq_create)(void *priv, const struct fw_eq_attr *attr);
	void (*eq_destroy)(void *priv, uint8_t eqn);
	void (*event)(void *priv, uint8_t type, uint8_t subtype,
		      const uint8_t data[28]);
	int (*dma_read)(void *priv, uint64_t gpa, void *buf, size_t len);
	int (*dma_write)(void *priv, uint64_t gpa, const void *buf, size_t len);
	void (*cq_event)(void *priv, uint8_t eqn, uint32_t cqn);
	void (*object_gone)(void *priv, const char *type, uint32_t num);
	void (*qp_moved)(void *priv, uint32_t num, bool reset);
	void (*cq_resize)(void *priv, uint32_t cqn);
};

/* Who manages the e-switch: nobody, this PF, or this embedded CPU's function. */
enum fw_esw { FW_ESW_NONE, FW_ESW_PF, FW_ESW_ECPF };

#define FW_MAX_VFS 126

/**
 * struct fw_conf - a device's configuration, from the -o options
 * @strict: reserved fields of input mailboxes must be zero
 * @max_objs: live objects of any one kind, beyond which a create answers
 *	FW_EXCEED_LIM; 0 means what the capabilities say
 * @mac: permanent address of the port; those of other vports follow
 * @esw: whether it is an e-switch manager
 * @vfs: VFs of the host that an embedded CPU manages
 * @switched: capability switches that were given
 * @on: those of them that are on
 */
struct fw_conf {
	bool strict;
	uint32_t max_objs;
	uint8_t mac[6];
	enum fw_esw esw;
	uint16_t vfs;
	uint32_t switched;
	uint32_t on;
};

/* An option NAME or NAME=VALUE; false if there is none such. */
bool fw_option(struct fw_conf *conf, const char *opt);
/* What does not go together, or NULL. */
const char *fw_conf_error(const struct fw_conf *conf);

struct fw *fw_new(const struct fw_conf *conf, const struct fw_ops *ops,
		  void *priv);
void fw_free(struct fw *fw);

/* Function level reset and TEARDOWN_HCA: no object survives, ops are told. */
void fw_reset(struct fw *fw);

/*
 * Execute one command. @in holds @in_len bytes (16 or more), @out @out_len bytes
 * (8 or more), zeroed by the caller. The answer's status and syndrome are in
 * @out; the status is returned, too.
 */
int fw_exec(struct fw *fw, const uint8_t *in, size_t in_len, uint8_t *out,
	    size_t out_len);

/* Configuration that may change while the device runs. */
void fw_set_strict(struct fw *fw, bool strict);

/*
 * A capability switch, NAME or NAME=on|off: it is what the function comes up with
 * the next time. False if there is none such, or none for this device.
 */
bool fw_switch(struct fw *fw, const char *opt);
/* All of them as in @conf, from then on. */
void fw_switch_back(struct fw *fw, const struct fw_conf *conf);

/* Name of an opcode, or NULL where the firmware has no such command. */
const char *fw_opcode_name(uint16_t opcode);

/*
 * Walk the live objects in the order of their creation; only those of @uid
 * unless it is negative. @fn returns non-zero to stop.
 */
struct fw_live {
	const char *type;
	uint32_t id;
	uint16_t uid;
	uint32_t refs;
};

void fw_live(struct fw *fw, int uid,
	     int (*fn)(void *arg, const struct fw_live *obj), void *arg);

/* States of a QP, and the transports of its context. */
enum fw_qp_state { QP_RST, QP_INIT, QP_RTR, QP_RTS, QP_SQER, QP_SQD, QP_ERR };

enum fw_qp_st {
	ST_RC = 0, ST_UC = 1, ST_UD = 2, ST_XRC = 3, ST_MLX = 4, ST_DCI = 5,
	ST_QP0 = 7, ST_QP1 = 8, ST_RAW_ETH = 9, ST_REG_UMR = 0xc,
};

/*
 * What the data path needs of the objects, valid until the next command. The
 * buffer of a queue is a page list or a umem's.
 */
struct fw_buf {
	const uint64_t *pas;
	size_t npas;
	uint8_t log_page_size;
	uint64_t offset;	/* of the first byte, in the first page */
};

/* A QP or an SQ, whose numbers share one space. */
struct fw_wq_view {
	bool is_sq;		/* an SQ object, else a QP */
	bool ready;		/* its state lets it send */
	bool has_sq;
	bool has_rq;		/* of its own */
	bool wq_signature;	/* receives begin with a signature */
	bool rre, rwe, rae;	/* what a peer may do */
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
	uint32_t user_index;	/* or the number itself, as CQEs carry it */
	uint32_t remote_qpn;
	uint32_t q_key;
	uint32_t src_qpn;	/* as a UD peer sees it */
	uint32_t srqn;		/* where it receives from; 0 for none */
	uint32_t xrcd;
	uint8_t log_sq_size;	/* in 64 byte blocks */
	uint8_t log_rq_size;
	uint8_t log_rq_stride;	/* in bytes */
	uint64_t sq_offset;	/* of the SQ in the buffer; the RQ is at 0 */
	uint64_t dbr_addr;	/* guest physical address of its doorbell record */
	struct fw_buf buf;
};

/* An SRQ, an XRC SRQ or an RMP, which share their numbers. */
struct fw_srq_view {
	bool ready;
	bool linked;		/* receives name the next one */
	bool plain;		/* and have no place for its name */
	bool xrc;
	uint8_t log_size;
	uint8_t log_stride;	/* in bytes */
	uint32_t pd;
	uint32_t xrcd;		/* of an XRC SRQ, as the next two */
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
	bool free;		/* not usable until a UMR says so */
	bool length64;
	uint8_t variant;	/* low byte of the key */
	uint8_t access;		/* enum fw_access */
	uint8_t mode;
	uint8_t log_page;	/* of a translation, in bytes */
	uint32_t pd;
	uint32_t qpn;		/* 0xffffff for any */
	uint64_t start;
	uint64_t len;
	const uint8_t *xlt;	/* translations, @xlt_len bytes of them */
	size_t xlt_len;
	bool umem;		/* its memory is @buf instead */
	struct fw_buf buf;
};

/* These return false where there is no such object. */
bool fw_wq_view(struct fw *fw, uint32_t num, struct fw_wq_view *view);
bool fw_cq_view(struct fw *fw, uint32_t cqn, struct fw_cq_view *view);
bool fw_srq_view(struct fw *fw, uint32_t num, struct fw_srq_view *view);
/* By its index. */
bool fw_mkey_view(struct fw *fw, uint32_t index, struct fw_mkey_view *view);
/* Entry @i of the RoCE address table. */
bool fw_gid_view(struct fw *fw, unsigned int i, uint8_t gid[16],
		 uint8_t *version);
/* log2 of the bytes from one UAR page to the next. */
unsigned int fw_uar_shift(struct fw *fw);
/* The QP that receives what is sent to QP 1, or 0. */
uint32_t fw_qp1(struct fw *fw);

/* What the data path changes: the state of a QP, and that a CQ overran. */
void fw_qp_set_state(struct fw *fw, uint32_t qpn, uint8_t state);
void fw_cq_failed(struct fw *fw, uint32_t cqn);
/* Whether @left receives are fewer than what it was armed for; disarms it. */
bool fw_srq_limit(struct fw *fw, uint32_t num, uint32_t left);
/*
 * A UMR: changes mkey @index. @mkc is a context, of which the fields of @mask
 * are taken; @xlt_len bytes of translations go to @xlt_off. False where there is
 * no such mkey, or no room for them.
 */
bool fw_umr(struct fw *fw, uint32_t index, const uint8_t mkc[64], uint64_t mask,
	    const uint8_t *xlt, size_t xlt_len, uint64_t xlt_off);

/* The port's link, as PAOS and VPORT_STATE last set it. */
bool fw_link_up(struct fw *fw);

#endif /* HCA_FW_H */
