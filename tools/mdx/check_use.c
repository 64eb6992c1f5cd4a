// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The checks of doctor that need the module: the node, its parts, each device. */
#include <errno.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "tool.h"

static bool in_container(void)
{
	return exists("/.dockerenv") || exists("/run/.containerenv");
}

static void no_access(struct finding *f, const struct stat *st)
{
	struct group *group = getgrgid(st->st_gid);

	found(f, CHECK_BAD, "you may not open " NODE " (mode %03o)",
	      st->st_mode & 0777);
	if (group && st->st_gid && (st->st_mode & 060) == 060)
		todo(f, "join the group %s (usermod -a -G %s USER, then log in again), or change the udev rule",
		     group->gr_name, group->gr_name);
	else
		todo(f, "the module makes it with mode 0666: look for a udev rule that changes that; Documentation/install.md, \"Who may use it\"");
}

void check_node(struct finding *f)
{
	const char *path = root_path(NODE);
	struct mdx_ioc_info info;
	const char *reason;
	struct stat st;
	int fd;

	f->id = "node";
	if (stat(path, &st)) {
		found(f, CHECK_BAD, "there is no " NODE);
		if (!exists("/sys/module/mlx5_devx"))
			todo(f, "it comes with the module");
		else if (in_container())
			todo(f, "pass it into the container: --device " NODE " --device /dev/infiniband/uverbs0");
		else
			todo(f, "the module is loaded, so devtmpfs or udev is not at work: mknod " NODE " c 10 $(grep -w mlx5_devx /proc/misc)");
		return;
	}
	if (access(path, R_OK | W_OK)) {
		no_access(f, &st);
		return;
	}
	if (getenv("MDX_ROOT")) {
		found(f, CHECK_OK, NODE " is there");
		return;
	}
	fd = node_open(&info, &reason);
	if (fd < 0 && errno == EPERM) {
		/* The mode permits it, so it is not what forbids. */
		found(f, CHECK_BAD, "the device cgroup of this container forbids " NODE);
		todo(f, "docker, podman: --device " NODE "; or the CDI device of Documentation/quickstart.md");
		return;
	}
	if (fd < 0) {
		found(f, CHECK_BAD, "%s", reason);
		todo(f, "rm it and load the module again; in a container, pass in the host's node");
		return;
	}
	close(fd);
	found(f, CHECK_OK, NODE " answers (features %#llx)",
	      (unsigned long long)info.out_features);
}

static const struct {
	uint64_t feature;
	const char *text;
} parts[] = {
	{ MDX_FEATURE_BIND,
	  "the module was built without MDX_IOC_BIND: this kernel's mlx5_ib is unknown to it, and no context is served" },
	{ MDX_FEATURE_LATE_CREATE,
	  "the module was built without the tracker of late creates: an object whose create is answered after its timeout stays in the device" },
	{ MDX_FEATURE_CQ_STATUS,
	  "the module was built without the status of DESTROY_CQ: a refusal is reported without status and syndrome" },
};

int check_parts(struct finding *findings, int max)
{
	struct mdx_ioc_info info;
	const char *reason;
	int fd, n = 0;
	size_t i;

	if (getenv("MDX_ROOT"))
		return 0;
	fd = node_open(&info, &reason);
	if (fd < 0)
		return 0;
	close(fd);
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]) && n < max; i++) {
		if (info.out_features & parts[i].feature)
			continue;
		findings[n].id = "parts";
		found(&findings[n], CHECK_NOTE, "%s", parts[i].text);
		todo(&findings[n++], "Documentation/install.md, \"Which headers\"; a newer mlx5_devx may know this kernel");
	}
	return n;
}

void check_device(struct finding *f, const char *ibdev)
{
	const char *reason;
	struct mdx_conn conn;

	f->id = "device";
	if (getenv("MDX_ROOT")) {
		found(f, CHECK_OK, "%s is there", ibdev);
		return;
	}
	reason = conn_open(&conn, ibdev);
	if (!reason) {
		found(f, CHECK_OK, "%s is served: DEVX uid %u", ibdev,
		      conn.info.out_uid);
		conn_close(&conn);
		return;
	}
	found(f, CHECK_BAD, "%s is not served: %s", ibdev, reason);
	if (strstr(reason, "permission"))
		todo(f, "uverbs and mlx5_devx nodes need the same permissions: Documentation/install.md, \"Who may use it\"");
	else if (strstr(reason, "namespace"))
		todo(f, "rdma dev set %s netns NAME, or use it where it is", ibdev);
	else
		todo(f, "dmesg | grep -e mlx5 -e devx; Documentation/install.md");
}
