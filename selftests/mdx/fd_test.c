// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Binding to descriptors that are no uverbs device. */
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include "kselftest_harness.h"
#include "mdx_utils.h"

/* Descriptors that are no uverbs device. */
FIXTURE(wrong_fd)
{
	int fd;
	int other;
	struct ibv_context *ctx;
	struct ibv_comp_channel *channel;
};

enum wrong_fd_type {
	FD_PIPE, FD_FILE, FD_NULL, FD_NODE, FD_SELF, FD_EVENT, FD_SOCKET,
	FD_ASYNC, FD_CHANNEL, FD_PATH, FD_DIR, FD_CLOSED, FD_NEGATIVE, FD_HUGE,
};

FIXTURE_VARIANT(wrong_fd)
{
	enum wrong_fd_type type;
	int err;
};

#define WRONG_FD(name, type_, e)					\
	FIXTURE_VARIANT_ADD(wrong_fd, name) { .type = type_, .err = e }

WRONG_FD(pipe, FD_PIPE, EINVAL);
WRONG_FD(regular_file, FD_FILE, EINVAL);
WRONG_FD(other_char_device, FD_NULL, EINVAL);
WRONG_FD(another_file_of_our_node, FD_NODE, EINVAL);
WRONG_FD(the_file_itself, FD_SELF, EINVAL);
WRONG_FD(eventfd, FD_EVENT, EINVAL);
WRONG_FD(socket, FD_SOCKET, EINVAL);
WRONG_FD(directory, FD_DIR, EINVAL);
WRONG_FD(async_events_of_uverbs, FD_ASYNC, EINVAL);
WRONG_FD(completion_channel_of_uverbs, FD_CHANNEL, EINVAL);
WRONG_FD(path_only_descriptor_of_uverbs, FD_PATH, EBADF);
WRONG_FD(closed, FD_CLOSED, EBADF);
WRONG_FD(minus_one, FD_NEGATIVE, EBADF);
WRONG_FD(huge, FD_HUGE, EBADF);

static int wrong_fd(FIXTURE_DATA(wrong_fd) *self, enum wrong_fd_type type)
{
	char path[300];
	int fds[2];

	switch (type) {
	case FD_PIPE:
		return pipe(fds) ? -1 : fds[0];
	case FD_FILE:
		return open("/proc/self/exe", O_RDONLY);
	case FD_NULL:
		return open("/dev/null", O_RDWR);
	case FD_NODE:
		return mdx_node_open();
	case FD_SELF:
		return dup(self->fd);
	case FD_EVENT:
		return eventfd(0, 0);
	case FD_SOCKET:
		return socket(AF_UNIX, SOCK_STREAM, 0);
	case FD_ASYNC:
		return dup(self->ctx->async_fd);
	case FD_CHANNEL:
		self->channel = ibv_create_comp_channel(self->ctx);
		return self->channel ? dup(self->channel->fd) : -1;
	case FD_PATH:
		snprintf(path, sizeof(path), "/dev/infiniband/%s",
			 mdx_ibv_device()->dev_name);
		return open(path, O_PATH);
	case FD_DIR:
		return open("/", O_RDONLY);
	case FD_CLOSED:
		return 900;
	case FD_NEGATIVE:
		return -1;
	case FD_HUGE:
		return 0x7fffffff;
	}
	return -1;
}

FIXTURE_SETUP(wrong_fd)
{
	SETUP_DEVICE(return);
	self->ctx = mdx_ctx_open();
	ASSERT_NE(NULL, self->ctx);
	self->fd = mdx_node_open();
	ASSERT_GE(self->fd, 0);
	self->other = wrong_fd(self, variant->type);
	if (variant->type != FD_NEGATIVE)
		ASSERT_GE(self->other, 0);
}

FIXTURE_TEARDOWN(wrong_fd)
{
	if (self->channel)
		ibv_destroy_comp_channel(self->channel);
	close(self->fd);
	ibv_close_device(self->ctx);
}

TEST_F(wrong_fd, refused)
{
	test_err_bind(variant->err, self->fd, self->other, 0);
}

TEST_F(wrong_fd, leaves_file_unbound)
{
	struct mdx_ioc_info info;

	test_err_bind(variant->err, self->fd, self->other, 0);
	test_mdx_info(self->fd, &info);
	EXPECT_EQ(0, info.out_flags);
}

TEST_HARNESS_MAIN
