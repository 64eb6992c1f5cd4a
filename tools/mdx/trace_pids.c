// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The processes of mdx trace --pid: one, and what it starts. A worker of the module may
 * execute their commands, so the kernel's filter by task does not find them.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"
#include "trace_parts.h"

static const char mark[] = ": sched_process_fork: ";

static int pid_add(struct trace_pids *pids, long pid)
{
	long *grown;

	if (pids->n % 64 == 0) {
		grown = realloc(pids->pid, (pids->n + 64) * sizeof(*grown));
		if (!grown)
			return ENOMEM;
		pids->pid = grown;
	}
	pids->pid[pids->n++] = pid;
	return 0;
}

bool trace_pids_have(const struct trace_pids *pids, long pid)
{
	unsigned int i;

	for (i = 0; i < pids->n; i++)
		if (pids->pid[i] == pid)
			return true;
	return false;
}

int trace_pids_begin(struct trace_pids *pids, long pid)
{
	struct dirent *entry;
	char path[64];
	int err = 0;
	DIR *dir;

	*pids = (struct trace_pids){ 0 };
	snprintf(path, sizeof(path), "/proc/%ld/task", pid);
	dir = opendir(path);
	if (!dir)
		return ESRCH;
	while (!err && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			err = pid_add(pids, atol(entry->d_name));
	closedir(dir);
	return err;
}

/* The number behind the last @key of @text. A comm may hold a key. */
static long last_number(const char *text, const char *key)
{
	const char *at = strstr(text, key), *last = NULL;

	for (; at; at = strstr(at + 1, key))
		last = at;
	return last ? atol(last + strlen(key)) : -1;
}

void trace_pids_line(struct trace_pids *pids, const char *line)
{
	const char *at = strstr(line, mark);
	char text[512], *child;
	long pid;

	if (!at)
		return;
	snprintf(text, sizeof(text), "%s", at + sizeof(mark) - 1);
	pid = last_number(text, " child_pid=");
	child = strstr(text, " child_comm=");
	if (pid < 0 || !child)
		return;
	*child = '\0';
	if (trace_pids_have(pids, last_number(text, " pid=")) &&
	    pid_add(pids, pid))
		complain("no memory: commands of process %ld are not shown", pid);
}
