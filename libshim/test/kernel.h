/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A stand-in for the system calls that libmdx makes: the test program defines
 * open(), close() and ioctl(), which libmdx then uses.
 */
#ifndef MDX_TEST_KERNEL_H
#define MDX_TEST_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

#include "mdx/mdx_uapi.h"

union kernel_arg {
	struct mdx_ioc_bind bind;
	struct mdx_ioc_obj_create create;
	struct mdx_ioc_obj_destroy destroy;
	struct mdx_ioc_obj_cmd cmd;
	struct mdx_ioc_general general;
	struct mdx_ioc_verbs_cmd verbs;
	struct mdx_ioc_query_port port;
	struct mdx_ioc_query_device device;
	struct mdx_ioc_last_error last_error;
	unsigned char bytes[384];
};

#define KERNEL_CMDS (MDX_CMD_LAST_ERROR + 1)

/* Under a sanitizer calloc() is not ours to fail. */
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define KERNEL_HAS_CALLOC
#endif

/* What the calls to come do, and what the last ones were. */
struct kernel {
	int open_err;
	const char *open_path;	/* opened instead of /dev/null */
	int open_flags;
	int open_fds;		/* of the node, not closed yet */
	int err[KERNEL_CMDS];
	int eintr;		/* how often EINTR comes first */
	unsigned int status;	/* of the device; not 0: EREMOTEIO */
	unsigned int next_id;
	int last_fd;
	bool calloc_fails;
	struct mdx_ioc_query_port port;		/* the answers: all out_* */
	struct mdx_ioc_query_device device;
	struct mdx_ioc_last_error last_error;
	union kernel_arg last[KERNEL_CMDS];
};

extern struct kernel kernel;
void kernel_reset(void);

#endif /* MDX_TEST_KERNEL_H */
