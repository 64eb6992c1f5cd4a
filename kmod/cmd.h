/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Commands: those of users, and those the kernel sends for them.
 */
#ifndef MDX_CMD_H
#define MDX_CMD_H

#include "mdx.h"
#include "optab.h"

/* How often a command that takes something back is tried for want of memory. */
#define MDX_UNDO_TRIES 3

/**
 * struct mdx_cmd - A command of a user
 * @file: whose it is
 * @why: of the ioctl
 * @op: its row
 * @in: input, the kernel's copy, with uid and forced bits. Once the command was
 *	executed only its header is there still
 * @out: the answer, right behind the header of @in, unless mlx5_core's CQ helper
 *	gets the command
 * @uout: where the answer goes
 * @in_len: of @in
 * @out_len: of @out
 * @buf_len: of the buffer that both are in
 */
struct mdx_cmd {
	struct mdx_file *file;
	struct mdx_why *why;
	const struct mdx_op *op;
	void *in;
	void *out;
	void __user *uout;
	u32 in_len;
	u32 out_len;
	u32 buf_len;
};

/**
 * struct mdx_answer - What the device said to a command of the kernel's own
 * @opcode: which command that was
 * @status: 0 if it did not refuse
 * @syndrome: why it refused
 * @out: header of the answer as it came
 */
struct mdx_answer {
	u16 opcode;
	u8 status;
	u32 syndrome;
	__be32 out[MDX_HDR_LEN / 4];
};

/* The device refused, or did not answer. */
static inline void mdx_why_refused(struct mdx_why *why,
				   const struct mdx_answer *ans)
{
	why->stage = MDX_STAGE_DEVICE;
	why->opcode = ans->opcode;
	why->status = ans->status;
	why->syndrome = ans->syndrome;
}

bool mdx_fw_is_dead(struct mlx5_core_dev *mdev);
int mdx_fw_exec(struct mdx_dev *mdx, u32 id, void *in, u32 in_len,
		struct mdx_answer *ans);
u64 mdx_fw_clock(void);
void mdx_fw_trace(struct mdx_dev *mdx, u32 id, const void *in, const void *out,
		  int ret, u64 start);
int mdx_cmd_fetch(struct mdx_cmd *cmd, struct mdx_ucmd *ucmd,
		  enum mdx_class class);
void mdx_slot_get(struct mdx_file *file);
void mdx_slot_put(struct mdx_file *file);
int mdx_cmd_exec(struct mdx_cmd *cmd, u32 id);
int mdx_cmd_respond(struct mdx_cmd *cmd, int ret);
void mdx_cmd_free(struct mdx_cmd *cmd);

#endif /* MDX_CMD_H */
