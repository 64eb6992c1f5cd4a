/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A vfio-user client at the other end of a socket pair. */
#ifndef HCA_TEST_WIRE_H
#define HCA_TEST_WIRE_H

#include <errno.h>
#include <fcntl.h>
#include <linux/vfio.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include "env.h"
#include "send_fds.h"
#include "../vdev.h"

struct wire {
	struct env e;
	struct vfu vfu;
	int fd;
	uint16_t id;
	struct vfu_hdr hdr; /* header of the last answer */
	uint8_t data[65536]; /* payload of the last answer */
	size_t len;
};

static inline void run_loop(struct wire *w)
{
	int i;

	for (i = 0; i < 8; i++)
		loop_step(&w->e.loop, 0);
}

static inline void attach_client(struct wire *w)
{
	int fd[2];

	CHECK(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd));
	CHECK(!vfu_attach(&w->vfu, fd[0]));
	w->fd = fd[1];
}

static inline void send_raw(struct wire *w, const void *buf, size_t len,
			    const int *fds, unsigned int nr_fds)
{
	CHECK_EQ(send_fds(w->fd, buf, len, fds, nr_fds), len);
}

/* Receive the answer; false if there is none. */
static inline bool recv_answer(struct wire *w)
{
	ssize_t n;

	run_loop(w);
	w->hdr = (struct vfu_hdr){};
	n = recv(w->fd, &w->hdr, sizeof(w->hdr), MSG_DONTWAIT);
	if (n != sizeof(w->hdr))
		return false;
	w->len = w->hdr.size - sizeof(w->hdr);
	if (w->len)
		CHECK_EQ(recv(w->fd, w->data, w->len, MSG_DONTWAIT), w->len);
	return true;
}

static inline void send_msg(struct wire *w, uint16_t cmd, uint32_t flags,
			    const void *data, size_t len, const int *fds,
			    unsigned int nr_fds)
{
	static uint8_t buf[70000];
	struct vfu_hdr hdr = {
		.id = ++w->id,
		.cmd = cmd,
		.size = (uint32_t)(sizeof(hdr) + len),
		.flags = flags,
	};

	memcpy(buf, &hdr, sizeof(hdr));
	if (len)
		memcpy(buf + sizeof(hdr), data, len);
	send_raw(w, buf, hdr.size, fds, nr_fds);
}

/* Send a request and return the errno of its answer; -1 without one. */
static inline int call_fds(struct wire *w, uint16_t cmd, const void *data,
			   size_t len, const int *fds, unsigned int nr_fds)
{
	send_msg(w, cmd, 0, data, len, fds, nr_fds);
	if (!recv_answer(w))
		return -1;
	CHECK_EQ(w->hdr.id, w->id);
	CHECK_EQ(w->hdr.cmd, cmd);
	CHECK_EQ(w->hdr.flags & 0xf, 1);
	if (!(w->hdr.flags & 0x20))
		return 0;
	CHECK_EQ(w->len, 0);
	return (int)w->hdr.error;
}

static inline int call_server(struct wire *w, uint16_t cmd, const void *data,
			      size_t len)
{
	return call_fds(w, cmd, data, len, NULL, 0);
}

static const char version[] =
	"\0\0\1\0{\"capabilities\":{\"max_msg_fds\":16,\"write_multiple\": true}}";

static inline void start_wire(struct wire *w)
{
	*w = (struct wire){};
	env_init(&w->e);
	mem_clear(&w->e.hca.mem);
	CHECK(!vdev_init(&w->vfu, &w->e.hca));
	attach_client(w);
	CHECK_EQ(call_server(w, 1, version, sizeof(version)), 0);
}

static inline void fini_wire(struct wire *w)
{
	close(w->fd);
	vfu_fini(&w->vfu);
	env_fini(&w->e);
}

/* The server hung up. */
static inline bool hung_up(struct wire *w)
{
	char c;

	run_loop(w);
	return recv(w->fd, &c, 1, MSG_DONTWAIT) == 0 && w->vfu.conn.fd < 0;
}

static inline int guest_memory(size_t size)
{
	int fd = memfd_create("guest", MFD_CLOEXEC);

	CHECK(!ftruncate(fd, (off_t)size));
	return fd;
}

struct wire_dma_map {
	uint32_t argsz, flags;
	uint64_t offset, addr, size;
};

struct wire_dma_unmap {
	uint32_t argsz, flags;
	uint64_t addr, size;
};

struct wire_access {
	uint64_t offset;
	uint32_t region, count;
	uint8_t data[16];
};

struct wire_irq_set {
	uint32_t argsz, flags, index, start, count;
	uint8_t bools[4];
};

enum { ACCESS = 16, IRQ_SET = 20, TRIGGER = VFIO_IRQ_SET_ACTION_TRIGGER };

static inline int map_memory(struct wire *w, uint64_t addr, uint64_t size,
			     int fd, uint64_t offset)
{
	struct wire_dma_map m = { sizeof(m), 3, offset, addr, size };

	return call_fds(w, 2, &m, sizeof(m), &fd, fd >= 0);
}

#endif /* HCA_TEST_WIRE_H */
