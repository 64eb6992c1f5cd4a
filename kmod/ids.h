/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The ids of a file's objects.
 */
#ifndef MDX_IDS_H
#define MDX_IDS_H

#include <linux/mutex.h>
#include <linux/types.h>
#include <linux/xarray.h>

/* Numbers a leaf covers; the first of them is no id. */
#define MDX_LEAF_IDS 64

struct mdx_obj;

/**
 * struct mdx_leaf - The objects of ids in a row: 512 bytes
 * @n: how many
 * @obj: by id % MDX_LEAF_IDS - 1
 */
struct mdx_leaf {
	unsigned long n;
	struct mdx_obj *obj[MDX_LEAF_IDS - 1];
};

/**
 * struct mdx_ids - Objects by id
 * @leaves: by id / MDX_LEAF_IDS. Its lock protects what is in the leaves, and
 *	the rest of this
 * @newest: the leaf of @last; NULL before the first id
 * @last: the newest id
 * @grow: held while a leaf is added, so that @last stays what it is
 */
struct mdx_ids {
	struct xarray leaves;
	struct mdx_leaf *newest;
	u32 last;
	struct mutex grow; /* one new leaf at a time */
};

static inline void mdx_ids_lock(struct mdx_ids *ids)
{
	xa_lock(&ids->leaves);
}

static inline void mdx_ids_unlock(struct mdx_ids *ids)
{
	xa_unlock(&ids->leaves);
}

void mdx_ids_init(struct mdx_ids *ids);
void mdx_ids_free(struct mdx_ids *ids);
u32 mdx_ids_take(struct mdx_ids *ids, struct mdx_obj *obj);
struct mdx_obj *mdx_ids_find(struct mdx_ids *ids, u32 id);
void __mdx_ids_erase(struct mdx_ids *ids, u32 id);
void mdx_ids_erase(struct mdx_ids *ids, u32 id);
struct mdx_obj *mdx_ids_next(struct mdx_ids *ids, u64 *id);

#endif /* MDX_IDS_H */
