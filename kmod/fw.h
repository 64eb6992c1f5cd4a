/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Commands as the device gets them, and those of the kernel's own.
 */
#ifndef MDX_FW_H
#define MDX_FW_H

#include <linux/types.h>

#include <mdx/mdx_uapi.h>

#include "err_info.h"
#include "optab.h"

struct mdx_dev;
struct mlx5_core_dev;

/* Attempts at a command that takes something back, when memory is short. */
#define MDX_DESTROY_TRIES 3

/**
 * struct mdx_answer - Answer of the device to a command of the kernel's own
 * @opcode: the command
 * @status: 0 unless the device refused
 * @syndrome: reason of the refusal
 * @out: header of the answer as it came
 */
struct mdx_answer {
	u16 opcode;
	u8 status;
	u32 syndrome;
	__be32 out[MDX_HDR_LEN / 4];
};

/* The device refused @ans->opcode, or did not answer. */
static inline void mdx_err_info_set(struct mdx_err_info *err,
				    const struct mdx_answer *ans)
{
	err->stage = MDX_STAGE_DEVICE;
	err->opcode = ans->opcode;
	err->status = ans->status;
	err->syndrome = ans->syndrome;
}

const char *mdx_status_text(u8 status);
bool mdx_fw_is_dead(struct mlx5_core_dev *mdev);
u64 mdx_fw_clock(void);
void mdx_fw_trace(struct mdx_dev *mdx, u32 id, const void *in, const void *out,
		  int ret, u64 start);
int mdx_fw_do(struct mdx_dev *mdx, u32 id, void *in, u32 in_len, void *out,
	      u32 out_len);
int mdx_fw_exec(struct mdx_dev *mdx, u32 id, void *in, u32 in_len,
		struct mdx_answer *ans);

#endif /* MDX_FW_H */
