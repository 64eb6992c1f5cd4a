/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Guest memory: the ranges of DMA_MAP, and access to them. */
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
 * @size: length, never zero and never past the end of the address space
 * @host: address in this process; NULL for a range that the client did not
 *	share (a ROM), which DMA cannot reach
 * @prot: MEM_READ and MEM_WRITE
 * @mapped: @host is to be unmapped
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
 * @regions: ranges, which do not overlap
 * @nr: number of @regions
 * @hit: index of the range used last
 * @off: the function is no bus master, so DMA fails
 */
struct mem {
	struct mem_region *regions;
	unsigned int nr;
	unsigned int hit;
	bool off;
};

/* Returns 0 or a negative errno. The caller keeps @fd; -1 for none. */
int mem_map(struct mem *mem, uint64_t gpa, uint64_t size, int fd,
	    uint64_t offset, unsigned int prot);
/* Add memory that is mapped in this process already. */
int mem_add(struct mem *mem, uint64_t gpa, uint64_t size, void *host);
int mem_unmap(struct mem *mem, uint64_t gpa, uint64_t size);
void mem_clear(struct mem *mem);

/* Return 0, or -1 if a byte of the range cannot be reached. */
int mem_read(struct mem *mem, uint64_t gpa, void *buf, size_t len);
int mem_write(struct mem *mem, uint64_t gpa, const void *buf, size_t len);

/*
 * Access to an ownership byte: a store that is ordered after all earlier
 * writes, and a load that is ordered before all later reads.
 */
int mem_store_release(struct mem *mem, uint64_t gpa, uint8_t val);
int mem_load_acquire(struct mem *mem, uint64_t gpa, uint8_t *val);

#endif /* HCA_MEM_H */
