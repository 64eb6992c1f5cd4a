// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mem.h"

static int region_add(struct mem *mem, const struct mem_region *new)
{
	struct mem_region *r;
	unsigned int i;

	for (i = 0; i < mem->nr; i++) {
		r = &mem->regions[i];
		if (new->gpa <= r->gpa + (r->size - 1) &&
		    r->gpa <= new->gpa + (new->size - 1))
			return -EEXIST;
	}
	if (mem->nr == MEM_MAX_REGIONS)
		return -ENOSPC;
	r = realloc(mem->regions, (mem->nr + 1) * sizeof(*r));
	if (!r)
		return -ENOMEM;
	mem->regions = r;
	r[mem->nr++] = *new;
	return 0;
}

/* Access to a mapping past the end of its file would fault. */
static int file_covers(int fd, uint64_t offset, uint64_t size)
{
	struct stat st;
	uint64_t end;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return -EINVAL;
	if (__builtin_add_overflow(offset, size, &end) ||
	    end > (uint64_t)st.st_size)
		return -EINVAL;
	return 0;
}

int mem_map(struct mem *mem, uint64_t gpa, uint64_t size, int fd,
	    uint64_t offset, unsigned int prot)
{
	struct mem_region r = { .gpa = gpa, .size = size, .prot = prot };
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	int flags = 0;
	void *host;
	int ret;

	if (!size || size > SIZE_MAX || gpa + (size - 1) < gpa ||
	    prot & ~(unsigned int)(MEM_READ | MEM_WRITE))
		return -EINVAL;
	if (fd < 0)
		return region_add(mem, &r);
	if (offset % page || offset > INT64_MAX)
		return -EINVAL;
	ret = file_covers(fd, offset, size);
	if (ret)
		return ret;
	if (prot & MEM_READ)
		flags |= PROT_READ;
	if (prot & MEM_WRITE)
		flags |= PROT_WRITE;
	host = mmap(NULL, size, flags, MAP_SHARED, fd, (off_t)offset);
	if (host == MAP_FAILED)
		return -errno;
	r.host = host;
	r.mapped = true;
	ret = region_add(mem, &r);
	if (ret)
		munmap(host, size);
	return ret;
}

int mem_add(struct mem *mem, uint64_t gpa, uint64_t size, void *host)
{
	struct mem_region r = {
		.gpa = gpa,
		.size = size,
		.host = host,
		.prot = MEM_READ | MEM_WRITE,
	};

	return region_add(mem, &r);
}

static void region_drop(struct mem_region *r)
{
	if (r->mapped)
		munmap(r->host, r->size);
}

int mem_unmap(struct mem *mem, uint64_t gpa, uint64_t size)
{
	unsigned int i;

	for (i = 0; i < mem->nr; i++) {
		struct mem_region *r = &mem->regions[i];

		if (r->gpa != gpa || r->size != size)
			continue;
		region_drop(r);
		*r = mem->regions[--mem->nr];
		mem->hit = 0;
		return 0;
	}
	return -ENOENT;
}

void mem_clear(struct mem *mem)
{
	unsigned int i;

	for (i = 0; i < mem->nr; i++)
		region_drop(&mem->regions[i]);
	free(mem->regions);
	mem->regions = NULL;
	mem->nr = 0;
	mem->hit = 0;
}

static bool region_has(const struct mem_region *r, uint64_t gpa)
{
	return gpa >= r->gpa && gpa - r->gpa < r->size;
}

/*
 * The address of @gpa in this process; @len is the length of the range from
 * there.
 */
static uint8_t *mem_host(struct mem *mem, uint64_t gpa, unsigned int prot,
			 uint64_t *len)
{
	const struct mem_region *r = NULL;
	unsigned int i;

	if (mem->hit < mem->nr && region_has(&mem->regions[mem->hit], gpa))
		r = &mem->regions[mem->hit];
	for (i = 0; !r && i < mem->nr; i++) {
		if (region_has(&mem->regions[i], gpa)) {
			r = &mem->regions[i];
			mem->hit = i;
		}
	}
	if (mem->off || !r || !r->host || (r->prot & prot) != prot)
		return NULL;
	*len = r->size - (gpa - r->gpa);
	return r->host + (gpa - r->gpa);
}

int mem_read(struct mem *mem, uint64_t gpa, void *buf, size_t len)
{
	uint8_t *p = buf;
	uint64_t n;

	while (len) {
		const uint8_t *host = mem_host(mem, gpa, MEM_READ, &n);

		if (!host)
			return -1;
		if (n > len)
			n = len;
		memcpy(p, host, n);
		p += n;
		gpa += n;
		len -= n;
	}
	return 0;
}

int mem_write(struct mem *mem, uint64_t gpa, const void *buf, size_t len)
{
	const uint8_t *p = buf;
	uint64_t n;

	while (len) {
		uint8_t *host = mem_host(mem, gpa, MEM_WRITE, &n);

		if (!host)
			return -1;
		if (n > len)
			n = len;
		memcpy(host, p, n);
		p += n;
		gpa += n;
		len -= n;
	}
	return 0;
}

int mem_store_release(struct mem *mem, uint64_t gpa, uint8_t val)
{
	uint64_t n;
	uint8_t *host = mem_host(mem, gpa, MEM_WRITE, &n);

	if (!host)
		return -1;
	__atomic_store_n(host, val, __ATOMIC_RELEASE);
	return 0;
}

int mem_load_acquire(struct mem *mem, uint64_t gpa, uint8_t *val)
{
	uint64_t n;
	const uint8_t *host = mem_host(mem, gpa, MEM_READ, &n);

	if (!host)
		return -1;
	*val = __atomic_load_n(host, __ATOMIC_ACQUIRE);
	return 0;
}
