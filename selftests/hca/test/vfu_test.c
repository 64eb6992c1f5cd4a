// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The vfio-user protocol over a socket pair; most clients here are hostile. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/vfio.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include "env.h"
#include "../vdev.h"

struct wire {
	struct env e;
	struct vfu vfu;
	int fd;
	uint16_t id;
	struct vfu_hdr hdr;	/* of the last answer */
	uint8_t data[65536];	/* and its payload */
	size_t len;
};

static int open_fds(void)
{
	DIR *d = opendir("/proc/self/fd");
	int n = 0;

	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

static void step(struct wire *w)
{
	int i;

	for (i = 0; i < 8; i++)
		loop_step(&w->e.loop, 0);
}

static void attach(struct wire *w)
{
	int fd[2];

	CHECK(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd));
	CHECK(!vfu_attach(&w->vfu, fd[0]));
	w->fd = fd[1];
}

static void send_raw(struct wire *w, const void *buf, size_t len,
		     const int *fds, unsigned int nr_fds)
{
	union {
		struct cmsghdr align;
		char buf[CMSG_SPACE(64 * sizeof(int))];
	} ctl;
	struct iovec iov = { .iov_base = (void *)buf, .iov_len = len };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	struct cmsghdr *c;

	if (nr_fds) {
		msg.msg_control = ctl.buf;
		msg.msg_controllen = CMSG_SPACE(nr_fds * sizeof(int));
		c = CMSG_FIRSTHDR(&msg);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(nr_fds * sizeof(int));
		memcpy(CMSG_DATA(c), fds, nr_fds * sizeof(int));
	}
	CHECK_EQ(sendmsg(w->fd, &msg, MSG_NOSIGNAL), len);
}

/* The answer, or false where none comes. */
static bool receive(struct wire *w)
{
	ssize_t n;

	step(w);
	w->hdr = (struct vfu_hdr){};
	n = recv(w->fd, &w->hdr, sizeof(w->hdr), MSG_DONTWAIT);
	if (n != sizeof(w->hdr))
		return false;
	w->len = w->hdr.size - sizeof(w->hdr);
	if (w->len)
		CHECK_EQ(recv(w->fd, w->data, w->len, MSG_DONTWAIT), w->len);
	return true;
}

static void send_msg(struct wire *w, uint16_t cmd, uint32_t flags,
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
static int call_fds(struct wire *w, uint16_t cmd, const void *data, size_t len,
		    const int *fds, unsigned int nr_fds)
{
	send_msg(w, cmd, 0, data, len, fds, nr_fds);
	if (!receive(w))
		return -1;
	CHECK_EQ(w->hdr.id, w->id);
	CHECK_EQ(w->hdr.cmd, cmd);
	CHECK_EQ(w->hdr.flags & 0xf, 1);
	if (!(w->hdr.flags & 0x20))
		return 0;
	CHECK_EQ(w->len, 0);
	return (int)w->hdr.error;
}

static int call(struct wire *w, uint16_t cmd, const void *data, size_t len)
{
	return call_fds(w, cmd, data, len, NULL, 0);
}

static const char version[] =
	"\0\0\1\0{\"capabilities\":{\"max_msg_fds\":16,\"write_multiple\": true}}";

static void start(struct wire *w)
{
	*w = (struct wire){};
	env_init(&w->e);
	mem_clear(&w->e.hca.mem);
	CHECK(!vdev_init(&w->vfu, &w->e.hca));
	attach(w);
	CHECK_EQ(call(w, 1, version, sizeof(version)), 0);
}

static void fini(struct wire *w)
{
	close(w->fd);
	vfu_fini(&w->vfu);
	env_fini(&w->e);
}

/* The server hung up. */
static bool hung_up(struct wire *w)
{
	char c;

	step(w);
	return recv(w->fd, &c, 1, MSG_DONTWAIT) == 0 && w->vfu.conn.fd < 0;
}

static int memory(size_t size)
{
	int fd = memfd_create("guest", MFD_CLOEXEC);

	CHECK(!ftruncate(fd, (off_t)size));
	return fd;
}

struct dma_map {
	uint32_t argsz, flags;
	uint64_t offset, addr, size;
};

struct dma_unmap {
	uint32_t argsz, flags;
	uint64_t addr, size;
};

struct access {
	uint64_t offset;
	uint32_t region, count;
	uint8_t data[16];
};

struct irq_set {
	uint32_t argsz, flags, index, start, count;
	uint8_t bools[4];
};

enum { ACCESS = 16, IRQ_SET = 20, TRIGGER = VFIO_IRQ_SET_ACTION_TRIGGER };

static int map(struct wire *w, uint64_t addr, uint64_t size, int fd,
	       uint64_t offset)
{
	struct dma_map m = { sizeof(m), 3, offset, addr, size };

	return call_fds(w, 2, &m, sizeof(m), &fd, fd >= 0);
}

static void version_is_negotiated(void)
{
	struct wire w;

	start(&w);
	CHECK_EQ(w.data[0] | w.data[1], 0);
	CHECK(w.data[w.len - 1] == '\0');
	CHECK(strstr((char *)w.data + 4, "\"write_multiple\":true"));
	fini(&w);
}

static void bad_version(const void *data, size_t len)
{
	struct wire w = {};

	env_init(&w.e);
	CHECK(!vdev_init(&w.vfu, &w.e.hca));
	attach(&w);
	CHECK_EQ(call(&w, 1, data, len), -1);
	CHECK(hung_up(&w));
	fini(&w);
}

static void unknown_major_version(void)
{
	bad_version("\1\0\0\0", 5);
}

static void version_without_end(void)
{
	bad_version("\0\0\1\0{\"capabilities\"", 18);
}

static void version_too_short(void)
{
	bad_version("\0\0", 2);
}

static void request_before_version(void)
{
	struct wire w = {};

	env_init(&w.e);
	CHECK(!vdev_init(&w.vfu, &w.e.hca));
	attach(&w);
	CHECK_EQ(call(&w, 13, NULL, 0), -1);
	CHECK(hung_up(&w));
	fini(&w);
}

static void second_version(void)
{
	struct wire w;

	start(&w);
	CHECK_EQ(call(&w, 1, version, sizeof(version)), -1);
	CHECK(hung_up(&w));
	fini(&w);
}

static void message_sizes(void)
{
	static const uint32_t sizes[] = { 0, 15, VFU_MAX_MSG + 1, 0xffffffff };
	struct vfu_hdr hdr = { .cmd = 4 };
	unsigned int i;
	struct wire w;

	start(&w);
	for (i = 0; i < 4; i++) {
		hdr.size = sizes[i];
		send_raw(&w, &hdr, sizeof(hdr), NULL, 0);
		CHECK(hung_up(&w));
		close(w.fd);
		attach(&w);
		CHECK_EQ(call(&w, 1, version, sizeof(version)), 0);
	}
	fini(&w);
}

static void unexpected_reply(void)
{
	struct wire w;

	start(&w);
	send_msg(&w, 11, 1, NULL, 0, NULL, 0);
	CHECK(hung_up(&w));
	fini(&w);
}

static void message_in_pieces(void)
{
	uint32_t info[4] = { 16 };
	struct vfu_hdr hdr = { .id = 9, .cmd = 4, .size = sizeof(hdr) + 16 };
	uint8_t buf[32];
	struct wire w;
	size_t i;

	start(&w);
	memcpy(buf, &hdr, sizeof(hdr));
	memcpy(buf + sizeof(hdr), info, 16);
	for (i = 0; i < sizeof(buf); i++) {
		CHECK(!receive(&w));
		send_raw(&w, buf + i, 1, NULL, 0);
	}
	CHECK(receive(&w));
	CHECK_EQ(w.hdr.id, 9);
	fini(&w);
}

static void two_messages_at_once(void)
{
	uint8_t buf[64] = {};
	struct vfu_hdr hdr = { .id = 1, .cmd = 13, .size = sizeof(hdr) };
	struct wire w;

	start(&w);
	memcpy(buf, &hdr, sizeof(hdr));
	hdr.id = 2;
	memcpy(buf + 16, &hdr, sizeof(hdr));
	send_raw(&w, buf, 32, NULL, 0);
	CHECK(receive(&w));
	CHECK_EQ(w.hdr.id, 1);
	CHECK(receive(&w));
	CHECK_EQ(w.hdr.id, 2);
	fini(&w);
}

static void unknown_commands(void)
{
	static const uint16_t cmds[] = { 0, 6, 11, 12, 14, 16, 17, 18, 0xffff };
	unsigned int i;
	struct wire w;

	start(&w);
	for (i = 0; i < sizeof(cmds) / sizeof(cmds[0]); i++)
		CHECK_EQ(call(&w, cmds[i], NULL, 0), EOPNOTSUPP);
	fini(&w);
}

static void device_info(void)
{
	uint32_t info[4] = { 16 };
	struct wire w;

	start(&w);
	CHECK_EQ(call(&w, 4, info, 16), 0);
	memcpy(info, w.data, 16);
	CHECK_EQ(info[1], VFIO_DEVICE_FLAGS_RESET | VFIO_DEVICE_FLAGS_PCI);
	CHECK_EQ(info[2], VFIO_PCI_NUM_REGIONS);
	CHECK_EQ(info[3], VFIO_PCI_NUM_IRQS);
	info[0] = 15;
	CHECK_EQ(call(&w, 4, info, 16), EINVAL);
	CHECK_EQ(call(&w, 4, info, 12), EINVAL);
	CHECK_EQ(call(&w, 4, NULL, 0), EINVAL);
	fini(&w);
}

static void region_info(void)
{
	struct vfio_region_info info = { .argsz = sizeof(info) };
	struct wire w;

	start(&w);
	CHECK_EQ(call(&w, 5, &info, sizeof(info)), 0);
	memcpy(&info, w.data, sizeof(info));
	CHECK_EQ(info.size, PCI_BAR_SIZE);
	CHECK_EQ(info.flags, 3);
	info.index = VFIO_PCI_BAR2_REGION_INDEX;
	CHECK_EQ(call(&w, 5, &info, sizeof(info)), 0);
	memcpy(&info, w.data, sizeof(info));
	CHECK_EQ(info.size, 0);
	info.index = VFIO_PCI_NUM_REGIONS;
	CHECK_EQ(call(&w, 5, &info, sizeof(info)), EINVAL);
	info.index = 0xffffffff;
	CHECK_EQ(call(&w, 5, &info, sizeof(info)), EINVAL);
	info.index = 0;
	info.argsz = 8;
	CHECK_EQ(call(&w, 5, &info, sizeof(info)), EINVAL);
	CHECK_EQ(call(&w, 5, &info, 8), EINVAL);
	fini(&w);
}

static void irq_info(void)
{
	uint32_t info[4] = { 16, 0, VFIO_PCI_MSIX_IRQ_INDEX };
	struct wire w;

	start(&w);
	CHECK_EQ(call(&w, 7, info, 16), 0);
	memcpy(info, w.data, 16);
	CHECK_EQ(info[3], IRQ_VECTORS);
	CHECK(info[1] & VFIO_IRQ_INFO_EVENTFD);
	info[2] = VFIO_PCI_NUM_IRQS;
	CHECK_EQ(call(&w, 7, info, 16), EINVAL);
	fini(&w);
}

static void dma_map_and_unmap(void)
{
	struct dma_unmap u = { sizeof(u), 0, 0x100000, 0x10000 };
	int fd = memory(0x20000);
	uint8_t b = 0x42, r = 0;
	struct wire w;

	start(&w);
	CHECK_EQ(pwrite(fd, &b, 1, 0x11234), 1);
	CHECK_EQ(map(&w, 0x100000, 0x10000, fd, 0x10000), 0);
	CHECK(!mem_read(&w.e.hca.mem, 0x101234, &r, 1));
	CHECK_EQ(r, 0x42);
	CHECK(mem_read(&w.e.hca.mem, 0xfffff, &r, 1));
	CHECK(mem_read(&w.e.hca.mem, 0x110000, &r, 1));
	CHECK_EQ(call(&w, 3, &u, sizeof(u)), 0);
	CHECK_EQ(w.len, sizeof(u));
	CHECK(mem_read(&w.e.hca.mem, 0x101234, &r, 1));
	CHECK_EQ(call(&w, 3, &u, sizeof(u)), ENOENT);
	close(fd);
	fini(&w);
}

static void dma_map_without_fd(void)
{
	struct wire w;
	uint8_t r;

	start(&w);
	CHECK_EQ(map(&w, 0xc0000, 0x1000, -1, 0), 0);
	CHECK(mem_read(&w.e.hca.mem, 0xc0000, &r, 1));
	CHECK_EQ(map(&w, 0xc0000, 0x1000, -1, 0), EEXIST);
	fini(&w);
}

static void dma_map_is_refused(void)
{
	struct dma_map m = { sizeof(m), 0x10, 0, 0, 0x1000 };
	int fd = memory(0x2000), null = open("/dev/null", O_RDWR | O_CLOEXEC);
	int two[2] = { fd, fd };
	struct wire w;

	start(&w);
	CHECK_EQ(map(&w, 0x1000, 0, fd, 0), EINVAL);
	CHECK_EQ(map(&w, 0x1000, 0x3000, fd, 0), EINVAL);	/* past the end */
	CHECK_EQ(map(&w, 0x1000, 0x1000, fd, 0x2000), EINVAL);
	CHECK_EQ(map(&w, 0x1000, 0x1000, fd, 0x123), EINVAL);
	CHECK_EQ(map(&w, 0x1000, 0x1000, fd, ~0ULL - 0xfff), EINVAL);
	CHECK_EQ(map(&w, ~0ULL - 0xfff, 0x2000, fd, 0), EINVAL);
	CHECK_EQ(map(&w, 0x1000, ~0ULL, -1, 0), EINVAL);
	CHECK_EQ(map(&w, 0x1000, 0x1000, null, 0), EINVAL);
	CHECK_EQ(call_fds(&w, 2, &m, sizeof(m), NULL, 0), EINVAL);
	m.flags = 3;
	CHECK_EQ(call_fds(&w, 2, &m, sizeof(m), two, 2), EINVAL);
	CHECK_EQ(call_fds(&w, 2, &m, sizeof(m) - 1, NULL, 0), EINVAL);
	m.argsz = 0;
	CHECK_EQ(call_fds(&w, 2, &m, sizeof(m), NULL, 0), EINVAL);
	CHECK_EQ(map(&w, 0x1000, 0x2000, fd, 0), 0);
	CHECK_EQ(map(&w, 0x2fff, 0x1000, fd, 0), EEXIST);
	CHECK_EQ(map(&w, 0, 0x1001, -1, 0), EEXIST);
	/* The last page of the address space is one. */
	CHECK_EQ(map(&w, ~0ULL - 0xfff, 0x1000, fd, 0), 0);
	close(fd);
	close(null);
	fini(&w);
}

static void dma_maps_have_a_limit(void)
{
	struct wire w;
	uint64_t i;

	start(&w);
	for (i = 0; i < MEM_MAX_REGIONS; i++)
		CHECK_EQ(map(&w, i << 12, 0x1000, -1, 0), 0);
	CHECK_EQ(map(&w, i << 12, 0x1000, -1, 0), ENOSPC);
	fini(&w);
}

static void unmap_is_refused(void)
{
	struct dma_unmap u = { sizeof(u), 0, 0x1000, 0x1000 };
	struct wire w;

	start(&w);
	CHECK_EQ(map(&w, 0x1000, 0x2000, -1, 0), 0);
	CHECK_EQ(call(&w, 3, &u, sizeof(u)), ENOENT);
	u.flags = 1;
	CHECK_EQ(call(&w, 3, &u, sizeof(u)), EOPNOTSUPP);
	u.flags = VFIO_DMA_UNMAP_FLAG_ALL;
	CHECK_EQ(call(&w, 3, &u, sizeof(u)), EINVAL);
	u.addr = 0;
	u.size = 0;
	CHECK_EQ(call(&w, 3, &u, sizeof(u)), 0);
	CHECK_EQ(w.e.hca.mem.nr, 0);
	CHECK_EQ(call(&w, 3, &u, 8), EINVAL);
	fini(&w);
}

static void dma_respects_rights(void)
{
	struct dma_map m = { sizeof(m), 1, 0, 0x1000, 0x1000 };
	int fd = memory(0x1000);
	uint8_t b = 0;
	struct wire w;

	start(&w);
	CHECK_EQ(call_fds(&w, 2, &m, sizeof(m), &fd, 1), 0);
	CHECK(!mem_read(&w.e.hca.mem, 0x1000, &b, 1));
	CHECK(mem_write(&w.e.hca.mem, 0x1000, &b, 1));
	close(fd);
	fini(&w);
}

static void region_read_and_write(void)
{
	struct access a = { 0x14, 0, 4, { 0x12, 0x34, 0x50, 0x00 } };
	struct wire w;

	start(&w);
	CHECK_EQ(call(&w, 10, &a, ACCESS + 4), 0);
	CHECK_EQ(w.len, ACCESS);
	CHECK_EQ(call(&w, 9, &a, ACCESS), 0);
	CHECK_EQ(w.len, ACCESS + 4);
	CHECK_EQ(get_be32(w.data + ACCESS), 0x12345056);
	a = (struct access){ 0, VFIO_PCI_CONFIG_REGION_INDEX, 4, {} };
	CHECK_EQ(call(&w, 9, &a, ACCESS), 0);
	CHECK_EQ(w.data[ACCESS], 0xb3);
	fini(&w);
}

static void accesses_outside_of_regions(void)
{
	static const struct access bad[] = {
		{ PCI_BAR_SIZE, 0, 1, {} },
		{ PCI_BAR_SIZE - 2, 0, 4, {} },
		{ ~0ULL, 0, 1, {} },
		{ ~0ULL - 2, 0, 4, {} },
		{ 0, 0, 0, {} },
		{ 0, 0, VFU_MAX_XFER + 1, {} },
		{ 0, 0, 0xffffffff, {} },
		{ 0, 1, 4, {} },
		{ 0, VFIO_PCI_NUM_REGIONS, 4, {} },
		{ 0, 0xffffffff, 4, {} },
		{ 4095, VFIO_PCI_CONFIG_REGION_INDEX, 2, {} },
	};
	struct access a;
	unsigned int i;
	struct wire w;

	start(&w);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		CHECK_EQ(call(&w, 9, &bad[i], ACCESS), EINVAL);
		CHECK_EQ(call(&w, 10, &bad[i], ACCESS + 4), EINVAL);
	}
	a = (struct access){ 0x10, 0, 8, {} };
	CHECK_EQ(call(&w, 10, &a, ACCESS + 4), EINVAL);	/* less than count */
	CHECK_EQ(call(&w, 10, &a, ACCESS + 16), EINVAL);	/* more */
	CHECK_EQ(call(&w, 10, &a, 8), EINVAL);
	CHECK_EQ(call(&w, 9, &a, 8), EINVAL);
	fini(&w);
}

static void large_read(void)
{
	struct access a = { 0, 0, 60000, {} };
	struct wire w;

	start(&w);
	CHECK_EQ(call(&w, 9, &a, ACCESS), 0);
	CHECK_EQ(w.len, ACCESS + 60000);
	fini(&w);
}

static void posted_write_has_no_answer(void)
{
	struct access a = { 0x10, 0, 4, { 1, 2, 3, 4 } };
	struct wire w;

	start(&w);
	send_msg(&w, 10, 0x10, &a, ACCESS + 4, NULL, 0);
	CHECK(!receive(&w));
	CHECK_EQ(bar_get32(&w.e, 0x10), 0x01020304);
	/* Nor has one that is refused. */
	a.region = 1;
	send_msg(&w, 10, 0x10, &a, ACCESS + 4, NULL, 0);
	CHECK(!receive(&w));
	CHECK(!hung_up(&w));
	fini(&w);
}

static void multiple_writes(void)
{
	struct {
		uint64_t n;
		struct { uint64_t off; uint32_t region, count; uint8_t d[8]; } a[2];
	} m = { 2, { { 0x10, 0, 4, { 1 } }, { 0x14, 0, 4, { 2 } } } };
	struct wire w;

	start(&w);
	CHECK_EQ(call(&w, 15, &m, sizeof(m)), 0);
	CHECK_EQ(bar_get32(&w.e, 0x10), 0x01000000);
	CHECK_EQ(bar_get32(&w.e, 0x14) >> 24, 2);
	m.n = 3;
	CHECK_EQ(call(&w, 15, &m, sizeof(m)), EINVAL);
	m.n = 1ULL << 61;
	CHECK_EQ(call(&w, 15, &m, sizeof(m)), EINVAL);
	m.n = 2;
	m.a[1].count = 9;
	CHECK_EQ(call(&w, 15, &m, sizeof(m)), EINVAL);
	/* All or nothing. */
	m.a[1].count = 4;
	m.a[1].region = 3;
	m.a[0].d[0] = 9;
	CHECK_EQ(call(&w, 15, &m, sizeof(m)), EINVAL);
	CHECK_EQ(bar_get32(&w.e, 0x10), 0x01000000);
	CHECK_EQ(call(&w, 15, &m, 4), EINVAL);
	fini(&w);
}

static void irqs_are_assigned_and_fired(void)
{
	struct irq_set s = {
		IRQ_SET, VFIO_IRQ_SET_DATA_EVENTFD | TRIGGER,
		VFIO_PCI_MSIX_IRQ_INDEX, 4, 2, {},
	};
	int fd[2] = { eventfd(0, EFD_NONBLOCK), eventfd(0, EFD_NONBLOCK) };
	struct wire w;

	start(&w);
	CHECK_EQ(call_fds(&w, 8, &s, IRQ_SET, fd, 2), 0);
	irq_fire(&w.e.hca.irqs, 5);
	CHECK_EQ(fired(fd[0]), 0);
	CHECK_EQ(fired(fd[1]), 1);
	s.flags = VFIO_IRQ_SET_DATA_NONE | TRIGGER;
	CHECK_EQ(call(&w, 8, &s, IRQ_SET), 0);
	CHECK_EQ(fired(fd[0]), 1);
	CHECK_EQ(fired(fd[1]), 1);
	s.flags = VFIO_IRQ_SET_DATA_BOOL | TRIGGER;
	s.argsz = IRQ_SET + 2;
	s.bools[1] = 1;
	CHECK_EQ(call(&w, 8, &s, IRQ_SET + 2), 0);
	CHECK_EQ(fired(fd[0]), 0);
	CHECK_EQ(fired(fd[1]), 1);
	/* All gone for a moment, as when QEMU adds a vector. */
	s = (struct irq_set){
		IRQ_SET, VFIO_IRQ_SET_DATA_NONE | TRIGGER,
		VFIO_PCI_MSIX_IRQ_INDEX, 0, 0, {},
	};
	CHECK_EQ(call(&w, 8, &s, IRQ_SET), 0);
	irq_fire(&w.e.hca.irqs, 4);
	CHECK_EQ(fired(fd[0]), 0);
	s.flags = VFIO_IRQ_SET_DATA_EVENTFD | TRIGGER;
	s.start = 4;
	s.count = 2;
	CHECK_EQ(call_fds(&w, 8, &s, IRQ_SET, fd, 2), 0);
	CHECK_EQ(fired(fd[0]), 1);
	CHECK_EQ(fired(fd[1]), 0);
	close(fd[0]);
	close(fd[1]);
	fini(&w);
}

static void set_irqs_is_refused(void)
{
	const struct irq_set good = {
		IRQ_SET, VFIO_IRQ_SET_DATA_EVENTFD | TRIGGER,
		VFIO_PCI_MSIX_IRQ_INDEX, 0, 1, {},
	};
	int fd = eventfd(0, EFD_NONBLOCK), two[2] = { fd, fd }, pipes[2];
	struct irq_set s;
	struct wire w;

#define REFUSED(change, fds, n) do {						s = good;								change;									CHECK_EQ(call_fds(&w, 8, &s, IRQ_SET, fds, n), EINVAL);		} while (0)
	CHECK(!pipe(pipes));
	start(&w);
	REFUSED(s.index = VFIO_PCI_NUM_IRQS, &fd, 1);
	REFUSED(s.index = VFIO_PCI_INTX_IRQ_INDEX, &fd, 1);
	REFUSED(s.start = IRQ_VECTORS, &fd, 1);
	REFUSED(s.start = 0xffffffff, &fd, 1);
	REFUSED(s.count = 0xffffffff, &fd, 1);
	REFUSED((s.start = 1, s.count = 0xffffffff), &fd, 1);
	REFUSED(s.count = 0, &fd, 1);
	REFUSED(s.count = 3, two, 2);
	REFUSED(s.flags = 0, &fd, 1);
	REFUSED(s.flags |= VFIO_IRQ_SET_DATA_NONE, &fd, 1);
	REFUSED(s.flags |= VFIO_IRQ_SET_ACTION_MASK, &fd, 1);
	REFUSED(s.flags |= 1 << 9, &fd, 1);
	REFUSED(s.flags = VFIO_IRQ_SET_DATA_NONE | TRIGGER, &fd, 1);
	REFUSED(s.flags = VFIO_IRQ_SET_DATA_BOOL | TRIGGER, NULL, 0);
	REFUSED(s.argsz = 0, &fd, 1);
	/* What is no eventfd could block us. */
	REFUSED(s.start = 0, &pipes[1], 1);
	CHECK_EQ(call_fds(&w, 8, &good, 8, &fd, 1), EINVAL);
	CHECK_EQ(w.e.hca.irqs.fd[0], -1);
	close(fd);
	close(pipes[0]);
	close(pipes[1]);
	fini(&w);
}

static void no_descriptor_leaks(void)
{
	int before = open_fds(), fds[32], i;
	struct irq_set s = {
		IRQ_SET, VFIO_IRQ_SET_DATA_EVENTFD | TRIGGER,
		VFIO_PCI_MSIX_IRQ_INDEX, 0, 16, {},
	};
	uint32_t info[4] = { 16 };
	struct wire w;

	for (i = 0; i < 32; i++)
		fds[i] = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	start(&w);
	for (i = 0; i < 3; i++)
		CHECK_EQ(call_fds(&w, 8, &s, IRQ_SET, fds, 16), 0);
	/* Descriptors where none belong. */
	CHECK_EQ(call_fds(&w, 4, info, 16, fds, 3), EINVAL);
	CHECK_EQ(call_fds(&w, 0xffff, NULL, 0, fds, 3), EOPNOTSUPP);
	/* More than one message may hold. */
	CHECK_EQ(call_fds(&w, 8, &s, IRQ_SET, fds, 32), -1);
	CHECK(hung_up(&w));
	close(w.fd);
	/* A client that dies in the middle of a message with descriptors. */
	attach(&w);
	CHECK_EQ(call(&w, 1, version, sizeof(version)), 0);
	send_raw(&w, "\1\0\10\0\44\0\0\0", 8, fds, 5);
	step(&w);
	fini(&w);
	for (i = 0; i < 32; i++)
		close(fds[i]);
	CHECK_EQ(open_fds(), before);
}

static void reset_message(void)
{
	struct wire w;
	unsigned int n;

	start(&w);
	n = fake.resets;
	CHECK_EQ(call(&w, 13, NULL, 0), 0);
	CHECK_EQ(fake.resets, n + 1);
	CHECK_EQ(call(&w, 13, "x", 1), EINVAL);
	fini(&w);
}

static void next_client_finds_a_fresh_device(void)
{
	struct access a = { 0x10, 0, 4, { 1, 2, 3, 4 } };
	struct wire w;

	start(&w);
	CHECK_EQ(map(&w, 0x1000, 0x1000, -1, 0), 0);
	CHECK_EQ(call(&w, 10, &a, ACCESS + 4), 0);
	w.e.hca.dead = true;
	close(w.fd);
	step(&w);
	CHECK_EQ(w.vfu.conn.fd, -1);
	CHECK_EQ(w.e.hca.mem.nr, 0);
	attach(&w);
	CHECK_EQ(call(&w, 1, version, sizeof(version)), 0);
	CHECK_EQ(call(&w, 9, &a, ACCESS), 0);
	CHECK_EQ(get_be32(w.data + ACCESS), 0);
	fini(&w);
}

static void second_client_is_refused(void)
{
	struct wire w;
	int fd[2];
	char c;

	start(&w);
	CHECK(!socketpair(AF_UNIX, SOCK_STREAM, 0, fd));
	CHECK_EQ(vfu_attach(&w.vfu, fd[0]), -1);
	CHECK_EQ(recv(fd[1], &c, 1, MSG_DONTWAIT), 0);
	close(fd[1]);
	CHECK_EQ(call(&w, 13, NULL, 0), 0);
	fini(&w);
}

/* Seeded noise behind a good start: whatever it does, it is no crash. */
static void random_messages(void)
{
	uint8_t data[64];
	unsigned int i, j;
	struct wire w;
	size_t len;

	start(&w);
	srandom(1);
	for (i = 0; i < 3000; i++) {
		len = (size_t)random() % sizeof(data);
		for (j = 0; j < len; j++)
			data[j] = random() % 4 ? 0 : (uint8_t)random();
		send_msg(&w, (uint16_t)(random() % 20), 0, data, len, NULL, 0);
		receive(&w);
		if (w.vfu.conn.fd >= 0)
			continue;
		close(w.fd);
		attach(&w);
		CHECK_EQ(call(&w, 1, version, sizeof(version)), 0);
	}
	fini(&w);
}

int main(void)
{
	static const struct tap_test tests[] = {
		TAP(version_is_negotiated),
		TAP(unknown_major_version),
		TAP(version_without_end),
		TAP(version_too_short),
		TAP(request_before_version),
		TAP(second_version),
		TAP(message_sizes),
		TAP(unexpected_reply),
		TAP(message_in_pieces),
		TAP(two_messages_at_once),
		TAP(unknown_commands),
		TAP(device_info),
		TAP(region_info),
		TAP(irq_info),
		TAP(dma_map_and_unmap),
		TAP(dma_map_without_fd),
		TAP(dma_map_is_refused),
		TAP(dma_maps_have_a_limit),
		TAP(unmap_is_refused),
		TAP(dma_respects_rights),
		TAP(region_read_and_write),
		TAP(accesses_outside_of_regions),
		TAP(large_read),
		TAP(posted_write_has_no_answer),
		TAP(multiple_writes),
		TAP(irqs_are_assigned_and_fired),
		TAP(set_irqs_is_refused),
		TAP(no_descriptor_leaks),
		TAP(reset_message),
		TAP(next_client_finds_a_fresh_device),
		TAP(second_client_is_refused),
		TAP(random_messages),
	};

	return TAP_RUN(tests);
}
