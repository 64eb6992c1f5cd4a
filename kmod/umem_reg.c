// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Registering memory, for user space: MDX_IOC_UMEM_REG, alone and as an item of a batch.
 *
 * The calling thread pins the memory, since it is the memory of its process. No lock is
 * held meanwhile: as long as the object is reserved, a reference keeps the ib_device.
 */
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <rdma/ib_verbs.h>

#include "cmd.h"
#include "file.h"
#include "mbox.h"
#include "obj.h"
#include "objs.h"
#include "owner.h"
#include "submit_run.h"
#include "umem.h"

static int memory_prepare(struct mdx_run *run)
{
	struct mdx_ucmd *ucmd = &run->ucmd;
	int ret;

	ret = mdx_umem_pin(run->reserved, ucmd);
	if (ret)
		return ret;
	ret = mdx_umem_build(run->reserved, ucmd);
	if (ret)
		return ret;
	ret = mdx_cmd_admit(&ucmd->cmd);
	if (ret)
		mdx_cmd_free(&ucmd->cmd);
	return ret;
}

/* What is left is as after mdx_run_begin(). */
static int umem_begin(struct mdx_run *run)
{
	const struct mdx_ioc_umem_reg *arg = &run->arg.umem_reg;
	struct mdx_ucmd *ucmd = &run->ucmd;
	int ret;

	if (!(arg->flags & MDX_UMEM_DMABUF) && arg->dmabuf_fd)
		return -EINVAL;
	ucmd->cmd.file = ucmd->file;
	ucmd->cmd.err = &ucmd->err;
	ucmd->cmd.op = &mdx_umem_op;
	ret = mdx_run_reserve(run);
	if (ret)
		return ret;
	ret = memory_prepare(run);
	if (ret)
		mdx_run_unreserve(run);
	return ret;
}

/* The structure of an item, as ioctl.c reads that of a call. */
static int arg_fetch(struct mdx_run *run)
{
	struct mdx_ioc_umem_reg *arg = &run->arg.umem_reg;
	u32 len = run->arg_len;
	int ret;

	if (len < sizeof(*arg))
		return -EINVAL;
	ret = copy_struct_from_user(arg, sizeof(*arg), run->uarg, len);
	if (ret == -EFAULT)
		run->ucmd.err.stage = MDX_STAGE_MEMORY;
	if (ret)
		return ret;
	if (arg->size != len)
		return -EINVAL;
	return arg->flags & ~(MDX_UMEM_DMABUF | MDX_UMEM_PGSZ_STRICT) ?
		       -EOPNOTSUPP : 0;
}

/**
 * mdx_umem_item_begin - As mdx_run_begin(), for MDX_CMD_UMEM_REG
 * @run: with the caller's structure
 *
 * Return: as mdx_run_begin()
 */
int mdx_umem_item_begin(struct mdx_run *run)
{
	int ret;

	ret = arg_fetch(run);
	return ret ? ret : umem_begin(run);
}

/**
 * mdx_umem_answer - Fill in the out_* fields of a umem that was sent to the device
 * @run: executed, with result @ret: 0 or -EREMOTEIO
 * @ret: its result
 */
void mdx_umem_answer(struct mdx_run *run, int ret)
{
	struct mdx_ioc_umem_reg *arg = &run->arg.umem_reg;
	struct mdx_obj *obj = run->ucmd.new_obj;
	const void *out = run->ucmd.cmd.out;

	arg->out_id = obj ? obj->id : 0;
	arg->out_umem_id = obj ? obj->fw_id : 0;
	arg->out_status = mdx_mbox_status(out);
	arg->out_syndrome = mdx_mbox_syndrome(out);
	arg->out_reserved = 0;
	if (ret) {
		arg->out_log_page_size = 0;
		run->ucmd.err.status = arg->out_status;
		run->ucmd.err.syndrome = arg->out_syndrome;
	}
}

/**
 * mdx_umem_item_respond - Tell the caller of an item's answer
 * @run: executed
 * @ret: its result
 *
 * Return: @ret, or -EFAULT
 */
int mdx_umem_item_respond(struct mdx_run *run, int ret)
{
	if (ret && ret != -EREMOTEIO)
		return ret;
	mdx_umem_answer(run, ret);
	if (copy_to_user(run->uarg, &run->arg.umem_reg,
			 sizeof(run->arg.umem_reg))) {
		run->ucmd.err.stage = MDX_STAGE_ANSWER;
		return -EFAULT;
	}
	return ret;
}

static int umem_execute(struct mdx_run *run)
{
	int ret;

	ret = umem_begin(run);
	if (ret)
		return ret;
	mdx_run_execute(run);
	ret = run->ret;
	if (!ret || ret == -EREMOTEIO)
		mdx_umem_answer(run, ret);
	mdx_cmd_free(&run->ucmd.cmd);
	return ret;
}

/* An item that runs in the caller's thread. */
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
