/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Command slots: the commands a file has with the device at a time.
 */
#ifndef MDX_SLOT_H
#define MDX_SLOT_H

struct mdx_file;

void mdx_slot_get(struct mdx_file *file);
void mdx_slot_put(struct mdx_file *file);

#endif /* MDX_SLOT_H */
