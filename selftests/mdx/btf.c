// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <linux/btf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "btf.h"

/*
 * The kernel's types are numbered from 1 and a module's follow; so do the
 * offsets of names.
 */
struct btf_blob {
	char *data;
	size_t len;
	const struct btf_header *hdr;
	const char *types;
	const char *strs;
};

struct btf {
	struct btf_blob blobs[2];
	const struct btf_type **by_id;
	uint32_t n;
};

static int blob_read(struct btf_blob *b, const char *name)
{
	size_t room = 1 << 16;
	char path[64];
	ssize_t got;
	char *more;
	int fd;

	snprintf(path, sizeof(path), "/sys/kernel/btf/%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	do {
		more = realloc(b->data, room);
		if (!more)
			break;
		b->data = more;
		got = read(fd, b->data + b->len, room - b->len);
		if (got < 0)
			break;
		b->len += got;
		if (b->len == room)
			room *= 2;
	} while (got);
	close(fd);
	if (!more || got < 0)
		return -1;

	b->hdr = (const struct btf_header *)b->data;
	errno = EINVAL;
	if (b->len < sizeof(*b->hdr) || b->hdr->magic != BTF_MAGIC ||
	    (uint64_t)b->hdr->hdr_len + b->hdr->type_off + b->hdr->type_len >
		    b->len ||
	    (uint64_t)b->hdr->hdr_len + b->hdr->str_off + b->hdr->str_len >
		    b->len)
		return -1;
	b->types = b->data + b->hdr->hdr_len + b->hdr->type_off;
	b->strs = b->data + b->hdr->hdr_len + b->hdr->str_off;
	return 0;
}

/* Length of the data behind a type, in bytes; -1 for an unknown BTF kind. */
static long tail_len(const struct btf_type *t)
{
	uint32_t n = BTF_INFO_VLEN(t->info);

	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_PTR:
	case BTF_KIND_FWD:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_FUNC:
	case BTF_KIND_FLOAT:
	case BTF_KIND_TYPE_TAG:
		return 0;
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		return sizeof(uint32_t);
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return n * sizeof(struct btf_member);
	case BTF_KIND_ENUM:
		return n * sizeof(struct btf_enum);
	case BTF_KIND_ENUM64:
		return n * sizeof(struct btf_enum64);
	case BTF_KIND_FUNC_PROTO:
		return n * sizeof(struct btf_param);
	case BTF_KIND_DATASEC:
		return n * sizeof(struct btf_var_secinfo);
	default:
		return -1;
	}
}

static int index_types(struct btf *btf, const struct btf_blob *b)
{
	const char *end = b->types + b->hdr->type_len;
	const struct btf_type **more;
	const char *p;
	long tail;

	for (p = b->types; p < end; p += sizeof(struct btf_type) + tail) {
		if (!(btf->n & (btf->n - 1))) {
			more = realloc(btf->by_id,
				       (btf->n ? 2 * btf->n : 2) *
					       sizeof(*more));
			if (!more)
				return -1;
			btf->by_id = more;
		}
		btf->by_id[btf->n] = (const struct btf_type *)p;
		tail = tail_len(btf->by_id[btf->n]);
		btf->n++;
		if (tail < 0) {
			errno = EINVAL;
			return -1;
		}
	}
	return 0;
}

struct btf *btf_load(const char *module)
{
	static const struct btf_type void_type;
	struct btf *btf = calloc(1, sizeof(*btf));
	int saved;

	if (!btf)
		return NULL;
	btf->by_id = malloc(sizeof(*btf->by_id));
	if (btf->by_id) {
		btf->by_id[0] = &void_type;
		btf->n = 1;
	}
	if (!btf->by_id || blob_read(&btf->blobs[0], "vmlinux") ||
	    blob_read(&btf->blobs[1], module) ||
	    index_types(btf, &btf->blobs[0]) ||
	    index_types(btf, &btf->blobs[1])) {
		saved = errno;
		btf_free(btf);
		errno = saved;
		return NULL;
	}
	return btf;
}

void btf_free(struct btf *btf)
{
	free(btf->blobs[0].data);
	free(btf->blobs[1].data);
	free(btf->by_id);
	free(btf);
}

static const char *name_at(const struct btf *btf, uint32_t off)
{
	uint32_t base = btf->blobs[0].hdr->str_len;

	if (off < base)
		return btf->blobs[0].strs + off;
	off -= base;
	return off < btf->blobs[1].hdr->str_len ? btf->blobs[1].strs + off : "";
}

/* The last structure of a name: a module's own comes before the kernel's. */
static const struct btf_type *find_struct(const struct btf *btf,
					  const char *name)
{
	uint32_t id;

	for (id = btf->n - 1; id; id--)
		if (BTF_INFO_KIND(btf->by_id[id]->info) == BTF_KIND_STRUCT &&
		    !strcmp(name_at(btf, btf->by_id[id]->name_off), name))
			return btf->by_id[id];
	return NULL;
}

long btf_struct_size(const struct btf *btf, const char *name)
{
	const struct btf_type *t = find_struct(btf, name);

	return t ? (long)t->size : -1;
}

static long type_size(const struct btf *btf, uint32_t id)
{
	int depth;

	for (depth = 0; depth < 16 && id < btf->n; depth++) {
		switch (BTF_INFO_KIND(btf->by_id[id]->info)) {
		case BTF_KIND_TYPEDEF:
		case BTF_KIND_CONST:
		case BTF_KIND_VOLATILE:
		case BTF_KIND_TYPE_TAG:
			id = btf->by_id[id]->type;
			break;
		case BTF_KIND_INT:
		case BTF_KIND_STRUCT:
		case BTF_KIND_UNION:
		case BTF_KIND_ENUM:
			return btf->by_id[id]->size;
		case BTF_KIND_PTR:
			return sizeof(void *);
		default:
			return -1;
		}
	}
	return -1;
}

bool btf_member(const struct btf *btf, const char *name, const char *member,
		struct btf_place *place)
{
	const struct btf_type *t = find_struct(btf, name);
	const struct btf_member *m;
	uint32_t bits;
	uint32_t i;

	if (!t)
		return false;
	m = (const struct btf_member *)(t + 1);
	for (i = 0; i < BTF_INFO_VLEN(t->info); i++, m++) {
		if (strcmp(name_at(btf, m->name_off), member))
			continue;
		if (m->type >= btf->n)
			return false;
		bits = BTF_INFO_KFLAG(t->info) ?
			       BTF_MEMBER_BIT_OFFSET(m->offset) : m->offset;
		place->offset = bits / 8;
		place->size = type_size(btf, m->type);
		place->type = name_at(btf, btf->by_id[m->type]->name_off);
		return true;
	}
	return false;
}
