/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Descriptors of channels in tests, which run in a task without descriptors, and
 * events of the fake firmware.
 */
#ifndef MDX_KUNIT_CHAN_ENV_H
#define MDX_KUNIT_CHAN_ENV_H

#include <linux/fs.h>

#include "../kmod/channel.h"
#include "../kmod/evtab.h"

/* In place of the kernel's functions */
int chan_unused_fd(unsigned int flags);
void chan_put_unused_fd(unsigned int fd);
struct file *chan_getfile(const char *name, const struct file_operations *fops,
			  void *priv, int flags);
void chan_fd_install(unsigned int fd, struct file *filp);
struct file *chan_fget(unsigned int fd);
/* Return: true if it is a file of chan_getfile() */
bool chan_fput(struct file *filp);

/* MDX_IOC_CHANNEL of env.file: the descriptor, or a negative errno */
int chan_open(u32 flags, u32 depth);
/* MDX_IOC_SUBSCRIBE of env.file */
int chan_subscribe(int fd, u32 obj, const u16 *events, u32 n, u64 cookie);
/* Of one event */
int chan_subscribe_one(int fd, u32 obj, u16 event, u64 cookie);
void chan_close(int fd);
/* All that are open */
void chan_close_all(void);
struct mdx_chan *chan_of(int fd);
/* With O_NONBLOCK; @buf gets what was read */
ssize_t chan_read(int fd, void *buf, size_t count);

/* An event about a queue as the device sends it */
void chan_event(u8 event, u32 num);

#endif /* MDX_KUNIT_CHAN_ENV_H */
