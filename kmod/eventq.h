/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Events that wait in a channel.
 */
#ifndef MDX_EVENTQ_H
#define MDX_EVENTQ_H

#include <linux/types.h>

struct mdx_chan;

int mdx_eventq_expand(struct mdx_chan *chan, u32 room);
bool mdx_eventq_add(struct mdx_chan *chan, u64 cookie, const void *eqe);
ssize_t mdx_eventq_read(struct mdx_chan *chan, char __user *buf, size_t count);
void mdx_eventq_free(struct mdx_chan *chan);

#endif /* MDX_EVENTQ_H */
