/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* MDX_DEBUG: contexts that are not served, and objects of libmlx5, on stderr. */
#ifndef MDX_DEBUG_H
#define MDX_DEBUG_H

#include "shim.h"

/*
 * One line: @context is not served, for the reason @text, or for the errno @err if
 * it is not 0. Nothing unless MDX_DEBUG is set. Preserves errno.
 */
void mdx_debug_unserved(const struct ibv_context *context, const char *text,
			int err);

/*
 * The same for a context that libmdx did not see being opened: the first of its
 * calls prints the line. Nothing while an open function is on the stack.
 */
void mdx_debug_unseen(const struct ibv_context *context, const char *text);

/*
 * One line for each @reason: libmlx5 creates objects as @in does, whose context,
 * @context, is served. Nothing unless MDX_DEBUG is set. Preserves errno.
 */
void mdx_debug_consumed(const struct ibv_context *context, const void *in,
			const char *reason);

/* Around a call of an open function, within which libmlx5 uses its context. */
void mdx_debug_opening(int step);

#endif /* MDX_DEBUG_H */
