// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* Registry of handles, by address. */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "shim_handle.h"

#define HANDLE_CHAINS 64

static struct mdx_handle *chains[HANDLE_CHAINS];
static pthread_mutex_t chains_lock = PTHREAD_MUTEX_INITIALIZER;

static struct mdx_handle **handle_chain(const void *key)
{
	uint64_t hash = (uintptr_t)key * 0x9e3779b97f4a7c15ull;

	return &chains[hash >> 58];
}

/* The link to the handle of @key, or to the end of its chain. */
static struct mdx_handle **handle_link(const void *key)
{
	struct mdx_handle **link = handle_chain(key);

	while (*link && (*link)->key != key)
		link = &(*link)->next;
	return link;
}

void mdx_handle_add(struct mdx_handle *handle, const void *key)
{
	struct mdx_handle **chain = handle_chain(key);

	handle->key = key;
	pthread_mutex_lock(&chains_lock);
	handle->next = *chain;
	*chain = handle;
	pthread_mutex_unlock(&chains_lock);
}

struct mdx_handle *mdx_handle_find(const void *key)
{
	struct mdx_handle *handle;

	pthread_mutex_lock(&chains_lock);
	handle = *handle_link(key);
	pthread_mutex_unlock(&chains_lock);
	return handle;
}

struct mdx_handle *mdx_handle_del(const void *key)
{
	struct mdx_handle **link, *handle;

	pthread_mutex_lock(&chains_lock);
	link = handle_link(key);
	handle = *link;
	if (handle)
		*link = handle->next;
	pthread_mutex_unlock(&chains_lock);
	return handle;
}
