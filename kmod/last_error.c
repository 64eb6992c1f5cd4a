// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The last call of a file that failed: MDX_IOC_LAST_ERROR. Calls that succeed
 * write nothing here.
 */
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/spinlock.h>

#include "file.h"
#include "last_error.h"
#include "ucmd.h"

/**
 * mdx_last_error_record - Remember a call that failed
 * @ucmd: the call
 * @nr: its number
 * @ret: its negative errno
 */
void mdx_last_error_record(struct mdx_ucmd *ucmd, unsigned int nr, int ret)
{
	const struct mdx_err_info *err = &ucmd->err;
	struct mdx_file *file = ucmd->file;
	struct mdx_ioc_last_error last = {
		.out_cmd = nr,
		.out_stage = err->stage,
		.out_errno = -ret,
		.out_tid = task_pid_vnr(current),
		.out_opcode = err->opcode,
		.out_obj = err->obj,
		.out_status = err->status,
		.out_syndrome = err->syndrome,
		.out_item = err->item,
	};

	spin_lock(&file->last_error_lock);
	last.out_count = file->last_error.out_count + 1;
	file->last_error = last;
	spin_unlock(&file->last_error_lock);
}

/* MDX_IOC_LAST_ERROR */
int mdx_ioc_last_error(struct mdx_ucmd *ucmd)
{
	struct mdx_ioc_last_error *arg = ucmd->arg;
	struct mdx_file *file = ucmd->file;

	spin_lock(&file->last_error_lock);
	*arg = file->last_error;
	spin_unlock(&file->last_error_lock);
	arg->size = ucmd->usize;
	return 0;
}
