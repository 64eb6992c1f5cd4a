// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The object store: numbers, and the graph of who names whom.
 */
#include <stdlib.h>
#include <string.h>

#include "obj.h"

static struct fw_obj **bucket(struct fw_store *store, enum fw_kind space,
			      u64 key)
{
	u64 hash = (key * K_COUNT + space) * 0x9e3779b97f4a7c15ULL;

	return &store->bucket[hash >> 32 & (FW_BUCKETS - 1)];
}

static struct fw_obj *space_find(struct fw_store *store, enum fw_kind space,
				 u64 key)
{
	struct fw_obj *obj;

	for (obj = *bucket(store, space, key); obj; obj = obj->chain)
		if (obj->key == key && fw_kinds[obj->kind].space == space)
			return obj;
	return NULL;
}

struct fw_obj *obj_find(struct fw_store *store, enum fw_kind kind, u64 key)
{
	struct fw_obj *obj = space_find(store, fw_kinds[kind].space, key);

	return obj && obj->kind == kind ? obj : NULL;
}

/* Whether numbers from @num on, @span of them, are free. */
static bool numbers_free(struct fw_store *store, enum fw_kind kind, u32 num,
			 u32 span)
{
	enum fw_kind space = fw_kinds[kind].space;
	struct fw_obj *obj;
	u32 i;

	for (i = 0; i < span; i++)
		if (space_find(store, space, num + i))
			return false;
	for (obj = store->bulks ? store->newest : NULL; obj; obj = obj->older)
		if (obj->kind == kind && obj->span > 1 &&
		    num < obj->key + obj->span && obj->key < num + span)
			return false;
	return true;
}

u32 obj_number(struct fw_store *store, enum fw_kind kind, u32 span)
{
	const struct fw_kind_desc *desc = &fw_kinds[kind];
	enum fw_kind space = desc->space;
	u32 first = fw_kinds[space].first, last = fw_kinds[space].last;
	u32 num = store->next[space];
	u64 tries = (u64)last - first + 1;

	while (tries--) {
		if (num < first || num > last || last - num < span - 1)
			num = first;
		if (numbers_free(store, kind, num, span)) {
			store->next[space] = num + span;
			return num;
		}
		num++;
	}
	return 0;
}

struct fw_obj *obj_add(struct fw_store *store, enum fw_kind kind, u64 key,
		       u16 uid, const u8 *in, size_t in_len)
{
	struct fw_obj **head = bucket(store, fw_kinds[kind].space, key);
	struct fw_obj *obj = calloc(1, sizeof(*obj));

	if (!obj)
		return NULL;
	obj->in = malloc(in_len ? in_len : 1);
	if (!obj->in) {
		free(obj);
		return NULL;
	}
	memcpy(obj->in, in, in_len);
	obj->in_len = in_len;
	obj->kind = kind;
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
	store->live[kind]++;
	return obj;
}

void obj_name(struct fw_obj *obj, struct fw_obj **deps, size_t ndeps)
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

struct fw_obj *obj_dep(const struct fw_obj *obj, enum fw_kind kind)
{
	size_t i;

	for (i = 0; i < obj->ndeps; i++)
		if (obj->deps[i]->kind == kind)
			return obj->deps[i];
	return NULL;
}

void obj_del(struct fw_store *store, struct fw_obj *obj)
{
	struct fw_obj **p;

	obj_name(obj, NULL, 0);
	p = bucket(store, fw_kinds[obj->kind].space, obj->key);
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
	store->live[obj->kind]--;
	if (obj->span > 1)
		store->bulks--;
	free(obj->in);
	free(obj->mem.pas);
	free(obj);
}
