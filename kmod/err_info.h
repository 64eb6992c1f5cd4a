/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Error info of a call, for MDX_IOC_LAST_ERROR.
 */
#ifndef MDX_ERR_INFO_H
#define MDX_ERR_INFO_H

#include <linux/types.h>

/**
 * struct mdx_err_info - Stage a call has reached, and the device's refusal
 * @stage: enum mdx_stage of the step under way
 * @status: status of the device's refusal
 * @opcode: the command, once it is known
 * @syndrome: syndrome of the device's refusal
 * @obj: id of the object, or handle of the verbs object
 * @item: number of the item of a batch, from 1; 0: it is a call of its own
 *
 * Lives on the stack of the call, and is read only if the call fails.
 */
struct mdx_err_info {
	u8 stage;
	u8 status;
	u16 opcode;
	u32 syndrome;
	u32 obj;
	u32 item;
};

#endif /* MDX_ERR_INFO_H */
