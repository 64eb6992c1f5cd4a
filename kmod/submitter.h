/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Processes on behalf of which workers execute commands, for the trace.
 */
#ifndef MDX_SUBMITTER_H
#define MDX_SUBMITTER_H

#include <linux/list.h>
#include <linux/types.h>

struct task_struct;

/**
 * struct mdx_submitter - A worker at work for a process
 * @entry: in a list of all
 * @worker: the worker; NULL: commands are not traced, and it is in no list
 * @pid: the process
 */
struct mdx_submitter {
	struct list_head entry;
	struct task_struct *worker;
	pid_t pid;
};

void mdx_submitter_begin(struct mdx_submitter *submitter, pid_t pid);
void mdx_submitter_end(struct mdx_submitter *submitter);
pid_t mdx_submitter_pid(void);

#endif /* MDX_SUBMITTER_H */
