// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Why did it fail: MDX_IOC_LAST_ERROR. Calls that succeed write nothing here.
 */
#include "mdx.h"

/**
 * mdx_last_record - Remember a call that failed
 * @ucmd: the call
 * @nr: its number
 * @ret: its negative errno
 */
void mdx_last_record(struct mdx_ucmd *ucmd, unsigned int nr, int ret)
{
	const struct mdx_why *why = &ucmd->why;
	struct mdx_file *file = ucmd->file;
	struct mdx_ioc_last_error last = {
		.out_cmd = nr,
		.out_stage = why->stage,
		.out_errno = -ret,
		.out_tid = task_pid_vnr(current),
		.out_opcode = why->opcode,
		.out_obj = why->obj,
		.out_status = why->status,
		.out_syndrome = why->syndrome,
	};

	spin_lock(&file->last_lock);
	last.out_count = file->last.out_count + 1;
	file->last = last;
	spin_unlock(&file->last_lock);
}

/* MDX_IOC_LAST_ERROR */
int mdx_ioc_last_error(struct mdx_ucmd *ucmd)
{
	struct mdx_ioc_last_error *arg = ucmd->cmd;
	struct mdx_file *file = ucmd->file;
	u32 size = arg->size;

	if (arg->flags)
		return -EOPNOTSUPP;

	spin_lock(&file->last_lock);
	*arg = file->last;
	spin_unlock(&file->last_lock);
	arg->size = size;
	return mdx_respond(ucmd);
}
