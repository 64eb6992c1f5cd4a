/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Commands of users.
 */
#ifndef MDX_CMD_H
#define MDX_CMD_H

#include <linux/sizes.h>
#include <linux/types.h>

#include "budget.h"
#include "optab.h"
#include "pool.h"

struct mdx_err_info;
struct mdx_file;
struct mdx_ioc_general;

/* Longest mailbox, in and out; mlx5_core chains 512 byte blocks. */
#define MDX_MBOX_LEN_MAX SZ_2M

/**
 * struct mdx_patch - A field of an input that the kernel fills in
 * @bit: offset of its most significant bit, behind opcode and uid and within the input
 * @width: of the field, 1 to 32, within a dword
 * @val: value; bits that do not fit are dropped
 */
struct mdx_patch {
	u32 bit;
	u8 width;
	u32 val;
};

/**
 * struct mdx_cmd - A command of a user
 * @file: the file it was sent through
 * @err: error info of the ioctl
 * @patches: fields that the kernel fills in before the command is checked, set before
 *	mdx_cmd_fetch()
 * @patches_n: entries of @patches
 * @op: its row
 * @in: input, the kernel's copy, with uid and forced bits. Once the command was
 *	executed only its header is left
 * @out: the answer. It shares a buffer with @in, behind the header, unless the
 *	row has MDX_OP_F_SPLIT
 * @uout: the caller's output mailbox
 * @in_len: of @in
 * @out_len: of @out
 * @buf: the buffer that both are in
 */
struct mdx_cmd {
	struct mdx_file *file;
	struct mdx_err_info *err;
	const struct mdx_patch *patches;
	u32 patches_n;
	const struct mdx_op *op;
	void *in;
	void *out;
	void __user *uout;
	u32 in_len;
	u32 out_len;
	struct mdx_buf buf;
};

int mdx_cmd_fetch(struct mdx_cmd *cmd, struct mdx_file *file,
		  struct mdx_err_info *err, const struct mdx_ioc_general *arg,
		  enum mdx_class class);
int mdx_cmd_build(struct mdx_cmd *cmd, u32 in_len, u32 out_len);
int __mdx_cmd_admit(struct mdx_cmd *cmd);
void __mdx_cmd_leave(struct mdx_cmd *cmd);
int mdx_cmd_exec(struct mdx_cmd *cmd, u32 id);
int mdx_cmd_respond(struct mdx_cmd *cmd, int ret);
void mdx_cmd_free(struct mdx_cmd *cmd);

/* Commands about general objects and long ones: a user may have few of them sent. */
static inline bool mdx_cmd_is_gated(const struct mdx_cmd *cmd)
{
	return cmd->op->flags & MDX_OP_F_OBJ_TYPE ||
	       mdx_budget_bytes(cmd->in_len, cmd->out_len);
}

/**
 * mdx_cmd_admit - Wait until a command may be sent
 * @cmd: fetched; no lock is held. mdx_cmd_leave() it if 0 is returned
 *
 * Return: 0, or -EINTR or -ERESTARTSYS if the task was killed
 */
static inline int mdx_cmd_admit(struct mdx_cmd *cmd)
{
	return mdx_cmd_is_gated(cmd) ? __mdx_cmd_admit(cmd) : 0;
}

/**
 * mdx_cmd_leave - Undo mdx_cmd_admit()
 * @cmd: not with the device any more
 */
static inline void mdx_cmd_leave(struct mdx_cmd *cmd)
{
	if (mdx_cmd_is_gated(cmd))
		__mdx_cmd_leave(cmd);
}

#endif /* MDX_CMD_H */
