/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Verbs contexts and the bound file of each. */
#ifndef MDX_CTX_H
#define MDX_CTX_H

#include "kcall.h"
#include "next.h"

struct mdx_ctx;

/* Weak reference to an open context. @fd is its bound file. */
struct mdx_ctx_ref {
	struct mdx_ctx *ctx;
	unsigned int gen;
	int fd;
};

/*
 * Get the bound file of @context, binding it on first use: 0 and @ref,
 * MDX_FORWARD, or a positive errno: EINVAL for NULL, others if binding failed this time.
 */
int mdx_ctx_get(struct ibv_context *context, struct mdx_ctx_ref *ref);

/* True until the context of @ref is closed. */
bool mdx_ref_valid(const struct mdx_ctx_ref *ref);

/*
 * One ioctl on the bound file of @context: 0, a positive errno, or MDX_FORWARD
 * if the context is not served or the module does not have the ioctl.
 */
int mdx_ctx_call(struct ibv_context *context, unsigned long nr, void *arg);

/* As mdx_ctx_call(), on a reference. */
static inline int mdx_ref_call(const struct mdx_ctx_ref *ref, unsigned long nr,
			       void *arg)
{
	int ret = mdx_ioctl(ref->fd, nr, arg);

	return ret == ENOTTY ? MDX_FORWARD : ret;
}

/* As mdx_ref_call(), for calls that are never forwarded. */
static inline int mdx_call(const struct mdx_ctx_ref *ref, unsigned long nr,
			   void *arg)
{
	return mdx_forward_errno(mdx_ref_call(ref, nr, arg));
}

#endif /* MDX_CTX_H */
