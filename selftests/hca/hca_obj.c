// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "hca_obj.h"

static struct hca_obj **bucket_of(struct hca_obj_store *store,
				  enum hca_obj_type space, u64 key)
{
	u64 hash = (key * OBJ_COUNT + space) * 0x9e3779b97f4a7c15ULL;

	return &store->bucket[hash >> 32 & (HCA_OBJ_BUCKETS - 1)];
}

static struct hca_obj *space_find(struct hca_obj_store *store,
				  enum hca_obj_type space, u64 key)
{
	struct hca_obj *obj;

	for (obj = *bucket_of(store, space, key); obj; obj = obj->chain)
		if (obj->key == key && hca_obj_descs[obj->type].space == space)
			return obj;
	return NULL;
}

struct hca_obj *obj_find(struct hca_obj_store *store, enum hca_obj_type type,
			 u64 key)
{
	struct hca_obj *obj = space_find(store, hca_obj_descs[type].space, key);

	return obj && obj->type == type ? obj : NULL;
}

/* True if @span numbers from @num on are free. The sums fit in 64 bits. */
static bool numbers_free(struct hca_obj_store *store, enum hca_obj_type type,
			 u64 num, u32 span)
{
	enum hca_obj_type space = hca_obj_descs[type].space;
	struct hca_obj *obj;
	u32 i;

	for (i = 0; i < span; i++)
		if (space_find(store, space, num + i))
			return false;
	for (obj = store->bulks ? store->newest : NULL; obj; obj = obj->older)
		if (obj->type == type && obj->span > 1 &&
		    num < obj->key + obj->span && obj->key < num + span)
			return false;
	return true;
}

u32 obj_number(struct hca_obj_store *store, enum hca_obj_type type, u32 span)
{
	const struct hca_obj_desc *desc = &hca_obj_descs[type];
	enum hca_obj_type space = desc->space;
	u32 first = hca_obj_descs[space].first,
	    last = hca_obj_descs[space].last;
	u32 num = store->next[space];
	u64 tries = (u64)last - first + 1;

	if (span > tries)
		return 0;
	while (tries--) {
		if (num < first || num > last || last - num < span - 1)
			num = first;
		if (numbers_free(store, type, num, span)) {
			store->next[space] = num + span;
			return num;
		}
		num++;
	}
	return 0;
}

struct hca_obj *obj_add(struct hca_obj_store *store, enum hca_obj_type type,
			u64 key, u16 uid, const u8 *in, size_t in_len)
{
	struct hca_obj **head =
		bucket_of(store, hca_obj_descs[type].space, key);
	struct hca_obj *obj = calloc(1, sizeof(*obj));

	if (!obj)
		return NULL;
	obj->in = malloc(in_len ? in_len : 1);
	if (!obj->in) {
		free(obj);
		return NULL;
	}
	memcpy(obj->in, in, in_len);
	obj->in_len = in_len;
	obj->type = type;
	obj->key = key;
	obj->uid = uid;
	obj->span = 1;
	obj->chain = *head;
	*head = obj;
	obj->older = store->newest;
	if (store->newest)
		store->newest->newer = obj;
	else
		store->oldest = obj;
	store->newest = obj;
	store->live[type]++;
	store->fte_changes += type == OBJ_FTE;
	return obj;
}

void obj_set_refs(struct hca_obj *obj, struct hca_obj **deps, size_t ndeps)
{
	size_t i;

	for (i = 0; i < ndeps; i++)
		deps[i]->refs++;
	for (i = 0; i < obj->ndeps; i++)
		obj->deps[i]->refs--;
	free(obj->deps);
	obj->deps = deps;
	obj->ndeps = ndeps;
}

struct hca_obj *obj_dep(const struct hca_obj *obj, enum hca_obj_type type)
{
	size_t i;

	for (i = 0; i < obj->ndeps; i++)
		if (obj->deps[i]->type == type)
			return obj->deps[i];
	return NULL;
}

void obj_del(struct hca_obj_store *store, struct hca_obj *obj)
{
	struct hca_obj **p;

	obj_set_refs(obj, NULL, 0);
	p = bucket_of(store, hca_obj_descs[obj->type].space, obj->key);
	while (*p != obj)
		p = &(*p)->chain;
	*p = obj->chain;
	if (obj->older)
		obj->older->newer = obj->newer;
	else
		store->oldest = obj->newer;
	if (obj->newer)
		obj->newer->older = obj->older;
	else
		store->newest = obj->older;
	store->live[obj->type]--;
	store->fte_changes += obj->type == OBJ_FTE;
	if (obj->span > 1)
		store->bulks--;
	free(obj->in);
	free(obj->mem.pas);
	free(obj);
}
