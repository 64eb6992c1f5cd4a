/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Registry of handles that libmdx returned. The public structures of channels have
 * one field, so that nothing in them tells those of libmdx from those of libmlx5.
 */
#ifndef MDX_SHIM_HANDLE_H
#define MDX_SHIM_HANDLE_H

/* Embedded in what it registers. */
struct mdx_handle {
	struct mdx_handle *next;
	const void *key;
};

/* Register @handle under the address @key, which the program gets. */
void mdx_handle_add(struct mdx_handle *handle, const void *key);

/* NULL if @key was not registered, and so belongs to libmlx5. */
struct mdx_handle *mdx_handle_find(const void *key);

/* As mdx_handle_find(), and remove it. */
struct mdx_handle *mdx_handle_del(const void *key);

#endif /* MDX_SHIM_HANDLE_H */
