// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The vfio-user protocol, as a well-behaved client uses it. */
#include "wire.h"

static void version_negotiated(void)
{
	struct wire w;

	start_wire(&w);
	CHECK_EQ(w.data[0] | w.data[1], 0);
	CHECK(w.data[w.len - 1] == '\0');
	CHECK(strstr((char *)w.data + 4, "\"write_multiple\":true"));
	fini_wire(&w);
}

static void message_in_pieces(void)
{
	uint32_t info[4] = { 16 };
	struct vfu_hdr hdr = { .id = 9, .cmd = 4, .size = sizeof(hdr) + 16 };
	uint8_t buf[32];
	struct wire w;
	size_t i;

	start_wire(&w);
	memcpy(buf, &hdr, sizeof(hdr));
	memcpy(buf + sizeof(hdr), info, 16);
	for (i = 0; i < sizeof(buf); i++) {
		CHECK(!recv_answer(&w));
		send_raw(&w, buf + i, 1, NULL, 0);
	}
	CHECK(recv_answer(&w));
	CHECK_EQ(w.hdr.id, 9);
	fini_wire(&w);
}

static void messages_two_at_once(void)
{
	uint8_t buf[64] = {};
	struct vfu_hdr hdr = { .id = 1, .cmd = 13, .size = sizeof(hdr) };
	struct wire w;

	start_wire(&w);
	memcpy(buf, &hdr, sizeof(hdr));
	hdr.id = 2;
	memcpy(buf + 16, &hdr, sizeof(hdr));
	send_raw(&w, buf, 32, NULL, 0);
	CHECK(recv_answer(&w));
	CHECK_EQ(w.hdr.id, 1);
	CHECK(recv_answer(&w));
	CHECK_EQ(w.hdr.id, 2);
	fini_wire(&w);
}

static void device_info(void)
{
	uint32_t info[4] = { 16 };
	struct wire w;

	start_wire(&w);
	CHECK_EQ(call_server(&w, 4, info, 16), 0);
	memcpy(info, w.data, 16);
	CHECK_EQ(info[1], VFIO_DEVICE_FLAGS_RESET | VFIO_DEVICE_FLAGS_PCI);
	CHECK_EQ(info[2], VFIO_PCI_NUM_REGIONS);
	CHECK_EQ(info[3], VFIO_PCI_NUM_IRQS);
	info[0] = 15;
	CHECK_EQ(call_server(&w, 4, info, 16), EINVAL);
	CHECK_EQ(call_server(&w, 4, info, 12), EINVAL);
	CHECK_EQ(call_server(&w, 4, NULL, 0), EINVAL);
	fini_wire(&w);
}

static void region_info(void)
{
	struct vfio_region_info info = { .argsz = sizeof(info) };
	struct wire w;

	start_wire(&w);
	CHECK_EQ(call_server(&w, 5, &info, sizeof(info)), 0);
	memcpy(&info, w.data, sizeof(info));
	CHECK_EQ(info.size, PCI_BAR_SIZE);
	CHECK_EQ(info.flags, 3);
	info.index = VFIO_PCI_BAR2_REGION_INDEX;
	CHECK_EQ(call_server(&w, 5, &info, sizeof(info)), 0);
	memcpy(&info, w.data, sizeof(info));
	CHECK_EQ(info.size, 0);
	info.index = VFIO_PCI_NUM_REGIONS;
	CHECK_EQ(call_server(&w, 5, &info, sizeof(info)), EINVAL);
	info.index = 0xffffffff;
	CHECK_EQ(call_server(&w, 5, &info, sizeof(info)), EINVAL);
	info.index = 0;
	info.argsz = 8;
	CHECK_EQ(call_server(&w, 5, &info, sizeof(info)), EINVAL);
	CHECK_EQ(call_server(&w, 5, &info, 8), EINVAL);
	fini_wire(&w);
}

static void irq_info(void)
{
	uint32_t info[4] = { 16, 0, VFIO_PCI_MSIX_IRQ_INDEX };
	struct wire w;

	start_wire(&w);
	CHECK_EQ(call_server(&w, 7, info, 16), 0);
	memcpy(info, w.data, 16);
	CHECK_EQ(info[3], IRQ_VECTORS);
	CHECK(info[1] & VFIO_IRQ_INFO_EVENTFD);
	info[2] = VFIO_PCI_NUM_IRQS;
	CHECK_EQ(call_server(&w, 7, info, 16), EINVAL);
	fini_wire(&w);
}

static void dma_map_unmap(void)
{
	struct wire_dma_unmap u = { sizeof(u), 0, 0x100000, 0x10000 };
	int fd = guest_memory(0x20000);
	uint8_t b = 0x42, r = 0;
	struct wire w;

	start_wire(&w);
	CHECK_EQ(pwrite(fd, &b, 1, 0x11234), 1);
	CHECK_EQ(map_memory(&w, 0x100000, 0x10000, fd, 0x10000), 0);
	CHECK(!mem_read(&w.e.hca.mem, 0x101234, &r, 1));
	CHECK_EQ(r, 0x42);
	CHECK(mem_read(&w.e.hca.mem, 0xfffff, &r, 1));
	CHECK(mem_read(&w.e.hca.mem, 0x110000, &r, 1));
	CHECK_EQ(call_server(&w, 3, &u, sizeof(u)), 0);
	CHECK_EQ(w.len, sizeof(u));
	CHECK(mem_read(&w.e.hca.mem, 0x101234, &r, 1));
	CHECK_EQ(call_server(&w, 3, &u, sizeof(u)), ENOENT);
	close(fd);
	fini_wire(&w);
}

static void dma_map_without_fd(void)
{
	struct wire w;
	uint8_t r;

	start_wire(&w);
	CHECK_EQ(map_memory(&w, 0xc0000, 0x1000, -1, 0), 0);
	CHECK(mem_read(&w.e.hca.mem, 0xc0000, &r, 1));
	CHECK_EQ(map_memory(&w, 0xc0000, 0x1000, -1, 0), EEXIST);
	fini_wire(&w);
}

static void dma_respects_rights(void)
{
	struct wire_dma_map m = { sizeof(m), 1, 0, 0x1000, 0x1000 };
	int fd = guest_memory(0x1000);
	uint8_t b = 0;
	struct wire w;

	start_wire(&w);
	CHECK_EQ(call_fds(&w, 2, &m, sizeof(m), &fd, 1), 0);
	CHECK(!mem_read(&w.e.hca.mem, 0x1000, &b, 1));
	CHECK(mem_write(&w.e.hca.mem, 0x1000, &b, 1));
	close(fd);
	fini_wire(&w);
}

static void region_read_write(void)
{
	struct wire_access a = { 0x14, 0, 4, { 0x12, 0x34, 0x50, 0x00 } };
	struct wire w;

	start_wire(&w);
	CHECK_EQ(call_server(&w, 10, &a, ACCESS + 4), 0);
	CHECK_EQ(w.len, ACCESS);
	CHECK_EQ(call_server(&w, 9, &a, ACCESS), 0);
	CHECK_EQ(w.len, ACCESS + 4);
	CHECK_EQ(get_be32(w.data + ACCESS), 0x12345056);
	a = (struct wire_access){ 0, VFIO_PCI_CONFIG_REGION_INDEX, 4, {} };
	CHECK_EQ(call_server(&w, 9, &a, ACCESS), 0);
	CHECK_EQ(w.data[ACCESS], 0xb3);
	fini_wire(&w);
}

static void read_large(void)
{
	struct wire_access a = { 0, 0, 60000, {} };
	struct wire w;

	start_wire(&w);
	CHECK_EQ(call_server(&w, 9, &a, ACCESS), 0);
	CHECK_EQ(w.len, ACCESS + 60000);
	fini_wire(&w);
}

static void write_posted_no_answer(void)
{
	struct wire_access a = { 0x10, 0, 4, { 1, 2, 3, 4 } };
	struct wire w;

	start_wire(&w);
	send_msg(&w, 10, 0x10, &a, ACCESS + 4, NULL, 0);
	CHECK(!recv_answer(&w));
	CHECK_EQ(bar_get32(&w.e, 0x10), 0x01020304);
	/* A refused posted write has no answer either. */
	a.region = 1;
	send_msg(&w, 10, 0x10, &a, ACCESS + 4, NULL, 0);
	CHECK(!recv_answer(&w));
	CHECK(!hung_up(&w));
	fini_wire(&w);
}

static void writes_multiple_executed(void)
{
	struct {
		uint64_t n;
		struct { uint64_t off; uint32_t region, count; uint8_t d[8]; } a[2];
	} m = { 2, { { 0x10, 0, 4, { 1 } }, { 0x14, 0, 4, { 2 } } } };
	struct wire w;

	start_wire(&w);
	CHECK_EQ(call_server(&w, 15, &m, sizeof(m)), 0);
	CHECK_EQ(bar_get32(&w.e, 0x10), 0x01000000);
	CHECK_EQ(bar_get32(&w.e, 0x14) >> 24, 2);
	m.n = 3;
	CHECK_EQ(call_server(&w, 15, &m, sizeof(m)), EINVAL);
	m.n = 1ULL << 61;
	CHECK_EQ(call_server(&w, 15, &m, sizeof(m)), EINVAL);
	m.n = 2;
	m.a[1].count = 9;
	CHECK_EQ(call_server(&w, 15, &m, sizeof(m)), EINVAL);
	/* If one write is refused, none is executed. */
	m.a[1].count = 4;
	m.a[1].region = 3;
	m.a[0].d[0] = 9;
	CHECK_EQ(call_server(&w, 15, &m, sizeof(m)), EINVAL);
	CHECK_EQ(bar_get32(&w.e, 0x10), 0x01000000);
	CHECK_EQ(call_server(&w, 15, &m, 4), EINVAL);
	fini_wire(&w);
}

static void irqs_assigned_fired(void)
{
	struct wire_irq_set s = {
		IRQ_SET,
		VFIO_IRQ_SET_DATA_EVENTFD | TRIGGER,
		VFIO_PCI_MSIX_IRQ_INDEX,
		4,
		2,
		{},
	};
	int fd[2] = { eventfd(0, EFD_NONBLOCK), eventfd(0, EFD_NONBLOCK) };
	struct wire w;

	start_wire(&w);
	CHECK_EQ(call_fds(&w, 8, &s, IRQ_SET, fd, 2), 0);
	irq_fire(&w.e.hca.irqs, 5);
	CHECK_EQ(times_fired(fd[0]), 0);
	CHECK_EQ(times_fired(fd[1]), 1);
	s.flags = VFIO_IRQ_SET_DATA_NONE | TRIGGER;
	CHECK_EQ(call_server(&w, 8, &s, IRQ_SET), 0);
	CHECK_EQ(times_fired(fd[0]), 1);
	CHECK_EQ(times_fired(fd[1]), 1);
	s.flags = VFIO_IRQ_SET_DATA_BOOL | TRIGGER;
	s.argsz = IRQ_SET + 2;
	s.bools[1] = 1;
	CHECK_EQ(call_server(&w, 8, &s, IRQ_SET + 2), 0);
	CHECK_EQ(times_fired(fd[0]), 0);
	CHECK_EQ(times_fired(fd[1]), 1);
	/* All eventfds are removed for a moment, as when QEMU adds a vector. */
	s = (struct wire_irq_set){
		IRQ_SET,
		VFIO_IRQ_SET_DATA_NONE | TRIGGER,
		VFIO_PCI_MSIX_IRQ_INDEX,
		0,
		0,
		{},
	};
	CHECK_EQ(call_server(&w, 8, &s, IRQ_SET), 0);
	irq_fire(&w.e.hca.irqs, 4);
	CHECK_EQ(times_fired(fd[0]), 0);
	s.flags = VFIO_IRQ_SET_DATA_EVENTFD | TRIGGER;
	s.start = 4;
	s.count = 2;
	CHECK_EQ(call_fds(&w, 8, &s, IRQ_SET, fd, 2), 0);
	CHECK_EQ(times_fired(fd[0]), 1);
	CHECK_EQ(times_fired(fd[1]), 0);
	close(fd[0]);
	close(fd[1]);
	fini_wire(&w);
}

static void reset_resets_device(void)
{
	struct wire w;
	unsigned int n;

	start_wire(&w);
	n = stub.resets;
	CHECK_EQ(call_server(&w, 13, NULL, 0), 0);
	CHECK_EQ(stub.resets, n + 1);
	CHECK_EQ(call_server(&w, 13, "x", 1), EINVAL);
	fini_wire(&w);
}

static void client_next_fresh_device(void)
{
	struct wire_access a = { 0x10, 0, 4, { 1, 2, 3, 4 } };
	struct wire w;

	start_wire(&w);
	CHECK_EQ(map_memory(&w, 0x1000, 0x1000, -1, 0), 0);
	CHECK_EQ(call_server(&w, 10, &a, ACCESS + 4), 0);
	w.e.hca.dead = true;
	close(w.fd);
	run_loop(&w);
	CHECK_EQ(w.vfu.conn.fd, -1);
	CHECK_EQ(w.e.hca.mem.nr, 0);
	attach_client(&w);
	CHECK_EQ(call_server(&w, 1, version, sizeof(version)), 0);
	CHECK_EQ(call_server(&w, 9, &a, ACCESS), 0);
	CHECK_EQ(get_be32(w.data + ACCESS), 0);
	fini_wire(&w);
}

int main(void)
{
	static const struct hca_test tests[] = {
		TAP(version_negotiated),
		TAP(message_in_pieces),
		TAP(messages_two_at_once),
		TAP(device_info),
		TAP(region_info),
		TAP(irq_info),
		TAP(dma_map_unmap),
		TAP(dma_map_without_fd),
		TAP(dma_respects_rights),
		TAP(region_read_write),
		TAP(read_large),
		TAP(write_posted_no_answer),
		TAP(writes_multiple_executed),
		TAP(irqs_assigned_fired),
		TAP(reset_resets_device),
		TAP(client_next_fresh_device),
	};

	return TAP_RUN(tests);
}
