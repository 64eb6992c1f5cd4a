/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * An ioctl under way.
 */
#ifndef MDX_UCMD_H
#define MDX_UCMD_H

#include <mdx/mdx_uapi.h>

#include "cmd.h"
#include "err_info.h"

struct file;
struct mdx_dev;
struct mdx_file;
struct mdx_obj;
struct mdx_owner;

/**
 * struct mdx_ucmd - An ioctl under way
 * @file: the file
 * @owner: its owner, under mdx_owner_live, if the ioctl needs one
 * @mdx: its device, under mdx_live, if the ioctl needs one
 * @ubuf: the caller's structure
 * @usize: its size
 * @arg: copy of it, zero behind what the caller gave
 * @cmd: the command, if the ioctl carries mailboxes
 * @new_obj: object that a handler has created: finalized if the answer reaches
 *	the caller, else aborted
 * @new_filp: file that a handler has opened: installed as @new_fd if the answer
 *	reaches the caller, else closed
 * @new_fd: descriptor that is reserved for it
 * @err: error info for MDX_IOC_LAST_ERROR
 */
struct mdx_ucmd {
	struct mdx_file *file;
	struct mdx_owner *owner;
	struct mdx_dev *mdx;
	void __user *ubuf;
	u32 usize;
	void *arg;
	struct mdx_cmd cmd;
	struct mdx_obj *new_obj;
	struct file *new_filp;
	int new_fd;
	struct mdx_err_info err;
};

#endif /* MDX_UCMD_H */
