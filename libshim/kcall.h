/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Calls into the kernel module. */
#ifndef MDX_KCALL_H
#define MDX_KCALL_H

#include <stddef.h>
#include <stdint.h>

#include "mdx/mdx_uapi.h"

/*
 * ioctl(), restarted on EINTR: 0 or a positive errno. Preserves errno itself.
 */
int mdx_ioctl(int fd, unsigned long nr, void *arg);

/*
 * The errno that the stock driver makes of a device status. Needed by calls
 * without an output mailbox.
 */
int mdx_status_to_errno(uint32_t status);

static inline uint64_t mdx_mbox_addr(const void *buf)
{
	return (uintptr_t)buf;
}

/* Lengths are 32 bits wide. A longer one remains too long for the kernel. */
static inline uint32_t mdx_mbox_len(size_t len)
{
	return len > UINT32_MAX ? UINT32_MAX : len;
}

#endif /* MDX_KCALL_H */
