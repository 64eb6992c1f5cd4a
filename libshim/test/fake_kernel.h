/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A stand-in for the system calls that libmdx makes: the test program defines
 * open(), close() and ioctl(), and libmdx calls those.
 */
#ifndef MDX_FAKE_KERNEL_H
#define MDX_FAKE_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

#include "mdx/mdx_uapi.h"

union fake_kernel_arg {
	struct mdx_ioc_info info;
	struct mdx_ioc_bind bind;
	struct mdx_ioc_obj_create create;
	struct mdx_ioc_obj_destroy destroy;
	struct mdx_ioc_obj_cmd cmd;
	struct mdx_ioc_general general;
	struct mdx_ioc_verbs_cmd verbs;
	struct mdx_ioc_query_port port;
	struct mdx_ioc_query_device device;
	struct mdx_ioc_last_error last_error;
	struct mdx_ioc_obj_list list;
	struct mdx_ioc_channel channel;
	struct mdx_ioc_subscribe subscribe;
	struct mdx_ioc_submit submit;
	unsigned char bytes[384];
};

#define KERNEL_CMDS (MDX_CMD_OBJ_LIST + 1)

/* Sanitizers define calloc() themselves, so it cannot be made to fail. */
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define KERNEL_HAS_CALLOC
#endif

/* Script for the next calls, and record of the last ones. */
struct fake_kernel {
	unsigned int (*command)(unsigned int number, const void *in, size_t inlen,
				void *out, size_t outlen);	/* see fake.h */
	int open_err;
	const char *open_path;	/* opened instead of /dev/null */
	int open_flags;
	int open_fds;		/* open files of the node */
	int err[KERNEL_CMDS];
	int eintr;		/* number of times EINTR comes first */
	unsigned int status;	/* device status; EREMOTEIO unless 0 */
	unsigned int next_id;
	unsigned long long missing;	/* features that INFO does not tell */
	int last_fd;
	bool calloc_fails;
	struct mdx_ioc_query_port port;		/* answers: their out_* */
	struct mdx_ioc_query_device device;
	struct mdx_ioc_last_error last_error;
	const struct mdx_obj_info *objs;	/* of MDX_IOC_OBJ_LIST */
	unsigned int objs_n;
	unsigned int uid;
	int channel_peer;	/* what is written to it is read from the last channel */
	__u16 events[MDX_SUBSCRIBE_EVENTS_MAX];	/* of MDX_IOC_SUBSCRIBE */
	struct mdx_item item;	/* of MDX_IOC_SUBMIT */
	union fake_kernel_arg last[KERNEL_CMDS];
};

extern struct fake_kernel kernel;
void kernel_reset(void);

/* A call that goes to kernel.command: 0 or an errno; -1 if it is none of these. */
int fake_device_call(unsigned int nr, union fake_kernel_arg *arg);

#endif /* MDX_FAKE_KERNEL_H */
