// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Commands of users: fetched, checked against their row, run, answered.
 *
 * Fetch and respond touch user memory and hold no lock; execution holds mdx_live.
 * mlx5_core copies the input before it sends the command, and writes the whole
 * output once the device has answered, and only then. So both share a buffer,
 * nothing is cleared, and the buffer is free as soon as mlx5_core returns, also
 * from a command that timed out. The header of the input is read again after
 * that, by mlx5_core and here, so the output begins behind it.
 */
#include <linux/kernel.h>
#include <linux/uaccess.h>

#include <mdx/mdx_uapi.h>

#include "cmd.h"
#include "err_info.h"
#include "file.h"
#include "fw.h"
#include "mbox.h"
#include "owner.h"

/* The structures of all commands begin like the one of a general command. */
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

/* Both lengths are about MDX_MBOX_LEN_MAX at most: the sums do not wrap. */
static int buffer_alloc(struct mdx_cmd *cmd)
{
	u32 out_at = MDX_HDR_LEN;

	if (cmd->op->flags & MDX_OP_F_SPLIT)
		out_at = ALIGN(cmd->in_len, sizeof(u64));
	if (!mdx_pool_get(&cmd->buf, max(cmd->in_len, out_at + cmd->out_len)))
		return -ENOMEM;
	cmd->in = cmd->buf.mem;
	cmd->out = cmd->in + out_at;
	return 0;
}

static int fail_memory(struct mdx_cmd *cmd, int ret)
{
	cmd->err->stage = MDX_STAGE_MEMORY;
	return ret;
}

/* Fields within the first @end bytes of @in, and from @begin on. */
static void input_patch(const struct mdx_cmd *cmd, void *in, u32 begin, u32 end)
{
	const struct mdx_patch *patch = cmd->patches;
	u32 i;

	for (i = 0; i < cmd->patches_n; i++, patch++) {
		u32 at = patch->bit / 32 * 4;

		if (at >= begin && at < end)
			mdx_mbox_set(in + at,
				     (struct mdx_field){ patch->bit % 32,
							 patch->width },
				     patch->val);
	}
}

/* The stage is MDX_STAGE_CHECK unless memory is the fault. */
static int input_fetch(struct mdx_cmd *cmd, const void __user *uin,
		       enum mdx_class class)
{
	u64 hdr[MDX_HDR_LEN / sizeof(u64)];
	int ret;

	if (copy_from_user(hdr, uin, sizeof(hdr)))
		return fail_memory(cmd, -EFAULT);
	if (cmd->patches_n)
		input_patch(cmd, hdr, 0, sizeof(hdr));
	cmd->err->opcode = mdx_mbox_opcode(hdr);
	ret = mdx_op_find(&cmd->op, hdr, class);
	if (ret)
		return ret;
	if (cmd->in_len < cmd->op->min_in || cmd->out_len < cmd->op->min_out)
		return -EINVAL;

	ret = buffer_alloc(cmd);
	if (ret)
		return fail_memory(cmd, ret);

	/* The header is not read again: the command sent is the one checked. */
	memcpy(cmd->in, hdr, sizeof(hdr));
	if (cmd->in_len > sizeof(hdr) &&
	    copy_from_user(cmd->in + sizeof(hdr), uin + sizeof(hdr),
			   cmd->in_len - sizeof(hdr)))
		return fail_memory(cmd, -EFAULT);

	if (cmd->patches_n)
		input_patch(cmd, cmd->in, sizeof(hdr), cmd->in_len);
	mdx_mbox_set_uid(cmd->in, cmd->file->owner->uid);
	if (*cmd->op->force)
		mdx_mbox_force(cmd->op, cmd->in);
	if (cmd->op->lists &&
	    !mdx_mbox_lists_fit(cmd->op, cmd->in, cmd->in_len))
		return -EINVAL;
	return 0;
}

/**
 * mdx_cmd_fetch - Read a command of a user
 * @cmd: filled; mdx_cmd_free() it if 0 is returned
 * @file: a bound file
 * @err: error info of the ioctl, in MDX_STAGE_CHECK
 * @arg: the mailboxes, at the beginning of the ioctl's structure
 * @class: acceptable commands
 *
 * Return: 0 or what the uapi says about a bad command
 */
int mdx_cmd_fetch(struct mdx_cmd *cmd, struct mdx_file *file,
		  struct mdx_err_info *err, const struct mdx_ioc_general *arg,
		  enum mdx_class class)
{
	int ret;

	if (arg->in_len < MDX_HDR_LEN || arg->in_len > MDX_MBOX_LEN_MAX ||
	    arg->out_len < MDX_HDR_LEN || arg->out_len > MDX_MBOX_LEN_MAX)
		return -EINVAL;

	cmd->file = file;
	cmd->err = err;
	cmd->uout = u64_to_user_ptr(arg->out);
	cmd->in_len = arg->in_len;
	cmd->out_len = arg->out_len;
	ret = input_fetch(cmd, u64_to_user_ptr(arg->in), class);
	if (ret)
		mdx_cmd_free(cmd);
	return ret;
}

/**
 * mdx_cmd_build - Begin a command that the kernel writes for a user
 * @cmd: with file, error info and row; mdx_cmd_free() it if 0 is returned
 * @in_len: length of the input; zero up to the row's minimum, but for opcode and uid, the
 *	rest is the caller's to write
 * @out_len: length of the output
 *
 * Return: 0 or -ENOMEM
 */
int mdx_cmd_build(struct mdx_cmd *cmd, u32 in_len, u32 out_len)
{
	cmd->in_len = in_len;
	cmd->out_len = out_len;
	if (buffer_alloc(cmd))
		return fail_memory(cmd, -ENOMEM);
	memset(cmd->in, 0, cmd->op->min_in);
	mdx_mbox_set(cmd->in, MDX_FLD_OPCODE, cmd->op->opcode);
	mdx_mbox_set_uid(cmd->in, cmd->file->owner->uid);
	cmd->err->opcode = cmd->op->opcode;
	return 0;
}

/**
 * __mdx_cmd_admit - As mdx_cmd_admit(), for a command of which there may be few
 * @cmd: the command
 *
 * Return: as mdx_cmd_admit()
 */
int __mdx_cmd_admit(struct mdx_cmd *cmd)
{
	struct mdx_owner *owner = cmd->file->owner;
	u32 bytes = mdx_budget_bytes(cmd->in_len, cmd->out_len);
	bool throttled = cmd->op->flags & MDX_OP_F_OBJ_TYPE;
	int ret = 0;

	if (throttled)
		ret = mdx_slot_get(&owner->throttled_slots);
	if (ret || !bytes)
		return ret;
	ret = mdx_budget_get(&owner->mdx->long_mboxes, bytes);
	if (ret && throttled)
		mdx_slot_put(&owner->throttled_slots);
	return ret;
}

/**
 * __mdx_cmd_leave - Undo __mdx_cmd_admit()
 * @cmd: the command
 */
void __mdx_cmd_leave(struct mdx_cmd *cmd)
{
	struct mdx_owner *owner = cmd->file->owner;
	u32 bytes = mdx_budget_bytes(cmd->in_len, cmd->out_len);

	if (bytes)
		mdx_budget_put(&owner->mdx->long_mboxes, bytes);
	if (cmd->op->flags & MDX_OP_F_OBJ_TYPE)
		mdx_slot_put(&owner->throttled_slots);
}

/**
 * mdx_cmd_exec - Run a command of a user
 * @cmd: admitted; the file's device is under mdx_live
 * @id: the object it is about, or 0
 *
 * Return: as mdx_fw_do()
 */
int mdx_cmd_exec(struct mdx_cmd *cmd, u32 id)
{
	cmd->err->stage = MDX_STAGE_DEVICE;
	return mdx_fw_do(cmd->file->owner->mdx, id, cmd->in, cmd->in_len,
			 cmd->out, cmd->out_len);
}

/* A copy whose length the compiler knows needs no check of the buffer's bounds. */
static unsigned long answer_copy(const struct mdx_cmd *cmd)
{
	if (cmd->out_len == MDX_HDR_LEN)
		return copy_to_user(cmd->uout, cmd->out, MDX_HDR_LEN);
	return copy_to_user(cmd->uout, cmd->out, cmd->out_len);
}

/**
 * mdx_cmd_respond - Copy the answer to the caller if there is one
 * @cmd: executed; no lock is held
 * @ret: result of the execution
 *
 * Return: @ret, or -EFAULT
 */
int mdx_cmd_respond(struct mdx_cmd *cmd, int ret)
{
	if (ret && ret != -EREMOTEIO)
		return ret;
	if (ret) {
		cmd->err->status = mdx_mbox_status(cmd->out);
		cmd->err->syndrome = mdx_mbox_syndrome(cmd->out);
	}
	if (answer_copy(cmd)) {
		cmd->err->stage = MDX_STAGE_ANSWER;
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
	mdx_pool_put(&cmd->buf);
}
