// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fake.h"
#include "fake_kernel.h"

#define NODE "/dev/infiniband/mlx5_devx"
#define FDS 256

struct fake_kernel kernel;
/* Atomic, as files that a sanitizer opens pass through here, too. */
static atomic_bool is_node[FDS];
/* Protects kernel; tests write to it before they start threads. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static const size_t arg_size[] = {
	[MDX_CMD_INFO] = sizeof(struct mdx_ioc_info),
	[MDX_CMD_BIND] = sizeof(struct mdx_ioc_bind),
	[MDX_CMD_OBJ_CREATE] = sizeof(struct mdx_ioc_obj_create),
	[MDX_CMD_OBJ_DESTROY] = sizeof(struct mdx_ioc_obj_destroy),
	[MDX_CMD_OBJ_MODIFY] = sizeof(struct mdx_ioc_obj_cmd),
	[MDX_CMD_OBJ_QUERY] = sizeof(struct mdx_ioc_obj_cmd),
	[MDX_CMD_GENERAL] = sizeof(struct mdx_ioc_general),
	[MDX_CMD_VERBS_MODIFY] = sizeof(struct mdx_ioc_verbs_cmd),
	[MDX_CMD_VERBS_QUERY] = sizeof(struct mdx_ioc_verbs_cmd),
	[MDX_CMD_QUERY_PORT] = sizeof(struct mdx_ioc_query_port),
	[MDX_CMD_QUERY_DEVICE] = sizeof(struct mdx_ioc_query_device),
	[MDX_CMD_LAST_ERROR] = sizeof(struct mdx_ioc_last_error),
	[MDX_CMD_OBJ_LIST] = sizeof(struct mdx_ioc_obj_list),
	[MDX_CMD_CHANNEL] = sizeof(struct mdx_ioc_channel),
	[MDX_CMD_SUBSCRIBE] = sizeof(struct mdx_ioc_subscribe),
	[MDX_CMD_SUBMIT] = sizeof(struct mdx_ioc_submit),
};

void kernel_reset(void)
{
	int fds = kernel.open_fds;

	memset(&kernel, 0, sizeof(kernel));
	kernel.open_fds = fds;
}

int open(const char *path, int flags, ...)
{
	bool node = !strcmp(path, NODE);
	mode_t mode = 0;
	va_list ap;
	int fd;

	if (flags & O_CREAT) {
		va_start(ap, flags);
		mode = va_arg(ap, mode_t);
		va_end(ap);
	}
	if (!node)
		return syscall(SYS_openat, AT_FDCWD, path, flags, mode);

	fake_event('O');
	if (kernel.open_err) {
		errno = kernel.open_err;
		return -1;
	}
	if (kernel.open_path)
		path = kernel.open_path;
	else
		path = "/dev/null";
	fd = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0 || fd >= FDS)
		abort();
	pthread_mutex_lock(&lock);
	is_node[fd] = true;
	kernel.open_flags = flags;
	kernel.open_fds++;
	pthread_mutex_unlock(&lock);
	return fd;
}

int close(int fd)
{
	if (fd >= 0 && fd < FDS && atomic_exchange(&is_node[fd], false)) {
		fake_event('C');
		pthread_mutex_lock(&lock);
		kernel.open_fds--;
		pthread_mutex_unlock(&lock);
	}
	syscall(SYS_close, fd);
	errno = 77;
	return 0;
}

/* Write the answer of the device: a header, and zeroes up to the end. */
static void write_answer(__u64 out, __u32 out_len)
{
	unsigned char *mbox = (unsigned char *)(uintptr_t)out;

	if (out_len < 16 || out_len > (1 << 21))
		return;
	memset(mbox, 0, out_len);
	mbox[0] = kernel.status;
	memcpy(mbox + 4, "\x00\xab\xcd\xef", 4);
}

/* Copy the fields of @from to @arg, beginning with the one at @first. */
static void copy_fields(void *arg, const void *from, size_t size, size_t first)
{
	memcpy((char *)arg + first, (const char *)from + first, size - first);
}

static void list_objs(struct mdx_ioc_obj_list *arg)
{
	struct mdx_obj_info *to = (struct mdx_obj_info *)(uintptr_t)arg->objs;
	unsigned int i;

	arg->out_n = 0;
	arg->out_next = 0;
	for (i = 0; i < kernel.objs_n; i++) {
		if (kernel.objs[i].id < arg->from_id)
			continue;
		if (arg->out_n == arg->objs_n) {
			arg->out_next = kernel.objs[i].id;
			break;
		}
		to[arg->out_n++] = kernel.objs[i];
	}
}

static int make_channel(struct mdx_ioc_channel *arg)
{
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds))
		abort();
	arg->out_fd = fds[0];
	kernel.channel_peer = fds[1];
	return 0;
}

static void take_events(const struct mdx_ioc_subscribe *arg)
{
	const void *events = (const void *)(uintptr_t)arg->events;

	if (arg->events_n <= MDX_SUBSCRIBE_EVENTS_MAX)
		memcpy(kernel.events, events, arg->events_n * sizeof(__u16));
}

static int execute_call(unsigned int nr, union fake_kernel_arg *arg)
{
	int err = kernel.err[nr];

	if (err)
		return err;
	if (kernel.command) {
		err = fake_device_call(nr, arg);
		if (err >= 0)
			return err;
		err = 0;
	}
	if (kernel.status)
		err = EREMOTEIO;
	switch (nr) {
	case MDX_CMD_INFO:
		arg->info.out_features = ~kernel.missing;
		arg->info.out_uid = kernel.uid;
		break;
	case MDX_CMD_OBJ_CREATE:
		write_answer(arg->create.out, arg->create.out_len);
		if (!err)
			arg->create.out_id = ++kernel.next_id;
		break;
	case MDX_CMD_OBJ_DESTROY:
		arg->destroy.out_status = kernel.status;
		arg->destroy.out_syndrome = 0xabcdef;
		break;
	case MDX_CMD_OBJ_MODIFY:
	case MDX_CMD_OBJ_QUERY:
		write_answer(arg->cmd.out, arg->cmd.out_len);
		break;
	case MDX_CMD_GENERAL:
		write_answer(arg->general.out, arg->general.out_len);
		break;
	case MDX_CMD_VERBS_MODIFY:
	case MDX_CMD_VERBS_QUERY:
		write_answer(arg->verbs.out, arg->verbs.out_len);
		break;
	case MDX_CMD_QUERY_PORT:
		copy_fields(arg, &kernel.port, sizeof(kernel.port),
			    offsetof(struct mdx_ioc_query_port, out_flags));
		break;
	case MDX_CMD_QUERY_DEVICE:
		copy_fields(arg, &kernel.device, sizeof(kernel.device),
			    offsetof(struct mdx_ioc_query_device, out_fw_ver));
		break;
	case MDX_CMD_LAST_ERROR:
		copy_fields(arg, &kernel.last_error, sizeof(kernel.last_error),
			    offsetof(struct mdx_ioc_last_error, out_count));
		break;
	case MDX_CMD_OBJ_LIST:
		list_objs(&arg->list);
		break;
	case MDX_CMD_CHANNEL:
		return make_channel(&arg->channel);
	case MDX_CMD_SUBSCRIBE:
		take_events(&arg->subscribe);
		return 0;
	case MDX_CMD_SUBMIT:
		memcpy(&kernel.item, (const void *)(uintptr_t)arg->submit.items,
		       sizeof(kernel.item));
		return 0;
	default:
		err = 0;
	}
	return err;
}

int ioctl(int fd, unsigned long req, ...)
{
	static const char events[] = "IBNDMQGXYTA???HVULS";
	unsigned int nr = _IOC_NR(req);
	va_list ap;
	void *arg;
	int ret;

	va_start(ap, req);
	arg = va_arg(ap, void *);
	va_end(ap);
	if (fd < 0 || fd >= FDS || !is_node[fd])
		return syscall(SYS_ioctl, fd, req, arg);
	if (req != _IO(MDX_IOC_TYPE, nr) || nr >= KERNEL_CMDS)
		abort();

	pthread_mutex_lock(&lock);
	fake_event(events[nr]);
	memset(&kernel.last[nr], 0xee, sizeof(kernel.last[nr]));
	memcpy(&kernel.last[nr], arg, arg_size[nr]);
	kernel.last_fd = fd;
	if (kernel.eintr) {
		kernel.eintr--;
		ret = EINTR;
	} else {
		ret = execute_call(nr, arg);
	}
	pthread_mutex_unlock(&lock);
	if (!ret)
		return 0;
	errno = ret;
	return -1;
}

#ifdef KERNEL_HAS_CALLOC
void *__libc_calloc(size_t count, size_t size);

void *calloc(size_t count, size_t size)
{
	if (kernel.calloc_fails) {
		errno = ENOMEM;
		return NULL;
	}
	return __libc_calloc(count, size);
}
#endif
