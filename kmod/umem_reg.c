// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* MDX_IOC_UMEM_REG: an item that runs in the caller's thread. */
#include <linux/slab.h>

#include "cmd.h"
#include "file.h"
#include "owner.h"
#include "submit_run.h"
#include "umem.h"

static int umem_execute(struct mdx_run *run)
{
	int ret;

	ret = mdx_umem_begin(run);
	if (ret)
		return ret;
	mdx_run_execute(run);
	ret = run->ret;
	if (!ret || ret == -EREMOTEIO)
		mdx_umem_answer(run, ret);
	mdx_cmd_free(&run->ucmd.cmd);
	return ret;
}

static int run_alone(struct mdx_run *run, struct mdx_ucmd *ucmd)
{
	struct mdx_ioc_umem_reg *arg = ucmd->arg;
	int ret;

	mdx_run_init(run, ucmd->file, NULL, NULL);
	run->cmd = MDX_CMD_UMEM_REG;
	run->ucmd.err = ucmd->err;
	run->arg.umem_reg = *arg;
	ret = umem_execute(run);
	*arg = run->arg.umem_reg;
	ucmd->err = run->ucmd.err;
	ucmd->new_obj = run->ucmd.new_obj;
	return ret;
}

/* MDX_IOC_UMEM_REG */
int mdx_ioc_umem_reg(struct mdx_ucmd *ucmd)
{
	struct mdx_owner *owner = mdx_file_owner(ucmd->file);
	struct mdx_run *run;
	int ret;

	if (IS_ERR(owner))
		return PTR_ERR(owner);
	ret = mdx_slot_get(&owner->slots);
	if (ret)
		return ret;
	run = kzalloc(sizeof(*run), GFP_KERNEL_ACCOUNT);
	if (run) {
		ret = run_alone(run, ucmd);
	} else {
		ucmd->err.stage = MDX_STAGE_MEMORY;
		ret = -ENOMEM;
	}
	kfree(run);
	mdx_slot_put(&owner->slots);
	return ret;
}
