// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <limits.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "mdx_utils.h"

/* Context and PD of mdx_share(); its file stays closed. */
static struct mdx_binding shared = { .fd = -1 };

static bool is_wanted(struct ibv_device *dev)
{
	const char *name = getenv("MDX_DEV");

	if (name && *name)
		return !strcmp(name, ibv_get_device_name(dev));
	return mlx5dv_is_supported(dev);
}

/* The list stays allocated: the device must outlive it. */
struct ibv_device *mdx_ibv_device(void)
{
	struct ibv_device **list;
	int i;

	if (shared.ctx)
		return shared.ctx->device;
	list = ibv_get_device_list(NULL);
	for (i = 0; list && list[i]; i++)
		if (is_wanted(list[i]))
			return list[i];
	return NULL;
}

/* There, with its node, and past the moment in which mlx5_ib answers EAGAIN. */
static bool device_ready(void)
{
	struct ibv_device *dev = mdx_ibv_device();
	struct ibv_context *ctx;
	char path[300];

	if (!dev)
		return false;
	snprintf(path, sizeof(path), "/dev/infiniband/%s", dev->dev_name);
	if (access(path, F_OK))
		return false;
	ctx = ibv_open_device(dev);
	if (ctx)
		ibv_close_device(ctx);
	return ctx;
}

bool mdx_device_wait(void)
{
	int i;

	for (i = 0; i < 1500; i++, usleep(20000))
		if (device_ready())
			return true;
	return false;
}

struct ibv_context *mdx_ctx_open(void)
{
	struct mlx5dv_context_attr attr = {
		.flags = MLX5DV_CONTEXT_FLAGS_DEVX,
	};
	struct ibv_device *dev = mdx_ibv_device();

	if (!dev) {
		errno = ENODEV;
		return NULL;
	}
	return mlx5dv_open_device(dev, &attr);
}

bool mdx_pci_addr(char *buf, size_t size)
{
	struct ibv_device *dev = mdx_ibv_device();
	char link[PATH_MAX], path[PATH_MAX + 16];
	const char *name;
	ssize_t len;

	if (!dev)
		return false;
	snprintf(path, sizeof(path), "%s/device", dev->ibdev_path);
	len = readlink(path, link, sizeof(link) - 1);
	if (len < 0)
		return false;
	link[len] = '\0';
	name = strrchr(link, '/');
	if (!name || !strchr(name, ':'))
		return false;
	return snprintf(buf, size, "%s", name + 1) < (int)size;
}

bool mdx_module_loaded(void)
{
	return !access("/sys/module/mlx5_devx", F_OK);
}

bool mdx_lane_debug(void)
{
	const char *lane = getenv("MDX_LANE");

	return lane && (!strcmp(lane, "debug") || !strcmp(lane, "kcsan"));
}

int mdx_node_open(void)
{
	return open(MDX_NODE, O_RDWR | O_CLOEXEC);
}

static int open_context(struct mdx_binding *mdx)
{
	*mdx = shared;
	if (mdx->anchor)
		return 0;
	mdx->ctx = mdx_ctx_open();
	if (!mdx->ctx)
		return errno ?: ENODEV;
	mdx->pd = ibv_alloc_pd(mdx->ctx);
	if (!mdx->pd)
		return errno ?: ENOMEM;
	mdx->anchor = ibv_alloc_pd(mdx->ctx);
	if (!mdx->anchor)
		return errno ?: ENOMEM;
	return 0;
}

int mdx_start(struct mdx_binding *mdx)
{
	struct mdx_ioc_info info;
	int ret;

	ret = open_context(mdx);
	if (ret)
		goto err_stop;
	mdx->fd = mdx_node_open();
	if (mdx->fd < 0) {
		ret = errno;
		goto err_stop;
	}
	ret = _test_mdx_bind(mdx->fd, mdx->ctx->cmd_fd, mdx->anchor->handle);
	if (!ret)
		ret = _test_mdx_info(mdx->fd, &info);
	if (ret)
		goto err_stop;
	mdx->uid = info.out_uid;
	return 0;

err_stop:
	mdx_stop(mdx);
	fprintf(stderr, "# context, PD or bind: %s\n", strerror(ret));
	return ret;
}

void mdx_stop(struct mdx_binding *mdx)
{
	if (mdx->fd >= 0)
		close(mdx->fd);
	if (mdx->anchor && mdx->anchor != shared.anchor)
		ibv_dealloc_pd(mdx->anchor);
	if (mdx->pd && mdx->pd != shared.pd)
		ibv_dealloc_pd(mdx->pd);
	if (mdx->ctx && mdx->ctx != shared.ctx)
		ibv_close_device(mdx->ctx);
	memset(mdx, 0, sizeof(*mdx));
	mdx->fd = -1;
}

void mdx_share(void)
{
	struct mdx_binding mdx;

	if (mdx_ibv_device() && !open_context(&mdx))
		shared = mdx;
}

int mdx_ioctl(int fd, unsigned long req, void *arg)
{
	return ioctl(fd, req, arg) ? errno : 0;
}

int _test_mdx_info(int fd, struct mdx_ioc_info *info)
{
	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	return mdx_ioctl(fd, MDX_IOC_INFO, info);
}

int _test_mdx_bind(int fd, int uverbs_fd, uint32_t pd_handle)
{
	struct mdx_ioc_bind arg = {
		.size = sizeof(arg),
		.uverbs_fd = uverbs_fd,
		.pd_handle = pd_handle,
	};

	return mdx_ioctl(fd, MDX_IOC_BIND, &arg);
}

int _test_mdx_create(int fd, const struct mbox_pair *m, uint32_t *id)
{
	struct mdx_ioc_obj_create arg = {
		.size = sizeof(arg),
		.in = (uintptr_t)m->in,
		.out = (uintptr_t)m->out,
		.in_len = m->in_len,
		.out_len = m->out_len,
	};
	int ret = mdx_ioctl(fd, MDX_IOC_OBJ_CREATE, &arg);

	if (!ret && id)
		*id = arg.out_id;
	return ret;
}

int _test_mdx_destroy_status(int fd, uint32_t id,
			     struct mdx_ioc_obj_destroy *res)
{
	memset(res, 0, sizeof(*res));
	res->size = sizeof(*res);
	res->id = id;
	return mdx_ioctl(fd, MDX_IOC_OBJ_DESTROY, res);
}

int _test_mdx_destroy(int fd, uint32_t id)
{
	struct mdx_ioc_obj_destroy arg;

	return _test_mdx_destroy_status(fd, id, &arg);
}

static int obj_cmd(int fd, unsigned long req, uint32_t id,
		   const struct mbox_pair *m)
{
	struct mdx_ioc_obj_cmd arg = {
		.size = sizeof(arg),
		.in = (uintptr_t)m->in,
		.out = (uintptr_t)m->out,
		.in_len = m->in_len,
		.out_len = m->out_len,
		.id = id,
	};

	return mdx_ioctl(fd, req, &arg);
}

int _test_mdx_query(int fd, uint32_t id, const struct mbox_pair *m)
{
	return obj_cmd(fd, MDX_IOC_OBJ_QUERY, id, m);
}

int _test_mdx_modify(int fd, uint32_t id, const struct mbox_pair *m)
{
	return obj_cmd(fd, MDX_IOC_OBJ_MODIFY, id, m);
}

int _test_mdx_general(int fd, const struct mbox_pair *m)
{
	struct mdx_ioc_general arg = {
		.size = sizeof(arg),
		.in = (uintptr_t)m->in,
		.out = (uintptr_t)m->out,
		.in_len = m->in_len,
		.out_len = m->out_len,
	};

	return mdx_ioctl(fd, MDX_IOC_GENERAL, &arg);
}

static int verbs_cmd(int fd, unsigned long req, uint32_t obj_type,
		     uint32_t handle, const struct mbox_pair *m)
{
	struct mdx_ioc_verbs_cmd arg = {
		.size = sizeof(arg),
		.in = (uintptr_t)m->in,
		.out = (uintptr_t)m->out,
		.in_len = m->in_len,
		.out_len = m->out_len,
		.handle = handle,
		.obj_type = obj_type,
	};

	return mdx_ioctl(fd, req, &arg);
}

int _test_mdx_verbs_query(int fd, uint32_t obj_type, uint32_t handle,
			  const struct mbox_pair *m)
{
	return verbs_cmd(fd, MDX_IOC_VERBS_QUERY, obj_type, handle, m);
}

int _test_mdx_verbs_modify(int fd, uint32_t obj_type, uint32_t handle,
			   const struct mbox_pair *m)
{
	return verbs_cmd(fd, MDX_IOC_VERBS_MODIFY, obj_type, handle, m);
}

uint32_t mdx_objs(int fd)
{
	struct mdx_ioc_info info;

	return _test_mdx_info(fd, &info) ? UINT32_MAX : info.out_objs;
}

void mdx_hdr(void *in, uint16_t opcode, uint16_t op_mod, uint32_t id)
{
	memset(in, 0, MBOX_HDR_LEN);
	mbox_set32(in, 0, opcode << 16);
	mbox_set32(in, 4, op_mod);
	mbox_set32(in, MBOX_HDR_ID, id);
}

bool all_bytes(const void *buf, uint8_t byte, size_t len)
{
	const uint8_t *p = buf;

	while (len--)
		if (*p++ != byte)
			return false;
	return true;
}

size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

void *guard_alloc(size_t len, size_t skew)
{
	size_t page = page_size();
	size_t room = (len + skew + page - 1) / page * page;
	uint8_t *map;

	map = mmap(NULL, room + 2 * page, PROT_NONE,
		   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (map == MAP_FAILED)
		return NULL;
	if (mprotect(map + page, room, PROT_READ | PROT_WRITE))
		return NULL;
	return map + page + room - len - skew;
}

int stall_page(void **page)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register reg = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	int uffd = syscall(SYS_userfaultfd, O_CLOEXEC);

	if (uffd < 0)
		return -1;
	*page = mmap(NULL, page_size(), PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	reg.range.start = (uintptr_t)*page;
	reg.range.len = page_size();
	if (*page == MAP_FAILED || ioctl(uffd, UFFDIO_API, &api) ||
	    ioctl(uffd, UFFDIO_REGISTER, &reg)) {
		close(uffd);
		return -1;
	}
	return uffd;
}

bool stall_wait(int uffd)
{
	struct pollfd pfd = { .fd = uffd, .events = POLLIN };
	struct uffd_msg msg;

	return poll(&pfd, 1, 10000) == 1 &&
	       read(uffd, &msg, sizeof(msg)) == sizeof(msg);
}

void stall_end(int uffd, void *page)
{
	struct uffdio_zeropage zero = {
		.range = { .start = (uintptr_t)page, .len = page_size() },
	};

	ioctl(uffd, UFFDIO_ZEROPAGE, &zero);
	close(uffd);
}

int write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int ret = 0;

	if (fd < 0)
		return errno;
	if (write(fd, text, strlen(text)) < 0)
		ret = errno;
	close(fd);
	return ret;
}

int run(const char *fmt, ...)
{
	char cmd[512];
	va_list ap;
	int ret;

	va_start(ap, fmt);
	vsnprintf(cmd, sizeof(cmd), fmt, ap);
	va_end(ap);
	ret = system(cmd);
	return WIFEXITED(ret) ? WEXITSTATUS(ret) : -1;
}

int kmsg_mark(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0)
		lseek(fd, 0, SEEK_END);
	return fd;
}

int kmsg_count(int mark, const char *text)
{
	char line[2048];
	int found = 0;
	ssize_t n;

	while ((n = read(mark, line, sizeof(line) - 1)) > 0 || errno == EPIPE) {
		if (n <= 0)
			continue;
		/* The lines behind the text are properties of the device. */
		line[n] = '\0';
		line[strcspn(line, "\n")] = '\0';
		if (strstr(line, text)) {
			fprintf(stderr, "# kernel: %s\n",
				strchr(line, ';') + 1);
			found++;
		}
	}
	return found;
}

int fd_send(int sock, int fd)
{
	union {
		struct cmsghdr hdr;
		char buf[CMSG_SPACE(sizeof(int))];
	} ctl = { 0 };
	char byte = 0;
	struct iovec iov = { .iov_base = &byte, .iov_len = 1 };
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = &ctl,
		.msg_controllen = sizeof(ctl.buf),
	};
	struct cmsghdr *hdr = CMSG_FIRSTHDR(&msg);

	hdr->cmsg_level = SOL_SOCKET;
	hdr->cmsg_type = SCM_RIGHTS;
	hdr->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(hdr), &fd, sizeof(int));
	return sendmsg(sock, &msg, 0) == 1 ? 0 : -1;
}

int fd_recv(int sock)
{
	union {
		struct cmsghdr hdr;
		char buf[CMSG_SPACE(sizeof(int))];
	} ctl = { 0 };
	char byte;
	struct iovec iov = { .iov_base = &byte, .iov_len = 1 };
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = &ctl,
		.msg_controllen = sizeof(ctl.buf),
	};
	struct cmsghdr *hdr;
	int fd;

	if (recvmsg(sock, &msg, MSG_CMSG_CLOEXEC) != 1)
		return -1;
	hdr = CMSG_FIRSTHDR(&msg);
	if (!hdr || hdr->cmsg_type != SCM_RIGHTS)
		return -1;
	memcpy(&fd, CMSG_DATA(hdr), sizeof(int));
	return fd;
}
