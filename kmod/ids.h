/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The id table of a file.
 */
#ifndef MDX_IDS_H
#define MDX_IDS_H

#include <linux/mutex.h>
#include <linux/types.h>
#include <linux/xarray.h>

/* Numbers of a chunk. The first of them is not an id. */
#define MDX_CHUNK_IDS 64

struct mdx_obj;

/**
 * struct mdx_id_chunk - Objects of consecutive ids; 512 bytes
 * @n: ids that are given to an object
 * @obj: by id % MDX_CHUNK_IDS - 1; NULL: reserved, or given to no object any more
 */
struct mdx_id_chunk {
	unsigned long n;
	struct mdx_obj *obj[MDX_CHUNK_IDS - 1];
};

/**
 * struct mdx_ids - Objects by id
 * @chunks: by id / MDX_CHUNK_IDS. Its lock protects the chunks' content and the
 *	rest of this structure
 * @newest: chunk of @last; NULL before the first id
 * @last: newest id
 * @expand_lock: held while a chunk is added, so that @last stays what it is
 */
struct mdx_ids {
	struct xarray chunks;
	struct mdx_id_chunk *newest;
	u32 last;
	struct mutex expand_lock; /* one new chunk at a time */
};

static inline void mdx_ids_lock(struct mdx_ids *ids)
{
	xa_lock(&ids->chunks);
}

static inline void mdx_ids_unlock(struct mdx_ids *ids)
{
	xa_unlock(&ids->chunks);
}

void mdx_ids_init(struct mdx_ids *ids);
void mdx_ids_free(struct mdx_ids *ids);
u32 mdx_ids_reserve(struct mdx_ids *ids);
void mdx_ids_store(struct mdx_ids *ids, u32 id, struct mdx_obj *obj);
struct mdx_obj *mdx_ids_find(struct mdx_ids *ids, u32 id);
void __mdx_ids_erase(struct mdx_ids *ids, u32 id);
void mdx_ids_erase(struct mdx_ids *ids, u32 id);
struct mdx_obj *mdx_ids_next(struct mdx_ids *ids, u64 *id);

#endif /* MDX_IDS_H */
