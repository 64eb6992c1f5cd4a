// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <linux/mm.h>
#include <linux/slab.h>
#include <rdma/ib_verbs.h>
#include <rdma/iter.h>

#include "umem_env.h"
#include "../kmod/compat.h"

struct umem_env umems;

void umem_env_init(void)
{
	umems = (struct umem_env){ .best = PAGE_SIZE };
}

void umem_env_exit(void)
{
	if (umems.pinned)
		kfree(umems.last);
}

static struct ib_umem_dmabuf *memory_pin(u64 addr, size_t len)
{
	struct ib_umem_dmabuf *mem;

	if (umems.pin_ret)
		return ERR_PTR(umems.pin_ret);
	mem = kzalloc(sizeof(*mem), GFP_KERNEL);
	if (!mem)
		return ERR_PTR(-ENOMEM);
	mem->umem.address = addr;
	mem->umem.iova = addr;
	mem->umem.length = len;
	umems.last = mem;
	umems.pinned++;
	return mem;
}

static struct ib_umem *va_pin(struct ib_device *ibdev, u64 addr, size_t len,
			      u32 access)
{
	struct ib_umem_dmabuf *mem = memory_pin(addr, len);

	return IS_ERR(mem) ? ERR_CAST(mem) : &mem->umem;
}

static struct ib_umem_dmabuf *fd_pin(struct ib_device *ibdev, u64 offset,
				     size_t len, int fd, int access)
{
	struct ib_umem_dmabuf *mem = memory_pin(offset, len);

	if (!IS_ERR(mem))
		umems.dmabufs++;
	return mem;
}

static void memory_unpin(struct ib_umem *umem)
{
	if (!umem)
		return;
	umems.pinned--;
	kfree(container_of(umem, struct ib_umem_dmabuf, umem));
}

static unsigned long offset_in(struct ib_umem *umem, unsigned long size)
{
	return umem->address & (size - 1);
}

#define mdx_umem_get va_pin
#define ib_umem_dmabuf_get_pinned fd_pin
#define ib_umem_release memory_unpin
#define ib_umem_find_best_pgoff(_umem, _bitmap, _mask) (umems.best)
#define ib_umem_dma_offset offset_in
#undef rdma_umem_for_each_dma_block
#define rdma_umem_for_each_dma_block(_umem, _biter, _size)                     \
	for ((_biter)->__dma_addr = (_umem)->address & ~((_size) - 1);         \
	     (_biter)->__dma_addr < (_umem)->address + (_umem)->length;        \
	     (_biter)->__dma_addr += (_size))
#define rdma_block_iter_dma_address(_biter) ((_biter)->__dma_addr)

#include "../kmod/umem.c"
