// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Hostile clients: wrong sizes, offsets, lengths, descriptors, and random
 * bytes. All are refused, and nothing leaks.
 */
#include <dirent.h>

#include "wire.h"

static void bad_version(const void *data, size_t len)
{
	struct wire w = {};

	env_init(&w.e);
	CHECK(!vdev_init(&w.vfu, &w.e.hca));
	attach_client(&w);
	CHECK_EQ(call_server(&w, 1, data, len), -1);
	CHECK(hung_up(&w));
	fini_wire(&w);
}

static void version_major_unknown_hangup(void)
{
	bad_version("\1\0\0\0", 5);
}

static void version_unterminated_hangup(void)
{
	bad_version("\0\0\1\0{\"capabilities\"", 18);
}

static void version_short_hangup(void)
{
	bad_version("\0\0", 2);
}

static void request_before_version_hangup(void)
{
	struct wire w = {};

	env_init(&w.e);
	CHECK(!vdev_init(&w.vfu, &w.e.hca));
	attach_client(&w);
	CHECK_EQ(call_server(&w, 13, NULL, 0), -1);
	CHECK(hung_up(&w));
	fini_wire(&w);
}

static void version_second_hangup(void)
{
	struct wire w;

	start_wire(&w);
	CHECK_EQ(call_server(&w, 1, version, sizeof(version)), -1);
	CHECK(hung_up(&w));
	fini_wire(&w);
}

static void message_size_wrong_hangup(void)
{
	static const uint32_t sizes[] = { 0, 15, VFU_MAX_MSG + 1, 0xffffffff };
	struct vfu_hdr hdr = { .cmd = 4 };
	unsigned int i;
	struct wire w;

	start_wire(&w);
	for (i = 0; i < 4; i++) {
		hdr.size = sizes[i];
		send_raw(&w, &hdr, sizeof(hdr), NULL, 0);
		CHECK(hung_up(&w));
		close(w.fd);
		attach_client(&w);
		CHECK_EQ(call_server(&w, 1, version, sizeof(version)), 0);
	}
	fini_wire(&w);
}

static void reply_unexpected_hangup(void)
{
	struct wire w;

	start_wire(&w);
	send_msg(&w, 11, 1, NULL, 0, NULL, 0);
	CHECK(hung_up(&w));
	fini_wire(&w);
}

static void command_unknown_eopnotsupp(void)
{
	static const uint16_t cmds[] = { 0, 6, 11, 12, 14, 16, 17, 18, 0xffff };
	unsigned int i;
	struct wire w;

	start_wire(&w);
	for (i = 0; i < sizeof(cmds) / sizeof(cmds[0]); i++)
		CHECK_EQ(call_server(&w, cmds[i], NULL, 0), EOPNOTSUPP);
	fini_wire(&w);
}

static void dma_map_wrong_einval(void)
{
	struct wire_dma_map m = { sizeof(m), 0x10, 0, 0, 0x1000 };
	int fd = guest_memory(0x2000),
	    null = open("/dev/null", O_RDWR | O_CLOEXEC);
	int two[2] = { fd, fd };
	struct wire w;

	start_wire(&w);
	CHECK_EQ(map_memory(&w, 0x1000, 0, fd, 0), EINVAL);
	CHECK_EQ(map_memory(&w, 0x1000, 0x3000, fd, 0),
		 EINVAL); /* past the end */
	CHECK_EQ(map_memory(&w, 0x1000, 0x1000, fd, 0x2000), EINVAL);
	CHECK_EQ(map_memory(&w, 0x1000, 0x1000, fd, 0x123), EINVAL);
	CHECK_EQ(map_memory(&w, 0x1000, 0x1000, fd, ~0ULL - 0xfff), EINVAL);
	CHECK_EQ(map_memory(&w, ~0ULL - 0xfff, 0x2000, fd, 0), EINVAL);
	CHECK_EQ(map_memory(&w, 0x1000, ~0ULL, -1, 0), EINVAL);
	CHECK_EQ(map_memory(&w, 0x1000, 0x1000, null, 0), EINVAL);
	CHECK_EQ(call_fds(&w, 2, &m, sizeof(m), NULL, 0), EINVAL);
	m.flags = 3;
	CHECK_EQ(call_fds(&w, 2, &m, sizeof(m), two, 2), EINVAL);
	CHECK_EQ(call_fds(&w, 2, &m, sizeof(m) - 1, NULL, 0), EINVAL);
	m.argsz = 0;
	CHECK_EQ(call_fds(&w, 2, &m, sizeof(m), NULL, 0), EINVAL);
	CHECK_EQ(map_memory(&w, 0x1000, 0x2000, fd, 0), 0);
	CHECK_EQ(map_memory(&w, 0x2fff, 0x1000, fd, 0), EEXIST);
	CHECK_EQ(map_memory(&w, 0, 0x1001, -1, 0), EEXIST);
	/* The last page of the address space can be mapped. */
	CHECK_EQ(map_memory(&w, ~0ULL - 0xfff, 0x1000, fd, 0), 0);
	close(fd);
	close(null);
	fini_wire(&w);
}

static void dma_map_limit_enospc(void)
{
	struct wire w;
	uint64_t i;

	start_wire(&w);
	for (i = 0; i < MEM_MAX_REGIONS; i++)
		CHECK_EQ(map_memory(&w, i << 12, 0x1000, -1, 0), 0);
	CHECK_EQ(map_memory(&w, i << 12, 0x1000, -1, 0), ENOSPC);
	fini_wire(&w);
}

static void unmap_wrong_refused(void)
{
	struct wire_dma_unmap u = { sizeof(u), 0, 0x1000, 0x1000 };
	struct wire w;

	start_wire(&w);
	CHECK_EQ(map_memory(&w, 0x1000, 0x2000, -1, 0), 0);
	CHECK_EQ(call_server(&w, 3, &u, sizeof(u)), ENOENT);
	u.flags = 1;
	CHECK_EQ(call_server(&w, 3, &u, sizeof(u)), EOPNOTSUPP);
	u.flags = VFIO_DMA_UNMAP_FLAG_ALL;
	CHECK_EQ(call_server(&w, 3, &u, sizeof(u)), EINVAL);
	u.addr = 0;
	u.size = 0;
	CHECK_EQ(call_server(&w, 3, &u, sizeof(u)), 0);
	CHECK_EQ(w.e.hca.mem.nr, 0);
	CHECK_EQ(call_server(&w, 3, &u, 8), EINVAL);
	fini_wire(&w);
}

static void access_outside_einval(void)
{
	static const struct wire_access bad[] = {
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
	struct wire_access a;
	unsigned int i;
	struct wire w;

	start_wire(&w);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		CHECK_EQ(call_server(&w, 9, &bad[i], ACCESS), EINVAL);
		CHECK_EQ(call_server(&w, 10, &bad[i], ACCESS + 4), EINVAL);
	}
	a = (struct wire_access){ 0x10, 0, 8, {} };
	CHECK_EQ(call_server(&w, 10, &a, ACCESS + 4),
		 EINVAL); /* less than count */
	CHECK_EQ(call_server(&w, 10, &a, ACCESS + 16), EINVAL); /* more */
	CHECK_EQ(call_server(&w, 10, &a, 8), EINVAL);
	CHECK_EQ(call_server(&w, 9, &a, 8), EINVAL);
	fini_wire(&w);
}

static void set_irqs_wrong_einval(void)
{
	const struct wire_irq_set good = {
		IRQ_SET,
		VFIO_IRQ_SET_DATA_EVENTFD | TRIGGER,
		VFIO_PCI_MSIX_IRQ_INDEX,
		0,
		1,
		{},
	};
	int fd = eventfd(0, EFD_NONBLOCK), two[2] = { fd, fd }, pipes[2];
	struct wire_irq_set s;
	struct wire w;

#define REFUSED(change, fds, n)						\
	do {								\
		s = good;						\
		change;							\
		CHECK_EQ(call_fds(&w, 8, &s, IRQ_SET, fds, n), EINVAL);	\
	} while (0)
	CHECK(!pipe(pipes));
	start_wire(&w);
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
	/* A file that is no eventfd could block the server. */
	REFUSED(s.start = 0, &pipes[1], 1);
	CHECK_EQ(call_fds(&w, 8, &good, 8, &fd, 1), EINVAL);
	CHECK_EQ(w.e.hca.irqs.fd[0], -1);
	close(fd);
	close(pipes[0]);
	close(pipes[1]);
	fini_wire(&w);
}

static int open_fds(void)
{
	DIR *d = opendir("/proc/self/fd");
	int n = 0;

	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

static void descriptors_not_leaked(void)
{
	int before = open_fds(), fds[32], i;
	struct wire_irq_set s = {
		IRQ_SET,
		VFIO_IRQ_SET_DATA_EVENTFD | TRIGGER,
		VFIO_PCI_MSIX_IRQ_INDEX,
		0,
		16,
		{},
	};
	uint32_t info[4] = { 16 };
	struct wire w;

	for (i = 0; i < 32; i++)
		fds[i] = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	start_wire(&w);
	for (i = 0; i < 3; i++)
		CHECK_EQ(call_fds(&w, 8, &s, IRQ_SET, fds, 16), 0);
	/* Descriptors of a message that takes none. */
	CHECK_EQ(call_fds(&w, 4, info, 16, fds, 3), EINVAL);
	CHECK_EQ(call_fds(&w, 0xffff, NULL, 0, fds, 3), EOPNOTSUPP);
	/* More descriptors than a message may hold. */
	CHECK_EQ(call_fds(&w, 8, &s, IRQ_SET, fds, 32), -1);
	CHECK(hung_up(&w));
	close(w.fd);
	/* A client that disconnects within a message with descriptors. */
	attach_client(&w);
	CHECK_EQ(call_server(&w, 1, version, sizeof(version)), 0);
	send_raw(&w, "\1\0\10\0\44\0\0\0", 8, fds, 5);
	run_loop(&w);
	fini_wire(&w);
	for (i = 0; i < 32; i++)
		close(fds[i]);
	CHECK_EQ(open_fds(), before);
}

static void client_second_refused(void)
{
	struct wire w;
	int fd[2];
	char c;

	start_wire(&w);
	CHECK(!socketpair(AF_UNIX, SOCK_STREAM, 0, fd));
	CHECK_EQ(vfu_attach(&w.vfu, fd[0]), -1);
	CHECK_EQ(recv(fd[1], &c, 1, MSG_DONTWAIT), 0);
	close(fd[1]);
	CHECK_EQ(call_server(&w, 13, NULL, 0), 0);
	fini_wire(&w);
}

/*
 * Random bytes behind a valid start, from a fixed seed. The server must not
 * crash.
 */
static void random_messages_survive(void)
{
	uint8_t data[64];
	unsigned int i, j;
	struct wire w;
	size_t len;

	start_wire(&w);
	srandom(1);
	for (i = 0; i < 3000; i++) {
		len = (size_t)random() % sizeof(data);
		for (j = 0; j < len; j++)
			data[j] = random() % 4 ? 0 : (uint8_t)random();
		send_msg(&w, (uint16_t)(random() % 20), 0, data, len, NULL, 0);
		recv_answer(&w);
		if (w.vfu.conn.fd >= 0)
			continue;
		close(w.fd);
		attach_client(&w);
		CHECK_EQ(call_server(&w, 1, version, sizeof(version)), 0);
	}
	fini_wire(&w);
}

int main(void)
{
	static const struct hca_test tests[] = {
		TAP(version_major_unknown_hangup),
		TAP(version_unterminated_hangup),
		TAP(version_short_hangup),
		TAP(request_before_version_hangup),
		TAP(version_second_hangup),
		TAP(message_size_wrong_hangup),
		TAP(reply_unexpected_hangup),
		TAP(command_unknown_eopnotsupp),
		TAP(dma_map_wrong_einval),
		TAP(dma_map_limit_enospc),
		TAP(unmap_wrong_refused),
		TAP(access_outside_einval),
		TAP(set_irqs_wrong_einval),
		TAP(descriptors_not_leaked),
		TAP(client_second_refused),
		TAP(random_messages_survive),
	};

	return TAP_RUN(tests);
}
