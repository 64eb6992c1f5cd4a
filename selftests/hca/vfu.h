/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A vfio-user server: one client at a time over a stream socket.
 *
 * vfu.c moves messages and file descriptors, vfu_msg.c answers them. What a
 * region or an interrupt is, the device says through struct vfu_ops.
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
 * @region_size: bytes of region @index, 0 where there is none
 * @region_read: read inside of the region; returns 0 or a negative errno
 * @region_write: write inside of the region; returns 0 or a negative errno
 * @irq_count: interrupts of VFIO index @index
 * @irq_assign: interrupt @n of @index gets the eventfd @fd (which is the
 *	device's now), or loses it (-1)
 * @irq_trigger: the client fires interrupt @n of @index itself
 * @reset: DEVICE_RESET
 * @gone: the client went; its memory is unmapped already
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
	void (*gone)(void *priv);
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
 * @conn: the client's socket
 * @negotiated: VERSION was agreed on
 * @write_multi: WRITE_MULTI was agreed on
 * @in: the message that is being received, of which @in_len bytes are there
 * @fds: the @nr_fds descriptors that came with it; a handler that keeps one
 *	replaces it by -1
 * @out: answers the socket did not take yet, @out_len bytes
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

/* Serve the connected socket @fd, which becomes ours. -1: one is served. */
int vfu_attach(struct vfu *vfu, int fd);
void vfu_detach(struct vfu *vfu);

/*
 * vfu_msg.c: handle one whole message. The answer's payload goes to @reply
 * (VFU_MAX_MSG bytes) and its length to @len; returns 0, or a negative errno
 * for an error answer. VFU_HANGUP: no answer, the connection is useless.
 */
enum { VFU_HANGUP = 1 };
int vfu_handle(struct vfu *vfu, const struct vfu_hdr *hdr, const uint8_t *data,
	       size_t data_len, uint8_t *reply, size_t *len);

#endif /* HCA_VFU_H */
