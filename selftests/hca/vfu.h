/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A vfio-user server: one client at a time over a stream socket. vfu.c moves
 * messages and file descriptors, vfu_msg.c executes them, and struct vfu_ops is
 * the device.
 */
#ifndef HCA_VFU_H
#define HCA_VFU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loop.h"
#include "mem.h"

enum {
	VFU_MAX_FDS = 16,
	VFU_MAX_XFER = 1 << 20,
	/* The largest message is a write of VFU_MAX_XFER bytes. */
	VFU_MAX_MSG = VFU_MAX_XFER + 64,
};

/**
 * struct vfu_ops - the device behind the server
 * @region_size: length of region @index, 0 if there is none
 * @region_read: read within a region; returns 0 or a negative errno
 * @region_write: write within a region; returns 0 or a negative errno
 * @irq_count: number of interrupts of VFIO index @index
 * @irq_assign: set the eventfd of interrupt @n of @index, -1 for none; the
 *	device owns @fd from then on
 * @irq_trigger: the client fires interrupt @n of @index
 * @reset: DEVICE_RESET
 * @disconnected: the client has left; its memory is unmapped already
 */
struct vfu_ops {
	uint64_t (*region_size)(void *priv, uint32_t index);
	int (*region_read)(void *priv, uint32_t index, uint64_t off, void *buf,
			   uint32_t len);
	int (*region_write)(void *priv, uint32_t index, uint64_t off,
			    const void *buf, uint32_t len);
	uint32_t (*irq_count)(void *priv, uint32_t index);
	void (*irq_assign)(void *priv, uint32_t index, unsigned int n, int fd);
	void (*irq_trigger)(void *priv, uint32_t index, unsigned int n);
	void (*reset)(void *priv);
	void (*disconnected)(void *priv);
};

struct vfu_hdr {
	uint16_t id;
	uint16_t cmd;
	uint32_t size;
	uint32_t flags;
	uint32_t error;
};

/**
 * struct vfu - the server and its client
 * @ops: the device
 * @priv: first argument of @ops
 * @mem: guest memory
 * @loop: event loop
 * @conn: socket of the client
 * @negotiated: VERSION was negotiated
 * @write_multi: WRITE_MULTI was negotiated
 * @in: message being received
 * @in_len: bytes of it received so far
 * @fds: descriptors of the message; a handler that keeps one replaces it by -1
 * @nr_fds: number of @fds
 * @out: answers that the socket has not accepted yet
 * @out_len: length of @out
 */
struct vfu {
	const struct vfu_ops *ops;
	void *priv;
	struct mem *mem;
	struct loop *loop;
	struct watch conn;
	bool negotiated;
	bool write_multi;
	uint8_t *in;
	size_t in_len;
	int fds[VFU_MAX_FDS];
	unsigned int nr_fds;
	uint8_t *out;
	size_t out_len;
};

int vfu_init(struct vfu *vfu, struct loop *loop, struct mem *mem,
	     const struct vfu_ops *ops, void *priv);
void vfu_fini(struct vfu *vfu);

/* Serve the connected socket @fd and own it. -1: there is a client already. */
int vfu_attach(struct vfu *vfu, int fd);
void vfu_detach(struct vfu *vfu);

#endif /* HCA_VFU_H */
