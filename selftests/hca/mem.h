/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Guest memory: what DMA_MAP told us of, and access to it. */
#ifndef HCA_MEM_H
#define HCA_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	MEM_READ = 1,
	MEM_WRITE = 2,
	MEM_MAX_REGIONS = 1024,
};

/**
 * struct mem_region - a range of guest physical addresses
 * @gpa: first address
 * @size: bytes, never zero and never past the end of the address space
 * @host: where it is in our address space; NULL for a range the client did not
 *	share (a ROM), which no DMA of ours can reach
 * @prot: MEM_READ and MEM_WRITE
 * @mapped: @host is ours to unmap
 */
struct mem_region {
	uint64_t gpa;
	uint64_t size;
	uint8_t *host;
	unsigned int prot;
	bool mapped;
};

/**
 * struct mem - all of guest memory
 * @regions: @nr ranges, which do not overlap
 * @hit: the one that was used last
 * @off: the function is no bus master, so that nothing can be reached
 */
struct mem {
	struct mem_region *regions;
	unsigned int nr;
	unsigned int hit;
	bool off;
};

/* Return 0 or a negative errno. @fd stays the caller's; -1 for none. */
int mem_map(struct mem *mem, uint64_t gpa, uint64_t size, int fd,
	    uint64_t offset, unsigned int prot);
/* Memory that is ours already. */
int mem_add(struct mem *mem, uint64_t gpa, uint64_t size, void *host);
int mem_unmap(struct mem *mem, uint64_t gpa, uint64_t size);
void mem_clear(struct mem *mem);

/* Return 0, or -1 where a byte of the range cannot be reached. */
int mem_read(struct mem *mem, uint64_t gpa, void *buf, size_t len);
int mem_write(struct mem *mem, uint64_t gpa, const void *buf, size_t len);

/*
 * One byte that hands over what was written before it (ownership bits), or that
 * what is read after it depends on.
 */
int mem_store_release(struct mem *mem, uint64_t gpa, uint8_t val);
int mem_load_acquire(struct mem *mem, uint64_t gpa, uint8_t *val);

#endif /* HCA_MEM_H */
