// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The ids of a file's objects: they count up and none is given twice, so that an
 * id whose object is gone never means another one.
 *
 * An xarray of leaves, not of objects: most objects that are asked for are young,
 * and so in the leaf that is at hand. Where an xarray would free the node with its
 * last object, that leaf is kept for the next id. The others go when they are
 * empty, so memory follows the number of objects, not that of ids.
 */
#include <linux/slab.h>

#include "ids.h"

/**
 * mdx_ids_init - No id is given yet
 * @ids: for mdx_ids_free()
 */
void mdx_ids_init(struct mdx_ids *ids)
{
	xa_init_flags(&ids->leaves, XA_FLAGS_ACCOUNT);
	ids->newest = NULL;
	ids->last = 0;
	mutex_init(&ids->grow);
}

/**
 * mdx_ids_free - Free the leaves
 * @ids: nobody uses them, nor what is in them
 */
void mdx_ids_free(struct mdx_ids *ids)
{
	struct mdx_leaf *leaf;
	unsigned long at;

	xa_for_each(&ids->leaves, at, leaf)
		kfree(leaf);
	xa_destroy(&ids->leaves);
	mutex_destroy(&ids->grow);
}

/* The next number begins a leaf, which is not there yet. */
static bool is_full(const struct mdx_ids *ids)
{
	return !ids->newest || ids->last % MDX_LEAF_IDS == MDX_LEAF_IDS - 1;
}

static struct mdx_leaf *leaf_of(struct mdx_ids *ids, u32 id)
{
	lockdep_assert_held(&ids->leaves.xa_lock);

	if (id / MDX_LEAF_IDS == ids->last / MDX_LEAF_IDS)
		return ids->newest;
	return xa_load(&ids->leaves, id / MDX_LEAF_IDS);
}

static void leaf_drop(struct mdx_ids *ids, u32 id, struct mdx_leaf *leaf)
{
	__xa_erase(&ids->leaves, id / MDX_LEAF_IDS);
	kfree(leaf);
}

/* A full leaf stays full until this is done: nobody else changes @last. */
static bool leaf_add(struct mdx_ids *ids)
{
	u32 first = ids->newest ? ids->last + 1 : ids->last;
	struct mdx_leaf *leaf;

	if (ids->newest && ids->last == U32_MAX)
		return false;
	leaf = kzalloc(sizeof(*leaf), GFP_KERNEL_ACCOUNT);
	if (!leaf)
		return false;
	if (xa_insert(&ids->leaves, first / MDX_LEAF_IDS, leaf, GFP_KERNEL)) {
		kfree(leaf);
		return false;
	}

	mdx_ids_lock(ids);
	if (ids->newest && !ids->newest->n)
		leaf_drop(ids, ids->last, ids->newest);
	ids->newest = leaf;
	ids->last = first;
	mdx_ids_unlock(ids);
	return true;
}

static bool grow(struct mdx_ids *ids)
{
	bool full, ret = true;

	mutex_lock(&ids->grow);
	mdx_ids_lock(ids);
	full = is_full(ids);
	mdx_ids_unlock(ids);
	if (full)
		ret = leaf_add(ids);
	mutex_unlock(&ids->grow);
	return ret;
}

/* 0 if the leaf is full. */
static u32 take(struct mdx_ids *ids, struct mdx_obj *obj)
{
	u32 id = 0;

	mdx_ids_lock(ids);
	if (!is_full(ids)) {
		id = ++ids->last;
		ids->newest->n++;
		ids->newest->obj[id % MDX_LEAF_IDS - 1] = obj;
	}
	mdx_ids_unlock(ids);
	return id;
}

/**
 * mdx_ids_take - Give an object the next id
 * @ids: the ids, not locked
 * @obj: the object
 *
 * Return: the id; 0 without memory, or when all are given
 */
u32 mdx_ids_take(struct mdx_ids *ids, struct mdx_obj *obj)
{
	u32 id;

	do {
		id = take(ids, obj);
	} while (!id && grow(ids));
	return id;
}

/**
 * mdx_ids_find - Find an object
 * @ids: the ids, locked
 * @id: any number
 *
 * Return: the object, or NULL
 */
struct mdx_obj *mdx_ids_find(struct mdx_ids *ids, u32 id)
{
	struct mdx_leaf *leaf = leaf_of(ids, id);

	if (!leaf || id % MDX_LEAF_IDS == 0)
		return NULL;
	return leaf->obj[id % MDX_LEAF_IDS - 1];
}

/**
 * __mdx_ids_erase - Take an id from its object
 * @ids: the ids, locked
 * @id: of an object
 */
void __mdx_ids_erase(struct mdx_ids *ids, u32 id)
{
	struct mdx_leaf *leaf = leaf_of(ids, id);

	leaf->obj[id % MDX_LEAF_IDS - 1] = NULL;
	if (!--leaf->n && leaf != ids->newest)
		leaf_drop(ids, id, leaf);
}

/**
 * mdx_ids_erase - Take an id from its object
 * @ids: the ids, not locked
 * @id: of an object
 */
void mdx_ids_erase(struct mdx_ids *ids, u32 id)
{
	mdx_ids_lock(ids);
	__mdx_ids_erase(ids, id);
	mdx_ids_unlock(ids);
}

/**
 * mdx_ids_next - Go from object to object
 * @ids: the ids, locked or used by nobody else
 * @id: where to look from; set to the id of what is found
 *
 * Return: the object, or NULL if there is no other
 */
struct mdx_obj *mdx_ids_next(struct mdx_ids *ids, u64 *id)
{
	unsigned long first = *id / MDX_LEAF_IDS;
	struct mdx_leaf *leaf;
	unsigned long at;
	int i;

	xa_for_each_start(&ids->leaves, at, leaf, first) {
		i = at == first ? *id % MDX_LEAF_IDS : 0;
		for (i = max(i, 1); i < MDX_LEAF_IDS; i++) {
			if (!leaf->obj[i - 1])
				continue;
			*id = (u64)at * MDX_LEAF_IDS + i;
			return leaf->obj[i - 1];
		}
	}
	return NULL;
}
