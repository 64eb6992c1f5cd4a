// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#include <errno.h>
#include <sys/ioctl.h>

#include "kcall.h"

int mdx_ioctl(int fd, unsigned long nr, void *arg)
{
	int saved = errno;
	int ret;

	do {
		ret = ioctl(fd, nr, arg) < 0 ? errno : 0;
	} while (ret == EINTR);
	errno = saved;
	return ret;
}

int mdx_status_to_errno(uint32_t status)
{
	static const int map[] = {
		[0x01] = EIO,		/* internal error */
		[0x02] = EINVAL,	/* bad operation */
		[0x03] = EINVAL,	/* bad parameter */
		[0x04] = EIO,		/* bad system state */
		[0x05] = EINVAL,	/* bad resource */
		[0x06] = EBUSY,		/* resource busy */
		[0x07] = EAGAIN,	/* not ready */
		[0x08] = ENOMEM,	/* exceeds a limit */
		[0x09] = EINVAL,	/* bad resource state */
		[0x0a] = EINVAL,	/* bad index */
		[0x0f] = EAGAIN,	/* no resources */
		[0x10] = EINVAL,	/* bad queue pair state */
		[0x30] = EINVAL,	/* bad packet */
		[0x40] = EINVAL,	/* bad size, too many outstanding */
		[0x50] = EIO,		/* bad input length */
		[0x51] = EIO,		/* bad output length */
	};

	if (status >= sizeof(map) / sizeof(map[0]) || !map[status])
		return EIO;
	return map[status];
}
