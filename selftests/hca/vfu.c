// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "log.h"
#include "vfu_msg.h"

enum {
	HDR_TYPE = 0xf,
	HDR_REPLY = 0x1,
	HDR_NO_REPLY = 0x10,
	HDR_ERROR = 0x20,
};

static void fds_drop(struct vfu *vfu)
{
	unsigned int i;

	for (i = 0; i < vfu->nr_fds; i++) {
		if (vfu->fds[i] >= 0)
			close(vfu->fds[i]);
	}
	vfu->nr_fds = 0;
}

void vfu_detach(struct vfu *vfu)
{
	if (vfu->conn.fd < 0)
		return;
	watch_stop(vfu->loop, &vfu->conn);
	fds_drop(vfu);
	vfu->in_len = 0;
	vfu->out_len = 0;
	vfu->negotiated = false;
	vfu->write_multi = false;
	mem_clear(vfu->mem);
	vfu->ops->disconnected(vfu->priv);
}

/* Send pending output; returns false if the connection is lost. */
static bool flush_out(struct vfu *vfu)
{
	ssize_t n;

	while (vfu->out_len) {
		n = send(vfu->conn.fd, vfu->out, vfu->out_len, MSG_NOSIGNAL);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == EAGAIN;
		vfu->out_len -= (size_t)n;
		memmove(vfu->out, vfu->out + n, vfu->out_len);
	}
	return true;
}

static bool send_reply(struct vfu *vfu, const struct vfu_hdr *req, int error,
		       size_t len)
{
	struct vfu_hdr hdr = {
		.id = req->id,
		.cmd = req->cmd,
		.size = (uint32_t)(sizeof(hdr) + len),
		.flags = HDR_REPLY,
	};

	if (error) {
		hdr.flags |= HDR_ERROR;
		hdr.error = (uint32_t)-error;
		hdr.size = sizeof(hdr);
	}
	memcpy(vfu->out, &hdr, sizeof(hdr));
	vfu->out_len = hdr.size;
	return flush_out(vfu);
}

/* Handle a complete message; returns false to disconnect the client. */
static bool handle_message(struct vfu *vfu)
{
	uint8_t *reply = vfu->out + sizeof(struct vfu_hdr);
	struct vfu_hdr hdr;
	size_t len = 0;
	int ret;

	memcpy(&hdr, vfu->in, sizeof(hdr));
	/* The server sends no requests, so it expects no replies. */
	if ((hdr.flags & HDR_TYPE) != 0) {
		log_warn("vfio-user: unexpected message type %u",
			 hdr.flags & HDR_TYPE);
		return false;
	}
	ret = vfu_handle(vfu, &hdr, vfu->in + sizeof(hdr),
			 hdr.size - sizeof(hdr), reply, &len);
	fds_drop(vfu);
	vfu->in_len = 0;
	if (ret == VFU_HANGUP)
		return false;
	if (ret)
		log_trace("vfio-user: command %u refused: %s", hdr.cmd,
			  strerror(-ret));
	if (hdr.flags & HDR_NO_REPLY)
		return true;
	return send_reply(vfu, &hdr, ret, len);
}

/* Take the descriptors out of @msg; false if there are too many. */
static bool take_fds(struct vfu *vfu, struct msghdr *msg)
{
	struct cmsghdr *c;
	bool ok = !(msg->msg_flags & MSG_CTRUNC);
	size_t n, i;
	int fd;

	for (c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c)) {
		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		n = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		for (i = 0; i < n; i++) {
			memcpy(&fd, CMSG_DATA(c) + i * sizeof(fd), sizeof(fd));
			if (vfu->nr_fds < VFU_MAX_FDS) {
				vfu->fds[vfu->nr_fds++] = fd;
			} else {
				close(fd);
				ok = false;
			}
		}
	}
	return ok;
}

/*
 * Receive until @want bytes are there. 1: complete, 0: wait, -1: disconnected.
 */
static int recv_upto(struct vfu *vfu, size_t want)
{
	union {
		struct cmsghdr align;
		char buf[CMSG_SPACE(sizeof(int) * VFU_MAX_FDS)];
	} ctl;
	struct iovec iov;
	struct msghdr msg;
	ssize_t n;

	while (vfu->in_len < want) {
		iov.iov_base = vfu->in + vfu->in_len;
		iov.iov_len = want - vfu->in_len;
		msg = (struct msghdr){
			.msg_iov = &iov,
			.msg_iovlen = 1,
			.msg_control = ctl.buf,
			.msg_controllen = sizeof(ctl.buf),
		};
		n = recvmsg(vfu->conn.fd, &msg, MSG_CMSG_CLOEXEC);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return 0;
		if (n < 0 || !take_fds(vfu, &msg) || !n)
			return -1;
		vfu->in_len += (size_t)n;
	}
	return 1;
}

/* Returns as recv_upto() does. */
static int recv_message(struct vfu *vfu)
{
	struct vfu_hdr hdr;
	int ret;

	ret = recv_upto(vfu, sizeof(hdr));
	if (ret <= 0)
		return ret;
	memcpy(&hdr, vfu->in, sizeof(hdr));
	if (hdr.size < sizeof(hdr) || hdr.size > VFU_MAX_MSG) {
		log_warn("vfio-user: message of %u bytes", hdr.size);
		return -1;
	}
	ret = recv_upto(vfu, hdr.size);
	if (ret <= 0)
		return ret;
	return handle_message(vfu) ? 1 : -1;
}

static void conn_event(void *arg, uint32_t events)
{
	struct vfu *vfu = arg;
	int ret = 1;

	if (!flush_out(vfu))
		ret = -1;
	/* No new request while an answer is still to be sent. */
	if (ret > 0 && !vfu->out_len && events & ~(uint32_t)EPOLLOUT)
		ret = recv_message(vfu);
	if (ret < 0) {
		vfu_detach(vfu);
		return;
	}
	watch_events(vfu->loop, &vfu->conn, vfu->out_len ? EPOLLOUT : EPOLLIN);
}

int vfu_init(struct vfu *vfu, struct loop *loop, struct mem *mem,
	     const struct vfu_ops *ops, void *priv)
{
	*vfu = (struct vfu){
		.ops = ops,
		.priv = priv,
		.mem = mem,
		.loop = loop,
		.conn = { .fd = -1, .fn = conn_event, .arg = vfu },
	};
	vfu->in = malloc(VFU_MAX_MSG);
	vfu->out = malloc(VFU_MAX_MSG + sizeof(struct vfu_hdr));
	if (vfu->in && vfu->out)
		return 0;
	vfu_fini(vfu);
	return -1;
}

void vfu_fini(struct vfu *vfu)
{
	vfu_detach(vfu);
	free(vfu->in);
	free(vfu->out);
	vfu->in = NULL;
	vfu->out = NULL;
}

int vfu_attach(struct vfu *vfu, int fd)
{
	int flags = fcntl(fd, F_GETFL);

	if (vfu->conn.fd >= 0 || flags < 0 ||
	    fcntl(fd, F_SETFL, flags | O_NONBLOCK)) {
		close(fd);
		return -1;
	}
	vfu->conn.fd = fd;
	if (!watch_start(vfu->loop, &vfu->conn, EPOLLIN))
		return 0;
	close(fd);
	vfu->conn.fd = -1;
	return -1;
}
