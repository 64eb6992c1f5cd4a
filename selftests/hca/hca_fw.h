/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The firmware of the software ConnectX: capabilities, objects and commands.
 *
 * The firmware is independent of PCI, of the command queue and of sockets: a
 * command is a linear input mailbox and a linear output mailbox, and the rest
 * of the device is behind struct fw_ops. Unit tests use the same interface.
 */
#ifndef HCA_HCA_FW_H
#define HCA_HCA_FW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Frequency of device_frequency_khz and of the timers of the BAR. */
enum { HCA_CORE_CLOCK_KHZ = 156250 };

/* Status byte of an output mailbox. */
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
struct personality;

/**
 * struct fw_eq_attr - attributes of an EQ
 * @eqn: number, 1..255
 * @log_size: log2 of the number of entries
 * @intr: MSI-X vector
 * @uar: UAR page of its doorbells
 * @log_page_size: log2 of the page size in bytes, 12 or more
 * @mask: events it subscribes to: bit n % 64 of word n / 64 for type n
 * @pas: guest physical addresses of its pages, valid during the call
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
 * struct fw_ops - services of the device to the firmware
 * @eq_create: create an EQ; returns an FW_ status
 * @eq_destroy: destroy an EQ
 * @event: post an event of @type to every EQ that subscribed to it; @data is
 *	the 28 byte type specific part of the entry
 * @dma_read: read guest memory; returns 0, or -1 if it is not mapped
 * @dma_write: write guest memory; returns 0, or -1
 * @cq_event: post a completion event of @cqn to EQ @eqn
 * @object_destroyed: object @num of @type (a name of the control protocol) is
 *	destroyed: the data path drops its state
 * @qp_state_changed: a command has changed the state of QP or SQ @num; @reset:
 *	to reset
 * @cq_resize: CQ @cqn is about to get another buffer
 * @cq_unseen: number of its completions that the driver has not consumed
 */
struct fw_ops {
	int (*eq_create)(void *priv, const struct fw_eq_attr *attr);
	void (*eq_destroy)(void *priv, uint8_t eqn);
	void (*event)(void *priv, uint8_t type, uint8_t subtype,
		      const uint8_t data[28]);
	int (*dma_read)(void *priv, uint64_t gpa, void *buf, size_t len);
	int (*dma_write)(void *priv, uint64_t gpa, const void *buf, size_t len);
	void (*cq_event)(void *priv, uint8_t eqn, uint32_t cqn);
	void (*object_destroyed)(void *priv, const char *type, uint32_t num);
	void (*qp_state_changed)(void *priv, uint32_t num, bool reset);
	void (*cq_resize)(void *priv, uint32_t cqn);
	uint32_t (*cq_unseen)(void *priv, uint32_t cqn);
};

/*
 * The manager of the e-switch: none, this PF, or this embedded CPU's function.
 */
enum fw_esw { FW_ESW_NONE, FW_ESW_PF, FW_ESW_ECPF };

/*
 * The most VFs of a host PF. Stock drivers tell vports apart by 12 bits of
 * metadata (ESW_VPORT_BITS) whose values begin at 1. Three are for the ECPF,
 * the host PF and the uplink.
 */
#define FW_MAX_VFS 4092

/**
 * struct fw_conf - configuration of a device, from the -o options
 * @strict: reserved fields of input mailboxes must be zero
 * @max_objs: limit of live objects of any one type, beyond which a create
 *	answers FW_EXCEED_LIM; 0: the capabilities give the limit
 * @mac: permanent address of the port; other vports have the next addresses
 * @esw: manager of the e-switch
 * @vfs: VFs of the host that an embedded CPU manages
 * @switched: capability switches that were given
 * @on: those of them that are on
 * @personality: a report whose device this one is like, or NULL
 */
struct fw_conf {
	bool strict;
	uint32_t max_objs;
	uint8_t mac[6];
	enum fw_esw esw;
	uint16_t vfs;
	uint32_t switched;
	uint32_t on;
	const struct personality *personality;
};

/* Set an option NAME or NAME=VALUE; false if there is no such option. */
bool fw_option(struct fw_conf *conf, const char *opt);
/* A conflict of options as text, or NULL. */
const char *fw_conf_error(const struct fw_conf *conf);

struct fw *fw_new(const struct fw_conf *conf, const struct fw_ops *ops,
		  void *priv);
void fw_free(struct fw *fw);

/* Function level reset: destroys all objects, through the ops as well. */
void fw_reset(struct fw *fw);

/*
 * Execute one command. @in has @in_len bytes (16 or more), @out @out_len bytes
 * (8 or more), zeroed by the caller. Returns the status, which is in @out as
 * well.
 */
int fw_exec(struct fw *fw, const uint8_t *in, size_t in_len, uint8_t *out,
	    size_t out_len);

/* Configuration that can change while the device runs. */
void fw_set_strict(struct fw *fw, bool strict);

/*
 * Set a capability switch, NAME or NAME=on|off, from the next start of the
 * function on. False if there is no such switch, or none for this device.
 */
bool fw_switch(struct fw *fw, const char *opt);
/* Set all switches as in @conf, from the next start of the function on. */
void fw_switch_back(struct fw *fw, const struct fw_conf *conf);

/* Name of an opcode, or NULL if the firmware has no such command. */
const char *fw_opcode_name(uint16_t opcode);

/*
 * Walk the live objects in the order of their creation; only those of @uid,
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

/* True if the link is up, by PAOS and MODIFY_VPORT_STATE. */
bool fw_link_up(struct fw *fw);
/* Longest packet of the port, with FCS. */
unsigned int fw_port_mtu(struct fw *fw);

#endif /* HCA_HCA_FW_H */
