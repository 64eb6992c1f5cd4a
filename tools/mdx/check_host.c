// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The checks of doctor around the device: memory that may be pinned, other users. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tool.h"

/* Enough for a few queues. */
#define MEMLOCK_LITTLE (64ul << 20)

void check_memlock(struct finding *f)
{
	struct rlimit limit;

	f->id = "memlock";
	if (getrlimit(RLIMIT_MEMLOCK, &limit) || limit.rlim_cur >= MEMLOCK_LITTLE ||
	    !geteuid()) {
		found(f, CHECK_OK, "memory may be pinned");
		return;
	}
	found(f, CHECK_NOTE, "this process may pin %lu KiB of memory",
	      (unsigned long)limit.rlim_cur >> 10);
	todo(f, "if registering memory fails with ENOMEM: ulimit -l, /etc/security/limits.d, LimitMEMLOCK= of the unit, --ulimit memlock=-1 of the container");
}

struct users {
	long pid;
	bool uses;
	int count;
	size_t len;
	char names[160];
};

static void check_fd(const char *name, void *arg)
{
	struct users *users = arg;
	char target[64];

	if (link_name(target, sizeof(target), "/proc/%ld/fd/%s", users->pid, name) &&
	    (!strncmp(target, "uverbs", 6) || !strcmp(target, "mlx5_devx")))
		users->uses = true;
}

static void check_process(const char *name, void *arg)
{
	struct users *users = arg;
	char dir[64], comm[64];

	if (!isdigit((unsigned char)*name))
		return;
	users->pid = atol(name);
	users->uses = false;
	snprintf(dir, sizeof(dir), "/proc/%ld/fd", users->pid);
	for_each_entry(dir, check_fd, users);
	if (!users->uses || users->pid == getpid())
		return;
	read_line(comm, sizeof(comm), "/proc/%ld/comm", users->pid);
	if (users->len < sizeof(users->names))
		users->len += snprintf(users->names + users->len,
				       sizeof(users->names) - users->len, "%s%.20s (%ld)",
				       users->count ? ", " : "", comm, users->pid);
	users->count++;
}

void check_users(struct finding *f)
{
	struct users users = { 0 };
	const char *whose = geteuid() ? " of yours" : "";

	f->id = "users";
	for_each_entry("/proc", check_process, &users);
	if (users.count)
		found(f, CHECK_OK, "%d other process%s%s use%s RDMA devices: %s", users.count,
		      users.count == 1 ? "" : "es", whose, users.count == 1 ? "s" : "",
		      users.names);
	else
		found(f, CHECK_OK, "no other process%s uses an RDMA device", whose);
}
