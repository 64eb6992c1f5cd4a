// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Devices, and files bound to verbs contexts of them. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>

#include "tool.h"

int mdx_call(int fd, unsigned long nr, void *arg)
{
	int ret;

	do {
		ret = ioctl(fd, nr, arg);
	} while (ret < 0 && errno == EINTR);
	return ret < 0 ? errno : 0;
}

/* Below an auxiliary device the PCI one is the parent; both say who drives it. */
bool is_mlx5(const char *ibdev)
{
	char driver[64], vendor[16];

	if (link_name(driver, sizeof(driver),
		      "/sys/class/infiniband/%s/device/driver", ibdev) &&
	    !strncmp(driver, "mlx5", 4))
		return true;
	return read_line(vendor, sizeof(vendor),
			 "/sys/class/infiniband/%s/device/vendor", ibdev) &&
	       !strcmp(vendor, "0x15b3") && !strncmp(ibdev, "mlx5", 4);
}

struct names {
	char (*names)[64];
	int max;
	int count;
};

static void add_name(const char *name, void *arg)
{
	struct names *n = arg;

	if (is_mlx5(name) && n->count < n->max)
		snprintf(n->names[n->count++], sizeof(n->names[0]), "%s", name);
}

int mlx5_devices(char names[][64], int max)
{
	struct names n = { names, max, 0 };

	for_each_entry("/sys/class/infiniband", add_name, &n);
	return n.count;
}

int node_open(struct mdx_ioc_info *info, const char **reason)
{
	int fd = open(NODE, O_RDWR | O_CLOEXEC);

	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	if (fd < 0) {
		if (errno == EACCES || errno == EPERM)
			*reason = "no permission to open " NODE;
		else if (errno == ENOENT || errno == ENODEV || errno == ENXIO)
			*reason = "there is no " NODE ": modprobe mlx5_devx";
		else
			*reason = strerror(errno);
		return -1;
	}
	if (mdx_call(fd, MDX_IOC_INFO, info)) {
		close(fd);
		*reason = NODE " is not the node of mlx5_devx";
		return -1;
	}
	return fd;
}

static struct ibv_context *context_open(const char *ibdev)
{
	struct mlx5dv_context_attr attr = {
		.flags = MLX5DV_CONTEXT_FLAGS_DEVX,
	};
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *ctx = NULL;
	int i, err = ENODEV;

	for (i = 0; list && list[i]; i++) {
		if (strcmp(ibv_get_device_name(list[i]), ibdev))
			continue;
		errno = 0;
		ctx = mlx5dv_open_device(list[i], &attr);
		err = errno;
	}
	if (list)
		ibv_free_device_list(list);
	errno = err;
	return ctx;
}

static const char *bind_reason(int err)
{
	switch (err) {
	case EOPNOTSUPP:
		return "the context has no DEVX uid, or the module does not know this mlx5_ib: see dmesg";
	case EPERM:
		return "the device is in another network namespace";
	case EINVAL:
		return "not an mlx5 device that the module serves";
	case EIO:
		return "the device is being removed, or is in internal error";
	default:
		return strerror(err);
	}
}

static const char *context_reason(int err)
{
	static char text[160];

	if (err == ENODEV)
		return "libibverbs does not know it: is libmlx5 (ibverbs-providers) installed?";
	if (err == EACCES || err == EPERM)
		return "no permission to open its /dev/infiniband/uverbs*, or for DEVX";
	if (err == EOPNOTSUPP || err == EINVAL)
		return "it gives no context with DEVX (firmware without DEVX, or SR-IOV function without the right to it)";
	snprintf(text, sizeof(text), "cannot open a context: %s", strerror(err));
	return text;
}

const char *conn_open(struct mdx_conn *conn, const char *ibdev)
{
	struct mdx_ioc_bind bind = { .size = sizeof(bind) };
	const char *reason;
	int err;

	memset(conn, 0, sizeof(*conn));
	conn->fd = node_open(&conn->info, &reason);
	if (conn->fd < 0)
		return reason;
	conn->ctx = context_open(ibdev);
	if (!conn->ctx) {
		reason = context_reason(errno);
		goto err_fd;
	}
	conn->pd = ibv_alloc_pd(conn->ctx);
	if (!conn->pd) {
		reason = "it has no PD to spare";
		goto err_ctx;
	}
	bind.uverbs_fd = conn->ctx->cmd_fd;
	bind.pd_handle = conn->pd->handle;
	err = mdx_call(conn->fd, MDX_IOC_BIND, &bind);
	if (!err)
		err = mdx_call(conn->fd, MDX_IOC_INFO, &conn->info);
	if (!err)
		return NULL;
	reason = bind_reason(err);
	ibv_dealloc_pd(conn->pd);
err_ctx:
	ibv_close_device(conn->ctx);
err_fd:
	close(conn->fd);
	conn->fd = -1;
	return reason;
}

void conn_close(struct mdx_conn *conn)
{
	close(conn->fd);
	ibv_dealloc_pd(conn->pd);
	ibv_close_device(conn->ctx);
}

/* Sets opt_device to the first device if none was asked for. */
static bool device_chosen(void)
{
	char names[1][64];

	if (opt_device)
		return true;
	if (!mlx5_devices(names, 1)) {
		complain("there is no mlx5 RDMA device; mdx doctor says more");
		return false;
	}
	opt_device = strdup(names[0]);
	return true;
}

int conn_of_options(struct mdx_conn *conn)
{
	const char *reason;

	if (!device_chosen())
		return EXIT_NOTHING;
	reason = conn_open(conn, opt_device);
	if (!reason)
		return EXIT_OK;
	complain("%s: %s; mdx doctor says more", opt_device, reason);
	return EXIT_NOTHING;
}

struct ibv_context *devx_context_of_options(void)
{
	struct ibv_context *ctx;

	if (!device_chosen())
		return NULL;
	ctx = context_open(opt_device);
	if (!ctx)
		complain("%s: %s; mdx doctor says more", opt_device,
			 context_reason(errno));
	return ctx;
}

int opcode_of(const char *text)
{
	unsigned long val;
	char *end;
	int i;

	val = strtoul(text, &end, 0);
	if (!*end && end != text)
		return val <= 0xffff ? (int)val : -1;
	for (i = 0; i <= 0xffff; i++)
		if (!strcasecmp(mdx_opcode_name(i), text) &&
		    strcasecmp(text, "UNKNOWN"))
			return i;
	return -1;
}

const char *stage_name(uint32_t stage)
{
	static const char *const names[] = {
		[MDX_STAGE_NONE] = "none",
		[MDX_STAGE_CHECK] = "check",
		[MDX_STAGE_MEMORY] = "memory",
		[MDX_STAGE_OBJECT] = "object",
		[MDX_STAGE_DEVICE] = "device",
		[MDX_STAGE_ANSWER] = "answer",
	};

	return stage < sizeof(names) / sizeof(names[0]) ? names[stage] : "?";
}

void explain(int fd, int err)
{
	struct mdx_ioc_last_error last = { .size = sizeof(last) };

	if (mdx_call(fd, MDX_IOC_LAST_ERROR, &last) || !last.out_count) {
		complain("%s", strerror(err));
		return;
	}
	complain("%s: failed in stage \"%s\", opcode %#x (%s), status %#x (%s), syndrome %#x",
		 strerror(last.out_errno), stage_name(last.out_stage),
		 last.out_opcode, mdx_opcode_name(last.out_opcode),
		 last.out_status, mdx_status_name(last.out_status),
		 last.out_syndrome);
}
