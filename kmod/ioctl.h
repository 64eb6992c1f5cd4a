/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The dispatcher of the ioctls.
 */
#ifndef MDX_IOCTL_H
#define MDX_IOCTL_H

struct file;

long mdx_ioctl(struct file *filp, unsigned int nr, unsigned long arg);

#endif /* MDX_IOCTL_H */
