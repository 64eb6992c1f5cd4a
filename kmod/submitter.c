// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Processes on behalf of which workers execute commands. The trace names them: the
 * number of a worker tells nothing about who sent a command.
 */
#include <linux/sched.h>
#include <linux/spinlock.h>

#include "submitter.h"
#include "trace.h"

static DEFINE_SPINLOCK(submitters_lock); /* submitters */
static LIST_HEAD(submitters);

/**
 * mdx_submitter_begin - Execute commands of a process in this worker
 * @submitter: until mdx_submitter_end()
 * @pid: the process
 *
 * Nothing is done while commands are not traced.
 */
void mdx_submitter_begin(struct mdx_submitter *submitter, pid_t pid)
{
	submitter->worker = NULL;
	if (!trace_mdx_cmd_enabled())
		return;
	submitter->worker = current;
	submitter->pid = pid;
	spin_lock(&submitters_lock);
	list_add(&submitter->entry, &submitters);
	spin_unlock(&submitters_lock);
}

/**
 * mdx_submitter_end - Undo mdx_submitter_begin()
 * @submitter: as for mdx_submitter_begin()
 */
void mdx_submitter_end(struct mdx_submitter *submitter)
{
	if (!submitter->worker)
		return;
	spin_lock(&submitters_lock);
	list_del(&submitter->entry);
	spin_unlock(&submitters_lock);
}

/**
 * mdx_submitter_pid - The process whose command this task executes
 *
 * Return: its number: in a worker of a batch that of the process which submitted it,
 * else that of the calling task's own process
 */
pid_t mdx_submitter_pid(void)
{
	pid_t pid = task_tgid_nr(current);
	struct mdx_submitter *submitter;

	if (!(current->flags & PF_WQ_WORKER))
		return pid;
	spin_lock(&submitters_lock);
	list_for_each_entry(submitter, &submitters, entry) {
		if (submitter->worker == current)
			pid = submitter->pid;
	}
	spin_unlock(&submitters_lock);
	return pid;
}
