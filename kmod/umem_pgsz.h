/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Page size of a umem.
 */
#ifndef MDX_UMEM_PGSZ_H
#define MDX_UMEM_PGSZ_H

#include <linux/types.h>

/* The smallest page that the device knows. */
#define MDX_UMEM_PGSZ_MIN 4096

/**
 * struct mdx_umem_extent - Memory that pages have to cover
 * @start: DMA address of its first byte, or the low bits of it
 * @length: in bytes
 * @cpu_page: page size of the kernel, at least MDX_UMEM_PGSZ_MIN
 */
struct mdx_umem_extent {
	u64 start;
	u64 length;
	u64 cpu_page;
};

/* Pages up to those of the kernel may begin before the memory and end behind it. */
static inline bool mdx_umem_pgsz_covers(const struct mdx_umem_extent *extent,
					u64 size)
{
	return size <= extent->cpu_page ||
	       !((extent->start | extent->length) & (size - 1));
}

/**
 * mdx_umem_pgsz_fit - Largest page size that covers memory and no more
 * @extent: the memory
 * @best: a power of two that the memory is contiguous in; 0: none
 * @bitmap: sizes that are allowed; 0: all
 *
 * Return: a size up to @best and not below the kernel's; 0: none
 */
static inline u64 mdx_umem_pgsz_fit(const struct mdx_umem_extent *extent,
				    u64 best, u64 bitmap)
{
	u64 size;

	for (size = best; size >= extent->cpu_page; size /= 2) {
		if (mdx_umem_pgsz_covers(extent, size) &&
		    (!bitmap || size & bitmap))
			return size;
	}
	return 0;
}

#endif /* MDX_UMEM_PGSZ_H */
