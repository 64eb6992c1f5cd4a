// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Commands as the device gets them, and those of the kernel's own.
 */
#include <linux/ktime.h>
#include <linux/mlx5/driver.h>
#include <linux/pci.h>
#include <rdma/ib_verbs.h>

#include "dev.h"
#include "fw.h"
#include "mbox.h"
#include "submitter.h"
#include "trace.h"

/**
 * mdx_status_text - Meaning of a status, for messages
 * @status: of an answer
 *
 * Return: a few words
 */
const char *mdx_status_text(u8 status)
{
	switch (status) {
	case MLX5_CMD_STAT_INT_ERR:
		return "internal error";
	case MLX5_CMD_STAT_BAD_OP_ERR:
		return "bad operation";
	case MLX5_CMD_STAT_BAD_PARAM_ERR:
		return "bad parameter";
	case MLX5_CMD_STAT_BAD_SYS_STATE_ERR:
		return "bad system state";
	case MLX5_CMD_STAT_BAD_RES_ERR:
		return "bad resource";
	case MLX5_CMD_STAT_BAD_RES_STATE_ERR:
		return "bad resource state";
	case MLX5_CMD_STAT_BAD_INP_LEN_ERR:
		return "bad input length";
	default:
		return "status not known";
	}
}

/**
 * mdx_fw_is_dead - Test for a device that executes no more commands
 * @mdev: the device
 *
 * Return: true if it is dead
 */
bool mdx_fw_is_dead(struct mlx5_core_dev *mdev)
{
	return pci_channel_offline(mdev->pdev) ||
	       mdev->state == MLX5_DEVICE_STATE_INTERNAL_ERROR;
}

/**
 * mdx_fw_clock - Start of a command, for mdx_fw_trace()
 *
 * Return: ktime_get_ns(), or 0 while commands are not traced
 */
u64 mdx_fw_clock(void)
{
	return trace_mdx_cmd_enabled() ? ktime_get_ns() : 0;
}

/**
 * mdx_fw_trace - Record a command
 * @mdx: the device
 * @id: the object in its file, or 0
 * @in: input
 * @out: answer
 * @ret: result, as of mlx5_cmd_do()
 * @start: mdx_fw_clock() before
 */
void mdx_fw_trace(struct mdx_dev *mdx, u32 id, const void *in, const void *out,
		  int ret, u64 start)
{
	bool answered = !ret || ret == -EREMOTEIO;

	if (!trace_mdx_cmd_enabled())
		return;
	trace_mdx_cmd(dev_name(&mdx->ibdev->dev), mdx_mbox_uid(in),
		      mdx_mbox_opcode(in), id,
		      answered ? mdx_mbox_status(out) : 0,
		      answered ? mdx_mbox_syndrome(out) : 0, ret,
		      start ? ktime_get_ns() - start : 0, mdx_submitter_pid());
}

static int do_traced(struct mdx_dev *mdx, u32 id, void *in, u32 in_len,
		     void *out, u32 out_len)
{
	u64 start = mdx_fw_clock();
	int ret;

	ret = mlx5_cmd_do(mdx->mdev, in, in_len, out, out_len);
	mdx_fw_trace(mdx, id, in, out, ret, start);
	return ret;
}

/**
 * mdx_fw_do - Run a command
 * @mdx: the device under mdx_live, held by this task or, in a worker, by the
 *	task that waits for it
 * @id: the object, for the trace; 0: none
 * @in: input with uid
 * @in_len: its length
 * @out: room for the answer
 * @out_len: its length
 *
 * Return: as mlx5_cmd_do(): -EREMOTEIO if the device refused
 */
int mdx_fw_do(struct mdx_dev *mdx, u32 id, void *in, u32 in_len, void *out,
	      u32 out_len)
{
	mdx_dev_assert_live(mdx);

	if (trace_mdx_cmd_enabled())
		return do_traced(mdx, id, in, in_len, out, out_len);
	return mlx5_cmd_do(mdx->mdev, in, in_len, out, out_len);
}

/**
 * mdx_fw_exec - Run a command of the kernel's own
 * @mdx: as for mdx_fw_do()
 * @id: the object, for the trace; 0: none
 * @in: input with uid
 * @in_len: its length
 * @ans: the answer, zero if there is none
 *
 * Return: as mdx_fw_do()
 */
int mdx_fw_exec(struct mdx_dev *mdx, u32 id, void *in, u32 in_len,
		struct mdx_answer *ans)
{
	int ret;

	*ans = (struct mdx_answer){ .opcode = mdx_mbox_opcode(in) };
	ret = mdx_fw_do(mdx, id, in, in_len, ans->out, sizeof(ans->out));
	if (!ret || ret == -EREMOTEIO) {
		ans->status = mdx_mbox_status(ans->out);
		ans->syndrome = mdx_mbox_syndrome(ans->out);
	}
	return ret;
}
