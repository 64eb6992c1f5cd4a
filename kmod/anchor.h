/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * An anchor in a verbs context: a PD that tells of the context's end, and takes
 * part in it. Optional: without MDX_HAVE_VERBS_LAYOUT (compat.mk) no file is bound,
 * and nothing is anchored.
 */
#ifndef MDX_ANCHOR_H
#define MDX_ANCHOR_H

#include <linux/list.h>
#include <linux/types.h>

struct file;
struct ib_uobject;
struct mdx_anchor;
struct uverbs_api_object;

/**
 * struct mdx_anchor_ops - What a context's end means for the owner of an anchor
 * @end: called in each pass in which rdma_core ends the context. 0, or -EBUSY:
 *	not done yet, another pass may help
 * @left: the anchor is free. If @end was not done, no pass could have helped
 * @failed: rdma_core may have given up on the context; never called in a pass after
 *	@left
 */
struct mdx_anchor_ops {
	int (*end)(struct mdx_anchor *anchor);
	void (*left)(struct mdx_anchor *anchor);
	void (*failed)(struct mdx_anchor *anchor);
};

/**
 * struct mdx_anchor - An anchor
 * @ops: of its owner
 * @uobj: the PD, with a reference; NULL while there is none
 * @original: its uapi_object
 * @pd_destroyed: only the uobject is left of it
 * @entry: in the list of anchors
 */
struct mdx_anchor {
	const struct mdx_anchor_ops *ops;
	struct ib_uobject *uobj;
	const struct uverbs_api_object *original;
	bool pd_destroyed;
	struct list_head entry;
};

#ifdef MDX_HAVE_VERBS_LAYOUT
int mdx_anchor_take(struct mdx_anchor *anchor, struct ib_uobject *uobj);
bool mdx_anchor_try_give_back(struct mdx_anchor *anchor);
bool mdx_anchor_is_over(struct mdx_anchor *anchor);
#else
static inline bool mdx_anchor_try_give_back(struct mdx_anchor *anchor)
{
	return true;
}

static inline bool mdx_anchor_is_over(struct mdx_anchor *anchor)
{
	return true;
}
#endif

#endif /* MDX_ANCHOR_H */
