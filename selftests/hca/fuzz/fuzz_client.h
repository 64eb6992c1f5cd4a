/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The fuzzer's input, and its vfio-user client. */
#ifndef HCA_FUZZ_CLIENT_H
#define HCA_FUZZ_CLIENT_H

#include <errno.h>
#include <sys/socket.h>

#include "../test/dp_work.h"
#include "../test/send_fds.h"
#include "../vdev.h"

/* The rest of the input, which is followed by zeros. */
static const u8 *bytes;
static size_t left;

static struct vfu vfu;
static int client = -1;
static int guest_fd = -1;

static u32 take_uint(unsigned int n)
{
	u32 val = 0;

	while (n--) {
		val = val << 8 | (left ? *bytes : 0);
		if (left) {
			bytes++;
			left--;
		}
	}
	return val;
}

static void take_bytes(u8 *to, size_t n)
{
	while (n--)
		*to++ = (u8)take_uint(1);
}

/* Change a few bytes of @buf: to any value, to all ones, or by one. */
static void mutate_bytes(u8 *buf, size_t len)
{
	unsigned int n = take_uint(1) % 8;

	while (n-- && len) {
		size_t pos = take_uint(2) % len;
		u8 val = (u8)take_uint(1);

		if (val == 0x55)
			buf[pos]++;
		else if (val == 0x56)
			buf[pos] = 0xff;
		else
			buf[pos] = val;
	}
}

static void run_loop(unsigned int n)
{
	while (n--)
		loop_step(&loop, 0);
}

static void attach_client(void)
{
	int fd[2];

	if (client >= 0)
		close(client);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0,
		       fd) || vfu_attach(&vfu, fd[0]))
		abort();
	client = fd[1];
}

static void send_bytes(const void *buf, size_t len, const int *fds,
		       unsigned int nr_fds)
{
	if (send_fds(client, buf, len, fds, nr_fds) < 0 && errno != EPIPE &&
	    errno != ECONNRESET && errno != EAGAIN)
		abort();
}

static void drain_answers(void)
{
	static u8 answer[65536];

	run_loop(4);
	while (recv(client, answer, sizeof(answer), 0) > 0)
		run_loop(2);
}

static void add_memory(void)
{
	u8 command = 6;

	pci_write(&hca, 4, &command, 1);
	mem_add(&hca.mem, GUEST, GUEST_SIZE, ram);
}

static const char version[] =
	"\0\0\1\0{\"capabilities\":{\"max_msg_fds\":16,\"write_multiple\": true}}";

static void send_msg_as(u16 cmd, u32 flags, const void *data, size_t len,
			const int *fds, unsigned int nr_fds)
{
	static u8 buf[1024];
	struct vfu_hdr hdr = {
		.cmd = cmd, .size = (u32)(sizeof(hdr) + len), .flags = flags,
	};

	memcpy(buf, &hdr, sizeof(hdr));
	if (len)
		memcpy(buf + sizeof(hdr), data, len);
	send_bytes(buf, hdr.size, fds, nr_fds);
	drain_answers();
	if (vfu.conn.fd >= 0)
		return;
	/*
	 * The server disconnected: attach a new client, and map the memory
	 * again.
	 */
	attach_client();
	hdr = (struct vfu_hdr){ .cmd = 1, .size = 16 + sizeof(version) };
	memcpy(buf, &hdr, sizeof(hdr));
	memcpy(buf + sizeof(hdr), version, sizeof(version));
	send_bytes(buf, hdr.size, NULL, 0);
	drain_answers();
	add_memory();
}

static void send_msg(u16 cmd, const void *data, size_t len, const int *fds,
		     unsigned int nr_fds)
{
	send_msg_as(cmd, 0, data, len, fds, nr_fds);
}

#endif /* HCA_FUZZ_CLIENT_H */
