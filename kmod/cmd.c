// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * One command: fetch it, check it against its row, run it, hand the answer out.
 *
 * Fetching and responding touch user memory and hold no lock; running holds
 * live_sem. mlx5_core copies the input before it sends the command, and writes
 * the output, all of it, once the device has answered and only then. So both
 * share a buffer, nothing is cleared, and it is free as soon as mlx5_core returns,
 * even from a command that timed out. But mlx5_core looks at the header of the
 * input once more, and so do we: the output begins behind that. What a command
 * creates that is answered too late, late.c takes care of.
 */
#include <linux/ktime.h>
#include <linux/pci.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#include "cmd.h"
#include "mbox.h"
#include "mdx.h"
#include "pool.h"
#include "trace.h"

/**
 * mdx_fw_is_dead - Whether a device executes nothing any more
 * @mdev: the device
 *
 * Return: whether it is
 */
bool mdx_fw_is_dead(struct mlx5_core_dev *mdev)
{
	return pci_channel_offline(mdev->pdev) ||
	       mdev->state == MLX5_DEVICE_STATE_INTERNAL_ERROR;
}

/**
 * mdx_fw_clock - When a command begins, for mdx_fw_trace()
 *
 * Return: ktime_get_ns(), or 0 if nobody wants to know
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
 * @ret: how it went
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
		      start ? ktime_get_ns() - start : 0);
}

static int fw_do(struct mdx_dev *mdx, u32 id, void *in, u32 in_len, void *out,
		 u32 out_len)
{
	u64 start = mdx_fw_clock();
	int ret;

	/* Not always by this task: see obj_end.c. */
	lockdep_assert(percpu_is_read_locked(&mdx->live_sem) ||
		       percpu_is_write_locked(&mdx->live_sem));

	ret = mlx5_cmd_do(mdx->mdev, in, in_len, out, out_len);
	mdx_fw_trace(mdx, id, in, out, ret, start);
	return ret;
}

/**
 * mdx_fw_exec - Run a command of the kernel's own
 * @mdx: the device, under live_sem
 * @id: the object it is about, for the trace
 * @in: input with uid
 * @in_len: its length
 * @ans: the answer, zero if there is none
 *
 * Return: what mlx5_cmd_do() does: -EREMOTEIO if the device refused
 */
int mdx_fw_exec(struct mdx_dev *mdx, u32 id, void *in, u32 in_len,
		struct mdx_answer *ans)
{
	int ret;

	memset(ans, 0, sizeof(*ans));
	ans->opcode = mdx_mbox_opcode(in);
	ret = fw_do(mdx, id, in, in_len, ans->out, sizeof(ans->out));
	if (!ret || ret == -EREMOTEIO) {
		ans->status = mdx_mbox_status(ans->out);
		ans->syndrome = mdx_mbox_syndrome(ans->out);
	}
	return ret;
}

/* The two lengths are checked, so the sums do not wrap. */
static int buffer_get(struct mdx_cmd *cmd)
{
	u32 out_at = MDX_HDR_LEN;

	/* That helper clears the output before it copies the input. */
	if (cmd->op->flags & MDX_OP_F_CQ)
		out_at = ALIGN(cmd->in_len, sizeof(u64));
	cmd->buf_len = max(cmd->in_len, out_at + cmd->out_len);
	cmd->in = mdx_pool_get(cmd->buf_len);
	if (!cmd->in)
		return -ENOMEM;
	cmd->out = cmd->in + out_at;
	return 0;
}

/* The header by itself: for most commands that is all, and no call. */
static int header_get(u64 *hdr, const u64 __user *uin)
{
	if (!user_access_begin(uin, MDX_HDR_LEN))
		return -EFAULT;
	unsafe_get_user(hdr[0], uin, fault);
	unsafe_get_user(hdr[1], uin + 1, fault);
	user_access_end();
	return 0;
fault:
	user_access_end();
	return -EFAULT;
}

static int fetch(struct mdx_cmd *cmd, const struct mdx_ioc_general *arg,
		 enum mdx_class class)
{
	const void __user *uin = u64_to_user_ptr(arg->in);
	u64 hdr[MDX_HDR_LEN / 8];
	int ret;

	cmd->why->stage = MDX_STAGE_MEMORY;
	ret = header_get(hdr, uin);
	if (ret)
		return ret;
	cmd->why->stage = MDX_STAGE_CHECK;
	cmd->why->opcode = mdx_mbox_opcode(hdr);
	ret = mdx_op_find(&cmd->op, hdr, class);
	if (ret)
		return ret;
	if (cmd->in_len < cmd->op->min_in || cmd->out_len < cmd->op->min_out)
		return -EINVAL;

	cmd->why->stage = MDX_STAGE_MEMORY;
	ret = buffer_get(cmd);
	if (ret)
		return ret;

	/* What was checked is what is sent: the header is not read again. */
	memcpy(cmd->in, hdr, sizeof(hdr));
	if (cmd->in_len > sizeof(hdr) &&
	    copy_from_user(cmd->in + sizeof(hdr), uin + sizeof(hdr),
			   cmd->in_len - sizeof(hdr)))
		return -EFAULT;

	cmd->why->stage = MDX_STAGE_CHECK;
	mdx_mbox_set_uid(cmd->in, cmd->file->uid);
	mdx_mbox_force(cmd->op, cmd->in);
	return 0;
}

/* The structures of all commands begin like that of a general one. */
#define SAME_MBOXES(_struct)                                                   \
	static_assert(offsetof(struct _struct, in) ==                          \
			      offsetof(struct mdx_ioc_general, in) &&          \
		      offsetof(struct _struct, out) ==                         \
			      offsetof(struct mdx_ioc_general, out) &&         \
		      offsetof(struct _struct, in_len) ==                      \
			      offsetof(struct mdx_ioc_general, in_len) &&      \
		      offsetof(struct _struct, out_len) ==                     \
			      offsetof(struct mdx_ioc_general, out_len))
SAME_MBOXES(mdx_ioc_obj_create);
SAME_MBOXES(mdx_ioc_obj_cmd);
SAME_MBOXES(mdx_ioc_verbs_cmd);

/**
 * mdx_cmd_fetch - Read a command of a user
 * @cmd: filled; mdx_cmd_free() it if 0 is returned
 * @ucmd: an ioctl with mailboxes, on a bound file
 * @class: which commands are acceptable
 *
 * Return: 0 or what the uapi says about a bad command
 */
int mdx_cmd_fetch(struct mdx_cmd *cmd, struct mdx_ucmd *ucmd,
		  enum mdx_class class)
{
	const struct mdx_ioc_general *arg = ucmd->cmd;
	int ret;

	if (arg->in_len < MDX_HDR_LEN || arg->in_len > MDX_MBOX_LEN_MAX ||
	    arg->out_len < MDX_HDR_LEN || arg->out_len > MDX_MBOX_LEN_MAX)
		return -EINVAL;

	*cmd = (struct mdx_cmd){
		.file = ucmd->file,
		.why = &ucmd->why,
		.uout = u64_to_user_ptr(arg->out),
		.in_len = arg->in_len,
		.out_len = arg->out_len,
	};
	ret = fetch(cmd, arg, class);
	if (ret)
		mdx_cmd_free(cmd);
	return ret;
}

/*
 * Commands of one file that the device has at a time. mlx5_core has slots for 31;
 * the one that waits for a slot keeps all others waiting, whoever sends them.
 */
#define FILE_CMDS_MAX 16

static bool slot_try(struct mdx_file *file)
{
	return atomic_add_unless(&file->in_flight, 1, FILE_CMDS_MAX);
}

/**
 * mdx_slot_get - Wait until the file may send a command
 * @file: its device is under live_sem; waits for commands of the same file only
 */
void mdx_slot_get(struct mdx_file *file)
{
	/* One slot, one of them: the others would wake for nothing. */
	if (!slot_try(file))
		wait_event_idle_exclusive(file->slots, slot_try(file));
}

/**
 * mdx_slot_put - A command has ended
 * @file: the file
 */
void mdx_slot_put(struct mdx_file *file)
{
	atomic_dec(&file->in_flight);
	if (wq_has_sleeper(&file->slots))
		wake_up(&file->slots);
}

/**
 * mdx_cmd_exec - Run a command of a user
 * @cmd: fetched; the file's device is under live_sem
 * @id: the object it is about, or 0
 *
 * Return: what mlx5_cmd_do() does: -EREMOTEIO if the device refused
 */
int mdx_cmd_exec(struct mdx_cmd *cmd, u32 id)
{
	int ret;

	cmd->why->stage = MDX_STAGE_DEVICE;
	mdx_slot_get(cmd->file);
	ret = fw_do(cmd->file->mdx, id, cmd->in, cmd->in_len, cmd->out,
		    cmd->out_len);
	mdx_slot_put(cmd->file);
	return ret;
}

static int header_put(u64 __user *uout, const u64 *hdr)
{
	if (!user_access_begin(uout, MDX_HDR_LEN))
		return -EFAULT;
	unsafe_put_user(hdr[0], uout, fault);
	unsafe_put_user(hdr[1], uout + 1, fault);
	user_access_end();
	return 0;
fault:
	user_access_end();
	return -EFAULT;
}

static int answer_put(const struct mdx_cmd *cmd)
{
	if (cmd->out_len == MDX_HDR_LEN)
		return header_put(cmd->uout, cmd->out);
	return copy_to_user(cmd->uout, cmd->out, cmd->out_len) ? -EFAULT : 0;
}

/**
 * mdx_cmd_respond - Hand the answer out if there is one
 * @cmd: executed; no lock is held
 * @ret: how it went
 *
 * Return: @ret, or -EFAULT
 */
int mdx_cmd_respond(struct mdx_cmd *cmd, int ret)
{
	if (ret && ret != -EREMOTEIO)
		return ret;
	if (ret) {
		cmd->why->status = mdx_mbox_status(cmd->out);
		cmd->why->syndrome = mdx_mbox_syndrome(cmd->out);
	}
	if (answer_put(cmd)) {
		cmd->why->stage = MDX_STAGE_ANSWER;
		return -EFAULT;
	}
	return ret;
}

/**
 * mdx_cmd_free - Free the mailboxes of a command
 * @cmd: the command
 */
void mdx_cmd_free(struct mdx_cmd *cmd)
{
	mdx_pool_put(cmd->in, cmd->buf_len);
}

/* MDX_IOC_GENERAL */
int mdx_ioc_general(struct mdx_ucmd *ucmd)
{
	struct mdx_ioc_general *arg = ucmd->cmd;
	struct mdx_cmd cmd __uninitialized;
	struct mdx_dev *mdx;
	int ret;

	if (arg->flags)
		return -EOPNOTSUPP;
	mdx = mdx_file_dev(ucmd->file);
	if (IS_ERR(mdx))
		return PTR_ERR(mdx);

	ret = mdx_cmd_fetch(&cmd, ucmd, MDX_OP_GENERAL);
	if (ret)
		return ret;

	ret = mdx_live_lock(mdx);
	if (!ret) {
		ret = mdx_cmd_exec(&cmd, 0);
		mdx_live_unlock(mdx);
	}
	ret = mdx_cmd_respond(&cmd, ret);
	mdx_cmd_free(&cmd);
	return ret;
}
