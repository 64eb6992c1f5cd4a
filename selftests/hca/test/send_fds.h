/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Send a message with descriptors, as a vfio-user client does. */
#ifndef HCA_TEST_SEND_FDS_H
#define HCA_TEST_SEND_FDS_H

#include <string.h>
#include <sys/socket.h>

#define SEND_FDS_MAX 64

/* Returns as sendmsg() does. */
static inline ssize_t send_fds(int sock, const void *buf, size_t len,
			       const int *fds, unsigned int nr_fds)
{
	union {
		struct cmsghdr align;
		char buf[CMSG_SPACE(SEND_FDS_MAX * sizeof(int))];
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
	return sendmsg(sock, &msg, MSG_NOSIGNAL);
}

#endif /* HCA_TEST_SEND_FDS_H */
